#include "../../bench/compare/invented_session.hpp"
#include "analysis/inference/launch_difference.hpp"
#include "analysis/turns/turns.hpp"
#include "contains.hpp"
#include "words/turns_tables.hpp"
#include "words/turns_words.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <doctest/doctest.h>
#include <string>
#include <vector>

using namespace skampi;
using bench::invent_session;
using bench::InventedSession;

namespace {

/// At the last look.
Turns judged(const SessionLaunches& launches) {
    return judge_turns(launches, looks_of(launches.session).back());
}

const TurnsStatement& whole(const Turns& turns, std::size_t variant = 0, std::size_t suite = 0) {
    return turns.variants.at(variant).suites.at(suite).statements.at(0);
}

void forget_launch(SessionLaunches& launches, std::size_t variant, int round) {
    for (Curve& curve : launches.variants[variant].curves)
        curve.launches.erase(launches.launches[variant].at(round));
    launches.launches[variant].erase(round);
}

/// As launches of two databases are compared: without regard to rounds.
LaunchDifference unpaired(const SessionLaunches& launches, double error) {
    std::vector<std::vector<LaunchScore>> sides(2);
    for (std::size_t variant = 0; variant < 2; ++variant)
        for (const auto& [uuid, values] : launches.variants[variant].curves[0].launches) {
            double sum = 0;
            for (const auto& [argument, value] : values)
                sum += std::log(value);
            sides[variant].push_back({sum / static_cast<double>(values.size())});
        }
    return launch_difference(sides[0], sides[1], {.error = error}).value();
}

} // namespace

TEST_CASE("a variant that takes 5 % longer is found, and by how much") {
    InventedSession wanted{.rounds = 20};
    wanted.factor = [](std::size_t variant, std::int64_t) { return variant == 1 ? 1.05 : 1; };
    const SessionLaunches launches = invent_session(wanted, 1);
    const Turns turns = judged(launches);
    const TurnsStatement& all = whole(turns);
    CHECK(all.slower());
    CHECK_FALSE(all.equal);
    CHECK_FALSE(all.open());
    CHECK(all.rounds == 20);
    CHECK(*all.low < 1.05);
    CHECK(*all.high > 1.05);
    CHECK(turns.variants[0].slower_everywhere());
    CHECK(turns.open() == 0);
}

TEST_CASE("variants that are alike are equal within the margin, which is more than no difference found") {
    InventedSession wanted{.of_launch = 0.005};
    const SessionLaunches launches = invent_session(wanted, 2);
    const Turns turns = judged(launches);
    CHECK(whole(turns).equal);
    CHECK_FALSE(whole(turns).different());
    CHECK(turns.open() == 0);
    CHECK_FALSE(turns.rounds_to_decide());

    wanted.rounds = 5;
    wanted.of_launch = 0.05;
    const SessionLaunches few = invent_session(wanted, 2);
    const Turns open = judged(few);
    CHECK(whole(open).open());
    REQUIRE(whole(open).rounds_to_decide);
    CHECK(*whole(open).rounds_to_decide > 20);
    CHECK(open.open() == open.variants[0].suites[0].statements.size());
    CHECK(open.rounds_to_decide() >= whole(open).rounds_to_decide);
}

TEST_CASE("a difference that is smaller than the margin is both") {
    InventedSession wanted{.of_launch = 0.002};
    wanted.factor = [](std::size_t variant, std::int64_t) { return variant == 1 ? 1.01 : 1; };
    const SessionLaunches launches = invent_session(wanted, 3);
    const Turns turns = judged(launches);
    CHECK(whole(turns).slower());
    CHECK(whole(turns).equal);
}

TEST_CASE("a difference of long messages alone is found where it is") {
    InventedSession wanted;
    wanted.factor = [](std::size_t variant, std::int64_t argument) {
        return variant == 1 && argument > 65536 ? 0.9 : 1;
    };
    wanted.of_launch = 0.005;
    const SessionLaunches launches = invent_session(wanted, 4);
    const Turns turns = judged(launches);
    const TurnsSuite& suite = turns.variants[0].suites[0];
    REQUIRE(suite.statements.size() == 4);
    CHECK(suite.of_size(MessageSize::small)->equal);
    CHECK(suite.of_size(MessageSize::medium)->equal);
    CHECK(suite.of_size(MessageSize::large)->faster());
    CHECK_FALSE(turns.variants[0].slower_everywhere());
}

TEST_CASE("lengths that differ alone are found, though their class is equal") {
    InventedSession wanted;
    wanted.arguments = {8, 64, 512, 2048, 4096, 8192, 16384, 32768, 65536, 262144, 1048576};
    wanted.factor = [](std::size_t variant, std::int64_t argument) {
        return variant == 1 && (argument == 4096 || argument == 8192) ? 1.5 : 1;
    };
    wanted.of_launch = 0.005;
    const SessionLaunches launches = invent_session(wanted, 4);
    const Turns turns = judged(launches);
    const TurnsSuite& suite = turns.variants[0].suites[0];
    CHECK(suite.of_size(MessageSize::medium)->equal);
    REQUIRE(suite.ranges.size() == 1);
    const TurnsRange& range = suite.ranges[0];
    CHECK(range.from == 4096);
    CHECK(range.to == 8192);
    CHECK(range.statement.slower());
    CHECK(*range.statement.low < 1.5);
    CHECK(*range.statement.high > 1.5);
}

