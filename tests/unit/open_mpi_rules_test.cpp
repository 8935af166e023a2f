// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/error.hpp"
#include "open_mpi_choice.hpp"
#include "tuning/open_mpi_rules.hpp"

#include <doctest/doctest.h>
#include <string>

using namespace skampi;

namespace {

const LibraryVersion version_4_1_4 = library_version("Open MPI v4.1.4, package: x");
const LibraryVersion version_5_0_7 = library_version("Open MPI v5.0.7");

OpenMpiRules rules_in(const std::string& text, const LibraryVersion& version = version_4_1_4) {
    return read_open_mpi_rules(text, version, "rules.conf");
}

/// What is thrown away whole. @return the line that the message names
int line_of_dropped(const std::string& text, const LibraryVersion& version = version_4_1_4) {
    try {
        (void)rules_in(text, version);
    } catch (const InputError& error) {
        const std::string what = error.what();
        REQUIRE(what.starts_with("rules.conf:"));
        return std::stoi(what.substr(std::string("rules.conf:").size()));
    }
    return 0;
}

int bcast(const OpenMpiRules& rules, std::int64_t ranks, std::int64_t bytes) {
    return open_mpi_choice(rules, "MPI_Bcast", ranks, bytes).algorithm;
}

TuningTarget open_mpi_target(const std::string& library = "Open MPI v4.1.4") {
    TuningTarget target;
    target.library = library;
    target.layer = "open mpi tuned";
    return target;
}

TuningRule open_mpi_rule(const std::string& operation, std::int64_t low, std::int64_t high, int number) {
    TuningRule rule;
    rule.operation = operation;
    rule.layer = "open mpi tuned";
    rule.ranks_low = rule.ranks_high = 16;
    rule.bytes_low = low;
    rule.bytes_high = high;
    rule.algorithm = "word";
    rule.number = number;
    return rule;
}

} // namespace

TEST_CASE("the last row before the first larger length is chosen, its border inclusive") {
    const OpenMpiRules rules = rules_in("1 7 1\n2 2\n0 0 0 0\n65536 3 0 64\n");
    CHECK(rules.doubts.empty());
    CHECK(bcast(rules, 2, 65535) == 0);
    CHECK(bcast(rules, 2, 65536) == 3);
    CHECK(open_mpi_choice(rules, "MPI_Bcast", 2, 65536).segment_bytes == 64);
    CHECK(bcast(rules, 1000, 65536) == 3); // the last block holds for all larger ones
    CHECK(open_mpi_choice(rules, "MPI_Reduce", 2, 65536).algorithm == 0);
}

TEST_CASE("numbers are those of fscanf: octal, hexadecimal, and digits of words") {
    CHECK(bcast(rules_in("1 7 1 2 2 0 0 0 0 010 3 0 0"), 2, 8) == 3);
    CHECK(bcast(rules_in("1 7 1 2 2 0 0 0 0 0x10 3 0 0"), 2, 15) == 0);
    CHECK(bcast(rules_in("1 7 1 2 2 0 0 0 0 0x10 3 0 0"), 2, 16) == 3);
    CHECK(bcast(rules_in("1 7 1 2 2 0 0 0 0 0200000 3 0 0"), 2, 65536) == 3);
    const OpenMpiRules wordy = rules_in("one 1, id7; sizes=1 (2 ranks) 2 x 0 0 0 0 64KiB 3 0 0");
    CHECK(bcast(wordy, 2, 63) == 0);
    CHECK(bcast(wordy, 2, 64) == 3);
    // A comment without its # is data: here the 3 of "on 3 nodes" counts collectives.
    CHECK(line_of_dropped("measured on 3 nodes\n1 7 1 2 1 0 3 0 0\n") > 0);
    CHECK(bcast(rules_in("# measured on 3 nodes\n1 7 1 2 1 0 3 0 0"), 2, 64) == 3);
    CHECK(bcast(rules_in("1 # 2 3 4\n7 1 2 1 0 3 0 0 # no line end"), 2, 64) == 3);
}

TEST_CASE("what makes Open MPI drop the whole file is refused with its line") {
    CHECK(line_of_dropped("") == 1);
    CHECK(line_of_dropped("# nothing\n") == 2);
    CHECK(line_of_dropped("23\n") == 1);                           // more collectives than there are
    CHECK(line_of_dropped("1\n22\n1 2 1 0 3 0 0") == 2);           // none of that number
    CHECK(line_of_dropped("1\n7\n1\n2\n1\n\n4096 3 0 64\n") == 7); // no row for 0; the row is read first
    CHECK(line_of_dropped("1 7 1 2\n3\n0 0 0 0\n8 3 0 0\n") == 5); // a row too few
    CHECK(line_of_dropped("1 7 1 2 1\n0 -3 0 0\n") == 2);
    CHECK(line_of_dropped("1 7 -1\n") == 1);
}

