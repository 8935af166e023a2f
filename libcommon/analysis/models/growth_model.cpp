#include "analysis/models/growth_model.hpp"

#include "skalib/statistics.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <functional>
#include <limits>
#include <set>

namespace skampi {

namespace {

/// Of surfaces, whose parts have no rounds beside them.
constexpr std::array<Growth, 6> simple_growths{Growth::constant, Growth::log2,   Growth::ceil_log2,
                                               Growth::linear,   Growth::p_log2, Growth::quadratic};
constexpr std::size_t least_points = 5;
/// Below this nobody measures message passing.
constexpr double least_noise = 0.005;
constexpr double strong_evidence = 6;

bool is_power_of_two(std::int64_t ranks) {
    return std::has_single_bit(static_cast<std::uint64_t>(ranks));
}

/// Of each column its coefficient and that one's standard error, in units of the points' relative noise.
struct Solution {
    std::vector<double> values;
    std::vector<double> errors;
};

/// Least squares of relative residuals: coefficients of the columns, whose values for each time are a row;
/// none where the columns depend on one another. Columns should be about as large as one another.
/// @param relative_to_s what a residual is divided by, for each time
std::optional<Solution> least_squares(const std::vector<std::vector<double>>& rows,
                                      const std::vector<double>& times_s,
                                      const std::vector<double>& relative_to_s) {
    const std::size_t columns = rows.front().size();
    // The normal equations, their right side, and behind it what becomes the inverse.
    const std::size_t width = 2 * columns + 1;
    std::vector<std::vector<long double>> m(columns, std::vector<long double>(width));
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const long double weight = 1 / (static_cast<long double>(relative_to_s[i]) * relative_to_s[i]);
        for (std::size_t r = 0; r < columns; ++r) {
            for (std::size_t c = 0; c < columns; ++c)
                m[r][c] += weight * rows[i][r] * rows[i][c];
            m[r][columns] += weight * rows[i][r] * times_s[i];
        }
    }
    const auto original = m;
    for (std::size_t r = 0; r < columns; ++r)
        m[r][columns + 1 + r] = 1;
    for (std::size_t r = 0; r < columns; ++r) {
        if (!(m[r][r] > 1e-12L * original[r][r]))
            return std::nullopt;
        for (std::size_t other = 0; other < columns; ++other) {
            if (other == r)
                continue;
            const long double factor = m[other][r] / m[r][r];
            for (std::size_t c = 0; c < width; ++c)
                m[other][c] -= factor * m[r][c];
        }
    }
    Solution solution;
    for (std::size_t r = 0; r < columns; ++r) {
        solution.values.push_back(static_cast<double>(m[r][columns] / m[r][r]));
        const long double variance = m[r][columns + 1 + r] / m[r][r];
        solution.errors.push_back(std::sqrt(static_cast<double>(std::max(variance, 0.0L))));
    }
    return solution;
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
    /// @param smallest what rounding leaves beside this is no coefficient
    [[nodiscard]] GrowthModel model(const Solution& solution, std::size_t first, double factor,
                                    double smallest) const {
        GrowthModel model;
        model.growth = growth;
        const auto coefficient = [&](std::size_t i) {
            return std::fabs(solution.values[i]) < 1e-9 * smallest ? 0 : solution.values[i] / factor;
        };
        const std::size_t grown = first + (from_one ? 0 : 1);
        if (grows()) {
            model.beta_s = solution.values[grown] / largest / factor;
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

struct Fit {
    GrowthModel model;
    Columns columns;
    double squares = std::numeric_limits<double>::infinity(); ///< of relative residuals
};

std::vector<std::vector<double>> rows_of(std::span<const CostPoint> points, const Columns& columns) {
    std::vector<std::vector<double>> rows;
    for (const CostPoint& point : points)
        columns.append(point.argument, 1, rows.emplace_back());
    return rows;
}

Fit fit(std::span<const CostPoint> points, const std::vector<double>& times_s, const Columns& columns) {
    Fit result;
    result.columns = columns;
    const auto solution = least_squares(rows_of(points, columns), times_s, times_s);
    if (!solution)
        return result;
    GrowthModel& model = result.model;
    model = columns.model(*solution, 0, 1, *std::ranges::min_element(times_s));
    if (model.beta_s < 0 || model.delta_s < 0)
        return result;
    if (model.is_negative_on_one_rank() && !columns.from_one) {
        Columns constrained = columns;
        constrained.from_one = true;
        return fit(points, times_s, constrained);
    }
    result.squares = 0;
    for (const CostPoint& point : points) {
        const double residual = (model.at(point.argument) - point.time_s) / point.time_s;
        model.worst_error = std::max(model.worst_error, std::fabs(residual));
        result.squares += residual * residual;
    }
    return result;
}

/// The launches' times at the points that were kept, each launch with one at every point.
std::vector<std::vector<double>> launches_at(const LaunchTimes& launches,
                                             const std::vector<std::size_t>& kept,
                                             const std::vector<double>& times_s) {
    std::vector<std::vector<double>> own;
    for (const std::vector<double>& launch : launches.times_s) {
        std::vector<double>& part = own.emplace_back();
        for (const std::size_t i : kept)
            part.push_back(launch[i] > 0 ? launch[i] : std::numeric_limits<double>::quiet_NaN());
    }
    const std::vector<std::span<const double>> spans(own.begin(), own.end());
    return completed_launches(spans, times_s);
}

/// Errors between launches from the models of the launches, which have the same form.
void set_launch_errors(const std::vector<GrowthModel>& of_launches, const BetweenLaunches& between,
                       GrowthModel& model) {
    using Member = double GrowthModel::*;
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

/// Unless it is the model's own form or known already.
void note_alike(const GrowthForm& form, GrowthModel& model) {
    if (form != model.form() && std::ranges::find(model.alike, form) == model.alike.end())
        model.alike.push_back(form);
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
    // Rounding leaves p - 1 a little beside 0.
    constexpr double rounding = 1e-9;
    return alpha_s + (growth == Growth::constant ? 0 : beta_s * growth_at(growth, 1)) <
           -rounding * std::fabs(alpha_s);
}

void GrowthModel::scale_errors(double relative_noise) {
    for (double* const error_s : {&alpha_error_s, &beta_error_s, &delta_error_s, &gamma_error_s})
        *error_s *= relative_noise;
}

namespace {

/// Errors of the coefficients of the model that was chosen.
void set_errors(std::span<const CostPoint> points, const std::vector<double>& times_s,
                const std::vector<std::vector<double>>& launches_s, double correlation, const Fit& chosen,
                GrowthModel& model) {
    if (launches_s.size() < 2)
        return;
    const std::vector<std::vector<double>> rows = rows_of(points, chosen.columns);
    std::vector<GrowthModel> of_launches;
    for (const std::vector<double>& launch : launches_s)
        if (const auto solution = least_squares(rows, launch, times_s))
            of_launches.push_back(chosen.columns.model(*solution, 0, 1, 0));
    set_launch_errors(of_launches, BetweenLaunches(of_launches.size(), correlation), model);
}

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
bool is_one_part_alone(const Fit& fit, std::int64_t ranks, double longest_s) {
    constexpr double nothing = 0.02; // of the longest time: launches differ by as much
    if (!fit.columns.rounds)
        return false;
    const double grown_s = fit.model.beta_s * fit.columns.largest;
    const double rounds_s = fit.model.delta_s * growth_at(Growth::ceil_log2, ranks);
    const double simpler_s =
        fit.columns.growth == Growth::ceil_log2_squared ? grown_s : std::min(grown_s, rounds_s);
    return simpler_s < nothing * longest_s;
}

std::vector<Columns> all_columns(std::int64_t most_ranks) {
    std::vector<Columns> all;
    const auto add = [&](Growth growth, bool rounds) {
        for (const bool penalty : {false, true})
            all.push_back({growth, penalty, std::max(1.0, growth_at(growth, most_ranks)), rounds});
    };
    for (const Growth growth : simple_growths)
        add(growth, false);
    add(Growth::linear, true);
    add(Growth::ceil_log2_squared, true); // the square alone is hardly told from the others by few points
    return all;
}

} // namespace

std::optional<GrowthModel> fit_growth(std::span<const CostPoint> all_points, const LaunchTimes& launches) {
    std::vector<CostPoint> points;
    std::vector<std::size_t> kept;
    std::vector<double> times_s;
    std::vector<double> errors;
    for (std::size_t i = 0; i < all_points.size(); ++i)
        if (const CostPoint& point = all_points[i];
            std::isfinite(point.time_s) && point.time_s > 0 && point.argument > 0) {
            points.push_back(point);
            kept.push_back(i);
            times_s.push_back(point.time_s);
            errors.push_back(std::isfinite(point.standard_error_s) ? point.standard_error_s / point.time_s
                                                                   : 0);
        }
    if (points.size() < least_points)
        return std::nullopt;
    std::vector<Fit> fits;
    for (const Columns& columns : all_columns(points.back().argument))
        if (Fit one = fit(points, times_s, columns); std::isfinite(one.squares))
            fits.push_back(std::move(one));
    std::erase_if(fits, [&](const Fit& each) {
        return is_one_part_alone(each, points.back().argument, times_s.back());
    });
    const auto n = static_cast<double>(points.size());
    double noise = std::max(least_noise, skalib::median(errors));
    // Where even the best model misses by more its misses are the noise: nothing is told by less.
    double least = std::numeric_limits<double>::infinity();
    for (const Fit& each : fits)
        if (const double free = n - static_cast<double>(each.columns.number()); free > 0)
            least = std::min(least, each.squares / free);
    noise = std::max(noise, std::sqrt(least));
    const auto criterion = [&](const Fit& each) {
        return each.squares / (noise * noise) +
               static_cast<double>(each.columns.number_charged()) * std::log(n);
    };
    const auto best = std::ranges::min_element(fits, {}, criterion);
    GrowthModel model = best->model;
    model.noise = noise;
    model.scale_errors(noise);
    model.points = points.size();
    model.degrees = points.size() - std::min(points.size(), best->columns.number());
    model.first = points.front().argument;
    model.last = points.back().argument;
    std::vector<GrowthModel> alike;
    const bool only_powers =
        std::ranges::all_of(points, [](const CostPoint& point) { return is_power_of_two(point.argument); });
    for (const Fit& each : fits) {
        if (criterion(each) - criterion(*best) >= strong_evidence)
            continue;
        note_alike(each.model.form(), model);
        if (each.model.form() != model.form() && !(only_powers && are_one_at_powers(each.model, model)))
            alike.push_back(each.model);
    }
    if (!alike.empty())
        model.distinguishing_ranks = distinguishing_ranks(alike, model, only_powers);
    if (launches.identical)
        model.errors = errors_of_simulation(points.size(), best->columns.number());
    else
        set_errors(points, times_s, launches_at(launches, kept, times_s), launches.correlation, *best, model);
    return model;
}

double SurfaceModel::at(std::int64_t ranks, std::int64_t message_bytes) const {
    return latency.at(ranks) + static_cast<double>(message_bytes) * per_byte.at(ranks);
}

namespace {

/// A surface that was fitted, and what tells whether it is the best.
struct SurfaceCandidate {
    SurfaceModel model;
    Columns latency;
    Columns per_byte;
    std::size_t coefficients = 0;
    double squares = 0; ///< of the relative residuals
    [[nodiscard]] bool has_negative_part() const {
        return std::ranges::any_of(std::array{&model.latency, &model.per_byte}, [](const GrowthModel* part) {
            return part->beta_s < 0 || part->is_negative_on_one_rank();
        });
    }
};

std::vector<std::vector<double>> surface_rows(const std::vector<SurfacePoint>& points, const Columns& latency,
                                              const Columns& per_byte, double longest) {
    std::vector<std::vector<double>> rows;
    for (const SurfacePoint& point : points) {
        std::vector<double>& row = rows.emplace_back();
        latency.append(point.ranks, 1, row);
        per_byte.append(point.ranks, static_cast<double>(point.message_bytes) / longest, row);
    }
    return rows;
}

/// Fitted by least squares; none where its columns depend on one another.
std::optional<SurfaceCandidate> surface_candidate(const std::vector<SurfacePoint>& points,
                                                  const std::vector<double>& times_s, const Columns& latency,
                                                  const Columns& per_byte, double longest) {
    const auto solution = least_squares(surface_rows(points, latency, per_byte, longest), times_s, times_s);
    if (!solution)
        return std::nullopt;
    const double smallest = *std::ranges::min_element(times_s);
    SurfaceCandidate candidate{{}, latency, per_byte};
    candidate.model.latency = latency.model(*solution, 0, 1, smallest);
    candidate.model.per_byte = per_byte.model(*solution, latency.number(), longest, smallest);
    candidate.coefficients = latency.number() + per_byte.number();
    for (const SurfacePoint& point : points) {
        const double residual = candidate.model.at(point.ranks, point.message_bytes) / point.time_s - 1;
        candidate.model.worst_error = std::max(candidate.model.worst_error, std::fabs(residual));
        candidate.squares += residual * residual;
    }
    return candidate;
}

/// All pairs of a form of the latency and a form of the time per byte.
/// @param times_s of the points   @param most_ranks,longest of them
std::vector<SurfaceCandidate> surface_candidates(const std::vector<SurfacePoint>& points,
                                                 const std::vector<double>& times_s, std::int64_t most_ranks,
                                                 double longest) {
    std::vector<SurfaceCandidate> candidates;
    std::vector<Columns> forms;
    for (const Growth growth : simple_growths)
        for (const bool penalty : {false, true})
            forms.push_back({growth, penalty, std::max(1.0, growth_at(growth, most_ranks)), false});
    for (const Columns& latency : forms)
        for (const Columns& per_byte : forms) {
            std::optional<SurfaceCandidate> candidate =
                surface_candidate(points, times_s, latency, per_byte, longest);
            // Neither a latency nor a price below 0 is one: such a part is nothing on one rank.
            for (int part = 0; part < 2 && candidate; ++part) {
                Columns& columns = part == 0 ? candidate->latency : candidate->per_byte;
                const GrowthModel& model = part == 0 ? candidate->model.latency : candidate->model.per_byte;
                if (!model.is_negative_on_one_rank())
                    continue;
                columns.from_one = true;
                candidate = columns.grows() ? surface_candidate(points, times_s, candidate->latency,
                                                                candidate->per_byte, longest)
                                            : std::nullopt;
            }
            if (candidate && !candidate->has_negative_part())
                candidates.push_back(std::move(*candidate));
        }
    return candidates;
}

/// The points of a surface that can be fitted.
struct SurfaceData {
    std::vector<SurfacePoint> points;
    std::vector<std::size_t> kept; ///< their places among all
    std::vector<double> times_s;
    double longest = 0;
};

/// Errors of the coefficients of the surface that was chosen.
void set_errors(const SurfaceData& data, const LaunchTimes& launches, const SurfaceCandidate& chosen,
                SurfaceModel& model) {
    if (launches.identical) {
        model.latency.errors = model.per_byte.errors =
            errors_of_simulation(data.points.size(), chosen.coefficients);
        return;
    }
    const std::vector<std::vector<double>> launches_s = launches_at(launches, data.kept, data.times_s);
    if (launches_s.size() < 2)
        return;
    const auto rows = surface_rows(data.points, chosen.latency, chosen.per_byte, data.longest);
    std::vector<GrowthModel> latencies, per_byte;
    for (const std::vector<double>& launch : launches_s)
        if (const auto solution = least_squares(rows, launch, data.times_s)) {
            latencies.push_back(chosen.latency.model(*solution, 0, 1, 0));
            per_byte.push_back(chosen.per_byte.model(*solution, chosen.latency.number(), data.longest, 0));
        }
    const BetweenLaunches between(latencies.size(), launches.correlation);
    set_launch_errors(latencies, between, model.latency);
    set_launch_errors(per_byte, between, model.per_byte);
}

} // namespace

std::optional<SurfaceModel> fit_surface(std::span<const SurfacePoint> all_points,
                                        const LaunchTimes& launches) {
    SurfaceData data;
    std::vector<SurfacePoint>& points = data.points;
    std::vector<double>& times_s = data.times_s;
    std::vector<double> errors;
    std::set<std::int64_t> numbers_of_ranks;
    std::set<std::int64_t> lengths;
    for (std::size_t i = 0; i < all_points.size(); ++i)
        if (const SurfacePoint& point = all_points[i];
            std::isfinite(point.time_s) && point.time_s > 0 && point.ranks > 0) {
            points.push_back(point);
            data.kept.push_back(i);
            times_s.push_back(point.time_s);
            errors.push_back(std::isfinite(point.standard_error_s) ? point.standard_error_s / point.time_s
                                                                   : 0);
            numbers_of_ranks.insert(point.ranks);
            lengths.insert(point.message_bytes);
        }
    if (numbers_of_ranks.size() < least_points || lengths.size() < 2)
        return std::nullopt;
    data.longest = static_cast<double>(*lengths.rbegin());
    const std::vector<SurfaceCandidate> candidates =
        surface_candidates(points, times_s, *numbers_of_ranks.rbegin(), data.longest);
    if (candidates.empty())
        return std::nullopt;
    const auto n = static_cast<double>(points.size());
    double noise = std::max(least_noise, skalib::median(errors));
    double least = std::numeric_limits<double>::infinity();
    for (const SurfaceCandidate& each : candidates)
        if (const double free = n - static_cast<double>(each.coefficients); free > 0)
            least = std::min(least, each.squares / free);
    noise = std::max(noise, std::sqrt(least));
    const auto criterion = [&](const SurfaceCandidate& each) {
        return each.squares / (noise * noise) + static_cast<double>(each.coefficients) * std::log(n);
    };
    const auto best = std::ranges::min_element(candidates, {}, criterion);
    SurfaceModel model = best->model;
    model.noise = noise;
    model.first_bytes = *lengths.begin();
    model.last_bytes = *lengths.rbegin();
    for (const SurfaceCandidate& each : candidates) {
        if (criterion(each) - criterion(*best) >= strong_evidence)
            continue;
        if (each.model.per_byte.growth == model.per_byte.growth)
            note_alike(each.model.latency.form(), model.latency);
        if (each.model.latency.growth == model.latency.growth)
            note_alike(each.model.per_byte.form(), model.per_byte);
    }
    for (GrowthModel* part : {&model.latency, &model.per_byte}) {
        part->first = *numbers_of_ranks.begin();
        part->last = *numbers_of_ranks.rbegin();
        part->noise = noise;
        part->scale_errors(noise);
        part->points = points.size();
        part->degrees = points.size() - std::min(points.size(), best->coefficients);
        part->worst_error = model.worst_error;
    }
    set_errors(data, launches, *best, model);
    return model;
}

} // namespace skampi
