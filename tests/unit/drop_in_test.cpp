// SPDX-License-Identifier: GPL-2.0-or-later
// OSU's and IMB's text, as the checks of sites read it: each case restates what one of them expects.
#include "base/error.hpp"
#include "collected_import.hpp"
#include "drop_in/drop_in.hpp"
#include "drop_in/imb_text.hpp"
#include "drop_in/osu_text.hpp"
#include "import/importer.hpp"
#include "operations/all_operations.hpp"
#include "options.hpp"
#include "spec/parser.hpp"

#include <cmath>
#include <doctest/doctest.h>
#include <regex>
#include <set>
#include <sstream>

using namespace skampi;

namespace {

using Lines = std::vector<std::string>;

Lines lines_of(const std::string& text) {
    Lines lines;
    std::istringstream rest(text);
    for (std::string line; std::getline(rest, line);)
        lines.push_back(line);
    return lines;
}
Lines words_of(const std::string& line) {
    std::istringstream rest(line);
    Lines words;
    for (std::string word; rest >> word;)
        words.push_back(word);
    return words;
}

Suite suite_of(const std::string& operation) {
    Suite suite;
    suite.operation = find_operation(operation).info();
    suite.datatype = "MPI_INT8_T";
    suite.reported_time = ReportedTime::mean;
    return suite;
}

Measurement measured(std::int64_t bytes, double value_s) {
    Measurement m;
    m.argument = m.message_bytes = bytes;
    m.ranks = 2;
    m.value_s = m.adjusted_s = value_s;
    m.summary.count = 20;
    m.messages = 64;
    m.alone_s = m.computation_s = value_s / 2;
    m.node_times = {{0, 0.9 * value_s, 0}, {1, 1.1 * value_s, 0}};
    return m;
}

/// 4 B and 4 MiB.
std::vector<OsuPoint> two_points(const OsuProgram& program) {
    std::vector<OsuPoint> points;
    for (const auto& [bytes, value_s] : {std::pair<std::int64_t, double>{4, 1.25e-6}, {4194304, 2.5e-3}}) {
        OsuPoint& point = points.emplace_back();
        point.measurement = measured(program.has_lengths() ? bytes : 0, value_s);
        point.alone = point.measurement;
        point.begin_s = value_s / 10;
        point.singles_s = {value_s, 2 * value_s};
        if (!program.has_lengths())
            break;
    }
    return points;
}

std::string text_of(const std::string& name, const OsuColumns& columns = {}) {
    const OsuProgram& program = *osu_program(name);
    return osu_text(program, suite_of(std::string(program.operation)), two_points(program), columns);
}

std::vector<ImportedRun> imported_from(const std::string& text) {
    const Importer* const importer = importer_of(text);
    REQUIRE(importer);
    TextSource source = text_in_pieces("x.txt", text, 1000);
    CollectedImport collected;
    importer->read(*importer, source, collected);
    return std::move(collected.runs);
}

DropIn called(const std::string& program, const Lines& words) {
    static const std::vector<OperationInfo> operations = operation_infos();
    return program == "IMB-MPI1" ? imb_command(words, operations)
                                 : osu_command(*osu_program(program), words, operations);
}

/// The suites that a program measures.
std::vector<Suite> planned(const std::string& program, const Lines& words, int ranks = 2) {
    return parse_parameter_file("x", called(program, words).plan(ranks), operation_infos()).suites;
}

} // namespace

TEST_CASE("titles and headings are OSU's, byte for byte, and nothing follows the table") {
    CHECK(text_of("osu_allreduce") == "\n# OSU MPI Allreduce Latency Test v7.4\n"
                                      "# Datatype: MPI_CHAR.\n"
                                      "# Size       Avg Latency(us)\n"
                                      "4                     1.2500\n"
                                      "4194304              2500.00\n");
    CHECK(
        text_of("osu_allreduce", {.full = true, .validation = true, .percentiles = {50, 99}}) ==
        "\n# OSU MPI Allreduce Latency Test v7.4\n"
        "# Datatype: MPI_CHAR.\n"
        "# Size       Avg Latency(us)   Min Latency(us)   Max Latency(us)  Iterations        Validation  P50 Tail "
        "Lat(us)  P99 Tail Lat(us)\n"
        "4                     1.2500            1.1250            1.3750          20              Pass            "
        "1.2500            2.5000\n"
        "4194304              2500.00           2250.00           2750.00          20              Pass           "
        "2500.00           5000.00\n");
    CHECK(lines_of(text_of("osu_latency")).at(4) == "4                     0.6250"); // half of the round trip
    CHECK(text_of("osu_barrier") == "\n# OSU MPI Barrier Latency Test v7.4\n"
                                    "# Avg Latency(us)\n"
                                    "           1.2500\n");
    CHECK(lines_of(text_of("osu_bw", {.percentiles = {50}})).at(3) ==
          "# Size      Bandwidth (MB/s) P50 Tail BW(MB/s)");
    CHECK(lines_of(text_of("osu_mbw_mr")) ==
          Lines{"# OSU MPI Multiple Bandwidth / Message Rate Test v7.4", "# [ pairs: 1 ] [ window size: 64 ]",
                "# Datatype: MPI_CHAR.", "# Size                  MB/s        Messages/s",
                "4                     204.80       51200000.00",
                "4194304            107374.18          25600.00"});
    CHECK(lines_of(text_of("osu_put_latency")).at(4) == "# Size          Latency (us)");
    CHECK(lines_of(text_of("osu_iallreduce")).at(5) ==
          "# Size           Overall(us)       Compute(us)    Pure Comm.(us)        Overlap(%)");
    CHECK(
        words_of(lines_of(text_of("osu_iallreduce", {.full = true})).at(6)) ==
        Lines{"4", "1.2500", "0.6250", "0.1250", "0.0000", "0.5000", "1.2500", "1.1250", "1.3750", "50.00"});
}

