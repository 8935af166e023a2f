// SPDX-License-Identifier: GPL-2.0-or-later
#include "history/history_data.hpp"

#include "analysis/finding_names.hpp"
#include "base/text.hpp"
#include "formats/data/json_text.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace skampi {

namespace {

const char* unit_name(LineUnit unit) {
    switch (unit) {
    case LineUnit::time:
        return "s";
    case LineUnit::bandwidth:
        return "B/s";
    case LineUnit::bytes:
        return "B";
    }
    return "";
}

using Json = nlohmann::ordered_json;

Json known(double value) {
    return value > 0 ? Json(value) : Json(nullptr);
}

Json steps_of(const HistoryLine& line) {
    Json steps = Json::array();
    for (const ChangePoint& step : line.steps) {
        const Statement& statement = step.statement;
        steps.push_back({{"run", line.runs[step.at]},
                         {"found_run", line.runs[step.found_at]},
                         {"before", step.before},
                         {"after", step.after},
                         {"verdict", to_text(statement.verdict)},
                         {"time_ratio", statement.ratio},
                         {"low", statement.low},
                         {"high", statement.high},
                         {"runs_before", statement.reference},
                         {"runs_since", statement.subject},
                         {"strength", step.strength}});
    }
    return steps;
}

Json drift_of(const HistoryLine& line) {
    if (!line.drift)
        return nullptr;
    return {{"from_run", line.runs[line.drift->from]},
            {"per_100_runs", line.drift->per_100_runs},
            {"low", line.drift->low},
            {"high", line.drift->high}};
}

} // namespace

std::string history_csv(const History& history) {
    std::string csv = "series,line,suite,unit,run,started_utc,value,step\n";
    for (const HistorySeries& series : history.series)
        for (const HistoryLine& line : series.lines)
            for (std::size_t i = 0; i < line.values.size(); ++i) {
                const HistoryRun& run = series.runs[line.runs[i]];
                const bool step =
                    std::ranges::any_of(line.steps, [&](const ChangePoint& each) { return each.at == i; });
                csv += fmt::format("{},{},{},{},{},{},{},{}\n", for_csv(series.name), for_csv(line.name),
                                   for_csv(line.suite), unit_name(line.unit), for_csv(run.uuid),
                                   for_csv(run.started_utc), line.values[i], step ? 1 : 0);
            }
    return csv;
}

std::string history_json(const History& history) {
    constexpr int format_version = 1;
    Json json{{"format", "skampi-history"}, {"version", format_version}, {"series", Json::array()}};
    for (const HistorySeries& series : history.series) {
        Json one{{"name", series.name},
                 {"machine", series.machine},
                 {"variant", series.variant},
                 {"ranks", series.ranks}};
        one["runs"] = Json::array();
        for (const HistoryRun& run : series.runs)
            one["runs"].push_back({{"uuid", run.uuid},
                                   {"file", run.file},
                                   {"started_utc", run.started_utc},
                                   {"probe_s", known(run.probe_s)}});
        one["lines"] = Json::array();
        for (const HistoryLine& line : series.lines) {
            one["lines"].push_back({{"name", line.name},
                                    {"suite", line.suite},
                                    {"unit", unit_name(line.unit)},
                                    {"headline", line.headline},
                                    {"runs", line.runs},
                                    {"values", line.values},
                                    {"steps", steps_of(line)},
                                    {"drift", drift_of(line)}});
        }
        one["changed_facts"] = Json::array();
        for (const FactChange& change : series.changes)
            one["changed_facts"].push_back({{"run", change.run},
                                            {"name", change.name},
                                            {"before", change.before},
                                            {"after", change.after}});
        json["series"].push_back(std::move(one));
    }
    return json_text(json, 2) + "\n";
}

} // namespace skampi
