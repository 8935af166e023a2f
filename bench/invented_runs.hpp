// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "store/database.hpp"

#include <cmath>
#include <fmt/format.h>
#include <random>

namespace skampi::bench {

/// Number of runs, suites and arguments that a benchmark works on.
struct Size {
    int runs = 1000;
    int suites = 60;
    int arguments = 40;

    /// The i-th length: two for each doubling, as in most suites; consecutive ones if there are very many.
    [[nodiscard]] std::int64_t argument(int i) const {
        constexpr int most_by_doubling = 100;
        return arguments <= most_by_doubling ? std::llround(8 * std::exp2(0.5 * i))
                                             : std::int64_t{8} * (i + 1);
    }
};

/// Writes one run. One run in ten is in another machine mode.
inline void write_run(Database& database, int number, const Size& size) {
    std::mt19937_64 random(static_cast<std::uint64_t>(number));
    std::normal_distribution<double> normal;
    Run run;
    run.uuid = fmt::format("{:08x}-0000-4000-a000-000000000000", number);
    run.plan_hash = "plan";
    run.mpi_library = "MPICH 4.0.2";
    run.ranks = 16;
    run.launch = number;
    run.started_utc = fmt::format("2026-03-01T10:{:02}:{:02}Z", number / 60 % 60, number % 60);
    run.ended_utc = "2026-03-02T10:00:00Z";
    std::vector<Suite> plan;
    for (int i = 0; i < size.suites; ++i) {
        Suite& suite = plan.emplace_back();
        suite.name = suite.family = fmt::format("suite {}", i);
        suite.operation = {17, "MPI_Bcast", "MPI_Bcast", Pattern::collective, {Varied::message_length}};
        suite.operation.meaning = Meaning::collective;
        suite.varied = Varied::message_length;
        suite.ranks = 16;
    }
    const double mode = number % 10 == 0 ? 0.55e-6 : 0.13e-6;
    const double launch = std::exp(0.02 * normal(random));
    database.in_one_commit([&] {
        const RunId id = database.begin_run(run, plan);
        for (const StoredSuite& stored : database.suites(id)) {
            database.begin_suite(stored.id);
            for (int i = 0; i < size.arguments; ++i) {
                Measurement m;
                m.argument = m.message_bytes = size.argument(i);
                m.ranks = 16;
                m.value_s = (1e-6 + mode + 1e-10 * static_cast<double>(m.argument)) * launch *
                            std::exp(0.002 * normal(random));
                m.adjusted_s = m.value_s;
                m.standard_error_s = 0.002 * m.value_s;
                m.probe_s = mode * std::exp(0.01 * normal(random));
                m.summary = {.count = 24,
                             .mean_all = m.value_s,
                             .standard_error_all = m.standard_error_s,
                             .cut_count = 12,
                             .cut_mean = m.value_s,
                             .cut_standard_error = m.standard_error_s,
                             .lower = m.value_s,
                             .minimum = m.value_s * 0.98,
                             .quartile25 = m.value_s * 0.99,
                             .median = m.value_s,
                             .quartile75 = m.value_s * 1.01,
                             .maximum = m.value_s * 1.1};
                database.add_batches(database.begin_measurement(stored.id, m), {}, m, true);
            }
            database.end_suite(stored.id, SuiteState::finished);
        }
        database.end_run(id, run);
    });
}

} // namespace skampi::bench
