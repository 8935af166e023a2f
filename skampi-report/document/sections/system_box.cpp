// SPDX-License-Identifier: GPL-2.0-or-later
#include "document/sections/system_box.hpp"

#include "launches/library_name.hpp"
#include "merge/run_group.hpp"
#include "model/quantity.hpp"
#include "model/series.hpp"
#include "words/session_words.hpp"
#include "words/system_facts.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <iterator>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace skampi {

namespace {

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

/// Who measured where, of each side of a comparison.
std::vector<Fact> who_and_where(const std::vector<Subject>& subjects) {
    std::vector<Fact> facts;
    const Subject& first = subjects.front();
    for (const Subject& each : subjects) {
        const bool is_rival = &each != &first && are_rivals(first, each, subjects);
        if (each.run && (&each == &first || is_rival))
            add_known(facts, "Described as, " + shortened(each.label, 30), description_of(*each.run));
    }
    if (facts.size() == 1)
        facts.front().name = "Described as";
    return facts;
}

FactList box_of(const std::vector<Subject>& subjects) {
    FactList box{"System", left_out_facts(subjects.front()), Rank::overview};
    std::ranges::move(who_and_where(subjects), std::back_inserter(box.facts));
    box.essential = box.facts.size();
    const Subject& subject = subjects.front();
    if (!subject.run) {
        box.facts.push_back({"Runs", "none in this database"});
        return box;
    }
    const Run& run = *subject.run;
    if (!is_sequential(run))
        add_known(box.facts, "MPI library", library_name(run));
    add_known(box.facts, "Variant", shortened(run.variant, 90));
    const std::string sizes = sizes_of_study(subjects);
    add_known(box.facts, "Numbers of ranks", sizes);
    if (sizes.empty())
        add_known(box.facts, is_sequential(run) ? "Host" : "Ranks",
                  is_sequential(run) ? hosts_of(run) : ranks_placed(run));
    // Many of them would push the plots from the page: the chapter on the machine has all.
    constexpr std::size_t most = 9;
    constexpr std::size_t most_characters = 120; // two lines and a half: caches of several kinds
    std::vector<MachineFact> machine = machine_facts(run);
    std::erase_if(machine, [](const MachineFact& each) { return each.is_detail; });
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
        if (other.run) {
            different = Series(run).differences(Series(*other.run));
            std::ranges::move(description_differences(run, *other.run), std::back_inserter(different));
        }
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

} // namespace

FactList system_box(const Material& material) {
    FactList box = box_of(material.subjects);
    if (material.options.turns)
        name_variants(*material.options.turns, box);
    return box;
}

} // namespace skampi
