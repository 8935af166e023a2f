#include "base/error.hpp"
#include "seed_operations.hpp"
#include "spec/parameter_file.hpp"
#include "spec/plan.hpp"

#include <algorithm>
#include <doctest/doctest.h>
#include <iterator>
#include <sstream>

using namespace skampi;

namespace {

ParameterFile parse(const std::string& text) {
    return parse_parameter_file("x.skampi", text, seed_operations());
}

Suite suite_of(const std::string& keys) {
    return parse("@MEASUREMENTS\nA { " + keys + " }").suites.at(0);
}

std::string hash_of(const std::string& text) {
    return plan_hash(parse(text));
}

std::vector<std::string> lines_of(const std::string& text) {
    std::vector<std::string> lines;
    std::istringstream stream(text);
    for (std::string line; std::getline(stream, line);)
        lines.push_back(line);
    return lines;
}

/// The words of a suite's line in a plan from the arguments to the smallest number of repetitions. Its name,
/// operation, pattern and what is varied are one, one, one, and one or two words.
std::vector<std::string> cells_of(const std::string& plan, const std::string& suite) {
    for (const std::string& line : lines_of(plan)) {
        if (!line.starts_with(suite + " "))
            continue;
        std::istringstream stream(line);
        std::vector<std::string> words{std::istream_iterator<std::string>(stream), {}};
        const auto number = [](const std::string& word) {
            return word.find_first_not_of("0123456789") == word.npos;
        };
        words.erase(words.begin(), std::find_if(words.begin(), words.end(), number));
        const auto sixteen = std::find(words.begin(), words.end(), "16");
        words.erase(sixteen == words.end() ? sixteen : sixteen + 1, words.end());
        return words;
    }
    return {};
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
                             "In_Place = yes;"}) {
        CAPTURE(keys);
        CHECK(hash_of(block + keys + "}") != hash);
    }
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
    const auto cells = [](const std::string& keys) {
        return cells_of(
            describe_plan(
                parse("@MEMORY 9223372036854775807\n@MEASUREMENTS\nA { Type = 17; " + keys + " }\n"), 2),
            "A");
    };
    const std::string largest = "9223372036854775807";
    // The first pass is made whatever Max_Steps says.
    CHECK(cells("Start_Argument = 0;") ==
          std::vector<std::string>{"0", "..", "at", "most", largest, "65", "16"});
    CHECK(cells("Start_Argument = 0; Max_Steps = Invalid_Value;") ==
          std::vector<std::string>{"0", "..", "at", "most", largest, "65", "..", largest, "16"});
    CHECK(cells("Min_Distance = " + largest + "; Max_Steps = 70;") ==
          std::vector<std::string>{"1", "..", "at", "most", largest, "64", "16"});
    CHECK(cells("Multiple_of = " + largest + ";") ==
          std::vector<std::string>{largest, "..", "at", "most", largest, "1", "16"});
    CHECK(cells("Start_Argument = 9223372036854775800; End_Argument = " + largest + ";") ==
          std::vector<std::string>{"9223372036854775800", "..", largest, "2", "..", "8", "16"});
    CHECK(cells("Variation = Nodes; Default_Message_length = " + largest + ";").size() == 5);
}

TEST_CASE("a number of chunks that no call ends with is refused") {
    const auto with = [](const std::string& keys) {
        return parse("@MEASUREMENTS\nA {\nType = 10; Variation = Chunks;\n" + keys + " }\n");
    };
    CHECK(with("Start_Argument = 10000000;").suites.size() == 1);
    CHECK_THROWS_WITH_AS(with("Start_Argument = 9223372036854775800;"),
                         "x.skampi:4:18: found Start_Argument = 9223372036854775800 with Variation = Chunks, "
                         "expected at most 10000000",
                         InputError);
    CHECK_THROWS_WITH_AS(with("End_Argument = 10000001;"),
                         "x.skampi:4:16: found End_Argument = 10000001 with Variation = Chunks, expected at "
                         "most 10000000",
                         InputError);
}

