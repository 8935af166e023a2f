// SPDX-License-Identifier: GPL-2.0-or-later
#include "../../bench/compare/invented_session.hpp"
#include "session/session_run.hpp"

#include "base/error.hpp"
#include "scratch_folder.hpp"
#include "session/rounds.hpp"
#include "session/session_sums.hpp"
#include "store/database.hpp"
#include "store/session_lock.hpp"

#include <algorithm>
#include <cstdint>
#include <doctest/doctest.h>
#include <limits>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

using namespace skampi;

namespace {

struct Killed : std::runtime_error {
    Killed()
        : std::runtime_error("killed") {}
};

/// Launches that write a run and nothing into it, in invented time.
class InventedHands : public SessionHands {
public:
    explicit InventedHands(std::string database)
        : database_(std::move(database)) {}

    std::vector<std::pair<int, std::string>> launched;
    std::map<std::string, int> fails;    ///< variant: this many launches to come give no run
    std::map<int, LookResult> at_rounds; ///< what a look after so many rounds says
    int open = 1;                        ///< and all others
    int looks = 0;
    int kill_before = -1, kill_after = -1; ///< the launch of this number
    std::map<int, int> status_of;          ///< of the launch of this number
    std::map<int, SuiteState> suite_of;    ///< likewise: it measured a suite without a value, which ended so
    double launch_s = 10;
    std::vector<int> rounds_begun;

    LaunchEnd launch(const Variant& variant, const SessionPlace& place) override {
        const int number = static_cast<int>(launched.size());
        if (number == kill_before)
            throw Killed();
        launched.emplace_back(place.round, variant.name);
        now_s_ += launch_s;
        if (const auto found = status_of.find(number); found != status_of.end())
            return {found->second, false, "stopped"};
        if (fails[variant.name] > 0) {
            --fails[variant.name];
            return {3, false, "no launcher"};
        }
        Run run;
        run.uuid = std::to_string(runs_++) + "-" + std::to_string(place.round) + variant.name +
                   std::to_string(reinterpret_cast<std::uintptr_t>(this));
        run.variant = variant.name;
        run.session_place = place;
        run.started_utc = "2026-11-24T10:00:00Z";
        Database database = Database::open_for_writing(database_);
        const auto measured = suite_of.find(number);
        const RunId id = database.begin_run(run, measured == suite_of.end() ? std::vector<Suite>()
                                                                            : std::vector<Suite>(1));
        for (const StoredSuite& suite : database.suites(id)) {
            Measurement without_value;
            without_value.value_s = std::numeric_limits<double>::quiet_NaN();
            database.add_batches(database.begin_measurement(suite.id, without_value), {}, without_value,
                                 true);
            database.end_suite(suite.id, measured->second);
        }
        run.ended_utc = "2026-11-24T10:00:10Z";
        database.end_run(id, run);
        if (number == kill_after)
            throw Killed();
        return {0, true, {}};
    }
    std::optional<LookResult> look(const Session&) override {
        ++looks;
        const SessionProgress progress =
            progress_of_session(Database::open(database_), Database::open(database_).sessions().back().uuid);
        int rounds = 0;
        for (const auto& [round, variant] : progress.done)
            rounds = std::max(rounds, round);
        const auto found = at_rounds.find(rounds);
        return found == at_rounds.end() ? LookResult{static_cast<std::size_t>(open), {}, 4} : found->second;
    }
    int wait_for_round(const BeforeRound& before) override {
        rounds_begun.push_back(before.round);
        return 0;
    }
    double now_s() override { return now_s_; }
    void note(std::string_view text) override { notes.emplace_back(text); }
    std::vector<std::string> notes;

private:
    std::string database_;
    double now_s_ = 0;
    int runs_ = 0;
};

SessionWish wish(std::vector<std::string> names, int most_rounds) {
    SessionWish wish;
    wish.session.plan_hash = "plan";
    wish.session.ranks = 2;
    wish.session.seed = 42;
    wish.session.margin = 0.02;
    wish.session.error = 0.05;
    wish.session.first_look = 2;
    wish.session.most_rounds = most_rounds;
    for (std::string& name : names) {
        Variant variant;
        variant.settings["X"] = name;
        variant.name = std::move(name);
        wish.session.variants.push_back(std::move(variant));
    }
    return wish;
}

Session session_in(const std::string& path) {
    const std::vector<Session> sessions = Database::open(path).sessions();
    REQUIRE(sessions.size() == 1);
    return sessions.front();
}

} // namespace

