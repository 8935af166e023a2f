// SPDX-License-Identifier: GPL-2.0-or-later
#include "document/sections/surface_table.hpp"

#include "analysis/models/suite_findings.hpp"
#include "model/quantity.hpp"
#include "words/growth_words.hpp"
#include "words/value_words.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <set>

namespace skampi {

namespace {

std::string alike_text(const SurfaceModel& model) {
    std::vector<GrowthForm> all = model.latency.alike;
    for (const GrowthForm& form : model.per_byte.alike)
        if (std::ranges::find(all, form) == all.end())
            all.push_back(form);
    return forms_text(all);
}

} // namespace

Table surface_table(const std::vector<OperationSurface>& surfaces) {
    Table table;
    table.title = "Growth with the number of ranks p and the message length m";
    table.header = {
        "operation", "ranks", "messages", "time", "errors", "worst error", "not distinguished from"};
    table.columns = {ColumnKind::prose, ColumnKind::text,   ColumnKind::text, ColumnKind::prose,
                     ColumnKind::prose, ColumnKind::number, ColumnKind::prose};
    for (const OperationSurface& surface : surfaces) {
        const SurfaceModel& model = surface.model;
        // Both parts have the worst error of the whole. What misses by more contradicts the forms at each
        // length.
        constexpr double most_error = 0.1;
        if (!fits(model.latency) || model.worst_error > most_error)
            continue;
        table.rows.push_back(
            {surface.operation, fmt::format("{} - {}", model.latency.first, model.latency.last),
             fmt::format("{} - {}", format_length(model.first_bytes), format_length(model.last_bytes)),
             formula(model, surface.unit), errors_text(model.latency.errors),
             format_percent(model.worst_error), alike_text(model)});
    }
    leave_out_empty_columns(table);
    return table;
}

Table scaling_table(const std::vector<Scaling>& scalings) {
    Table table;
    std::set<std::string> errors;
    for (const Scaling& scaling : scalings)
        if (scaling.model && fits(*scaling.model))
            errors.insert(errors_text(scaling.model->errors));
    const bool same_errors = errors.size() == 1;
    table.title = "Growth with the number of ranks p" +
                  (same_errors && !errors.begin()->empty() ? " (" + *errors.begin() + ")" : "");
    table.header = {"operation", "fewest ranks", "most ranks", "time t(p)", "misses by"};
    table.columns = {ColumnKind::text, ColumnKind::number, ColumnKind::number, ColumnKind::prose,
                     ColumnKind::number};
    for (const Scaling& scaling : scalings) {
        const TimeUnit unit = scaling.curve->units.time;
        const auto at = [&](const Measurement* measurement) {
            constexpr int digits = 3;
            return fmt::format("{} on {}", value_in_table(*scaling.curve, *measurement, digits),
                               measurement->argument);
        };
        std::vector<std::string> row{scaling_name(scaling), at(scaling.first), at(scaling.last), "-", "-"};
        if (scaling.model) {
            row[3] = fits(*scaling.model) ? formula(*scaling.model, unit) : growth_form_text(*scaling.model);
            if (const std::string alike = forms_alike(scaling); fits(*scaling.model) && !alike.empty())
                row[3] += "; " + alike + " fits as well";
            if (const std::string errors = errors_text(scaling.model->errors);
                fits(*scaling.model) && !same_errors && !errors.empty())
                row[3] += "; " + errors;
            if (scaling.but_one)
                row[3] = fmt::format("{}, except on {} ranks", formula(scaling.but_one->model, unit),
                                     scaling.but_one->ranks);
            const GrowthModel& model = scaling.but_one ? scaling.but_one->model : *scaling.model;
            row[4] = is_exact(model) ? "0 %" : format_percent(model.worst_error);
        }
        table.rows.push_back(std::move(row));
    }
    return table;
}

Table growth_table(const std::vector<LengthGrowth>& lengths, TimeUnit unit) {
    Table table;
    table.title = "Growth with the number of ranks p: dashed lines";
    table.header = {"at", "time t(p)", "errors", "worst error", "not distinguished from"};
    table.columns = {ColumnKind::number, ColumnKind::prose, ColumnKind::prose, ColumnKind::number,
                     ColumnKind::prose};
    for (const LengthGrowth& each : lengths)
        table.rows.push_back({each.label,
                              formula(each.growth, unit) +
                                  (each.except ? fmt::format(", except on {} ranks", *each.except) : ""),
                              errors_text(each.growth.errors), format_percent(each.growth.worst_error),
                              forms_text(each.growth.alike)});
    leave_out_empty_columns(table);
    return table;
}

} // namespace skampi
