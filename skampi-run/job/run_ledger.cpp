// SPDX-License-Identifier: LGPL-2.1-or-later
#include "job/run_ledger.hpp"

#include "model/field_text.hpp"
#include "model/run.hpp"

#include <algorithm>
#include <cmath>

namespace skampi {
namespace {

constexpr const char* inside = "ledger: ns in measured operations";

std::int64_t nanoseconds(double seconds) {
    return std::llround(1e9 * seconds);
}

std::map<std::string, std::int64_t> counts_of(const LedgerTotals& ledger, double inside_s, double elapsed_s) {
    return {{inside, nanoseconds(inside_s)},
            {fact_suites_ns, nanoseconds(elapsed_s)},
            {fact_batches, ledger.batches},
            {fact_batches_interrupted, ledger.dirty},
            {fact_batches_on_shared_cores, ledger.shared},
            {"ledger: batches between two modes, dropped", ledger.dropped},
            {fact_windows_missed, ledger.late},
            {"ledger: involuntary switches", ledger.involuntary_switches},
            {"ledger: migrations", ledger.migrations},
            {"ledger: steal ticks", ledger.steal_ticks}};
}

} // namespace

void RunLedger::go_on(const Run& stored, const RunState& state) {
    before_ = counts_of(state.ledger_before, state.inside_before_s, state.time_line_begin_s);
    for (const auto& [name, text] : stored.facts)
        if (name.starts_with(ledger_prefix))
            before_[name] = std::max(before_[name], integer_from(text).value_or(0));
}

void RunLedger::write(Run& run, const RunState& state, double elapsed_s, std::int64_t orders) const {
    std::map<std::string, std::int64_t> counts = counts_of(state.ledger, state.inside_s, elapsed_s);
    counts["ledger: orders to all ranks"] = orders;
    for (auto& [name, count] : counts) {
        if (const auto before = before_.find(name); before != before_.end())
            count += before->second;
        run.facts[name] = std::to_string(count);
    }
    run.measuring_share =
        counts[fact_suites_ns] > 0 ? static_cast<double>(counts[inside]) / static_cast<double>(counts[fact_suites_ns]) : 0;
}

} // namespace skampi
