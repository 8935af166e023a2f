// SPDX-License-Identifier: GPL-2.0-or-later
#include "analysis/models/rank_study.hpp"

#include "analysis/models/operation_surface.hpp"
#include "close_to.hpp"
#include "contains.hpp"
#include "contest/contest.hpp"
#include "document/sections/build_document.hpp"
#include "formats/data/json.hpp"
#include "formats/exchange/c_header.hpp"
#include "invented_subject.hpp"
#include "words/growth_words.hpp"

#include <cmath>
#include <functional>
#include <nlohmann/json.hpp>

using namespace skampi;

namespace {

using TimeOn = std::function<double(int ranks, std::int64_t bytes)>;

/// Jobs of one plan, each on another number of ranks, the most first.
std::vector<Subject> jobs(const TimeOn& time_s, const std::vector<int>& numbers) {
    test::InventedSuite bcast;
    for (const test::InventedSuite& each : test::full_plan({}))
        if (each.suite.name == "MPI_Bcast")
            bcast = each;
    REQUIRE(bcast.suite.varied == Varied::message_length);
    bcast.arguments = {8, 1024, 65536};
    std::vector<Subject> made;
    for (auto ranks = numbers.rbegin(); ranks != numbers.rend(); ++ranks) {
        Subject subject = test::invented_subject({bcast});
        subject.path = subject.label = std::to_string(*ranks) + ".db";
        subject.run->ranks = *ranks;
        subject.run->placement = std::to_string(*ranks) + " hosts";
        subject.run->uuid = subject.label;
        for (StoredMeasurement& point : subject.curves[0].points) {
            point.measurement.ranks = *ranks;
            point.measurement.value_s = time_s(*ranks, point.measurement.argument);
            point.measurement.standard_error_s = 1e-4 * point.measurement.value_s;
        }
        made.push_back(std::move(subject));
    }
    return made;
}

std::vector<const Subject*> pointers(const std::vector<Subject>& subjects) {
    std::vector<const Subject*> all;
    for (const Subject& each : subjects)
        all.push_back(&each);
    return all;
}

double rounds(int ranks) {
    return std::ceil(std::log2(ranks));
}

} // namespace

TEST_CASE("jobs on several numbers of ranks are one study and no rivals, unless they differ in more") {
    std::vector<Subject> all = jobs([](int ranks, std::int64_t) { return 1e-6 * ranks; }, {2, 4, 8});
    CHECK(is_study(all));
    CHECK(judge_subjects(all, false).empty());
    all[1].run->mpi_library = "another library";
    CHECK_FALSE(is_study(all));
    CHECK(judge_subjects(all, false).size() == 1); // with the other library
    all.erase(all.begin() + 1);
    CHECK(judge_subjects(all, false).empty()); // all that both have depends on the ranks
    for (Subject& each : all) // who names two files wants them compared, where anything can be
        each.curves.push_back(test::invented_subject({test::full_plan({}).front()}).curves.front());
    CHECK(is_study(all));
    CHECK(judge_subjects(all, false).size() == 1);
    all.resize(1);
    CHECK_FALSE(is_study(all));
}

