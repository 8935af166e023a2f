// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "model/suite.hpp"

#include <cstddef>
#include <cstdint>

namespace skampi {

/// Divides the time of a suite (Time_Suite) and its repetitions among its passes, so that the last arguments
/// of a pass, and later passes, get their part. Reads no clock: every `now_s` is the caller's. Without
/// Time_Suite its times are infinite.
class TimeBudget {
public:
    /// @param refined a refinement follows the first pass   @param in_turns one of a group that is measured
    /// in turns
    TimeBudget(const Suite& suite, bool refined, bool in_turns = false);
    /// The suite's time runs from now on: its start, or its turn.
    void start(double now_s) {
        begin_s_ = now_s;
        running_ = true;
    }
    /// Another one's turn begins.
    void pause(double now_s) {
        used_before_s_ += running_ ? now_s - begin_s_ : 0;
        running_ = false;
    }
    /// A former start used this time.
    void add_used(double used_s) { used_before_s_ += used_s; }

    [[nodiscard]] double left_s(double now_s) const;
    /// Used, 0..1; 0 without Time_Suite.
    [[nodiscard]] double share_used(double now_s) const;

    // For the passes behind the present part.
    [[nodiscard]] double kept_by_first_pass_s() const;
    [[nodiscard]] double kept_by_refinement_s() const;
    [[nodiscard]] double kept_by_pass_s(int pass, double now_s) const;
    /// For the next visit: an equal part of what is left. @param arguments of this pass still to be visited
    [[nodiscard]] double fair_share_s(double now_s, double kept_s, std::size_t arguments) const;
    /// When the calls of a visit must have ended, by Time_Suite and Time_Measurement.
    /// @param used_before_s at this argument, by former visits
    [[nodiscard]] double deadline_s(double visit_begin_s, double used_before_s) const;

    /// The share of the expected repetitions that is due at the end of a pass, 0..1.
    [[nodiscard]] double share_of_repetitions(int pass) const;
    /// The share of the shortest visit to an argument, for a pass.
    [[nodiscard]] double share_of_visit(int pass) const;

private:
    [[nodiscard]] double share_of_first_pass(double if_refined) const;

    double suite_time_s_;
    double measurement_time_s_;
    int passes_;
    bool refined_;
    bool in_turns_;
    bool running_ = false;
    double begin_s_ = 0;
    double used_before_s_ = 0;
};

} // namespace skampi
