// SPDX-License-Identifier: GPL-2.0-or-later
#include "close_to.hpp"
#include "collected_import.hpp"
#include "import/importer.hpp"

#include "../golden.hpp"
#include "base/error.hpp"
#include "base/text.hpp"
#include "scratch_folder.hpp"
#include "store/database.hpp"

#include <cmath>
#include <doctest/doctest.h>
#include <filesystem>
#include <fstream>

using namespace skampi;

namespace {

/// What is made of a text by the importer of its kind.
std::vector<ImportedRun> read(const std::string& kind, const std::string& text) {
    const Importer* const importer = importer_of(text);
    REQUIRE_MESSAGE(importer, "nobody recognises it");
    CHECK(importer->kind == kind);
    TextSource source = text_in_pieces("in.txt", text, 1000);
    CollectedImport collected;
    importer->read(*importer, source, collected);
    return std::move(collected.runs);
}

/// What is said of a text that is refused.
std::string words_of_refusal(const std::string& kind, const std::string& text) {
    CAPTURE(text);
    try {
        (void)read(kind, text);
    } catch (const InputError& error) {
        return std::string(error.what()).substr(std::string_view("in.txt:").size());
    }
    FAIL("it was not refused");
    return {};
}

const std::string osu = "OSU micro-benchmarks output";
const std::string imb = "Intel MPI Benchmarks output";
const std::string reprompi = "ReproMPI output";
const std::string skampi5 = "SKaMPI 5 output";
const std::string old_out = "skampi.out";

const std::string netpipe = "NetPIPE output";
const std::string nccl = "nccl-tests output";

/// Texts of which nothing can be read, or that say two things of one point.
std::vector<std::pair<std::string, std::string>> refused_texts() {
    const std::string start = "# OSU MPI Latency Test v5.9\n# Size          Latency (us)\n";
    return {
        {osu, start + "1 0.3\n1 0.4\n"},
        {osu, start + "1 fast\n"},
        {osu, "# OSU MPI Latency Test v5.9\n# Size  Jitter (us)\n1 0.3\n"},
        {osu, "rank 0: # OSU MPI Latency Test v5.9\nrank 0, # Size Latency (us)\nrank 0, 1 0.3\n"},
        {imb, "# Benchmarking Multi-PingPong\n# ( 2 groups of 2 processes each running simultaneous )\n"
              "Group #bytes #repetitions t[usec] Mbytes/sec\n0 8 10 0.5 0\n0 8 10 0.5 0\n"},
        {imb, "# Benchmarking PingPong\n  Team   #bytes #repetitions t[usec]\n0 8 10 0.5\n"},
        {reprompi, "test nrep msize runtime_sec\nMPI_Bcast 0 8\n"},
        {skampi5, "# begin result \"a\"\n5 6\n# end result \"a\"\n"},
        {old_out, "/*@inp2p_x.ski*/\n1 2 3\n"},
        {old_out, "/*@incol_x-nodes.ski*/\n4294967298 1 0 4 1 0 4\n"},
    };
}

/// What is told of lines that are passed over.
std::string passed_over(const ImportedRun& run) {
    const auto found = run.run.facts.find(fact_passed_over);
    return found == run.run.facts.end() ? "" : found->second;
}

std::string suite_names(const ImportedRun& run) {
    std::string names;
    for (const auto& suite : run.suites)
        names += (names.empty() ? "" : "; ") + suite.suite.name;
    return names;
}

} // namespace

TEST_CASE("of osu_latency, half a round trip, the round trip is stored, and it is said") {
    const auto runs = read(osu, "node1: some launcher's words\n"
                                "# OSU MPI Latency Test v5.9\n"
                                "# Size          Latency (us)\n"
                                "0                       0.25\n"
                                "1                       0.30\n");
    REQUIRE(runs.size() == 1);
    CHECK(runs[0].run.facts.at("read from") == osu);
    CHECK(runs[0].run.mpi_library.empty());
    REQUIRE(runs[0].suites.size() == 1);
    const auto& suite = runs[0].suites[0];
    CHECK(suite.suite.operation.name == "MPI_Send-MPI_Recv");
    CHECK(suite.suite.operation.meaning == Meaning::round_trip);
    CHECK(suite.suite.varied == Varied::message_length);
    CHECK(suite.facts.contains("converted"));
    CHECK(suite.facts.at("version") == "5.9");
    REQUIRE(suite.measurements.size() == 2);
    CHECK(suite.measurements[1].argument == 1);
    CHECK(suite.measurements[1].message_bytes == 1);
    CHECK(suite.measurements[1].ranks == 2);
    CHECK(suite.measurements[1].value_s == close_to(0.6e-6));
    CHECK(std::isnan(suite.measurements[1].standard_error_s));
}

TEST_CASE("OSU's collectives are read with all their columns") {
    const auto runs = read(
        osu,
        "# OSU MPI All-to-All Personalized Exchange Latency Test v7.3\n"
        "# Datatype: MPI_CHAR.\n"
        "# Size       Avg Latency(us)   Min Latency(us)   Max Latency(us)  Iterations  P50 Tail Lat(us)  P99 Tail Lat(us)\n"
        "4                       1.50              1.25              2.00         1000              1.4              3.1\n"
        "\n"
        "# OSU MPI Barrier Latency Test v7.3\n"
        "# Avg Latency(us)\n"
        "             0.75\n"
        "# OSU MPI Non-Blocking Reduce_scatter Latency Test v5.6.3\n"
        "# Overall = Coll. Init + Compute + MPI_Test + MPI_Wait\n"
        "\n"
        "# Size           Overall(us)       Compute(us)    Pure Comm.(us)        Overlap(%)\n"
        "8                       4.00              2.50              1.75             14.29\n");
    REQUIRE(runs.size() == 1);
    const auto& suites = runs[0].suites;
    REQUIRE(suites.size() == 3);
    CHECK(suites[0].suite.operation.name == "MPI_Alltoall");
    CHECK(suites[0].suite.datatype == "MPI_CHAR");
    CHECK(suites[0].measurements[0].value_s == close_to(1.5e-6));
    CHECK(suites[0].measurements[0].summary.count == 1000);
    CHECK(suites[0].measurements[0].ranks == 0);
    CHECK(suites[1].suite.operation.name == "MPI_Barrier");
    CHECK(suites[1].suite.varied == Varied::none);
    CHECK(suites[1].measurements[0].value_s == close_to(0.75e-6));
    // As ours is called that computes in between, not the one without.
    CHECK(suites[2].suite.operation.name == "MPI_Ireduce_scatter-computation");
    CHECK(suites[2].measurements[0].value_s == close_to(4e-6));
    CHECK(suites[2].measurements[0].computation_s == close_to(2.5e-6));
    CHECK(suites[2].measurements[0].alone_s == close_to(1.75e-6));
}

TEST_CASE("OSU's persistent and neighborhood programs, all columns of -f and any percentile are read") {
    const auto operation = [](const std::string& title) {
        return read(
                   osu,
                   "# OSU MPI " + title +
                       " Test v7.4\n# Size  Avg Latency(us)  P75 Tail Lat(us)  P99.9 Tail Lat(us)\n1 0.3 0.3 0.4\n")
            .front()
            .suites.front()
            .suite.operation.name;
    };
    for (const auto& [title, name] :
         {std::pair{"Allgather Persistent Latency", "MPI_Allgather_init"},
          {"All-to-Allv Personalized Exchange Persistent Latency", "MPI_Alltoallv_init"},
          {"Latency Persistent", "MPI_Send_init-MPI_Recv_init"},
          {"Neighborhood Allgather Latency", "MPI_Neighbor_allgather"},
          {"Neighborhood All-to-Allv Latency", "MPI_Neighbor_alltoallv"},
          {"Non-blocking Neighborhood Alltoallw Latency", "MPI_Ineighbor_alltoallw"}})
        CHECK(operation(title) == name);
    const auto full = read(
        osu,
        "# OSU MPI Non-blocking Allreduce Latency Test v7.1\n# Overall = Coll. Init + Compute + MPI_Test + MPI_Wait\n"
        "# Size  Overall(us)  Compute(us)  Coll. Init(us)  MPI_Test(us)  MPI_Wait(us)  Pure Comm.(us)  Min Comm.(us)  Max Comm.(us)  Overlap(%)\n"
        "4 1.00 0.50 0.10 0.00 0.40 0.52 0.50 0.54 4.00\n");
    CHECK(full.front().suites.front().measurements.front().alone_s == close_to(0.52e-6));
    const auto persistent =
        read(osu, "# OSU MPI Bandwidth Persistent Test v7.4\n# Size  Bandwidth (MB/s)\n1000 500.00\n");
    CHECK(persistent.front().suites.front().measurements.front().value_s == close_to(2e-6));
}

