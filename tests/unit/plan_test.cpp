// SPDX-License-Identifier: GPL-2.0-or-later
#include "../golden.hpp"
#include "base/error.hpp"
#include "parsed.hpp"
#include "spec/mistake.hpp"
#include "spec/parser.hpp"
#include "spec/plan.hpp"
#include "spec/plan_size.hpp"
#include "spec/plan_text.hpp"

#include <doctest/doctest.h>
#include <limits>
#include <optional>

using namespace skampi;

namespace {

Suite suite_of(const std::string& keys) {
    return parse("@MEASUREMENTS\nA { " + keys + " }").suites.at(0);
}

std::string hash_of(const std::string& text) {
    return plan_hash(parse(text));
}

SuiteSize size_in(const std::string& keys, int ranks, std::int64_t memory_bytes = 1 << 20) {
    return size_of(suite_of(keys), ranks, memory_bytes);
}

} // namespace

TEST_CASE("comments, order of keys, spelled-out defaults and descriptions leave the plan's hash alone") {
    const std::string hash = hash_of("@MEASUREMENTS\nA { Type = 17; Max_Steps = 5; }\n");
    CHECK(hash.size() == 16);
    CHECK(hash.find_first_not_of("0123456789abcdef") == std::string::npos);
    CHECK(hash_of("text\n@USER me\n@OUTFILE x.db\n@MEASUREMENTS\n# c\nA\n{Max_Steps=5;Type=MPI_Bcast;}") ==
          hash);
    CHECK(hash_of("@MAXREPDEFAULT 1000\n@MEASUREMENTS\nA { Type = 17; Max_Steps = 5; "
                  "Stepwidth = 2; Passes = 4; }") == hash);
    CHECK(hash_of("@MAXSTEPSDEFAULT 5\n@MEASUREMENTS\nA { Type = 17; }") == hash);
    CHECK(hash_of("@MEASUREMENTS\nA { Type = 17; Max_Steps = 5; Default_Message_length = 9; }") == hash);
}

TEST_CASE("the order of the suites leaves the plan's hash alone: each launch of a series has its own") {
    CHECK(hash_of("@MEASUREMENTS\nA { Type = 17; }\nB { Type = 18; }") ==
          hash_of("@MEASUREMENTS\nB { Type = 18; }\nA { Type = 17; }"));
}

TEST_CASE("whatever changes what is measured changes the plan's hash") {
    const std::string block = "@MEASUREMENTS\nA { Type = 19; ";
    const std::string hash = hash_of(block + "}");
    for (const char* keys : {"Variation = Nodes;",    "Scale = Fixed_log;",
                             "Max_Repetition = 9;",   "Max_Repetition = Invalid_Value;",
                             "Min_Repetition = 9;",   "Multiple_of = 9;",
                             "Time_Measurement = 9;", "Time_Suite = 9;",
                             "Node_Times = yes;",     "Cut_Quantile = 0.2;",
                             "Max_Distance = 9;",     "Start_Argument = 9;",
                             "End_Argument = 9;",     "Stepwidth = 9;",
                             "Max_Steps = 9;",        "Min_Distance = 9;",
                             "Standard_error = 9;",   "Error_Estimator = classic;",
                             "Value = lower;",        "Samples = summary;",
                             "Passes = 9;",           "Nodes = 9;",
                             "Buffers = cold;",       "Synchronization = barrier;",
                             "Reported_Time = root;", "Datatype = MPI_INT;",
                             "Reduction = MPI_BAND;", "Root = 1;",
                             "In_Place = yes;",       "Algorithm = ring;",
                             "Algorithm = all;"}) {
        CAPTURE(keys);
        CHECK(hash_of(block + keys + "}") != hash);
    }
    CHECK(hash_of(block + "Algorithm = default; }") == hash);
    CHECK(hash_of("@ABSOLUTE yes\n" + block + "}") != hash);
    CHECK(hash_of("@RESOLUTION 2\n" + block + "}") != hash);
    CHECK(hash_of("@RESOLUTION 1 %\n" + block + "}") == hash);
    CHECK(hash_of("@MEASUREMENTS\nA { Type = 10; Default_Chunks = 9; }") !=
          hash_of("@MEASUREMENTS\nA { Type = 10; }"));
    CHECK(hash_of("@MEMORY 1GiB\n" + block + "}") != hash);
    CHECK(hash_of("@MEASUREMENTS\nB { Type = 17; }") != hash);
    CHECK(hash_of("@MEASUREMENTS\nA { Type = 17; }") != hash);
    CHECK(hash_of(block + "}\nB { Type = 18; }") != hash);
    CHECK(hash_of("@MEASUREMENTS\nA { Type = 1; }") !=
          hash_of("@MEASUREMENTS\nA { Type = 1; Partner = nearest; }"));
}

