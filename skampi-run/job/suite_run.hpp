#pragma once

#include "job/known_modes.hpp"
#include "job/laboratory.hpp"
#include "skalib/modes.hpp"
#include "store/database.hpp"

#include <compare>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace skampi {

/// The time of an empty operation in the same loop, subtracted from every value (paper 3.1).
struct Overhead {
    double value_s = 0; ///< per call
    double error_s = 0; ///< its standard error
};
struct OverheadKey {
    Pattern pattern = Pattern::simple;
    int ranks = 0;
    Synchronization synchronization = Synchronization::window;
    std::int64_t block = 1;
    auto operator<=>(const OverheadKey&) const = default;
};

/// What the operating system did to the batches of a run (totals of the disturbance ledger).
struct LedgerTotals {
    std::int64_t batches = 0;
    std::int64_t dirty = 0;   ///< a rank was interrupted or moved
    std::int64_t shared = 0;  ///< something else worked on a rank's core
    std::int64_t dropped = 0; ///< the probes on both sides disagree
    std::int64_t late = 0;    ///< single measurements whose window was missed
    std::int64_t involuntary_switches = 0;
    std::int64_t migrations = 0;
    std::int64_t steal_ticks = 0;
    void add(const Batch& batch);
};

/// What the suites of one run share: measured once, used by all.
struct RunState {
    std::map<OverheadKey, Overhead> overheads;
    std::map<std::pair<Pattern, int>, skalib::ProbeHistory> probes; ///< by pattern and ranks, all of the run
    KnownModes modes;
    KnownModes modes_alone{true};  ///< of measurements with one rank
    double first_reference_s = 0;  ///< P0 of the run's first value; 0 = none yet
    double reference_clock_hz = 0; ///< G0; 0 = the first found becomes it
    double inside_s = 0;           ///< wall time in batches and warm-up
    LedgerTotals ledger;
};

struct SuiteOutcome {
    int points = 0;
    int unsettled = 0; ///< points that are not settled: max_count or time
    std::string error; ///< why it failed; empty = finished or stopped
    bool mpi_error = false;
    bool stopped = false; ///< ended early on request; goes on at the next start
};

/// Which of a measurement's values count: those of one mode, without what was dropped, and without what was
/// disturbed - dirty, or on a core that something else worked on - as long as enough is left.
struct Choice {
    struct Mode {
        std::vector<const Batch*> batches;
        std::int64_t count = 0; ///< single measurements in them
        std::int64_t clean = 0; ///< of these, in undisturbed batches
    };
    std::vector<Mode> modes; ///< all there are
    std::size_t chosen = 0;
    bool disturbed = false;           ///< too few clean values: all of the mode count
    std::vector<const Batch*> used;   ///< batches whose values count
    std::vector<double> values_s;     ///< in the order measured
    std::vector<std::int64_t> blocks; ///< calls behind each
    std::int64_t discarded = 0;       ///< late, dropped or disturbed
};
/// Pure.
/// @param split of all probes of the run   @param known what the run knows of them   @param preferred_mode
/// the suite's majority mode; chosen when the point has min_count values of it, else the point's own majority
Choice choose(const Suite& suite, const std::vector<Batch>& batches, const skalib::ModeSplit& split,
              const KnownModes& known, int preferred_mode);

/// The value of a measurement from the values chosen: summarises, subtracts the overhead, adjusts. Pure.
/// @param summary of the values chosen   @param measurement argument, ranks, time_used_s and node_times are
/// kept, everything else is filled in
void evaluate(const Suite& suite, const Choice& choice, const skalib::Summary& summary,
              const Overhead& overhead, const RunState& run, double clock_resolution_s,
              Measurement& measurement);

/// What each rank saw of the values chosen, the overhead subtracted as from the value; empty unless they were
/// kept.
std::vector<NodeTime> node_times_of(const Suite& suite, const Choice& choice, double overhead_s);

