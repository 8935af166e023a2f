// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace skampi::cube {

// The CUBE 3 file that a statistics file belongs to: a severity for every metric, call path and process.

struct Metric {
    std::string unique_name; ///< that of its pattern in the statistics file
    std::string display_name;
    std::string description;
};

struct CallPath {
    std::string name; ///< of its region
    std::string description;
    std::optional<std::size_t> parent; ///< an earlier one; none = a root
};

struct Process {
    std::string host;
    int rank = 0;
};

/// What the processes spent in a call path, in the order of the processes.
struct Severity {
    std::size_t metric = 0;
    std::size_t call_path = 0;
    std::vector<double> seconds;
};

/// Metrics, call paths and processes have their places as ids.
struct Experiment {
    std::vector<std::pair<std::string, std::string>> attributes; ///< "statisticfile", ...
    std::string machine;
    std::vector<Metric> metrics;
    std::vector<CallPath> call_paths;
    std::vector<Process> processes;
    std::vector<Severity> severities; ///< of one metric in a row
};

/// The text of a CUBE 3 file, well-formed XML for any names. Cube's own reader parses lines of text rather
/// than XML, so elements and attributes have the order and the form that its writer gives them: no
/// empty-element tags except attr, `id` in small letters but `Id` in the system
/// tree, the named entities only.
/// @pre at least one metric, call path and process (Cube takes no others)
/// @throws std::invalid_argument when a place is named that is none, a number of severities is not that of
/// the processes, or a severity is no finite number
[[nodiscard]] std::string write_cube3(const Experiment& experiment);

} // namespace skampi::cube
