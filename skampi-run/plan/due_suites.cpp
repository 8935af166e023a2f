// SPDX-License-Identifier: LGPL-2.1-or-later
#include "plan/due_suites.hpp"

#include "base/hash.hpp"
#include "model/field_text.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <sstream>

namespace skampi {
namespace {

constexpr std::size_t launches_of_all = 2; ///< the first ones measure everything
constexpr std::size_t all_every = 4;       ///< and later each fourth one

std::vector<std::string> split(const std::string& text, char at) {
    std::vector<std::string> parts;
    std::istringstream rest(text);
    for (std::string part; std::getline(rest, part, at);)
        parts.push_back(part);
    return parts;
}

/// Those from the first to the last that is not settled: in between a launch without values would be
/// interpolated.
std::vector<std::int64_t> open_range(const SettledSuite& suite) {
    std::vector<std::int64_t> range;
    for (const std::int64_t argument : suite.arguments)
        if (argument >= *suite.open.begin() && argument <= *suite.open.rbegin())
            range.push_back(argument);
    return range;
}

} // namespace

std::string due_text(const DueSuites& due) {
    std::vector<std::string> suites;
    for (const auto& [key, suite] : due)
        suites.push_back(fmt::format("{}:{:.4g}{}{}", key, suite.error, suite.arguments.empty() ? "" : ":",
                                     fmt::join(suite.arguments, ",")));
    return fmt::format("{}", fmt::join(suites, "/"));
}

std::optional<DueSuites> parse_due(const std::string& text) {
    DueSuites due;
    for (const std::string& suite : split(text, '/')) {
        const std::vector<std::string> words = split(suite, ':');
        DueSuite read;
        if (words.size() < 2 || words.size() > 3 || words[0].empty() || !set_field(words[1], read.error) ||
            !(read.error >= 0))
            return std::nullopt;
        for (const std::string& word :
             words.size() == 3 ? split(words[2], ',') : std::vector<std::string>()) {
            const std::optional<std::int64_t> argument = integer_from(word);
            if (!argument || (!read.arguments.empty() && *argument <= read.arguments.back()))
                return std::nullopt;
            read.arguments.push_back(*argument);
        }
        due[words[0]] = std::move(read);
    }
    return due.empty() ? std::nullopt : std::optional(due);
}

std::string due_key(const std::string& suite) {
    return fmt::format("{:016x}", Fnv1a().add(suite).value());
}

const DueSuite* due_of(const DueSuites& due, const std::string& suite) {
    const auto own = due.find(due_key(suite));
    const auto found = own == due.end() ? due.find(every_suite) : own;
    return found == due.end() ? nullptr : &found->second;
}

DueSuites due_next(const LaunchesSoFar& so_far, const Precision& precision) {
    const double first_error = precision.half_width / 2;
    const bool all =
        so_far.launches < launches_of_all || so_far.launches % all_every == all_every - 1 ||
        std::ranges::all_of(so_far.suites, [&](const SettledSuite& suite) { // launches are spread over a time
            return suite.settled(precision.share);
        });
    DueSuites due;
    if (all) // also those that have no value yet
        due[every_suite].error = first_error;
    for (const SettledSuite& suite : so_far.suites) {
        if (!all && suite.settled(precision.share))
            continue;
        constexpr double share_of_scatter = 1.0 / 3;
        DueSuite& own = due[due_key(suite.name)];
        own.error = so_far.launches < launches_of_all ? first_error : share_of_scatter * suite.scatter;
        const auto shared = so_far.arguments.find(suite.name);
        if (!all)
            own.arguments = open_range(suite);
        else if (shared != so_far.arguments.end())
            own.arguments = shared->second;
    }
    return due;
}

} // namespace skampi
