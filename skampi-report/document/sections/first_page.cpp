#include "document/sections/first_page.hpp"

#include "analysis/trust.hpp"
#include "document/sections/comparison_section.hpp"
#include "document/sections/headline_tables.hpp"
#include "merge/run_group.hpp"
#include "model/ledger.hpp"
#include "model/quantity.hpp"
#include "model/series.hpp"
#include "subject/library_name.hpp"
#include "words/meaning.hpp"
#include "words/system_facts.hpp"
#include "words/trust_words.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace skampi {

namespace {

/// How many small plots the first page has room for.
constexpr std::size_t overview_plots = 30;

void add(std::vector<Fact>& facts, const std::string& name, const std::string& value) {
    if (!value.empty())
        facts.push_back({name, value});
}

FactList system_box(const std::vector<Subject>& subjects) {
    FactList box{"System", {}};
    const Subject& subject = subjects.front();
    if (!subject.run) {
        box.facts.push_back({"Runs", "none in this database"});
        return box;
    }
    const Run& run = *subject.run;
    add(box.facts, "MPI library", library_name(run));
    add(box.facts, "Machine", shortened(run.machine, 90));
    add(box.facts, "Variant", shortened(run.variant, 90));
    const std::string hosts = hosts_of(run);
    if (run.ranks > 0)
        add(box.facts, "Ranks",
            fmt::format("{}{}{}{}{}", run.ranks, hosts.empty() ? "" : " on ", hosts,
                        run.binding.empty()                      ? ""
                        : run.binding.starts_with("1 core each") ? ", bound to "
                                                                 : ", free to move on ",
                        shortened(run.binding, 60)));
    // Many of them would push the plots from the page: the chapter on the machine has all.
    constexpr std::size_t most = 9;
    constexpr std::size_t most_characters = 120; // two lines and a half: caches of several kinds
    std::vector<MachineFact> machine = machine_facts(run);
    std::erase_if(machine, &MachineFact::is_detail);
    if (machine.size() > most)
        machine.resize(most);
    for (MachineFact& each : machine)
        box.facts.push_back({std::move(each.fact.name), shortened(each.fact.value, most_characters)});
    add(box.facts, "Measured", time_of_run(run));
    if (!subject.other_parts.empty())
        add(box.facts, "Runs",
            fmt::format("{}, one for each part of the suites", subject.other_parts.size() + 1));
    else if (run.kind == "merged")
        add(box.facts, "Runs merged",
            fmt::format("{}{}", run.merged_runs, subject.merged_here ? ", all launches in this file" : ""));
    else
        add(box.facts, "Runs", "one");
    if (subject.suites_left_out > 0)
        add(box.facts, "Suites",
            fmt::format("{} of {}, as selected", subject.curves.size(),
                        subject.curves.size() + static_cast<std::size_t>(subject.suites_left_out)));
    if (subject.strangers > 0)
        add(box.facts, "Not shown",
            fmt::format("{} in this file of another series: {}{}", count_of(subject.strangers, "run"),
                        subject.strangers > 1 ? "of the newest, " : "", subject.strangers_differ));
    for (std::size_t i = 1; i < subjects.size(); ++i) {
        const Subject& other = subjects[i];
        std::vector<std::string> different; // each cut inside its quotes
        if (other.run)
            different = Series(run).differences(Series(*other.run));
        box.facts.push_back({"Against " + shortened(other.label, 30),
                             !other.run ? "an empty database"
                             : different.empty()
                                 ? "launches of the same series: nothing that is known differs"
                                 : fmt::format("{}", fmt::join(different, "; "))});
    }
    return box;
}

/// 0 where all ranks read one clock, or nobody needed theirs.
double largest_clock_bound_s(const Run& run) {
    double largest_s = 0;
    for (const RankFacts& rank : run.rank_facts)
        largest_s = std::max(largest_s, rank.clock_bound_s);
    return largest_s;
}

FactList trust_box(const Subject& subject) {
    const Trust trust = assess(subject);
    FactList box{"Trust", {}};
    const auto of_points = [&](std::int64_t count) {
        return fmt::format("{} of {}", count, count_of(trust.points, "point"));
    };
    if (trust.points == 0) { // nothing can be said of none
        box.facts.push_back({"Points", "none"});
    } else {
        box.facts.push_back({"Settled", of_points(trust.settled)});
        std::vector<std::string> unsettled;
        if (trust.timed_out > 0)
            unsettled.push_back(fmt::format("{} by time limit", trust.timed_out));
        if (trust.not_settled > trust.values_not_settled)
            unsettled.push_back(
                fmt::format("{} without a value", trust.not_settled - trust.values_not_settled));
        box.facts.push_back(
            {"Unsettled",
             fmt::format("{}{}", trust.not_settled,
                         unsettled.empty() ? "" : fmt::format(" ({})", fmt::join(unsettled, ", ")))});
        box.facts.push_back({"Unreliable", std::to_string(trust.unreliable)});
        box.facts.push_back({"Disturbed", std::to_string(trust.disturbed)});
        box.facts.push_back({"In several modes", std::to_string(trust.several_modes)});
    }
    if (subject.run && subject.run->facts.contains(fact_merged_by_force))
        box.facts.push_back(
            {"Merged by force", "although " + shortened(subject.run->facts.at(fact_merged_by_force), 300)});
    if (trust.scattered > 0)
        box.facts.push_back(
            {"Scattered", of_points(trust.scattered) + ", interval wider than a tenth of the value"});
    if (trust.unsynchronised > 0)
        box.facts.push_back({"Between barriers", fmt::format("{}, for windows could not be kept",
                                                             of_points(trust.unsynchronised))});
    if (trust.wrong_result > 0)
        box.facts.push_back({"Wrong results", std::to_string(trust.wrong_result)});
    if (trust.discarded > 0)
        box.facts.push_back(
            {"Discarded", format_count(trust.discarded, trust.single_measurements + trust.discarded) +
                              " single measurements"});
    if (trust.suites_failed > 0 || trust.suites_open > 0)
        box.facts.push_back(
            {"Suites",
             fmt::format("{}{}{}",
                         trust.suites_failed > 0 ? fmt::format("{} failed or put off", trust.suites_failed)
                                                 : "",
                         trust.suites_failed > 0 && trust.suites_open > 0 ? ", " : "",
                         trust.suites_open > 0 ? fmt::format("{} open", trust.suites_open) : "")});
    if (subject.run && subject.run->clock_resolution_s > 0)
        box.facts.push_back({"Clock", fmt::format("resolution {}, a reading costs {}",
                                                  format_time(subject.run->clock_resolution_s, 2),
                                                  format_time(subject.run->clock_cost_s, 2))});
    if (subject.run && subject.run->kind == "raw") {
        if (const double bound_s = largest_clock_bound_s(*subject.run); bound_s > 0)
            box.facts.push_back(
                {"Clocks of the hosts", fmt::format("agree within {}", format_time(bound_s, 2))});
        const auto missed = subject.run->facts.find(fact_windows_missed);
        if (missed != subject.run->facts.end() && missed->second != "0")
            box.facts.push_back({"Windows missed", missed->second + ", discarded"});
    }
    if (trust.noise_between_launches)
        box.facts.push_back(
            {"Run-to-run noise",
             fmt::format("{} (median over points, {}{})", format_percent(*trust.noise_between_launches),
                         count_of(static_cast<std::int64_t>(trust.launches), "launch", "launches"),
                         trust.launches < launches_needed
                             ? fmt::format("; {} needed for intervals", launches_needed)
                             : "")});
    else
        box.facts.push_back(
            {"Run-to-run noise",
             trust.launches > 1
                 ? fmt::format("unknown: the file holds what {} gave together",
                               count_of(static_cast<std::int64_t>(trust.launches), "launch", "launches"))
             : subject.run && is_simulated(*subject.run)
                 ? std::string("none: simulated launches do not differ")
             : subject.run ? fmt::format("unknown: one launch; {} needed", launches_needed)
                           : std::string("unknown: no launch")});
    if (subject.run && subject.run->measuring_share > 0)
        box.facts.push_back({"Time in measured calls", format_percent(subject.run->measuring_share)});
    return box;
}

/// Programs that measure functions of their own need no MPI.
bool measures_mpi(const Subject& subject) {
    if (subject.run && subject.run->mpi_library == library_without_mpi)
        return false;
    return (subject.run && !subject.run->mpi_library.empty()) ||
           std::ranges::any_of(subject.curves, [](const Curve& curve) {
               return curve.suite().operation.name.starts_with("MPI_") ||
                      curve.suite().operation.pattern != Pattern::simple;
           });
}

std::string answer_of(const Material& material) {
    const Contest& contest = material.contest;
    std::string answer;
    if (contest.comparisons.empty()) {
        answer = descriptive_answer(material.subject());
    } else {
        std::vector<const Subject*> all;
        for (const Subject& each : material.subjects)
            all.push_back(&each);
        answer = comparison_answer(all, contest.comparisons);
    }
    if (!contest.other_sizes.empty()) {
        std::vector<std::string> sizes;
        for (const Subject* other : contest.other_sizes) {
            if (contest.comparisons.empty())
                answer += " " + doubts_about(*other);
            sizes.push_back(shortened(other->label, 30));
        }
        if (answer.ends_with(' '))
            answer.pop_back();
        answer += fmt::format(" Shown over the number of ranks, from the same file: {}.", enumeration(sizes));
    }
    return answer;
}

std::optional<FigureBlock> overview_block(const Subject& first, const std::vector<const Subject*>& others,
                                          FigureNames& names) {
    std::vector<std::vector<const Curve*>> plots;
    for (const Curve& curve : first.curves) {
        if (!drawable(curve))
            continue;
        plots.push_back({&curve});
        for (const Subject* other : others)
            plots.back().push_back(matching_curve(*other, curve));
    }
    std::vector<std::string> labels;
    if (!others.empty()) {
        labels.push_back(shortened(first.label, 30));
        for (const Subject* other : others)
            labels.push_back(shortened(other->label, 30));
    }
    Figure overview = overview_figure(names.next(), plots, labels, overview_plots);
    if (overview.panels.empty())
        return std::nullopt;
    FigureBlock block{std::move(overview),
                      "time over the parameter varied, all with the same range of times; "
                      "what a time is stands with each suite."};
    block.suites = plots.size();
    return block;
}

} // namespace