TEST_CASE("of OSU's bandwidth the time per message is stored") {
    const auto runs = read(osu, "# OSU MPI Bandwidth Test v7.1\n# Size      Bandwidth (MB/s)\n1024  512.00\n"
                                "# OSU MPI Multiple Bandwidth / Message Rate Test v5.7\n"
                                "# [ pairs: 15 ] [ window size: 64 ]\n"
                                "# Size                  MB/s        Messages/s\n"
                                "1                       6.25        6250000.00\n"
                                "# OSU MPI_Put Bandwidth Test v5.7\n# Window creation: MPI_Win_allocate\n"
                                "# Size      Bandwidth (MB/s)\n8 16.0\n");
    REQUIRE(runs[0].suites.size() == 3);
    const Measurement& m = runs[0].suites[0].measurements[0];
    CHECK(m.value_s == close_to(2e-6));
    CHECK(m.messages == 1);
    CHECK(runs[0].suites[0].suite.operation.meaning == Meaning::window);
    CHECK(runs[0].suites[1].measurements[0].value_s == close_to(0.16e-6));
    CHECK(runs[0].suites[2].facts.at("Window creation") == "MPI_Win_allocate");
    CHECK(runs[0].suites[2].measurements[0].value_s == close_to(0.5e-6));
}

TEST_CASE("of a bandwidth and a message rate, the one with more digits tells the time per message") {
    const auto runs = read(osu, "# OSU MPI Multiple Bandwidth / Message Rate Test v7.2\n"
                                "# [ pairs: 2 ] [ window size: 64 ]\n"
                                "# Size                  MB/s        Messages/s\n"
                                "1                       0.04          44870.52\n"
                                "2                       0.00          44900.10\n"
                                "4                       0.00              0.00\n"
                                "4000000             12345.67           3086.42\n");
    const auto& measured = runs[0].suites[0].measurements;
    REQUIRE(measured.size() == 4);
    CHECK(measured[0].value_s == close_to(1 / 44870.52));
    CHECK(measured[1].value_s == close_to(1 / 44900.10));
    CHECK_FALSE(has_value(measured[2]));
    CHECK(measured[3].value_s == close_to(4 / 12345.67));
    const auto alone =
        read(osu, "# OSU MPI Bandwidth Test v7.2\n# Size      Bandwidth (MB/s)\n1 0.00\n2 0.09\n");
    REQUIRE(alone[0].suites[0].measurements.size() == 2);
    CHECK_FALSE(has_value(alone[0].suites[0].measurements[0]));
    CHECK(alone[0].suites[0].measurements[1].value_s == close_to(2 / 0.09e6));
}

TEST_CASE("where OSU's validation failed there is a wrong result and no time") {
    const std::string start = "# OSU MPI Latency Test v7.2\n# Size       Latency (us)        Validation\n";
    const auto runs = read(osu, start + "1 1.23 Pass\n2 1.25 Fail\n");
    const auto& measured = runs[0].suites[0].measurements;
    REQUIRE(measured.size() == 2);
    CHECK(measured[0].value_s == close_to(2.46e-6));
    CHECK_FALSE(has(measured[0].flags, Flag::wrong_result));
    CHECK(has(measured[1].flags, Flag::wrong_result));
    CHECK(std::isnan(measured[1].value_s));
}

TEST_CASE("a test that comes again is another launch, and the same file holds the same runs") {
    const std::string once = "# OSU MPI Latency Test v5.9\n# Size Latency (us)\n1 0.30\n";
    const auto runs = read(osu, once + once);
    REQUIRE(runs.size() == 2);
    CHECK(runs[0].run.uuid != runs[1].run.uuid);
    CHECK(read(osu, once + once)[1].run.uuid == runs[1].run.uuid);
    CHECK(read(osu, once)[0].run.uuid != runs[0].run.uuid);
}

TEST_CASE("tables of the Intel MPI Benchmarks are read: MPI-1, NBC, RMA") {
    const auto runs = read(imb, "#------------------------------------------------------------\n"
                                "#    Intel(R) MPI Benchmarks 2021.3, MPI-1 part\n"
                                "#------------------------------------------------------------\n"
                                "# Machine               : x86_64\n"
                                "# MPI Version           : 3.1\n"
                                "#---------------------------------------------------\n"
                                "# Benchmarking PingPong \n"
                                "# #processes = 2 \n"
                                "# ( 2 additional processes waiting in MPI_Barrier)\n"
                                "#---------------------------------------------------\n"
                                "       #bytes #repetitions      t[usec]   Mbytes/sec\n"
                                "            0         1000         0.25         0.00\n"
                                "            8         1000         0.50        16.00\n"
                                "\n"
                                "# Benchmarking Allreduce \n"
                                "# #processes = 4 \n"
                                "       #bytes #repetitions  t_min[usec]  t_max[usec]  t_avg[usec]\n"
                                "            8          500         1.25         1.75         1.50\n"
                                "# Benchmarking Barrier \n"
                                "# #processes = 4 \n"
                                " #repetitions  t_min[usec]  t_max[usec]  t_avg[usec]\n"
                                "         1000         0.50         1.00         0.75\n"
                                "# Benchmarking Iallreduce \n"
                                "# #processes = 4 \n"
                                " #bytes #repetitions t_ovrl[usec] t_pure[usec]  t_CPU[usec]   overlap[%]\n"
                                "      8          100         4.00         2.00         2.50        20.00\n"
                                "# Benchmarking Iallreduce_pure \n"
                                "# #processes = 4 \n"
                                " #bytes #repetitions  t_min[usec]  t_max[usec]  t_avg[usec]\n"
                                "      8          100         2.00         2.25         2.10\n"
                                "# Benchmarking Unidir_put \n"
                                "# #processes = 2 \n"
                                "#\n#    MODE: AGGREGATE \n#\n"
                                " #bytes #repetitions      t[usec]   Mbytes/sec\n"
                                "      4          100         0.10        40.00\n"
                                "# Benchmarking Uniband \n"
                                "# #processes = 2 \n"
                                " #bytes #repetitions   Mbytes/sec      Msg/sec\n"
                                "      0         1000         0.00      5000000\n"
                                "   1000         1000       500.00       500000\n"
                                "# All processes entering MPI_Finalize\n");
    REQUIRE(runs.size() == 1);
    CHECK(runs[0].run.facts.at("Machine") == "x86_64");
    CHECK(runs[0].run.ranks == 4);
    const auto& suites = runs[0].suites;
    REQUIRE(suites.size() == 7);
    CHECK(suites[0].suite.name == "IMB PingPong");
    CHECK(suites[0].suite.operation.meaning == Meaning::round_trip);
    CHECK(suites[0].measurements[1].value_s == close_to(1e-6));
    CHECK(suites[0].measurements[1].summary.count == 1000);
    CHECK(suites[0].measurements[1].ranks == 2);
    CHECK(suites[0].facts.contains("converted"));
    CHECK(suites[1].suite.name == "IMB Allreduce (4 processes)");
    CHECK(suites[1].measurements[0].value_s == close_to(1.75e-6));
    CHECK(suites[1].measurements[0].ranks == 4);
    CHECK(suites[2].suite.varied == Varied::none);
    CHECK(suites[2].measurements[0].value_s == close_to(1e-6));
    CHECK(suites[3].suite.operation.name == "MPI_Iallreduce-computation");
    CHECK(suites[3].measurements[0].value_s == close_to(4e-6));
    CHECK(suites[3].measurements[0].alone_s == close_to(2e-6));
    CHECK(suites[4].suite.operation.name == "MPI_Iallreduce");
    CHECK(suites[4].measurements[0].value_s == close_to(2.25e-6));
    CHECK(suites[5].suite.name == "IMB Unidir_put (AGGREGATE)");
    CHECK(suites[5].measurements[0].value_s == close_to(0.1e-6));
    REQUIRE(suites[6].measurements.size() == 2);
    CHECK(suites[6].measurements[0].value_s == close_to(0.2e-6));
    CHECK(suites[6].measurements[1].value_s == close_to(2e-6));
}

