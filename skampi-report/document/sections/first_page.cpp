#include "document/sections/first_page.hpp"

#include "analysis/models/rank_study.hpp"
#include "analysis/trust/headline.hpp"
#include "analysis/trust/trust.hpp"
#include "contest/guideline.hpp"
#include "document/sections/contest_section.hpp"
#include "document/sections/headline_tables.hpp"
#include "document/sections/surface_table.hpp"
#include "launches/launches_left_out.hpp"
#include "launches/library_name.hpp"
#include "merge/run_group.hpp"
#include "model/ledger.hpp"
#include "model/quantity.hpp"
#include "model/series.hpp"
#include "words/algorithm_words.hpp"
#include "words/doubt_words.hpp"
#include "words/growth_words.hpp"
#include "words/guideline_words.hpp"
#include "words/section_words.hpp"
#include "words/session_words.hpp"
#include "words/suite_words.hpp"
#include "words/system_facts.hpp"
#include "words/value_words.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace skampi {

namespace {

/// How many small plots the first page has room for.
constexpr std::size_t overview_plots = 30;

/// "2, 4, 8 and 16"; empty where all have one.
std::string sizes_of_study(const std::vector<Subject>& subjects) {
    std::set<int> sizes{subjects.front().run->ranks};
    for (const Subject& other : subjects)
        if (&other != &subjects.front() && !are_rivals(subjects.front(), other, subjects))
            sizes.insert(other.run->ranks);
    std::vector<std::string> texts;
    for (const int ranks : sizes)
        texts.push_back(std::to_string(ranks));
    return texts.size() > 1 ? enumeration(texts) : std::string();
}

/// What of a database the report does not show: suites that were not selected, runs of another series.
std::vector<Fact> left_out_facts(const Subject& subject) {
    std::vector<Fact> facts;
    if (subject.suites_left_out > 0)
        add_known(facts, "Suites",
                  fmt::format("{} of {}, as selected", subject.curves.size(),
                              subject.curves.size() + static_cast<std::size_t>(subject.suites_left_out)));
    if (subject.strangers > 0)
        add_known(facts, "Not shown",
                  fmt::format("{} in this file of another series: {}{}", count_of(subject.strangers, "run"),
                              subject.strangers > 1 ? "of the newest, " : "", subject.strangers_differ));
    return facts;
}

FactList system_box(const std::vector<Subject>& subjects) {
    FactList box{"System", left_out_facts(subjects.front()), Rank::overview};
    box.essential = box.facts.size();
    const Subject& subject = subjects.front();
    if (!subject.run) {
        box.facts.push_back({"Runs", "none in this database"});
        return box;
    }
    const Run& run = *subject.run;
    add_known(box.facts, "MPI library", library_name(run));
    add_known(box.facts, "Machine", shortened(run.machine, 90));
    add_known(box.facts, "Variant", shortened(run.variant, 90));
    const std::string sizes = sizes_of_study(subjects);
    add_known(box.facts, "Numbers of ranks", sizes);
    if (sizes.empty())
        add_known(box.facts, "Ranks", ranks_placed(run));
    // Many of them would push the plots from the page: the chapter on the machine has all.
    constexpr std::size_t most = 9;
    constexpr std::size_t most_characters = 120; // two lines and a half: caches of several kinds
    std::vector<MachineFact> machine = machine_facts(run);
    std::erase_if(machine, &MachineFact::is_detail);
    if (machine.size() > most)
        machine.resize(most);
    for (MachineFact& each : machine)
        box.facts.push_back({std::move(each.fact.name), shortened(each.fact.value, most_characters)});
    add_known(box.facts, "Measured", time_of_run(run));
    if (!subject.other_parts.empty())
        add_known(box.facts, "Runs",
                  fmt::format("{}, each with its own suites", subject.other_parts.size() + 1));
    else if (run.kind != "merged")
        add_known(box.facts, "Runs", "one");
    for (std::size_t i = 1; i < subjects.size(); ++i) {
        const Subject& other = subjects[i];
        if (!are_rivals(subject, other, subjects))
            continue;
        std::vector<std::string> different; // each cut inside its quotes
        if (other.run)
            different = Series(run).differences(Series(*other.run));
        box.facts.push_back({"Against " + shortened(other.label, 30),
                             !other.run          ? "an empty database"
                             : different.empty() ? "launches of the same series: no known difference"
                                                 : fmt::format("{}", fmt::join(different, "; "))});
    }
    return box;
}

/// What was compared, instead of how one side differs from the other.
void name_variants(const SessionContest& turns, FactList& box) {
    std::erase_if(box.facts, [](const Fact& fact) {
        return fact.name == "MPI library" || fact.name == "Variant" || fact.name == "Ranks" ||
               fact.name.starts_with("Against ");
    });
    add_known(box.facts, "Launches", session_launches(turns));
    std::vector<Fact> variants = session_variants(turns);
    box.essential += variants.size();
    box.facts.insert(box.facts.begin(), std::make_move_iterator(variants.begin()),
                     std::make_move_iterator(variants.end()));
}

/// Where a run was: of a simulated one the network, as its hosts say nothing.
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
    if (subject.run && subject.run->mpi_library == library_without_mpi)
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

/// Where algorithms were measured in turns, which of them to take is what is asked first; else null.
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

/// Of jobs on several numbers of ranks growth with these is the answer.
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

/// Of one job whose suites are over the number of ranks, and that has no latency to answer with, too.
void add_growth(const Subject& subject, Cover& cover) {
    const Subject study = over_ranks({&subject});
    std::vector<Scaling> found = scalings(study);
    std::erase_if(found, [](const Scaling& scaling) { return !scaling.model; });
    if (found.empty() || has_point_to_point(subject))
        return;
    cover.answer = study_answer({&subject}, found);
    cover.winners.push_back(scaling_table(found));
}

/// What one library's functions do worse than others of its own, the worst first. Of few launches only what
/// is large: how much launches differ is not known.
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
    FigureBlock block{std::move(overview), overview_caption};
    block.suites = plots.size();
    return block;
}