TEST_CASE("memory belongs to the plan only where it decides a length") {
    const std::string block = "@MEASUREMENTS\nA { Type = 17; End_Argument = 9; }";
    CHECK(hash_of("@MEMORY 1GiB\n" + block) == hash_of(block));
}

TEST_CASE("Max_Value is what memory or the number of ranks allows") {
    const auto length = resolved_arguments(suite_of("Type = 17;"), 4, 1000);
    REQUIRE(length);
    CHECK(length->start == 1);
    CHECK(length->end == 1000);
    CHECK(resolved_arguments(suite_of("Type = 17; Datatype = MPI_DOUBLE;"), 4, 1001)->end == 1000);
    CHECK(resolved_arguments(suite_of("Type = 17; Variation = Nodes;"), 6, 1000)->end == 6);
}

TEST_CASE("ends that are given are capped by memory and ranks") {
    CHECK(resolved_arguments(suite_of("Type = 17; End_Argument = 1MiB;"), 4, 1000)->end == 1000);
    CHECK(resolved_arguments(suite_of("Type = 17; End_Argument = 10;"), 4, 1000)->end == 10);
    CHECK(resolved_arguments(suite_of("Type = 17; Variation = Nodes; End_Argument = 99;"), 6, 1000)->end ==
          6);
    CHECK(resolved_arguments(suite_of("Type = 17; Variation = Nodes; End_Argument = 3;"), 6, 1000)->end == 3);
}

TEST_CASE("where the start does not fit there is nothing to measure") {
    CHECK_FALSE(resolved_arguments(suite_of("Type = 17; Variation = Nodes;"), 1, 1000));
    CHECK_FALSE(resolved_arguments(suite_of("Type = 17; Start_Argument = 2000;"), 4, 1000));
    CHECK_FALSE(resolved_arguments(suite_of("Type = 1;"), 1, 1000));
    CHECK_FALSE(resolved_arguments(suite_of("Type = 17; Nodes = 8;"), 4, 1000));
    CHECK(resolved_arguments(suite_of("Type = 17; Nodes = 4;"), 4, 1000));
    CHECK(resolved_arguments(suite_of("Type = 24;"), 1, 1000));
}

TEST_CASE("chunks go from one to sixteen per worker") {
    const auto chunks = resolved_arguments(suite_of("Type = 10; Variation = Chunks;"), 5, 1000);
    REQUIRE(chunks);
    CHECK(chunks->start == 4);
    CHECK(chunks->end == 64);
    CHECK(resolved_arguments(suite_of("Type = 10; Variation = Chunks; Nodes = 3;"), 5, 1000)->start == 2);
    CHECK(
        resolved_arguments(suite_of("Type = 10; Variation = Chunks; Start_Argument = 7;"), 5, 1000)->start ==
        7);
    const auto few =
        resolved_arguments(suite_of("Type = 10; Variation = Chunks; End_Argument = 3;"), 5, 1000);
    REQUIRE(few);
    CHECK(few->start == 3);
    CHECK(few->end == 3);
}

TEST_CASE("the plan is a table with aligned columns and the sum of its time limits") {
    const ParameterFile file =
        parse("@MEMORY 1 MiB\n@MEASUREMENTS\n"
              "short { Type = 17; Time_Suite = 30 s; }\n"
              "a longer name \u00fc { Type = 18; Variation = Nodes; Time_Suite = 12 s; }\n"
              "clock { Type = 24; Time_Suite = Invalid_Value; Time_Measurement = 3 s; }\n");
    const std::vector<std::string> lines = lines_of(describe_plan(file, 8));
    REQUIRE(lines.size() == 8);
    CHECK(lines[0].find("suite") == 0);
    const std::size_t column = lines[0].find("operation");
    CHECK(lines[1].find("MPI_Bcast") == column);
    CHECK(lines[2].find("MPI_Barrier") == column + 1); // the name holds one character of two bytes
    CHECK(lines[1].find("1 .. at most 1 MiB") != std::string::npos);
    CHECK(lines[1].find("21 .. 64") != std::string::npos); // 2^0 ... 2^20
    CHECK(lines[2].find("2 .. 8") != std::string::npos);
    CHECK(lines[5] == "3 suites with 8 ranks, 1 MiB of message buffers per rank");
    CHECK(lines[6].find("time: at most 45 s of measuring, about ") == 0); // 30 + 12 + 3
    for (const std::string& line : lines)
        CHECK((line.empty() || line.back() != ' '));
}

