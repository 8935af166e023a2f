// SPDX-License-Identifier: GPL-2.0-or-later
#include "document/sections/first_page.hpp"

#include "analysis/models/rank_study.hpp"
#include "analysis/trust/headline.hpp"
#include "analysis/trust/trust.hpp"
#include "document/sections/contest_section.hpp"
#include "document/sections/headline_tables.hpp"
#include "document/sections/overview_plots.hpp"
#include "document/sections/surface_table.hpp"
#include "document/sections/system_box.hpp"
#include "launches/launches_left_out.hpp"
#include "launches/library_name.hpp"
#include "model/quantity.hpp"
#include "words/algorithm_words.hpp"
#include "words/contract_words.hpp"
#include "words/doubt_words.hpp"
#include "words/growth_words.hpp"
#include "words/guideline_words.hpp"
#include "words/session_words.hpp"
#include "words/suite_words.hpp"
#include "words/system_facts.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <iterator>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace skampi {

namespace {

/// Where a run was: for a simulated one the network, because its hosts have no meaning.
std::string place_of(const Run& run) {
    if (!run.machine.empty())
        return shortened(run.machine, 80);
    if (!is_simulated(run))
        return shortened(hosts_of(run), 80);
    const auto simulated = run.facts.find(fact_simulation);
    return shortened(
        simulated == run.facts.end() ? "several simulated clusters" : "simulated " + simulated->second, 110);
}

/// Programs that measure functions of their own need no MPI.
bool measures_mpi(const Subject& subject) {
    if (subject.run && is_sequential(*subject.run))
        return false;
    return (subject.run && !subject.run->mpi_library.empty()) ||
           std::ranges::any_of(subject.curves, [](const Curve& curve) {
               return curve.suite().operation.name.starts_with("MPI_") ||
                      curve.suite().operation.pattern != Pattern::simple;
           });
}

/// @param values_asked the values themselves were asked for
TextAndCommand answer_of(const Material& material, bool values_asked) {
    const Rivals& contest = material.contest;
    if (contest.comparisons.empty())
        return descriptive_answer(material.subject(), values_asked);
    std::vector<const Subject*> all;
    for (const Subject& each : material.subjects)
        all.push_back(&each);
    return comparison_answer(all, contest.comparisons);
}

/// Where algorithms were measured in turns, the choice among them is the first question; else null.
const AlgorithmFindings* asked_algorithms(const Material& material) {
    const AlgorithmFindings* found = material.options.algorithms;
    return found && !found->winners.empty() && material.contest.comparisons.empty() ? found : nullptr;
}

TextAndCommand answer_with_algorithms(const Material& material) {
    const AlgorithmFindings* const found = asked_algorithms(material);
    return joined(
        {{found ? algorithms_answer(*found) : std::string()}, answer_of(material, found == nullptr)});
}

TextAndCommand answer_of_session(const SessionContest& turns) {
    return joined({{session_answer(turns)}, session_next(turns)});
}

/// For jobs on several numbers of ranks, growth with these is the answer.
void add_study(const Rivals& contest, Cover& cover) {
    const std::vector<const Subject*> sizes = contest.sizes();
    const Subject study = over_ranks(sizes);
    const std::vector<Scaling> found = scalings(study);
    if (found.empty())
        return;
    cover.answer = study_answer(sizes, found);
    cover.headlines = scaling_table(found);
}

bool has_point_to_point(const Subject& subject) {
    return std::ranges::any_of(headlines(subject), [](const Headline& headline) {
        return headline.kind == HeadlineKind::latency || headline.kind == HeadlineKind::peak_bandwidth;
    });
}

/// Also for one job whose suites are over the number of ranks and that has no latency as an answer.
void add_growth(const Subject& subject, Cover& cover) {
    const Subject study = over_ranks({&subject});
    std::vector<Scaling> found = scalings(study);
    std::erase_if(found, [](const Scaling& scaling) { return !scaling.model; });
    if (found.empty() || has_point_to_point(subject))
        return;
    cover.answer = study_answer({&subject}, found);
    cover.winners.push_back(scaling_table(found));
}

/// Functions of one library that are slower than its own replacements, the worst first. With few launches
/// only large differences, because the scatter between launches is not known.
std::vector<std::string> worst_violations(const Material& material) {
    constexpr std::size_t most = 3;
    const bool in_one_state = std::ranges::any_of(
        material.jobs(), [](const Subject* job) { return launches_in_states(*job).curve != nullptr; });
    std::vector<std::string> sentences;
    std::set<std::string> functions; // each once: a second guideline says little more of it
    for (const GuidelineResult* each : material.consistency().violated())
        if (sentences.size() < most && functions.insert(each->guideline.function).second)
            sentences.push_back(violation_sentence(*each, in_one_state));
    return sentences;
}

/// A row for each promise and suite, in the order of the contract.
Table contract_table(const std::vector<PromiseFinding>& findings) {
    Table table;
    table.header = {"line", "promised", "measured", "interval", "launches", "verdict"};
    table.columns = {ColumnKind::number, ColumnKind::prose,  ColumnKind::number,
                     ColumnKind::text,   ColumnKind::number, ColumnKind::prose};
    std::size_t of_links = 0;
    bool simulated = true;
    for (const PromiseFinding& each : findings) {
        const Statement& statement = each.statement;
        const std::string suite = each.curve ? title_of(*each.curve) : each.promise->name;
        table.tints.push_back({table.rows.size(), 5,
                               each.outcome == GateOutcome::passed   ? Tint::better
                               : each.outcome == GateOutcome::failed ? Tint::worse
                                                                     : Tint::same});
        table.rows.push_back(
            {std::to_string(each.promise->line),
             shortened(each.promise->text, 100) +
                 (suite == each.promise->name ? "" : fmt::format(" ({})", shortened_name(suite, 40))),
             promised_text(*each.promise, each.measured), promise_interval(each),
             statement.reference > 0 ? std::to_string(statement.reference) : "", promise_verdict(each)});
        of_links += each.curve ? 0 : 1;
        simulated = simulated && (!each.curve || each.curve->simulated);
    }
    const bool has_bisection = std::ranges::any_of(findings, [](const PromiseFinding& each) {
        return each.promise->quantity == PromisedQuantity::bisection;
    });
    if (has_bisection)
        table.notes.emplace_back("Interval of a bisection: 95 %, over repetitions of its slowest steps.");
    if (of_links < findings.size())
        table.notes.emplace_back(
            simulated
                ? "Simulated launches do not scatter: the interval is a step of the clock."
                : "Interval: 95 %, over launches. Kept: the whole interval keeps the promise; broken: none of it "
                  "does. What is just at its limit is kept in 2.5 % of cases.");
    return table;
}

Cover page_of_results(const Material& material) {
    const std::vector<Subject>& subjects = material.subjects;
    const DocumentOptions& options = material.options;
    const Rivals& contest = material.contest;
    const Subject& subject = subjects.front();
    Cover cover;
    const std::string mpi = std::ranges::any_of(subjects, measures_mpi) ? "MPI performance" : "Performance";
    const std::string& wanted = options.title.empty() ? options.content.title : options.title;
    cover.title = !wanted.empty()               ? wanted
                  : options.contract            ? "Acceptance of " + mpi
                  : contest.comparisons.empty() ? mpi + " report"
                                                : mpi + " comparison";
    if (!contest.comparisons.empty()) {
        std::vector<std::string> labels;
        for (const Subject* other : contest.others)
            labels.push_back(shortened(other->label, 30));
        cover.subtitle = enumeration(labels) + " against " + shortened(contest.reference->label, 30);
    } else if (subject.run) {
        cover.subtitle = place_of(*subject.run);
    }
    cover.answer = options.turns ? answer_of_session(*options.turns) : answer_with_algorithms(material);
    cover.overview = overview_plots(material);
    if (cover.overview)
        cover.overview->rank = Rank::overview;
    cover.system = system_box(material);
    if (contest.comparisons.empty()) {
        cover.trust = {"Trust", trust_facts(subject), Rank::overview};
        add_known(cover.trust.facts, "Other numbers of ranks", gravest_doubt_about(contest.other_sizes));
        cover.headlines = headline_table(subject);
        cover.findings = own_answers(options.content, subjects);
        std::ranges::move(worst_violations(material), std::back_inserter(cover.findings));
        if (!contest.other_sizes.empty())
            add_study(contest, cover);
        else if (subject.run)
            add_growth(subject, cover);
        if (Table launches = launches_table(subject); !launches.rows.empty())
            cover.winners.push_back(std::move(launches));
        return cover;
    }
    cover.trust = {"Trust", {}, Rank::overview};
    for (const Subject& each : subjects)
        add_known(cover.trust.facts, "In " + shortened(each.label, 30),
                  doubts_text(doubts(each, assess(each), true)));
    if (options.turns) {
        cover.trust = {}; // counts over all launches do not apply to decisions by rounds
        cover.winners = session_tables(*options.turns, rows_on_first_page);
        if (!cover.winners.empty())
            cover.winners.push_back(times_of_variants(*options.turns, rows_on_first_page));
        cover.findings = session_warnings(*options.turns);
        cover.remarks = session_remarks(*options.turns);
        return cover;
    }
    const bool many = contest.comparisons.size() > most_contests_in_full;
    if (many)
        cover.winners.push_back(contests_table(contest.comparisons, rows_on_first_page));
    for (const Contest& comparison : contest.comparisons)
        if (Table winners = contest_table(comparison, rows_on_first_page / contest.comparisons.size());
            !many && !winners.rows.empty())
            cover.winners.push_back(std::move(winners));
    cover.headlines = headlines_compared(contest);
    return cover;
}

} // namespace

void add_contract(const std::vector<PromiseFinding>& findings, Cover& cover) {
    cover.answer = contract_answer(findings);
    cover.findings.clear(); // their sections say them
    cover.winners.insert(cover.winners.begin(), contract_table(findings));
}

Cover first_page(const Material& material) {
    Cover cover = page_of_results(material);
    if (const std::vector<PromiseFinding>* contract = material.options.contract)
        add_contract(*contract, cover);
    return cover;
}

} // namespace skampi
