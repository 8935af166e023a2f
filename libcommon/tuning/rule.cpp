// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tuning/rule.hpp"

#include "model/quantity.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace skampi {

namespace {

constexpr auto why_not_names = std::to_array<std::pair<WhyNot, std::string_view>>({
    {WhyNot::none, ""},
    {WhyNot::default_is_best, "default is best"},
    {WhyNot::undecided, "undecided"},
    {WhyNot::few_launches, "few launches"},
    {WhyNot::short_region, "short region"},
    {WhyNot::no_length_rules, "no length rules"},
    {WhyNot::one_choice_only, "one choice only"},
    {WhyNot::length_too_large, "length too large"},
    {WhyNot::unknown_operation, "unknown operation"},
    {WhyNot::unknown_algorithm, "unknown algorithm"},
    {WhyNot::other_layer, "other layer"},
    {WhyNot::restricted, "restricted"},
    {WhyNot::not_faster_when_checked, "not faster when checked"},
    {WhyNot::faulty_when_checked, "failed or wrong data when checked"},
});

} // namespace

std::string lengths_text(std::int64_t low, std::int64_t high) {
    if (high == any_length)
        return low <= 1 ? std::string("all lengths") : format_length(low) + " and more";
    if (high == 0)
        return "every call";
    return low == high ? format_length(low) : format_length(low) + " to " + format_length(high);
}

std::string where_text(std::int64_t low, std::int64_t high) {
    if (high == any_length)
        return low <= 1 ? std::string(" for all lengths") : " from " + format_length(low) + " on";
    if (high == 0)
        return {};
    return (low == high ? " at " : " from ") + lengths_text(low, high);
}

std::string gain_text(const TuningRule& rule) {
    const bool has_interval =
        rule.gain_low && rule.gain_high && *rule.gain_low > 0 && *rule.gain_high - *rule.gain_low > 0.0005;
    const double ratio = 1 / (1 + rule.gain);
    return slower_text(ratio) +
           (has_interval
                ? " (" + slower_interval(ratio, 1 / (1 + *rule.gain_high), 1 / (1 + *rule.gain_low)) + ")"
                : "");
}

bool was_refuted(const TuningRule& rule) {
    return rule.why_not == WhyNot::not_faster_when_checked || rule.why_not == WhyNot::faulty_when_checked;
}

std::string_view to_text(WhyNot value) {
    return std::ranges::find(why_not_names, value, &std::pair<WhyNot, std::string_view>::first)->second;
}

bool has_no_form(const TuningRule& rule) {
    constexpr std::array reasons{WhyNot::no_length_rules,   WhyNot::one_choice_only,
                                 WhyNot::length_too_large,  WhyNot::unknown_operation,
                                 WhyNot::unknown_algorithm, WhyNot::other_layer,
                                 WhyNot::restricted};
    return !rule.written && !rule.algorithm.empty() &&
           std::ranges::find(reasons, rule.why_not) != reasons.end();
}

bool is_layer_of_files(std::string_view layer) {
    return layer == "mpich" || layer == "open mpi tuned" || layer == "simgrid";
}

template <>
std::optional<WhyNot> from_text<WhyNot>(std::string_view text) {
    for (const auto& [value, name] : why_not_names)
        if (name == text)
            return value;
    return std::nullopt;
}

template <>
std::vector<std::string_view> all_names<WhyNot>() {
    std::vector<std::string_view> texts;
    for (const auto& [value, name] : why_not_names)
        texts.push_back(name);
    return texts;
}

} // namespace skampi