TEST_CASE("each variant is launched once a round, in the order of the seed, until the rounds are made") {
    const ScratchFolder folder;
    const std::string path = folder / "x.db";
    InventedHands hands(path);
    const SessionWish wanted = wish({"a", "b", "c"}, 4);
    CHECK(run_session(path, wanted, hands) == 0);
    REQUIRE(hands.launched.size() == 12);
    for (std::size_t round = 1; round <= 4; ++round) {
        const std::vector<std::size_t> order = order_of_round(42, static_cast<int>(round), 3);
        for (std::size_t place = 0; place < 3; ++place)
            CHECK(hands.launched[3 * (round - 1) + place] ==
                  std::pair(static_cast<int>(round), wanted.session.variants[order[place]].name));
    }
    CHECK(session_in(path).end == SessionEnd::rounds);
    CHECK(hands.looks == 3); // after 2, 3 and 4
    CHECK(hands.rounds_begun == std::vector<int>{1, 2, 3, 4});
}

TEST_CASE("a session ends when nothing is open, or when another round would take too long") {
    const ScratchFolder folder;
    InventedHands hands(folder / "x.db");
    hands.at_rounds[3] = {0, {}, 4};
    CHECK(run_session(folder / "x.db", wish({"a", "b"}, 40), hands) == 0);
    CHECK(session_in(folder / "x.db").end == SessionEnd::decided);
    CHECK(hands.launched.size() == 6);

    SessionWish again = wish({"a", "b"}, 40);
    again.once = true;
    CHECK(run_session(folder / "x.db", again, hands) == 0);
    CHECK(hands.launched.size() == 6);

    InventedHands slow(folder / "y.db");
    SessionWish limited = wish({"a", "b"}, 40);
    limited.session.time_limit_s = 70; // a round takes 20 s
    CHECK(run_session(folder / "y.db", limited, slow) == 0);
    CHECK(session_in(folder / "y.db").end == SessionEnd::time);
    CHECK(slow.launched.size() == 6);
    limited.once = true;
    limited.session.time_limit_s = 130;
    CHECK(run_session(folder / "y.db", limited, slow) == 0);
    CHECK(slow.launched.size() > 6);
    CHECK(Database::open(folder / "y.db").sessions().size() == 1);

    InventedHands fixed(folder / "z.db");
    SessionWish of_rounds = wish({"a", "b"}, 3);
    of_rounds.session.decides = false;
    fixed.open = 0;
    CHECK(run_session(folder / "z.db", of_rounds, fixed) == 0);
    CHECK(fixed.launched.size() == 6);
    CHECK(fixed.looks == 0);
}

TEST_CASE("a session says what each look found and how long it takes") {
    const ScratchFolder folder;
    const auto has_note = [](const InventedHands& hands, const std::string& text) {
        return std::ranges::any_of(
            hands.notes, [&](const std::string& note) { return note.find(text) != std::string::npos; });
    };
    InventedHands hands(folder / "x.db");
    hands.at_rounds[2] = LookResult{3, {}, 6, 2, 1};
    hands.at_rounds[3] = LookResult{2, {}, 6, 0, 2};
    hands.at_rounds[4] = LookResult{1, {}, 6, 0, 2};
    CHECK(run_session(folder / "x.db", wish({"a", "b"}, 4), hands) == 0);
    CHECK(hands.notes == std::vector<std::string>{
                             "a round takes 20 s: it ends when all is decided, after 2 rounds (40 s) at "
                             "the earliest, at the latest after 4 rounds (80 s)",
                             "2 rounds: 2 differences found, 1 at single lengths, 3 statements are open",
                             "3 rounds: 2 differences found at single lengths, 2 statements are open",
                             "4 rounds: 2 differences found at single lengths, 1 statement is open"});
    CHECK(session_in(folder / "x.db").end == SessionEnd::rounds); // no end for want of open statements

    InventedHands short_of_time(folder / "y.db");
    SessionWish limited = wish({"a", "b"}, 40);
    limited.session.first_look = 5;
    limited.session.time_limit_s = 70;
    CHECK(run_session(folder / "y.db", limited, short_of_time) == 0);
    CHECK(has_note(short_of_time, "a round takes 20 s: it ends with its --time of 70 s, before the look "
                                  "after 5 rounds"));
}

