// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace skampi {

/// Adds --config FILE to a program: a file of options. A line is `NAME = VALUE`, or NAME of an option without
/// a value, with the names of the command line without their dashes. A value is the rest of the line, a text
/// in quotes, or a list [A, B] of these. # and ; at the begin of a line or behind a blank begin a comment.
/// Options of a subcommand stand below a line [SUBCOMMAND]; they hold where it is called. An option of the
/// command line wins. What is no such line, or no option of the program, is refused with its line, where
/// CLI11's own reader would ignore it: a wrong letter would measure something else.
///
/// CLI::App::parse() throws InputError for such a file, and for one that is no text.
void add_options_file(CLI::App& app, const std::string& description);
/// The file of options that the command line named; empty = none.
[[nodiscard]] std::string options_file(const CLI::App& app);

} // namespace skampi
