// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "spec/parameter_file.hpp"
#include "spec/suite_draft.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace skampi {

/// One key of the blocks in @MEASUREMENTS.
struct Key {
    std::string_view name;
    std::string_view sets;
    std::string accepts;           ///< for messages; every key but Type accepts Default_Value too
    bool list;                     ///< several values multiply the block
    std::vector<Pattern> patterns; ///< for which it has a meaning; empty = all. A key named like a Parameter
                                   ///< has one only for operations with that parameter
    void (*apply)(SuiteDraft& draft, const Value& value);
};

/// One section (@NAME) of a parameter file. Exactly one of text, apply and default_of says what it does;
/// @MEASUREMENTS and @VARIANTS, which have blocks, and @LAUNCHES, which has keys, have none of them.
struct FileSection {
    std::string_view name; ///< with the @
    std::string_view sets;
    std::string accepts;
    std::string ParameterFile::*text = nullptr; ///< free text
    void (*apply)(ParameterFile& file, const Value& value) = nullptr;
    std::string_view default_of = {}; ///< the key whose default it sets
};

inline constexpr std::string_view measurements_section = "@MEASUREMENTS";
inline constexpr std::string_view variants_section = "@VARIANTS";
inline constexpr std::string_view launches_section = "@LAUNCHES";

/// All keys, in the order of the manual.
[[nodiscard]] std::vector<Key> all_keys();
/// The keys of @LAUNCHES, each with `apply`.
[[nodiscard]] std::vector<FileSection> launch_keys();
/// All sections, in the order of the manual.
[[nodiscard]] std::vector<FileSection> all_sections();

} // namespace skampi
