// SPDX-License-Identifier: GPL-2.0-or-later
#include "contest/session_contest.hpp"

#include "../../bench/compare/invented_session.hpp"
#include "contest/estimate.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <doctest/doctest.h>
#include <set>
#include <string>
#include <utility>
#include <vector>

using namespace skampi;
using bench::invent_session;
using bench::InventedSession;

namespace {

/// At the last look.
SessionContest judged(const SessionLaunches& launches) {
    return judge_session(launches, looks_of(launches.session).back());
}

const std::vector<SuiteContest>& suites_of(const SessionContest& session, std::size_t variant = 0) {
    return session.variants.at(variant).contest.suites;
}

const Statement& whole(const SessionContest& session, std::size_t variant = 0, std::size_t suite = 0) {
    return *suites_of(session, variant).at(suite).whole();
}

double width(const Statement& statement) {
    return std::log(statement.high / statement.low);
}

void forget_launch(SessionLaunches& launches, std::size_t variant, int round) {
    for (Curve& curve : launches.variants[variant].curves)
        curve.launches.erase(launches.launches[variant].at(round));
    launches.launches[variant].erase(round);
}

/// Makes both launches of a round meet a state in which times and probe take so many times as long, and those
/// of the variant so many more.
void meet(SessionLaunches& launches, int round, double slower, double variant_slower) {
    for (std::size_t variant = 0; variant < 2; ++variant) {
        const std::string& uuid = launches.launches[variant].at(round);
        Curve& curve = launches.variants[variant].curves[0];
        curve.launches[uuid].probe_s *= slower;
        for (auto& [argument, value] : curve.launches.at(uuid).values)
            value *= slower * (variant == 1 ? variant_slower : 1);
    }
}

} // namespace

TEST_CASE("a variant that takes 5 % longer is found, and by how much") {
    InventedSession wanted{.rounds = 20};
    wanted.factor = [](std::size_t variant, std::int64_t) { return variant == 1 ? 1.05 : 1; };
    const SessionLaunches launches = invent_session(wanted, 1);
    const SessionContest session = judged(launches);
    CHECK(whole(session).verdict == Verdict::slower);
    CHECK(whole(session).reference == 20);
    CHECK(whole(session).low < 1.05);
    CHECK(whole(session).high > 1.05);
    CHECK(session.variants[0].slower_everywhere());
    CHECK(session.found_any());
    CHECK(session.open() == 0);
    CHECK(session.variants[0].contest.pairing == Pairing::in_turns);
    CHECK(session.variants[0].contest.launches == 20);
}

TEST_CASE(
    "variants that are alike are equal within the margin, or open with the rounds that would decide it") {
    InventedSession wanted{.of_launch = 0.005};
    const SessionLaunches alike = invent_session(wanted, 2);
    const SessionContest session = judged(alike);
    CHECK(whole(session).verdict == Verdict::equal);
    CHECK(session.open() == 0);
    CHECK_FALSE(session.found_any());
    CHECK_FALSE(session.rounds_to_decide());
    wanted.rounds = 5;
    wanted.of_launch = 0.05;
    const SessionLaunches few = invent_session(wanted, 3);
    const SessionContest open = judged(few);
    CHECK(whole(open).verdict == Verdict::open);
    REQUIRE(whole(open).needed);
    CHECK(*whole(open).needed > 20);
    CHECK(open.open() == 4); // the whole and three classes
    CHECK(open.rounds_to_decide() >= whole(open).needed);
}

TEST_CASE("a difference of long messages alone is found where it is") {
    InventedSession wanted{.of_launch = 0.005};
    wanted.factor = [](std::size_t variant, std::int64_t argument) {
        return variant == 1 && argument > 65536 ? 0.9 : 1;
    };
    const SessionLaunches launches = invent_session(wanted, 4);
    const SessionContest session = judged(launches);
    const SuiteContest& suite = suites_of(session)[0];
    CHECK(suite.of_size(MessageSize::small)->verdict == Verdict::equal);
    CHECK(suite.of_size(MessageSize::medium)->verdict == Verdict::equal);
    CHECK(suite.of_size(MessageSize::large)->verdict == Verdict::faster);
    CHECK(suite.verdict() == Verdict::faster);
    CHECK_FALSE(session.variants[0].slower_everywhere());
    CHECK(session.variants[0].found_any());
}

