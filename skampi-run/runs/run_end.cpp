// SPDX-License-Identifier: LGPL-2.1-or-later
#include "runs/run_end.hpp"

#include "base/text.hpp"
#include "base/utc.hpp"
#include "model/field_text.hpp"
#include "model/quantity.hpp"
#include "model/run.hpp"
#include "model/series.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>

namespace skampi {
namespace {

/// Why a point has no value, and which points that are.
struct Without {
    const char* why;
    bool (*applies)(const Measurement&);
    std::size_t count = 0;
    std::vector<std::string> places = {};
};

/// "MPI_Bcast at 8 KiB"
std::string place_of(const Suite& suite, const Measurement& measurement) {
    const std::string name = printable(shortened_name(suite.name, 40));
    return suite.varied == Varied::none ? name
           : suite.varied == Varied::message_length
               ? fmt::format("{} at {}", name, format_length(measurement.argument))
               : fmt::format("{} at {}", name, measurement.argument);
}

/// The first reason that applies is that of a point.
std::array<Without, 3> reasons() {
    return {
        {{"the time was over", [](const Measurement& m) { return has(m.flags, Flag::timed_out); }},
         {"no single measurement could be kept", [](const Measurement& m) { return m.summary.count == 0; }},
         {"nothing was left once the overhead was subtracted", [](const Measurement&) { return true; }}}};
}

std::string line_of(const Without& without, std::int64_t points) {
    constexpr std::size_t most = 3;
    std::vector<std::string> places = without.places;
    if (places.size() > most) {
        places.resize(most);
        places.push_back(fmt::format("{} more", without.count - most));
    }
    return fmt::format("{} of {} {} no value ({}): {}", without.count, count_of(points, "point"),
                       without.count == 1 ? "has" : "have", without.why, enumeration(places));
}

} // namespace

std::vector<std::string> unfinished_suites(const Database& database, RunId run) {
    std::vector<std::string> lines;
    for (const StoredSuite& suite : database.suites(run))
        if (suite.state != SuiteState::finished)
            lines.push_back(
                fmt::format("suite \"{}\" failed: {}", printable(suite.suite.name), printable(suite.reason)));
    return lines;
}

std::vector<std::string> missing_values(const Database& database, RunId run) {
    std::array<Without, 3> without = reasons();
    std::int64_t points = 0;
    std::int64_t wrong = 0;
    std::int64_t impossible = 0;
    std::int64_t left_out = 0;
    for (const StoredSuite& suite : database.suites(run)) {
        if (const auto fact = suite.facts.find(fact_left_out); fact != suite.facts.end())
            left_out += integer_from(fact->second).value_or(0);
        for (const StoredMeasurement& each : database.measurements(suite.id)) {
            if (has(each.measurement.flags, Flag::wrong_result))
                ++wrong;
            if (!each.finished) {
                impossible += suite.state == SuiteState::finished ? 1 : 0;
                continue;
            }
            ++points;
            if (!std::isnan(each.measurement.value_s) || has(each.measurement.flags, Flag::wrong_result))
                continue;
            Without& reason = *std::ranges::find_if(
                without, [&](const Without& known) { return known.applies(each.measurement); });
            ++reason.count;
            reason.places.push_back(place_of(suite.suite, each.measurement));
        }
    }
    std::vector<std::string> lines;
    if (wrong > 0)
        lines.push_back(count_of(wrong, "point") + " received wrong data and no time");
    if (impossible > 0)
        lines.push_back(count_of(impossible, "argument") + " could not be measured; see the warnings");
    for (const Without& each : without)
        if (each.count > 0)
            lines.push_back(line_of(each, points));
    if (left_out > 0 && !database.run(run).session_place.known()) // a session sums up
        lines.push_back(fmt::format(
            "no time was left for {} of {}: other programs use the cores, or the suites need more "
            "time (Time_Suite)",
            left_out, count_of(points + impossible + left_out, "point")));
    return lines;
}

void drop_old_samples(Database& database, const Run& newest, int keep) {
    const Series series(newest);
    std::vector<RunId> runs = database.runs();
    std::ranges::reverse(runs);
    const int wanted = keep;
    for (const RunId id : runs) {
        Run run = database.run(id);
        if (run.kind != "raw" || run.ended_utc.empty() || Series(run) != series ||
            run.facts.contains(fact_samples) || keep-- > 0)
            continue;
        database.in_one_commit([&] {
            for (const StoredSuite& suite : database.suites(id))
                database.drop_samples(suite.id);
            run.facts[fact_samples] = fmt::format("removed {} (--keep-samples {})", utc_now(), wanted);
            database.update_run(id, run);
        });
    }
}

} // namespace skampi
