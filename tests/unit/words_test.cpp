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

/// A statement that was judged.
Statement judged(Place place, double ratio, double half_width, Verdict verdict, Why why = Why::none) {
    Statement found{.place = place, .verdict = verdict, .why = why, .ratio = ratio};
    found.low = ratio - half_width;
    found.high = ratio + half_width;
    found.reference_s = 1e-6;
    found.reference = found.subject = 8;
    return found;
}

constexpr Place whole{Place::Kind::whole, 1, 1 << 20};
constexpr Place large{Place::Kind::size, 1 << 17, 1 << 20};
constexpr Place range{Place::Kind::range, 8192, 16384};

/// Two databases with suites of which the test says what was found.
struct Two {
    Subject reference;
    Subject subject;
    Contest contest;
    explicit Two(const std::vector<std::string>& names) {
        reference.label = "old";
        subject.label = "new";
        for (const std::string& name : names)
            for (Subject* side : {&reference, &subject}) {
                side->curves.push_back(test::invented_curve(6, 1, 0, 1));
                side->curves.back().stored.suite.name = name;
            }
        contest.reference = &reference;
        contest.subject = &subject;
        for (std::size_t i = 0; i < names.size(); ++i)
            contest.suites.push_back({.reference = &reference.curves[i], .subject = &subject.curves[i]});
    }
};

void say_statements(Sentences& all) {
    all.say("reasons");
    for (int why = 1; why <= static_cast<int>(Why::scatter); ++why)
        all.line(reason_text(static_cast<Why>(why)));
    all.say("cells");
    for (const Statement& each : std::vector<Statement>{
             judged(whole, 1.3, 0.1, Verdict::slower), judged(whole, 0.8, 0.05, Verdict::faster),
             judged(whole, 2.57, 0.2, Verdict::slower), judged(whole, 1.001, 0.01, Verdict::equal),
             judged(whole, 1.01, 0.04, Verdict::open, Why::scatter),
             judged(whole, 1.2, 0.9, Verdict::open, Why::scatter),
             judged(whole, 1.3, 0.2, Verdict::open, Why::outliers),
             judged(whole, 1.1, 0.2, Verdict::open, Why::launches_in_a_row)})
        all.line(statement_text(each));
    all.line(statement_text({.place = whole, .why = Why::few_launches, .ratio = 1.3}));
}

void say_answers(Sentences& all) {
    all.say("answers");
    Two two({"MPI_Bcast", "MPI_Alltoall", "MPI_Barrier", "MPI_Scan"});
    const auto answer = [&] { all.line(contest_answer(two.contest)); };
    answer(); // nothing is compared
    for (SuiteContest& suite : two.contest.suites)
        suite.statements = {judged(whole, 1, 0.01, Verdict::equal)};
    answer();
    two.contest.suites[0].statements.push_back(judged(large, 2.36, 0.1, Verdict::slower));
    answer();
    two.contest.suites[1].statements = {judged(whole, 0.9, 0.02, Verdict::faster),
                                        judged(range, 1.5, 0.1, Verdict::slower)};
    two.contest.suites[2].statements = {judged(whole, 1.2, 0.9, Verdict::open, Why::scatter)};
    two.contest.suites[3].statements = {judged(whole, 1.02, 0.04, Verdict::open, Why::scatter)};
    answer();
    two.contest.suites[0].statements = {{.place = whole, .why = Why::few_launches, .ratio = 1.3}};
    two.contest.suites.resize(1);
    answer();
    two.contest.suites[0].statements.clear();
    two.contest.suites[0].why = Why::other_quantity;
    answer();
    all.line(contest_note(two.contest));
}

void say_doubts(Sentences& all) {
    all.say("doubts");
    Two two({"MPI_Bcast"});
    for (int kind = 0; kind <= static_cast<int>(ContestDoubtKind::times_unknown); ++kind)
        all.line(doubt_sentence(two.contest, {.kind = static_cast<ContestDoubtKind>(kind),
                                              .reference = 4,
                                              .subject = 8,
                                              .suites = 2,
                                              .points = 3,
                                              .fields = {{"root", "0", "1"}},
                                              .names = {"MPI_Bcast", "MPI_Scan"}}));
}

void say_gates(Sentences& all) {
    all.say("gates");
    Two two({"MPI_Bcast"});
    SuiteContest& suite = two.contest.suites[0];
    suite.statements = {judged(whole, 1.3, 0.1, Verdict::slower),
                        judged(large, 2.6, 0.05, Verdict::slower),
                        {.place = range, .why = Why::few_launches, .ratio = 1}};
    const Gate slower = parse_gate("significantly slower");
    const Gate limit = parse_gate("> 1.1");
    GateResult result{.gate = &slower, .contest = &two.contest, .suite = &suite};
    result.wanted = result.there = 2;
    const auto say = [&](std::size_t statement, GateOutcome outcome,
                         std::optional<std::size_t> launches = {}) {
        result.findings = {
            {.statement = &suite.statements[statement], .outcome = outcome, .launches = launches}};
        all.line(gate_message(result));
    };
    say(0, GateOutcome::failed);
    say(1, GateOutcome::failed);
    for (const std::string& each : gate_lines({result}, GateOutcome::failed))
        all.line(each);
    say(0, GateOutcome::passed);
    result.gate = &limit;
    say(0, GateOutcome::open, 12);
    say(2, GateOutcome::open, 5);
    result.findings.clear();
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
    say_statements(all);
    say_answers(all);
    say_doubts(all);
    say_gates(all);
    say_guidelines(all);
    say_history(all);
    all.check();
}
