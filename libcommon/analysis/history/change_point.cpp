// SPDX-License-Identifier: LGPL-2.1-or-later
#include "analysis/history/change_point.hpp"

#include "analysis/history/two_states.hpp"
#include "skalib/statistics.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace skampi {

namespace {

/// One line while its history is looked at run by run.
struct Watched {
    const LineOverRuns* line = nullptr;
    StepDetector detector;
    std::size_t next = 0; ///< value
    std::vector<ChangePoint> changes;
};

/// What the lines have in common in the correlation of neighbouring runs, as the expectation for each: as
/// much as they agree in it beyond what chance makes of so many values.
UsualCorrelation usual_correlation(const std::vector<Watched*>& lines) {
    UsualCorrelation usual;
    double values = usual.weight;
    double sum = usual.weight * usual.correlation;
    std::vector<StepDetector::Correlation> all;
    for (const Watched* each : lines)
        if (const auto own = each->detector.correlation()) {
            all.push_back(*own);
            values += own->count;
            sum += own->count * own->found;
        }
    constexpr std::size_t least_lines = 3;
    if (all.size() < least_lines)
        return usual;
    usual.correlation = sum / values;
    double squares = 0;
    double by_chance = 0;
    const auto count = static_cast<double>(all.size());
    for (const StepDetector::Correlation& each : all) {
        squares += (each.found - usual.correlation) * (each.found - usual.correlation) / (count - 1);
        by_chance += (1 - usual.correlation * usual.correlation) / each.count / count;
    }
    const double differ = std::max(squares - by_chance, 0.1 * by_chance);
    usual.weight = std::min((1 - usual.correlation * usual.correlation) / differ, values - values / count);
    return usual;
}

/// Which of the lines have a step, as far as their evidence says: Benjamini and Hochberg with e-values.
/// @param lines that got a value  @param count of lines that are watched
void choose(std::vector<Watched*>& lines, std::size_t count) {
    std::ranges::sort(lines, std::greater{},
                      [](const Watched* each) { return each->detector.log_evidence(); });
    const double wanted = std::log(average_run_length * static_cast<double>(count));
    std::size_t chosen = 0;
    for (std::size_t k = 1; k <= lines.size(); ++k)
        if (lines[k - 1]->detector.log_evidence() >= wanted - std::log(static_cast<double>(k)))
            chosen = k;
    lines.resize(chosen);
}

/// Where the values are nearest to two levels: what came later says more about the place than what was known
/// when the step was found.
std::size_t placed(std::span<const double> values, std::size_t begin, std::size_t at, std::size_t end) {
    constexpr std::size_t reach = 8;
    const auto median_of = [&](std::size_t from, std::size_t to) {
        return skalib::median({values.begin() + static_cast<std::ptrdiff_t>(from),
                               values.begin() + static_cast<std::ptrdiff_t>(to)});
    };
    const double before = median_of(std::max(begin, at - std::min(at, change_window)), at);
    const double after = median_of(at, std::min(end, at + change_window));
    const std::size_t first = std::max(begin + 1, at - std::min(at, reach));
    const std::size_t last = std::min(end - 1, at + reach);
    double sum = 0;
    double least = 0;
    std::size_t best = first;
    for (std::size_t place = first; place < last; ++place) { // the value at `place` goes to the level before
        sum += std::fabs(values[place] - before) - std::fabs(values[place] - after);
        if (sum < least) {
            least = sum;
            best = place + 1;
        }
    }
    return best;
}

/// @param before,after values on either side of the change, whose levels are known
Statement statement_of(const ChangePoint& change, std::span<const double> before,
                       std::span<const double> after) {
    std::vector<double> deviations;
    for (const double each : before)
        deviations.push_back(std::log(each / change.before));
    for (const double each : after)
        deviations.push_back(std::log(each / change.after));
    const LineNoise noise = noise_of(deviations);
    constexpr double of_medians = 1.571; // their variance, by that of means
    constexpr double tail = 0.025;
    const double variance = of_medians *
                            (1 / static_cast<double>(before.size()) + 1 / static_cast<double>(after.size())) *
                            (1 + noise.correlation) / (1 - noise.correlation);
    const double reach = std::sqrt(variance) * noise.scale *
                         skalib::student_upper_quantile(static_cast<double>(deviations.size()) - 2, tail);
    const double ratio = change.after / change.before;
    Statement statement;
    statement.verdict = ratio > 1 ? Verdict::slower : Verdict::faster;
    statement.ratio = ratio;
    statement.low = ratio * std::exp(-reach);
    statement.high = ratio * std::exp(reach);
    statement.error = 2 * tail;
    statement.reference = before.size();
    statement.subject = after.size();
    return statement;
}

void measure(std::vector<ChangePoint>& changes, std::span<const double> values) {
    for (std::size_t i = 0; i < changes.size(); ++i)
        changes[i].at =
            std::min(changes[i].found_at, placed(values, i == 0 ? 0 : changes[i - 1].at, changes[i].at,
                                                 i + 1 < changes.size() ? changes[i + 1].at : values.size()));
    for (std::size_t i = 0; i < changes.size(); ++i) {
        ChangePoint& change = changes[i];
        const std::size_t begin = i == 0 ? 0 : changes[i - 1].at;
        const std::size_t end = i + 1 < changes.size() ? changes[i + 1].at : values.size();
        const auto before = values.first(change.at).last(std::min(change.at - begin, change_window));
        const auto after = values.subspan(change.at, std::min(end - change.at, change_window));
        const Levels levels = levels_beside(before, after);
        change.before = levels.before;
        change.after = levels.after;
        change.statement = statement_of(change, before, after);
    }
}

} // namespace

std::vector<std::vector<ChangePoint>> find_changes(std::span<const LineOverRuns> lines) {
    std::vector<Watched> all;
    std::size_t runs = 0;
    for (const LineOverRuns& line : lines) {
        all.push_back({&line, {}, 0, {}});
        if (!line.runs.empty())
            runs = std::max(runs, line.runs.back() + 1);
    }
    std::vector<Watched*> looked_at;
    for (std::size_t run = 0; run < runs; ++run) {
        looked_at.clear();
        std::size_t count = 0;
        for (Watched& each : all) {
            if (each.next < each.line->runs.size() && each.line->runs[each.next] == run) {
                each.detector.add(each.line->values[each.next++]);
                looked_at.push_back(&each);
            }
            count += each.detector.ready() ? 1 : 0;
        }
        const UsualCorrelation usual = usual_correlation(looked_at);
        for (Watched* each : looked_at)
            each->detector.look(usual);
        choose(looked_at, count);
        for (Watched* each : looked_at)
            if (const auto step = each->detector.step()) {
                each->changes.push_back({step->at, each->next - 1, step->strength});
                each->detector.accept(*step);
            }
    }
    std::vector<std::vector<ChangePoint>> changes;
    for (Watched& each : all) {
        measure(each.changes, each.line->values);
        changes.push_back(std::move(each.changes));
    }
    return changes;
}

std::vector<ChangePoint> find_changes(std::span<const double> values) {
    LineOverRuns line;
    line.runs.resize(values.size());
    std::iota(line.runs.begin(), line.runs.end(), 0);
    line.values.assign(values.begin(), values.end());
    return find_changes(std::span(&line, 1)).front();
}

} // namespace skampi