Cover first_page_in_short(const Material& material) {
    const std::vector<Subject>& subjects = material.subjects;
    const DocumentOptions& options = material.options;
    const Contest& contest = material.contest;
    const Subject& subject = subjects.front();
    Cover cover;
    const std::string mpi = std::ranges::any_of(subjects, measures_mpi) ? "MPI performance" : "Performance";
    const std::string& wanted = options.title.empty() ? options.content.title : options.title;
    cover.title = !wanted.empty()               ? wanted
                  : contest.comparisons.empty() ? mpi + " report"
                                                : mpi + " comparison";
    if (!contest.comparisons.empty()) {
        std::vector<std::string> labels;
        for (const Subject* other : contest.others)
            labels.push_back(shortened(other->label, 30));
        cover.subtitle = enumeration(labels) + " against " + shortened(contest.reference->label, 30);
    } else if (subject.run) {
        cover.subtitle =
            shortened(subject.run->machine.empty() ? hosts_of(*subject.run) : subject.run->machine, 80);
    }
    cover.answer = answer_of(material);
    cover.system = system_box(subjects);
    if (contest.comparisons.empty()) {
        cover.trust = trust_box(subject);
        for (const Subject* other : contest.other_sizes)
            cover.trust.facts.push_back({"In " + shortened(other->label, 30), trust_in_short(*other)});
        cover.headlines = headline_table(subject);
        return cover;
    }
    cover.trust.title = "Trust";
    for (const Subject& each : subjects)
        cover.trust.facts.push_back({"In " + shortened(each.label, 30), trust_in_short(each)});
    constexpr std::size_t most_rows = 16;
    for (const DatabaseComparison& comparison : contest.comparisons)
        if (Table winners = winners_table(comparison, most_rows / contest.comparisons.size());
            !winners.rows.empty())
            cover.winners.push_back(std::move(winners));
    cover.headlines = headlines_compared(contest);
    return cover;
}

Cover first_page(const Material& material) {
    Cover cover = first_page_in_short(material);
    const Contest& contest = material.contest;
    cover.overview = overview_block(contest.comparisons.empty() ? material.subject() : *contest.reference,
                                    contest.others, material.names);
    return cover;
}

} // namespace skampi
