#include "analysis/inference/covariates.hpp"

#include "skalib/statistics.hpp"

#include <algorithm>
#include <cmath>

namespace skampi {

namespace {

/// Sums of squares and products within the groups.
struct Within {
    std::array<std::array<double, 2>, 2> xx{};
    std::array<double, 2> xy{};

    void add(const CovariateRows& rows) {
        double y_mean = 0;
        double weights = 0;
        for (const CovariateRow& row : rows) {
            y_mean += row.weight * row.y;
            weights += row.weight;
        }
        y_mean /= weights;
        const std::array<double, 2> x_mean = mean_covariates(rows);
        for (const CovariateRow& row : rows)
            for (const std::size_t j : {0U, 1U}) {
                xy[j] += row.weight * (row.x[j] - x_mean[j]) * (row.y - y_mean);
                for (const std::size_t k : {0U, 1U})
                    xx[j][k] += row.weight * (row.x[j] - x_mean[j]) * (row.x[k] - x_mean[k]);
            }
    }
};

/// Keeps slopes within what a machine can do, each within its prior's two deviations: one launch with a slow
/// core and a time that something else made long would say that times follow the clock four times over, and
/// the other launches would be corrected by it.
void keep_possible(Slopes& slopes, std::span<const SlopePrior> priors,
                   const std::array<std::array<double, 2>, 2>& xx, const std::array<double, 2>& xy) {
    const auto beyond = [&](std::size_t j) {
        return std::fabs(slopes.slope[j] - priors[j].slope) / (2 * priors[j].deviation);
    };
    const auto keep = [&](std::size_t j) {
        slopes.slope[j] = std::clamp(slopes.slope[j], priors[j].slope - 2 * priors[j].deviation,
                                     priors[j].slope + 2 * priors[j].deviation);
    };
    if (slopes.count == 2 && std::max(beyond(0), beyond(1)) > 1) {
        const std::size_t kept = beyond(0) > beyond(1) ? 0 : 1;
        const std::size_t other = 1 - kept;
        keep(kept); // the other one explains what is left
        slopes.slope[other] = (xy[other] - xx[other][kept] * slopes.slope[kept]) / xx[other][other];
    }
    for (std::size_t j = 0; j < slopes.count; ++j)
        keep(j);
}

Slopes slopes_within(const Within& within, std::span<const SlopePrior> priors, double spread) {
    auto xx = within.xx;
    auto xy = within.xy;
    for (std::size_t j = 0; j < priors.size(); ++j) {
        const double weight = spread / (priors[j].deviation * priors[j].deviation);
        xx[j][j] += weight;
        xy[j] += weight * priors[j].slope;
    }
    Slopes slopes;
    slopes.count = priors.size();
    const double determinant = xx[0][0] * xx[1][1] - xx[0][1] * xx[1][0];
    if (slopes.count == 2 && determinant > 1e-3 * xx[0][0] * xx[1][1]) {
        slopes.inverse = {{{xx[1][1] / determinant, -xx[0][1] / determinant},
                           {-xx[1][0] / determinant, xx[0][0] / determinant}}};
    } else if (slopes.count > 0 && xx[0][0] > 0) {
        slopes.count = 1;
        slopes.inverse[0][0] = 1 / xx[0][0];
    } else {
        slopes.count = 0;
    }
    for (std::size_t j = 0; j < slopes.count; ++j)
        for (std::size_t k = 0; k < slopes.count; ++k) {
            slopes.slope[j] += slopes.inverse[j][k] * xy[k];
            slopes.degrees += slopes.inverse[j][k] * within.xx[k][j];
        }
    keep_possible(slopes, priors, xx, xy);
    return slopes;
}

} // namespace

double Slopes::leverage(const std::array<double, 2>& apart) const {
    double sum = 0;
    for (std::size_t j = 0; j < count; ++j)
        for (std::size_t k = 0; k < count; ++k)
            sum += apart[j] * inverse[j][k] * apart[k];
    return sum;
}

std::array<double, 2> mean_covariates(const CovariateRows& rows) {
    std::array<double, 2> mean{};
    double weights = 0;
    for (const CovariateRow& row : rows) {
        for (const std::size_t j : {0U, 1U})
            mean[j] += row.weight * row.x[j];
        weights += row.weight;
    }
    return {mean[0] / weights, mean[1] / weights};
}

Slopes least_squares(RowGroups groups, std::span<const SlopePrior> priors, double spread) {
    Within within;
    for (const CovariateRows* rows : groups)
        within.add(*rows);
    return slopes_within(within, priors, spread);
}

Slopes least_deviations(RowGroups groups, std::span<const SlopePrior> priors) {
    std::vector<CovariateRows> weighted;
    for (const CovariateRows* rows : groups)
        weighted.push_back(*rows);
    Slopes slopes = least_squares(groups, priors);
    constexpr int rounds = 20;
    constexpr double least = 1e-4;
    for (int round = 0; round < rounds && slopes.count > 0; ++round) {
        Within within;
        for (CovariateRows& rows : weighted) {
            std::vector<double> rest;
            for (const CovariateRow& row : rows)
                rest.push_back(row.y - slopes.of(row));
            const double middle = skalib::median(rest);
            for (std::size_t i = 0; i < rows.size(); ++i)
                rows[i].weight = 1 / std::max(least, std::fabs(rest[i] - middle));
            within.add(rows);
        }
        slopes = slopes_within(within, priors, 0);
    }
    return slopes;
}

} // namespace skampi
