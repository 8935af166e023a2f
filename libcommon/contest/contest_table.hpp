// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "contest/estimate.hpp"
#include "contest/statement.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace skampi {

/// The launches of one side of a suite with their own values, in any state of the machine. Reading left out
/// the launches that do not count; distant values are outliers of the statement.
struct SideLaunches {
    const Curve* curve = nullptr;          ///< not null
    std::vector<std::string> uuids = {};   ///< in the order of their begin; if it is unknown, by uuid
    std::vector<double> log_speeds = {};   ///< of the cores, in that order
    std::vector<double> log_probes = {};   ///< medians; not a number = unknown
    std::vector<LaunchValues> values = {}; ///< of each launch
};
/// @param times of the subject's launches
[[nodiscard]] SideLaunches side_launches(const Curve& curve, const std::map<std::string, LaunchTime>& times);

/// Places in the two sides of launches that are compared one by one.
using LaunchPair = std::pair<std::size_t, std::size_t>;
using LaunchPairs = std::vector<LaunchPair>;

/// Variance of the logarithm of a value that was rounded to the clock's step: the greatest that an error of
/// at most half a step can have. With the variance of a uniform error, a third of it, two sides on
/// neighbouring steps would differ although the unrounded values may be equal.
[[nodiscard]] double rounding_variance(const Curve& curve, double value_s);

/// The weight of each argument where several are combined: its share of the logarithmic axis, so that many
/// refined arguments together do not count more. The mean is 1.
/// @param arguments ascending
[[nodiscard]] std::vector<double> argument_weights(const std::vector<std::int64_t>& arguments);

/// The values of two suites: arguments by launches.
class ContestTable {
public:
    /// @param pairs not of Pairing::independent
    ContestTable(SideLaunches reference, SideLaunches subject, Pairing pairing, LaunchPairs pairs);

    struct Row {
        std::int64_t argument = 0;
        Why why = Why::none;              ///< why it is neither judged nor pooled
        bool interpolated = false;        ///< few launches of one side measured it
        std::array<double, 2> rounding{}; ///< variances
        double middle = 0;                ///< of both sides, a logarithm
        std::array<std::vector<double>, 2> log_times =
            {}; ///< by launch, between neighbours on the line; not a number
    };
    [[nodiscard]] const std::vector<Row>& rows() const { return rows_; }
    [[nodiscard]] const std::array<SideLaunches, 2>& sides() const { return sides_; }
    [[nodiscard]] Pairing pairing() const { return pairing_; }
    [[nodiscard]] const LaunchPairs& pairs() const { return pairs_; }
    /// Classes of message lengths with arguments, if there are several.
    [[nodiscard]] std::vector<Place> sizes() const;

    /// The scores of launches, or pairs, at a place: the weighted median over its arguments, for those with
    /// half of them or more; one bad argument does not matter.
    struct Scores {
        std::array<LaunchScores, 2> sides; ///< for pairs only the first
        std::array<double, 2> rounding{};
        std::size_t arguments = 0;
        Why why = Why::none; ///< of the first excluded argument, if none remains
    };
    /// @param pairs among those of the table
    [[nodiscard]] Scores scores(const Place& place, const LaunchPairs& pairs) const;
    /// The geometric mean of the reference's times at an argument. @param pairs that count
    [[nodiscard]] double reference_s(const Row& row, const LaunchPairs& pairs) const;

private:
    void add_row(std::int64_t argument);
    [[nodiscard]] Why compare_values_shown(std::int64_t argument) const;

    std::array<SideLaunches, 2> sides_;
    Pairing pairing_;
    LaunchPairs pairs_;
    std::vector<Row> rows_;
};

} // namespace skampi
