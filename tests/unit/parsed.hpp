// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "seed_operations.hpp"
#include "spec/parser.hpp"

#include <string>

/// A parameter file "x.skampi" with this text.
inline skampi::ParameterFile parse(const std::string& text) {
    return skampi::parse_parameter_file("x.skampi", text, seed_operations());
}
