// SPDX-License-Identifier: LGPL-2.1-or-later
#include "supervisor/job_view.hpp"

#include "base/error.hpp"
#include "base/text.hpp"
#include "runs/status.hpp"
#include "skalib/clock.hpp"
#include "supervisor/launches_table.hpp"
#include "terminal/run_table.hpp"

#include <algorithm>
#include <cstdint>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <utility>

namespace skampi {

namespace {

/// What a line should hold, or its default: lines of another kind come from other programs, and must not end
/// the work.
std::string text_in(const nlohmann::json& event, const char* key) {
    const auto found = event.find(key);
    return found != event.end() && found->is_string() ? found->get<std::string>() : std::string();
}

std::int64_t whole_number_in(const nlohmann::json& event, const char* key) {
    const auto found = event.find(key);
    return found != event.end() && found->is_number_integer() ? found->get<std::int64_t>() : 0;
}

int small_number_in(const nlohmann::json& event, const char* key) {
    return static_cast<int>(std::clamp<std::int64_t>(whole_number_in(event, key), 0, 1'000'000'000));
}

SuiteRow row_in(const nlohmann::json& event) {
    SuiteRow row;
    const auto found = event.find("row");
    for (std::size_t i = 0;
         found != event.end() && found->is_array() && i < std::min(row.size(), found->size()); ++i)
        if ((*found)[i].is_string())
            row[i] = printable((*found)[i].get<std::string>());
    return row;
}

double number_in(const nlohmann::json& event, const char* key) {
    const auto found = event.find(key);
    return found != event.end() && found->is_number() ? found->get<double>() : 0;
}

} // namespace

JobView::~JobView() {
    release();
}

std::optional<Terminal> JobView::footer_terminal() const {
    return kind_ == ProgressKind::automatic && !brief_ ? terminal_behind(out_) : std::nullopt;
}

void JobView::last_line(std::string_view line) {
    if (brief_)
        return;
    release();
    summarised_ = true;
    held_ = line;
    if (each_end_ || (!together_ && !footer_terminal()))
        release();
}

void JobView::release() {
    if (held_.empty())
        return;
    progress_.clear();
    fmt::print(out_, "{}\n", std::exchange(held_, {}));
    std::fflush(out_);
}

void JobView::job_line(std::string_view line) {
    if (line.starts_with("SKAMPI: ")) {
        last_line(line);
        return;
    }
    const auto event = nlohmann::json::parse(line, nullptr, false);
    if (!event.is_object() || text_in(event, "event").empty()) {
        progress_.clear();
        fmt::print(out_, "{}\n", line);
        std::fflush(out_);
        return;
    }
    const std::string kind = text_in(event, "event");
    if (kind == "start") {
        release();
        run_ = text_in(event, "run");
        runs_.insert(run_);
        lines_.clear();
    }
    if (kind_ == ProgressKind::json) {
        fmt::print(out_, "{}\n", line);
        std::fflush(out_);
        return;
    }
    const double now_s = skalib::steady_seconds();
    if (kind == "start")
        progress_.run_started(
            {.uuid = text_in(event, "run"),
             .suites = small_number_in(event, "suites"),
             .title = brief_ || together_ ? std::string() : text_in(event, "title"),
             .longest_name = static_cast<std::size_t>(small_number_in(event, "longest_name"))},
            now_s);
    else if (kind == "line")
        lines_.push_back(printable(text_in(event, "text")));
    else if (kind == "suite_end")
        progress_.suite_ended({.place = small_number_in(event, "place"),
                               .row = row_in(event),
                               .lines = std::exchange(lines_, {})},
                              now_s);
    else if (kind == "suite")
        progress_.suite_started(small_number_in(event, "index"), text_in(event, "suite"), now_s);
    else if (kind == "heartbeat")
        progress_.visited(whole_number_in(event, "argument"), number_in(event, "share"), now_s);
    else if (kind == "end" && !brief_ && !footer_terminal())
        if (const std::string remark =
                repeatability_remark({.points = whole_number_in(event, "points"),
                                      .not_repeatable = whole_number_in(event, "not_repeatable"),
                                      .disturbed = whole_number_in(event, "disturbed")});
            !remark.empty())
            note(remark);
}

void JobView::note(std::string_view text) {
    progress_.clear();
    fmt::print(stderr, "skampi-run: {}\n", text);
}

void JobView::step(std::string_view text) {
    if (kind_ != ProgressKind::off)
        note(text);
}

void JobView::error_line(std::string_view line) {
    if (line.find("warning: ") != std::string_view::npos && !warned_.emplace(line).second)
        return;
    progress_.clear();
    fmt::print(stderr, "{}\n", line);
}

std::string JobView::table_of_runs(const std::string& path) const {
    const Database database = Database::open(path);
    std::vector<RunId> runs;
    for (const RunId id : database.runs())
        if (runs_.contains(database.run(id).uuid))
            runs.push_back(id);
    return launches_table(database, runs);
}

void JobView::summary(const std::string& database, int status) {
    progress_.clear();
    try {
        if (const std::optional<Terminal> terminal = footer_terminal(); terminal && !run_.empty())
            fmt::print(out_, "{}", run_footer(Database::open(database), run_, terminal->columns));
        else if (together_ && !runs_.empty())
            fmt::print(out_, "{}", table_of_runs(database));
    } catch (const Error&) {
        // A problem of the file has been reported already, or does not concern the run that ended.
    }
    release();
    if (!summarised_)
        fmt::print(out_, "{}\n", summary_line(database, status, run_));
    std::fflush(out_);
}

void JobView::summary_of_all(std::string_view line) {
    progress_.clear();
    held_.clear();
    fmt::print(out_, "{}\n", line);
    std::fflush(out_);
}

} // namespace skampi
