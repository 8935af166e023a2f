#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace skampi {

/// Adds --config FILE to a program: a file with options, one a line, `NAME = VALUE` with the names of the
/// command line without their dashes, those of a subcommand below a line [SUBCOMMAND]; # and ; begin
/// comments. What is no option of the program is refused with its line, where CLI11 would ignore it: a wrong
/// letter would measure something else. Parsing throws InputError for such a file, and for one that is no
/// text.
void add_options_file(CLI::App& app, const std::string& description);

} // namespace skampi
