#include "../golden.hpp"

#include "invented_curve.hpp"
#include "words/comparison_words.hpp"
#include "words/gate_words.hpp"
#include "words/guideline_words.hpp"
#include "words/history_words.hpp"
#include "words/verdict_words.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

using namespace skampi;

// All sentences about comparisons, gates, guidelines and histories, of findings with invented numbers.

namespace {

/// Collects sentences under headings.
class Sentences {
public:
    void say(const std::string& heading) {
        finish();
        heading_ = heading;
    }
    void line(const std::string& text) { text_ += (text.empty() ? "(nothing)" : text) + "\n"; }
    void check() {
        finish();
        golden_.check();
    }

private:
    void finish() {
        if (!heading_.empty())
            golden_.add(heading_, text_);
        text_.clear();
    }

    Golden golden_{"words"};
    std::string heading_;
    std::string text_;
};

PointComparison point(std::int64_t argument, double ratio, double half_width) {
    PointComparison found;
    found.argument = argument;
    found.first_s = 1e-6;
    found.second_s = ratio * 1e-6;
    found.ratio = ratio;
    found.first_launches = found.second_launches = 8;
    found.ratio_low = ratio - half_width;
    found.ratio_high = ratio + half_width;
    return found;
}

PointComparison not_judged(std::int64_t argument, double ratio, Unjudged reason) {
    PointComparison found = point(argument, ratio, 0);
    found.ratio_low = found.ratio_high = std::nullopt;
    found.unjudged = reason;
    found.comparable = reason != Unjudged::other_quantity && reason != Unjudged::other_ranks &&
                       reason != Unjudged::started_differently;
    return found;
}

CurveComparison curves(std::vector<PointComparison> points) {
    CurveComparison found;
    found.points = std::move(points);
    found.launches = 8;
    return found;
}

PooledComparison pooled(double ratio, double half_width, std::size_t arguments = 3) {
    PooledComparison found;
    found.arguments = arguments;
    found.first_launches = 8;
    found.second_launches = 6;
    found.ratio = ratio;
    found.ratio_low = ratio - half_width;
    found.ratio_high = ratio + half_width;
    found.detectable = 1 + 1.5 * half_width;
    return found;
}

PooledComparison not_pooled(Unjudged reason) {
    PooledComparison found;
    found.unjudged = reason;
    return found;
}

/// Two databases with suites of these names.
struct Two {
    Subject reference;
    Subject other;
    DatabaseComparison comparison;

