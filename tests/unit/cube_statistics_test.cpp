// SPDX-License-Identifier: GPL-2.0-or-later
#include "cube/statistics.hpp"

#include "../golden.hpp"
#include "base/error.hpp"
#include "scratch_folder.hpp"

#include <bit>
#include <cmath>
#include <doctest/doctest.h>
#include <fmt/format.h>
#include <fstream>
#include <limits>
#include <random>
#include <sstream>
#include <stdexcept>

using namespace skampi;
using namespace skampi::cube;

namespace {

constexpr const char* documented_header =
    "PatternName MetricID Count Mean Median Minimum Maximum Sum Variance Quartil25 Quartil75\n";
constexpr const char* scout_header =
    "PatternName Count Mean Median Minimum Maximum Sum Variance Quartil25 Quartil75\n";

ReadStatistics read(const std::string& text) {
    std::istringstream in(text);
    return read_statistics(in, "x.stat");
}

ReadStatistics sample(const std::string& name) {
    return read_statistics_file(std::string(SKAMPI_SOURCE_ROOT) + "/tests/data/cube/" + name);
}

using Kind = Problem::Kind;

/// A problem without its words.
struct Found {
    Kind kind = Kind::missing_word;
    std::size_t line = 0;
    std::size_t column = 0;
    bool operator==(const Found&) const = default;
};

Found found(const Problem& problem) {
    return {problem.kind, problem.line, problem.column};
}

Found only_problem(const ReadStatistics& result) {
    REQUIRE(result.problems.size() == 1);
    return found(result.problems.front());
}

WholeNumber whole(std::int64_t value) {
    return value;
}

PatternStatistics pattern(const std::string& name) {
    PatternStatistics statistics;
    statistics.name = name;
    statistics.metric_id = whole(1);
    statistics.count = whole(9);
    statistics.moments = Moments{0.5, 0.4, 0.1, 0.9, 4.5};
    statistics.variance_s2 = 0.01;
    statistics.quartiles = Quartiles{0.3, 0.6};
    statistics.severest = {{whole(7), 1, 2, 0.9, whole(3), {}, {}}};
    return statistics;
}

} // namespace

TEST_CASE("the documented dialect is read whole") {
    const ReadStatistics result = sample("documented.stat");
    CHECK(result.errors == 0);
    CHECK(result.strange == 0);
    CHECK(result.file.dialect == Dialect::documented);
    REQUIRE(result.file.patterns.size() == 5);

    const PatternStatistics& late = result.file.patterns[0];
    CHECK(late.name == "LateReceiver");
    CHECK(late.metric_id == whole(7));
    CHECK(late.count == whole(3));
    CHECK(late.moments == Moments{0.021, 0.000052, 0.000006, 0.061840, 0.062});
    CHECK(late.variance_s2 == 0.000813);
    CHECK_FALSE(late.quartiles.has_value());
    REQUIRE(late.severest.size() == 1);
    CHECK(late.severest[0] == Instance{whole(9), 0.412905, 0.474777, 0.061840, {}, {}, {}});

    CHECK(result.file.patterns[1].quartiles == Quartiles{0.000051, 0.012208});
    CHECK(result.file.patterns[1].severest.size() == 2);
    CHECK_FALSE(result.file.patterns[3].moments.has_value());
    CHECK(result.file.patterns[4].moments == Moments{0.0015, 0.001, 0, 0.005, 0.0135});
}

