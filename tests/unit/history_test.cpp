// SPDX-License-Identifier: GPL-2.0-or-later
#include "analysis/history/history.hpp"
#include "analysis/history/history_gate.hpp"
#include "history/history_record.hpp"

#include "base/error.hpp"
#include "base/utc.hpp"
#include "formats/text/plain_text.hpp"
#include "history/history_data.hpp"
#include "history/history_document.hpp"
#include "scratch_folder.hpp"
#include "words/history_words.hpp"

#include "../tool/invented_results.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <doctest/doctest.h>
#include <nlohmann/json.hpp>
#include <random>

using namespace skampi;
using namespace skampi::test;

namespace {

constexpr double first_start_s = 1704103200; // 2024-01-01T10:00:00Z

struct InventedYear {
    int days = 400;
    int stepped = 250; ///< the first day on which Bcast takes longer
    double step = 1.08;
    std::string name = "daily";
    int ranks = 16;
};

std::vector<InventedSuite> plan_of(double factor, double bcast_factor) {
    InventedMachine machine;
    machine.factor = factor;
    const std::vector<InventedSuite> all = full_plan(machine);
    machine.factor = factor * bcast_factor;
    const std::vector<InventedSuite> other = full_plan(machine);
    const auto bcast =
        std::ranges::find(other, "MPI_Bcast", [](const InventedSuite& each) { return each.suite.name; });
    std::vector<InventedSuite> plan{all.front(), *bcast};
    for (InventedSuite& suite : plan)
        suite.arguments = {0, 1, 64, 4096, 65536, 1048576};
    return plan;
}

/// Daily runs with 2 % of noise between them. The kernel changes on day 100 and does nothing; with the step
/// comes another MPI library; every run is on another node.
void write_year(Database& database, const InventedYear& year) {
    std::mt19937 random(11);
    std::normal_distribution<double> normal;
    for (int day = 0; day < year.days; ++day) {
        Run run = invented_run(year.name + "-" + std::to_string(day), day);
        run.started_utc = utc_text(first_start_s + day * seconds_per_day);
        run.ranks = year.ranks;
        run.mpi_library = day < year.stepped ? "MPICH Version: 4.0.2" : "MPICH Version: 4.1.0";
        run.facts["kernel"] = day < 100 ? "Linux 6.1.0" : "Linux 6.2.0";
        for (RankFacts& rank : run.rank_facts)
            rank.processor += "-" + std::to_string(day % 37); // ranks that share a host still do
        write_run(database, run,
                  plan_of(1 + 0.02 * normal(random),
                          (1 + 0.02 * normal(random)) * (day < year.stepped ? 1 : year.step)),
                  static_cast<unsigned>(day + 1), 0.001);
    }
}

std::string written(const ScratchFolder& folder, const std::string& name, const InventedYear& year) {
    const std::string path = folder / name;
    Database database = Database::open_for_making(path);
    write_year(database, year);
    return path;
}

const HistoryLine& line(const HistorySeries& series, const std::string& name) {
    const auto found = std::ranges::find(series.lines, name, &HistoryLine::name);
    REQUIRE_MESSAGE(found != series.lines.end(), "no line ", name);
    return *found;
}

/// Of a run so many days after the first start, without any value.
RunRecord record_of_day(int day) {
    RunRecord record;
    record.run.uuid = std::to_string(day);
    record.run.started_s = first_start_s + day * seconds_per_day;
    record.run.started_utc = utc_text(record.run.started_s);
    return record;
}

} // namespace

