#include "base/error.hpp"
#include "close_to.hpp"
#include "seed_operations.hpp"
#include "spec/datatypes.hpp"
#include "spec/key_table.hpp"
#include "spec/parameter_file.hpp"
#include "spec/quick_file.hpp"

#include <algorithm>
#include <doctest/doctest.h>
#include <filesystem>
#include <fstream>
#include <random>
#include <set>
#include <sstream>
#include <sys/stat.h>
#include <unistd.h>

using namespace skampi;

namespace {

ParameterFile parse(const std::string& text) {
    return parse_parameter_file("x.skampi", text, seed_operations());
}

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

/// The message for a block whose keys stand in line 3, from column 1.
std::string message_of_keys(const std::string& keys) {
    return message_of("@MEASUREMENTS\nA {\n" + keys + "\n}\n");
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
    CHECK_THROWS_WITH_AS(parse(text + "S5 { Type = 18; }\n"),
                         doctest::Contains("x.skampi:510002:1: found the suite name \"S5\" a second time, "
                                           "expected each name once (first in line 500007)"),
                         InputError);
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
        "Reduction = MPI_SUM; Root = 3;In_Place = yes;");
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
            CHECK(message_of_keys(assignment).find("found \"Default_Value\" for Type") != std::string::npos);
        else
            CHECK(plan_hash(parse_blocks("A { Type = 17; " + assignment + "}")) == plan_hash(parse(bcast)));
    }
}

TEST_CASE("every key refuses a value that is none, saying where it stands and what is expected") {
    for (const Key& key : all_keys()) {
        CAPTURE(key.name);
        const std::string name(key.name);
        const std::string message = message_of_keys("Type = 17;\n " + name + " = ?;");
        if (key.name == "Type")
            CHECK(message.find("x.skampi:4:2: found Type a second time") == 0);
        else if (key.name == "Partner")
            CHECK(message.find("found \"?\" for Partner, expected farthest, nearest, rank N") != std::string::npos);
        else
            CHECK(message.find("x.skampi:4:" + std::to_string(name.size() + 5) + ": found \"?\" for " + name +
                               ", expected " + key.accepts) == 0);
    }
}

TEST_CASE("every default section refuses a value that is none") {
    for (const Section& section : all_sections()) {
        if (section.default_of.empty())
            continue;
        CAPTURE(section.name);
        const std::string name(section.name);
        CHECK(message_of(name + " many\n" + bcast) == "x.skampi:1:" + std::to_string(name.size() + 2) +
                                                          ": found \"many\" for " + name + ", expected " +
                                                          section.accepts);
        CHECK(message_of(name + "\n" + bcast) ==
              "x.skampi:1:1: found no value for " + name + ", expected " + section.accepts);
    }
}

