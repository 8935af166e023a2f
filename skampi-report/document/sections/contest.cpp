#include "document/sections/contest.hpp"

#include "words/trust_words.hpp"

#include <fmt/format.h>

namespace skampi {

namespace {

/// Whether a judgement of one against the other says something: jobs of other sizes in one file were run to
/// see how times grow with the number of ranks.
bool are_rivals(const Subject& reference, const Subject& other) {
    return &other != &reference && !(other.path == reference.path && other.run && reference.run &&
                                     other.run->ranks != reference.run->ranks);
}

} // namespace

Contest contest_of(const std::vector<Subject>& subjects, bool baseline) {
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

std::string comparison_answer(const std::vector<const Subject*>& subjects,
                              std::span<const DatabaseComparison> comparisons) {
    std::vector<std::string> sentences;
    for (const auto& first : {other_ranks, launches_in_common, other_state})
        for (const DatabaseComparison& comparison : comparisons)
            sentences.push_back(first(comparison));
    for (const Subject* subject : subjects)
        sentences.push_back(doubts_about(*subject));
    for (const DatabaseComparison& comparison : comparisons)
        sentences.push_back(verdict(comparison));
    std::erase(sentences, "");
    return fmt::format("{}", fmt::join(sentences, " "));
}

std::vector<DatabaseComparison> compare_subjects(const std::vector<Subject>& subjects, bool baseline) {
    const Subject& reference = baseline ? subjects.back() : subjects.front();
    std::vector<DatabaseComparison> comparisons;
    for (const Subject& other : subjects)
        if (are_rivals(reference, other))
            comparisons.push_back(compare_databases(reference, other));
    return comparisons;
}

} // namespace skampi
