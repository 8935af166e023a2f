// SPDX-License-Identifier: LGPL-2.1-or-later
#include "analysis/models/growth_model.hpp"

#include "skalib/least_squares.hpp"
#include "skalib/statistics.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <set>

namespace skampi {

namespace {

/// Of surfaces, whose parts have no rounds as well.
constexpr std::array<Growth, 6> simple_growths{Growth::constant, Growth::log2,   Growth::ceil_log2,
                                               Growth::linear,   Growth::p_log2, Growth::quadratic};
constexpr std::size_t least_points = 5;
/// A smaller relative deviation of a point cannot be measured.
constexpr double least_noise = 0.005;
constexpr double strong_evidence = 6;
/// With this probability a constant may be taken for growth.
constexpr double by_chance = 0.05;
/// Times farther from a constant are no noise about it, also where no form fits.
constexpr double farthest_from_a_constant = 0.25;

bool is_power_of_two(std::int64_t ranks) {
    return std::has_single_bit(static_cast<std::uint64_t>(ranks));
}

/// The columns of a GrowthModel: 1, its form, and whether p is no power of two, each as far as it has them.
struct Columns {
    Growth growth = Growth::constant;
    bool penalty = false;
    double largest = 1;    ///< of the form: by this its column is divided
    bool rounds = false;   ///< with ceil(log2 p)
    bool from_one = false; ///< nothing on one rank: no constant, and p - 1 in place of p
    [[nodiscard]] bool grows() const { return growth != Growth::constant; }
    [[nodiscard]] std::size_t number() const {
        return (from_one ? 0u : 1u) + (grows() ? 1u : 0u) + (rounds ? 1u : 0u) + (penalty ? 1u : 0u);
    }
    /// For which a form is charged: one that is kept from being negative is as free to fit as it was before.
    [[nodiscard]] std::size_t number_charged() const { return number() + (from_one ? 1u : 0u); }
    void append(std::int64_t ranks, double factor, std::vector<double>& row) const {
        const double on_one = from_one ? growth_at(growth, 1) : 0;
        if (!from_one)
            row.push_back(factor);
        if (grows())
            row.push_back(factor * (growth_at(growth, ranks) - on_one) / largest);
        if (rounds)
            row.push_back(factor * growth_at(Growth::ceil_log2, ranks));
        if (penalty)
            row.push_back(is_power_of_two(ranks) ? 0 : factor);
    }
    /// With errors in units of the points' noise.
    /// @param first of its coefficients in the solution
    /// @param smallest of the times: against it, what rounding leaves is no coefficient
    [[nodiscard]] GrowthModel model(const skalib::LeastSquares& solution, std::size_t first, double factor,
                                    double smallest) const {
        GrowthModel model;
        model.growth = growth;
        const auto coefficient = [&](std::size_t i) {
            return std::fabs(solution.coefficients[i]) < 1e-9 * smallest ? 0
                                                                         : solution.coefficients[i] / factor;
        };
        const std::size_t grown = first + (from_one ? 0 : 1);
        if (grows()) {
            model.beta_s = solution.coefficients[grown] / largest / factor;
            model.beta_error_s = solution.errors[grown] / largest / factor;
        }
        if (from_one) {
            model.alpha_s = -model.beta_s * growth_at(growth, 1);
            model.alpha_error_s = model.beta_error_s * growth_at(growth, 1);
        } else {
            model.alpha_s = coefficient(first);
            model.alpha_error_s = solution.errors[first] / factor;
        }
        if (rounds) {
            model.delta_s = coefficient(grown + 1);
            model.delta_error_s = solution.errors[grown + 1] / factor;
        }
        if (penalty) {
            model.gamma_s = coefficient(first + number() - 1);
            model.gamma_error_s = solution.errors[first + number() - 1] / factor;
        }
        return model;
    }
};

/// The points that can be fitted, and the launches' times at these.
struct SurfaceData {
    std::vector<SurfacePoint> points;
    std::vector<double> times_s;
    std::vector<std::vector<double>> launches_s;
    double own_noise = 0; ///< median of the points' own relative errors
    std::set<std::int64_t> ranks;
    std::set<std::int64_t> lengths;
    SurfaceData(const std::vector<SurfacePoint>& all, const LaunchTimes& launches) {
        std::vector<std::size_t> kept;
        std::vector<double> errors;
        for (std::size_t i = 0; i < all.size(); ++i)
            if (const SurfacePoint& point = all[i];
                std::isfinite(point.time_s) && point.time_s > 0 && point.ranks > 0) {
                points.push_back(point);
                kept.push_back(i);
                times_s.push_back(point.time_s);
                errors.push_back(std::isfinite(point.standard_error_s) ? point.standard_error_s / point.time_s
                                                                       : 0);
                ranks.insert(point.ranks);
                lengths.insert(point.message_bytes);
            }
        own_noise = skalib::median(std::move(errors));
        launches_s = completed_launches(launches, kept, times_s);
    }
    [[nodiscard]] double longest() const { return static_cast<double>(*lengths.rbegin()); }
};

/// A growth has one part; a surface has two, its latency and its price per byte.
using Parts = std::vector<Columns>;

std::size_t coefficients_of(const Parts& parts) {
    std::size_t number = 0;
    for (const Columns& part : parts)
        number += part.number();
    return number;
}

std::vector<std::vector<double>> rows_of(const SurfaceData& data, const Parts& parts) {
    std::vector<std::vector<double>> rows;
    for (const SurfacePoint& point : data.points) {
        std::vector<double>& row = rows.emplace_back();
        parts.front().append(point.ranks, 1, row);
        if (parts.size() > 1)
            parts[1].append(point.ranks, static_cast<double>(point.message_bytes) / data.longest(), row);
    }
    return rows;
}

std::vector<GrowthModel> models_of(const skalib::LeastSquares& solution, const SurfaceData& data,
                                   const Parts& parts, double smallest_s) {
    std::vector<GrowthModel> models{parts.front().model(solution, 0, 1, smallest_s)};
    if (parts.size() > 1)
        models.push_back(parts[1].model(solution, parts.front().number(), data.longest(), smallest_s));
    return models;
}

struct Candidate {
    Parts parts;
    std::vector<GrowthModel> models; ///< of the parts
    double worst_error = 0;
    double squares = 0; ///< of the relative residuals
    [[nodiscard]] double at(const SurfacePoint& point) const {
        return models.front().at(point.ranks) +
               (models.size() > 1 ? static_cast<double>(point.message_bytes) * models[1].at(point.ranks) : 0);
    }
    /// Bayesian information criterion.
    [[nodiscard]] double criterion(double noise, std::size_t points) const {
        std::size_t charged = 0;
        for (const Columns& part : parts)
            charged += part.number_charged();
        return squares / (noise * noise) +
               static_cast<double>(charged) * std::log(static_cast<double>(points));
    }
};

/// None where the columns depend on one another, a part shrinks with p, or is below 0 on one rank in spite of
/// being fitted without a constant.
std::optional<Candidate> fitted(const SurfaceData& data, Parts parts) {
    const auto solution = skalib::least_squares(rows_of(data, parts), data.times_s, data.times_s);
    if (!solution)
        return std::nullopt;
    const double smallest_s = *std::ranges::min_element(data.times_s);
    Candidate candidate{parts, models_of(*solution, data, parts, smallest_s)};
    if (std::ranges::any_of(candidate.models,
                            [](const GrowthModel& model) { return model.beta_s < 0 || model.delta_s < 0; }))
        return std::nullopt;
    for (std::size_t i = 0; i < parts.size(); ++i)
        if (candidate.models[i].is_negative_on_one_rank()) {
            if (parts[i].from_one || !parts[i].grows())
                return std::nullopt;
            parts[i].from_one = true;
            return fitted(data, std::move(parts));
        }
    for (const SurfacePoint& point : data.points) {
        const double residual = candidate.at(point) / point.time_s - 1;
        candidate.worst_error = std::max(candidate.worst_error, std::fabs(residual));
        candidate.squares += residual * residual;
    }
    return candidate;
}

std::vector<Candidate> fitted(const SurfaceData& data, const std::vector<Parts>& forms) {
    std::vector<Candidate> candidates;
    for (const Parts& parts : forms)
        if (std::optional<Candidate> candidate = fitted(data, parts))
            candidates.push_back(std::move(*candidate));
    return candidates;
}

/// The best of several candidates, and those that the points do not distinguish from it.
struct Choice {
    Candidate best;
    std::vector<Candidate> alike;
    double noise = 0;
};

/// With what probability noise about a constant lets a form with more coefficients fit so well (an F test; of
/// one coefficient more, Student's).
double chance(const Candidate& form, const Candidate& constant, double noise, std::size_t points) {
    const std::size_t number = coefficients_of(form.parts);
    if (number <= 1)
        return 0;
    if (points <= number)
        return 1;
    const auto degrees = static_cast<double>(points - number);
    const double gained = (constant.squares - form.squares) / static_cast<double>(number - 1);
    const double left = std::max(noise * noise, form.squares / degrees);
    return skalib::student_two_sided(degrees, std::sqrt(std::max(0.0, gained) / left));
}

/// @param candidates not empty
Choice choose(const SurfaceData& data, const std::vector<Candidate>& candidates) {
    const std::size_t n = data.points.size();
    Choice choice;
    // Where even the best model misses by more, its misses are the noise.
    double least = std::numeric_limits<double>::infinity();
    for (const Candidate& each : candidates)
        if (const std::size_t number = coefficients_of(each.parts); n > number)
            least = std::min(least, each.squares / static_cast<double>(n - number));
    choice.noise = std::max({least_noise, data.own_noise, std::sqrt(least)});
    const auto criterion = [&](const Candidate& each) { return each.criterion(choice.noise, n); };
    choice.best = *std::ranges::min_element(candidates, {}, criterion);
    const auto constant = std::ranges::find_if(candidates, [](const Candidate& each) {
        return each.parts.size() == 1 && each.parts.front().number() == 1 && !each.parts.front().grows();
    });
    if (constant != candidates.end() && constant->worst_error <= farthest_from_a_constant &&
        chance(choice.best, *constant, choice.noise, n) >
            by_chance / static_cast<double>(candidates.size())) {
        choice.best = *constant;
        choice.noise = std::max(choice.noise, std::sqrt(constant->squares / (static_cast<double>(n) - 1)));
    }
    for (const Candidate& each : candidates)
        if (criterion(each) - criterion(choice.best) < strong_evidence)
            choice.alike.push_back(each);
    return choice;
}

/// Errors between launches from the models of the launches, which have the same form.
void set_launch_errors(const std::vector<GrowthModel>& of_launches, double correlation, GrowthModel& model) {
    using Member = double GrowthModel::*;
    const BetweenLaunches between(of_launches.size(), correlation);
    model.errors = between.errors();
    for (const auto& [coefficient, error] :
         {std::pair<Member, Member>{&GrowthModel::alpha_s, &GrowthModel::alpha_error_s},
          {&GrowthModel::beta_s, &GrowthModel::beta_error_s},
          {&GrowthModel::delta_s, &GrowthModel::delta_error_s},
          {&GrowthModel::gamma_s, &GrowthModel::gamma_error_s}}) {
        std::vector<double> coefficients;
        for (const GrowthModel& launch : of_launches)
            coefficients.push_back(launch.*coefficient);
        model.*error = between.standard_error(coefficients); // 0 of what no launch has
    }
}

/// The models of the parts with their errors, and the forms that fit as well while the other part keeps its
/// own.
std::vector<GrowthModel> completed(const SurfaceData& data, const Choice& choice,
                                   const LaunchTimes& launches) {
    const std::size_t n = data.points.size();
    const Parts& parts = choice.best.parts;
    const std::size_t number = coefficients_of(parts);
    std::vector<std::vector<GrowthModel>> of_launches(parts.size());
    for (const std::vector<double>& launch : data.launches_s)
        if (const auto solution = skalib::least_squares(rows_of(data, parts), launch, data.times_s)) {
            const std::vector<GrowthModel> models = models_of(*solution, data, parts, 0);
            for (std::size_t i = 0; i < parts.size(); ++i)
                of_launches[i].push_back(models[i]);
        }
    std::vector<GrowthModel> models = choice.best.models;
    for (std::size_t i = 0; i < models.size(); ++i) {
        GrowthModel& model = models[i];
        model.worst_error = choice.best.worst_error;
        model.noise = choice.noise;
        for (double* const error_s :
             {&model.alpha_error_s, &model.beta_error_s, &model.delta_error_s, &model.gamma_error_s})
            *error_s *= choice.noise;
        model.points = n;
        model.degrees = n - std::min(n, number);
        model.first = *data.ranks.begin();
        model.last = *data.ranks.rbegin();
        for (const Candidate& each : choice.alike) {
            const GrowthForm form = each.models[i].form();
            const bool others_alike = models.size() == 1 || each.models[1 - i].growth == models[1 - i].growth;
            if (others_alike && form != model.form() &&
                std::ranges::find(model.alike, form) == model.alike.end())
                model.alike.push_back(form);
        }
        if (launches.identical)
            model.errors = errors_of_simulation(n, number);
        else if (of_launches[i].size() >= 2)
            set_launch_errors(of_launches[i], launches.correlation, model);
    }
    return models;
}

} // namespace

double growth_at(Growth growth, std::int64_t ranks) {
    const auto p = static_cast<double>(ranks);
    switch (growth) {
    case Growth::constant:
        return 1;
    case Growth::log2:
        return std::log2(p);
    case Growth::ceil_log2:
        return ranks < 2 ? 0 : static_cast<double>(std::bit_width(static_cast<std::uint64_t>(ranks - 1)));
    case Growth::linear:
        return p;
    case Growth::p_log2:
        return p * std::log2(p);
    case Growth::quadratic:
        return p * p;
    case Growth::ceil_log2_squared:
        return growth_at(Growth::ceil_log2, ranks) * growth_at(Growth::ceil_log2, ranks);
    }
    return 0;
}

double GrowthModel::at(std::int64_t ranks) const {
    return alpha_s + (growth == Growth::constant ? 0 : beta_s * growth_at(growth, ranks)) +
           (delta_s == 0 ? 0 : delta_s * growth_at(Growth::ceil_log2, ranks)) +
           (is_power_of_two(ranks) ? 0 : gamma_s);
}

bool GrowthModel::is_negative_on_one_rank() const {
    // Rounding leaves p - 1 a little below 0.
    constexpr double rounding = 1e-9;
    return alpha_s + (growth == Growth::constant ? 0 : beta_s * growth_at(growth, 1)) <
           -rounding * std::fabs(alpha_s);
}

namespace {

/// Whether two forms are log2 p and ceil(log2 p), which are one where p is a power of two.
bool are_one_at_powers(const GrowthModel& a, const GrowthModel& b) {
    const auto is_log = [](const GrowthModel& model) {
        return model.growth == Growth::log2 || model.growth == Growth::ceil_log2;
    };
    return is_log(a) && is_log(b);
}

/// Whether a measurement on so many ranks would distinguish each of these models from the chosen one.
bool distinguishes(std::int64_t ranks, const std::vector<GrowthModel>& alike, const GrowthModel& chosen) {
    constexpr double visible = 0.1; // of the time: less is within what launches differ by
    constexpr double noises = 4;
    const double needed = std::max(visible, noises * chosen.noise) * chosen.at(ranks);
    return std::ranges::all_of(alike, [&](const GrowthModel& other) {
        return std::fabs(other.at(ranks) - chosen.at(ranks)) >= needed;
    });
}

/// The smallest larger number of ranks that distinguishes all of them; 0 = none up to 16 times as many.
/// @param only_powers only powers of two were measured: what others cost is not known
std::int64_t distinguishing_ranks(const std::vector<GrowthModel>& alike, const GrowthModel& chosen,
                                  bool only_powers) {
    for (const std::int64_t times : {2, 3, 4, 6, 8, 12, 16}) {
        const std::int64_t ranks = times * chosen.last;
        if ((!only_powers || is_power_of_two(ranks)) && distinguishes(ranks, alike, chosen))
            return ranks;
    }
    return 0;
}

/// Whether growth with rounds is one of the two alone, which is a simpler form; the square has none.
bool is_one_part_alone(const Candidate& fit, std::int64_t ranks, double longest_s) {
    constexpr double nothing = 0.02; // of the longest time: launches differ by as much
    const Columns& columns = fit.parts.front();
    const GrowthModel& model = fit.models.front();
    if (!columns.rounds)
        return false;
    const double grown_s = model.beta_s * columns.largest;
    const double rounds_s = model.delta_s * growth_at(Growth::ceil_log2, ranks);
    const double simpler_s =
        columns.growth == Growth::ceil_log2_squared ? grown_s : std::min(grown_s, rounds_s);
    return simpler_s < nothing * longest_s;
}

/// Each with and without a penalty where p is no power of two.
void add_forms(Growth growth, bool rounds, std::int64_t most_ranks, Parts& forms) {
    for (const bool penalty : {false, true})
        forms.push_back({growth, penalty, std::max(1.0, growth_at(growth, most_ranks)), rounds});
}

Parts simple_forms(std::int64_t most_ranks) {
    Parts forms;
    for (const Growth growth : simple_growths)
        add_forms(growth, false, most_ranks, forms);
    return forms;
}

} // namespace

std::optional<GrowthModel> fit_growth(std::span<const CostPoint> points, const LaunchTimes& launches) {
    std::vector<SurfacePoint> of_one_length;
    for (const CostPoint& point : points)
        of_one_length.push_back({point.argument, 0, point.time_s, point.standard_error_s});
    const SurfaceData data(of_one_length, launches);
    if (data.points.size() < least_points)
        return std::nullopt;
    const std::int64_t most_ranks = *data.ranks.rbegin();
    Parts forms = simple_forms(most_ranks);
    add_forms(Growth::linear, true, most_ranks, forms);
    // Few points hardly distinguish the square alone from the others.
    add_forms(Growth::ceil_log2_squared, true, most_ranks, forms);
    std::vector<Parts> each_alone;
    for (const Columns& form : forms)
        each_alone.push_back({form});
    std::vector<Candidate> candidates = fitted(data, each_alone);
    std::erase_if(candidates, [&](const Candidate& each) {
        return is_one_part_alone(each, most_ranks, data.times_s.back());
    });
    const Choice choice = choose(data, candidates);
    GrowthModel model = completed(data, choice, launches).front();
    const bool only_powers = std::ranges::all_of(data.ranks, is_power_of_two);
    std::vector<GrowthModel> alike;
    for (const Candidate& each : choice.alike)
        if (const GrowthModel& other = each.models.front();
            other.form() != model.form() && !(only_powers && are_one_at_powers(other, model)))
            alike.push_back(other);
    if (!alike.empty())
        model.distinguishing_ranks = distinguishing_ranks(alike, model, only_powers);
    return model;
}

double SurfaceModel::at(std::int64_t ranks, std::int64_t message_bytes) const {
    return latency.at(ranks) + static_cast<double>(message_bytes) * per_byte.at(ranks);
}

std::optional<SurfaceModel> fit_surface(std::span<const SurfacePoint> points, const LaunchTimes& launches) {
    const SurfaceData data({points.begin(), points.end()}, launches);
    if (data.ranks.size() < least_points || data.lengths.size() < 2)
        return std::nullopt;
    const Parts forms = simple_forms(*data.ranks.rbegin());
    std::vector<Parts> pairs;
    for (const Columns& latency : forms)
        for (const Columns& per_byte : forms)
            pairs.push_back({latency, per_byte});
    const std::vector<Candidate> candidates = fitted(data, pairs);
    if (candidates.empty())
        return std::nullopt;
    const std::vector<GrowthModel> models = completed(data, choose(data, candidates), launches);
    return SurfaceModel{models[0],
                        models[1],
                        models[0].worst_error,
                        models[0].noise,
                        *data.lengths.begin(),
                        *data.lengths.rbegin()};
}

} // namespace skampi