TEST_CASE("wrong data are said where validation is asked for") {
    const OsuProgram& program = *osu_program("osu_bcast");
    OsuPoint point{.measurement = measured(8, std::nan(""))};
    point.measurement.summary.mean_all = 1e-6;
    set(point.measurement.flags, Flag::wrong_result);
    const Lines lines = lines_of(osu_text(program, suite_of("MPI_Bcast"), {point}, {.validation = true}));
    CHECK(words_of(lines.back()) == Lines{"8", "1.0000", "Fail"});
}

TEST_CASE("tables of OSU's form are read by the expressions of today's checks") {
    for (const OsuProgram& program : osu_programs()) {
        CAPTURE(program.name);
        const std::string text = text_of(std::string(program.name));
        const Lines lines = lines_of(text);
        // Begins with at most one empty line; all that is no row of numbers begins with # (or is empty).
        const std::size_t title = lines[0].empty() ? 1 : 0;
        CHECK(std::regex_match(lines[title], std::regex("# OSU MPI.* Test v[0-9.]+")));
        CHECK(text.find(program.title) != std::string::npos);
        // A reader of the whole text takes each size and its value: nothing else is a number before a blank.
        std::size_t pairs = 0;
        const std::regex pair(R"((\d+)\s+(\d+)\.)");
        for (std::sregex_iterator at(text.begin(), text.end(), pair); at != std::sregex_iterator(); ++at)
            pairs += (*at)[1] == "4" || (*at)[1] == "4194304" || program.lengths_of_all ? 1 : 100;
        if (program.table == OsuTable::latency || program.table == OsuTable::bandwidth ||
            program.table == OsuTable::collective)
            CHECK(pairs == (program.has_lengths() ? 2 : 0));
        // Each row has as many words as the heading says.
        const std::size_t rows = program.has_lengths() ? 2 : 1;
        for (std::size_t i = lines.size() - rows; i < lines.size(); ++i)
            for (const std::string& word : words_of(lines[i]))
                CHECK(std::regex_match(word, std::regex(R"([0-9]+(\.[0-9]+)?)")));
        CHECK(lines[lines.size() - rows - 1].starts_with("# "));
        CHECK(words_of(lines.back()).size() == words_of(lines[lines.size() - rows]).size());
    }
    const std::string checked = text_of("osu_bw", {.validation = true});
    CHECK(std::regex_search(checked, std::regex("4194304.*Pass")));
    CHECK(std::regex_search(checked, std::regex(R"(4194304\s+(\S+))")));
}

TEST_CASE("what is written in OSU's form is read back as the same points") {
    for (const OsuProgram& program : osu_programs()) {
        CAPTURE(program.name);
        const std::vector<ImportedRun> runs =
            imported_from(text_of(std::string(program.name), {.validation = true}));
        REQUIRE(runs.size() == 1);
        REQUIRE(runs.front().suites.size() == 1);
        const std::vector<OsuPoint> points = two_points(program);
        const std::vector<Measurement>& read = runs.front().suites.front().measurements;
        REQUIRE(read.size() == points.size());
        for (std::size_t i = 0; i < read.size(); ++i) {
            const bool is_rate = program.table == OsuTable::bandwidth || program.table == OsuTable::pairs ||
                                 program.name.ends_with("_bw");
            const double per_message = is_rate ? 64 : 1;
            CHECK(read[i].argument == osu_bytes(program, points[i].measurement));
            CHECK(read[i].value_s ==
                  doctest::Approx(points[i].measurement.value_s / per_message).epsilon(2e-3));
        }
    }
}

