#include "../../bench/compare/invented_session.hpp"
#include "../golden.hpp"

#include "document/sections/turns_section.hpp"
#include "model/quantity.hpp"
#include "words/turns_tables.hpp"
#include "words/turns_words.hpp"

#include <algorithm>
#include <doctest/doctest.h>
#include <fmt/format.h>
#include <string>
#include <vector>

using namespace skampi;
using bench::invent_session;
using bench::InventedSession;

// All sentences about variants in turns, of findings with invented numbers.

namespace {

TurnsStatement found(std::optional<MessageSize> size, double ratio, double half_width, bool equal = false) {
    TurnsStatement statement;
    statement.size = size;
    statement.rounds = 14;
    statement.ratio = ratio;
    statement.low = ratio - half_width;
    statement.high = ratio + half_width;
    statement.equal = equal;
    if (statement.open())
        statement.rounds_to_decide = 55;
    return statement;
}

TurnsStatement without_interval(std::optional<MessageSize> size) {
    TurnsStatement statement;
    statement.size = size;
    statement.rounds = 3;
    statement.unjudged = Unjudged::few_launches;
    return statement;
}

/// A session with findings that a test sets.
struct Told {
    SessionLaunches launches;
    Turns turns;

    explicit Told(InventedSession wanted)
        : launches(invent_session(wanted, 1)) {
        for (Subject& variant : launches.variants)
            variant.path = "session.db";
        turns = judge_turns(launches, {3, 7, 14, 0.1});
        for (TurnsVariant& variant : turns.variants)
            for (TurnsSuite& suite : variant.suites)
                suite.statements = {found({}, 1.001, 0.01, true)};
    }
    [[nodiscard]] TurnsSuite& suite(std::size_t place, std::size_t variant = 0) {
        return turns.variants[variant].suites[place];
    }
    void add(Golden& golden, const std::string& heading) const {
        std::string text = turns_answer(turns) + "\n";
        const std::string next = turns_next_step(turns).line();
        text += next.empty() ? "" : "next: " + next + "\n";
        for (const std::string& warning : turns_warnings(turns))
            text += "warning: " + warning + "\n";
        for (const std::string& remark : turns_remarks(turns))
            text += "remark: " + remark + "\n";
        for (const TurnsVariant& variant : turns.variants)
            for (const TurnsSuite& suite : variant.suites)
                for (const TurnsStatement& statement : suite.statements)
                    text += "cell: " + turns_cell(statement) + "\n";
        golden.add(heading, text);
    }
};

void add_one_suite(Golden& golden) {
    using enum MessageSize;
    Told told({});
    told.add(golden, "equal");
    told.suite(0).statements = {found({}, 0.99, 0.02, false), found(small, 1.002, 0.01, true),
                                found(medium, 0.998, 0.01, true), found(large, 0.9606, 0.008)};
    told.launches.session.ended_utc = "2026-03-01T10:00:00Z";
    told.add(golden, "faster for long messages");
    told.suite(0).ranges = {{16384, 16384, found({}, 1.6, 0.05)}};
    told.add(golden, "and slower at one length");
    told.suite(0).statements = {found({}, 0.999, 0.01, true)};
    told.suite(0).ranges = {{4096, 16384, found({}, 1.6, 0.05)}, {1048576, 1048576, found({}, 0.8, 0.05)}};
    told.add(golden, "equal but for some lengths");
    told.suite(0).statements = {found({}, 0.9, 0.02), found(small, 1.002, 0.01, true),
                                found(large, 0.8, 0.02)};
    told.suite(0).ranges = {{524288, 524288, found({}, 1, 0.3)},
                            {1048576, 1048576, found({}, 1, 0.01, true)}};
    told.add(golden, "a class, and lengths that do not share its difference");
    told.suite(0).ranges.clear();
    told.suite(0).statements = {found({}, 1.2, 0.02), found(small, 1.1, 0.02), found(medium, 1.2, 0.02),
                                found(large, 2.5, 0.2)};
    told.add(golden, "slower everywhere");
    told.suite(0).ranges = {{64, 64, found({}, 1.9, 0.1)}, {1024, 1024, found({}, 0.7, 0.05)}};
    told.suite(0).statements = {found({}, 1.2, 0.02), found(small, 1.1, 0.02), found(large, 0.5, 0.02)};
    told.add(golden, "classes differ, and one length otherwise than its class");
    told.suite(0).ranges.clear();
    told.suite(0).statements = {found({}, 1.01, 0.004, true)};
    told.add(golden, "slower by less than the margin");
    told.suite(0).statements = {found({}, 1.01, 0.04), found(small, 0.9, 0.02), found(large, 1.1, 0.2)};
    told.launches.session.end = SessionEnd::time;
    told.add(golden, "open in part, out of time");
    told.suite(0).statements = {found({}, 1.01, 0.04)};
    told.launches.session.ended_utc.clear();
    told.launches.session.end = SessionEnd::not_yet;
    told.add(golden, "open, and goes on");
    told.suite(0).statements = {without_interval({})};
    told.add(golden, "too few rounds");
    told.turns.look = {0, 7, 0, 1};
    told.add(golden, "no look yet");
    told.turns.look = {1, 1, 1, 1};
    told.turns.simulated = true;
    told.suite(0).statements = {found({}, 1.05, 0.0001)};
    told.add(golden, "simulated");
}

void add_several_suites(Golden& golden) {
    InventedSession wanted;
    wanted.names = {"old", "new", "$new & \\newer_%"};
    wanted.suites = {"MPI_Bcast", "MPI_Reduce", "MPI_Scan", "MPI_Gather", "MPI_Scatter", "MPI_Alltoall"};
    Told told(wanted);
    told.add(golden, "several suites and variants, all equal");
    for (std::size_t i = 0; i < wanted.suites.size(); ++i)
        told.suite(i, 1).statements = {found({}, 1.3 + 0.1 * static_cast<double>(i), 0.03)};
    told.suite(0).statements = {found({}, 1.02, 0.05), found(MessageSize::small, 1, 0.01, true),
                                found(MessageSize::large, 0.8, 0.03)};
    told.suite(1).statements = {found({}, 1.02, 0.05)};
    told.suite(2).compared = false;
    told.suite(2).statements.clear();
    told.suite(3).states_apart = 4;
    told.suite(3).variant_in_slower = 3;
    told.suite(1).missing = {3, 8192, 11, 14};
    told.turns.variants[0].failed = 2;
    told.turns.variants[1].rounds = 10;
    told.launches.session.race = true;
    told.add(golden, "several suites, a race, failures");
    told.suite(3).states_apart = 1;
    told.suite(3).variant_in_slower = 0;
    told.add(golden, "one round in two states, the variant in the faster one");
    told.suite(3).states_apart = 4;
    told.suite(3).variant_in_slower = 3;
    told.suite(4).states_apart = 2;
    told.add(golden, "suites met two states in different numbers of rounds");
    told.suite(4).states_apart = 0;
    told.suite(3).states_taken_out = true;
    told.suite(4).core_speed_taken_out = true;
    told.suite(4).core_speeds_apart = 9;
    told.add(golden, "states of the machine taken out");
    told.suite(0).statements.front().outliers = 3;
    told.suite(0).statements.front().outlier_ratio = 1.5;
    told.suite(1).statements.front().outliers = 1; // one alone is nothing
    told.add(golden, "rounds far from all others");
    told.suite(1).statements.front().outliers = 6;
    told.suite(1).statements.front().outliers_slower = 6;
    told.suite(1).statements.front().outlier_ratio = 1.3;
    told.add(golden, "rounds far from all others on one side");
    told.suite(1).statements.front().contradicted = true;
    told.add(golden, "rounds that contradict the others");
    told.suite(1).statements = {found({}, 1.3, 0.1), found(MessageSize::large, 2.85, 0.1)};
    told.suite(2) = told.suite(1);
    told.suite(1).state = TurnsState{false, 1e-6};
    told.suite(2).state = TurnsState{true, 3e-6};
    told.suite(2).statements = {found({}, 1.2, 0.9), found(MessageSize::large, 10.1, 0.1)};
    told.add(golden, "another difference in each state");
}

Run run_on_shared_cores() {
    Run run;
    run.ranks = 4;
    for (int rank = 0; rank < run.ranks; ++rank) {
        RankFacts& facts = run.rank_facts.emplace_back();
        facts.rank = rank;
        facts.processor = "host_%1";
        facts.cpus_allowed = "0-1";
    }
    return run;
}

/// Lengths that differ from each other in a class that is open, or that differs as a whole.
void add_spans(Golden& golden) {
    using enum MessageSize;
    Told one({});
    one.launches.session.ended_utc = "2026-03-01T10:00:00Z";
    one.launches.round_s = 2;
    TurnsStatement by_length = found(medium, 1.02, 0.1);
    by_length.span = RatioSpan{0.6, 1};
    one.suite(0).statements = {found({}, 1.01, 0.05), found(small, 1.001, 0.01, true), by_length,
                               found(large, 1.05, 0.2)};
    one.suite(0).ranges = {{4096, 16384, found({}, 0.65, 0.1), 0, {0.6, 0.7}}};
    one.add(golden, "a class told by its lengths beside an open one");
    one.suite(0).statements[3] = found(large, 1.001, 0.01, true);
    one.suite(0).statements[0] = found({}, 1.001, 0.01, true);
    one.add(golden, "a class told by its lengths beside equal ones: nothing is open");

    InventedSession wanted;
    wanted.suites = {"MPI_Bcast", "MPI_Reduce", "MPI_Scan"};
    Told several(wanted);
    several.launches.session.ended_utc = "2026-03-01T10:00:00Z";
    several.suite(0).statements = one.suite(0).statements;
    several.suite(0).ranges = one.suite(0).ranges;
    several.suite(1).statements = {found({}, 1.01, 0.09)};
    several.add(golden, "a class told by its lengths, of several suites");
    REQUIRE(several.suite(1).points.size() > 1);
    several.suite(0).ranges.clear();
    several.suite(0).statements = several.suite(2).statements = {found({}, 1.01, 0.09)};
    several.suite(1).points[0].statement = found({}, 3, 0.5);
    several.suite(1).points[0].statement.contradicted = true;
    several.add(golden, "open in all suites, one length contradicted");
    several.suite(1).points[0].statement.contradicted = false;
    several.suite(1).points[0].statement = found({}, 1.5, 0.7);
    several.add(golden, "open in all suites, and one length may differ by much");
    several.launches.variants[1].run = run_on_shared_cores();
    several.add(golden, "the same where ranks share cores");
}

void add_three_variants(Golden& golden) {
    InventedSession wanted;
    wanted.names = {"old", "new", "newer"};
    Told told(wanted);
    told.launches.session.ended_utc = "2026-03-01T10:00:00Z";
    told.suite(0, 0).statements = {found({}, 1.01, 0.05)};
    told.suite(0, 1).statements = {found({}, 0.8, 0.02)};
    told.add(golden, "three variants, one suite");
}

void add_state_hardly_met(Golden& golden) {
    Told told({});
    told.suite(0).statements = {found({}, 0.5, 0.02)};
    told.suite(0).hardly_met = TurnsStateMet{{true, 1.4e-6}, 2, 0.4e-6};
    told.add(golden, "a state that few rounds met");
    told.suite(0).ranges = {{4096, 16384, found({}, 0.5, 0.2), 0, {0.45, 0.6}}};
    told.suite(0).statements = {found({}, 1, 0.01)};
    told.suite(0).hardly_met = TurnsStateMet{{false, 0.2e-6}, 1, 0.4e-6};
    told.add(golden, "a faster one, and lengths that differ by more and less");

    Told by_state({});
    TurnsSuite slow = by_state.suite(0);
    by_state.suite(0).state = TurnsState{false, 0.4e-6};
    by_state.suite(0).statements = {found({}, 1, 0.01)};
    by_state.suite(0).ranges = {{4096, 16384, found({}, 0.5, 0.2), 0, {0.45, 0.6}}};
    slow.state = TurnsState{true, 1.4e-6};
    slow.statements = {found({}, 1.05, 0.7)};
    for (TurnsRange& point : slow.points)
        point.statement = found({}, point.from == 4096 ? 1.2 : 1.5, 0.9);
    by_state.turns.variants[0].suites.push_back(std::move(slow));
    by_state.add(golden, "the other state looks the other way round");
}

void add_bound_otherwise(Golden& golden) {
    InventedSession wanted;
    Told told(wanted);
    told.launches.session.ended_utc = "2026-03-01T10:00:00Z";
    told.launches.session.end = SessionEnd::time;
    told.suite(0).statements = {found({}, 1.3, 0.9)};
    Run run;
    run.mpi_library = "MPICH Version: 4.0.2";
    run.launcher = "Hydra";
    run.binding = "2 cores each, shared";
    for (int rank = 0; rank < 2; ++rank) {
        RankFacts& facts = run.rank_facts.emplace_back();
        facts.rank = rank;
        facts.processor = "host";
        facts.cpus_allowed = "0-1";
    }
    run.host_sizes.hardware_threads = 8;
    told.launches.variants[0].run = run;
    run.mpi_library = "Open MPI v4.1.4";
    run.launcher = "Open MPI";
    run.binding = "1 core each";
    told.launches.variants[1].run = run;
    told.add(golden, "ranks of two libraries bound otherwise, at the time limit");
    told.suite(0).statements[0].rounds_to_decide = 30;
    told.launches.variants[1].run->mpi_library = told.launches.variants[0].run->mpi_library;
    told.add(golden, "ranks of one library bound otherwise: that is compared");
}

void add_open_classes(Golden& golden) {
    using enum MessageSize;
    Told told({});
    told.launches.session.ended_utc = "2026-03-01T10:00:00Z";
    told.launches.round_s = 4.2;
    TurnsSuite& suite = told.suite(0);
    suite.statements = {found({}, 1.12, 0.04), found(small, 1.1, 0.2), found(medium, 1.1, 0.15),
                        found(large, 1.2, 0.3)};
    suite.statements[1].rounds_to_decide = 20;
    told.add(golden, "different over all lengths, every class open");
    CHECK(turns_answer(told.turns).find("12 %") > turns_answer(told.turns).find("open"));
    suite.statements[2] = found(medium, 1.001, 0.01, true);
    told.add(golden, "different over all lengths, a class equal");
    suite.statements[0] = found({}, 1.001, 0.01, true);
    told.add(golden, "equal over all lengths, classes open");
    suite.statements = {found({}, 1.01, 0.004, true), found(small, 1.001, 0.01, true),
                        found(large, 1.001, 0.01, true)};
    told.add(golden, "slower by less than the margin over all lengths, classes equal");

    InventedSession wanted;
    wanted.suites = {"MPI_Bcast", "MPI_Reduce", "MPI_Scan"};
    Told several(wanted);
    several.launches.session.ended_utc = "2026-03-01T10:00:00Z";
    several.launches.round_s = 130;
    several.suite(0).statements = {found({}, 1.12, 0.04), found(small, 1.1, 0.2), found(large, 1.2, 0.3)};
    several.suite(1).statements = {found({}, 1.3, 0.4), found(small, 1.1, 0.05), found(large, 1.2, 0.3)};
    several.suite(1).statements[2].rounds_to_decide = 2000;
    several.add(golden, "several suites, one different over all lengths alone");
}

void add_idle_settings(Golden& golden) {
    InventedSession wanted;
    Told told(wanted);
    Run run;
    run.mpi_library = "MPICH Version: 4.0.2";
    run.facts["mpi library, short"] = "MPICH 4.0.2";
    run.facts[std::string(fact_setting_unknown) + "MPIR_CVAR_X"] = "MPIR_CVAR_X";
    run.facts[std::string(fact_setting_read_back) + "MPIR_CVAR_Y"] = "5";
    for (Subject& variant : told.launches.variants)
        variant.run = run;
    std::vector<Variant>& variants = told.launches.session.variants;
    variants[1].settings = {{"MPIR_CVAR_X", "1"}};
    told.add(golden, "a setting that the library does not know");
    variants[1].settings["MPIR_CVAR_Y"] = "5";
    told.add(golden, "settings without an effect");
    variants[1].settings["UCX_TLS"] = "sm";
    told.add(golden, "settings of which some have no effect");
    for (Subject& variant : told.launches.variants)
        variant.run->facts[std::string(fact_setting_unknown) + "UCX_RNDV_THRESHX"] = "UCX_RNDV_THRESHX";
    variants[1].settings = {{"UCX_RNDV_THRESHX", "16k"}};
    told.add(golden, "a setting that UCX did not use");
    variants[1].settings = {{"MPIR_CVAR_BCAST_INTRA_ALGORITHM", "binomial"}};
    told.add(golden, "a setting that chooses an algorithm");
}

void add_starts(Golden& golden) {
    InventedSession wanted;
    Told told(wanted);
    TurnsStarts& starts = told.launches.starts["MPI_Bcast"];
    starts = {Synchronization::window, 10, 7, {}};
    told.add(golden, "launches without windows");
    starts = {Synchronization::barrier, 10, 10, 1};
    told.launches.starts["MPI_Reduce"] = starts;
    told.add(golden, "a session that gave up windows");
    told.launches.starts.erase("MPI_Reduce");
    starts = {Synchronization::window, 10, 6, 8};
    told.add(golden, "a session that gave up windows late");
}

void add_what_bounds_answers(Golden& golden) {
    InventedSession wanted;
    wanted.suites = {"MPI_Bcast", "MPI_Reduce"};
    Told told(wanted);
    told.launches.session.ended_utc = "2026-03-01T10:00:00Z";
    told.suite(0).statements = {found({}, 1.01, 0.09)};
    told.suite(1).statements = {found({}, 1, 0.12)};
    told.suite(1).statements[0].rounds_to_decide = 1500;
    told.add(golden, "open, with a bound that tells something");
    told.suite(0).statements = {found({}, 1.3, 0.9)};
    told.add(golden, "open, with a bound that tells nothing");
    told.launches.variants[1].run = run_on_shared_cores();
    told.add(golden, "ranks of one variant share cores");
    CHECK(told.turns.rounds_to_decide().has_value());
    CHECK(turns_next_step(told.turns).line().find("--rounds") == std::string::npos);
    told.launches.variants[1].run->host_sizes.hardware_threads = 8;
    CHECK(turns_next_step(told.turns).line().find("bind each rank") != std::string::npos);
}

} // namespace

