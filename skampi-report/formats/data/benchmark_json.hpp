// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "launches/subject.hpp"

#include <string>

namespace skampi {

// Values as services that watch benchmarks read them. A benchmark is called SUITE/ARGUMENT.

/// Bencher Metric Format: latency in ns, bandwidth in B/s, both with the ends of their errors.
[[nodiscard]] std::string bencher_json(const Subject& subject);

/// The JSON of hyperfine, in seconds; its runs are the launches. Processor time is not measured: it is 0.
[[nodiscard]] std::string hyperfine_json(const Subject& subject);

} // namespace skampi