TEST_CASE(
    "tables that follow one another below one heading of the Intel MPI Benchmarks keep their modes apart") {
    const std::string head = "#    Intel(R) MPI Benchmarks 2021.3, RMA part\n"
                             "# Benchmarking Unidir_put \n"
                             "# #processes = 2 \n"
                             "#    MODE: AGGREGATE \n";
    SUBCASE("of groups, whose rows wait for the end of their table") {
        const std::string title = "Group  #bytes #repetitions      t[usec]   Mbytes/sec\n";
        const auto runs = read(imb, head + title +
                                        "    0       4          100         0.10        40.00\n"
                                        "    1       4          100         0.20        20.00\n"
                                        "#\n#    MODE: NON-AGGREGATE \n#\n" +
                                        title + "    0       4          100         0.50         8.00\n");
        REQUIRE(runs.size() == 1);
        REQUIRE(runs[0].suites.size() == 3);
        CHECK(suite_names(runs[0]) == "IMB Unidir_put (2 processes, AGGREGATE, group 0); "
                                      "IMB Unidir_put (2 processes, AGGREGATE, group 1); "
                                      "IMB Unidir_put (2 processes, NON-AGGREGATE, group 0)");
        CHECK(runs[0].suites[2].measurements.at(0).value_s == close_to(0.5e-6));
    }
    SUBCASE("of one group") {
        const std::string title = " #bytes #repetitions      t[usec]   Mbytes/sec\n";
        const auto runs = read(imb, head + title +
                                        "      4          100         0.10        40.00\n"
                                        "#    MODE: NON-AGGREGATE \n" +
                                        title + "      4          100         0.50         8.00\n");
        REQUIRE(runs[0].suites.size() == 2);
        CHECK(suite_names(runs[0]) == "IMB Unidir_put (AGGREGATE); IMB Unidir_put (NON-AGGREGATE)");
    }
}

TEST_CASE("what IMB gave up, got wrong or printed as nothing is a point without a value") {
    const std::string start = "#    Intel(R) MPI Benchmarks 2021.3, MPI-1 part\n";
    const auto runs =
        read(imb, start + "# Benchmarking Allreduce\n# #processes = 2\n"
                          "       #bytes #repetitions  t_min[usec]  t_max[usec]  t_avg[usec]      defects\n"
                          "            4         1000         0.50         0.60         0.55         0.00\n"
                          "            8         1000         0.50         0.60         0.55       123.00\n"
                          "           16 time-out. Est time 12. secs\n"
                          "           32 out-of-mem.; needed X=   1.500 GB; use flag \"-mem X\"\n"
                          "# Benchmarking Uniband\n# #processes = 2\n"
                          "       #bytes #repetitions   Mbytes/sec      Msg/sec\n"
                          "            1         1000         1.43      1430000\n"
                          "            2         1000         0.00      1000000\n"
                          "            4         1000         0.00            0\n");
    const auto& measured = runs[0].suites[0].measurements;
    REQUIRE(measured.size() == 4);
    CHECK(measured[0].value_s == close_to(0.6e-6));
    CHECK(measured[0].flags == 0);
    CHECK(has(measured[1].flags, Flag::wrong_result));
    CHECK(std::isnan(measured[1].value_s));
    CHECK(measured[2].argument == 16);
    CHECK(has(measured[2].flags, Flag::timed_out));
    CHECK_FALSE(has_value(measured[2]));
    CHECK(measured[3].argument == 32);
    CHECK(measured[3].flags == 0);
    CHECK_FALSE(has_value(measured[3]));
    const auto& rates = runs[0].suites[1].measurements;
    REQUIRE(rates.size() == 3);
    CHECK(rates[0].value_s == close_to(1 / 1430000.0));
    CHECK(rates[1].value_s == close_to(1e-6));
    CHECK_FALSE(has_value(rates[2]));
}

TEST_CASE("tables that IMB prints by groups of processes are a suite for each group") {
    const std::string start = "# Intel(R) MPI Benchmarks 2021.3, MPI-1 part\n# Benchmarking Multi-PingPong\n"
                              "# ( 2 groups of 2 processes each running simultaneous )\n"
                              "# Group  0:     0    1\n#\n# Group  1:     2    3\n#\n";
    const auto runs = read(imb, start + "      Group       #bytes #repetitions      t[usec]   Mbytes/sec\n\n"
                                        "          0            0         1000         0.50         0.00\n"
                                        "          1            0         1000         0.75         0.00\n\n"
                                        "          0            8          900         0.60        13.33\n"
                                        "          1            8          900         0.80        10.00\n\n"
                                        "          0           16  out-of-mem.; needed X=   1.001 GB\n"
                                        "          1           16          800         1.00        16.00\n"
                                        "\n# Benchmarking Multi-Bcast\n"
                                        "# ( 2 groups of 2 processes each running simultaneous )\n"
                                        "  Group #bytes #repetitions t_min[usec] t_max[usec] t_avg[usec]\n"
                                        "      0      8          500        0.90        1.10        1.00\n"
                                        "      1      8          500        0.90        1.30        1.00\n");
    REQUIRE(runs.size() == 1);
    const auto& suites = runs[0].suites;
    REQUIRE(suites.size() == 4);
    CHECK(suite_names(runs[0]) ==
          "IMB Multi-PingPong (2 processes, group 0); IMB Multi-PingPong (2 processes, group 1); "
          "IMB Multi-Bcast (2 processes, group 0); IMB Multi-Bcast (2 processes, group 1)");
    CHECK(suites[0].suite.operation.meaning == Meaning::round_trip);
    CHECK(suites[0].suite.ranks == 2);
    REQUIRE(suites[0].measurements.size() == 3);
    CHECK(suites[0].measurements[1].argument == 8);
    CHECK(suites[0].measurements[1].value_s == close_to(1.2e-6));
    CHECK(suites[0].measurements[1].summary.count == 900);
    CHECK_FALSE(has_value(suites[0].measurements[2]));
    CHECK(suites[1].measurements[0].value_s == close_to(1.5e-6));
    CHECK(suites[1].measurements[2].value_s == close_to(2e-6));
    CHECK(suites[3].measurements[0].value_s == close_to(1.3e-6));
    // With the summary of all groups (-multi 0) the tables are as ever.
    const auto together =
        read(imb, start + "#bytes #repetitions t_min[usec] t_max[usec] t_avg[usec] Mbytes/sec\n"
                          "     8         1000        0.50        0.75        0.60 10.67\n");
    REQUIRE(together.at(0).suites.size() == 1);
    CHECK(together[0].suites[0].suite.name == "IMB Multi-PingPong");
    CHECK(together[0].suites[0].measurements[0].value_s == close_to(1.5e-6));
}

TEST_CASE("a time printed as 0 is none, but shorter than the last digit") {
    const auto runs = read(osu, "# OSU MPI Latency Test v5.9\n# Size Latency (us)\n0 0.00\n1 0.30\n");
    const auto& suite = runs.at(0).suites.at(0);
    REQUIRE(suite.measurements.size() == 2);
    CHECK_FALSE(has_value(suite.measurements[0]));
    CHECK(suite.measurements[0].flags == static_cast<Flags>(Flag::unreliable));
    CHECK(suite.measurements[1].flags == 0);
    CHECK(suite.facts.at("printed as 0").find("2e-08 s") != std::string::npos);
    CHECK(runs[0].run.clock_resolution_s == close_to(2e-8));
}

