// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <doctest/doctest.h>

/// CAPTURE of a structured binding: the lambda in it may not capture one where the compiler is clang 14.
#define CAPTURE_BINDING(name)                                                                                \
    const auto& shown_##name = name;                                                                         \
    INFO(#name " := ", shown_##name)
