// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "contest/session_contest.hpp"

#include <cmath>
#include <cstdint>
#include <fmt/format.h>
#include <functional>
#include <numbers>
#include <random>
#include <string>
#include <vector>

namespace skampi::bench {

/// A machine and what is launched on it in turns.
struct InventedSession {
    std::vector<std::string> names{"old", "new"};
    int rounds = 40;
    std::vector<std::string> suites{"MPI_Bcast"};
    std::vector<std::int64_t> arguments{8, 64, 512, 4096, 16384, 65536, 262144, 1048576};
    /// Of a variant at an argument: its time by that of the first one.
    std::function<double(std::size_t variant, std::int64_t argument)> factor = [](std::size_t, std::int64_t) {
        return 1.0;
    };

    double of_launch = 0.02;  ///< standard deviation of a launch's logarithm, common to all its values
    double of_point = 0.01;   ///< likewise of each value
    bool heavy_tails = false; ///< both are Student's t of 3 degrees, with these standard deviations
    double drift = 0;         ///< common: the machine's speed moves so far up and down
    /// One launch of four, or one round of four, meets another state of the machine: a latency four times as
    /// long, which its probe shows.
    enum class States { none, of_rounds, of_launches } states = States::none;
    double other_share = 0.25; ///< instead of one of four
    /// factor in that state; empty = as in the usual one
    std::function<double(std::size_t variant, std::int64_t argument)> factor_in_other = {};
    /// One launch of three shares its cores: they make two thirds of the additions a cycle, which the launch
    /// sees, and times take 1.6 times as long.
    bool shares_cores = false;
    /// Standard deviations of the logarithms of probes and core speeds within a state, which no time follows.
    double of_probe = 0.01;
    double of_speed = 0.005;
    int busy_from = 0;    ///< round from which on something else uses the cores; 0 = never
    double busy = 1.3;    ///< times take so many times as long then, and every launch a little else
    bool in_turns = true; ///< else one variant after the other, with as many launches
    double margin = 0.02;
    bool decides = true;
};

inline Curve invented_suite(const std::string& name) {
    Curve curve;
    Suite& suite = curve.stored.suite;
    suite.name = name;
    suite.operation.name = "MPI_Bcast";
    suite.operation.pattern = Pattern::collective;
    suite.operation.meaning = Meaning::collective;
    suite.varied = Varied::message_length;
    suite.ranks = 2;
    return curve;
}

/// The session as it would be stored, and its launches.
class SessionInventor {
public:
    SessionInventor(const InventedSession& wanted, std::uint64_t seed)
        : wanted_(wanted)
        , random_(seed)
        , phase_(2 * std::numbers::pi * uniform_(random_))
        , period_(10 + 40 * uniform_(random_)) {
        made_.session.uuid = "session";
        made_.session.seed = static_cast<std::int64_t>(seed);
        made_.session.error = 0.05;
        made_.session.margin = wanted.margin;
        made_.session.first_look = 5;
        made_.session.most_rounds = wanted.rounds;
        made_.session.decides = wanted.decides;
        for (const std::string& name : wanted.names) {
            made_.session.variants.push_back({name, {}, {}, {}, {}});
            Subject& subject = made_.variants.emplace_back();
            subject.label = name;
            for (const std::string& suite : wanted.suites)
                subject.curves.push_back(invented_suite(suite));
        }
        made_.launches.resize(wanted.names.size());
        made_.failed.resize(wanted.names.size());
    }

    SessionLaunches invent() {
        const std::size_t variants = wanted_.names.size();
        for (int round = 1; round <= wanted_.rounds; ++round) {
            const bool other_state = uniform_(random_) < wanted_.other_share;
            std::size_t place = 0;
            for (const std::size_t variant : order_of_round(made_.session.seed, round, variants)) {
                const double share = static_cast<double>(place++) / static_cast<double>(variants);
                // In turns, or all launches of a variant in a row in the same time.
                const double at = wanted_.in_turns
                                      ? round + share
                                      : 1 + (static_cast<double>(variant) * wanted_.rounds + round - 1) /
                                                static_cast<double>(variants);
                launch(variant, round, at, other_state);
            }
        }
        return std::move(made_);
    }

private:
    /// @param at when, in rounds
    void launch(std::size_t variant, int round, double at, bool round_in_other_state) {
        using States = InventedSession::States;
        const bool own_state = uniform_(random_) < wanted_.other_share;
        const bool other = (wanted_.states == States::of_rounds && round_in_other_state) ||
                           (wanted_.states == States::of_launches && own_state);
        double common = wanted_.drift * std::sin(phase_ + 2 * std::numbers::pi * at / period_) +
                        wanted_.of_launch * noise();
        if (wanted_.busy_from > 0 && at >= wanted_.busy_from)
            common += std::log(wanted_.busy) + 0.02 * noise();
        const bool shares = wanted_.shares_cores && uniform_(random_) < 1.0 / 3;
        if (shares)
            common += std::log(1.6);
        const double speed = 1e10 * (shares ? 2.0 / 3 : 1) * std::exp(wanted_.of_speed * normal_(random_));
        const std::string uuid = fmt::format("{} {}", variant, round);
        made_.launches[variant][round] = uuid;
        const auto& factor = other && wanted_.factor_in_other ? wanted_.factor_in_other : wanted_.factor;
        for (Curve& curve : made_.variants[variant].curves) {
            SuiteLaunch& launch = curve.launches[uuid];
            for (const std::int64_t argument : wanted_.arguments)
                launch.values[argument] = (1e-6 * (other ? 4 : 1) + 1e-10 * static_cast<double>(argument)) *
                                          factor(variant, argument) *
                                          std::exp(common + wanted_.of_point * noise());
            launch.probe_s = (other ? 4 : 1) * 1e-6 * std::exp(wanted_.of_probe * normal_(random_));
            launch.core_speed = speed;
        }
    }

    double noise() {
        if (!wanted_.heavy_tails)
            return normal_(random_);
        return tails_(random_) / std::numbers::sqrt3; // its standard deviation is sqrt(3)
    }

    const InventedSession& wanted_;
    std::mt19937_64 random_;
    std::uniform_real_distribution<double> uniform_;
    std::normal_distribution<double> normal_;
    std::student_t_distribution<double> tails_{3};
    double phase_;
    double period_; ///< in rounds
    SessionLaunches made_;
};

/// @param wanted outlives the call
inline SessionLaunches invent_session(const InventedSession& wanted, std::uint64_t seed) {
    return SessionInventor(wanted, seed).invent();
}

} // namespace skampi::bench
