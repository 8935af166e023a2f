#include "document/document.hpp"

#include "document/headline.hpp"
#include "document/operation_surface.hpp"
#include "document/sections/comparison_section.hpp"
#include "document/sections/family_section.hpp"
#include "document/sections/guideline_section.hpp"
#include "document/sections/method_section.hpp"
#include "document/sections/suite_section.hpp"
#include "model/adjusted.hpp"
#include "model/ledger.hpp"
#include "model/quantity.hpp"
#include "words/error_statement.hpp"
#include "words/system_facts.hpp"

#include "skalib/statistics.hpp"

#include "merge/run_group.hpp"
#include "model/series.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <map>
#include <set>
#include <span>

namespace skampi {

namespace {

/// How many small plots the first page has room for.
constexpr std::size_t overview_plots = 30;

struct PatternText {
    Pattern pattern;
    const char* title;
    const char* introduction;
};

constexpr std::array<PatternText, 4> pattern_texts{{
    {Pattern::ping_pong, "Ping-pong pattern",
     "This section describes the measurements between two ranks, the measuring one and its partner: "
     "sending and receiving operations of different modes combined. "
     "What a time is stands with each suite: a round trip, an exchange, a window of messages, "
     "a one-sided call. Only half of a round trip is the time of one message."},
    {Pattern::master_worker, "Master-worker pattern",
     "Here we describe measurements of different ways in which a master process communicates with several "
     "worker processes: it hands out pieces of work and takes back the results. "
     "The time is that of all pieces on the master."},
    {Pattern::collective, "Collective pattern",
     "This section describes measurements of collective MPI operations, in which all ranks take part. "
     "What the time means (rank 0 or the last rank that leaves) "
     "and how the ranks start together stands with each suite."},
    {Pattern::simple, "Simple pattern",
     "Measurement of operations called on a single rank, without communication partner."},
}};

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
    FactList machine = machine_facts(run);
    std::erase_if(machine.facts, [](const Fact& fact) { return is_detail(fact); });
    if (machine.facts.size() > most)
        machine.facts.resize(most);
    for (Fact& fact : machine.facts)
        box.facts.push_back({std::move(fact.name), shortened(fact.value, most_characters)});
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

/// Of one of several subjects: a line of its own in the box.
std::string trust_in_short(const Subject& subject) {
    const Trust trust = assess(subject);
    return fmt::format(
        "{} of {} settled; {}", trust.settled, count_of(trust.points, "point"),
        trust.noise_between_launches
            ? fmt::format("run-to-run noise {} over {}", format_percent(*trust.noise_between_launches),
                          count_of(static_cast<std::int64_t>(trust.launches), "launch", "launches"))
        : trust.launches > 1
            ? fmt::format("noise of its {} not known",
                          count_of(static_cast<std::int64_t>(trust.launches), "launch", "launches"))
        : subject.run && is_simulated(*subject.run) ? "simulated, so launches do not differ"
                                                    : "one launch, so its noise is not known");
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

/// What has to be known before any value of a subject is believed, each a part of a sentence; none = nothing.
/// @param launches whether too few of them are among it
std::vector<std::string> shortcomings(const Subject& subject, const Trust& trust, bool launches) {
    std::vector<std::string> found = run_doubts(subject);
    bool total_told = false;
    const auto of_values = [&](std::int64_t count, const char* singular, const char* plural) {
        if (count <= 0)
            return;
        const char* const said = count == 1 ? singular : plural;
        found.push_back(total_told
                            ? fmt::format("{} {}", count, said)
                            : fmt::format("{} of {} {}", count, count_of(trust.points, "value"), said));
        total_told = true;
    };
    of_values(trust.wrong_result, "is missing: the operation delivered wrong data",
              "are missing: the operation delivered wrong data");
    if (trust.no_value == trust.points && trust.points > 1)
        found.push_back(fmt::format("none of the {} values could be measured", trust.points));
    else
        of_values(trust.no_value, "could not be measured", "could not be measured");
    of_values(trust.not_above_zero, "is below what can be measured", "are below what can be measured");
    // The flag goes with those too.
    of_values(std::max<std::int64_t>(0, trust.unreliable - trust.not_above_zero), "is unreliable",
              "are unreliable");
    of_values(trust.disturbed, "was disturbed", "were disturbed");
    of_values(trust.several_modes, "saw several states of the machine", "saw several states of the machine");
    of_values(trust.unsynchronised, "was taken between barriers because windows could not be kept",
              "were taken between barriers because windows could not be kept");
    // Without a value nothing settles: these are told already.
    if (trust.no_value > 0)
        of_values(trust.values_not_settled, "of those with a value did not settle",
                  "of those with a value did not settle");
    else
        of_values(trust.values_not_settled, "did not settle", "did not settle");
    of_values(trust.one_launch, "rests on one launch", "rest on one launch");
    of_values(trust.few_launches, "rests on two to four launches", "rest on two to four launches");
    of_values(trust.scattered, "rests on launches that lie far apart", "rest on launches that lie far apart");
    if (subject.run && is_simulated(*subject.run))
        launches = false; // they do not differ
    if (launches && trust.launches <= 1)
        found.push_back("one launch says nothing of the error between launches");
    else if (launches && trust.launches < launches_needed)
        found.push_back(fmt::format("{} launches are too few for an interval", trust.launches));
    return found;
}

std::string as_sentence(const std::vector<std::string>& parts) {
    std::string text = fmt::format("{}.", fmt::join(parts, "; "));
    text.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(text.front())));
    return text;
}

/// ", 2 of them in the state shown": where values rest on fewer launches than were merged; empty where all
/// count.
std::string launches_behind(const Trust& trust) {
    if (trust.launches == 0 || trust.launches >= trust.launches_merged)
        return {};
    return fmt::format(", {} of them {}", trust.launches,
                       trust.of_other_states
                           ? "in the state shown"
                           : "with values that count: the others are in doubt, or have none");
}

std::string descriptive_answer(const Subject& subject) {
    if (!subject.run)
        return "Descriptive: this database holds no run.";
    const Trust trust = assess(subject);
    if (trust.points == 0) {
        const std::vector<std::string> bad = shortcomings(subject, trust, false);
        return (bad.empty() ? "" : as_sentence(bad) + " ") +
               (subject.ended ? "Nothing could be measured."
                              : "Descriptive: nothing has been measured to the end yet.");
    }
    std::size_t suites = 0;
    for (const Curve& curve : subject.curves)
        suites += curve.points.empty() ? 0 : 1;
    const std::string& library = subject.run->mpi_library;
    std::string where =
        library.empty() || library == library_without_mpi ? "" : " of " + library_name(*subject.run);
    if (subject.run->ranks > 0)
        where += fmt::format(" on {}", count_of(subject.run->ranks, "rank"));
    const std::string launches =
        !subject.other_parts.empty()
            ? fmt::format("each from one launch, of {} that share the suites", subject.other_parts.size() + 1)
        : std::max(trust.launches, trust.launches_merged) <= 1
            ? "from one launch"
            : fmt::format("merged from {} launches{}{}", std::max(trust.launches, trust.launches_merged),
                          subject.merged_here ? " in this file" : "", launches_behind(trust));
    const std::vector<std::string> bad = shortcomings(subject, trust, true);
    return fmt::format("{}Descriptive: {}{}, {}, {}{}.", bad.empty() ? "" : as_sentence(bad) + " ",
                       count_of(static_cast<std::int64_t>(suites), "suite"), where,
                       count_of(trust.points, "point"), bad.empty() ? "all settled, " : "", launches);
}

/// In front of a verdict, which itself says whether there are launches enough.
std::string doubts_about(const Subject& subject) {
    if (!subject.run)
        return {};
    const std::vector<std::string> bad = shortcomings(subject, assess(subject), false);
    return bad.empty() ? std::string()
                       : fmt::format("In {}: {}. ", shortened(subject.label, 30), fmt::join(bad, "; "));
}

/// Whether a judgement of one against the other says something: jobs of other sizes in one file were run to
/// see how times grow with the number of ranks.
bool are_rivals(const Subject& reference, const Subject& other) {
    return &other != &reference && !(other.path == reference.path && other.run && reference.run &&
                                     other.run->ranks != reference.run->ranks);
}

/// The databases against one another: with a baseline everybody against it, else against the first.
struct Contest {
    const Subject* reference = nullptr;
    std::vector<const Subject*> others;
    std::vector<DatabaseComparison> comparisons; ///< one per other
    std::vector<const Subject*> other_sizes;     ///< jobs in the file of the reference, on other ranks
};

Contest compare_all(const std::vector<Subject>& subjects, bool baseline) {
    Contest contest;
    contest.reference = baseline ? &subjects.back() : &subjects.front();
    for (const Subject& other : subjects)
        if (are_rivals(*contest.reference, other))
            contest.others.push_back(&other);
        else if (&other != contest.reference)
            contest.other_sizes.push_back(&other);
    contest.comparisons = compare_subjects(subjects, baseline);
    return contest;
}

/// The point at which a comparison judges a headline's value; null where it judges none.
const PointComparison* judged_point(const Headline& reference, const Headline& other,
                                    const DatabaseComparison& comparison) {
    if (!reference.argument || reference.argument != other.argument)
        return nullptr;
    for (const DatabaseComparison::Suite& suite : comparison.suites)
        if (suite.reference->suite().name == reference.suite && suite.other->suite().name == other.suite)
            for (const PointComparison& point : suite.curves.points)
                if (point.argument == *reference.argument)
                    return &point;
    return nullptr;
}

/// Other by reference. It is the comparison's wherever that has one, and where this, or the values, are of
/// two states of the machine it says so.
std::string ratio_of_headlines(const Headline& reference, const Headline& other,
                               const DatabaseComparison& comparison) {
    double ratio = other.value / reference.value;
    if (!(ratio > 0))
        return "-";
    const bool in_two_states =
        reference.probe_s > 0 && other.probe_s > 0 && !in_one_mode(reference.probe_s, other.probe_s);
    const PointComparison* point = judged_point(reference, other, comparison);
    if (!point)
        return format_ratio(ratio) + (in_two_states ? ", of two states" : "");
    if (!point->comparable)
        return "-";
    ratio = reference.unit == "s" ? point->ratio : 1 / point->ratio;
    return format_ratio(ratio) + (point->in_other_state() ? ", of two states"
                                  : in_two_states         ? ", in one state"
                                                          : "");
}

/// Of all subjects, the reference first, side by side.
Table headlines_compared(const Contest& contest) {
    Table table;
    table.title = "Headlines";
    table.header = {"what", shortened(contest.reference->label, 24)};
    table.columns = {Column::text, Column::prose};
    std::vector<std::vector<Headline>> others;
    for (const Subject* other : contest.others) {
        table.header.push_back(shortened(other->label, 24));
        table.columns.push_back(Column::prose);
        others.push_back(headlines(*other));
    }
    if (others.size() == 1) {
        table.header.emplace_back("ratio");
        table.columns.push_back(Column::number);
    }
    // Where the other peak is elsewhere the place stands with each value.
    const auto text = [&](const Headline& headline, bool with_place) {
        // Without an interval what is left to be said is whether the value is doubtful.
        const std::string numbers =
            headline.low ? headline.error_text.substr(0, headline.error_text.find(" (")) : headline.doubts;
        return (with_place ? headline.value_with_place() : headline.value_text) +
               (numbers.empty() ? "" : " (" + numbers + ")");
    };
    bool of_launches = false;
    for (const Headline& headline : headlines(*contest.reference)) {
        std::vector<const Headline*> twins;
        for (const std::vector<Headline>& other : others) {
            const auto twin = std::ranges::find(other, headline.name, &Headline::name);
            twins.push_back(twin == other.end() ? nullptr : &*twin);
        }
        const bool elsewhere = std::ranges::any_of(
            twins, [&](const Headline* twin) { return twin && twin->place != headline.place; });
        std::vector<std::string> row{elsewhere ? headline.name : headline.title(), text(headline, elsewhere)};
        for (const Headline* twin : twins)
            row.push_back(twin ? text(*twin, elsewhere) : "-");
        if (others.size() == 1) {
            const DatabaseComparison& comparison = contest.comparisons.front();
            row.push_back(twins.front() ? ratio_of_headlines(headline, *twins.front(), comparison) : "-");
            const PointComparison* point =
                twins.front() ? judged_point(headline, *twins.front(), comparison) : nullptr;
            of_launches = of_launches || (point && point->judged());
        }
        table.rows.push_back(std::move(row));
    }
    // A merged value is the launches' median: of two of these the ratio is another.
    if (of_launches)
        table.title += "; a ratio that is judged is that of geometric means over the launches";
    return table;
}

Table headline_table(const Subject& subject) {
    Table table;
    table.title = "Headlines";
    table.header = {"what", "value", "error"};
    table.columns = {Column::text, Column::number, Column::prose};
    for (const Headline& headline : headlines(subject))
        table.rows.push_back({headline.title(), headline.value_text, headline.error_text});
    return table;
}

Section machine_section(const Subject& subject) {
    Section section;
    section.title = "Machine";
    const Run& run = *subject.run;
    FactList facts;
    add(facts.facts, "Machine", run.machine);
    add(facts.facts, "Measured by", run.user);
    add(facts.facts, "Hosts", hosts_of(run));
    add(facts.facts, "Placement of the ranks", shortened(run.placement, 300));
    add(facts.facts, "Binding of the ranks", run.binding);
    add(facts.facts, "Launcher", run.launcher);
    for (Fact& fact : machine_facts(run).facts)
        facts.facts.push_back(std::move(fact));
    add(facts.facts, "MPI library", library_name(run));
    if (!facts.facts.empty())
        section.blocks.push_back(std::move(facts));
    if (!run.comment.empty())
        section.blocks.push_back(Verbatim{run.comment});
    const auto described = [&](const char* title, const std::string& text) {
        Section part;
        part.title = title;
        if (text.empty())
            part.blocks.push_back(Paragraph{"No description was given in the parameter file.", Tone::remark});
        else
            part.blocks.push_back(Verbatim{text});
        section.subsections.push_back(std::move(part));
    };
    described("Description of a node", run.node);
    described("Network", run.network);
    return section;
}

std::optional<Section> pattern_section(const Subject& subject, const PatternText& text, bool box_plots,
                                       FigureNames& names) {
    Section section;
    section.title = text.title;
    section.blocks.push_back(Paragraph{text.introduction, Tone::plain});
    std::vector<const Curve*> single;
    for (const Curve& curve : subject.curves) {
        if (curve.suite().operation.pattern != text.pattern)
            continue;
        if (drawable(curve))
            section.subsections.push_back(suite_section(curve, names.next()));
        else
            single.push_back(&curve);
        if (box_plots && drawable(curve))
            for (Block& block : single_measurements_blocks(curve, names))
                section.subsections.back().blocks.push_back(std::move(block));
    }
    for (const Family& family : families(subject, text.pattern))
        section.subsections.push_back(family_section(family, names));
    if (single.empty() && section.subsections.empty())
        return std::nullopt;
    if (text.pattern == Pattern::collective)
        if (Table table = surface_table(operation_surfaces(subject)); !table.rows.empty())
            section.blocks.push_back(std::move(table));
    if (!single.empty()) {
        Section values;
        values.title = section.subsections.empty() ? "Values" : "Suites without a plot";
        for (Table& table : tables_without_plot(single))
            values.blocks.push_back(std::move(table));
        section.subsections.push_back(std::move(values));
    }
    return section;
}

/// "U D": a letter for each flag.
std::string flag_letters(Flags flags) {
    static constexpr std::pair<Flag, const char*> letters[] = {
        {Flag::unsettled, "U"},    {Flag::timed_out, "T"},     {Flag::unreliable, "R"},
        {Flag::disturbed, "D"},    {Flag::several_modes, "M"}, {Flag::unsynchronised, "B"},
        {Flag::wrong_result, "W"}, {Flag::interpolated, "I"},  {Flag::one_run, "1"},
        {Flag::scattered, "S"}};
    std::string text;
    for (const auto& [flag, letter] : letters)
        if (has(flags, flag))
            text += (text.empty() ? "" : " ") + std::string(letter);
    return text;
}

/// All values of all suites with a plot: those of the others stand in a table with their pattern.
std::optional<Section> values_section(const Subject& subject) {
    Section section;
    section.title = "Tables of values";
    Flags all = 0;
    for (const Curve& curve : subject.curves) {
        if (!drawable(curve))
            continue;
        Table table = values_table(curve);
        table.title = shortened(title_of(curve), 90);
        table.dense = true;
        // Letters for the flags: in words they would be most of the table.
        bool any = false;
        for (std::size_t row = 0; row < table.rows.size(); ++row) {
            const Flags flags = curve.points[row].measurement.flags;
            table.rows[row].back() = flag_letters(flags);
            any = any || flags != 0;
            all |= flags;
        }
        if (!any) {
            table.header.pop_back();
            table.columns.pop_back();
            for (auto& row : table.rows)
                row.pop_back();
        }
        section.blocks.push_back(std::move(table));
    }
    if (section.blocks.empty())
        return std::nullopt;
    std::vector<std::string> letters;
    for (const Flag flag : all_flags())
        if (has(all, flag))
            letters.push_back(flag_letters(static_cast<Flags>(flag)) + " " +
                              flag_text(static_cast<Flags>(flag)));
    if (!letters.empty())
        section.blocks.insert(section.blocks.begin(),
                              Paragraph{"Flags: " + enumeration(letters) + ".", Tone::plain});
    return section;
}

/// Which runs a merged run comes from and what each contributed.
std::optional<Section> merged_runs(const Subject& subject) {
    const std::map<std::string, Contribution>& runs = subject.contributions;
    if (subject.contributions.empty())
        return std::nullopt;
    Section section;
    section.title = "Runs merged";
    constexpr std::size_t most = 100;
    Table table;
    table.header = {"run", "database", "points", "interpolated", "chosen", "time / merged time"};
    table.columns = {Column::prose,  Column::prose,  Column::number,
                     Column::number, Column::number, Column::number};
    for (const auto& [uuid, run] : runs) {
        if (table.rows.size() == most) {
            table.title = fmt::format("The first {} of {} runs", most, runs.size());
            break;
        }
        std::vector<double> ratios = run.ratios;
        std::sort(ratios.begin(), ratios.end());
        table.rows.push_back({shortened(uuid, 40), shortened(run.database, 60), std::to_string(run.points),
                              std::to_string(run.interpolated), std::to_string(run.chosen),
                              ratios.empty() ? "-" : format_ratio(skalib::quantile(ratios, 0.5))});
    }
    section.blocks.push_back(
        Paragraph{"Points: arguments for which the run has a value. Chosen: it is the median. "
                  "Time / merged time: median over the run's points.",
                  Tone::plain});
    section.blocks.push_back(std::move(table));
    return section;
}

Section appendix(const Subject& subject) {
    const Run& run = *subject.run;
    Section section;
    section.title = "Parameter file and run facts";

    Section facts;
    facts.title = "Facts of the run";
    FactList list;
    add(list.facts, "database", subject.path);
    for (const std::string& path : subject.other_parts)
        add(list.facts, "with", path);
    add(list.facts, "run", run.uuid);
    add(list.facts, "kind", run.kind);
    add(list.facts, "tool version", run.tool_version);
    add(list.facts, "parameter file", run.parameter_file);
    add(list.facts, "plan", run.plan_hash);
    add(list.facts, "variant", run.variant);
    for (const auto& [name, value] : run.settings)
        add(list.facts, "setting " + name, value);
    add(list.facts, "measured", time_of_run(run));
    if (run.reference_probe_s > 0)
        add(list.facts, "reference probe", format_time(run.reference_probe_s));
    if (run.reference_clock_hz > 0)
        add(list.facts, "reference core clock", fmt::format("{:.3f} GHz", run.reference_clock_hz / 1e9));
    for (Fact& fact : remaining_facts(run))
        list.facts.push_back(std::move(fact));
    facts.blocks.push_back(std::move(list));
    section.subsections.push_back(std::move(facts));
    if (const std::string text = library_text(run); !text.empty()) {
        Section library;
        library.title = "What the MPI library says of itself";
        library.blocks.push_back(Verbatim{text});
        section.subsections.push_back(std::move(library));
    }

    if (std::optional<Section> merged = merged_runs(subject))
        section.subsections.push_back(std::move(*merged));
    if (!run.rank_facts.empty()) {
        Section ranks;
        ranks.title = "Ranks";
        constexpr std::size_t most = 64;
        Table table;
        const bool merged =
            std::ranges::any_of(run.rank_facts, [](const RankFacts& rank) { return rank.runs > 1; });
        table.header = {"rank",         "processor",   "cpu",          "cpus allowed",
                        "clock offset", "clock drift", "known within", "pages"};
        table.columns = {Column::number, Column::prose,  Column::number, Column::prose,
                         Column::number, Column::number, Column::number, Column::text};
        if (merged) {
            table.header = {"rank", "processor", "cpus allowed", "in so many runs"};
            table.columns = {Column::number, Column::prose, Column::prose, Column::number};
        }
        for (std::size_t i = 0; i < run.rank_facts.size() && i < most; ++i) {
            const RankFacts& rank = run.rank_facts[i];
            if (merged) {
                table.rows.push_back({std::to_string(rank.rank), shortened(rank.processor, 60),
                                      shortened(rank.cpus_allowed, 60), std::to_string(rank.runs)});
                continue;
            }
            table.rows.push_back({std::to_string(rank.rank), shortened(rank.processor, 60),
                                  rank.cpu < 0 ? "" : std::to_string(rank.cpu),
                                  shortened(rank.cpus_allowed, 60), format_time(rank.clock_offset_s, 3),
                                  fmt::format("{:.3g} ppm", 1e6 * rank.clock_drift),
                                  format_time(rank.clock_bound_s, 2), shortened(rank.pages, 12)});
        }
        if (run.rank_facts.size() > most)
            table.title = fmt::format(
                "{} of {} ranks", most,
                std::max<std::size_t>(run.rank_facts.size(), static_cast<std::size_t>(run.ranks)));
        ranks.blocks.push_back(std::move(table));
        section.subsections.push_back(std::move(ranks));
    }
    if (!subject.events.empty()) {
        Section events;
        events.title = "Events";
        constexpr std::size_t most = 100;
        Table table;
        table.header = {"time", "kind", "suite", "what happened"};
        table.columns = {Column::text, Column::text, Column::prose, Column::prose};
        for (std::size_t i = 0; i < subject.events.size() && i < most; ++i) {
            const Event& event = subject.events[i];
            table.rows.push_back({shortened(event.time_utc, 24), shortened(event.kind, 20),
                                  shortened(event.suite, 60), shortened(event.text, 300)});
        }
        if (subject.events.size() > most)
            table.title = fmt::format("The first {} of {} events", most, subject.events.size());
        events.blocks.push_back(std::move(table));
        section.subsections.push_back(std::move(events));
    }
    Section parameters;
    parameters.title = "Parameter file";
    if (run.parameter_text.empty())
        parameters.blocks.push_back(Paragraph{"The database does not hold its text.", Tone::remark});
    else
        parameters.blocks.push_back(Verbatim{run.parameter_text});
    section.subsections.push_back(std::move(parameters));
    return section;
}

Cover make_cover(const std::vector<Subject>& subjects, const DocumentOptions& options,
                 const Contest& contest) {
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
    if (contest.comparisons.empty()) {
        cover.answer = descriptive_answer(subject);
    } else {
        std::vector<const Subject*> all;
        for (const Subject& each : subjects)
            all.push_back(&each);
        cover.answer = comparison_answer(all, contest.comparisons);
    }
    if (!contest.other_sizes.empty()) {
        std::vector<std::string> sizes;
        for (const Subject* other : contest.other_sizes) {
            if (contest.comparisons.empty())
                cover.answer += " " + doubts_about(*other);
            sizes.push_back(shortened(other->label, 30));
        }
        if (cover.answer.ends_with(' '))
            cover.answer.pop_back();
        cover.answer +=
            fmt::format(" Shown over the number of ranks, from the same file: {}.", enumeration(sizes));
    }
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

/// Suites that the runs shown measured with different numbers of ranks.
std::optional<Section> ranks_compared(const Contest& contest, FigureNames& names) {
    std::vector<const Subject*> all{contest.reference};
    all.insert(all.end(), contest.others.begin(), contest.others.end());
    all.insert(all.end(), contest.other_sizes.begin(), contest.other_sizes.end());
    const std::vector<Family> of_ranks = families_of_ranks(all);
    if (of_ranks.empty())
        return std::nullopt;
    Section section;
    section.title = "Different numbers of ranks";
    section.blocks.push_back(
        Paragraph{"Suites that were measured with different numbers of ranks.", Tone::plain});
    for (const Family& family : of_ranks)
        section.subsections.push_back(family_section(family, names));
    return section;
}

/// What a chapter consists of; nothing where there is nothing to say.
std::vector<Section> chapter_sections(Chapter chapter, const std::vector<Subject>& subjects,
                                      const DocumentOptions& options, const Contest& contest,
                                      FigureNames& names) {
    const Subject& subject = subjects.front();
    std::vector<Section> sections;
    const auto add = [&](std::optional<Section> section) {
        if (section)
            sections.push_back(std::move(*section));
    };
    const bool of_run =
        chapter != Chapter::databases && chapter != Chapter::own && chapter != Chapter::method;
    if (of_run && !subject.run)
        return sections;
    switch (chapter) {
    case Chapter::machine:
        add(machine_section(subject));
        break;
    case Chapter::suites:
        for (const PatternText& text : pattern_texts)
            add(pattern_section(subject, text, options.box_plots, names));
        break;
    case Chapter::operations:
        if (Section operations = operations_compared(subject, names); !operations.subsections.empty())
            add(std::move(operations));
        break;
    case Chapter::guidelines:
        add(guideline_section(subject));
        break;
    case Chapter::databases:
        if (!contest.comparisons.empty())
            add(databases_compared(*contest.reference, contest.others, contest.comparisons, names));
        add(ranks_compared(contest, names));
        break;
    case Chapter::own:
        if (!options.content.comparisons.empty())
            add(own_comparisons(options.content, subjects, names));
        break;
    case Chapter::method:
        add(method_section(subjects));
        break;
    case Chapter::values:
        add(values_section(subject));
        break;
    case Chapter::facts:
        add(appendix(subject));
        break;
    }
    return sections;
}

/// A plot and some values of each suite; no subsections where there are no suites.
/// @param most_rows of each table of values; 0 = all
Section suites_in_short(const Subject& subject, std::size_t most_rows, FigureNames& names) {
    Section suites;
    suites.title = "Suites";
    std::vector<const Curve*> single;
    for (const Curve& curve : subject.curves) {
        if (!drawable(curve)) {
            single.push_back(&curve);
            continue;
        }
        Section part;
        part.title = shortened(title_of(curve), 90);
        const std::string who = who_takes_part(curve);
        part.blocks.push_back(
            Paragraph{what_is_measured(curve) + (who.empty() ? "" : " ") + who, Tone::plain});
        part.blocks.push_back(FigureBlock{suite_figure(names.next(), curve, curve_model(curve)), ""});
        part.blocks.push_back(values_table(curve, most_rows));
        if (std::optional<Paragraph> flags = flag_summary(curve))
            part.blocks.push_back(std::move(*flags));
        suites.subsections.push_back(std::move(part));
    }
    if (!single.empty()) {
        Section part;
        part.title = "Suites without a plot";
        for (Table& table : tables_without_plot(single))
            part.blocks.push_back(std::move(table));
        suites.subsections.push_back(std::move(part));
    }
    return suites;
}

} // namespace

std::string caption_text(const FigureBlock& block) {
    if (block.suites == 0)
        return block.caption;
    const std::size_t drawn = block.figure.panels.size();
    return (drawn < block.suites ? fmt::format("The first {} of {} suites: ", drawn, block.suites)
                                 : "All suites with more than one point: ") +
           block.caption;
}

std::string comparison_answer(const std::vector<const Subject*>& subjects,
                              std::span<const DatabaseComparison> comparisons) {
    std::string answer;
    for (const auto& first : {other_ranks, launches_in_common, other_state})
        for (const DatabaseComparison& comparison : comparisons)
            if (const std::string said = first(comparison); !said.empty())
                answer += said + " ";
    for (const Subject* subject : subjects)
        answer += doubts_about(*subject);
    for (const DatabaseComparison& comparison : comparisons)
        answer += (&comparison == &comparisons.front() ? "" : " ") + verdict(comparison);
    return answer;
}

std::vector<DatabaseComparison> compare_subjects(const std::vector<Subject>& subjects, bool baseline) {
    const Subject& reference = baseline ? subjects.back() : subjects.front();
    std::vector<DatabaseComparison> comparisons;
    for (const Subject& other : subjects)
        if (are_rivals(reference, other))
            comparisons.push_back(compare_databases(reference, other));
    return comparisons;
}

Document build_document(const std::vector<Subject>& subjects, const DocumentOptions& options) {
    Document document;
    document.paper = options.content.paper;
    const Subject& subject = subjects.front();
    FigureNames names;
    const Contest contest = compare_all(subjects, options.baseline);
    document.cover = make_cover(subjects, options, contest);
    document.cover.overview =
        overview_block(contest.comparisons.empty() ? subject : *contest.reference, contest.others, names);
    for (const Chapter chapter : options.content.chapters)
        for (Section& section : chapter_sections(chapter, subjects, options, contest, names))
            document.sections.push_back(std::move(section));
    return document;
}

Document build_brief_document(const std::vector<Subject>& subjects, const DocumentOptions& options,
                              const Brevity& brevity) {
    Document document;
    const Subject& subject = subjects.front();
    FigureNames names;
    const Contest contest = compare_all(subjects, options.baseline);
    document.cover = make_cover(subjects, options, contest);
    const bool only_decision = brevity.only_decision && !contest.comparisons.empty();
    if (!contest.comparisons.empty())
        document.sections.push_back(databases_compared(*contest.reference, contest.others,
                                                       contest.comparisons, names, only_decision));
    if (std::optional<Section> ranks = ranks_compared(contest, names)) {
        constexpr std::size_t most = 2;
        if (const std::size_t all = ranks->subsections.size(); only_decision && all > most) {
            ranks->subsections.resize(most);
            ranks->subsections.back().blocks.push_back(Paragraph{
                fmt::format("{} more: a file (-o) has all, --suite some.", all - most), Tone::remark});
        }
        document.sections.push_back(std::move(*ranks));
    }
    if (!only_decision)
        if (Section suites = suites_in_short(subject, brevity.most_rows, names); !suites.subsections.empty())
            document.sections.push_back(std::move(suites));
    if (options.content.shows(Chapter::own) && !options.content.comparisons.empty())
        document.sections.push_back(own_comparisons(options.content, subjects, names));
    constexpr std::size_t most_guidelines = 8;
    if (std::optional<Section> guidelines = guideline_section(subject, most_guidelines);
        guidelines && !only_decision)
        document.sections.push_back(std::move(*guidelines));
    return document;
}

namespace {

void collect_figures(const Section& section, std::vector<Figure>& figures) {
    for (const Block& block : section.blocks)
        if (const auto* figure = std::get_if<FigureBlock>(&block))
            figures.push_back(figure->figure);
    for (const Section& part : section.subsections)
        collect_figures(part, figures);
}

} // namespace

std::vector<Figure> all_figures(const Document& document) {
    std::vector<Figure> figures;
    if (document.cover.overview)
        figures.push_back(document.cover.overview->figure);
    for (const Section& section : document.sections)
        collect_figures(section, figures);
    return figures;
}

} // namespace skampi
