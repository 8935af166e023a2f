// SPDX-License-Identifier: GPL-2.0-or-later
#include "../golden.hpp"
#include "base/error.hpp"
#include "base/text.hpp"
#include "capture_binding.hpp"
#include "close_to.hpp"
#include "parsed.hpp"
#include "seed_operations.hpp"
#include "spec/datatypes.hpp"
#include "spec/key_table.hpp"
#include "spec/mistake.hpp"
#include "spec/parser.hpp"
#include "spec/plan.hpp"
#include "spec/plan_text.hpp"
#include "spec/quick_file.hpp"
#include "spec/text_file.hpp"

#include <algorithm>
#include <doctest/doctest.h>
#include <filesystem>
#include <fstream>
#include <optional>
#include <random>
#include <set>
#include <sstream>
#include <sys/stat.h>
#include <unistd.h>

using namespace skampi;

namespace {

/// A file with these lines in @MEASUREMENTS, which is its line 1.
ParameterFile parse_blocks(const std::string& blocks) {
    return parse("@MEASUREMENTS\n" + blocks);
}

/// The only suite of a block of MPI_Reduce, which has all parameters, with these keys.
Suite suite_with(const std::string& keys) {
    const ParameterFile file = parse_blocks("A\n{ Type = 19; " + keys + " }\n");
    REQUIRE(file.suites.size() == 1);
    return file.suites.front();
}

std::string message_of(const std::string& text) {
    try {
        (void)parse(text);
    } catch (const InputError& error) {
        return error.what();
    }
    return "no error";
}

/// A mistake and its place.
struct Found {
    Mistake mistake = Mistake::syntax;
    std::size_t line = 0;
    std::size_t column = 0;
    bool operator==(const Found&) const = default;
};

/// What is found in a text; none = it is accepted.
std::optional<Found> found_in(const std::string& text) {
    try {
        (void)parse(text);
    } catch (const ParameterError& error) {
        return Found{error.mistake(), error.line(), error.column()};
    }
    return std::nullopt;
}

/// A block whose keys begin in line 3, column 1.
std::string block(const std::string& keys) {
    return "@MEASUREMENTS\nA {\n" + keys + "\n}\n";
}

const std::string bcast = "@MEASUREMENTS\nA { Type = 17; }\n";

std::string source_file(const std::string& path) {
    return read_text_file(std::string(SKAMPI_SOURCE_ROOT) + "/" + path);
}

} // namespace

TEST_CASE("the block of the SKaLib manual, section 6.2, is read to the letter") {
    const std::string text = R"(@MEASUREMENTS
MPI_Send
{
    Type = 50;
    Variation = Length;
    Scale = Dynamic_log;
    Max_Repetition = Default_Value;
    Min_Repetition = Default_Value;
    Multiple_of = Default_Value;
    Time_Measurement = Default_Value;
    Time_Suite = Default_Value;
    Node_Times = yes;
    Cut_Quantile = Default_Value;
    Default_Chunks = 0;
    Default_Message_length = 256;
    Start_Argument = 0;
    End_Argument = Max_Value;
    Stepwidth = 1.414213562;
    Max_Steps = Default_Value;
    Min_Distance = 2;
    Max_Distance = 512;
    Standard_error = Default_Value;
}
)";
    std::vector<OperationInfo> operations = seed_operations();
    operations.push_back({50, "MPI_Send", "MPI_Send", Pattern::ping_pong, {Varied::message_length}});
    const ParameterFile file = parse_parameter_file("x.skampi", text, operations);
    REQUIRE(file.suites.size() == 1);
    const Suite& suite = file.suites[0];
    CHECK(suite.name == "MPI_Send");
    CHECK(suite.family == "MPI_Send");
    CHECK(suite.operation.type == 50);
    CHECK(suite.varied == Varied::message_length);
    CHECK(suite.arguments.scale == skalib::Scale::dynamic_log);
    CHECK(suite.arguments.start == 0);
    CHECK(suite.end_is_max);
    CHECK(suite.arguments.stepwidth == 1.414213562);
    CHECK(suite.arguments.max_steps == 64);
    CHECK(suite.arguments.multiple_of == 1);
    CHECK(suite.arguments.min_distance == 2);
    CHECK(suite.arguments.max_distance == 512);
    CHECK(suite.repetition.max_count == 1000);
    CHECK(suite.repetition.min_count == 16);
    CHECK(suite.repetition.max_relative_error == close_to(0.01));
    CHECK(suite.repetition.cut_quantile == 0.25);
    CHECK(suite.repetition.max_time_s == 30);
    CHECK(suite.max_suite_time_s == 120);
    CHECK(suite.node_times);
    CHECK(suite.chunks == 0);
    CHECK(suite.message_bytes == 256);
}