TEST_CASE("neighbours on both sides of their class are no one range that says what the class says") {
    InventedSession wanted;
    wanted.arguments = {8, 16, 32, 64, 128, 256, 512, 2048};
    wanted.factor = [](std::size_t variant, std::int64_t argument) {
        return variant == 0 ? 1.0 : argument == 64 ? 1.9 : argument == 128 ? 1.4 : 1.6;
    };
    wanted.of_launch = 0.005;
    const SessionLaunches launches = invent_session(wanted, 4);
    const Turns turns = judged(launches);
    const std::vector<TurnsRange>& ranges = turns.variants[0].suites[0].ranges;
    REQUIRE(ranges.size() == 2);
    CHECK(ranges[0].from == 64);
    CHECK(ranges[0].to == 64);
    CHECK(ranges[1].from == 128);
    CHECK(ranges[1].to == 128);
}

TEST_CASE("a length that does not share what its class shows is news, one that is not known well is none") {
    InventedSession wanted;
    wanted.arguments = {8, 64, 131072, 262144, 524288, 1048576};
    wanted.factor = [](std::size_t variant, std::int64_t argument) {
        return variant == 1 && argument >= 131072 && argument < 1048576 ? 0.75 : 1;
    };
    wanted.of_launch = 0.005;
    SessionLaunches launches = invent_session(wanted, 4);
    const Turns turns = judged(launches);
    const TurnsSuite& suite = turns.variants[0].suites[0];
    CHECK(suite.of_size(MessageSize::large)->faster());
    REQUIRE(suite.ranges.size() == 1);
    CHECK(suite.ranges[0].from == 1048576);
    CHECK_FALSE(suite.ranges[0].statement.different());
    CHECK(contains(turns_answer(turns), "but equal at 1 MiB"));
    // A length with a wide interval around a larger difference says what its class says.
    for (const auto& [round, uuid] : launches.launches[1])
        launches.variants[1].curves[0].launches.at(uuid).at(1048576) *= round % 2 == 0 ? 0.55 : 0.88;
    const Turns scattered = judged(launches);
    CHECK(scattered.variants[0].suites[0].points.back().statement.ratio < 0.72);
    CHECK(scattered.variants[0].suites[0].ranges.empty());
}

TEST_CASE("neighbours that differ by much and by more are two ranges, and their class says nothing more") {
    InventedSession wanted;
    wanted.arguments = {8, 64, 262144, 1048576};
    wanted.factor = [](std::size_t variant, std::int64_t argument) {
        return variant == 0 ? 1.0 : argument == 262144 ? 2.7 : argument == 1048576 ? 2.3 : 1;
    };
    wanted.of_launch = 0.005;
    const SessionLaunches launches = invent_session(wanted, 4);
    const Turns turns = judged(launches);
    const TurnsSuite& suite = turns.variants[0].suites[0];
    REQUIRE(suite.ranges.size() == 2);
    CHECK(suite.ranges[0].from == suite.ranges[0].to);
    const std::string answer = turns_answer(turns);
    CHECK(contains(answer, "at 256 KiB"));
    CHECK_FALSE(contains(answer, "above 64 KiB"));
}

TEST_CASE("where lengths lie far apart the span of their ratios is told, not a median") {
    InventedSession wanted{.of_launch = 0.005};
    wanted.factor = [](std::size_t variant, std::int64_t argument) {
        return variant == 0        ? 1
               : argument > 262144 ? 1.1
               : argument > 65536  ? 0.6
               : argument > 1024   ? 1.05
                                   : 1;
    };
    const SessionLaunches launches = invent_session(wanted, 5);
    const Turns turns = judged(launches);
    const TurnsSuite& suite = turns.variants[0].suites[0];
    for (const TurnsStatement* statement : {&suite.statements[0], suite.of_size(MessageSize::large)}) {
        const auto span = statement->span;
        REQUIRE(span);
        CHECK(span->low == doctest::Approx(0.6).epsilon(0.02));
        CHECK(span->high == doctest::Approx(1.1).epsilon(0.02));
        CHECK(turns_cell(*span).find(" faster to ") != std::string::npos);
    }
    CHECK_FALSE(suite.of_size(MessageSize::small)->span);
    CHECK_FALSE(suite.of_size(MessageSize::medium)->span);
    CHECK(turns_cell(RatioSpan{1.2, 1.4}) == "20 to 40 % slower");
    CHECK(turns_cell(RatioSpan{0.4, 0.8}) == "1.25 to 2.50 times faster");
    CHECK(turns_cell(RatioSpan{1, 1.4}) == "up to 40 % slower");
    CHECK(turns_cell(RatioSpan{0.8, 1}) == "up to 25 % faster");

    wanted.factor = [](std::size_t variant, std::int64_t argument) {
        return variant == 0 ? 1 : argument > 65536 ? 1.3 : 1.2;
    };
    const SessionLaunches likewise = invent_session(wanted, 5);
    const Turns alike = judged(likewise); // all lengths together tell it
    CHECK_FALSE(whole(alike).span);

    wanted.factor = [](std::size_t variant, std::int64_t argument) {
        return variant == 1 && argument == 16384 ? 1.15 : 1;
    };
    SessionLaunches coarse = invent_session(wanted, 5);
    coarse.session.margin = 0.3; // which is all the same to who asked
    const Turns within = judged(coarse);
    CHECK(within.variants[0].suites[0].ranges.empty());
    CHECK_FALSE(within.variants[0].suites[0].of_size(MessageSize::medium)->span);
    coarse.session.margin = 0.02;
    CHECK(judged(coarse).variants[0].suites[0].of_size(MessageSize::medium)->span);
}

