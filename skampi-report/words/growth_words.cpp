// SPDX-License-Identifier: GPL-2.0-or-later
#include "words/growth_words.hpp"

#include "analysis/finding_names.hpp"
#include "analysis/models/suite_findings.hpp"
#include "analysis/trust/doubt.hpp"
#include "analysis/trust/trust.hpp"
#include "contest/estimate.hpp"
#include "launches/library_name.hpp"
#include "model/launch_command.hpp"
#include "model/quantity.hpp"
#include "words/doubt_words.hpp"
#include "words/next_step.hpp"
#include "words/suite_words.hpp"
#include "words/system_facts.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <fmt/format.h>
#include <functional>
#include <optional>
#include <utility>

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
        text.clear(); // next to what grows it is only known to be small
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
    // No part of a surface has rounds besides p.
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

namespace {

/// "each doubling of the ranks costs 590 ns"; else the times at both ends.
std::string growth_in_words(const GrowthModel& model, bool fitting, double first_s, double last_s,
                            TimeUnit unit) {
    constexpr int digits = 3;
    const bool one_price = fitting && model.delta_s == 0;
    const auto price = [&] { return format_time(model.beta_s, digits_of(model), unit); };
    if (one_price && model.growth == Growth::constant)
        return format_time(last_s, digits, unit) + " on any number of ranks";
    if (one_price && (model.growth == Growth::log2 || model.growth == Growth::ceil_log2))
        return "each doubling of the ranks costs " + price();
    if (one_price && model.growth == Growth::linear)
        return "each further rank costs " + price();
    return fmt::format("{} on {}, {} on {} ranks", format_time(first_s, digits, unit), model.first,
                       format_time(last_s, digits, unit), model.last);
}

} // namespace

