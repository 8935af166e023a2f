// SPDX-License-Identifier: LGPL-2.1-or-later
#include "suite/first_pass.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numeric>

namespace skampi {
namespace {

/// The share of the suite's time for the first visits; beyond it later passes are given up.
constexpr double share_of_suite = 0.5;
/// A visit that begins with less than so many times its usual duration would end beyond the suite's time.
constexpr double room_for_next = 1.25;
/// Visits vary with the scheduler's slices; old durations say little.
constexpr std::ptrdiff_t recent_visits = 4;
constexpr std::size_t step_of_coarsest = 4;

} // namespace

FirstPass::FirstPass(const std::vector<std::int64_t>& arguments, Order order)
    : arguments_(arguments)
    , coarsest_step_(order == Order::coarse_first ? step_of_coarsest : 1)
    , states_(arguments.size(), State::open) {}

std::optional<std::size_t> FirstPass::place_of(std::int64_t argument) const {
    const auto found = std::ranges::lower_bound(arguments_, argument);
    return found != arguments_.end() && *found == argument
               ? std::optional(static_cast<std::size_t>(found - arguments_.begin()))
               : std::nullopt;
}

void FirstPass::leave(std::int64_t argument) {
    if (const auto place = place_of(argument))
        states_[*place] = State::done;
}

void FirstPass::put_off(std::int64_t argument) {
    if (const auto place = place_of(argument))
        states_[*place] = State::put_off;
}

void FirstPass::visited(std::int64_t argument, double least_s) {
    leave(argument);
    if (least_s > 0)
        least_s_.push_back(least_s);
}

std::size_t FirstPass::open() const {
    return static_cast<std::size_t>(
        std::ranges::count_if(states_, [](State state) { return state != State::done; }));
}

bool FirstPass::is_open(std::int64_t argument) const {
    const auto place = place_of(argument);
    return place && states_[*place] != State::done;
}

double FirstPass::usual_least_s() const {
    if (least_s_.empty())
        return 0;
    const auto count = std::min(recent_visits, std::ssize(least_s_));
    return std::accumulate(least_s_.end() - count, least_s_.end(), 0.0) / static_cast<double>(count);
}

bool FirstPass::is_starved(double suite_s) const {
    return usual_least_s() * static_cast<double>(open()) > share_of_suite * suite_s;
}

FirstPass::State FirstPass::lowest_state() const {
    return std::ranges::find(states_, State::open) != states_.end() ? State::open : State::put_off;
}

std::int64_t FirstPass::lowest() const {
    const State wanted = lowest_state();
    for (std::size_t step = coarsest_step_; step > 1; step /= 2)
        for (std::size_t place = 0; place < states_.size(); place += step)
            if (states_[place] == wanted)
                return arguments_[place];
    const auto found = std::ranges::find(states_, wanted);
    return arguments_[static_cast<std::size_t>(found - states_.begin())];
}

/// An end, or the middle of the widest gap between arguments that are done.
std::int64_t FirstPass::coarsest() const {
    const State wanted = lowest_state();
    for (const std::size_t end : {std::size_t{0}, states_.size() - 1})
        if (states_[end] == wanted)
            return arguments_[end];
    std::size_t best = 0;
    std::size_t widest = 0;
    std::size_t begin = 0;
    for (std::size_t i = 1; i < states_.size(); ++i) {
        if (states_[i] != State::done && i + 1 < states_.size())
            continue;
        for (std::size_t step = 0; step < i - begin && i - begin > widest; ++step) {
            // The place nearest to the middle that is to be visited now.
            const std::size_t middle = std::midpoint(begin, i);
            const std::size_t place = step % 2 == 0 ? middle - step / 2 : middle + (step + 1) / 2;
            if (place > begin && place < i && states_[place] == wanted) {
                best = place;
                widest = i - begin;
            }
        }
        begin = i;
    }
    return arguments_[best];
}

std::optional<FirstPass::Visit> FirstPass::next(double pass_s, double suite_s) const {
    const std::size_t open_now = open();
    if (open_now == 0)
        return std::nullopt;
    const auto count = static_cast<double>(open_now);
    if (!std::isfinite(suite_s))
        return Visit{lowest(), suite_s, false};
    if (!is_starved(suite_s))
        return Visit{lowest(), std::max(0.0, pass_s) / count, false};
    const double least_s = room_for_next * usual_least_s();
    if (least_s > suite_s)
        return std::nullopt;
    return Visit{coarsest(), suite_s / std::clamp(std::floor(suite_s / least_s), 1.0, count), true};
}

} // namespace skampi
