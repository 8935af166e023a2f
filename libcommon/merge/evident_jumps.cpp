// SPDX-License-Identifier: LGPL-2.1-or-later
#include "merge/evident_jumps.hpp"

#include <algorithm>
#include <cmath>
#include <map>

namespace skampi {

namespace {

/// Two arguments of a run within this distance are close enough to show a jump between them.
constexpr std::int64_t close_share = 8;
/// Smaller steps hardly exceed the differences between launches, and do little harm between two points.
const double least_step = std::log(1.1);

/// How many times as large as the run's usual changes a jump is.
constexpr double stands_out = 4;

/// The logarithm of the step between two neighbours of a run that growth in proportion to the argument does
/// not explain: above 0 up, below 0 down.
double unexplained(const PointHeader& left, const PointHeader& right) {
    const double step = std::log(right.value_s / left.value_s);
    const double growth =
        left.argument > 0 ? std::log(static_cast<double>(right.argument) / static_cast<double>(left.argument))
                          : 0;
    return step < 0 ? step : std::max(0.0, step - growth);
}

/// Neighbours of a run that both count.
struct Pair {
    std::int64_t left = 0;
    std::int64_t right = 0;
    double step = 0; ///< unexplained()
};

std::vector<Pair> pairs_of(const ValuesInMode& run) {
    std::vector<Pair> pairs;
    for (std::size_t i = 0; i + 1 < run.places.size(); ++i) {
        const PointHeader& left = run.headers[run.places[i]];
        const PointHeader& right = run.headers[run.places[i + 1]];
        if (!left.doubtful && !right.doubtful && left.value_s > 0 && right.value_s > 0)
            pairs.push_back({left.argument, right.argument, unexplained(left, right)});
    }
    return pairs;
}

/// What a step of a run must exceed to be a jump. Most neighbours of a run have no jump between them, so the
/// upper quartile of their steps is noise.
double least_jump(const std::vector<Pair>& pairs) {
    std::vector<double> sizes;
    for (const Pair& pair : pairs)
        sizes.push_back(std::fabs(pair.step));
    if (sizes.empty())
        return least_step;
    const auto quartile = sizes.begin() + static_cast<std::ptrdiff_t>(3 * (sizes.size() - 1) / 4);
    std::ranges::nth_element(sizes, quartile);
    return std::max(least_step, stands_out * *quartile);
}

/// How many runs look closely at a gap, and how many of them show a jump.
struct Witnesses {
    int close = 0;
    int up = 0;
    int down = 0;
    void add(const Witnesses& other) {
        close += other.close;
        up += other.up;
        down += other.down;
    }
    [[nodiscard]] bool agree() const {
        const int most = std::max(up, down);
        return most >= 2 && 2 * most >= close;
    }
};

} // namespace

EvidentJumps::EvidentJumps(std::span<const ValuesInMode> runs) {
    // The change of the number of witnesses at each argument at which a pair of neighbours begins or ends:
    // pairs of one run do not overlap, so each run counts once.
    std::map<std::int64_t, Witnesses> changes;
    bool any = false;
    for (const ValuesInMode& run : runs) {
        const std::vector<Pair> pairs = pairs_of(run);
        const double least = least_jump(pairs);
        for (const Pair& pair : pairs) {
            if (pair.right - pair.left > std::max<std::int64_t>(1, pair.left / close_share))
                continue;
            const Witnesses one{1, pair.step > least ? 1 : 0, pair.step < -least ? 1 : 0};
            any = any || one.up + one.down > 0;
            changes[pair.left].add(one);
            changes[pair.right].add({-one.close, -one.up, -one.down});
        }
    }
    if (!any)
        return;
    Witnesses here;
    for (auto change = changes.begin(); change != changes.end(); ++change) {
        here.add(change->second);
        const auto next = std::next(change);
        if (!here.agree() || next == changes.end())
            continue;
        if (!gaps_.empty() && gaps_.back().before == change->first)
            gaps_.back().before = next->first;
        else
            gaps_.push_back({change->first, next->first});
    }
}

bool EvidentJumps::between(std::int64_t left, std::int64_t right) const {
    const auto first = std::ranges::upper_bound(gaps_, left, {}, [](const Gap& gap) { return gap.before; });
    return first != gaps_.end() && first->after < right;
}

} // namespace skampi
