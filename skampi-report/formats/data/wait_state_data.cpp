// SPDX-License-Identifier: GPL-2.0-or-later
#include "formats/data/wait_state_data.hpp"

#include "base/text.hpp"
#include "formats/data/json_text.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace skampi {

namespace {

using Json = nlohmann::ordered_json;

/// Raised when a field changes its meaning or goes; new fields do not raise it.
constexpr int wait_states_format_version = 1;

std::string csv(const cube::WholeNumber& number) {
    return std::visit([](auto value) { return fmt::format("{}", value); }, number);
}

Json json(const cube::WholeNumber& number) {
    return std::visit([](auto value) { return Json(value); }, number);
}

template <typename Value>
Json json(const std::optional<Value>& value) {
    if constexpr (std::is_same_v<Value, cube::WholeNumber>)
        return value ? json(*value) : Json(nullptr);
    else
        return value ? Json(*value) : Json(nullptr);
}

Json instance_json(const cube::Instance& instance) {
    return {{"cnode", json(instance.cnode)},
            {"enter_s", instance.enter_s},
            {"exit_s", instance.exit_s},
            {"duration_s", instance.duration_s},
            {"rank", json(instance.rank)},
            {"marker_s", json(instance.marker_s)},
            {"marker_location", json(instance.marker_location)}};
}

Json pattern_json(const cube::PatternStatistics& pattern) {
    const auto moment = [&](double cube::Moments::*member) {
        return pattern.moments ? Json((*pattern.moments).*member) : Json(nullptr);
    };
    Json severest = Json::array();
    for (const cube::Instance& instance : pattern.severest)
        severest.push_back(instance_json(instance));
    return {{"name", to_valid_utf8(pattern.name)},
            {"metric_id", json(pattern.metric_id)},
            {"count", json(pattern.count)},
            {"mean_s", moment(&cube::Moments::mean_s)},
            {"median_s", moment(&cube::Moments::median_s)},
            {"minimum_s", moment(&cube::Moments::minimum_s)},
            {"maximum_s", moment(&cube::Moments::maximum_s)},
            {"sum_s", moment(&cube::Moments::sum_s)},
            {"variance_s2", json(pattern.variance_s2)},
            {"quartile25_s", pattern.quartiles ? Json(pattern.quartiles->lower_s) : Json(nullptr)},
            {"quartile75_s", pattern.quartiles ? Json(pattern.quartiles->upper_s) : Json(nullptr)},
            {"severest", std::move(severest)}};
}

Json file_json(const WaitStates& file) {
    Json problems = Json::array();
    for (const cube::Problem& problem : file.read.problems)
        problems.push_back({{"line", problem.line},
                            {"column", problem.column},
                            {"error", problem.weight == cube::Problem::Weight::error},
                            {"text", to_valid_utf8(problem.text)}});
    Json patterns = Json::array();
    for (const cube::PatternStatistics& pattern : file.read.file.patterns)
        patterns.push_back(pattern_json(pattern));
    return {{"label", to_valid_utf8(file.label)},
            {"path", to_valid_utf8(file.path)},
            {"dialect", to_text(file.read.file.dialect)},
            {"errors", file.read.errors},
            {"strange", file.read.strange},
            {"problems", std::move(problems)},
            {"patterns", std::move(patterns)}};
}

Json names_json(const std::vector<std::string>& names) {
    Json list = Json::array();
    for (const std::string& name : names)
        list.push_back(to_valid_utf8(name));
    return list;
}

Json comparison_json(const WaitStateComparison& comparison) {
    Json patterns = Json::array();
    for (const PatternComparison& pattern : comparison.patterns)
        patterns.push_back({{"name", to_valid_utf8(pattern.reference->name)},
                            {"count_difference", pattern.count_difference},
                            {"sum_difference_s", json(pattern.sum_difference_s)},
                            {"sum_ratio", json(pattern.sum_ratio)},
                            {"mean_difference_s", json(pattern.mean_difference_s)},
                            {"mean_ratio", json(pattern.mean_ratio)}});
    return {{"reference", to_valid_utf8(comparison.reference->label)},
            {"other", to_valid_utf8(comparison.other->label)},
            {"patterns", std::move(patterns)},
            {"only_in_reference", names_json(comparison.only_in_reference)},
            {"only_in_other", names_json(comparison.only_in_other)}};
}

} // namespace

std::string wait_state_csv(const std::vector<WaitStates>& files) {
    std::string text =
        "file,dialect,pattern,metric_id,count,mean_s,median_s,minimum_s,maximum_s,sum_s,variance_s2,"
        "quartile25_s,quartile75_s\n";
    for (const WaitStates& file : files)
        for (const cube::PatternStatistics& pattern : file.read.file.patterns) {
            text += fmt::format("{},{},{},{},{}", for_csv(file.path), to_text(file.read.file.dialect),
                                for_csv(pattern.name), pattern.metric_id ? csv(*pattern.metric_id) : "",
                                csv(pattern.count));
            if (const std::optional<cube::Moments>& m = pattern.moments)
                text += fmt::format(",{},{},{},{},{}", m->mean_s, m->median_s, m->minimum_s, m->maximum_s,
                                    m->sum_s);
            else
                text += ",,,,,";
            text += pattern.variance_s2 ? fmt::format(",{}", *pattern.variance_s2) : ",";
            text += pattern.quartiles
                        ? fmt::format(",{},{}\n", pattern.quartiles->lower_s, pattern.quartiles->upper_s)
                        : ",,\n";
        }
    return text;
}

std::string wait_state_json(const std::vector<WaitStates>& files,
                            const std::vector<WaitStateComparison>& comparisons) {
    Json report{{"format", "skampi-report wait states"}, {"version", wait_states_format_version}};
    report["files"] = Json::array();
    for (const WaitStates& file : files)
        report["files"].push_back(file_json(file));
    report["comparisons"] = Json::array();
    for (const WaitStateComparison& comparison : comparisons)
        report["comparisons"].push_back(comparison_json(comparison));
    return json_text(report, 1) + "\n";
}

} // namespace skampi