/// Times of algorithms over one another, a small plot for each operation; none where there are other suites,
/// or too many algorithms to tell their lines apart.
std::optional<FigureBlock> algorithms_block(const Subject& subject, FigureNames& names) {
    constexpr std::size_t most = 8;
    std::vector<std::string> labels;
    std::vector<std::pair<std::string, std::vector<const Curve*>>> operations;
    for (const Curve& curve : subject.curves) {
        if (!drawable(curve))
            continue;
        const std::string& word = curve.suite().algorithm;
        const std::string label = shortened_name(word.empty() ? std::string(default_algorithm) : word, 40);
        std::string name = shortened_name(curve.suite().operation.name, 40);
        const std::int64_t bytes = curve.points.front().measurement.message_bytes;
        if (curve.suite().varied != Varied::message_length && bytes > 0)
            name += ", " + format_length(bytes);
        auto operation = std::ranges::find(operations, name, [](const auto& each) { return each.first; });
        if (operation == operations.end())
            operation = operations.emplace(operation, name, std::vector<const Curve*>(most, nullptr));
        const auto place = static_cast<std::size_t>(std::ranges::find(labels, label) - labels.begin());
        if (place == labels.size())
            labels.push_back(label);
        if (place == most || operation->second[place] != nullptr)
            return std::nullopt;
        operation->second[place] = &curve;
    }
    std::vector<std::vector<const Curve*>> plots;
    for (auto& [name, curves] : operations) {
        if (std::ranges::count(curves, nullptr) + 1 == std::ssize(curves))
            return std::nullopt;
        plots.push_back(std::move(curves));
    }
    Figure figure = overview_figure(names.next(), plots, labels, overview_plots);
    if (figure.panels.empty())
        return std::nullopt;
    for (std::size_t i = 0; i < figure.panels.size(); ++i) {
        figure.panels[i].title = operations[i].first;
        figure.panels[i].section.clear(); // the algorithms have one each
    }
    return FigureBlock{std::move(figure), algorithms_caption};
}