TEST_CASE("what all lengths have in common is no news of any") {
    InventedSession wanted;
    wanted.factor = [](std::size_t variant, std::int64_t) { return variant == 1 ? 1.3 : 1; };
    CHECK(judged(invent_session(wanted, 5)).variants[0].suites[0].ranges.empty());
}

TEST_CASE("of variants that are alike hardly any session has a length that differs") {
    int wrong = 0;
    for (std::uint64_t seed = 1; seed <= 100; ++seed) {
        const SessionLaunches launches = invent_session(InventedSession{.rounds = 10}, seed);
        wrong += judged(launches).variants[0].suites[0].ranges.empty() ? 0 : 1;
    }
    CHECK(wrong <= 5);
}

TEST_CASE("programs that start in mid-session fall out of pairs, and of nothing else") {
    InventedSession wanted{.rounds = 12, .busy_from = 6, .decides = false};
    const SessionLaunches launches = invent_session(wanted, 5);
    const Turns turns = judged(launches);
    const TurnsStatement& paired = whole(turns);
    CHECK_FALSE(paired.different());
    const double width = std::log(*paired.high / *paired.low);
    CHECK(width < 0.08);
    // The same launches without their rounds: whatever they say is lost in the load.
    const Estimate apart = unpaired(launches, paired.error).as_measured;
    CHECK(apart.high - apart.low > 3 * width);
    // One variant after the other, as two tables of one morning: a difference that there is not.
    wanted.in_turns = false;
    wanted.busy_from = 7;
    const SessionLaunches in_a_row = invent_session(wanted, 5);
    CHECK(unpaired(in_a_row, paired.error).as_measured.low > 0);
}

TEST_CASE("a common drift and states of whole rounds cost nothing") {
    InventedSession wanted{.drift = 0.1, .states = InventedSession::States::of_rounds};
    const SessionLaunches launches = invent_session(wanted, 6);
    const Turns turns = judged(launches);
    CHECK(whole(turns).equal);
    CHECK(whole(turns).rounds == 40);
    CHECK(turns.variants[0].suites[0].states_apart == 0);
}

TEST_CASE("of rounds whose launches met two states that is taken out which the states change") {
    InventedSession wanted{.rounds = 10, .states = InventedSession::States::of_launches, .decides = false};
    wanted.arguments = {8, 64, 512}; // which follow the probe alike
    wanted.of_probe = 0.005;
    int taken_out = 0;
    int different = 0;
    for (std::uint64_t seed = 1; seed <= 40; ++seed) {
        const SessionLaunches launches = invent_session(wanted, seed);
        const Turns turns = judged(launches);
        const TurnsSuite& suite = turns.variants[0].suites[0];
        different += suite.statements[0].different() ? 1 : 0;
        CHECK(suite.variant_in_slower <= suite.states_apart);
        if (!suite.states_taken_out)
            continue;
        ++taken_out;
        CHECK(suite.states_apart > 0);
        CHECK(suite.statements[0].rounds + suite.statements[0].outliers == 10);
        CHECK(std::log(*suite.statements[0].high / *suite.statements[0].low) < 0.15);
    }
    CHECK(taken_out > 10);
    CHECK(different <= 4);
}

TEST_CASE("rounds are left out where the states change each time otherwise") {
    InventedSession wanted{.rounds = 20, .states = InventedSession::States::of_launches, .decides = false};
    wanted.arguments = {8, 64, 512};
    SessionLaunches launches = invent_session(wanted, 7);
    int count = 0;
    for (auto& [uuid, values] : launches.variants[1].curves[0].launches)
        if (launches.variants[1].curves[0].launch_states[uuid].probe_s > 2e-6) {
            const double factor = std::exp(0.4 * (++count % 5));
            for (auto& [argument, value] : values)
                value *= factor;
        }
    const Turns turns = judged(launches);
    const TurnsSuite& suite = turns.variants[0].suites[0];
    CHECK_FALSE(suite.states_taken_out);
    CHECK(suite.states_apart > 3);
    CHECK(suite.statements[0].rounds + suite.statements[0].outliers + suite.states_apart == 20);
}

TEST_CASE("what the speed of the cores changes is taken out") {
    InventedSession wanted{.shares_cores = true};
    wanted.rounds = 20;
    wanted.decides = false;
    SessionLaunches launches = invent_session(wanted, 7);
    const Turns turns = judged(launches);
    CHECK(turns.variants[0].suites[0].core_speed_taken_out);
    CHECK(std::log(*whole(turns).high / *whole(turns).low) < 0.08);
    for (Subject& variant : launches.variants)
        for (auto& [uuid, state] : variant.curves[0].launch_states)
            state.core_speed = 0; // nobody saw it
    const Turns blind = judged(launches);
    CHECK_FALSE(blind.variants[0].suites[0].core_speed_taken_out);
    CHECK(std::log(*whole(blind).high / *whole(blind).low) > 0.3);
}

TEST_CASE("what a setting does to the probe and to the cores is its own, whatever state the machine is in") {
    InventedSession wanted{.rounds = 20, .states = InventedSession::States::of_launches, .decides = false};
    wanted.arguments = {8, 64, 512};
    int missed = 0;
    for (const double slower : {1.3, 2.2, 10.0})
        for (std::uint64_t seed = 1; seed <= 10; ++seed) {
            SessionLaunches launches = invent_session(wanted, seed);
            for (auto& [uuid, state] : launches.variants[1].curves[0].launch_states) {
                state.probe_s *= slower;
                state.core_speed /= 1.5;
            }
            for (auto& [uuid, values] : launches.variants[1].curves[0].launches)
                for (auto& [argument, value] : values)
                    value *= slower;
            const Turns turns = judged(launches);
            REQUIRE(whole(turns).judged());
            missed += *whole(turns).low<slower&& * whole(turns).high> slower ? 0 : 1; // 5 % do by chance
            CHECK_FALSE(turns.variants[0].suites[0].core_speed_taken_out);
        }
    CHECK(missed <= 4);
}