TEST_CASE("a session is repeated by a command, but not one of verification, whose plan is its own") {
    Told told({});
    CHECK(turns_command(told.turns).line().find("skampi-run compare ") != std::string::npos);
    told.launches.session.variants.back().settings[tuning_content_variable] = "0";
    CHECK(turns_command(told.turns).empty());
}

TEST_CASE("differences that a class of lengths hides stand in a table of their own, the largest first") {
    InventedSession wanted;
    wanted.suites = {"MPI_Bcast", "MPI_Reduce"};
    Told told(wanted);
    CHECK(turns_tables(told.turns, 16).size() == 1);
    told.suite(0).ranges = {{4096, 4096, found({}, 1.3, 0.05)}};
    told.suite(1).ranges = {{64, 1024, found({}, 0.5, 0.05)}, {32768, 32768, found({}, 1.1, 0.05)}};
    const std::vector<Table> tables = turns_tables(told.turns, 16);
    REQUIRE(tables.size() == 2);
    using Row = std::vector<std::string>;
    REQUIRE(tables[1].rows.size() == 5);
    CHECK(tables[1].rows[0] == Row{"MPI_Reduce", "64 B to 1 KiB (none found at 8 B and 4 KiB)",
                                   "2.00 times faster (1.82 to 2.22)", "14"});
    CHECK(tables[1].rows[1] ==
          Row{"MPI_Bcast", "4 KiB (none found at 512 B and 16 KiB)", "30 % slower (25 to 35 %)", "14"});
    CHECK(tables[1].rows[3][0] == "MPI_Bcast");
    CHECK(tables[1].rows[3][1].starts_with("the other "));
    CHECK(tables[1].rows[3][2].starts_with("none found ("));
    CHECK(tables[1].tints.size() == 3);
    const Table few = turns_tables(told.turns, 2)[1];
    CHECK(few.rows.size() == 4);
    CHECK(few.title.find("the 2 largest of 3") != std::string::npos);
}

