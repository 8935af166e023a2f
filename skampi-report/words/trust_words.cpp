#include "words/trust_words.hpp"

#include "analysis/comparison.hpp"
#include "analysis/headline.hpp"
#include "analysis/trust.hpp"
#include "model/forced_merge.hpp"
#include "model/ledger.hpp"
#include "model/quantity.hpp"
#include "subject/library_name.hpp"
#include "words/doubt_words.hpp"
#include "words/headline_words.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <fmt/format.h>

namespace skampi {

namespace {

std::string launches_text(std::size_t launches) {
    return count_of(static_cast<std::int64_t>(launches), "launch", "launches");
}

std::string as_sentence(std::string text) {
    text.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(text.front())));
    return text + ".";
}

std::string library_and_ranks(const Run& run) {
    std::vector<std::string> parts;
    if (!run.mpi_library.empty() && run.mpi_library != library_without_mpi)
        parts.push_back(library_name(run));
    if (run.ranks > 0)
        parts.push_back(count_of(run.ranks, "rank"));
    return fmt::format("{}", fmt::join(parts, ", "));
}

/// "latency 0.56 µs, peak bandwidth 48 GB/s at 64 KiB": the first headlines
/// that have a value; may be empty.
std::string numbers_in_short(const Subject& subject) {
    std::vector<std::string> parts;
    std::vector<HeadlineKind> said;
    for (const Headline& headline : headlines(subject)) {
        constexpr std::size_t most = 2;
        if (parts.size() == most)
            break;
        if (!std::isfinite(headline.value) || headline.kind == HeadlineKind::half_peak_length ||
            std::ranges::find(said, headline.kind) != said.end())
            continue;
        said.push_back(headline.kind);
        const std::string name = headline.kind == HeadlineKind::latency          ? "latency"
                                 : headline.kind == HeadlineKind::peak_bandwidth ? "peak bandwidth"
                                                                                 : headline_name(headline);
        parts.push_back(name + " " + headline_value_at(headline));
    }
    return fmt::format("{}", fmt::join(parts, ", "));
}

/// "from one launch", "merged from 5 launches, of which 3 count: the others are
/// doubtful or have no value"
std::string origin_text(const Subject& subject, const Trust& trust) {
    if (!subject.other_parts.empty())
        return fmt::format("each suite from one of {} launches", subject.other_parts.size() + 1);
    const std::size_t launches = std::max(trust.launches, trust.launches_merged);
    if (launches <= 1)
        return "from one launch";
    std::string text =
        fmt::format("merged from {} launches{}", launches, subject.merged_here ? " in this file" : "");
    if (trust.launches > 0 && trust.launches < trust.launches_merged)
        text += fmt::format(", of which {} {}", trust.launches,
                            trust.of_other_states ? "were in the machine state shown"
                                                  : "count: the others are doubtful or have no value");
    return text;
}

std::string noise_text(const Subject& subject, const Trust& trust) {
    switch (noise_state(subject, trust)) {
    case NoiseState::known:
        return fmt::format(
            "{} (median over points, {}{})", format_percent(*trust.noise_between_launches),
            launches_text(trust.launches),
            trust.launches < launches_needed ? fmt::format("; an interval needs {}", launches_needed) : "");
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

void add_flagged(const Trust& trust, std::vector<Fact>& facts) {
    const auto of_points = [&](std::int64_t count) {
        return fmt::format("{} of {}", count, count_of(trust.points, "point"));
    };
    facts.push_back({"Settled", of_points(trust.settled)});
    std::vector<std::string> unsettled;
    if (trust.timed_out > 0)
        unsettled.push_back(fmt::format("{} by time limit", trust.timed_out));
    if (trust.not_settled > trust.values_not_settled)
        unsettled.push_back(fmt::format("{} without a value", trust.not_settled - trust.values_not_settled));
    facts.push_back({"Unsettled",
                     fmt::format("{}{}", trust.not_settled,
                                 unsettled.empty() ? "" : fmt::format(" ({})", fmt::join(unsettled, ", ")))});
    facts.push_back({"Unreliable", std::to_string(trust.unreliable)});
    facts.push_back({"Disturbed", std::to_string(trust.disturbed)});
    facts.push_back({"In several modes", std::to_string(trust.several_modes)});
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
            {"Discarded", format_count(trust.discarded, trust.single_measurements + trust.discarded) +
                              " single measurements"});
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
            {"Clock", fmt::format("resolution {}, a reading costs {}", format_time(run.clock_resolution_s, 2),
                                  format_time(run.clock_cost_s, 2))});
    if (run.kind != "raw")
        return;
    if (const double bound_s = largest_clock_bound_s(run); bound_s > 0)
        facts.push_back({"Clocks of the hosts", fmt::format("agree within {}", format_time(bound_s, 2))});
    const auto missed = run.facts.find(fact_windows_missed);
    if (missed != run.facts.end() && missed->second != "0")
        facts.push_back({"Windows missed", missed->second + ", discarded"});
}

} // namespace

std::string descriptive_answer(const Subject& subject) {
    if (!subject.run)
        return "This database holds no run.";
    const Trust trust = assess(subject);
    const std::string against = doubts_text(doubts(subject, trust, trust.points > 0));
    const std::string doubtful = against.empty() ? "" : " " + as_sentence(against);
    if (trust.points == 0)
        return (subject.ended ? "Nothing could be measured." : "No measurement is finished yet.") + doubtful;
    const auto suites =
        std::ranges::count_if(subject.curves, [](const Curve& curve) { return !curve.points.empty(); });
    const std::string who = library_and_ranks(*subject.run);
    const std::string numbers = numbers_in_short(subject);
    return fmt::format("{}{}{}{}{} with {}, {}{}.{}", who, !who.empty() && !numbers.empty() ? ": " : "",
                       numbers, who.empty() && numbers.empty() ? "" : ". ", count_of(suites, "suite"),
                       count_of(trust.points, "point"), against.empty() ? "all settled, " : "",
                       origin_text(subject, trust), doubtful);
}

std::string doubts_about(const Subject& subject) {
    if (!subject.run)
        return {};
    const std::string against = doubts_text(doubts(subject, assess(subject), false));
    return against.empty() ? std::string() : fmt::format("In {}: {}.", shortened(subject.label, 30), against);
}

std::vector<Fact> trust_facts(const Subject& subject) {
    const Trust trust = assess(subject);
    std::vector<Fact> facts;
    if (trust.points == 0) // nothing can be counted
        facts.push_back({"Points", "none"});
    else
        add_flagged(trust, facts);
    if (subject.run && subject.run->facts.contains(fact_merged_by_force))
        facts.push_back(
            {"Merged by force", "although " + shortened(subject.run->facts.at(fact_merged_by_force), 300)});
    add_suites(trust, facts);
    if (subject.run)
        add_clocks(*subject.run, facts);
    facts.push_back({"Run-to-run noise", noise_text(subject, trust)});
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
        case NoiseState::one_launch:
        case NoiseState::no_launch:
            break;
        }
        return "one launch: run-to-run noise unknown";
    };
    return fmt::format("{} of {} settled; {}", trust.settled, count_of(trust.points, "point"), noise());
}

} // namespace skampi