TEST_CASE("ReproMPI's starts and ends of all processes are summarised by repetition") {
    const std::string heading = "#@nprocs=2\n#@clocksync=None\n"
                                "process test nrep count errorcode loc_tstart_sec loc_tend_sec";
    const auto runs = read(reprompi, heading + " gl_tstart_sec gl_tend_sec\n"
                                               "0 MPI_Bcast 0 8 0 10.000000 10.000002 5.000000 5.000002\n"
                                               "0 MPI_Bcast 1 8 0 11.000000 11.000003 6.000000 6.000003\n"
                                               "0 MPI_Bcast 2 8 0 12.000000 12.000009 7.000000 7.000009\n"
                                               "1 MPI_Bcast 0 8 0 20.000000 20.000004 5.000001 5.000005\n"
                                               "1 MPI_Bcast 1 8 0 21.000000 21.000004 6.000001 6.000005\n"
                                               "1 MPI_Bcast 2 8 1 22.000000 22.000004 7.000001 7.000005\n");
    REQUIRE(runs.size() == 1);
    REQUIRE(runs[0].suites.size() == 1);
    CHECK(runs[0].run.ranks == 2);
    const auto& suite = runs[0].suites[0];
    CHECK(suite.facts.contains("value"));
    const Measurement& m = suite.measurements.at(0);
    CHECK(m.summary.count == 2);
    CHECK(m.discarded == 1); // a process has an error code in the third
    CHECK(std::abs(m.value_s - 5e-6) < 1e-9);
    REQUIRE(m.node_times.size() == 2);
    CHECK(std::abs(m.node_times[0].value_s - 2.5e-6) < 1e-9);
    CHECK(std::abs(m.node_times[1].value_s - 4e-6) < 1e-9);
    CHECK(runs[0].run.clock_resolution_s == close_to(1e-6));

    const auto local =
        read(reprompi, "process test nrep msize_bytes loc_tstart_sec loc_tend_sec\n"
                       "0 MPI_Scan 0 64 10.000000 10.000002\n1 MPI_Scan 0 64 20.000000 20.000007\n"
                       "0 MPI_Scan 0 64 10.000000 10.000002\n1 MPI_Scan 0 64 20.000000 20.000008\n");
    REQUIRE(local.size() == 2); // counted from the beginning again
    CHECK(local[0].suites[0].suite.varied == Varied::message_length);
    CHECK(local[0].suites[0].facts.at("value") != suite.facts.at("value"));
    CHECK(std::abs(local[0].suites[0].measurements[0].value_s - 7e-6) < 1e-9);
    CHECK(std::abs(local[1].suites[0].measurements[0].value_s - 8e-6) < 1e-9);
}

TEST_CASE("ReproMPI's summaries and run times are read") {
    const auto runs =
        read(reprompi, "#@operation=MPI_BOR\n#@nprocs=4\n"
                       "   test   msize total_nrep valid_nrep   mean_sec median_sec    min_sec    max_sec\n"
                       "   MPI_Bcast   8  100  90  0.0000015000 0.0000014000 0.0000010000 0.0000090000\n"
                       "   MPI_Scan    8  100  90  0.0000025000 0.0000024000 0.0000020000 0.0000090000\n");
    REQUIRE(runs.size() == 1);
    CHECK(runs[0].run.ranks == 4);
    CHECK(runs[0].run.facts.at("operation") == "MPI_BOR");
    REQUIRE(runs[0].suites.size() == 2);
    CHECK(runs[0].suites[1].suite.reduction == "MPI_BOR"); // MPI_Scan
    const Measurement& m = runs[0].suites[0].measurements[0];
    CHECK(m.value_s == 1.5e-6);
    CHECK(m.summary.count == 90);
    CHECK(m.summary.median == 1.4e-6);
    CHECK(m.summary.maximum == 9e-6);
    CHECK(m.message_bytes == 8);
    CHECK(m.ranks == 4);

    const auto all =
        read(reprompi, "test nrep count errorcode runtime_sec\n"
                       "MPI_Bcast 0 8 0 0.000001\nMPI_Bcast 1 8 0 0.000003\nMPI_Bcast 2 8 1 0.9\n"
                       "MPI_Bcast 3 8 0 0.000002\n");
    const Measurement& summarised = all[0].suites[0].measurements[0];
    CHECK(summarised.summary.count == 3);
    CHECK(summarised.summary.median == close_to(2e-6));
    CHECK(all[0].suites[0].suite.varied == Varied::argument);
    CHECK(all[0].suites[0].suite.operation.argument_unit == "elements");
}

TEST_CASE(
    "results of SKaMPI 5 are read, one suite for each combination of what is varied beside the argument") {
    const auto runs = read(
        skampi5, "# SKaMPI Version 5.0 rev. 191\n"
                 "# begin result \"MPI_Bcast-nodes-length\"\n"
                 "nodes= 2 count= 1        1       6.6       0.1       54       3.1       6.6\n"
                 "nodes= 2 count= 2        8       7.5       0.2       20       3.2       7.5\n"
                 "nodes= 4 count= 1        1       9.0       0.1       30       3.1       6.6  8.0  9.0\n"
                 "# end result \"MPI_Bcast-nodes-length\"\n"
                 "# begin result \"MPI_Barrier-nodes\"\n"
                 "nodes= 2      0      2.5       0.1       54       3.1       2.5\n"
                 "# end result \"MPI_Barrier-nodes\"\n");
    REQUIRE(runs.size() == 1);
    CHECK(runs[0].run.tool_version == "5.0 rev. 191");
    const auto& suites = runs[0].suites;
    REQUIRE(suites.size() == 3);
    CHECK(suites[0].suite.name == "MPI_Bcast-nodes-length (nodes 2)");
    CHECK(suites[0].suite.operation.name == "MPI_Bcast");
    CHECK(suites[0].measurements[1].argument == 8);
    CHECK(suites[0].measurements[1].value_s == close_to(7.5e-6));
    CHECK(suites[0].measurements[1].standard_error_s == close_to(0.2e-6));
    CHECK(suites[0].measurements[1].summary.count == 20);
    CHECK(suites[0].measurements[1].ranks == 2);
    CHECK(suites[0].measurements[1].node_times.at(1).value_s == close_to(7.5e-6));
    CHECK(suites[1].measurements[0].node_times.size() == 4);
    CHECK(suites[2].suite.varied == Varied::nodes);
    CHECK(suites[2].measurements[0].ranks == 2);
    CHECK(suites[2].measurements[0].value_s == close_to(2.5e-6));
}

TEST_CASE("skampi.out is read: facts, both triples and node times") {
    const std::string text = "@MACHINE Cluster\n@MPILIB_NAME MPICH 1.2\n@HOSTNAME node1\n@ABSOLUTE no\n"
                             "#----\n/*@incol_MPI_Bcast-nodes.ski*/\n"
                             "# Pattern: collective varied over nodes.\n# x axis scale: Fixed_linear.\n"
                             "# Default values: 4 nodes, message length 256 bytes.\n"
                             "2 10.500000 0.200000 12 10.000000 0.100000 6 8.000000 10.000000\n"
                             "4 nan nan 0 nan nan 0\n"
                             "#eol\n/*@no*/\nskampi finished.\n";
    const auto runs = read(old_out, text);
    REQUIRE(runs.size() == 1);
    CHECK(runs[0].run.machine == "Cluster");
    CHECK(runs[0].run.mpi_library == "MPICH 1.2");
    CHECK(runs[0].run.facts.count("interrupted") == 0);
    const auto& suite = runs[0].suites.at(0);
    CHECK(suite.suite.operation.name == "MPI_Bcast");
    CHECK(suite.suite.varied == Varied::nodes);
    CHECK(suite.suite.arguments.scale == skalib::Scale::fixed_linear);
    CHECK(knows(suite.suite, "scale"));
    CHECK(knows(suite.suite, "absolute"));
    for (const char* const untold :
         {"synchronization", "reported_time", "max_relative_error", "buffers", "datatype"})
        CHECK_FALSE(knows(suite.suite, untold));
    REQUIRE(suite.measurements.size() == 2);
    const Measurement& m = suite.measurements[0];
    CHECK(m.ranks == 2);
    CHECK(m.message_bytes == 256);
    CHECK(m.value_s == close_to(10e-6));
    CHECK(m.standard_error_s == close_to(0.1e-6));
    CHECK(m.summary.mean_all == close_to(10.5e-6));
    CHECK(m.summary.count == 12);
    CHECK(m.summary.cut_count == 6);
    CHECK(m.node_times.at(1).value_s == close_to(10e-6));
    CHECK_FALSE(has_value(suite.measurements[1]));
    CHECK(read(old_out, text.substr(0, text.find("/*@no")))[0].run.facts.count("interrupted") == 1);
    const std::string interrupted =
        text.substr(0, text.find("skampi finished")) + "skampi interrupted, 1 of 2 suites done.\n";
    CHECK(read(old_out, interrupted)[0].run.facts.count("interrupted") == 1);
    std::string of_skampi4 = text;
    for (const char* const mark : {"/*@in", "/*@no", "skampi finished"})
        of_skampi4.insert(of_skampi4.find(mark), "#");
    CHECK(read(old_out, of_skampi4)[0].suites.at(0).measurements.size() == 2);
    CHECK(read(old_out, of_skampi4)[0].run.facts.count("interrupted") == 0);
}