TEST_CASE("of variants that are alike hardly any session finds a difference, with heavy tails or drift") {
    for (const InventedSession& wanted :
         {InventedSession{.rounds = 10}, InventedSession{.rounds = 10, .heavy_tails = true},
          InventedSession{.rounds = 10, .drift = 0.1}}) {
        int wrong = 0;
        for (std::uint64_t seed = 1; seed <= 80; ++seed) {
            const SessionLaunches launches = invent_session(wanted, seed);
            const SessionContest session = judged(launches);
            wrong += std::ranges::any_of(suites_of(session)[0].statements, &Statement::different) ? 1 : 0;
        }
        CHECK(wrong <= 4);
    }
}

TEST_CASE("programs that start in mid-session fall out of pairs, and of nothing else") {
    InventedSession wanted{.rounds = 12, .busy_from = 6, .decides = false};
    const SessionLaunches launches = invent_session(wanted, 5);
    const SessionContest session = judged(launches);
    CHECK_FALSE(whole(session).different());
    CHECK(width(whole(session)) < 0.08);
    // The same launches without their rounds: whatever they say is lost in the load.
    const auto apart = [](const SessionLaunches& made) {
        return *judge_suites(made.variants[0].curves[0], made.variants[1].curves[0], Pairing::independent,
                             std::nullopt)
                    .whole();
    };
    CHECK(width(apart(launches)) > 3 * width(whole(session)));
    // One variant after the other, as two tables of one morning: a difference that there is not.
    wanted.in_turns = false;
    wanted.busy_from = 7;
    CHECK(apart(invent_session(wanted, 5)).verdict == Verdict::slower);
}

TEST_CASE("a common drift and states of whole rounds cost nothing") {
    const SessionLaunches launches =
        invent_session({.drift = 0.1, .states = InventedSession::States::of_rounds}, 6);
    const SessionContest session = judged(launches);
    CHECK(whole(session).verdict == Verdict::equal);
    CHECK(whole(session).reference + whole(session).outliers == 40);
    CHECK(suites_of(session).size() == 1);
}

TEST_CASE("of rounds whose launches met two states that is taken out which the states change") {
    // Lengths that follow the probe alike.
    const InventedSession wanted{.rounds = 20,
                                 .arguments = {8, 64, 512},
                                 .states = InventedSession::States::of_launches,
                                 .of_probe = 0.005,
                                 .decides = false};
    int narrow = 0;
    int different = 0;
    for (std::uint64_t seed = 1; seed <= 40; ++seed) {
        const SessionLaunches launches = invent_session(wanted, seed);
        const Statement all = whole(judged(launches));
        different += all.different() ? 1 : 0;
        narrow += width(all) < 0.15 ? 1 : 0;
    }
    CHECK(narrow >= 36);
    CHECK(different <= 2);
}

TEST_CASE("what the speed of the cores changes is taken out") {
    SessionLaunches launches = invent_session({.rounds = 20, .shares_cores = true, .decides = false}, 7);
    CHECK(width(whole(judged(launches))) < 0.08);
    for (Subject& variant : launches.variants)
        for (auto& [uuid, launch] : variant.curves[0].launches)
            launch.core_speed = 0; // nobody saw it
    CHECK(width(whole(judged(launches))) > 0.3);
}

TEST_CASE("what a setting does to the probe and to the cores is its own, whatever state the machine is in") {
    const InventedSession wanted{.rounds = 20,
                                 .arguments = {8, 64, 512},
                                 .states = InventedSession::States::of_launches,
                                 .decides = false};
    int missed = 0;
    for (const double slower : {1.3, 2.2, 10.0})
        for (std::uint64_t seed = 1; seed <= 10; ++seed) {
            SessionLaunches launches = invent_session(wanted, seed);
            for (auto& [uuid, launch] : launches.variants[1].curves[0].launches) {
                launch.probe_s *= slower;
                launch.core_speed /= 1.5;
                for (auto& [argument, value] : launch.values)
                    value *= slower;
            }
            const Statement all = whole(judged(launches));
            REQUIRE(all.judged());
            missed += all.low < slower && all.high > slower ? 0 : 1; // 5 % do by chance
        }
    CHECK(missed <= 4);
}

