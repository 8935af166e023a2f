#include "base/error.hpp"
#include "invented_tree.hpp"
#include "tuning/mpich_tree.hpp"

#include <doctest/doctest.h>
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

MpichTree written_tree(std::vector<TuningRule> rules) {
    return {write_mpich_tree(mpich_target(), rules), "tuning.json"};
}

std::string leaf_for(const MpichTree& tree, std::string_view operation, std::int64_t ranks,
                     std::int64_t bytes) {
    return tree.choice({.operation = operation, .ranks = ranks, .bytes = bytes}).value_or("abort");
}

int line_of_mistake(const std::string& text) {
    try {
        (void)MpichTree(text, "tuning.json");
    } catch (const InputError& error) {
        const std::string what = error.what();
        REQUIRE(what.starts_with("tuning.json:"));
        return std::stoi(what.substr(std::string("tuning.json:").size()));
    }
    return 0;
}

std::vector<MpichDoubt> doubts_of(const std::string& text) {
    std::vector<MpichDoubt> doubts;
    const MpichTree tree(text, "tuning.json");
    for (const MpichTree::Doubt& doubt : tree.doubts())
        doubts.push_back(doubt.what);
    return doubts;
}

} // namespace

TEST_CASE("a tree is asked in its order, borders inclusive") {
    const MpichTree tree(R"({"collective = bcast":{"comm_type=intra":{"comm_size<8":{"avg_msg_size <= 1e2x":{
        "algorithm=A":{}},"avg_msg_size<200":{"algorithm=B":{}},"avg_msg_size=any":{"algorithm=C":{}}},
        "comm_size=any":{"avg_msg_size<=9":{"comm_size<8":{"algorithm=D":{}},"comm_size=any":{"algorithm=E":{}}},
        "any":{"algorithm=F":{}}}}}})",
                         "t");
    CHECK(leaf_for(tree, "MPI_Bcast", 7, 1) == "A"); // atoi reads 1 of 1e2x
    CHECK(leaf_for(tree, "MPI_Bcast", 7, 2) == "B");
    CHECK(leaf_for(tree, "MPI_Bcast", 7, 199) == "B");
    CHECK(leaf_for(tree, "MPI_Bcast", 7, 200) == "C");
    CHECK(leaf_for(tree, "MPI_Bcast", 8, 9) == "D"); // behind a question about the message, < is <=
    CHECK(leaf_for(tree, "MPI_Bcast", 9, 9) == "E");
    CHECK(leaf_for(tree, "MPI_Bcast", 8, 10) == "F");
    CHECK(leaf_for(tree, "MPI_Reduce", 9, 1) == "abort");
}

TEST_CASE("what ends MPI_Init is refused with its line") {
    CHECK(line_of_mistake("") == 1);
    CHECK(line_of_mistake("{}") == 1);
    CHECK(line_of_mistake("{\"collective=bcast\":\n{\"algorithm=A\":{}}") == 2);
    CHECK(line_of_mistake("{\"collective=bcast\":\n{\"skampi_canary\":{\"algorithm=A\":{}}}}") == 2);
    CHECK(line_of_mistake("{\"collective=bcast\":{\n\"avg_msg_size<=4\":{\"algorithm=A\":{}}}}") >
          0); // no any
    CHECK(line_of_mistake("{\"collective=bcast\":{\"avg_msg_size=any\":{\"algorithm=A\":{}},\n"
                          "\"avg_msg_size<=4\":{\"algorithm=A\":{}}}}") == 2); // any first
    CHECK(line_of_mistake("{\"collective=bcast\":{}}") == 1);
    CHECK(line_of_mistake("{\"comm_type=intra\":{\"algorithm=A\":{}}}") == 1);
    CHECK(line_of_mistake("{\"collective=bcast\":{\"algorithm=A\":4}}") == 1);
    CHECK(line_of_mistake("{\"collective=bcast\":{\"algorithm=A\":" + std::string(400, '7') + "}}") == 1);
}

TEST_CASE("a tree is as deep as MPICH reads, however deep a file is") {
    const auto tree_of_depth = [](int depth) {
        std::string text = "{\"collective=bcast\":\n";
        for (int i = 3; i < depth; ++i)
            text += "{\"comm_size=any\":";
        text += "{\"algorithm=\\\"{\":{}";
        return text + std::string(static_cast<std::size_t>(depth - 1), '}');
    };
    CHECK(line_of_mistake(tree_of_depth(32)) == 0);
    CHECK(line_of_mistake(tree_of_depth(33)) == 2);
    CHECK(line_of_mistake(tree_of_depth(1'000'000)) == 2);
    CHECK(line_of_mistake(std::string(1'000'000, '[')) == 1);
}

