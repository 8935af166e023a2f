// SPDX-License-Identifier: GPL-2.0-or-later
#include "supervisor/job_view.hpp"

#include "invented_job.hpp"
#include "scratch_folder.hpp"
#include "terminal/run_table.hpp"

#include <doctest/doctest.h>

#include <cstdio>
#include <memory>
#include <string>
#include <vector>

using namespace skampi;

namespace {

/// What is shown of these lines, and of the end of the work on a database.
std::string shown(ProgressKind kind, const std::vector<std::string>& lines,
                  const std::string& database = {}) {
    const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::tmpfile(), std::fclose);
    REQUIRE(file);
    {
        JobView view(kind, file.get());
        for (const std::string& line : lines)
            view.job_line(line);
        if (!database.empty())
            view.summary(database, 0);
    }
    std::rewind(file.get());
    std::string text;
    for (int c = std::fgetc(file.get()); c != EOF; c = std::fgetc(file.get()))
        text += static_cast<char>(c);
    return text;
}

} // namespace

TEST_CASE("lines that are no events pass through, of whatever JSON they are") {
    for (const std::string line :
         {"SKAMPI: OK points=1 not_repeatable=0 failed=0", R"({"event":5})", R"({"event":{"event":"start"}})",
          R"({"event":null})", R"({"event":""})", "[1,2]", "5", "null", "{", ""}) {
        CAPTURE(line);
        for (const ProgressKind kind : {ProgressKind::off, ProgressKind::json, ProgressKind::bar})
            CHECK(shown(kind, {line}) == line + "\n");
    }
}

TEST_CASE("the last line tells of the job's run, though somebody else has written since") {
    const ScratchFolder folder;
    invented::JobPlan plan{.database = folder / "x.db", .suites = {"one"}};
    for (const std::string hash : {"ours", "somebody else's"}) {
        plan.plan_hash = hash;
        invented::Job job(plan);
        while (job.step({}, false) != invented::Job::Step::run_ended) {
        }
        plan.arguments = {1};
    }
    for (const ProgressKind kind : {ProgressKind::off, ProgressKind::json}) {
        const std::string start = R"({"event":"start","run":"run 0","suites":1})";
        const std::string lines = shown(kind, {start}, plan.database);
        CHECK(lines == (kind == ProgressKind::json ? start + "\n" : "") +
                           "SKAMPI: OK points=4 not_repeatable=0 failed=0\n");
    }
}

TEST_CASE("in a file what a suite found is lines below one header, of a job that continues once") {
    const std::vector<std::string> job{
        R"({"event":"start","run":"u","suites":1,"title":"MPICH"})",
        R"({"event":"line","text":"memcpy 1 0.5"})", R"({"event":"line","text":"memcpy 2 0.6"})",
        R"({"event":"suite_end","place":1,"row":["memcpy"]})", "SKAMPI: OK points=2"};
    std::vector<std::string> both = job;
    both.insert(both.end(), job.begin(), job.end());
    const std::string text = shown(ProgressKind::automatic, both);
    CHECK(text ==
          point_header() + "\nmemcpy 1 0.5\nmemcpy 2 0.6\nSKAMPI: OK points=2\nSKAMPI: OK points=2\n");
    for (const ProgressKind kind : {ProgressKind::off, ProgressKind::bar})
        CHECK(shown(kind, job).find("memcpy 1") == std::string::npos);
}

TEST_CASE("a job that is one of many has no last line of its own, the work has one") {
    const ScratchFolder folder;
    const invented::JobPlan plan{.database = folder / "x.db", .suites = {"one"}};
    invented::Job job(plan);
    while (job.step({}, false) != invented::Job::Step::run_ended) {
    }
    const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::tmpfile(), std::fclose);
    REQUIRE(file);
    {
        JobView view(ProgressKind::off, file.get());
        view.be_brief();
        for (int launch = 0; launch < 3; ++launch) {
            view.job_line(R"({"event":"start","run":"run 0","suites":1})");
            view.job_line("SKAMPI: OK points=4 not_repeatable=4 failed=0");
        }
        view.summary(plan.database, 0);
    }
    std::rewind(file.get());
    std::string text;
    for (int c = std::fgetc(file.get()); c != EOF; c = std::fgetc(file.get()))
        text += static_cast<char>(c);
    CHECK(text == "SKAMPI: OK points=4 not_repeatable=0 failed=0\n");
}

TEST_CASE("events become a bar, and whatever else stands in them does no harm") {
    for (const std::string line :
         {R"({"event":"start","run":5,"suites":"x"})", R"({"event":"start","suites":1e300})",
          R"({"event":"suite","suite":["a"],"index":{}})", R"({"event":"suite","suite":"a","index":9e18})",
          R"({"event":"suite","suite":"\u001b[2J","index":-5})",
          R"({"event":"heartbeat","argument":"big","share":"half"})",
          R"({"event":"heartbeat","argument":18446744073709551615,"share":-1e308})",
          R"({"event":"heartbeat","share":true})", R"({"event":"unknown"})", R"({"event":"end"})"}) {
        CAPTURE(line);
        CHECK(shown(ProgressKind::off, {R"({"event":"start","suites":4})", line}).empty());
        const std::string bar = shown(ProgressKind::bar, {R"({"event":"start","run":"u","suites":4})", line,
                                                          R"({"event":"suite","suite":"ping","index":1})",
                                                          R"({"event":"heartbeat"})"});
        CHECK(bar.find("\x1b[2J") == std::string::npos);
    }
    CHECK(shown(ProgressKind::bar, {R"({"event":"start","run":"u","suites":4})",
                                    R"({"event":"suite","suite":"ping","index":1})"})
              .find("suite 2/4 ping") != std::string::npos);
}
