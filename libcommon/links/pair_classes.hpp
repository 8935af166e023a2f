// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

namespace skampi {

/// A value for each pair of members, the same both ways; not a number = none.
class PairValues {
public:
    explicit PairValues(int members = 0, double value = std::numeric_limits<double>::quiet_NaN())
        : members_(members)
        , values_(static_cast<std::size_t>(members) * static_cast<std::size_t>(members), value) {}

    [[nodiscard]] int members() const { return members_; }
    [[nodiscard]] double operator()(int first, int second) const { return values_[at(first, second)]; }
    void set(int first, int second, double value) {
        values_[at(first, second)] = values_[at(second, first)] = value;
    }

private:
    [[nodiscard]] std::size_t at(int first, int second) const {
        return static_cast<std::size_t>(first) * static_cast<std::size_t>(members_) +
               static_cast<std::size_t>(second);
    }
    int members_;
    std::vector<double> values_;
};

/// The class of each pair, from 0, the fastest: pairs that are equally far apart in the network.
struct PairClasses {
    int count = 1;
    PairValues of_pair;
};

/// Classes from the times of short messages. Times that lie in one heap are a class; then each pair takes the
/// class of most pairs between members that are connected like its own ones, so that a slow node or link does
/// not become a class of its own. Members are connected alike if their times to all others differ by a
/// constant.
[[nodiscard]] PairClasses classes_by_time(const PairValues& time_s);

} // namespace skampi
