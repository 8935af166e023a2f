// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "model/run.hpp"
#include "suite/run_state.hpp"

#include <cstdint>
#include <map>
#include <string>

namespace skampi {

/// What became of the batches of a run, and how long it measured, over all its starts: facts of the run.
class RunLedger {
public:
    /// Of a run that goes on. What a killed start counted since its last suite ended is known from its
    /// batches.
    void go_on(const Run& stored, const RunState& state);
    /// @param elapsed_s in suites since this start   @param orders sent to all ranks since then
    void write(Run& run, const RunState& state, double elapsed_s, std::int64_t orders) const;

private:
    std::map<std::string, std::int64_t> before_; ///< by former starts
};

} // namespace skampi
