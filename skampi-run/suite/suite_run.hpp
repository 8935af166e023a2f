#pragma once

#include "laboratory/laboratory.hpp"
#include "skalib/modes.hpp"
#include "skalib/refinement.hpp"
#include "store/database.hpp"
#include "suite/chosen_values.hpp"
#include "suite/known_modes.hpp"
#include "suite/overhead.hpp"

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace skampi {

/// What the operating system did to the batches of a run (totals of the disturbance ledger).
struct LedgerTotals {
    std::int64_t batches = 0;
    std::int64_t dirty = 0;   ///< interrupted()
    std::int64_t shared = 0;  ///< KnownModes::shared()
    std::int64_t dropped = 0; ///< the probes on both sides disagree
    std::int64_t late = 0;    ///< single measurements whose window was missed
    std::int64_t involuntary_switches = 0;
    std::int64_t migrations = 0;
    std::int64_t steal_ticks = 0;
    void add(const Batch& batch);
};

/// Between which ranks probes are exchanged: to a rank of another node they take many times as long.
struct ProbeKey {
    Pattern pattern = Pattern::simple;
    int ranks = 0;
    std::string partner = {};
    std::string join = {};
    auto operator<=>(const ProbeKey&) const = default;
};

/// What the suites of one run share: measured once, used by all.
struct RunState {
    KnownOverheads overheads;
    std::map<ProbeKey, skalib::ProbeHistory> probes; ///< all of the run
    std::set<SuiteId> remembered;                    ///< suites whose stored probes are among them
    std::set<SuiteId> elsewhere;  ///< suites that were measured on other hosts, at least in part
    double time_line_begin_s = 0; ///< of this start of the run, on the run's time line
    KnownModes modes;
    KnownModes modes_alone{true};  ///< of measurements with one rank
    double first_reference_s = 0;  ///< P0 of the run's first value; 0 = none yet
    double reference_clock_hz = 0; ///< G0; 0 = the first found becomes it
    double inside_s = 0;           ///< wall time in batches and warm-up
    LedgerTotals ledger;
};

/// For a run that goes on: the probes of all its suites, and where its time line ended. The suites measured
/// then find the machine's modes as if the run had never been interrupted. Of cores of other hosts nothing is
/// learnt: one can do more than another.
/// @param here which ranks run where now, as the suites' facts say where they were measured
void restore_run_state(const Database& database, RunId run, int ranks_there, const std::string& here,
                       RunState& state);

struct SuiteOutcome {
    std::string error; ///< why it failed; empty = finished or stopped
    bool mpi_error = false;
    bool stopped = false;                           ///< ended early on request; goes on at the next start
    std::map<std::int64_t, std::string> impossible; ///< arguments that could not be measured, and why
    /// Where straight lines between the points are worst (SKaLib 3.3.2); none with fewer than two points.
    std::optional<skalib::SegmentError> worst_segment;
};

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
    /// @param on_visit called after every stay at an argument, with it and the share of the suite that is
    /// done, 0..1: of its time or of the stays planned, whichever is more
    /// @param on_ready called once, when the first argument is ready: what the laboratory tells of the ranks
    /// that take part is known, and nothing is measured yet
    SuiteOutcome measure(const std::function<void(const Measurement&)>& on_point,
                         const std::function<void(std::int64_t, double)>& on_visit = {},
                         const std::function<void()>& on_ready = {});

private:
    /// Where a point's repetition stands.
    struct RepetitionState {
        skalib::StopReason reason = skalib::StopReason::none;
        std::int64_t have = 0;             ///< values that count
        std::int64_t expected = 0;         ///< at the end
        std::int64_t wanted = 0;           ///< more, until settled or at a limit
        std::int64_t wanted_for_error = 0; ///< the same, were disturbed ones as good as others
    };
    struct Point {
        MeasurementId id = 0;
        Measurement measurement;
        std::vector<Batch> batches;
        std::vector<double> batch_time_s; ///< spent in the calls of each batch
        std::vector<Batch> alone;         ///< overlap: the operation without computation
        double estimate_s = 0;            ///< per call
        double call_wall_s = 0;           ///< that a call took lately with all that goes with it
        double window_s = 0;
        double warm_up_span_s = 0;                 ///< as the laboratory tells it
        int late_series = 0;                       ///< in a row here; the suite's other points may be in time
        int visits = 0;                            ///< passes done
        std::optional<RepetitionState> repetition; ///< after the last visit
        bool finished = false;
        bool impossible = false;
    };
    /// What a point's batches tell; they must stay as they are while it is used.
    struct Standing {
        ChosenValues chosen;
        skalib::Summary summary; ///< of the values chosen
        RepetitionState repetition;
    };
    /// One stay at one argument.
    struct Visit {
        Point& point;
        int pass = 0;
        double budget_end_s = 0;    ///< then a few values are enough
        double begin_s = 0;         ///< of the calls
        double used_before_s = 0;   ///< by former visits
        std::vector<Batch> fresh;   ///< made in it
        std::int64_t warm_up = 0;   ///< calls still to be made before the first batch
        std::int64_t done = 0;      ///< single measurements made
        std::int64_t disturbed = 0; ///< of these
        Standing standing;
    };
    /// Series of empty calls in this suite.
    struct EmptyCalls {
        std::vector<Batch> batches;
        int series = 0;
        double agreement_s = 0; ///< of their ranks on a start; 0 = not known
        /// What these batches tell as long as there is one mode, and cores are judged as then.
        std::optional<Overhead> certain;
        int judgement = 0;
    };

    void measure_all();
    void first_pass();
    void refine();
    void later_passes();
    void restore();
    Point& point(std::int64_t argument);

    /// Without time left it only concludes.
    void visit(Point& point, int pass, double budget_s);
    // Its steps.
    /// @return false: the argument cannot be prepared
    bool prepare(Point& point);
    void warm_up(Visit& visit);
    void measure_alone(Visit& visit);
    [[nodiscard]] std::int64_t least_warm_up(const Visit& visit) const;
    void repeat(Visit& visit);
    void conclude(Visit& visit);
    void keep_node_times(Measurement& m, const ChosenValues& chosen) const;
    void learn_from(const Measurement& m, int pass);

    /// Carries out a series of a visit and learns from it how long calls take.
    std::vector<Batch> carry_out(Visit& visit, SeriesOrder& order);
    /// The series itself: its errors, its ledger.
    SeriesResult carry_out(SeriesOrder& order, int pass);
    /// @return 0 = the visit ends
    [[nodiscard]] std::int64_t next_count(const Visit& visit, std::int64_t block, double call_time_s,
                                          bool disturbed_before) const;
    [[nodiscard]] skalib::RepetitionControl repetition_of(const ChosenValues& chosen) const;
    [[nodiscard]] Standing standing_of(const Point& point) const;
    /// Single measurements to make in this pass. @return 0 = none
    [[nodiscard]] std::int64_t wanted_in(const RepetitionState& repetition, int pass) const;
    SeriesOrder plan_series(const Point& point, std::int64_t count, std::int64_t block) const;
    /// @param batch_s how long a batch takes
    [[nodiscard]] std::int64_t look_every(double batch_s) const;
    /// Overlap: what is chosen of the operation alone, and its value; 0 = it has none.
    [[nodiscard]] ChosenValues alone_chosen(const Point& point) const;
    [[nodiscard]] bool alone_is_disturbed(const Point& point) const;
    [[nodiscard]] double alone_s_of(Point& point);
    void adapt_window(Point& point, const SeriesOrder& order, const SeriesResult& result);
    /// The overhead of values of one mode whose ranks were started in one way; measured first where it is not
    /// known and there is time.
    /// @param may_repeat also where it is doubtful
    Overhead overhead_for(Point& point, std::size_t mode, Synchronization synchronization,
                          bool may_repeat = false);
    [[nodiscard]] Overhead last_overhead_for(Point& point, const ChosenValues& chosen);
    [[nodiscard]] bool longer_than_a_call(const Overhead& overhead, const Point& point,
                                          Synchronization synchronization) const;
    [[nodiscard]] std::int64_t overhead_enough() const;
    void measure_overhead(Point& point, const OverheadKey& key, Synchronization synchronization,
                          EmptyCalls& calls);
    [[nodiscard]] std::int64_t block_of(const Point& point) const;
    [[nodiscard]] double call_s(const Point& point) const;
    /// Length of batches: what the machine makes of one that is under way cannot be helped.
    [[nodiscard]] double batch_s() const;
    [[nodiscard]] double suite_time_s() const; ///< Time_Suite; infinite without
    [[nodiscard]] double time_left_s() const;
    /// Of time or repetitions. @param if_refined where a refinement follows
    [[nodiscard]] double share_of_first_pass(double if_refined) const;
    /// For the next visit, so that the last arguments of a pass are not starved: an equal part of the time.
    /// @param kept_s for later passes   @param arguments of this pass still to be visited
    [[nodiscard]] double fair_share_s(double kept_s, std::size_t arguments) const;
    [[nodiscard]] double share_done() const;
    /// On the laboratory's time line: when the visit's calls must have ended.
    [[nodiscard]] double deadline_of(const Visit& visit) const;
    [[nodiscard]] bool must_end() const {
        return laboratory_.now() >= deadline_s_ || laboratory_.stop_wanted();
    }
    [[nodiscard]] int majority_mode(const skalib::ModeSplit& split) const;
    [[nodiscard]] Synchronization majority_synchronization() const;
    [[nodiscard]] const skalib::ModeSplit& split() const { return probes_->split(); }
    [[nodiscard]] KnownModes& known() const;
    [[nodiscard]] bool has_warm_buffers() const;
    [[nodiscard]] bool in_windows(const SeriesOrder& order) const;
    void summarise_all();
    /// Of the values as they are in the end.
    [[nodiscard]] std::optional<skalib::SegmentError> worst_segment() const;

    const Suite& suite_;
    int index_;
    int ranks_there_;
    Laboratory& laboratory_;
    Tempo tempo_;
    Database& database_;
    SuiteId id_;
    RunState& run_;
    std::function<void(const Measurement&)> on_point_;
    std::function<void(std::int64_t, double)> on_visit_;
    std::function<void()> on_ready_;
    std::map<std::int64_t, Point> points_;
    skalib::Refinement refinement_;
    skalib::ProbeHistory* probes_ = nullptr; ///< of the run, for this pattern and ranks
    Synchronization synchronization_;        ///< used now
    std::map<OverheadKey, EmptyCalls> empty_calls_;
    std::optional<std::int64_t> prepared_; ///< argument
    double deadline_s_ = 0;                ///< of the present visit
    double probe_cost_s_ = 0;
    double agreement_s_ = 0; ///< what a batch's start cost last
    double begin_s_ = 0;
    double used_before_s_ = 0; ///< by former starts of this suite
    int late_series_ = 0;      ///< in a row
    int late_batches_ = 0;     ///< in a row, without a single window in time
    int judgement_ = 0;        ///< of the cores when the suite began
    SuiteOutcome outcome_;
};

} // namespace skampi
