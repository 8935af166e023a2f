// SPDX-License-Identifier: GPL-2.0-or-later
#include "wait_states/wait_states.hpp"

#include "launches/read_subjects.hpp"

#include "model/quantity.hpp"

#include "base/error.hpp"

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>

namespace skampi {

namespace {

using cube::PatternStatistics;

/// A pattern's name and how many of that name came before it.
using Key = std::pair<std::string, std::size_t>;

std::vector<Key> keys_of(const std::vector<PatternStatistics>& patterns) {
    std::map<std::string, std::size_t> seen;
    std::vector<Key> keys;
    for (const PatternStatistics& pattern : patterns)
        keys.emplace_back(pattern.name, seen[pattern.name]++);
    return keys;
}

std::optional<double> ratio(double other, double reference) {
    return reference > 0 ? std::optional(other / reference) : std::nullopt;
}

PatternComparison compare(const PatternStatistics& reference, const PatternStatistics& other) {
    PatternComparison result{
        &reference, &other, cube::as_double(other.count) - cube::as_double(reference.count), {}, {}, {}, {}};
    if (!reference.moments || !other.moments)
        return result;
    result.sum_difference_s = other.moments->sum_s - reference.moments->sum_s;
    result.mean_difference_s = other.moments->mean_s - reference.moments->mean_s;
    result.sum_ratio = ratio(other.moments->sum_s, reference.moments->sum_s);
    result.mean_ratio = ratio(other.moments->mean_s, reference.moments->mean_s);
    return result;
}

} // namespace

std::vector<WaitStates> read_wait_states(const std::vector<std::string>& paths) {
    std::vector<WaitStates> files;
    const std::vector<std::string> names = names_of_files(paths);
    std::set<std::string> labels;
    for (const std::string& path : paths) {
        WaitStates& file = files.emplace_back(WaitStates{path, "", cube::read_statistics_file(path)});
        if (file.read.errors > 0 && file.read.file.patterns.empty())
            throw InputError(to_text(file.read.problems.front(), path) +
                             "; nothing in this file could be read as Cube statistics");
        file.label = shortened_name(names[files.size() - 1], 30);
        labels.insert(file.label);
    }
    if (labels.size() < files.size())
        for (std::size_t i = 0; i < files.size(); ++i)
            files[i].label += " (" + std::to_string(i + 1) + ")";
    return files;
}

WaitStateComparison compare(const WaitStates& reference, const WaitStates& other) {
    WaitStateComparison comparison{&reference, &other, {}, {}, {}};
    const std::vector<PatternStatistics>& theirs = other.read.file.patterns;
    std::map<Key, const PatternStatistics*> by_key;
    const std::vector<Key> their_keys = keys_of(theirs);
    for (std::size_t i = 0; i < theirs.size(); ++i)
        by_key[their_keys[i]] = &theirs[i];
    const std::vector<PatternStatistics>& own = reference.read.file.patterns;
    const std::vector<Key> own_keys = keys_of(own);
    for (std::size_t i = 0; i < own.size(); ++i) {
        const auto found = by_key.find(own_keys[i]);
        if (found == by_key.end()) {
            comparison.only_in_reference.push_back(own[i].name);
            continue;
        }
        comparison.patterns.push_back(compare(own[i], *found->second));
        by_key.erase(found);
    }
    for (std::size_t i = 0; i < theirs.size(); ++i) // in the file's order
        if (by_key.contains(their_keys[i]))
            comparison.only_in_other.push_back(theirs[i].name);
    return comparison;
}

std::vector<WaitStateComparison> compare_all(const std::vector<WaitStates>& files, bool baseline) {
    std::vector<WaitStateComparison> comparisons;
    const WaitStates& reference = baseline ? files.back() : files.front();
    for (const WaitStates& other : files)
        if (&other != &reference)
            comparisons.push_back(compare(reference, other));
    return comparisons;
}

} // namespace skampi
