// SPDX-License-Identifier: GPL-2.0-or-later
#include "../golden.hpp"

#include "invented_curve.hpp"
#include "words/contest_words.hpp"
#include "words/guideline_words.hpp"
#include "words/history_words.hpp"

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

Statement found(double ratio, double half_width, Place place = {}) {
    Statement statement;
    statement.place = place;
    statement.ratio = ratio;
    statement.low = ratio - half_width;
    statement.high = ratio + half_width;
    statement.reference = 8;
    statement.subject = 6;
    statement.verdict = statement.low > 1    ? Verdict::slower
                        : statement.high < 1 ? Verdict::faster
                        : half_width < 0.02  ? Verdict::equal
                                             : Verdict::open;
    statement.why = statement.verdict == Verdict::open ? Why::scatter : Why::none;
    return statement;
}

Statement open_because(Why why) {
    Statement statement;
    statement.why = why;
    return statement;
}

constexpr Place above_64_kib{Place::Kind::size, 1 << 20, 1 << 22};

/// Two databases with suites of these names.
struct Two {
    Subject reference;
    Subject subject;
    Contest contest;

    explicit Two(const std::vector<std::string>& names) {
        reference.label = "old";
        subject.label = "new";
        for (Subject* side : {&reference, &subject})
            for (const std::string& name : names) {
                side->curves.push_back(test::invented_curve(1, 1, 0, 1));
                side->curves.back().stored.suite.name = name;
                side->curves.back().stored.suite.operation.name = name;
            }
        contest.reference = &reference;
        contest.subject = &subject;
        contest.launches = 8;
        for (std::size_t i = 0; i < names.size(); ++i) {
            SuiteContest& suite = contest.suites.emplace_back();
            suite.reference = &reference.curves[i];
            suite.subject = &subject.curves[i];
        }
    }
};

void say_reasons(Sentences& all) {
    all.say("reasons");
    for (int reason = 0; reason <= static_cast<int>(Why::scatter); ++reason)
        all.line(reason_text(static_cast<Why>(reason)));
    all.line(fields_text({{"reported_time", "max", "root"}, {"join_order", "", "node"}}));
    all.say("cells of the table that decides");
    for (const Statement& statement :
         {found(1.052, 0.01), found(0.951, 0.01), found(2.3, 0.1), found(0.4, 0.02), found(1, 0.01),
          found(1, 0.1), found(1.1, 0.9), open_because(Why::few_launches)})
        all.line(statement_text(statement));
}

void say_answers(Sentences& all) {
    all.say("answers");
    Two two({"MPI_Bcast", "MPI_Reduce", "MPI_Scan", "MPI_Alltoall"});
    Contest& contest = two.contest;
    const auto answer = [&] { all.line(contest_answer(contest)); };
    for (SuiteContest& suite : contest.suites)
        suite.why = Why::no_values;
    contest.launches = 0;
    answer();
    contest.launches = 6;
    contest.suites[0].statements = {found(1.3, 0.1)};
    contest.suites[1].statements = {found(1, 0.1), found(0.5, 0.1, above_64_kib)};
    contest.suites[2].statements = {found(1, 0.01)};
    contest.suites[3].statements = {open_because(Why::few_launches)};
    answer();
    contest.suites[3].statements = {found(1, 0.1)};
    answer();
    contest.suites[1].statements.push_back(found(1.4, 0.1, {Place::Kind::range, 8, 64}));
    answer();
    contest.suites.resize(1);
    answer();
    contest.suites.clear();
    contest.launches = 0;
    answer();
    all.line(contest_note(contest));
    contest.simulated = true;
    all.line(contest_note(contest));
}

