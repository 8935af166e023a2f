// SPDX-License-Identifier: GPL-2.0-or-later
#include "site/intake.hpp"

#include "base/error.hpp"
#include "base/text.hpp"
#include "base/utc.hpp"
#include "merge/run_group.hpp"
#include "model/measured_value.hpp"
#include "store/database.hpp"

#include <chrono>
#include <cmath>
#include <fmt/format.h>

namespace skampi {

namespace {

// Beyond what machines do by an order of magnitude or more.
constexpr int most_ranks = 100'000'000;
constexpr double most_bytes_per_s = 1e14; ///< caches of one core reach 1e12
constexpr double shortest_call_s = 1e-11; ///< a cycle takes 2e-10
constexpr double longest_call_s = 1e7;

double now_s() {
    return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
}

/// Why a run is refused; empty = it is possible.
std::string wrong_with(const Run& run) {
    if (is_imported(run))
        return "it was imported from a text, expected what skampi-run or skampi-merge wrote";
    if (run.uuid.empty() || run.plan_hash.empty())
        return "it does not say which run it is, or of which plan";
    if (run.ranks < 1 || run.ranks > most_ranks || std::ssize(run.rank_facts) > run.ranks)
        return fmt::format("it has {} ranks and the facts of {}", run.ranks, run.rank_facts.size());
    const std::optional<double> begin_s = utc_seconds(run.started_utc);
    const std::optional<double> end_s = utc_seconds(run.ended_utc);
    constexpr double day_s = 86400;
    constexpr double first_s = 1.0e9; // 2001
    if (!begin_s || *begin_s < first_s || *begin_s > now_s() + day_s)
        return fmt::format("it began at \"{}\", expected a time since 2001", printable(run.started_utc));
    if (!run.ended_utc.empty() && (!end_s || *end_s < *begin_s || *end_s > now_s() + day_s))
        return fmt::format("it began at {} and ended at \"{}\"", run.started_utc, printable(run.ended_utc));
    return {};
}

std::string wrong_with(const Suite& suite, const Measurement& m) {
    const std::string at = fmt::format("at argument {}", m.argument);
    if (suite.varied != Varied::none &&
        (m.argument < suite.arguments.start || (!suite.end_is_max && m.argument > suite.arguments.end)))
        return fmt::format("a value {}, expected {} to {} as planned", at, suite.arguments.start,
                           suite.arguments.end);
    if (!has_value(m))
        return {};
    if (!std::isfinite(m.value_s) || std::fabs(m.value_s) > longest_call_s ||
        (m.value_s > 0 && m.value_s < shortest_call_s))
        return fmt::format("{} s {}, which no machine takes", m.value_s, at);
    if (m.value_s > 0 && static_cast<double>(m.message_bytes) > most_bytes_per_s * m.value_s)
        return fmt::format("{} bytes in {} s, which no machine moves", m.message_bytes, m.value_s);
    if (m.summary.count < 1 || m.summary.minimum > m.summary.maximum)
        return fmt::format("{} single measurements from {} to {} s {}", m.summary.count, m.summary.minimum,
                           m.summary.maximum, at);
    return {};
}

} // namespace

std::set<std::string> uuids_in(const std::string& path) {
    std::set<std::string> uuids;
    const Database database = Database::open(path);
    for (const RunId id : database.runs()) {
        const Run run = database.run(id);
        uuids.insert(run.uuid);
        for (const MergedSource& source : run.sources)
            uuids.insert(source.uuid);
    }
    return uuids;
}

void check_as_strangers(const std::string& path) {
    const Database database = Database::open(path);
    database.check_integrity();
    const auto refuse_if = [&](const std::string& wrong) {
        if (!wrong.empty())
            throw InputError(fmt::format("{}: {}", printable(path), wrong));
    };
    std::int64_t values = 0;
    for (const RunId id : database.runs()) {
        const Run run = database.run(id);
        refuse_if(wrong_with(run));
        for (const StoredSuite& stored : database.suites(id))
            database.for_each_measurement(stored.id, [&](StoredMeasurement&& point) {
                ++values;
                if (const std::string wrong = wrong_with(stored.suite, point.measurement); !wrong.empty())
                    refuse_if(fmt::format("suite \"{}\" has {}", printable(stored.suite.name), wrong));
            });
    }
    refuse_if(values == 0 ? "has no value" : "");
}

} // namespace skampi
