// SPDX-License-Identifier: GPL-2.0-or-later
#include "../golden.hpp"

#include "analysis/models/curve_model.hpp"
#include "invented_subject.hpp"
#include "model/placement.hpp"
#include "model/run.hpp"
#include "words/doubt_words.hpp"
#include "words/growth_words.hpp"
#include "words/method.hpp"
#include "words/section_words.hpp"
#include "words/suite_facts.hpp"
#include "words/suite_words.hpp"
#include "words/system_facts.hpp"
#include "words/value_words.hpp"

#include <cmath>
#include <fmt/format.h>
#include <vector>

using namespace skampi;
using test::curve_called;
using test::invented_subject;

// All that a report says of one run, each sentence beside its finding.

namespace {

std::string lines(const std::vector<Fact>& facts) {
    std::string text;
    for (const Fact& fact : facts)
        text += fact.name + ": " + fact.value + "\n";
    return text;
}

std::string rows(const std::vector<LaunchRow>& launches) {
    std::string text;
    for (const LaunchRow& row : launches)
        text += fmt::format("{} | {} | {}\n", row.launches, row.used, row.reason);
    return text;
}

Subject one_suite() {
    return invented_subject({test::full_plan({}).front()});
}

void add_meanings(Golden& golden) {
    Curve curve = one_suite().curves[0];
    for (const Meaning meaning :
         {Meaning::unknown, Meaning::round_trip, Meaning::one_way, Meaning::exchange, Meaning::window,
          Meaning::one_sided, Meaning::work, Meaning::collective, Meaning::local}) {
        curve.stored.suite.operation.meaning = meaning;
        golden.add("meaning: " + meaning_noun(curve),
                   fmt::format("{} at 8 B\n{}\n{}\n{}\n", time_word(curve), meaning_sentence(curve),
                               suite_caption(curve, false), suite_caption(curve, true)));
    }
    curve.stored.suite.operation.meaning = Meaning::round_trip;
    curve.halved = true;
    golden.add("meaning, halved: " + meaning_noun(curve),
               meaning_sentence(curve) + "\n" + suite_caption(curve, true));
    Curve bcast = curve_called(invented_subject(test::full_plan({})), "MPI_Bcast");
    std::string text = meaning_sentence(bcast) + "\n";
    bcast.stored.suite.synchronization = Synchronization::barrier_before;
    text += meaning_sentence(bcast) + "\n";
    bcast.stored.suite.reported_time = ReportedTime::root;
    bcast.stored.suite.root = 1;
    text += meaning_sentence(bcast) + "\n";
    bcast.stored.suite.join = "round-robin";
    text += meaning_sentence(bcast) + "\n";
    bcast.stored.facts[fact_root_rank] = "2 | 3";
    text += meaning_sentence(bcast) + "\n";
    golden.add("what a collective time is", text);
}

void add_doubts(Golden& golden) {
    std::string text;
    for (int i = 0; i <= static_cast<int>(DoubtKind::no_interval); ++i)
        for (const std::int64_t count : {1, 3})
            text += doubt_text({static_cast<DoubtKind>(i), count, 27}) + "\n";
    text += doubt_text({DoubtKind::no_value, 27, 27}) + "\n";
    golden.add("doubts, each of one and of three", text);
    golden.add("doubts together", doubts_text({{DoubtKind::interrupted},
                                               {DoubtKind::suites_failed, 1, 3},
                                               {DoubtKind::suites_open, 2, 3},
                                               {DoubtKind::no_value, 1, 27},
                                               {DoubtKind::unreliable, 4, 27},
                                               {DoubtKind::not_repeatable, 1, 26}}));
}

void add_errors(Golden& golden) {
    std::string text;
    for (int i = 0; i <= static_cast<int>(ErrorKind::repeatability); ++i) {
        ValueError error;
        error.kind = static_cast<ErrorKind>(i);
        error.launches = 4;
        error.measured_launches = 6;
        error.confidence = 0.969;
        if (is_between_launches(error.kind)) {
            error.low = 1.2e-6;
            error.high = 1.31e-6;
        }
        error.standard_error_s = 1.2e-9;
        text += error_text(error) + "\n";
    }
    golden.add("errors of values", text);
    CurveError curve;
    curve.fewest_launches = 2;
    curve.most_launches = 22;
    curve.least_confidence = 0.938;
    curve.most_confidence = 0.969;
    curve.some_without_interval = true;
    text.clear();
    for (const ErrorKind kind :
         {ErrorKind::interval, ErrorKind::interval_in_a_row, ErrorKind::range, ErrorKind::range_of_minimum}) {
        curve.kind = kind;
        text += error_kind(curve) + "\n";
    }
    for (const ErrorKind kind :
         {ErrorKind::interval, ErrorKind::interval_in_a_row, ErrorKind::range, ErrorKind::repeatability})
        text += error_bars_text(kind) + "\n";
    golden.add("errors of curves", text);
}

void add_headlines(Golden& golden, const std::string& name, const Subject& subject) {
    std::string text;
    for (const Headline& headline : headlines(subject))
        text += fmt::format("{} | {} | {} | doubts: {}\n", headline_title(headline),
                            headline_value_at(headline), headline_error(headline), headline_doubt(headline));
    golden.add(name, text);
}

void add_headlines(Golden& golden) {
    Subject subject = invented_subject(test::full_plan({}));
    add_headlines(golden, "headlines", subject);
    std::vector<StoredMeasurement>& points = subject.curves[0].points;
    points[0].measurement.value_s = -2e-9;
    set(points[0].measurement.flags, Flag::unreliable);
    for (std::size_t i = points.size() / 2; i < points.size(); ++i)
        points[i].measurement.value_s = std::nan("");
    for (StoredMeasurement& point : points)
        set(point.measurement.flags, Flag::timed_out);
    Measurement& latency = points[1].measurement;
    latency.modes = {{.mode = 0, .value_s = latency.value_s}, {.mode = 1, .value_s = 20.82e-3}};
    for (Curve& curve : subject.curves)
        for (StoredMeasurement& point : curve.points)
            point.measurement.probe_s = curve.suite().operation.name == "MPI_Barrier"     ? 2.2e-6
                                        : curve.suite().operation.name == "MPI_Allreduce" ? 1e-10
                                                                                          : 1e-6;
    add_headlines(golden, "doubtful headlines", subject);
    Subject between_barriers = one_suite();
    for (StoredMeasurement& point : between_barriers.curves[0].points)
        set(point.measurement.flags, Flag::unsynchronised);
    add_headlines(golden, "headlines of values between barriers", between_barriers);
}

/// Everything that can be counted is doubtful.
Subject doubtful_subject() {
    Subject subject = one_suite();
    std::vector<StoredMeasurement>& points = subject.curves[0].points;
    set(points[0].measurement.flags, Flag::several_modes);
    set(points[1].measurement.flags, Flag::disturbed);
    set(points[2].measurement.flags, Flag::not_repeatable);
    set(points[3].measurement.flags, Flag::unreliable);
    points[4].measurement.value_s = std::nan("");
    set(points[4].measurement.flags, Flag::timed_out);
    set(points[6].measurement.flags, Flag::wrong_result);
    set(points[7].measurement.flags, Flag::unsynchronised);
    set(points[20].measurement.flags, Flag::scattered);
    points[8].measurement.discarded = 17;
    subject.curves[0].stored.state = SuiteState::open;
    subject.ended = false;
    subject.run->kind = "raw";
    subject.run->rank_facts.resize(2);
    subject.run->rank_facts[1].clock_bound_s = 6.8e-6;
    subject.run->facts[fact_windows_missed] = "637";
    return subject;
}

void add_answers(Golden& golden) {
    Subject nothing;
    golden.add("answer of an empty database", descriptive_answer(nothing).line());
    Subject subject = one_suite();
    golden.add("answer of one launch", descriptive_answer(subject).line());
    golden.add("trust in one launch", lines(trust_facts(subject)));
    const Subject doubtful = doubtful_subject();
    golden.add("answer of a doubtful run",
               descriptive_answer(doubtful).line() + "\n" + gravest_doubt_about({&doubtful}));
    golden.add("trust in a doubtful run", lines(trust_facts(doubtful)));
    auto& launches = subject.curves[0].launches;
    for (const char* uuid : {"a", "b", "c", "d"}) {
        launches[uuid] = launches["uuid-1"];
        for (auto& [argument, value] : launches[uuid].values)
            value *= 1.01;
    }
    subject.run->merged_runs = 5;
    golden.add("answer of five launches without their intervals", descriptive_answer(subject).line());
    Subject known = subject;
    for (StoredMeasurement& point : known.curves[0].points) {
        MergeFacts& facts = point.merge.emplace();
        facts.runs = facts.measured_runs = 5;
        facts.value_kind = "median";
        facts.interval_confidence = 0.9375;
        facts.interval_low_s = facts.minimum_s = 0.99 * point.measurement.value_s;
        facts.interval_high_s = facts.maximum_s = 1.01 * point.measurement.value_s;
    }
    golden.add("answer of five launches that settle all points", descriptive_answer(known).line());
    known.curves[0].points[3].merge->interval_high_s *= 1.3;
    known.curves[0].points[4].merge->interval_high_s *= 1.02;
    known.curves[0].points[5].merge->interval_high_s *= 1.02;
    golden.add("answer of five launches", descriptive_answer(known).line());
    golden.add("trust in five launches with intervals", lines(trust_facts(known)));
    golden.add("trust in five launches", lines(trust_facts(subject)));
    subject.run->merged_runs = 8;
    subject.merged_here = true;
    golden.add("answer where not all launches count",
               descriptive_answer(subject).line() + "\n" + rows(launch_rows(subject)));
    Subject otherwise = subject;
    otherwise.curves[0].launches["e"].other_start = true;
    otherwise.curves[0].launches["f"].without_core_s = 7e-3;
    otherwise.curves[0].launches["a"].without_core_s = 9e-3;
    otherwise.curves[0].probe_with_core_s = 1e-6;
    otherwise.curves[0].stored.merge.unfinished = 1;
    golden.add("launches left out for several reasons",
               descriptive_answer(otherwise).line() + "\n" + rows(launch_rows(otherwise)));
    launches.clear();
    for (StoredMeasurement& point : subject.curves[0].points) {
        point.merge = MergeFacts{};
        point.merge->runs = 5;
    }
    golden.add("trust in values of launches that are not in the file", lines(trust_facts(subject)));
    Subject simulated = one_suite();
    simulated.run->facts[fact_simulation] = "a cluster";
    golden.add("trust in a simulation", lines(trust_facts(simulated)));
    Subject starved = one_suite();
    starved.run->host_sizes.hardware_threads = 8;
    starved.run->rank_facts.resize(16);
    for (int rank = 0; rank < 16; ++rank) {
        RankFacts& facts = starved.run->rank_facts[static_cast<std::size_t>(rank)];
        facts = RankFacts{};
        facts.rank = rank;
        facts.cpus_allowed = "0-7";
    }
    golden.add("answer of ranks that share cores", descriptive_answer(starved).line());
    starved.run->host_sizes.hardware_threads = 32;
    starved.run->launcher = "Hydra";
    golden.add("answer of ranks that are bound to few cores", descriptive_answer(starved).line());
    starved.run->rank_facts.resize(2);
    for (int rank = 0; rank < 2; ++rank) {
        starved.run->rank_facts[static_cast<std::size_t>(rank)].cpus_allowed = std::to_string(rank);
        starved.run->rank_facts[static_cast<std::size_t>(rank)].seat.core = 0;
    }
    starved.run->ranks = 2;
    golden.add("answer of ranks that have a hardware thread each", descriptive_answer(starved).line());
    starved.run->host_sizes.cores = 16;
    golden.add("answer of ranks that are bound to hardware threads", descriptive_answer(starved).line());
    Subject disturbed = one_suite();
    for (StoredMeasurement& point : disturbed.curves[0].points)
        set(point.measurement.flags, Flag::disturbed);
    golden.add("answer of disturbed values", descriptive_answer(disturbed).line());
    Subject parts = one_suite();
    parts.other_parts = {"b.db", "c.db"};
    golden.add("answer of three parts", descriptive_answer(parts).line());
    Subject unmeasured = one_suite();
    unmeasured.curves[0].points.clear();
    unmeasured.curves[0].stored.state = SuiteState::failed;
    golden.add("answer without a point", descriptive_answer(unmeasured).line());
    unmeasured.run->facts[fact_read_from] = "result CSV";
    unmeasured.curves[0].stored.state = SuiteState::finished;
    unmeasured.ended = true;
    golden.add("answer of a file of another program without a value", descriptive_answer(unmeasured).line());
    unmeasured.run->facts.erase(fact_read_from);
    unmeasured.curves[0].stored.state = SuiteState::failed;
    unmeasured.ended = false;
    golden.add("answer of a run that goes on", descriptive_answer(unmeasured).line());
    Subject collective = invented_subject(test::full_plan({}));
    std::erase_if(collective.curves,
                  [](const Curve& curve) { return curve.suite().operation.pattern != Pattern::collective; });
    golden.add("answer of collective operations", descriptive_answer(collective).line());
    std::erase_if(collective.curves, [](const Curve& curve) {
        const std::string& name = curve.suite().operation.name;
        return name != "MPI_Reduce" && name != "MPI_Bcast" && name != "MPI_Scan";
    });
    golden.add("answer without any headline", descriptive_answer(collective).line());
}

/// Five launches that met two states of the machine: the slower one, which is shown, and one four times
/// faster.
void add_states(Golden& golden) {
    Subject subject = one_suite();
    auto& launches = subject.curves[0].launches;
    for (const char* uuid : {"a", "b", "c", "d"})
        launches[uuid] = launches["uuid-1"];
    subject.run->merged_runs = 5;
    subject.run->ranks = 2;
    subject.run->launcher = "Hydra";
    subject.run->rank_facts.resize(2);
    for (std::size_t rank = 0; rank < 2; ++rank) {
        subject.run->rank_facts[rank] = RankFacts{};
        subject.run->rank_facts[rank].rank = static_cast<int>(rank);
        subject.run->rank_facts[rank].cpus_allowed = "0-7";
    }
    const auto set_launches = [&](int fast, int shown) {
        for (StoredMeasurement& point : subject.curves[0].points) {
            Measurement& m = point.measurement;
            point.merge.emplace().measured_runs = 5;
            point.merge->runs = shown;
            m.mode = 1;
            m.modes = {{.mode = 0, .value_s = m.value_s / 4, .probe_s = 0.34e-6, .runs = fast},
                       {.mode = 1, .value_s = m.value_s, .probe_s = 1.29e-6, .runs = shown}};
        }
    };
    set_launches(1, 4);
    golden.add("answer where one launch met another state and cores are left",
               descriptive_answer(subject).line());
    for (RankFacts& rank : subject.run->rank_facts)
        rank.cpus_allowed = "0-1";
    golden.add("answer where one launch met another state and ranks take all cores",
               descriptive_answer(subject).line());
    set_launches(3, 3);
    golden.add("answer where a launch met both states", descriptive_answer(subject).line());
    golden.add("launches in two states", rows(launch_rows(subject)));
    for (StoredMeasurement& point : subject.curves[0].points)
        for (ModeValue& mode : point.measurement.modes)
            mode.probe_s = 0;
    golden.add("launches in states without a probe", rows(launch_rows(subject)));
    set_launches(2, 5);
    golden.add("answer where enough launches met the state shown", descriptive_answer(subject).line());
}

void add_suites(Golden& golden) {
    const Subject subject = invented_subject(test::full_plan({}));
    Curve reduce = curve_called(subject, "MPI_Reduce");
    golden.add("setup of a suite", what_is_measured(reduce) + "\n" + lines(suite_setup(reduce)));
    golden.add("results of a suite", lines(suite_results(reduce)));
    Curve missed = reduce;
    for (std::size_t i = 0; i < 3; ++i)
        set(missed.points[i].measurement.flags, Flag::unsynchronised);
    golden.add("setup of a suite whose ranks missed windows", lines(suite_setup(missed)));
    golden.add("coefficients", coefficient_text(1.43e-6, 4e-8, TimeUnit::automatic) + "\n" +
                                   coefficient_text(-1e-6, 2e-6, TimeUnit::automatic) + "\n" +
                                   coefficient_text(-705e-9, 290, TimeUnit::automatic));
    reduce.stored.suite.datatype = "MPI_DOUBLE";
    reduce.stored.suite.reduction = "MPI_PROD";
    reduce.stored.suite.root = 3;
    reduce.stored.suite.in_place = true;
    reduce.stored.suite.absolute = true;
    reduce.stored.suite.join = "round-robin";
    for (const Synchronization start : {Synchronization::window, Synchronization::barrier,
                                        Synchronization::dissemination, Synchronization::barrier_before}) {
        reduce.stored.suite.synchronization = start;
        golden.add("setup of another suite: " + start_text(start), lines(suite_setup(reduce)));
    }
    Curve send = curve_called(subject, "MPI_Send-MPI_Recv");
    send.stored.facts[fact_partner] = "3 | 5";
    send.stored.facts[fact_partner_place] = "crosses the network, from n1 to n2";
    std::string text = partner_text(send) + "\n";
    send.stored.suite.partner = "nearest";
    text += partner_text(send) + "\n";
    set_partner(send.stored.suite, {PartnerChoice::Rule::rank, 3});
    text += partner_text(send) + "\n" + joining_text(reduce) + "\n";
    reduce.stored.suite.join = "node";
    text += joining_text(reduce) + "\n";
    golden.add("who takes part", text);
    text.clear();
    for (const BufferPolicy policy : {BufferPolicy::warm, BufferPolicy::warm_4k, BufferPolicy::cycled,
                                      BufferPolicy::cold, BufferPolicy::rewritten})
        text += buffers_text(policy) + "\n";
    golden.add("buffers", text);
    text.clear();
    for (const skalib::ValueKind value : {skalib::ValueKind::cut_mean, skalib::ValueKind::lower,
                                          skalib::ValueKind::median, skalib::ValueKind::minimum}) {
        reduce.stored.suite.value = value;
        text += value_formed(reduce.suite()) + "\n";
    }
    golden.add("values", text);
    golden.add("results of a doubtful suite", lines(suite_results(doubtful_subject().curves[0])));
    Curve modes = one_suite().curves[0];
    set(modes.points[1].measurement.flags, Flag::several_modes);
    set(modes.points[2].measurement.flags, Flag::several_modes);
    modes.points[1].measurement.modes = {{0, 0.7, 0.15e-6, 1e-6, 70}, {1, 0.3, 0.63e-6, 3e-6, 30}};
    golden.add("modes within one launch", lines(suite_results(modes)));
    for (StoredMeasurement& point : modes.points) {
        point.merge = MergeFacts{};
        point.merge->runs = 3;
        point.merge->between_runs_error_s = 0.02 * point.measurement.value_s;
    }
    golden.add("modes of three launches", lines(suite_results(modes)));
    modes.points[0].measurement.node_times = {{0, 5e-3, 0}, {1, 1e-5, 1e-7}};
    golden.add("node times", *node_times_sentence(modes));
    modes.points[0].measurement.node_times.clear();
    for (int rank = 0; rank < 9; ++rank)
        modes.points[0].measurement.node_times.push_back(
            {rank, rank % 4 == 0 ? std::nan("") : 1e-6 * rank, 0});
    golden.add("node times of many", *node_times_sentence(modes));
    modes.stored.facts = {{"exit skew MPI_Barrier, s", "2.66e-07"}};
    golden.add("what else was recorded", *recorded_sentence(modes));
    modes.stored.facts.clear();
    CHECK_FALSE(recorded_sentence(modes));
    modes.stored.merge.reference = {377.9e-9, 3.675e9};
    modes.stored.merge.adjustment = {1, true};
    golden.add("what adjusted values refer to", *recorded_sentence(modes));
    modes.stored.merge.adjustment = {0, false};
    modes.stored.merge.launch_correlation = 0.25;
    modes.stored.merge.wrong_results = 3;
    golden.add("correlation and wrong data", *recorded_sentence(modes));
    text.clear();
    for (const JumpCause& cause : {JumpCause{}, JumpCause{CauseKind::eager_limit, "UCX_RNDV_THRESH", true},
                                   JumpCause{CauseKind::eager_limit, "MPI_Ssend-MPI_Recv", false},
                                   JumpCause{CauseKind::threshold, "MPIR_CVAR_BCAST_SHORT_MSG_SIZE", true},
                                   JumpCause{CauseKind::full_cache, "L2", false}})
        text += cause_text(cause) + "\n";
    text += confirmation_text({8192, 8193, 1e-6, 0.5, 10, 9}) + "\n" + confirmation_text({}) + "\n";
    golden.add("causes of jumps", text);
    Run merged;
    merged.differing_facts = {{"governor", 2, {"performance", "powersave"}, false, false},
                              {"job", 3, {"1", "2", "3"}, true, true}};
    text.clear();
    for (const Fact& fact : remaining_facts(merged))
        text += fact.name + ": " + fact.value + "\n";
    for (const MachineFact& each : machine_facts(merged))
        text += each.fact.name + ": " + each.fact.value + "\n";
    golden.add("facts in which runs differ", text);
    golden.add("points without a time", without_time_text({27, 1, static_cast<Flags>(Flag::not_repeatable)}));
    StoredSuite failed;
    failed.state = SuiteState::failed;
    failed.reason = "rank 3 was killed by signal 11";
    golden.add("a suite that failed", without_points_text(failed));
    failed.merge = {.launches = 5, .unfinished = 2};
    golden.add("a suite that failed in some launches", without_points_text(failed));
    failed.reason.clear();
    failed.merge.without_value = true;
    golden.add("a suite without a value", without_points_text(failed));
    failed.merge = {};
    failed.state = SuiteState::finished;
    golden.add("a suite without a point", without_points_text(failed));
    GrowthModel growth = curve_growth(curve_called(subject, "MPI_Barrier")).value();
    text = growth_sentence(growth, TimeUnit::automatic) + "\n";
    growth.errors = {ErrorSource::simulation, 0, 2};
    text += growth_sentence(growth, TimeUnit::automatic) + "\n";
    growth.errors = {ErrorSource::between_launches, 8, 2.4};
    text += growth_sentence(growth, TimeUnit::automatic) + "\n";
    growth.worst_error = 0.4;
    golden.add("growth", text + growth_sentence(growth, TimeUnit::automatic));
}

void add_sections(Golden& golden) {
    std::string text;
    text = points_left_out(1) + "\n" + points_left_out(2) + "\n" +
           family_caption({"2 ranks", "4 ranks", "8 ranks"}, true) + "\n" +
           states_caption(states_labels({3, 9}, {1, 1}), true) + "\n" +
           states_caption(states_labels({4, 4}, {1, 2}), false) + "\n" +
           single_measurements_caption(12, 27, false) + "\n" + single_measurements_caption(12, 27, true) +
           "\n";
    for (const char* const each : {over_ranks_caption, overview_caption, ranks_introduction,
                                   merged_runs_columns, no_description, no_parameter_text})
        text += std::string(each) + "\n";
    golden.add("captions and notes", text);
}

void add_method(Golden& golden, const std::string& name, const MeasuredKinds& kinds) {
    std::string text;
    for (const MethodPart& part : method_parts(kinds)) {
        text += "# " + part.title + "\n";
        for (const std::string& paragraph : part.paragraphs)
            text += paragraph + "\n";
        text += lines(part.terms);
        for (const std::string& paragraph : part.details)
            text += "(detail) " + paragraph + "\n";
    }
    golden.add(name, text);
}

void add_methods(Golden& golden) {
    MeasuredKinds kinds;
    kinds.ranks = true;
    kinds.starts = {Synchronization::window, Synchronization::barrier, Synchronization::dissemination,
                    Synchronization::barrier_before};
    kinds.merged = kinds.compared = true;
    for (const Flag flag : all_flags())
        set(kinds.flags, flag);
    add_method(golden, "method", kinds);
}

void add_machine(Golden& golden) {
    Run run = *one_suite().run;
    run.facts["cpu model"] = "Invented CPU";
    run.facts["memory pages"] = "4 KiB";
    run.facts["compiler"] = "12.2.0";
    run.started_utc = "2026-11-21T10:00:00Z";
    run.ended_utc = "2026-11-21T10:05:00Z";
    std::string text;
    for (const MachineFact& each : machine_facts(run))
        text += fmt::format("{}: {}{}\n", each.fact.name, each.fact.value, each.is_detail ? " (detail)" : "");
    text += time_of_run(run) + "\n";
    run.ended_utc.clear();
    text += time_of_run(run) + "\n" + hosts_of(run) + "\n";
    golden.add("facts of a machine", text);
}

} // namespace

TEST_CASE("what a report says of one run") {
    Golden golden("run_words");
    add_meanings(golden);
    add_doubts(golden);
    add_errors(golden);
    add_headlines(golden);
    add_answers(golden);
    add_states(golden);
    add_suites(golden);
    add_sections(golden);
    add_methods(golden);
    add_machine(golden);
    golden.check();
}
