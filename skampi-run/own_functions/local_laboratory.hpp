// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "host/disturbance.hpp"
#include "laboratory/buffers.hpp"
#include "laboratory/laboratory.hpp"
#include "laboratory/series_watch.hpp"
#include "skalib/clock.hpp"
#include "skampi/functions.hpp"

#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace skampi {

/// Measures functions in this process, without MPI.
class LocalLaboratory : public Laboratory {
public:
    /// @param plan its suites name the functions; both must outlive this
    /// @param stop asked between batches
    /// @param clock nothing else is asked for the time
    LocalLaboratory(const std::vector<Suite>& plan, const std::vector<Function>& functions,
                    std::function<bool()> stop, skalib::Clock clock = skalib::steady_seconds);
    ~LocalLaboratory() override;
    LocalLaboratory(const LocalLaboratory&) = delete;
    LocalLaboratory& operator=(const LocalLaboratory&) = delete;

    double now() override { return clock_() - epoch_s_; }
    std::string prepare(int suite, std::int64_t argument) override;
    bool delivered_right() const override { return delivered_right_; }
    double messages() const override { return function_ == nullptr ? 0 : function_->messages; }
    bool computes() const override { return false; }
    bool acts_between_calls() const override { return function_ != nullptr && function_->between; }
    SeriesResult series(const SeriesOrder& order) override;
    std::map<std::string, std::string> suite_facts() override;
    std::vector<RankFacts> end_suite() override;
    bool stop_wanted() override { return stop_(); }

private:
    void set_up(const Suite& suite, std::int64_t argument);
    void check(std::int64_t argument);
    /// @return what it threw; empty = nothing
    std::string tear_down() noexcept;
    void run_series(const SeriesOrder& order, SeriesResult& result);
    struct Loop {
        const std::function<void(const Arguments&)>& call; ///< the function, or an empty one
        bool empty = false;
        std::int64_t count = 1; ///< single measurements
        std::int64_t block = 1; ///< calls in each
    };
    /// Appends single measurements.
    void timed_loop(const Loop& loop, std::vector<double>& durations_s);
    static void judge_cores(const SeriesOrder& order, SeriesWatch& watch, std::vector<Batch>& batches);

    const std::vector<Suite>& plan_;
    const std::vector<Function>& functions_;
    std::function<bool()> stop_;
    skalib::Clock clock_;
    double epoch_s_;

    // What was prepared last.
    int suite_ = -1;
    const Function* function_ = nullptr;
    Arguments arguments_;
    Buffers buffers_;
    bool ready_ = false;
    bool delivered_right_ = true;
    std::map<std::int64_t, bool> verified_; ///< arguments of this suite: right
    std::map<std::string, std::string> facts_;
    std::set<std::string> pages_; ///< kinds the buffers got so far
    HostMoment suite_began_;
    StealMeter steal_;
    double suite_began_s_ = 0;
};

} // namespace skampi
