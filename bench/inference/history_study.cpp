// SPDX-License-Identifier: GPL-2.0-or-later
// A history that is looked at after every run: false alarms of a year, steps that are found, drifts.
#include "analysis/history/change_point.hpp"
#include "analysis/history/drift.hpp"
#include "analysis/history/history.hpp"
#include "history/history_record.hpp"
#include "study.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <numbers>
#include <numeric>
#include <random>
#include <vector>

namespace skampi::bench {

namespace {

using Random = std::mt19937_64;
constexpr std::size_t year = 365;

/// How the lines of a series are invented.
struct Line {
    std::size_t runs = year;
    double noise = 0.02;
    double correlation = 0;   ///< of neighbouring runs
    bool heavy_tails = false; ///< Student's t with three degrees of freedom, scaled to the same noise
    double stay = 0;          ///< runs in one of two states, on average; 0 = one state
    double distance = 0;      ///< of the states
    double drift = 0;         ///< per 100 runs
    double season = 0;        ///< amplitude, once a year
    std::size_t step_at = 0;  ///< 0 = none
    double step = 0;
};

LineOverRuns invented(const Line& line, Random& random) {
    std::normal_distribution<double> normal;
    std::student_t_distribution<double> heavy(3);
    std::uniform_real_distribution<double> uniform;
    const auto deviate = [&] {
        return line.heavy_tails ? heavy(random) / std::numbers::sqrt3 : normal(random);
    };
    LineOverRuns made;
    double noise = deviate();
    bool slow = false;
    for (std::size_t run = 0; run < line.runs; ++run) {
        const auto time = static_cast<double>(run);
        noise = line.correlation * noise + std::sqrt(1 - line.correlation * line.correlation) * deviate();
        if (line.stay > 0 && uniform(random) < 1 / line.stay)
            slow = !slow;
        double level = line.noise * noise + std::log1p(line.drift) * time / 100 +
                       line.season * std::sin(2 * std::numbers::pi * time / year);
        if (slow)
            level += std::log1p(line.distance);
        if (line.step_at > 0 && run >= line.step_at)
            level += std::log1p(line.step);
        made.runs.push_back(run);
        made.values.push_back(1e-6 * std::exp(level));
    }
    return made;
}

/// The share of years in which any line has a step.
double years_with_steps(const Line& line, int lines, const StudyOptions& options) {
    Random random(options.seed);
    int alarms = 0;
    for (int i = 0; i < options.series; ++i) {
        std::vector<LineOverRuns> all;
        for (int each = 0; each < lines; ++each)
            all.push_back(invented(line, random));
        const auto changes = find_changes(all);
        alarms += std::ranges::any_of(changes, [](const auto& each) { return !each.empty(); }) ? 1 : 0;
    }
    return static_cast<double>(alarms) / options.series;
}

/// In which share of series a step of the first line is found within so many runs, not before it came.
double found_within(const Line& line, int lines, std::size_t within, const StudyOptions& options) {
    Random random(options.seed);
    Line quiet = line;
    quiet.step = 0;
    int found = 0;
    for (int i = 0; i < options.series; ++i) {
        std::vector<LineOverRuns> all{invented(line, random)};
        for (int each = 1; each < lines; ++each)
            all.push_back(invented(quiet, random));
        found += std::ranges::any_of(find_changes(all).front(),
                                     [&](const ChangePoint& change) {
                                         return change.found_at >= line.step_at &&
                                                change.found_at < line.step_at + within;
                                     })
                     ? 1
                     : 0;
    }
    return static_cast<double>(found) / options.series;
}

/// How many of the drifts of lines that drift are stated, and cover the truth; and in how many lines without
/// one a drift is stated.
struct Drifts {
    double stated = 0;
    double covered = 0;
    double false_ones = 0;
};

Drifts drifts_of(const Line& line, const StudyOptions& options) {
    Random random(options.seed);
    Line still = line;
    still.drift = 0;
    const auto drift_of = [&](const Line& each) { return find_drift(invented(each, random).values, 0, 1); };
    Drifts drifts;
    for (int i = 0; i < options.series; ++i) {
        if (const auto drift = drift_of(line)) {
            ++drifts.stated;
            drifts.covered += drift->low <= line.drift && line.drift <= drift->high ? 1 : 0;
        }
        drifts.false_ones += drift_of(still) ? 1 : 0;
    }
    drifts.covered /= std::max(1.0, drifts.stated);
    drifts.stated /= options.series;
    drifts.false_ones /= options.series;
    return drifts;
}

void add_simulations(const StudyOptions& options, std::vector<StudyRow>& rows) {
    constexpr double most_alarms = 0.1;
    constexpr double least_found = 0.8;
    constexpr int many = 30;
    // Many lines take long; a share of 10 % needs fewer of them.
    StudyOptions fewer = options;
    fewer.series = std::max(1, options.series / 10);
    const auto of_lines = [&](int lines) -> const StudyOptions& { return lines == 1 ? options : fewer; };
    for (const int lines : {1, many})
        for (const double correlation : {0.0, 0.3, 0.5, 0.7})
            rows.push_back(
                {fmt::format("years of 365 looks with a false step, {} of {}, autocorrelation {}",
                             of_lines(lines).series, lines == 1 ? "1 line" : "30 lines", correlation),
                 years_with_steps({.correlation = correlation}, lines, of_lines(lines)), 0, most_alarms});
    const auto alarms = [&](const char* what, const Line& line) {
        rows.push_back({fmt::format("years of 365 looks with a false step, {}", what),
                        years_with_steps(line, 1, options), 0, most_alarms});
    };
    alarms("t3, autocorrelation 0", {.heavy_tails = true});
    alarms("t3, autocorrelation 0.5", {.correlation = 0.5, .heavy_tails = true});
    alarms("up and down by 0.7 % once a year", {.correlation = 0.2, .season = 0.007});
    alarms("two states 10 % apart for 2 runs each", {.stay = 2, .distance = 0.1});
    alarms("two states 50 % apart for 5 runs each", {.stay = 5, .distance = 0.5});
    alarms("two states 50 % apart for 15 runs each", {.stay = 15, .distance = 0.5});
    alarms("drift of 10 % in 100 runs, autocorrelation 0", {.drift = 0.1});
    alarms("drift of 10 % in 100 runs, autocorrelation 0.5", {.correlation = 0.5, .drift = 0.1});
    for (const int lines : {1, many})
        for (const double noise : {0.02, 0.03})
            for (const double correlation : {0.0, 0.3, 0.5, 0.7})
                rows.push_back(
                    {fmt::format(
                         "step of 5 % in one of {}, 120 runs before: found within 20 runs, noise {} %, "
                         "autocorrelation {}",
                         lines == 1 ? "1 line" : "30 lines", 100 * noise, correlation),
                     found_within({.runs = 140,
                                   .noise = noise,
                                   .correlation = correlation,
                                   .step_at = 120,
                                   .step = 0.05},
                                  lines, 20, of_lines(lines)),
                     least_found});
    for (const double correlation : {0.0, 0.5}) {
        const Drifts drifts = drifts_of({.correlation = correlation, .drift = 0.1}, options);
        const std::string of = fmt::format("drift of 10 % in 100 runs, autocorrelation {}: ", correlation);
        rows.push_back({of + "stated after a year", drifts.stated, 0.95});
        rows.push_back({of + "its 95 % interval covers it", drifts.covered, 0.92, 0.98});
        rows.push_back({of + "stated where there is none", drifts.false_ones, 0, 0.02});
    }
}

/// Real launches as runs in an order drawn by chance: no step can be in them but what is put there.
class ShuffledLaunches {
public:
    explicit ShuffledLaunches(const std::string& path) {
        (void)for_each_record(
            path, {}, [](const std::string&) {},
            [&](RunRecord&& record) {
                record.launches.clear();
                records_.push_back(std::move(record));
            });
    }
    [[nodiscard]] std::size_t size() const { return records_.size(); }
    /// @param step of MPI_Bcast and all else from `at` on
    [[nodiscard]] History shuffled(Random& random, std::size_t at, double step) const {
        std::vector<std::size_t> order(records_.size());
        std::iota(order.begin(), order.end(), 0);
        std::ranges::shuffle(order, random);
        HistoryBuilder builder;
        for (std::size_t i = 0; i < order.size(); ++i) {
            RunRecord record = records_[order[i]];
            record.run.started_s = static_cast<double>(i);
            for (RunRecord::Suite& suite : record.suites)
                std::erase_if(suite.values, [](const HistoryValue& each) { return each.headline; });
            for (RunRecord::Suite& suite : record.suites)
                for (HistoryValue& value : suite.values)
                    value.value *= i < at ? 1 : 1 + step;
            builder.add(std::move(record));
        }
        return builder.finished();
    }

private:
    std::vector<RunRecord> records_;
};

void add_real_launches(const StudyOptions& options, std::vector<StudyRow>& rows) {
    const ShuffledLaunches launches(options.database);
    constexpr std::size_t behind = 20;
    if (launches.size() < 2 * least_for_a_step)
        return;
    Random random(options.seed);
    const int orders = std::max(1, options.series / 20);
    double alarms = 0;
    double found = 0;
    double lines = 0;
    std::size_t line_count = 0;
    for (int i = 0; i < orders; ++i) {
        const History still = launches.shuffled(random, launches.size(), 0);
        alarms += std::ranges::any_of(still.series.front().lines,
                                      [](const HistoryLine& each) { return !each.steps.empty(); })
                      ? 1
                      : 0;
        const std::size_t at = launches.size() - behind;
        const History stepped = launches.shuffled(random, at, 0.05);
        line_count = stepped.series.front().lines.size();
        for (const HistoryLine& each : stepped.series.front().lines) {
            ++lines;
            found += std::ranges::any_of(each.steps,
                                         [&](const ChangePoint& step) {
                                             return step.found_at + behind >= each.values.size();
                                         })
                         ? 1
                         : 0;
        }
    }
    rows.push_back(
        {fmt::format("{} real launches as runs in {} orders drawn by chance, {} lines: a false step",
                     launches.size(), orders, line_count),
         alarms / orders, 0, 0.1});
    rows.push_back(
        {fmt::format("the same, all lines 5 % slower in the last {} runs: a line's step is found", behind),
         found / lines});
}

} // namespace

std::vector<StudyRow> history_study(const StudyOptions& options) {
    std::vector<StudyRow> rows;
    if (options.database.empty())
        add_simulations(options, rows);
    else
        add_real_launches(options, rows);
    return rows;
}

} // namespace skampi::bench