TEST_CASE("a suite of SKaMPI 4 that does not say what is varied is none over message lengths") {
    const auto suite = [](const std::string& name) {
        return read(old_out,
                    "/*@" + name + ".ski*/\n2 1.0 0.01 10 1.0 0.01 8\n4 2.0 0.01 10 2.0 0.01 8\n#eol\n")[0]
            .suites.at(0);
    };
    const auto over_nodes = suite("incol_MPI_Alltoallv-nodes");
    CHECK(over_nodes.suite.varied == Varied::nodes);
    CHECK(over_nodes.suite.operation.name == "MPI_Alltoallv");
    CHECK(over_nodes.measurements[1].ranks == 4);
    CHECK(over_nodes.measurements[1].message_bytes == 0);
    CHECK(suite("incol_MPI_Bcast-length").suite.varied == Varied::message_length);
    const auto unknown = suite("incol_my_own");
    CHECK(unknown.suite.varied == Varied::argument);
    CHECK(unknown.measurements[0].message_bytes == 0);
    const auto synchronised = suite("insyncol_MPI_Bcast-nodes");
    CHECK(synchronised.suite.operation.pattern == Pattern::collective);
    CHECK(knows(synchronised.suite, "synchronization"));
    CHECK(synchronised.suite.synchronization == Synchronization::window);
    CHECK_FALSE(knows(over_nodes.suite, "synchronization"));
}

TEST_CASE("importers know of a suite what the text says, and no default") {
    const auto settings = [](const std::string& kind, const std::string& text) {
        return read(kind, text)[0].suites.at(0).suite;
    };
    const Suite bcast = settings(osu, "# OSU MPI Broadcast Latency Test v7.2\n# Datatype: MPI_CHAR.\n"
                                      "# Size       Avg Latency(us)\n1 0.30\n");
    CHECK(bcast.datatype == "MPI_CHAR");
    CHECK(knows(bcast, "datatype"));
    CHECK(knows(bcast, "reported_time"));
    CHECK(bcast.reported_time == ReportedTime::mean);
    const Suite latency = settings(osu, "# OSU MPI Latency Test v5.9\n# Size Latency (us)\n1 0.30\n");
    for (const Suite& suite : {bcast, latency})
        for (const char* const untold : {"buffers", "synchronization", "max_relative_error", "value_kind",
                                         "scale", "cut_quantile", "partner", "root", "in_place"}) {
            CAPTURE(untold);
            CHECK_FALSE(knows(suite, untold));
        }
    const Suite summary = settings(reprompi, "test nrep count total_nrep valid_nrep median_sec\n"
                                             "MPI_Bcast 0 8 10 10 2e-6\n");
    CHECK(summary.value == skalib::ValueKind::median);
    CHECK(knows(summary, "value_kind"));
    CHECK(summary.varied == Varied::argument);
    CHECK(summary.operation.argument_unit == "elements");
}

TEST_CASE("a file of several outputs holds their launches, each with the facts of its own header") {
    const auto old = [](const std::string& host, const std::string& end) {
        return "@HOSTNAME " + host + "\n" + (host == "a" ? "@USER me\n" : "") +
               "/*@inp2p_Send.ski*/\n1 1.0 0.01 10 1.0 0.01 8\n#eol\n" + end;
    };
    const std::string end = "/*@no*/\nskampi finished.\n";
    for (const auto& [first_end, second_end] : {std::pair(end, end), std::pair(std::string(), end)}) {
        const auto runs = read(old_out, old("a", first_end) + old("b", second_end));
        REQUIRE(runs.size() == 2);
        CHECK(runs[0].run.host == "a");
        CHECK(runs[0].run.user == "me");
        CHECK(runs[0].run.facts.count("interrupted") == (first_end.empty() ? 1 : 0));
        CHECK(runs[1].run.host == "b");
        CHECK(runs[1].run.user.empty());
        CHECK(runs[1].run.facts.count("interrupted") == 0);
    }
    // Of different suites, too.
    const auto five = [](const std::string& version, const std::string& suite) {
        return "# SKaMPI Version " + version + "\n# begin result \"" + suite +
               "\"\ncount= 1 1 6.6 0.1 54\n# end result \"" + suite + "\"\n";
    };
    const auto fives = read(skampi5, five("5.0", "a") + five("5.1", "b"));
    REQUIRE(fives.size() == 2);
    CHECK(fives[0].run.tool_version == "5.0");
    CHECK(fives[1].run.tool_version == "5.1");
    const auto of_imb = [](const std::string& machine, const std::string& benchmark) {
        return "#    Intel(R) MPI Benchmarks 2021.3, MPI-1 part  \n# Machine               : " + machine +
               "\n# Benchmarking " + benchmark + "\n# #processes = 2\n" +
               "#bytes #repetitions t[usec] Mbytes/sec\n8 1000 0.50 16.00\n";
    };
    const auto imbs = read(imb, of_imb("x86_64", "PingPong") + of_imb("riscv64", "PingPing"));
    REQUIRE(imbs.size() == 2);
    CHECK(imbs[0].run.facts.at("Machine") == "x86_64");
    CHECK(imbs[1].run.facts.at("Machine") == "riscv64");
}

TEST_CASE("ReproMPI's measurements that are not valid are counted, and a point of such alone has no value") {
    const auto summaries =
        read(reprompi, "test msize total_nrep valid_nrep mean_sec median_sec min_sec max_sec\n"
                       "MPI_Bcast 8 100 0 0 0 0 0\nMPI_Bcast 16 100 90 2e-6 2e-6 1e-6 3e-6\n");
    const auto& told = summaries[0].suites[0].measurements;
    REQUIRE(told.size() == 2);
    CHECK_FALSE(has_value(told[0]));
    CHECK(std::isnan(told[0].summary.median));
    CHECK(told[0].discarded == 100);
    CHECK(told[1].value_s == 2e-6);
    CHECK(told[1].discarded == 10);
    const auto all = read(reprompi, "test msize nrep errorcode runtime_sec\nMPI_Bcast 8 0 1 5e-6\n"
                                    "MPI_Bcast 16 0 0 2e-6\nMPI_Bcast 16 1 1 9e-6\n");
    const auto& measured = all[0].suites[0].measurements;
    REQUIRE(measured.size() == 2);
    CHECK_FALSE(has_value(measured[0]));
    CHECK(measured[0].discarded == 1);
    CHECK(measured[1].value_s == 2e-6);
    CHECK(measured[1].summary.count == 1);
    CHECK(measured[1].discarded == 1);
}

TEST_CASE("ReproMPI's outputs one after the other are launches: by header, by heading, by counting again") {
    const std::string heading = "test msize nrep runtime_sec\n";
    const auto rows = [](const std::string& time) {
        return "MPI_Bcast 8 0 " + time + "\nMPI_Bcast 8 1 " + time + "\n";
    };
    const auto told = read(reprompi, "#@nprocs=4\n#@key=a\n" + heading + rows("1e-6") + "#@nprocs=8\n" +
                                         heading + rows("4e-6"));
    REQUIRE(told.size() == 2);
    CHECK(told[0].run.ranks == 4);
    CHECK(told[0].run.facts.at("key") == "a");
    CHECK(told[0].suites[0].measurements[0].value_s == close_to(1e-6));
    CHECK(told[1].run.ranks == 8);
    CHECK(told[1].run.facts.count("key") == 0);
    CHECK(told[1].suites[0].measurements[0].value_s == close_to(4e-6));
    CHECK(told[1].suites[0].measurements[0].summary.count == 2);

    const auto headings = read(reprompi, heading + rows("1e-6") + heading + rows("4e-6"));
    REQUIRE(headings.size() == 2);
    CHECK(headings[1].suites[0].measurements[0].value_s == close_to(4e-6));

    const auto again = read(reprompi, "#@nprocs=4\n" + heading + rows("1e-6") + rows("4e-6"));
    REQUIRE(again.size() == 2);
    CHECK(again[1].run.ranks == 4);
    CHECK(again[1].suites[0].measurements[0].value_s == close_to(4e-6));
}

