#pragma once

namespace skampi {

// Facts of a run that count what became of its batches. All their names begin with "ledger: ".

/// Single measurements that were discarded because a rank began them too late.
inline constexpr const char* fact_windows_missed = "ledger: windows missed, discarded";

} // namespace skampi
