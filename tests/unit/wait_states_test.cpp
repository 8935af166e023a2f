// SPDX-License-Identifier: GPL-2.0-or-later
#include "../golden.hpp"
#include "drawing/box_plot.hpp"
#include "formats/data/wait_state_data.hpp"
#include "formats/paper/latex.hpp"
#include "formats/text/plain_text.hpp"
#include "formats/text/terminal.hpp"
#include "formats/web/html.hpp"
#include "wait_states/wait_state_document.hpp"
#include "wait_states/wait_states.hpp"

#include "base/error.hpp"
#include "close_to.hpp"
#include "contains.hpp"
#include "scratch_folder.hpp"

#include <doctest/doctest.h>
#include <fstream>
#include <limits>
#include <nlohmann/json.hpp>

using namespace skampi;

namespace {

constexpr const char* header =
    "PatternName Count Mean Median Minimum Maximum Sum Variance Quartil25 Quartil75\n";

std::string made(const ScratchFolder& scratch, const std::string& name, const std::string& lines) {
    const std::string path = scratch / name;
    std::ofstream(path) << header << lines;
    return path;
}

std::vector<WaitStates> two_files(const ScratchFolder& scratch) {
    return read_wait_states(
        {made(scratch, "before.stat",
              "Late 4 0.5 0.25 0.125 1 2 0.0625\n\nGone 1 1 1 1 1 1\n\nZero 1 0 0 0 0 0\n\n"),
         made(scratch, "after.stat",
              "New 1 1 1 1 1 1\n\nZero 1 1 1 1 1 1\n\nLate 6 0.25 0.25 0.125 1 1.5 0.0625 0.2 "
              "0.5\n- cnode 3 enter: 1 exit: 2 duration: 1 rank: 5\n\n")});
}

std::string text_document(const Document& document) {
    return plain_text(document, drawn_in_characters(document, {}, 1), {});
}

} // namespace

TEST_CASE("two experiments are compared pattern by pattern: difference and ratio") {
    const ScratchFolder scratch;
    const std::vector<WaitStates> files = two_files(scratch);
    CHECK(files[0].label == "before");
    const std::vector<WaitStateComparison> comparisons = compare_all(files, false);
    REQUIRE(comparisons.size() == 1);
    const WaitStateComparison& comparison = comparisons[0];
    CHECK(comparison.reference == &files[0]);
    REQUIRE(comparison.patterns.size() == 2);
    const PatternComparison& late = comparison.patterns[0];
    CHECK(late.reference->name == "Late");
    CHECK(late.count_difference == 2);
    CHECK(late.sum_difference_s == -0.5);
    CHECK(late.sum_ratio == 0.75);
    CHECK(late.mean_difference_s == -0.25);
    CHECK(late.mean_ratio == 0.5);
    // By zero nothing is divided.
    CHECK(comparison.patterns[1].sum_difference_s == 1.0);
    CHECK_FALSE(comparison.patterns[1].sum_ratio.has_value());
    CHECK(comparison.only_in_reference == std::vector<std::string>{"Gone"});
    CHECK(comparison.only_in_other == std::vector<std::string>{"New"});

    const std::vector<WaitStateComparison> against_last = compare_all(files, true);
    CHECK(against_last.at(0).reference == &files[1]);
    CHECK(against_last.at(0).patterns.at(0).sum_difference_s == -1.0);
    CHECK(against_last.at(0).patterns.at(1).sum_difference_s == 0.5);
}

TEST_CASE("of patterns with one name the first is compared with the first") {
    const ScratchFolder scratch;
    const std::vector<WaitStates> files = read_wait_states(
        {made(scratch, "a.stat", "A 1 1 1 1 1 1\n\nA 1 2 2 2 2 2\n"),
         made(scratch, "b.stat", "A 1 4 4 4 4 4\n\nA 1 5 5 5 5 5\n\nA 1 6 6 6 6 6\n\nB 1\n")});
    const WaitStateComparison comparison = compare(files[0], files[1]);
    REQUIRE(comparison.patterns.size() == 2);
    CHECK(comparison.patterns[0].sum_difference_s == 3.0);
    CHECK(comparison.patterns[1].sum_difference_s == 3.0);
    CHECK(comparison.only_in_other == std::vector<std::string>{"A", "B"});
}