TEST_CASE("files of equal text are different launches, whatever leads to one file is the same") {
    const ScratchFolder folder;
    const std::string text = "# OSU MPI Latency Test v5.9\n# Size Latency (us)\n1 0.30\n";
    for (const char* name : {"one.txt", "two.txt"})
        std::ofstream(folder / name) << text;
    std::filesystem::create_symlink(folder / "one.txt", folder / "link.txt");
    std::filesystem::create_directory(folder / "below");
    const auto launch = [](const std::string& path) {
        const Database database = Database::open(path);
        return database.run(database.runs().at(0)).uuid;
    };
    const std::string one = launch(folder / "one.txt");
    CHECK(launch(folder / "two.txt") != one);
    CHECK(launch(folder / "link.txt") == one);
    CHECK(launch(folder / "below/../one.txt") == one);
    CHECK(launch(std::filesystem::relative(folder / "one.txt").string()) == one);
}

TEST_CASE("the digits printed tell how finely the times of a run are known: its clock's resolution") {
    struct Step {
        const std::string& kind;
        std::string text;
        double step_s;
    };
    const std::string of_imb = "# Intel(R) MPI Benchmarks 2021.3\n# Benchmarking ";
    const std::vector<Step> steps{
        // Doubled where the value is.
        {osu, "# OSU MPI Latency Test v5.9\n# Size Latency (us)\n1 0.30\n2 0.3125\n", 0.02e-6},
        {osu, "# OSU MPI Allreduce Latency Test v5.9\n# Size Avg Latency(us)\n8 1.5\n", 0.1e-6},
        {osu,
         "# OSU MPI Non-Blocking Reduce Latency Test v5.9\n"
         "# Size Overall(us) Compute(us) Pure Comm.(us) Overlap(%)\n8 4.00 2.5 1.7 14\n",
         0.01e-6},
        // Of a rate as large a share of the time as its last digit is of the rate; the row known least
        // finely.
        {osu, "# OSU MPI Bandwidth Test v7.1\n# Size Bandwidth (MB/s)\n1 0.50\n1000 500.00\n",
         2e-6 * 0.01 / 0.5},
        {imb, of_imb + "PingPong\n#bytes #repetitions t[usec] Mbytes/sec\n8 1000 0.50 16.00\n", 0.02e-6},
        {imb,
         of_imb + "Bcast\n#bytes #repetitions t_min[usec] t_max[usec] t_avg[usec]\n8 1000 0.5 0.75 0.6\n",
         0.01e-6},
        {imb, of_imb + "Uniband\n#bytes #repetitions Mbytes/sec Msg/sec\n1 1000 0.50 500000\n",
         2e-6 / 500000},
        {reprompi, "test msize nrep errorcode runtime_sec\nMPI_Bcast 8 0 0 1.25e-6\nMPI_Bcast 8 1 0 1.5e-6\n",
         1e-7},
        {reprompi,
         "test msize total_nrep valid_nrep mean_sec median_sec min_sec max_sec\n"
         "MPI_Bcast 8 10 10 0.0000015 0.000001 0.000001 0.000009\n",
         1e-7},
        {skampi5, "# begin result \"a\"\ncount= 1 1 6.6 0.1 54\n# end result \"a\"\n", 1e-7},
        {old_out, "/*@inp2p_a.ski*/\n1 1.0 0.01 10 1.025 0.01 8\n2 nan nan 0 nan nan 0\n", 1e-9},
    };
    for (const Step& step : steps) {
        CAPTURE(step.text);
        CHECK(read(step.kind, step.text).at(0).run.clock_resolution_s == close_to(step.step_s));
    }
}

TEST_CASE("an imported file is opened as if it were a database") {
    const ScratchFolder folder;
    std::ofstream(folder / "osu.txt") << "# OSU MPI Latency Test v5.9\n# Size Latency (us)\n1 0.30\n2 0.31\n";
    const Database database = Database::open(folder / "osu.txt");
    REQUIRE(database.runs().size() == 1);
    const StoredSuite suite = database.suites(database.runs()[0]).at(0);
    CHECK(suite.state == SuiteState::finished);
    CHECK(suite.facts.contains("converted"));
    CHECK(database.measurements(suite.id).size() == 2);
    database.check_integrity();
    std::ofstream(folder / "poem.txt") << "Shall I compare thee\n";
    CHECK_THROWS_AS((void)Database::open(folder / "poem.txt"), StoreError);
}

TEST_CASE("what is said of texts that are refused, and of numbers that are stored otherwise") {
    Golden golden("import");
    const std::string of_imb = "# Intel(R) MPI Benchmarks 2021.3\n# Benchmarking ";
    const std::string of_groups = "# ( 2 groups of 2 processes each running simultaneous )\n";
    const std::string of_processes = "process test nrep msize loc_tstart_sec loc_tend_sec";
    const std::vector<std::pair<std::string, std::string>> texts{
        {osu, "# OSU MPI Latency Test v5.9\n# Size Latency (us)\n0 0.00\n1 0.30\n"},
        {osu, "# OSU MPI Bandwidth Test v7.1\n# Size Bandwidth (MB/s)\n1 0.50\n"},
        {imb, of_imb + "Bcast\n#bytes #repetitions t_min[usec] t_max[usec] t_avg[usec]\n8 10 0.5 0.7 0.6\n"},
        {imb, of_imb + "Multi-PingPong\n" + of_groups +
                  "Group #bytes #repetitions t[usec] Mbytes/sec\n0 8 10 0.5 1\n"},
        {reprompi, of_processes + "\n0 MPI_Scan 0 64 10.0 10.2\n"},
        {reprompi, of_processes + " gl_tstart_sec gl_tend_sec\n0 MPI_Scan 0 64 10.0 10.2 5.0 5.2\n"},
        {reprompi, "test count nrep runtime_sec\nMPI_Scan 8 0 0.5\n"},
        {old_out, "/*@inp2p_a.ski*/\n1 1.0 0.01 10 1.025 0.01 8\n"},
    };
    for (const auto& [kind, text] : texts)
        for (const ImportedRun& run : read(kind, text)) {
            std::string facts;
            for (const auto& [name, value] : run.run.facts)
                facts += name + ": " + value + "\n";
            for (const auto& [name, value] : run.suites.at(0).facts)
                facts += run.suites[0].suite.name + ", " + name + ": " + value + "\n";
            golden.add(kind + ": " + printable(text), facts);
        }
    for (const auto& [kind, text] : refused_texts())
        golden.add(kind + ": " + printable(text), words_of_refusal(kind, text));
    golden.check();
}

TEST_CASE("a title that names a kind of buffer, or the buffers themselves, make another operation") {
    struct Row {
        const char* title;
        const char* notes;
        const char* suite;
        const char* operation;
    };
    const char* const to_device = "# Send Buffer on HOST (H) and Receive Buffer on DEVICE (D)\n";
    const char* const on_hosts = "# Send Buffer on HOST (H) and Receive Buffer on HOST (H)\n";
    for (const Row& row :
         {Row{"MPI-CUDA Latency", to_device, "OSU latency (to DEVICE)", "MPI_Send-MPI_Recv (to DEVICE)"},
          {"MPI-CUDA Latency", on_hosts, "OSU latency", "MPI_Send-MPI_Recv"},
          {"MPI-CUDA MANAGED Broadcast Latency", "", "OSU broadcast (CUDA MANAGED)",
           "MPI_Bcast (CUDA MANAGED)"},
          {"MPI-ROCM Broadcast Latency", "", "OSU broadcast (ROCM)", "MPI_Bcast (ROCM)"},
          {"MPI_Put-OPENACC Latency", "", "OSU MPI_Put (OPENACC)", "MPI_Put (OPENACC)"},
          {"MPI_Get_accumulate latency", "", "OSU MPI_Get_accumulate", "MPI_Get_accumulate"}}) {
        CAPTURE(row.title);
        const auto suite = read(osu, std::string("# OSU ") + row.title + " Test v5.7\n" + row.notes +
                                         "# Size Latency (us)\n8 2.50\n")[0]
                               .suites.at(0);
        CHECK(suite.suite.name == row.suite);
        CHECK(suite.suite.operation.name == row.operation);
    }
}