TEST_CASE(
    "a step in a year of daily runs is found, shown and held against a gate, with the library that changed there") {
    const ScratchFolder folder;
    const History history = read_history({written(folder, "year.db", {})}, {});
    REQUIRE(history.series.size() == 1);
    const HistorySeries& series = history.series.front();
    CHECK(series.runs.size() == 400);

    const HistoryLine& small = line(series, "MPI_Bcast, 0 B");
    const HistoryLine& large = line(series, "MPI_Bcast, 1 MiB");
    for (const HistoryLine* bcast : {&small, &line(series, "MPI_Bcast, 4 KiB"), &large}) {
        REQUIRE(bcast->steps.size() == 1);
        CHECK(bcast->steps[0].at >= 249);
        CHECK(bcast->steps[0].at <= 251);
        CHECK(bcast->steps[0].statement.ratio == doctest::Approx(1.08).epsilon(0.015));
    }
    CHECK(large.values.size() == 400);
    REQUIRE(large.scatter());
    CHECK(*large.scatter() > 0.015);
    CHECK(*large.scatter() < 0.04); // the step is no scatter
    for (const HistoryLine& each : series.lines)
        if (each.suite != "MPI_Bcast")
            CHECK_MESSAGE(each.steps.empty(), each.name);

    REQUIRE(series.events.size() == 1);
    const HistoryEvent& event = series.events.front();
    CHECK(event.steps.size() == 3);
    REQUIRE(event.changed.size() == 1);
    CHECK(event.changed[0].run == 250);
    CHECK(event.changed[0].name == "MPI library");
    CHECK(event.changed[0].before == "MPICH 4.0.2");
    CHECK(event.changed[0].after == "MPICH 4.1.0");
    // The nodes are others in every run: that says nothing. The kernel is another one elsewhere.
    REQUIRE(series.changes.size() == 2);
    CHECK(series.changes[0].run == 100);
    CHECK(series.changes[0].name == "Kernel");

    { // every format can show it
        const Table headlines = build_history_document(history, "", true).cover.headlines;
        REQUIRE(headlines.rows.size() == 1);
        CHECK(headlines.rows[0][3].find("1.0") == 0);
        const Document document = build_history_document(history, "", false);
        CHECK(plain_text(document, {}, {}).find("MPI_Bcast, 1 MiB") != std::string::npos);
        REQUIRE(document.cover.overview.has_value());
        const Panel& panel = document.cover.overview->figure.panels.front();
        REQUIRE(panel.vertical_marks.size() == 1);
        CHECK(panel.layers[0].points.size() == 400);
        CHECK(panel.x.ticks.front().label.size() == std::string_view("2024-01").size());
    }
    { // a gate fails where the step was found with a new run, and is of its suites alone
        const std::vector<std::string> slower{"significantly slower"};
        const auto count = [&](const std::vector<std::string>& gates, std::size_t last) {
            return check_history(history, gates, {.last = last}).size();
        };
        const std::size_t found_at = small.steps[0].found_at;
        CHECK(found_at >= 254);
        CHECK(found_at < 270);
        CHECK(count(slower, 400 - found_at - 1) < 3);
        const std::vector<HistoryFinding> failing = check_history(history, slower, {.last = 150});
        REQUIRE(failing.size() == 3);
        CHECK(failing[0].line->name == "MPI_Bcast, 0 B");
        CHECK(failing[0].fails);
        const double found_s = series.runs[found_at].started_s;
        CHECK(check_history(history, slower, {.since_s = first_start_s + 249 * seconds_per_day}).size() == 3);
        CHECK(check_history(history, slower, {.since_s = found_s + 30 * seconds_per_day}).empty());
        CHECK(count({"significantly faster"}, 160) == 0);
        CHECK(count({"MPI_Bcast > 1.05"}, 160) == 3);
        CHECK(count({"MPI_Bcast > 1.2"}, 160) == 0);
        CHECK(count({"MPI_Send* > 1.05"}, 160) == 0);
        CHECK_THROWS_AS((void)count({"MPI_Reduce > 1.05"}, 160), InputError);
    }
    { // JSON holds values and steps, CSV a row for each value
        const nlohmann::json json = nlohmann::json::parse(history_json(history));
        REQUIRE(json["series"].size() == 1);
        CHECK(json["series"][0]["runs"].size() == 400);
        const auto& lines = json["series"][0]["lines"];
        CHECK(std::ranges::count_if(lines, [](const auto& each) { return !each["steps"].empty(); }) == 3);
        const std::string csv = history_csv(history);
        std::size_t values = 0;
        for (const HistoryLine& each : series.lines)
            values += each.values.size();
        CHECK(static_cast<std::size_t>(std::ranges::count(csv, '\n')) == values + 1);
    }
}

