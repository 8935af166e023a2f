// SPDX-License-Identifier: GPL-2.0-or-later
#include "document/sections/algorithm_section.hpp"

#include "model/quantity.hpp"
#include "words/algorithm_words.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <fmt/format.h>
#include <utility>

namespace skampi {

namespace {

Table winners_of(const AlgorithmWinners& winners, double gain) {
    Table table;
    table.title =
        fmt::format("{}, {}", shortened_name(winners.of->operation, 40), count_of(winners.of->ranks, "rank"));
    table.header = {"lengths", "algorithm", "gain", "launches", "why"};
    table.columns = {ColumnKind::text, ColumnKind::text, ColumnKind::text, ColumnKind::number,
                     ColumnKind::prose};
    for (const TuningRule& rule : tuning_rules({winners})) {
        if (rule.written)
            table.tints.push_back({table.rows.size(), 2, Tint::better});
        table.rows.push_back({lengths_text(rule.bytes_low, rule.bytes_high),
                              rule.written                           ? shortened_name(rule.algorithm, 40)
                              : rule.why_not == WhyNot::few_launches ? "unknown"
                                                                     : "keep the default",
                              rule.written ? gain_text(rule) : "-", std::to_string(rule.launches),
                              why_text(rule, gain)});
    }
    return table;
}

/// Lengths at about equal distances, of those that were measured: powers of two where there are such.
std::vector<const WinnerPoint*> chosen_points(const AlgorithmWinners& winners, std::size_t most) {
    const auto place = [](const WinnerPoint& point) {
        return std::log2(std::max(0.5, static_cast<double>(point.bytes)));
    };
    std::vector<const WinnerPoint*> points;
    for (const WinnerPoint& point : winners.points)
        if (point.bytes == 0 || std::has_single_bit(static_cast<std::uint64_t>(point.bytes)))
            points.push_back(&point);
    if (points.size() < std::min(most, winners.points.size())) {
        points.clear();
        for (const WinnerPoint& point : winners.points)
            points.push_back(&point);
    }
    if (points.size() <= most)
        return points;
    const double low = place(*points.front());
    const double step = (place(*points.back()) - low) / static_cast<double>(most - 1);
    std::vector<const WinnerPoint*> chosen;
    for (std::size_t i = 0; i < most; ++i) {
        const double wanted = low + step * static_cast<double>(i);
        const WinnerPoint* const nearest = *std::ranges::min_element(
            points, {}, [&](const WinnerPoint* point) { return std::fabs(place(*point) - wanted); });
        if (chosen.empty() || chosen.back() != nearest)
            chosen.push_back(nearest);
    }
    return chosen;
}

Table times_by_default(const AlgorithmWinners& winners) {
    constexpr std::size_t most = 6;
    const AlgorithmGroup& group = *winners.of;
    const bool enough = group.simulated || group.launches >= launches_for_a_rule;
    const std::vector<const WinnerPoint*> points = chosen_points(winners, most);
    Table table;
    table.title = algorithm_times_title(group);
    table.header = {"algorithm"};
    for (const WinnerPoint* point : points)
        table.header.push_back(point->bytes == 0 ? "-" : format_length(point->bytes));
    table.columns.assign(table.header.size(), ColumnKind::number);
    table.columns.front() = ColumnKind::text;
    for (std::size_t m = 1; m < group.members.size(); ++m) {
        std::vector<std::string>& row = table.rows.emplace_back();
        row.push_back(shortened_name(group.members[m].word, 30));
        for (const WinnerPoint* point : points) {
            const std::optional<AgainstDefault>& each = point->members[m];
            const bool differs = each && enough && takes_another_time(*each);
            const double ratio = each ? std::exp(each->log_ratio) : 0;
            const std::string shown = ratio < 9.995 ? fmt::format("{:.2f}", ratio) : format_ratio(ratio);
            row.push_back(each ? shown + (differs ? "" : " =") : "-");
            if (differs)
                table.tints.push_back({table.rows.size() - 1, row.size() - 1,
                                       each->log_ratio < 0 ? Tint::better : Tint::worse});
        }
    }
    return table;
}

} // namespace

std::vector<Table> algorithm_times(const AlgorithmFindings& found) {
    std::vector<Table> tables;
    for (const AlgorithmWinners& winners : found.winners)
        if (!winners.points.empty())
            tables.push_back(times_by_default(winners));
    if (!tables.empty())
        tables.back().notes.emplace_back(algorithm_times_note);
    return tables;
}

Section algorithm_section(const AlgorithmFindings& found) {
    Section section{"Which algorithm", {}, {}};
    section.blocks.emplace_back(Paragraph{algorithms_answer(found), Tone::plain, {}, Rank::overview});
    for (const AlgorithmWinners& winners : found.winners)
        if (!winners.regions.empty())
            section.blocks.emplace_back(winners_of(winners, found.rule.gain));
    std::vector<Table> times = algorithm_times(found);
    std::size_t rows = 0;
    for (const Table& table : times)
        rows += table.rows.size();
    for (Table& table : times) {
        table.rank = rows <= rows_on_first_page ? Rank::decision : Rank::overview;
        section.blocks.emplace_back(std::move(table));
    }
    for (std::string& remark : algorithm_remarks(found))
        section.blocks.emplace_back(Paragraph{std::move(remark), Tone::remark});
    section.blocks.emplace_back(Paragraph{algorithms_method(found), Tone::plain, {}, Rank::overview});
    add_known(section, algorithms_next_step(found), Tone::remark);
    return section;
}

} // namespace skampi
