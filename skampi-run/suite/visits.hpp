// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "laboratory/laboratory.hpp"
#include "skalib/modes.hpp"
#include "suite/overhead_control.hpp"
#include "suite/point.hpp"
#include "suite/run_state.hpp"
#include "suite/series_plan.hpp"
#include "suite/time_budget.hpp"
#include "suite/visit_control.hpp"
#include "suite/window_control.hpp"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace skampi {

/// One suite of a run.
struct SuiteOfRun {
    const Suite& suite;           ///< arguments.end resolved
    int index = 0;                ///< in the laboratory's plan
    int ranks_there = 0;          ///< of the run
    SuiteId id = 0;               ///< in the database
    bool crashed = false;         ///< a former start of it
    bool in_turns = false;        ///< with others of its group (GroupRun)
    bool without_windows = false; ///< always started between barriers
    /// All that are measured, ascending; empty = the suite's scale chooses them.
    std::vector<std::int64_t> arguments = {};
    std::vector<std::int64_t> looked_at = {}; ///< first by the refinement (skalib::Refinement::look_at())
};

/// Measures at one argument of a suite after the other: prepares it, warms up, repeats series until
/// VisitControl has enough, measures overheads between them, and forms the value.
class Visits {
public:
    /// @param points of the suite, the one being measured among them; they and the budget must outlive this
    Visits(const SuiteOfRun& measured, Laboratory& laboratory, const Tempo& tempo, RunState& run,
           const Points& points, const TimeBudget& budget);

    struct Listener {
        /// The laboratory cannot prepare an argument; with the reason.
        std::function<void(std::int64_t, const std::string&)> on_impossible;
        std::function<void()> on_ready; ///< once, when the first argument is ready; may be empty
    };
    void listen(Listener listener) { listener_ = std::move(listener); }
    /// A former start of the suite began its batches in this way.
    void resume(Synchronization used) { windows_.resume(used); }

    struct Request {
        int pass = 0;
        double budget_s = 0;   ///< without time left it only concludes
        bool finishes = false; ///< the point, even if more values are wanted
    };
    /// The result of one visit.
    struct Outcome {
        bool concluded = false;   ///< the point's value and flags are up to date
        bool stopped = false;     ///< a stop was wanted
        std::vector<Batch> fresh; ///< made in it
        /// Time until its first values and their overhead were known, without what is done once a suite.
        double least_s = 0;
    };
    /// @throws LaboratoryError
    [[nodiscard]] Outcome measure(Point& point, const Request& request);
    /// The laboratory is used for something else now.
    void leave() { prepared_.reset(); }

    // At the end of the suite.
    /// Whether values would change now that all is known.
    [[nodiscard]] bool may_have_news() const;
    /// Settles the majority of all points; before form_anew().
    void begin_summary();
    void form_anew(Point& point);
    /// Passes the overheads found to the run.
    void finished();

private:
    /// The evaluation of a point's batches, which must not change while it is used.
    struct State {
        ChosenValues chosen;
        skalib::Summary summary; ///< of the values chosen
        RepetitionState repetition;
    };
    struct Visit {
        Point& point;
        VisitControl control;
        int pass = 0;
        bool finishes = false;
        double budget_end_s = 0;       ///< then a few values are enough
        double begin_s = 0;            ///< of the calls
        double used_before_s = 0;      ///< by former visits
        std::vector<Batch> fresh;      ///< made in it
        std::int64_t warm_up = 0;      ///< calls still to be made before the first batch
        std::optional<double> least_s; ///< time of the first value with its overhead
        State state;
    };

    // The steps of a visit.
    /// @return false: the argument cannot be prepared
    bool prepare(Point& point);
    void warm_up(Visit& visit);
    void measure_alone(Visit& visit);
    void repeat(Visit& visit);
    void leave_one(Visit& visit);
    std::size_t add_series(Visit& visit, SeriesOrder& order);
    void conclude(Visit& visit);
    [[nodiscard]] bool left_wrong(const Visit& visit);

    /// Carries out a series of a visit and learns from it how long calls take.
    std::vector<Batch> carry_out(Visit& visit, SeriesOrder& order);
    /// The series itself: its errors, its ledger.
    SeriesResult carry_out(SeriesOrder& order, int pass);
    void add_warm_up(SeriesOrder& order, const Visit& visit, std::int64_t calls) const;
    /// @return 0 = the visit ends
    [[nodiscard]] std::int64_t next_count(const Visit& visit, std::int64_t block) const;
    [[nodiscard]] std::int64_t block_of(const Point& point) const;
    [[nodiscard]] skalib::RepetitionControl repetition_of(const ChosenValues& chosen) const;
    [[nodiscard]] State state_of(const Point& point) const;

    /// Overlap: the values chosen for the operation alone, and the result; 0 = none.
    [[nodiscard]] ChosenValues alone_chosen(const Point& point) const;
    [[nodiscard]] bool alone_is_disturbed(const Point& point) const;
    [[nodiscard]] double alone_s_of(Point& point);

    /// The overhead of values of one mode whose ranks were started in one way; measured first where it is not
    /// known and there is time.
    /// @param may_repeat also where it is doubtful
    Overhead overhead_for(Point& point, int mode, Synchronization synchronization, bool may_repeat = false);
    [[nodiscard]] Overhead last_overhead_for(Point& point, const ChosenValues& chosen);
    [[nodiscard]] OverheadKey key_of(const Point& point, Synchronization synchronization) const;
    void measure_overhead(Point& point, const OverheadKey& key, Synchronization synchronization);
    void form_value(Measurement& m, const ChosenValues& chosen, const skalib::Summary& summary,
                    const Overhead& overhead) const;

    [[nodiscard]] bool must_end() const {
        return laboratory_.now() >= deadline_s_ || laboratory_.stop_wanted();
    }
    [[nodiscard]] Synchronization synchronization() const { return windows_.synchronization(); }
    [[nodiscard]] int majority_mode() const { return skampi::majority_mode(points_, split()); }
    [[nodiscard]] const skalib::ModeSplit& split() const { return probes_.split(); }
    [[nodiscard]] ModesSeen modes_seen(int mode) const { return {split(), known_, mode}; }

    const Suite& suite_;
    SuiteOfRun measured_;
    Laboratory& laboratory_;
    const Tempo& tempo_;
    RunState& run_;
    KnownModes& known_;            ///< of the run, for this pattern
    skalib::ProbeHistory& probes_; ///< of the run, for this pattern and ranks
    const Points& points_;
    const TimeBudget& budget_;
    SeriesPlan plan_;
    WindowControl windows_;
    OverheadControl overheads_;
    Listener listener_;
    std::optional<std::int64_t> prepared_; ///< argument
    bool begun_ = false;                   ///< an argument was prepared
    double deadline_s_ = 0;                ///< of the present visit, on the laboratory's time line
    CallTimes last_calls_;                 ///< at the argument visited last
    Preference majority_;                  ///< of all points, in the end
};

} // namespace skampi