TEST_CASE("scout's dialect is read, whose patterns without instances have no blank line behind them") {
    const ReadStatistics result = sample("scout.stat");
    CHECK(result.errors == 0);
    CHECK(result.file.dialect == Dialect::scout);
    REQUIRE(result.file.patterns.size() == 5);
    CHECK(result.file.patterns[0].severest.size() == 3);
    CHECK(result.file.patterns[0].severest[0] ==
          Instance{whole(14), 3.1190024210, 3.1602718833, 0.0412300715, whole(11), {}, {}});
    CHECK_FALSE(result.file.patterns[0].metric_id.has_value());
    CHECK(result.file.patterns[1].variance_s2 == 0.0000000041);
    CHECK_FALSE(result.file.patterns[1].quartiles.has_value());
    CHECK_FALSE(result.file.patterns[2].variance_s2.has_value());
    CHECK(result.file.patterns[2].severest.empty());
    CHECK(result.file.patterns[3].name == "mpi_wait_nxn");
    CHECK(result.file.patterns[3].count == whole(640));

    // It exits before it enters; takes longer than the maximum; has a median above the maximum: all kept.
    REQUIRE(result.strange == 3);
    CHECK(found(result.problems[0]) == Found{Kind::exit_before_enter, 5, 1});
    CHECK(found(result.problems[1]) == Found{Kind::above_maximum, 12, 1});
    CHECK(found(result.problems[2]) == Found{Kind::median_outside, 14, 1});
    CHECK(result.file.patterns[0].severest[2].exit_s == 2.0041091115);
    CHECK(result.file.patterns[3].severest[0].duration_s == 0.3604423408);
    CHECK(result.file.patterns[4].moments->median_s == 0.0000203);
    // A median above the maximum by its rounding alone is not worth a word.
    CHECK(result.file.patterns[2].moments->median_s > result.file.patterns[2].moments->maximum_s);
}

TEST_CASE("EXPERT's dialect is read, whose columns run into one another") {
    const ReadStatistics result = sample("expert.stat");
    CHECK(result.errors == 0);
    CHECK(result.strange == 0);
    CHECK(result.file.dialect == Dialect::expert);
    REQUIRE(result.file.patterns.size() == 3);
    CHECK(result.file.patterns[0].severest[0] ==
          Instance{whole(12), 2.113044, 2.226250, 0.113200, {}, 2.226244, whole(3)});
    CHECK(result.file.patterns[0].severest[1].cnode == whole(-1));
    CHECK(result.file.patterns[1].moments ==
          Moments{18.443021, 3.202110, 0.000004, 1204.118903, 5124.338125});
    CHECK(result.file.patterns[1].variance_s2 == 33344.982712);
    CHECK(result.file.patterns[1].quartiles == Quartiles{0.410020, 7.022871});
    CHECK(result.file.patterns[2].count == whole(3));
}

TEST_CASE("what breaks a rule is told with line and column, and the rest is read") {
    const ReadStatistics result = sample("broken.stat");
    CHECK(result.errors == 6);
    CHECK(result.strange == 0);
    REQUIRE(result.problems.size() == 6);
    const Found expected[] = {{Kind::not_number, 4, 27},   {Kind::missing_word, 6, 36},
                              {Kind::missing_word, 9, 59}, {Kind::not_whole, 11, 6},
                              {Kind::not_number, 13, 33},  {Kind::surplus_word, 15, 63}};
    for (std::size_t i = 0; i < 6; ++i)
        CHECK(found(result.problems[i]) == expected[i]);

    const auto& patterns = result.file.patterns;
    REQUIRE(patterns.size() == 5);
    CHECK(patterns[0].severest.size() == 1);
    CHECK(patterns[1].name == "TwoOfFive");
    CHECK_FALSE(patterns[1].moments.has_value());
    CHECK(patterns[1].severest.size() == 1);
    CHECK(patterns[2].variance_s2 == 0.01);
    CHECK_FALSE(patterns[2].quartiles.has_value());
    CHECK(patterns[3].name == "NoNumber");
    CHECK_FALSE(patterns[3].moments.has_value());
    CHECK(patterns[4].name == "Last");
    CHECK(patterns[4].quartiles == Quartiles{0.3, 0.6});
}

