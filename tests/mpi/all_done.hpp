// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "base/child.hpp"

#include <string_view>

/// Whether a run of skampi-run measured all that it was asked for. Where processes get the cores in turns
/// only, as on a busy machine, a point may be left without a value: then this is told and is no success, but
/// nothing that a test of anything else than values is about.
inline bool all_done(const skampi::ChildResult& run) {
    const auto says = [&](std::string_view text) { return run.err.find(text) != std::string::npos; };
    return run.ok() || (run.exit_status == 1 && run.signal == 0 && !run.timed_out && says(" no value (") &&
                        !says(" failed: ") && !says("wrong data") && !says("could not be measured"));
}
