// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <cstdlib>
#include <stdexcept>
#include <string>

/// What meson tells a test: the programs it runs, mostly. @throws std::runtime_error when it is not set
inline std::string from_environment(const char* name) {
    const char* value = std::getenv(name);
    if (value == nullptr)
        throw std::runtime_error(std::string(name) + " is not set; run this test through meson");
    return value;
}
