#include "words/turns_words.hpp"

#include "analysis/doubt.hpp"
#include "analysis/idle_settings.hpp"
#include "model/launch_command.hpp"
#include "model/quantity.hpp"
#include "model/series.hpp"
#include "words/comparison_words.hpp"
#include "words/doubt_words.hpp"
#include "words/section_words.hpp"
#include "words/suite_words.hpp"
#include "words/turns_names.hpp"
#include "words/verdict_words.hpp"

#include "base/text.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>

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
    for (std::size_t i = 1; i < suite.statements.size(); ++i)
        if (suite.statements[i].different() && !suite.span_of(suite.statements[i]))
            classes.push_back({&suite, &suite.statements[i]});
    const TurnsStatement& whole = suite.statements.front();
    const bool alike = std::ranges::all_of(
        classes, [&](const Found& each) { return each.statement->slower() == whole.slower(); });
    const bool one_for_all = whole.different() && !suite.span_of(whole);
    const bool in_all = alike && classes.size() + 1 == suite.statements.size();
    std::vector<Found> all = std::move(classes);
    if (one_for_all && (in_all || (all.empty() && !has_open_class(suite))))
        all = {{&suite, &whole}};
    for (const TurnsRange& range : suite.ranges)
        if (range.statement.different())
            all.push_back({&suite, &range.statement, &range});
    return all;
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
        return fmt::format("{} ({})", slower_text(whole.ratio),
                           slower_interval(whole.ratio, *whole.low, *whole.high));
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

/// "new (UCX_TLS=posix,self)": a name that does not tell what it changes, with that where it is short.
std::string name_with_change(const Turns& turns, const TurnsVariant& variant) {
    constexpr std::size_t longest = 60;
    std::string name = variant_name(turns, variant.place);
    const std::string change = printable(skampi::variant_text(turns.of->session.variants[variant.place]));
    const bool tells = change.empty() || change.size() > longest || change.find(name) != std::string::npos ||
                       name.find(change) != std::string::npos;
    return tells ? name : fmt::format("{} ({})", name, change);
}

/// Whether a difference at some lengths is news to a reader who knows what is said of their classes of
/// lengths.
bool belies(const TurnsSuite& suite, const TurnsRange& range) {
    const TurnsStatement& around = suite.statement_around(range.from);
    return !around.different() || around.slower() != range.statement.slower();
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
        if (!each.range || suite.span_of(suite.statement_around(each.range->from)))
            parts.push_back(text);
        else if (belies(suite, *each.range) && otherwise.size() < most)
            otherwise.push_back(text);
        else if (belies(suite, *each.range))
            ++more;
    }
    if (more > 0)
        otherwise.push_back(fmt::format("otherwise at {} in the table", count_of(more, "place")));
    if (parts.empty())
        std::swap(parts, otherwise);
    const std::string but = otherwise.empty() ? "" : ", but " + enumeration(otherwise);
    std::string rest;
    if (!said_of_all(suite, found)) {
        const std::string open = classes_text(suite, [](const TurnsStatement& each) { return each.open(); });
        const std::string equal = open.empty() ? " elsewhere" : classes_text(suite, only_equal);
        if (!equal.empty())
            rest = fmt::format(", equal within {}{}", margin_text(turns), equal);
        if (!open.empty())
            rest += ", open" + open;
    }
    return fmt::format("{} is {}{}{}", name_with_change(turns, variant), enumeration(parts), rest, but);
}

/// "MPI_Bcast for messages above 64 KiB: 4.1 % faster (3.2 to 5.0 %)"
std::string difference_text(const Found& found) {
    return fmt::format("{}{}: {} ({}){}", turns_suite_name(*found.suite), place_text(found),
                       slower_text(found.statement->ratio),
                       slower_interval(found.statement->ratio, *found.statement->low, *found.statement->high),
                       exceptions_text(found, true));
}

/// The largest difference, as a factor above 1, that statements do not exclude; infinite where one is not
/// judged.
class Excluded {
public:
    void add(const TurnsStatement& statement) {
        all_judged_ = all_judged_ && statement.judged() && !statement.contradicted;
        if (statement.judged())
            farthest_ = std::max(
                {farthest_, std::fabs(std::log(*statement.low)), std::fabs(std::log(*statement.high))});
    }
    [[nodiscard]] double above() const {
        return all_judged_ ? std::exp(farthest_) : std::numeric_limits<double>::infinity();
    }

private:
    double farthest_ = 0;
    bool all_judged_ = true;
};

