// SPDX-License-Identifier: LGPL-2.1-or-later
#include "store/checksum.hpp"

#include "store/samples.hpp"

namespace skampi {

namespace {

void add_facts(Checksum& sum, const std::map<std::string, std::string>& facts) {
    sum.add(static_cast<std::int64_t>(facts.size()));
    for (const auto& [name, value] : facts) {
        sum.add(std::string_view(name));
        sum.add(std::string_view(value));
    }
}

void add_samples(Checksum& sum, const std::vector<double>& durations_s) {
    sum.add(static_cast<std::int64_t>(durations_s.size()));
    for (const double duration_s : durations_s)
        sum.add(as_stored(duration_s));
}

} // namespace

std::int64_t chained_checksum(std::int64_t before, const std::string& run_uuid) {
    Checksum sum;
    sum.add(before);
    sum.add(std::string_view(run_uuid));
    return sum.value();
}

std::int64_t checksum_of(const Run& run, const RunParts& parts, const std::vector<Event>& events) {
    Checksum sum;
    sum.add_row(run);
    add_facts(sum, run.facts);
    add_facts(sum, run.settings);
    for (const RankFacts& rank : run.rank_facts)
        sum.add_row(rank);
    for (const MergedSource& source : run.sources)
        sum.add_row(source);
    for (const DifferingFact& fact : run.differing_facts)
        sum.add_row(fact);
    for (const ForcedDifference& difference : run.forced_differences)
        sum.add_row(difference);
    for (const CoreDetours& detours : run.detours)
        sum.add_row(detours);
    sum.add(parts.suites);
    sum.add(parts.events);
    for (const Event& event : events)
        sum.add_row(event);
    return sum.value();
}

std::int64_t checksum_of(const StoredSuite& stored, const std::string& run_uuid, std::int64_t measurements) {
    Checksum sum;
    sum.add(std::string_view(run_uuid));
    sum.add_row(stored);
    add_facts(sum, stored.facts);
    sum.add(measurements);
    for (const ClockEstimate& estimate : stored.clock_estimates)
        sum.add_row(estimate);
    return sum.value();
}

std::int64_t checksum_of(const StoredMeasurement& stored, const std::string& suite, std::int64_t batches) {
    Checksum sum;
    sum.add(std::string_view(suite));
    sum.add_row(stored);
    sum.add(batches);
    for (const ModeValue& mode : stored.measurement.modes)
        sum.add_row(mode);
    for (const NodeTime& time : stored.measurement.node_times)
        sum.add_row(time);
    if (stored.merge) {
        sum.add_row(*stored.merge);
        for (const Source& source : stored.merge->sources) {
            sum.add_row(source);
            for (const NodeTime& time : source.own.node_times)
                sum.add_row(time);
        }
    }
    return sum.value();
}

std::int64_t checksum_of(const Batch& batch, const std::string& measurement, std::int64_t ordinal) {
    Checksum sum;
    sum.add(std::string_view(measurement));
    sum.add(ordinal);
    sum.add_row(batch);
    sum.add_row(stretch_of(batch));
    add_samples(sum, batch.duration_s);
    for_each_list(batch, [&](const std::vector<double>& node) { add_samples(sum, node); });
    return sum.value() & 0x7FFFFFFF;
}

} // namespace skampi
