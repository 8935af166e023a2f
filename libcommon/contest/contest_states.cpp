// SPDX-License-Identifier: LGPL-2.1-or-later
#include "contest/contest_states.hpp"

#include "model/machine_state.hpp"
#include "skalib/statistics.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

namespace skampi {

namespace {

/// Between the probes of two states; none where they lie in one, or are not all known.
std::optional<double> largest_gap(const ContestTable& table) {
    std::vector<double> probes;
    for (const auto& [i, j] : table.pairs()) {
        probes.push_back(table.sides()[0].log_probes[i]);
        probes.push_back(table.sides()[1].log_probes[j]);
    }
    if (probes.empty() || std::ranges::any_of(probes, [](double each) { return std::isnan(each); }))
        return std::nullopt;
    std::ranges::sort(probes);
    std::size_t widest = 0;
    for (std::size_t i = 1; i + 1 < probes.size(); ++i)
        if (probes[i + 1] - probes[i] > probes[widest + 1] - probes[widest])
            widest = i;
    if (probes[widest + 1] - probes[widest] < std::log(mode_ratio))
        return std::nullopt;
    return (probes[widest] + probes[widest + 1]) / 2;
}

PairsInState in_state(const ContestTable& table, double bound, bool slower) {
    PairsInState found{.state = {.slower = slower}};
    std::array<std::vector<std::size_t>, 2> alone;
    std::vector<double> probes_s;
    for (const auto& [i, j] : table.pairs()) {
        const std::array<double, 2> probes{table.sides()[0].log_probes[i], table.sides()[1].log_probes[j]};
        const std::array<bool, 2> inside{(probes[0] > bound) == slower, (probes[1] > bound) == slower};
        if (inside[0] && inside[1])
            found.pairs.emplace_back(i, j);
        else if (inside[0])
            alone[0].push_back(i);
        else if (inside[1])
            alone[1].push_back(j);
        for (std::size_t side = 0; side < 2; ++side)
            if (inside[side])
                probes_s.push_back(std::exp(probes[side]));
    }
    for (std::size_t k = 0; k < std::min(alone[0].size(), alone[1].size()); ++k)
        found.pairs.emplace_back(alone[0][k], alone[1][k]);
    found.state.probe_s = probes_s.empty() ? 0 : skalib::median(std::move(probes_s));
    return found;
}

/// Whether the difference at a place depends on the state.
bool differs_at(const ContestTable& table, const Place& place, const PairsInState& fast,
                const PairsInState& slow, double chance) {
    constexpr double least = 0.0953; // logarithm of a tenth
    const ContestTable::Scores a = table.scores(place, fast.pairs);
    const ContestTable::Scores b = table.scores(place, slow.pairs);
    EstimateRule rule;
    rule.rounding = {a.rounding[0] + a.rounding[1], b.rounding[0] + b.rounding[1]};
    const std::optional<Estimate> change = estimate_sides(a.sides[0], b.sides[0], rule);
    return change && change->error > 0 && std::fabs(change->centre) > least && change->chance() <= chance;
}

} // namespace

std::vector<PairsInState> pairs_by_state(const ContestTable& table) {
    constexpr std::size_t least = 3;
    constexpr double chance = 0.01;
    const std::optional<double> bound = largest_gap(table);
    if (!bound)
        return {};
    const PairsInState fast = in_state(table, *bound, false);
    const PairsInState slow = in_state(table, *bound, true);
    const std::size_t fewer = std::min(fast.pairs.size(), slow.pairs.size());
    if (fewer < least || 10 * fewer < fast.pairs.size() + slow.pairs.size())
        return {};
    std::vector<Place> places = table.sizes();
    places.push_back({Place::Kind::whole, table.rows().front().argument, table.rows().back().argument});
    const bool shown = std::ranges::any_of(places,
                                           [&](const Place& place) {
                                               return differs_at(table, place, fast, slow,
                                                                 chance / static_cast<double>(places.size()));
                                           }) ||
                       std::ranges::any_of(table.rows(), [&](const ContestTable::Row& row) {
                           return differs_at(table, {Place::Kind::point, row.argument, row.argument}, fast,
                                             slow, chance / static_cast<double>(table.rows().size()));
                       });
    return shown ? std::vector{fast, slow} : std::vector<PairsInState>();
}

} // namespace skampi