TEST_CASE("what stands between the rows of a table is passed over, counted and told once") {
    const std::string start = "# OSU MPI Latency Test v5.8\n# Size          Latency (us)\n0 1.50\n";
    const auto runs =
        read(osu, start + "[node7:1] UCX  ERROR  failed: 2 of 3\nflags=0x0\n# a warning in (us)\n"
                          "8 2.25\nreal 11.29\nDone\n");
    CHECK(runs[0].suites.at(0).measurements.size() == 2);
    CHECK(runs[0].suites[0].measurements[1].value_s == close_to(4.5e-6));
    CHECK(passed_over(runs[0]).starts_with("2 "));
    CHECK(passed_over(runs[0]).ends_with(" 4"));
    // What others print behind the last row is none of the table's.
    CHECK(passed_over(read(osu, start + "real 11.29\nDone\n")[0]).empty());
    CHECK(passed_over(read(osu, start + "8 2.25\n65536\n")[0]).ends_with("65536\""));
    const auto barrier = read(osu, "# OSU MPI Barrier Latency Test v5.6\n# Avg Latency(us)\n  4.25\nDone\n");
    CHECK(barrier[0].suites.at(0).measurements.size() == 1);
}

TEST_CASE("a title of any kind ends a table, and a program that is not read is told") {
    const std::string start = "# OSU MPI Latency Test v5.6\n# Size Latency (us)\n1 0.25\n";
    const std::string rows = "# Size Latency (us)\n1 0.05\n";
    for (const char* const title :
         {"# OSU OpenSHMEM Put Test v5.6", "# OSU NCCL-CUDA Allreduce Latency Test v7.1",
          "# OMB-Py MPI Allgather Latency Test v6", "# Benchmarking PingPong"}) {
        CAPTURE(title);
        const auto runs = read(osu, start + title + "\n" + rows);
        REQUIRE(runs.size() == 1);
        REQUIRE(runs[0].suites.size() == 1);
        CHECK(runs[0].suites[0].measurements.at(0).value_s == close_to(0.5e-6));
        CHECK(passed_over(runs[0]).ends_with(std::string(title) + "\""));
    }
    CHECK(passed_over(read(osu, start + "# OSU MPI Init Test v7.5\nnprocs: 4, min: 2 ms\n")[0]) ==
          "line 4: no table that can be read follows: \"# OSU MPI Init Test v7.5\"");
}

TEST_CASE("an unknown test is read under its own name, an unknown column is passed over") {
    const auto runs = read(osu, "# OSU MPI Telepathy Latency Test v9.1\n"
                                "# Size       Zeal      Avg Latency(us)     Transmit Size\n1  x  4.50  1\n");
    const Suite& suite = runs[0].suites.at(0).suite;
    CHECK(suite.operation.name == "OSU telepathy");
    CHECK(suite.operation.pattern == Pattern::simple);
    CHECK(suite.operation.meaning == Meaning::unknown);
    CHECK(runs[0].suites[0].measurements.at(0).value_s == close_to(4.5e-6));
    CHECK(passed_over(runs[0]).ends_with("zeal\""));
    const std::string start = "#    Intel(R) MPI Benchmarks 2021.3, MT part\n# Benchmarking ";
    const std::string table = "#bytes #repetitions t_min[usec] t_max[usec] t_avg[usec]\n4 10 1.0 3.0 2.0\n";
    const auto of_imb = read(imb, start + "PingPongMT\n# #processes = 2 (threads: 4)\n" + table +
                                      "# Benchmarking Reduce_local\n# #processes = 2\n" + table);
    CHECK(suite_names(of_imb[0]) ==
          "IMB PingPongMT (2 processes, threads 4); IMB Reduce_local (2 processes)");
    CHECK(of_imb[0].suites[0].suite.operation.meaning == Meaning::unknown);
    CHECK(of_imb[0].suites[0].measurements.at(0).value_s == close_to(3e-6));
}

TEST_CASE("what the text states of a measurement is in the names of the suites, so that nothing is pooled") {
    const std::string rates = "# Size MB/s Messages/s\n1024 2000.00 1953125.00\n";
    const std::string title = "# OSU MPI Multiple Bandwidth / Message Rate Test v5.7\n# [ pairs: ";
    const auto pairs =
        read(osu, title + "1 ] [ window size: 64 ]\n" + rates + title + "48 ] [ window size: 8 ]\n" + rates);
    REQUIRE(pairs.size() == 1);
    CHECK(pairs[0].suites.at(0).suite.name.ends_with(" / message rate (pairs 1)"));
    CHECK(pairs[0].suites.at(1).suite.name.ends_with(" rate (pairs 48, window 8)"));
    CHECK(pairs[0].suites[0].suite.family == pairs[0].suites[1].suite.family);
    const std::string head = "# Size Avg Latency(us)\n";
    const auto types = read(osu, "# OSU MPI Allreduce Latency Test v7.4\n# Datatype: MPI_CHAR.\n" + head +
                                     "1 0.75\n# Datatype: MPI_INT.\n" + head + "4 0.85\n");
    CHECK(types.at(0).suites.at(0).suite.name == "OSU allreduce");
    CHECK(types.at(0).suites.at(1).suite.name.ends_with(" allreduce (MPI_INT)"));
    CHECK(suite_names(read(osu, "# OSU MPI Allreduce Latency Test v7.4\n" + head +
                                    "1 0.75\n# Datatype: MPI_INT.\n4 0.85\n")[0]) ==
          "OSU allreduce; OSU allreduce (MPI_INT)");
    CHECK(types[0].suites[1].suite.datatype == "MPI_INT");
    CHECK(types[0].suites[1].measurements.at(0).value_s == close_to(0.85e-6));
    const auto threads =
        read(osu, "# OSU MPI Multi-threaded Latency Test v5.6\n# Number of Sender threads: 1 \n"
                  "# Number of Receiver threads: 2\n# Size Latency (us)\n0 3.5\n");
    CHECK(threads[0].suites.at(0).suite.name.ends_with(" threads 1, receiver threads 2)"));
    const auto window = read(osu, "# OSU MPI_Put Latency Test v5.7\n# Window creation: MPI_Win_create\n"
                                  "# Synchronization: MPI_Win_fence\n# Size Latency (us)\n0 3.5\n");
    CHECK(window[0].suites.at(0).suite.name.ends_with(" MPI_Win_fence)"));
    const auto repro =
        read(reprompi, "#@operation=MPI_SUM\n#@datatype=MPI_DOUBLE\n#@root_proc=3\n#@nprocs=4\n"
                       "#@procsync=window\ntest msize nrep runtime_sec\nMPI_Reduce 8 0 2e-6\n"
                       "MPI_Scan 8 0 3e-6\n");
    CHECK(repro.at(0).suites.at(0).suite.name.ends_with(" 3, started by window)"));
    CHECK(repro.at(0).suites.at(1).suite.name.ends_with(" started by window)"));
    CHECK(repro[0].suites[0].suite.root == 3);
    CHECK(repro[0].suites[0].suite.reduction == "MPI_SUM");
    CHECK(repro[0].suites[0].suite.synchronization == Synchronization::window);
    CHECK_FALSE(knows(repro[0].suites[1].suite, "root"));
}