TEST_CASE("rounds that are few and all in two states make no usual distance of what chance made") {
    // Two up, four down: of the same library; taken for usual, the direction of most is a difference.
    InventedSession wanted{.rounds = 6, .decides = false};
    wanted.arguments = {8, 64, 512};
    SessionLaunches launches = invent_session(wanted, 3);
    for (const auto& [round, uuid] : launches.launches[0])
        for (const std::size_t place : {0U, 1U}) {
            Curve& curve = launches.variants[place].curves[0];
            const std::string& own = launches.launches[place].at(round);
            if ((round <= 2) != (place == 0))
                continue;
            curve.launch_states[own].probe_s *= 4;
            for (auto& [argument, value] : curve.launches[own])
                value *= 4;
        }
    CHECK_FALSE(whole(judged(launches)).different());
}

TEST_CASE("rounds count whose probes met two states that the times do not show") {
    InventedSession wanted;
    wanted.arguments = {4096, 8192, 16384};
    int different = 0;
    int kept = 0;
    for (std::uint64_t seed = 1; seed <= 100; ++seed) {
        SessionLaunches launches = invent_session(wanted, seed);
        bool slow = seed % 2 == 0; // as a machine may be that changes its state with each second launch
        for (Subject& variant : launches.variants)
            for (auto& [uuid, state] : variant.curves[0].launch_states)
                state.probe_s *= (slow = !slow) ? 3 : 1;
        const Turns turns = judged(launches);
        const TurnsSuite& suite = turns.variants[0].suites[0];
        kept += suite.statements[0].rounds + suite.statements[0].outliers == 40 ? 1 : 0;
        different += suite.statements[0].different() ? 1 : 0;
    }
    CHECK(kept >= 95);
    CHECK(different <= 5);
}

TEST_CASE("variants that are always in two states are compared all the same") {
    InventedSession wanted{.rounds = 10, .decides = false};
    SessionLaunches launches = invent_session(wanted, 8);
    for (auto& [uuid, state] : launches.variants[1].curves[0].launch_states)
        state.probe_s *= 3; // another library, or ranks bound elsewhere
    const Turns turns = judged(launches);
    CHECK(whole(turns).judged());
    CHECK(turns.variants[0].suites[0].states_apart == 0);
}

TEST_CASE("a difference that is another one in each state of the machine is told for each") {
    for (const double in_slow : {1.2, 3.0}) {
        InventedSession wanted{.rounds = 40, .of_launch = 0.02, .decides = false};
        wanted.factor = [](std::size_t variant, std::int64_t) { return variant == 1 ? 1.2 : 1; };
        SessionLaunches launches = invent_session(wanted, 12);
        for (std::size_t variant = 0; variant < 2; ++variant)
            for (const auto& [round, uuid] : launches.launches[variant]) {
                if (round % 3 != 0) // two of three rounds meet the faster state
                    continue;
                Curve& curve = launches.variants[variant].curves[0];
                curve.launch_states[uuid].probe_s *= 3;
                for (auto& [argument, value] : curve.launches.at(uuid))
                    value *= 2 * (variant == 1 ? in_slow / 1.2 : 1);
            }
        const Turns turns = judged(launches);
        const std::vector<TurnsSuite>& suites = turns.variants[0].suites;
        CAPTURE(in_slow);
        REQUIRE(suites.size() == (in_slow > 2 ? 2 : 1)); // states alone make no difference
        CHECK(suites[0].state.has_value() == (suites.size() == 2));
        if (!suites[0].state)
            continue;
        CHECK(!suites[0].state->slower);
        CHECK(suites[1].state->slower);
        CHECK(suites[1].state->probe_s == doctest::Approx(3 * suites[0].state->probe_s).epsilon(0.1));
        for (const TurnsSuite& suite : suites) {
            const double truth = suite.state->slower ? in_slow : 1.2;
            const std::size_t rounds = suite.state->slower ? 13 : 27;
            for (const TurnsStatement& each : suite.statements) {
                CHECK(each.rounds + each.outliers == rounds);
                REQUIRE(each.judged());
                CHECK(*each.low < truth);
                CHECK(*each.high > truth);
                CHECK(each.slower());
            }
            REQUIRE(!suite.points.empty());
            CHECK(suite.points.back().statement.ratio == doctest::Approx(truth).epsilon(0.05));
            CHECK(suite.ranges.empty());
        }
        // The error of the suite is shared by both.
        CHECK(suites[0].statements[0].error == doctest::Approx(suites[1].statements[0].error));
        CHECK(suites[0].statements[0].error < turns.of->session.error / 2.01 * turns.look.share);
    }
}

namespace {

/// Makes both launches of a round meet a state in which times and probe take so many times as long, and those
/// of the variant so many more.
void meet(SessionLaunches& launches, int round, double slower, double variant_slower) {
    for (std::size_t variant = 0; variant < 2; ++variant) {
        const std::string& uuid = launches.launches[variant].at(round);
        Curve& curve = launches.variants[variant].curves[0];
        curve.launch_states[uuid].probe_s *= slower;
        for (auto& [argument, value] : curve.launches.at(uuid))
            value *= slower * (variant == 1 ? variant_slower : 1);
    }
}

} // namespace

