// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace skampi {

/// For an option whose empty text would mean that it is not given: a script's variable that is not set would
/// choose all runs.
inline CLI::Validator not_empty() {
    return CLI::Validator(
        [](const std::string& text) {
            return text.empty() ? std::string("found an empty text, expected a value") : std::string();
        },
        "", "not empty");
}

} // namespace skampi