/// Whether a suite differs over all lengths together and, as far as is known, in no class of them.
bool differs_pooled(const TurnsSuite& suite) {
    return suite.compared && suite.statements.front().different() && differences_of(suite).empty();
}

/// Of the suites without a difference that are not all equal.
std::string open_text(const TurnsVariant& variant, std::size_t open, std::size_t of_all) {
    const std::string in_suites =
        open == of_all ? fmt::format("any of {} suites", open) : count_of(open, "suite");
    Excluded excluded;
    for (const TurnsSuite& suite : variant.suites)
        if (suite.compared && differences_of(suite).empty() && !differs_pooled(suite))
            for (const TurnsStatement& statement : suite.statements)
                excluded.add(statement);
    const double bound = excluded.above();
    constexpr double telling = 1.5; // more excludes nothing that anybody fears
    return bound <= telling
               ? fmt::format("no difference found in {} (at most {})", in_suites, format_percent(bound - 1))
               : fmt::format("open in {}", open == of_all ? fmt::format("all {} suites", open) : in_suites);
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
    std::size_t equal = 0;
    std::size_t open = 0;
    std::vector<std::string> pooled; // differences over all lengths alone
    for (const TurnsSuite& suite : variant.suites)
        if (differs_pooled(suite))
            pooled.push_back(
                fmt::format("{} is open{}, over all lengths together {}", turns_suite_name(suite),
                            classes_text(suite, [](const TurnsStatement& each) { return each.open(); }),
                            pooled_text(turns, suite.statements.front())));
        else if (suite.compared && differences_of(suite).empty())
            ++(all_equal(suite) ? equal : open);
    const std::string name = variant_name(turns, variant.place);
    std::string begin;
    const auto whole_and = [&](bool (TurnsStatement::*direction)() const) {
        return found.size() == of_all && std::ranges::all_of(found, [&](const Found& each) {
                   return each.of_whole_suite() && (each.statement->*direction)();
               });
    };
    const bool faster = whole_and(&TurnsStatement::faster);
    if (faster || whole_and(&TurnsStatement::slower))
        begin = fmt::format("{} is {} than {} in all {} suites: ", name, faster ? "faster" : "slower",
                            reference_name(turns), of_all);
    else
        begin = fmt::format("{} {}: ", name_with_change(turns, variant),
                            verdict_over(found, reference_name(turns)));
    constexpr std::size_t most = 4;
    std::vector<std::string> parts;
    for (std::size_t i = 0; i < std::min(most, found.size()); ++i)
        parts.push_back(difference_text(found[i]));
    if (found.size() > most)
        parts.push_back(fmt::format("{} smaller in the tables", found.size() - most));
    if (equal > 0)
        parts.push_back(
            fmt::format("equal within {} in {}", margin_text(turns),
                        equal == of_all ? fmt::format("all {} suites", equal) : count_of(equal, "suite")));
    if (open > 0)
        parts.push_back(open_text(variant, open, of_all));
    for (std::size_t i = 0; i < std::min(most, pooled.size()); ++i)
        parts.push_back(pooled[i]);
    if (pooled.size() > most)
        parts.push_back(count_of(pooled.size() - most, "suite") + " likewise");
    return begin + fmt::format("{}", fmt::join(parts, "; "));
}

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

std::size_t most_rounds_that_count(const Turns& turns) {
    std::size_t most = 0;
    for (const TurnsVariant& variant : turns.variants)
        for (const TurnsSuite& suite : variant.suites) {
            for (const TurnsStatement& statement : suite.statements)
                most = std::max(most, statement.rounds);
            for (const TurnsRange& range : suite.ranges)
                most = std::max(most, range.statement.rounds);
        }
    return most;
}

std::string library_of(const Turns& turns, std::size_t place) {
    const std::optional<Run>& run = turns.of->variants[place].run;
    const auto name =
        run ? run->facts.find("mpi library, short") : std::map<std::string, std::string>::const_iterator();
    return run && name != run->facts.end() ? printable(name->second) : "the MPI library";
}

