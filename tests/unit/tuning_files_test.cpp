// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/error.hpp"
#include "invented_tree.hpp"
#include "mpich_walk.hpp"
#include "open_mpi_choice.hpp"
#include "tuning/head_comment.hpp"
#include "tuning/mpich_tree.hpp"
#include "tuning/one_choice.hpp"
#include "tuning/open_mpi_rules.hpp"
#include "tuning/rule_choice.hpp"
#include "tuning/units.hpp"

#include <algorithm>
#include <array>
#include <doctest/doctest.h>
#include <random>
#include <string>

using namespace skampi;

namespace {

constexpr int rule_sets = 1000;

TuningTarget target(const std::string& library, const std::string& layer) {
    TuningTarget target;
    target.library = library;
    target.layer = layer;
    target.base_text = layer == "mpich" ? invented_tree() : "";
    target.path = "/etc/tuning";
    return target;
}

std::int64_t drawn(std::mt19937_64& random, std::int64_t low, std::int64_t high) {
    return std::uniform_int_distribution<std::int64_t>(low, high)(random);
}

/// An algorithm that serves every call of at_borders().
std::string word_for_all(std::mt19937_64& random, std::string_view operation) {
    for (const char* word : {"ring", "dissemination", "binomial", "pairwise", "recursive_doubling"})
        if (drawn(random, 0, 1) == 1 && operation != "MPI_Alltoallw" &&
            mpich_leaf(operation, word) != "MPIR_Allgather_intra_recursive_doubling" &&
            mpich_leaf(operation, word) != "MPIR_Allgatherv_intra_recursive_doubling" &&
            !mpich_leaf(operation, word).empty())
            return word;
    return "nb";
}

/// Rules of an operation that do not overlap: up to three ranges of ranks with up to four ranges of lengths.
void add_rules(std::mt19937_64& random, const FiledOperation& operation, const std::string& layer,
               std::vector<TuningRule>& rules) {
    const LengthUnit unit = layer == "mpich" ? operation.mpich : operation.open_mpi;
    std::int64_t ranks = drawn(random, 2, 20);
    for (std::int64_t blocks = drawn(random, 1, 3); blocks > 0; --blocks) {
        TuningRule rule;
        rule.operation = operation.operation;
        rule.layer = layer;
        rule.ranks_low = ranks;
        rule.ranks_high = ranks + drawn(random, 0, 3);
        ranks = rule.ranks_high + drawn(random, 1, 5); // the next may touch it
        const bool has_borders = unit != LengthUnit::none;
        std::int64_t bytes = has_borders ? 8 * drawn(random, 0, 100) : 0;
        for (std::int64_t pieces = has_borders ? drawn(random, 1, 4) : 1; pieces > 0; --pieces) {
            rule.bytes_low = bytes;
            rule.bytes_high = bytes + 8 * (std::int64_t{1} << drawn(random, 0, 12)) - 1;
            if (!has_borders || (pieces == 1 && drawn(random, 0, 1) == 1))
                rule.bytes_high = any_length;
            rule.number = 1 + static_cast<int>(drawn(random, 0, 1));
            rule.algorithm = layer == "mpich" ? word_for_all(random, operation.operation) : "w";
            rules.push_back(rule);
            bytes = rule.bytes_high == any_length ? bytes : rule.bytes_high + 1 + 8 * drawn(random, 0, 50);
        }
    }
}

const TuningRule* rule_of(const std::vector<TuningRule>& rules, std::string_view operation,
                          std::int64_t ranks, std::int64_t bytes) {
    for (const TuningRule& rule : rules)
        if (rule.operation == operation && rule.ranks_low <= ranks && ranks <= rule.ranks_high &&
            rule.bytes_low <= bytes && bytes <= rule.bytes_high)
            return &rule;
    return nullptr;
}

/// Around each border of each rule, on both sides of its numbers of ranks, in elements of 1, 4 and 8 bytes.
template <typename Check>
void at_borders(const std::vector<TuningRule>& rules, Check check) {
    for (const TuningRule& rule : rules)
        for (const std::int64_t ranks :
             {rule.ranks_low - 1, rule.ranks_low, rule.ranks_high, rule.ranks_high + 1})
            for (const std::int64_t border :
                 {rule.bytes_low, rule.bytes_high == any_length ? rule.bytes_low : rule.bytes_high + 1})
                for (const std::int64_t type : {1, 4, 8})
                    for (const std::int64_t bytes : {border - type, border, border + type})
                        if (bytes >= 0)
                            check(rule.operation, ranks, bytes, type);
}

/// Counts, since a million assertions take longer than what they check.
struct Tally {
    std::int64_t asked = 0;
    std::int64_t wrong = 0;
    std::string first_wrong;
    void add(bool right, std::string_view operation, std::int64_t ranks, std::int64_t bytes) {
        ++asked;
        if (!right && wrong++ == 0)
            first_wrong = fmt::format("{} {} ranks {} bytes", operation, ranks, bytes);
    }
};

} // namespace

