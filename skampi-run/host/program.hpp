// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "base/child.hpp"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace skampi {

/// What runs of this program have in common besides their plan, for Run::settings: its name and its build. A
/// newly compiled program measures something else.
/// @param name of the program
[[nodiscard]] std::map<std::string, std::string> program_settings(const std::string& name);

/// The program of this name that is installed next to this one or was built with it, else the one in PATH;
/// none = neither. @param name may begin with folders, from the one above that of this program
[[nodiscard]] std::optional<std::string> installed_program(const std::string& name);

/// Calls skampi-report for a text for people, and waits for its end.
/// @return none = it is neither next to this program nor in PATH
[[nodiscard]] std::optional<ChildResult> call_report(const std::vector<std::string>& words,
                                                     double longest_s = 600);

/// The program's name in messages: argv[0] without its folders.
[[nodiscard]] std::string program_name(int argc, const char* const* argv);

} // namespace skampi
