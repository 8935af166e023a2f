// SPDX-License-Identifier: GPL-2.0-or-later
#include "formats/data/algorithms_json.hpp"

#include "formats/data/json_text.hpp"
#include "formats/data/row_json.hpp"
#include "formats/exchange/tuning_file.hpp"

#include "base/text.hpp"

#include <nlohmann/json.hpp>

namespace skampi {

namespace {

using RowJson = nlohmann::ordered_json;

/// Raised when a field changes its meaning or goes; new fields do not raise it.
constexpr int algorithms_format_version = 1;

RowJson rules_json(const std::vector<TuningRule>& rules) {
    RowJson all = RowJson::array();
    for (const TuningRule& rule : rules)
        all.push_back(row_json(rule));
    return all;
}

RowJson group_json(const AlgorithmWinners& winners) {
    const AlgorithmGroup& group = *winners.of;
    const auto word = [&](std::size_t member) { return to_valid_utf8(group.members[member].word); };
    RowJson members = RowJson::array();
    for (std::size_t m = 0; m < group.members.size(); ++m)
        members.push_back({{"word", word(m)},
                           {"number", group.members[m].number},
                           {"layer", to_valid_utf8(group.members[m].layer)},
                           {"lengths", winners.effects[m].lengths},
                           {"lengths_unlike_default", winners.effects[m].different}});
    RowJson points = RowJson::array();
    for (const WinnerPoint& point : winners.points) {
        RowJson ratios = RowJson::array();
        for (const std::optional<AgainstDefault>& ratio : point.members)
            ratios.push_back(ratio ? RowJson(ratio->log_ratio) : RowJson(nullptr));
        points.push_back({{"bytes", point.bytes}, {"best", word(point.best)}, {"log_ratios", ratios}});
    }
    RowJson wanted = RowJson::array();
    for (const OpenBorder& border : winners.open_borders) {
        RowJson algorithms = RowJson::array();
        for (const std::size_t member : border.members)
            algorithms.push_back(word(member));
        wanted.push_back({{"bytes", border.bytes},
                          {"below", word(border.below)},
                          {"above", word(border.above)},
                          {"algorithms", algorithms}});
    }
    RowJson default_is = RowJson::array();
    for (const DefaultIs& range : winners.default_is) {
        RowJson words = RowJson::array();
        for (const std::string& each : range.words)
            words.push_back(to_valid_utf8(each));
        default_is.push_back(
            {{"bytes_low", range.bytes_low}, {"bytes_high", range.bytes_high}, {"words", words}});
    }
    RowJson as_fast = RowJson::array();
    for (const WinnerRegion& region : winners.regions) {
        RowJson words = RowJson::array();
        for (const std::size_t member : region.as_fast)
            words.push_back(word(member));
        if (!words.empty())
            as_fast.push_back({{"bytes_low", winners.points[region.first].bytes},
                               {"bytes_high", winners.points[region.last].bytes},
                               {"best", word(region.candidate)},
                               {"words", words}});
    }
    return {{"operation", to_valid_utf8(group.operation)},
            {"ranks", group.ranks},
            {"launches", group.launches},
            {"simulated", group.simulated},
            {"algorithms", members},
            {"points", points},
            {"default_is", default_is},
            {"as_fast", as_fast},
            {"lengths_wanted", wanted}};
}

} // namespace

std::string algorithms_json(const AlgorithmFindings* found) {
    RowJson json{{"version", algorithms_format_version}};
    RowJson operations = RowJson::array();
    if (found) {
        const TuningTarget target = tuning_target(*found);
        json["library"] = to_valid_utf8(target.library);
        json["layer"] = to_valid_utf8(target.layer);
        json["newest_run"] = to_valid_utf8(target.run);
        json["hosts"] = to_valid_utf8(target.hosts);
        json["placement"] = to_valid_utf8(target.placement);
        json["ranks"] = found->study.ranks;
        json["runs"] = found->study.runs;
        json["other_runs"] = found->study.other_runs;
        json["launches"] = target.launches;
        json["disturbed_launches"] = target.disturbed;
        json["gain"] = found->rule.gain;
        json["error"] = found->rule.error;
        json["ranks_share_cores"] = found->study.crowded;
        json["ranks_bound"] = found->study.bound;
        json["cores_to_spare"] = found->study.cores_to_spare;
        json["launcher"] = to_valid_utf8(found->study.newest.launcher);
        for (const AlgorithmWinners& each : found->winners)
            operations.push_back(group_json(each));
    }
    json["operations"] = std::move(operations);
    json["rules"] = rules_json(found ? tuning_rules(found->winners) : std::vector<TuningRule>{});
    json["rules_for_all_lengths"] =
        rules_json(found ? rules_for_all_lengths(found->winners) : std::vector<TuningRule>{});
    return json_text(json) + "\n";
}

} // namespace skampi
