// SPDX-License-Identifier: LGPL-2.1-or-later
#include "runs/status.hpp"

#include "base/error.hpp"
#include "base/text.hpp"
#include "base/utc.hpp"
#include "model/field_text.hpp"
#include "model/quantity.hpp"
#include "model/run.hpp"
#include "store/file_lock.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <iterator>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <sys/stat.h>

namespace skampi {

namespace {

/// The newest events are what one looks for; all of them stand in the JSON form.
constexpr std::size_t events_shown = 12;

/// Of the database with its journals. Looked at before it is opened, for a reader may create an empty
/// journal.
double last_written_utc_s(const std::string& path) {
    double newest_s = 0;
    for (const char* ending : {"", "-wal", "-journal"}) {
        struct stat found {};
        if (::stat((path + ending).c_str(), &found) == 0 && found.st_size > 0)
            newest_s = std::max(newest_s, static_cast<double>(found.st_mtim.tv_sec) +
                                              1e-9 * static_cast<double>(found.st_mtim.tv_nsec));
    }
    return newest_s;
}

Status::RunLine read_run(const Database& database, RunId id) {
    Status::RunLine line;
    line.run = database.run(id);
    line.events = database.events(id);
    for (const StoredSuite& suite : database.suites(id)) {
        Status::SuiteLine& entry = line.suites.emplace_back();
        entry.ordinal = suite.ordinal;
        entry.name = suite.suite.name;
        entry.state = suite.state;
        entry.in_progress = suite.in_progress;
        entry.attempts = suite.attempts;
        entry.reason = reason_of(suite);
        entry.passes = suite.suite.passes;
        if (const auto left_out = suite.facts.find(fact_left_out); left_out != suite.facts.end())
            line.not_measured += integer_from(left_out->second).value_or(0);
        for (const StoredMeasurement& measurement : database.measurements(suite.id)) {
            if (!measurement.finished) {
                line.not_measured += suite.state == SuiteState::finished ? 1 : 0;
                if (const std::vector<Batch> batches = database.batches(measurement.id);
                    suite.state != SuiteState::finished && !batches.empty())
                    entry.pass = std::max(entry.pass, batches.back().pass + 1);
                continue;
            }
            ++entry.measurements;
            line.without_value += std::isnan(measurement.measurement.value_s) ? 1 : 0;
            line.not_repeatable += is_repeatable(measurement.measurement.flags) ? 0 : 1;
            for (const Flag flag : all_flags()) {
                if (has(measurement.measurement.flags, flag))
                    ++line.flags[flag_words(static_cast<Flags>(flag))];
            }
        }
    }
    return line;
}

/// By how much the file has grown with each of the last runs; 0 = not known, or it does not grow.
std::int64_t growth_of(const std::vector<Status::RunLine>& runs) {
    constexpr std::size_t runs_looked_at = 5;
    std::vector<std::int64_t> sizes;
    for (const Status::RunLine& line : runs)
        if (const auto size = line.run.facts.find(fact_file_size); size != line.run.facts.end())
            sizes.push_back(integer_from(size->second).value_or(0));
    if (sizes.size() < 2)
        return 0;
    const std::size_t steps = std::min(runs_looked_at, sizes.size() - 1);
    return std::max<std::int64_t>(0, (sizes.back() - sizes[sizes.size() - 1 - steps]) /
                                         static_cast<std::int64_t>(steps));
}

/// "840 kB", "12.3 MB"
std::string size_text(std::int64_t bytes) {
    const auto size = static_cast<double>(bytes);
    return bytes < 1'000'000 ? fmt::format("{:.0f} kB", size / 1e3) : fmt::format("{:.1f} MB", size / 1e6);
}

std::string state_of(const Status::SuiteLine& suite, bool written) {
    return !suite.in_progress ? std::string(to_text(suite.state))
           : written          ? "being measured"
                              : "interrupted";
}

/// "12 points", or as long as no point is finished "pass 2 of 4"
std::string points_of(const Status::SuiteLine& suite) {
    return suite.measurements == 0 && suite.pass > 0 ? fmt::format("pass {} of {}", suite.pass, suite.passes)
                                                     : fmt::format("{:>5} points", suite.measurements);
}

std::string hosts_of(const Run& run) {
    std::set<std::string> names;
    for (const RankFacts& rank : run.rank_facts)
        names.insert(rank.processor);
    names.erase("");
    return printable(names.empty() ? run.host : shortened(enumeration(names), 80));
}

/// "18 of 20 suites finished, 1 failed, 1 open"
std::string summary_of(const Status::RunLine& run) {
    std::string text = fmt::format("{} of {} suite{} finished", run.count(SuiteState::finished),
                                   run.suites.size(), run.suites.size() == 1 ? "" : "s");
    for (const auto& [state, word] :
         {std::pair(SuiteState::failed, "failed"), std::pair(SuiteState::put_off, "put off"),
          std::pair(SuiteState::open, "open")}) {
        if (const std::int64_t count = run.count(state); count > 0)
            text += fmt::format(", {} {}", count, word);
    }
    return text;
}

std::string points_of(const Status::RunLine& run) {
    std::string text = fmt::format("{} point{}", run.measurements(), run.measurements() == 1 ? "" : "s");
    if (run.without_value > 0)
        text += fmt::format(", {} without value", run.without_value);
    if (run.not_measured > 0)
        text += fmt::format(", {} that could not be measured", run.not_measured);
    for (const auto& [word, count] : run.flags)
        text += fmt::format(", {} {}", count, word);
    return text;
}

/// How a run's series differs from that of the run before; where it is an older one's, only that.
std::string series_text(const std::vector<Status::RunLine>& runs, std::size_t i) {
    const Series series(runs[i].run);
    const std::vector<std::string> differences =
        i > 0 ? Series(runs[i - 1].run).differences(series) : std::vector<std::string>();
    if (differences.empty())
        return {};
    for (std::size_t older = i - 1; older-- > 0;)
        if (Series(runs[older].run) == series)
            return fmt::format("  of the series of run {}\n", older + 1);
    std::string text;
    for (const std::string& difference : differences)
        text += fmt::format("  another series than run {}: {}\n", i, difference);
    return text;
}

void add_suites(std::string& text, const Status::RunLine& run, bool written) {
    std::size_t widest = 0;
    for (const Status::SuiteLine& suite : run.suites)
        widest = std::max(widest, printable(suite.name).size());
    widest = std::min<std::size_t>(widest, 60);
    for (const Status::SuiteLine& suite : run.suites) {
        if (suite.state == SuiteState::finished && !suite.in_progress)
            continue;
        const std::string tries =
            suite.attempts > 0 ? fmt::format("{} attempt{}", suite.attempts, suite.attempts == 1 ? "" : "s")
                               : "";
        std::string line =
            fmt::format("    {:<{}}  {:<14}  {:<12}  {:<11}  {}", printable(suite.name), widest,
                        state_of(suite, written), points_of(suite), tries, printable(suite.reason));
        line.erase(line.find_last_not_of(' ') + 1);
        text += line + "\n";
    }
}

void add_events(std::string& text, const Status::RunLine& run) {
    const std::size_t first = run.events.size() > events_shown ? run.events.size() - events_shown : 0;
    if (!run.events.empty())
        text += first > 0 ? fmt::format("  last {} of {} events\n", events_shown, run.events.size())
                          : "  events\n";
    for (std::size_t i = first; i < run.events.size(); ++i) {
        const Event& event = run.events[i];
        text += fmt::format("    {}  {:<9}  {}{}\n", printable(event.time_utc), printable(event.kind),
                            event.suite.empty() ? "" : printable(event.suite) + ": ", printable(event.text));
    }
}

/// "session  a, b in turns; launches: 7 a, 6 b; up to 40 rounds; begun ...; ended ...: decided"
std::string session_text(const Status::SessionLine& line) {
    std::string names;
    for (const Variant& variant : line.session.variants) {
        const auto launches = line.launches.find(variant.name);
        names += fmt::format("{}{} {}", names.empty() ? "" : ", ", printable(variant.name),
                             launches == line.launches.end() ? 0 : launches->second);
    }
    const std::string end =
        line.session.ended_utc.empty()
            ? "not ended"
            : fmt::format("ended {}: {}", printable(line.session.ended_utc), to_text(line.session.end));
    return fmt::format("session  {}  launches in turns: {}; at most {} rounds; {}\n",
                       printable(line.session.started_utc), names, line.session.most_rounds, end);
}

nlohmann::ordered_json session_json(const Status::SessionLine& line) {
    nlohmann::ordered_json variants = nlohmann::ordered_json::array();
    for (const Variant& variant : line.session.variants) {
        const auto launches = line.launches.find(variant.name);
        variants.push_back({{"name", to_valid_utf8(variant.name)},
                            {"launches", launches == line.launches.end() ? 0 : launches->second}});
    }
    return {{"uuid", to_valid_utf8(line.session.uuid)},
            {"started_utc", to_valid_utf8(line.session.started_utc)},
            {"ended_utc", to_valid_utf8(line.session.ended_utc)},
            {"end", to_text(line.session.end)},
            {"most_rounds", line.session.most_rounds},
            {"variants", std::move(variants)}};
}

std::vector<Status::SessionLine> read_sessions(const Database& database,
                                               const std::vector<Status::RunLine>& runs) {
    std::vector<Status::SessionLine> lines;
    for (Session& session : database.sessions())
        lines.push_back({std::move(session), {}});
    for (const Status::RunLine& run : runs) {
        if (run.run.ended_utc.empty())
            continue;
        for (Status::SessionLine& line : lines)
            if (line.session.uuid == run.run.session_place.session)
                ++line.launches[run.run.variant];
    }
    return lines;
}

} // namespace

std::int64_t Status::RunLine::count(SuiteState state) const {
    return std::ranges::count(suites, state, &SuiteLine::state);
}

std::int64_t Status::RunLine::measurements() const {
    std::int64_t sum = 0;
    for (const SuiteLine& suite : suites)
        sum += suite.measurements;
    return sum;
}

bool Status::has_open_run() const {
    return std::ranges::any_of(runs, [](const RunLine& line) { return line.run.ended_utc.empty(); });
}

double Status::silent_s() const {
    // A file server's clock may be ahead.
    return std::max(looked_utc_s - last_written_utc_s, 0.0);
}

Status read_status(const std::string& path) {
    Status status;
    status.database = path;
    status.last_written_utc_s = last_written_utc_s(path);
    status.looked_utc_s = utc_now_s();
    const Database database = Database::open(path);
    for (const RunId id : database.runs())
        status.runs.push_back(read_run(database, id));
    status.sessions = read_sessions(database, status.runs);
    status.bytes = database.bytes_in_use();
    status.bytes_per_run = growth_of(status.runs);
    status.writer = FileLock::holder(FileLock::path_for(path)).value_or("");
    status.daemon = FileLock::holder(daemon_lock_path(path)).value_or("");
    return status;
}

namespace {

/// The newest runs, those with something to do or to tell, and the first of each series.
std::vector<bool> runs_shown(const std::vector<Status::RunLine>& runs) {
    constexpr std::size_t newest = 10;
    constexpr std::size_t most = 20; // of the others, oldest first
    std::vector<bool> shown(runs.size(), false);
    std::set<std::string> series;
    std::size_t others = 0;
    for (std::size_t i = 0; i < runs.size(); ++i) {
        const bool first = series.insert(Series(runs[i].run).hash()).second;
        const bool says_more =
            first || runs[i].run.ended_utc.empty() || runs[i].count(SuiteState::failed) > 0;
        shown[i] = i + newest >= runs.size() || (says_more && others++ < most);
    }
    return shown;
}

} // namespace

std::string status_text(const Status& status, bool full) {
    std::string text = printable(status.database) + "\n";
    const auto holder = [](const std::string& who) {
        return who.empty() ? std::string("no process") : printable(who);
    };
    text += "  supervised by  " + holder(status.daemon) + "\n";
    text += "  written by     " + holder(status.writer) + "\n";
    if (status.has_open_run())
        text += fmt::format("  last progress  {}, {:.0f} s ago\n", utc_text(status.last_written_utc_s),
                            status.silent_s());
    text += fmt::format("  size           {}{}\n", size_text(status.bytes),
                        status.bytes_per_run > 0
                            ? fmt::format(", grows by {} per run", size_text(status.bytes_per_run))
                            : "");
    for (const Status::SessionLine& session : status.sessions)
        text += session_text(session);
    const std::vector<bool> shown =
        full ? std::vector<bool>(status.runs.size(), true) : runs_shown(status.runs);
    std::size_t left_out = 0;
    for (std::size_t i = 0; i < status.runs.size(); ++i) {
        if (!shown[i]) {
            ++left_out;
            continue;
        }
        if (left_out > 0)
            text += fmt::format("({} not shown: --full shows all)\n", count_of(left_out, "run"));
        left_out = 0;
        const Status::RunLine& run = status.runs[i];
        const bool ended = !run.run.ended_utc.empty();
        const std::string merged =
            run.run.kind == "merged" ? fmt::format("merged from {} runs, ", run.run.merged_runs) : "";
        text +=
            fmt::format("run {}  {}{}, launch {}, {}on {}\n", i + 1, merged, printable(run.run.started_utc),
                        run.run.launch,
                        run.run.mpi_library == library_without_mpi ? std::string()
                                                                   : count_of(run.run.ranks, "rank") + " ",
                        hosts_of(run.run));
        text += fmt::format("  {}; {}; {}\n", ended ? "ended " + printable(run.run.ended_utc) : "not ended",
                            summary_of(run), points_of(run));
        if (!run.run.variant.empty())
            text += fmt::format("  variant {}\n", printable(run.run.variant));
        text += series_text(status.runs, i);
        const bool newest = i + 1 == status.runs.size();
        if (newest || !ended || run.count(SuiteState::failed) > 0)
            add_suites(text, run, !status.writer.empty());
        if (newest)
            add_events(text, run);
    }
    return text;
}

std::string status_json(const Status& status) {
    nlohmann::ordered_json runs = nlohmann::ordered_json::array();
    for (const Status::RunLine& run : status.runs) {
        nlohmann::ordered_json suites = nlohmann::ordered_json::array();
        for (const Status::SuiteLine& suite : run.suites)
            suites.push_back({{"name", to_valid_utf8(suite.name)},
                              {"state", to_text(suite.state)},
                              {"in_progress", suite.in_progress},
                              {"attempts", suite.attempts},
                              {"reason", to_valid_utf8(suite.reason)},
                              {"points", suite.measurements},
                              {"pass", suite.pass},
                              {"passes", suite.passes}});
        nlohmann::ordered_json events = nlohmann::ordered_json::array();
        for (const Event& event : run.events)
            events.push_back({{"time_utc", to_valid_utf8(event.time_utc)},
                              {"kind", to_valid_utf8(event.kind)},
                              {"suite", to_valid_utf8(event.suite)},
                              {"text", to_valid_utf8(event.text)}});
        runs.push_back({{"uuid", to_valid_utf8(run.run.uuid)},
                        {"kind", to_valid_utf8(run.run.kind)},
                        {"launch", run.run.launch},
                        {"variant", to_valid_utf8(run.run.variant)},
                        {"mpi_library", to_valid_utf8(run.run.mpi_library)},
                        {"ranks", run.run.ranks},
                        {"host", to_valid_utf8(run.run.host)},
                        {"started_utc", to_valid_utf8(run.run.started_utc)},
                        {"ended_utc", to_valid_utf8(run.run.ended_utc)},
                        {"points", run.measurements()},
                        {"without_value", run.without_value},
                        {"not_measured", run.not_measured},
                        {"flags", run.flags},
                        {"suites", std::move(suites)},
                        {"events", std::move(events)}});
    }
    nlohmann::ordered_json sessions = nlohmann::ordered_json::array();
    for (const Status::SessionLine& session : status.sessions)
        sessions.push_back(session_json(session));
    const nlohmann::ordered_json all = {{"database", to_valid_utf8(status.database)},
                                        {"supervised_by", to_valid_utf8(status.daemon)},
                                        {"written_by", to_valid_utf8(status.writer)},
                                        {"bytes", status.bytes},
                                        {"bytes_per_run", status.bytes_per_run},
                                        {"last_written_utc", utc_text(status.last_written_utc_s)},
                                        {"silent_s", status.silent_s()},
                                        {"sessions", std::move(sessions)},
                                        {"runs", std::move(runs)}};
    return all.dump(2);
}

RunSums sums_of_run(const Database& database, RunId id) {
    const Status::RunLine run = read_run(database, id);
    const auto wrong = run.flags.find(flag_words(static_cast<Flags>(Flag::wrong_result)));
    const auto disturbed = run.flags.find(flag_words(static_cast<Flags>(Flag::disturbed)));
    const bool right = wrong == run.flags.end();
    return {.points = run.measurements() - run.without_value,
            .not_repeatable = run.not_repeatable,
            .failed = run.count(SuiteState::failed),
            .missing = right ? run.without_value + run.not_measured : 0,
            .wanted = run.measurements() + run.not_measured,
            .wrong = right ? 0 : wrong->second,
            .disturbed = disturbed == run.flags.end() ? 0 : disturbed->second};
}

std::string line_without_sums(const std::string& path, int exit_status) {
    return exit_status > 128 // by a signal, as it was asked to
               ? fmt::format("SKAMPI: STOPPED database={}", printable(path))
               : fmt::format("SKAMPI: FAILED status={} database={}", exit_status, printable(path));
}

std::string summary_line(const std::string& path, int exit_status, const std::string& uuid) {
    if (exit_status > 128)
        return line_without_sums(path, exit_status);
    std::optional<RunSums> sums;
    try {
        const Database database = Database::open(path);
        std::vector<RunId> runs = database.runs();
        if (!uuid.empty()) // others may have written since
            std::erase_if(runs, [&](RunId id) { return database.run(id).uuid != uuid; });
        if (!runs.empty())
            sums = sums_of_run(database, runs.back());
    } catch (const Error&) {
        // The reason was given already: it is why there is nothing to sum up.
    }
    return sums ? sums_line(*sums, exit_status == 0) : line_without_sums(path, exit_status);
}

std::string repeatability_remark(const RunSums& sums) {
    if (2 * sums.not_repeatable <= sums.points)
        return {};
    if (2 * sums.disturbed > sums.points)
        return fmt::format(
            "{} of {} not repeatable, because other work was on the ranks' cores ({} disturbed). Measure "
            "while nothing else uses them, here or in other virtual machines, with a core for each rank",
            sums.not_repeatable, count_of(sums.points, "value is", "values are"), sums.disturbed);
    return fmt::format(
        "{} of {} not repeatable: the error within the launch is larger than asked for. "
        "Allow more repetitions (Max_Repetition) or more time (Time_Suite), or end other work on "
        "this machine",
        sums.not_repeatable, count_of(sums.points, "value is", "values are"));
}

std::string sums_line(const RunSums& sums, bool done) {
    const bool incomplete = sums.failed == 0 && sums.missing > 0;
    const std::string how =
        done         ? "OK"
        : incomplete ? fmt::format("INCOMPLETE {} of {} points missing,", sums.missing, sums.wanted)
                     : "FAILED";
    return fmt::format("SKAMPI: {} points={} not_repeatable={} failed={}{}", how, sums.points,
                       sums.not_repeatable, sums.failed,
                       sums.wrong > 0 ? fmt::format(" wrong={}", sums.wrong) : "");
}

std::string daemon_lock_path(const std::string& database) {
    return FileLock::path_for(database, ".daemon.lock");
}

} // namespace skampi
