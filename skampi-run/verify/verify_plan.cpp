#include "verify/verify_plan.hpp"

#include "tuning/units.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <optional>
#include <random>
#include <span>
#include <utility>

namespace skampi {
namespace {

constexpr double lengths_per_octave = 20;
constexpr double fewest_lengths = 8;
constexpr double most_lengths = 40; ///< of a region: a launch shall take seconds
constexpr double control_lengths = 4;
/// A control keeps so far away from a region, and goes no farther than so far.
constexpr double clear_factor = 1.5;
constexpr double control_reach = 16;

constexpr std::int64_t usual_last = std::int64_t{1} << 20;
constexpr double operation_s = 5; ///< in a launch, over all regions of an operation
constexpr double fewest_s = 1;    ///< of a suite

/// Reductions are measured of MPI_DOUBLE.
std::int64_t unit_of(const std::string& operation) {
    return combines(operation) ? 8 : 1;
}

std::int64_t whole_below(double bytes, std::int64_t unit) {
    return static_cast<std::int64_t>(bytes) / unit * unit;
}

std::int64_t whole_above(std::int64_t bytes, std::int64_t unit) {
    return std::max(unit, (bytes + unit - 1) / unit * unit);
}

bool goes_on_for_ever(const TunedRegion& region) {
    return region.bytes_high >= longest_tuned_bytes;
}

double octaves_of(std::int64_t first, std::int64_t last) {
    return std::log2(static_cast<double>(last) / static_cast<double>(first));
}

/// "Alltoall-4096-16384", "Bcast-8192", "Scan".
std::string region_name(const TunedRegion& region, const char* what) {
    std::string name = region.operation.substr(std::string("MPI_").size()) + what;
    if (region.bytes_low > 1 || !goes_on_for_ever(region))
        name += fmt::format("-{}", region.bytes_low);
    if (!goes_on_for_ever(region))
        name += fmt::format("-{}", region.bytes_high);
    return name;
}

/// @return none = it has no whole element
std::optional<VerifySuite> region_suite(const TunedRegion& region, std::mt19937_64& random) {
    VerifySuite suite{.name = region_name(region, ""), .region = region};
    const double offset = std::uniform_real_distribution<double>(0, 1)(random);
    if (region.operation == "MPI_Barrier")
        return suite;
    const std::int64_t unit = unit_of(region.operation);
    suite.first = whole_above(region.bytes_low, unit);
    suite.last = goes_on_for_ever(region) ? std::max(usual_last, 4 * suite.first)
                                          : whole_below(static_cast<double>(region.bytes_high), unit);
    if (suite.first > suite.last)
        return std::nullopt;
    if (const double octaves = octaves_of(suite.first, suite.last); octaves > 0) {
        // No whole number of steps: a tuner halves octaves, and so would many of these.
        suite.factor = std::exp2(
            octaves / (std::clamp(lengths_per_octave * octaves, fewest_lengths, most_lengths) - offset));
        const double first = static_cast<double>(suite.first) * std::pow(suite.factor, offset);
        suite.first = std::clamp(whole_below(first, unit), suite.first, suite.last);
    }
    return suite;
}

/// The lengths of an operation that no region has.
std::vector<TunedRegion> gaps_between(std::span<const TunedRegion> regions) {
    std::vector<TunedRegion> gaps;
    std::int64_t next = 1;
    for (const TunedRegion& region : regions) {
        if (region.bytes_low > next)
            gaps.push_back({region.operation, next, region.bytes_low - 1});
        next = region.bytes_high + 1;
    }
    if (next < longest_tuned_bytes)
        gaps.push_back({regions.front().operation, next, longest_tuned_bytes});
    return gaps;
}

/// Of a gap the lengths beside the regions are of interest, and not all the way to the longest messages.
std::optional<VerifySuite> control_suite(const TunedRegion& gap) {
    VerifySuite suite{.name = region_name(gap, "-control"), .region = gap, .control = true};
    const std::int64_t unit = unit_of(gap.operation);
    const bool from_the_start = gap.bytes_low <= 1;
    const auto low = static_cast<double>(gap.bytes_low);
    const auto high = static_cast<double>(gap.bytes_high);
    suite.first = whole_above(from_the_start ? 1 : static_cast<std::int64_t>(low * clear_factor), unit);
    suite.last = whole_below(goes_on_for_ever(gap)
                                 ? std::min(low * control_reach, 4.0 * static_cast<double>(usual_last))
                                 : high / clear_factor,
                             unit);
    if (from_the_start)
        suite.first = std::max(suite.first, whole_below(high / control_reach, unit));
    if (suite.first > suite.last)
        return std::nullopt;
    if (const double octaves = octaves_of(suite.first, suite.last); octaves > 0)
        suite.factor = std::exp2(octaves / (control_lengths - 1));
    return suite;
}

std::string suite_block(const VerifySuite& suite) {
    const std::string& operation = suite.region.operation;
    if (suite.last == 0)
        return fmt::format("{} {{ Type = {}; Time_Suite = {:.3g} s; }}\n", suite.name, operation,
                           suite.time_s);
    const std::int64_t unit = unit_of(operation);
    return fmt::format("{} {{ Type = {};{} Scale = Fixed_log; Stepwidth = {:.6f}; Start_Argument = {}; "
                       "End_Argument = {}; Multiple_of = {}; Time_Suite = {:.3g} s; }}\n",
                       suite.name, operation, unit == 1 ? "" : " Datatype = MPI_DOUBLE; Reduction = MPI_SUM;",
                       suite.factor, suite.first, suite.last, unit, suite.time_s);
}

} // namespace

std::int64_t seed_of(const TuningUse& use) {
    return static_cast<std::int64_t>(content_mark(use.text) >> 12);
}

std::vector<VerifySuite> verify_suites(const TuningUse& use, std::int64_t seed) {
    std::mt19937_64 random(static_cast<std::uint64_t>(seed));
    std::vector<VerifySuite> suites;
    const auto add = [&](std::optional<VerifySuite> suite) {
        if (suite)
            suites.push_back(*std::move(suite));
    };
    for (auto first = use.regions.begin(); first != use.regions.end();) {
        const auto behind = std::find_if(first, use.regions.end(), [&](const TunedRegion& region) {
            return region.operation != first->operation;
        });
        const std::span<const TunedRegion> regions(first, behind);
        const std::size_t begin = suites.size();
        for (const TunedRegion& region : regions)
            add(region_suite(region, random));
        if (first->operation != "MPI_Barrier")
            for (const TunedRegion& gap : gaps_between(regions))
                add(control_suite(gap));
        for (std::size_t i = begin; i < suites.size(); ++i)
            suites[i].time_s = suites[i].control
                                   ? fewest_s
                                   : std::max(fewest_s, operation_s / static_cast<double>(regions.size()));
        first = behind;
    }
    std::ranges::stable_sort(suites, {}, [](const VerifySuite& suite) {
        return std::pair(suite.region.operation, suite.region.bytes_low);
    });
    return suites;
}

std::set<std::string> suites_of_rules(const std::vector<VerifySuite>& suites) {
    std::set<std::string> names;
    for (const VerifySuite& suite : suites)
        if (!suite.control)
            names.insert(suite.name);
    return names;
}

std::string verify_plan(const std::vector<VerifySuite>& suites) {
    std::string plan = "@MEASUREMENTS\n";
    for (const VerifySuite& suite : suites)
        plan += suite_block(suite);
    return plan;
}

} // namespace skampi
