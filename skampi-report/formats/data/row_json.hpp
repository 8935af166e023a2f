// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "base/text.hpp"
#include "model/field_text.hpp"
#include "model/measurement.hpp"
#include "model/suite.hpp"

#include <nlohmann/json.hpp>
#include <type_traits>

namespace skampi {

/// All fields of a row by their names. What is unknown or not a number is null.
template <typename Row>
[[nodiscard]] nlohmann::ordered_json row_json(const Row& row) {
    using Json = nlohmann::ordered_json;
    Json json = Json::object();
    for_each_field(row, [&]<typename Value>(const Field& field, const Value& value) {
        if (is_unknown(row, field.name)) {
            json[field.name] = nullptr;
        } else if constexpr (std::is_arithmetic_v<Value>) {
            json[field.name] = value;
        } else if constexpr (std::is_same_v<Value, FlagWords<const Flags>>) {
            Json flags = Json::array();
            for (const Flag flag : all_flags())
                if (has(value.flags, flag))
                    flags.push_back(flag_words(static_cast<Flags>(flag)));
            json[field.name] = flags;
        } else if constexpr (std::is_same_v<Value, VariedNames<const std::vector<Varied>>>) {
            Json names = Json::array();
            for (const Varied varied : value.list)
                names.push_back(to_text(varied));
            json[field.name] = names;
        } else if constexpr (requires { value.has_value(); }) {
            json[field.name] = value ? Json(*value) : Json(nullptr);
        } else {
            json[field.name] = to_valid_utf8(field_text(value));
        }
    });
    return json;
}

} // namespace skampi
