#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace skampi {

/// The questions that a key of MPICH's selection tree can ask.
enum class MpichTest {
    any,
    multi_threaded,
    inter_or_intra,
    ranks_at_most,
    ranks_below,
    ranks_on_one_node,
    ranks_power_of_two,
    hierarchy,
    node_consecutive,
    ranks_per_node_at_most,
    ranks_per_node_below,
    collective,
    average_at_most,
    average_below,
    total_at_most,
    total_below,
    count_at_most,
    count_below_power_of_two,
    in_place,
    regular,
    commutative,
    built_in,
    leaf, ///< algorithm=, composition=
};

struct MpichKey {
    MpichTest test{};
    int number = 0;   ///< as atoi reads it
    bool yes = false; ///< the answer that is wanted
    std::string name; ///< of a collective, an algorithm or a composition
    /// Asked once for each communicator, before any question about the message.
    [[nodiscard]] bool of_communicator() const;
    /// Whether a chain may end with it.
    [[nodiscard]] bool may_be_last() const;
    /// Whether the library can ask it of calls of a blocking collective ("bcast"): of others it aborts. What
    /// asks for lengths is not decided here.
    [[nodiscard]] bool is_asked_of(std::string_view collective) const;
};

/// @return none = MPICH does not know the key
[[nodiscard]] std::optional<MpichKey> parse_mpich_key(std::string_view key);

} // namespace skampi