TEST_CASE("the largest numbers that a file may hold are planned with") {
    constexpr std::int64_t largest = std::numeric_limits<std::int64_t>::max();
    const std::string number = std::to_string(largest);
    const auto size = [&](const std::string& keys) { return size_in("Type = 17; " + keys, 2, largest); };
    const SuiteSize from_zero = size("Start_Argument = 0;");
    CHECK(from_zero.start == 0);
    CHECK(from_zero.end == largest);
    CHECK(from_zero.end_by_memory);
    CHECK(from_zero.first_points == 64); // Max_Steps
    CHECK(from_zero.most_points == 64);
    CHECK(size("Start_Argument = 0; Max_Steps = Invalid_Value;").most_points == largest);
    CHECK(size("Min_Distance = " + number + "; Max_Steps = 70;").first_points == 2);
    CHECK(size("Min_Distance = " + number + "; Max_Steps = 70;").most_points == 2);
    const SuiteSize one = size("Multiple_of = " + number + ";");
    CHECK(one.start == largest);
    CHECK(one.end == largest);
    CHECK(one.most_points == 1);
    const SuiteSize few = size("Start_Argument = 9223372036854775800; End_Argument = " + number + ";");
    CHECK(few.first_points == 2);
    CHECK(few.most_points == 8);
    CHECK_FALSE(few.end_by_memory);
    CHECK(size("Variation = Nodes; Default_Message_length = " + number + ";").most_points == 1);
}

TEST_CASE("a number of chunks that no call ends with is refused") {
    const auto mistake = [](const std::string& keys) {
        try {
            (void)parse("@MEASUREMENTS\nA {\nType = 10; Variation = Chunks;\n" + keys + " }\n");
        } catch (const ParameterError& error) {
            CHECK(error.line() == 4);
            return std::optional(error.mistake());
        }
        return std::optional<Mistake>();
    };
    CHECK_FALSE(mistake("Start_Argument = 10000000;"));
    CHECK(mistake("Start_Argument = 9223372036854775800;") == Mistake::above_largest);
    CHECK(mistake("End_Argument = 10000001;") == Mistake::above_largest);
}

TEST_CASE("memory belongs to the plan only where it decides a length") {
    const std::string block = "@MEASUREMENTS\nA { Type = 17; End_Argument = 9; }";
    CHECK(hash_of("@MEMORY 1GiB\n" + block) == hash_of(block));
}

TEST_CASE("arguments end where memory or the number of ranks do, chunks at sixteen per worker") {
    struct Row {
        const char* keys;
        int ranks;
        std::int64_t start;
        std::int64_t end;
    };
    for (const Row& row : {Row{"Type = 17;", 4, 1, 1001},
                           {"Type = 17; Datatype = MPI_DOUBLE;", 4, 8, 1000},
                           {"Type = 17; End_Argument = 1MiB;", 4, 1, 1001},
                           {"Type = 17; End_Argument = 10;", 4, 1, 10},
                           {"Type = 17; Variation = Nodes;", 6, 2, 6},
                           {"Type = 17; Variation = Nodes; End_Argument = 99;", 6, 2, 6},
                           {"Type = 17; Variation = Nodes; End_Argument = 3;", 6, 2, 3},
                           {"Type = 10; Variation = Chunks;", 5, 4, 64},
                           {"Type = 10; Variation = Chunks; Nodes = 3;", 5, 2, 32},
                           {"Type = 10; Variation = Chunks; Start_Argument = 7;", 5, 7, 64},
                           {"Type = 10; Variation = Chunks; End_Argument = 3;", 5, 3, 3}}) {
        CAPTURE(row.keys);
        const auto arguments = resolved_arguments(suite_of(row.keys), row.ranks, 1001);
        REQUIRE(arguments);
        CHECK(arguments->start == row.start);
        CHECK(arguments->end == row.end);
    }
}

TEST_CASE("where the start does not fit there is nothing to measure") {
    CHECK_FALSE(resolved_arguments(suite_of("Type = 17; Variation = Nodes;"), 1, 1000));
    CHECK_FALSE(resolved_arguments(suite_of("Type = 17; Start_Argument = 2000;"), 4, 1000));
    CHECK_FALSE(resolved_arguments(suite_of("Type = 1;"), 1, 1000));
    CHECK_FALSE(resolved_arguments(suite_of("Type = 17; Nodes = 8;"), 4, 1000));
    CHECK(resolved_arguments(suite_of("Type = 17; Nodes = 4;"), 4, 1000));
    CHECK(resolved_arguments(suite_of("Type = 24;"), 1, 1000));
}

TEST_CASE("the time limits of a suite bound its measurement; without one there is none") {
    CHECK(size_in("Type = 17; Time_Suite = 30 s;", 8).longest_s == 30);
    const SuiteSize clock = size_in("Type = 24; Time_Suite = Invalid_Value; Time_Measurement = 3 s;", 8);
    CHECK(clock.longest_s == 3);
    CHECK(clock.most_points == 1);
    CHECK_FALSE(
        size_in("Type = 17; End_Argument = 4; Time_Suite = Invalid_Value; Time_Measurement = Invalid_Value;",
                2)
            .longest_s);
}

