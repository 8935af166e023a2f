// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/error.hpp"
#include "contains.hpp"
#include "invented_tree.hpp"
#include "mpich_walk.hpp"
#include "tuning/mpich_tree.hpp"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>
#include <string>

using namespace skampi;

namespace {

TuningTarget mpich_target() {
    TuningTarget target;
    target.library = "MPICH Version: 4.0.2";
    target.layer = "mpich";
    target.base_text = invented_tree();
    return target;
}

TuningRule mpich_rule(const std::string& operation, std::int64_t low, std::int64_t high,
                      const std::string& word) {
    TuningRule rule;
    rule.operation = operation;
    rule.layer = "mpich";
    rule.ranks_low = rule.ranks_high = 8;
    rule.bytes_low = low;
    rule.bytes_high = high;
    rule.algorithm = word;
    return rule;
}

using Tree = nlohmann::ordered_json;

Tree written_tree(std::vector<TuningRule> rules) {
    return Tree::parse(write_mpich_tree(mpich_target(), rules));
}

std::string leaf_for(const Tree& tree, std::string_view operation, std::int64_t ranks, std::int64_t bytes) {
    return mpich_choice(tree, {.operation = operation, .ranks = ranks, .bytes = bytes}).value_or("abort");
}

/// @return what the message says; empty = the text is read
std::string mistake(const std::string& text) {
    try {
        (void)read_mpich_branches(text, "tuning.json", 2);
    } catch (const InputError& error) {
        return error.what();
    }
    return {};
}

} // namespace

TEST_CASE("a tree is read for its collectives, and for the lengths that their tests name") {
    const std::string bcast = R"("collective=bcast":{"comm_size<8":{"avg_msg_size <= 4096":{"algorithm=A":{}},
        "avg_msg_size<200":{"algorithm=B":{}},"avg_msg_size=any":{"algorithm=C":{}}},"comm_size=any":{}})";
    const MpichBranches read = read_mpich_branches(
        "{" + bcast + R"(,"collective=allgather":{"total_msg_size<=1000":{},"total_msg_size=any":{}}})", "t",
        4);
    REQUIRE(read.size() == 2);
    CHECK(read.at("bcast").borders == std::set<std::int64_t>{199, 4096});
    CHECK(read.at("allgather").borders == std::set<std::int64_t>{250}); // of each of 4 ranks
    // Blanks are no content; another algorithm is.
    const auto content = [](const std::string& text) {
        return read_mpich_branches(text, "t", 4).at("bcast").content;
    };
    CHECK(content("{ " + bcast + "\n}") == read.at("bcast").content);
    std::string other = bcast;
    other.replace(other.find("algorithm=B"), 11, "algorithm=D");
    CHECK(content("{" + other + "}") != read.at("bcast").content);
}

TEST_CASE("what is no tree is refused, with the line of what is no JSON") {
    CHECK(mistake("").starts_with("tuning.json:1: "));
    CHECK(mistake("{\"collective=bcast\":\n{\"algorithm=A\":{}}").starts_with("tuning.json:2: "));
    for (const char* const text : {"{}", "4", "[]", R"({"comm_type=intra":{"algorithm=A":{}}})",
                                   R"({"collective=bcast":{"algorithm=A":4}})"})
        CHECK(mistake(text).starts_with("tuning.json: "));
}

