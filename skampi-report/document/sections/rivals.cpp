// SPDX-License-Identifier: GPL-2.0-or-later
#include "document/sections/rivals.hpp"

#include "words/contest_words.hpp"
#include "words/doubt_words.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace skampi {

std::vector<const Subject*> Rivals::sizes() const {
    std::vector<const Subject*> all{reference};
    all.insert(all.end(), other_sizes.begin(), other_sizes.end());
    std::ranges::stable_sort(all, {}, [](const Subject* each) { return each->run ? each->run->ranks : 0; });
    return all;
}

Rivals contest_of(const std::vector<Subject>& subjects, bool baseline, const std::vector<Contest>* known) {
    Rivals rivals;
    rivals.reference = baseline ? &subjects.back() : &subjects.front();
    for (const Subject& other : subjects)
        if (are_rivals(*rivals.reference, other, subjects))
            rivals.others.push_back(&other);
        else if (&other != rivals.reference)
            rivals.other_sizes.push_back(&other);
    rivals.comparisons = known != nullptr ? *known : judge_subjects(subjects, baseline);
    return rivals;
}

TextAndCommand comparison_answer(const std::vector<const Subject*>& subjects,
                                 std::span<const Contest> contests) {
    std::vector<TextAndCommand> sentences;
    std::string doubt;
    TextAndCommand next;
    const bool many = contests.size() > most_contests_in_full;
    if (many)
        sentences.push_back({contests_answer(contests)});
    for (const Contest& contest : contests) {
        if (!many)
            sentences.push_back({contest_answer(contest)});
        for (const ContestDoubt& each : contest.doubts)
            if (doubt.empty() && (many || each.kind > ContestDoubtKind::ranks_differ) &&
                each.kind <= ContestDoubtKind::state_counts)
                doubt = doubt_sentence(contest, each);
        next = next.empty() ? contest_next(contest) : next;
    }
    sentences.push_back({doubt.empty() ? gravest_doubt_about(subjects) : doubt});
    sentences.push_back(std::move(next));
    return joined(sentences);
}

} // namespace skampi