TEST_CASE("exact growth of jobs on several numbers of ranks is found with its step, in any order") {
    struct Case {
        TimeOn time_s;
        Growth growth;
        double step_s;
        const char* form;
    };
    const std::vector<Case> cases{
        {[](int ranks, std::int64_t bytes) {
             return 1e-6 + (590e-9 + 1e-10 * static_cast<double>(bytes)) * rounds(ranks);
         },
         Growth::ceil_log2, 590e-9 + 8e-10, "ceil(log2 p)"},
        {[](int ranks, std::int64_t bytes) {
             return (2e-6 + 1e-10 * static_cast<double>(bytes)) * (ranks - 1);
         },
         Growth::linear, 2e-6 + 8e-10, "p - 1"},
        // Recursive doubling: what is beyond a power of two costs two steps more.
        {[](int ranks, std::int64_t bytes) {
             const double step_s = 1e-6 + 1e-10 * static_cast<double>(bytes);
             const double whole = std::floor(std::log2(ranks));
             return step_s * (whole + (std::exp2(whole) == ranks ? 0 : 2));
         },
         Growth::log2, 1e-6 + 8e-10, "log2 p"},
    };
    for (const Case& each : cases) {
        const bool doubling = each.growth == Growth::log2;
        const std::vector<int> numbers = doubling ? std::vector<int>{2, 4, 8, 16, 32, 64}
                                                  : std::vector<int>{2, 3, 4, 6, 8, 12, 16, 24, 32};
        const std::vector<Subject> all = jobs(each.time_s, numbers);
        const Subject study = over_ranks(pointers(all));
        REQUIRE(study.curves.size() == 3);
        const std::vector<Scaling> found = scalings(study);
        REQUIRE(found.size() == 2); // the shortest and the longest
        REQUIRE(found[0].model);
        CHECK(found[0].first->argument == 2);
        CHECK(found[0].last->argument == numbers.back());
        CHECK(found[0].model->growth == each.growth);
        CHECK(found[0].model->beta_s == close_to(each.step_s));
        CHECK(growth_form_text(*found[0].model) == each.form);
        CHECK(found[0].model->worst_error < 1e-6);
        CHECK(operation_surfaces(study).size() == 1);
        CHECK(c_header(study).find("skampi_MPI_Bcast") != std::string::npos);
        const nlohmann::json data = nlohmann::json::parse(json_report(all, false)).at("study");
        REQUIRE(data.size() == 2);
        CHECK(data[0].at("fits") == true);
        CHECK(data[0].at("growth").at("beta_s").get<double>() == close_to(each.step_s));
        const Document document = build_document(all, {});
        std::vector<const Subject*> fewest_first = pointers(all);
        std::ranges::reverse(fewest_first);
        CHECK(document.cover.answer == study_answer(fewest_first, found));
        CHECK(document.cover.winners.empty());
        REQUIRE(document.cover.headlines.rows.size() == 2);
    }
}

TEST_CASE("a form that fits on all numbers of ranks but one is named with that one") {
    const auto all =
        jobs([](int ranks,
                std::int64_t) { return 8e-6 * (ranks == 4 ? 1 : std::log2(static_cast<double>(ranks))); },
             {2, 4, 8, 16, 32, 64});
    const Subject study = over_ranks(pointers(all));
    const std::vector<Scaling> found = scalings(study);
    REQUIRE(found.front().but_one);
    CHECK(found.front().but_one->ranks == 4);
    CHECK(found.front().but_one->value_s == close_to(8e-6));
    CHECK(found.front().but_one->model.growth == Growth::log2);
    CHECK(contains(build_document(all, {}).cover.headlines.rows[0][3], ", except on 4 ranks"));
    const nlohmann::json data = nlohmann::json::parse(json_report(all, false)).at("study");
    CHECK(data[0].at("fits") == false);
    CHECK(data[0].at("but_one").at("ranks") == 4);
    // Growth without any form has none but one either.
    const auto wild =
        jobs([](int ranks, std::int64_t) { return ranks % 3 == 1 ? 1e-6 : 1e-5; }, {2, 4, 8, 16, 32, 64});
    CHECK_FALSE(scalings(over_ranks(pointers(wild))).front().but_one);
}

TEST_CASE("the first page of a study draws time over the number of ranks, a curve for each length") {
    const std::vector<int> numbers{2, 4, 8, 16, 32};
    const std::vector<Subject> all =
        jobs([](int ranks, std::int64_t bytes) { return (1e-6 + 1e-9 * static_cast<double>(bytes)) * ranks; },
             numbers);
    const std::optional<FigureBlock> overview = build_document(all, {}).cover.overview;
    REQUIRE(overview);
    REQUIRE(overview->figure.panels.size() == 1);
    const Panel& panel = overview->figure.panels.front();
    REQUIRE(panel.layers.size() == 3);
    for (std::size_t i = 0; i < 3; ++i) {
        CHECK_FALSE(panel.layers[i].label.empty());
        REQUIRE(panel.layers[i].points.size() == numbers.size());
        for (std::size_t p = 0; p < numbers.size(); ++p)
            CHECK(panel.layers[i].points[p].x == numbers[p]);
    }
    CHECK(panel.layers[2].points[4].y == close_to((1e-6 + 1e-9 * 65536) * 32));
}