TEST_CASE("the first line is never data, and the columns decide where it says nothing") {
    const std::string documented = "A 6 4 0.010 0.000031 0.000004 0.042856 0.042 0.000459\n";
    CHECK(read("whatever 1 2\n" + documented).file.dialect == Dialect::documented);
    CHECK(read("whatever 1 2\n" + documented).file.patterns.size() == 1);
    CHECK(read("\nA 9 0.5 0.5 0.1 0.9 4.5 0.01 0.3 0.6\n").file.dialect == Dialect::scout);
    CHECK(
        read(
            "\nA 9 0.5 0.5 0.1 0.9 4.5 0.01 0.3 0.6\n- cnode: 1 enter: 1 exit: 2 duration: 0.9 markerTime: 1 "
            "markerLoc: 0\n")
            .file.dialect == Dialect::expert);
    // Seven numbers are both: the second is a count, or a mean.
    CHECK(read("\nA 6 4 0.01 0.02 0.004 0.04 0.04\n").file.dialect == Dialect::documented);
    CHECK(read("\nA 4 0.01 0.02 0.004 0.04 0.04 0.1\n").file.dialect == Dialect::scout);
    CHECK(read("\nA 6 4\n").file.dialect == Dialect::documented);
    CHECK(read("\nA 4\n").file.dialect == Dialect::scout);

    SUBCASE("of a first line that the columns contradict nothing is believed") {
        const ReadStatistics result = read(scout_header + documented);
        CHECK(result.file.dialect == Dialect::documented);
        CHECK(result.errors == 0);
        CHECK(only_problem(result) == Found{Kind::header_contradicted, 2, 1});
        CHECK(result.file.patterns[0].metric_id == whole(6));
    }
}

TEST_CASE("one broken pattern does not make another dialect of the others") {
    const std::string wholes = "B 4 2 1 1 1 1 2\n\nC 5 2 1 1 1 1 2 0.5\n\n";
    for (const std::string broken : {"A 3 2 1 1 1 1\n\n", "A 3\n\n", "A 2 1 1 1 1 2\n\n"}) {
        CAPTURE(broken);
        const ReadStatistics result = read(documented_header + broken + wholes);
        CHECK(result.file.dialect == Dialect::documented);
        CHECK(result.errors > 0);
        const PatternStatistics& second = result.file.patterns.at(result.file.patterns.size() - 2);
        CHECK(second.name == "B");
        CHECK(second.metric_id == whole(4));
        CHECK(second.count == whole(2));
    }
    const ReadStatistics others =
        read("PatternName MetricID Count\nA 1 1 1 1 1 1\n\nB 4 1 1 1 1 2 0.5\n\nC 1 1 1 1 1 1\n");
    CHECK(others.file.dialect == Dialect::scout); // most columns contradict the first line
    CHECK(others.strange == 1);
}

TEST_CASE("what one dialect lacks of another is numbered or left out, and counted") {
    StatisticsFile file{Dialect::scout, {}};
    file.patterns = {pattern("late_sender"), pattern("late_receiver")};
    for (PatternStatistics& each : file.patterns)
        each.metric_id.reset();
    file.patterns[1].moments->mean_s = std::numeric_limits<double>::infinity();
    const ConvertedStatistics documented = converted(file, Dialect::documented);
    CHECK(documented.losses ==
          ConversionLosses{.numbered_patterns = 2, .instances = 0, .patterns_not_finite = 1});
    CHECK(documented.file.patterns[1].metric_id == whole(1));
    CHECK_FALSE(documented.file.patterns[1].moments);
    const StatisticsFile back = read(write_statistics(documented.file)).file;
    CHECK(back.dialect == Dialect::documented);
    CHECK(back.patterns[0].severest.size() == 1);
    const ConvertedStatistics again = converted(back, Dialect::scout);
    CHECK(again.losses.instances == 2); // the documented dialect has no ranks
    CHECK(converted(file, Dialect::scout).losses == ConversionLosses{.patterns_not_finite = 1});
}