TEST_CASE("rules of Open MPI that are written are what is read, at each border") {
    std::mt19937_64 random(1);
    Tally tally;
    const LibraryVersion version = library_version("Open MPI v4.1.4");
    for (int set = 0; set < rule_sets; ++set) {
        std::vector<TuningRule> rules;
        for (const FiledOperation& operation : filed_operations())
            if (most_open_mpi_algorithm(operation, version) > 0 && drawn(random, 0, 2) == 0)
                add_rules(random, operation, "open mpi tuned", rules);
        const std::string text = write_open_mpi_rules(target("Open MPI v4.1.4", "open mpi tuned"), rules);
        const OpenMpiRules read = read_open_mpi_rules(text, version, "r");
        REQUIRE(std::ranges::all_of(rules, &TuningRule::written));
        REQUIRE(read.doubts.empty());
        at_borders(rules,
                   [&](const std::string& operation, std::int64_t ranks, std::int64_t bytes, std::int64_t) {
                       const TuningRule* const rule = rule_of(rules, operation, ranks, bytes);
                       const int chosen = open_mpi_choice(read, operation, ranks, bytes).algorithm;
                       tally.add(chosen == (rule ? rule->number : 0), operation, ranks, bytes);
                   });
    }
    CHECK(tally.asked > 100'000);
    CHECK_MESSAGE(tally.wrong == 0, tally.first_wrong);
}

TEST_CASE("rules of MPICH that are written are what is read, at each border") {
    std::mt19937_64 random(2);
    Tally tally;
    using Tree = nlohmann::ordered_json;
    const Tree own = Tree::parse(invented_tree());
    for (int set = 0; set < rule_sets / 5; ++set) {
        std::vector<TuningRule> rules;
        for (const FiledOperation& operation : filed_operations())
            if (drawn(random, 0, 7) == 0)
                add_rules(random, operation, "mpich", rules);
        const Tree read = Tree::parse(write_mpich_tree(target("MPICH Version: 4.0.2", "mpich"), rules));
        REQUIRE(std::ranges::all_of(rules, &TuningRule::written));
        at_borders(rules, [&](const std::string& operation, std::int64_t ranks, std::int64_t bytes,
                              std::int64_t type) {
            const MpichCall call{.operation = operation, .ranks = ranks, .bytes = bytes, .type_bytes = type};
            const TuningRule* const rule = rule_of(rules, operation, ranks, bytes);
            const std::string expected =
                rule ? mpich_leaf(operation, rule->algorithm) : mpich_choice(own, call).value_or("abort");
            tally.add(mpich_choice(read, call) == expected, operation, ranks, bytes);
        });
    }
    CHECK(tally.asked > 20'000);
    CHECK_MESSAGE(tally.wrong == 0, tally.first_wrong);
}

TEST_CASE("one choice is written only where all that is known of an operation agrees") {
    TuningRule rule;
    rule.operation = "MPI_Bcast";
    rule.layer = "mpich";
    rule.algorithm = "binomial";
    rule.bytes_high = any_length;
    TuningRule lower = rule;
    lower.operation = "MPI_Reduce";
    lower.bytes_high = 1023;
    TuningRule upper = lower;
    upper.bytes_low = 1024;
    upper.bytes_high = any_length;
    upper.algorithm.clear();
    upper.why_not = WhyNot::default_is_best;
    std::vector<TuningRule> rules{rule, lower, upper};
    const std::string text =
        write_choices(TuningFormat::environment, target("MPICH Version: 4.0.2", "mpich"), rules);
    CHECK(rules[0].written);
    CHECK(rules[1].why_not == WhyNot::one_choice_only);
    CHECK(rules[2].why_not == WhyNot::default_is_best);
    using Variables = std::map<std::string, std::string>;
    CHECK(read_choices(TuningFormat::environment, text, "t.env") ==
          Variables{{"MPIR_CVAR_BCAST_INTRA_ALGORITHM", "binomial"}});
}

TEST_CASE("an algorithm of an unknown layer has no variable, and stays out") {
    TuningRule rule; // as a result CSV has it
    rule.operation = "MPI_Bcast";
    rule.algorithm = "binomial";
    rule.bytes_high = any_length;
    std::vector<TuningRule> rules{rule};
    const std::string text =
        write_choices(TuningFormat::environment, target("MPICH Version: 4.0.2", ""), rules);
    CHECK(rules[0].why_not == WhyNot::other_layer);
    CHECK(read_choices(TuningFormat::environment, text, "t.env").empty());
}

TEST_CASE("Open MPI is told a choice by number, with dynamic rules") {
    TuningRule rule;
    rule.operation = "MPI_Reduce_scatter_block";
    rule.layer = "open mpi tuned";
    rule.algorithm = "recursive_doubling";
    rule.number = 2;
    rule.bytes_high = any_length;
    std::vector<TuningRule> rules{rule};
    const auto variables = read_choices(
        TuningFormat::environment,
        write_choices(TuningFormat::environment, target("Open MPI v4.1.4", "open mpi tuned"), rules),
        "t.env");
    CHECK(variables.at("OMPI_MCA_coll_tuned_use_dynamic_rules") == "1");
    CHECK(variables.at("OMPI_MCA_coll_tuned_reduce_scatter_block_algorithm") == "2");
    CHECK(operation_of_variable("OMPI_MCA_coll_tuned_reduce_scatter_block_algorithm") ==
          "MPI_Reduce_scatter_block");
    CHECK(operation_of_variable("OMPI_MCA_coll_tuned_use_dynamic_rules").empty());
}

TEST_CASE("options of smpirun are read back, other lines are refused with their number") {
    TuningRule rule;
    rule.operation = "MPI_Allreduce";
    rule.layer = "simgrid";
    rule.algorithm = "lr";
    rule.bytes_high = any_length;
    std::vector<TuningRule> rules{rule};
    const std::string text =
        write_choices(TuningFormat::smpi_cfg, target("SMPI Version 3.32.", "simgrid"), rules);
    CHECK(read_choices(TuningFormat::smpi_cfg, text, "s").at("smpi/allreduce") == "lr");
    const auto mistake = [](auto read) {
        try {
            read();
        } catch (const InputError& error) {
            return std::string(error.what()).substr(0, 4);
        }
        return std::string();
    };
    CHECK(mistake([] { (void)read_choices(TuningFormat::smpi_cfg, "# x\n--cfg=smpi/bcast:a b", "s"); }) ==
          "s:2:");
    CHECK(mistake([] { (void)read_choices(TuningFormat::smpi_cfg, "--cfg=smpi/nothing:a", "s"); }) == "s:1:");
    CHECK(mistake([] { (void)read_choices(TuningFormat::environment, "A=1\n\nB=$(rm -r x)", "s"); }) ==
          "s:3:");
    CHECK(mistake([] { (void)read_choices(TuningFormat::environment, "1A=1", "s"); }) == "s:1:");
    // A shell keeps the carriage return of a line end of other systems, and so would the library.
    CHECK(mistake([] { (void)read_choices(TuningFormat::environment, "A=1\nB=ring\r\n", "s"); }) == "s:2:");
    CHECK(mistake([] { (void)read_choices(TuningFormat::smpi_cfg, "--cfg=smpi/bcast:a\r\n", "s"); }) ==
          "s:1:");
}

TEST_CASE("a file's format is known by its text") {
    CHECK(format_of_text("# x\n\n 1 # collectives") == TuningFormat::open_mpi_rules);
    CHECK(format_of_text("rule-file-version-2\n1") == TuningFormat::open_mpi_rules);
    CHECK(format_of_text(invented_tree()) == TuningFormat::mpich_tree);
    CHECK(format_of_text("{\"rule_file_version\":3}") == std::nullopt);
    CHECK(format_of_text("#c\nexport MPIR_CVAR_BCAST_INTRA_ALGORITHM=nb") == TuningFormat::environment);
    CHECK(format_of_text("OMPI_MCA_coll_tuned_bcast_algorithm=3") == TuningFormat::environment);
    CHECK(format_of_text("--cfg=smpi/bcast:x") == TuningFormat::smpi_cfg);
    CHECK(format_of_text("@MEASUREMENTS") == std::nullopt);
    CHECK(format_of_text("") == std::nullopt);
}

TEST_CASE("no file is written for a library that does not read it") {
    const auto written_for = [&](TuningFormat format, const std::string& library) {
        try {
            (void)make_tuning(format, target(library, "mpich"), {});
        } catch (const InputError&) {
            return false;
        }
        return true;
    };
    CHECK(written_for(TuningFormat::mpich_tree, "MPICH Version: 4.0.2"));
    CHECK(written_for(TuningFormat::mpich_tree, "MPICH Version: 4.3.1"));
    CHECK(written_for(TuningFormat::mpich_tree, "MPICH Version: 5.0.1"));
    CHECK_FALSE(written_for(TuningFormat::mpich_tree, "MPICH Version: 6.0.0"));
    CHECK_FALSE(written_for(TuningFormat::mpich_tree, "Open MPI v4.1.4"));
    CHECK_FALSE(written_for(TuningFormat::mpich_tree, "MVAPICH2 Version : 2.3.7"));
    CHECK(written_for(TuningFormat::open_mpi_rules, "Open MPI v5.0.3, package: x"));
    CHECK_FALSE(written_for(TuningFormat::open_mpi_rules, "Open MPI v3.1.0"));
    CHECK_FALSE(written_for(TuningFormat::open_mpi_rules, "Open MPI v6.0.0"));
    CHECK_FALSE(written_for(TuningFormat::environment, "SMPI Version 3.32."));
    CHECK(written_for(TuningFormat::smpi_cfg, "SMPI Version 3.32."));
}

TEST_CASE("a file says how many launches were disturbed, and is used by its whole path") {
    TuningTarget about = target("MPICH Version: 4.0.2", "mpich");
    CHECK(head_comment(about, {}, "# ").find("disturbed") == std::string::npos);
    about.launches = 11;
    about.disturbed = 9;
    about.path = "tuning.json";
    const std::string text = head_comment(about, {}, "# ");
    CHECK(text.find("# not sure: other work on the cores disturbed 9 of 11 launches\n") != std::string::npos);
    CHECK(text.find("_JSON_FILE='/") != std::string::npos);
}
