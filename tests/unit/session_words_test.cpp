// SPDX-License-Identifier: GPL-2.0-or-later
#include "../../bench/compare/invented_session.hpp"
#include "../golden.hpp"

#include "document/sections/contest_section.hpp"
#include "model/quantity.hpp"
#include "words/contest_words.hpp"
#include "words/session_words.hpp"

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

constexpr Place everywhere{};
constexpr Place small{Place::Kind::size, 8, 512};
constexpr Place large{Place::Kind::size, 262144, 1048576};

Place from_to(std::int64_t from, std::int64_t to) {
    return {Place::Kind::range, from, to};
}

Statement found(const Place& place, double ratio, double half_width, bool equal = false) {
    Statement statement;
    statement.place = place;
    statement.reference = statement.subject = 14;
    statement.ratio = ratio;
    statement.low = ratio - half_width;
    statement.high = ratio + half_width;
    statement.verdict = equal                ? Verdict::equal
                        : statement.low > 1  ? Verdict::slower
                        : statement.high < 1 ? Verdict::faster
                                             : Verdict::open;
    if (statement.verdict == Verdict::open) {
        statement.why = Why::scatter;
        statement.needed = 55;
    }
    return statement;
}

Statement without_interval(const Place& place) {
    Statement statement;
    statement.place = place;
    statement.why = Why::few_launches;
    return statement;
}

/// A session with findings that a test sets.
struct Told {
    SessionLaunches launches;
    SessionContest session;

    explicit Told(InventedSession wanted)
        : launches(invent_session(wanted, 1)) {
        for (Subject& variant : launches.variants)
            variant.path = "session.db";
        session = judge_session(launches, {3, 7, 14, 0.1});
        for (VariantContest& variant : session.variants)
            for (SuiteContest& suite : variant.contest.suites)
                suite.statements = {found(everywhere, 1.001, 0.01, true)};
    }
    [[nodiscard]] SuiteContest& suite(std::size_t place, std::size_t variant = 0) {
        return session.variants[variant].contest.suites[place];
    }
    void add(Golden& golden, const std::string& heading) const {
        std::string text = session_answer(session) + "\n";
        const std::string next = session_next(session).line();
        text += next.empty() ? "" : "next: " + next + "\n";
        for (const std::string& warning : session_warnings(session))
            text += "warning: " + warning + "\n";
        for (const std::string& remark : session_remarks(session))
            text += "remark: " + remark + "\n";
        for (const VariantContest& variant : session.variants)
            for (const SuiteContest& suite : variant.contest.suites)
                for (const Statement& statement : suite.statements)
                    text += "cell: " + statement_text(statement) + "\n";
        golden.add(heading, text);
    }
};

void add_one_suite(Golden& golden) {
    Told told({});
    told.add(golden, "equal");
    told.suite(0).statements = {found(everywhere, 0.99, 0.02), found(small, 1.002, 0.01, true),
                                found(large, 0.9606, 0.008)};
    told.launches.session.ended_utc = "2026-03-01T10:00:00Z";
    told.add(golden, "faster for long messages");
    told.suite(0).statements.push_back(found(from_to(16384, 16384), 1.6, 0.05));
    told.add(golden, "and slower at one length");
    told.suite(0).statements = {found(everywhere, 1.01, 0.04), found(small, 0.9, 0.02),
                                found(large, 1.1, 0.2)};
    told.launches.session.end = SessionEnd::time;
    told.add(golden, "open in part, out of time");
    told.suite(0).statements = {found(everywhere, 1.01, 0.04)};
    told.launches.session.ended_utc.clear();
    told.launches.session.end = SessionEnd::not_yet;
    told.add(golden, "open, and goes on");
    told.suite(0).statements = {without_interval(everywhere)};
    told.add(golden, "too few rounds");
    told.session.look = {0, 7, 0, 1};
    told.add(golden, "no look yet");
    told.session.look = {1, 1, 1, 1};
    told.session.simulated = true;
    told.suite(0).statements = {found(everywhere, 1.05, 0.0001)};
    told.add(golden, "simulated");
}

