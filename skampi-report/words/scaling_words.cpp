#include "words/scaling_words.hpp"

#include "analysis/finding_names.hpp"
#include "analysis/models/suite_findings.hpp"
#include "analysis/trust/doubt.hpp"
#include "analysis/trust/trust.hpp"
#include "model/launch_command.hpp"
#include "model/quantity.hpp"
#include "subject/library_name.hpp"
#include "words/doubt_words.hpp"
#include "words/model_words.hpp"
#include "words/next_step.hpp"
#include "words/suite_words.hpp"
#include "words/system_facts.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <fmt/format.h>
#include <map>

namespace skampi {

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

std::string first_to_last(const Scaling& scaling) {
    constexpr int digits = 3;
    const TimeUnit unit = scaling.curve->units.time;
    return fmt::format("{} on {}, {} on {} ranks", format_time(scaling.first->value_s, digits, unit),
                       scaling.first->argument, format_time(scaling.last->value_s, digits, unit),
                       scaling.last->argument);
}

/// "each time within 3.4 %"; of exact times "exactly"
std::string misfit_text(const GrowthModel& model) {
    return is_exact(model) ? "exactly"
                           : fmt::format("each time within {}", format_percent(model.worst_error));
}

/// " and 20.2 µs more where p is no power of two"; empty where powers of two are like all others.
std::string price_between_powers(const GrowthModel& model, TimeUnit unit) {
    const int digits = digits_of(model);
    return model.gamma_s == 0 ? std::string()
                              : fmt::format(" and {} {} where p is no power of two",
                                            format_time(std::fabs(model.gamma_s), digits, unit),
                                            model.gamma_s > 0 ? "more" : "less");
}

/// "log2 p, 590 ns a doubling (each time within 1 %)"
std::string form_and_step(const Scaling& scaling) {
    const std::string step = growth_step(*scaling.model, scaling.curve->units.time);
    const std::string others = forms_alike(scaling);
    if (scaling.model->delta_s != 0 && others.empty()) // a form of two terms says little without their prices
        return fmt::format("{} ({})", formula(*scaling.model, scaling.curve->units.time, false),
                           misfit_text(*scaling.model));
    return fmt::format("{}{}{}{} ({})", growth_form_text(*scaling.model),
                       others.empty() ? "" : " or " + others, step.empty() ? "" : ", " + step,
                       price_between_powers(*scaling.model, scaling.curve->units.time),
                       misfit_text(*scaling.model));
}

/// Without the length that a list of suites is over: "MPI_Bcast" of "MPI_Bcast (Default_Message_length = 8)".
std::string name_without_length(const Scaling& scaling) {
    const std::string& name = title_of(*scaling.curve);
    const std::size_t listed = name.find(" (Default_Message_length = ");
    const bool alone = listed != std::string::npos && name.find(')', listed) + 1 == name.size() &&
                       name.find(',', listed) == std::string::npos;
    return alone && !length_of(scaling).empty() ? name.substr(0, listed) : name;
}

/// "MPI_Bcast of 8 B"
std::string with_length(const Scaling& scaling) {
    const std::string length = length_of(scaling);
    return name_without_length(scaling) + (length.empty() ? "" : " of " + length);
}

/// "4.03 µs on 4 and 12.1 µs on 8 ranks": the neighbouring numbers of ranks between which it grows most.
std::string largest_step(const Scaling& scaling) {
    const StoredMeasurement* before = nullptr;
    const StoredMeasurement* after = nullptr;
    double largest = 1;
    const auto& points = scaling.curve->points;
    for (std::size_t i = 0; i + 1 < points.size(); ++i) {
        if (!above_zero(points[i].measurement) || !above_zero(points[i + 1].measurement))
            continue;
        const double ratio = points[i + 1].measurement.value_s / points[i].measurement.value_s;
        if (ratio > largest) {
            largest = ratio;
            before = &points[i];
            after = &points[i + 1];
        }
    }
    if (before == nullptr)
        return {};
    constexpr int digits = 3;
    const TimeUnit unit = scaling.curve->units.time;
    return fmt::format("its largest step is from {} on {} to {} on {} ranks",
                       format_time(before->measurement.value_s, digits, unit), before->measurement.argument,
                       format_time(after->measurement.value_s, digits, unit), after->measurement.argument);
}

/// Of one message length.
std::string scaling_sentence(const Scaling& scaling) {
    if (!has_form(scaling))
        return with_length(scaling) + ": " + first_to_last(scaling);
    return scaling.model->growth == Growth::constant
               ? fmt::format("{} does not depend on p ({})", with_length(scaling),
                             misfit_text(*scaling.model))
               : with_length(scaling) + " grows with " + form_and_step(scaling);
}

/// Of one operation with its shortest message, and with its longest where there is another.
std::string operation_sentence(const Scaling& shortest, const Scaling* longest) {
    if (!longest || !has_form(shortest) || !has_form(*longest))
        return scaling_sentence(longest && (has_form(*longest) || !has_form(shortest)) ? *longest : shortest);
    const std::string name = name_without_length(shortest);
    if (shortest.model->form() == longest->model->form()) {
        const std::string step = growth_step(*shortest.model, shortest.curve->units.time);
        const Scaling& worse =
            shortest.model->worst_error > longest->model->worst_error ? shortest : *longest;
        const std::string misfit = misfit_text(*worse.model);
        return shortest.model->growth == Growth::constant
                   ? fmt::format("{} does not depend on p ({})", name, misfit)
               : step.empty()
                   ? fmt::format("{} grows with {} ({})", name, growth_form_text(*shortest.model), misfit)
                   : fmt::format("{} grows with {}: at {} {}{}, at {} {}{} ({})", name,
                                 growth_form_text(*longest->model), length_of(shortest), step,
                                 price_between_powers(*shortest.model, shortest.curve->units.time),
                                 length_of(*longest),
                                 growth_step(*longest->model, longest->curve->units.time),
                                 price_between_powers(*longest->model, longest->curve->units.time), misfit);
    }
    return fmt::format("{} grows with {} at {}, with {} at {}", name, form_and_step(shortest),
                       length_of(shortest), form_and_step(*longest), length_of(*longest));
}

/// "MPI_Alltoall of 1 B is 8.10 µs log2 p (each time within 0.3 %), except on 4 ranks: 8.13 µs there instead
/// of 16.2 µs. "
std::string but_one_sentence(const Scaling& scaling) {
    const FormButOne& found = *scaling.but_one;
    const TimeUnit unit = scaling.curve->units.time;
    return fmt::format("{} is {} ({}), except on {} ranks: {} there instead of {}. ", with_length(scaling),
                       formula(found.model, unit, false), misfit_text(found.model), found.ranks,
                       format_time(found.value_s, digits_of(found.model), unit),
                       format_time(found.model.at(found.ranks), digits_of(found.model), unit));
}

/// What has no form of growth, and the gravest doubt. Each form says how far it misses the times.
std::string study_trust(const std::vector<const Subject*>& subjects, const std::vector<Scaling>& scalings) {
    std::vector<Doubt> all;
    for (const Subject* subject : subjects)
        if (const std::optional<Doubt> doubt = gravest(doubts(*subject, assess(*subject), true)))
            all.push_back(*doubt);
    std::size_t fewest = points_for_a_form;
    std::vector<std::string> without_form;
    std::string but_one;
    for (const Scaling& scaling : scalings) {
        fewest = std::min(fewest, scaling.curve->points.size());
        if (scaling.model && !has_form(scaling) && scaling.but_one) {
            but_one += but_one_sentence(scaling);
        } else if (scaling.model && !has_form(scaling)) {
            const std::string step = largest_step(scaling);
            without_form.push_back(fmt::format("{} (the nearest misses a time by {}{})", with_length(scaling),
                                               format_percent(scaling.model->worst_error),
                                               step.empty() ? "" : "; " + step));
        }
    }
    const std::optional<Doubt> doubt = gravest(all);
    const std::string doubted = doubt ? as_sentence(doubt_text(*doubt)) : "";
    if (fewest < points_for_a_form)
        return fmt::format("A form of growth needs {} numbers of ranks; there are {}. {}", points_for_a_form,
                           fewest, doubted);
    return but_one +
           (without_form.empty()
                ? std::string()
                : fmt::format("No form that was tried fits {}. ", enumeration(without_form))) +
           doubted;
}

/// "The data cannot distinguish ceil(log2 p) from p (MPI_Bcast of 8 B): measure on 128 ranks, too."; empty
/// where there is nothing of the kind.
std::string study_alike(const std::vector<const Scaling*>& scalings) {
    std::map<std::string, std::vector<std::string>> curves; // by the forms
    std::int64_t ranks = 0;
    for (const Scaling* scaling : scalings) {
        const std::string others = has_form(*scaling) ? forms_alike(*scaling) : "";
        if (others.empty())
            continue;
        curves[growth_form_text(*scaling->model) + " from " + others].push_back(with_length(*scaling));
        ranks = std::max(ranks, scaling->model->distinguishing_ranks);
    }
    if (curves.empty())
        return {};
    std::vector<std::string> texts;
    for (const auto& [forms, names] : curves)
        texts.push_back(fmt::format("{} ({})", forms, enumeration(names)));
    return fmt::format("The data cannot distinguish {}{}. ", fmt::join(texts, ", or "),
                       ranks > 0 ? fmt::format(": measure on {} ranks, too", ranks) : "");
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

std::string growth_step(const GrowthModel& model, TimeUnit unit) {
    const std::string step = format_time(model.beta_s, digits_of(model), unit);
    if (!fits(model) || model.delta_s != 0)
        return {};
    switch (model.growth) {
    case Growth::log2:
        return step + " per doubling";
    case Growth::ceil_log2:
        return step + " per step";
    case Growth::linear:
        return step + " for each further rank";
    case Growth::constant:
    case Growth::p_log2:
    case Growth::quadratic:
    case Growth::ceil_log2_squared:
        break;
    }
    return {};
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

namespace {

/// An operation at its shortest and longest message.
struct Operation {
    const Scaling* shortest;
    const Scaling* longest = nullptr;
};

/// The most growing first; what is not decided comes last.
std::vector<Operation> operations_of(const std::vector<Scaling>& scalings) {
    std::vector<Operation> operations;
    for (const Scaling& scaling : scalings)
        if (const auto known =
                std::ranges::find(operations, name_without_length(scaling),
                                  [](const Operation& each) { return name_without_length(*each.shortest); });
            known == operations.end())
            operations.push_back({&scaling});
        else
            known->longest = &scaling;
    const auto decided = [](const Scaling* each) {
        return !each || !has_form(*each) || forms_alike(*each).empty();
    };
    std::ranges::stable_sort(operations, std::ranges::greater(), [&](const Operation& each) {
        return std::pair(decided(each.shortest) && decided(each.longest), growth_factor(*each.shortest));
    });
    return operations;
}

} // namespace

TextAndCommand study_answer(const std::vector<const Subject*>& subjects,
                            const std::vector<Scaling>& scalings) {
    const std::vector<Operation> operations = operations_of(scalings);
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
    constexpr std::size_t most_operations = 4;
    std::vector<std::string> sentences;
    std::vector<const Scaling*> said;
    for (std::size_t i = 0; i < std::min(most_operations, operations.size()); ++i) {
        sentences.push_back(operation_sentence(*operations[i].shortest, operations[i].longest));
        said.push_back(operations[i].shortest);
        if (operations[i].longest)
            said.push_back(operations[i].longest);
    }
    const auto more = std::count_if(
        operations.begin() + static_cast<std::ptrdiff_t>(std::min(most_operations, operations.size())),
        operations.end(), [](const Operation& each) {
            return has_form(*each.shortest) || (each.longest && has_form(*each.longest));
        });
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
        {study_alike(said)},
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
    for (TextAndCommand& each : rest)
        while (each.text.ends_with(' '))
            each.text.pop_back();
    rest.insert(rest.begin(), {fmt::format("{}: {}.", fmt::join(parts, ", "), fmt::join(sentences, ". "))});
    return joined(rest);
}

} // namespace skampi
