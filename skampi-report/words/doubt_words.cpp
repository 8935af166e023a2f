// SPDX-License-Identifier: GPL-2.0-or-later
#include "words/doubt_words.hpp"

#include "analysis/trust/headline.hpp"
#include "analysis/trust/trust.hpp"
#include "contest/estimate.hpp"
#include "launches/launches_left_out.hpp"
#include "launches/library_name.hpp"
#include "model/measured_value.hpp"
#include "model/quantity.hpp"
#include "model/run.hpp"
#include "model/series.hpp"
#include "words/next_step.hpp"
#include "words/suite_words.hpp"
#include "words/system_facts.hpp"
#include "words/value_words.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <set>
#include <utility>

namespace skampi {

namespace {

enum class Counted { nothing, suites, values };

struct DoubtWords {
    DoubtKind kind;
    const char* fact; ///< its name among the facts; null = the facts or the table of launches have it already
    Counted counted;
    const char* text; ///< behind a number; "was" is for one
};

constexpr const char* unknown_error = "the error between launches is unknown: it needs 5 launches";

constexpr auto doubt_words = std::to_array<DoubtWords>({
    {DoubtKind::shared_cores, "Shared cores", Counted::nothing, ""},
    {DoubtKind::shared_threads, "Shared cores", Counted::nothing, ""},
    {DoubtKind::one_rank, "Ranks", Counted::nothing, "one rank only: no message went to another rank"},
    {DoubtKind::interrupted, "Run", Counted::nothing, "the run was interrupted or is still measuring"},
    {DoubtKind::merged_by_force, nullptr, Counted::nothing,
     "runs that differ from one another were merged by force"},
    {DoubtKind::suites_failed, "Failed", Counted::suites, "failed"},
    {DoubtKind::suites_put_off, "Put off", Counted::suites, "was put off"},
    {DoubtKind::suites_open, "Not finished", Counted::suites, "was not finished"},
    {DoubtKind::wrong_result, "Wrong data", Counted::values,
     "was left out because the operation delivered wrong data"},
    {DoubtKind::no_value, "Not measured", Counted::values, "could not be measured"},
    {DoubtKind::not_in_state, "Not in the state shown", Counted::values,
     "was left out because no launch was in the machine state shown"},
    {DoubtKind::not_above_zero, "Below what can be measured", Counted::values,
     "was below what can be measured"},
    {DoubtKind::unreliable, "Unreliable", Counted::values, "was too close to the cost of measuring"},
    {DoubtKind::overhead_in_doubt, "Overhead in doubt", Counted::values,
     "was measured with a doubtful overhead, because other work used the cores"},
    {DoubtKind::disturbed, "Disturbed", Counted::values, "was disturbed by other work on the cores"},
    {DoubtKind::several_states, "In several states", Counted::values,
     "was measured in several states of the machine"},
    {DoubtKind::between_barriers, "Between barriers", Counted::values,
     "was measured between barriers because ranks missed their windows"},
    {DoubtKind::not_repeatable, "Not repeatable", Counted::values,
     "was less repeatable within a launch than asked for"},
    {DoubtKind::one_launch, "Of one launch", Counted::values, "was measured by one launch only"},
    {DoubtKind::few_launches, "Of few launches", Counted::values, "was measured by fewer than 5 launches"},
    {DoubtKind::launches_apart, "Scattered", Counted::values, "was measured by launches that differ widely"},
    {DoubtKind::unsettled, nullptr, Counted::values, "was less exact between launches than asked for"},
    {DoubtKind::other_state, nullptr, Counted::nothing,
     "launches that met another state of the machine are left out"},
    {DoubtKind::other_start, nullptr, Counted::nothing,
     "launches that started their calls in another way than those shown are left out"},
    {DoubtKind::lost_core, nullptr, Counted::nothing, "launches are left out where a rank had no core"},
    {DoubtKind::launches_disturbed, "Disturbed launches", Counted::nothing, ""},
    {DoubtKind::only_one_launch, nullptr, Counted::nothing, unknown_error},
    {DoubtKind::no_interval, nullptr, Counted::nothing, unknown_error},
});

const DoubtWords& words_of(DoubtKind kind) {
    return *std::ranges::find(doubt_words, kind, &DoubtWords::kind);
}

std::string launches_text(std::size_t launches) {
    return count_of(launches, "launch", "launches");
}

/// "3 of 27 values"
std::string counted_text(const Doubt& doubt) {
    return fmt::format(
        "{} of {}", doubt.count,
        count_of(doubt.of, words_of(doubt.kind).counted == Counted::suites ? "suite" : "value"));
}

std::vector<Doubt> said_in_sentences(const std::vector<Doubt>& doubts) {
    constexpr std::size_t most = 3;
    std::vector<Doubt> first = gravest_first(doubts);
    if (first.size() > most)
        first.resize(most);
    return first;
}

/// "MPICH 4.0.2, 2 ranks on one host"; without MPI the host
std::string library_and_ranks(const Run& run) {
    std::vector<std::string> parts;
    if (is_sequential(run))
        return hosts_of(run);
    if (!run.mpi_library.empty())
        parts.push_back(library_name(run));
    if (run.ranks > 0) {
        std::set<std::string> hosts;
        for (const RankFacts& rank : run.rank_facts)
            hosts.insert(rank.processor);
        const bool known = !hosts.empty() && !hosts.contains("") && all_ranks_stored(run);
        parts.push_back(count_of(run.ranks, "rank") + (!known ? ""
                                                       : hosts.size() == 1
                                                           ? " on one host"
                                                           : fmt::format(" on {} hosts", hosts.size())));
    }
    return fmt::format("{}", fmt::join(parts, ", "));
}

/// What people ask for first: the first two kinds of headlines, of each the first that is an answer, and
/// with a peak the bandwidth of the longest message.
std::vector<std::string> numbers_of(const Subject& subject, bool values_asked) {
    std::vector<Headline> chosen;
    std::size_t kinds = 0;
    for (const Headline& headline : headlines(subject)) {
        constexpr std::size_t most = 2;
        const bool beside = headline.kind == HeadlineKind::long_bandwidth;
        if (!headline.is_answer() || headline.kind == HeadlineKind::half_peak_length ||
            std::ranges::find(chosen, headline.kind, &Headline::kind) != chosen.end() ||
            (kinds == most && !beside))
            continue;
        chosen.push_back(headline);
        kinds += beside ? 0 : 1;
    }
    std::vector<std::string> numbers;
    for (const Headline& headline : chosen)
        numbers.push_back(headline_in_short(headline));
    constexpr std::size_t most = 2; // where there are none: the ends of the first suites
    for (std::size_t i = 0;
         values_asked && chosen.empty() && i < subject.curves.size() && numbers.size() < most; ++i)
        if (const Curve& curve = subject.curves[i]; !curve.points.empty())
            numbers.push_back(shortened_name(title_of(curve), 40) + " " + ends_text(curve));
    return numbers;
}

constexpr double hour_s = 3600;

/// " within 3 minutes": over which time the launches were made; empty = not known.
std::string span_text(const Trust& trust) {
    if (!trust.span_s)
        return {};
    constexpr double minute_s = 60;
    constexpr double day_s = 24 * hour_s;
    constexpr double enough = 2; // of a unit
    const auto count = [&](double unit_s, const char* unit) {
        return fmt::format(" within {}", count_of(std::llround(std::ceil(*trust.span_s / unit_s)), unit));
    };
    return *trust.span_s < enough * minute_s ? count(1, "second")
           : *trust.span_s < enough * hour_s ? count(minute_s, "minute")
           : *trust.span_s < enough * day_s  ? count(hour_s, "hour")
                                             : count(day_s, "day");
}

/// "4", "5 to 14": on how many launches values rest.
std::string launches_used(const Subject& subject, const Trust& trust) {
    auto fewest = std::numeric_limits<std::size_t>::max();
    std::size_t most = 0;
    for (const Curve& curve : subject.curves)
        for (const StoredMeasurement& point : curve.points)
            if (point.merge && point.merge->runs > 0 && above_zero(point.measurement)) {
                fewest = std::min(fewest, static_cast<std::size_t>(point.merge->runs));
                most = std::max(most, static_cast<std::size_t>(point.merge->runs));
            }
    return most == 0       ? std::to_string(trust.launches)
           : fewest < most ? fmt::format("{} to {}", fewest, most)
                           : std::to_string(most);
}

/// Of launches that were repeated until it is so: "known to 2 % at 98 of 105 points"; else empty.
std::string known_text(const Trust& trust, const std::string& behind) {
    if (!trust.half_width_asked_for)
        return {};
    return fmt::format("known to {} at {} of {}{}", format_percent(*trust.half_width_asked_for),
                       trust.settled,
                       count_of(trust.settled + trust.unsettled + trust.settled_unknown, "point"), behind);
}

/// "one launch", "5 launches within 3 minutes"
std::string launches_in_short(const Subject& subject, const Trust& trust) {
    if (!subject.other_parts.empty())
        return "one launch for each suite";
    if (is_simulated(*subject.run))
        return "simulated";
    const std::string used = launches_used(subject, trust);
    return used == "1" ? "one launch" : known_text(trust, ", ") + used + " launches" + span_text(trust);
}

/// "MPICH 4.0.2, 2 ranks on one host: latency 0.56 µs (0.55 to 0.57 µs), peak 48 GB/s at 64 KiB (47 to 49
/// GB/s); 5 launches."
std::string answer_in_numbers(const Subject& subject, const Trust& trust, bool values_asked) {
    std::string text = library_and_ranks(*subject.run);
    if (const std::vector<std::string> numbers = numbers_of(subject, values_asked); !numbers.empty())
        text += (text.empty() ? "" : ": ") + fmt::format("{}", fmt::join(numbers, ", "));
    return as_sentence(text + (text.empty() ? "" : "; ") + launches_in_short(subject, trust));
}

/// What is known of the error between launches: "at most the 2 % asked for at 20 of 27 points".
std::string error_between_launches_text(const Subject& subject, const Trust& trust) {
    switch (noise_state(subject, trust)) {
    case NoiseState::simulated:
        return "none: simulated launches do not differ";
    case NoiseState::one_launch:
    case NoiseState::few_launches:
        return fmt::format("unknown: it needs {}", launches_text(launches_needed));
    case NoiseState::no_launch:
        return "unknown: no launch";
    case NoiseState::known:
    case NoiseState::not_in_file:
        break;
    }
    if (trust.settled + trust.unsettled == 0)
        return "unknown: the file does not hold it";
    const std::int64_t values = trust.settled + trust.unsettled + trust.settled_unknown;
    return fmt::format(
        "at most {} at {} of {}",
        trust.half_width_asked_for ? format_percent(*trust.half_width_asked_for) + " (half of the interval)"
        : trust.error_asked_for    ? fmt::format("the {} asked for", format_percent(*trust.error_asked_for))
                                   : "what was asked for",
        trust.settled, count_of(values, "point"));
}

/// At most three doubts; where there are none, how far the values are known.
std::string trust_sentences(const Subject& subject, const Trust& trust) {
    std::vector<Doubt> all = doubts(subject, trust, true);
    const bool settled_known = trust.settled + trust.unsettled > 0;
    std::erase_if(all, [](const Doubt& doubt) { return doubt.kind == DoubtKind::unsettled; });
    if (!all.empty() || is_simulated(*subject.run) || !settled_known)
        return doubt_sentences(all);
    const bool brief = trust.span_s && *trust.span_s < hour_s;
    if (trust.half_width_asked_for) // which the answer says
        return brief ? "Another hour may differ by more." : "";
    return "The error between launches is " + error_between_launches_text(subject, trust) +
           (brief ? "; another hour may differ by more." : ".");
}

void add_clocks(const Run& run, std::vector<Fact>& facts) {
    if (run.clock_resolution_s > 0 && !is_simulated(run))
        facts.push_back(
            {"Clock",
             "resolution " + format_time(run.clock_resolution_s, 2) +
                 (run.clock_cost_s > 0 ? ", a reading costs " + format_time(run.clock_cost_s, 2) : "")});
    if (run.kind != "raw")
        return;
    if (const double bound_s = largest_clock_bound_s(run); bound_s > 0)
        facts.push_back({"Clocks of the hosts", fmt::format("agree within {}", format_time(bound_s, 2))});
    const auto missed = run.facts.find(fact_windows_missed);
    if (missed != run.facts.end() && missed->second != "0")
        facts.push_back({"Windows missed", missed->second + ", discarded"});
}

} // namespace

std::string doubt_text(const Doubt& doubt) {
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
    const DoubtWords& said = words_of(doubt.kind);
    std::string text = said.text;
    if (said.counted == Counted::nothing)
        return text;
    if (doubt.count != 1 && text.starts_with("was "))
        text.replace(0, 3, "were");
    return counted_text(doubt) + " " + text;
}

std::string doubts_text(const std::vector<Doubt>& doubts) {
    std::vector<std::string> texts;
    for (const Doubt& doubt : said_in_sentences(doubts))
        texts.push_back(doubt_text(doubt));
    return fmt::format("{}", fmt::join(texts, "; "));
}

std::string doubt_sentences(const std::vector<Doubt>& doubts) {
    std::vector<std::string> texts;
    for (const Doubt& doubt : said_in_sentences(doubts))
        texts.push_back(as_sentence(doubt_text(doubt)));
    return fmt::format("{}", fmt::join(texts, " "));
}

TextAndCommand descriptive_answer(const Subject& subject, bool values_asked) {
    if (!subject.run)
        return {"This database holds no run."};
    const Trust trust = assess(subject);
    if (trust.points == 0)
        return joined(
            {{subject.run->facts.contains(fact_read_from)
                  ? "The file holds no value: the program that wrote it stored none, or was ended before."
              : subject.ended ? "Nothing could be measured."
                              : "No measurement is finished yet."},
             {doubt_sentences(doubts(subject, trust, false))}});
    TextAndCommand next = next_step(subject, trust);
    if (values_asked && next.empty())
        next = settling_step(subject, trust);
    constexpr double nearly_all = 0.8;
    const bool disturbed =
        static_cast<double>(trust.disturbed) > nearly_all * static_cast<double>(trust.points) &&
        trust.points > 1 && !shared_threads(*subject.run);
    const auto passed_over = subject.run->facts.find(fact_passed_over);
    return joined(
        {{disturbed ? "These times are no measure of the library." : ""},
         {answer_in_numbers(subject, trust, values_asked)},
         {trust_sentences(subject, trust)},
         {passed_over == subject.run->facts.end() ? std::string()
                                                  : "Passed over in the text: " + passed_over->second + "."},
         std::move(next)});
}

std::string gravest_doubt_about(const std::vector<const Subject*>& subjects) {
    std::vector<Doubt> all; // the gravest of each
    std::vector<const Subject*> owners;
    for (const Subject* subject : subjects)
        if (const std::optional<Doubt> doubt =
                subject->run ? gravest(doubts(*subject, assess(*subject), false)) : std::nullopt) {
            all.push_back(*doubt);
            owners.push_back(subject);
        }
    const std::optional<Doubt> worst = gravest(all);
    if (!worst)
        return {};
    if (subjects.size() > 1 && std::ranges::count(all, *worst) == std::ssize(subjects))
        return as_sentence(doubt_text(*worst));
    const Subject& owner = *owners[static_cast<std::size_t>(std::ranges::find(all, *worst) - all.begin())];
    return fmt::format("In {}: {}.", shortened(owner.label, 30), doubt_text(*worst));
}

std::vector<Fact> trust_facts(const Subject& subject) {
    const Trust trust = assess(subject);
    std::vector<Fact> facts;
    if (trust.points == 0) { // nothing can be counted
        facts.push_back({"Points", "none"});
    } else {
        facts.push_back({"Error between launches", error_between_launches_text(subject, trust)});
        if (noise_state(subject, trust) == NoiseState::known)
            facts.push_back({"Run-to-run noise",
                             format_percent(*trust.noise_between_launches) + " (median over points)"});
        facts.push_back({"Repeatable within a launch",
                         fmt::format("{} of {}", trust.repeatable, count_of(trust.points, "point"))});
    }
    for (const Doubt& doubt : gravest_first(doubts(subject, trust, true)))
        if (const DoubtWords& said = words_of(doubt.kind); said.fact)
            facts.push_back(
                {said.fact, said.counted == Counted::nothing ? doubt_text(doubt) : counted_text(doubt)});
    if (trust.discarded > 0)
        facts.push_back(
            {"Discarded", format_count(trust.discarded, trust.discarded_of) +
                              " single measurements: a rank was late, or the machine changed its state"});
    if (!subject.run)
        return facts;
    std::vector<std::string> forced;
    for (const ForcedDifference& each : subject.run->forced_differences)
        forced.push_back(each.text);
    if (!forced.empty())
        facts.push_back(
            {"Merged by force", shortened(fmt::format("although {}", fmt::join(forced, "; ")), 300)});
    add_clocks(*subject.run, facts);
    if (subject.run->measuring_share > 0)
        facts.push_back({"Time in measured calls", format_percent(subject.run->measuring_share)});
    return facts;
}

std::vector<LaunchRow> launch_rows(const Subject& subject) {
    const Trust trust = assess(subject);
    const std::size_t all = std::max(trust.launches, trust.launches_merged);
    if (!subject.run || is_simulated(*subject.run) || all < 2 || !subject.other_parts.empty())
        return {};
    std::vector<LaunchRow> rows{{all, launches_used(subject, trust), {}}};
    const auto add = [&](std::size_t launches, bool in_part, std::string reason) {
        if (launches > 0)
            rows.push_back({launches, in_part ? "in part" : "none", std::move(reason)});
    };
    if (const LaunchesInStates found = launches_in_states(subject); found.curve) {
        std::vector<std::string> states;
        for (const StateOfLaunches& state : found.states)
            if (state.probe_s > 0)
                states.push_back(format_time(state.probe_s, 3) + (state.shown ? " (shown)" : ""));
        add(found.left_out(), found.changed_within_launches() || found.curves < subject.curves.size(),
            fmt::format("another state of the machine in {} of {}{}", found.curves,
                        count_of(std::ssize(subject.curves), "suite"),
                        states.empty() ? "" : "; a round trip of one byte takes " + enumeration(states)));
    }
    if (const LaunchesOfOtherStart found = launches_of_other_start(subject); found.curve)
        add(found.left_out, true, "measured between barriers, the others in windows, or the reverse");
    const LaunchesWithoutCore lost = launches_without_core(subject);
    add(lost.uuids.size(), true,
        fmt::format("a rank had no core: a round trip of one byte took up to {} instead of {}",
                    format_time(lost.probe_s, 2), format_time(lost.with_core_s, 2)));
    int unfinished = 0;
    for (const Curve& curve : subject.curves)
        unfinished = std::max(unfinished, curve.stored.merge.unfinished);
    add(static_cast<std::size_t>(unfinished), true, "did not finish a suite");
    if (rows.size() == 1 && trust.launches < all)
        add(all - trust.launches, false, "no usable value");
    return rows;
}

} // namespace skampi
