// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

namespace skampi {

/// Chooses the order of the first pass over a suite's arguments, and how much time each visit gets. As long
/// as all arguments fit into half of the suite's time, it goes from the smallest to the largest and later
/// passes follow. Where a visit takes longer than that (ranks share cores, say), the suite is starved: it
/// measures fewer arguments, from coarse to fine (the ends, the middle, then between them), and finishes each
/// before it begins the next. A group of suites goes from coarse to fine in any case (Order::coarse_first),
/// so that those who are slow on both sides of an argument need no visit there. Pure: learns from visits what
/// one takes at least.
class FirstPass {
public:
    enum class Order {
        ascending,
        coarse_first ///< each fourth argument, then each second one, then the others, ascending each time
    };
    /// @param arguments of the first pass, ascending
    explicit FirstPass(const std::vector<std::int64_t>& arguments, Order order = Order::ascending);

    /// The argument needs no visit: a former start has visited it, or it is impossible.
    void leave(std::int64_t argument);
    /// A former start crashed in it: it is visited last.
    void put_off(std::int64_t argument);
    /// A visit took so long until its first values were complete, without what is done once a suite; 0 = it
    /// has none.
    void visited(std::int64_t argument, double least_s);

    struct Visit {
        std::int64_t argument = 0;
        double budget_s = 0;
        bool finishes = false; ///< no later pass follows
    };
    /// @param pass_s the time for this pass   @param suite_s the suite's time; both are what is left of it
    /// @return none = no argument, or no time for another one
    [[nodiscard]] std::optional<Visit> next(double pass_s, double suite_s) const;

    [[nodiscard]] std::size_t size() const { return arguments_.size(); }
    [[nodiscard]] std::size_t open() const;
    /// Whether it was not visited yet, and is none to leave.
    [[nodiscard]] bool is_open(std::int64_t argument) const;
    [[nodiscard]] bool is_starved(double suite_s) const;

private:
    enum class State { open, put_off, done };
    [[nodiscard]] std::optional<std::size_t> place_of(std::int64_t argument) const;
    [[nodiscard]] double usual_least_s() const;
    [[nodiscard]] std::int64_t lowest() const; ///< of the coarsest that are open
    [[nodiscard]] std::int64_t coarsest() const;
    [[nodiscard]] State lowest_state() const;

    std::vector<std::int64_t> arguments_;
    std::size_t coarsest_step_; ///< 1 = ascending
    std::vector<State> states_;
    std::vector<double> least_s_; ///< of each visit
};

} // namespace skampi
