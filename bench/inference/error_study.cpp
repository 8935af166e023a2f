// SPDX-License-Identifier: GPL-2.0-or-later
// What "settled" promises: a value's error between launches is at most what was asked for. Judged by the
// truth of invented launches, and on real ones by launches that did not settle the value.
#include "study.hpp"

#include "analysis/trust/value_error.hpp"
#include "launches/subject.hpp"
#include "merge/merge_suite.hpp"
#include "model/measured_value.hpp"
#include "skalib/statistics.hpp"
#include "store/database.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <functional>
#include <limits>
#include <map>
#include <numeric>
#include <optional>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace skampi::bench {

namespace {

/// Of the normal distribution: within so many standard errors lie 95 %.
constexpr double errors_of_95_percent = 1.96;
constexpr double promised = 0.95;
constexpr double no_goal = 1;

using Launches = std::vector<SuiteCurve>;

/// Of each argument the launches' values, in their order; not a number where a launch has none.
using Values = std::map<std::int64_t, std::vector<double>>;

Values values_of(const Launches& launches) {
    Values values;
    for (std::size_t i = 0; i < launches.size(); ++i)
        for (const Measurement& m : launches[i].measurements) {
            std::vector<double>& of_argument = values[m.argument];
            of_argument.resize(launches.size(), std::numeric_limits<double>::quiet_NaN());
            if (above_zero(m))
                of_argument[i] = m.value_s;
        }
    return values;
}

/// @param begin, end places of the launches that do not count
double median_without(std::vector<double> values, std::size_t begin, std::size_t end) {
    values.erase(values.begin() + static_cast<std::ptrdiff_t>(begin),
                 values.begin() + static_cast<std::ptrdiff_t>(end));
    std::erase_if(values, [](double value) { return std::isnan(value); });
    return skalib::median(std::move(values));
}

/// Argument -> value of the points that a group of launches settles, and of all that have a value.
struct Merged {
    std::map<std::int64_t, double> settled;
    std::map<std::int64_t, double> all;
};

Merged merged(const Launches& group, double asked) {
    Curve curve;
    curve.stored.suite.repetition.max_relative_error = asked;
    Merged found;
    for (MergedMeasurement& merged : merge_suite(group).points) {
        StoredMeasurement point;
        point.measurement = std::move(merged.measurement);
        point.merge = std::move(merged.facts);
        if (!above_zero(point.measurement))
            continue;
        found.all[point.measurement.argument] = point.measurement.value_s;
        if (settled(curve, point) == Settled::settled)
            found.settled[point.measurement.argument] = point.measurement.value_s;
    }
    return found;
}

struct Share {
    std::size_t within = 0;
    std::size_t of = 0;
    void add(bool is_within) {
        within += is_within ? 1 : 0;
        ++of;
    }
    /// Not a number where nothing was counted: no goal is reached by that.
    [[nodiscard]] double value() const { return static_cast<double>(within) / static_cast<double>(of); }
};

// --- invented launches

constexpr double asked_of_invented = 0.02;

/// A series of launches whose values scatter, and the true errors of their medians by what is asked for.
struct Invented {
    Launches launches;
    std::map<std::int64_t, double> error_by_asked; ///< by argument
};

/// @param error_by_asked of an argument
Invented invented(std::size_t launches, const std::function<double()>& error_by_asked,
                  std::mt19937_64& random) {
    constexpr int arguments = 20;
    constexpr double median_by_mean = 1.2533; // standard errors of normal values
    std::normal_distribution<double> normal;
    Invented made{Launches(launches), {}};
    for (int argument = 1; argument <= arguments; ++argument) {
        const double error = made.error_by_asked[argument] = error_by_asked();
        const double deviation =
            error * asked_of_invented * std::sqrt(static_cast<double>(launches)) / median_by_mean;
        for (std::size_t i = 0; i < launches; ++i) {
            made.launches[i].run = fmt::format("launch {}", i);
            Measurement& m = made.launches[i].measurements.emplace_back();
            m.argument = m.message_bytes = argument;
            m.value_s = m.adjusted_s = 1e-6 * std::max(0.01, 1 + deviation * normal(random));
            m.standard_error_s = 1e-9; // repeatability says nothing
            m.summary = skalib::summarise(std::vector<double>(20, m.value_s), 0.25);
        }
    }
    return made;
}

bool is_as_near_as_promised(double value_s) {
    return std::abs(value_s / 1e-6 - 1) <= errors_of_95_percent * asked_of_invented;
}

/// Each argument has an error between launches of its own, from a fifth of what is asked for to five times
/// that.
void add_invented(const StudyOptions& options, std::size_t launches, std::vector<StudyRow>& rows) {
    std::mt19937_64 random(options.seed);
    std::uniform_real_distribution<double> exponent(-std::log(5.0), std::log(5.0));
    Share right;
    Share small_found;
    for (int series = 0; series < options.series; ++series) {
        const Invented made = invented(
            launches, [&] { return std::exp(exponent(random)); }, random);
        const Merged found = merged(made.launches, asked_of_invented);
        for (const auto& [argument, value_s] : found.settled)
            right.add(is_as_near_as_promised(value_s));
        for (const auto& [argument, error] : made.error_by_asked)
            if (error <= 0.5)
                small_found.add(found.settled.contains(argument));
    }
    rows.push_back(
        {fmt::format("invented, {} launches: settled values as near to the truth as promised", launches),
         right.value(), promised, 1});
    rows.push_back(
        {fmt::format("invented, {} launches: settled where the error is half of the limit", launches),
         small_found.value(), 0.9, 1});
}

/// All arguments have an error above what is asked for: what is settled is so by chance, and no nearer to the
/// truth than what is not. A goal can only be how much of it there is.
void add_above_limit(const StudyOptions& options, std::size_t launches, double error_by_asked,
                     std::vector<StudyRow>& rows) {
    std::mt19937_64 random(options.seed);
    Share settled;
    Share right;
    for (int series = 0; series < options.series; ++series) {
        const Merged found = merged(invented(
                                        launches, [&] { return error_by_asked; }, random)
                                        .launches,
                                    asked_of_invented);
        for (const auto& [argument, value_s] : found.all)
            settled.add(found.settled.contains(argument));
        for (const auto& [argument, value_s] : found.settled)
            right.add(is_as_near_as_promised(value_s));
    }
    const std::string what =
        fmt::format("invented, {} launches, errors of {} times the limit: ", launches, error_by_asked);
    rows.push_back({what + "called settled", settled.value(), 0, no_goal});
    rows.push_back({what + "these as near as promised", right.value(), 0, no_goal});
}

// --- real launches

using Suites = std::map<std::string, Launches>;

/// The launches of a database in their order; every launch has a curve in every suite.
Suites read_launches(const std::string& path) {
    const Database database = Database::open(path);
    Suites suites;
    for (const RunId run : database.runs()) {
        const std::string uuid = database.run(run).uuid;
        for (const StoredSuite& stored : database.suites(run)) {
            SuiteCurve& curve = suites[stored.suite.name].emplace_back();
            curve.run = uuid;
            for (StoredMeasurement& each : database.measurements(stored.id))
                if (each.finished)
                    curve.measurements.push_back(std::move(each.measurement));
        }
    }
    return suites;
}

constexpr std::size_t group_size = 5;

std::vector<Launches> groups_of(const Launches& launches) {
    std::vector<Launches> groups;
    for (std::size_t begin = 0; begin + group_size <= launches.size(); begin += group_size)
        groups.emplace_back(launches.begin() + static_cast<std::ptrdiff_t>(begin),
                            launches.begin() + static_cast<std::ptrdiff_t>(begin + group_size));
    return groups;
}

struct Judged {
    Share settled;    ///< of all values
    Share next;       ///< settled values, by those of the next group
    Share all_others; ///< by the median of all other launches
};

void judge(const Launches& launches, double asked, bool with_next, Judged& judged) {
    const Values values = values_of(launches);
    std::vector<Merged> found;
    for (const Launches& group : groups_of(launches))
        found.push_back(merged(group, asked));
    for (std::size_t i = 0; i < found.size(); ++i)
        for (const auto& [argument, value_s] : found[i].all) {
            const bool is_settled = found[i].settled.contains(argument);
            judged.settled.add(is_settled);
            if (!is_settled)
                continue;
            const double truth_s = median_without(values.at(argument), i * group_size, (i + 1) * group_size);
            judged.all_others.add(std::abs(value_s / truth_s - 1) <= errors_of_95_percent * asked);
            if (!with_next || i + 1 == found.size() || !found[i + 1].all.contains(argument))
                continue;
            const double next_s = found[i + 1].all.at(argument);
            judged.next.add(std::abs(value_s / next_s - 1) <= std::sqrt(2.0) * errors_of_95_percent * asked);
        }
}

void add_real(const StudyOptions& options, std::vector<StudyRow>& rows) {
    const Suites suites = read_launches(options.database);
    std::mt19937_64 random(options.seed);
    for (const double asked : {0.01, 0.02, 0.05}) {
        Judged row;
        Judged spread;
        for (const auto& [name, launches] : suites) {
            judge(launches, asked, true, row);
            Launches shuffled = launches;
            std::ranges::shuffle(shuffled, random);
            judge(shuffled, asked, false, spread);
        }
        const std::string what = fmt::format("real, {:.0f} % asked for, five", 100 * asked);
        const auto add = [&](const std::string& text, const Share& share, double least) {
            rows.push_back({fmt::format("{} {} (of {})", what, text, share.of), share.value(), least, 1});
        };
        add("in a row: points called settled", row.settled, 0);
        add("in a row: settled values as near to the next five as promised", row.next, promised);
        add("in a row: settled values as near to all other launches as promised", row.all_others, promised);
        add("spread over the session: points called settled", spread.settled, 0);
        add("spread over the session: settled values as near to the others", spread.all_others, promised);
    }
    Share repeatable;
    for (const auto& [name, launches] : suites) {
        const Values values = values_of(launches);
        std::map<std::int64_t, double> middle_s;
        for (const auto& [argument, of_argument] : values)
            middle_s[argument] = median_without(of_argument, 0, 0);
        for (const SuiteCurve& launch : launches)
            for (const Measurement& m : launch.measurements)
                if (above_zero(m) && m.standard_error_s > 0)
                    repeatable.add(std::abs(m.value_s - middle_s.at(m.argument)) <=
                                   errors_of_95_percent * m.standard_error_s);
    }
    rows.push_back({"real: launches within 1.96 of their own repeatability (it promises nothing of others)",
                    repeatable.value(), 0, no_goal});
}

} // namespace

std::vector<StudyRow> error_study(const StudyOptions& options) {
    std::vector<StudyRow> rows;
    for (const std::size_t launches : {5, 10, 20})
        add_invented(options, launches, rows);
    for (const std::size_t launches : {5, 10, 20})
        for (const double error_by_asked : {1.25, 1.8, 2.5})
            add_above_limit(options, launches, error_by_asked, rows);
    if (!options.database.empty())
        add_real(options, rows);
    return rows;
}

} // namespace skampi::bench