TEST_CASE("the plan says what cannot be measured and what has no limit") {
    const ParameterFile file =
        parse("@MEASUREMENTS\nnodes { Type = 18; }\nendless { Type = 17; End_Argument = 4; "
              "Time_Suite = Invalid_Value; Time_Measurement = Invalid_Value; }\n");
    const std::string text = describe_plan(file, 1);
    CHECK(text.find("needs more ranks") != std::string::npos);
    CHECK(text.find("time: 1 suite has no limit") != std::string::npos);
    CHECK(text.find("1 suite cannot be measured with 1 rank and") != std::string::npos);
}

TEST_CASE("the plan says what its limits do not hold: a run takes longer than it measures") {
    const std::vector<std::string> lines =
        lines_of(describe_plan(parse("@MEASUREMENTS\nA { Type = 17; Time_Suite = 30 s; }\n"), 2));
    CHECK(lines.at(lines.size() - 2).find("time: at most 30 s of measuring, about ") == 0);
    CHECK(lines.back() == "beside it: starting MPI, the calls that are running when a time is over, and "
                          "forming and storing each value");
}

TEST_CASE("the plan says where a ping-pong's partner is missing, or may be") {
    const ParameterFile file =
        parse("@MEASUREMENTS\nfifth { Type = 1; Partner = rank 5; }\nfirst { Type = 1; Partner = rank 1; }\n"
              "far { Type = 1; Partner = other node; }\naway { Type = 2; Partner = other node; }\n"
              "any { Type = 1; }\n");
    const std::string two = describe_plan(file, 2);
    const std::vector<std::string> lines = lines_of(two);
    CHECK(lines.at(1).find("has no rank 5") != std::string::npos);
    CHECK(lines.at(1).find("  0  ") != std::string::npos); // points
    for (const std::size_t there : {2, 3, 4, 5})
        CHECK(lines.at(there).find("1 .. at most ") != std::string::npos);
    CHECK(two.find(
              "far and away: measured only where the launcher puts a rank that fits Partner = other node") !=
          std::string::npos);
    CHECK(two.find("1 suite cannot be measured with 2 ranks") != std::string::npos);
    const std::string six = describe_plan(file, 6);
    CHECK(six.find("has no rank") == std::string::npos);
    CHECK(six.find("cannot be measured") == std::string::npos);
}

TEST_CASE("the plan counts no more points than there are arguments") {
    const std::string text =
        describe_plan(parse("@MEASUREMENTS\nA { Type = 18; }\nB { Type = 17; Start_Argument = 8; "
                            "End_Argument = 40; Multiple_of = 8; }"),
                      2);
    CHECK(cells_of(text, "A") == std::vector<std::string>{"2", "..", "2", "1", "16"});
    CHECK(cells_of(text, "B") == std::vector<std::string>{"8", "..", "40", "5", "16"});
}

TEST_CASE("the estimate never exceeds the limits") {
    const ParameterFile file =
        parse("@MEASUREMENTS\nA { Type = 17; Time_Suite = 1 s; Standard_error = 0.001; "
              "Min_Repetition = 1000000; }");
    CHECK(describe_plan(file, 64).find("time: at most 1.0 s of measuring, about 1.0 s") != std::string::npos);
}