/// What a variant changes without any effect comes first: no time says anything about it. A sentence each,
/// with a blank behind it; empty = there is none.
std::string idle_settings_text(const Turns& turns) {
    const std::vector<IdleSetting> settings = idle_settings(*turns.of);
    std::string text;
    for (std::size_t place = 1; place < turns.of->variants.size(); ++place) {
        std::vector<std::string> parts;
        std::vector<std::string> unknown;
        for (const IdleSetting& each : settings)
            if (each.variant == place && each.why == IdleSetting::Why::unknown)
                unknown.push_back(printable(each.name));
            else if (each.variant == place)
                parts.push_back(fmt::format("{} is {} in both", printable(each.name),
                                            each.value.empty() ? "empty" : printable(each.value)));
        if (!unknown.empty())
            parts.push_back(fmt::format("{} {} not known to {}", few_names(unknown),
                                        unknown.size() == 1 ? "is" : "are", library_of(turns, place)));
        if (parts.empty())
            continue;
        text += fmt::format("{}: {}. ", fmt::join(parts, ", "),
                            is_idle(*turns.of, place)
                                ? fmt::format("{} and {} ran the same settings", reference_name(turns),
                                              variant_name(turns, place))
                                : fmt::format("{} and {} differ only in their other settings",
                                              variant_name(turns, place), reference_name(turns)));
    }
    return text;
}

/// A variant whose ranks are bound otherwise than those of the reference, with another library: what
/// launchers do when nobody says it is no property of a library. None = there is none.
const TurnsVariant* bound_differently(const Turns& turns) {
    const std::optional<Run>& reference = turns.of->variants.front().run;
    for (const TurnsVariant& variant : turns.variants) {
        const std::optional<Run>& run = turns.of->variants[variant.place].run;
        if (reference && run && !reference->binding.empty() && !run->binding.empty() &&
            reference->binding != run->binding && reference->mpi_library != run->mpi_library)
            return &variant;
    }
    return nullptr;
}

/// A sentence with a blank behind it; empty = it is fair.
std::string unfair_text(const Turns& turns) {
    const TurnsVariant* const variant = bound_differently(turns);
    if (variant == nullptr)
        return {};
    return fmt::format(
        "This is no fair comparison of libraries, because the ranks are bound differently ({} in {}; {} in {}). ",
        printable(turns.of->variants.front().run->binding), reference_name(turns),
        printable(turns.of->variants[variant->place].run->binding), variant_name(turns, variant->place));
}

/// The command of a session in which the ranks of all variants are bound; empty where none is known.
std::string bound_command(const Turns& turns) {
    Session session = turns.of->session;
    for (std::size_t place = 0; place < session.variants.size(); ++place) {
        const std::optional<Run>& run = turns.of->variants[place].run;
        if (!run || binding_of(run->rank_facts).most <= 1)
            continue;
        Variant& variant = session.variants[place];
        const std::string& words = variant.launch.empty() ? session.launch : variant.launch;
        const std::string bound = bound_launch(words, run->launcher);
        if (bound.empty())
            return {};
        variant.launch = bound;
    }
    const Subject& reference = turns.of->variants.front();
    return session_command(session, reference.run.value_or(Run()), next_database(reference.path));
}

} // namespace

namespace {

/// " The answer depends on the state of the machine: MPI_Bcast for messages above 64 KiB, new is 2.85 times
/// slower in the faster state (31 rounds), 10.1 times slower in the slower one (20)."; empty where none does.
std::string by_state_text(const Turns& turns) {
    constexpr std::size_t most = 3;
    std::vector<std::string> texts;
    for (const TurnsVariant& variant : turns.variants)
        for (const TurnsSuite& suite : variant.suites)
            if (suite.by_state)
                texts.push_back(
                    fmt::format("{}{}, {} is {} in the faster state ({}), {} in the slower one ({})",
                                turns_suite_name(suite), messages_text(suite.by_state->size),
                                variant_name(turns, variant.place), slower_text(suite.by_state->fast_ratio),
                                count_of(suite.by_state->fast_rounds, "round"),
                                slower_text(suite.by_state->slow_ratio), suite.by_state->slow_rounds));
    if (texts.empty())
        return {};
    const std::size_t more = texts.size() - std::min(most, texts.size());
    texts.resize(texts.size() - more);
    return fmt::format(" The answer depends on the state of the machine: {}{}.", fmt::join(texts, "; "),
                       more > 0 ? fmt::format("; {} more", more) : "");
}

} // namespace

