// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace skampi::bench {

/// What the user asked for.
struct StudyOptions {
    int series = 1000;         ///< invented series for each row
    std::uint64_t seed = 1;    ///< the same seed gives the same table
    std::string database = {}; ///< raw launches of one machine, for the rows on real launches; empty = none
};

/// One statement about the inference, with what was found.
struct StudyRow {
    std::string statement; ///< with the number of series, launches and the noise it holds for
    double found = 0;
    double least = 0; ///< the goal: least <= found <= most
    double most = 1;
    std::string unit = "%"; ///< "%": the numbers are shares and are shown times 100
    [[nodiscard]] bool reached() const { return found >= least && found <= most; }
};

/// A simulation with known truth, or a check on real launches.
struct Study {
    const char* name;
    const char* question;
    std::function<std::vector<StudyRow>(const StudyOptions&)> run;
};

/// All studies; each has a file of its own, NAME_study.cpp.
[[nodiscard]] const std::vector<Study>& studies();

} // namespace skampi::bench
