#include "verify/verify_plan.hpp"

#include "tuning/units.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <random>

namespace skampi {
namespace {

constexpr double lengths_per_octave = 20;
constexpr double most_lengths = 40; ///< of an operation: a launch shall take seconds

/// From a quarter of the first length to four times the last one.
TunedRegion with_margin(TunedRegion region, std::int64_t unit) {
    constexpr std::int64_t usual_last = std::int64_t{1} << 20;
    constexpr std::int64_t margin = 4;
    const bool to_the_end = region.bytes_high >= longest_tuned_bytes / 2;
    region.bytes_high =
        to_the_end ? std::max(usual_last, margin * region.bytes_low) : margin * region.bytes_high;
    region.bytes_low = std::max(unit, region.bytes_low / margin);
    region.bytes_high = std::max(region.bytes_high, 2 * region.bytes_low);
    return region;
}

} // namespace

std::int64_t seed_of(const TuningUse& use) {
    return static_cast<std::int64_t>(content_mark(use.text) >> 12);
}

std::string verify_plan(const TuningUse& use, std::int64_t seed) {
    std::mt19937_64 random(static_cast<std::uint64_t>(seed));
    std::string plan = "@TIMESUITEDEFAULT 5 s\n@MEASUREMENTS\n";
    for (const TunedRegion& tuned : use.regions) {
        const std::string name = tuned.operation.substr(std::string("MPI_").size());
        if (tuned.operation == "MPI_Barrier") {
            plan += fmt::format("{} {{ Type = {}; }}\n", name, tuned.operation);
            continue;
        }
        const std::int64_t unit = combines(tuned.operation) ? 8 : 1;
        const TunedRegion region = with_margin(tuned, unit);
        const double octaves =
            std::log2(static_cast<double>(region.bytes_high) / static_cast<double>(region.bytes_low));
        const double lengths = std::min(most_lengths, lengths_per_octave * octaves);
        const double factor = std::exp2(octaves / lengths);
        const double offset = std::pow(factor, std::uniform_real_distribution<double>(0, 1)(random));
        const auto first = static_cast<std::int64_t>(static_cast<double>(region.bytes_low) * offset);
        plan += fmt::format("{} {{ Type = {};{} Scale = Fixed_log; Stepwidth = {:.6f}; Start_Argument = {}; "
                            "End_Argument = {}; Multiple_of = {}; }}\n",
                            name, tuned.operation,
                            unit == 8 ? " Datatype = MPI_DOUBLE; Reduction = MPI_SUM;" : "", factor,
                            std::max(first, unit), region.bytes_high, unit);
    }
    return plan;
}

} // namespace skampi
