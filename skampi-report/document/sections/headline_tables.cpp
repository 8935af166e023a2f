#include "document/sections/headline_tables.hpp"

#include "analysis/comparable.hpp"
#include "analysis/headline.hpp"
#include "model/adjusted.hpp"
#include "model/quantity.hpp"
#include "words/headline_words.hpp"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace skampi {

namespace {

/// The point at which a comparison judges a headline's value; null where it judges none.
const PointComparison* judged_point(const Headline& reference, const Headline& other,
                                    const DatabaseComparison& comparison) {
    if (!reference.argument() || reference.argument() != other.argument())
        return nullptr;
    for (const DatabaseComparison::Suite& suite : comparison.suites)
        if (suite.reference->suite().name == reference.curve->suite().name &&
            suite.other->suite().name == other.curve->suite().name)
            for (const PointComparison& point : suite.curves.points)
                if (point.argument == *reference.argument())
                    return &point;
    return nullptr;
}

/// Other by reference. It is the comparison's wherever that has one, and where this, or the values, are of
/// two states of the machine it says so.
std::string ratio_of_headlines(const Headline& reference, const Headline& other,
                               const DatabaseComparison& comparison) {
    double ratio = other.value / reference.value;
    if (!(ratio > 0) || comparability(*reference.curve, *other.curve).kind() == Comparable::other_quantity)
        return "-";
    const bool in_two_states =
        reference.probe_s > 0 && other.probe_s > 0 && !in_one_mode(reference.probe_s, other.probe_s);
    const PointComparison* point = judged_point(reference, other, comparison);
    if (!point)
        return format_ratio(ratio) + (in_two_states ? ", of two states" : "");
    if (!point->comparable)
        return "-";
    ratio = reference.unit == HeadlineUnit::seconds ? point->ratio : 1 / point->ratio;
    return format_ratio(ratio) + (point->in_other_state() ? ", of two states"
                                  : in_two_states         ? ", in one state"
                                                          : "");
}

} // namespace

Table headlines_compared(const Contest& contest) {
    Table table;
    table.title = "Headlines";
    table.header = {"what", shortened(contest.reference->label, 24)};
    table.columns = {ColumnKind::text, ColumnKind::prose};
    std::vector<std::vector<Headline>> others;
    for (const Subject* other : contest.others) {
        table.header.push_back(shortened(other->label, 24));
        table.columns.push_back(ColumnKind::prose);
        others.push_back(headlines(*other));
    }
    if (others.size() == 1) {
        table.header.emplace_back("ratio");
        table.columns.push_back(ColumnKind::number);
    }
    // Where the other peak is elsewhere the place stands with each value.
    const auto text = [&](const Headline& headline, bool with_place) {
        const std::string error = headline_error_in_short(headline);
        return (with_place ? headline_value_at(headline) : headline_value(headline)) +
               (error.empty() ? "" : " (" + error + ")");
    };
    bool of_launches = false;
    for (const Headline& headline : headlines(*contest.reference)) {
        std::vector<const Headline*> twins;
        for (const std::vector<Headline>& other : others) {
            const auto twin = std::ranges::find_if(
                other, [&](const Headline& each) { return each.is_same_quantity(headline); });
            twins.push_back(twin == other.end() ? nullptr : &*twin);
        }
        const bool elsewhere = std::ranges::any_of(
            twins, [&](const Headline* twin) { return twin && twin->peak_at() != headline.peak_at(); });
        std::vector<std::string> row{elsewhere ? headline_name(headline) : headline_title(headline),
                                     text(headline, elsewhere)};
        for (const Headline* twin : twins)
            row.push_back(twin ? text(*twin, elsewhere) : "-");
        if (others.size() == 1) {
            const DatabaseComparison& comparison = contest.comparisons.front();
            row.push_back(twins.front() ? ratio_of_headlines(headline, *twins.front(), comparison) : "-");
            const PointComparison* point =
                twins.front() ? judged_point(headline, *twins.front(), comparison) : nullptr;
            of_launches = of_launches || (point && point->judged());
        }
        table.rows.push_back(std::move(row));
    }
    // A merged value is the launches' median: of two of these the ratio is another.
    if (of_launches)
        table.title += "; judged ratios are those of geometric means over the launches";
    return table;
}

Table headline_table(const Subject& subject) {
    Table table;
    table.title = "Headlines";
    table.header = {"what", "value", "error"};
    table.columns = {ColumnKind::text, ColumnKind::number, ColumnKind::prose};
    for (const Headline& headline : headlines(subject))
        table.rows.push_back({headline_title(headline), headline_value(headline), headline_error(headline)});
    return table;
}

} // namespace skampi