TEST_CASE("few rounds in a state show together what none of the lengths shows alone") {
    InventedSession wanted{.rounds = 20, .of_point = 0.25, .decides = false};
    wanted.arguments.clear();
    std::set<std::int64_t> inside;
    for (std::int64_t length = 64; length <= 1048576; length = length * 9 / 8) {
        wanted.arguments.push_back(length);
        if (length > 8192 && length < 16384)
            inside.insert(length);
    }
    wanted.factor = [&](std::size_t variant, std::int64_t argument) {
        return variant == 1 && inside.contains(argument) ? 0.4 : 1;
    };
    for (const double in_slow : {0.4, 1.0}) {
        int apart = 0;
        for (std::uint64_t seed = 1; seed <= 20; ++seed) {
            SessionLaunches launches = invent_session(wanted, seed);
            for (int round = 3; round <= 20; round += 3) {
                meet(launches, round, 3, 1);
                for (const std::int64_t argument : inside)
                    launches.variants[1].curves[0].launches.at(launches.launches[1].at(round)).at(argument) *=
                        in_slow / 0.4;
            }
            apart += judged(launches).variants[0].suites.size() == 2 ? 1 : 0;
        }
        CAPTURE(in_slow);
        CAPTURE(apart);
        CHECK((in_slow < 1 ? apart == 0 : apart >= 18));
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
        return launches.variants[variant].curves[0].launch_states.at(uuid).probe_s > 2e-6;
    };
    std::array<std::size_t, 2> both{};  // rounds in the usual state, and in the other
    std::array<std::size_t, 2> alone{}; // in the usual state: the reference, and the variant
    for (int round = 1; round <= 30; ++round) {
        const bool other = meets_other(0, round);
        ++(other == meets_other(1, round) ? both : alone)[other ? 1 : 0];
    }
    REQUIRE(std::min(alone[0], alone[1]) > 2);
    const Turns turns = judged(launches);
    const std::vector<TurnsSuite>& suites = turns.variants[0].suites;
    REQUIRE(suites.size() == 2);
    for (std::size_t state = 0; state < 2; ++state) {
        const TurnsStatement& all = suites[state].statements[0];
        CHECK(all.rounds + all.outliers == both[state] + std::min(alone[0], alone[1]));
        CHECK(all.ratio == doctest::Approx(state == 0 ? 0.5 : 1).epsilon(0.05));
    }
}

TEST_CASE("a state that three rounds met is named") {
    InventedSession wanted{.rounds = 20, .decides = false};
    SessionLaunches launches = invent_session(wanted, 12);
    for (const int round : {4, 8, 12})
        meet(launches, round, 3, 1);
    const Turns turns = judged(launches);
    REQUIRE(turns.variants[0].suites[0].hardly_met.has_value());
    CHECK(turns.variants[0].suites[0].hardly_met->pairs == 3);
    for (const int round : {16, 20})
        meet(launches, round, 3, 1);
    CHECK_FALSE(judged(launches).variants[0].suites[0].hardly_met.has_value());

    wanted.rounds = 60; // five of these are less than a tenth: they cannot tell the states apart
    SessionLaunches longer = invent_session(wanted, 12);
    for (const int round : {4, 8, 12, 16, 20})
        meet(longer, round, 3, 1);
    const Turns later = judged(longer);
    REQUIRE(later.variants[0].suites[0].hardly_met.has_value());
    CHECK(later.variants[0].suites[0].hardly_met->pairs == 5);
}

TEST_CASE("a length that a variant never measured is missing") {
    SessionLaunches launches = invent_session({.rounds = 12}, 3);
    for (auto& [uuid, values] : launches.variants[1].curves[0].launches)
        values.erase(512);
    const Turns turns = judged(launches);
    const TurnsMissing& missing = turns.variants[0].suites[0].missing;
    CHECK(missing.arguments == 1);
    CHECK(missing.most_at == 512);
    CHECK(missing.rounds_left == 0);
}

TEST_CASE("a state that a single round met takes no part in telling the two others apart") {
    InventedSession wanted{.rounds = 40, .decides = false};
    wanted.factor = [](std::size_t variant, std::int64_t) { return variant == 1 ? 0.5 : 1; };
    SessionLaunches launches = invent_session(wanted, 12);
    meet(launches, 7, 0.6, 1); // the fastest probe of all
    for (int round = 10; round < 20; ++round)
        meet(launches, round, 3.5, 2.6);
    const Turns turns = judged(launches);
    const std::vector<TurnsSuite>& suites = turns.variants[0].suites;
    REQUIRE(suites.size() == 2);
    REQUIRE(suites[0].state.has_value());
    CHECK(suites[0].statements[0].faster());
    CHECK(suites[0].statements[0].rounds + suites[0].statements[0].outliers >= 29);
    CHECK(suites[1].statements[0].slower());
    CHECK(suites[1].statements[0].ratio == doctest::Approx(1.3).epsilon(0.05));
    CHECK(suites[1].statements[0].rounds == 10);
    REQUIRE(suites[0].hardly_met.has_value()); // the third
    CHECK(suites[0].hardly_met->pairs == 1);
    CHECK_FALSE(suites[0].hardly_met->state.slower);
}