TEST_CASE("few rounds that all met two states make no difference of what chance made") {
    // Two up, four down: of the same library.
    SessionLaunches launches = invent_session({.rounds = 6, .arguments = {8, 64, 512}, .decides = false}, 3);
    for (const auto& [round, uuid] : launches.launches[0])
        for (const std::size_t place : {0U, 1U}) {
            Curve& curve = launches.variants[place].curves[0];
            const std::string& own = launches.launches[place].at(round);
            if ((round <= 2) != (place == 0))
                continue;
            curve.launches[own].probe_s *= 4;
            for (auto& [argument, value] : curve.launches[own].values)
                value *= 4;
        }
    CHECK_FALSE(whole(judged(launches)).different());
}

TEST_CASE("rounds count whose probes met two states that the times do not show") {
    int different = 0;
    int kept = 0;
    for (std::uint64_t seed = 1; seed <= 60; ++seed) {
        SessionLaunches launches = invent_session({.arguments = {4096, 8192, 16384}}, seed);
        bool slow = seed % 2 == 0; // as a machine may be that changes its state with each second launch
        for (Subject& variant : launches.variants)
            for (auto& [uuid, launch] : variant.curves[0].launches)
                launch.probe_s *= (slow = !slow) ? 3 : 1;
        const Statement all = whole(judged(launches));
        kept += all.reference + all.outliers == 40 ? 1 : 0;
        different += all.different() ? 1 : 0;
    }
    CHECK(kept >= 57);
    CHECK(different <= 3);
}

TEST_CASE("a difference that is another one in each state of the machine is told for each") {
    for (const double in_slow : {1.2, 3.0}) {
        InventedSession wanted{.rounds = 40, .of_launch = 0.02, .decides = false};
        wanted.factor = [](std::size_t variant, std::int64_t) { return variant == 1 ? 1.2 : 1; };
        SessionLaunches launches = invent_session(wanted, 12);
        for (int round = 3; round <= 40; round += 3) // two of three rounds meet the faster state
            meet(launches, round, 3, in_slow / 1.2);
        const SessionContest session = judged(launches);
        const std::vector<SuiteContest>& suites = suites_of(session);
        CAPTURE(in_slow);
        REQUIRE(suites.size() == (in_slow > 2 ? 2 : 1)); // states alone make no difference
        CHECK(suites[0].state.has_value() == (suites.size() == 2));
        if (!suites[0].state)
            continue;
        CHECK(!suites[0].state->slower);
        CHECK(suites[1].state->slower);
        CHECK(suites[1].state->probe_s == doctest::Approx(3 * suites[0].state->probe_s).epsilon(0.1));
        for (const SuiteContest& suite : suites) {
            const double truth = suite.state->slower ? in_slow : 1.2;
            for (const Statement& each : suite.statements) {
                CHECK(each.reference + each.outliers == (suite.state->slower ? 13 : 27));
                CHECK(each.low < truth);
                CHECK(each.high > truth);
                CHECK(each.verdict == Verdict::slower);
            }
            CHECK(suite.of_kind(Place::Kind::range).empty());
        }
    }
}

TEST_CASE("few rounds in a state show together what none of the lengths shows alone") {
    InventedSession wanted{.rounds = 20, .of_point = 0.25, .decides = false};
    wanted.arguments.clear();
    std::set<std::int64_t> inside;
    for (std::int64_t length = 64; length <= 1048576; length = length * 9 / 8) {
        wanted.arguments.push_back(length);
        if (length > 1024 && length <= 65536)
            inside.insert(length);
    }
    wanted.factor = [&](std::size_t variant, std::int64_t argument) {
        return variant == 1 && inside.contains(argument) ? 0.6 : 1;
    };
    for (const double in_slow : {0.6, 1.0}) {
        int apart = 0;
        for (std::uint64_t seed = 1; seed <= 5; ++seed) {
            SessionLaunches launches = invent_session(wanted, seed);
            for (int round = 3; round <= 20; round += 3) {
                meet(launches, round, 3, 1);
                for (const std::int64_t argument : inside)
                    launches.variants[1]
                        .curves[0]
                        .launches.at(launches.launches[1].at(round))
                        .values.at(argument) *= in_slow / 0.6;
            }
            apart += suites_of(judged(launches)).size() == 2 ? 1 : 0;
        }
        CAPTURE(in_slow);
        CHECK(apart == (in_slow < 1 ? 0 : 5));
    }
}

