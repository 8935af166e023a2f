// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <doctest/doctest.h>

/// Equal but for a small share of the value. doctest::Approx alone allows that share of 1 + the value: any
/// two times of microseconds are equal for it. (A scale of 0 would not even let 0 equal 0.)
inline doctest::Approx close_to(double value) {
    return doctest::Approx(value).scale(1e-300);
}