TEST_CASE("blanks, tabs, CRLF, a byte order mark and no final newline change nothing") {
    const std::string line =
        "A 1 9 0.5 0.4 0.1 0.9 4.5 0.01 0.3 0.6\n- cnode: 7 enter: 1 exit: 2 duration: 0.9\n";
    const ReadStatistics plain = read(documented_header + line);
    REQUIRE(plain.problems.empty());
    REQUIRE(plain.file.patterns.size() == 1);
    std::string spaced;
    for (const char c : documented_header + line)
        spaced += c == ' ' ? std::string(" \t  ") : c == '\n' ? std::string(" \r\n") : std::string(1, c);
    for (const std::string& text :
         {spaced, "\xEF\xBB\xBF" + spaced, spaced.substr(0, spaced.size() - 3), spaced + "\r\n \t\n"}) {
        const ReadStatistics result = read(text);
        CHECK(result.problems.empty());
        CHECK(result.file == plain.file);
    }
}

TEST_CASE("numbers come in every notation") {
    const ReadStatistics result =
        read(std::string(documented_header) + "A +1 007 5e-1 .5 0x1p-2 +9E-1 4.5e+0 1e-400\n");
    REQUIRE(result.file.patterns.size() == 1);
    CHECK(result.file.patterns[0].metric_id == whole(1));
    CHECK(result.file.patterns[0].count == whole(7));
    CHECK(result.file.patterns[0].moments == Moments{0.5, 0.5, 0.25, 0.9, 4.5});
    // What no double can hold is not rounded to zero.
    CHECK(only_problem(result) == Found{Kind::not_number, 2, 38});

    for (const char* wrong : {"+-1", "1..2", "1e", "0x", "-", "1,5", "--1"})
        CHECK(read(fmt::format("{}A 1 7 {} 1 1 1 1\n", documented_header, wrong)).errors == 1);
}

TEST_CASE("whole numbers are exact up to 64 bits and doubles beyond") {
    const ReadStatistics result =
        read(std::string(documented_header) + "A 9223372036854775807 9223372036854775808\n");
    REQUIRE(result.problems.empty());
    CHECK(result.file.patterns[0].metric_id == whole(std::numeric_limits<std::int64_t>::max()));
    CHECK(result.file.patterns[0].count == WholeNumber(9223372036854775808.0));
    CHECK(read(write_statistics(result.file)).file == result.file);
    CHECK(only_problem(read(std::string(documented_header) + "A 1 -2\n")) ==
          Found{Kind::negative_count, 2, 5});
    CHECK(only_problem(read(std::string(documented_header) + "A 1 2.0\n")) == Found{Kind::not_whole, 2, 5});
}

TEST_CASE("values that contradict one another are kept and told") {
    const auto strange = [](const std::string& values) {
        const ReadStatistics result = read(std::string(documented_header) + "A 1 " + values + "\n");
        CHECK(result.errors == 0);
        REQUIRE(result.file.patterns.size() == 1);
        CHECK(result.file.patterns[0].moments.has_value());
        return only_problem(result);
    };
    CHECK(strange("9 1 1 2 1 9") == Found{Kind::minimum_above_maximum, 2, 1});
    CHECK(strange("9 1 3 1 2 9") == Found{Kind::median_outside, 2, 1});
    CHECK(strange("9 1 1 1 2 9 -1") == Found{Kind::negative_variance, 2, 1});
    CHECK(strange("9 1 1 1 2 9 1 1.5 2") == Found{Kind::median_outside_quartiles, 2, 1});
    CHECK(strange("9 nan 1 1 2 9") == Found{Kind::not_finite, 2, 7});
    CHECK(strange("9 1 1 1 2 inf") == Found{Kind::not_finite, 2, 15});

    CHECK(only_problem(read(std::string(scout_header) + "A 9 1 1 1 2 9\n")) ==
          Found{Kind::columns_contradict_count, 2, 1});
    CHECK(only_problem(read(std::string(scout_header) + "A 4 1 1 1 2 9 1 1 1\n")) ==
          Found{Kind::columns_contradict_count, 2, 1});
    const ReadStatistics twice = read(std::string(scout_header) + "A 1 1 1 1 1 1\n\nA 1 1 1 1 1 1\n");
    CHECK(twice.file.patterns.size() == 2);
    CHECK(only_problem(twice) == Found{Kind::repeated_pattern, 4, 1});
    CHECK(only_problem(read(std::string(documented_header) + "A 1 2\nB 2 2\n")) ==
          Found{Kind::missing_blank_line, 3, 1});
    const ReadStatistics apart =
        read(std::string(documented_header) + "A 1 2\n\n- cnode: 7 enter: 1 exit: 2 duration: 0.9\n");
    CHECK(apart.file.patterns[0].severest.size() == 1);
    CHECK(only_problem(apart) == Found{Kind::blank_line, 4, 1});
}

