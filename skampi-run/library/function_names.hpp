#pragma once

#include "model/suite.hpp"

#include <span>

namespace skampi {

/// Refuses a function of a user's that a parameter file could not name, or not tell from the others.
/// @param has_call whether it has something to measure   @param others known already
/// @throws InputError
void refuse_unfit(const OperationInfo& function, bool has_call, std::span<const OperationInfo> others);

/// What runs of this program have in common beside their plan, for Run::settings: its name and its build. A
/// program compiled anew measures something else.
/// @param name of the program
[[nodiscard]] std::map<std::string, std::string> program_settings(const std::string& name);

/// The program's name in messages: what argv[0] says without its folders.
[[nodiscard]] std::string program_name(int argc, const char* const* argv);

} // namespace skampi