TEST_CASE(
    "the answer says what a doubling of the ranks costs, the table the whole price: also that of numbers of ranks that are no power of two") {
    const std::vector<Subject> all = jobs(
        [](int ranks, std::int64_t bytes) {
            const bool power = (ranks & (ranks - 1)) == 0;
            return (1e-6 + 1e-9 * static_cast<double>(bytes)) * (rounds(ranks) + (power ? 0 : 0.5));
        },
        {2, 3, 4, 5, 7, 8, 12, 16, 24, 32});
    const Cover cover = build_document(all, {}).cover;
    INFO(cover.answer.text);
    CHECK(contains(cover.answer.text, "each doubling of the ranks costs 1.01 µs"));
    CHECK(contains(cover.answer.text, "each doubling of the ranks costs 66.5 µs"));
    const auto& rows = cover.headlines.rows;
    REQUIRE(rows.size() == 2);
    CHECK(contains(rows[0][3], "504 ns"));
    CHECK(contains(rows[1][3], "33.3 µs"));
}

TEST_CASE("a study has one command: what to do next, else what to measure between powers of two") {
    std::vector<Subject> all = jobs(
        [](int ranks, std::int64_t) { return 1e-6 * std::log2(static_cast<double>(ranks)); }, {2, 4, 8, 16});
    const Subject study = over_ranks(pointers(all));
    const std::vector<Scaling> found = scalings(study);
    const TextAndCommand usual = study_answer(pointers(all), found);
    INFO(usual.text);
    CHECK(contains(usual.text, " measure the others in the same way. Next, "));
    CHECK(usual.command.starts_with("skampi-run "));
    // Advice without a command.
    for (Curve& curve : all.front().curves)
        for (StoredMeasurement& point : curve.points)
            set(point.measurement.flags, Flag::wrong_result);
    const TextAndCommand wrong = study_answer(pointers(all), found);
    INFO(wrong.text);
    CHECK(wrong.text.ends_with("report it to its developers."));
    CHECK(wrong.command.empty());
}

TEST_CASE("of fewer than five numbers of ranks no form is claimed, and the times are given") {
    const std::vector<Subject> all = jobs([](int ranks, std::int64_t) { return 1e-6 * ranks; }, {2, 4, 8});
    const Subject study = over_ranks(pointers(all));
    const std::vector<Scaling> found = scalings(study);
    REQUIRE(found.size() == 2);
    CHECK_FALSE(found[0].model);
    CHECK(found[0].first->value_s == close_to(2e-6));
    CHECK(found[0].last->value_s == close_to(8e-6));
}

TEST_CASE("one job over the number of ranks answers with growth where it has no latency to answer with") {
    std::vector<test::InventedSuite> plan;
    for (const test::InventedSuite& each : test::full_plan({}))
        if (each.suite.varied == Varied::nodes && each.arguments.size() > 4)
            plan.push_back(each);
    REQUIRE_FALSE(plan.empty());
    const Subject subject = test::invented_subject(plan);
    const Subject study = over_ranks({&subject});
    const Cover cover = build_document({subject}, {}).cover;
    CHECK(cover.answer == study_answer({&subject}, scalings(study)));
    CHECK(cover.winners.size() == 1);
    std::vector<test::InventedSuite> both = plan;
    both.push_back(test::full_plan({}).front());
    CHECK(build_document({test::invented_subject(both)}, {}).cover.winners.empty());
}
