// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "model/run.hpp"

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace skampi {

/// What makes runs launches of one series, so that one may be continued, counted, compared and merged with
/// another: the fields of Run that are in_series, and the settings. One definition for resume, supervisor,
/// daemon, merge, report and status. Differences between launches without meaning are not part of it:
/// processes, dates, counters.
class Series {
public:
    /// Agrees with everything.
    Series() = default;
    /// The key of a run. An empty field is unknown if known values are never empty (a run read from CSV).
    explicit Series(const Run& run);

    /// Takes something out of the key: it agrees with everything then. @param field name of the field of Run
    Series& forget(std::string_view field);
    /// Takes over what is known of another and not of this one: the key of a group of runs. "Unknown differs
    /// from nothing" is no equivalence between runs, but it is one between a run and the key of its group.
    Series& learn(const Series& other);

    /// What is known, by the names that differences() uses; of the settings those that are set.
    [[nodiscard]] std::map<std::string, std::string> known() const;
    /// Whether its settings are known.
    [[nodiscard]] bool has_settings() const { return settings_.has_value(); }
    /// Why two are not one: "the MPI library differs: \"X\" and \"Y\"", one text for each difference; empty =
    /// they are one. An unknown field never differs.
    [[nodiscard]] std::vector<std::string> differences(const Series& other) const;
    [[nodiscard]] bool operator==(const Series& other) const { return differences(other).empty(); }
    /// Differs if known fields differ; 16 hexadecimal digits.
    [[nodiscard]] std::string hash() const;

private:
    std::map<std::string, std::string, std::less<>> key_;        ///< field -> text; absent = unknown
    std::optional<std::map<std::string, std::string>> settings_; ///< none = unknown
};

/// How the descriptions of two runs differ: "the network differs: \"X\" and \"Y\"". One that is not given
/// never differs. Runs may differ so and belong to one series.
[[nodiscard]] std::vector<std::string> description_differences(const Run& left, const Run& right);

/// Which ranks ran where: "n1: 0-3; n2: 4-7". If the file names a @MACHINE, its nodes are alike, and only
/// their number and the order of the ranks count: "2 hosts: 0-3; 4-7". A text that would be too long ends in
/// its hash.
[[nodiscard]] std::string placement_text(const std::vector<RankFacts>& ranks, const std::string& machine);

/// How the ranks are bound to cores.
struct Binding {
    // If a rank may use hardware threads of several cores, each counts as a core.
    std::size_t fewest = 0; ///< cores of a rank; 0 = there are no ranks
    std::size_t most = 0;   ///< cores of a rank
    std::size_t cores = 0;  ///< of all of them, on all hosts
    bool known = true;      ///< of every rank
    bool shared = false;    ///< a core may run two ranks
    bool crowded = false;   ///< on some host ranks must share hardware threads
    bool threads = false;   ///< ranks bound to one core each share one, as its hardware threads
    /// On some host ranks take all cores that they may use: a bound one cannot move away
    /// (docs/decisions/binding.md).
    bool full = false;
};
[[nodiscard]] Binding binding_of(const std::vector<RankFacts>& ranks);

/// To how many cores each rank was bound, and whether ranks share them: "1 core each", "2 cores each,
/// shared", "1 core each, shared as hardware threads".
[[nodiscard]] std::string binding_text(const std::vector<RankFacts>& ranks);

/// "0-3,8" of ascending numbers.
[[nodiscard]] std::string ranges_text(const std::vector<int>& numbers);

/// The reverse: the cores in a list such as "0-3,8".
[[nodiscard]] std::vector<int> cores_in(const std::string& list);

} // namespace skampi
