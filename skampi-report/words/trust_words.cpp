#include "words/trust_words.hpp"

#include "contest/estimate.hpp"
#include "launches/launches_left_out.hpp"
#include "analysis/trust/doubt.hpp"
#include "analysis/trust/headline.hpp"
#include "analysis/trust/trust.hpp"
#include "merge/run_group.hpp"
#include "model/ledger.hpp"
#include "model/measured_value.hpp"
#include "model/quantity.hpp"
#include "model/series.hpp"
#include "launches/library_name.hpp"
#include "words/doubt_words.hpp"
#include "words/headline_words.hpp"
#include "words/next_step.hpp"
#include "words/suite_words.hpp"
#include "words/system_facts.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <map>
#include <set>
#include <utility>

namespace skampi {

namespace {

std::string launches_text(std::size_t launches) {
    return count_of(launches, "launch", "launches");
}

/// "MPICH 4.0.2, 2 ranks on one host"
std::string library_and_ranks(const Run& run) {
    std::vector<std::string> parts;
    if (!run.mpi_library.empty() && run.mpi_library != library_without_mpi)
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

std::string name_in_short(const Headline& headline) {
    return headline.kind == HeadlineKind::latency ? "latency"
           : headline.kind == HeadlineKind::peak_bandwidth
               ? (headline.may_be_exceeded() ? "bandwidth" : "peak")
               : headline_name(headline);
}

/// What people ask for first: the first two kinds of headlines, of each the first that is an answer.
std::vector<Headline> first_headlines(const Subject& subject) {
    std::vector<Headline> chosen;
    for (const Headline& headline : headlines(subject)) {
        if (!std::isfinite(headline.value) || headline.kind == HeadlineKind::half_peak_length)
            continue;
        const auto same = std::ranges::find(chosen, headline.kind, &Headline::kind);
        constexpr std::size_t most = 2;
        if (same == chosen.end() && chosen.size() < most)
            chosen.push_back(headline);
        else if (same != chosen.end() && !same->is_answer() && headline.is_answer())
            *same = headline;
    }
    return chosen;
}

/// "latency 0.56 µs (0.55 to 0.57 µs)"; of a doubtful one "latency about 0.63 µs (0.19 µs in a faster state
/// of the machine)". @param known reasons that are said already: not said again
std::string answer_number(const Headline& headline, std::vector<std::string>& known) {
    std::string text = name_in_short(headline) + " " + headline_value(headline);
    const bool of_states = headline.doubt() == HeadlineDoubt::several_states;
    const std::string others = headline_in_other_states(headline);
    const bool differ = !others.empty() && headline_value(headline) != "about " + others;
    if (differ && !of_states)
        text += " or " + others;
    const std::string doubt = of_states ? "" : headline_doubt(headline);
    const bool of_launches =
        is_between_launches(headline.error.kind) && headline.error.kind != ErrorKind::range;
    std::string more = of_states                      ? (differ ? headline_of_other_states(headline) : "")
                       : doubt.empty() && of_launches ? headline_error_numbers(headline)
                                                      : "";
    if (!doubt.empty() && std::ranges::find(known, doubt) == known.end()) {
        more = doubt;
        known.push_back(doubt);
    }
    const auto peak = headline.peak_at();
    const std::string place = peak ? " at " + argument_text(*headline.curve, *peak) : "";
    return text + place + (more.empty() ? "" : " (" + more + ")");
}

/// Where none of them was measured: the ends of the first suites, "MPI_Reduce 0.80 µs at 8 B to 120 µs at 1
/// MiB".
std::vector<std::string> ends_of_suites(const Subject& subject) {
    constexpr std::size_t most = 2;
    constexpr int digits = 3;
    std::vector<std::string> texts;
    for (const Curve& curve : subject.curves) {
        if (curve.points.empty())
            continue;
        std::vector<std::string> ends;
        for (const StoredMeasurement* point : {&curve.points.front(), &curve.points.back()})
            if (above_zero(point->measurement) && (ends.empty() || curve.points.size() > 1))
                ends.push_back(format_time(point->measurement.value_s, digits, curve.units.time) +
                               (curve.suite().varied == Varied::none
                                    ? ""
                                    : " at " + argument_text(curve, point->measurement.argument)));
        if (!ends.empty() && texts.size() < most)
            texts.push_back(
                fmt::format("{} {}", shortened_name(title_of(curve), 40), fmt::join(ends, " to ")));
    }
    return texts;
}

std::string launches_in_short(const Subject& subject, const Trust& trust, const std::optional<Doubt>& doubt);

/// Of ranks that share cores: the scheduler's times, whatever their errors are.
std::string rough_number(const Headline& headline) {
    constexpr int digits = 2;
    return name_in_short(headline) + " about " + headline_number(headline, headline.value, digits);
}

/// "MPICH 4.0.2, 2 ranks on one host: latency 0.56 µs (0.55 to 0.57 µs), peak 48 GB/s at 64 KiB (47 to 49
/// GB/s); 5 launches."
/// @param doubt that the next sentence says
std::string answer_in_numbers(const Subject& subject, const Trust& trust, const std::optional<Doubt>& doubt,
                              bool values_asked) {
    const std::string who = library_and_ranks(*subject.run);
    const std::string with_who = who.empty() ? "" : who + ": ";
    const bool crowded = doubt && doubt->kind == DoubtKind::shared_cores;
    std::vector<std::string> known;
    if (doubt && doubt->kind == DoubtKind::disturbed)
        known.push_back(headline_words(HeadlineDoubt::disturbed));
    std::vector<std::string> numbers;
    for (const Headline& headline : first_headlines(subject))
        numbers.push_back(crowded ? rough_number(headline) : answer_number(headline, known));
    if (numbers.empty() && values_asked)
        numbers = ends_of_suites(subject);
    const bool of_one = doubt && doubt->kind == DoubtKind::only_one_launch && subject.other_parts.empty();
    const std::string launches = of_one ? "" : launches_in_short(subject, trust, doubt);
    if (numbers.empty())
        return as_sentence(who.empty()        ? launches_in_short(subject, trust, doubt)
                           : launches.empty() ? who
                                              : who + " (" + launches + ")");
    std::string text = with_who + fmt::format("{}", fmt::join(numbers, ", "));
    if (!launches.empty())
        text += text.ends_with(')') ? "; " + launches : " (" + launches + ")";
    return text + ".";
}

constexpr double hour_s = 3600;

/// " within 3 minutes": over which time the launches were made; empty where nobody knows.
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

/// Whether the next sentence is states_sentence().
bool says_states(const LaunchesInStates& states, const std::optional<Doubt>& doubt) {
    // Where launches are few because others met another state, that says more than their number.
    return states.curve && doubt &&
           (doubt->kind == DoubtKind::few_launches || doubt->kind == DoubtKind::one_launch ||
            doubt->kind == DoubtKind::other_state);
}

/// "each value from 5 to 14 of 200 launches"; empty where all rest on all.
std::string launches_behind_values(const Subject& subject, std::size_t launches) {
    int fewest = std::numeric_limits<int>::max();
    int most = 0;
    for (const Curve& curve : subject.curves)
        for (const StoredMeasurement& point : curve.points)
            if (point.merge && above_zero(point.measurement)) {
                fewest = std::min(fewest, point.merge->runs);
                most = std::max(most, point.merge->runs);
            }
    if (most == 0 || static_cast<std::size_t>(fewest) >= launches)
        return {};
    return fmt::format("each value from {}{} of {}", fewest < most ? fmt::format("{} to ", fewest) : "", most,
                       launches_text(launches));
}

/// "one launch", "5 launches within 3 minutes", "4 of 5 launches", "each value from 5 to 14 of 200
/// launches".
std::string launches_in_short(const Subject& subject, const Trust& trust, const std::optional<Doubt>& doubt) {
    if (!subject.other_parts.empty())
        return fmt::format("each suite from one of {} launches", subject.other_parts.size() + 1);
    const std::size_t launches = std::max(trust.launches, trust.launches_merged);
    if (subject.run && is_simulated(*subject.run))
        return "simulated";
    if (launches <= 1)
        return "one launch";
    if (const LaunchesInStates states = launches_in_states(subject); states.curve && trust.launches > 0) {
        const std::string behind =
            says_states(states, doubt) ? "" : launches_behind_values(subject, launches);
        return (behind.empty() ? launches_text(launches) : behind) + span_text(trust);
    }
    if (trust.launches == 0 || trust.launches >= trust.launches_merged)
        return launches_text(launches) + span_text(trust);
    return fmt::format("{} of {}{}", trust.launches, launches_text(launches), span_text(trust));
}

std::string asked_for(const Trust& trust) {
    return trust.error_asked_for ? fmt::format("the {} asked for", format_percent(*trust.error_asked_for))
                                 : "what was asked for";
}

/// "the error between launches is at most the 2 % asked for at 20 of 27 points"
std::string settled_text(const Trust& trust) {
    const std::int64_t values = trust.settled + trust.unsettled + trust.settled_unknown;
    const std::string at = trust.settled == 0 ? "at no point"
                           : trust.settled == values
                               ? "at all points"
                               : fmt::format("at {} of {} points", trust.settled, values);
    return fmt::format("the error between launches is at most {} {}", asked_for(trust), at);
}

/// "4 of 5 launches ran in the machine state shown, 1 in another."
/// @param merged launches of the report: of the suite that shows the states some may not count at all
std::string states_sentence(const LaunchesInStates& found, std::size_t merged) {
    const std::size_t all = found.launches();
    const std::string of_all = launches_text(std::max(all, merged));
    const std::size_t others = found.left_out();
    std::string counts =
        found.changed_within_launches()
            ? fmt::format("{} of {} met the machine state shown, {}", found.met_shown(), of_all,
                          found.states.size() > 2 ? fmt::format("{} others", others)
                                                  : fmt::format("{} the other ({} met both)", others,
                                                                found.met_shown() + others - all))
            : fmt::format("{} of {} ran in the machine state shown, {} in {}", all - others, of_all, others,
                          found.states.size() > 2 ? "others" : "another");
    if (all < merged) {
        const std::size_t without = merged - all;
        counts = fmt::format("{}: {}; {} {} not count", shortened_name(title_of(*found.curve), 40), counts,
                             without, without == 1 ? "does" : "do");
    }
    return counts + (found.another_has_more()
                         ? ", but all suites together were mostly measured, undisturbed, "
                           "in the one shown."
                         : ".");
}

/// The one sentence on how far the values can be trusted: the gravest doubt, else how far they are known.
std::string trust_sentence(const Subject& subject, const Trust& trust, const std::optional<Doubt>& doubt) {
    if (const LaunchesInStates states = launches_in_states(subject); says_states(states, doubt))
        return states_sentence(states,
                               static_cast<std::size_t>(std::max(trust.launches, trust.launches_merged)));
    if (doubt && doubt->kind != DoubtKind::unsettled)
        return doubt_sentences(*doubt);
    if (is_simulated(*subject.run))
        return {};
    if (trust.settled + trust.unsettled == 0 && noise_state(subject, trust) == NoiseState::known)
        return {};
    if (trust.settled + trust.unsettled == 0)
        return "How much launches differ is unknown: the file holds only their merged values.";
    return as_sentence(settled_text(trust) +
                       (trust.span_s && *trust.span_s < hour_s ? "; another hour may differ by more" : ""));
}

std::string noise_text(const Subject& subject, const Trust& trust) {
    switch (noise_state(subject, trust)) {
    case NoiseState::known:
        return fmt::format("{} (median over points, {})", format_percent(*trust.noise_between_launches),
                           launches_text(trust.launches));
    case NoiseState::few_launches:
        return fmt::format("unknown: {}, {} are needed", launches_text(trust.launches), launches_needed);
    case NoiseState::not_in_file:
        return fmt::format("unknown: the file holds only the merged values of {}",
                           launches_text(trust.launches));
    case NoiseState::simulated:
        return "none: simulated launches do not differ";
    case NoiseState::one_launch:
        return fmt::format("unknown: one launch, {} are needed", launches_needed);
    case NoiseState::no_launch:
        break;
    }
    return "unknown: no launch";
}

/// "MPI_Bcast: 4 launches with a probe of 1.29 us (shown), 1 with a probe of 343 ns; launches left out in 7
/// of 8 suites"
void add_states(const Subject& subject, std::vector<Fact>& facts) {
    const LaunchesInStates found = launches_in_states(subject);
    if (!found.curve)
        return;
    std::vector<std::string> states;
    for (const StateOfLaunches& state : found.states)
        states.push_back(fmt::format("{} {}{}", launches_text(state.launches),
                                     state.probe_s > 0 ? "with a probe of " + format_time(state.probe_s, 3)
                                                       : "told apart by their times alone",
                                     state.shown ? " (shown)" : ""));
    facts.push_back(
        {"Machine states",
         fmt::format("{}: {}{}; launches left out in {} of {} (probe: a short exchange that tells the "
                     "machine's state)",
                     shortened(title_of(*found.curve), 30), enumeration(states),
                     found.changed_within_launches() ? ", some in several" : "", found.curves,
                     count_of(std::ssize(subject.curves), "suite"))});
}

/// "numbers 5, 9 and 12"; by file where they are of several, by begin where numbers do not name
/// them.
std::string names_of_launches(const Run& run, const std::set<std::string>& uuids) {
    const std::map<std::string, MergedSource> sources = merged_sources(run);
    std::set<std::string> files;
    std::set<int> numbers;
    for (const auto& [uuid, source] : sources) {
        files.insert(source.file);
        numbers.insert(source.launch);
    }
    const auto name_of = [&](const std::string& uuid) -> std::string {
        const auto source = sources.find(uuid);
        if (source == sources.end())
            return shortened(uuid, 40);
        if (files.size() == sources.size())
            return shortened(source->second.file, 60);
        if (numbers.size() == sources.size())
            return std::to_string(source->second.launch + 1);
        return source->second.started_utc.empty() ? shortened(uuid, 40)
                                                  : "that of " + source->second.started_utc;
    };
    std::vector<std::pair<int, std::string>> names; // in the order of the launches
    for (const std::string& uuid : uuids) {
        const auto source = sources.find(uuid);
        names.emplace_back(source == sources.end() ? 0 : source->second.launch, name_of(uuid));
    }
    std::ranges::sort(names);
    constexpr std::size_t most = 10;
    std::vector<std::string> shown;
    for (std::size_t i = 0; i < std::min(most, names.size()); ++i)
        shown.push_back(names[i].second);
    if (names.size() > most)
        shown.push_back(fmt::format("{} more", names.size() - most));
    const bool by_number = files.size() < sources.size() && numbers.size() == sources.size();
    return (!by_number ? "" : names.size() == 1 ? "number " : "numbers ") + enumeration(shown);
}

/// "3 of 16 launches (numbers 5, 9 and 12): a rank waited for a core, ..."
void add_lost_cores(const Subject& subject, std::vector<Fact>& facts) {
    const LaunchesWithoutCore found = launches_without_core(subject);
    if (found.uuids.empty() || !subject.run)
        return;
    facts.push_back(
        {"Without a core",
         fmt::format("{} of {} ({}): a rank waited for a core, and a round trip of one byte took up "
                     "to {} instead of {}; values measured then are left out",
                     found.uuids.size(), launches_text(found.launches),
                     names_of_launches(*subject.run, found.uuids), format_time(found.probe_s, 2),
                     format_time(found.with_core_s, 2))});
}

/// "; 95 % of the values of single launches, which are left out"
std::string launches_disturbed_text(const Trust& trust) {
    const double share = trust.launch_values == 0 ? 0
                                                  : static_cast<double>(trust.launch_values_disturbed) /
                                                        static_cast<double>(trust.launch_values);
    constexpr double least_told = 0.1;
    if (trust.launches_merged < 2 || share < least_told)
        return {};
    return fmt::format("; {} of the values of single launches{}", format_percent(share),
                       trust.rests_on_undisturbed() ? ", which are left out" : "");
}

void add_flagged(const Subject& subject, const Trust& trust, std::vector<Fact>& facts) {
    const auto of_points = [&](std::int64_t count) {
        return fmt::format("{} of {}", count, count_of(trust.points, "point"));
    };
    if (trust.settled + trust.unsettled == 0) {
        facts.push_back({"Settled", trust.launches <= 1
                                        ? "unknown (one launch)"
                                        : fmt::format("unknown ({})", launches_text(trust.launches))});
    } else {
        facts.push_back({"Settled", fmt::format("{}: error between launches at most {}",
                                                of_points(trust.settled), asked_for(trust))});
        facts.push_back(
            {"Not settled",
             std::to_string(trust.unsettled) +
                 (trust.settled_unknown > 0 ? fmt::format("; unknown at {}", trust.settled_unknown) : "")});
    }
    const std::int64_t neither =
        trust.points - trust.repeatable - trust.repeatability_unknown - trust.stopped_by_limit;
    facts.push_back(
        {"Repeatable",
         of_points(trust.repeatable) + " within a launch" +
             (trust.repeatability_unknown > 0 ? fmt::format("; unknown at {}", trust.repeatability_unknown)
                                              : "") +
             (neither > 0 ? fmt::format("; {} more would be, but are unreliable", neither) : "")});
    std::vector<std::string> limits;
    if (trust.timed_out > 0)
        limits.push_back(trust.timed_out == trust.stopped_by_limit
                             ? std::string("by time limit")
                             : fmt::format("{} by time limit", trust.timed_out));
    if (trust.stopped_by_limit > trust.values_stopped_by_limit)
        limits.push_back(fmt::format("{} of them without a value",
                                     trust.stopped_by_limit - trust.values_stopped_by_limit));
    facts.push_back(
        {"Not repeatable", fmt::format("{}{}", trust.stopped_by_limit,
                                       limits.empty() ? "" : fmt::format(" ({})", fmt::join(limits, ", ")))});
    facts.push_back({"Unreliable", std::to_string(trust.unreliable) +
                                       (trust.unreliable > 0 ? ", close to the cost of measuring" : "")});
    facts.push_back({"Disturbed", std::to_string(trust.disturbed) +
                                      (trust.disturbed > 0 ? ", by other work on the cores" : "") +
                                      launches_disturbed_text(trust)});
    facts.push_back(
        {"In several modes",
         trust.several_modes == 0 || trust.within_one_state == 0
             ? std::to_string(trust.several_modes) +
                   (trust.several_modes > 0 ? ": values of several machine states" : "")
             : fmt::format("{}: launches met several machine states, {} of these values are of one of them",
                           trust.several_modes, trust.within_one_state)});
    add_states(subject, facts);
    add_lost_cores(subject, facts);
    if (trust.scattered > 0)
        facts.push_back(
            {"Scattered", of_points(trust.scattered) + ", interval wider than a tenth of the value"});
    if (trust.unsynchronised > 0)
        facts.push_back(
            {"Between barriers", of_points(trust.unsynchronised) + ": ranks missed their windows"});
    if (trust.wrong_result > 0)
        facts.push_back({"Wrong results", std::to_string(trust.wrong_result)});
    if (trust.discarded > 0)
        facts.push_back(
            {"Discarded", format_count(trust.discarded, trust.discarded_of) +
                              " single measurements: a rank was late, or the machine changed its state"});
}

void add_suites(const Trust& trust, std::vector<Fact>& facts) {
    std::vector<std::string> parts;
    if (trust.suites_failed > 0)
        parts.push_back(fmt::format("{} failed or put off", trust.suites_failed));
    if (trust.suites_open > 0)
        parts.push_back(fmt::format("{} open", trust.suites_open));
    if (!parts.empty())
        facts.push_back({"Suites", fmt::format("{}", fmt::join(parts, ", "))});
}

void add_clocks(const Run& run, std::vector<Fact>& facts) {
    if (run.clock_resolution_s > 0)
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

/// What "used the cores" beside the ranks.
std::string other_work_text(const Run& run) {
    switch (neighbours_of(run)) {
    case Neighbours::machines:
        // Virtual cores may be hardware threads of one core that the hypervisor does not tell of.
        return std::string("other virtual machines of the host worked on the same cores") +
               (2 * static_cast<std::size_t>(run.ranks) > binding_of(run.rank_facts).cores
                    ? ", or the virtual cores themselves share cores"
                    : "");
    case Neighbours::processes:
        return "other processes worked on the same cores, on their other hardware threads";
    case Neighbours::none:
        break;
    }
    return "other work used the cores";
}

} // namespace

TextAndCommand descriptive_answer(const Subject& subject, bool values_asked) {
    if (!subject.run)
        return {"This database holds no run."};
    const Trust trust = assess(subject);
    if (trust.points == 0) {
        const std::string text = doubts_text(doubts(subject, trust, false));
        const std::string what =
            subject.run->facts.contains(fact_read_from)
                ? "The file holds no value: the program that wrote it stored none, or was ended before."
            : subject.ended ? "Nothing could be measured."
                            : "No measurement is finished yet.";
        return {what + (text.empty() ? "" : " " + as_sentence(text))};
    }
    const std::optional<Doubt> doubt = gravest(doubts(subject, trust, true));
    TextAndCommand next = next_step(subject, trust);
    if (values_asked && next.empty())
        next = settling_step(subject, trust);
    std::vector<TextAndCommand> sentences{{answer_in_numbers(subject, trust, doubt, values_asked)},
                                          {trust_sentence(subject, trust, doubt)},
                                          std::move(next)};
    constexpr double nearly_all = 0.8;
    if (static_cast<double>(trust.disturbed) > nearly_all * static_cast<double>(trust.points) &&
        trust.points > 1 && !shared_threads(*subject.run))
        sentences.insert(sentences.begin(), {fmt::format("These times are no measure of the library: {}.",
                                                         other_work_text(*subject.run))});
    return joined(sentences);
}

std::string doubts_about(const Subject& subject) {
    if (!subject.run)
        return {};
    const std::optional<Doubt> doubt = gravest(doubts(subject, assess(subject), false));
    return doubt ? fmt::format("In {}: {}.", shortened(subject.label, 30), doubt_text(*doubt))
                 : std::string();
}

std::string gravest_doubt_about(const std::vector<const Subject*>& subjects) {
    std::vector<Doubt> all;
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
    const auto same = std::ranges::count(all, worst->kind, &Doubt::kind);
    // Of one host, however many ran on it.
    const bool of_host = worst->kind == DoubtKind::shared_cores || worst->kind == DoubtKind::shared_threads;
    if (of_host && subjects.size() > 1 && std::ranges::count(all, *worst) == std::ssize(subjects))
        return as_sentence(doubt_text(*worst));
    if (!of_host && subjects.size() > 1 && same == std::ssize(subjects) && worst->of > 0) {
        Doubt together{worst->kind, 0, 0};
        for (const Doubt& doubt : all) {
            together.count += doubt.count;
            together.of += doubt.of;
        }
        return as_sentence(doubt_text(together));
    }
    const Subject& owner = *owners[static_cast<std::size_t>(std::ranges::find(all, *worst) - all.begin())];
    return fmt::format("In {}: {}.", shortened(owner.label, 30), doubt_text(*worst));
}

std::vector<Fact> trust_facts(const Subject& subject) {
    const Trust trust = assess(subject);
    std::vector<Fact> facts;
    if (trust.points == 0) // nothing can be counted
        facts.push_back({"Points", "none"});
    else
        add_flagged(subject, trust, facts);
    if (subject.run && !subject.run->forced_differences.empty()) {
        std::vector<std::string> texts;
        for (const ForcedDifference& each : subject.run->forced_differences)
            texts.push_back(each.text);
        facts.push_back(
            {"Merged by force", shortened(fmt::format("although {}", fmt::join(texts, "; ")), 300)});
    }
    add_suites(trust, facts);
    if (subject.run)
        add_clocks(*subject.run, facts);
    facts.push_back({"Run-to-run noise", noise_text(subject, trust)});
    if (subject.run && is_simulated(*subject.run))
        std::erase_if(facts, [](const Fact& fact) {
            return fact.value == "0" || fact.name == "Settled" || fact.name == "Clock";
        });
    if (subject.run && subject.run->measuring_share > 0)
        facts.push_back({"Time in measured calls", format_percent(subject.run->measuring_share)});
    return facts;
}

std::string trust_in_short(const Subject& subject) {
    const Trust trust = assess(subject);
    const auto noise = [&]() -> std::string {
        switch (noise_state(subject, trust)) {
        case NoiseState::known:
            return fmt::format("run-to-run noise {} over {}", format_percent(*trust.noise_between_launches),
                               launches_text(trust.launches));
        case NoiseState::not_in_file:
            return fmt::format("run-to-run noise of {} unknown", launches_text(trust.launches));
        case NoiseState::simulated:
            return "simulated: launches do not differ";
        case NoiseState::few_launches:
            return fmt::format("{}: run-to-run noise unknown", launches_text(trust.launches));
        case NoiseState::one_launch:
        case NoiseState::no_launch:
            break;
        }
        return "one launch: run-to-run noise unknown";
    };
    const std::string settled = trust.settled + trust.unsettled > 0 ? fmt::format("{} settled", trust.settled)
                                                                    : std::string("settled unknown");
    return fmt::format("{}: {} repeatable within a launch, {}; {}", count_of(trust.points, "point"),
                       trust.repeatable, settled, noise());
}

std::string trust_in_short(const std::vector<const Subject*>& subjects) {
    std::int64_t points = 0;
    std::int64_t repeatable = 0;
    std::int64_t settled = 0;
    for (const Subject* subject : subjects) {
        const Trust trust = assess(*subject);
        points += trust.points;
        repeatable += trust.repeatable;
        settled += trust.settled;
    }
    return fmt::format("{}: {} repeatable within a launch, {} settled", count_of(points, "point"), repeatable,
                       settled);
}

} // namespace skampi
