// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "contest/algorithm_winners.hpp"
#include "model/run.hpp"
#include "store/database.hpp"

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace skampi {

/// An algorithm that takes part in no choice.
struct ExcludedAlgorithm {
    std::string operation;
    std::string word;
    int ranks = 0;
    bool operator==(const ExcludedAlgorithm&) const = default;
};

/// What a database holds about the algorithms of operations (key Algorithm): from the raw runs that ended,
/// those with the library, the settings and the hosts of the newest. The rest of their plans does not matter.
struct AlgorithmStudy {
    std::string database;
    std::vector<AlgorithmGroup> groups;   ///< ascending operation, ranks
    std::vector<ExcludedAlgorithm> wrong; ///< delivered wrong data
    /// Algorithms refused at some arguments, each with the first launch's fact_algorithm_refused.
    std::vector<std::pair<ExcludedAlgorithm, std::string>> refused;
    Run newest;                     ///< run; uuid empty = there is none with algorithms
    std::vector<int> ranks;         ///< numbers of ranks, ascending
    int runs = 0;                   ///< that count
    int other_runs = 0;             ///< with algorithms, of another library, other settings or hosts
    bool crowded = false;           ///< ranks share cores in one of them
    bool bound = true;              ///< every rank has a core of its own in all of them
    bool cores_to_spare = true;     ///< there are more cores than ranks in all of them
    std::optional<TuningFile> file; ///< the last one that skampi-run tune made of the newest run
};

/// Values of algorithms against the library's own choice: operations that were measured without it, and
/// suites over anything but the message length and the number of ranks, are in no group. From many numbers of
/// ranks of a suite, only powers of two and the largest are used.
[[nodiscard]] AlgorithmStudy read_algorithms(const Database& database);

/// The group whose launches other work disturbed most often; null = no launch was disturbed.
[[nodiscard]] const AlgorithmGroup* most_disturbed(const AlgorithmStudy& study);

/// What was read and what was found in it. It does not move: winners refer to the groups of the study.
struct AlgorithmFindings {
    AlgorithmStudy study;
    WinnerRule rule;
    std::vector<AlgorithmWinners> winners; ///< as study.groups
};
/// @return null = there are no groups
[[nodiscard]] std::unique_ptr<const AlgorithmFindings> find_algorithms(const Database& database,
                                                                       const WinnerRule& rule);

/// The library's layer for which files are written, from the algorithms found; empty = none.
[[nodiscard]] std::string layer_of_files(const AlgorithmFindings& found);

/// Describes a file of these findings, without path, date and base.
[[nodiscard]] TuningTarget tuning_target(const AlgorithmFindings& found);

} // namespace skampi