TEST_CASE("the header of version 2 is read from 5.0.7 on") {
    const std::string text = "rule-file-version-2\n1 3 1 2 2\n0 4 0 0 8\n4096 2 0 0\n";
    CHECK(line_of_dropped(text) == 1); // -2 collectives
    CHECK(line_of_dropped(text, library_version("Open MPI v5.0.6")) == 1);
    const OpenMpiRules rules = rules_in(text, version_5_0_7);
    CHECK(open_mpi_choice(rules, "MPI_Alltoall", 2, 2047).requests == 8);
    CHECK(open_mpi_choice(rules, "MPI_Alltoall", 2, 2048).algorithm == 2);
    CHECK(open_mpi_choice(rules, "MPI_Alltoall", 2, 2048).requests == 0);
    // Without the header a fifth number is the next row's first.
    CHECK(line_of_dropped("1 3 1 2 2\n0 4 0 0 8\n4096 2 0 0\n", version_5_0_7) == 0);
}

TEST_CASE("Scan and Exscan look at the type and the number of ranks alone") {
    const OpenMpiRules rules = rules_in("1 14 1 0 2\n0 0 0 0\n16 1 0 0\n");
    CHECK(open_mpi_choice(rules, "MPI_Scan", 2, 1 << 20, 4).algorithm == 0);
    CHECK(open_mpi_choice(rules, "MPI_Scan", 2, 8, 8).algorithm == 1);
    CHECK(open_mpi_choice(rules, "MPI_Scan", 4, 4, 4).algorithm == 1);
}

TEST_CASE("a communicator smaller than the first block gets the first block") {
    const OpenMpiRules rules = rules_in("1 7 2\n16 1\n0 3 0 64\n32 1\n0 6 0 0\n");
    CHECK(bcast(rules, 2, 0) == 3);
    CHECK(bcast(rules, 31, 0) == 3);
    CHECK(bcast(rules, 32, 0) == 6);
    CHECK(rules.doubts == std::vector<OpenMpiRules::Doubt>{{OpenMpiDoubt::holds_for_fewer_ranks, 2}});
}

TEST_CASE("what Open MPI reads without complaint is doubted") {
    using Doubts = std::vector<OpenMpiRules::Doubt>;
    CHECK(rules_in("1 7 1 2\n1\n0 3 0 0\n8 4 0 0\n").doubts ==
          Doubts{{OpenMpiDoubt::numbers_left_over, 4}}); // one row announced, two there
    CHECK(rules_in("1 7 1 2 3\n0 0 0 0\n4096 3 0 0\n512 4 0 0\n").doubts ==
          Doubts{{OpenMpiDoubt::lengths_not_ascending, 4}});
    CHECK(rules_in("1 7 2\n2 1 0 3 0 0\n2 1 0 4 0 0\n").doubts ==
          Doubts{{OpenMpiDoubt::ranks_not_ascending, 3}});
    CHECK(rules_in("2\n7 1 2 1 0 3 0 0\n7 1 2 1 0 4 0 0\n").doubts ==
          Doubts{{OpenMpiDoubt::repeated_collective, 3}});
    CHECK(rules_in("1\n10 1 2 1 0 1 0 0\n").doubts.front().what == OpenMpiDoubt::unknown_collective);
    CHECK(rules_in("1 15 1 2 2\n0 0 0 0\n4096 2 0 0\n").doubts ==
          Doubts{{OpenMpiDoubt::border_without_meaning, 3}});
    CHECK(rules_in("1 7 1 2 1\n0 77 0 0\n").doubts == Doubts{{OpenMpiDoubt::algorithm_out_of_range, 2}});
    // 4.1 has six algorithms for allgather, 5.0 seven.
    CHECK(rules_in("1 0 1 2 1 0 7 0 0").doubts.size() == 1);
    CHECK(rules_in("1 0 1 2 1 0 7 0 0", version_5_0_7).doubts.empty());
}

TEST_CASE("lengths are counted per operation") {
    const auto border = [](int id, const std::string& operation) {
        const OpenMpiRules rules = rules_in("1 " + std::to_string(id) + " 1 2 2 0 0 0 0 8192 1 0 0");
        for (std::int64_t bytes = 1; bytes <= 16384; ++bytes)
            if (open_mpi_choice(rules, operation, 4, bytes).algorithm == 1)
                return bytes;
        return std::int64_t{0}; // never
    };
    CHECK(border(0, "MPI_Allgather") == 2048);
    CHECK(border(1, "MPI_Allgatherv") == 8192); // the mean per rank
    CHECK(border(2, "MPI_Allreduce") == 8192);
    CHECK(border(3, "MPI_Alltoall") == 2048);
    CHECK(border(4, "MPI_Alltoallv") == 0);
    CHECK(border(6, "MPI_Barrier") == 0);
    CHECK(border(7, "MPI_Bcast") == 8192);
    CHECK(border(8, "MPI_Exscan") == 0);
    CHECK(border(11, "MPI_Reduce") == 8192);
    CHECK(border(12, "MPI_Reduce_scatter") == 2048);
    CHECK(border(13, "MPI_Reduce_scatter_block") == 2048);
    CHECK(border(14, "MPI_Scan") == 0);
}