TEST_CASE("launches of rounds that met two states are paired with others that met theirs") {
    InventedSession wanted{.rounds = 30, .decides = false};
    wanted.states = InventedSession::States::of_launches;
    wanted.other_share = 0.5;
    wanted.drift = 0.05;
    wanted.factor = [](std::size_t variant, std::int64_t) { return variant == 1 ? 0.5 : 1; };
    wanted.factor_in_other = [](std::size_t, std::int64_t) { return 1.0; };
    const SessionLaunches launches = invent_session(wanted, 4);
    const auto meets_other = [&](std::size_t variant, int round) {
        const std::string& uuid = launches.launches[variant].at(round);
        return launches.variants[variant].curves[0].launches.at(uuid).probe_s > 2e-6;
    };
    std::array<std::size_t, 2> both{};  // rounds in the usual state, and in the other
    std::array<std::size_t, 2> alone{}; // in the usual state: the reference, and the variant
    for (int round = 1; round <= 30; ++round) {
        const bool other = meets_other(0, round);
        ++(other == meets_other(1, round) ? both : alone)[other ? 1 : 0];
    }
    REQUIRE(std::min(alone[0], alone[1]) > 2);
    const SessionContest session = judged(launches);
    REQUIRE(suites_of(session).size() == 2);
    for (std::size_t state = 0; state < 2; ++state) {
        const Statement& all = whole(session, 0, state);
        CHECK(all.reference + all.outliers == both[state] + std::min(alone[0], alone[1]));
        CHECK(all.ratio == doctest::Approx(state == 0 ? 0.5 : 1).epsilon(0.05));
    }
}

TEST_CASE("a difference at one length alone is told for each state, also where one was met in few rounds") {
    for (const int slow_each : {3, 10, 40}) {
        SessionLaunches launches = invent_session({.rounds = 40, .of_launch = 0.02, .decides = false}, 17);
        for (int round = 1; round <= 40; ++round) {
            const bool slow = round % slow_each == 0;
            if (slow)
                meet(launches, round, 3, 1);
            launches.variants[1].curves[0].launches.at(launches.launches[1].at(round)).values.at(4096) *=
                slow ? 1.3 : 0.5;
        }
        const SessionContest session = judged(launches);
        const std::vector<SuiteContest>& suites = suites_of(session);
        CAPTURE(slow_each);
        REQUIRE(suites.size() == (slow_each == 40 ? 1 : 2)); // one round is an outlier
        const auto ranges = suites[0].of_kind(Place::Kind::range);
        REQUIRE(ranges.size() == 1);
        CHECK(ranges[0]->place == Place{Place::Kind::range, 4096, 4096});
        CHECK(ranges[0]->verdict == Verdict::faster);
        CHECK(ranges[0]->high < 0.55);
        if (slow_each == 3)
            CHECK(suites[1].point(4096)->verdict == Verdict::slower);
    }
}

TEST_CASE("one bad round of ten is left out") {
    SessionLaunches launches = invent_session({.rounds = 10, .decides = false}, 9);
    for (auto& [argument, value] : launches.variants[1].curves[0].launches.at("1 4").values)
        value *= 3;
    const SessionContest session = judged(launches);
    CHECK(whole(session).outliers == 1);
    CHECK(whole(session).reference == 9);
    CHECK(std::fabs(std::log(whole(session).ratio)) < 0.04);
    // More rounds do not decide what far rounds contradict.
    CHECK_FALSE(session.rounds_to_decide() == std::optional<std::size_t>(0));
}

TEST_CASE("rounds that lack a launch are no pair") {
    const InventedSession wanted{.names = {"old", "new", "newer"}, .rounds = 10, .decides = false};
    SessionLaunches launches = invent_session(wanted, 10);
    forget_launch(launches, 1, 3);
    launches.failed[1].insert(3);
    forget_launch(launches, 0, 7);
    SessionContest session = judged(launches);
    CHECK(session.variants[0].rounds == 8);
    CHECK(session.variants[0].failed == 1);
    CHECK(whole(session, 0).reference + whole(session, 0).outliers == 8);
    CHECK(session.variants[1].rounds == 9);
    // Failed for good: what it measured before is kept, the others are judged.
    for (const int round : {4, 5, 6, 7, 8, 9, 10})
        forget_launch(launches, 1, round);
    session = judged(launches);
    CHECK(session.variants[0].rounds == 2);
    CHECK(whole(session, 0).why == Why::few_launches);
    CHECK(whole(session, 1).judged());
}