std::string growth_sentence(const GrowthModel& model, TimeUnit unit) {
    if (!fits(model))
        return fmt::format(
            "No growth model fits from {} to {} ranks: the nearest, t(p) = {}, misses by up to {}.",
            model.first, model.last, formula(model, unit, false), format_percent(model.worst_error));
    return fmt::format(
        "{} As a formula, from {} to {} ranks p: t(p) = {} ({}worst error {}).{}{}",
        as_sentence(growth_in_words(model, true, model.at(model.first), model.at(model.last), unit)),
        model.first, model.last, formula(model, unit),
        model.errors.source == ErrorSource::simulation ? "" : errors_text(model.errors) + "; ",
        format_percent(model.worst_error),
        model.alike.empty() ? "" : " " + alike_sentence(forms_text(model.alike), model.distinguishing_ranks),
        is_exact(model) ? "" : fmt::format(" It is not tested on more than {} ranks.", model.last));
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

namespace {

constexpr std::size_t points_for_a_form = 5;

/// A constant that takes back one rank: what p ranks cost is that of the p - 1 others.
bool is_of_the_others(const GrowthModel& model) {
    constexpr double near = 0.1;
    return model.growth == Growth::linear && model.delta_s == 0 && model.alpha_s < 0 &&
           std::fabs(model.alpha_s + model.beta_s) < near * model.beta_s;
}

double growth_factor(const Scaling& scaling) {
    return scaling.last->value_s / scaling.first->value_s;
}

bool has_form(const Scaling& scaling) {
    return scaling.model && fits(*scaling.model) && !scaling.but_one;
}

bool only_powers_of_two(const Scaling& scaling) {
    return std::ranges::all_of(scaling.curve->points, [](const StoredMeasurement& point) {
        return std::has_single_bit(static_cast<std::uint64_t>(point.measurement.argument));
    });
}

std::string length_of(const Scaling& scaling) {
    return bytes_moved(*scaling.curve, *scaling.first) > 0 || scaling.curve->suite().message_bytes > 0
               ? format_length(scaling.curve->suite().message_bytes)
               : std::string();
}

std::string with_length(const Scaling& scaling) {
    const std::string& name = title_of(*scaling.curve);
    const std::string length = length_of(scaling);
    return length.empty() || name.ends_with(')') ? name : name + " of " + length; // a list's suites name it
}

/// "MPI_Bcast of 8 B: each doubling of the ranks costs 590 ns"; the formula is in the table.
std::string scaling_sentence(const Scaling& scaling) {
    GrowthModel model = scaling.model.value_or(GrowthModel());
    model.first = scaling.first->argument;
    model.last = scaling.last->argument;
    return with_length(scaling) + ": " +
           growth_in_words(model, has_form(scaling), scaling.first->value_s, scaling.last->value_s,
                           scaling.curve->units.time);
}

/// What keeps forms of growth from being known, and the gravest doubt.
std::string study_trust(const std::vector<const Subject*>& subjects, const std::vector<Scaling>& scalings) {
    std::vector<Doubt> all;
    for (const Subject* subject : subjects)
        if (const std::optional<Doubt> doubt = gravest(doubts(*subject, assess(*subject), true)))
            all.push_back(*doubt);
    std::size_t fewest = points_for_a_form;
    std::int64_t ranks = 0;
    for (const Scaling& scaling : scalings) {
        fewest = std::min(fewest, scaling.curve->points.size());
        if (has_form(scaling) && !forms_alike(scaling).empty())
            ranks = std::max(ranks, scaling.model->distinguishing_ranks);
    }
    std::vector<std::string> sentences;
    if (fewest < points_for_a_form)
        sentences.push_back(fmt::format("A form of growth needs {} numbers of ranks; there are {}.",
                                        points_for_a_form, fewest));
    if (std::ranges::any_of(scalings,
                            [](const Scaling& each) { return has_form(each) && !is_exact(*each.model); }))
        sentences.push_back("The forms are not tested on more ranks.");
    if (ranks > 0)
        sentences.push_back(
            fmt::format("Several forms of growth fit some times: measure on {} ranks, too.", ranks));
    if (const std::optional<Doubt> doubt = gravest(all))
        sentences.push_back(as_sentence(doubt_text(*doubt)));
    return fmt::format("{}", fmt::join(sentences, " "));
}

/// Where only powers of two were measured and a time grows with the doublings: what is between two of them.
/// @param one_job its suites vary the number of ranks: another job would be another series
/// @param by_command says it by one; else another command follows
TextAndCommand study_between_powers(const std::vector<const Scaling*>& scalings, const Run& run, bool one_job,
                                    bool by_command) {
    std::int64_t most = 0;
    for (const Scaling* scaling : scalings)
        if (has_form(*scaling) && scaling->model->growth == Growth::log2 && only_powers_of_two(*scaling))
            most = std::max(most, scaling->last->argument);
    constexpr std::int64_t four = 4; // below it there is hardly a number between
    if (most < four)
        return {};
    const std::int64_t between = most / four * 3;
    const std::string command =
        one_job || !by_command
            ? std::string()
            : launch_command(run, static_cast<int>(between), is_simulated(run) ? 1 : launches_needed,
                             fmt::format("ranks-{}.db", between));
    return {"Only powers of two were measured, and times between them may differ: " +
                (one_job ? std::string("Scale = Dynamic_log measures there, too.")
                 : command.empty()
                     ? fmt::format("measure on {0} ranks, too (-n {0}, otherwise as the others).", between)
                     : fmt::format("measure on {} ranks, too:", between)),
            command};
}

} // namespace

std::string growth_form_text(const GrowthModel& model) {
    if (!fits(model))
        return "no form fits";
    if (is_of_the_others(model))
        return "p - 1";
    return model.growth == Growth::constant ? "1" : forms_text({model.form()});
}

std::string scaling_name(const Scaling& scaling) {
    return with_length(scaling);
}

std::string forms_alike(const Scaling& scaling) {
    std::vector<GrowthForm> forms = scaling.model->alike;
    // At powers of two these are one.
    if (only_powers_of_two(scaling) && scaling.model->growth == Growth::log2)
        std::erase(forms, GrowthForm{Growth::ceil_log2, false});
    return forms_text(forms);
}

TextAndCommand study_answer(const std::vector<const Subject*>& subjects,
                            const std::vector<Scaling>& scalings) {
    std::vector<const Scaling*> said; // the most growing first; what is not decided comes last
    for (const Scaling& scaling : scalings)
        said.push_back(&scaling);
    std::ranges::stable_sort(said, std::ranges::greater(), [](const Scaling* each) {
        return std::pair(!has_form(*each) || forms_alike(*each).empty(), growth_factor(*each));
    });
    constexpr std::size_t most_sentences = 3;
    const std::size_t more = said.size() - std::min(said.size(), most_sentences);
    said.resize(said.size() - more);
    const bool simulated = is_simulated(*subjects.front()->run);
    std::vector<std::string> parts;
    if (const std::string library = library_name(*subjects.front()->run); !library.empty())
        parts.push_back(simulated ? fmt::format("Simulated ({}, {})", library,
                                                simulated_algorithms(*subjects.front()->run))
                                  : library);
    std::int64_t fewest = scalings.front().first->argument;
    std::int64_t most = scalings.front().last->argument;
    for (const Scaling& scaling : scalings) {
        fewest = std::min(fewest, scaling.first->argument);
        most = std::max(most, scaling.last->argument);
    }
    parts.push_back(fmt::format("{} to {} ranks", fewest, most));
    std::vector<std::string> sentences;
    for (const Scaling* scaling : said)
        sentences.push_back(scaling_sentence(*scaling));
    if (more > 0)
        sentences.push_back(fmt::format("{} more in the table", more));
    const bool one_file = std::ranges::all_of(
        subjects, [&](const Subject* each) { return each->path == subjects.front()->path; });
    TextAndCommand next = next_step(*subjects.front(), assess(*subjects.front()));
    std::string for_others;
    if (!next.command.empty() && subjects.size() > 1 && subjects.front()->ended) {
        const bool crowded = std::ranges::any_of(
            subjects, [](const Subject* each) { return shared_cores(*each->run).has_value(); });
        for_others =
            fmt::format("The next command is for one number of ranks: measure the others in the same way{}.",
                        crowded ? " where each rank has a core" : "");
    }
    TextAndCommand between =
        study_between_powers(said, *subjects.front()->run, subjects.size() == 1, next.empty());
    if (next.empty() && one_file && between.command.empty())
        next = {"As C functions:", "skampi-report " + as_typed(subjects.front()->path) + " -o models.h"};
    std::vector<TextAndCommand> rest{
        {study_trust(subjects, scalings)},
        {simulated
             ? fmt::format("These are times of the platform as it is described, not of a machine{}; for "
                           "more than {} ranks, simulate a platform of as many hosts.",
                           computes(*subjects.front()->run)
                               ? ""
                               : ", and computation (that of reductions, too) takes no time",
                           most)
             : ""},
        std::move(between),
        {std::move(for_others)},
        std::move(next)};
    rest.insert(rest.begin(), {fmt::format("{}. {}.", fmt::join(parts, ", "), fmt::join(sentences, "; "))});
    return joined(rest);
}

} // namespace skampi
