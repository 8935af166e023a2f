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

/// What a database knows of the algorithms of operations (key Algorithm): of the raw runs that ended, those
/// with the library, the settings and the hosts of the newest. What else their plans hold does not matter.
struct AlgorithmStudy {
    std::string database;
    std::vector<AlgorithmGroup> groups;   ///< ascending operation, ranks
    std::vector<ExcludedAlgorithm> wrong; ///< delivered wrong data
    /// That the library refused at some arguments, each with the first launch's fact_algorithm_refused.
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
/// suites over anything but the message length and the number of ranks, are in no group. Of many numbers of
/// ranks of a suite only powers of two and the largest are.
[[nodiscard]] AlgorithmStudy read_algorithms(const Database& database);

/// Whose launches other work on the cores disturbed most often; null = none of any.
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

/// Of the algorithms found, the layer of the library for which files are written; empty = there is none.
[[nodiscard]] std::string layer_of_files(const AlgorithmFindings& found);

/// For what a file of these findings is. Without path, date and base.
[[nodiscard]] TuningTarget tuning_target(const AlgorithmFindings& found);

} // namespace skampi
