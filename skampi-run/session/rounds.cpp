// SPDX-License-Identifier: LGPL-2.1-or-later
#include "session/rounds.hpp"

#include "base/utc.hpp"
#include "model/field_text.hpp"
#include "model/run.hpp"
#include "runs/earlier_launches.hpp"

#include <algorithm>
#include <optional>
#include <utility>

namespace skampi {
namespace {

constexpr int tries_of_launch = 2;
constexpr int rounds_to_give_up = 3;
/// A launch begins before its run does: the time until the next run is its own, unless the user paused.
constexpr double longest_start_s = 15;

/// From its begin to its end, or, where the system's clock was set meanwhile, what its suites took.
double duration_s(const Run& run, double started_s, double ended_s) {
    const auto suites_ns = run.facts.find(fact_suites_ns);
    const double by_dates_s = std::max(ended_s - started_s, 0.0);
    if (suites_ns == run.facts.end())
        return by_dates_s;
    const double suites_s = 1e-9 * real_from(suites_ns->second).value_or(0);
    return by_dates_s < suites_s || by_dates_s > suites_s + longest_start_s ? suites_s : by_dates_s;
}

} // namespace

SessionProgress progress_of_session(const Database& database, const std::string& session_uuid) {
    SessionProgress progress;
    std::optional<double> last_end_s;
    for (const EndedLaunch& launch : launches_of_session(database, session_uuid)) {
        progress.done.emplace(launch.place.round, launch.run.variant);
        const std::optional<double> started_s = utc_seconds(launch.run.started_utc);
        const std::optional<double> ended_s = utc_seconds(launch.run.ended_utc);
        progress.last_start_s = std::max(progress.last_start_s, started_s.value_or(0));
        if (!started_s || !ended_s)
            continue;
        const double before_s = last_end_s ? *started_s - *last_end_s : 0;
        progress.launches_s += duration_s(launch.run, *started_s, *ended_s) +
                               (before_s > 0 && before_s <= longest_start_s ? before_s : 0);
        last_end_s = ended_s;
    }
    for (const SessionFailure& failure : database.session_failures(session_uuid))
        ++progress.failures[{failure.round, failure.variant}];
    return progress;
}

Rounds::Rounds(const Session& session, SessionProgress progress)
    : session_(session)
    , progress_(std::move(progress)) {}

bool Rounds::lacks(int round, const std::string& variant) const {
    const auto failures = progress_.failures.find({round, variant});
    return failures != progress_.failures.end() && failures->second >= tries_of_launch &&
           !progress_.done.contains({round, variant});
}

bool Rounds::is_given_up(const std::string& variant) const {
    if (session_.decides && lacks(1, variant))
        return true; // it never started, and a user waits for the answer
    int in_a_row = 0;
    for (int round = 1; round <= round_ && in_a_row < rounds_to_give_up; ++round)
        in_a_row = lacks(round, variant) ? in_a_row + 1 : 0;
    return in_a_row >= rounds_to_give_up;
}

std::vector<std::string> Rounds::given_up() const {
    std::vector<std::string> names;
    for (const Variant& variant : session_.variants)
        if (is_given_up(variant.name))
            names.push_back(variant.name);
    return names;
}

bool Rounds::lives(std::size_t variant) const {
    const std::string& name = session_.variants[variant].name;
    return !left_.contains(name) && !is_given_up(name);
}

std::size_t Rounds::living() const {
    std::size_t living = 0;
    for (std::size_t variant = 0; variant < session_.variants.size(); ++variant)
        living += lives(variant) ? 1 : 0;
    return living;
}

std::optional<DueLaunch> Rounds::next() {
    for (; round_ <= session_.most_rounds; ++round_) {
        const std::vector<std::size_t> order =
            order_of_round(session_.seed, round_, session_.variants.size());
        for (int failures = 0; failures < tries_of_launch; ++failures)
            for (std::size_t place = 0; place < order.size(); ++place) {
                const std::string& name = session_.variants[order[place]].name;
                const std::pair key(round_, name);
                const auto failed = progress_.failures.find(key);
                const int before = failed == progress_.failures.end() ? 0 : failed->second;
                if (lives(order[place]) && !progress_.done.contains(key) && before == failures)
                    return DueLaunch{order[place], {session_.uuid, round_, static_cast<int>(place)}};
            }
    }
    return std::nullopt;
}

void Rounds::succeeded(const DueLaunch& launch) {
    progress_.done.emplace(launch.place.round, session_.variants[launch.variant].name);
}

void Rounds::failed(const DueLaunch& launch) {
    ++progress_.failures[{launch.place.round, session_.variants[launch.variant].name}];
}

void Rounds::leave(const std::string& variant) {
    left_.insert(variant);
}

} // namespace skampi
