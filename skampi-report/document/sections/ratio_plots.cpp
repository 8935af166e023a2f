#include "document/sections/ratio_plots.hpp"

#include "drawing/ratio_figure.hpp"
#include "model/quantity.hpp"
#include "words/section_words.hpp"
#include "words/turns_names.hpp"

#include <algorithm>
#include <cmath>
#include <deque>
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

/// As the plots of databases take it.
DatabaseComparison::Suite as_compared(const TurnsSuite& suite) {
    DatabaseComparison::Suite plotted;
    plotted.reference = suite.reference;
    plotted.other = suite.variant;
    plotted.whole.ratio = suite.statements.front().ratio;
    for (const TurnsRange& range : suite.points) {
        PointComparison point;
        point.argument = range.from;
        point.ratio = range.statement.ratio;
        point.ratio_low = range.statement.low;
        point.ratio_high = range.statement.high;
        plotted.curves.points.push_back(point);
    }
    return plotted;
}

} // namespace

std::optional<FigureBlock> turns_ratios_block(const Turns& turns, FigureNames& names) {
    constexpr std::size_t most = 30;
    std::deque<DatabaseComparison::Suite> compared; // pointers to these stay valid
    std::vector<RatioPlot> plots;                   // of the suites, in the order of the reference
    std::vector<std::string> labels;
    for (std::size_t place = 0; place < turns.variants.size(); ++place) {
        labels.push_back(variant_name(turns, turns.variants[place].place));
        for (const TurnsSuite& suite : turns.variants[place].suites) {
            if (!suite.compared || !drawable(*suite.reference))
                continue;
            auto plot = std::ranges::find_if(plots, [&](const RatioPlot& each) {
                return each.reference == suite.reference && each.state == state_text(suite);
            });
            if (plot == plots.end())
                plot = plots.insert(plots.end(), {suite.reference, {}, state_text(suite)});
            plot->against.resize(place, nullptr);
            plot->against.push_back(&compared.emplace_back(as_compared(suite)));
        }
    }
    Figure figure = ratios_figure(names.next(), plots, labels, most);
    if (figure.panels.empty())
        return std::nullopt;
    return FigureBlock{std::move(figure), turns_ratios_caption(reference_name(turns))};
}

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
