#include "merge/merge_words.hpp"

#include "model/quantity.hpp"

#include <fmt/format.h>

namespace skampi {

namespace {

std::string reference_probe(const SuiteAdjustment& adjustment) {
    return fmt::format("{}; share of the probe removed from adjusted values: {:g}",
                       format_time(adjustment.reference.probe_s), adjustment.chosen.share);
}

std::string reference_core_speed(const SuiteAdjustment& adjustment) {
    return fmt::format("{:.3g} billion additions per second{}", adjustment.reference.core_speed / 1e9,
                       adjustment.chosen.by_core_speed
                           ? ""
                           : "; adjusted values ignore it, because launches scatter more with it");
}

} // namespace

std::map<std::string, std::string> facts_of_merging(const MergedSuite& merged) {
    std::map<std::string, std::string> facts;
    if (merged.adjustment.reference.probe_s > 0)
        facts["reference probe"] = reference_probe(merged.adjustment);
    if (merged.adjustment.reference.core_speed > 0)
        facts["reference core speed"] = reference_core_speed(merged.adjustment);
    constexpr double shown_from = 0.005; // with two decimals
    if (merged.correlation >= shown_from)
        facts["correlation of launches"] =
            fmt::format("rank autocorrelation {:.2f}; intervals are wider accordingly", merged.correlation);
    if (merged.wrong_results > 0)
        facts["wrong results"] =
            fmt::format("{} of the runs were excluded", count_of(merged.wrong_results, "measurement"));
    return facts;
}

} // namespace skampi