TEST_CASE("what is told of each length is told of every one that differs") {
    InventedSession wanted{
        .rounds = 20, .arguments = {4096, 8192, 12288, 16384, 24576, 32768}, .decides = false};
    wanted.factor = [](std::size_t variant, std::int64_t argument) {
        return variant == 0 ? 1 : argument == 12288 ? 0.5 : 0.9;
    };
    const SessionLaunches launches = invent_session(wanted, 12);
    const Turns turns = judged(launches);
    const TurnsSuite& suite = turns.variants[0].suites[0];
    REQUIRE(suite.statements.size() == 1); // of one class of lengths, in which a median tells not all
    CHECK(suite.statements[0].faster());
    REQUIRE(suite.statements[0].span.has_value());
    REQUIRE(suite.ranges.size() == 3);
    CHECK(suite.ranges.front().from == 4096);
    CHECK(suite.ranges.back().to == 32768);
    CHECK(suite.points.size() == wanted.arguments.size());
}

TEST_CASE("a length that few rounds have does not part its neighbours") {
    InventedSession wanted{.rounds = 20, .arguments = {8, 16, 32, 64, 128, 256, 512}, .decides = false};
    wanted.factor = [](std::size_t variant, std::int64_t argument) {
        return variant == 1 && (argument == 64 || argument == 128) ? 0.5 : 1;
    };
    SessionLaunches launches = invent_session(wanted, 12);
    for (std::size_t variant = 0; variant < 2; ++variant)
        for (auto& [uuid, values] : launches.variants[variant].curves[0].launches)
            if (uuid == launches.launches[variant].at(1))
                values[100] = 1.5e-6; // the others are not interpolated
    const std::vector<TurnsRange> ranges = judged(launches).variants[0].suites[0].ranges;
    REQUIRE(ranges.size() == 1);
    CHECK(ranges[0].from == 64);
    CHECK(ranges[0].to == 128);
    CHECK(ranges[0].ratios.low < ranges[0].ratios.high);
}

TEST_CASE("a state that few rounds met is known to be met, where nothing is known of it") {
    InventedSession wanted{.rounds = 28, .decides = false};
    wanted.factor = [](std::size_t variant, std::int64_t) { return variant == 1 ? 0.5 : 1; };
    SessionLaunches launches = invent_session(wanted, 12);
    CHECK_FALSE(judged(launches).variants[0].suites[0].hardly_met);
    meet(launches, 19, 3.5, 2.6);
    meet(launches, 20, 3.5, 2.6);
    const Turns turns = judged(launches);
    REQUIRE(turns.variants[0].suites.size() == 1);
    const std::optional<TurnsStateMet>& met = turns.variants[0].suites[0].hardly_met;
    REQUIRE(met.has_value());
    CHECK(met->pairs == 2);
    CHECK(met->state.slower);
    CHECK(met->state.probe_s == doctest::Approx(3.5 * met->usual_probe_s).epsilon(0.1));
    for (const int round : {3, 9, 21, 25}) // six of 28 show whether it matters
        meet(launches, round, 3.5, 1);
    meet(launches, 19, 1, 1 / 2.6);
    meet(launches, 20, 1, 1 / 2.6);
    CHECK_FALSE(judged(launches).variants[0].suites[0].hardly_met);
}

TEST_CASE("a difference at one length alone is told for each state, also where one was met in few rounds") {
    for (const int slow_each : {3, 10, 40}) {
        InventedSession wanted{.rounds = 40, .of_launch = 0.02, .decides = false};
        SessionLaunches launches = invent_session(wanted, 17);
        for (std::size_t variant = 0; variant < 2; ++variant)
            for (const auto& [round, uuid] : launches.launches[variant]) {
                const bool slow = round % slow_each == 0;
                Curve& curve = launches.variants[variant].curves[0];
                curve.launch_states[uuid].probe_s *= slow ? 3 : 1;
                for (auto& [argument, value] : curve.launches.at(uuid))
                    value *= (slow ? 2 : 1) * (variant == 1 && argument == 4096 ? slow ? 1.3 : 0.5 : 1);
            }
        const std::vector<TurnsSuite> suites = judged(launches).variants[0].suites;
        CAPTURE(slow_each);
        REQUIRE(suites.size() == (slow_each == 40 ? 1 : 2)); // one round is an outlier
        REQUIRE(suites[0].ranges.size() == 1);
        CHECK(suites[0].ranges[0].from == 4096);
        CHECK(suites[0].ranges[0].to == 4096);
        CHECK(suites[0].ranges[0].statement.faster());
        CHECK(*suites[0].ranges[0].statement.high < 0.55);
        if (slow_each == 3) {
            REQUIRE(suites[1].ranges.size() == 1);
            CHECK(suites[1].ranges[0].statement.slower());
        }
    }
}

TEST_CASE("one bad round of ten is left out") {
    InventedSession wanted{.rounds = 10, .decides = false};
    SessionLaunches launches = invent_session(wanted, 9);
    for (auto& [argument, value] : launches.variants[1].curves[0].launches.at("1 4"))
        value *= 3;
    const Turns turns = judged(launches);
    CHECK(whole(turns).outliers == 1);
    CHECK(whole(turns).rounds == 9);
    CHECK(std::fabs(std::log(whole(turns).ratio)) < 0.04);
}

