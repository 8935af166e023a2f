// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "invented_results.hpp"
#include "model/session.hpp"
#include "store/database.hpp"

#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

/// Sessions of variants in turns that never were.
namespace skampi::test {

struct WantedSession {
    std::vector<Variant> variants;
    std::vector<InventedSuite> plan;
    int rounds = 8;
    /// Of a launch: its times by those of the plan.
    std::function<double(std::size_t variant, int round)> factor = [](std::size_t, int) { return 1.0; };
    /// Of a launch: whether it started the ranks of collective operations between barriers.
    std::function<bool(std::size_t variant, int round)> barriers = [](std::size_t, int) { return false; };
};

/// @param changed of each run
inline void write_session(const std::string& path, const WantedSession& wanted,
                          const std::function<void(Run&)>& changed = {}) {
    Database database = Database::open_for_writing(path);
    Session session;
    session.uuid = "session-1";
    session.plan_hash = "0123456789abcdef";
    session.ranks = 16;
    session.seed = 7;
    session.margin = 0.02;
    session.error = 0.05;
    session.first_look = wanted.rounds;
    session.most_rounds = wanted.rounds;
    session.started_utc = "2026-03-01T10:00:00Z";
    session.variants = wanted.variants;
    database.begin_session(session);
    for (int round = 1; round <= wanted.rounds; ++round)
        for (std::size_t place = 0; place < wanted.variants.size(); ++place) {
            Run run = invented_run(std::to_string(round) + "-" + std::to_string(place), round);
            run.variant = wanted.variants[place].name;
            run.session_place = {session.uuid, round, static_cast<int>(place)};
            for (const auto& [name, value] : wanted.variants[place].settings)
                run.settings[name] = value.value_or("");
            if (changed)
                changed(run);
            const double factor = wanted.factor(place, round);
            std::vector<InventedSuite> plan = wanted.plan;
            for (InventedSuite& suite : plan)
                suite.time_s = [time_s = suite.time_s, factor](std::int64_t argument) {
                    return factor * time_s(argument);
                };
            const bool barriers = wanted.barriers(place, round);
            write_run(database, run, plan, static_cast<unsigned>(round), 0.01,
                      [&](const Suite& suite, Measurement& measurement) {
                          if (barriers && suite.operation.pattern == Pattern::collective)
                              set(measurement.flags, Flag::unsynchronised);
                      });
        }
    database.end_session(session.uuid, SessionEnd::rounds);
}

inline Variant variant_called(const std::string& name) {
    Variant variant;
    variant.name = name;
    variant.settings["SETTING"] = name;
    return variant;
}

inline InventedSuite suite_called(const std::string& wanted) {
    for (InventedSuite& invented : full_plan({}))
        if (invented.suite.name == wanted)
            return invented;
    throw std::invalid_argument("no such suite: " + wanted);
}

} // namespace skampi::test