TEST_CASE("instances: every label is needed, in its order") {
    const auto problem = [](const std::string& line) {
        const ReadStatistics result = read(std::string(documented_header) + "A 1 2\n" + line + "\n");
        CHECK(result.errors == 1);
        return only_problem(result);
    };
    CHECK(problem("-") == Found{Kind::missing_word, 3, 2});
    CHECK(problem("- node: 5") == Found{Kind::wrong_label, 3, 3});
    CHECK(problem("- cnode: 5.5 enter: 1") == Found{Kind::not_whole, 3, 10});
    CHECK(problem("- cnode: 5 exit: 1") == Found{Kind::wrong_label, 3, 12});
    CHECK(problem("- cnode: 5 enter: 1 exit:") == Found{Kind::missing_word, 3, 26});
    CHECK(problem("- cnode: 5 enter: 1 exit: 2 duration: 1 rank:") == Found{Kind::missing_word, 3, 46});
    CHECK(problem("- cnode: 5 enter: 1 exit: 2 duration: 1 markerTime: 1") ==
          Found{Kind::missing_word, 3, 54});
    CHECK(problem("- cnode: 5 enter: 1 exit: 2 duration: 1 color: red") == Found{Kind::surplus_word, 3, 41});
    CHECK(only_problem(read(std::string(documented_header) + "- cnode: 5 enter: 1 exit: 2 duration: 1\n")) ==
          Found{Kind::orphan_instance, 2, 1});
    // The instances of a pattern that could not be read are no errors of their own.
    CHECK(
        read(std::string(documented_header) + "A B\n- cnode: 5 enter: 1 exit: 2 duration: 1\n- x\n").errors ==
        1);
    const ReadStatistics glued =
        read(std::string(documented_header) + "A 1 2\n-cnode: 5 enter: 1 exit: 2 duration: 1\n");
    CHECK(glued.problems.empty());
    CHECK(glued.file.patterns[0].severest.size() == 1);
}

TEST_CASE("what is no statistics file is refused, a header without patterns is a file without wait states") {
    CHECK_THROWS_AS((void)read(""), InputError);
    CHECK_THROWS_AS((void)read(std::string("A\nB\0C", 5)), InputError);
    CHECK(read(scout_header).problems.empty());
    CHECK(read(scout_header).file.patterns.empty());
    CHECK(read("A 1 2\rB 1 2\r").errors == 1); // the whole file would be its first line
    CHECK_THROWS_AS((void)read_statistics_file("/nonexistent/x.stat"), SystemError);
    CHECK_THROWS_AS((void)read_statistics_file("/"), InputError);
}

TEST_CASE("neither long lines nor many errors fill the memory") {
    const ReadStatistics result = read(scout_header + std::string(longest_line + 1, 'x') + "\nA 1\n");
    CHECK(only_problem(result) == Found{Kind::line_too_long, 2, 1});
    CHECK(result.file.patterns.size() == 1);
    CHECK(read(scout_header + std::string(longest_line - 2, 'x') + " 1\n").errors == 0);

    std::string many = scout_header;
    for (int i = 0; i < 1000; ++i)
        many += "A B\n";
    CHECK(read(many).errors == 1000);
    CHECK(read(many).problems.size() == most_problems);
}