TEST_CASE("far rounds on one side, a tenth or more, contradict what the others say") {
    struct Case {
        double usual;
        double far;
        std::size_t other_side; ///< of the far rounds: by 1 / far
    };
    const auto judge = [](const Case& each) {
        InventedSession wanted{.rounds = 40, .of_launch = 0.005, .decides = false};
        wanted.factor = [&](std::size_t variant, std::int64_t) { return variant == 1 ? each.usual : 1; };
        SessionLaunches launches = invent_session(wanted, 9);
        for (std::size_t round = 1; round <= 6; ++round)
            for (auto& [argument, value] :
                 launches.variants[1].curves[0].launches.at(fmt::format("1 {}", 5 * round)))
                value *= round <= each.other_side ? 1 / each.far : each.far;
        const Turns turns = judged(launches);
        CHECK(whole(turns).outliers == 6);
        CHECK(whole(turns).outliers_slower == (each.far > 1 ? 6 - each.other_side : each.other_side));
        CHECK((turns.contradicted() > 0) == whole(turns).contradicted);
        return whole(turns);
    };
    SUBCASE("equal but for rounds in which it is slower: open") {
        const TurnsStatement all = judge({1, 1.3, 0});
        CHECK(all.contradicted);
        CHECK(all.open());
        CHECK_FALSE(all.rounds_to_decide); // more rounds do not
    }
    SUBCASE("equal, and far to both sides: mishaps of the machine") {
        CHECK(judge({1, 1.3, 3}).equal);
    }
    SUBCASE("slower, and sometimes much slower") {
        const TurnsStatement all = judge({1.1, 1.3, 0});
        CHECK(all.slower());
        CHECK(all.outliers_on_one_side());
    }
    SUBCASE("slower, and sometimes much faster") {
        CHECK(judge({1.1, 0.7, 0}).open());
    }
}

TEST_CASE("rounds that lack a launch are no pair") {
    InventedSession wanted{.names = {"old", "new", "newer"}, .rounds = 10, .decides = false};
    SessionLaunches launches = invent_session(wanted, 10);
    forget_launch(launches, 1, 3);
    launches.failed[1].insert(3);
    forget_launch(launches, 0, 7);
    Turns turns = judged(launches);
    CHECK(turns.variants[0].rounds == 8);
    CHECK(turns.variants[0].failed == 1);
    CHECK(whole(turns, 0).rounds + whole(turns, 0).outliers == 8);
    CHECK(turns.variants[1].rounds == 9);

    // Failed for good: what it measured before is kept, the others are judged.
    for (const int round : {4, 5, 6, 7, 8, 9, 10})
        forget_launch(launches, 1, round);
    turns = judged(launches);
    CHECK(turns.variants[0].rounds == 2);
    CHECK(whole(turns, 0).unjudged == Unjudged::few_launches);
    CHECK(whole(turns, 1).judged());
}

TEST_CASE("arguments that one launch lacks are interpolated, not extrapolated") {
    InventedSession wanted{.rounds = 8, .of_launch = 0.001, .of_point = 0.0001, .decides = false};
    SessionLaunches launches = invent_session(wanted, 11);
    Curve& curve = launches.variants[1].curves[0];
    for (auto& [uuid, values] : curve.launches) {
        values.erase(64);
        values.erase(1048576);
    }
    CHECK(whole(judged(launches)).judged());
    CHECK(std::fabs(std::log(whole(judged(launches)).ratio)) < 0.01);
    CHECK(std::ranges::count(judged(launches).variants[0].suites[0].points, 64, &TurnsRange::from) == 0);

    // Of the long ones three of four have no partner: that is no score.
    for (auto& [uuid, values] : curve.launches)
        for (const std::int64_t argument : {4096, 16384, 65536, 262144})
            values.erase(argument);
    const Turns turns = judged(launches);
    CHECK(whole(turns).unjudged == Unjudged::few_launches);
    CHECK(turns.variants[0].suites[0].of_size(MessageSize::small)->judged());

    // A launch that was asked and has no value has none that could be interpolated.
    SessionLaunches asked = invent_session(wanted, 11);
    for (auto& [uuid, values] : asked.variants[1].curves[0].launches)
        for (const std::int64_t argument : {64, 512, 4096, 16384, 65536}) {
            values.erase(argument);
            asked.variants[1].curves[0].abstentions[uuid].insert(argument);
        }
    CHECK(whole(judged(asked)).unjudged == Unjudged::few_launches);
}

TEST_CASE("values that launches lack are counted, and where most are") {
    SessionLaunches launches = invent_session({.rounds = 12}, 3);
    CHECK(judged(launches).variants[0].suites[0].missing.arguments == 0);
    const auto forget = [&](std::size_t variant, int round, std::int64_t argument) {
        launches.variants[variant]
            .curves[0]
            .launches.at(launches.launches[variant].at(round))
            .erase(argument);
    };
    forget(1, 3, 512);
    CHECK(judged(launches).variants[0].suites[0].missing.arguments == 0); // the first round looks elsewhere
    forget(1, 6, 512);
    forget(0, 4, 4096);
    forget(1, 4, 4096); // of one round
    forget(1, 5, 4096);
    forget(1, 8, 4096);
    const TurnsMissing missing = judged(launches).variants[0].suites[0].missing;
    CHECK(missing.arguments == 2);
    CHECK(missing.most_at == 4096);
    CHECK(missing.rounds_left == 9);
    CHECK(missing.rounds == 12);
    launches.variants[1].curves[0].launches.at(launches.launches[1].at(7)).clear(); // left out as a whole
    const TurnsMissing others = judged(launches).variants[0].suites[0].missing;
    CHECK(others.arguments == 2);
    CHECK(others.rounds_left == 8);
    CHECK(others.rounds == 11);
}

TEST_CASE("a single argument is a suite, without classes of lengths") {
    const InventedSession wanted{.rounds = 10, .arguments = {1024}, .decides = false};
    const SessionLaunches launches = invent_session(wanted, 12);
    const Turns turns = judged(launches);
    CHECK(turns.variants[0].suites[0].statements.size() == 1);
    CHECK(whole(turns).judged());
    CHECK(whole(turns).error == doctest::Approx(0.05));
}