TEST_CASE("files of one name get different labels, and what is none is refused") {
    const ScratchFolder scratch;
    std::filesystem::create_directory(scratch / "d");
    const std::string one = made(scratch, "x.stat", "A 1 1 1 1 1 1\n");
    const std::string two = made(scratch, "d/x.stat", "A 1 1 1 1 1 1\n");
    const std::vector<WaitStates> files = read_wait_states({one, two});
    CHECK(files[0].label.ends_with("/x"));
    CHECK(files[1].label == "d/x");
    CHECK(read_wait_states({one, one})[1].label == "x (2)");
    CHECK_THROWS_AS((void)read_wait_states({made(scratch, "y.stat", "A b\nC d\n")}), InputError);
}

TEST_CASE("what the report says of files that break the format's rules, hold no wait states, or share none") {
    const ScratchFolder scratch;
    Golden golden("wait_states");
    const auto add = [&](const char* name, const Document& document) {
        std::string text = text_document(document);
        const std::string folder = scratch / "";
        for (std::size_t at = 0; (at = text.find(folder, at)) != std::string::npos;)
            text.erase(at, folder.size());
        golden.add(name, text);
    };
    add("a place that could not be read",
        build_wait_state_document(
            read_wait_states({made(scratch, "x.stat", "A 2 1 1 1\n\nB 1 0.5 0.5 0.5 0.5 0.5\n")}), {}, ""));
    const std::vector<WaitStates> files = read_wait_states({made(scratch, "x.stat", "")});
    const Document document = build_wait_state_document(files, {}, "Mine");
    add("no wait states", document);
    CHECK(document.cover.title == "Mine");
    CHECK_FALSE(document.cover.overview.has_value());
    CHECK_NOTHROW((void)latex_document(document, "figures"));
    CHECK_NOTHROW((void)html_page(document));
    const std::vector<WaitStates> both = read_wait_states({files[0].path, files[0].path});
    add("two files without any", build_wait_state_document(both, compare_all(both, false), ""));
    golden.check();
}

TEST_CASE("tables and plots are bounded, whatever the file holds") {
    const ScratchFolder scratch;
    std::string lines;
    for (int i = 0; i < 1000; ++i)
        lines += "P" + std::to_string(i) + " 1 1 1 1 1 " + std::to_string(i + 1) +
                 "\n- cnode 1 enter: 1 exit: 2 duration: 1 rank: 0\n\n";
    const std::vector<WaitStates> files = read_wait_states({made(scratch, "x.stat", lines)});
    const Document document = build_wait_state_document(files, {}, "");
    REQUIRE(document.sections.size() == 1);
    const Section& distributions = document.sections[0].subsections.at(0);
    REQUIRE(distributions.blocks.size() == 20); // 480 patterns, the first 24 of them on the first page
    const Table& table = std::get<Table>(distributions.blocks.back());
    CHECK(table.rows.size() == 480);
    CHECK(table.rows[0][0] == "P999");
    CHECK(table.title == "The 480 patterns with the largest sums, of 1000");
    CHECK(document.cover.overview.has_value());
    CHECK(all_figures(document).size() == 20);
}

TEST_CASE("data keep every digit") {
    const ScratchFolder scratch;
    const std::vector<WaitStates> files = read_wait_states({made(
        scratch, "x,y.stat",
        "=A 9223372036854775807 0.1 1e-300 -1e-7 0.30000000000000004 nan 1e22 0.1 0.2\n- cnode 1 enter: 0.1 "
        "exit: 2 duration: 1e-9 rank: 3\n\nB 1\n")});
    const std::string csv = wait_state_csv(files);
    CHECK(contains(
        csv, "\n\"" + scratch / "x,y.stat" +
                 "\",scout,'=A,,9223372036854775807,0.1,1e-300,-1e-07,0.30000000000000004,nan,1e+22,0.1,"
                 "0.2\n"));
    CHECK(contains(csv, ",scout,B,,1,,,,,,,,\n"));
    const nlohmann::json json = nlohmann::json::parse(wait_state_json(files, compare_all(files, false)));
    const nlohmann::json& pattern = json["files"][0]["patterns"][0];
    CHECK(pattern["count"] == std::numeric_limits<std::int64_t>::max());
    CHECK(pattern["maximum_s"] == 0.30000000000000004);
    CHECK(pattern["sum_s"].is_null());
    CHECK(pattern["severest"][0]["rank"] == 3);
    CHECK(pattern["severest"][0]["marker_s"].is_null());
    CHECK(json["files"][0]["patterns"][1]["mean_s"].is_null());
    CHECK(json["files"][0]["strange"] == files[0].read.strange);
}

