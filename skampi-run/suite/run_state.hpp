// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "skalib/modes.hpp"
#include "store/database.hpp"
#include "suite/known_modes.hpp"
#include "suite/overhead.hpp"

#include <compare>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace skampi {

/// What the operating system did to the batches of a run (totals of the disturbance ledger).
struct LedgerTotals {
    std::int64_t batches = 0;
    std::int64_t dirty = 0;   ///< interrupted()
    std::int64_t shared = 0;  ///< KnownModes::shared()
    std::int64_t dropped = 0; ///< the probes on both sides disagree
    std::int64_t late = 0;    ///< single measurements whose window was missed
    std::int64_t involuntary_switches = 0;
    std::int64_t migrations = 0;
    std::int64_t steal_ticks = 0;
    void add(const Batch& batch);
};

/// Between which ranks probes are exchanged: to a rank of another node they take many times as long.
struct ProbeKey {
    Pattern pattern = Pattern::simple;
    int ranks = 0;
    std::string partner = {};
    std::string join = {};
    auto operator<=>(const ProbeKey&) const = default;
};

/// What the suites of one run share: measured once, used by all.
struct RunState {
    KnownOverheads overheads;
    std::map<ProbeKey, skalib::ProbeHistory> probes; ///< all of the run
    std::set<SuiteId> remembered;                    ///< suites whose stored probes are among them
    std::set<SuiteId> elsewhere;  ///< suites that were measured on other hosts, at least in part
    double time_line_begin_s = 0; ///< of this start of the run, on the run's time line
    KnownModes modes;
    KnownModes modes_alone{true};    ///< of measurements with one rank
    double first_reference_s = 0;    ///< P0 of the run's first value; 0 = none yet
    double reference_core_speed = 0; ///< G0; 0 = the first found becomes it
    double inside_s = 0;             ///< wall time in batches and warm-up
    LedgerTotals ledger;
    LedgerTotals ledger_before; ///< of the batches that former starts stored
    double inside_before_s = 0;

    /// The modes that the suite's probes belong to.
    [[nodiscard]] KnownModes& modes_of(const Suite& suite);
    /// All probes of the run that were exchanged between the same ranks as the suite's.
    [[nodiscard]] skalib::ProbeHistory& probes_of(const Suite& suite, int ranks_there);
};

/// For a continued run: the probes of all its suites, and the end of its time line. The suites measured
/// then find the machine's modes as if the run had never been interrupted. Cores of other hosts are ignored:
/// their speeds differ.
/// @param here which ranks run where now, as the suites' facts say where they were measured
void restore_run_state(const Database& database, RunId run, int ranks_there, const std::string& here,
                       RunState& state);

/// Adds each probe once: several batches may lie between the same two, and one that closes a batch may open
/// the next. @param before the batch measured before at the same argument; null = none
void add_probes(skalib::ProbeHistory& history, const std::vector<Batch>& batches, const Batch* before);

/// Spent in the calls of a batch.
[[nodiscard]] double time_in(const Batch& batch);

} // namespace skampi