TEST_CASE("tables of IMB's form have its headings, and are read back as the same points") {
    for (const ImbBenchmark& benchmark : imb_benchmarks()) {
        CAPTURE(benchmark.name);
        Run run;
        run.ranks = 2;
        const ImbResult result{benchmark, suite_of(std::string(benchmark.operation)), {measured(4096, 1e-3)}};
        const std::string text = imb_text(run, {result});
        const Lines lines = lines_of(text);
        std::size_t at = 0;
        while (lines.at(at) != "# Benchmarking " + std::string(benchmark.name) + " ")
            ++at;
        CHECK(lines.at(at + 1) == "# #processes = 2 ");
        CHECK(lines.at(at + 3).find("#repetitions") != std::string::npos);
        CHECK(lines.at(at + 3).size() == lines.at(at + 4).size());
        CHECK(lines.at(at + 4).starts_with(" "));
        CHECK(words_of(lines.at(at + 3)).size() == words_of(lines.at(at + 4)).size());
        CHECK(lines.at(at + 5).empty());
        const std::vector<ImportedRun> runs = imported_from(text);
        const std::vector<Measurement>& read = runs.at(0).suites.at(0).measurements;
        REQUIRE(read.size() == 1);
        CHECK(read[0].argument == (benchmark.has_lengths() ? 4096 : 0));
        CHECK(read[0].summary.count == 20);
    }
}

TEST_CASE("a program measures what its name and options say") {
    const Suite allreduce = planned("osu_allreduce", {"-m", "4:1000", "-i", "10", "-x", "5", "-f"}).at(0);
    CHECK(allreduce.operation.name == "MPI_Allreduce");
    CHECK(allreduce.arguments.start == 4);
    CHECK(allreduce.arguments.end == 512);
    CHECK(allreduce.repetition.max_count == 10);
    CHECK(allreduce.synchronization == Synchronization::barrier_before);
    CHECK(allreduce.reported_time == ReportedTime::mean);
    CHECK(allreduce.repetition.cut_quantile == 0);
    CHECK(allreduce.reduction == "MPI_SUM");
    CHECK(allreduce.absolute);
    CHECK(allreduce.node_times);

    const Suite latency = planned("osu_latency", {"--message-size=2:", "-z90", "D", "D"}).at(0);
    CHECK(latency.arguments.start == 2);
    CHECK(latency.arguments.end == 4194304);
    CHECK(latency.absolute); // the clock is in each round trip, as there

    CHECK(planned("osu_iallreduce", {"--full"}).size() == 3);
    CHECK(planned("osu_mbw_mr", {}).at(0).operation.name == "Bandwidth-one_buffer");
    CHECK(planned("osu_mbw_mr", {}, 4).at(0).operation.name == "Multi_pair_bandwidth-one_buffer");
    CHECK(planned("osu_put_latency", {"-s", "lock"}).at(0).operation.name == "MPI_Put-lock");
    CHECK(planned("osu_reduce_scatter", {}, 4).at(0).arguments.start == 1); // 4 B of all
    CHECK_THROWS_AS((void)planned("osu_reduce_scatter", {}, 3), InputError);
    CHECK_THROWS_AS((void)planned("osu_latency", {}, 3), InputError);

    const std::vector<Suite> imb =
        planned("IMB-MPI1", {"pingpong", "Allreduce", "-npmin", "2", "-msglog", "0:3"}, 6);
    REQUIRE(imb.size() == 4);
    CHECK(imb[0].operation.name == "MPI_Send-MPI_Recv");
    CHECK(imb[1].ranks == 2);
    CHECK(imb[2].ranks == 4);
    CHECK(imb[3].ranks == 6);
    CHECK(imb[3].datatype == "MPI_FLOAT");
    CHECK(imb[3].arguments.start == 0);
    CHECK(imb[3].arguments.multiple_of == 4);
}

TEST_CASE("each program has an operation, and its plan is a parameter file") {
    for (const OsuProgram& program : osu_programs()) {
        CAPTURE(program.name);
        CHECK_FALSE(planned(std::string(program.name), {}).empty());
        CHECK(called(std::string(program.name), {"--no-database"}).keeps_database == false);
    }
    CHECK(planned("IMB-MPI1", {}).size() == imb_benchmarks().size());
}

TEST_CASE("options that a program does not have are refused by name") {
    const auto refusal = [](const std::string& program, const Lines& words) -> std::string {
        try {
            (void)called(program, words);
        } catch (const OptionsEnd& end) {
            CHECK(end.exit_status == 2);
            return end.text;
        }
        return "accepted";
    };
    for (const auto& each : std::vector<std::pair<std::string, Lines>>{
             {"osu_latency", {"-f"}},
             {"osu_allreduce", {"-G", "png"}},
             {"osu_bw", {"-W", "32"}},
             {"osu_iallreduce", {"-t", "10"}},
             {"osu_bcast", {"-d", "cuda"}},
             {"osu_put_latency", {"-s", "fence"}},
             {"osu_latency", {"-i", "many"}},
             {"osu_latency", {"-m"}},
             {"osu_latency", {"-z100"}},
             {"osu_latency", {"-m", "8:4"}},
             {"IMB-MPI1", {"-off_cache", "-1"}},
             {"IMB-MPI1", {"-multi", "1"}},
             {"IMB-MPI1", {"Nothing"}},
         }) {
        CAPTURE(each.first);
        CHECK(refusal(each.first, each.second).find(each.second.front().substr(0, 2)) != std::string::npos);
    }
}
