// SPDX-License-Identifier: GPL-2.0-or-later
// The command line of skampi-run.

#include "options.hpp"
#include "scratch_folder.hpp"

#include <doctest/doctest.h>

#include <fstream>
#include <stdexcept>
#include <string>
#include <vector>

using namespace skampi;

namespace {

Options parsed(std::vector<const char*> words) {
    words.insert(words.begin(), "skampi-run");
    return parse_options(static_cast<int>(words.size()), words.data(), CommandLine());
}

Options daemon_with(std::vector<const char*> words) {
    words.insert(words.begin(), {"daemon", "-n", "2"});
    return parsed(words);
}

} // namespace

TEST_CASE("a daemon runs once, and without end where it is told when to start") {
    CHECK(daemon_with({}).runs == 1);
    CHECK(daemon_with({"--every", "6h"}).runs == 0);
    CHECK(daemon_with({"--at", "02:00"}).runs == 0);
    CHECK(daemon_with({"--runs", "0"}).runs == 0);
    CHECK(daemon_with({"--at", "02:00", "--runs", "7"}).runs == 7);
    CHECK(daemon_with({"--every", "6h", "--runs", "1"}).runs == 1);
    CHECK(parsed({"-n", "2"}).runs == 1);
}

TEST_CASE("a time of the day has hours and minutes") {
    CHECK(daemon_with({"--at", "02:00"}).at_minute == 120);
    CHECK(daemon_with({"--at", "2:05"}).at_minute == 125);
    CHECK(daemon_with({"--at", "00:00"}).at_minute == 0);
    CHECK(daemon_with({"--at", "23:59"}).at_minute == 24 * 60 - 1);
    for (const char* text : {"", ":", "2", "24:00", "02:60", "2:5", "-1:00", "02:-1", "02:00:00", "2am",
                             "002:00", " 2:00", "0x:00"}) {
        CAPTURE(text);
        CHECK_THROWS_AS(static_cast<void>(daemon_with({"--at", text})), OptionsEnd);
    }
}

TEST_CASE("a plan can be checked for the suites that are to be measured") {
    CHECK(parsed({"check", "x.skampi", "--suite", "a*", "--suite", "b"}).suites ==
          std::vector<std::string>{"a*", "b"});
}

TEST_CASE("a launch of a session is told its place, and nothing else is one") {
    CHECK(parsed({"-n", "2", "--session-place", "a-b_round_3_place_1"}).session_place ==
          SessionPlace{"a-b", 3, 1});
    CHECK_FALSE(parsed({"-n", "2"}).session_place.known());
    for (const char* text : {"", "a-b", "a-b_round_0_place_1", "_round_1_place_0"})
        CHECK_THROWS_AS(static_cast<void>(parsed({"-n", "2", "--session-place", text})), OptionsEnd);
}

TEST_CASE("what contradicts itself is refused") {
    CHECK_THROWS_AS(static_cast<void>(daemon_with({"--at", "02:00", "--every", "6h"})), OptionsEnd);
    CHECK_THROWS_AS(static_cast<void>(daemon_with({"--runs", "-1"})), OptionsEnd);
    CHECK_THROWS_AS(static_cast<void>(parsed({"-n", "2", "--at", "02:00"})), OptionsEnd);
}

TEST_CASE("an option of another command is refused with the commands that have it") {
    const auto refusal = [](const std::vector<const char*>& words) -> std::string {
        try {
            static_cast<void>(parsed(words));
        } catch (const OptionsEnd& end) {
            return end.text;
        }
        return {};
    };
    const auto contains = [](const std::string& text, const char* part) {
        CAPTURE(text);
        CHECK(text.find(part) != std::string::npos);
    };
    contains(refusal({"check", "x.skampi", "-n", "2", "--rounds", "5"}),
             "skampi-run check has no option --rounds; skampi-run compare and skampi-run verify have");
    contains(refusal({"x.skampi", "--rounds", "5"}), "skampi-run has no option --rounds; skampi-run compare");
    contains(refusal({"status", "--launches", "5"}), "skampi-run FILE and");
    contains(refusal({"x.skampi", "--frobnicate"}), "has no option --frobnicate (see skampi-run --help)");
    contains(refusal({"daemon", "x.skampi", "-n", "2", "--every", "24"}), "(see skampi-run daemon --help)");
    contains(refusal({"x.skampi", "y.db"}), "found y.db, expected -d DB for the result file");
    contains(refusal({"check", "x.skampi", "y\x1b[2J"}), "does not know what to do with y");
    CHECK(refusal({"check", "x.skampi", "y\x1b[2J"}).find('\x1b') == std::string::npos);
}

TEST_CASE("a duration has a unit") {
    CHECK(daemon_with({"--every", "90m"}).every_s == 5400);
    CHECK_THROWS_AS(static_cast<void>(daemon_with({"--every", "24"})), OptionsEnd);
}

TEST_CASE("a file of options has a section for each command, which holds where that is called") {
    const ScratchFolder scratch;
    const std::string file = scratch / "run.options";
    std::ofstream(file) << "[compare]\nranks = 4\nrounds = '5..9'\n[daemon]\nevery = 6h\n";
    CHECK(parsed({"--config", file.c_str(), "compare", "--against", "X=1"}).most_rounds == 9);
    CHECK(parsed({"--config", file.c_str(), "compare", "--against", "X=1"}).every_s == 0);
    CHECK(parsed({"--config", file.c_str(), "daemon", "-n", "2"}).every_s == 6 * 3600);
    std::ofstream(file) << "rnaks = 4\n";
    CHECK_THROWS_AS(parsed({"--config", file.c_str(), "check"}), OptionsEnd); // as one that rank 0 tells
}

TEST_CASE("a mistyped command names the near one, also with words behind it") {
    const auto complaint = [](std::vector<const char*> words) {
        try {
            (void)parsed(std::move(words));
        } catch (const OptionsEnd& end) {
            return end.text;
        }
        return std::string();
    };
    CHECK(complaint({"chek", "x.skampi"}).find("\"check\"") != std::string::npos);
    CHECK(complaint({"tuen", "x.skampi", "-n", "2"}).find("\"tune\"") != std::string::npos);
    CHECK(complaint({"lsit"}).find("\"list\"") != std::string::npos);
    CHECK(complaint({"help"}).find("\"--help\"") != std::string::npos);
    CHECK(complaint({"measurements.skampi"}).empty());
}