/// Measures one suite: the first pass over the arguments with refinement (APR), then more passes in
/// alternating direction, each measurement repeated until its error is small enough (ASEC). Every visit to an
/// argument is one commit; given a database in which the suite was begun, it goes on where it was.
class SuiteRun {
public:
    /// @param suite arguments.end resolved   @param index in the laboratory's plan   @param ranks_there of
    /// the run
    SuiteRun(const Suite& suite, int index, int ranks_there, Laboratory& laboratory, const Tempo& tempo,
             Database& database, SuiteId id, RunState& run);

    /// @param on_point called after every finished measurement
    SuiteOutcome measure(const std::function<void(const Measurement&)>& on_point);

private:
    /// Where a point's repetition stands.
    struct Standing {
        skalib::StopReason reason = skalib::StopReason::none;
        std::int64_t have = 0;             ///< values that count
        std::int64_t wanted = 0;           ///< more, until settled or at a limit
        std::int64_t wanted_for_error = 0; ///< the same, were disturbed ones as good as others
    };
    /// What its batches tell; they must stay as they are while it is used.
    struct State {
        Choice choice;
        skalib::Summary summary; ///< of the values chosen
        Standing standing;
    };
    struct Point {
        MeasurementId id = 0;
        Measurement measurement;
        std::vector<Batch> batches;
        std::vector<double> batch_time_s; ///< spent in the calls of each batch
        std::vector<Batch> alone;         ///< overlap: the operation without computation
        double estimate_s = 0;            ///< per call
        double wall_s = 0; ///< of a call with what is done to the buffers before it; 0 = nothing is
        double window_s = 0;
        int late_series = 0;              ///< in a row here; the suite's other points may be in time
        int visits = 0;                   ///< passes done
        std::optional<Standing> standing; ///< after the last visit
        bool finished = false;
        bool impossible = false;
    };

    void restore();
    Point& point(std::int64_t argument);
    /// One stay at one argument. @return false when the suite must end (error, stop)
    bool visit(Point& point, int pass, double budget_s);
    [[nodiscard]] skalib::RepetitionControl repetition_of(const Choice& choice) const;
    [[nodiscard]] State state_of(const Point& point) const;
    /// Single measurements to make in this pass. @return 0 = none
    [[nodiscard]] std::int64_t wanted_in(const Standing& standing, int pass) const;
    void remember_probes(const std::vector<Batch>& batches);
    SeriesOrder plan_series(const Point& point, std::int64_t count, std::int64_t block) const;
    /// Overlap: what is chosen of the operation alone, and its value.
    [[nodiscard]] Choice alone_choice(const Point& point) const;
    [[nodiscard]] bool alone_is_disturbed(const Point& point) const;
    [[nodiscard]] double alone_s_of(const Point& point);
    void adapt_window(Point& point, const SeriesResult& result);
    Overhead overhead_for(const Point& point, std::int64_t block);
    [[nodiscard]] std::int64_t block_of(const Point& point) const;
    [[nodiscard]] double call_s(const Point& point) const;
    [[nodiscard]] double time_left_s() const;
    [[nodiscard]] int majority_mode(const skalib::ModeSplit& split) const;
    [[nodiscard]] const skalib::ModeSplit& split() const { return probes_->split(); }
    [[nodiscard]] KnownModes& known() const;
    void summarise_all();

    const Suite& suite_;
    int index_;
    int ranks_there_;
    Laboratory& laboratory_;
    Tempo tempo_;
    Database& database_;
    SuiteId id_;
    RunState& run_;
    std::function<void(const Measurement&)> on_point_;
    std::map<std::int64_t, Point> points_;
    skalib::Refinement refinement_;
    skalib::ProbeHistory* probes_ = nullptr; ///< of the run, for this pattern and ranks
    Synchronization synchronization_;
    double probe_cost_s_ = 0;
    double begin_s_ = 0;
    double used_before_s_ = 0; ///< by former starts of this suite
    int late_series_ = 0;      ///< in a row
    int judgement_ = 0;        ///< of the cores when the suite began
    SuiteOutcome outcome_;
};

} // namespace skampi
