#include "history/history_data.hpp"

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
    for (std::size_t i = 0; i < line.changes.size(); ++i) {
        const ChangePoint& change = line.changes[i];
        Json step{{"run", line.runs[change.at]},
                  {"found_run", line.runs[change.found_at]},
                  {"before", change.before},
                  {"after", change.after},
                  {"time_ratio", line.slowdown(change)},
                  {"strength", change.strength},
                  {"explained_by_machine", line.explained(change)},
                  {"machine", nullptr}};
        if (line.machine[i])
            step["machine"] = {{"by", line.machine[i]->by_speed ? "core speed" : "probe"},
                               {"ratio", line.machine[i]->machine_ratio},
                               {"adjusted_low", line.machine[i]->low},
                               {"adjusted_high", line.machine[i]->high}};
        steps.push_back(std::move(step));
    }
    return steps;
}

Json states_of(const HistoryLine& line) {
    if (const std::optional<StateLevels> states = line.states())
        return {{"low", states->low}, {"high", states->high}};
    return nullptr;
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
                    std::ranges::any_of(line.changes, [&](const ChangePoint& c) { return c.at == i; });
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
        Json one{{"name", to_valid_utf8(series.name)}, {"plan_hash", to_valid_utf8(series.plan_hash)}};
        one["runs"] = Json::array();
        for (const HistoryRun& run : series.runs)
            one["runs"].push_back({{"uuid", to_valid_utf8(run.uuid)},
                                   {"file", to_valid_utf8(run.file)},
                                   {"started_utc", to_valid_utf8(run.started_utc)},
                                   {"probe_s", known(run.probe_s)},
                                   {"core_speed", known(run.core_speed)}});
        one["lines"] = Json::array();
        for (const HistoryLine& line : series.lines) {
            one["lines"].push_back({{"name", to_valid_utf8(line.name)},
                                    {"suite", to_valid_utf8(line.suite)},
                                    {"unit", unit_name(line.unit)},
                                    {"headline", line.headline},
                                    {"runs", line.runs},
                                    {"values", line.values},
                                    {"steps", steps_of(line)},
                                    {"states", states_of(line)},
                                    {"drift", drift_of(line)}});
        }
        one["changed_facts"] = Json::array();
        for (const FactChange& change : series.changes)
            one["changed_facts"].push_back({{"run", change.run},
                                            {"name", to_valid_utf8(change.name)},
                                            {"before", to_valid_utf8(change.before)},
                                            {"after", to_valid_utf8(change.after)}});
        json["series"].push_back(std::move(one));
    }
    return json_text(json, 2) + "\n";
}

} // namespace skampi