    explicit Two(const std::vector<std::string>& names) {
        reference.label = "old";
        other.label = "new";
        for (Subject* subject : {&reference, &other})
            for (const std::string& name : names) {
                subject->curves.push_back(test::invented_curve(1, 1, 0, 1));
                subject->curves.back().stored.suite.name = name;
            }
        comparison.reference = &reference;
        comparison.other = &other;
        comparison.launches = 8;
        for (std::size_t i = 0; i < names.size(); ++i) {
            DatabaseComparison::Suite& suite = comparison.suites.emplace_back();
            suite.reference = &reference.curves[i];
            suite.other = &other.curves[i];
        }
        comparison.verdict.suites = names.size();
        comparison.verdict.points = 3 * names.size();
        comparison.verdict.mean_points = comparison.verdict.points;
        comparison.verdict.mean_suites = names.size();
    }
};

void say_reasons(Sentences& all) {
    all.say("reasons");
    for (int reason = 0; reason <= static_cast<int>(Unjudged::no_scatter); ++reason)
        all.line(reason_text(static_cast<Unjudged>(reason)));
    all.line(reasons_text({{Unjudged::other_ranks, 3}, {Unjudged::few_launches, 1}}));
    all.line(fields_text({{"reported_time", "max", "root"}, {"join_order", "", "node"}}));
    all.say("changes");
    for (const double ratio : {1.052, 0.951, 2.3, 0.4})
        all.line(change_text(ratio) + ", " + detectable_text(std::max(ratio, 1 / ratio)));
}

void say_curves(Sentences& all) {
    all.say("two curves");
    const auto sentence = [&](const CurveComparison& comparison) {
        all.line(comparison_sentence(comparison, "old", "new"));
    };
    sentence(curves({}));
    sentence(curves({point(1, 1.3, 0.1), point(8, 1.2, 0.1), point(64, 1, 0.1)}));
    sentence(curves({point(1, 1, 0.1)}));
    sentence(curves({point(1, 1.3, 0.1), not_judged(8, 1.2, Unjudged::not_above_zero)}));
    CurveComparison simulated = curves({point(1, 1.3, 0.1)});
    simulated.simulated = true;
    sentence(simulated);
    CurveComparison few = curves({not_judged(1, 1.3, Unjudged::few_launches)});
    few.launches = 2;
    sentence(few);
    sentence(curves({not_judged(1, 1.3, Unjudged::shared_launches)}));
    CurveComparison other = curves({not_judged(1, 1.3, Unjudged::other_quantity)});
    other.comparability.other_quantity = {{"partner", "rank 1", "rank 2"}};
    sentence(other);
    CurveComparison states = curves({point(1, 1.3, 0.1), point(8, 4, 0.1)});
    states.points[1].probe_ratio = 4;
    states.points[0].interpolated = true;
    sentence(states);
    all.line(other_states_sentence(states));
    states.points[0].probe_ratio = 4;
    sentence(states);
    all.line(common_state_sentence(3, 1, "6 arguments", "old", "new"));
    all.line(common_state_sentence(3, 2, "6 arguments", "old", "new"));
    Curve exchange = test::invented_curve(1, 1, 0, 1);
    Curve trip = exchange;
    exchange.stored.suite.operation.meaning = Meaning::exchange;
    trip.stored.suite.operation.meaning = Meaning::round_trip;
    all.line(other_meaning_sentence(trip, "Send", exchange, "Sendrecv"));
    all.line(other_fields_sentence(other.comparability, "old", "new"));
    all.say("all arguments together");
    all.line(pooled_sentence(pooled(1.2, 0.1), "new"));
    all.line(pooled_sentence(pooled(0.5, 0.1), "new"));
    all.line(pooled_sentence(pooled(1.2, 0.1, 1), "new"));
    all.line(pooled_sentence(pooled(1, 0.02), "new"));
    PooledComparison of_simulations = pooled(1, 0.02);
    of_simulations.simulated = true;
    all.line(pooled_sentence(of_simulations, "new"));
    all.line(pooled_sentence(not_pooled(Unjudged::few_launches), "new"));
    PooledComparison in_a_row = not_pooled(Unjudged::launches_in_a_row);
    in_a_row.first_launches = in_a_row.second_launches = 5;
    in_a_row.least = 0.97;
    in_a_row.greatest = 1.08;
    all.line(pooled_sentence(in_a_row, "new"));
    PooledComparison at_equal_state = pooled(1, 0.02);
    at_equal_state.as_measured = AsMeasured{1.047, 1.02, 1.07, false, true};
    all.line(pooled_sentence(at_equal_state, "new"));
    at_equal_state.as_measured->bounded = true;
    at_equal_state.second_excluded = 1;
    all.line(pooled_sentence(at_equal_state, "new"));
}

void say_verdicts(Sentences& all) {
    all.say("verdicts");
    Two two({"MPI_Bcast", "MPI_Reduce", "MPI_Scan", "MPI_Alltoall"});
    DatabaseComparison& comparison = two.comparison;
    std::vector<DatabaseComparison::Suite>& suites = comparison.suites;
    const auto sentence = [&] { all.line(verdict(comparison)); };
    sentence();
    suites[0].curves = curves({point(1, 1.3, 0.1), point(8, 1.3, 0.1), point(64, 1.3, 0.1)});
    suites[0].whole = pooled(1.3, 0.1);
    suites[1].curves = curves({point(1, 1, 0.1), point(8, 1, 0.1), point(64, 0.5, 0.1)});
    suites[1].whole = pooled(1, 0.1);
    suites[2].curves = curves({point(1, 1, 0.1), point(8, 1, 0.1), point(64, 1, 0.1)});
    suites[2].whole = pooled(1, 0.1);
    suites[2].by_size[MessageSize::medium] = pooled(1.04, 0.01);
    suites[3].curves = curves({not_judged(1, 1, Unjudged::few_launches)});
    suites[3].whole = not_pooled(Unjudged::few_launches);
    Verdict& verdict = comparison.verdict;
    verdict.kind = VerdictKind::open;
    verdict.reasons = {{Unjudged::few_launches, 2}, {Unjudged::other_quantity, 1}};
    verdict.mean_ratio = 1.1;
    sentence();
    verdict.partly_judged = true;
    sentence();
    comparison.launches = 2;
    sentence();
    verdict.effects = {{.suite = 1, .ratio = 2.03, .sure = false, .launches = 5, .usable = 2}};
    sentence();
    verdict.effects.clear();
    comparison.launches = 8;
    verdict.mean_ratio.reset();
    sentence();
    verdict.mean_ratio = 1.01;
    verdict.kind = VerdictKind::no_difference;
    verdict.none = {0, 1, 2};
    verdict.detectable = 1.041;
    verdict.open = 1;
    verdict.reasons = {{Unjudged::few_launches, 1}};
    sentence();
    verdict.kind = VerdictKind::mixed;
    verdict.slower = {0};
    verdict.none = {1};
    suites[1].ranges = {{1, 8, pooled(1, 0.01)}, {64, 64, pooled(2.57, 0.05)}};
    verdict.effects = {
        {.suite = 1, .where = Effect::Where::range, .range = 1, .ratio = 2.57, .low = 2.4, .high = 2.8},
        {.suite = 3, .ratio = 0.45, .sure = false, .launches = 8, .usable = 4},
        {.suite = 0, .ratio = 1.043, .low = 1.021, .high = 1.064},
        {.suite = 2, .where = Effect::Where::size, .size = MessageSize::medium, .ratio = 1.04}};
    sentence();
    verdict.effects.push_back(
        {.suite = 0, .where = Effect::Where::points, .from = 1, .to = 8, .ratio = 0.98});
    verdict.effects.push_back({.suite = 0, .ratio = 1.02});
    verdict.effects.push_back({.suite = 0, .ratio = 0.45, .low = 0.4, .high = 0.48});
    sentence();
    verdict.effects = {verdict.effects.back()};
    suites[2].whole.as_measured = AsMeasured{1.047, 1.02, 1.07, false, true};
    verdict.explained = {2};
    sentence();
    suites[2].whole.as_measured->bounded = true;
    sentence();
    all.say("the table that decides");
    all.line(winners_title(comparison));
    all.line(winners_note(comparison));
    verdict.effects = {
        {.suite = 0, .ratio = 1.3},
        {.suite = 1, .where = Effect::Where::points, .from = 64, .to = 64, .ratio = 0.5},
        {.suite = 2, .where = Effect::Where::size, .size = MessageSize::medium, .ratio = 1.04}};
    for (const DatabaseComparison::Suite& suite : suites)
        all.line(fmt::format("{} | {}", whole_text(comparison, suite), winner_text(comparison, suite, true)));
    all.say("method");
    all.line(judging_method(two.reference, false));
    all.line(judging_method(two.reference, true));
}

void say_doubts(Sentences& all) {
    all.say("said before a verdict");
    Two two({"MPI_Bcast", "MPI_Reduce"});
    DatabaseComparison& comparison = two.comparison;
    all.line(other_ranks(comparison));
    comparison.ranks = {.reference = 4, .other = 16, .suites = {}, .of_suites = 2};
    all.line(other_ranks(comparison));
    comparison.ranks.suites = {0};
    all.line(other_ranks(comparison));
    comparison.ranks.other = 4;
    all.line(other_ranks(comparison));
    for (const SharedLaunches& shared :
         {SharedLaunches{8, 8, 8}, SharedLaunches{1, 1, 1}, SharedLaunches{6, 8, 6}, SharedLaunches{6, 6, 8},
          SharedLaunches{1, 8, 6}}) {
        comparison.launches_of_both = shared;
        all.line(launches_in_common(comparison));
    }
    comparison.states.points = 6;
    comparison.states.in_common_mode = 2;
    comparison.states.common_states = 1;
    all.line(other_state(comparison));
    comparison.states.by_one_rule = 3;
    all.line(other_state(comparison));
    comparison.states.by_one_rule = 0;
    comparison.states.in_common_mode = 0;
    comparison.states.other_slower = 6;
    comparison.states.other_slower_ratio = 4;
    all.line(other_state(comparison));
    comparison.states.other_slower = 3;
    comparison.states.reference_slower = 1;
    comparison.states.reference_slower_ratio = 2;
    all.line(other_state(comparison));
    comparison.states.other_software = true;
    all.line(other_state(comparison));
    comparison.states.other_machine = true;
    all.line(other_state(comparison));
    all.say("doubts");
    const std::vector<FieldDifference> fields{{"partner", "rank 1", "rank 2"}};
    for (const ComparisonDoubt& doubt : std::vector<ComparisonDoubt>{
             {.doubt = ComparisonDoubtKind::unknown_ranks, .reference = 16, .other = 0},
             {.doubt = ComparisonDoubtKind::probes_differ, .reference = 1e-6, .other = 1.1e-6},
             {.doubt = ComparisonDoubtKind::clocks_differ, .reference = 3e9, .other = 3.3e9},
             {.doubt = ComparisonDoubtKind::throughputs_differ, .reference = 3, .other = 2.3},
             {.doubt = ComparisonDoubtKind::plans_differ},
             {.doubt = ComparisonDoubtKind::only_in_reference, .suites = 1, .names = {"MPI_Scan"}},
             {.doubt = ComparisonDoubtKind::only_in_other,
             .suites = 6,
             .names = {"a", "b", "c", "d", "e", "f"}},
             {.doubt = ComparisonDoubtKind::other_quantity, .suites = 2, .fields = fields},
             {.doubt = ComparisonDoubtKind::computed_differently,
             .suites = 1,
             .fields = {{"value_kind", "cut_mean", "median"}}},
             {.doubt = ComparisonDoubtKind::unknown_fields,
             .suites = 2,
             .names = {"buffers", "reported_time"}},
             {.doubt = ComparisonDoubtKind::windows_given_up, .suites = 1, .points = 3},
             {.doubt = ComparisonDoubtKind::times_unknown, .names = {"old", "new"}},
             {.doubt = ComparisonDoubtKind::launches_in_a_row,
             .in_a_row = {{false, 6, true, 90}, {true, 8, false, 7200}}}})
        all.line(doubt_sentence(comparison, doubt));
}

void say_gates(Sentences& all) {
    all.say("gates");
    Two two({"MPI_Bcast"});
    DatabaseComparison::Suite& suite = two.comparison.suites[0];
    suite.curves = curves({point(1, 1.3, 0.1), not_judged(8, 1, Unjudged::other_quantity)});
    suite.whole = pooled(1.3, 0.1);
    const Gate slower = parse_gate("significantly slower");
    const Gate limit = parse_gate("> 1.1");
    GateResult result;
    result.gate = &slower;
    result.comparison = &two.comparison;
    result.reference = suite.reference;
    result.suite = &suite;
    result.wanted = result.there = 2;
    suite.ranges = {{1, 8, pooled(1, 0.01)}, {64, 512, pooled(2.6, 0.05)}};
    const auto say = [&](GateFinding finding) {
        result.findings = {finding};
        all.line(gate_message(result));
    };
    const auto judged_as = [&](GateOutcome outcome, const RatioRange* range = nullptr) {
        return GateFinding{
            .range = range, .pooled = range ? &range->pooled : &suite.whole, .outcome = outcome};
    };
    say(judged_as(GateOutcome::failed));
    say(judged_as(GateOutcome::failed, &suite.ranges[1]));
    for (const std::string& each : gate_lines({result}, GateOutcome::failed))
        all.line(each);
    result.gate = &limit;
    suite.whole = pooled(1.02, 0.1);
    GateFinding open = judged_as(GateOutcome::open);
    open.launches = 12;
    say(open);
    suite.whole.as_measured = AsMeasured{1.3, 1.25, 1.35, false, true};
    say(judged_as(GateOutcome::open));
    suite.whole.as_measured->bounded = true;
    say(judged_as(GateOutcome::open));
    suite.whole = pooled(1, 0.02);
    say(judged_as(GateOutcome::passed));
    suite.whole = not_pooled(Unjudged::few_launches);
    suite.curves =
        curves({not_judged(1, 1, Unjudged::few_launches), not_judged(8, 1, Unjudged::few_launches)});
    GateFinding few = judged_as(GateOutcome::open);
    few.launches = 8;
    say(few);
    suite.curves = curves({point(1, 1.3, 0.1), not_judged(8, 1, Unjudged::other_quantity)});
    suite.curves.comparability.other_quantity = {{"root", "0", "1"}};
    result.findings.clear();
    result.wanted = 3;
    all.line(gate_message(result));
    result.suite = nullptr;
    all.line(gate_message(result));
}

void say_guidelines(Sentences& all) {
    all.say("guidelines");
    for (const Guideline& guideline : std::vector<Guideline>{
             {GuidelineKind::replacement,
              "MPI_Allreduce",
              {{"MPI_Reduce_scatter", TermLength::one_part}, {"MPI_Allgather", TermLength::all}}},
             {GuidelineKind::longer_message, "MPI_Bcast", {}},
             {GuidelineKind::split, "MPI_Bcast", {}},
             {GuidelineKind::more_ranks, "MPI_Barrier", {}}})
        all.line(guideline_text(guideline));
    Violation violation;
    violation.ranks = violation.other_ranks = 4;
    violation.message_bytes = 1536;
    violation.other_bytes = 1000;
    violation.instead_s = 4e-6;
    all.line(violation_place(violation) + " | " + violation_instead(violation, GuidelineKind::split));
    violation.other_ranks = 8;
    all.line(violation_instead(violation, GuidelineKind::more_ranks));
    SelfConsistency consistency;
    consistency.guidelines.resize(3);
    consistency.places = 16;
    all.line(guidelines_sentence(consistency, 0));
    consistency.violations = 5;
    all.line(guidelines_sentence(consistency, 2));
    Subject subject;
    all.line(guideline_certainty(consistency, subject));
    for (int i = 0; i < 6; ++i)
        subject.curves.assign(1, test::invented_curve(6, 1, 0, 1));
    all.line(guideline_certainty(consistency, subject));
    subject.run.emplace();
    subject.run->facts[fact_simulation] = "a cluster";
    all.line(guideline_certainty(consistency, subject));
    all.line(guideline_terms(consistency));
    consistency.over_launches = true;
    all.line(guideline_certainty(consistency, subject));
    all.line(guideline_terms(consistency));
}

void say_history(Sentences& all) {
    all.say("history");
    for (const HistoryNote& note : std::vector<HistoryNote>{
             {.kind = NoteKind::runs_twice, .runs = 2},
             {.kind = NoteKind::merged_left_out, .runs = 4, .launches_shown_nowhere = 3},
             {.kind = NoteKind::without_start, .runs = 1},
             {.kind = NoteKind::wrong_start, .runs = 1, .of_runs = 45, .last_moment = "2099-01-01 00:00"},
             {.kind = NoteKind::runs_in_doubt,
             .series = "16 ranks",
             .runs = 1,
             .of_runs = 4,
             .last_moment = "2026-01-03 10:00",
             .last_doubts = "merged by force"},
             {.kind = NoteKind::headline_not_followed, .runs = 1, .of_runs = 4, .headline = "Peak bandwidth"},
             {.kind = NoteKind::headlines_in_doubt,
             .headlines = {{"Latency", 2, 4, "2026-01-04 10:00", "flagged not repeatable"},
                           {"MPI_Barrier", 2, 4, "2026-01-04 10:00", "flagged not repeatable"}}}})
        all.line(note_sentence(note));
    using Kind = HistoryGateFinding::Kind;
    HistoryGateFinding step{.gate = "> 1.1",
                            .line = "MPI_Bcast, 8 B",
                            .before = "1.000 µs",
                            .after = "3.000 µs",
                            .ratio = 3,
                            .since_utc = "2026-01-12T10:00:00Z"};
    all.line(gate_finding_line(step));
    HistoryEvent changed_setting;
    changed_setting.changed = {{.run = 0, .name = "Setting UCX_TLS", .before = "none", .after = "tcp,self"}};
    step.event = &changed_setting;
    all.line(gate_finding_line(step));
    HistoryGateFinding another = step;
    another.line = "MPI_Bcast, 1 MiB";
    all.line(gate_finding_line(another, &step));
    another.ratio = 0.5;
    another.gate = "< 1";
    all.line(gate_finding_line(another, &step));
    step.kind = Kind::explained;
    step.machine_ratio = 2.9;
    all.line(gate_finding_line(step));
    for (const HistoryGateFinding& finding : std::vector<HistoryGateFinding>{
             {.kind = Kind::too_few_runs, .gate = "> 1.1", .series = "8 ranks", .runs = 3},
             {.kind = Kind::too_few_values, .gate = "> 1.1", .line = "MPI_Bcast, 8 B", .runs = 3}})
        all.line(gate_finding_line(finding));
    History history;
    for (const int runs : {1, 3, 30}) {
        HistorySeries series;
        for (int day = 0; day < runs; ++day) {
            HistoryRun run;
            run.started_utc = fmt::format("2026-01-{:02}T10:00:00Z", day + 1);
            run.started_s = 86400.0 * day;
            series.runs.push_back(run);
        }
        history.series = {series};
        HistoryLine line;
        line.name = "MPI_Bcast, 8 B";
        line.changes.push_back({.at = 12, .before = 1e-6, .after = 1.2e-6, .strength = 9});
        HistoryLine other;
        other.name = "Peak bandwidth";
        other.unit = LineUnit::bandwidth;
        other.changes.push_back({.at = 12, .before = 9e9, .after = 10e9, .strength = 9});
        history.series[0].lines = {line, other};
        all.line(history_answer(history));
    }
    HistorySeries& series = history.series[0];
    HistoryEvent event;
    event.run = 12;
    event.steps = {{&series.lines[0], &series.lines[0].changes[0]}};
    series.events = {event};
    all.line(history_answer(history));
    event.steps.push_back({&series.lines[1], &series.lines[1].changes[0]});
    event.changed = {
        {12, "Kernel", "6.1", "6.2"}, {13, "Governor", "", "performance"}, {10, "CPU", "x", "y"}};
    event.probe_ratio = 1.3;
    series.events = {event};
    all.line(history_answer(history));
    series.lines[0].machine = {MachineShare{1.3, false, 0.9, 1.05, true}};
    series.lines[0].drift = Drift{12, 0.031, 0.02, 0.042};
    all.line(history_answer(history));
    series.lines[0].machine = {MachineShare{0.95, true, 1.2, 1.26, false}};
    series.lines[1].drift = Drift{12, -0.1, -0.12, -0.08};
    all.line(history_answer(history));
    series.events[0].probe_ratio = 0.8;
    all.line(what_changed(series.events[0], 1));
    History noisy = history;
    noisy.series[0].events.clear();
    for (HistoryLine& line : noisy.series[0].lines) {
        line.changes.clear();
        line.drift.reset();
        for (int run = 0; run < 24; ++run)
            line.values.push_back(run % 3 == 0 ? 1e-6 : run % 3 == 1 ? 1.4e-6 : 2e-6);
    }
    noisy.series[0].lines[1].values.assign(24, 9e9);
    all.line(history_answer(noisy));
    all.line(what_stepped(series.events[0]));
}

} // namespace

TEST_CASE("the sentences about comparisons are those of the golden file") {
    Sentences all;
    say_reasons(all);
    say_curves(all);
    say_verdicts(all);
    say_doubts(all);
    say_gates(all);
    say_guidelines(all);
    say_history(all);
    all.check();
}