TEST_CASE("a variant says which of its settings the library has read") {
    Told told({});
    Run run;
    run.mpi_library = "MPICH Version: 4.0.2";
    run.facts[std::string(fact_setting_read_back) + "MPIR_CVAR_Y"] = "0";
    for (Subject& variant : told.launches.variants)
        variant.run = run;
    told.launches.session.variants[1].settings = {{"MPIR_CVAR_Y", "pairwise"}};
    const auto shown = [&] { return turns_variants(told.turns).back().value; };
    CHECK(shown().find("the library read") == std::string::npos);
    told.launches.variants[1].run->facts[std::string(fact_setting_read_back) + "MPIR_CVAR_Y"] = "3";
    CHECK(shown().ends_with("MPIR_CVAR_Y=pairwise; the library read MPIR_CVAR_Y"));
    told.suite(0).statements = {found({}, 1.2, 0.02)};
    CHECK(turns_answer(told.turns).starts_with("new (MPIR_CVAR_Y=pairwise) is 20 % slower"));
    told.launches.session.variants[1].name = "pairwise"; // it tells what it changes
    CHECK(turns_answer(told.turns).starts_with("pairwise is 20 % slower"));
    told.launches.variants[1].run->mpi_library = "MPICH Version: 4.1"; // its value may mean another thing
    CHECK(shown().find("the library read") == std::string::npos);
    CHECK(shown().find("not known") == std::string::npos);
    told.launches.session.variants[1].settings["UCX_TLS"] = "tcp"; // of what the library is built on
    CHECK(shown().find("not known") == std::string::npos);         // something made a difference
    told.suite(0).statements.clear();
    CHECK(shown().find("whether anything read UCX_TLS is not known") != std::string::npos);
}

