#include "words/turns_tables.hpp"

#include "model/quantity.hpp"
#include "words/comparison_words.hpp"
#include "words/suite_words.hpp"
#include "words/turns_names.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace skampi {

std::string slower_with_interval(const TurnsStatement& statement) {
    const std::string ratio = slower_text(statement.ratio);
    if (slower_text(*statement.low) == ratio && slower_text(*statement.high) == ratio)
        return ratio;
    return fmt::format("{} ({})", ratio, slower_interval(statement.ratio, *statement.low, *statement.high));
}

namespace {

/// Whether the arguments of a range differ by more and less.
bool has_span(const TurnsRange& range) {
    return range.from != range.to && range.statement.different() &&
           slower_text(range.ratios.low) != slower_text(range.ratios.high);
}

} // namespace

std::string slower_with_interval(const TurnsRange& range, const std::string& place) {
    const TurnsStatement& statement = range.statement;
    const auto [low, high] = range.ratios;
    const std::string ratio = has_span(range) ? slower_span(low, high) : slower_text(statement.ratio);
    if (!has_span(range) && slower_text(*statement.low) == ratio && slower_text(*statement.high) == ratio)
        return ratio + place;
    const double told = !has_span(range) ? statement.ratio : high < 1 ? low : high;
    return fmt::format("{}{} ({})", ratio, place, slower_interval(told, *statement.low, *statement.high));
}

std::string turns_cell(const TurnsRange& range) {
    const TurnsStatement& statement = range.statement;
    return statement.different() ? slower_with_interval(range) + (statement.equal ? " =" : "")
           : statement.judged() && statement.open() && !statement.contradicted ? no_difference_text({&range})
                                                                               : turns_cell(statement);
}

std::string turns_cell(const TurnsStatement& statement) {
    if (statement.span)
        return turns_cell(*statement.span);
    if (!statement.judged())
        return "open";
    if (statement.contradicted)
        return fmt::format("open ({} of {} {})", statement.outliers,
                           count_of(statement.rounds + statement.outliers, "round"),
                           slower_text(statement.outlier_ratio));
    if (statement.different())
        return slower_with_interval(statement) + (statement.equal ? " =" : "");
    return statement.equal
               ? "equal"
               : fmt::format("open ({} to {})", slower_text(*statement.low), slower_text(*statement.high));
}

std::string turns_cell(const RatioSpan& span) {
    if (span.low == 1 || span.high == 1)
        return "up to " + slower_text(span.low == 1 ? span.high : span.low);
    if (span.low < 1 && span.high > 1)
        return slower_text(span.low) + " to " + slower_text(span.high);
    return slower_span(span.low, span.high);
}

std::string turns_launches(const Turns& turns) {
    return turns.look.rounds == 0
               ? std::string()
               : fmt::format("{} in {}", count_of(turns.of->session.variants.size(), "variant"),
                             count_of(static_cast<std::size_t>(turns.look.rounds), "round"));
}

std::string turns_times_title(const Turns& turns) {
    return turns.variants.size() == 1 ? "Times of both" : "Times of all variants";
}

std::string turns_times_note(const Turns& turns) {
    return fmt::format(
        "Times of {0} are medians over the rounds that count; {1} are these times multiplied by the "
        "ratio at that length.",
        reference_name(turns),
        turns.variants.size() == 1 ? "those of " + variant_name(turns, 1) : "the others");
}

std::string turns_title(const Turns& turns, const TurnsVariant& variant) {
    return fmt::format("Time of {} against that of {}, launched in turns, by message length",
                       variant_name(turns, variant.place), reference_name(turns));
}

std::string turns_title(const Turns& turns, const TurnsSuite& suite) {
    return fmt::format("Time of {} against that of {}, launched in turns, by message length",
                       shortened_name(title_of(*suite.reference), 40), reference_name(turns));
}

double certain_effect(const TurnsStatement& statement) {
    return statement.different()
               ? std::min(std::fabs(std::log(*statement.low)), std::fabs(std::log(*statement.high)))
               : 0;
}