TEST_CASE("a tree is as deep as MPICH reads, and neither depth nor size takes long") {
    const auto tree_of_depth = [](int depth) {
        std::string text = "{\"collective=bcast\":\n";
        for (int i = 3; i < depth; ++i)
            text += "{\"comm_size=any\":";
        text += "{\"algorithm=\\\"{\":{}";
        return text + std::string(static_cast<std::size_t>(depth - 1), '}');
    };
    CHECK(mistake(tree_of_depth(32)).empty());
    CHECK(contains(mistake(tree_of_depth(33)), "more than 32 objects"));
    CHECK(contains(mistake(tree_of_depth(1'000'000)), "more than 32 objects"));
    CHECK(contains(mistake(std::string(1'000'000, '[')), "no object"));
    std::string wide = "{\"collective=a\":{}";
    for (int i = 0; i < 200'000; ++i)
        wide += fmt::format(",\"collective=a{}\":{{}}", i);
    CHECK(mistake(wide + "}").empty());
}

TEST_CASE("only the intra branch of the measured ranks and lengths changes") {
    const Tree own = Tree::parse(invented_tree());
    const Tree tree = written_tree({mpich_rule("MPI_Bcast", 1024, 4096, "binomial")});
    for (const std::int64_t ranks : {1, 2, 4, 5, 6, 7, 8, 9, 100})
        for (const std::int64_t bytes : {0, 1, 1023, 1024, 1025, 4096, 4097, 100'000}) {
            const bool is_ruled = ranks == 8 && bytes >= 1024 && bytes <= 4096;
            CHECK(leaf_for(tree, "MPI_Bcast", ranks, bytes) ==
                  (is_ruled ? "MPIR_Bcast_intra_binomial" : leaf_for(own, "MPI_Bcast", ranks, bytes)));
        }
    CHECK(mpich_choice(tree, {.operation = "MPI_Bcast", .ranks = 8, .bytes = 2048, .intra = false}) ==
          "INTER");
    CHECK(tree.size() == own.size());
}

TEST_CASE("calls that an algorithm does not serve keep the library's own choice") {
    const auto ask = [](const Tree& tree, MpichCall call) {
        call.ranks = 8;
        call.bytes = std::max<std::int64_t>(call.bytes, 64);
        return mpich_choice(tree, call).value_or("abort");
    };
    const Tree tree = written_tree({mpich_rule("MPI_Alltoall", 0, any_length, "pairwise"),
                                    mpich_rule("MPI_Allreduce", 0, any_length, "reduce_scatter_allgather"),
                                    mpich_rule("MPI_Reduce", 0, any_length, "smp"),
                                    mpich_rule("MPI_Reduce_scatter", 0, any_length, "noncommutative"),
                                    mpich_rule("MPI_Barrier", 0, any_length, "smp"),
                                    mpich_rule("MPI_Gatherv", 0, any_length, "nb")});
    CHECK(ask(tree, {.operation = "MPI_Alltoall"}) == "MPIR_Alltoall_intra_pairwise");
    CHECK(ask(tree, {.operation = "MPI_Alltoall", .in_place = true}) == "IN_PLACE");
    const std::string allreduce = "MPIR_Allreduce_intra_reduce_scatter_allgather";
    CHECK(ask(tree, {.operation = "MPI_Allreduce", .type_bytes = 8}) == allreduce); // 8 elements, 8 ranks
    CHECK(ask(tree, {.operation = "MPI_Allreduce", .type_bytes = 16}) == "MANY");
    CHECK(ask(tree, {.operation = "MPI_Allreduce", .built_in = false}) == "MANY");
    CHECK(ask(tree, {.operation = "MPI_Reduce"}) == "MPIR_Reduce_intra_smp");
    CHECK(ask(tree, {.operation = "MPI_Reduce", .hierarchical = false}) == "MANY");
    CHECK(ask(tree, {.operation = "MPI_Reduce", .commutative = false}) == "MANY");
    CHECK(ask(tree, {.operation = "MPI_Reduce_scatter"}) == "MPIR_Reduce_scatter_intra_noncommutative");
    CHECK(ask(tree, {.operation = "MPI_Reduce_scatter", .regular = false}) == "MANY");
    CHECK(ask(tree, {.operation = "MPI_Barrier"}) == "MPIR_Barrier_intra_smp");
    CHECK(ask(tree, {.operation = "MPI_Barrier", .hierarchical = false}) == "OWN");
    CHECK(ask(tree, {.operation = "MPI_Gatherv"}) == "MPIR_Gatherv_allcomm_nb");
    CHECK(ask(tree, {.operation = "MPI_Gatherv", .intra = false}) == "OWN");
}

TEST_CASE("a rule comes before whatever a base asks") {
    TuningTarget target = mpich_target();
    target.base_text = R"({"collective=bcast":{"comm_size=pow2":{"algorithm=POW2":{}},
        "comm_type=intra":{"comm_size<-2147483648":{"algorithm=A":{}},"comm_size=any":{"algorithm=B":{}}},
        "comm_type=inter":{"algorithm=C":{}}}})";
    std::vector<TuningRule> rules{mpich_rule("MPI_Bcast", 100, 200, "binomial")};
    const std::string text = write_mpich_tree(target, rules);
    const Tree tree = Tree::parse(text);
    CHECK(leaf_for(tree, "MPI_Bcast", 8, 150) == "MPIR_Bcast_intra_binomial");
    CHECK(leaf_for(tree, "MPI_Bcast", 8, 201) == "POW2");
    CHECK(leaf_for(tree, "MPI_Bcast", 4, 150) == "POW2");
    CHECK(leaf_for(tree, "MPI_Bcast", 7, 150) == "B");
    CHECK(text.find("comm_size<=0") != std::string::npos); // never, as < of a negative number
}