TEST_CASE("the errors of all statements at all looks are that of the session") {
    const InventedSession wanted{.names = {"a", "b", "c"}, .suites = {"MPI_Bcast", "MPI_Reduce"}};
    const SessionLaunches launches = invent_session(wanted, 13);
    double sum = 0;
    for (const TurnsLook& look : looks_of(launches.session)) {
        const Turns turns = judge_turns(launches, look);
        for (const TurnsVariant& variant : turns.variants)
            for (const TurnsSuite& suite : variant.suites)
                for (const TurnsStatement& statement : suite.statements)
                    sum += statement.error;
    }
    CHECK(sum == doctest::Approx(0.05));
}

TEST_CASE("what cannot be compared keeps no session open") {
    InventedSession wanted{.rounds = 10, .suites = {"MPI_Bcast", "MPI_Reduce", "MPI_Scan"}, .decides = false};
    wanted.factor = [](std::size_t variant, std::int64_t) { return variant == 1 ? 1.2 : 1; };
    SessionLaunches launches = invent_session(wanted, 14);
    launches.variants[1].curves[1].stored.suite.buffers = BufferPolicy::cold; // another quantity
    launches.variants[1].curves[2].launches.clear();                          // failed in every launch
    Turns turns = judged(launches);
    CHECK(turns.variants[0].suites[0].compared);
    CHECK_FALSE(turns.variants[0].suites[1].compared);
    CHECK_FALSE(turns.variants[0].suites[2].compared);
    CHECK(turns.open() == 0);
    CHECK(turns.variants[0].slower_everywhere());

    // A suite of one variant alone.
    launches.variants[0].curves.pop_back();
    launches.variants[1].curves.back().stored.suite.operation.name = "MPI_Scan";
    launches.variants[1].curves.back().launches["1 1"][8] = 1e-6;
    turns = judged(launches);
    REQUIRE(turns.variants[0].only_here.size() == 1);
    CHECK(turns.variants[0].only_here[0]->suite().name == "MPI_Scan");

    // Nothing at all: nobody is slower.
    launches.variants[1].curves.clear();
    turns = judged(launches);
    CHECK(turns.open() == 0);
    CHECK_FALSE(turns.variants[0].slower_everywhere());
}

TEST_CASE("values that are not above zero have no ratio") {
    const InventedSession wanted{.rounds = 8, .decides = false};
    SessionLaunches launches = invent_session(wanted, 15);
    for (auto& [uuid, values] : launches.variants[1].curves[0].launches) {
        values[8] = 0;
        values[64] = -1e-9;
    }
    CHECK(whole(judged(launches)).judged());
    CHECK(std::isfinite(whole(judged(launches)).ratio));
    for (auto& [uuid, values] : launches.variants[1].curves[0].launches)
        for (auto& [argument, value] : values)
            value = 0;
    CHECK(whole(judged(launches)).unjudged == Unjudged::few_launches);
}

TEST_CASE("one round says nothing of real launches, and all of simulated ones") {
    InventedSession wanted{.rounds = 1, .of_launch = 0, .of_point = 0, .decides = false};
    wanted.factor = [](std::size_t variant, std::int64_t) { return variant == 1 ? 1.003 : 1; };
    SessionLaunches launches = invent_session(wanted, 16);
    CHECK(whole(judged(launches)).unjudged == Unjudged::few_launches);
    CHECK(whole(judged(launches)).ratio == doctest::Approx(1.003));
    for (Subject& subject : launches.variants)
        for (Curve& curve : subject.curves)
            curve.simulated = true;
    const Turns turns = judged(launches);
    CHECK(turns.simulated);
    CHECK(whole(turns).ratio == doctest::Approx(1.003).epsilon(1e-4));
    CHECK(whole(turns).slower());
    CHECK(whole(turns).equal);

    // Within a step of the clock nothing differs.
    for (Subject& subject : launches.variants)
        for (Curve& curve : subject.curves)
            curve.clock_resolution_s = 1e-7;
    CHECK_FALSE(whole(judged(launches)).different());
}

TEST_CASE("launches that never scatter, of a clock of unknown step, give no interval") {
    const InventedSession wanted{.rounds = 8, .of_launch = 0, .of_point = 0, .decides = false};
    SessionLaunches launches = invent_session(wanted, 17);
    CHECK(whole(judged(launches)).unjudged == Unjudged::no_scatter);
    for (Subject& subject : launches.variants)
        for (Curve& curve : subject.curves)
            curve.clock_resolution_s = 1e-9;
    CHECK(whole(judged(launches)).equal);
}

TEST_CASE("a session that goes on is seen as at its last look") {
    InventedSession wanted;
    SessionLaunches launches = invent_session(wanted, 18);
    const auto with_rounds = [&](int rounds) {
        SessionLaunches some = launches;
        for (auto& of_variant : some.launches)
            std::erase_if(of_variant, [&](const auto& each) { return each.first > rounds; });
        return some;
    };
    const std::vector<TurnsLook> all_looks = looks_of(launches.session);
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
    const InventedSession wanted;
    const SessionLaunches all = invent_session(wanted, 21);
    SessionLaunches some = all;
    for (auto& of_variant : some.launches)
        std::erase_if(of_variant, [&](const auto& each) { return each.first > 10; });
    const TurnsLook look{3, 7, 10, 0.1};
    const Turns early = judge_turns(some, look);
    const Turns again = judge_turns(all, look);
    CHECK(whole(early).ratio == whole(again).ratio);
    CHECK(whole(early).low == whole(again).low);
}
