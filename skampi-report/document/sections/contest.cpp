#include "document/sections/contest.hpp"

#include "words/doubt_words.hpp"
#include "words/verdict_words.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace skampi {

std::vector<const Subject*> Contest::sizes() const {
    std::vector<const Subject*> all{reference};
    all.insert(all.end(), other_sizes.begin(), other_sizes.end());
    std::ranges::stable_sort(all, {}, [](const Subject* each) { return each->run ? each->run->ranks : 0; });
    return all;
}

Contest contest_of(const std::vector<Subject>& subjects, bool baseline,
                   const std::vector<DatabaseComparison>* known) {
    Contest contest;
    contest.reference = baseline ? &subjects.back() : &subjects.front();
    for (const Subject& other : subjects)
        if (are_rivals(*contest.reference, other, subjects))
            contest.others.push_back(&other);
        else if (&other != contest.reference)
            contest.other_sizes.push_back(&other);
    contest.comparisons = known != nullptr ? *known : compare_subjects(subjects, baseline);
    return contest;
}

TextAndCommand comparison_answer(const std::vector<const Subject*>& subjects,
                                 std::span<const DatabaseComparison> comparisons) {
    std::vector<TextAndCommand> sentences;
    // What cannot be compared at all comes first: there is no verdict then.
    for (const DatabaseComparison& comparison : comparisons)
        if (std::string shared = launches_in_common(comparison); !shared.empty())
            sentences.push_back({std::move(shared)});
        else
            sentences.insert(sentences.end(), {{other_ranks(comparison)}, {verdict(comparison)}});
    // One sentence on how far to trust it: that the machine was in another state, or the gravest doubt.
    std::string trust;
    for (const DatabaseComparison& comparison : comparisons)
        trust = trust.empty() ? other_state(comparison) : trust;
    sentences.push_back({trust.empty() ? gravest_doubt_about(subjects) : trust});
    TextAndCommand next;
    for (const DatabaseComparison& comparison : comparisons)
        next = next.empty() ? comparison_next_step(comparison) : next;
    sentences.push_back(std::move(next));
    return joined(sentences);
}

} // namespace skampi
