// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "contest/contract.hpp"
#include "contest/gate.hpp"

#include <string>
#include <vector>

namespace skampi {

/// JUnit's XML, which CI servers read: a test suite per comparison, a test case per suite and gate.
[[nodiscard]] std::string junit_report(const std::vector<GateResult>& results);
/// A test suite per database, a test case per promise and suite.
[[nodiscard]] std::string junit_report(const std::vector<PromiseFinding>& findings);

} // namespace skampi