void say_doubts(Sentences& all) {
    all.say("doubts");
    Two two({"MPI_Bcast", "MPI_Reduce"});
    const std::vector<FieldDifference> fields{{"partner", "rank 1", "rank 2"}};
    using Kind = ContestDoubtKind;
    for (const ContestDoubt& doubt : std::vector<ContestDoubt>{
             {.kind = Kind::shared_launches, .points = 6},
             {.kind = Kind::ranks_differ, .reference = 16, .subject = 0},
             {.kind = Kind::in_a_row, .names = {"old", "new"}},
             {.kind = Kind::states_apart, .reference = 1e-6, .subject = 4e-6},
             {.kind = Kind::state_counts, .subject = 1.3, .suites = 1, .names = {"MPI_Bcast"}},
             {.kind = Kind::plans_differ},
             {.kind = Kind::only_in_reference, .suites = 1, .names = {"MPI_Scan"}},
             {.kind = Kind::only_in_subject, .suites = 6, .names = {"a", "b", "c", "d", "e", "f"}},
             {.kind = Kind::other_quantity, .suites = 2, .fields = fields},
             {.kind = Kind::computed_differently,
             .suites = 1,
             .fields = {{"value_kind", "cut_mean", "median"}}},
             {.kind = Kind::other_start, .suites = 1, .points = 3},
             {.kind = Kind::clocks_differ, .reference = 3e9, .subject = 3.3e9},
             {.kind = Kind::throughputs_differ, .reference = 3, .subject = 2.3},
             {.kind = Kind::probes_differ, .reference = 1e-6, .subject = 1.1e-6},
             {.kind = Kind::unknown_fields, .suites = 2, .names = {"buffers", "reported_time"}},
             {.kind = Kind::times_unknown, .names = {"old", "new"}}})
        all.line(doubt_sentence(two.contest, doubt));
}

void say_gates(Sentences& all) {
    all.say("gates");
    Two two({"MPI_Bcast"});
    SuiteContest& suite = two.contest.suites[0];
    const Gate slower = parse_gate("significantly slower");
    const Gate limit = parse_gate("> 1.1");
    GateResult result;
    result.contest = &two.contest;
    result.suite = &suite;
    result.wanted = result.there = 2;
    const auto say = [&](const Gate& gate, const Statement& statement, GateOutcome outcome,
                         std::optional<std::size_t> launches = {}) {
        suite.statements = {statement};
        result.gate = &gate;
        result.findings = {{&suite.statements[0], outcome, launches}};
        all.line(gate_message(result));
    };
    say(slower, found(1.3, 0.1), GateOutcome::failed);
    say(slower, found(2.6, 0.05, above_64_kib), GateOutcome::failed);
    for (const std::string& each : gate_lines({result}, GateOutcome::failed))
        all.line(each);
    say(limit, found(1.02, 0.1), GateOutcome::open, 12);
    say(limit, found(1, 0.02), GateOutcome::passed);
    say(limit, open_because(Why::few_launches), GateOutcome::open, 8);
    result.findings.clear();
    result.wanted = 3;
    all.line(gate_message(result));
    suite.statements.clear();
    suite.why = Why::other_quantity;
    suite.comparability.other_quantity = {{"root", "0", "1"}};
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
    violation.statement.reference_s = 4e-6;
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
    all.line(guideline_certainty(subject));
    for (int i = 0; i < 6; ++i)
        subject.curves.assign(1, test::invented_curve(6, 1, 0, 1));
    all.line(guideline_certainty(subject));
    subject.run.emplace();
    subject.run->facts[fact_simulation] = "a cluster";
    all.line(guideline_certainty(subject));
    all.line(guideline_terms);
}

