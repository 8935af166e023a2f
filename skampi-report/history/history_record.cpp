// SPDX-License-Identifier: GPL-2.0-or-later
#include "history/history_record.hpp"

#include "analysis/trust/headline.hpp"
#include "analysis/trust/trust.hpp"
#include "formats/data/json_text.hpp"
#include "launches/library_name.hpp"
#include "launches/read_subjects.hpp"
#include "spec/plan.hpp"
#include "store/database.hpp"
#include "words/doubt_words.hpp"
#include "words/suite_words.hpp"
#include "words/system_facts.hpp"
#include "words/value_words.hpp"

#include "base/error.hpp"
#include "base/hash.hpp"
#include "base/text.hpp"
#include "base/utc.hpp"
#include "model/launch_command.hpp"
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

std::map<std::string, std::string> facts_of(const Run& run) {
    std::map<std::string, std::string> facts;
    const auto add = [&](const std::string& name, const std::string& text) {
        if (!text.empty())
            facts[name] = shortened(printable(text), 90);
    };
    add("MPI library", library_name(run));
    add("Parameter file", run.plan_hash.substr(0, 8)); // of what it measures
    add("SKaMPI", run.tool_version);
    add("Hosts", hosts_of(run));
    add("Node", run.node);
    add("Network", run.network);
    add("Placement", run.placement);
    add("Binding", run.binding);
    add("Launcher", run.launcher);
    for (const auto& [name, value] : run.settings)
        add("Setting " + printable(name), value);
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

/// The values of a suite over all lengths are a line's as long as it measures the same.
RunRecord::Suite suite_of(const Curve& curve) {
    Suite suite = curve.suite();
    suite.arguments = {};
    std::vector<double> probes_s;
    for (const StoredMeasurement& point : curve.points)
        if (point.measurement.probe_s > 0)
            probes_s.push_back(point.measurement.probe_s);
    return {suite.name,
            fmt::format("{:08x}", Fnv1a().add(suite_text(suite)).folded()),
            {},
            skalib::median(std::move(probes_s))};
}

/// Headlines first, then the suites in the order of the plan.
RunRecord record_of(const Subject& subject, const std::string& file, double started_s) {
    const Run& run = *subject.run;
    RunRecord record;
    record.machine = run.machine;
    record.variant = run.variant;
    record.ranks = is_sequential(run) ? 0 : run.ranks;
    record.is_trial = run.session_place.known() || was_tuned(run);
    for (const auto& [uuid, contribution] : subject.contributions)
        record.launches.push_back(uuid);
    std::string doubts = doubts_text(run_doubts(subject));
    for (const Headline& headline : headlines(subject)) {
        // Where the peak of others is, is not known of one that may go on.
        if (headline.may_go_on || !(headline.value > 0) || !std::isfinite(headline.value))
            continue;
        const std::string name = headline_name(headline);
        record.suites.push_back(suite_of(*headline.curve));
        record.suites.back().values.push_back({name, line_unit(headline.unit), true, 0, headline.value});
        if (const std::string doubt = headline_doubt(headline); !doubt.empty())
            doubts += fmt::format("{}{}: {}", doubts.empty() ? "" : "; ", name, doubt);
    }
    std::vector<double> probes;
    for (const Curve& curve : subject.curves) {
        RunRecord::Suite suite = suite_of(curve);
        if (suite.probe_s > 0)
            probes.push_back(suite.probe_s);
        for (const StoredMeasurement& point : curve.points) {
            if (const Measurement& measured = point.measurement; above_zero(measured))
                suite.values.push_back({line_name(curve, measured.argument), LineUnit::time, false,
                                        measured.argument, measured.value_s});
        }
        if (!suite.values.empty())
            record.suites.push_back(std::move(suite));
    }
    record.run = {.uuid = run.uuid,
                  .file = file,
                  .started_utc = run.started_utc,
                  .started_s = started_s,
                  .facts = facts_of(run),
                  .probe_s = skalib::median(std::move(probes)),
                  .doubts = std::move(doubts)};
    return record;
}

constexpr int record_version = 2;

} // namespace

std::size_t for_each_record(const std::string& path, const std::vector<std::string>& suites,
                            const std::function<void(const std::string&)>& named,
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
        for (const Curve& curve : subject.curves)
            named(curve.suite().name);
        std::erase_if(subject.curves,
                      [&](const Curve& curve) { return !suite_selected(curve.suite().name, suites); });
        leave_out_lost_cores(subject);
        if (RunRecord record = record_of(subject, path, *started_s); !record.suites.empty())
            take(std::move(record));
    }
    return without_start;
}

using SortedJson = nlohmann::json;

// They are the most by far: as lists they need no names.
static void to_json(SortedJson& json, const HistoryValue& value) {
    json = {value.line, value.unit, value.headline, value.argument, value.value};
}
static void from_json(const SortedJson& json, HistoryValue& value) {
    value = {json.at(0), json.at(1), json.at(2), json.at(3), json.at(4)};
}

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(RunRecord::Suite, name, plan, values, probe_s)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(HistoryRun, uuid, file, started_utc, started_s, facts, probe_s, doubts)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(RunRecord, run, machine, variant, ranks, launches, suites)

std::string to_text(const std::vector<RunRecord>& records) {
    return json_text(SortedJson{{"version", record_version}, {"runs", records}}) + "\n";
}

std::optional<std::vector<RunRecord>> records_from_text(std::string_view text) {
    try {
        const SortedJson json = SortedJson::parse(text);
        return json.at("version") == record_version ? json.at("runs").get<std::vector<RunRecord>>()
                                                    : std::optional<std::vector<RunRecord>>();
    } catch (const nlohmann::json::exception&) {
        return std::nullopt;
    }
}

History read_history(const std::vector<std::string>& paths, const std::vector<std::string>& suites) {
    std::set<std::string> names;
    std::size_t without_start = 0;
    HistoryBuilder builder;
    for (const std::string& path : paths)
        without_start += for_each_record(
            path, suites, [&](const std::string& name) { names.insert(name); },
            [&](RunRecord&& record) { builder.add(std::move(record)); });
    for (const std::string& glob : suites)
        require_suite(names, glob, "--suite ");
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
