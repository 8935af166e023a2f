#pragma once

namespace skampi {

// Facts of a run that count what became of its batches. All their names begin with "ledger: ".

inline constexpr const char* ledger_prefix = "ledger: ";

inline constexpr const char* fact_batches = "ledger: batches";
/// Of these: a rank lost its core.
inline constexpr const char* fact_batches_interrupted = "ledger: batches disturbed";
/// Of these: something worked on another hardware thread of a rank's core.
inline constexpr const char* fact_batches_on_shared_cores = "ledger: batches on shared cores";

/// Single measurements that were discarded because a rank began them too late.
inline constexpr const char* fact_windows_missed = "ledger: windows missed, discarded";

} // namespace skampi
