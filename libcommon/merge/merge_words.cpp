#include "merge/merge_words.hpp"

#include "model/quantity.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <ranges>

namespace skampi {

namespace {

/// "0.5", or "0.25 to 0.75" where it depends on the argument.
std::string range_of(const SuiteAdjustment& adjustment, double ProbeShares::*way) {
    const auto [least, most] =
        std::ranges::minmax(adjustment.arguments |
                            std::views::transform([way](const auto& at) { return at.second.shares.*way; }));
    return least == most ? fmt::format("{:g}", least) : fmt::format("{:g} to {:g}", least, most);
}

/// The share of the probe that adjusted values remove.
std::string removed_share(const SuiteAdjustment& adjustment) {
    const std::string there = range_of(adjustment, &ProbeShares::there);
    const bool differ = std::ranges::any_of(
        adjustment.arguments, [](const auto& at) { return at.second.shares.there != at.second.shares.back; });
    return differ ? fmt::format("{} on the way out, {} on the way back", there,
                                range_of(adjustment, &ProbeShares::back))
                  : there;
}

std::string reference_probe(const SuiteAdjustment& adjustment) {
    const double outbound = adjustment.reference.way_there;
    return fmt::format("{}{}, median of the runs; share of the probe removed from adjusted values: {}",
                       format_time(adjustment.reference.probe_s),
                       outbound > 0 ? fmt::format(" ({:.0f} % on the way out)", 100 * outbound) : "",
                       removed_share(adjustment));
}

std::string reference_core_clock(const SuiteAdjustment& adjustment) {
    const auto with_clock =
        std::ranges::count_if(adjustment.arguments, [](const auto& at) { return at.second.by_core_clock; });
    std::string text =
        fmt::format("{:.3f} GHz, median of the runs", adjustment.reference.core_clock_hz / 1e9);
    if (with_clock != std::ssize(adjustment.arguments))
        text += fmt::format("; adjusted values ignore it{}, because launches scatter more with it",
                            with_clock > 0 ? " at some arguments" : "");
    return text;
}

} // namespace

std::map<std::string, std::string> facts_of_merging(const MergedSuite& merged) {
    std::map<std::string, std::string> facts;
    if (merged.adjustment.reference.probe_s > 0)
        facts["reference probe"] = reference_probe(merged.adjustment);
    if (merged.adjustment.reference.core_clock_hz > 0)
        facts["reference core clock"] = reference_core_clock(merged.adjustment);
    constexpr double shown_from = 0.005; // with two decimals
    if (merged.correlation >= shown_from)
        facts["correlation of launches"] =
            fmt::format("rank autocorrelation {:.2f}; intervals are wider accordingly", merged.correlation);
    if (merged.wrong_results > 0)
        facts["wrong results"] =
            fmt::format("{} of the runs were excluded",
                        count_of(static_cast<std::int64_t>(merged.wrong_results), "measurement"));
    return facts;
}

} // namespace skampi
