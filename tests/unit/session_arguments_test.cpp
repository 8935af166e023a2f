// SPDX-License-Identifier: GPL-2.0-or-later
#include "runs/earlier_launches.hpp"

#include "model/session.hpp"
#include "scratch_folder.hpp"

#include <doctest/doctest.h>
#include <string>
#include <vector>

using namespace skampi;

namespace {

using Arguments = std::vector<std::int64_t>;

/// A database to which launches of a session are added, one after the other.
class RefiningLaunches {
public:
    struct Launch {
        int round = 1;
        Arguments measured;
        bool ended = true;
        Varied varied = Varied::message_length;
        skalib::Scale scale = skalib::Scale::dynamic_log;
        std::int64_t end = 16384;
        int without_time = 0;
    };
    void add(const Launch& launch) {
        Run run;
        run.uuid = std::to_string(++runs_);
        run.variant = "v" + run.uuid;
        run.session_place = {"s", launch.round, 0};
        Suite suite;
        suite.name = "f";
        suite.varied = launch.varied;
        suite.arguments = {.scale = launch.scale, .start = 1024, .end = launch.end, .stepwidth = 2};
        const RunId id = database_.begin_run(run, {suite});
        for (const std::int64_t argument : launch.measured) {
            Measurement measurement;
            measurement.argument = argument;
            measurement.value_s = 1e-6;
            database_.add_batches(database_.begin_measurement(database_.suites(id).front().id, measurement),
                                  {}, measurement, true);
        }
        if (launch.without_time > 0)
            database_.set_suite_facts(database_.suites(id).front().id,
                                      {{fact_left_out, std::to_string(launch.without_time)}});
        if (launch.ended) {
            run.ended_utc = "2026-03-01T10:05:00Z";
            database_.end_run(id, run);
        }
    }
    [[nodiscard]] Arguments in_round(int round, const std::vector<Variant>& variants = {}) const {
        const auto all =
            arguments_of_session(database_, launches_of_session(database_, "s"), variants, round);
        const auto found = all.find("f");
        return found == all.end() ? Arguments() : found->second;
    }

private:
    ScratchFolder folder_;
    Database database_ = Database::open_for_writing(folder_ / "x.db");
    int runs_ = 0;
};

} // namespace

TEST_CASE("from the second round on all launches measure where one of the first round has looked") {
    RefiningLaunches session;
    CHECK(session.in_round(1).empty());
    session.add({.measured = {1024, 2048, 4096, 8192, 8193, 8448, 12288, 16384}});
    CHECK(session.in_round(1).empty()); // the other variant looks for itself
    session.add({.measured = {1024, 2048, 4096, 8192, 9700, 9800, 12288, 13500, 16384}});
    const Arguments common{1024, 2048, 4096, 8192, 9700, 12288, 13500, 16384};
    CHECK(session.in_round(2) == common); // 8193 and 8448 lie beside 8192, 9800 beside 9700
    SUBCASE("whatever the later ones measured") {
        session.add({.round = 2, .measured = {1024, 3000, 16384}});
        CHECK(session.in_round(2) == common);
        CHECK(session.in_round(3) == common);
    }
    SUBCASE("a round that was not finished says nothing") {
        session.add({.round = 1, .measured = {3000}, .ended = false});
        CHECK(session.in_round(2) == common);
    }
}

TEST_CASE("many variants do not make many times as many lengths, and a fixed scale stays as it is") {
    RefiningLaunches session;
    for (std::int64_t variant = 0; variant < 8; ++variant) {
        Arguments own{1024, 2048, 4096, 8192, 16384};
        for (std::int64_t i = 1; i < 4; ++i)
            own.push_back(8192 + 2048 * i + 250 * variant);
        session.add({.measured = own});
    }
    const Arguments common = session.in_round(2);
    CHECK(common.size() <= 16);
    CHECK(common.size() > 8);

    RefiningLaunches fixed;
    fixed.add({.measured = {1024, 2048}, .scale = skalib::Scale::fixed_log});
    CHECK(fixed.in_round(2).empty());

    RefiningLaunches impossible;
    impossible.add({.measured = {}, .end = 512}); // below its start
    CHECK(impossible.in_round(2).empty());
}

TEST_CASE("what most launches had no time for is measured no more, of any scale") {
    for (const skalib::Scale scale : {skalib::Scale::dynamic_log, skalib::Scale::fixed_log}) {
        RefiningLaunches session;
        const auto add = [&](int round, const Arguments& measured, int without_time) {
            session.add({.round = round, .measured = measured, .scale = scale, .without_time = without_time});
        };
        add(1, {1024, 2048, 4096}, 2);
        add(1, {1024, 2048, 4096, 8192}, 1);
        CHECK(session.in_round(2) == Arguments{1024, 2048, 4096, 8192}); // 8192 as often as not
        add(2, {1024, 2048, 4096}, 1);
        add(2, {1024, 4096}, 2);
        CHECK(session.in_round(2) == Arguments{1024, 2048, 4096, 8192});
        CHECK(session.in_round(3) == Arguments{1024, 2048, 4096});
        add(3, {1024, 2048, 4096}, 0);
        CHECK(session.in_round(4) == Arguments{1024, 2048, 4096});
    }
}

namespace {

Variant set_to(const std::string& value) {
    Variant variant;
    variant.name = value;
    variant.settings = {{"UCX_RNDV_THRESH", value}, {"UCX_TLS", std::nullopt}};
    return variant;
}

} // namespace

TEST_CASE("a variable whose value is a length has lengths near it measured") {
    RefiningLaunches session;
    session.add({.measured = {1024, 2048, 4096, 8192, 16384}});
    CHECK(session.in_round(1, {set_to("8k")}).empty());
    CHECK(session.in_round(2, {set_to("8k")}) ==
          Arguments{1024, 2048, 4096, 6144, 7168, 8192, 9216, 12288, 16384});
    CHECK(session.in_round(2, {set_to("16k")}) == Arguments{1024, 2048, 4096, 8192, 12288, 14336, 16384});
    CHECK(session.in_round(2, {set_to("inf"), set_to("y")}) == Arguments{1024, 2048, 4096, 8192, 16384});

    RefiningLaunches of_other_arguments;
    of_other_arguments.add({.measured = {1024, 2048, 16384}, .varied = Varied::argument});
    CHECK(of_other_arguments.in_round(2, {set_to("8k")}) == Arguments{1024, 2048, 4096, 8192, 16384});
}

TEST_CASE("what may be a length") {
    const Arguments near_1024{768, 896, 1152, 1536};
    for (const char* text : {"1024", "1k", "1K", "1kb", "1KB", "1KiB", "1024B"})
        CHECK(lengths_near_settings({set_to(text)}) == near_1024);
    for (const char* text : {"", "1", "63", "-1024", "1.5k", "1kk", "1024 ", "inf", "y", "0x400", "2g",
                             "99999999999999999999", "recursive_doubling"})
        CHECK(lengths_near_settings({set_to(text)}).empty());
    CHECK(lengths_near_settings({set_to("1k"), set_to("1024"), Variant{}}) == near_1024);
}