TEST_CASE("arguments that one launch lacks are interpolated in what is pooled, and nowhere else") {
    const InventedSession wanted{.rounds = 8, .of_launch = 0.001, .of_point = 0.0001, .decides = false};
    SessionLaunches launches = invent_session(wanted, 11);
    Curve& curve = launches.variants[1].curves[0];
    for (auto& [uuid, launch] : curve.launches) {
        launch.values.erase(64);
        launch.values.erase(1048576);
    }
    const SessionContest some = judged(launches);
    CHECK(whole(some).judged());
    CHECK(std::fabs(std::log(whole(some).ratio)) < 0.01);
    REQUIRE(suites_of(some)[0].point(64));
    CHECK_FALSE(suites_of(some)[0].point(64)->judged()); // between its neighbours may lie a jump
    CHECK(suites_of(some)[0].point(64)->interpolated);
    CHECK(suites_of(some)[0].point(1048576) == nullptr); // nor is anything extrapolated
    // A launch that was asked and has no value has none that could be interpolated.
    SessionLaunches asked = invent_session(wanted, 11);
    for (auto& [uuid, launch] : asked.variants[1].curves[0].launches)
        if (uuid < "1 6")
            for (const std::int64_t argument : {64, 512, 4096, 16384, 65536}) {
                launch.values.erase(argument);
                asked.variants[1].curves[0].launches[uuid].abstentions.insert(argument);
            }
    CHECK(whole(judged(asked)).why == Why::few_launches);
}

TEST_CASE("the errors of all statements at all looks are at most that of the session") {
    const InventedSession wanted{.names = {"a", "b", "c"}, .suites = {"MPI_Bcast", "MPI_Reduce"}};
    const SessionLaunches launches = invent_session(wanted, 13);
    double sum = 0;
    double shares = 0;
    for (const SessionLook& look : looks_of(launches.session)) {
        const SessionContest session = judge_session(launches, look);
        shares += look.share;
        for (const VariantContest& variant : session.variants) {
            CHECK(variant.contest.rule.error == 0.05); // what a reader is told: of all looks
            for (const SuiteContest& suite : variant.contest.suites)
                for (const Statement& statement : suite.statements)
                    if (statement.place.kind != Place::Kind::range && !statement.different())
                        sum += statement.error;
        }
    }
    CHECK(shares == doctest::Approx(1));
    CHECK(sum == doctest::Approx(0.05)); // of equals: where nothing differs no step of Holm is taken
}

TEST_CASE("what cannot be compared keeps no session open") {
    InventedSession wanted{.rounds = 10, .suites = {"MPI_Bcast", "MPI_Reduce", "MPI_Scan"}, .decides = false};
    wanted.factor = [](std::size_t variant, std::int64_t) { return variant == 1 ? 1.2 : 1; };
    SessionLaunches launches = invent_session(wanted, 14);
    launches.variants[1].curves[1].stored.suite.buffers = BufferPolicy::cold; // another quantity
    launches.variants[1].curves[2].launches.clear();                          // failed in every launch
    SessionContest session = judged(launches);
    CHECK(suites_of(session)[0].compared());
    CHECK(suites_of(session)[1].why == Why::other_quantity);
    CHECK(suites_of(session)[2].why == Why::no_values);
    CHECK_FALSE(suites_of(session)[2].compared());
    CHECK(session.open() == 0);
    CHECK(session.variants[0].slower_everywhere());
    // A suite of one variant alone.
    launches.variants[0].curves.pop_back();
    launches.variants[1].curves.back().stored.suite.operation.name = "MPI_Scan";
    launches.variants[1].curves.back().launches["1 1"].values[8] = 1e-6;
    session = judged(launches);
    REQUIRE(session.variants[0].contest.only_in_subject.size() == 1);
    CHECK(session.variants[0].contest.only_in_subject[0]->suite().name == "MPI_Scan");
    // Nothing at all: nobody is slower.
    launches.variants[1].curves.clear();
    session = judged(launches);
    CHECK(suites_of(session)[0].why == Why::only_in_reference);
    CHECK(session.open() == 0);
    CHECK_FALSE(session.variants[0].slower_everywhere());
}

