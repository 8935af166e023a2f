#include "family_section.hpp"

#include "error_statement.hpp"
#include "model/quantity.hpp"
#include "suite_section.hpp"

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

Table family_table(const Family& family) {
    constexpr std::size_t most_rows = 10;
    constexpr std::size_t most_members = 7;
    Table table;
    table.header = {"at"};
    table.columns = {Column::number};
    const std::size_t shown = std::min(most_members, family.members.size());
    for (std::size_t i = 0; i < shown; ++i) {
        table.header.push_back(shortened(family.members[i].label, 18));
        table.columns.push_back(Column::number);
    }
    if (shown < family.members.size())
        table.title = fmt::format("The first {} of {}", shown, family.members.size());
    for (const std::int64_t argument : chosen_arguments(family, most_rows)) {
        std::vector<std::string> row{argument_text(*family.members.front().curve, argument)};
        for (std::size_t i = 0; i < shown; ++i)
            row.push_back(value_text(point_at(*family.members[i].curve, argument)->measurement,
                                     family.members[i].curve->units.time));
        table.rows.push_back(std::move(row));
    }
    return table;
}

bool measure_the_same(const Curve& a, const Curve& b) {
    return a.suite().operation.name == b.suite().operation.name && a.suite().varied == b.suite().varied;
}

} // namespace

std::vector<Family> families(const Subject& subject, Pattern pattern) {
    std::vector<Family> found;
    for (const Curve& curve : subject.curves) {
        const Suite& suite = curve.suite();
        if (suite.operation.pattern != pattern || suite.family.empty() || suite.family == suite.name ||
            !drawable(curve))
            continue;
        const auto place = std::ranges::find_if(found, [&](const Family& family) {
            return family.name == suite.family && measure_the_same(*family.members.front().curve, curve);
        });
        Family& family = place != found.end() ? *place : found.emplace_back(Family{suite.family, {}});
        family.members.push_back({&curve, label_in_family(suite)});
    }
    std::erase_if(found, [](const Family& family) { return family.members.size() < 2; });
    return found;
}

std::vector<Family> families_of_ranks(const std::vector<const Subject*>& subjects) {
    std::vector<const Subject*> ascending;
    std::set<int> numbers;
    for (const Subject* subject : subjects)
        if (subject->run && subject->run->ranks > 0) {
            ascending.push_back(subject);
            numbers.insert(subject->run->ranks);
        }
    std::vector<Family> found;
    if (numbers.size() < 2)
        return found;
    std::ranges::stable_sort(ascending, {}, [](const Subject* subject) { return subject->run->ranks; });
    for (const Curve& curve : ascending.front()->curves) {
        if (curve.suite().varied == Varied::nodes || !drawable(curve))
            continue;
        Family family{title_of(curve), {}};
        std::set<int> ranks;
        for (const Subject* subject : ascending) {
            const Curve* twin = matching_curve(*subject, curve);
            if (!twin || !drawable(*twin))
                continue;
            ranks.insert(ranks_of(*twin));
            std::string label = count_of(ranks_of(*twin), "rank");
            if (numbers.size() < ascending.size())
                label += ", " + shortened(subject->label, 20);
            family.members.push_back({twin, std::move(label)});
        }
        // Ping-pongs take two ranks in every job: their curves are compared as those of databases.
        if (ranks.size() > 1)
            found.push_back(std::move(family));
    }
    return found;
}

Section family_section(const Family& family, FigureNames& names) {
    Section section;
    section.title = shortened(family.name, 80) + ": " +
                    count_of(static_cast<std::int64_t>(family.members.size()), "curve") + " in one plot";
    std::vector<const Curve*> curves;
    std::vector<std::string> labels;
    std::set<int> ranks;
    for (const FamilyMember& member : family.members) {
        curves.push_back(member.curve);
        labels.push_back(member.label);
        ranks.insert(ranks_of(*member.curve));
    }
    section.blocks.push_back(Paragraph{what_is_measured(*curves.front()), Tone::plain});
    section.blocks.push_back(FigureBlock{overlay_figure(names.next(), curves, labels),
                                         fmt::format("Time with {}, and its ratio to that with {}.",
                                                     shortened(enumeration(labels), 120), labels.front())});
    if (ranks.size() > 1 && *ranks.begin() > 0) {
        constexpr std::size_t most_lengths = 5;
        const std::vector<std::int64_t> arguments = chosen_arguments(family, most_lengths);
        std::vector<RankCurve> over_ranks;
        for (const std::int64_t argument : arguments) {
            RankCurve& curve = over_ranks.emplace_back();
            curve.label = argument_text(*curves.front(), argument);
            curve.units = curves.front()->units;
            for (const Curve* each : curves)
                curve.points.push_back({ranks_of(*each), point_at(*each, argument)});
        }
        if (!over_ranks.empty())
            section.blocks.push_back(FigureBlock{over_ranks_figure(names.next(), over_ranks),
                                                 "Time over the number of ranks at chosen arguments."});
    }
    if (Table table = family_table(family); !table.rows.empty())
        section.blocks.push_back(std::move(table));
    return section;
}

} // namespace skampi