TEST_CASE("the size names what keeps a suite from being measured") {
    CHECK_FALSE(size_in("Type = 18;", 2).obstacle);
    CHECK(size_in("Type = 18;", 1).obstacle == Obstacle::few_ranks);
    CHECK(size_in("Type = 17; Start_Argument = 2MiB;", 2).obstacle == Obstacle::little_memory);
    CHECK(size_in("Type = 1; Partner = rank 5;", 2).obstacle == Obstacle::no_partner);
    CHECK(size_in("Type = 1; Partner = rank 5;", 2).most_points == 0);
    CHECK_FALSE(size_in("Type = 1; Partner = rank 5;", 6).obstacle);
}

TEST_CASE("whether a partner exists may depend on where the ranks are placed") {
    CHECK(size_in("Type = 1; Partner = other node;", 2).partner_by_placement);
    CHECK_FALSE(size_in("Type = 1; Partner = rank 1;", 2).partner_by_placement);
    CHECK_FALSE(size_in("Type = 1;", 2).partner_by_placement);
}

TEST_CASE("a suite has no more points than there are arguments") {
    const SuiteSize nodes = size_in("Type = 18;", 2);
    CHECK(nodes.start == 2);
    CHECK(nodes.end == 2);
    CHECK(nodes.most_points == 1);
    const SuiteSize lengths =
        size_in("Type = 17; Start_Argument = 8; End_Argument = 40; Multiple_of = 8;", 2);
    CHECK(lengths.most_points == 5);
    CHECK(size_in("Type = 17;", 2).first_points == 21); // 2^0 ... 2^20
    CHECK(size_in("Type = 17;", 2).most_points == 64);
}

TEST_CASE("the estimate never exceeds the limits") {
    const SuiteSize size =
        size_in("Type = 17; Time_Suite = 1 s; Standard_error = 0.001; Min_Repetition = 1000000;", 64);
    CHECK(size.longest_s == 1);
    CHECK(size.estimate_s == 1);
}

TEST_CASE("the plan is a table; a golden file shows it") {
    Golden golden("plan");
    const auto add = [&](const std::string& name, const std::string& text, int ranks) {
        golden.add(name,
                   describe_plan(parse(text), ranks) + describe_launches(parse(text), parse(text), ranks));
    };
    add("three suites",
        "@MEMORY 1 MiB\n@MEASUREMENTS\n"
        "short { Type = 17; Time_Suite = 30 s; }\n"
        "a longer name \u00fc { Type = 18; Variation = Nodes; Time_Suite = 12 s; }\n"
        "clock { Type = 24; Time_Suite = Invalid_Value; Time_Measurement = 3 s; }\n",
        8);
    add("too few ranks, and no limit",
        "@MEASUREMENTS\nnodes { Type = 18; }\nendless { Type = 17; End_Argument = 4; "
        "Time_Suite = Invalid_Value; Time_Measurement = Invalid_Value; }\n",
        1);
    const std::string partners =
        "@MEASUREMENTS\nfifth { Type = 1; Partner = rank 5; }\nfirst { Type = 1; Partner = rank 1; }\n"
        "far { Type = 1; Partner = other node; }\naway { Type = 2; Partner = other node; }\n"
        "any { Type = 1; }\n";
    add("a missing partner, and partners by placement", partners, 2);
    add("no missing partner", partners, 6);
    add("too little memory, no multiple",
        "@MEMORY 1 KiB\n@MEASUREMENTS\nlong { Type = 17; Start_Argument = 2KiB; }\n"
        "odd { Type = 10; Variation = Chunks; Multiple_of = 1000; }\n",
        2);
    add("a call that is longer than its time limit",
        "@MEASUREMENTS\npieces { Type = 10; Variation = Chunks; End_Argument = 10000000; Time_Suite = 1 s; }\n",
        2);
    golden.check();
}

TEST_CASE(
    "a suite with the times of all ranks takes more of the database, one without single measurements less") {
    const double usual = size_in("Type = 17;", 8).bytes;
    CHECK(size_in("Type = 17; Node_Times = yes;", 8).bytes > 2 * usual);
    CHECK(size_in("Type = 17; Samples = summary;", 8).bytes < usual / 2);
}

TEST_CASE("the plan of functions without MPI speaks of no ranks and messages") {
    OperationInfo sort{.name = "sort", .title = "sort", .varied = {Varied::message_length}};
    sort.meaning = Meaning::local;
    const ParameterFile file =
        parse_parameter_file("x.skampi", "@MEASUREMENTS\na { Type = sort; }\n", {{sort}});
    const std::string text = describe_plan(file, 0);
    CHECK(text.find("1 suite") != std::string::npos);
    for (const char* const word : {"rank", "message", "MPI"})
        CHECK_MESSAGE(text.find(word) == std::string::npos, text);
}

TEST_CASE("more ranks than a scale can have arguments for are bad input, named with the suite") {
    CHECK(size_in("Type = 19; Variation = Nodes; Scale = Fixed_linear;", 1000).first_points > 0);
    CHECK_THROWS_WITH_AS(
        static_cast<void>(size_in("Type = 19; Variation = Nodes; Scale = Fixed_linear;", 2'000'000)),
        doctest::Contains("suite A: stepwidth is so small"), InputError);
}
