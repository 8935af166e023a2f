// SPDX-License-Identifier: LGPL-2.1-or-later
#include "base/error.hpp"
#include "tuning/mpich_tree.hpp"
#include "tuning/rule_ranges.hpp"
#include "tuning/units.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <fmt/format.h>
#include <limits>
#include <nlohmann/json.hpp>

namespace skampi {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::int64_t largest_number = std::numeric_limits<int>::max(); ///< that atoi reads
constexpr std::size_t page_bytes = 4096;                                 ///< larger pages are multiples of it

/// What a call must be for an algorithm. A tree that chooses it for others makes them fail.
enum Condition : unsigned {
    always = 0,
    power_of_two = 1,
    commutative = 2,
    built_in_and_element_each = 4,
    not_in_place = 8,
    hierarchical = 16, ///< also ends the recursion of algorithms that call the operation on each node
    regular = 32,
    never = 64, ///< no test of the tree separates the calls that it serves
};

struct Leaf {
    std::string_view operation; ///< FiledOperation::word
    std::string_view word;
    unsigned conditions = always;
};

// Algorithms without parameters: src/mpi/coll/coll_algorithms.txt of 4.0 to 5.0. `nb` serves all calls.
constexpr auto leaves = std::to_array<Leaf>({
    {"allgather", "brucks"},
    {"allgather", "recursive_doubling", power_of_two},
    {"allgather", "ring"},
    {"allgatherv", "brucks"},
    {"allgatherv", "recursive_doubling", power_of_two},
    {"allgatherv", "ring"},
    {"allreduce", "recursive_doubling"},
    {"allreduce", "reduce_scatter_allgather", built_in_and_element_each},
    {"allreduce", "smp", commutative | hierarchical},
    {"alltoall", "brucks", not_in_place},
    {"alltoall", "pairwise", not_in_place},
    {"alltoall", "pairwise_sendrecv_replace", never},
    {"alltoall", "scattered", not_in_place},
    {"alltoallv", "pairwise_sendrecv_replace", never},
    {"alltoallv", "scattered", not_in_place},
    {"alltoallw", "pairwise_sendrecv_replace", never},
    {"alltoallw", "scattered", not_in_place},
    {"barrier", "dissemination"},
    {"barrier", "smp", hierarchical},
    {"bcast", "binomial"},
    {"bcast", "scatter_recursive_doubling_allgather", power_of_two},
    {"bcast", "scatter_ring_allgather"},
    {"bcast", "smp", hierarchical},
    {"exscan", "recursive_doubling"},
    {"gather", "binomial"},
    {"gatherv", "linear"},
    {"reduce", "binomial"},
    {"reduce", "reduce_scatter_gather", built_in_and_element_each},
    {"reduce", "smp", commutative | hierarchical},
    {"reduce_scatter", "noncommutative", regular | power_of_two},
    {"reduce_scatter", "pairwise", commutative},
    {"reduce_scatter", "recursive_doubling"},
    {"reduce_scatter", "recursive_halving", commutative},
    {"reduce_scatter_block", "noncommutative", power_of_two},
    {"reduce_scatter_block", "pairwise", commutative},
    {"reduce_scatter_block", "recursive_doubling"},
    {"reduce_scatter_block", "recursive_halving", commutative},
    {"scan", "recursive_doubling"},
    {"scan", "smp", never}, // whether an operator commutes cannot be asked for a scan
    {"scatter", "binomial"},
    {"scatterv", "linear"},
});

const Leaf* find_leaf(std::string_view operation, std::string_view word) {
    const auto found = std::ranges::find_if(
        leaves, [&](const Leaf& leaf) { return leaf.operation == operation && leaf.word == word; });
    return found == leaves.end() ? nullptr : &*found;
}

/// Whether a key asks about the communicator and not about the message: once for each communicator.
bool asks_of_communicator(std::string_view key) {
    return key.starts_with("comm_") || key.starts_with("is_node_consecutive") || key == "any" ||
           key.ends_with("=any");
}

/// A branch of the library as it stands below a question about the message, where comm_size<N means <=.
Json below_a_message(const Json& branch) {
    constexpr std::string_view below = "comm_size<";
    if (!branch.is_object())
        return branch;
    Json copy = Json::object();
    bool once = true;
    for (const auto& [written, value] : branch.items()) {
        std::string name = written;
        std::erase(name, ' ');
        once = once && asks_of_communicator(name);
        if (!once)
            copy[name] = value;
        else if (name.starts_with(below) && name[below.size()] != '=')
            copy[fmt::format("comm_size<={}", std::max(std::atoi(name.c_str() + below.size()), 1) - 1)] =
                below_a_message(value); // NOLINT(cert-err34-c): as MPICH reads it
        else
            copy[name] = below_a_message(value);
    }
    return copy;
}

/// The algorithm for the calls that it serves, the library's own branch for others.
Json guarded(const std::string& name, unsigned conditions, const Json& own) {
    const auto first_of = [](const std::string& key, Json value, const std::string& other_key,
                             const Json& other) {
        Json chain = Json::object();
        chain[key] = std::move(value);
        chain[other_key] = other;
        return chain;
    };
    Json tree = Json::object();
    tree["algorithm=" + name] = Json::object();
    if ((conditions & power_of_two) != 0)
        tree = first_of("comm_size=pow2", std::move(tree), "comm_size=any", own);
    if ((conditions & hierarchical) != 0)
        tree = first_of("comm_hierarchy=parent", std::move(tree), "comm_hierarchy=any", own);
    if ((conditions & regular) != 0)
        tree = first_of("is_block_regular=yes", std::move(tree), "is_block_regular=no", own);
    if ((conditions & commutative) != 0)
        tree = first_of("is_commutative=yes", std::move(tree), "is_commutative=no", own);
    if ((conditions & built_in_and_element_each) != 0) {
        tree = first_of("count<pow2", own, "count=any", tree);
        tree = first_of("is_op_built_in=yes", std::move(tree), "is_op_built_in=no", own);
    }
    if ((conditions & not_in_place) != 0)
        tree = first_of("is_sendbuf_inplace=yes", own, "is_sendbuf_inplace=no", tree);
    return tree;
}

/// The tests of lengths for some number of ranks.
Json lengths_tree(const std::vector<const TuningRule*>& rules, const FiledOperation& operation,
                  std::int64_t ranks, const Json& own) {
    const Json own_below = below_a_message(own);
    Json chain = Json::object();
    const auto up_to = [&](std::int64_t bytes, Json tree) {
        chain[fmt::format("{}<={}", operation.mpich_test, in_unit(operation.mpich, bytes, ranks))] =
            std::move(tree);
    };
    const std::string rest = fmt::format("{}=any", operation.mpich_test);
    std::int64_t covered = 0;
    for (const TuningRule* rule : rules) {
        const Leaf* const leaf = find_leaf(operation.word, rule->algorithm);
        const unsigned conditions = leaf ? leaf->conditions : always;
        Json tree = guarded(mpich_leaf(rule->operation, rule->algorithm), conditions, own_below);
        if (rule->bytes_low == 0 && rule->bytes_high == any_length)
            return tree;
        if (rule->bytes_low > covered)
            up_to(rule->bytes_low - 1, own_below);
        if (rule->bytes_high == any_length) {
            chain[rest] = std::move(tree);
            return chain;
        }
        up_to(rule->bytes_high, std::move(tree));
        covered = rule->bytes_high + 1;
    }
    chain[rest] = own_below;
    return chain;
}

bool holds_for_all_ranks(const RanksRange& range, const FiledOperation& operation) {
    return operation.mpich != LengthUnit::bytes_of_all ||
           std::ranges::all_of(range.rules, [](const TuningRule* rule) {
               return rule->bytes_low == 0 && rule->bytes_high == any_length;
           });
}

/// The tests of numbers of ranks: they come first, so that they are asked once for each communicator.
Json ranks_tree(const std::vector<const TuningRule*>& rules, const FiledOperation& operation,
                const Json& own) {
    Json chain = Json::object();
    std::int64_t covered = 0; // all numbers of ranks up to it
    const auto up_to = [&](std::int64_t ranks, Json tree) {
        chain[fmt::format("comm_size<={}", ranks)] = std::move(tree);
        covered = ranks;
    };
    for (const RanksRange& range : ranges_of_ranks(rules)) {
        if (range.low > covered + 1)
            up_to(range.low - 1, own);
        if (holds_for_all_ranks(range, operation))
            up_to(range.high, lengths_tree(range.rules, operation, range.high, own));
        else
            for (std::int64_t ranks = range.low; ranks <= range.high; ++ranks)
                up_to(ranks, lengths_tree(range.rules, operation, ranks, own));
    }
    chain["comm_size=any"] = own;
    return chain;
}

WhyNot why_no_branch(const TuningRule& rule, const Json& base) {
    if (rule.layer != "mpich")
        return WhyNot::other_layer;
    const FiledOperation* const operation = filed_operation(rule.operation);
    if (!operation || !base.contains(fmt::format("collective={}", operation->word)))
        return WhyNot::unknown_operation;
    if (mpich_leaf(rule.operation, rule.algorithm).empty())
        return WhyNot::unknown_algorithm;
    const Leaf* const leaf = find_leaf(operation->word, rule.algorithm);
    if (leaf && leaf->conditions == never)
        return WhyNot::restricted;
    if (operation->mpich == LengthUnit::none && (rule.bytes_low > 0 || rule.bytes_high != any_length))
        return WhyNot::no_length_rules;
    if (rule.ranks_high >= largest_number ||
        in_unit(operation->mpich == LengthUnit::none ? LengthUnit::bytes : operation->mpich, rule.bytes_low,
                rule.ranks_high) > largest_number)
        return WhyNot::length_too_large;
    return WhyNot::none;
}

/// Whether calls within a communicator come to comm_type=intra before anything else is asked.
bool asks_kind_first(const Json& branch) {
    for (const auto& [name, value] : branch.items())
        if (name == "comm_type=intra")
            return true;
        else if (name != "comm_type=inter")
            return false;
    return false;
}

/// Cuts a rule at the largest length that can be written. @return the part above, if there is one
std::optional<TuningRule> cut(TuningRule& rule) {
    const FiledOperation& operation = *filed_operation(rule.operation);
    if (rule.bytes_high == any_length || operation.mpich == LengthUnit::none)
        return std::nullopt;
    const std::int64_t most = operation.mpich == LengthUnit::bytes_of_all
                                  ? largest_number / std::max<std::int64_t>(rule.ranks_high, 1)
                                  : largest_number;
    if (rule.bytes_high <= most)
        return std::nullopt;
    TuningRule above = rule;
    above.bytes_low = most + 1;
    above.written = false;
    above.why_not = WhyNot::length_too_large;
    rule.bytes_high = most;
    return above;
}

} // namespace

