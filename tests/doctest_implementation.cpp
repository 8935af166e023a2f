// SPDX-License-Identifier: GPL-2.0-or-later
// The one unit that contains doctest itself: it takes longer to compile than most tests.
#define DOCTEST_CONFIG_IMPLEMENT
#include <doctest/doctest.h>
