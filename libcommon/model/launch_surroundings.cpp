// SPDX-License-Identifier: LGPL-2.1-or-later
#include "model/launch_surroundings.hpp"

#include "base/text.hpp"
#include "model/series.hpp"

#include <fmt/format.h>

namespace skampi {

namespace {

constexpr const char* fact_processor = "cpu model";

void add_processor(const Run& before, const Run& now, std::vector<std::string>& differences) {
    const auto was = before.facts.find(fact_processor);
    const auto is = now.facts.find(fact_processor);
    if (was != before.facts.end() && is != now.facts.end() && was->second != is->second)
        differences.push_back(fmt::format("the processor differs: \"{}\" and \"{}\"", printable(was->second),
                                          printable(is->second)));
}

} // namespace

std::vector<std::string> surroundings_differ(const Run& before, const Run& now) {
    std::vector<std::string> differences = Series(before).forget("variant").differences(Series(now));
    add_processor(before, now, differences);
    return differences;
}

std::vector<std::string> machines_differ(const Run& before, const Run& now) {
    std::vector<std::string> differences;
    if (now.machine.empty() && !before.host.empty() && !now.host.empty() && before.host != now.host)
        differences.push_back(fmt::format("the host of rank 0 differs: \"{}\" and \"{}\"",
                                          printable(before.host), printable(now.host)));
    add_processor(before, now, differences);
    return differences;
}

} // namespace skampi
