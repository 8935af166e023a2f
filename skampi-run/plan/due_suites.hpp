// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "launches/settled_suites.hpp"
#include "model/precision.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace skampi {

/// What a launch measures of a suite, as its supervisor plans it from the launches before.
struct DueSuite {
    /// Largest relative standard error within the launch, where the plan asks for less.
    double error = 0;
    std::vector<std::int64_t> arguments = {}; ///< ascending; empty = its scale chooses them
    bool operator==(const DueSuite&) const = default;
};
/// By due_key() of a suite. Suites that are not among them are not measured.
using DueSuites = std::map<std::string, DueSuite>;
/// A hash of a suite's name, which may hold any character.
[[nodiscard]] std::string due_key(const std::string& suite);
/// The key that stands for every suite that has none of its own.
inline constexpr const char* every_suite = "all";

/// "0a3c:0.013:8,16,32/all:0.01", as programs pass it on: no character of it means anything to a shell.
[[nodiscard]] std::string due_text(const DueSuites& due);
/// @return none = it is no such text
[[nodiscard]] std::optional<DueSuites> parse_due(const std::string& text);

/// What is due of a suite; null = nothing.
[[nodiscard]] const DueSuite* due_of(const DueSuites& due, const std::string& suite);

/// The launches of a plan in a database, as far as they decide what the next one measures.
struct LaunchesSoFar {
    std::size_t launches = 0;              ///< that ended, of the series of the newest of the plan
    std::vector<SettledSuite> suites = {}; ///< by them together; empty = there are no values
    std::size_t without_value = 0;         ///< further suites
    /// Where its scale refined: the arguments of the first launch, for all others.
    std::map<std::string, std::vector<std::int64_t>> arguments = {};
};

/// What the next launch measures. The first two, and each fourth one, measure all suites at all arguments, so
/// that a change of the machine is seen; the others the suites that are not settled, from the smallest to the
/// largest argument that is not. Within a launch an error of a third of the scatter between launches is small
/// enough: it makes the interval 5 % wider. Pure.
[[nodiscard]] DueSuites due_next(const LaunchesSoFar& so_far, const Precision& precision);

} // namespace skampi
