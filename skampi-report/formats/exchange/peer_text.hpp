// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "launches/subject.hpp"

#include <string>
#include <vector>

namespace skampi {

/// A text in the form of other benchmarks.
struct PeerText {
    std::string text;
    std::vector<std::string> missing; ///< suites that they have no program for, one line each
};
/// The suites that OSU's micro-benchmarks or IMB-MPI1 have a program for, as these print them, at their
/// message lengths.
[[nodiscard]] PeerText osu_report(const Subject& subject);
[[nodiscard]] PeerText imb_report(const Subject& subject);

} // namespace skampi
