#include "document/sections/suite_section.hpp"

#include "analysis/models/curve_model.hpp"
#include "analysis/models/suite_findings.hpp"
#include "analysis/subject/copy_bound.hpp"
#include "analysis/subject/launches_left_out.hpp"
#include "document/sections/suite_tables.hpp"
#include "words/growth_words.hpp"
#include "words/section_words.hpp"
#include "words/suite_facts.hpp"
#include "words/suite_words.hpp"
#include "words/value_words.hpp"

#include <optional>
#include <utility>
#include <vector>

namespace skampi {

namespace {

/// Where launches fell into two states of the machine both are drawn; none where they were in one.
std::optional<FigureBlock> states_block(const Curve& curve, const std::string& figure_id) {
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
    Figure figure = overlay_figure(figure_id, {&curve, &other}, labels);
    const bool with_ratio = figure.panels.size() > 1;
    return FigureBlock{std::move(figure), states_caption(labels, with_ratio)};
}

} // namespace

Section suite_section(const Subject& subject, const Curve& curve, const std::string& figure_id,
                      const JumpCauses& causes) {
    Section section;
    section.title = suite_heading(curve);
    section.blocks.push_back(Paragraph{what_is_measured(curve), Tone::plain});
    const CostModel model = curve_model(curve);
    section.in_one_line = suite_answer(curve, model);
    const Curve* const copies = copy_bound(subject, curve);
    Figure figure = suite_figure(figure_id, curve, model, copies);
    const bool with_bandwidth = figure.panels.size() > 1;
    std::string caption = suite_caption(curve, with_bandwidth);
    if (copies && with_bandwidth)
        caption += copies_caption;
    section.blocks.push_back(FigureBlock{std::move(figure), std::move(caption)});

    if (std::optional<FigureBlock> states = states_block(curve, figure_id + "states"))
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
    return section;
}

} // namespace skampi