TEST_CASE("files are one history, in the order of time, and a run in two files is counted once") {
    const ScratchFolder folder;
    InventedYear year;
    year.days = 30;
    year.stepped = 18;
    year.step = 2;
    const std::string whole = written(folder, "whole.db", year);
    year.days = 5;
    const std::string begin = written(folder, "begin.db", year); // the first runs again
    const History history = read_history({whole, begin}, {"MPI_Bc*"});
    REQUIRE(history.series.size() == 1);
    CHECK(history.series[0].runs.size() == 30);
    REQUIRE(history.notes.size() == 1);
    CHECK(history.notes[0].kind == NoteKind::runs_twice);
    CHECK(history.series[0].lines.size() == 3);
    const History reversed = read_history({begin, whole}, {"MPI_Bc*"});
    CHECK(reversed.series[0].lines[0].values == history.series[0].lines[0].values);
    REQUIRE(reversed.series[0].lines[0].steps.size() == 1);
    CHECK(reversed.series[0].lines[0].steps[0].at == 18);
    CHECK_THROWS_AS((void)read_history({whole}, {"MPI_Nothing"}), InputError);
}

TEST_CASE("a launch is one point, though a merged run is made of it; the one of fewer launches is shown") {
    const auto record = [](const std::string& uuid, double started_s, std::vector<std::string> launches) {
        RunRecord made;
        made.run.uuid = made.run.file = uuid;
        made.run.started_s = started_s;
        made.launches = std::move(launches);
        made.suites.push_back({"MPI_Bcast", "", {{"MPI_Bcast, 8 B", LineUnit::time, false, 8, started_s}}});
        return made;
    };
    const std::vector<RunRecord> records{
        record("all", 1, {"a", "b", "c", "d", "e", "x", "y"}), // of what others show
        record("a", 1, {}),
        record("b", 2, {}),
        record("of c d e", 3, {"c", "d", "e"}),
        record("of c d", 4, {"c", "d"}),
        record("of d e", 5, {"d", "e"}), // as many as the one before
        record("of f g", 6, {"f", "g"}),
        record("g in another way", 6, {"f", "g"}),
    };
    const auto shown = [](std::vector<RunRecord> order) {
        HistoryBuilder builder;
        for (RunRecord& each : order)
            builder.add(std::move(each));
        const History history = builder.finished();
        std::vector<std::string> uuids;
        for (const HistoryRun& run : history.series.at(0).runs)
            uuids.push_back(run.uuid);
        REQUIRE(history.notes.size() == 1);
        CHECK(history.notes[0].kind == NoteKind::merged_left_out);
        CHECK(history.notes[0].runs == 4);
        return uuids;
    };
    const std::vector<std::string> expected{"a", "b", "of c d", "g in another way"};
    CHECK(shown(records) == expected);
    CHECK(shown({records.rbegin(), records.rend()}) == expected);
}

TEST_CASE("the records of a database tell of which launches its runs were merged, and keep it as texts") {
    const ScratchFolder folder;
    {
        Database database = Database::open_for_making(folder / "merged.db");
        write_merged(database, invented_run("merged"), {}, 5, 1, 0.01);
        Database raw = Database::open_for_making(folder / "raw.db");
        write_run(raw, invented_run("merged-launch3"), plan_of(1, 1), 1, 0.01);
    }
    std::vector<RunRecord> records;
    const auto read = [&](const std::string& path) {
        for_each_record(
            path, {}, [](const std::string&) {},
            [&](RunRecord&& record) { records.push_back(std::move(record)); });
    };
    read(folder / "merged.db");
    read(folder / "raw.db");
    REQUIRE(records.size() == 2);
    CHECK(records[0].launches == std::vector<std::string>{"merged-launch0", "merged-launch1",
                                                          "merged-launch2", "merged-launch3",
                                                          "merged-launch4"});
    CHECK(records[1].launches.empty());
    const auto kept = records_from_text(to_text(records));
    REQUIRE(kept.has_value());
    CHECK(kept->at(0).launches == records[0].launches);
    const History history = read_history({folder / "merged.db", folder / "raw.db"}, {});
    REQUIRE(history.series.size() == 1);
    CHECK(history.series[0].runs.size() == 1);
    CHECK(history.series[0].runs[0].uuid == "merged-launch3");
}

