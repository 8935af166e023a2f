// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "suite/suite_run.hpp"

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace skampi {

/// Whether two suites differ only in the algorithm that a list of Algorithm gave them, and so in their names.
[[nodiscard]] bool differ_in_algorithm(const Suite& a, const Suite& b);

/// Callbacks while a group is measured: a SuiteListener for each member, by its place. Parts may be empty.
struct GroupListener {
    std::function<void(std::size_t, const Measurement&)> on_point = {};
    std::function<void(std::int64_t, double)> on_visit = {}; ///< with the share of the group that is done
    std::function<void(std::size_t)> on_ready = {};
};

/// Measures the suites of a group in turns: at each stay at an argument each member is visited once, in an
/// order drawn for the stay, so that changes of the machine affect them all. The first pass is
/// for all, from coarse to fine where the scale chooses arguments: there a member that takes twice as long as
/// the fastest on both sides of an argument is not visited at it. Behind it, arguments are added where the
/// lowest of their curves is worst, or that of a member near to it (in a simulation first in the middle
/// between two, for members within 1.5 times the fastest), and the passes are for
/// the members near to it: those far from the fastest keep the values of their first pass. The member without
/// a word, the library's own choice, which the others are compared with, is measured at all arguments, at
/// least in two passes, and beyond the planned ones, where other work disturbs values, in each stay of
/// another member: even if it already has the most values allowed.
///
/// In the database only the member that has the turn is in progress: if the job ends in it, it is put off.
class GroupRun {
public:
    /// @param seed decides the orders
    GroupRun(const std::vector<SuiteOfRun>& members, Laboratory& laboratory, const Tempo& tempo,
             Database& database, RunState& run, std::uint64_t seed);
    ~GroupRun();

    /// @return of each member, in their order
    [[nodiscard]] std::vector<SuiteOutcome> measure(GroupListener listener = {});

private:
    struct Lowest {
        double value_s = 0;
        double error_s = 0;
    };
    using Wanted = std::function<bool(std::size_t)>; ///< of a member's place
    using Turn = std::function<void(std::size_t)>;

    void first_pass();
    void refine();
    /// In a simulation, once, in the middle between arguments of the first pass at distances of an octave or
    /// more. On a real machine so many arguments cost too much.
    void look_between();
    void refine_lowest();
    void refine_members();
    void later_passes();
    void pass_over(int pass);
    /// A turn of each member that wants one. @return whether any did
    bool stay(std::int64_t argument, int pass, const Wanted& wanted, const Turn& turn);
    /// @param factor of the lowest value, that a member must be within to be visited
    bool stay_of_refinement(std::int64_t argument, double factor);
    void begin_turn(std::size_t member);
    /// Of the members that delivered wrong data nowhere.
    [[nodiscard]] std::optional<Lowest> lowest_at(std::int64_t argument) const;
    [[nodiscard]] bool is_near_at(const SuiteRun& member, const Points::value_type& there,
                                  double factor) const;
    /// Within a factor of the lowest value, or perhaps: at the argument or, where the member is not measured
    /// yet, next to it on either side. There the default is near to all.
    [[nodiscard]] bool is_near(const SuiteRun& member, std::int64_t argument, double factor) const;
    /// In a simulation: whether a member before it took exactly the same time on both sides. They are two
    /// names for one algorithm there, and one of them is enough.
    [[nodiscard]] bool has_twin(const SuiteRun& member, std::int64_t argument) const;
    [[nodiscard]] bool stopped() const;
    void listen(std::size_t member);

    Laboratory& laboratory_;
    Database& database_;
    std::uint64_t seed_;
    bool simulated_;
    std::vector<std::unique_ptr<SuiteRun>> members_;
    std::vector<double> shares_; ///< of each member that is done
    std::optional<std::size_t> in_turn_;
    bool stop_between_turns_ = false; ///< a stop was wanted while turns were still to come
    GroupListener listener_;
};

} // namespace skampi