std::string mpich_leaf(std::string_view operation, std::string_view word) {
    const FiledOperation* const filed = filed_operation(operation);
    if (!filed || (word != "nb" && !find_leaf(filed->word, word)))
        return {};
    const std::string_view kind = word == "nb" || word == "linear" ? "allcomm" : "intra";
    return fmt::format("MPIR_{}_{}_{}", operation.substr(std::string_view("MPI_").size()), kind, word);
}

std::string write_mpich_tree(const TuningTarget& target, std::vector<TuningRule>& rules) {
    if (target.base_text.empty())
        throw InputError("found no selection tree in the file of the MPICH library, expected one to put the "
                         "rules into; give it with --base FILE");
    (void)read_mpich_branches(target.base_text, "selection tree of the library", 1);
    Json tree = Json::parse(target.base_text);
    std::vector<TuningRule> all;
    for (TuningRule& rule : rules) {
        if (rule.why_not == WhyNot::none)
            rule.why_not = rule.algorithm.empty() ? WhyNot::default_is_best : why_no_branch(rule, tree);
        rule.written = rule.why_not == WhyNot::none;
        const std::optional<TuningRule> above = rule.written ? cut(rule) : std::nullopt;
        all.push_back(rule);
        if (above)
            all.push_back(*above);
    }
    rules = std::move(all);
    for (const FiledOperation& operation : filed_operations()) {
        const std::vector<const TuningRule*> written = written_rules(rules, operation.operation);
        if (written.empty())
            continue;
        Json& branch = tree[fmt::format("collective={}", operation.word)];
        if (asks_kind_first(branch)) {
            branch["comm_type=intra"] = ranks_tree(written, operation, Json(branch["comm_type=intra"]));
            continue;
        }
        const Json own = branch;
        Json kinds = Json::object();
        kinds["comm_type=intra"] = ranks_tree(written, operation, own);
        kinds["comm_type=inter"] = own;
        branch = std::move(kinds);
    }
    std::string text = tree.dump(1) + "\n";
    if (text.size() % page_bytes == 0)
        text += ' ';
    return text;
}

} // namespace skampi
