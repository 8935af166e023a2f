#include "document/sections/ratio_plots.hpp"

#include "drawing/ratio_figure.hpp"
#include "model/quantity.hpp"
#include "words/section_words.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace skampi {

namespace {

/// Whether a difference was found, and how large the largest is.
std::pair<bool, double> effect_of(const RatioPlot& plot) {
    std::pair<bool, double> effect{false, 0};
    for (const DatabaseComparison::Suite* suite : plot.against) {
        if (!suite || !suite->in_verdict)
            continue;
        const double size = std::fabs(std::log(suite->whole.ratio > 0 ? suite->whole.ratio : 1));
        effect = std::max(effect, std::pair(suite->differs(), size));
    }
    return effect;
}

std::vector<RatioPlot> plots_of(const Contest& contest) {
    std::vector<RatioPlot> plots;
    for (const Curve& curve : contest.reference->curves) {
        RatioPlot plot{&curve, {}};
        for (const DatabaseComparison& comparison : contest.comparisons) {
            const auto suite =
                std::ranges::find(comparison.suites, &curve, &DatabaseComparison::Suite::reference);
            plot.against.push_back(suite == comparison.suites.end() ? nullptr : &*suite);
        }
        if (drawable(curve))
            plots.push_back(std::move(plot));
    }
    std::ranges::stable_sort(plots, std::greater{}, effect_of);
    return plots;
}

} // namespace

std::optional<FigureBlock> ratios_block(const Contest& contest, FigureNames& names) {
    constexpr std::size_t most = 30;
    std::vector<std::string> labels;
    for (const Subject* other : contest.others)
        labels.push_back(shortened(other->label, 30));
    const std::vector<RatioPlot> plots = plots_of(contest);
    Figure figure = ratios_figure(names.next(), plots, labels, most);
    if (figure.panels.empty())
        return std::nullopt;
    return FigureBlock{std::move(figure), ratios_caption(shortened(contest.reference->label, 30))};
}

} // namespace skampi
