// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "model/fields.hpp"

#include <cstdint>
#include <string_view>
#include <vector>

namespace skampi {

/// Who communicated while a pair was measured.
enum class Company {
    all,          ///< all members, in pairs, each pair once a pass
    other,        ///< all members again, in pairs drawn anew around those that were to be repeated
    none,         ///< no one
    halves,       ///< each member of one half with one of the other, both ways at the same time
    halves_again, ///< the slowest steps of that
};
[[nodiscard]] inline bool is_bisection(Company company) {
    return company == Company::halves || company == Company::halves_again;
}
[[nodiscard]] std::string_view to_text(Company value);

/// A pair of ranks and half of its round trip, the median of several; between halves how long a message each
/// way takes, the mean of several.
struct PairTime {
    int first = 0; ///< the rank that begins
    int second = 0;
    float time_s = 0;
    bool operator==(const PairTime&) const = default;
};

/// What `skampi-run links` measured in one pass over pairs of ranks with messages of one length.
struct PairMap {
    int pass = 0; ///< from 0, of its company
    Company company = Company::all;
    std::int64_t message_bytes = 0;
    std::int64_t seed = 0;       ///< of the order of the pairs
    std::int64_t unmeasured = 0; ///< pairs that began too late, again and again
    std::vector<PairTime> pairs = {};
    bool operator==(const PairMap&) const = default;
};

/// The fields of PairMap: one list, from which all else derives (model/fields.hpp).
template <MaybeConst<PairMap> Row, typename Visitor>
void for_each_field(Row& map, Visitor&& field) {
    field({"pass", "from 0, of its company"}, map.pass);
    field(
        {"company",
         "who communicated meanwhile: all (in pairs), other (all, in other pairs), none, halves (one half with "
         "the other, both ways), halves again (the slowest steps of that)"},
        map.company);
    field({"message_bytes", "length of the messages"}, map.message_bytes);
    field({"seed", "of the order of the pairs"}, map.seed);
    field({"unmeasured", "number of pairs that began too late each time"}, map.unmeasured);
}

} // namespace skampi