TEST_CASE("a kill at any place of a round loses at most one launch and changes no order") {
    const SessionWish wanted = wish({"a", "b", "c"}, 3);
    std::vector<std::pair<int, std::string>> undisturbed;
    {
        const ScratchFolder folder;
        InventedHands hands(folder / "x.db");
        CHECK(run_session(folder / "x.db", wanted, hands) == 0);
        undisturbed = hands.launched;
    }
    for (int place = 0; place < 9; ++place)
        for (const bool after : {false, true}) {
            CAPTURE(place);
            CAPTURE(after);
            const ScratchFolder folder;
            const std::string path = folder / "x.db";
            InventedHands first(path);
            (after ? first.kill_after : first.kill_before) = place;
            CHECK_THROWS_AS((void)run_session(path, wanted, first), Killed);
            InventedHands second(path);
            CHECK(run_session(path, wanted, second) == 0);
            std::vector<std::pair<int, std::string>> all = first.launched;
            all.insert(all.end(), second.launched.begin(), second.launched.end());
            CHECK(all == undisturbed);
            CHECK(progress_of_session(Database::open(path), session_in(path).uuid).done.size() == 9);
        }
}

TEST_CASE("the time that a session has used includes the starts of its launches, and no pause") {
    const ScratchFolder folder;
    Database database = Database::open_for_writing(folder / "x.db");
    Session session;
    session.uuid = "s";
    session.variants.resize(2);
    session.variants[0].name = "a";
    session.variants[1].name = "b";
    database.begin_session(session);
    const auto launch = [&](int round, const std::string& variant, const std::string& begin,
                            const std::string& end, std::int64_t suites_s = 0) {
        Run run;
        run.uuid = variant + std::to_string(round);
        run.kind = "raw";
        run.variant = variant;
        run.started_utc = "2026-11-24T" + begin + "Z";
        run.ended_utc = "2026-11-24T" + end + "Z";
        run.session_place = {"s", round, 0};
        if (suites_s > 0)
            run.facts[fact_suites_ns] = std::to_string(suites_s * 1'000'000'000);
        database.end_run(database.begin_run(run, {}), run);
    };
    launch(1, "a", "10:00:00", "10:00:10");
    launch(1, "b", "10:00:12", "10:00:20");
    launch(2, "b", "11:00:00", "11:00:05");
    launch(2, "a", "11:00:06", "11:00:10");
    CHECK(progress_of_session(database, "s").launches_s == 20 + 10);
    launch(3, "a", "12:00:00", "15:00:07", 7); // the clock was set meanwhile
    launch(3, "b", "15:00:07", "14:00:15", 8);
    CHECK(progress_of_session(database, "s").launches_s == 20 + 10 + 7 + 8);
}

TEST_CASE(
    "a launch that fails is tried again at the end of its round, and a variant that always fails is given up") {
    const ScratchFolder folder;
    InventedHands hands(folder / "x.db");
    hands.fails["b"] = 1;
    CHECK(run_session(folder / "x.db", wish({"a", "b", "c"}, 2), hands) == 1);
    CHECK(hands.launched.size() == 7);
    CHECK(hands.launched[3] == std::pair(1, std::string("b")));
    CHECK(
        progress_of_session(Database::open(folder / "x.db"), session_in(folder / "x.db").uuid).done.size() ==
        6);

    InventedHands without(folder / "y.db");
    without.fails["b"] = 1000;
    CHECK(run_session(folder / "y.db", wish({"a", "b", "c"}, 6), without) == 1);
    CHECK(without.launched.size() == 12 + 2); // two tries in the first round, none after it
    CHECK(session_in(folder / "y.db").end == SessionEnd::rounds);

    InventedHands alone(folder / "z.db");
    alone.fails["b"] = 1000;
    CHECK(run_session(folder / "z.db", wish({"a", "b"}, 6), alone) ==
          static_cast<int>(ExitStatus::impossible));
    CHECK(session_in(folder / "z.db").end == SessionEnd::failed);
    CHECK(Database::open(folder / "z.db").session_failures(session_in(folder / "z.db").uuid).size() == 2);

    InventedHands later(folder / "u.db"); // one that came up before has three rounds
    SessionWish of_days = wish({"a", "b", "c"}, 6);
    of_days.session.decides = false;
    later.fails["b"] = 1000;
    CHECK(run_session(folder / "u.db", of_days, later) == 1);
    CHECK(later.launched.size() == 12 + 2 * 3);
}

TEST_CASE("in a race who is slower everywhere leaves, and stays away after an interruption") {
    const ScratchFolder folder;
    const std::string path = folder / "x.db";
    SessionWish race = wish({"a", "b", "c"}, 4);
    race.session.race = true;
    InventedHands hands(path);
    hands.at_rounds[2] = {3, {"c"}, 4};
    hands.kill_before = 9; // in round 4: 3 + 3 + 2 + 1
    CHECK_THROWS_AS((void)run_session(path, race, hands), Killed);
    InventedHands again(path);
    again.at_rounds[4] = {3, {"c"}, 4};
    again.at_rounds[3] = {3, {"c"}, 4};
    CHECK(run_session(path, race, again) == 0);
    int of_c = 0;
    for (const InventedHands* const each : {&hands, &again})
        for (const auto& [round, name] : each->launched)
            of_c += name == "c" ? 1 : 0;
    CHECK(of_c == 2);
}

TEST_CASE(
    "a signal leaves the session open, a refusal in the first round ends all, another definition is refused") {
    const ScratchFolder folder;
    const std::string path = folder / "x.db";
    InventedHands stopped(path);
    stopped.status_of[2] = 143;
    CHECK(run_session(path, wish({"a", "b"}, 3), stopped) == 143);
    CHECK(session_in(path).end == SessionEnd::not_yet);

    InventedHands other(path);
    CHECK_THROWS_AS((void)run_session(path, wish({"a", "c"}, 3), other), InputError);
    CHECK_THROWS_AS((void)run_session(path, wish({"a", "b"}, 4), other), InputError);
    SessionWish margin = wish({"a", "b"}, 3);
    margin.session.margin = 0.01;
    CHECK_THROWS_AS((void)run_session(path, margin, other), InputError);
    CHECK(other.launched.empty());
    SessionWish longer = wish({"a", "b"}, 3);
    longer.session.time_limit_s = 1e6;
    CHECK(run_session(path, longer, other) == 0);
    CHECK(other.launched.size() == 4);
    SessionWish fresh = wish({"a", "c"}, 2);
    fresh.fresh = true;
    CHECK(run_session(path, fresh, other) == 0);
    CHECK(Database::open(path).sessions().size() == 2);

    InventedHands elsewhere(folder /
                            "z.db"); // a launch that is refused later on is no failure of its variant
    elsewhere.status_of[4] = 2;
    CHECK(run_session(folder / "z.db", wish({"a", "b"}, 3), elsewhere) == 2);
    CHECK(elsewhere.launched.size() == 5);
    CHECK(session_in(folder / "z.db").end == SessionEnd::not_yet);
    CHECK(Database::open(folder / "z.db").session_failures(session_in(folder / "z.db").uuid).empty());

    InventedHands refused(folder / "y.db");
    refused.status_of[0] = 2;
    CHECK(run_session(folder / "y.db", wish({"a", "b"}, 3), refused) == 2);
    CHECK(refused.launched.size() == 1);
}

TEST_CASE("while a session is launched into a file a second command does nothing to it") {
    const ScratchFolder folder;
    const std::string path = folder / "x.db";
    InventedHands hands(path);
    {
        const FileLock first(FileLock::path_for(path, session_lock_ending), path);
        CHECK_THROWS_AS((void)run_session(path, wish({"a", "b"}, 2), hands), SystemError);
        CHECK(hands.launched.empty());
        CHECK_FALSE(std::filesystem::exists(path));
    }
    CHECK(run_session(path, wish({"a", "b"}, 2), hands) == 0);
    CHECK(hands.launched.size() == 4);
    {
        const FileLock other(FileLock::path_for(path, session_lock_ending), path);
        CHECK_THROWS_AS((void)Database::open_for_writing(path), SystemError); // between two launches
        join_session_at(path);
        CHECK_NOTHROW((void)Database::open_for_writing(path));
        join_session_at("another.db");
    }
    CHECK_NOTHROW((void)Database::open_for_writing(path));
    CHECK_FALSE(std::filesystem::exists(FileLock::path_for(path, session_lock_ending)));
}

TEST_CASE("the last line and the exit status are of all launches, those before an interruption among them") {
    const auto line_of = [](const std::string& path, int status) {
        const Database database = Database::open(path);
        const SessionSums sums = sums_of_session(database, database.sessions().back().uuid);
        CHECK((sums.incomplete + sums.failed == 0) == (status == 0));
        return session_line(sums, LookResult{2, {}, 7, 2, 1}, status == 0);
    };
    const ScratchFolder folder;
    InventedHands good(folder / "good.db");
    CHECK(run_session(folder / "good.db", wish({"a", "b"}, 3), good) == 0);
    CHECK(line_of(folder / "good.db", 0) ==
          "SKAMPI: OK rounds=3 launches=6 decided=5 open=2 found=3 failed=0");

    InventedHands first(folder / "x.db");
    first.suite_of[1] = SuiteState::finished;
    first.kill_before = 2;
    const SessionWish wanted = wish({"a", "b"}, 3);
    CHECK_THROWS_AS((void)run_session(folder / "x.db", wanted, first), Killed);
    InventedHands second(folder / "x.db");
    CHECK(run_session(folder / "x.db", wanted, second) == 1);
    CHECK(
        line_of(folder / "x.db", 1) ==
        "SKAMPI: INCOMPLETE 1 of 6 launches lack points, rounds=3 launches=6 decided=5 open=2 found=3 failed=0");
    SessionWish again = wanted; // it has ended, and stays what it is
    again.once = true;
    CHECK(run_session(folder / "x.db", again, second) == 1);

    InventedHands failing(folder / "y.db");
    failing.suite_of[3] = SuiteState::failed;
    failing.fails["b"] = 1;
    CHECK(run_session(folder / "y.db", wanted, failing) == 1);
    CHECK(line_of(folder / "y.db", 1) ==
          "SKAMPI: FAILED rounds=3 launches=6 decided=5 open=2 found=3 failed=2");
}

TEST_CASE("a session in which nothing can be compared ends at its first look, and is not called decided") {
    const ScratchFolder folder;
    InventedHands hands(folder / "x.db");
    hands.at_rounds[2] = LookResult{};
    CHECK(run_session(folder / "x.db", wish({"a", "b"}, 40), hands) == 3);
    CHECK(session_in(folder / "x.db").end == SessionEnd::failed);
    CHECK(hands.looks == 1);
}

TEST_CASE("points that launches lack are no failure where all is decided, and are told of once") {
    const ScratchFolder folder;
    InventedHands hands(folder / "x.db");
    hands.suite_of = {{1, SuiteState::finished}, {2, SuiteState::finished}};
    hands.open = 0;
    CHECK(run_session(folder / "x.db", wish({"a", "b"}, 40), hands) == 0);
    CHECK(session_in(folder / "x.db").end == SessionEnd::decided);
    CHECK(std::ranges::count_if(hands.notes, [](const std::string& note) {
              return note.starts_with("2 of 4 launches lack points");
          }) == 1);
    hands.suite_of[5] = SuiteState::failed;
    SessionWish again = wish({"a", "b"}, 40);
    again.fresh = true;
    CHECK(run_session(folder / "x.db", again, hands) == 1);
}

namespace {

/// Suites "rule", "next" and "control" of two variants, of which "rule" differs.
SessionLaunches three_suites(double of_launch) {
    bench::InventedSession wanted{.suites = {"rule", "next", "control"}};
    wanted.rounds = 5;
    wanted.of_launch = of_launch;
    SessionLaunches launches = bench::invent_session(wanted, 3);
    for (auto& [uuid, launch] : launches.variants[1].curves[0].launches)
        for (auto& [argument, value] : launch.values)
            value *= 3;
    return launches;
}

} // namespace

TEST_CASE("a look counts what is asked, and ends when some suites are decided as a whole") {
    const SessionLaunches launches = three_suites(0.05);
    const SessionContest session = judge_session(launches, look_due(launches));
    const auto open = [&](const std::set<std::string>& awaited) {
        return look_result(session, awaited).open;
    };
    const LookResult all = look_result(session);
    CHECK(all.statements == 12); // the whole and three classes each
    CHECK(all.different == 4);
    CHECK(all.open == 8);
    CHECK(all.ranges == 0);
    CHECK(all.slower_everywhere.empty());
    CHECK(open({"rule"}) == 0);
    CHECK(open({"rule", "next"}) == 1);
    CHECK(open({"rule", "not measured yet"}) == 1);
}

TEST_CASE("what cannot be compared keeps no session open") {
    SessionLaunches launches = three_suites(0.05);
    launches.variants[1].curves.pop_back();          // the variant has no such suite
    launches.variants[1].curves[1].launches.clear(); // and no values of another
    const SessionContest session = judge_session(launches, look_due(launches));
    const LookResult look = look_result(session);
    CHECK(look.open == 0);
    CHECK(look.slower_everywhere == std::vector<std::string>{"new"});
    CHECK(look_result(session, {"rule", "next", "control"}).open == 0);
}
