#include "analysis/history/history_gate.hpp"

#include "base/error.hpp"
#include "base/text.hpp"
#include "skalib/statistics.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <set>
#include <utility>

namespace skampi {

namespace {

using Finding = HistoryGateFinding;
using Kind = Finding::Kind;

/// Of a series, the first run that is new.
class NewRunsOf {
public:
    /// @param history with a series
    NewRunsOf(const History& history, const NewRuns& runs)
        : last_(runs.last) {
        if (runs.since_s) {
            since_s_ = *runs.since_s;
            return;
        }
        newest_ = &*std::ranges::max_element(
            history.series, {}, [](const HistorySeries& each) { return each.runs.back().started_s; });
        const std::vector<HistoryRun>& own = newest_->runs;
        std::vector<double> between;
        for (std::size_t i = 1; i < own.size(); ++i)
            between.push_back(own[i].started_s - own[i - 1].started_s);
        const double usual_s = skalib::median(std::move(between));
        const std::size_t there = std::min(own.size(), last_);
        since_s_ = own[own.size() - there].started_s - (0.5 + static_cast<double>(last_ - there)) * usual_s;
    }
    [[nodiscard]] bool holds(const HistorySeries& series, std::size_t run) const {
        return &series == newest_ ? run + last_ >= series.runs.size()
                                  : series.runs[run].started_s >= since_s_;
    }

private:
    std::size_t last_ = 1;
    const HistorySeries* newest_ = nullptr; ///< none = all by the time
    double since_s_ = 0;
};

void add_steps(const Gate& gate, const HistorySeries& series, const HistoryLine& line, const NewRunsOf& runs,
               std::vector<Finding>& findings) {
    for (std::size_t i = 0; i < line.changes.size(); ++i) {
        const ChangePoint& change = line.changes[i];
        const double ratio = line.slowdown(change);
        if (!runs.holds(series, line.runs[change.found_at]) ||
            !(gate.above ? ratio > gate.limit : ratio < gate.limit))
            continue;
        Finding found{.gate = gate.text, .series = series.name, .line = line.name};
        if (line.explained(change)) {
            found.kind = Kind::explained;
            found.machine_ratio = line.machine[i]->machine_ratio;
        }
        found.ratio = ratio;
        found.before = line.text(change.before);
        found.after = line.text(change.after);
        found.since_utc = series.runs[line.runs[change.at]].started_utc;
        const auto event = std::ranges::find_if(series.events, [&](const HistoryEvent& each) {
            return std::ranges::find(each.steps, &change, &HistoryEvent::Step::change) != each.steps.end();
        });
        if (event != series.events.end())
            found.event = &*event;
        findings.push_back(std::move(found));
    }
}

/// @return whether the gate means any of the lines of the series
bool add_findings(const Gate& gate, const HistorySeries& series, const NewRunsOf& runs,
                  std::vector<Finding>& findings) {
    bool meant = false;
    bool too_few = false;
    for (const HistoryLine& line : series.lines) {
        if (line.unit == LineUnit::bytes)
            continue; // a length is neither slow nor fast
        if (!gate.suites.empty() && !suite_selected(line.suite, {gate.suites}))
            continue;
        meant = true;
        if (series.runs.size() < least_for_a_step) { // of all its lines it is said once
            if (!too_few)
                findings.push_back({.kind = Kind::too_few_runs,
                                    .gate = gate.text,
                                    .series = series.name,
                                    .runs = series.runs.size()});
            too_few = true;
        } else if (line.values.size() < least_for_a_step) {
            findings.push_back({.kind = Kind::too_few_values,
                                .gate = gate.text,
                                .series = series.name,
                                .line = line.name,
                                .runs = line.values.size()});
        } else {
            add_steps(gate, series, line, runs, findings);
        }
    }
    return meant;
}

/// That runs are too few is said once, whatever the gates are.
void say_once(std::vector<Finding>& findings) {
    std::set<std::pair<std::string, std::string>> said; // series, line
    std::erase_if(findings, [&](const Finding& each) {
        return (each.kind == Kind::too_few_runs || each.kind == Kind::too_few_values) &&
               !said.emplace(each.series, each.line).second;
    });
}

} // namespace

std::vector<HistoryGateFinding> check_history(const History& history, std::span<const Gate> gates,
                                              const NewRuns& runs) {
    std::vector<Finding> findings;
    if (history.series.empty())
        return findings;
    const NewRunsOf new_runs(history, runs);
    for (const Gate& gate : gates) {
        bool meant = false;
        for (const HistorySeries& series : history.series)
            meant = add_findings(gate, series, new_runs, findings) || meant;
        if (!meant)
            throw InputError(fmt::format(
                "--fail-if '{}': means no suite of these runs, expected a name or a pattern of one",
                printable(gate.text)));
    }
    say_once(findings);
    return findings;
}

} // namespace skampi