TEST_CASE("each problem in its words, as a golden file shows them") {
    Golden golden("cube_statistics");
    const auto add = [&](const std::string& name, const std::string& text) {
        std::string words;
        try {
            for (const Problem& problem : read(text).problems)
                words += to_text(problem, "x.stat") + "\n";
        } catch (const InputError& error) {
            words = error.what();
        }
        golden.add(name, words);
    };
    for (const char* numbers :
         {"9 1 1 2 1 9", "9 1 3 1 2 9", "9 1 1 1 2 9 -1", "9 1 1 1 2 9 1 1.5 2", "9 nan 1 1 2 9", "-2", "2.0",
          "", "9 0.1 0,5 1 1 1", "9 1 1", "9 1 1 1 2 9 1 1", "9 1 1 1 2 9 1 1 1 7", "9 1 1 1 1 1 1e-400"})
        add(std::string("values ") + numbers, std::string(documented_header) + "A 1 " + numbers + "\n");
    for (const char* line : {"-", "- node: 5", "- cnode: 5.5 enter: 1",
                             "- cnode: 5 enter: 1 exit:", "- cnode: 5 enter: 1 exit: 2 duration: 1 rank:",
                             "- cnode: 5 enter: 1 exit: 2 duration: 1 color: red", "- cnode: 5 enter: x",
                             "- cnode: 5 enter: 2 exit: 1 duration: 1"})
        add(line, std::string(documented_header) + "A 1 2\n" + line + "\n");
    const std::string instance = "- cnode: 7 enter: 1 exit: 2 duration: 0.9\n";
    const std::string documented(documented_header);
    const std::string scout(scout_header);
    add("count and columns",
        scout + "A 9 1 1 1 2 9\n\nB 1 1 1 1 1 1 1\n\nC 4 1 1 1 2 9 1 1 1\n\nD 9 1 1 1 2 9 1\n");
    add("two of one name", scout + "A 1 1 1 1 1 1\n\nA 1 1 1 1 1 1\n");
    add("no blank line", documented + "A 1 2\nB 2 2\n");
    add("a blank line", documented + "A 1 2\n\n" + instance);
    add("no pattern", documented + instance);
    add("above the maximum", scout + "A 1 0.1 0.1 0.1 0.1 0.1\n" + instance);
    add("another dialect", scout + "A 6 4 0.010 0.000031 0.000004 0.042856 0.042 0.000459\n");
    add("a long line", scout + std::string(longest_line + 1, 'x') + "\n");
    add("CR", "A 1 2\rB 1 2\r");
    add("control characters", scout + "A \x1b[31m" + std::string(100, 'y') + "\n");
    add("empty", "");
    add("NUL", std::string("A\nB\0C", 5));
    golden.add("a name that is not printable",
               to_text(Problem{Problem::Weight::error, Kind::missing_word, 1, 2, "t"}, "a\nb"));
    golden.check();
}

TEST_CASE("scout's dialect is written as the Cube browser reads it") {
    StatisticsFile file{Dialect::scout, {pattern("Bcast/8"), pattern("Long_name_of_a_pattern/1024")}};
    file.patterns[0].count = whole(1);
    file.patterns[0].variance_s2.reset();
    file.patterns[0].quartiles.reset();
    file.patterns[0].severest.clear();
    const std::string expected =
        "PatternName                 Count Mean Median Minimum Maximum Sum Variance Quartil25 Quartil75\n"
        "Bcast/8                         1  0.5    0.4     0.1     0.9 4.5\n"
        "\n"
        "Long_name_of_a_pattern/1024     9  0.5    0.4     0.1     0.9 4.5     0.01       0.3       0.6\n"
        "- cnode 7 enter: 1 exit: 2 duration: 0.9 rank: 3\n"
        "\n";
    CHECK(write_statistics(file) == expected);
    file.dialect = Dialect::documented;
    CHECK(write_statistics(file).substr(0, 20) == "PatternName         ");
    CHECK(write_statistics(file).find("\n- cnode: 7 enter: 1 exit: 2 duration: 0.9\n") != std::string::npos);
}

