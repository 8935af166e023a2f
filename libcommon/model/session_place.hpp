// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "model/fields.hpp"

#include <optional>
#include <string>

namespace skampi {

/// Where a launch stands in its session (Session).
struct SessionPlace {
    std::string session; ///< uuid; empty = it is a launch of none
    int round = 0;       ///< from 1; 0 = of no session
    int place = 0;       ///< in the round's order, from 0
    bool operator==(const SessionPlace&) const = default;
    [[nodiscard]] bool known() const { return !session.empty(); }
};
/// "UUID round 3 place 0", as programs pass it on.
[[nodiscard]] std::string session_place_text(const SessionPlace& place);
/// @return none = it is no such text
[[nodiscard]] std::optional<SessionPlace> parse_session_place(const std::string& text);

template <MaybeConst<SessionPlace> Row, typename Visitor>
void for_each_field(Row& place, Visitor&& field) {
    field({"session", "session.uuid, of a launch of variants in turns; empty = none"}, place.session);
    field({"round", "its round in that session, from 1; 0 = none"}, place.round);
    field({"place", "its place in the order of the round, from 0"}, place.place);
}

} // namespace skampi