TEST_CASE("borders are those of the rows for so many ranks, of operations for which one chooses") {
    using Borders = std::map<std::string, std::set<std::int64_t>>;
    // Alltoall is counted over all ranks; Reduce has rows and no choice.
    const OpenMpiRules rules = rules_in("3\n3 2\n2 3\n0 2 0 0\n200 0 0 0\n3001 3 0 0\n8 1\n0 2 0 0\n"
                                        "7 1\n2 2\n0 0 0 0\n4096 3 0 64\n11 1\n2 2\n0 0 0 0\n64 0 0 0\n");
    CHECK(open_mpi_borders(rules, 2) == Borders{{"MPI_Alltoall", {99, 1500}}, {"MPI_Bcast", {4095}}});
    CHECK(open_mpi_borders(rules, 8) == Borders{{"MPI_Alltoall", {}}, {"MPI_Bcast", {4095}}});
    CHECK(open_mpi_borders(rules_in("0\n"), 2).empty());
}

TEST_CASE("a written rule holds for its ranks and lengths alone") {
    std::vector<TuningRule> rules{open_mpi_rule("MPI_Bcast", 1024, 4095, 6)};
    const std::string text = write_open_mpi_rules(open_mpi_target(), rules);
    CHECK(rules.front().written);
    const OpenMpiRules read = rules_in(text);
    CHECK(read.doubts.empty());
    CHECK(bcast(read, 16, 1023) == 0);
    CHECK(bcast(read, 16, 1024) == 6);
    CHECK(bcast(read, 16, 4095) == 6);
    CHECK(bcast(read, 16, 4096) == 0);
    CHECK(bcast(read, 15, 2048) == 0);
    CHECK(bcast(read, 2, 2048) == 0);
    CHECK(bcast(read, 17, 2048) == 0);
    CHECK(bcast(read, 100'000, 2048) == 0);
}

TEST_CASE("what cannot be written safely is not, with its reason") {
    std::vector<TuningRule> rules{
        open_mpi_rule("MPI_Scatter", 1024, any_length, 2), open_mpi_rule("MPI_Gather", 0, 4095, 2),
        open_mpi_rule("MPI_Scan", 8, any_length, 1),       open_mpi_rule("MPI_Alltoallw", 0, any_length, 1),
        open_mpi_rule("MPI_Bcast", 0, any_length, 10),     open_mpi_rule("MPI_Reduce", 0, any_length, 1),
        open_mpi_rule("MPI_Ibcast", 0, any_length, 1),     open_mpi_rule("MPI_Scatter", 0, 1023, 0)};
    rules[5].layer = "open mpi han";
    rules[7].algorithm.clear();
    (void)write_open_mpi_rules(open_mpi_target(), rules);
    CHECK(rules[0].why_not == WhyNot::no_length_rules);
    CHECK(rules[1].why_not == WhyNot::no_length_rules);
    CHECK(rules[2].why_not == WhyNot::no_length_rules);
    CHECK(rules[3].why_not == WhyNot::unknown_operation);
    CHECK(rules[4].why_not == WhyNot::unknown_algorithm);
    CHECK(rules[5].why_not == WhyNot::other_layer);
    CHECK(rules[6].why_not == WhyNot::unknown_operation);
    CHECK(rules[7].why_not == WhyNot::default_is_best);
    CHECK(std::ranges::none_of(rules, &TuningRule::written));
}

TEST_CASE("one rule for all lengths of a scatter is written") {
    std::vector<TuningRule> rules{open_mpi_rule("MPI_Scatter", 0, any_length, 2)};
    const OpenMpiRules read = rules_in(write_open_mpi_rules(open_mpi_target(), rules));
    CHECK(rules.front().written);
    CHECK(read.doubts.empty());
    CHECK(open_mpi_choice(read, "MPI_Scatter", 16, 1 << 20).algorithm == 2);
}

TEST_CASE("a chosen chain has the fan of a chain that was measured") {
    std::vector<TuningRule> rules{open_mpi_rule("MPI_Bcast", 0, any_length, 2),
                                  open_mpi_rule("MPI_Allgather", 0, any_length, 2)};
    const OpenMpiRules read = rules_in(write_open_mpi_rules(open_mpi_target(), rules));
    CHECK(open_mpi_choice(read, "MPI_Bcast", 16, 1).fan == 4);
    CHECK(open_mpi_choice(read, "MPI_Allgather", 16, 1).fan == 0);
}

TEST_CASE("no text of a target becomes data") {
    TuningTarget hostile = open_mpi_target("Open MPI v4.1.4 x\n99 99 99");
    hostile.database = "a\n1 2 3 \r 7.db";
    hostile.path = "rules\n5.conf";
    std::vector<TuningRule> rules{open_mpi_rule("MPI_Bcast", 0, any_length, 6)};
    CHECK(bcast(rules_in(write_open_mpi_rules(hostile, rules)), 16, 1) == 6);
    std::vector<TuningRule> none;
    CHECK(rules_in(write_open_mpi_rules(hostile, none)).collectives.empty());
}