void add_several_suites(Golden& golden) {
    InventedSession wanted;
    wanted.names = {"old", "new", "$new & \\newer_%"};
    wanted.suites = {"MPI_Bcast", "MPI_Reduce", "MPI_Scan", "MPI_Gather", "MPI_Scatter", "MPI_Alltoall"};
    Told told(wanted);
    told.add(golden, "several suites and variants, all equal");
    for (std::size_t i = 0; i < wanted.suites.size(); ++i)
        told.suite(i, 1).statements = {found(everywhere, 1.3 + 0.1 * static_cast<double>(i), 0.03)};
    told.suite(0).statements = {found(everywhere, 1.02, 0.05), found(small, 1, 0.01, true),
                                found(large, 0.8, 0.03)};
    told.suite(1).statements = {found(everywhere, 1.02, 0.05)};
    told.suite(2).statements.clear();
    told.suite(2).why = Why::other_quantity;
    told.session.variants[0].failed = 2;
    told.session.variants[1].rounds = 10;
    told.launches.session.race = true;
    told.add(golden, "several suites, a race, failures");
    told.suite(1).statements.front().why = Why::outliers;
    told.suite(1).statements.front().outliers = 6;
    told.add(golden, "rounds that contradict the others");
    told.suite(1).state = ContestState{false, 1e-6};
    told.suite(3).state = ContestState{true, 3e-6};
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

void add_bound_otherwise(Golden& golden) {
    Told told({});
    told.launches.session.ended_utc = "2026-03-01T10:00:00Z";
    told.launches.session.end = SessionEnd::time;
    told.suite(0).statements = {found(everywhere, 1.3, 0.9)};
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
    told.launches.variants[1].run->mpi_library = told.launches.variants[0].run->mpi_library;
    told.add(golden, "ranks of one library bound otherwise: that is compared");
}

void add_idle_settings(Golden& golden) {
    Told told({});
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
    variants[1].settings = {{"MPIR_CVAR_BCAST_INTRA_ALGORITHM", "binomial"}};
    told.add(golden, "a setting that chooses an algorithm");
}

void add_starts(Golden& golden) {
    Told told({});
    TurnsStarts& starts = told.launches.starts["MPI_Bcast"];
    starts = {Synchronization::window, 10, 7, {}};
    told.add(golden, "launches without windows");
    starts = {Synchronization::barrier, 10, 9, 1};
    told.add(golden, "a session that gave up windows");
}

void add_shared_cores(Golden& golden) {
    Told told({});
    told.launches.session.ended_utc = "2026-03-01T10:00:00Z";
    told.launches.round_s = 2;
    told.suite(0).statements = {found(everywhere, 1.01, 0.09)};
    told.add(golden, "open");
    told.launches.variants[1].run = run_on_shared_cores();
    told.add(golden, "ranks of one variant share cores");
    CHECK(told.session.rounds_to_decide().has_value());
    CHECK(session_next(told.session).line().find("--rounds") == std::string::npos);
    told.launches.variants[1].run->host_sizes.hardware_threads = 8;
    CHECK(session_next(told.session).line().find("bind each rank") != std::string::npos);
}

} // namespace

TEST_CASE("a variant says which of its settings the library has read") {
    Told told({});
    Run run;
    run.mpi_library = "MPICH Version: 4.0.2";
    run.facts[std::string(fact_setting_read_back) + "MPIR_CVAR_Y"] = "0";
    for (Subject& variant : told.launches.variants)
        variant.run = run;
    told.launches.session.variants[1].settings = {{"MPIR_CVAR_Y", "pairwise"}};
    const auto shown = [&] { return session_variants(told.session).back().value; };
    CHECK(shown().find("the library read") == std::string::npos);
    told.launches.variants[1].run->facts[std::string(fact_setting_read_back) + "MPIR_CVAR_Y"] = "3";
    CHECK(shown().ends_with("MPIR_CVAR_Y=pairwise; the library read MPIR_CVAR_Y"));
    told.suite(0).statements = {found(everywhere, 1.2, 0.02)};
    told.launches.variants[1].run->mpi_library = "MPICH Version: 4.1"; // its value may mean another thing
    CHECK(shown().find("the library read") == std::string::npos);
    told.launches.session.variants[1].settings["UCX_TLS"] = "tcp"; // of what the library is built on
    CHECK(shown().find("not known") == std::string::npos);         // something made a difference
    told.suite(0).statements = {found(everywhere, 1.001, 0.01, true)};
    CHECK(shown().find("whether anything read UCX_TLS is not known") != std::string::npos);
}

TEST_CASE("variants of a session with one suite stand in one table") {
    InventedSession wanted;
    wanted.names = {"old", "new", "newer"};
    const Told told(wanted);
    const std::vector<Table> tables = session_tables(told.session, 16);
    REQUIRE(tables.size() == 1);
    REQUIRE(tables[0].rows.size() == 2);
    CHECK(tables[0].rows[0].front() == "new");
    CHECK(tables[0].rows[1].front() == "newer");
}

TEST_CASE("the sentences about variants in turns are those of the golden file") {
    Golden golden("session_words");
    add_one_suite(golden);
    add_several_suites(golden);
    add_bound_otherwise(golden);
    add_idle_settings(golden);
    add_starts(golden);
    add_shared_cores(golden);
    const Told told({});
    golden.add("method", session_method(told.session));
    golden.add("command", session_again(told.session).line());
    golden.check();
}
