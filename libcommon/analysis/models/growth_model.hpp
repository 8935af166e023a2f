// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "analysis/models/cost_model.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace skampi {

/// How a time grows with the number of ranks p.
enum class Growth {
    constant,          ///< 1
    log2,              ///< log2 p
    ceil_log2,         ///< ceil(log2 p): rounds of a tree
    linear,            ///< p
    p_log2,            ///< p log2 p
    quadratic,         ///< p^2
    ceil_log2_squared, ///< ceil(log2 p)^2: rounds each of which costs more than the one before
};

/// The terms of a model but for the constant and what p that are no powers of two cost.
struct GrowthForm {
    Growth growth = Growth::constant;
    bool rounds = false; ///< with ceil(log2 p) in addition to p or to its own square
    bool operator==(const GrowthForm&) const = default;
};

/// t(p) = alpha + beta g(p), and gamma more where p is no power of two. With p or ceil(log2 p)^2 there may be
/// a price of the rounds, delta ceil(log2 p): a binomial Gather has rounds, and moves the data of every rank.
/// On one rank the time is not below 0.
struct GrowthModel {
    Growth growth = Growth::constant;
    double alpha_s = 0;
    double beta_s = 0;  ///< >= 0
    double delta_s = 0; ///< >= 0, of forms with rounds; 0 = none was found
    double gamma_s = 0; ///< 0 = no difference was found between powers of two and others
    // Standard errors of these, given the form; 0 of what the model does not have. Between launches: from
    // what is fitted to each. Else the roots of the diagonal of noise^2 (X' W X)^-1, the covariance of
    // weighted least squares (Aitken 1936).
    double alpha_error_s = 0;
    double beta_error_s = 0;
    double delta_error_s = 0;
    double gamma_error_s = 0;
    CoefficientErrors errors; ///< what these contain
    double worst_error = 0;   ///< largest |measured - fitted| / measured
    double noise = 0;         ///< relative standard deviation assumed of one point
    std::size_t points = 0;   ///< it was fitted to
    /// How many points there are beyond its coefficients; of a surface beyond all of both parts.
    std::size_t degrees = 0;
    std::int64_t first = 0; ///< number of ranks
    std::int64_t last = 0;
    /// Forms that fit about as well: the points do not distinguish them from this one.
    std::vector<GrowthForm> alike;
    /// A number of ranks on which none of those would take the time of this one, by a tenth or four times the
    /// noise; 0 = there are none, or 16 times as many ranks as were measured do not suffice. Of a surface 0.
    std::int64_t distinguishing_ranks = 0;
    [[nodiscard]] GrowthForm form() const { return {growth, delta_s != 0}; }
    [[nodiscard]] double at(std::int64_t ranks) const;
    /// Whether the time on one rank would be below 0: the form begins there, and no measured time does.
    [[nodiscard]] bool is_negative_on_one_rank() const;
};

[[nodiscard]] double growth_at(Growth growth, std::int64_t ranks);

/// The one of these models whose Bayesian information criterion is best, by weighted least squares of
/// relative residuals; a constant where none of the others fits better than chance would let one of them (5
/// %). Alike are those within 6 of it, which is called strong evidence (Kass & Raftery 1995). The noise is at
/// least 0.5 %, else that of the points' own errors and of the best fit.
/// @param points ascending numbers of ranks; those that are not above zero are left out
/// @param launches of these points: from two on, errors are those between launches
/// @return none with fewer than five points
[[nodiscard]] std::optional<GrowthModel> fit_growth(std::span<const CostPoint> points,
                                                    const LaunchTimes& launches = {});

/// One measured time of an operation over ranks and message lengths.
struct SurfacePoint {
    std::int64_t ranks = 0;
    std::int64_t message_bytes = 0;
    double time_s = 0;
    double standard_error_s = 0;
};

/// t(p, m) = latency(p) + m per_byte(p), each of them a GrowthModel: the cost of a collective in two
/// parameters, as (p - 1) (L + m / B) of a ring.
struct SurfaceModel {
    GrowthModel latency;
    GrowthModel per_byte;   ///< its times are those of one byte
    double worst_error = 0; ///< largest |measured - fitted| / measured
    double noise = 0;       ///< relative standard deviation assumed of one point
    std::int64_t first_bytes = 0;
    std::int64_t last_bytes = 0;
    [[nodiscard]] double at(std::int64_t ranks, std::int64_t message_bytes) const;
};

/// The best pair of forms by the same criterion, without rounds in addition to p: they are the latency's.
/// What `alike` names fits about as well in the place of one form while the other stays. Neither part is
/// below 0 on one rank.
/// @return none with fewer than five numbers of ranks or fewer than two lengths, or where no pair can be
/// fitted
/// @param launches of these points, as of fit_growth()
[[nodiscard]] std::optional<SurfaceModel> fit_surface(std::span<const SurfacePoint> points,
                                                      const LaunchTimes& launches = {});

} // namespace skampi
