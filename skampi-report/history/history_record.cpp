#include "history/history_record.hpp"

#include "analysis/trust/headline.hpp"
#include "analysis/trust/trust.hpp"
#include "store/database.hpp"
#include "launches/library_name.hpp"
#include "launches/read_subjects.hpp"
#include "words/doubt_words.hpp"
#include "words/suite_words.hpp"
#include "words/system_facts.hpp"
#include "words/value_words.hpp"

#include "base/error.hpp"
#include "base/text.hpp"
#include "base/utc.hpp"
#include "model/launch_command.hpp"
#include "model/machine_state.hpp"
#include "model/quantity.hpp"
#include "model/series.hpp"
#include "skalib/statistics.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <set>

namespace skampi {

namespace {

using SortedJson = nlohmann::json;

std::map<std::string, std::string> facts_of(const Run& run) {
    std::map<std::string, std::string> facts;
    const auto add = [&](const std::string& name, const std::string& text) {
        if (!text.empty())
            facts[name] = shortened(printable(text), 90);
    };
    add(history_fact_library, library_name(run));
    add("SKaMPI", run.tool_version);
    add("Hosts", hosts_of(run));
    add("Node", run.node);
    add("Network", run.network);
    add("Placement", run.placement);
    add("Binding", run.binding);
    add("Launcher", run.launcher);
    for (const auto& [name, value] : run.settings)
        add(std::string(history_fact_setting) + printable(name), value);
    for (const auto& [fact, detail] : machine_facts(run))
        add(fact.name, fact.value);
    return facts;
}

std::string line_name(const Curve& curve, std::int64_t argument) {
    const std::string name = shortened(printable(curve.suite().name), 60);
    return curve.suite().varied == Varied::none ? name
                                                : fmt::format("{}, {}", name, argument_text(curve, argument));
}

LineUnit line_unit(HeadlineUnit unit) {
    switch (unit) {
    case HeadlineUnit::seconds:
        return LineUnit::time;
    case HeadlineUnit::bytes_per_second:
        return LineUnit::bandwidth;
    case HeadlineUnit::bytes:
        break;
    }
    return LineUnit::bytes;
}

RunRecord record_of(const Subject& subject, const std::string& file, double started_s) {
    const Run& run = *subject.run;
    RunRecord record;
    record.plan_hash = run.plan_hash;
    record.machine = run.machine;
    record.variant = run.variant;
    record.ranks = run.ranks;
    record.is_trial = run.session_place.known() || was_tuned(run);
    for (const auto& [uuid, contribution] : subject.contributions)
        record.launches.push_back(uuid);
    std::vector<double> probes;
    std::vector<double> speeds;
    for (const Curve& curve : subject.curves) {
        RunRecord::Suite suite{curve.suite().name, {}};
        for (const StoredMeasurement& point : curve.points) {
            if (point.measurement.probe_s > 0)
                probes.push_back(point.measurement.probe_s);
            if (const double speed = core_speed(point.measurement); speed > 0)
                speeds.push_back(speed);
            if (above_zero(point.measurement))
                suite.times.push_back({point.measurement.argument,
                                       line_name(curve, point.measurement.argument),
                                       point.measurement.value_s});
        }
        if (!suite.times.empty())
            record.suites.push_back(std::move(suite));
    }
    record.run = {run.uuid,
                  file,
                  run.started_utc,
                  started_s,
                  facts_of(run),
                  skalib::median(std::move(probes)),
                  doubts_text(run_doubts(subject)),
                  skalib::median(std::move(speeds))};
    for (const Headline& headline : headlines(subject))
        if (headline.value > 0 && std::isfinite(headline.value))
            record.headlines.push_back({headline_name(headline), headline.curve->suite().name,
                                        line_unit(headline.unit), headline.value, headline_doubt(headline),
                                        headline.may_go_on});
    return record;
}

constexpr int record_version = 1;

} // namespace

std::size_t for_each_record(const std::string& path, const std::vector<std::string>& suites,
                            const std::function<void(const std::string&)>& meant,
                            const std::function<void(RunRecord&&)>& take) {
    const Database database = Database::open(path);
    const std::vector<RunId> ids = database.runs();
    const auto is_raw = [&](RunId id) { return database.run(id).kind != "merged"; };
    const bool has_raw = std::ranges::any_of(ids, is_raw);
    std::size_t without_start = 0;
    for (const RunId id : ids) {
        if (has_raw && !is_raw(id))
            continue;
        Subject subject = read_run(database, id);
        const std::optional<double> started_s = utc_seconds(subject.run->started_utc);
        if (!started_s) {
            ++without_start;
            continue;
        }
        for (const std::string& glob : suites)
            if (std::ranges::any_of(subject.curves, [&](const Curve& curve) {
                    return suite_selected(curve.suite().name, {glob});
                }))
                meant(glob);
        std::erase_if(subject.curves,
                      [&](const Curve& curve) { return !suite_selected(curve.suite().name, suites); });
        if (RunRecord record = record_of(subject, path, *started_s); !record.suites.empty())
            take(std::move(record));
    }
    return without_start;
}

std::string to_text(const std::vector<RunRecord>& records) {
    SortedJson texts = SortedJson::object(); // of the arguments, which all runs share
    SortedJson runs = SortedJson::array();
    for (const RunRecord& record : records) {
        SortedJson facts = SortedJson::object();
        for (const auto& [name, value] : record.run.facts)
            facts[to_valid_utf8(name)] = to_valid_utf8(value);
        SortedJson launches = SortedJson::array();
        for (const std::string& uuid : record.launches)
            launches.push_back(to_valid_utf8(uuid));
        SortedJson headlines = SortedJson::array();
        for (const RunRecord::Headline& each : record.headlines)
            headlines.push_back({to_valid_utf8(each.name), to_valid_utf8(each.suite),
                                 static_cast<int>(each.unit), each.value, to_valid_utf8(each.doubts),
                                 each.may_go_on});
        SortedJson suites = SortedJson::array();
        for (const RunRecord::Suite& suite : record.suites) {
            const std::string name = to_valid_utf8(suite.name);
            SortedJson times = SortedJson::array();
            for (const RunRecord::Time& time : suite.times) {
                times.push_back({time.argument, time.value_s});
                texts[name][std::to_string(time.argument)] = to_valid_utf8(time.text);
            }
            suites.push_back({name, std::move(times)});
        }
        runs.push_back({{"uuid", to_valid_utf8(record.run.uuid)},
                        {"file", to_valid_utf8(record.run.file)},
                        {"started_utc", to_valid_utf8(record.run.started_utc)},
                        {"started_s", record.run.started_s},
                        {"probe_s", record.run.probe_s},
                        {"core_speed", record.run.core_speed},
                        {"doubts", to_valid_utf8(record.run.doubts)},
                        {"facts", std::move(facts)},
                        {"plan_hash", to_valid_utf8(record.plan_hash)},
                        {"machine", to_valid_utf8(record.machine)},
                        {"variant", to_valid_utf8(record.variant)},
                        {"ranks", record.ranks},
                        {"launches", std::move(launches)},
                        {"headlines", std::move(headlines)},
                        {"suites", std::move(suites)}});
    }
    return SortedJson{{"version", record_version}, {"texts", std::move(texts)}, {"runs", std::move(runs)}}
               .dump() +
           "\n";
}

std::optional<std::vector<RunRecord>> records_from_text(std::string_view text) {
    try {
        const SortedJson json = SortedJson::parse(text);
        if (json.at("version") != record_version)
            return std::nullopt;
        std::vector<RunRecord> records;
        for (const SortedJson& each : json.at("runs")) {
            RunRecord& record = records.emplace_back();
            each.at("uuid").get_to(record.run.uuid);
            each.at("file").get_to(record.run.file);
            each.at("started_utc").get_to(record.run.started_utc);
            each.at("started_s").get_to(record.run.started_s);
            each.at("probe_s").get_to(record.run.probe_s);
            each.at("facts").get_to(record.run.facts);
            each.at("plan_hash").get_to(record.plan_hash);
            each.at("machine").get_to(record.machine);
            each.at("variant").get_to(record.variant);
            each.at("ranks").get_to(record.ranks);
            // Not in records of a former form:
            record.launches = each.value("launches", record.launches);
            record.run.doubts = each.value("doubts", "");
            record.run.core_speed = each.value("core_speed", 0.0);
            for (const SortedJson& headline : each.at("headlines")) {
                const int unit = headline.at(2);
                if (unit < static_cast<int>(LineUnit::time) || unit > static_cast<int>(LineUnit::bytes))
                    return std::nullopt;
                record.headlines.push_back(
                    {headline.at(0), headline.at(1), static_cast<LineUnit>(unit), headline.at(3)});
                constexpr std::size_t with_doubts = 6;
                if (headline.size() >= with_doubts) {
                    headline.at(4).get_to(record.headlines.back().doubts);
                    headline.at(5).get_to(record.headlines.back().may_go_on);
                }
            }
            for (const SortedJson& suite : each.at("suites")) {
                RunRecord::Suite& own = record.suites.emplace_back();
                suite.at(0).get_to(own.name);
                const SortedJson& names = json.at("texts").at(own.name);
                for (const SortedJson& time : suite.at(1)) {
                    const std::int64_t argument = time.at(0);
                    own.times.push_back({argument, names.at(std::to_string(argument)), time.at(1)});
                }
            }
        }
        return records;
    } catch (const nlohmann::json::exception&) {
        return std::nullopt;
    }
}

History read_history(const std::vector<std::string>& paths, const std::vector<std::string>& suites) {
    std::set<std::string> meant; // globs that name a suite
    std::size_t without_start = 0;
    HistoryBuilder builder;
    for (const std::string& path : paths)
        without_start += for_each_record(
            path, suites, [&](const std::string& glob) { meant.insert(glob); },
            [&](RunRecord&& record) { builder.add(std::move(record)); });
    for (const std::string& glob : suites)
        if (!meant.contains(glob))
            throw InputError(
                fmt::format("--suite {}: no suite of any run has such a name, expected a name or a "
                            "pattern of one",
                            printable(glob)));
    History history = builder.finished();
    if (history.series.empty())
        throw InputError(
            fmt::format("{}: no run has a start and a time above zero, expected databases with runs",
                        printable(paths.front())));
    if (without_start > 0)
        history.notes.push_back({.kind = NoteKind::without_start, .runs = without_start});
    return history;
}

} // namespace skampi