TEST_CASE("variants of a session with one suite stand in one table") {
    InventedSession wanted;
    wanted.names = {"old", "new", "newer"};
    Told told(wanted);
    told.suite(0, 0).ranges = {{4096, 4096, found({}, 1.3, 0.05)}};
    told.suite(0, 1).ranges = {{64, 64, found({}, 0.5, 0.05)}};
    const std::vector<Table> tables = turns_tables(told.turns, 16);
    REQUIRE(tables.size() == 2);
    REQUIRE(tables[0].rows.size() == 2);
    CHECK(tables[0].rows[0].front() == "new");
    CHECK(tables[0].rows[1].front() == "newer");
    CHECK(tables[0].notes.size() == 1);
    REQUIRE(tables[1].rows.size() == 4);
    CHECK(tables[1].rows[0].front() == "newer");
    CHECK(tables[1].notes.empty());
}

TEST_CASE("the times of the reference are those of the rounds that count, the others' by their ratios") {
    InventedSession wanted{.rounds = 20};
    wanted.factor = [](std::size_t variant, std::int64_t argument) {
        return variant == 1 && argument == 16384 ? 2 : 1;
    };
    const Told told(wanted);
    const Table times = times_of_variants(told.turns, 16);
    REQUIRE(times.rows.size() == 2);
    REQUIRE(times.header.size() == 5);
    CHECK(times.rows[0][1] == "old");
    CHECK(times.rows[1].front().empty());
    CHECK(times.rows[1][1] == "new");
    const TurnsSuite& suite = told.turns.variants.front().suites.front();
    const auto at = std::ranges::find(suite.points, 16384, &TurnsRange::from);
    REQUIRE(at != suite.points.end());
    CHECK(at->reference_s > 0);
    CHECK(times.rows[0][2] == "16 KiB: " + format_time(at->reference_s, 3));
    CHECK(times.rows[1][2] == "16 KiB: " + format_time(at->reference_s * at->statement.ratio, 3));
}

TEST_CASE("the sentences about variants in turns are those of the golden file") {
    Golden golden("turns_words");
    add_one_suite(golden);
    add_several_suites(golden);
    add_bound_otherwise(golden);
    add_state_hardly_met(golden);
    add_spans(golden);
    add_three_variants(golden);
    add_what_bounds_answers(golden);
    add_open_classes(golden);
    add_idle_settings(golden);
    add_starts(golden);
    const Told told({});
    golden.add("method", turns_method(told.turns));
    golden.add("command", turns_command(told.turns).line());
    golden.add("table", turns_title(told.turns, told.turns.variants[0]) + "\n" + turns_note(told.turns));
    golden.check();
}
