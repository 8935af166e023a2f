// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace skampi {

/// The time of an algorithm by that of the library's own choice, at a message length.
struct AgainstDefault {
    double log_ratio = 0;
    double standard_error = 0; ///< of the logarithm; 0 = there is none, as in a simulation
};

/// An algorithm against the default, by message length.
struct AlgorithmRatios {
    std::string word;
    std::map<std::int64_t, AgainstDefault> at;
};

/// At how many of its lengths an algorithm takes another time than the default: its ratio is more than two
/// standard errors outside of 1 +- same_time. Where that is nowhere so, the choice may have had no effect.
struct AlgorithmEffect {
    std::size_t different = 0;
    std::size_t lengths = 0;
    bool operator==(const AlgorithmEffect&) const = default;
};
/// Two algorithms are taken for one where their times are within this share.
constexpr double same_time = 0.01;
[[nodiscard]] bool takes_another_time(const AgainstDefault& ratio);
[[nodiscard]] AlgorithmEffect effect_of(const AlgorithmRatios& ratios);

/// A range of measured lengths in which the default's times are those of an algorithm.
struct DefaultIs {
    std::int64_t bytes_low = 0;
    std::int64_t bytes_high = 0;    ///< inclusive
    std::vector<std::string> words; ///< several: their times are the same there
    bool operator==(const DefaultIs&) const = default;
};

/// The ranges of each algorithm, ascending. It has the default's time where its ratio is within same_time of
/// 1, or one standard error more, and that error is at most twice same_time. Where times scatter, chance
/// makes some equal and others not: a range may then miss single lengths, and has three at least, or all
/// there are.
[[nodiscard]] std::vector<DefaultIs> default_is(const std::vector<AlgorithmRatios>& algorithms);

} // namespace skampi
