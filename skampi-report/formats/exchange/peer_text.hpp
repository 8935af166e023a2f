// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "formats/exchange/report_text.hpp"
#include "launches/subject.hpp"

#include <string>
#include <vector>

namespace skampi {

/// The suites that OSU's micro-benchmarks or IMB-MPI1 have a program for, as these print them, at their
/// message lengths. Others are missing.
[[nodiscard]] ReportText osu_report(const Subject& subject);
[[nodiscard]] ReportText imb_report(const Subject& subject);

} // namespace skampi
