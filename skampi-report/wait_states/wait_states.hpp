// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "cube/statistics.hpp"

#include <optional>
#include <string>
#include <vector>

namespace skampi {

/// One Cube statistics file as a report shows it.
struct WaitStates {
    std::string path;
    std::string label; ///< short, unique in the report
    cube::ReadStatistics read;
};

/// Reads the files and gives each a label that no other has.
/// @throws InputError naming the first error when a file held errors and not one pattern: it is something
/// else
/// @throws SystemError when one cannot be read
[[nodiscard]] std::vector<WaitStates> read_wait_states(const std::vector<std::string>& paths);

/// A pattern in two experiments: the difference operator of cross-experiment algebra (Song, Wolf, Bhatia,
/// Dongarra and Moore 2004) and also the ratio.
struct PatternComparison {
    const cube::PatternStatistics* reference = nullptr;
    const cube::PatternStatistics* other = nullptr;
    double count_difference = 0; ///< other - reference
    /// Of the sums and of the means; none = one of the two files has no values.
    std::optional<double> sum_difference_s;
    std::optional<double> mean_difference_s;
    std::optional<double> sum_ratio; ///< other / reference; none also where the reference's is not above 0
    std::optional<double> mean_ratio;
};

struct WaitStateComparison {
    const WaitStates* reference = nullptr;
    const WaitStates* other = nullptr;
    std::vector<PatternComparison> patterns; ///< in both, in the reference's order
    std::vector<std::string> only_in_reference;
    std::vector<std::string> only_in_other;
};

/// Pattern by pattern, by name; of several patterns of one name the first with the first.
/// @return borrows both
[[nodiscard]] WaitStateComparison compare(const WaitStates& reference, const WaitStates& other);

/// All others against the last file (with baseline) or the first. @return borrows the files
[[nodiscard]] std::vector<WaitStateComparison> compare_all(const std::vector<WaitStates>& files,
                                                           bool baseline);

} // namespace skampi