std::string turns_lengths(const TurnsSuite& suite, const TurnsRange& range) {
    return range.from == range.to ? argument_text(*suite.reference, range.from)
                                  : arguments_text(*suite.reference, range.from, range.to);
}

std::string edges_text(const TurnsSuite& suite, const TurnsRange& range) {
    const auto none_at = [](auto point) {
        const TurnsStatement& there = point->statement;
        return there.judged() && !there.different() && !there.contradicted;
    };
    std::vector<std::string> edges;
    if (!range.statement.different())
        return {};
    const auto first = std::ranges::lower_bound(suite.points, range.from, {}, &TurnsRange::from);
    if (first != suite.points.begin() && none_at(first - 1))
        edges.push_back(argument_text(*suite.reference, (first - 1)->from));
    const auto behind = std::ranges::upper_bound(suite.points, range.to, {}, &TurnsRange::from);
    if (behind != suite.points.end() && none_at(behind))
        edges.push_back(argument_text(*suite.reference, behind->from));
    return edges.empty() ? std::string() : fmt::format(" (none found at {})", fmt::join(edges, " and "));
}

std::string other_lengths_text(const TurnsSuite& suite, std::size_t count) {
    const char* const which = count == suite.points.size() ? "all" : "the other";
    return count == 1 && count < suite.points.size() ? fmt::format("{} one", which)
                                                     : fmt::format("{} {}", which, count);
}

std::string no_difference_text(const std::vector<const TurnsRange*>& points) {
    if (std::ranges::all_of(points, [](const TurnsRange* point) { return point->statement.equal; }))
        return "equal";
    double low = 1;
    double high = 1;
    for (const TurnsRange* point : points) {
        low = std::min(low, *point->statement.low);
        high = std::max(high, *point->statement.high);
    }
    const bool any_small =
        std::ranges::any_of(points, [](const TurnsRange* point) { return point->statement.different(); });
    return fmt::format("none{} found ({} to {})", any_small ? " above the margin" : "", slower_text(low),
                       slower_text(high));
}

std::string turns_ranges_title(const Turns& turns, const TurnsVariant* variant) {
    return fmt::format("Single lengths for which the table above does not hold: {} against {}",
                       variant ? variant_name(turns, variant->place) : "a variant", reference_name(turns));
}

std::string turns_note(const Turns& turns) {
    const auto any_suite = [&](auto&& has) {
        return std::ranges::any_of(turns.variants, [&](const TurnsVariant& variant) {
            return std::ranges::any_of(variant.suites, has);
        });
    };
    const bool with_both = any_suite([](const TurnsSuite& suite) {
        return std::ranges::any_of(suite.statements,
                                   [](const TurnsStatement& each) { return each.different() && each.equal; });
    });
    const bool with_ranges = turns.has_ranges();
    const bool with_spans = any_suite([](const TurnsSuite& suite) {
        return std::ranges::any_of(suite.statements,
                                   [](const TurnsStatement& each) { return each.span.has_value(); });
    });
    return fmt::format(
        "20 % slower = 1.2 times the time, 2.00 times slower = twice the time, 50 % faster = two thirds of the time; in "
        "brackets the interval. A cell is the "
        "median over its lengths{3}{4}. equal: they differ by less than {0}{1}. open: not decided. {2}",
        margin_text(turns), with_both ? " (a difference with = is smaller, too)" : "",
        turns.simulated ? std::string("Simulated launches do not scatter.")
                        : fmt::format("The chance that any difference here is false is at most {}{}.",
                                      format_percent(turns.of->session.error),
                                      with_ranges && turns.different() > 0
                                          ? fmt::format(", and {} more for single lengths",
                                                        format_percent(turns.of->session.error))
                                          : ""),
        with_ranges ? " (* = the next table has some that differ otherwise)" : "",
        with_spans
            ? "; without an interval, from the fastest of its lengths to the slowest, or up to that which "
              "differs most, where others do not differ"
            : "");
}

} // namespace skampi
