// SPDX-License-Identifier: LGPL-2.1-or-later
// Read once by the compiler for each group of a tool's sources, and put before each of them. Nothing may rely on
// it: sources include what they use, and -Db_pch=false compiles them without. (No guard: it is no source's header.)

#include <algorithm>
#include <cstdint>
#include <fmt/format.h>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>