namespace {

/// A line of launches with 1 % of noise, the probe of the machine with them.
RunRecord noisy_record(int day, double slower, double probe) {
    std::mt19937 random(static_cast<unsigned>(500 + day));
    std::normal_distribution<double> normal;
    RunRecord record = record_of_day(day);
    record.run.probe_s = 275e-9 * probe * std::exp(0.005 * normal(random));
    record.suites.push_back(
        {"MPI_Bcast",
         "",
         {{"MPI_Bcast, 8 B", LineUnit::time, false, 8, 1e-6 * slower * std::exp(0.01 * normal(random))}}});
    return record;
}

} // namespace

TEST_CASE("a nightly gate fails in one night for one step, and in none for too few runs") {
    using Kind = HistoryFinding::Kind;
    const std::vector<std::string> gate{"significantly slower"};
    std::vector<int> failed;
    for (int nights = 1; nights <= 70; ++nights) {
        HistoryBuilder builder;
        for (int day = 0; day < nights; ++day)
            builder.add(noisy_record(day, day < 40 ? 1 : 1.2, 1));
        const History history = builder.finished();
        const std::vector<HistoryFinding> found = check_history(history, gate, {});
        if (nights < static_cast<int>(least_for_a_step)) {
            REQUIRE(found.size() == 1);
            CHECK(found[0].kind == Kind::too_few_runs);
            CHECK_FALSE(found[0].fails);
        } else if (!found.empty()) {
            REQUIRE(found.size() == 1);
            REQUIRE(found[0].fails);
            const HistorySeries& series = *found[0].series;
            CHECK(series.runs[found[0].line->runs[found[0].step->at]].moment() == "2024-02-10 10:00");
            CHECK(found[0].step->statement.verdict == Verdict::slower);
            CHECK(found[0].step->statement.low > 1.1);
            CHECK(found[0].step->statement.high < 1.3);
            failed.push_back(nights);
        }
    }
    REQUIRE(failed.size() == 1);
    CHECK(failed[0] > 44);
    CHECK(failed[0] <= 50);
}

TEST_CASE("a run with a wrong date is where it was stored, and hides no step") {
    const std::vector<std::string> gate{"significantly slower"};
    const double now_s = first_start_s + 100 * seconds_per_day;
    // What is told of 60 nights with a step on day 40, of which one has another date.
    const auto failed_nights = [&](int wrong, double wrong_s, bool file_each) {
        std::vector<int> failed;
        for (int nights = 30; nights <= 60; ++nights) {
            HistoryBuilder builder(now_s);
            for (int day = 0; day < nights; ++day) {
                RunRecord record = noisy_record(day, day < 40 ? 1 : 1.2, 1);
                record.run.file = file_each ? std::to_string(day) : "daemon.db";
                if (day == wrong) {
                    record.run.started_s = wrong_s;
                    record.run.started_utc = utc_text(wrong_s);
                }
                builder.add(std::move(record));
            }
            const History history = builder.finished();
            REQUIRE(history.series.size() == 1);
            REQUIRE(history.notes.size() == (wrong >= 0 && wrong < nights ? 1 : 0));
            if (!history.notes.empty()) {
                CHECK(history.notes[0].kind == NoteKind::wrong_start);
                CHECK(history.notes[0].runs == 1);
                CHECK(history.notes[0].last_moment == utc_text(wrong_s).replace(10, 1, " ").substr(0, 16));
            }
            if (!check_history(history, gate, {}).empty())
                failed.push_back(nights);
        }
        return failed;
    };
    const std::vector<int> expected = failed_nights(-1, 0, false);
    REQUIRE(expected.size() == 1);
    const double in_2099_s = utc_seconds("2099-01-01T00:00:00Z").value();
    for (const int wrong : {20, 40, 44}) {
        CAPTURE(wrong);
        CHECK(failed_nights(wrong, in_2099_s, false) == expected);
        CHECK(failed_nights(wrong, in_2099_s, true) == expected);
        CHECK(failed_nights(wrong, 0, false) == expected); // a clock without a battery
    }
    CHECK(failed_nights(20, first_start_s + 70 * seconds_per_day, false) == expected);
}

