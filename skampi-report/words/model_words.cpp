#include "words/model_words.hpp"

#include "analysis/finding_names.hpp"
#include "analysis/models/suite_findings.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <optional>

namespace skampi {

namespace {

constexpr const char* undetermined_text = "not determined";

} // namespace

std::string coefficient_text(double value_s, double error_s, TimeUnit unit, int digits, bool with_error) {
    if (value_s == 0)
        return "0";
    const std::string value = format_time(value_s, digits, unit);
    if (!std::isfinite(error_s) || error_s <= 0)
        return value;
    // An error of many times the value is none: the points do not determine the coefficient.
    constexpr double undetermined = 10;
    if (error_s > undetermined * std::fabs(value_s))
        return undetermined_text;
    if (!with_error)
        return value;
    const double percent = std::ceil(100 * std::fabs(error_s / value_s));
    return percent <= 100 ? fmt::format("{} [{:.0f} %]", value, percent)
                          : fmt::format("{} [{}]", value, format_time(error_s, 2, unit));
}

std::string coefficient_text(double value_s, double error_s, const CoefficientErrors& errors, TimeUnit unit,
                             int digits, bool with_error) {
    return coefficient_text(value_s, errors.source == ErrorSource::along_curve ? std::nan("") : error_s, unit,
                            digits, with_error && errors.source != ErrorSource::simulation);
}

int digits_of(const GrowthModel& model) {
    constexpr double misses_little = 0.001;
    return model.errors.source == ErrorSource::simulation && model.worst_error < misses_little ? 4 : 3;
}

std::string errors_text(const CoefficientErrors& errors) {
    switch (errors.source) {
    case ErrorSource::along_curve:
        return "errors unknown: the values of several launches are needed";
    case ErrorSource::between_launches:
        return fmt::format("in brackets: standard error between {}",
                           count_of(static_cast<std::int64_t>(errors.launches), "launch", "launches"));
    case ErrorSource::simulation:
        break; // simulated times have none
    }
    return {};
}

std::string errors_text(const CostModel& model) {
    // Pieces differ in this only where launches measured different parts of the curve.
    CoefficientErrors all;
    for (const CostSegment& segment : model.segments)
        if (all.source == ErrorSource::along_curve || segment.errors.launches > all.launches)
            all = segment.errors;
    return errors_text(all);
}

namespace {

/// What a negative constant leaves on one rank, where the form counts from there: p - 1 instead of p. None
/// where the model has no such constant or no such form.
std::optional<double> constant_on_one_rank(const GrowthModel& model) {
    constexpr double nothing = 0.01; // of a step
    if (model.alpha_s >= 0 || !(growth_at(model.growth, 1) == 1) || model.growth == Growth::constant)
        return std::nullopt;
    const double on_one_s = model.alpha_s + model.beta_s;
    if (on_one_s < -nothing * model.beta_s)
        return std::nullopt;
    return on_one_s > nothing * model.beta_s ? on_one_s : 0;
}

} // namespace

bool is_exact(const GrowthModel& model) {
    constexpr double exact = 1e-4;
    return model.worst_error < exact;
}

std::string formula(const GrowthModel& model, TimeUnit unit, bool with_errors) {
    const auto coefficient = [&](double value_s, double error_s) {
        return coefficient_text(value_s, error_s, model.errors, unit, digits_of(model), with_errors);
    };
    std::string text;
    const std::optional<double> on_one_s = constant_on_one_rank(model);
    const double constant_s = on_one_s.value_or(model.alpha_s);
    if (constant_s != 0 || model.growth == Growth::constant)
        text = coefficient(constant_s, model.alpha_error_s);
    if (model.growth != Growth::constant && text == undetermined_text)
        text.clear(); // beside what grows nothing is known of it but that it is small
    if (model.growth != Growth::constant)
        text += fmt::format(
            "{}{} {}", text.empty() ? "" : " + ", coefficient(model.beta_s, model.beta_error_s),
            on_one_s ? fmt::format("({} - 1)", to_text(model.growth)) : std::string(to_text(model.growth)));
    if (model.delta_s != 0)
        text += fmt::format(" + {} {}", coefficient(model.delta_s, model.delta_error_s),
                            to_text(Growth::ceil_log2));
    if (model.gamma_s != 0)
        text += fmt::format(", and {}{} where p is no power of two", model.gamma_s > 0 ? "+" : "",
                            coefficient(model.gamma_s, model.gamma_error_s));
    return text;
}

std::string formula(const SurfaceModel& model, TimeUnit unit) {
    GrowthModel per_kib = model.per_byte;
    // Of a surface neither part has rounds beside p.
    for (double* const coefficient_s :
         {&per_kib.alpha_s, &per_kib.beta_s, &per_kib.gamma_s, &per_kib.alpha_error_s, &per_kib.beta_error_s,
          &per_kib.gamma_error_s})
        *coefficient_s *= 1024;
    return fmt::format("{}; for each KiB {}", formula(model.latency, unit), formula(per_kib, unit));
}

std::string forms_text(const std::vector<GrowthForm>& forms) {
    std::vector<std::string> texts;
    for (const GrowthForm& form : forms)
        texts.emplace_back(form == GrowthForm{} ? "a constant"
                           : form.rounds
                               ? fmt::format("{} + {}", to_text(form.growth), to_text(Growth::ceil_log2))
                               : std::string(to_text(form))); // "p and ..." would be two forms
    return enumeration(texts);
}

std::string alike_sentence(const std::string& forms, std::int64_t ranks) {
    return fmt::format("The data cannot distinguish it from {}{}.", forms,
                       ranks > 0 ? fmt::format(": measure on {} ranks, too", ranks) : "");
}

std::string growth_sentence(const GrowthModel& model, TimeUnit unit) {
    if (!fits(model))
        return fmt::format(
            "No growth model fits from {} to {} ranks: the nearest, t(p) = {}, misses by up to {}.",
            model.first, model.last, formula(model, unit, false), format_percent(model.worst_error));
    return fmt::format(
        "Growth with the number of ranks p, from {} to {}: t(p) = {} ({}worst error {}).{}", model.first,
        model.last, formula(model, unit),
        model.errors.source == ErrorSource::simulation ? "" : errors_text(model.errors) + "; ",
        format_percent(model.worst_error),
        model.alike.empty() ? "" : " " + alike_sentence(forms_text(model.alike), model.distinguishing_ranks));
}

std::string cause_text(const JumpCause& cause) {
    switch (cause.kind) {
    case CauseKind::unknown:
        break;
    case CauseKind::eager_limit:
        return cause.in_setting ? "eager limit: " + cause.evidence
                                : fmt::format("eager limit: {} jumps there, too", cause.evidence);
    case CauseKind::threshold:
        return "setting " + cause.evidence;
    case CauseKind::full_cache:
        return cause.evidence + " cache full";
    }
    return {};
}

std::string confirmation_text(const CostJump& jump) {
    return jump.launches == 0 ? "unknown" : fmt::format("{} of {}", jump.agreeing, jump.launches);
}

} // namespace skampi
