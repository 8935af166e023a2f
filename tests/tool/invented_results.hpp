// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "store/database.hpp"

#include <cstdint>
#include <functional>
#include <random>
#include <string>
#include <vector>

namespace skampi::test {

/// Times of an invented machine, the same for every call with the same arguments and seed: tests know them.
struct InventedMachine {
    double latency_s = 0.4e-6;
    double seconds_per_byte = 0.08e-9;
    double eager_limit = 8192; ///< above it the rendezvous costs jump_s more
    double jump_s = 1.5e-6;
    double noise = 0.01; ///< relative, of single measurements
    double factor = 1;   ///< of the whole launch

    [[nodiscard]] double one_way(double bytes) const {
        return factor * (latency_s + seconds_per_byte * bytes + (bytes > eager_limit ? jump_s : 0));
    }
};

/// A suite of the plan with all that is needed to invent its times.
struct InventedSuite {
    Suite suite;
    std::vector<std::int64_t> arguments;
    std::function<double(std::int64_t)> time_s;
};

inline OperationInfo operation(int type, const std::string& name, const std::string& title, Pattern pattern,
                               Varied varied) {
    const bool exchange = pattern == Pattern::ping_pong && (type == 8 || type == 9);
    OperationInfo info{type, name, title, pattern, {varied}};
    if (varied == Varied::nodes && name != "MPI_Barrier" && name != "MPI_Comm_split")
        info.varied = {Varied::message_length, Varied::nodes};
    info.meaning = exchange                            ? Meaning::exchange
                   : pattern == Pattern::ping_pong     ? Meaning::round_trip
                   : pattern == Pattern::master_worker ? Meaning::work
                   : pattern == Pattern::collective    ? Meaning::collective
                                                       : Meaning::local;
    return info;
}

inline Suite suite(const std::string& name, const OperationInfo& operation, Varied varied,
                   std::int64_t message_bytes = 256, int ranks = 0) {
    Suite result;
    result.name = result.family = name;
    result.operation = operation;
    result.varied = varied;
    result.message_bytes = message_bytes;
    result.ranks = ranks;
    result.arguments.scale =
        varied == Varied::message_length ? skalib::Scale::dynamic_log : skalib::Scale::fixed_linear;
    result.arguments.start = varied == Varied::message_length ? 0 : 2;
    result.arguments.end = varied == Varied::message_length ? 4194304 : 16;
    result.repetition.max_relative_error = 0.01;
    return result;
}

/// 0, 1, 2, 4, ... 4 MiB and a few places where a refinement would have looked closer.
inline std::vector<std::int64_t> message_lengths() {
    std::vector<std::int64_t> lengths{0};
    for (std::int64_t length = 1; length <= 4194304; length *= 2) {
        lengths.push_back(length);
        if (length == 4096)
            lengths.push_back(5792);
        if (length == 8192)
            lengths.push_back(11584);
        if (length == 524288)
            lengths.push_back(741456);
    }
    return lengths;
}

inline std::vector<std::int64_t> rank_numbers(int most) {
    std::vector<std::int64_t> numbers;
    for (int ranks = 2; ranks <= most; ++ranks)
        numbers.push_back(ranks);
    return numbers;
}

/// A plan with every pattern and every standard comparison.
inline std::vector<InventedSuite> full_plan(const InventedMachine& machine, int ranks = 16) {
    std::vector<InventedSuite> plan;
    const auto ping_pong = [&](int type, const std::string& name, const std::string& title, double factor) {
        plan.push_back({suite(name, operation(type, name, title, Pattern::ping_pong, Varied::message_length),
                              Varied::message_length),
                        message_lengths(), [=](std::int64_t m) {
                            return 2 * factor * machine.one_way(static_cast<double>(m));
                        }});
    };
    ping_pong(1, "MPI_Send-MPI_Recv", "MPI_Send to MPI_Recv", 1);
    ping_pong(2, "MPI_Send-MPI_Recv_with_Any_Tag", "MPI_Send to MPI_Recv, receiving with 'Any Tag'", 1.01);
    ping_pong(3, "MPI_Send-MPI_Irecv", "MPI_Send to MPI_Irecv", 1.05);
    ping_pong(4, "MPI_Send-MPI_Iprobe_MPI_Recv", "MPI_Send to MPI_Iprobe followed by MPI_Recv", 1.2);
    ping_pong(5, "MPI_Ssend-MPI_Recv", "MPI_Ssend to MPI_Recv", 1.5);
    ping_pong(6, "MPI_Isend-MPI_Recv", "MPI_Isend to MPI_Recv", 1.04);
    ping_pong(7, "MPI_Bsend-MPI_Recv", "MPI_Bsend to MPI_Recv", 1.6);
    ping_pong(8, "MPI_Sendrecv", "MPI_Sendrecv", 0.95);
    ping_pong(9, "MPI_Sendrecv_replace", "MPI_Sendrecv_replace", 1.7);
    const auto lengths = [&](int type, const std::string& name, Pattern pattern, double factor) {
        plan.push_back({suite(name, operation(type, name, name, pattern, Varied::message_length),
                              Varied::message_length, 256, ranks),
                        message_lengths(),
                        [=](std::int64_t m) { return factor * machine.one_way(static_cast<double>(m)); }});
    };
    const auto nodes = [&](int type, const std::string& name, const std::string& suite_name,
                           std::int64_t bytes) {
        plan.push_back({suite(suite_name, operation(type, name, name, Pattern::collective, Varied::nodes),
                              Varied::nodes, bytes),
                        rank_numbers(ranks), [=](std::int64_t n) {
                            return machine.one_way(static_cast<double>(bytes)) *
                                   (1 + 0.3 * static_cast<double>(n));
                        }});
    };
    lengths(10, "MPI_Waitsome", Pattern::master_worker, 16);
    lengths(11, "MPI_Waitany", Pattern::master_worker, 17);
    lengths(13, "MPI_Send", Pattern::master_worker, 15);
    lengths(14, "MPI_Ssend", Pattern::master_worker, 22);
    lengths(15, "MPI_Isend", Pattern::master_worker, 14);
    lengths(17, "MPI_Bcast", Pattern::collective, 4);
    lengths(19, "MPI_Reduce", Pattern::collective, 5);
    lengths(20, "MPI_Alltoall", Pattern::collective, 16);
    lengths(21, "MPI_Scan", Pattern::collective, 6);
    lengths(36, "MPI_Allreduce", Pattern::collective, 7);
    nodes(18, "MPI_Barrier", "MPI_Barrier", 0);
    nodes(17, "MPI_Bcast", "MPI_Bcast-nodes-256", 256);
    nodes(17, "MPI_Bcast", "MPI_Bcast-nodes-64K", 65536);
    nodes(20, "MPI_Alltoall", "MPI_Alltoall-nodes-256", 256);
    nodes(20, "MPI_Alltoall", "MPI_Alltoall-nodes-64K", 65536);
    nodes(19, "MPI_Reduce", "MPI_Reduce-nodes", 256);
    nodes(21, "MPI_Scan", "MPI_Scan-nodes", 256);
    int type = 24;
    for (const char* name : {"MPI_Wtime", "MPI_Comm_rank", "MPI_Comm_size", "MPI_Iprobe"}) {
        plan.push_back({suite(name, operation(type, name, name, Pattern::simple, Varied::none), Varied::none),
                        {0},
                        [=](std::int64_t) { return 1e-9 * type; }});
        ++type;
    }
    return plan;
}

inline Run invented_run(const std::string& uuid, int launch = 0) {
    Run run;
    run.uuid = uuid;
    run.launch = launch;
    run.tool_version = "0.2.0";
    run.parameter_file = "invented.skampi";
    run.parameter_text =
        "An invented plan.\n\n@NODE two sockets\n\twith a tab\n@MEASUREMENTS\nMPI_Send-MPI_Recv\n{\n"
        "    Type = 1; Variation = Length; # 100 % of $HOME & co\n}\n";
    run.plan_hash = "0123456789abcdef";
    run.user = "An Ominous User";
    run.machine = "Cluster of Invented Machines";
    run.node = "two sockets with 8 cores each\n64 GiB of memory";
    run.network = "an invented fabric, 100 Gbit/s";
    run.mpi_library = "MPICH Version:\t4.0.2";
    run.host = "node01";
    run.placement = "2 hosts: 0-7; 8-15";
    run.binding = "1 core each";
    run.launcher = "Hydra";
    run.ranks = 16;
    run.clock_resolution_s = 1e-8;
    run.clock_cost_s = 3.1e-8;
    run.reference_probe_s = 1.1e-6;
    run.reference_core_speed = 3.04e9;
    run.started_utc = "2026-03-01T10:00:00Z";
    run.measuring_share = 0.87;
    run.facts = {{"mpi standard", "4.0"},
                 {"compiler", "GCC 12.2.0"},
                 {"kernel", "Linux 6.1.0"},
                 {"cpu model", "Invented CPU 3.0 GHz"},
                 {"governor", "performance"},
                 {"env MPICH_ASYNC_PROGRESS", "0"},
                 {fact_command, "skampi-run\ninvented.skampi"}};
    for (int rank = 0; rank < run.ranks; ++rank)
        run.rank_facts.push_back({rank,
                                  "node0" + std::to_string(1 + rank / 8),
                                  1000 + rank,
                                  std::to_string(rank % 8),
                                  rank % 8,
                                  rank * 1e-6,
                                  1e-9 * rank,
                                  0,
                                  "2M",
                                  1,
                                  {}});
    return run;
}

inline Measurement planned(const Suite& suite, const Run& run, std::int64_t argument) {
    Measurement measurement;
    measurement.argument = argument;
    measurement.message_bytes = suite.operation.pattern == Pattern::simple ? 0
                                : suite.varied == Varied::message_length   ? argument
                                                                           : suite.message_bytes;
    measurement.ranks = suite.varied == Varied::nodes                   ? static_cast<int>(argument)
                        : suite.operation.pattern == Pattern::ping_pong ? 2
                        : suite.operation.pattern == Pattern::simple    ? 1
                                                                        : run.ranks;
    measurement.chunks = suite.operation.pattern == Pattern::master_worker ? 15 : 0;
    return measurement;
}

/// Writes one finished run. change, when given, may alter each measurement before it is stored.
inline RunId write_run(Database& database, Run run, const std::vector<InventedSuite>& plan, unsigned seed,
                       double noise, const std::function<void(const Suite&, Measurement&)>& change = {}) {
    std::mt19937 random(seed);
    std::normal_distribution<double> normal;
    std::vector<Suite> suites;
    for (const InventedSuite& invented : plan)
        suites.push_back(invented.suite);
    const RunId id = database.begin_run(run, suites);
    database.in_one_commit([&] {
        const std::vector<StoredSuite> stored = database.suites(id);
        for (std::size_t i = 0; i < plan.size(); ++i) {
            database.begin_suite(stored[i].id);
            for (const std::int64_t argument : plan[i].arguments) {
                Measurement measurement = planned(plan[i].suite, run, argument);
                const double truth = plan[i].time_s(argument);
                Batch batch;
                for (int repetition = 0; repetition < 24; ++repetition) {
                    const double spike = repetition % 12 == 11 ? 1.5 : 1;
                    batch.duration_s.push_back(truth * spike * (1 + noise * normal(random)));
                }
                measurement.summary = skalib::summarise(batch.duration_s, 0.25);
                measurement.value_s = measurement.adjusted_s = measurement.summary.cut_mean;
                measurement.standard_error_s = measurement.summary.cut_standard_error;
                measurement.overhead_s = 3e-9;
                if (plan[i].suite.operation.pattern == Pattern::collective)
                    for (int rank = 0; rank < measurement.ranks; ++rank)
                        measurement.node_times.push_back({rank, truth * (1 - 0.01 * rank), truth * 0.002});
                if (change)
                    change(plan[i].suite, measurement);
                const MeasurementId point = database.begin_measurement(stored[i].id, measurement);
                database.add_batches(point, {batch}, measurement, true);
            }
            database.end_suite(stored[i].id, SuiteState::finished);
        }
    });
    run.ended_utc = "2026-03-01T10:05:00Z";
    database.end_run(id, run);
    return id;
}

/// A merged run of `launches` launches, each with a factor of its own.
inline RunId write_merged(Database& database, Run run, const InventedMachine& machine, int launches,
                          unsigned seed, double launch_noise, int ranks = 16) {
    std::mt19937 random(seed);
    std::normal_distribution<double> normal;
    run.kind = "merged";
    run.merged_runs = launches;
    std::vector<double> factors;
    for (int launch = 0; launch < launches; ++launch)
        factors.push_back(1 + launch_noise * normal(random));
    const std::vector<InventedSuite> plan = full_plan(machine, ranks);
    std::vector<Suite> suites;
    for (const InventedSuite& invented : plan)
        suites.push_back(invented.suite);
    const RunId id = database.begin_run(run, suites);
    database.in_one_commit([&] {
        const std::vector<StoredSuite> stored = database.suites(id);
        for (std::size_t i = 0; i < plan.size(); ++i) {
            database.begin_suite(stored[i].id);
            for (const std::int64_t argument : plan[i].arguments) {
                Measurement measurement = planned(plan[i].suite, run, argument);
                std::vector<double> values;
                skalib::RunningStatistics between;
                MergeFacts facts;
                facts.runs = launches;
                for (int launch = 0; launch < launches; ++launch) {
                    values.push_back(plan[i].time_s(argument) * factors[static_cast<std::size_t>(launch)] *
                                     (1 + 0.002 * normal(random)));
                    between.add(values.back());
                    Source source{.run = run.uuid + "-launch" + std::to_string(launch),
                                  .database = "raw.db",
                                  .chosen = launch == 0};
                    source.own.value_s = source.own.adjusted_s = values.back();
                    source.own.standard_error_s = values.back() * 0.002;
                    source.own.summary = skalib::Summary::unknown();
                    source.own.summary.count = 24;
                    facts.sources.push_back(std::move(source));
                }
                measurement.summary = skalib::summarise(values, 0);
                measurement.summary.count = 24 * launches;
                measurement.value_s = measurement.adjusted_s = measurement.summary.median;
                measurement.standard_error_s = measurement.value_s * 0.002;
                const skalib::Interval interval = skalib::median_interval(values, 0.95);
                facts.minimum_s = measurement.summary.minimum;
                facts.maximum_s = measurement.summary.maximum;
                facts.mad_s = skalib::median_absolute_deviation(values);
                facts.between_runs_error_s = between.standard_error();
                facts.interval_low_s = interval.low;
                facts.interval_high_s = interval.high;
                facts.interval_confidence = interval.confidence;
                database.add_merged(stored[i].id, measurement, facts);
            }
            database.end_suite(stored[i].id, SuiteState::finished);
        }
    });
    run.ended_utc = "2026-03-02T11:05:00Z";
    database.end_run(id, run);
    return id;
}

} // namespace skampi::test
