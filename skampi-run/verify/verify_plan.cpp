// SPDX-License-Identifier: LGPL-2.1-or-later
#include "verify/verify_plan.hpp"

#include "tuning/units.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <tuple>
#include <utility>

namespace skampi {
namespace {

constexpr std::int64_t usual_last = std::int64_t{1} << 20;
constexpr double operation_s = 5; ///< in a launch, over all regions of an operation
constexpr double fewest_s = 1;    ///< of a suite

/// Reductions are measured of MPI_DOUBLE.
std::int64_t unit_of(const std::string& operation) {
    return combines(operation) ? 8 : 1;
}

/// "Alltoall-4096-16384", "Bcast-8192", "Barrier".
std::string name_of(const TunedRegion& region) {
    std::string name = region.operation.substr(std::string("MPI_").size());
    if (region.bytes_high > 0)
        name += fmt::format("-{}", region.bytes_low);
    if (region.bytes_high > 0 && region.bytes_high != any_length)
        name += fmt::format("-{}", region.bytes_high);
    return name;
}

std::string block_of(const VerifySuite& suite, double time_s) {
    const std::string& operation = suite.region.operation;
    if (suite.last == 0)
        return fmt::format("{} {{ Type = {}; Time_Suite = {:.3g} s; }}\n", suite.name, operation, time_s);
    return fmt::format("{} {{ Type = {};{} Scale = Fixed_log; Stepwidth = 2; Start_Argument = {}; "
                       "End_Argument = {}; Multiple_of = {}; Time_Suite = {:.3g} s; }}\n",
                       suite.name, operation,
                       combines(operation) ? " Datatype = MPI_DOUBLE; Reduction = MPI_SUM;" : "", suite.first,
                       suite.last, unit_of(operation), time_s);
}

} // namespace

std::vector<VerifySuite> verify_suites(std::vector<TunedRegion> regions) {
    std::ranges::sort(regions, {},
                      [](const TunedRegion& region) { return std::tie(region.operation, region.bytes_low); });
    std::vector<VerifySuite> suites;
    for (TunedRegion& region : regions) {
        const std::int64_t unit = unit_of(region.operation);
        const std::int64_t first = (region.bytes_low + unit - 1) / unit * unit;
        const std::int64_t last = region.bytes_high == any_length ? std::max(usual_last, 4 * first)
                                                                  : region.bytes_high / unit * unit;
        if (first <= last)
            suites.push_back({name_of(region), std::move(region), first, last});
    }
    return suites;
}

std::set<std::string> names_of(const std::vector<VerifySuite>& suites) {
    std::set<std::string> names;
    for (const VerifySuite& suite : suites)
        names.insert(suite.name);
    return names;
}

std::string verify_plan(const std::vector<VerifySuite>& suites) {
    std::map<std::string, int> counts; // by operation
    for (const VerifySuite& suite : suites)
        ++counts[suite.region.operation];
    std::string plan = "@MEASUREMENTS\n";
    for (const VerifySuite& suite : suites)
        plan += block_of(suite, std::max(fewest_s, operation_s / counts[suite.region.operation]));
    return plan;
}

} // namespace skampi