std::string turns_answer(const Turns& turns) {
    const Session& session = turns.of->session;
    const std::string idle = idle_settings_text(turns);
    if (turns.look.number == 0)
        return fmt::format(
            "{}Nothing is decided yet: the first look is after {}, and {} complete.", idle,
            count_of(session.first_look, "round"),
            complete_rounds(*turns.of) == 1 ? "1 is" : fmt::format("{} are", complete_rounds(*turns.of)));
    std::vector<const TurnsVariant*> largest_first;
    for (const TurnsVariant& variant : turns.variants)
        largest_first.push_back(&variant);
    std::ranges::stable_sort(largest_first, std::greater{}, [](const TurnsVariant* variant) {
        const std::vector<Found> found = differences_of(*variant);
        return found.empty() ? 0 : certain_effect(*found.front().statement);
    });
    std::vector<std::string> sentences;
    for (const TurnsVariant* variant : largest_first)
        sentences.push_back(variant_text(turns, *variant));
    std::string rounds =
        turns.simulated ? "simulated launches do not scatter" : count_of(turns.look.rounds, "round");
    if (const std::size_t most = most_rounds_that_count(turns);
        !turns.simulated && most < static_cast<std::size_t>(turns.look.rounds))
        rounds += fmt::format(", of which {} at most count", most);
    const std::vector<std::string> left_out = rounds_left_out(turns, true);
    return fmt::format(
        "{}{}{}; {}.{}{}", idle, unfair_text(turns), fmt::join(sentences, ". "), rounds, by_state_text(turns),
        left_out.empty() ? std::string()
                         : fmt::format(" Left out, because they lie far from all others on one side: {}.{}",
                                       fmt::join(left_out, "; "),
                                       turns.contradicted() == 0
                                           ? ""
                                           : " They contradict the other rounds, so it is open there."));
}

namespace {

/// Of the first variant whose ranks share cores.
std::optional<SharedCores> shared_cores_of(const Turns& turns) {
    for (const Subject& subject : turns.of->variants)
        if (std::optional<SharedCores> shared = subject.run ? shared_cores(*subject.run) : std::nullopt)
            return shared;
    return std::nullopt;
}

constexpr std::size_t affordable_rounds = 1000;

/// By itself, when the same command is called again.
bool goes_on(const Turns& turns) {
    const Session& session = turns.of->session;
    return session.decides && session.ended_utc.empty() && turns.look.rounds < session.most_rounds;
}

/// "20 rounds (about 2 min)"
std::string rounds_and_time(const Turns& turns, std::size_t rounds) {
    const double time_s = turns.of->round_s * static_cast<double>(rounds);
    return count_of(rounds, "round") + (time_s > 0 ? fmt::format(" (about {})", rough_time(time_s)) : "");
}

/// What to type for so many rounds: the same session for longer, or a new one in another file.
std::string command_for_rounds(const Turns& turns, std::size_t rounds, bool same_session) {
    Session session = turns.of->session;
    session.most_rounds = std::max(session.most_rounds, static_cast<int>(rounds));
    constexpr double spare = 1.2; // rounds do not all take the same time
    constexpr double minute_s = 60;
    if (session.time_limit_s > 0)
        session.time_limit_s = std::max(
            same_session ? session.time_limit_s + minute_s : minute_s,
            minute_s * std::ceil(spare * turns.of->round_s * static_cast<double>(rounds) / minute_s));
    const Subject& reference = turns.of->variants.front();
    return session_command(session, reference.run.value_or(Run()),
                           same_session ? reference.path : next_database(reference.path));
}

} // namespace

std::string turns_rounds_for_each(const Turns& turns) {
    if (turns.simulated || turns.look.number == 0 || goes_on(turns) || shared_cores_of(turns) ||
        bound_differently(turns) != nullptr)
        return {};
    struct Needed {
        std::size_t rounds;
        std::string of;
    };
    std::vector<Needed> all;
    for (const TurnsVariant& variant : turns.variants)
        for (const TurnsSuite& suite : variant.suites)
            for (const TurnsStatement& each : suite.statements)
                if (each.open() && each.rounds_to_decide && *each.rounds_to_decide <= affordable_rounds)
                    all.push_back(
                        {*each.rounds_to_decide,
                         fmt::format("{}{}{}",
                                     turns.variants.size() > 1 ? variant_name(turns, variant.place) + ", "
                                                               : std::string(),
                                     turns_suite_name(suite),
                                     each.size || suite.statements.size() == 1
                                         ? messages_text(each.size)
                                         : " over all lengths together")});
    if (all.empty() || turns.open() < 2)
        return {};
    std::ranges::stable_sort(all, {}, &Needed::rounds);
    constexpr std::size_t most = 4;
    std::vector<std::string> texts;
    for (std::size_t i = 0; i < std::min(most, all.size()); ++i)
        texts.push_back(fmt::format("{} after {}", all[i].of, rounds_and_time(turns, all[i].rounds)));
    if (all.size() > most)
        texts.push_back(fmt::format("{} more", all.size() - most));
    const std::size_t unknown = turns.open() - all.size();
    return fmt::format("Open cells would each be decided in 9 of 10 cases: {}{}.", fmt::join(texts, "; "),
                       unknown == 0 ? ""
                                    : fmt::format("; for {} no number of rounds can be estimated",
                                                  count_of(unknown, "cell")));
}

