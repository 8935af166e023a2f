// SPDX-License-Identifier: LGPL-2.1-or-later
#include "terminal/progress.hpp"

#include "base/text.hpp"
#include "base/utf8.hpp"
#include "model/quantity.hpp"
#include "terminal/terminal.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <unistd.h>
#include <utility>

namespace skampi {
namespace {

constexpr double interval_s = 1;

std::string shortened_line(const std::string& text, int columns) {
    const auto room = static_cast<std::size_t>(std::max(columns, 4));
    return character_count(text) <= room ? text : shortened(text, room - 3);
}

std::string clock_text(double seconds) {
    const auto whole = static_cast<long>(std::lround(seconds));
    return whole >= 3600 ? fmt::format("{}:{:02}:{:02}", whole / 3600, whole / 60 % 60, whole % 60)
                         : fmt::format("{}:{:02}", whole / 60, whole % 60);
}

} // namespace

Progress::Progress(ProgressKind kind, std::FILE* out)
    : kind_(kind)
    , out_(out)
    , bar_out_(kind == ProgressKind::automatic ? output_of_bar(kind, out) : out)
    , shows_table_(kind == ProgressKind::automatic)
    , writes_lines_(writes_lines(kind, out)) {
    if (kind_ == ProgressKind::automatic)
        kind_ = bar_out_ ? ProgressKind::bar : ProgressKind::off;
}

Progress::~Progress() {
    if (!waiting_.empty())
        std::fputs(waiting_.c_str(), out_);
    clear();
    std::fflush(out_);
}

void Progress::clear() {
    if (drawn_) {
        std::fputs(clear_line, bar_out_);
        std::fflush(bar_out_); // before output to standard error
    }
    drawn_ = false;
}

void Progress::line(std::string text, double now_s, bool at_once) {
    waiting_ += std::move(text);
    if (!at_once && now_s - last_output_s_ < interval_s)
        return;
    std::fputs(waiting_.c_str(), out_);
    std::fflush(out_);
    waiting_.clear();
    last_output_s_ = now_s;
}

void Progress::run_started(const Start& start, double now_s) {
    suites_ = start.suites;
    begin_s_ = now_s;
    if (kind_ == ProgressKind::json) {
        const nlohmann::json event = {{"event", "start"},
                                      {"run", start.uuid},
                                      {"suites", start.suites},
                                      {"pid", getpid()},
                                      {"title", to_valid_utf8(start.title)},
                                      {"longest_name", start.longest_name}};
        line(event.dump() + "\n", now_s, true);
    }
    if (!shows_table_ || start.title.empty() || run_ == start.uuid) // or a job continues it
        return;
    clear();
    run_ = start.uuid;
    shown_.clear();
    if (writes_lines_) {
        if (!std::exchange(has_header_, true))
            std::fputs((point_header() + "\n").c_str(), out_);
    } else {
        const int columns = terminal_behind(out_).value_or(Terminal{}).columns;
        table_.emplace(start.longest_name, columns);
        const std::string title = shortened_line(printable(start.title), columns);
        std::fputs((title + "\n" + table_->header()).c_str(), out_);
    }
    std::fflush(out_);
}

void Progress::suite_ended(const SuiteResult& result, double now_s) {
    if (kind_ == ProgressKind::json) {
        for (const std::string& point : result.lines) {
            const nlohmann::json event = {{"event", "line"}, {"text", to_valid_utf8(point)}};
            line(event.dump() + "\n", now_s, false);
        }
        nlohmann::json cells = nlohmann::json::array();
        for (const std::string& cell : result.row)
            cells.push_back(to_valid_utf8(cell));
        const nlohmann::json event = {
            {"event", "suite_end"}, {"place", result.place}, {"row", std::move(cells)}};
        line(event.dump() + "\n", now_s, true);
    }
    if (run_.empty() || !shown_.insert(result.place).second)
        return;
    clear();
    if (table_)
        std::fputs(table_->lines(result.row, result.place).c_str(), out_);
    else
        for (const std::string& point : result.lines)
            std::fputs((point + "\n").c_str(), out_);
    std::fflush(out_);
}

void Progress::suite_started(int index, const std::string& name, double now_s) {
    if (!begun_) {
        done_before_ = index;
        begun_ = true;
    }
    suite_ = index;
    suite_name_ = name;
    share_ = 0;
    if (kind_ == ProgressKind::json) {
        const nlohmann::json event = {{"event", "suite"}, {"suite", to_valid_utf8(name)}, {"index", index}};
        line(event.dump() + "\n", now_s, true);
    }
    draw(now_s);
}

void Progress::visited(std::int64_t argument, double share, double now_s) {
    share_ = std::clamp(share, share_, 1.0);
    if (kind_ == ProgressKind::json && now_s - last_output_s_ >= interval_s) {
        const nlohmann::json event = {{"event", "heartbeat"}, {"argument", argument}, {"share", share_}};
        line(event.dump() + "\n", now_s, true);
    }
    draw(now_s);
}

void Progress::measured(const std::string& suite, const Measurement& m, double now_s) {
    if (kind_ == ProgressKind::json) {
        const nlohmann::json event = {{"event", "point"},         {"suite", to_valid_utf8(suite)},
                                      {"argument", m.argument},   {"value_s", m.value_s},
                                      {"count", m.summary.count}, {"flags", flag_words(m.flags)}};
        line(event.dump() + "\n", now_s, false);
    }
}

void Progress::run_ended(std::int64_t points, std::int64_t not_repeatable, std::int64_t disturbed,
                         std::int64_t failed, int exit_status) {
    if (kind_ == ProgressKind::json) {
        const nlohmann::json event = {
            {"event", "end"},         {"points", points}, {"not_repeatable", not_repeatable},
            {"disturbed", disturbed}, {"failed", failed}, {"exit_status", exit_status}};
        line(event.dump() + "\n", last_output_s_, true);
    }
}

void Progress::draw(double now_s) {
    if (kind_ != ProgressKind::bar || (drawn_ && now_s - last_output_s_ < interval_s) || suites_ == 0)
        return;
    last_output_s_ = now_s;
    drawn_ = true;
    // What a supervisor reads need not fit together.
    const double done = std::clamp((suite_ + share_) / suites_, 0.0, 1.0);
    const double done_here = std::clamp((suite_ + share_ - done_before_) / suites_, 0.0, 1.0);
    const double left_s = done_here > 0.01 ? (now_s - begin_s_) * (1 - done) / done_here : 0;
    const std::string place =
        fmt::format("{:3.0f} %  suite {}/{} {}", 100 * done, suite_ + 1, suites_, printable(suite_name_));
    const std::string left = done_here > 0.01 ? clock_text(left_s) + " left" : "";
    const Terminal terminal =
        terminal_behind(bar_out_).value_or(Terminal{}); // it may have another width by now
    std::fputs((clear_line + bar_line(done, place, left, terminal.columns)).c_str(), bar_out_);
    std::fflush(bar_out_);
}

} // namespace skampi