void say_history(Sentences& all) {
    all.say("history");
    for (const HistoryNote& note : std::vector<HistoryNote>{
             {.kind = NoteKind::runs_twice, .runs = 2},
             {.kind = NoteKind::merged_left_out, .runs = 4},
             {.kind = NoteKind::without_start, .runs = 1},
             {.kind = NoteKind::wrong_start, .runs = 1, .of_runs = 45, .last_moment = "2099-01-01 00:00"},
             {.kind = NoteKind::runs_in_doubt,
             .series = "16 ranks",
             .runs = 1,
             .of_runs = 4,
             .last_moment = "2026-01-03 10:00",
             .last_doubts = "merged by force"}})
        all.line(note_sentence(note));
    History history;
    for (const int runs : {1, 3, 30}) {
        HistorySeries series;
        for (int day = 0; day < runs; ++day)
            series.runs.push_back(
                {.started_utc = fmt::format("2026-01-{:02}T10:00:00Z", day + 1), .started_s = 86400.0 * day});
        const auto step_to = [](double before, double after, double ratio) {
            ChangePoint step{.at = 12, .strength = 9, .before = before, .after = after};
            step.statement.verdict = ratio > 1 ? Verdict::slower : Verdict::faster;
            step.statement.ratio = ratio;
            step.statement.low = 0.99 * ratio;
            step.statement.high = 1.01 * ratio;
            return step;
        };
        series.lines.resize(2);
        for (HistoryLine& line : series.lines) {
            line.values.assign(static_cast<std::size_t>(runs), 1e-6);
            for (int day = 0; day < runs; ++day)
                line.runs.push_back(static_cast<std::size_t>(day));
        }
        series.lines[0].name = "MPI_Bcast, 8 B";
        series.lines[0].steps = {step_to(1e-6, 1.2e-6, 1.2)};
        series.lines[1].name = "Peak bandwidth";
        series.lines[1].unit = LineUnit::bandwidth;
        series.lines[1].steps = {step_to(9e9, 10e9, 0.9)};
        if (runs < 12)
            for (HistoryLine& line : series.lines)
                line.steps.clear();
        history.series = {series};
        all.line(history_answer(history));
    }
    HistorySeries& series = history.series[0];
    HistoryEvent event;
    event.run = 12;
    event.steps = {{&series.lines[0], &series.lines[0].steps[0]}};
    series.events = {event};
    all.line(history_answer(history));
    event.steps.push_back({&series.lines[1], &series.lines[1].steps[0]});
    event.changed = {
        {12, "Kernel", "6.1", "6.2"}, {13, "Governor", "", "performance"}, {10, "CPU", "x", "y"}};
    event.probe_ratio = 1.3;
    series.events = {event};
    series.lines[0].drift = Drift{12, 0.031, 0.02, 0.042};
    all.line(history_answer(history));
    series.lines[1].drift = Drift{12, -0.1, -0.12, -0.08};
    all.line(history_answer(history));
    series.events[0].probe_ratio = 0.8;
    all.line(what_changed(series.events[0], 1));
    all.line(what_stepped(series.events[0]));
    using Kind = HistoryFinding::Kind;
    const HistoryFinding step{.condition = "> 1.1",
                              .series = &series,
                              .line = &series.lines[0],
                              .step = &series.lines[0].steps[0],
                              .event = &series.events[0]};
    all.line(finding_line(step));
    HistoryFinding another = step;
    another.line = &series.lines[1];
    another.step = &series.lines[1].steps[0];
    all.line(finding_line(another, &step));
    another.condition = "< 1";
    all.line(finding_line(another, &step));
    HistoryFinding few{.kind = Kind::too_few_runs,
                       .condition = "> 1.1",
                       .fails = false,
                       .series = &series,
                       .line = &series.lines[0]};
    all.line(finding_line(few));
    few.lines = 3;
    few.fails = true;
    all.line(finding_line(few));
    series.name = "8 ranks";
    all.line(finding_line(
        {.kind = Kind::too_old, .condition = "older than 26h", .series = &series, .age_s = 30 * 3600}));
    series.events.clear();
    for (HistoryLine& line : series.lines) {
        line.steps.clear();
        line.drift.reset();
    }
    for (std::size_t run = 0; run < 24; ++run)
        series.lines[0].values[run] = run % 3 == 0 ? 1e-6 : run % 3 == 1 ? 1.4e-6 : 2e-6;
    all.line(history_answer(history));
}

} // namespace

TEST_CASE("the sentences about comparisons are those of the golden file") {
    Sentences all;
    say_reasons(all);
    say_answers(all);
    say_doubts(all);
    say_gates(all);
    say_guidelines(all);
    say_history(all);
    all.check();
}