/// The message lengths of a study that a small plot has room for: of each operation the shortest and the
/// longest, and one between them while there are few.
std::vector<std::int64_t> lengths_of_study(const Subject& study) {
    constexpr std::size_t most = 5;
    std::map<std::string, std::set<std::int64_t>> of_operation;
    for (const Curve& curve : study.curves)
        of_operation[title_of(curve)].insert(curve.suite().message_bytes);
    std::set<std::int64_t> lengths;
    for (const auto& [name, all] : of_operation)
        lengths.insert({*all.begin(), *all.rbegin()});
    for (const auto& [name, all] : of_operation)
        if (lengths.size() < most)
            lengths.insert(*std::next(all.begin(), std::ssize(all) / 2));
    return {lengths.begin(), lengths.end()};
}

/// How the operations of jobs on several numbers of ranks grow.
std::optional<FigureBlock> study_block(const Subject& study, FigureNames& names) {
    const std::vector<std::int64_t> lengths = lengths_of_study(study);
    std::vector<std::vector<const Curve*>> plots;
    std::vector<std::string> titles;
    for (const Curve& curve : study.curves) {
        const auto length = std::ranges::find(lengths, curve.suite().message_bytes);
        if (length == lengths.end() || !drawable(curve))
            continue;
        const auto place =
            static_cast<std::size_t>(std::ranges::find(titles, title_of(curve)) - titles.begin());
        if (place == titles.size()) {
            titles.push_back(title_of(curve));
            plots.emplace_back(lengths.size(), nullptr);
        }
        plots[place][static_cast<std::size_t>(length - lengths.begin())] = &curve;
    }
    std::vector<std::string> labels;
    if (lengths.size() > 1)
        for (const std::int64_t length : lengths)
            labels.push_back(format_length(length));
    Figure overview = overview_figure(names.next(), plots, labels, overview_plots);
    if (overview.panels.empty())
        return std::nullopt;
    for (Panel& panel : overview.panels)
        panel.section.clear(); // there is no such suite
    return FigureBlock{std::move(overview), study_caption};
}

std::optional<FigureBlock> plots(const Material& material) {
    const Rivals& contest = material.contest;
    if (material.options.turns) // a session compares round by round
        return session_ratios_block(*material.options.turns, material.names);
    if (!contest.comparisons.empty()) {
        std::optional<FigureBlock> ratios = ratios_block(contest, material.names);
        return ratios ? std::move(ratios)
                      : overview_block(*contest.reference, contest.others, material.names);
    }
    if (const std::vector<const Subject*> sizes = contest.sizes(); sizes.size() > 1)
        return study_block(over_ranks(sizes), material.names);
    std::optional<FigureBlock> algorithms = algorithms_block(material.subject(), material.names);
    return algorithms ? std::move(algorithms)
                      : overview_block(material.subject(), contest.others, material.names);
}

} // namespace

Cover first_page(const Material& material) {
    const std::vector<Subject>& subjects = material.subjects;
    const DocumentOptions& options = material.options;
    const Rivals& contest = material.contest;
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
        cover.subtitle = place_of(*subject.run);
    }
    cover.answer = options.turns ? answer_of_session(*options.turns) : answer_with_algorithms(material);
    cover.overview = plots(material);
    if (cover.overview)
        cover.overview->rank = Rank::overview;
    cover.system = system_box(subjects);
    if (options.turns)
        name_variants(*options.turns, cover.system);
    if (contest.comparisons.empty()) {
        cover.trust = {"Trust", trust_facts(subject), Rank::overview};
        add_known(cover.trust.facts, "Other numbers of ranks", gravest_doubt_about(contest.other_sizes));
        cover.headlines = headline_table(subject);
        cover.findings = worst_violations(material);
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
        cover.trust = {}; // counts over all launches say nothing of what is decided round by round
        cover.winners = session_tables(*options.turns, rows_on_first_page);
        if (!cover.winners.empty())
            cover.winners.push_back(times_of_variants(*options.turns, rows_on_first_page));
        cover.findings = session_warnings(*options.turns);
        cover.remarks = session_remarks(*options.turns);
        return cover;
    }
    for (const Contest& comparison : contest.comparisons)
        if (Table winners = contest_table(comparison, rows_on_first_page / contest.comparisons.size());
            !winners.rows.empty())
            cover.winners.push_back(std::move(winners));
    cover.headlines = headlines_compared(contest);
    return cover;
}

} // namespace skampi
