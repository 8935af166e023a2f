#pragma once

#include "model/measurement.hpp"
#include "model/run.hpp"
#include "model/suite.hpp"

#include <concepts>
#include <type_traits>

namespace skampi {

// Which column holds which member: one list per struct, walked to write, to read, to make the SQL, and to
// compute the checksum of a row. The struct is const when writing and not when reading.

template <typename T, typename Of>
concept MaybeConst = std::same_as<std::remove_const_t<T>, Of>;

/// Stored as comma-separated words.
template <typename T>
struct FlagWords {
    explicit FlagWords(T& member)
        : flags(member) {}
    T& flags;
};

/// Stored as comma-separated names.
template <typename T>
struct VariedNames {
    explicit VariedNames(T& member)
        : list(member) {}
    T& list;
};

/// The empty text is stored as NULL.
template <typename T>
struct EmptyIsNull {
    explicit EmptyIsNull(T& member)
        : text(member) {}
    T& text;
};

template <MaybeConst<Run> Row, typename Visitor>
void for_each_column(Row& run, Visitor&& column) {
    column("uuid", run.uuid);
    column("kind", run.kind);
    column("launch", run.launch);
    column("tool_version", run.tool_version);
    column("parameter_file", run.parameter_file);
    column("parameter_text", run.parameter_text);
    column("plan_hash", run.plan_hash);
    column("user", run.user);
    column("machine", run.machine);
    column("node", run.node);
    column("network", run.network);
    column("comment", run.comment);
    column("mpi_library", run.mpi_library);
    column("host", run.host);
    column("ranks", run.ranks);
    column("absolute", run.absolute);
    column("clock_resolution_s", run.clock_resolution_s);
    column("clock_cost_s", run.clock_cost_s);
    column("reference_probe_s", run.reference_probe_s);
    column("lowest_probe_s", run.lowest_probe_s);
    column("highest_probe_s", run.highest_probe_s);
    column("reference_clock_hz", run.reference_clock_hz);
    column("reference_core_throughput", run.reference_core_throughput);
    column("started_utc", run.started_utc);
    column("ended_utc", EmptyIsNull(run.ended_utc));
    column("measuring_share", run.measuring_share);
    column("merged_runs", run.merged_runs);
}

template <MaybeConst<RankFacts> Row, typename Visitor>
void for_each_column(Row& rank, Visitor&& column) {
    column("rank", rank.rank);
    column("processor", rank.processor);
    column("pid", rank.pid);
    column("cpus_allowed", rank.cpus_allowed);
    column("cpu", rank.cpu);
    column("clock_offset_s", rank.clock_offset_s);
    column("clock_drift", rank.clock_drift);
    column("pages", rank.pages);
}

template <MaybeConst<Suite> Row, typename Visitor>
void for_each_column(Row& suite, Visitor&& column) {
    column("name", suite.name);
    column("family", suite.family);
    column("type", suite.operation.type);
    column("operation", suite.operation.name);
    column("title", suite.operation.title);
    column("pattern", suite.operation.pattern);
    column("possible_variations", VariedNames(suite.operation.varied));
    column("varied", suite.varied);
    column("scale", suite.arguments.scale);
    column("start_argument", suite.arguments.start);
    column("end_argument", suite.arguments.end);
    column("end_is_max", suite.end_is_max);
    column("stepwidth", suite.arguments.stepwidth);
    column("multiple_of", suite.arguments.multiple_of);
    column("min_distance", suite.arguments.min_distance);
    column("max_distance", suite.max_distance);
    column("max_steps", suite.arguments.max_steps);
    column("refinement_relative_error", suite.arguments.max_relative_error);
    column("min_count", suite.repetition.min_count);
    column("max_count", suite.repetition.max_count);
    column("max_relative_error", suite.repetition.max_relative_error);
    column("cut_quantile", suite.repetition.cut_quantile);
    column("max_time_s", suite.repetition.max_time_s);
    column("error_estimator", suite.repetition.estimator);
    column("max_suite_time_s", suite.max_suite_time_s);
    column("node_times", suite.node_times);
    column("message_bytes", suite.message_bytes);
    column("chunks", suite.chunks);
    column("ranks", suite.ranks);
    column("synchronization", suite.synchronization);
    column("reported_time", suite.reported_time);
    column("value_kind", suite.value);
    column("buffers", suite.buffers);
    column("samples", suite.samples);
    column("passes", suite.passes);
    column("nearest_partner", suite.nearest_partner);
    column("absolute", suite.absolute);
    column("datatype", suite.datatype);
    column("reduction", suite.reduction);
    column("root", suite.root);
    column("in_place", suite.in_place);
}

template <MaybeConst<Measurement> Row, typename Visitor>
void for_each_column(Row& measurement, Visitor&& column) {
    auto& summary = measurement.summary;
    column("argument", measurement.argument);
    column("message_bytes", measurement.message_bytes);
    column("ranks", measurement.ranks);
    column("chunks", measurement.chunks);
    column("value_s", measurement.value_s);
    column("standard_error_s", measurement.standard_error_s);
    column("count", summary.count);
    column("mean_all_s", summary.mean_all);
    column("standard_error_all_s", summary.standard_error_all);
    column("cut_count", summary.cut_count);
    column("cut_mean_s", summary.cut_mean);
    column("cut_standard_error_s", summary.cut_standard_error);
    column("lower_s", summary.lower);
    column("minimum_s", summary.minimum);
    column("quartile25_s", summary.quartile25);
    column("median_s", summary.median);
    column("quartile75_s", summary.quartile75);
    column("maximum_s", summary.maximum);
    column("overhead_s", measurement.overhead_s);
    column("overhead_error_s", measurement.overhead_error_s);
    column("flags", FlagWords(measurement.flags));
    column("mode", measurement.mode);
    column("mode_share", measurement.mode_share);
    column("probe_s", measurement.probe_s);
    column("core_clock_hz", measurement.core_clock_hz);
    column("adjusted_s", measurement.adjusted_s);
    column("discarded", measurement.discarded);
    column("time_used_s", measurement.time_used_s);
    column("alone_s", measurement.alone_s);
    column("computation_s", measurement.computation_s);
    column("messages", measurement.messages);
}

template <MaybeConst<ModeValue> Row, typename Visitor>
void for_each_column(Row& mode, Visitor&& column) {
    column("mode", mode.mode);
    column("share", mode.share);
    column("value_s", mode.value_s);
    column("probe_s", mode.probe_s);
    column("count", mode.count);
}

template <MaybeConst<NodeTime> Row, typename Visitor>
void for_each_column(Row& time, Visitor&& column) {
    column("rank", time.rank);
    column("value_s", time.value_s);
    column("standard_error_s", time.standard_error_s);
}

template <MaybeConst<Batch> Row, typename Visitor>
void for_each_column(Row& batch, Visitor&& column) {
    column("pass", batch.pass);
    column("block", batch.block);
    column("start_s", batch.start_s);
    column("probe_before_s", batch.probe_before_s);
    column("probe_after_s", batch.probe_after_s);
    column("late", batch.late);
    column("dropped", batch.dropped);
    column("dirty", batch.dirty);
    column("involuntary_switches", batch.involuntary_switches);
    column("migrations", batch.migrations);
    column("steal_ticks", batch.steal_ticks);
    column("core_clock_hz", batch.core_clock_hz);
    column("core_throughput", batch.core_throughput);
}

template <MaybeConst<MergeFacts> Row, typename Visitor>
void for_each_column(Row& facts, Visitor&& column) {
    column("runs", facts.runs);
    column("minimum_s", facts.minimum_s);
    column("maximum_s", facts.maximum_s);
    column("mad_s", facts.mad_s);
    column("between_runs_error_s", facts.between_runs_error_s);
    column("interval_low_s", facts.interval_low_s);
    column("interval_high_s", facts.interval_high_s);
    column("interval_confidence", facts.interval_confidence);
}

template <MaybeConst<Source> Row, typename Visitor>
void for_each_column(Row& source, Visitor&& column) {
    column("run", source.run);
    column("database", source.database);
    column("value_s", source.value_s);
    column("standard_error_s", source.standard_error_s);
    column("count", source.count);
    column("interpolated", source.interpolated);
    column("chosen", source.chosen);
}

template <MaybeConst<Event> Row, typename Visitor>
void for_each_column(Row& event, Visitor&& column) {
    column("time_utc", event.time_utc);
    column("kind", event.kind);
    column("suite", event.suite);
    column("text", event.text);
}

} // namespace skampi