std::string turns_next_step(const Turns& turns) {
    const Session& session = turns.of->session;
    const std::size_t open = turns.open();
    if (turns.simulated || (open == 0 && turns.look.number > 0 && bound_differently(turns) == nullptr))
        return {};
    if (bound_differently(turns) != nullptr) {
        const std::string again = bound_command(turns);
        return "Bind the ranks of all variants to a core each and measure again" +
               (again.empty() ? "; launch='...' of a variant sets the launcher's options." : ": " + again);
    }
    if (turns.look.number == 0 || goes_on(turns))
        return fmt::format(
            "{}Call the same command again: the session goes on.",
            open > 0 ? fmt::format("{} open. ", count_of(open, "statement is", "statements are")) : "");
    const std::optional<std::size_t> rounds = turns.rounds_to_decide();
    const std::size_t contradicted = turns.contradicted();
    const std::string what = fmt::format(
        "{} open: neither different nor proven to be equal within {}{}",
        count_of(open, "cell of the table is", "cells of the table are"), margin_text(turns),
        contradicted == 0      ? ""
        : contradicted == open ? ", because of the rounds left out"
                               : fmt::format(", {} of them because of the rounds left out", contradicted));
    if (const std::optional<SharedCores> shared = shared_cores_of(turns))
        return fmt::format("{}. More rounds do not help where ranks share cores: {}.", what,
                           shared->by_binding() ? "bind each rank to a core of its own"
                                                : "start no more ranks than there are cores");
    if (!rounds || *rounds > affordable_rounds) {
        Excluded excluded;
        for (const TurnsVariant& variant : turns.variants)
            for (const TurnsSuite& suite : variant.suites)
                for (const TurnsStatement& statement : suite.statements)
                    if (statement.open())
                        excluded.add(statement);
        const std::string begin =
            what + (rounds ? ". No affordable number of rounds would prove all of it." : ".");
        if (session.end == SessionEnd::time)
            return begin + " The same command with a longer --time goes on" +
                   (turns.look.rounds < session.most_rounds
                        ? fmt::format(", to {} rounds at most.", session.most_rounds)
                        : std::string("."));
        constexpr double most_margin = 0.1; // nobody is content to know less
        const double wider = std::ceil(100 * (excluded.above() - 1)) / 100;
        return !(wider <= most_margin)
                   ? begin
                   : fmt::format(
                         "{} If a difference of {} does not matter, --margin {:.0f}% would have ended it.",
                         begin, format_percent(wider), 100 * wider);
    }
    const bool needs_time =
        session.end == SessionEnd::time && *rounds <= static_cast<std::size_t>(session.most_rounds);
    const std::string again = command_for_rounds(turns, *rounds, needs_time);
    return fmt::format("{}. {} would decide {} in 9 of 10 cases: {}", what, rounds_and_time(turns, *rounds),
                       contradicted > 0 ? "the others"
                       : open == 1      ? "it"
                                        : "each",
                       !again.empty() ? again
                       : needs_time   ? std::string("the same command with a longer --time goes on.")
                                      : fmt::format("the same command with --fresh --rounds {}..{}.",
                                                    session.first_look, *rounds));
}

std::string turns_method(const Turns& turns) {
    if (turns.simulated)
        return "Simulated launches do not scatter: one round is enough, and a difference counts where it exceeds a "
               "step of the clock.";
    return fmt::format(
        "Variants were launched in turns, each once a round, in an order drawn for each round. A round's ratio is "
        "the median over a suite's arguments of the two launches of that round; intervals are those of the mean "
        "over rounds. The probability of any false difference in this session is at most {}, all statements and "
        "looks together, and so is that of any false equality; for single arguments it is as much again. This was "
        "look {} of {}.",
        format_percent(turns.of->session.error), turns.look.number, turns.look.looks);
}

std::string turns_command(const Turns& turns) {
    const Subject& reference = turns.of->variants.front();
    const std::string command =
        session_command(turns.of->session, reference.run.value_or(Run()), next_database(reference.path));
    return command.empty() ? command : "To measure this once more, into another file: " + command;
}

} // namespace skampi
