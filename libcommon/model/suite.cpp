// SPDX-License-Identifier: LGPL-2.1-or-later
#include "model/suite.hpp"

#include <set>

namespace skampi {

namespace {

using Names = std::set<std::string, std::less<>>;

Names names_in(std::string_view list) {
    Names names;
    while (!list.empty()) {
        const std::size_t end = std::min(list.find(','), list.size());
        names.emplace(list.substr(0, end));
        list.remove_prefix(std::min(end + 1, list.size()));
    }
    return names;
}

std::string listed(const Names& names) {
    std::string list;
    for (const std::string& name : names)
        list += (list.empty() ? "" : ",") + name;
    return list;
}

/// Without these there is no suite.
constexpr auto always_known = std::to_array<std::string_view>(
    {"name", "family", "type", "operation", "title", "pattern", "meaning", "possible_variations", "varied",
     "argument_name", "argument_unit", "start_argument", "end_argument", "end_is_max", "unknown_fields"});

} // namespace

bool knows(const Suite& suite, std::string_view field) {
    const std::string_view list = suite.unknown_fields;
    for (std::size_t at = list.find(field); at != std::string_view::npos; at = list.find(field, at + 1)) {
        const std::size_t end = at + field.size();
        if ((at == 0 || list[at - 1] == ',') && (end == list.size() || list[end] == ','))
            return false;
    }
    return true;
}

bool is_setting(std::string_view field) {
    return std::ranges::find(always_known, field) == always_known.end();
}

void forget_settings(Suite& suite) {
    Names names;
    for_each_field(suite, [&](const SuiteField& field, const auto&) {
        if (is_setting(field.name))
            names.emplace(field.name);
    });
    suite.unknown_fields = listed(names);
}

void learn(Suite& suite, std::string_view field) {
    Names names = names_in(suite.unknown_fields);
    if (const auto found = names.find(field); found != names.end()) {
        names.erase(found);
        suite.unknown_fields = listed(names);
    }
}

void forget_unknown(Suite& suite, const Suite& other) {
    if (suite.unknown_fields == other.unknown_fields)
        return;
    Names names = names_in(suite.unknown_fields);
    names.merge(names_in(other.unknown_fields));
    suite.unknown_fields = listed(names);
}

} // namespace skampi