TEST_CASE("runs that a file holds in another order are ordered by their dates") {
    HistoryBuilder builder(first_start_s + 100 * seconds_per_day);
    for (int day = 59; day >= 0; --day) {
        RunRecord record = noisy_record(day, day < 40 ? 1 : 1.2, 1);
        record.run.file = "newest-first.csv";
        builder.add(std::move(record));
    }
    const History history = builder.finished();
    CHECK(history.notes.empty());
    CHECK(history.series.at(0).runs.front().uuid == "0");
    CHECK(history.series.at(0).lines.at(0).steps.at(0).at == 40);
}

TEST_CASE("a step at which the probe changed as well is a step, with that remark") {
    HistoryBuilder builder;
    for (int day = 0; day < 60; ++day)
        builder.add(noisy_record(day, day < 40 ? 1 : 1.2, day < 40 ? 1 : 1.2));
    const History history = builder.finished();
    const std::vector<HistoryFinding> found = check_history(history, {"> 1.1"}, {.last = 20});
    REQUIRE(found.size() == 1);
    CHECK(found[0].fails);
    REQUIRE(found[0].event != nullptr);
    CHECK(found[0].event->probe_ratio.value_or(0) == doctest::Approx(1.2).epsilon(0.02));
}

TEST_CASE("a slower probe is no remark on an operation that became faster") {
    HistoryBuilder builder;
    for (int day = 0; day < 60; ++day)
        builder.add(noisy_record(day, day < 40 ? 1.2 : 1, day < 40 ? 1 : 1.2));
    const History history = builder.finished();
    REQUIRE(history.series.at(0).events.size() == 1);
    CHECK_FALSE(history.series[0].events[0].probe_ratio.has_value());
}

TEST_CASE("a run without a core has no value in a line, but a lasting change is a step") {
    const auto starved_from = [](int first, int last) {
        HistoryBuilder builder;
        for (int day = 0; day < 60; ++day) {
            const bool starved = first <= day && day <= last;
            RunRecord record = noisy_record(day, starved ? 5000 : 1, 1);
            record.suites[0].probe_s = starved ? 5e-3 : 275e-9;
            builder.add(std::move(record));
        }
        return builder.finished();
    };
    const History some = starved_from(40, 42);
    CHECK(some.series.at(0).lines.at(0).values.size() == 57);
    CHECK(some.series[0].lines[0].steps.empty());
    const History lasting = starved_from(40, 59);
    CHECK(lasting.series.at(0).lines.at(0).values.size() == 60);
    CHECK(lasting.series[0].lines[0].steps.size() == 1);
}

TEST_CASE("a suite goes on where only others of the parameter file changed, a changed one begins anew") {
    HistoryBuilder builder;
    for (int day = 0; day < 60; ++day) {
        RunRecord record = noisy_record(day, day < 40 ? 1 : 1.2, 1);
        record.suites.push_back({"MPI_Reduce",
                                 day < 40 ? "without" : "with",
                                 {{"MPI_Reduce, 8 B", LineUnit::time, false, 8, day < 40 ? 2e-6 : 3e-6}}});
        if (day >= 50)
            record.suites.push_back({"MPI_Scan", "", {{"MPI_Scan, 8 B", LineUnit::time, false, 8, 2e-6}}});
        builder.add(std::move(record));
    }
    const History history = builder.finished();
    REQUIRE(history.series.size() == 1);
    CHECK(line(history.series[0], "MPI_Bcast, 8 B").steps.size() == 1);
    CHECK(line(history.series[0], "MPI_Reduce, 8 B, until 2024-02-09 10:00").values.size() == 40);
    CHECK(line(history.series[0], "MPI_Reduce, 8 B").values.size() == 20);
    const std::vector<HistoryFinding> found = check_history(history, {"significantly slower"}, {});
    REQUIRE(found.size() == 1);
    CHECK(found[0].kind == HistoryFinding::Kind::too_few_runs);
    CHECK(found[0].lines == 2);
    CHECK_FALSE(found[0].fails);
}

