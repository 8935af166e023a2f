// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "analysis/history/change_point.hpp"
#include "analysis/history/drift.hpp"
#include "analysis/history/history_record.hpp"

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace skampi {

/// One number over the runs: a headline, or a suite's time at one argument.
struct HistoryLine {
    std::string name;
    std::string suite;
    LineUnit unit = LineUnit::time;
    bool headline = false;
    std::vector<std::size_t> runs; ///< that have it, ascending
    std::vector<double> values;    ///< one for each of them
    /// Places in `values`. Their statements are of times, whatever the unit.
    std::vector<ChangePoint> steps;
    std::optional<Drift> drift; ///< since the last step

    /// How a value's text reads.
    [[nodiscard]] std::string text(double value) const;
    /// The values from one step to the next; part 0 is before the first.
    [[nodiscard]] std::span<const double> between_steps(std::size_t part) const;
    /// Their median, of an even number the smaller of the middle two.
    [[nodiscard]] double level(std::size_t part) const;
    /// How far the values since the last step scatter: the robust standard deviation of their logarithms;
    /// none = too few of them to tell.
    [[nodiscard]] std::optional<double> scatter() const;
};

/// A line whose scatter() is larger hides steps of its size.
inline constexpr double much_scatter = 0.1;

/// A fact that is another one in a run than in the run before it.
struct FactChange {
    std::size_t run = 0; ///< the first run with the new one
    std::string name;
    std::string before, after; ///< empty = not known, or unset
};

/// Steps of several lines at the same time, and what changed there.
struct HistoryEvent {
    std::size_t run = 0; ///< the first one behind the strongest of the steps
    struct Step {
        const HistoryLine* line = nullptr;
        const ChangePoint* step = nullptr;
    };
    std::vector<Step> steps;         ///< the largest ratio first
    std::vector<FactChange> changed; ///< up to facts_reach runs before or behind, nearest first
    std::optional<double>
        probe_ratio; ///< of the machine's probe behind and before, where it changed likewise
};

/// A step may be found this many runs away from its place.
inline constexpr std::size_t facts_reach = 3;

/// Runs that may be compared over time: on as many ranks of one machine, in one variant. Library, kernel,
/// nodes and settings may change: that is what one looks for. So may the parameter file: a suite that
/// measures the same goes on, another one begins its lines anew.
struct HistorySeries {
    std::string name; ///< machine, variant, ranks, as far as the series differ in them
    std::string machine, variant;
    int ranks = 0;
    std::vector<HistoryRun> runs;     ///< in the order of their starts
    std::vector<HistoryLine> lines;   ///< headlines, then suites in the order of the plan
    std::vector<FactChange> changes;  ///< of facts that change now and then, not with every run
    std::vector<HistoryEvent> events; ///< in the order of time; point into `lines`
};

/// What a reader must know of a history: what was left out, and what is in doubt.
enum class NoteKind {
    runs_twice,      ///< runs that stood in several files are counted once
    merged_left_out, ///< merged runs whose launches are shown
    without_start,   ///< runs whose start is unknown are left out
    wrong_start,     ///< runs of a series whose start contradicts their order, or is in the future
    runs_in_doubt,   ///< runs of a series with doubts
};

/// A note with its figures; those that do not belong to it are empty.
struct HistoryNote {
    NoteKind kind = NoteKind::runs_twice;
    std::string series = {};
    std::size_t runs = 0;
    std::size_t of_runs = 0;
    std::string last_moment = {}; ///< of the last run with what is noted
    std::string last_doubts = {};
};

struct History {
    std::vector<HistorySeries> series; ///< the one with the most runs first
    std::vector<HistoryNote> notes;
};

/// Makes a history of what is kept of runs, files in any order. Of every suite the smallest, a middle and the
/// largest argument that most of its runs have become lines; a run that comes twice is counted once. So is a
/// launch: a run merged of launches of which one is shown is left out. The runs of a file come in the order
/// in which they are added; dates order files and merged runs (run_places.hpp).
class HistoryBuilder {
public:
    /// @param now_s what began later has a wrong date; seconds since 1970
    explicit HistoryBuilder(double now_s);
    HistoryBuilder();
    ~HistoryBuilder();
    HistoryBuilder(const HistoryBuilder&) = delete;
    HistoryBuilder& operator=(const HistoryBuilder&) = delete;
    void add(RunRecord&& record);
    /// Finds the steps; call it once. No series where nothing was added.
    [[nodiscard]] History finished();

private:
    struct State;
    std::unique_ptr<State> state_;
};

} // namespace skampi