TEST_CASE("a long file costs a look at each of its bytes, not one for each of its suites") {
    // Looking for the line of each suite from the beginning would take minutes.
    constexpr std::size_t suites = 10'000;
    std::string text;
    for (std::size_t line = 0; line < 500'000; ++line)
        text += "what stands before the first section is comment\n";
    text += "@MEASUREMENTS\n";
    for (std::size_t suite = 0; suite < suites; ++suite)
        text += "S" + std::to_string(suite) + " { Type = 18; }\n";
    const ParameterFile file = parse(text);
    CHECK(file.suites.size() == suites);
    CHECK(plan_hash(file).size() == 16);
    CHECK(describe_plan(file, 2).find("S9999") != std::string::npos);
    CHECK(found_in(text + "S5 { Type = 18; }\n") == Found{Mistake::repeated_name, 510002, 1});
}

TEST_CASE("a block with nothing but Type takes all defaults") {
    const Suite suite = suite_with("");
    CHECK(suite.varied == Varied::message_length);
    CHECK(suite.arguments.scale == skalib::Scale::dynamic_log);
    CHECK(suite.arguments.start == 1);
    CHECK(suite.end_is_max);
    CHECK(suite.arguments.stepwidth == 2);
    CHECK(suite.arguments.min_distance == 1);
    CHECK_FALSE(suite.arguments.max_distance);
    CHECK_FALSE(suite.node_times);
    CHECK(suite.ranks == 0);
    CHECK(suite.passes == 4);
    CHECK(suite.datatype == "MPI_BYTE");
    CHECK(suite.reduction == "MPI_BOR");
    CHECK(suite.synchronization == Synchronization::window);
    CHECK(suite.reported_time == ReportedTime::max);
    CHECK(suite.value == skalib::ValueKind::cut_mean);
    CHECK(suite.buffers == BufferPolicy::warm);
    CHECK(suite.samples == SampleStorage::all);
    CHECK(suite.repetition.estimator == skalib::ErrorEstimator::trimmed);
}

TEST_CASE("defaults follow the variation") {
    const Suite nodes = suite_with("Variation = Nodes;");
    CHECK(nodes.arguments.scale == skalib::Scale::dynamic_linear);
    CHECK(nodes.arguments.start == 2);
    CHECK(nodes.arguments.stepwidth == 0); // chosen where the number of ranks is known
    CHECK(nodes.end_is_max);
    CHECK(suite_with("Variation = Nodes; Scale = Fixed_log;").arguments.stepwidth == 2);
    CHECK(suite_with("Variation = Nodes; End_Argument = 1;").arguments.start == 1);

    const Suite chunks = parse_blocks("A { Type = 10; Variation = Chunks; }").suites[0];
    CHECK(chunks.arguments.start == 0);
    CHECK(chunks.end_is_max);

    const Suite none = parse_blocks("A { Type = 24; }").suites[0];
    CHECK(none.varied == Varied::none);
    CHECK(none.arguments.start == 0);
    CHECK(none.arguments.end == 0);
    CHECK_FALSE(none.end_is_max);
    CHECK(suite_with("Variation = No_Variation;").varied == Varied::none);
}

TEST_CASE("sections fill the file's facts and defaults, wherever they stand") {
    const ParameterFile file = parse(R"(This is comment: nobody@example.org
@USER Jane Doe
  jane@example.org

@MACHINE

  Alpha
    Beta

@NODE 2 cores # not a comment
@NETWORK
@COMMENT first

last
@OUTFILE results of today.db
@LOGFILE
  # the log stands beside it
  today.log # said on the next line
@MEMORY 64 MiB
@ABSOLUTE yes
@POSTPROC yes
@RESOLUTION 0.5 %
@MEASUREMENTS
A { Type = 17; }
@MAXREPDEFAULT 200
@MINREPDEFAULT
  4
@MAXSTEPSDEFAULT Invalid_Value
@MULTIPLEOFDEFAULT 8
@STANDARDERRORDEFAULT 3
@TIMEMEASDEFAULT 0.25
@TIMESUITEDEFAULT 90 s
@CUTQUANTILEDEFAULT 0.1
)");
    CHECK(file.name == "x.skampi");
    CHECK(file.user == "Jane Doe\n  jane@example.org");
    CHECK(file.machine == "  Alpha\n    Beta");
    CHECK(file.node == "2 cores # not a comment");
    CHECK(file.network.empty());
    CHECK(file.comment == "first\n\nlast");
    CHECK(file.outfile == "results of today.db");
    CHECK(file.logfile == "today.log");
    CHECK(file.memory_bytes == 64 << 20);
    CHECK(file.absolute);
    CHECK(file.postproc);
    CHECK(file.resolution == close_to(0.005));
    REQUIRE(file.suites.size() == 1);
    const Suite& suite = file.suites[0];
    CHECK(suite.absolute);
    CHECK(suite.repetition.max_count == 200);
    CHECK(suite.repetition.min_count == 4);
    CHECK_FALSE(suite.arguments.max_steps);
    CHECK(suite.arguments.multiple_of == 8);
    CHECK(suite.repetition.max_relative_error == close_to(0.03));
    CHECK(suite.arguments.max_relative_error == close_to(0.03));
    CHECK(suite.repetition.max_time_s == 15);
    CHECK(suite.max_suite_time_s == 90);
    CHECK(suite.repetition.cut_quantile == 0.1);
}

TEST_CASE("no file that LaTeX or gnuplot reads of its own accord is written") {
    for (const std::string section : {"@OUTFILE", "@LOGFILE"}) {
        CHECK_NOTHROW(parse(section + " skampi.out\n" + bcast));
        for (const char* const name : {"thesis.aux", "thesis.toc", "hyperref.cfg", "~/.gnuplot"}) {
            CAPTURE(name);
            CHECK_THROWS_AS(parse(section + " " + name + "\n" + bcast), InputError);
        }
    }
}

TEST_CASE("a file without sections of its own has the built-in facts") {
    const ParameterFile file = parse(bcast);
    CHECK(file.user.empty());
    CHECK(file.outfile.empty());
    CHECK(file.memory_bytes == 256 << 20);
    CHECK_FALSE(file.absolute);
    CHECK(file.logfile.empty());
    CHECK_FALSE(file.postproc);
    CHECK(file.resolution == 0.01);
    CHECK(file.text == bcast);
}

TEST_CASE("every key sets what its name says") {
    const Suite suite = suite_with(
        "Variation = Length; Scale = Fixed_linear; Max_Repetition = 50; Min_Repetition = 5; "
        "Multiple_of = 4;Time_Measurement = 3 s; Time_Suite = 2 min; Node_Times = no; Cut_Quantile = 0; "
        "Default_Chunks = 0;Default_Message_length = 64 KiB; Start_Argument = 4; End_Argument = 1MiB; "
        "Stepwidth = 4096;Max_Steps = 10; Min_Distance = 16; Max_Distance = 64KiB; "
        "Standard_error = 2.5 %;Error_Estimator = classic; Value = median; Samples = summary; Passes = 2; "
        "Nodes = 8; Buffers = warm-4k;Synchronization = barrier; Reported_Time = root; Datatype = MPI_INT; "
        "Reduction = MPI_SUM; Root = 3;In_Place = yes; Algorithm = recursive_doubling;");
    CHECK(suite.arguments.scale == skalib::Scale::fixed_linear);
    CHECK(suite.repetition.max_count == 50);
    CHECK(suite.repetition.min_count == 5);
    CHECK(suite.arguments.multiple_of == 4);
    CHECK(suite.repetition.max_time_s == 3);
    CHECK(suite.max_suite_time_s == 120);
    CHECK_FALSE(suite.node_times);
    CHECK(suite.repetition.cut_quantile == 0);
    CHECK(suite.chunks == 0);
    CHECK(parse_blocks("A { Type = 10; Default_Chunks = 7; }").suites.at(0).chunks == 7);
    CHECK(suite.message_bytes == 65536);
    CHECK(suite.arguments.start == 4);
    CHECK(suite.arguments.end == 1048576);
    CHECK_FALSE(suite.end_is_max);
    CHECK(suite.arguments.stepwidth == 4096);
    CHECK(suite_with("Scale = Dynamic_linear; Start_Argument = 0; End_Argument = 10000; Jumps = 10;")
              .arguments.stepwidth == 693);
    CHECK(suite_with("Variation = Nodes; Jumps = 3;").arguments.stepwidth == -3); // the end is unknown
    CHECK(suite_with("Variation = Nodes;").arguments.stepwidth == 0);
    CHECK(suite.arguments.max_steps == 10);
    CHECK(suite.arguments.min_distance == 16);
    CHECK(suite.arguments.max_distance == 65536);
    CHECK(suite.repetition.max_relative_error == close_to(0.025));
    CHECK(suite.repetition.estimator == skalib::ErrorEstimator::classic);
    CHECK(suite.value == skalib::ValueKind::median);
    CHECK(suite.samples == SampleStorage::summary);
    CHECK(suite.passes == 2);
    CHECK(suite.ranks == 8);
    CHECK(suite.buffers == BufferPolicy::warm_4k);
    CHECK(suite.synchronization == Synchronization::barrier);
    CHECK(suite.reported_time == ReportedTime::root);
    CHECK(suite.datatype == "MPI_INT");
    CHECK(suite.reduction == "MPI_SUM");
    CHECK(suite.root == 3);
    CHECK(suite.in_place);
    CHECK(suite.algorithm == "recursive_doubling");
    CHECK(suite_with("Algorithm = default;").algorithm.empty());

    CHECK(parse_blocks("A { Type = 1; Partner = farthest; }").suites[0].partner.empty());
    for (const char* const word : {"nearest", "rank 3", "same socket", "other socket", "other node"}) {
        const Suite placed = parse_blocks(std::string("A { Type = 1; Partner = ") + word + "; }").suites[0];
        CHECK(placed.partner == word);
    }
    CHECK(suite_with("Join = round-robin;").join == "round-robin");
    CHECK(suite_with("Join = node;").join == "node");
    CHECK(suite_with("Join = rank;").join.empty());
    CHECK(suite_with("Nodes = Max_Value;").ranks == 0);
    const Suite unlimited = suite_with("Max_Repetition = Invalid_Value; Max_Steps = Invalid_Value; "
                                       "Time_Measurement = Invalid_Value; Time_Suite = Invalid_Value;");
    CHECK_FALSE(unlimited.repetition.max_count);
    CHECK_FALSE(unlimited.arguments.max_steps);
    CHECK_FALSE(unlimited.repetition.max_time_s);
    CHECK_FALSE(unlimited.max_suite_time_s);
}

TEST_CASE("every key but Type accepts Default_Value and then changes nothing") {
    for (const Key& key : all_keys()) {
        CAPTURE(key.name);
        const std::string assignment = std::string(key.name) + " = Default_Value;";
        if (key.name == "Type")
            CHECK(found_in(block(assignment)) == Found{Mistake::bad_value, 3, 8});
        else
            CHECK(plan_hash(parse_blocks("A { Type = 17; " + assignment + "}")) == plan_hash(parse(bcast)));
    }
}

TEST_CASE("every key refuses a value that is none, saying where it stands") {
    for (const Key& key : all_keys()) {
        CAPTURE(key.name);
        const std::string name(key.name);
        const auto found = found_in(block("Type = 17;\n " + name + " = ?;"));
        if (key.name == "Type")
            CHECK(found == Found{Mistake::repeated_key, 4, 2});
        else
            CHECK(found == Found{Mistake::bad_value, 4, name.size() + 5});
    }
}

TEST_CASE("every default section refuses a value that is none, and none at all") {
    for (const FileSection& section : all_sections()) {
        if (section.default_of.empty())
            continue;
        CAPTURE(section.name);
        const std::string name(section.name);
        CHECK(found_in(name + " many\n" + bcast) == Found{Mistake::bad_value, 1, name.size() + 2});
        CHECK(found_in(name + "\n" + bcast) == Found{Mistake::missing_value, 1, 1});
    }
}

TEST_CASE("a section accepts what the key accepts whose default it sets") {
    const std::vector<Key> keys = all_keys();
    for (const FileSection& section : all_sections()) {
        if (section.default_of.empty())
            continue;
        CAPTURE(section.name);
        const auto key = std::find_if(keys.begin(), keys.end(),
                                      [&](const Key& k) { return k.name == section.default_of; });
        REQUIRE(key != keys.end());
        CHECK(key->accepts == section.accepts);
    }
}

TEST_CASE("keys may stand in any order, several on a line, with comments anywhere") {
    const std::string neat = "A\n{\nType = 17;\nMax_Steps = 9;\nNode_Times = yes;\n}\n";
    const std::string messy =
        "\n# a comment\n  A  # and one here\n\n# and { here }\n{Node_Times=yes;#x\nMax_Steps\n=\n"
        "# between\n9 # before the semicolon\n;Type = 17;}";
    CHECK(parse_blocks(messy).suites[0].name == "A");
    CHECK(plan_hash(parse_blocks(messy)) == plan_hash(parse_blocks(neat)));
}

TEST_CASE("the name of a suite is the text of the line before its block") {
    const std::string name = "Bcast, root 0: \"quick\" & 50 % C#1 \\input $x_2^3 \u00fc";
    CHECK(parse_blocks(" \t " + name + " \t# to be sure\n{ Type = 17; }").suites[0].name == name);
    CHECK(parse_blocks("Send to 1 {Type=1;}").suites[0].name == "Send to 1");
    CHECK(parse_blocks("A\n\n# comment\n\n{ Type = 17; }B{Type=18;}").suites[1].name == "B");
}

TEST_CASE("operations are named by number or by name") {
    CHECK(parse_blocks("A { Type = 36; }").suites[0].operation.name == "MPI_Allreduce");
    CHECK(parse_blocks("A { Type = MPI_Allreduce; }").suites[0].operation.type == 36);
    CHECK(parse_blocks("A { Type = MPI_Exscan; }").suites[0].operation.type == 0);
}

TEST_CASE("a list multiplies its block, several lists give their product") {
    const ParameterFile file =
        parse_blocks("Bcast\n{ Type = 17; Nodes = 2, 4; Default_Message_length = 256, 64KiB;\n"
                     "Variation = No_Variation; }\nB { Type = 18; }\n");
    std::vector<std::string> names;
    for (const Suite& suite : file.suites)
        names.push_back(suite.name);
    CHECK(names == std::vector<std::string>{"Bcast (Nodes = 2, Default_Message_length = 256)",
                                            "Bcast (Nodes = 2, Default_Message_length = 64KiB)",
                                            "Bcast (Nodes = 4, Default_Message_length = 256)",
                                            "Bcast (Nodes = 4, Default_Message_length = 64KiB)", "B"});
    CHECK(file.suites[0].family == "Bcast");
    CHECK(file.suites[1].ranks == 2);
    CHECK(file.suites[1].message_bytes == 65536);
    CHECK(file.suites[2].ranks == 4);
    CHECK(file.suites[2].message_bytes == 256);
    CHECK(file.suites[4].family == "B");
}

TEST_CASE("a list of algorithms is a suite of each; all stands alone, for the machine to resolve") {
    const std::vector<Suite> suites =
        parse_blocks("Bcast { Type = MPI_Bcast; Nodes = 4; Algorithm = default, ring, brucks; }").suites;
    REQUIRE(suites.size() == 3);
    CHECK(suites[0].name == "Bcast (Algorithm = default)");
    CHECK(suites[0].algorithm.empty());
    CHECK(suites[1].name == "Bcast (Algorithm = ring)");
    CHECK(suites[1].algorithm == "ring");
    CHECK(suites[2].family == "Bcast");
    CHECK(parse_blocks("Bcast { Type = MPI_Bcast; Algorithm = all; }").suites.at(0).algorithm ==
          every_algorithm);
    const auto mistake = [](const std::string& value) {
        return found_in(block("Type = MPI_Bcast; Algorithm = " + value + ";")).value().mistake;
    };
    CHECK(mistake("default, all") == Mistake::contradiction);
    CHECK(mistake("ring, ring") == Mistake::repeated_suite);
    CHECK(mistake("two words") == Mistake::bad_value);
    CHECK(mistake("a:b") == Mistake::bad_value);
    CHECK(mistake(std::string(101, 'a')) == Mistake::bad_value);
}

TEST_CASE("every key that takes a list multiplies the block") {
    for (const Key& key : all_keys()) {
        CAPTURE(key.name);
        const std::string type = !key.patterns.empty() && key.patterns[0] == Pattern::ping_pong ? "1" : "19";
        if (key.name == "Type")
            continue;
        const std::string blocks =
            "A { Type = " + type + "; Variation = No_Variation; Reduction = Default_Value;";
        const std::string doubled = std::string(key.name) + " = Default_Value, Default_Value; }";
        const std::optional<Found> found = found_in("@MEASUREMENTS\n" + blocks + doubled);
        if (key.name == "File") // the operation has none
            CHECK(found.value().mistake == Mistake::not_applicable);
        else if (key.list && key.name != "Reduction")
            CHECK(found.value().mistake == Mistake::repeated_suite);
        else if (key.name != "Variation" && key.name != "Reduction")
            CHECK(found.value().mistake == Mistake::unexpected_list);
    }
}

TEST_CASE("lists that would make very many suites are refused before memory is used up") {
    std::string numbers = "2";
    for (int i = 3; i <= 200; ++i)
        numbers += ", " + std::to_string(i);
    CHECK(found_in(block("Type = 17; Nodes = " + numbers + ";\nDefault_Message_length = " + numbers + ";")) ==
          Found{Mistake::too_many_suites, 4, 1});
}

TEST_CASE("CRLF line ends and a byte order mark make no difference") {
    std::string unix_text =
        "comment\n@USER me\nand you\n@MAXREPDEFAULT 20\n@MEASUREMENTS\nA # x\n{\nType = 17;\n}\n";
    const ParameterFile expected = parse(unix_text);
    std::string dos_text = "\xEF\xBB\xBF";
    for (const char c : unix_text)
        dos_text += c == '\n' ? std::string("\r\n") : std::string(1, c);
    const ParameterFile file = parse(dos_text);
    CHECK(file.user == "me\nand you");
    CHECK(file.suites[0].name == "A");
    CHECK(plan_hash(file) == plan_hash(expected));
}

namespace {

struct Wrong {
    std::string text;
    Mistake mistake;
    std::size_t line;
    std::size_t column;
};

const std::vector<Wrong>& wrong_files() {
    static const std::vector<Wrong> all{
        // operations are named by number or by name
        {block("Type = 0;"), Mistake::bad_value, 3, 8},
        {block("Type = mpi_bcast;"), Mistake::bad_value, 3, 8},
        {block("Type = 99999999999999999999;"), Mistake::bad_value, 3, 8},
        // lists that give the same suite twice are refused
        {block("Type = 20; Variation = Nodes;\nDefault_Message_length = 64KiB, 65536, 65536 B;"),
         Mistake::repeated_suite, 4, 1},
        {block("Type = 17;\nDefault_Message_length = 1, 2;"), Mistake::repeated_suite, 4, 1},
        // lists are refused where one value is wanted
        {block("Type = 17, 18;"), Mistake::unexpected_list, 3, 12},
        {block("Type = 17; Max_Steps = 1, 2;"), Mistake::unexpected_list, 3, 27},
        // CRLF line ends and a byte order mark make no difference
        {"\xEF\xBB\xBF@USR\r\n", Mistake::unknown_section, 1, 1},
        // a file that is no parameter file is refused
        {"", Mistake::empty_file, 1, 1},
        {" \r\n\t\n", Mistake::empty_file, 1, 1},
        {"just words\n", Mistake::missing_section, 2, 1},
        {"@USER me\n@MEASUREMENTS\n# nothing\n", Mistake::missing_block, 2, 1},
        // columns count characters, not bytes
        {block("/* \u00fc\u4e2d */"), Mistake::syntax, 3, 1},
        {"@MEASUREMENTS\n\u00fc\u4e2d{ type = 17; }", Mistake::unknown_key, 2, 5},
        // unknown and doubled sections are refused
        {"@MAXREPSDEFAULT 3\n" + bcast, Mistake::unknown_section, 1, 1},
        {"@user me\n" + bcast, Mistake::unknown_section, 1, 1},
        {"@XYZZY\n" + bcast, Mistake::unknown_section, 1, 1},
        {"@USER a\n\n  @USER b\n" + bcast, Mistake::repeated_section, 3, 3},
        // a section of one value refuses a second line
        {"@MEMORY 1MiB\n # ok\n and more\n" + bcast, Mistake::surplus_value, 3, 2},
        // @LAUNCHES says until when, in keys of its own
        {"@LAUNCHES\nTime = 3 min;\n" + bcast, Mistake::missing_value, 1, 1},
        {"@LAUNCHES\nUntill = 2 %;\n" + bcast, Mistake::unknown_key, 2, 1},
        {"@LAUNCHES\nUntil = 0;\n" + bcast, Mistake::bad_value, 2, 9},
        {"@LAUNCHES\nUntil = 2;\nUntil = 3;\n" + bcast, Mistake::repeated_key, 3, 1},
        // keys are compared exactly, with a suggestion for a near miss
        {block("  type = 17;"), Mistake::unknown_key, 3, 3},
        {block("Max_Repetitions = 3;"), Mistake::unknown_key, 3, 1},
        {block("Standard-Error = 3;"), Mistake::unknown_key, 3, 1},
        {block("Colour = 3;"), Mistake::unknown_key, 3, 1},
        {block("Type = 17; Scale = dynamic_log;"), Mistake::bad_value, 3, 20},
        {block("Type = 17; Node_Times = Yes;"), Mistake::bad_value, 3, 25},
        {block("Type = 17; Datatype = MPI_DOUBEL;"), Mistake::bad_value, 3, 23},
        {block("Type = 17; Reduction = MPI_ADD;"), Mistake::bad_value, 3, 24},
        // doubled keys and doubled suite names are refused, naming the first
        {block("Type = 17;\nType = 17;"), Mistake::repeated_key, 4, 1},
        {"@MEASUREMENTS\nA { Type = 17; }\n\nA { Type = 18; }", Mistake::repeated_name, 4, 1},
        {"@MEASUREMENTS\nA (Nodes = 2) { Type = 17; }\nA { Type = 17; Nodes = 2, 3; }",
         Mistake::repeated_name, 3, 1},
        // what is missing is named where it is missing
        {"@MEASUREMENTS\nA\n{\nScale = Fixed_log;\n}", Mistake::missing_type, 3, 1},
        {block("Type = 17\nMax_Steps = 3;"), Mistake::syntax, 3, 10},
        {block("Type = 17"), Mistake::syntax, 3, 10},
        {block("Type 17;"), Mistake::syntax, 3, 6},
        {block("Type = ;"), Mistake::missing_value, 3, 8},
        {block("Type = 17; Nodes = 2, ;"), Mistake::missing_value, 3, 23},
        {"@MEASUREMENTS\nA\n{\nType = 17;\n", Mistake::syntax, 5, 1},
        {"@MEASUREMENTS\nA {\nType = 17;\n@USER me\n", Mistake::syntax, 4, 1},
        {"@MEASUREMENTS\nA {\nType = 17;\nB {\nType = 18;\n}\n", Mistake::unknown_key, 4, 1},
        {"@MEASUREMENTS\nA {\nType = 17;\n{\n", Mistake::syntax, 4, 1},
        {"@MEASUREMENTS\n{ Type = 17; }", Mistake::syntax, 2, 1},
        {"@MEASUREMENTS\nA { Type = 17; } }", Mistake::syntax, 2, 18},
        {"@MEASUREMENTS\nA\nB\n{ Type = 17; }", Mistake::syntax, 3, 1},
        {"@MEASUREMENTS\nA", Mistake::syntax, 2, 2},
        {"@MEASUREMENTS\nA } Type", Mistake::syntax, 2, 3},
        // a name with control characters is refused
        {"@MEASUREMENTS\nA\x1b[31m { Type = 17; }", Mistake::control_character, 2, 2},
        // numbers that are out of range or no numbers are refused
        {"@MEMORY 0\n" + bcast, Mistake::bad_value, 1, 9},
        {"@MEMORY 99999999999 GiB\n" + bcast, Mistake::bad_value, 1, 9},
        // combinations that cannot be measured are refused
        {block("Type = 17;\nMin_Repetition = 9;\nMax_Repetition = 8;"), Mistake::contradiction, 5, 18},
        {"@MINREPDEFAULT 9\n@MAXREPDEFAULT 8\n" + bcast, Mistake::contradiction, 2, 16},
        {block("Type = 17;\nScale = Dynamic_log; Stepwidth = 1;"), Mistake::bad_stepwidth, 4, 34},
        {block("Type = 17;\nScale = Fixed_linear;"), Mistake::missing_stepwidth, 4, 9},
        {block("Type = 17;\nScale = Fixed_linear; Stepwidth = 1;"), Mistake::bad_stepwidth, 4, 35},
        {block("Type = 17;\nStepwidth = 1.000001;"), Mistake::bad_stepwidth, 4, 13},
        {block("Type = 17;\nVariation = Nodes;\nStepwidth = 1e-300;"), Mistake::bad_stepwidth, 5, 13},
        {block("Type = 17;\nVariation = Nodes; Scale = Fixed_log; Stepwidth = 1.0000001;"),
         Mistake::bad_stepwidth, 4, 51},
        {block("Type = Master-Recv_any_source;\nSynchronization = barrier;"), Mistake::not_applicable, 4, 1},
        {block("Type = 17;\nStart_Argument = 10; End_Argument = 9;"), Mistake::contradiction, 4, 37},
        {block("Type = 17;\nMin_Distance = 10; Max_Distance = 9;"), Mistake::contradiction, 4, 35},
        {block("Type = 17;\nVariation = Chunks;"), Mistake::not_applicable, 4, 13},
        {block("Type = 17;\nStepwidth = 2; Jumps = 9;"), Mistake::contradiction, 4, 24},
        {block("Type = 17;\nScale = Fixed_log; Jumps = 9;"), Mistake::contradiction, 4, 28},
        {block("Type = MPI_Wtime; Variation = Length;"), Mistake::not_applicable, 3, 31},
        {block("Type = 17;\nVariation = Nodes; Nodes = 4;"), Mistake::contradiction, 4, 28},
        {block("Type = 17;\nVariation = Nodes; Start_Argument = 0;"), Mistake::below_smallest, 4, 37},
        {block("Type = 17;\nVariation = Nodes; End_Argument = 0;"), Mistake::below_smallest, 4, 35},
        {block("Type = 17;\nNodes = 4; Root = 4;"), Mistake::above_largest, 4, 19},
        {block("Type = 17;\nVariation = Nodes; Root = 2;"), Mistake::above_largest, 4, 27},
        {block("Type = 10; Nodes = 1;"), Mistake::below_smallest, 3, 20},
        {block("Type = 17;\nPartner = nearest;"), Mistake::not_applicable, 4, 1},
        {block("Type = 23; Root = 0;"), Mistake::not_applicable, 3, 12},
        {block("Type = 19;\nReduction = MPI_SUM;"), Mistake::forbidden_by_mpi, 4, 13},
        {block("Type = 19;\nDatatype = MPI_DOUBLE; Reduction = MPI_BOR;"), Mistake::forbidden_by_mpi, 4, 36},
        {block("Type = 19;\nDatatype = MPI_CHAR; Reduction = MPI_BOR;"), Mistake::forbidden_by_mpi, 4, 34},
        {block("Type = 19;\nDatatype = MPI_CHAR;"), Mistake::forbidden_by_mpi, 4, 12},
        // a key that would do nothing is refused with its place
        {block("Type = 1; Nodes = 4;"), Mistake::not_applicable, 3, 11},
        {block("Type = 10; Synchronization = barrier;"), Mistake::not_applicable, 3, 12},
        {block("Type = 17;\nDefault_Chunks = 7;"), Mistake::not_applicable, 4, 18},
        {block("Type = 18;\nDefault_Message_length = 1, 2;"), Mistake::not_applicable, 4, 29},
        // arguments without a multiple among them are refused, and multiples are kept to
        {block("Type = 17;\nStart_Argument = 3; End_Argument = 5; Multiple_of = 8;"), Mistake::no_multiple, 4,
         53},
        {"@MULTIPLEOFDEFAULT 8\n@MEASUREMENTS\nA { Type = 17; Start_Argument = 3; End_Argument = 5; }",
         Mistake::no_multiple, 1, 20},
        // a step width that is left out is chosen for the fewest measurements
        {block("Type = 17; Scale = Fixed_linear;"), Mistake::missing_stepwidth, 3, 20},
        // lengths are whole elements of the datatype
        {block("Type = 17; Datatype = MPI_DOUBLE;\nMultiple_of = 4;"), Mistake::not_multiple, 4, 15},
        {block("Type = 17; Datatype = MPI_DOUBLE;\nStart_Argument = 1;"), Mistake::not_multiple, 4, 18},
        {block("Type = 17; Datatype = MPI_DOUBLE;\nEnd_Argument = 1001;"), Mistake::not_multiple, 4, 16},
        {block("Type = 17; Datatype = MPI_DOUBLE;\nVariation = Nodes; Default_Message_length = 100;"),
         Mistake::not_multiple, 4, 45},
        // sizes
        {block("Type = 1; End_Argument = 1.5KiB;"), Mistake::bad_value, 3, 26},
        {block("Type = 1; End_Argument = 1e6;"), Mistake::bad_value, 3, 26},
        {block("Type = 1; End_Argument = 1EiB;"), Mistake::bad_value, 3, 26},
        {block("Type = 1; End_Argument = 3 elephants;"), Mistake::bad_value, 3, 26},
        {block("Type = 1; End_Argument = 64KB;"), Mistake::bad_value, 3, 26},
        // values that keys and sections accept
        {block("Type = 1; Partner = rank 0;"), Mistake::bad_value, 3, 21},
        {block("Type = 17; Cut_Quantile = 0.5;"), Mistake::bad_value, 3, 27},
        {block("Type = 17; Time_Suite = 3 days;"), Mistake::bad_value, 3, 25},
        {"@MAXREPDEFAULT many\n" + bcast, Mistake::bad_value, 1, 16},
        {"@MAXREPDEFAULT\n" + bcast, Mistake::missing_value, 1, 1},
    };
    return all;
}

} // namespace

TEST_CASE("each mistake is found at its place; a golden file shows the messages") {
    Golden golden("parameter_file");
    for (const Wrong& wrong : wrong_files()) {
        CAPTURE(wrong.text);
        CHECK(found_in(wrong.text) == Found{wrong.mistake, wrong.line, wrong.column});
        golden.add(printable(wrong.text), message_of(wrong.text));
    }
    golden.check();
}

TEST_CASE("a file that is no text is refused at its place") {
    struct NoText {
        std::string text;
        std::size_t line;
        std::size_t column;
    };
    for (const NoText& wrong : std::vector<NoText>{
             {std::string("ab\nc\0d", 6), 2, 2},
             {"@USER J\xFCrgen\n", 1, 8},
             {"@USER \xED\xA0\x80\n", 1, 7},
             {"@USER \xC3", 1, 7},
         }) {
        CAPTURE(wrong.text);
        try {
            (void)parse(wrong.text);
            FAIL("accepted");
        } catch (const SourceError& error) {
            CHECK(error.line() == wrong.line);
            CHECK(error.column() == wrong.column);
        }
    }
}

TEST_CASE("numbers that are out of range or no numbers are refused") {
    for (const char* keys : {"Max_Repetition = 0;",
                             "Max_Repetition = -1;",
                             "Max_Repetition = 1.5;",
                             "Max_Repetition = 1e3;",
                             "Max_Repetition = 99999999999999999999;",
                             "Max_Repetition = 3 4;",
                             "Max_Repetition = 0x10;",
                             "Min_Repetition = 0;",
                             "Min_Repetition = Invalid_Value;",
                             "Nodes = 0;",
                             "Nodes = -3;",
                             "Nodes = 2147483648;",
                             "Nodes = 2KiB;",
                             "Standard_error = 0;",
                             "Standard_error = -1;",
                             "Standard_error = 101;",
                             "Standard_error = nan;",
                             "Standard_error = inf;",
                             "Standard_error = 1e999;",
                             "Cut_Quantile = 0.5;",
                             "Cut_Quantile = -0.1;",
                             "Cut_Quantile = 25 %;",
                             "Time_Suite = 0;",
                             "Time_Suite = -1 s;",
                             "Time_Suite = 3 days;",
                             "Time_Measurement = 1e308 h;",
                             "Stepwidth = 0;",
                             "Stepwidth = -2;",
                             "Jumps = 0;",
                             "Max_Steps = 0;",
                             "Min_Distance = 0;",
                             "Max_Distance = 0;",
                             "Multiple_of = -1;",
                             "Default_Message_length = -1;",
                             "Default_Message_length = 9223372036854775807KiB;",
                             "Default_Message_length = 8589934592GiB;",
                             "Default_Message_length = 64KB;",
                             "Default_Message_length = 64 kib;",
                             "Default_Message_length = 1.5MiB;",
                             "Start_Argument = -1;",
                             "Start_Argument = Max_Value;",
                             "End_Argument = Invalid_Value;",
                             "Passes = 0;",
                             "Passes = 1001;",
                             "Root = -1;",
                             "Default_Chunks = -1;",
                             "Default_Chunks = 10000001;",
                             "Max_Repetition = Max_Value;"}) {
        CAPTURE(keys);
        const std::string text(keys);
        CHECK(found_in(block("Type = 17;\n" + text)) == Found{Mistake::bad_value, 4, text.find('=') + 3});
    }
}

TEST_CASE("combinations that cannot be measured are refused") {
    CHECK(suite_with("Variation = Nodes; Scale = Fixed_linear; Stepwidth = 1;").arguments.stepwidth == 1);
}

TEST_CASE("a key that would do nothing is refused with its place") {
    // What the blocks of the manual say everywhere.
    CHECK(suite_with("Default_Chunks = 0; Default_Message_length = 256;").chunks == 0);
    CHECK_NOTHROW((void)parse_blocks("A { Type = 18; Default_Chunks = 0; Default_Message_length = 256; }"));
}

TEST_CASE("arguments without a multiple among them are refused, and multiples are kept to") {
    CHECK_NOTHROW((void)suite_with("Start_Argument = 3; End_Argument = 8; Multiple_of = 8;"));
}

TEST_CASE("a step width that is left out is chosen for the fewest measurements") {
    CHECK(suite_with("Start_Argument = 1KiB; End_Argument = 4KiB;").arguments.stepwidth == std::sqrt(2.0));
    CHECK(suite_with("End_Argument = 4MiB;").arguments.stepwidth == 2);
    CHECK(suite_with("Scale = Fixed_log; Start_Argument = 1KiB; End_Argument = 4KiB;").arguments.stepwidth ==
          2);
    CHECK(suite_with("Scale = Dynamic_linear; Start_Argument = 0; End_Argument = 100000;")
              .arguments.stepwidth == 8664);
    CHECK(suite_with("Variation = Nodes; Scale = Fixed_linear;").arguments.stepwidth == 1);
    // The number of ranks is known on the machine only.
    CHECK(suite_with("Variation = Nodes;").arguments.stepwidth == 0);
}

TEST_CASE("a parameter is refused where the operation has none, and effective wherever it has one") {
    const std::vector<std::pair<Parameter, std::string>> assignments = {
        {Parameter::datatype, "Datatype = MPI_INT;"},
        {Parameter::reduction, "Reduction = MPI_BXOR;"},
        {Parameter::root, "Root = 1;"},
        {Parameter::in_place, "In_Place = yes;"},
        {Parameter::algorithm, "Algorithm = ring;"},
        {Parameter::file, "File = /scratch/a b.data;"}};
    int refused = 0;
    for (const OperationInfo& operation : seed_operations())
        for (const auto& [parameter, assignment] : assignments) {
            CAPTURE(operation.name);
            CAPTURE_BINDING(assignment);
            const std::string block = "A { Type = " + operation.name + "; " + assignment + " }";
            const auto& all = operation.parameters;
            if (std::find(all.begin(), all.end(), parameter) == all.end()) {
                CHECK(found_in("@MEASUREMENTS\n" + block).value().mistake == Mistake::not_applicable);
                ++refused;
                continue;
            }
            const Suite suite = parse_blocks(block).suites.at(0);
            CHECK((suite.datatype == "MPI_INT") == (parameter == Parameter::datatype));
            CHECK((suite.reduction == "MPI_BXOR") == (parameter == Parameter::reduction));
            CHECK((suite.root == 1) == (parameter == Parameter::root));
            CHECK(suite.in_place == (parameter == Parameter::in_place));
            CHECK((suite.algorithm == "ring") == (parameter == Parameter::algorithm));
            CHECK((suite.file == "/scratch/a b.data") == (parameter == Parameter::file));
            const bool has_file = operation.name.starts_with("MPI_File_");
            CHECK(suite.file.empty() != has_file); // one without a path has a usual one
        }
    CHECK(refused > 100);
}

TEST_CASE("several files are a suite each, and each is a path") {
    const std::vector<Suite> suites =
        parse_blocks("W { Type = MPI_File_write_at; File = /scratch/a, /home/b c; }").suites;
    REQUIRE(suites.size() == 2);
    CHECK(suites[0].file == "/scratch/a");
    CHECK(suites[1].file == "/home/b c");
    const auto on = [](const std::string& file) { return "Type = MPI_File_write_at; File = " + file + ";"; };
    CHECK(plan_hash(parse(block(on("a")))) != plan_hash(parse(block(on("b")))));
    CHECK(found_in(block(on(std::string(1001, 'a')))).value().mistake == Mistake::bad_value);
}

TEST_CASE("only what reduces has a reduction") {
    CHECK(parse(bcast).suites.at(0).reduction.empty());
    CHECK(parse_blocks("A { Type = MPI_Accumulate-lock; Datatype = MPI_DOUBLE; }").suites.at(0).reduction ==
          "MPI_SUM");
    CHECK(parse_blocks("A { Type = MPI_Reduce_local; }").suites.at(0).reduction == "MPI_BOR");
}

TEST_CASE("a less specific repetition limit gives way to a more specific one") {
    CHECK(suite_with("Max_Repetition = 3;").repetition.min_count == 3);
    CHECK(suite_with("Min_Repetition = 3000;").repetition.max_count == 3000);
    const Suite suite =
        parse("@MINREPDEFAULT 50\n@MEASUREMENTS\nA { Type = 17; Max_Repetition = 10; }").suites[0];
    CHECK(suite.repetition.min_count == 10);
    CHECK(suite.repetition.max_count == 10);
}

TEST_CASE("lengths are whole elements of the datatype") {
    const Suite suite = suite_with("Datatype = MPI_DOUBLE;");
    CHECK(suite.arguments.start == 8);
    CHECK(suite.arguments.multiple_of == 8);
    CHECK(suite.reduction == "MPI_SUM");
    CHECK(parse("@MULTIPLEOFDEFAULT 3\n@MEASUREMENTS\nA { Type = 17; Datatype = MPI_INT; }")
              .suites[0]
              .arguments.multiple_of == 4);
    CHECK(suite_with("Start_Argument = 0; Datatype = MPI_INT;").arguments.start == 0);
}

TEST_CASE("very long lines, names and values are read or refused shortly") {
    const std::string long_text(1'000'000, 'x');
    CHECK(parse("@COMMENT " + long_text + "\n" + bcast).comment == long_text);
    CHECK(parse_blocks(long_text + "{ Type = 17; }").suites[0].name == long_text);
    CHECK(message_of(block("Type = " + long_text + ";")).size() < 500);
    CHECK(message_of(block(long_text + " = 1;")).size() < 500);
    CHECK(message_of("@" + long_text).size() < 1000);
    CHECK(message_of(block("Type = 17; Nodes = " + std::string(100'000, '9') + ";")).size() < 500);
    std::string many;
    for (int i = 0; i < 2000; ++i)
        many += "S" + std::to_string(i) + " { Type = 17; }\n";
    CHECK(parse_blocks(many).suites.size() == 2000);
}

TEST_CASE("the file's name in messages cannot deceive a terminal") {
    try {
        (void)parse_parameter_file("a\n\x1b[2J", "", seed_operations());
        FAIL("accepted");
    } catch (const InputError& error) {
        CHECK(std::string(error.what()).find("a\\n\\x1b[2J:1:1: ") == 0);
    }
}

TEST_CASE("any bytes at all are read or refused with a place, never worse") {
    const std::string seed_text = source_file("examples/complete.skampi");
    std::mt19937 random(20261121); // NOLINT: the same damage every time
    const std::string interesting = "{}=;,#@\n\r\t \"\\0179-.xA\x80\xff";
    int accepted = 0;
    for (int round = 0; round < 3000; ++round) {
        std::string text = seed_text.substr(random() % seed_text.size(), random() % 2000);
        text.insert(0, round % 2 == 0 ? "@MEASUREMENTS\n" : "");
        for (unsigned i = random() % 8; i > 0 && !text.empty(); --i)
            text[random() % text.size()] = interesting[random() % interesting.size()];
        try {
            const ParameterFile file = parse(text);
            CHECK_FALSE(file.suites.empty());
            ++accepted;
        } catch (const InputError& error) {
            const std::string message = error.what();
            const std::string place = message.substr(0, message.find(": found "));
            CHECK(place.starts_with("x.skampi:"));
            CHECK(place.find_first_not_of("0123456789:", 9) == std::string::npos);
            CHECK(message.find(", expected ") != std::string::npos);
        }
    }
    CHECK(accepted > 0);
}

TEST_CASE("launches end when values are known, and that is no part of what is measured") {
    const ParameterFile file =
        parse("@LAUNCHES\n# for the paper\nUntil = 2 %; Share = 75; Time = 10 min;\n" + bcast);
    CHECK(file.precision.half_width == 0.02);
    CHECK(file.precision.share == 0.75);
    CHECK(file.precision.time_s == 600.0);
    CHECK(plan_hash(file) == plan_hash(parse(bcast)));
    CHECK_FALSE(parse(bcast).precision.asked_for());
}

TEST_CASE("variants are blocks of environment variables and of our own keys") {
    const ParameterFile file =
        parse("@VARIANTS\n"
              "old { } # the reference\n"
              "new one {\n"
              "  LD_LIBRARY_PATH = /opt/a b=c,{d}/lib;  UCX_RNDV_THRESH = 64k;\n"
              "  OMPI_MCA_btl = self,tcp; Unset = A; Unset = b_2; EMPTY = ;\n"
              "}\n"
              "ompi { Program = /opt/ompi/bin/skampi-run; Launch = mpiexec.openmpi -n {n};\n"
              "       Arguments = --bind-to core; }\n"
              "@MEASUREMENTS\nA { Type = 17; }\n");
    REQUIRE(file.variants.size() == 3);
    CHECK(file.variants[0] == Variant{"old", {}, {}, {}, {}});
    CHECK(file.variants[1].name == "new one");
    CHECK(file.variants[1].settings ==
          std::map<std::string, std::optional<std::string>>{{"LD_LIBRARY_PATH", "/opt/a b=c,{d}/lib"},
                                                            {"UCX_RNDV_THRESH", "64k"},
                                                            {"OMPI_MCA_btl", "self,tcp"},
                                                            {"A", std::nullopt},
                                                            {"b_2", std::nullopt},
                                                            {"EMPTY", ""}});
    CHECK(file.variants[2] ==
          Variant{"ompi", "/opt/ompi/bin/skampi-run", "mpiexec.openmpi -n {n}", "--bind-to core", {}});
    CHECK(plan_hash(file) == plan_hash(parse("@MEASUREMENTS\nA { Type = 17; }\n")));
    const auto mistake = [](const std::string& blocks) {
        try {
            (void)parse("@VARIANTS\n" + blocks + "\n@MEASUREMENTS\nA { Type = 17; }\n");
        } catch (const ParameterError& error) {
            return error.mistake();
        }
        return Mistake::empty_file;
    };
    CHECK(mistake("a { } a { }") == Mistake::repeated_name);
    CHECK(mistake("a { X = 1; X = 2; }") == Mistake::repeated_key);
    CHECK(mistake("a { Programm = x; }") == Mistake::unknown_key);
    CHECK(mistake("a { x-y = 1; }") == Mistake::unknown_key);
    CHECK(mistake("a { Unset = x y; }") == Mistake::unknown_key);
    CHECK(mistake("a { X = 1\n }") == Mistake::syntax);
    CHECK(mistake("a { X = 1;") == Mistake::syntax);
    CHECK(mistake("a { X = \x01; }") == Mistake::control_character);
    CHECK(mistake(std::string(41, 'a') + " { }") == Mistake::bad_value);
}

TEST_CASE("the manual lists exactly the keys and sections there are") {
    const std::string manual = source_file("docs/parameter-file.md");
    std::set<std::string> documented;
    std::istringstream lines(manual);
    for (std::string line; std::getline(lines, line);) {
        if (!line.starts_with("| `"))
            continue;
        const std::string name = line.substr(3, line.find('`', 3) - 3);
        CHECK_MESSAGE(documented.insert(name).second, "twice in the manual: ", name);
    }
    std::set<std::string> known;
    for (const Key& key : all_keys())
        known.emplace(key.name);
    for (const FileSection& section : all_sections())
        known.emplace(section.name);
    CHECK(documented == known);
}

TEST_CASE("the manual names every word a key accepts") {
    const std::string manual = source_file("docs/parameter-file.md");
    const auto documented = [&](std::string_view word) {
        CHECK_MESSAGE(manual.find("`" + std::string(word) + "`") != std::string::npos, std::string(word));
    };
    for (const auto& words :
         {all_names<skalib::Scale>(), all_names<skalib::ErrorEstimator>(), all_names<skalib::ValueKind>(),
          all_names<SampleStorage>(), all_names<BufferPolicy>(), all_names<Synchronization>(),
          std::vector<std::string_view>{"max", "root"}})
        for (const std::string_view word : words)
            documented(word);
    for (const DatatypeInfo& datatype : known_datatypes)
        documented(datatype.name);
    for (const ReductionInfo& reduction : known_reductions)
        documented(reduction.name);
    for (const char* word : {"Length", "Nodes", "Chunks", "No_Variation", "Default_Value", "Max_Value",
                             "Invalid_Value", "farthest", "nearest", "KiB", "MiB", "GiB"})
        documented(word);
}

TEST_CASE("the example in the manual is read") {
    const std::string manual = source_file("docs/parameter-file.md");
    std::size_t examples = 0;
    const std::string fence = "```skampi\n";
    for (std::size_t at = manual.find(fence); at != std::string::npos; at = manual.find(fence, at + 1)) {
        const std::size_t begin = at + fence.size();
        const std::string example = manual.substr(begin, manual.find("```", begin) - begin);
        CAPTURE(example);
        CHECK_FALSE(found_in(example));
        ++examples;
    }
    CHECK(examples >= 2);
}

TEST_CASE("the parameter files that come with the suite are read") {
    const ParameterFile quick = parse(std::string(quick_parameter_file()));
    CHECK(quick.suites.size() >= 10);
    CHECK(quick_parameter_file() == source_file("libcommon/spec/quick.skampi"));
    double longest_s = 0;
    for (const Suite& suite : quick.suites) {
        REQUIRE(suite.max_suite_time_s);
        longest_s += *suite.max_suite_time_s;
    }
    CHECK(longest_s <= 15);

    const ParameterFile in_turns = parse(std::string(quick_parameter_file_in_turns()));
    REQUIRE(in_turns.suites.size() == quick.suites.size());
    for (std::size_t i = 0; i < quick.suites.size(); ++i) {
        CHECK(in_turns.suites[i].max_suite_time_s == std::min(*quick.suites[i].max_suite_time_s, 0.5));
        CHECK(in_turns.suites[i].name == quick.suites[i].name);
        CHECK(in_turns.suites[i].arguments == quick.suites[i].arguments);
    }
    CHECK(in_turns.comment != quick.comment);

    const ParameterFile standard = parse(source_file("examples/default.skampi"));
    for (const ParameterFile* const file : {&quick, &standard}) // no bytes with a bit-wise or by default
        for (const Suite& suite : file->suites)
            if (!suite.reduction.empty()) {
                CAPTURE(suite.name);
                CHECK(suite.datatype == "MPI_DOUBLE");
                CHECK(suite.reduction == "MPI_SUM");
            }
    std::set<int> types;
    for (const Suite& suite : standard.suites)
        types.insert(suite.operation.type);
    for (int type = 1; type <= 28; ++type)
        if (type != 23) // the paper's simple section has no memcpy
            CHECK_MESSAGE(types.contains(type), type);

    std::set<std::string> measured;
    for (const Suite& suite : parse(source_file("examples/complete.skampi")).suites)
        measured.insert(suite.operation.name);
    for (const OperationInfo& operation : seed_operations())
        CHECK_MESSAGE(measured.contains(operation.name), operation.name);
}

TEST_CASE("the paper's appendix A is measured in its order") {
    const ParameterFile file = parse(source_file("examples/default.skampi"));
    std::vector<std::string> names;
    for (const Suite& suite : file.suites)
        names.push_back(suite.name);
    CHECK(names.size() == 9 + 9 + 12 + 5);
    CHECK(names.front() == "MPI_Bsend-MPI_Recv");
    CHECK(names.back() == "MPI_Buffer_attach");
}

TEST_CASE("the examples on disk under tests/data say where they are wrong") {
    const std::filesystem::path folder = std::filesystem::path(SKAMPI_SOURCE_ROOT) / "tests" / "data";
    int wrong = 0;
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
        if (entry.path().extension() != ".skampi")
            continue;
        const std::string text = read_text_file(entry.path().string());
        const std::string mark = "# wrong: ";
        CAPTURE(entry.path().filename().string());
        const std::size_t at = text.find(mark);
        if (at == std::string::npos) {
            CHECK_FALSE(found_in(text));
            continue;
        }
        const std::size_t begin = at + mark.size();
        CHECK(message_of(text) == "x.skampi:" + text.substr(begin, text.find('\n', begin) - begin));
        ++wrong;
    }
    CHECK(wrong >= 3);
}

namespace {

/// A folder of its own, gone with the object.
struct Folder {
    std::filesystem::path path;
    Folder() {
        std::string name = (std::filesystem::temp_directory_path() / "skampi-spec-XXXXXX").string();
        REQUIRE(mkdtemp(name.data()) != nullptr);
        path = name;
    }
    Folder(const Folder&) = delete;
    Folder& operator=(const Folder&) = delete;
    ~Folder() { std::filesystem::remove_all(path); }
};

} // namespace

TEST_CASE("a file is read whole, byte by byte") {
    const Folder folder;
    const std::string path = (folder.path / "some file.skampi").string();
    const std::string text("\xEF\xBB\xBF line\r\n\0\xFF end", 17);
    std::ofstream(path, std::ios::binary) << text;
    CHECK(read_text_file(path) == text);
}

TEST_CASE("a file that cannot be read is named with the reason") {
    const Folder folder;
    const std::string path = folder.path.string();
    Golden golden("text_file");
    const auto reading = [&](const std::string& name) -> std::string {
        try {
            (void)read_text_file(path + "/" + name);
        } catch (const InputError& error) {
            return std::string(error.what()).replace(0, path.size(), "FOLDER");
        }
        return "no error";
    };
    golden.add("missing", reading("none"));
    golden.add("folder", reading(""));
    golden.add("line end in the name", reading("a\nb"));
    std::ofstream(path + "/large") << std::string((16 << 20) + 1, 'x');
    golden.add("large", reading("large"));
    std::ofstream(path + "/secret") << "x";
    REQUIRE(chmod((path + "/secret").c_str(), 0) == 0);
    if (geteuid() != 0) // root may read it
        CHECK_THROWS_AS((void)read_text_file(path + "/secret"), InputError);
    golden.check();
}

TEST_CASE("a file that names windows is told from one that takes them by default") {
    const ParameterFile file = parse_blocks("by-default { Type = 19; }\n"
                                            "named { Type = 19; Synchronization = window; }\n"
                                            "barriers { Type = 19; Synchronization = barrier; }\n"
                                            "list { Type = 19; Synchronization = window, barrier; }\n");
    CHECK(file.families_in_windows == std::set<std::string>{"list", "named"});
}
