// SPDX-License-Identifier: LGPL-2.1-or-later
#include "suite/run_state.hpp"

#include "model/machine_state.hpp"
#include "model/pattern.hpp"
#include "plan/argument_meaning.hpp"

#include <algorithm>
#include <numeric>

namespace skampi {

void LedgerTotals::add(const Batch& batch) {
    ++batches;
    dirty += batch.dirty ? 1 : 0;
    dropped += batch.dropped ? 1 : 0;
    late += batch.late;
    involuntary_switches += batch.involuntary_switches;
    migrations += batch.migrations;
    steal_ticks += batch.steal_ticks;
}

KnownModes& RunState::modes_of(const Suite& suite) {
    return row_of(suite.operation.pattern).ranks == 1 ? modes_alone : modes;
}

skalib::ProbeHistory& RunState::probes_of(const Suite& suite, int ranks_there) {
    const int ranks = meaning_of(suite, suite.arguments.start, ranks_there).ranks;
    ProbeKey key{suite.operation.pattern, ranks};
    if (row_of(key.pattern).has_partner)
        key.partner = suite.partner;
    else if (row_of(key.pattern).starts_together)
        key.join = suite.join;
    return probes.try_emplace(key, mode_ratio).first->second;
}

double time_in(const Batch& batch) {
    return std::accumulate(batch.duration_s.begin(), batch.duration_s.end(), 0.0) *
           static_cast<double>(batch.block);
}

void add_probes(skalib::ProbeHistory& history, const std::vector<Batch>& batches, const Batch* before) {
    std::vector<double> probes_s;
    for (const Batch& batch : batches) {
        if (batch.probe_before_s > 0) {
            const bool same = before != nullptr && before->probe_before_s == batch.probe_before_s &&
                              before->probe_after_s == batch.probe_after_s;
            if (!same && (before == nullptr || before->probe_after_s != batch.probe_before_s))
                probes_s.push_back(batch.probe_before_s);
            if (!same)
                probes_s.push_back(batch.probe_after_s);
        }
        before = &batch;
    }
    history.add(probes_s);
}

void restore_run_state(const Database& database, RunId run, int ranks_there, const std::string& here,
                       RunState& state) {
    double last_end_s = 0;
    double used_s = 0; // the only record of suites whose batches were not kept
    for (const StoredSuite& stored : database.suites(run)) {
        state.remembered.insert(stored.id);
        const auto measured_on = stored.facts.find(fact_measured_on);
        const bool elsewhere = measured_on != stored.facts.end() && measured_on->second != here;
        if (elsewhere)
            state.elsewhere.insert(stored.id);
        skalib::ProbeHistory& history = state.probes_of(stored.suite, ranks_there);
        for (const StoredMeasurement& m : database.measurements(stored.id)) {
            used_s += m.measurement.time_used_s;
            const std::vector<Batch> batches = database.batches(m.id);
            add_probes(history, batches, nullptr);
            for (const Batch& batch : batches) {
                if (KnownModes& known = state.modes_of(stored.suite); !elsewhere) {
                    known.learn(batch);
                    state.ledger_before.shared += known.shared(batch) ? 1 : 0;
                }
                last_end_s = std::max(last_end_s, batch.start_s + time_in(batch));
                state.ledger_before.add(batch);
                state.inside_before_s += time_in(batch);
            }
        }
    }
    state.time_line_begin_s = std::max(last_end_s, used_s);
}

} // namespace skampi
