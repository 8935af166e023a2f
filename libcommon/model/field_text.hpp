// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "model/measurement.hpp"
#include "model/run.hpp"
#include "model/suite.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace skampi {

// A field's value as text and back, the same in the hash of a plan, in CSV and between the ranks of a job:
// numbers as short as they can be without loss ("nan" for what is not a number), 0 and 1, the names of
// enumerators.

[[nodiscard]] std::string number_text(std::int64_t value);
[[nodiscard]] std::string number_text(double value);
/// @return none for anything but one number
[[nodiscard]] std::optional<std::int64_t> integer_from(std::string_view text);
[[nodiscard]] std::optional<double> real_from(std::string_view text);
/// Comma-separated names, as VariedNames are stored.
[[nodiscard]] std::string varied_names(const std::vector<Varied>& list);
/// @return none where one is no such name
[[nodiscard]] std::optional<std::vector<Varied>> varied_from_names(std::string_view names);

inline std::string field_text(const std::string& value) {
    return value;
}
template <typename Value>
requires std::is_arithmetic_v<Value> std::string field_text(Value value) {
    if constexpr (std::is_floating_point_v<Value>)
        return number_text(static_cast<double>(value));
    else
        return number_text(static_cast<std::int64_t>(value));
}
template <typename Value>
requires std::is_enum_v<Value> std::string field_text(Value value) {
    return std::string(to_text(value));
}
/// Empty for none.
template <typename Value>
std::string field_text(const std::optional<Value>& value) {
    return value ? field_text(*value) : std::string();
}
template <typename T>
std::string field_text(FlagWords<T> words) {
    return flag_words(words.flags);
}
template <typename T>
std::string field_text(VariedNames<T> names) {
    return varied_names(names.list);
}
template <typename T>
std::string field_text(EmptyIsNull<T> text) {
    return text.text;
}

// The reverse. @return false where the text is none of the field's; it is left as it is then
inline bool set_field(std::string_view text, std::string& value) {
    value = text;
    return true;
}
[[nodiscard]] bool set_field(std::string_view text, double& value);
[[nodiscard]] bool set_field(std::string_view text, std::int64_t& value);
[[nodiscard]] bool set_field(std::string_view text, int& value);
[[nodiscard]] bool set_field(std::string_view text, bool& value);
template <typename Value>
requires std::is_enum_v<Value>
[[nodiscard]] bool set_field(std::string_view text, Value& value) {
    const std::optional<Value> found = from_text<Value>(text);
    if (found)
        value = *found;
    return found.has_value();
}
template <typename Value>
[[nodiscard]] bool set_field(std::string_view text, std::optional<Value>& value) {
    if (text.empty()) {
        value.reset();
        return true;
    }
    Value read{};
    if (!set_field(text, read))
        return false;
    value = read;
    return true;
}
[[nodiscard]] bool set_field(std::string_view text, FlagWords<Flags> words);
[[nodiscard]] bool set_field(std::string_view text, VariedNames<std::vector<Varied>> names);
inline bool set_field(std::string_view text, EmptyIsNull<std::string> value) {
    value.text = text;
    return true;
}

} // namespace skampi
