#include "document/sections/surface_table.hpp"

#include "model/quantity.hpp"
#include "words/model_words.hpp"

#include <algorithm>
#include <fmt/format.h>

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
    if (std::ranges::any_of(surfaces, [](const OperationSurface& surface) {
            return surface.model.latency.has_negative_constant() ||
                   surface.model.per_byte.has_negative_constant();
        }))
        table.title += "; a negative constant has no physical meaning";
    table.header = {
        "operation", "ranks", "messages", "time", "errors", "worst error", "not distinguished from"};
    table.columns = {ColumnKind::prose, ColumnKind::text,   ColumnKind::text, ColumnKind::prose,
                     ColumnKind::prose, ColumnKind::number, ColumnKind::prose};
    for (const OperationSurface& surface : surfaces) {
        const SurfaceModel& model = surface.model;
        table.rows.push_back(
            {surface.operation, fmt::format("{} - {}", model.latency.first, model.latency.last),
             fmt::format("{} - {}", format_length(model.first_bytes), format_length(model.last_bytes)),
             formula(model, surface.unit), errors_text(model.latency.errors),
             format_percent(model.worst_error), alike_text(model)});
    }
    return table;
}

} // namespace skampi
