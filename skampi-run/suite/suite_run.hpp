// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "laboratory/laboratory.hpp"
#include "skalib/refinement.hpp"
#include "store/database.hpp"
#include "suite/first_pass.hpp"
#include "suite/point.hpp"
#include "suite/run_state.hpp"
#include "suite/time_budget.hpp"
#include "suite/visits.hpp"

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace skampi {

struct SuiteOutcome {
    std::string error; ///< why it failed; empty = finished or stopped
    bool mpi_error = false;
    bool stopped = false;                           ///< ended early on request; continues at the next start
    std::map<std::int64_t, std::string> impossible; ///< arguments that could not be measured, and why
    /// Arguments at which the library refused the requested algorithm, and its error.
    std::map<std::int64_t, std::string> refused;
    /// Arguments of the first pass without time left.
    std::size_t left_out = 0;
    /// Where straight lines between the points are worst (SKaLib 3.3.2); none with fewer than two points.
    std::optional<skalib::SegmentError> worst_segment;
};

/// Callbacks while a suite is measured. Each may be empty.
struct SuiteListener {
    std::function<void(const Measurement&)> on_point = {}; ///< after every finished measurement
    /// After every visit to an argument, with it and the share of the suite that is done, 0..1: of its time
    /// or of the visits planned, whichever is more.
    std::function<void(std::int64_t, double)> on_visit = {};
    /// Once, when the first argument is ready: the laboratory's facts about the ranks that take part are
    /// known, and nothing is measured yet.
    std::function<void()> on_ready = {};
};

/// Measures one suite: the first pass over the arguments with refinement (APR), then more passes in
/// alternating direction, each measurement repeated until its error is small enough (ASEC). Every visit to an
/// argument is one commit; it continues a suite that was begun in the database. It decides the order of the
/// arguments and what is stored; Visits measures at each argument.
class SuiteRun {
public:
    SuiteRun(const SuiteOfRun& measured, Laboratory& laboratory, const Tempo& tempo, Database& database,
             RunState& run);

    SuiteOutcome measure(SuiteListener listener = {});

    // The same in steps, each a turn among others of a group (GroupRun). The suite's time runs only while it
    // is its turn. An MPI error with an algorithm that was asked for is a refusal of this argument alone.
    void begin(SuiteListener listener);
    /// The next visit of the first pass; none = it is over.
    [[nodiscard]] std::optional<FirstPass::Visit> next_of_first_pass() const;
    [[nodiscard]] bool is_open_in_first_pass(std::int64_t argument) const { return order_.is_open(argument); }
    /// It gets no value there: none is needed.
    void leave_in_first_pass(std::int64_t argument) {
        order_.leave(argument);
        refinement_.exclude(argument);
    }
    /// @param visit next_of_first_pass(), at any open argument
    void visit_first(std::int64_t argument, const FirstPass::Visit& visit);
    /// Whether there is time and need for arguments between those of the first pass.
    [[nodiscard]] bool may_be_refined() const;
    /// Where its own curve is worst; none = it is good enough.
    [[nodiscard]] std::optional<std::int64_t> next_of_refinement() const { return refinement_.next(); }
    /// It needs no more values there.
    void leave_unrefined(std::int64_t argument) { refinement_.exclude(argument); }
    [[nodiscard]] double left_for_refinement_s() const;
    void visit_refined(std::int64_t argument);
    /// Arguments that a later pass is to visit, ascending.
    [[nodiscard]] std::vector<std::int64_t> open_in_pass(int pass) const;
    [[nodiscard]] double kept_by_pass_s(int pass) const;
    /// @param arguments still to be visited in the pass, this one among them
    void visit_later(std::int64_t argument, int pass, double kept_s, std::size_t arguments);
    /// Finishes it with the values that it has: more precision is useless.
    void keep_early_passes(std::int64_t argument);
    SuiteOutcome end();
    [[nodiscard]] const Points& points() const { return points_; }
    [[nodiscard]] const Suite& suite() const { return suite_; }
    [[nodiscard]] SuiteId id() const { return measured_.id; }
    [[nodiscard]] bool ended_early() const { return outcome_.stopped || !outcome_.error.empty(); }
    [[nodiscard]] bool was_stopped() const { return outcome_.stopped; }
    /// It continues at the next start, like the stopped member of its group.
    void stop() { outcome_.stopped = true; }

private:
    void measure_all();
    void take_turn(std::int64_t argument, const std::function<void()>& visit);
    void summarise();
    void first_pass();
    void refine();
    void later_passes();
    void restore();
    void restore(const StoredMeasurement& stored, bool remembered);
    Point& point(std::int64_t argument);

    /// Without time left it only forms the value.
    /// @param finishes it finishes the point even if more values are wanted
    /// @return Visits::Outcome::least_s
    double visit(Point& point, int pass, double budget_s, bool finishes = false);
    void learn_from(const Measurement& m, bool first);
    /// Reports a finished point to the listener, once.
    void report(Point& point);

    /// At the end all probes of the run are known: every value is formed anew from the suite's majority mode.
    void summarise_all();

    /// Whether arguments may be added to those of the first pass.
    [[nodiscard]] bool refines() const {
        return skalib::is_dynamic(suite_.arguments.scale) && measured_.arguments.empty();
    }
    [[nodiscard]] double fair_share_s(double kept_s, std::size_t arguments) const {
        return budget_.fair_share_s(laboratory_.now(), kept_s, arguments);
    }

    const Suite& suite_;
    SuiteOfRun measured_;
    Laboratory& laboratory_;
    Tempo tempo_;
    Database& database_;
    RunState& run_;
    KnownModes& known_; ///< of the run, for this pattern
    SuiteListener listener_;
    Points points_;
    skalib::Refinement refinement_;
    FirstPass order_;
    TimeBudget budget_;
    Visits visits_;
    int judgement_ = 0; ///< of the cores when the suite began
    SuiteOutcome outcome_;
};

} // namespace skampi
