#include "words/doubt_words.hpp"

#include "contest/estimate.hpp"
#include "model/quantity.hpp"
#include "words/suite_words.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <fmt/format.h>

namespace skampi {

namespace {

enum class Counted { nothing, suites, values, launches };

/// How a doubt is said of one and of several.
struct DoubtWords {
    DoubtKind kind;
    Counted counted;
    const char* singular;
    const char* plural;
};

constexpr auto words = std::to_array<DoubtWords>({
    {DoubtKind::one_rank, Counted::nothing, "one rank only: no message went to another rank", ""},
    {DoubtKind::interrupted, Counted::nothing, "the run was interrupted or is still measuring", ""},
    {DoubtKind::merged_by_force, Counted::nothing, "runs that differ from one another were merged by force",
     ""},
    {DoubtKind::suites_failed, Counted::suites, "failed", "failed"},
    {DoubtKind::suites_put_off, Counted::suites, "was put off", "were put off"},
    {DoubtKind::suites_open, Counted::suites, "is not finished", "are not finished"},
    {DoubtKind::wrong_result, Counted::values, "is missing because the operation delivered wrong data",
     "are missing because the operation delivered wrong data"},
    {DoubtKind::no_value, Counted::values, "could not be measured", "could not be measured"},
    {DoubtKind::not_in_state, Counted::values, "is missing because no launch was in the machine state shown",
     "are missing because no launch was in the machine state shown"},
    {DoubtKind::not_above_zero, Counted::values, "is below what can be measured",
     "are below what can be measured"},
    {DoubtKind::unreliable, Counted::values, "is too close to the cost of measuring it",
     "are too close to the cost of measuring them"},
    {DoubtKind::overhead_in_doubt, Counted::values,
     "has an overhead in doubt, because other work used the cores",
     "have an overhead in doubt, because other work used the cores"},
    {DoubtKind::disturbed, Counted::values, "was disturbed by other work on the cores",
     "were disturbed by other work on the cores"},
    {DoubtKind::several_states, Counted::values, "was measured in several states of the machine",
     "were measured in several states of the machine"},
    {DoubtKind::between_barriers, Counted::values,
     "was measured between barriers because ranks missed their windows",
     "were measured between barriers because ranks missed their windows"},
    {DoubtKind::not_repeatable, Counted::values, "is less repeatable within a launch than asked for",
     "are less repeatable within a launch than asked for"},
    {DoubtKind::one_launch, Counted::values, "rests on one launch", "rest on one launch"},
    {DoubtKind::few_launches, Counted::values, "rests on two to four launches",
     "rest on two to four launches"},
    {DoubtKind::launches_apart, Counted::values, "rests on launches that differ widely",
     "rest on launches that differ widely"},
    {DoubtKind::unsettled, Counted::values, "has a larger error between launches than asked for",
     "have a larger error between launches than asked for"},
    {DoubtKind::other_state, Counted::launches, "measured in another machine state than the one shown",
     "measured in another machine state than the one shown"},
    {DoubtKind::other_start, Counted::launches,
     "is left out because it missed its windows and measured between barriers, or the others did",
     "are left out because they missed their windows and measured between barriers, or the others did"},
    {DoubtKind::lost_core, Counted::launches,
     "is left out where a rank had no core and its times are those of the scheduler",
     "are left out where a rank had no core and their times are those of the scheduler"},
});

const DoubtWords* words_of(DoubtKind kind) {
    const auto found = std::ranges::find(words, kind, &DoubtWords::kind);
    return found == words.end() ? nullptr : &*found;
}

Counted counted_by(DoubtKind kind) {
    const DoubtWords* found = words_of(kind);
    return found ? found->counted : Counted::nothing;
}

std::string total_text(Counted counted, std::int64_t total) {
    return counted == Counted::launches ? count_of(total, "launch", "launches")
                                        : count_of(total, counted == Counted::values ? "value" : "suite");
}

/// "3.2", "410", "3900"
std::string rough_factor(double factor) {
    const double unit = std::pow(10, std::floor(std::log10(factor)) - 1);
    return fmt::format("{:g}", std::round(factor / unit) * unit);
}

} // namespace

std::string as_sentence(std::string text) {
    text.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(text.front())));
    return text + ".";
}

std::string doubt_text(const Doubt& doubt, bool with_total) {
    if (doubt.kind == DoubtKind::shared_cores)
        return fmt::format("{} share {}: these are times of the scheduler", count_of(doubt.count, "rank"),
                           count_of(doubt.of, "core"));
    if (doubt.kind == DoubtKind::shared_threads)
        return fmt::format("{} share {} as hardware threads and slow one another",
                           count_of(doubt.count, "rank"), count_of(doubt.of, "core"));
    if (doubt.kind == DoubtKind::launches_disturbed)
        return fmt::format(
            "other work used the cores in {} of what the launches measured: most values shown come from "
            "the rest",
            format_percent(static_cast<double>(doubt.count) / static_cast<double>(doubt.of)));
    if (doubt.kind == DoubtKind::only_one_launch)
        return "one launch only: the error between launches is unknown";
    if (doubt.kind == DoubtKind::no_interval)
        return fmt::format("{} launches only: the error between launches is unknown", doubt.count);
    const DoubtWords& said = *words_of(doubt.kind);
    if (said.counted == Counted::nothing)
        return said.singular;
    const bool of_values = said.counted == Counted::values;
    if (of_values && doubt.kind == DoubtKind::no_value && doubt.count == doubt.of && doubt.of > 1)
        return fmt::format("none of the {} values could be measured", doubt.of);
    return fmt::format("{}{} {}", doubt.count, with_total ? " of " + total_text(said.counted, doubt.of) : "",
                       doubt.count == 1 ? said.singular : said.plural);
}

std::string contradiction_text(const Contradiction& contradiction) {
    constexpr int digits = 3;
    const Curve& curve = *contradiction.curve;
    const double value_s = contradiction.point->measurement.value_s;
    const std::string other =
        contradiction.other ? argument_text(curve, contradiction.other->measurement.argument) : "";
    const std::string against = other.empty() ? "as long as the shortest round trip of one byte"
                                : contradiction.messages > 1
                                    ? fmt::format("as long as {} of {}", contradiction.messages, other)
                                    : "as long as at " + other;
    return fmt::format("{} took {} at {}, {} times {} ({})", shortened_name(title_of(curve), 40),
                       format_time(value_s, digits, curve.units.time),
                       argument_text(curve, contradiction.point->measurement.argument),
                       rough_factor(value_s / contradiction.other_s), against,
                       format_time(contradiction.other_s, digits, curve.units.time));
}

std::string doubt_sentences(const Doubt& doubt) {
    const std::string counted = as_sentence(doubt_text(doubt));
    return doubt.worst ? as_sentence(contradiction_text(*doubt.worst)) + " " + counted : counted;
}

std::vector<std::string> doubt_texts(const std::vector<Doubt>& doubts) {
    std::vector<std::string> texts;
    std::int64_t suites = 0; // the totals said last
    std::int64_t values = 0;
    std::int64_t launches = 0;
    for (const Doubt& doubt : doubts) {
        const Counted counted = counted_by(doubt.kind);
        std::int64_t& total = counted == Counted::suites     ? suites
                              : counted == Counted::launches ? launches
                                                             : values;
        texts.push_back(doubt_text(doubt, total != doubt.of));
        if (counted != Counted::nothing)
            total = doubt.of;
    }
    return texts;
}

std::string doubts_text(const std::vector<Doubt>& doubts) {
    return fmt::format("{}", fmt::join(doubt_texts(doubts), "; "));
}

} // namespace skampi