TEST_CASE("box plots: log axis over much, places of quartiles, boxes only where there are quartiles") {
    const std::vector<BoxRow> rows{{"first", {Box{1e-6, 1e-4, 1e-2, 1e-3, 1e-5, 1e-3}}},
                                   {"second", {Box{1e-6, 1e-4, 1e-2, 1e-3, {}, {}}}},
                                   {"third", {std::nullopt}}};
    const Figure figure = box_figure("f1", rows, {""});
    const Panel& panel = figure.panels.at(0);
    CHECK(panel.x.log);
    REQUIRE(panel.y.ticks.size() == 3);
    CHECK(panel.y.ticks[0].at == 3); // the first row is on top
    CHECK(panel.y.ticks[0].label == "first");
    std::size_t boxes = 0;
    for (const Layer& layer : panel.layers)
        if (layer.style == LayerStyle::boxes)
            boxes += layer.points.size();
    CHECK(boxes == 1);
    CHECK_FALSE(box_figure("f3", {{"x", {Box{1, 2, 3, 2, {}, {}}}}}, {""}).panels[0].x.log);
    // A minimum of 0 has no place on a log axis: the line begins at its edge.
    const Figure zero = box_figure("f2", {{"x", {Box{0, 1e-4, 1e-2, 1e-3, 1e-5, 1e-3}}}}, {""});
    CHECK(zero.panels[0].layers.at(0).points.at(0).low == zero.panels[0].x.low);
}

TEST_CASE("rows that lie far apart are drawn by their medians, and their boxes can be seen") {
    const std::vector<BoxRow> rows{{"0 B", {Box{0.9e-6, 1e-6, 20e-6, 1.03e-6, 0.99e-6, 1.02e-6}}},
                                   {"4 MiB", {Box{0.99e-3, 1e-3, 20e-3, 1.5e-3, 0.999e-3, 1.001e-3}}},
                                   {"wild", {Box{0.4e-6, 1e-6, 9e-6, 2e-6, 0.5e-6, 3e-6}}}, // hides no other
                                   {"nothing", {Box{-1e-9, 0, 1e-9, 0, {}, {}}}}};
    const Panel panel = share_box_figure("f1", rows).panels.at(0);
    CHECK_FALSE(panel.x.log);
    CHECK(panel.x.ticks.size() >= 3);
    const Layer& whiskers = panel.layers.at(0);
    const Layer& boxes = panel.layers.at(1);
    REQUIRE(whiskers.points.size() == 3);
    REQUIRE(boxes.points.size() == 3);
    CHECK(boxes.points[0].low == close_to(0.99));
    CHECK(boxes.points[0].high == close_to(1.02));
    CHECK(boxes.points[0].high - boxes.points[0].low > 0.05 * (panel.x.high - panel.x.low));
    CHECK(whiskers.points[0].low == close_to(0.9));
    CHECK(whiskers.points[0].high == panel.x.high); // it goes on
    CHECK(panel.layers.at(3).points.size() == 1);   // a mean of 1.5 has no place
}

TEST_CASE("box plots in characters") {
    const std::string text =
        box_characters({{"a", {Box{0, 5, 10, 5, 2.5, 7.5}}}, {"long\tname", {std::nullopt}}}, {""});
    CHECK(contains(text, "a          |-------------[=============#=============]-------------|   \n"));
    CHECK(contains(text, "long name  \n"));
    CHECK(contains(text, "[==] quartiles"));
    const std::string two =
        box_characters({{"a", {Box{1, 1, 1, 1, {}, {}}, Box{9, 9, 9, 9, {}, {}}}}}, {"x", "y"});
    CHECK(contains(two, "  x\n"));
    CHECK(contains(two, "  y\n"));
    // Nothing that is no number moves anything.
    constexpr double nan = std::numeric_limits<double>::quiet_NaN();
    CHECK_NOTHROW((void)box_characters({{"a", {Box{nan, nan, nan, nan, nan, nan}}}}, {""}));
    CHECK_NOTHROW((void)box_figure("f1", {{"a", {Box{nan, 1, 2, 1, {}, {}}}}}, {""}));
    // Nor do numbers that no axis can hold: they have no box, and others keep theirs.
    for (const double huge : {1e307, std::numeric_limits<double>::max(), 5e-324}) {
        CAPTURE(huge);
        const std::string boxes = box_characters(
            {{"huge", {Box{0, huge, huge, huge, huge, huge}}}, {"a", {Box{0, 5, 10, 5, 2.5, 7.5}}}}, {""});
        CHECK(contains(boxes, "huge  \n"));
        CHECK(contains(boxes, "a     |-------------[=============#=============]-------------|   \n"));
    }
}
