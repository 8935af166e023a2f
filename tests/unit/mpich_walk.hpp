// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "tuning/units.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstdlib>
#include <initializer_list>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>

/// A call, as MPICH's selection tree asks for it.
struct MpichCall {
    std::string_view operation; ///< "MPI_Bcast"
    std::int64_t ranks = 2;
    std::int64_t bytes = 0; ///< in our message length
    std::int64_t type_bytes = 1;
    bool intra = true;
    bool hierarchical = true; ///< of the communicator: comm_hierarchy=parent
    bool on_one_node = true;
    bool consecutive = true; ///< ranks of a node
    std::int64_t nodes = 1;  ///< 0 = not counted
    bool in_place = false;
    bool commutative = true;
    bool built_in = true; ///< the reduction
    bool regular = true;  ///< all blocks have the same length
};

/// A walk through a selection tree, as csel.c makes it in prune_tree() and MPIR_Csel_search(): what the files
/// that are written mean.
class MpichWalk {
public:
    explicit MpichWalk(const MpichCall& call)
        : call_(call)
        , word_(skampi::filed_operation(call.operation)->word) {}

    /// The name behind algorithm= that the call gets; none = the call aborts.
    std::optional<std::string> through(const nlohmann::ordered_json& tests) {
        for (const auto& [written, inner] : tests.items()) {
            std::string key = written;
            std::erase(key, ' ');
            if (key.starts_with("algorithm="))
                return key.substr(std::string_view("algorithm=").size());
            once_ = once_ &&
                    (key.starts_with("comm_") || key.starts_with("is_node_") || key == "any" || key.ends_with("=any"));
            const std::optional<bool> answer = ask(key);
            if (!answer)
                return std::nullopt;
            if (*answer)
                return through(inner);
        }
        return std::nullopt;
    }

private:
    [[nodiscard]] bool is_one_of(std::initializer_list<std::string_view> known) const {
        return std::ranges::find(known, word_) != known.end();
    }

    /// @return none = the library aborts
    [[nodiscard]] std::optional<bool> ask(const std::string& key) const {
        const std::size_t end_of_name = std::min(key.find_first_of("<="), key.size());
        const std::string name = key.substr(0, end_of_name);
        const std::string test = key.substr(end_of_name);
        const bool at_most = test.starts_with("<=");
        const bool below = test.starts_with("<") && !at_most;
        const std::string value = test.substr(std::min<std::size_t>(at_most ? 2 : 1, test.size()));
        const std::int64_t most = std::int64_t{std::atoi(value.c_str())} - (below ? 1 : 0);
        const bool yes = value == "yes";
        if (key == "any" || (test.starts_with("=") && value == "any"))
            return true;
        if (name == "comm_type")
            return call_.intra == (value == "intra");
        if (name == "comm_hierarchy")
            return call_.hierarchical == (value == "parent");
        if (name == "is_node_consecutive")
            return call_.consecutive == yes;
        if (name == "is_multi_threaded")
            return !yes;
        if (value == "node_comm_size")
            return call_.hierarchical && call_.on_one_node;
        if (name == "comm_size" && value == "pow2")
            return std::has_single_bit(static_cast<std::uint64_t>(call_.ranks));
        if (name == "comm_size") // behind a question about the message < is <=
            return call_.ranks <= most + (below && !once_ ? 1 : 0);
        if (name == "comm_avg_ppn")
            return call_.nodes > 0 && call_.ranks <= most * call_.nodes;
        return ask_of_message(name, value, most, yes);
    }

    [[nodiscard]] std::optional<bool> ask_of_message(const std::string& name, const std::string& value,
                                                     std::int64_t most, bool yes) const {
        const skampi::FiledOperation& filed = *skampi::filed_operation(call_.operation);
        const std::int64_t elements = call_.bytes / call_.type_bytes;
        if (name == "avg_msg_size" && filed.mpich_test == name)
            return call_.bytes <= most;
        if (name == "total_msg_size" && is_one_of({"gather", "scatter"})) // the datatype's size is forgotten
            return elements * call_.ranks <= most;
        if (name == "total_msg_size" && (filed.mpich != skampi::LengthUnit::none || word_ == "alltoallv"))
            return call_.bytes * call_.ranks <= most;
        const bool of_all = is_one_of({"allgatherv", "reduce_scatter"});
        if (name == "count" &&
            (of_all || is_one_of({"bcast", "allreduce", "reduce", "allgather", "reduce_scatter_block"}))) {
            const std::int64_t count = elements * (of_all ? call_.ranks : 1);
            const auto power = static_cast<std::int64_t>(std::bit_floor(static_cast<std::uint64_t>(call_.ranks)));
            return value == "pow2" ? count < power : count <= most;
        }
        if (name == "is_sendbuf_inplace" && word_.starts_with("alltoall"))
            return call_.in_place == yes;
        if (name == "is_commutative" && (word_.starts_with("reduce") || word_ == "allreduce"))
            return call_.commutative == yes;
        if (name == "is_op_built_in" && is_one_of({"allreduce", "reduce"}))
            return call_.built_in == yes;
        if (name == "is_block_regular" && word_ == "reduce_scatter")
            return call_.regular == yes;
        return std::nullopt;
    }

    const MpichCall& call_;
    std::string_view word_; ///< of its collective
    bool once_ = true;      ///< only the communicator has been asked about
};

/// @param tree as nlohmann::ordered_json::parse() reads it
inline std::optional<std::string> mpich_choice(const nlohmann::ordered_json& tree, const MpichCall& call) {
    const std::string word(skampi::filed_operation(call.operation)->word);
    for (const auto& [written, tests] : tree.items()) {
        std::string key = written;
        std::erase(key, ' ');
        if (key == "collective=" + word)
            return MpichWalk(call).through(tests);
    }
    return std::nullopt;
}
