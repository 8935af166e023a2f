// SPDX-License-Identifier: LGPL-2.1-or-later
#include "analysis/models/rank_study.hpp"

#include "analysis/models/curve_model.hpp"
#include "analysis/models/suite_findings.hpp"

#include <algorithm>
#include <map>
#include <utility>

namespace skampi {

namespace {

/// The form that fits best without one of the numbers of ranks.
std::optional<FormButOne> form_but_one(const Curve& curve) {
    constexpr std::size_t enough = 6;
    constexpr double close = 0.05;
    std::optional<FormButOne> best;
    for (std::size_t i = 0; curve.points.size() >= enough && i + 1 < curve.points.size(); ++i) {
        Curve others = curve;
        others.points.erase(others.points.begin() + static_cast<std::ptrdiff_t>(i));
        const std::optional<GrowthModel> model = curve_growth(others);
        if (!model || !fits(*model) || model->worst_error > close ||
            (best && best->model.worst_error <= model->worst_error))
            continue;
        const Measurement& left_out = curve.points[i].measurement;
        best = FormButOne{*model, left_out.argument, left_out.value_s};
    }
    return best;
}

} // namespace

RankGrowth rank_growth(const Curve& curve) {
    constexpr double misses = 0.05;
    constexpr double far_better = 5;
    RankGrowth growth{curve_growth(curve), {}};
    if (!growth.model || (fits(*growth.model) && growth.model->worst_error <= misses))
        return growth;
    growth.but_one = form_but_one(curve);
    if (growth.but_one && fits(*growth.model) &&
        far_better * growth.but_one->model.worst_error > growth.model->worst_error)
        growth.but_one.reset();
    return growth;
}

std::vector<Scaling> scalings(const Subject& study) {
    std::map<std::string, std::vector<const Curve*>> by_operation;
    std::vector<std::string> names; // in their order
    for (const Curve& curve : study.curves) {
        std::vector<const Curve*>& curves = by_operation[title_of(curve)];
        if (curves.empty())
            names.push_back(title_of(curve));
        curves.push_back(&curve);
    }
    std::vector<Scaling> found;
    for (const std::string& name : names) {
        const std::vector<const Curve*>& curves = by_operation[name];
        const auto [shortest, longest] = std::ranges::minmax_element(
            curves, {}, [](const Curve* curve) { return curve->suite().message_bytes; });
        std::vector<const Curve*> chosen{*shortest};
        if (*longest != *shortest)
            chosen.push_back(*longest);
        for (const Curve* curve : chosen)
            if (curve->points.size() > 1) {
                RankGrowth growth = rank_growth(*curve);
                found.push_back({curve, std::move(growth.model), &curve->points.front().measurement,
                                 &curve->points.back().measurement, std::move(growth.but_one)});
            }
    }
    return found;
}

} // namespace skampi
