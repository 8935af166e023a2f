// SPDX-License-Identifier: GPL-2.0-or-later
#include "document/sections/overview_plots.hpp"

#include "document/sections/contest_section.hpp"
#include "drawing/figure.hpp"
#include "launches/study.hpp"
#include "model/quantity.hpp"
#include "words/section_words.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace skampi {

namespace {

/// How many small plots the first page has room for.
constexpr std::size_t most_plots = 30;

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
    Figure overview = overview_figure(names.next(), plots, labels, most_plots);
    if (overview.panels.empty())
        return std::nullopt;
    FigureBlock block{std::move(overview), overview_caption};
    block.suites = plots.size();
    return block;
}

/// Times of algorithms over one another, a small plot for each operation; none where there are other suites,
/// or too many algorithms to distinguish their lines.
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
    Figure figure = overview_figure(names.next(), plots, labels, most_plots);
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
    Figure overview = overview_figure(names.next(), plots, labels, most_plots);
    if (overview.panels.empty())
        return std::nullopt;
    for (Panel& panel : overview.panels)
        panel.section.clear(); // there is no such suite
    return FigureBlock{std::move(overview), study_caption};
}

} // namespace

std::optional<FigureBlock> overview_plots(const Material& material) {
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

} // namespace skampi
