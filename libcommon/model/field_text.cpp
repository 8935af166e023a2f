// SPDX-License-Identifier: LGPL-2.1-or-later
#include "model/field_text.hpp"

#include "base/error.hpp"

#include <array>
#include <charconv>
#include <limits>

namespace skampi {

namespace {

template <typename Number>
std::string shortest(Number value) {
    std::array<char, 64> text{};
    return {text.data(), std::to_chars(text.data(), text.data() + text.size(), value).ptr};
}

template <typename Number>
std::optional<Number> whole_text_as(std::string_view text) {
    Number value{};
    const auto result = std::from_chars(text.data(), text.data() + text.size(), value);
    if (result.ec != std::errc() || result.ptr != text.data() + text.size())
        return std::nullopt;
    return value;
}

template <typename Value>
bool set_if(std::optional<Value> found, Value& value) {
    if (found)
        value = *found;
    return found.has_value();
}

} // namespace

std::string number_text(std::int64_t value) {
    return shortest(value);
}
std::string number_text(double value) {
    return value != value ? "nan" : shortest(value); // the sign of a NaN means nothing
}
std::optional<std::int64_t> integer_from(std::string_view text) {
    return whole_text_as<std::int64_t>(text);
}
std::optional<double> real_from(std::string_view text) {
    return whole_text_as<double>(text);
}

std::string varied_names(const std::vector<Varied>& list) {
    std::string names;
    for (const Varied varied : list)
        names += (names.empty() ? "" : ",") + std::string(to_text(varied));
    return names;
}

std::optional<std::vector<Varied>> varied_from_names(std::string_view names) {
    std::vector<Varied> list;
    for (std::size_t begin = 0; begin < names.size();) {
        const std::size_t end = std::min(names.find(',', begin), names.size());
        const std::optional<Varied> varied = from_text<Varied>(names.substr(begin, end - begin));
        if (!varied)
            return std::nullopt;
        list.push_back(*varied);
        begin = end + 1;
    }
    return list;
}

bool set_field(std::string_view text, double& value) {
    return set_if(real_from(text), value);
}
bool set_field(std::string_view text, std::int64_t& value) {
    return set_if(integer_from(text), value);
}
bool set_field(std::string_view text, int& value) {
    const std::optional<std::int64_t> wide = integer_from(text);
    if (!wide || *wide < std::numeric_limits<int>::min() || *wide > std::numeric_limits<int>::max())
        return false;
    value = static_cast<int>(*wide);
    return true;
}
bool set_field(std::string_view text, bool& value) {
    if (text != "0" && text != "1")
        return false;
    value = text == "1";
    return true;
}
bool set_field(std::string_view text, FlagWords<Flags> words) {
    try {
        words.flags = flags_from_words(std::string(text));
        return true;
    } catch (const InputError&) {
        return false;
    }
}
bool set_field(std::string_view text, VariedNames<std::vector<Varied>> names) {
    return set_if(varied_from_names(text), names.list);
}

} // namespace skampi
