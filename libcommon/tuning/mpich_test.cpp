#include "tuning/mpich_test.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdlib>

namespace skampi {

namespace {

struct WholeKey {
    std::string_view text;
    MpichTest test;
    bool yes;
};

// csel.c, parse_json_tree()
constexpr auto whole_keys = std::to_array<WholeKey>({
    {"is_multi_threaded=yes", MpichTest::multi_threaded, true},
    {"is_multi_threaded=no", MpichTest::multi_threaded, false},
    {"comm_type=intra", MpichTest::inter_or_intra, true},
    {"comm_type=inter", MpichTest::inter_or_intra, false},
    {"comm_size=pow2", MpichTest::ranks_power_of_two, true},
    {"comm_size=node_comm_size", MpichTest::ranks_on_one_node, true},
    {"comm_hierarchy=parent", MpichTest::hierarchy, true},
    {"comm_hierarchy=node_roots", MpichTest::hierarchy, false},
    {"comm_hierarchy=node", MpichTest::hierarchy, false},
    {"comm_hierarchy=flat", MpichTest::hierarchy, false},
    {"is_node_consecutive=yes", MpichTest::node_consecutive, true},
    {"is_node_consecutive=no", MpichTest::node_consecutive, false},
    {"count<pow2", MpichTest::count_below_power_of_two, true},
    {"is_sendbuf_inplace=yes", MpichTest::in_place, true},
    {"is_sendbuf_inplace=no", MpichTest::in_place, false},
    {"is_block_regular=yes", MpichTest::regular, true},
    {"is_block_regular=no", MpichTest::regular, false},
    {"is_commutative=yes", MpichTest::commutative, true},
    {"is_commutative=no", MpichTest::commutative, false},
    {"is_op_built_in=yes", MpichTest::built_in, true},
    {"is_op_built_in=no", MpichTest::built_in, false},
});

struct KeyBeginning {
    std::string_view text;
    MpichTest test;
};

// In the order in which they are tried.
constexpr auto key_beginnings = std::to_array<KeyBeginning>({
    {"composition=", MpichTest::leaf},
    {"algorithm=", MpichTest::leaf},
    {"collective=", MpichTest::collective},
    {"comm_size<=", MpichTest::ranks_at_most},
    {"comm_size<", MpichTest::ranks_below},
    {"count<=", MpichTest::count_at_most},
    {"avg_msg_size<=", MpichTest::average_at_most},
    {"avg_msg_size<", MpichTest::average_below},
    {"total_msg_size<=", MpichTest::total_at_most},
    {"total_msg_size<", MpichTest::total_below},
    {"comm_avg_ppn<=", MpichTest::ranks_per_node_at_most},
    {"comm_avg_ppn<", MpichTest::ranks_per_node_below},
});

} // namespace

bool MpichKey::of_communicator() const {
    switch (test) {
    case MpichTest::any:
    case MpichTest::inter_or_intra:
    case MpichTest::ranks_at_most:
    case MpichTest::ranks_below:
    case MpichTest::ranks_on_one_node:
    case MpichTest::ranks_power_of_two:
    case MpichTest::hierarchy:
    case MpichTest::node_consecutive:
    case MpichTest::ranks_per_node_at_most:
    case MpichTest::ranks_per_node_below:
        return true;
    default:
        return false;
    }
}

bool MpichKey::may_be_last() const {
    switch (test) {
    case MpichTest::any:
    case MpichTest::multi_threaded:
    case MpichTest::inter_or_intra:
    case MpichTest::hierarchy:
    case MpichTest::node_consecutive:
    case MpichTest::collective:
    case MpichTest::in_place:
    case MpichTest::regular:
    case MpichTest::commutative:
    case MpichTest::built_in:
    case MpichTest::leaf:
        return true;
    default:
        return false;
    }
}

bool MpichKey::is_asked_of(std::string_view collective) const {
    const auto is_one_of = [&](std::initializer_list<std::string_view> known) {
        return std::ranges::find(known, collective) != known.end();
    };
    switch (test) {
    case MpichTest::in_place:
        return is_one_of({"alltoall", "alltoallv", "alltoallw"});
    case MpichTest::commutative:
        return is_one_of({"allreduce", "reduce", "reduce_scatter", "reduce_scatter_block"});
    case MpichTest::built_in:
        return is_one_of({"allreduce", "reduce"});
    case MpichTest::regular:
        return collective == "reduce_scatter";
    default:
        return true;
    }
}

std::optional<MpichKey> parse_mpich_key(std::string_view text) {
    std::string key;
    std::ranges::copy_if(text, std::back_inserter(key), [](unsigned char c) { return std::isspace(c) == 0; });
    for (const WholeKey& whole : whole_keys)
        if (key == whole.text)
            return MpichKey{.test = whole.test, .number = 0, .yes = whole.yes, .name = {}};
    for (const KeyBeginning& beginning : key_beginnings)
        if (key.starts_with(beginning.text)) {
            std::string rest = key.substr(beginning.text.size());
            const int number = std::atoi(rest.c_str()); // NOLINT(cert-err34-c): as MPICH reads it
            return MpichKey{.test = beginning.test, .number = number, .yes = true, .name = std::move(rest)};
        }
    if (key == "any" || key.ends_with("=any"))
        return MpichKey{.test = MpichTest::any, .number = 0, .yes = true, .name = {}};
    return std::nullopt;
}

} // namespace skampi
