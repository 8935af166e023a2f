#include "words/turns_verdict.hpp"

#include "analysis/turns/turn_differences.hpp"
#include "model/launch_command.hpp"
#include "model/quantity.hpp"
#include "words/comparison_words.hpp"
#include "words/suite_words.hpp"
#include "words/turns_names.hpp"
#include "words/turns_tables.hpp"
#include "words/verdict_words.hpp"

#include "base/text.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <functional>
#include <iterator>
#include <limits>
#include <optional>
#include <vector>

namespace skampi {

namespace {

/// " for messages up to 1 KiB and above 64 KiB", of the classes of lengths that a property picks; empty = of
/// none.
template <typename Property>
std::string classes_text(const TurnsSuite& suite, Property&& picks) {
    std::vector<std::string> classes;
    for (const TurnsStatement& each : suite.statements)
        if (each.size && picks(each))
            classes.push_back(class_text(*each.size));
    return classes.empty() ? std::string() : " for messages " + enumeration(classes);
}

bool only_equal(const TurnsStatement& statement) {
    return statement.equal && !statement.different();
}

bool has_open_class(const TurnsSuite& suite) {
    return std::ranges::any_of(suite.statements,
                               [](const TurnsStatement& each) { return each.size && each.open(); });
}

/// A difference and where it was found.
struct Found {
    const TurnsSuite* suite;
    const TurnsStatement* statement;
    const TurnsRange* range = nullptr; ///< none = all arguments, or a class of lengths
    [[nodiscard]] bool of_whole_suite() const { return !statement->size && !range; }
};

/// " at 16 KiB", " from 16 to 64 KiB", " for messages above 64 KiB"; empty = all
std::string place_text(const Found& found) {
    if (!found.range)
        return messages_text(found.statement->size);
    return (found.range->from == found.range->to ? " at " : " from ") +
           turns_lengths(*found.suite, *found.range);
}

/// ", but not found at 1 MiB": the lengths that a statement does not hold for; empty = there are none.
/// @param opposite also those that differ the other way round
std::string exceptions_text(const Found& found, bool opposite) {
    if (found.range)
        return {};
    std::vector<std::string> otherwise, equal, open;
    for (const TurnsRange& range : found.suite->ranges) {
        const bool apart = !range.statement.different() ||
                           (opposite && range.statement.slower() != found.statement->slower());
        if (apart && found.suite->is_about(*found.statement, range.from))
            (range.statement.different() ? otherwise
             : range.statement.equal     ? equal
                                         : open)
                .push_back(place_text({found.suite, &range.statement, &range}).substr(1));
    }
    std::vector<std::string> parts;
    if (!otherwise.empty())
        parts.push_back((found.statement->slower() ? "faster " : "slower ") + enumeration(otherwise));
    if (!equal.empty())
        parts.push_back("equal " + enumeration(equal));
    if (!open.empty())
        parts.push_back("not found " + enumeration(open));
    return parts.empty() ? std::string() : ", but " + enumeration(parts);
}

std::string with_interval(const Found& found) {
    const TurnsStatement& statement = *found.statement;
    if (found.range)
        return slower_with_interval(*found.range, place_text(found));
    return fmt::format("{}{} ({}){}", slower_text(statement.ratio), place_text(found),
                       slower_interval(statement.ratio, *statement.low, *statement.high),
                       exceptions_text(found, false));
}

/// What is said of a suite: that it differs as a whole, where its classes of lengths do so alike, or none of
/// them is open; else the classes that differ; and single arguments that differ otherwise.
std::vector<Found> differences_of(const TurnsSuite& suite) {
    if (!suite.compared)
        return {};
    std::vector<Found> classes;
    // Beside lengths that differ, what is shown to be less than the margin is none.
    const auto counts = [&](const TurnsStatement& statement) {
        return statement.different() && !statement.span && (suite.ranges.empty() || !statement.equal);
    };
    for (std::size_t i = 1; i < suite.statements.size(); ++i)
        if (counts(suite.statements[i]))
            classes.push_back({&suite, &suite.statements[i]});
    const TurnsStatement& whole = suite.statements.front();
    const bool alike = std::ranges::all_of(
        classes, [&](const Found& each) { return each.statement->slower() == whole.slower(); });
    const bool one_for_all = counts(whole);
    const bool in_all = alike && classes.size() + 1 == suite.statements.size();
    std::vector<Found> all = std::move(classes);
    if (one_for_all && (in_all || (all.empty() && !has_open_class(suite))))
        all = {{&suite, &whole}};
    for (const TurnsRange& range : suite.ranges)
        if (range.statement.different())
            all.push_back({&suite, &range.statement, &range});
    return all;
}

/// Whether a difference that is told is one of this argument.
bool covers(const Found& found, std::int64_t argument) {
    return found.range ? found.range->from <= argument && argument <= found.range->to
                       : found.suite->is_about(*found.statement, argument);
}

std::vector<Found> differences_of(const TurnsVariant& variant) {
    std::vector<Found> all;
    for (const TurnsSuite& suite : variant.suites)
        std::ranges::copy(differences_of(suite), std::back_inserter(all));
    std::ranges::stable_sort(all, std::greater{},
                             [](const Found& each) { return certain_effect(*each.statement); });
    return all;
}

bool all_equal(const TurnsSuite& suite) {
    return std::ranges::all_of(suite.statements, &TurnsStatement::equal);
}

/// Whether differences are told of the suite as a whole, or of each of its classes of lengths.
bool said_of_all(const TurnsSuite& suite, const std::vector<Found>& found) {
    const auto classes =
        std::ranges::count_if(found, [](const Found& each) { return each.statement->size.has_value(); });
    return std::ranges::any_of(found, &Found::of_whole_suite) ||
           (classes > 0 && static_cast<std::size_t>(classes) + 1 == suite.statements.size());
}

/// What is decided of all lengths of a suite together, where it is said behind their classes.
std::string pooled_text(const Turns& turns, const TurnsStatement& whole) {
    if (whole.different())
        return slower_with_interval(whole);
    if (whole.equal)
        return "equal within " + margin_text(turns);
    return whole.judged()
               ? fmt::format("between {} and {}", slower_text(*whole.low), slower_text(*whole.high))
               : std::string();
}

/// Of a session with one suite in which no difference was found, or one over all lengths alone. Classes of
/// lengths come first: over all of them together a few rounds decide what holds for no single one.
std::string suite_without_difference(const Turns& turns, const TurnsVariant& variant,
                                     const TurnsSuite& suite) {
    const std::string name = variant_name(turns, variant.place);
    const TurnsStatement& whole = suite.statements.front();
    if (all_equal(suite))
        return fmt::format("{} and {} are equal within {}", name, reference_name(turns), margin_text(turns));
    const bool all_open =
        whole.open() && std::ranges::all_of(suite.statements, [](const TurnsStatement& each) {
            return !each.size || each.open();
        });
    const std::string open =
        all_open ? "" : classes_text(suite, [](const TurnsStatement& each) { return each.open(); });
    const std::string equal = classes_text(suite, only_equal);
    if (open.empty() && whole.equal)
        return fmt::format("{} and {} are equal within {}", name, reference_name(turns), margin_text(turns));
    std::string text =
        equal.empty() ? fmt::format("It is open which of {} and {} is faster", name, reference_name(turns))
                      : fmt::format("{} and {} are equal within {}{}{}{}", name, reference_name(turns),
                                    margin_text(turns), equal, open.empty() ? "" : ", open", open);
    const std::string pooled = pooled_text(turns, whole);
    if (pooled.empty())
        return fmt::format("{}: {}", text,
                           whole.unjudged.value_or(Unjudged::few_launches) == Unjudged::few_launches
                               ? "too few rounds count"
                               : reason_text(*whole.unjudged));
    if (suite.statements.size() == 1)
        return fmt::format("{}: {} is {}", text, name, pooled);
    return fmt::format("{}{}; over all lengths together {} {}", text, equal.empty() ? open : "",
                       whole.equal && !whole.different() ? "they are" : name + " is", pooled);
}

/// What the suites of a variant are called together: each, in one state or whatever, is a row of its table.
const char* row_word(const TurnsVariant& variant) {
    return variant.depends_on_state() ? "row" : "suite";
}

/// "MPI_Bcast and MPI_Reduce", or how many they are.
std::string few_suites(const TurnsVariant& variant, const std::vector<const TurnsSuite*>& suites) {
    constexpr std::size_t few = 3;
    if (suites.size() > few)
        return count_of(suites.size(), row_word(variant));
    std::vector<std::string> names;
    for (const TurnsSuite* suite : suites)
        names.push_back(turns_suite_name(*suite));
    return enumeration(names);
}

/// "12 %", "4.15 times": how much a difference is at most.
std::string most_text(double ratio) {
    return ratio < 2 ? format_percent(ratio - 1) : fmt::format("{:.3g} times", ratio);
}

/// "no difference found at the other lengths (at most 12 %)", of suites in which some lengths differ; empty =
/// there are no other lengths
std::string elsewhere_text(const Turns& turns, const TurnsVariant& variant) {
    std::vector<const TurnsSuite*> with_others;
    std::vector<const TurnsSuite*> unknown; // little is known of theirs
    std::size_t different = 0;
    double largest = 1;
    bool any_small = false; // less than the margin
    for (const TurnsSuite& suite : variant.suites) {
        if (differences_of(suite).empty())
            continue;
        ++different;
        LargestOpen excluded;
        const std::vector<const TurnsRange*> others =
            points_without_difference(suite, turns.of->session.margin);
        for (const TurnsRange* other : others)
            excluded.add(other->statement);
        if (others.empty())
            continue;
        const auto is_small = [](const TurnsStatement& each) { return each.different() && each.equal; };
        any_small =
            any_small || std::ranges::any_of(suite.statements, is_small) ||
            std::ranges::any_of(others, [](const TurnsRange* each) { return each->statement.different(); });
        if (excluded.ratio() > most_telling_bound) {
            unknown.push_back(&suite);
            continue;
        }
        with_others.push_back(&suite);
        largest = std::max(largest, excluded.ratio());
    }
    const auto of = [&](const std::vector<const TurnsSuite*>& suites) {
        return suites.size() == different ? std::string() : " of " + few_suites(variant, suites);
    };
    std::vector<std::string> parts;
    if (!with_others.empty())
        parts.push_back(fmt::format("no difference{} found at the other lengths{} (at most {})",
                                    any_small ? " above " + margin_text(turns) : std::string(),
                                    of(with_others), format_percent(largest - 1)));
    if (!unknown.empty())
        parts.push_back("open at the other lengths" + of(unknown));
    return fmt::format("{}", fmt::join(parts, "; "));
}

/// "new (UCX_TLS=posix,self)": a name that does not tell what it changes, with that where it is short.
std::string name_with_change(const Turns& turns, const TurnsVariant& variant) {
    constexpr std::size_t longest = 60;
    std::string name = variant_name(turns, variant.place);
    const std::string change = printable(skampi::variant_text(turns.of->session.variants[variant.place]));
    const bool tells = change.empty() || change.size() > longest || change.find(name) != std::string::npos ||
                       name.find(change) != std::string::npos;
    return tells ? name : fmt::format("{} ({})", name, change);
}

/// Whether a difference at some lengths is news to a reader who knows what is said of their class of lengths:
/// it is none there, the other way round, or more than twice as large (logarithms).
bool is_news(const TurnsSuite& suite, const TurnsRange& range) {
    const TurnsStatement& around = suite.statement_around(range.from);
    return !around.different() || around.slower() != range.statement.slower() ||
           std::fabs(std::log(range.statement.ratio)) > 2 * std::fabs(std::log(around.ratio));
}

/// Of a session with one suite.
std::string one_suite_text(const Turns& turns, const TurnsVariant& variant, const TurnsSuite& suite) {
    const std::vector<Found> found = differences_of(suite);
    if (found.empty())
        return suite_without_difference(turns, variant, suite);
    std::vector<std::string> parts;
    std::vector<std::string> otherwise; // single lengths that belie their class
    std::size_t more = 0;
    for (const Found& each : found) {
        const std::string text =
            with_interval(each) + (each.statement->equal ? ", less than the margin" : "");
        constexpr std::size_t most = 4;
        if (!each.range || suite.statement_around(each.range->from).span)
            parts.push_back(text);
        else if (is_news(suite, *each.range) && otherwise.size() < most)
            otherwise.push_back(text);
        else if (is_news(suite, *each.range))
            ++more;
    }
    if (more > 0)
        otherwise.push_back(fmt::format("otherwise at {} in the table", count_of(more, "place")));
    if (parts.empty())
        std::swap(parts, otherwise);
    const std::string but = otherwise.empty() ? "" : ", but " + enumeration(otherwise);
    std::string rest;
    if (!said_of_all(suite, found)) {
        const std::string open = classes_text(suite, std::mem_fn(&TurnsStatement::open_in_tables));
        const bool by_size = suite.statements.size() > 1;
        const bool with_span = std::ranges::any_of(
            suite.statements, [](const TurnsStatement& each) { return each.size && each.span; });
        const std::string equal =
            open.empty() && !with_span ? " elsewhere" : classes_text(suite, [&](const TurnsStatement& each) {
                return each.equal && (!each.different() || !suite.ranges.empty());
            });
        const bool by_length = with_span || (!by_size && suite.statements.front().open());
        const std::string others = by_length ? elsewhere_text(turns, variant) : std::string();
        if (!others.empty())
            rest = ", " + others;
        else if (!equal.empty())
            rest = fmt::format(", equal within {}{}", margin_text(turns), equal);
        if (!open.empty() && others.empty())
            rest += ", open" + open;
    }
    return fmt::format("{}{} is {}{}{}",
                       turns.variants.size() > 1 ? fmt::format("Compared with {}, ", reference_name(turns))
                                                 : std::string(),
                       name_with_change(turns, variant), enumeration(parts), rest, but);
}

/// "MPI_Bcast for messages above 64 KiB: 4.1 % faster (3.2 to 5.0 %)"
std::string difference_text(const Found& found) {
    return fmt::format("{}{}: {}{}", turns_suite_name(*found.suite), place_text(found),
                       found.range ? slower_with_interval(*found.range)
                                   : slower_with_interval(*found.statement),
                       exceptions_text(found, true));
}

/// The same suite in the other state; null = the state does not matter.
const TurnsSuite* in_other_state(const TurnsVariant& variant, const TurnsSuite& suite) {
    const auto found = std::ranges::find_if(variant.suites, [&](const TurnsSuite& each) {
        return suite.state && each.state && each.reference == suite.reference &&
               each.state->slower != suite.state->slower;
    });
    return found == variant.suites.end() ? nullptr : &*found;
}

/// "MPI_Bcast for messages above 64 KiB: 2.4 times slower (2.3 to 2.5) in the faster state of the
/// machine, 9.2 times slower (8.5 to 10) in the slower one"; empty where the other state has no such
/// statement.
std::string text_of_both_states(const TurnsVariant& variant, const Found& found) {
    const TurnsSuite* const other = in_other_state(variant, *found.suite);
    if (!other || !exceptions_text(found, true).empty())
        return {};
    const auto twin = std::ranges::find(other->statements, found.statement->size, &TurnsStatement::size);
    if (twin == other->statements.end() || !exceptions_text({other, &*twin}, true).empty())
        return {};
    std::string own = turns_cell(*found.statement);
    std::string others = turns_cell(*twin);
    if (found.suite->state->slower)
        std::swap(own, others);
    return fmt::format("{}{}: {} in the faster state of the machine, {} in the slower one",
                       shortened_name(title_of(*found.suite->reference), 40), place_text(found), own, others);
}

/// "MPI_Bcast from 16 KiB to 64 KiB: 2.57 times to 6.02 times slower": neighbouring ranges of a suite that
/// differ in one direction.
std::string text_of_ranges(const std::vector<Found>& ranges) {
    if (ranges.size() == 1)
        return difference_text(ranges.front());
    const TurnsSuite& suite = *ranges.front().suite;
    RatioSpan span{std::numeric_limits<double>::infinity(), 0};
    for (const Found& each : ranges) {
        const RatioSpan own = each.range->spread();
        span = {std::min(span.low, own.low), std::max(span.high, own.high)};
    }
    const TurnsRange from_to{ranges.front().range->from, ranges.back().range->to, {}};
    return fmt::format("{} from {}: {}", turns_suite_name(suite), turns_lengths(suite, from_to),
                       turns_cell(span));
}

/// Of those found the range and its neighbours that differ in the same direction, ascending.
std::vector<Found> neighbours_of(const Found& range, const std::vector<Found>& found) {
    const auto place = [&](std::int64_t argument) { // among the lengths that enough rounds have
        return std::ranges::count_if(range.suite->points, [&](const TurnsRange& point) {
            return point.from < argument && point.statement.judged();
        });
    };
    std::vector<Found> alike;
    std::ranges::copy_if(found, std::back_inserter(alike), [&](const Found& other) {
        return other.range && other.suite == range.suite &&
               other.statement->slower() == range.statement->slower();
    });
    std::ranges::sort(alike, {}, [](const Found& other) { return other.range->from; });
    const auto apart = [&](const Found& low, const Found& high) {
        return place(high.range->from) != place(low.range->to) + 1;
    };
    auto begin = std::ranges::find(alike, range.range, &Found::range);
    auto end = begin + 1;
    while (begin != alike.begin() && !apart(*(begin - 1), *begin))
        --begin;
    while (end != alike.end() && !apart(*(end - 1), *end))
        ++end;
    return {begin, end};
}

struct FoundText {
    std::string text;
    bool slower = false;
};

/// A text each, in their order: those of both states of the machine are one, and so are those at neighbouring
/// lengths of a suite.
std::vector<FoundText> texts_of(const TurnsVariant& variant, std::vector<Found> found) {
    std::erase_if(found, [](const Found& each) { // what is larger or smaller than its class, which is told
        return each.range && !is_news(*each.suite, *each.range) &&
               !each.suite->statement_around(each.range->from).span;
    });
    std::vector<FoundText> texts;
    for (const Found& each : found) {
        std::string text =
            each.range ? text_of_ranges(neighbours_of(each, found)) : text_of_both_states(variant, each);
        if (text.empty())
            text = difference_text(each);
        if (std::ranges::find(texts, text, &FoundText::text) == texts.end())
            texts.push_back({std::move(text), each.statement->slower()});
    }
    return texts;
}

/// The first of them, of both directions where there are both, and how many more the tables have.
std::vector<std::string> first_texts(std::vector<FoundText> texts) {
    constexpr std::size_t most = 4;
    std::vector<std::string> first;
    if (texts.size() > most) {
        const auto other = std::ranges::find(texts, !texts.front().slower, &FoundText::slower);
        if (other != texts.end() && other - texts.begin() >= std::ptrdiff_t{most})
            std::rotate(texts.begin() + most - 1, other, other + 1);
    }
    for (std::size_t i = 0; i < std::min(most, texts.size()); ++i)
        first.push_back(texts[i].text);
    if (texts.size() > most)
        first.push_back(fmt::format("{} more in the tables", texts.size() - most));
    return first;
}

/// Whether a suite differs over all lengths together and, as far as is known, in no class of them.
bool differs_pooled(const TurnsSuite& suite) {
    return suite.compared && suite.statements.front().different() && !all_equal(suite) &&
           differences_of(suite).empty();
}

/// "both suites", "all 6 rows"
std::string all_rows(const TurnsVariant& variant, std::size_t count) {
    return (count == 2 ? std::string("both ") : fmt::format("all {} ", count)) + row_word(variant) + "s";
}

/// Of the suites without a difference that are not all equal.
std::string open_text(const TurnsVariant& variant, const std::vector<const TurnsSuite*>& open,
                      std::size_t of_all) {
    const std::string in_suites = open.size() == of_all
                                      ? of_all == 2 ? std::string("either ") + row_word(variant)
                                                    : fmt::format("any of {} {}s", of_all, row_word(variant))
                                      : few_suites(variant, open);
    LargestOpen excluded, at_lengths;
    bool of_classes = false;
    for (const TurnsSuite& suite : variant.suites) {
        if (!suite.compared || !differences_of(suite).empty() || differs_pooled(suite))
            continue;
        of_classes = of_classes || suite.statements.size() > 1;
        for (const TurnsStatement& statement : suite.statements)
            excluded.add(statement);
        add_single_lengths(at_lengths, suite);
    }
    const double bound = excluded.ratio();
    if (bound > most_telling_bound)
        return fmt::format("open in {}", open.size() == of_all ? all_rows(variant, of_all) : in_suites);
    const double at_one = at_lengths.ratio();
    if (at_one > std::max(bound, most_telling_bound))
        return fmt::format(
            "no difference of all lengths {} found in {} (at most {}), open at single lengths (up to {})",
            of_classes ? "or a class of them" : "together", in_suites, most_text(bound), most_text(at_one));
    return fmt::format(
        "no difference found in {} (at most {}{})", in_suites, most_text(bound),
        at_one > bound
            ? fmt::format(" over all lengths or a class of them, {} at a single one", most_text(at_one))
            : "");
}

/// "MPI_Bcast in the slower state from 8933 to 15689 B looks 17 to 67 % slower, not certain": at the lengths
/// at which the suite differs most surely in the other state of the machine, where all of them lie on one
/// side here, too; empty = it is not so.
std::string tendency_text(const TurnsVariant& variant, const TurnsSuite& suite, double margin) {
    const TurnsSuite* const other = in_other_state(variant, suite);
    if (!other)
        return {};
    std::vector<Found> there = differences_of(*other);
    std::erase_if(there, [](const Found& each) { return each.range == nullptr; });
    if (there.empty())
        return {};
    const std::vector<Found> lengths =
        neighbours_of(*std::ranges::max_element(
                          there, {}, [](const Found& each) { return certain_effect(*each.statement); }),
                      there);
    std::optional<TurnsRange> looks;
    for (const TurnsRange& point : suite.points) {
        const double ratio = point.statement.ratio;
        if (point.from < lengths.front().range->from || point.from > lengths.back().range->to ||
            point.statement.rounds < least_in_state)
            continue;
        if (!looks)
            looks = {point.from, point.from, {}, 0, {ratio, ratio}};
        looks->to = point.from;
        looks->ratios = {std::min(looks->ratios.low, ratio), std::max(looks->ratios.high, ratio)};
    }
    if (!looks || !(looks->ratios.low > 1 + margin || looks->ratios.high < 1 / (1 + margin)))
        return {};
    const auto [low, high] = looks->ratios;
    return fmt::format("{}{} looks {}, not certain", turns_suite_name(suite),
                       place_text({&suite, &looks->statement, &*looks}),
                       slower_text(low) == slower_text(high) ? slower_text(low) : slower_span(low, high));
}

/// "is slower than old in some places and faster in others", of a variant; of one difference or none "against
/// old".
std::string verdict_over(const std::vector<Found>& found, const std::string& reference) {
    if (found.size() < 2)
        return "against " + reference;
    const auto slower = static_cast<std::size_t>(
        std::ranges::count_if(found, [](const Found& each) { return each.statement->slower(); }));
    if (slower == 0 || slower == found.size())
        return fmt::format("is {} than {} in some places and shown to be {} in none",
                           slower == 0 ? "faster" : "slower", reference, slower == 0 ? "slower" : "faster");
    return fmt::format("is slower than {} in some places and faster in others", reference);
}

std::string several_suites_text(const Turns& turns, const TurnsVariant& variant) {
    const std::vector<Found> found = differences_of(variant);
    const auto of_all =
        static_cast<std::size_t>(std::ranges::count_if(variant.suites, &TurnsSuite::compared));
    std::vector<const TurnsSuite*> equal;
    std::vector<const TurnsSuite*> open;
    std::vector<std::string> pooled; // differences over all lengths alone
    for (const TurnsSuite& suite : variant.suites)
        if (differs_pooled(suite))
            pooled.push_back(
                fmt::format("{} is open{}, over all lengths together {}", turns_suite_name(suite),
                            classes_text(suite, [](const TurnsStatement& each) { return each.open(); }),
                            pooled_text(turns, suite.statements.front())));
        else if (suite.compared && differences_of(suite).empty())
            (all_equal(suite) ? equal : open).push_back(&suite);
    const std::string name = variant_name(turns, variant.place);
    std::string begin;
    const auto whole_and = [&](bool (TurnsStatement::*direction)() const) {
        return found.size() == of_all && std::ranges::all_of(found, [&](const Found& each) {
                   return each.of_whole_suite() && (each.statement->*direction)();
               });
    };
    const bool faster = whole_and(&TurnsStatement::faster);
    if (faster || whole_and(&TurnsStatement::slower))
        begin = fmt::format("{} is {} than {} in {}: ", name, faster ? "faster" : "slower",
                            reference_name(turns), all_rows(variant, of_all));
    else
        begin = fmt::format("{} {}: ", name_with_change(turns, variant),
                            verdict_over(found, reference_name(turns)));
    std::vector<std::string> parts = first_texts(texts_of(variant, found));
    if (std::string elsewhere = elsewhere_text(turns, variant); !elsewhere.empty())
        parts.push_back(std::move(elsewhere));
    if (!equal.empty())
        parts.push_back(
            fmt::format("equal within {} in {}", margin_text(turns),
                        equal.size() == of_all ? all_rows(variant, of_all) : few_suites(variant, equal)));
    if (!open.empty())
        parts.push_back(open_text(variant, open, of_all));
    for (const TurnsSuite* suite : open)
        if (std::string tendency = tendency_text(variant, *suite, turns.of->session.margin);
            !tendency.empty())
            parts.push_back(std::move(tendency));
    constexpr std::size_t most = 4;
    for (std::size_t i = 0; i < std::min(most, pooled.size()); ++i)
        parts.push_back(pooled[i]);
    if (pooled.size() > most)
        parts.push_back(count_of(pooled.size() - most, row_word(variant)) + " likewise");
    return begin + fmt::format("{}", fmt::join(parts, "; "));
}

} // namespace

std::string variant_text(const Turns& turns, const TurnsVariant& variant) {
    const TurnsSuite* only = nullptr;
    std::size_t compared = 0;
    for (const TurnsSuite& suite : variant.suites)
        if (suite.compared) {
            only = &suite;
            ++compared;
        }
    if (compared == 0)
        return fmt::format("{} and {} have no suite in common", variant_name(turns, variant.place),
                           reference_name(turns));
    return compared == 1 ? one_suite_text(turns, variant, *only) : several_suites_text(turns, variant);
}

std::vector<const TurnsRange*> points_without_difference(const TurnsSuite& suite, double margin) {
    const std::vector<Found> found = differences_of(suite);
    std::vector<const TurnsRange*> points;
    for (const TurnsRange& point : suite.points) {
        if (!point.statement.judged() ||
            std::ranges::any_of(found, [&](const Found& each) { return covers(each, point.from); }))
            continue;
        if (point.statement.different() && std::fabs(std::log(point.statement.ratio)) > std::log1p(margin))
            return {};
        points.push_back(&point);
    }
    return points;
}

double largest_certain_effect(const TurnsVariant& variant) {
    const std::vector<Found> found = differences_of(variant);
    return found.empty() ? 0 : certain_effect(*found.front().statement);
}

void LargestOpen::add(const TurnsStatement& statement) {
    all_judged_ = all_judged_ && statement.judged() && !statement.contradicted;
    if (statement.judged())
        farthest_ =
            std::max({farthest_, std::fabs(std::log(*statement.low)), std::fabs(std::log(*statement.high))});
}

void add_single_lengths(LargestOpen& largest, const TurnsSuite& suite) {
    if (suite.reference->suite().varied != Varied::message_length)
        return;
    for (const TurnsRange& point : suite.points)
        if (point.statement.judged() && !point.statement.contradicted && suite.points.size() > 1)
            largest.add(point.statement);
}

double LargestOpen::ratio() const {
    return all_judged_ ? std::exp(farthest_) : std::numeric_limits<double>::infinity();
}

} // namespace skampi
