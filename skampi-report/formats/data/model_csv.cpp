// SPDX-License-Identifier: GPL-2.0-or-later
#include "formats/data/model_csv.hpp"

#include "analysis/finding_names.hpp"
#include "analysis/models/curve_model.hpp"
#include "analysis/models/operation_surface.hpp"

#include "base/text.hpp"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <fmt/format.h>
#include <optional>

namespace skampi {

namespace {

/// What the lines of one piece or form have in common.
struct Model {
    std::string database;
    std::string suite; ///< of a surface all, with " + " between them
    std::string operation;
    const char* kind = "";
    std::string over;
    std::optional<std::int64_t> ranks;
    std::optional<std::int64_t> message_bytes;
    std::optional<std::size_t> piece; ///< from 1
    std::int64_t first = 0;
    std::int64_t last = 0;
    std::optional<std::int64_t> first_bytes;
    std::optional<std::int64_t> last_bytes;
    std::size_t points = 0;
    CoefficientErrors errors;
    double worst_error = 0;
    double noise = 0;
};

struct Coefficient {
    std::string term;
    double value_s = 0;
    double error_s = 0;
};

std::string csv_number(double value) {
    return std::isfinite(value) ? fmt::format("{}", value) : std::string();
}

template <typename Number>
std::string csv_number(const std::optional<Number>& value) {
    return value ? std::to_string(*value) : std::string();
}

std::string line(const Model& model, const Coefficient& coefficient) {
    const double reach_s = model.errors.reach * coefficient.error_s;
    return fmt::format(
        "{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{}\n", for_csv(model.database),
        for_csv(model.suite), for_csv(model.operation), model.kind, model.over, csv_number(model.ranks),
        csv_number(model.message_bytes), csv_number(model.piece), model.first, model.last,
        csv_number(model.first_bytes), csv_number(model.last_bytes), model.points, coefficient.term,
        csv_number(coefficient.value_s), csv_number(coefficient.error_s), to_text(model.errors.source),
        model.errors.launches, csv_number(coefficient.value_s - reach_s),
        csv_number(coefficient.value_s + reach_s), csv_number(model.worst_error), csv_number(model.noise));
}

/// "p", "m p": what a coefficient of a form is multiplied with. @param factor "" or "m"
void add_terms(const GrowthModel& growth, const std::string& factor, std::vector<Coefficient>& terms) {
    const auto times = [&](const std::string& form) {
        return factor.empty() ? form : form == "1" ? factor : factor + " " + form;
    };
    terms.push_back({times("1"), growth.alpha_s, growth.alpha_error_s});
    if (growth.growth != Growth::constant)
        terms.push_back({times(std::string(to_text(growth.growth))), growth.beta_s, growth.beta_error_s});
    if (growth.delta_s != 0)
        terms.push_back(
            {times(std::string(to_text(Growth::ceil_log2))), growth.delta_s, growth.delta_error_s});
    if (growth.gamma_s != 0)
        terms.push_back({times("[p is no power of two]"), growth.gamma_s, growth.gamma_error_s});
}

std::string lines(const Model& model, const std::vector<Coefficient>& terms) {
    std::string text;
    for (const Coefficient& term : terms)
        text += line(model, term);
    return text;
}

Model model_of(const Subject& subject, const Curve& curve) {
    const Suite& suite = curve.suite();
    const Measurement& first = curve.points.front().measurement;
    Model model;
    model.database = subject.label;
    model.suite = suite.name;
    model.operation = suite.operation.name;
    model.over = to_text(suite.varied);
    if (suite.varied != Varied::nodes && first.ranks > 0)
        model.ranks = first.ranks;
    if (suite.varied != Varied::message_length && has_message_length(suite.operation))
        model.message_bytes = first.message_bytes;
    return model;
}

std::string pieces(const Subject& subject, const Curve& curve) {
    const CostModel fitted = curve_model(curve);
    std::string text;
    for (std::size_t i = 0; i < fitted.segments.size(); ++i) {
        const CostSegment& segment = fitted.segments[i];
        Model model = model_of(subject, curve);
        model.kind = "pieces";
        model.piece = i + 1;
        model.first = segment.first;
        model.last = segment.last;
        model.points = segment.points;
        model.errors = segment.errors;
        model.worst_error = segment.worst_error;
        model.noise = fitted.noise;
        // A line through fewer points has no coefficients of its own.
        const auto fitted_s = [&](double value_s) { return segment.is_fitted() ? value_s : std::nan(""); };
        text += lines(model, {{"1", fitted_s(segment.alpha_s), segment.alpha_error_s},
                              {curve.suite().varied == Varied::message_length ? "m" : "n",
                               fitted_s(segment.beta_s), segment.beta_error_s}});
    }
    return text;
}

std::string growth(const Subject& subject, const Curve& curve) {
    const std::optional<GrowthModel> fitted = curve_growth(curve);
    if (!fitted)
        return {};
    Model model = model_of(subject, curve);
    model.kind = "growth";
    model.first = fitted->first;
    model.last = fitted->last;
    model.points = fitted->points;
    model.errors = fitted->errors;
    model.worst_error = fitted->worst_error;
    model.noise = fitted->noise;
    std::vector<Coefficient> terms;
    add_terms(*fitted, "", terms);
    return lines(model, terms);
}

std::string surface(const Subject& subject, const OperationSurface& fitted) {
    Model model;
    model.database = subject.label;
    model.suite = fmt::format("{}", fmt::join(fitted.suites, " + "));
    model.operation = fitted.operation;
    model.kind = "surface";
    model.over = "nodes and message length";
    model.first = fitted.model.latency.first;
    model.last = fitted.model.latency.last;
    model.first_bytes = fitted.model.first_bytes;
    model.last_bytes = fitted.model.last_bytes;
    model.points = fitted.model.latency.points;
    model.errors = fitted.model.latency.errors;
    model.worst_error = fitted.model.worst_error;
    model.noise = fitted.model.noise;
    std::vector<Coefficient> terms;
    add_terms(fitted.model.latency, "", terms);
    add_terms(fitted.model.per_byte, "m", terms);
    return lines(model, terms);
}

} // namespace

std::string model_csv(const std::vector<Subject>& subjects) {
    std::string text =
        "database,suite,operation,model,over,ranks,message_bytes,piece,first,last,first_bytes,"
        "last_bytes,points,term,value_s,standard_error_s,errors,launches,low_s,high_s,worst_error,noise\n";
    for (const Subject& subject : subjects) {
        for (const Curve& curve : subject.curves)
            if (!curve.points.empty())
                text += pieces(subject, curve) + growth(subject, curve);
        for (const OperationSurface& fitted : operation_surfaces(subject))
            text += surface(subject, fitted);
    }
    return text;
}

} // namespace skampi
