// SPDX-License-Identifier: GPL-2.0-or-later
#include "document/sections/suite_section.hpp"

#include "analysis/models/curve_model.hpp"
#include "analysis/models/suite_findings.hpp"
#include "document/sections/single_measurements.hpp"
#include "document/sections/suite_tables.hpp"
#include "launches/copy_bound.hpp"
#include "launches/launches_left_out.hpp"
#include "words/growth_words.hpp"
#include "words/section_words.hpp"
#include "words/suite_facts.hpp"
#include "words/suite_words.hpp"
#include "words/value_words.hpp"

#include <algorithm>
#include <iterator>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace skampi {

namespace {

FigureBlock plot_block(const Material& material, const Curve& curve, const CostModel& model) {
    const Curve* const copies = copy_bound(material.subject(), curve);
    Figure figure = suite_figure(material.names.next(), curve, model, copies);
    const bool with_bandwidth = figure.panels.size() > 1;
    std::string caption = suite_caption(curve, with_bandwidth);
    if (copies && with_bandwidth)
        caption += copies_caption;
    return {std::move(figure), std::move(caption)};
}

/// Where launches fell into two states of the machine both are drawn; none where they were in one.
std::optional<FigureBlock> states_block(const Curve& curve, FigureNames& names) {
    const std::vector<StateOfLaunches> states = states_of_launches(curve);
    const Curve other = curve_in_another_state(curve);
    if (states.size() < 2 || !drawable(other) || !drawable(curve))
        return std::nullopt;
    LaunchesAtPoints shown;
    LaunchesAtPoints others;
    for (const StoredMeasurement& point : curve.points)
        if (const ModeValue* const most = most_common_other_mode(point.measurement);
            most && point.merge && point.merge->runs > 0) {
            shown.add(point.merge->runs);
            others.add(most->runs);
        }
    const std::vector<std::string> labels = states_labels(shown, others);
    Figure figure = overlay_figure(names.next(), {&curve, &other}, labels);
    const bool with_ratio = figure.panels.size() > 1;
    return FigureBlock{std::move(figure), states_caption(labels, with_ratio)};
}

} // namespace

Section suite_section(const Material& material, const Curve& curve, const JumpCauses& causes) {
    const CostModel model = drawable(curve) ? curve_model(curve) : CostModel();
    Section section;
    section.title = suite_heading(curve);
    section.folded = true;
    section.blocks.push_back(Paragraph{suite_answer(curve, model)});
    section.blocks.push_back(Paragraph{what_is_measured(curve), Tone::plain, {}, Rank::detail});
    if (curve.points.empty())
        return section;
    if (drawable(curve))
        section.blocks.push_back(plot_block(material, curve, model));

    const std::size_t in_short = section.blocks.size();
    if (std::optional<FigureBlock> states = states_block(curve, material.names))
        section.blocks.push_back(std::move(*states));

    std::vector<std::string> notes;
    for (std::optional<std::string> note : {node_times_sentence(curve), recorded_sentence(curve)})
        if (note)
            notes.push_back(std::move(*note));
    if (const std::optional<GrowthModel> growth = curve_growth(curve))
        notes.push_back(growth_sentence(*growth, curve.units.time));
    const bool has_form = form_of_growth(curve).has_value(); // then the figure shows it, too
    FactsAndTable facts{{"", suite_results(curve)}, {}, std::move(notes), {"", suite_setup(curve)}};
    if (curve.points.front().measurement.alone_s > 0)
        facts.table = overlap_table(curve);
    else if (!model.segments.empty() && !has_form)
        facts.table = model_table(curve, model);
    if (!model.jumps.empty() && !has_form)
        facts.below = jumps_table(curve, model, causes);
    section.blocks.push_back(std::move(facts));
    if (points_without_time(curve).count < std::ssize(curve.points)) {
        Table values = values_table(curve, model.jumps);
        leave_out_empty_columns(values);
        values.dense = true;
        values.notes = values_notes({&curve}, values.header);
        section.blocks.push_back(std::move(values));
    }
    if (material.options.box_plots)
        std::ranges::move(single_measurements_blocks(material, curve), std::back_inserter(section.blocks));
    for (Block& block : std::span(section.blocks).subspan(in_short))
        std::visit([](auto& each) { each.rank = Rank::detail; }, block);
    return section;
}

} // namespace skampi
