// SPDX-License-Identifier: GPL-2.0-or-later
#include "document/sections/headline_tables.hpp"

#include "analysis/trust/headline.hpp"
#include "contest/estimate.hpp"
#include "launches/comparable.hpp"
#include "model/machine_state.hpp"
#include "model/quantity.hpp"
#include "words/contest_words.hpp"
#include "words/doubt_words.hpp"
#include "words/value_words.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <string>
#include <utility>
#include <vector>

namespace skampi {

namespace {

/// The point at which a contest judges a headline's value; null where it judges none.
const Statement* judged_point(const Headline& reference, const Headline& other, const Contest& contest) {
    if (!reference.argument() || reference.argument() != other.argument())
        return nullptr;
    for (const SuiteContest& suite : contest.suites)
        if (suite.compared() && suite.reference->suite().name == reference.curve->suite().name &&
            suite.subject->suite().name == other.curve->suite().name)
            return suite.point(*reference.argument());
    return nullptr;
}

/// The time of a contest's point in the unit of the headline.
double in_unit(const Headline& headline, double time_s) {
    return headline.unit == HeadlineUnit::seconds
               ? headline.factor * time_s
               : headline.value * headline.point->measurement.value_s / time_s;
}

/// A row of headlines_compared(): two values, the ratio of these, and its interval.
struct ComparedRow {
    std::string first;
    std::string second;
    std::string ratio = "-"; ///< with its interval, or of which states it is
};

std::string shown(const Headline& headline, bool with_place) {
    // Where half of the peak is reached is between two arguments: no error to compare.
    const bool has_error = !headline.doubt() && headline.kind != HeadlineKind::half_peak_length;
    const std::string error = has_error ? headline_error_numbers(headline) : "";
    return (with_place ? headline_value_at(headline) : headline_value(headline)) +
           (error.empty() ? "" : " (" + error + ")");
}

bool in_two_states(const Headline& reference, const Headline& other) {
    return reference.probe_s > 0 && other.probe_s > 0 && !in_one_mode(reference.probe_s, other.probe_s);
}

/// For a contest's point the compared value is shown, the geometric mean over the launches, which may differ
/// from the headline. So the ratio is that of its row.
ComparedRow compared_row(const Headline& reference, const Headline& other, const Contest& contest,
                         bool with_place) {
    ComparedRow row{shown(reference, with_place), shown(other, with_place)};
    const Statement* const point = judged_point(reference, other, contest);
    if (comparability(*reference.curve, *other.curve).kind() == Comparable::other_quantity ||
        (point && point->verdict == Verdict::not_comparable))
        return row;
    if (!point || !point->judged()) {
        if (const double ratio = other.value / reference.value; ratio > 0)
            row.ratio = format_ratio(ratio);
        if (in_two_states(reference, other))
            row.ratio += ", of two states";
        return row;
    }
    constexpr int digits = 3;
    const auto set_value = [&](std::string& text, const Headline& headline, double time_s) {
        constexpr double same = 1e-6;
        const double value = in_unit(headline, time_s);
        if (!(std::fabs(value / headline.value - 1) < same))
            text = headline_number(headline, value, digits);
    };
    set_value(row.first, reference, point->reference_s);
    set_value(row.second, other, point->reference_s * point->ratio);
    const bool of_times = reference.unit == HeadlineUnit::seconds;
    row.ratio = fmt::format("{} ({} - {})", format_ratio(of_times ? point->ratio : 1 / point->ratio),
                            format_ratio(of_times ? point->low : 1 / point->high),
                            format_ratio(of_times ? point->high : 1 / point->low));
    return row;
}

const Headline* twin_of(const Headline& headline, const std::vector<Headline>& others) {
    const auto twin =
        std::ranges::find_if(others, [&](const Headline& each) { return each.is_same_quantity(headline); });
    return twin == others.end() ? nullptr : &*twin;
}

/// Notes below a table of headlines: a letter for each reason that makes some of them doubtful.
class Marks {
public:
    /// " [a]"; empty for no reason.
    std::string mark(const std::string& reason) {
        if (reason.empty())
            return {};
        auto place = std::ranges::find(reasons_, reason);
        if (place == reasons_.end())
            place = reasons_.insert(reasons_.end(), reason);
        return fmt::format(" [{}]", static_cast<char>('a' + (place - reasons_.begin())));
    }
    [[nodiscard]] std::vector<std::string> notes() const {
        std::vector<std::string> texts;
        for (std::size_t i = 0; i < reasons_.size(); ++i)
            texts.push_back(fmt::format("[{}] {}", static_cast<char>('a' + i), reasons_[i]));
        return texts.empty() ? texts : std::vector{fmt::format("{}.", fmt::join(texts, "; "))};
    }

private:
    std::vector<std::string> reasons_;
};

constexpr const char* latency_note = "Latency is half of a round trip.";

bool has_latency(const std::vector<Headline>& all) {
    return std::ranges::find(all, HeadlineKind::latency, &Headline::kind) != all.end();
}

/// What the errors of all headlines are, where they are of one kind, and what stands in place of those that
/// are not known; else empty: each says it.
std::string errors_note(const std::vector<Headline>& all) {
    if (std::ranges::any_of(all, [](const Headline& each) { return each.error.kind == ErrorKind::range; }))
        return fmt::format(
            "Below {} launches the error is unknown; in brackets: smallest and largest launch.",
            launches_needed);
    const ValueError* first = nullptr;
    for (const Headline& headline : all) {
        if (headline.kind == HeadlineKind::half_peak_length)
            continue;
        const ValueError& error = headline.error;
        if (error.kind != ErrorKind::interval && error.kind != ErrorKind::interval_in_a_row)
            return {};
        if (!first)
            first = &error;
        else if (error_kind(error) != error_kind(*first))
            return {};
    }
    return first ? "Error: " + error_kind(*first) + "." : std::string();
}

} // namespace

Table headlines_compared(const Rivals& contest) {
    Table table;
    table.title = "Headlines";
    table.header = {"what", shortened(contest.reference->label, 24)};
    table.columns = {ColumnKind::text, ColumnKind::number};
    std::vector<std::vector<Headline>> others;
    for (const Subject* other : contest.others) {
        table.header.push_back(shortened(other->label, 24));
        table.columns.push_back(ColumnKind::number);
        others.push_back(headlines(*other));
    }
    const bool two = others.size() == 1;
    if (two) {
        table.header.emplace_back("ratio (interval)");
        table.columns.push_back(ColumnKind::number);
    }
    Marks marks;
    for (const Headline& headline : headlines(*contest.reference)) {
        std::vector<const Headline*> twins;
        for (const std::vector<Headline>& other : others)
            twins.push_back(twin_of(headline, other));
        const bool elsewhere = std::ranges::any_of(
            twins, [&](const Headline* twin) { return twin && twin->peak_at() != headline.peak_at(); });
        std::vector<std::string> row{elsewhere ? headline_name(headline) : headline_title(headline)};
        if (two && twins.front()) {
            const ComparedRow compared =
                compared_row(headline, *twins.front(), contest.comparisons.front(), elsewhere);
            row.insert(row.end(),
                       {compared.first + marks.mark(headline_doubt(headline)),
                        compared.second + marks.mark(headline_doubt(*twins.front())), compared.ratio});
        } else {
            row.push_back(shown(headline, elsewhere) + marks.mark(headline_doubt(headline)));
            for (const Headline* twin : twins)
                row.push_back(twin ? shown(*twin, elsewhere) + marks.mark(headline_doubt(*twin)) : "-");
            if (two)
                row.emplace_back("-");
        }
        table.rows.push_back(std::move(row));
    }
    table.notes = marks.notes();
    if (has_latency(headlines(*contest.reference)))
        table.notes.insert(table.notes.begin(), latency_note);
    return table;
}

Table launches_table(const Subject& subject) {
    Table table;
    table.title = "Launches";
    table.header = {"launches", "used", "left out because"};
    table.columns = {ColumnKind::number, ColumnKind::number, ColumnKind::prose};
    for (LaunchRow& row : launch_rows(subject))
        table.rows.push_back({std::to_string(row.launches), std::move(row.used), std::move(row.reason)});
    leave_out_empty_columns(table);
    return table;
}

Table headline_table(const Subject& subject) {
    Table table;
    table.title = "Headlines";
    table.header = {"what", "value", "error"};
    table.columns = {ColumnKind::text, ColumnKind::number, ColumnKind::text};
    const std::vector<Headline> all = headlines(subject);
    Marks marks;
    for (const Headline& headline : all) {
        const bool elsewhere = !headline.doubt() && headline.probe_ratio;
        table.rows.push_back(
            {headline_title(headline), headline_value(headline),
             headline_error(headline) +
                 marks.mark(elsewhere ? "measured in another state of the machine than the first headline"
                                      : headline_doubt(headline))});
    }
    table.notes = marks.notes();
    std::string note = has_latency(all) ? latency_note : "";
    if (const std::string errors = errors_note(all); !errors.empty())
        note += (note.empty() ? "" : " ") + errors;
    if (!note.empty())
        table.notes.insert(table.notes.begin(), std::move(note));
    return table;
}

} // namespace skampi
