#pragma once

#include "base/child.hpp"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace skampi {

/// What runs of this program have in common beside their plan, for Run::settings: its name and its build. A
/// program compiled anew measures something else.
/// @param name of the program
[[nodiscard]] std::map<std::string, std::string> program_settings(const std::string& name);

/// The program of this name that is installed beside this one, or was built with it, else whatever PATH
/// finds; none = neither. @param name may begin with folders, from the one above that of this program
[[nodiscard]] std::optional<std::string> program_beside(const std::string& name);

/// Calls skampi-report, for what it writes for people, and waits for its end.
/// @return none = it is neither beside this program nor in PATH
[[nodiscard]] std::optional<ChildResult> call_report(const std::vector<std::string>& words,
                                                     double longest_s = 600);

/// The program's name in messages: what argv[0] says without its folders.
[[nodiscard]] std::string program_name(int argc, const char* const* argv);

} // namespace skampi