TEST_CASE("what cannot be written into a tree safely is not, with its reason") {
    std::vector<TuningRule> rules{mpich_rule("MPI_Scatter", 1024, any_length, "nb"),
                                  mpich_rule("MPI_Gather", 0, 4095, "nb"),
                                  mpich_rule("MPI_Scan", 0, any_length, "smp"),
                                  mpich_rule("MPI_Alltoall", 0, any_length, "pairwise_sendrecv_replace"),
                                  mpich_rule("MPI_Bcast", 0, any_length, "tree"), // wants parameters
                                  mpich_rule("MPI_Ibcast", 0, any_length, "nb"),
                                  mpich_rule("MPI_Allgather", std::int64_t{1} << 30, any_length, "ring"),
                                  mpich_rule("MPI_Reduce", 0, any_length, "release_gather")};
    rules[7].layer = "mpich shared memory";
    (void)write_mpich_tree(mpich_target(), rules);
    CHECK(rules[0].why_not == WhyNot::no_length_rules);
    CHECK(rules[1].why_not == WhyNot::no_length_rules);
    CHECK(rules[2].why_not == WhyNot::restricted);
    CHECK(rules[3].why_not == WhyNot::restricted);
    CHECK(rules[4].why_not == WhyNot::unknown_algorithm);
    CHECK(rules[5].why_not == WhyNot::unknown_operation);
    CHECK(rules[6].why_not == WhyNot::length_too_large);
    CHECK(rules[7].why_not == WhyNot::other_layer);
    CHECK(std::ranges::none_of(rules, &TuningRule::written));
}

TEST_CASE("a rule beyond the largest number is cut there") {
    std::vector<TuningRule> rules{mpich_rule("MPI_Allgather", 0, std::int64_t{1} << 30, "ring")};
    const Tree tree = Tree::parse(write_mpich_tree(mpich_target(), rules));
    const std::int64_t most = 2147483647 / 8;
    REQUIRE(rules.size() == 2);
    CHECK(rules[0].bytes_high == most);
    CHECK(rules[0].written);
    CHECK(rules[1].bytes_low == most + 1);
    CHECK(rules[1].why_not == WhyNot::length_too_large);
    CHECK(leaf_for(tree, "MPI_Allgather", 8, most) == "MPIR_Allgather_intra_ring");
    CHECK(leaf_for(tree, "MPI_Allgather", 8, most + 1) == "MANY");
}

TEST_CASE("no file fills whole pages") {
    TuningTarget padded = mpich_target();
    std::vector<TuningRule> none;
    const std::size_t size = write_mpich_tree(padded, none).size();
    // A name makes up for what lacks to a page.
    const std::size_t lacking = 4096 - size % 4096;
    padded.base_text.replace(padded.base_text.find("INTER"), 5, std::string(5 + lacking, 'I'));
    CHECK(write_mpich_tree(padded, none).size() % 4096 == 1);
}

TEST_CASE("the tree of a library is found in its file") {
    const std::string device =
        R"({"collective=bcast":{"composition=X":{},"algorithm=MPIR_Bcast_intra_y":{}}})";
    const std::string own = R"({"collective=bcast":{"algorithm=MPIR_Bcast_intra_binomial":{}}})";
    const std::string zero(1, '\0');
    CHECK(find_mpich_tree("ELF" + zero + device + zero + own + zero + "more") == own);
    CHECK(!find_mpich_tree("ELF" + zero + device + zero));
    CHECK(!find_mpich_tree(own)); // cut off
    CHECK(!find_mpich_tree(""));
    TuningTarget without = mpich_target();
    without.base_text.clear();
    std::vector<TuningRule> none;
    CHECK_THROWS_AS((void)write_mpich_tree(without, none), InputError);
}

TEST_CASE("words and leaves belong together") {
    CHECK(mpich_leaf("MPI_Reduce_scatter_block", "pairwise") == "MPIR_Reduce_scatter_block_intra_pairwise");
    CHECK(mpich_leaf("MPI_Bcast", "nb") == "MPIR_Bcast_allcomm_nb");
    CHECK(mpich_leaf("MPI_Bcast", "auto").empty());
}