TEST_CASE("one round says nothing of real launches, and all of simulated ones") {
    InventedSession wanted{.rounds = 1, .of_launch = 0, .of_point = 0, .decides = false};
    wanted.factor = [](std::size_t variant, std::int64_t) { return variant == 1 ? 1.003 : 1; };
    SessionLaunches launches = invent_session(wanted, 16);
    CHECK(whole(judged(launches)).why == Why::few_launches);
    CHECK(whole(judged(launches)).ratio == doctest::Approx(1.003));
    for (Subject& subject : launches.variants)
        for (Curve& curve : subject.curves)
            curve.simulated = true;
    const SessionContest session = judged(launches);
    CHECK(session.simulated);
    CHECK(whole(session).ratio == doctest::Approx(1.003).epsilon(1e-4));
    CHECK(whole(session).verdict == Verdict::slower);
    // Within a step of the clock nothing differs.
    for (Subject& subject : launches.variants)
        for (Curve& curve : subject.curves)
            curve.clock_resolution_s = 1e-7;
    CHECK_FALSE(whole(judged(launches)).different());
}

TEST_CASE("a session that goes on is seen as at its last look") {
    const InventedSession wanted;
    const SessionLaunches launches = invent_session(wanted, 18);
    const auto with_rounds = [&](int rounds) {
        SessionLaunches some = launches;
        for (auto& of_variant : some.launches)
            std::erase_if(of_variant, [&](const auto& each) { return each.first > rounds; });
        return some;
    };
    const std::vector<SessionLook> all_looks = looks_of(launches.session);
    const std::vector<int> looks = rounds_of_looks(launches.session);
    REQUIRE(looks.size() > 2);
    SessionLaunches some = with_rounds(looks[1] + 1);
    CHECK(complete_rounds(some) == looks[1] + 1);
    CHECK(look_due(some).rounds == looks[1]);
    CHECK(look_due(some).number == 2);
    CHECK(look_due(some).looks == static_cast<int>(looks.size()));
    CHECK(look_due(some).share == all_looks[1].share);
    // No look is behind its end, which takes what is left of the error.
    some.session.ended_utc = "2026-03-01T10:00:00Z";
    some.session.end = SessionEnd::time;
    CHECK(look_due(some).rounds == looks[1] + 1);
    CHECK(look_due(some).number == 3);
    CHECK(look_due(some).share == doctest::Approx(1 - all_looks[0].share - all_looks[1].share));
    some = with_rounds(looks[1]);
    some.session.ended_utc = "2026-03-01T10:00:00Z";
    some.session.end = SessionEnd::time;
    CHECK(look_due(some).share == doctest::Approx(1 - all_looks[0].share));
    // A look that ended it is the one that is shown.
    some.session.end = SessionEnd::decided;
    CHECK(look_due(some).share == all_looks[1].share);
    some = with_rounds(looks[0] - 1);
    CHECK(look_due(some).number == 0);
    CHECK(look_due(some).rounds == 0);
    CHECK(look_due(with_rounds(0)).rounds == 0);
    CHECK(look_due(with_rounds(40)).number == look_due(with_rounds(40)).looks);
    // A fixed number of rounds has one look, whenever that is.
    some = with_rounds(8);
    some.session.decides = false;
    CHECK(look_due(some).rounds == 8);
    CHECK(look_due(some).looks == 1);
}

TEST_CASE("a round is complete with its failures, and without variants that left") {
    InventedSession wanted{.names = {"a", "b", "c"}, .rounds = 6};
    SessionLaunches launches = invent_session(wanted, 19);
    CHECK(complete_rounds(launches) == 6);
    launches.launches[2].erase(6);
    CHECK(complete_rounds(launches) == 5);
    launches.failed[2].insert(6);
    CHECK(complete_rounds(launches) == 6);
    for (const int round : {3, 4, 5, 6})
        launches.launches[2].erase(round);
    launches.failed[2] = {3, 4, 5};
    CHECK(complete_rounds(launches) == 6);
    // A race that it has lost.
    wanted.factor = [](std::size_t variant, std::int64_t) { return variant == 2 ? 2 : 1; };
    launches = invent_session(wanted, 20);
    launches.launches[2].erase(6);
    CHECK(complete_rounds(launches) == 5);
    launches.session.race = true;
    CHECK(complete_rounds(launches) == 6);
}

TEST_CASE("the same launches give the same findings, however many came behind") {
    const SessionLaunches all = invent_session({}, 21);
    SessionLaunches some = all;
    for (auto& of_variant : some.launches)
        std::erase_if(of_variant, [&](const auto& each) { return each.first > 10; });
    const SessionLook look{3, 7, 10, 0.1};
    const SessionContest early = judge_session(some, look);
    const SessionContest again = judge_session(all, look);
    CHECK(whole(early).ratio == whole(again).ratio);
    CHECK(whole(early).low == whole(again).low);
}