TEST_CASE("a section accepts what the key accepts whose default it sets") {
    const std::vector<Key> keys = all_keys();
    for (const Section& section : all_sections()) {
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
    CHECK(message_of_keys("Type = 0;") ==
          "x.skampi:3:8: found \"0\" for Type, expected one of the numbers 1-28, 33-42, or a name");
    CHECK(message_of_keys("Type = mpi_bcast;") ==
          "x.skampi:3:8: found \"mpi_bcast\" for Type, "
          "expected the number or the name of an operation (skampi-run list) (did you mean \"MPI_Bcast\"?)");
    CHECK(message_of_keys("Type = 99999999999999999999;").find("too large") != std::string::npos);
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

TEST_CASE("every key that takes a list multiplies the block") {
    for (const Key& key : all_keys()) {
        CAPTURE(key.name);
        const std::string type = !key.patterns.empty() && key.patterns[0] == Pattern::ping_pong ? "1" : "19";
        if (key.name == "Type")
            continue;
        const std::string blocks =
            "A { Type = " + type + "; Variation = No_Variation; Reduction = Default_Value;";
        const std::string doubled = std::string(key.name) + " = Default_Value, Default_Value; }";
        if (key.list && key.name != "Reduction")
            CHECK(message_of("@MEASUREMENTS\n" + blocks + doubled)
                      .find("found the same suite twice in the block \"A\"") != std::string::npos);
        else if (key.name != "Variation" && key.name != "Reduction")
            CHECK(message_of("@MEASUREMENTS\n" + blocks + doubled)
                      .find("found a list for " + std::string(key.name)) != std::string::npos);
    }
}

TEST_CASE("lists that give the same suite twice are refused") {
    CHECK(message_of_keys("Type = 20; Variation = Nodes;\nDefault_Message_length = 64KiB, 65536;") ==
          "x.skampi:4:1: found the same suite twice in the block \"A\", "
          "as \"A (Default_Message_length = 64KiB)\" and as \"A (Default_Message_length = 65536)\", "
          "expected lists of different values");
    CHECK(message_of_keys("Type = 17;\nDefault_Message_length = 1, 2;").find("found the same suite twice") !=
          std::string::npos);
}

TEST_CASE("lists that would make very many suites are refused before memory is used up") {
    std::string numbers = "2";
    for (int i = 3; i <= 200; ++i)
        numbers += ", " + std::to_string(i);
    CHECK(message_of_keys("Type = 17; Nodes = " + numbers + ";\nDefault_Message_length = " + numbers + ";") ==
          "x.skampi:4:1: found lists that make more than 10000 suites of the block \"A\", expected fewer");
}

TEST_CASE("lists are refused where one value is wanted") {
    CHECK(message_of_keys("Type = 17, 18;")
              .find("x.skampi:3:12: found a list for Type, expected one value: ") == 0);
    CHECK(message_of_keys("Type = 17; Max_Steps = 1, 2;").find("found a list for Max_Steps") !=
          std::string::npos);
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
    CHECK(message_of("\xEF\xBB\xBF@USR\r\n").find("x.skampi:1:1: found the unknown section \"@USR\"") == 0);
}

TEST_CASE("a file that is no parameter file is refused") {
    CHECK(message_of("") ==
          "x.skampi:1:1: found an empty file, expected sections, the last of them @MEASUREMENTS");
    CHECK(message_of(" \r\n\t\n").find("found an empty file") != std::string::npos);
    CHECK(message_of("just words\n") == "x.skampi:2:1: found no section @MEASUREMENTS, expected one");
    CHECK(message_of("@USER me\n@MEASUREMENTS\n# nothing\n") ==
          "x.skampi:2:1: found no block in @MEASUREMENTS, expected NAME { Type = ...; }");
    CHECK(message_of(std::string("ab\nc\0d", 6)) == "x.skampi:2:2: found a NUL byte, expected a text file");
    CHECK(message_of("@USER J\xFCrgen\n").find("x.skampi:1:8: found the byte 0xFC, which is not UTF-8") == 0);
    CHECK(message_of("@USER \xED\xA0\x80\n").find("0xED, which is not UTF-8") != std::string::npos);
    CHECK(message_of("@USER \xC3").find("0xC3, which is not UTF-8") != std::string::npos);
}

TEST_CASE("columns count characters, not bytes") {
    CHECK(message_of_keys("/* \u00fc\u4e2d */").find("x.skampi:3:1: ") == 0);
    CHECK(message_of("@MEASUREMENTS\n\u00fc\u4e2d{ type = 17; }").find("x.skampi:2:5: ") == 0);
}

TEST_CASE("a size that is not whole is told from an unknown unit") {
    const auto message = [](const std::string& size) {
        return message_of_keys("Type = 1; End_Argument = " + size + ";");
    };
    for (const char* size : {"1.5KiB", "1e6"})
        CHECK(message(size).find("a number that is not whole") != std::string::npos);
    for (const char* size : {"1EiB", "3 elephants", "64KB"})
        CHECK(message(size).find("unknown unit") != std::string::npos);
}

TEST_CASE("unknown and doubled sections are refused") {
    CHECK(message_of("@MAXREPSDEFAULT 3\n" + bcast).find("(did you mean \"@MAXREPDEFAULT\"?)") !=
          std::string::npos);
    CHECK(message_of("@user me\n" + bcast)
              .find("x.skampi:1:1: found the unknown section \"@user\", "
                    "expected one of @USER @MACHINE ") == 0);
    CHECK(message_of("@user me\n" + bcast).find("(did you mean \"@USER\"?)") != std::string::npos);
    CHECK(message_of("@XYZZY\n" + bcast).find("did you mean") == std::string::npos);
    CHECK(message_of("@USER a\n\n  @USER b\n" + bcast) ==
          "x.skampi:3:3: found @USER a second time, expected it once (first in line 1)");
}

TEST_CASE("a section of one value refuses a second line") {
    CHECK(message_of("@MEMORY 1MiB\n # ok\n and more\n" + bcast) ==
          "x.skampi:3:2: found \"and more\" after the value of @MEMORY, expected the next section");
}

TEST_CASE("keys are compared exactly, with a suggestion for a near miss") {
    CHECK(message_of_keys("  type = 17;") == "x.skampi:3:3: found the unknown key \"type\", "
                                             "expected one of the keys of a block (did you mean \"Type\"?)");
    CHECK(message_of_keys("Max_Repetitions = 3;").find("(did you mean \"Max_Repetition\"?)") !=
          std::string::npos);
    CHECK(message_of_keys("Standard-Error = 3;").find("(did you mean \"Standard_error\"?)") !=
          std::string::npos);
    CHECK(message_of_keys("Colour = 3;").find("did you mean") == std::string::npos);
    CHECK(message_of_keys("Type = 17; Scale = dynamic_log;").find("(did you mean \"Dynamic_log\"?)") !=
          std::string::npos);
    CHECK(message_of_keys("Type = 17; Node_Times = Yes;").find("(did you mean \"yes\"?)") !=
          std::string::npos);
    CHECK(message_of_keys("Type = 17; Datatype = MPI_DOUBEL;").find("(did you mean \"MPI_DOUBLE\"?)") !=
          std::string::npos);
    CHECK(message_of_keys("Type = 17; Reduction = MPI_ADD;").find("found \"MPI_ADD\" for Reduction") !=
          std::string::npos);
}

TEST_CASE("doubled keys and doubled suite names are refused, naming the first") {
    CHECK(message_of_keys("Type = 17;\nType = 17;") ==
          "x.skampi:4:1: found Type a second time in the block \"A\", expected it once (first in line 3)");
    CHECK(
        message_of("@MEASUREMENTS\nA { Type = 17; }\n\nA { Type = 18; }") ==
        "x.skampi:4:1: found the suite name \"A\" a second time, expected each name once (first in line 2)");
    CHECK(message_of("@MEASUREMENTS\nA (Nodes = 2) { Type = 17; }\nA { Type = 17; Nodes = 2, 3; }")
              .find("found the suite name \"A (Nodes = 2)\" a second time") != std::string::npos);
}

TEST_CASE("what is missing is named where it is missing") {
    CHECK(
        message_of("@MEASUREMENTS\nA\n{\nScale = Fixed_log;\n}") ==
        "x.skampi:3:1: found a block without Type, expected Type = the number or the name of an operation;");
    CHECK(message_of_keys("Type = 17\nMax_Steps = 3;") ==
          "x.skampi:3:10: found \"Max_Steps = 3;\" after Type = \"17\", expected \";\"");
    CHECK(message_of_keys("Type = 17") == "x.skampi:3:10: found \"}\" after Type = \"17\", expected \";\"");
    CHECK(message_of_keys("Type 17;") == "x.skampi:3:6: found \"17;\" after Type, expected \"=\"");
    CHECK(message_of_keys("Type = ;").find("x.skampi:3:8: found \";\" as the value of Type, expected ") == 0);
    CHECK(message_of_keys("Type = 17; Nodes = 2, ;").find("found \";\" as the value of Nodes") !=
          std::string::npos);
    CHECK(message_of("@MEASUREMENTS\nA\n{\nType = 17;\n") ==
          "x.skampi:5:1: found the end of the file, expected \"}\" at the end of the block \"A\" that "
          "begins in line 3");
    CHECK(message_of("@MEASUREMENTS\nA {\nType = 17;\n@USER me\n") ==
          "x.skampi:4:1: found the next section, expected \"}\" at the end of the block \"A\" that begins "
          "in line 2");
    CHECK(message_of("@MEASUREMENTS\nA {\nType = 17;\nB {\nType = 18;\n}\n")
              .find("x.skampi:4:1: found the unknown key \"B\"") == 0);
    CHECK(message_of("@MEASUREMENTS\nA {\nType = 17;\n{\n") ==
          "x.skampi:4:1: found \"{\", expected a key or \"}\"");
    CHECK(message_of("@MEASUREMENTS\n{ Type = 17; }").find("x.skampi:2:1: found \"{\" without a name") == 0);
    CHECK(message_of("@MEASUREMENTS\nA { Type = 17; } }")
              .find("x.skampi:2:18: found \"}\" outside of a block") == 0);
    CHECK(message_of("@MEASUREMENTS\nA\nB\n{ Type = 17; }") ==
          "x.skampi:3:1: found \"B\" after the suite name \"A\", expected \"{\"");
    CHECK(message_of("@MEASUREMENTS\nA") ==
          "x.skampi:2:2: found the end of the file after the suite name \"A\", expected \"{\"");
    CHECK(message_of("@MEASUREMENTS\nA } Type").find("found \"}") != std::string::npos);
}

TEST_CASE("a name with control characters is refused") {
    CHECK(message_of("@MEASUREMENTS\nA\x1b[31m { Type = 17; }") ==
          "x.skampi:2:2: found a control character in the name \"A\\x1b[31m\", expected letters, digits, "
          "signs and blanks");
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
        const std::string message = message_of_keys("Type = 17;\n" + text);
        const std::string at = "x.skampi:4:" + std::to_string(text.find('=') + 3) + ": found \"";
        CHECK(message.find(at) == 0);
        CHECK(message.find(", expected ") != std::string::npos);
    }
    CHECK(message_of("@MEMORY 0\n" + bcast).find("x.skampi:1:9: found \"0\" for @MEMORY, expected a size") ==
          0);
    CHECK(message_of("@MEMORY 99999999999 GiB\n" + bcast).find("a number that is too large") !=
          std::string::npos);
}

TEST_CASE("combinations that cannot be measured are refused") {
    const auto keys = [](const std::string& text) { return message_of_keys("Type = 17;\n" + text); };
    CHECK(keys("Min_Repetition = 9;\nMax_Repetition = 8;") ==
          "x.skampi:5:18: found Min_Repetition 9 and Max_Repetition 8, "
          "expected a minimum that is not above the maximum");
    CHECK(message_of("@MINREPDEFAULT 9\n@MAXREPDEFAULT 8\n" + bcast)
              .find("x.skampi:2:16: found Min_Repetition 9") == 0);
    CHECK(keys("Scale = Dynamic_log; Stepwidth = 1;")
              .find("x.skampi:4:34: found Stepwidth = 1 on the scale Dynamic_log, "
                    "expected a factor above 1") == 0);
    CHECK(keys("Scale = Fixed_linear;").find("x.skampi:4:9: found Scale = Fixed_linear without Stepwidth") ==
          0);
    CHECK(keys("Scale = Fixed_linear; Stepwidth = 1;")
              .find("which makes 268435455 arguments, expected at most 100000") != std::string::npos);
    CHECK(keys("Stepwidth = 1.000001;").find("arguments, expected at most 100000") != std::string::npos);
    CHECK(keys("Variation = Nodes;\nStepwidth = 1e-300;") ==
          "x.skampi:5:13: found Stepwidth = 1e-300 for a number of nodes, expected at least 1");
    CHECK(keys("Variation = Nodes; Scale = Fixed_log; Stepwidth = 1.0000001;")
              .find("x.skampi:4:51: found a step width of 1.0000001, which makes") == 0);
    CHECK(suite_with("Variation = Nodes; Scale = Fixed_linear; Stepwidth = 1;").arguments.stepwidth == 1);
    CHECK(
        message_of_keys("Type = Master-Recv_any_source;\nSynchronization = barrier;")
            .find("found Synchronization for an operation of the pattern master-worker, expected it only for "
                  "collective") != std::string::npos);
    CHECK(keys("Start_Argument = 10; End_Argument = 9;") ==
          "x.skampi:4:37: found End_Argument = 9 below Start_Argument = 10, expected at least 10");
    CHECK(keys("Min_Distance = 10; Max_Distance = 9;").find("found Min_Distance 10 and Max_Distance 9") !=
          std::string::npos);
    CHECK(keys("Variation = Chunks;") ==
          "x.skampi:4:13: found Variation = Chunks for \"MPI_Bcast\", expected Length or Nodes");
    CHECK(message_of_keys("Type = MPI_Wtime; Variation = Length;").find("expected No_Variation") !=
          std::string::npos);
    CHECK(keys("Variation = Nodes; Nodes = 4;").find("found Nodes = 4 with Variation = Nodes") !=
          std::string::npos);
    CHECK(keys("Variation = Nodes; Start_Argument = 0;").find("expected at least 1") != std::string::npos);
    CHECK(keys("Variation = Nodes; End_Argument = 0;").find("expected at least 1") != std::string::npos);
    CHECK(keys("Nodes = 4; Root = 4;") ==
          "x.skampi:4:19: found Root = 4 in a suite with 4 ranks, expected at most 3");
    CHECK(keys("Variation = Nodes; Root = 2;").find("found Root = 2 in a suite with 2 ranks") !=
          std::string::npos);
    CHECK(message_of_keys("Type = 10; Nodes = 1;")
              .find("found Nodes = 1 for \"Master-Waitsome\", expected at least 2") != std::string::npos);
    CHECK(keys("Partner = nearest;") ==
          "x.skampi:4:1: found Partner for an operation of the pattern collective, "
          "expected it only for ping-pong");
    CHECK(message_of_keys("Type = 23; Root = 0;") ==
          "x.skampi:3:12: found Root for \"memcpy\", expected it only for operations with a root "
          "(`skampi-run list` shows which)");
    const auto reduced = [](const std::string& text) { return message_of_keys("Type = 19;\n" + text); };
    CHECK(reduced("Reduction = MPI_SUM;")
              .find("found Reduction = MPI_SUM for Datatype = MPI_BYTE, "
                    "which MPI does not allow, expected one of the datatypes "
                    "MPI_SHORT, ") != std::string::npos);
    CHECK(reduced("Datatype = MPI_DOUBLE; Reduction = MPI_BOR;")
              .find("expected one of the datatypes MPI_BYTE") != std::string::npos);
    CHECK(reduced("Datatype = MPI_CHAR; Reduction = MPI_BOR;").find("which MPI does not allow") !=
          std::string::npos);
    CHECK(reduced("Datatype = MPI_CHAR;")
              .find("x.skampi:4:12: found Reduction = MPI_BOR for Datatype = MPI_CHAR") == 0);
}

TEST_CASE("a key that would do nothing is refused with its place") {
    CHECK(message_of_keys("Type = 1; Nodes = 4;") ==
          "x.skampi:3:11: found Nodes for an operation of the pattern ping-pong, expected it only for "
          "collective and master-worker");
    CHECK(
        message_of_keys("Type = 10; Synchronization = barrier;") ==
        "x.skampi:3:12: found Synchronization for an operation of the pattern master-worker, expected it only "
        "for collective");
    CHECK(
        message_of_keys("Type = 17;\nDefault_Chunks = 7;") ==
        "x.skampi:4:18: found Default_Chunks = 7 for an operation of the pattern collective, expected 0: only "
        "master-worker has chunks");
    CHECK(message_of_keys("Type = 18;\nDefault_Message_length = 1, 2;") ==
          "x.skampi:4:29: found a list for Default_Message_length in the block \"A\", whose operation "
          "\"MPI_Barrier\" has messages of no length to choose, expected one value or none");
    // What the blocks of the manual say everywhere.
    CHECK(suite_with("Default_Chunks = 0; Default_Message_length = 256;").chunks == 0);
    CHECK_NOTHROW((void)parse_blocks("A { Type = 18; Default_Chunks = 0; Default_Message_length = 256; }"));
}

TEST_CASE("arguments without a multiple among them are refused, and multiples are kept to") {
    const auto keys = [](const std::string& text) { return message_of_keys("Type = 17;\n" + text); };
    CHECK(
        keys("Start_Argument = 3; End_Argument = 5; Multiple_of = 8;") ==
        "x.skampi:4:53: found Multiple_of = 8 for arguments from 3 to 5, expected that a multiple of it is among "
        "them");
    CHECK(message_of("@MULTIPLEOFDEFAULT 8\n@MEASUREMENTS\nA { Type = 17; Start_Argument = 3; End_Argument = "
                     "5; }")
              .find("x.skampi:1:20: found Multiple_of = 8 for arguments from 3 to 5") == 0);
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
    CHECK(message_of_keys("Type = 17; Scale = Fixed_linear;").find("without Stepwidth") != std::string::npos);
}

TEST_CASE("a parameter is refused where the operation has none, and effective wherever it has one") {
    const std::vector<std::pair<Parameter, std::string>> assignments = {
        {Parameter::datatype, "Datatype = MPI_INT;"},
        {Parameter::reduction, "Reduction = MPI_BXOR;"},
        {Parameter::root, "Root = 1;"},
        {Parameter::in_place, "In_Place = yes;"}};
    int refused = 0;
    for (const OperationInfo& operation : seed_operations())
        for (const auto& [parameter, assignment] : assignments) {
            CAPTURE(operation.name);
            CAPTURE(assignment);
            const std::string block = "A { Type = " + operation.name + "; " + assignment + " }";
            const auto& all = operation.parameters;
            if (std::find(all.begin(), all.end(), parameter) == all.end()) {
                CHECK(message_of("@MEASUREMENTS\n" + block)
                          .find("found " + std::string(to_text(parameter)) + " for \"" + operation.name +
                                "\", expected it only for operations ") != std::string::npos);
                ++refused;
                continue;
            }
            const Suite suite = parse_blocks(block).suites.at(0);
            CHECK((suite.datatype == "MPI_INT") == (parameter == Parameter::datatype));
            CHECK((suite.reduction == "MPI_BXOR") == (parameter == Parameter::reduction));
            CHECK((suite.root == 1) == (parameter == Parameter::root));
            CHECK(suite.in_place == (parameter == Parameter::in_place));
        }
    CHECK(refused > 100);
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
    const auto keys = [](const std::string& text) {
        return message_of_keys("Type = 17; Datatype = MPI_DOUBLE;\n" + text);
    };
    CHECK(keys("Multiple_of = 4;") ==
          "x.skampi:4:15: found Multiple_of = 4, expected a multiple of 8, the size of MPI_DOUBLE");
    CHECK(keys("Start_Argument = 1;")
              .find("x.skampi:4:18: found Start_Argument = 1, expected a multiple of 8") == 0);
    CHECK(keys("End_Argument = 1001;").find("found End_Argument = 1001, expected a multiple of 8") !=
          std::string::npos);
    CHECK(
        keys("Variation = Nodes; Default_Message_length = 100;").find("found Default_Message_length = 100") !=
        std::string::npos);
    CHECK(parse("@MULTIPLEOFDEFAULT 3\n@MEASUREMENTS\nA { Type = 17; Datatype = MPI_INT; }")
              .suites[0]
              .arguments.multiple_of == 4);
    CHECK(suite_with("Start_Argument = 0; Datatype = MPI_INT;").arguments.start == 0);
}

TEST_CASE("very long lines, names and values are read or refused shortly") {
    const std::string long_text(1'000'000, 'x');
    CHECK(parse("@COMMENT " + long_text + "\n" + bcast).comment == long_text);
    CHECK(parse_blocks(long_text + "{ Type = 17; }").suites[0].name == long_text);
    CHECK(message_of_keys("Type = " + long_text + ";").size() < 500);
    CHECK(message_of_keys(long_text + " = 1;").size() < 500);
    CHECK(message_of("@" + long_text).size() < 1000);
    CHECK(message_of_keys("Type = 17; Nodes = " + std::string(100'000, '9') + ";").size() < 500);
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
    for (const Section& section : all_sections())
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
          all_names<ReportedTime>()})
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
        CHECK(message_of(example) == "no error");
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

    const ParameterFile standard = parse(source_file("examples/default.skampi"));
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
            CHECK(message_of(text) == "no error");
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

std::string message_of_reading(const std::string& path) {
    try {
        (void)read_text_file(path);
    } catch (const InputError& error) {
        return error.what();
    }
    return "no error";
}

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
    CHECK(message_of_reading(path + "/none") ==
          path + "/none: No such file or directory, expected a readable text file");
    CHECK(message_of_reading(path) == path + ": is a directory, expected a readable text file");
    CHECK(message_of_reading(path + "/a\nb").find("/a\\nb: No such file") != std::string::npos);
    std::ofstream(path + "/large") << std::string((16 << 20) + 1, 'x');
    CHECK(message_of_reading(path + "/large") ==
          path + "/large: is larger than 16 MiB, expected a readable text file");
    std::ofstream(path + "/secret") << "x";
    REQUIRE(chmod((path + "/secret").c_str(), 0) == 0);
    if (geteuid() != 0) // root may read it
        CHECK(message_of_reading(path + "/secret").find("Permission denied") != std::string::npos);
}