TEST_CASE("too few runs, and a newest run of long ago, are conditions of their own") {
    HistoryBuilder builder;
    for (int day = 0; day < 10; ++day)
        builder.add(noisy_record(day, 1, 1));
    const History history = builder.finished();
    const double newest_s = first_start_s + 9 * seconds_per_day;
    const std::vector<HistoryFinding> few =
        check_history(history, {"significantly slower", "too few runs"}, {}, newest_s);
    REQUIRE(few.size() == 1);
    CHECK(few[0].condition == "too few runs");
    CHECK(few[0].fails);
    CHECK(check_history(history, {"older than 26h"}, {}, newest_s + 25 * 3600).empty());
    const std::vector<HistoryFinding> old =
        check_history(history, {"older than 26h"}, {}, newest_s + 27 * 3600);
    REQUIRE(old.size() == 1);
    CHECK(old[0].kind == HistoryFinding::Kind::too_old);
    CHECK(old[0].fails);
    for (const char* const wrong : {"older than 26", "older than h", "older than -1h", "older than 26h ago"})
        CHECK_THROWS_AS((void)check_history(history, {wrong}, {}), InputError);
}

TEST_CASE("a step of a series that ended long ago is not reported again with each run of another") {
    HistoryBuilder builder;
    for (int day = 0; day < 46; ++day) {
        RunRecord record = noisy_record(day, day < 40 ? 1 : 1.5, 1);
        record.ranks = 4;
        builder.add(std::move(record));
    }
    const std::vector<std::string> gate{"significantly slower"};
    for (int day = 46; day < 80; ++day) {
        RunRecord record = noisy_record(day, 1, 1);
        record.ranks = 8;
        builder.add(std::move(record));
    }
    const History history = builder.finished();
    REQUIRE(history.series.size() == 2);
    CHECK(history.series[0].lines.at(0).steps.size() == 1);
    CHECK(check_history(history, gate, {}).empty());
    CHECK(check_history(history, gate, {.last = 40}).size() == 1);
}

TEST_CASE("a drift of a line is stated with it") {
    HistoryBuilder builder;
    for (int day = 0; day < 150; ++day)
        builder.add(noisy_record(day, std::pow(1.1, day / 100.0), 1));
    const History history = builder.finished();
    const HistoryLine& bcast = line(history.series.at(0), "MPI_Bcast, 8 B");
    CHECK(bcast.steps.empty());
    REQUIRE(bcast.drift.has_value());
    CHECK(bcast.drift->low < 0.1);
    CHECK(bcast.drift->high > 0.1);
    const nlohmann::json json = nlohmann::json::parse(history_json(history));
    CHECK(json["series"][0]["lines"][0]["drift"]["per_100_runs"] == bcast.drift->per_100_runs);
}

TEST_CASE("runs on another number of ranks are lines of their own") {
    const ScratchFolder folder;
    InventedYear year;
    year.days = 30;
    year.stepped = 100;
    const std::string path = folder / "x.db";
    {
        Database database = Database::open_for_making(path);
        write_year(database, year);
        year.days = 3;
        year.ranks = 8;
        year.name = "fewer";
        write_year(database, year);
    }
    const History history = read_history({path}, {});
    REQUIRE(history.series.size() == 2);
    CHECK(history.series[0].runs.size() == 30);
    CHECK(history.series[0].name == "16 ranks");
    CHECK(history.series[1].name == "8 ranks");
    // Nothing can be said of them: that is no failure.
    const std::vector<HistoryFinding> findings =
        check_history(history, {"MPI_Bcast significantly slower"}, {.last = 30});
    REQUIRE(findings.size() == 1);
    CHECK(findings[0].kind == HistoryFinding::Kind::too_few_runs);
    CHECK(findings[0].series->name == "8 ranks");
    CHECK(findings[0].lines == 3);
    CHECK_FALSE(findings[0].fails);
    // They are no new ones.
    CHECK(check_history(history, {"MPI_Bcast significantly slower"}, {}).empty());
}