TEST_CASE("tables of one IMB benchmark on several numbers of processes are suites of their own") {
    const std::string head = "#bytes #repetitions t_min[usec] t_max[usec] t_avg[usec]\n";
    const std::string title = "# Benchmarking Accumulate \n# #processes = ";
    const auto runs = read(
        imb,
        "#    Intel(R) MPI Benchmarks 2018, MPI-2 part (GPU)\n# MPI_Datatype for reductions    :   MPI_DOUBLE\n" +
            title + "2 \n#    MODE: AGGREGATE \n" + head + "4 10 1 2.25 2\n" + title +
            "4; rank order (rowwise): \n#     0    2\n#    MODE: AGGREGATE \n" + head + "4 10 1 4.25 2\n");
    CHECK(runs.at(0).suites.at(0).suite.name.ends_with(" (MPI_DOUBLE, AGGREGATE)"));
    CHECK(runs.at(0).suites.at(1).suite.name.ends_with(" by rowwise, AGGREGATE)"));
    CHECK(runs[0].suites[0].measurements[0].value_s == close_to(2.25e-6));
    CHECK(runs[0].suites[1].measurements[0].value_s == close_to(4.25e-6));
    CHECK(runs[0].suites[1].measurements[0].ranks == 4);
}

TEST_CASE("of IMB's Mbytes the messages say whether they are 2^20 bytes") {
    const auto time_s = [](const std::string& rates) {
        return read(
                   imb,
                   "#    Intel (R) MPI Benchmarks 4.1, MPI-1 part\n# Benchmarking Uniband\n# #processes = 2\n"
                   "#bytes #repetitions Mbytes/sec Msg/sec\n1048576 10 " +
                       rates + "\n")[0]
            .suites.at(0)
            .measurements.at(0)
            .value_s;
    };
    CHECK(time_s("2000.00 2000") == close_to(1 / 2000.0));
    CHECK(time_s("2097.15 2000") == close_to(1048576 / 2097.15e6));
}

TEST_CASE("prefixes that launchers put before lines, colours, blanks and byte order marks are taken off") {
    const auto time_s = [](const std::string& text) {
        const auto runs = read(osu, text);
        return runs.at(0).suites.at(0).measurements.at(1).value_s;
    };
    const auto with = [](const std::vector<std::string>& prefixes, const std::string& end = "\n") {
        return prefixes[0] + "# OSU MPI Latency Test v5.6.3" + end + prefixes[1] + "# Size Latency (us)" +
               end + prefixes[2] + "0   0.20" + end + prefixes[3] + "1   0.25" + end;
    };
    const auto same = [](const std::string& prefix) { return std::vector<std::string>(4, prefix); };
    for (const char* const prefix : {"0: ", "[1,0]<stdout>:", "node001: ", "    ", "\t", "[0] ", "srun | "})
        CHECK(time_s(with(same(prefix))) == close_to(0.5e-6));
    CHECK(time_s(with({"Oct  9 15:59:58 2018[1,0]<stdout>:", "Oct  9 15:59:59 2018[1,0]<stdout>:",
                       "Oct 10 16:00:00 2018[1,0]<stdout>:", "Nov 10 16:00:01 2018[1,0]<stdout>:"})) ==
          close_to(0.5e-6));
    CHECK(time_s(with({"2024-05-01T12:00:00.123Z ", "2024-05-01T12:00:00.456Z ", "2024-05-01T12:00:01.789Z ",
                       "2024-05-02T00:00:01.000Z "})) == close_to(0.5e-6));
    CHECK(time_s(with({"[1725088413.9] ", "[1725088413.9] ", "[1725088414.1] ", "[1725088414.2] "})) ==
          close_to(0.5e-6));
    CHECK(time_s("\xEF\xBB\xBF" + with(same(""), "\r\n")) == close_to(0.5e-6));
    CHECK(time_s(with(same("\x1b[32m0: \x1b[0m"))) == close_to(0.5e-6));
    // Another rank's lines, and a launcher's own, are no rows.
    const auto runs = read(osu, with({"0: ", "0: ", "0: ", "1: "}) + "0: 2   0.30\n");
    CHECK(runs[0].suites.at(0).measurements.size() == 2);
    CHECK(passed_over(runs[0]).starts_with("1 "));
    CHECK(passed_over(runs[0]).ends_with(" 4"));
}

TEST_CASE(
    "SKaMPI 5 prints bytes in each row, dashes for ranks without a time, and no end when it was killed") {
    const auto runs =
        read(skampi5, "# SKaMPI Version 5.0 rev. 345\n# begin result \"MPI_Send-MPI_Recv-length\"\n"
                      "count= 2        8       1.25       0.5       16       1.0       1.25    ---\n"
                      "# end result \"MPI_Send-MPI_Recv-length\"\n# begin result \"one\"\n"
                      "       4       2.5       0.1       7       2.5\n");
    REQUIRE(runs.size() == 1);
    const auto& suites = runs[0].suites;
    REQUIRE(suites.size() == 2);
    CHECK(suites[0].measurements.at(0).argument == 8);
    CHECK(suites[0].measurements[0].value_s == close_to(1.25e-6));
    CHECK(suites[0].measurements[0].node_times.size() == 2);
    CHECK(suites[1].suite.varied == Varied::none);
    CHECK(suites[1].measurements.at(0).value_s == close_to(2.5e-6));
    CHECK(suites[1].measurements[0].summary.count == 7);
    CHECK(suites[1].measurements[0].message_bytes == 4);
    CHECK(runs[0].run.facts.at("interrupted") == "result \"one\" has no end");
}

TEST_CASE("of ReproMPI's summaries the standard deviation tells the error of the mean") {
    const auto runs =
        read(reprompi, "test msize_bytes total_nrep valid_nrep mean_sec median_sec var_sec stddev_sec\n"
                       "MPI_Bcast 8 100 100 2e-6 1.9e-6 9e-14 3e-7\n");
    CHECK(runs.at(0).suites.at(0).measurements.at(0).value_s == close_to(2e-6));
    CHECK(runs[0].suites[0].measurements[0].standard_error_s == close_to(3e-8));
}

TEST_CASE("NetPIPE's text and the table of nccl-tests are read") {
    const auto pipe =
        read(netpipe, "Send and receive buffers are 16384 bytes\nNow starting the main loop\n"
                      "  0:       1 bytes  95421 times -->      7.83 Mbps in       0.75 usec\n"
                      "  1:       2 bytes 102691 times -->     15.49 Mbps in       1.25 usec\n");
    const auto& measured = pipe.at(0).suites.at(0).measurements;
    REQUIRE(measured.size() == 2);
    CHECK(measured[1].argument == 2);
    CHECK(measured[1].value_s == close_to(2.5e-6));
    CHECK(measured[1].summary.count == 102691);
    const auto gpus = read(
        nccl,
        "# Collective test starting: all_reduce_perf\n# nThread 1 nGpus 8 minBytes 8 maxBytes 16 step: 2\n#\n"
        "#       size         count      type   redop    root     time   algbw   busbw #wrong     time   algbw   busbw #wrong\n"
        "#        (B)    (elements)                               (us)  (GB/s)  (GB/s)            (us)  (GB/s)  (GB/s)\n"
        "           8             2     float     sum      -1    34.25    0.00    0.00      0    33.75    0.00    0.00      0\n"
        "          16             4     float     sum      -1    35.25    0.00    0.00      1    33.75    0.00    0.00    N/A\n"
        "# Out of bounds values : 0 OK\n");
    CHECK(gpus.at(0).suites.at(0).suite.name.ends_with(" redop sum, root -1)"));
    const auto& times = gpus[0].suites[0].measurements;
    REQUIRE(times.size() == 2);
    CHECK(times[0].value_s == close_to(34.25e-6));
    CHECK(has(times[1].flags, Flag::wrong_result));
}

TEST_CASE("a postprocessed skampi.out is a merged run of so many launches") {
    const auto runs = read(old_out, "@POSTPROC 3 times\n/*@inp2p_MPI_Send-MPI_Recv.ski*/\n"
                                    "# Pattern: ping-pong varied over message length.\n"
                                    "8 2.500000 0.125000 30 2.500000 0.062500 20\n#eol\n/*@no*/\n");
    REQUIRE(runs.size() == 1);
    CHECK(runs[0].run.kind == "merged");
    CHECK(runs[0].run.merged_runs == 3);
    CHECK(runs[0].suites.at(0).measurements.at(0).value_s == close_to(2.5e-6));
    CHECK(runs[0].suites[0].measurements[0].standard_error_s == close_to(0.0625e-6));
    REQUIRE(runs[0].suites[0].merged.size() == 1);
    CHECK(runs[0].suites[0].merged[0].runs == 3);
    CHECK(runs[0].suites[0].merged[0].between_runs_error_s == close_to(0.125e-6));
}