TEST_CASE("what a dialect needs and what no file can hold is asked for") {
    const auto with = [](Dialect dialect, auto change) {
        StatisticsFile file{dialect, {pattern("A")}};
        change(file.patterns[0]);
        return write_statistics(file);
    };
    CHECK_NOTHROW((void)with(Dialect::documented, [](PatternStatistics&) {}));
    CHECK_THROWS_AS((void)with(Dialect::documented, [](PatternStatistics& p) { p.metric_id.reset(); }),
                    std::invalid_argument);
    CHECK_THROWS_AS((void)with(Dialect::scout, [](PatternStatistics& p) { p.severest[0].rank.reset(); }),
                    std::invalid_argument);
    CHECK_THROWS_AS((void)with(Dialect::expert, [](PatternStatistics&) {}), std::invalid_argument);
    for (const char* name : {"", "-A", "A B", "A\tB", "A\nB"})
        CHECK_THROWS_AS((void)with(Dialect::scout, [&](PatternStatistics& p) { p.name = name; }),
                        std::invalid_argument);
    for (const double value : {std::nan(""), std::numeric_limits<double>::infinity()})
        CHECK_THROWS_AS((void)with(Dialect::scout, [&](PatternStatistics& p) { p.moments->sum_s = value; }),
                        std::invalid_argument);
}

TEST_CASE("reading what was written gives the same doubles") {
    std::mt19937_64 random(20261122);
    const auto any_double = [&] {
        for (;;)
            if (const double value = std::bit_cast<double>(random()); std::isfinite(value))
                return value;
    };
    for (int i = 0; i < 2000; ++i) {
        StatisticsFile file;
        file.dialect = static_cast<Dialect>(i % 3);
        for (int p = 0; p < 3; ++p) {
            PatternStatistics statistics;
            statistics.name = "pattern_" + std::to_string(p);
            if (file.dialect == Dialect::documented)
                statistics.metric_id = static_cast<std::int64_t>(random());
            statistics.count = static_cast<std::int64_t>(random() >> 1);
            // The first line tells the dialect together with the columns of the first pattern.
            if (random() % 4 != 0)
                statistics.moments = {any_double(), any_double(), any_double(), any_double(), any_double()};
            if (statistics.moments && random() % 4 != 0)
                statistics.variance_s2 = any_double();
            if (statistics.variance_s2 && random() % 4 != 0)
                statistics.quartiles = {any_double(), any_double()};
            for (std::uint64_t n = random() % 3; n > 0; --n) {
                Instance instance{static_cast<std::int64_t>(random()),
                                  any_double(),
                                  any_double(),
                                  any_double(),
                                  {},
                                  {},
                                  {}};
                if (file.dialect == Dialect::scout)
                    instance.rank = static_cast<std::int64_t>(random());
                if (file.dialect == Dialect::expert) {
                    instance.marker_s = any_double();
                    instance.marker_location = static_cast<std::int64_t>(random());
                }
                statistics.severest.push_back(instance);
            }
            file.patterns.push_back(std::move(statistics));
        }
        const ReadStatistics result = read(write_statistics(file));
        CHECK(result.errors == 0);
        CHECK(result.file == file);
    }
    for (const char* name : {"documented.stat", "scout.stat", "expert.stat"})
        CHECK(read(write_statistics(sample(name).file)).file == sample(name).file);
}

TEST_CASE("a statistics file is known by its ending, else by its first line") {
    const ScratchFolder scratch;
    const auto made = [&](const std::string& name, const std::string& text) {
        std::ofstream(scratch / name) << text;
        return scratch / name;
    };
    CHECK(is_statistics_file("missing/trace.STAT"));
    CHECK(is_statistics_file(made("a", scout_header)));
    CHECK(is_statistics_file(made("b.txt", "Pattern Name   Count\n")));
    CHECK_FALSE(is_statistics_file(made("c.db", "SQLite format 3")));
    CHECK_FALSE(is_statistics_file(made("d.csv", "run,suite\n")));
    CHECK_FALSE(is_statistics_file(scratch / "none"));
    CHECK_FALSE(is_statistics_file("/"));
}
