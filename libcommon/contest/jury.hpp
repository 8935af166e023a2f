// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "contest/contest_table.hpp"
#include "contest/estimate.hpp"
#include "contest/statement.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace skampi {

/// States a difference: the ratio with an interval that errs with that probability, faster or slower where it
/// excludes 1, else open.
void state_difference(Statement& statement, const Estimate& estimate, double error);

/// A suite at an argument against a constant: the time by that of the limit, as for pairs of which one side
/// is the limit. @param rule its `rounding` is found here
[[nodiscard]] Statement judge_limit(const SideLaunches& launches, std::int64_t argument, double limit_s,
                                    EstimateRule rule, double error = 0.05);

/// Judges suites together: the probability of any false difference among them is that of the rule. Half of it
/// is for suites as wholes, a quarter for classes of lengths, a quarter for points; in each part the steps of
/// Holm (Scandinavian Journal of Statistics 6, 1979), and the interval of a statement errs as often as its
/// step. A statement is equal where both one-sided tests reject the margin (Schuirmann 1987): for a whole
/// each with half of the error, else with its step.
class Jury {
public:
    explicit Jury(const ContestRule& rule)
        : rule_(rule) {}

    struct Case {
        ContestTable table;
        LaunchPairs pairs = {}; ///< those used: the table's, or those in one state of the machine
        EstimateRule estimate = {};
        bool simulated = false;
        std::optional<Why> obstacle = {}; ///< ratios are shown, but nothing is judged
    };
    /// Adds a suite that both sides have. @param suite gets its statements in judge(); outlives this
    void add(SuiteContest& suite, Case tried);
    /// @param statements at least so many statements share the error of points
    void judge(std::size_t statements = 0);

private:
    struct Pending {
        Statement* statement = nullptr;
        Estimate estimate;
    };
    void add_statement(SuiteContest& suite, const Case& tried, const Place& place);
    void decide(std::vector<Pending>& pending, double error, std::size_t statements) const;
    void add_ranges(SuiteContest& suite) const;

    ContestRule rule_;
    struct Suite {
        SuiteContest* contest = nullptr;
        Case tried;
    };
    std::vector<Suite> suites_;
    std::vector<Pending> wholes_;
    std::vector<Pending> sizes_;
    std::vector<Pending> points_;
};

} // namespace skampi