TEST_CASE("what only a call meets is doubted") {
    using Doubts = std::vector<MpichDoubt>;
    CHECK(doubts_of(invented_tree()).empty());
    CHECK(doubts_of(R"({"collective=reduce":{"is_commutative=yes":{"algorithm=A":{}}}})") ==
          Doubts{MpichDoubt::open_boolean});
    CHECK(
        doubts_of(
            R"({"collective=ibcast":{"is_commutative=yes":{"algorithm=A":{}},"is_commutative=no":{"algorithm=A":{}}}})") ==
        Doubts(2, MpichDoubt::test_without_meaning));
    CHECK(doubts_of(R"({"collective=bcast":{"composition=A":{}}})") == Doubts{MpichDoubt::composition});
    CHECK(
        doubts_of(
            R"({"collective=scan":{"avg_msg_size<=4":{"algorithm=A":{}},"avg_msg_size=any":{"algorithm=A":{}}}})") ==
        Doubts{MpichDoubt::length_without_meaning});
    CHECK(
        doubts_of(
            R"({"collective=bcast":{"avg_msg_size<=2147483648":{"algorithm=A":{}},"avg_msg_size=any":{"algorithm=A":{}}}})") ==
        Doubts{MpichDoubt::number_too_large});
    std::string text = R"({"collective=bcast":{"algorithm=A":{}}})";
    text.resize(4096, ' ');
    CHECK(doubts_of(text) == Doubts{MpichDoubt::whole_pages});
    const MpichTree all(invented_tree(), "t");
    CHECK(MpichTree(R"({"collective=bcast":{"algorithm=A":{}}})", "t").lacks(all).size() == 16);
    CHECK(all.lacks(all).empty());
}

TEST_CASE("lengths are counted per operation, and those of gather in elements") {
    const auto border = [](const std::string& collective, const std::string& operation, std::int64_t type) {
        const std::string test = collective == "allreduce" || collective == "bcast" ||
                                         collective == "reduce" || collective == "alltoall"
                                     ? "avg_msg_size"
                                     : "total_msg_size";
        const MpichTree tree(fmt::format(R"({{"collective={0}":{{"{1}<=8192":{{"algorithm=A":{{}}}},)"
                                         R"("{1}=any":{{"algorithm=B":{{}}}}}}}})",
                                         collective, test),
                             "t");
        std::int64_t last = 0;
        for (std::int64_t bytes = 8; bytes <= 65536; bytes += 8)
            if (tree.choice({.operation = operation, .ranks = 4, .bytes = bytes, .type_bytes = type}) == "A")
                last = bytes;
        return last;
    };
    CHECK(border("allgather", "MPI_Allgather", 8) == 2048);
    CHECK(border("allgatherv", "MPI_Allgatherv", 1) == 2048);
    CHECK(border("allreduce", "MPI_Allreduce", 8) == 8192);
    CHECK(border("alltoall", "MPI_Alltoall", 8) == 8192);
    CHECK(border("bcast", "MPI_Bcast", 4) == 8192);
    CHECK(border("reduce", "MPI_Reduce", 4) == 8192);
    CHECK(border("reduce_scatter", "MPI_Reduce_scatter", 4) == 2048);
    CHECK(border("reduce_scatter_block", "MPI_Reduce_scatter_block", 8) == 2048);
    CHECK(border("gather", "MPI_Gather", 1) == 2048);
    CHECK(border("gather", "MPI_Gather", 8) == 16384);
    CHECK(border("scan", "MPI_Scan", 8) == 0); // aborts
}

TEST_CASE("only the intra branch of the measured ranks and lengths changes") {
    const MpichTree own(invented_tree(), "own");
    const MpichTree tree = written_tree({mpich_rule("MPI_Bcast", 1024, 4096, "binomial")});
    CHECK(tree.doubts().empty());
    for (const std::int64_t ranks : {1, 2, 4, 5, 6, 7, 8, 9, 100})
        for (const std::int64_t bytes : {0, 1, 1023, 1024, 1025, 4096, 4097, 100'000}) {
            const bool is_ruled = ranks == 8 && bytes >= 1024 && bytes <= 4096;
            CHECK(leaf_for(tree, "MPI_Bcast", ranks, bytes) ==
                  (is_ruled ? "MPIR_Bcast_intra_binomial" : leaf_for(own, "MPI_Bcast", ranks, bytes)));
        }
    CHECK(tree.choice({.operation = "MPI_Bcast", .ranks = 8, .bytes = 2048, .intra = false}) == "INTER");
    CHECK(tree.lacks(own).empty());
}

TEST_CASE("calls that an algorithm does not serve keep the library's own choice") {
    const auto ask = [](const MpichTree& tree, MpichCall call) {
        call.ranks = 8;
        call.bytes = std::max<std::int64_t>(call.bytes, 64);
        return tree.choice(call).value_or("abort");
    };
    const MpichTree tree = written_tree(
        {mpich_rule("MPI_Alltoall", 0, any_length, "pairwise"),
         mpich_rule("MPI_Allreduce", 0, any_length, "reduce_scatter_allgather"),
         mpich_rule("MPI_Reduce", 0, any_length, "smp"),
         mpich_rule("MPI_Reduce_scatter", 0, any_length, "noncommutative"),
         mpich_rule("MPI_Barrier", 0, any_length, "smp"), mpich_rule("MPI_Gatherv", 0, any_length, "nb")});
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
    const MpichTree tree(text, "t");
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
    const MpichTree tree(write_mpich_tree(mpich_target(), rules), "t");
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
    CHECK(mpich_word("MPI_Bcast", "MPIR_Bcast_allcomm_nb") == "nb");
    CHECK(mpich_word("MPI_Reduce_scatter", "MPIR_Reduce_scatter_block_intra_pairwise").empty());
}