TEST_CASE("a database without a run, or one without any time, is refused by its name") {
    const ScratchFolder folder;
    const std::string path = folder / "empty.db";
    { const Database database = Database::open_for_making(path); }
    try {
        (void)read_history({path}, {});
        FAIL("accepted");
    } catch (const InputError& error) {
        CHECK(std::string(error.what()).find("empty.db") != std::string::npos);
    }
}

TEST_CASE(
    "what is kept of runs as a text makes the same history, and a text that is none of ours is refused") {
    const ScratchFolder folder;
    const std::string path = written(folder, "x.db", {.days = 12, .stepped = 6, .step = 1.3});
    std::vector<RunRecord> records;
    CHECK(for_each_record(
              path, {}, [](const std::string&) {},
              [&](RunRecord&& record) { records.push_back(std::move(record)); }) == 0);
    REQUIRE(records.size() == 12);
    std::optional<std::vector<RunRecord>> read = records_from_text(to_text(records));
    REQUIRE(read.has_value());
    HistoryBuilder builder;
    for (auto record = read->rbegin(); record != read->rend(); ++record) // in any order
        builder.add(std::move(*record));
    const History kept = builder.finished();
    const History direct = read_history({path}, {});
    CHECK(history_csv(kept) == history_csv(direct));
    CHECK(history_json(kept) == history_json(direct));
    REQUIRE(kept.series.size() == 1);
    CHECK(kept.series[0].machine == "Cluster of Invented Machines");
    CHECK(kept.series[0].ranks == 16);
    CHECK(kept.series[0].runs[3].facts == direct.series[0].runs[3].facts);

    std::string text = to_text(records);
    CHECK_FALSE(records_from_text(text.substr(0, text.size() / 2)).has_value());
    CHECK_FALSE(records_from_text("{}").has_value());
    CHECK_FALSE(records_from_text("").has_value());
    text.replace(text.find("\"version\":2"), 11, "\"version\":1");
    CHECK_FALSE(records_from_text(text).has_value());
    CHECK(HistoryBuilder().finished().series.empty());
}

TEST_CASE("one value far from all others does not take their room in a plot") {
    struct Case {
        int days;
        double room; ///< the upper end by the lower one
    };
    // Days differ by 1 % and one by 20,000 times; of three nobody knows what is usual.
    for (const Case& each : {Case{30, 1.4}, Case{3, 6}}) {
        CAPTURE(each.days);
        const ScratchFolder folder;
        const std::string path = folder / "x.db";
        {
            Database database = Database::open_for_making(path);
            for (int day = 0; day < each.days; ++day) {
                Run run = invented_run("daily-" + std::to_string(day), day);
                run.started_utc = utc_text(first_start_s + day * seconds_per_day);
                write_run(database, run,
                          plan_of(day == each.days / 2 ? 20000 : 1 + 0.002 * ((day * 7) % 5), 1),
                          static_cast<unsigned>(day + 1), 0.001);
            }
        }
        const Document document = build_history_document(read_history({path}, {}), "", false);
        REQUIRE(document.cover.overview.has_value());
        for (const Panel& panel : document.cover.overview->figure.panels) {
            CAPTURE(panel.title);
            CHECK(panel.y.high < each.room * panel.y.low);
        }
    }
}

TEST_CASE("a history says what is to be said against its runs") {
    HistoryBuilder builder;
    for (int day = 0; day < 4; ++day) {
        RunRecord record = noisy_record(day, 1, 1);
        if (day == 1 || day == 2)
            record.run.doubts = day == 1 ? "flagged unsettled" : "the measurements were interrupted";
        builder.add(std::move(record));
    }
    const History history = builder.finished();
    REQUIRE(history.notes.size() == 1);
    CHECK(history.notes[0].kind == NoteKind::runs_in_doubt);
    CHECK(history.notes[0].runs == 2);
    CHECK(history.notes[0].of_runs == 4);
    CHECK(history.notes[0].last_moment == "2024-01-03 10:00");
    CHECK(history.notes[0].last_doubts == "the measurements were interrupted");
}
