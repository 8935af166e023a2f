// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "model/field_text.hpp"
#include "model/measurement.hpp"
#include "model/run.hpp"
#include "model/suite.hpp"

#include <algorithm>
#include <limits>
#include <random>
#include <string>
#include <tuple>

/// Runs that never were, for tests of what is stored, and comparison of everything in them.
namespace invented {

/// Text that would do harm anywhere it is not escaped.
inline const std::string nasty =
    std::string("Robert'); DROP TABLE run; -- \"q\" , \r\n\t µ 中 \xFF \\input{x} `x` %s") + '\0' + "end";

inline skampi::Suite suite(const std::string& name, skampi::Pattern pattern = skampi::Pattern::collective) {
    skampi::Suite suite;
    suite.name = name;
    suite.family = name;
    suite.operation = {
        17, "MPI_Bcast", "MPI_Bcast", pattern, {skampi::Varied::message_length, skampi::Varied::nodes}};
    suite.varied = skampi::Varied::message_length;
    return suite;
}

/// No member has its default.
inline skampi::Suite unusual_suite() {
    using namespace skampi;
    Suite suite;
    suite.name = nasty;
    suite.family = "family " + nasty;
    suite.operation = {
        4711, nasty, "", Pattern::master_worker, {Varied::chunks, Varied::nodes, Varied::none}};
    suite.operation.meaning = Meaning::exchange;
    suite.varied = Varied::chunks;
    suite.arguments = {.scale = skalib::Scale::fixed_linear,
                       .start = 3,
                       .end = (std::int64_t{1} << 40) + 1,
                       .stepwidth = 1.0 / 3,
                       .multiple_of = 8,
                       .min_distance = 17,
                       .max_steps = 99,
                       .max_relative_error = 0.1};
    suite.end_is_max = true;
    suite.arguments.max_distance = 5;
    suite.repetition.min_count = 7;
    suite.repetition.max_count.reset();
    suite.repetition.max_relative_error = 0.07;
    suite.repetition.cut_quantile = 0.125;
    suite.repetition.max_time_s = 1e-3;
    suite.repetition.estimator = skalib::ErrorEstimator::classic;
    suite.max_suite_time_s = 60.1;
    suite.node_times = true;
    suite.message_bytes = std::int64_t{3} << 31;
    suite.chunks = 12;
    suite.ranks = 6;
    suite.synchronization = Synchronization::dissemination;
    suite.reported_time = ReportedTime::root;
    suite.algorithm = "recursive_doubling";
    suite.value = skalib::ValueKind::lower;
    suite.buffers = BufferPolicy::rewritten;
    suite.samples = SampleStorage::summary;
    suite.passes = 9;
    suite.partner = "rank 5";
    suite.join = "round-robin";
    suite.absolute = true;
    suite.datatype = "MPI_DOUBLE";
    suite.reduction = "MPI_SUM";
    suite.root = 2;
    suite.in_place = true;
    return suite;
}

inline skampi::Run run(const std::string& uuid) {
    skampi::Run run;
    run.uuid = uuid;
    run.plan_hash = "hash";
    run.mpi_library = "MPICH Version: 4.0.2";
    run.host = "node1";
    run.placement = "node1: 0-3";
    run.ranks = 4;
    run.started_utc = "2026-11-21T10:00:00Z";
    return run;
}

inline skampi::Run unusual_run() {
    skampi::Run run;
    run.uuid = "uuid " + nasty;
    run.kind = "merged";
    run.launch = 3;
    run.tool_version = "1.2.3";
    run.parameter_file = nasty;
    run.parameter_text = std::string(100'000, '\n') + nasty;
    run.plan_hash = "h";
    run.user = "u " + nasty;
    run.machine = "m " + nasty;
    run.node = "n " + nasty;
    run.network = "w " + nasty;
    run.comment = "c " + nasty;
    run.mpi_library = "MPICH 4.0.2";
    run.host = "x " + nasty;
    run.ranks = 1'000'000;
    run.absolute = true;
    run.clock_resolution_s = 1e-8;
    run.clock_cost_s = 3.1e-8;
    run.reference_probe_s = 0.1;
    run.lowest_probe_s = 0.08;
    run.highest_probe_s = 0.11;
    run.reference_core_speed = 3.04e9;
    run.reference_core_throughput = 3.8;
    run.started_utc = "2026-11-21T10:00:00Z";
    run.ended_utc = "2026-11-21T11:00:00Z";
    run.measuring_share = 0.83;
    run.merged_runs = 5;
    run.variant = "v " + nasty;
    run.placement = "p " + nasty;
    run.binding = "b " + nasty;
    run.launcher = "l " + nasty;
    run.settings = {{"MPIR_CVAR_X", nasty}, {"UCX_TLS", "tcp"}};
    run.facts = {{"", ""}, {nasty, nasty}, {"cpu model", "x"}};
    run.session_place = {"s " + nasty, 12, 1};
    run.merged_grid = "common";
    run.host_sizes = {64, 32, 32 << 10, 1 << 20, std::int64_t{3} << 31};
    run.sources = {{"u1", nasty, "2026-11-21T10:00:00Z", false, 7, 0.5, "2026-11-21T11:00:00Z", "result CSV"},
                   {.uuid = "u2", .file = ""}};
    run.differing_facts = {{nasty, 3, {"", nasty, "x"}, true, true}, {"z", 1, {"1"}, false, true}};
    run.forced_differences = {{nasty}, {""}};
    run.detours = {{7, 1.0625, 1e-4, 3, 5e-5}, {}};
    run.rank_facts = {{0, nasty, 4711, "0-3,8", 2, 1e-9, -2e-9, 5e-7, "2M", 1, {.socket = 0, .core = 2}},
                      {7, "", 1, "", -1, 0, 0, 0, "", 3, {}}};
    return run;
}

inline double number(std::mt19937_64& random) {
    return std::uniform_real_distribution<double>(-1, 1)(random) * 1e-6;
}

inline skampi::Measurement measurement(std::int64_t argument, std::mt19937_64& random) {
    using namespace skampi;
    Measurement m;
    m.argument = argument;
    m.message_bytes = argument + 1;
    m.ranks = 4;
    m.chunks = 2;
    m.value_s = number(random);
    m.standard_error_s = number(random);
    m.summary = {.count = 101,
                 .mean_all = number(random),
                 .standard_error_all = number(random),
                 .cut_count = 51,
                 .cut_mean = number(random),
                 .cut_standard_error = number(random),
                 .lower = number(random),
                 .minimum = number(random),
                 .quartile25 = number(random),
                 .median = number(random),
                 .quartile75 = number(random),
                 .maximum = number(random)};
    m.overhead_s = number(random);
    m.overhead_error_s = number(random);
    m.flags = Flag::disturbed | Flag::several_modes;
    m.mode = 1;
    m.mode_share = number(random);
    m.probe_s = number(random);
    m.alone_s = number(random);
    m.computation_s = number(random);
    m.core_clock_hz = number(random);
    m.core_throughput = number(random);
    m.adjusted_s = number(random);
    m.discarded = 13;
    m.time_used_s = number(random);
    m.messages = number(random);
    m.modes = {{0, number(random), number(random), number(random), 30}, {1, 0.7, 1, 2, 71}};
    m.node_times = {{0, number(random), number(random)}, {3, number(random), number(random)}};
    return m;
}

inline skampi::Batch batch(std::size_t count, std::mt19937_64& random) {
    skampi::Batch b;
    b.pass = 3;
    b.block = 17;
    b.synchronization = skampi::Synchronization::barrier;
    b.start_s = number(random);
    b.probe_before_s = number(random);
    b.probe_after_s = number(random);
    b.late = 4;
    b.dropped = true;
    b.dirty = true;
    b.involuntary_switches = 5;
    b.migrations = 6;
    b.steal_ticks = 7;
    b.core_clock_hz = number(random);
    b.core_throughput = number(random);
    b.node_durations = {{0, {}}, {random() % 2 == 0 ? 2 : 300, {}}};
    for (std::size_t n = 0; n < count; ++n) {
        for (std::vector<double>* durations :
             {&b.duration_s, &b.node_durations[0].duration_s, &b.node_durations[1].duration_s})
            durations->push_back(skampi::as_stored(number(random)));
    }
    return b;
}

inline skampi::MergeFacts merge_facts(std::mt19937_64& random) {
    skampi::MergeFacts facts;
    facts.runs = 3;
    facts.minimum_s = number(random);
    facts.maximum_s = number(random);
    facts.mad_s = number(random);
    facts.between_runs_error_s = number(random);
    facts.interval_low_s = number(random);
    facts.interval_high_s = number(random);
    facts.interval_confidence = number(random);
    const auto source = [&](const std::string& run, const std::string& database, bool interpolated,
                            bool chosen) {
        skampi::Source made{.run = run, .database = database, .interpolated = interpolated, .chosen = chosen};
        made.own.value_s = number(random);
        made.own.standard_error_s = number(random);
        made.own.summary.count = 10;
        return made;
    };
    facts.sources = {source("r1", nasty, true, false), source("r2", "b.db", false, false),
                     source(nasty, "c.db", false, true)};
    facts.sources[0].own.node_times = {{0, number(random), number(random)}};
    facts.sources[1].own.value_s = std::numeric_limits<double>::quiet_NaN();
    facts.sources[2].own.node_times = {{0, number(random), number(random)},
                                       {3, number(random), number(random)}};
    return facts;
}

// --- comparison

namespace counting {
template <typename T>
constexpr bool is_optional = false;
template <typename T>
constexpr bool is_optional<std::optional<T>> = true;
/// Converts to anything; to an optional through its own constructor.
struct Anything {
    template <typename T>
    requires(!is_optional<T>) operator T() const;
};
template <typename T, typename... Members>
constexpr int members() {
    if constexpr (requires { T{Members{}..., Anything{}}; })
        return members<T, Members..., Anything>();
    else
        return static_cast<int>(sizeof...(Members));
}
} // namespace counting

/// How many members a struct has.
template <typename T>
constexpr int member_count = counting::members<T>();

/// How many of them its list of fields names.
template <typename Row>
int field_count() {
    int count = 0;
    const Row row{};
    for_each_field(row, [&](const skampi::Field&, const auto&) { ++count; });
    return count;
}

template <typename Row>
std::vector<std::string> field_texts(const Row& row) {
    std::vector<std::string> texts;
    for_each_field(row, [&](const skampi::Field& field, const auto& value) {
        texts.push_back(std::string(field.name) + "=" + skampi::field_text(value));
    });
    return texts;
}

/// The members that are not fields but rows and lists of their own.
inline auto further(const skampi::Run& run) {
    const auto texts_of = [](const auto& rows) {
        std::vector<std::vector<std::string>> texts;
        for (const auto& row : rows)
            texts.push_back(field_texts(row));
        return texts;
    };
    return std::tuple(run.facts, run.settings, texts_of(run.rank_facts), texts_of(run.sources),
                      texts_of(run.differing_facts), texts_of(run.forced_differences), texts_of(run.detours));
}
inline auto further(const skampi::Batch& batch) {
    std::vector<std::pair<int, std::vector<double>>> nodes;
    for (const skampi::NodeDurations& node : batch.node_durations)
        nodes.emplace_back(node.rank, node.duration_s);
    return std::tuple(field_texts(skampi::stretch_of(batch)), batch.duration_s, nodes);
}
template <typename Row>
auto further(const Row&) {
    return std::tuple<>();
}

template <typename Row>
bool same(const Row& a, const Row& b) {
    return field_texts(a) == field_texts(b) && further(a) == further(b);
}
template <typename Row>
bool same(const std::vector<Row>& a, const std::vector<Row>& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                      [](const Row& x, const Row& y) { return same(x, y); });
}

} // namespace invented
