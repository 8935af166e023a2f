// SPDX-License-Identifier: GPL-2.0-or-later
#include "document/sections/family_section.hpp"

#include "analysis/models/rank_study.hpp"
#include "analysis/models/suite_findings.hpp"
#include "document/sections/surface_table.hpp"
#include "launches/comparable.hpp"
#include "model/quantity.hpp"
#include "words/section_words.hpp"
#include "words/suite_words.hpp"
#include "words/value_words.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <iterator>
#include <set>

namespace skampi {

namespace {

/// "Nodes = 4" of "MPI_Bcast (Nodes = 4)" in the family "MPI_Bcast".
std::string label_in_family(const Suite& suite) {
    std::string label = suite.name;
    if (label.starts_with(suite.family + " (") && label.ends_with(')'))
        label = label.substr(suite.family.size() + 2, label.size() - suite.family.size() - 3);
    return shortened(label, 40);
}

const StoredMeasurement* point_at(const Curve& curve, std::int64_t argument) {
    const auto found =
        std::ranges::lower_bound(curve.points, argument, {},
                                 [](const StoredMeasurement& point) { return point.measurement.argument; });
    return found != curve.points.end() && found->measurement.argument == argument &&
                   above_zero(found->measurement)
               ? &*found
               : nullptr;
}

/// At most `most` arguments at which all members have a time, spread over them with both ends.
std::vector<std::int64_t> chosen_arguments(const Family& family, std::size_t most) {
    std::vector<std::int64_t> common;
    for (const StoredMeasurement& point : family.members.front().curve->points)
        if (std::ranges::all_of(family.members, [&](const FamilyMember& member) {
                return point_at(*member.curve, point.measurement.argument) != nullptr;
            }))
            common.push_back(point.measurement.argument);
    if (common.size() <= most)
        return common;
    std::vector<std::int64_t> chosen;
    for (std::size_t i = 0; i < most; ++i)
        chosen.push_back(common[i * (common.size() - 1) / (most - 1)]);
    return chosen;
}

/// The form of growth of a curve over lengths at one of them.
RankGrowth growth_at_length(const Subject& study, const Curve& curve, std::int64_t argument) {
    for (const Curve& each : study.curves)
        if (title_of(each) == title_of(curve) &&
            each.suite().operation.name == curve.suite().operation.name &&
            each.suite().varied == Varied::nodes && each.suite().message_bytes == argument)
            return rank_growth(each);
    return {};
}

/// A list multiplied the block: its members differ in what the list holds, and their labels say so.
bool of_one_operation(const Curve& a, const Curve& b) {
    return a.suite().operation.name == b.suite().operation.name && a.suite().varied == b.suite().varied;
}

} // namespace

FamilyMember::FamilyMember(const Curve& of_subject, std::string name)
    : label(std::move(name)) {
    const int ranks = ranks_of(of_subject); // 0 over ranks: then no point is another's
    const auto is_other = [ranks](const StoredMeasurement& point) {
        return ranks_differ(point.measurement.ranks, ranks);
    };
    left_out = static_cast<std::size_t>(std::ranges::count_if(of_subject.points, is_other));
    if (left_out == 0) {
        curve = std::shared_ptr<const Curve>(std::shared_ptr<const Curve>(), &of_subject);
        return;
    }
    Curve copy = of_subject;
    std::erase_if(copy.points, is_other);
    curve = std::make_shared<const Curve>(std::move(copy));
}

std::vector<Family> families(const Subject& subject, Pattern pattern) {
    std::vector<Family> found;
    for (const Curve& curve : subject.curves) {
        const Suite& suite = curve.suite();
        if (suite.operation.pattern != pattern || suite.family.empty() || suite.family == suite.name ||
            !drawable(curve))
            continue;
        const auto place = std::ranges::find_if(found, [&](const Family& family) {
            return family.name == suite.family && of_one_operation(*family.members.front().curve, curve);
        });
        Family& family = place != found.end() ? *place : found.emplace_back(Family{suite.family, {}});
        family.members.emplace_back(curve, label_in_family(suite));
    }
    std::erase_if(found, [](const Family& family) { return family.members.size() < 2; });
    return found;
}

std::vector<Family> families_of_ranks(const std::vector<const Subject*>& subjects) {
    std::vector<Family> found;
    for (std::vector<RankTwin>& twins : twins_over_ranks(subjects)) {
        std::erase_if(twins, [](const RankTwin& twin) { return !drawable(*twin.curve); });
        std::set<int> ranks;
        for (const RankTwin& twin : twins)
            ranks.insert(ranks_of(*twin.curve));
        if (ranks.size() < 2)
            continue;
        Family& family = found.emplace_back(Family{title_of(*twins.front().curve), {}});
        for (const RankTwin& twin : twins)
            family.members.emplace_back(
                *twin.curve,
                count_of(ranks_of(*twin.curve), "rank") +
                    (ranks.size() < twins.size() ? ", " + shortened(twin.subject->label, 20) : ""));
    }
    return found;
}

Table family_table(const Family& family) {
    constexpr std::size_t most_rows = 10;
    constexpr std::size_t most_members = 7;
    Table table;
    table.header = {"at"};
    table.columns = {ColumnKind::number};
    const std::size_t shown = std::min(most_members, family.members.size());
    for (std::size_t i = 0; i < shown; ++i) {
        table.header.push_back(shortened(family.members[i].label, 18));
        table.columns.push_back(ColumnKind::number);
    }
    if (shown < family.members.size())
        table.title = fmt::format("The first {} of {}", shown, family.members.size());
    for (const std::int64_t argument : chosen_arguments(family, most_rows)) {
        std::vector<std::string> row{argument_text(*family.members.front().curve, argument)};
        for (std::size_t i = 0; i < shown; ++i)
            row.push_back(value_in_table(*family.members[i].curve,
                                         point_at(*family.members[i].curve, argument)->measurement));
        table.rows.push_back(std::move(row));
    }
    return table;
}

Section family_section(const Family& family, FigureNames& names, const Subject* study) {
    Section section;
    section.title =
        shortened(family.name, 80) + ": " + count_of(family.members.size(), "curve") + " in one plot";
    std::vector<const Curve*> curves;
    std::vector<std::string> labels;
    std::set<int> ranks;
    std::size_t left_out = 0;
    for (const FamilyMember& member : family.members) {
        curves.push_back(member.curve.get());
        left_out += member.left_out;
        labels.push_back(member.label);
        ranks.insert(ranks_of(*member.curve));
    }
    section.blocks.push_back(Paragraph{what_is_measured(*curves.front()), Tone::plain});
    if (left_out > 0)
        section.blocks.push_back(Paragraph{points_left_out(left_out), Tone::remark});
    Figure figure = overlay_figure(names.next(), curves, labels);
    std::string caption = family_caption(labels, figure.panels.size() > 1);
    section.blocks.push_back(FigureBlock{std::move(figure), std::move(caption)});
    if (ranks.size() > 1 && *ranks.begin() > 0) {
        constexpr std::size_t most_lengths = 5;
        const std::vector<std::int64_t> arguments = chosen_arguments(family, most_lengths);
        std::vector<RankCurve> over_ranks;
        std::vector<LengthGrowth> growths;
        for (const std::int64_t argument : arguments) {
            RankCurve& curve = over_ranks.emplace_back();
            curve.label = argument_text(*curves.front(), argument);
            curve.units = curves.front()->units;
            const RankGrowth growth =
                study ? growth_at_length(*study, *curves.front(), argument) : RankGrowth();
            if (growth.but_one)
                growths.push_back({curve.label, growth.but_one->model, growth.but_one->ranks});
            else if (growth.model && fits(*growth.model))
                growths.push_back({curve.label, *growth.model, {}});
            if (!growths.empty() && growths.back().label == curve.label)
                curve.growth = growths.back().growth;
            for (const Curve* each : curves)
                curve.points.push_back({ranks_of(*each), point_at(*each, argument)});
        }
        if (!over_ranks.empty())
            section.blocks.push_back(
                FigureBlock{over_ranks_figure(names.next(), over_ranks),
                            growths.empty() ? over_ranks_caption : over_ranks_with_forms_caption});
        if (!growths.empty())
            section.blocks.push_back(growth_table(growths, curves.front()->units.time));
    }
    if (Table table = family_table(family); !table.rows.empty())
        section.blocks.push_back(std::move(table));
    return section;
}

} // namespace skampi
