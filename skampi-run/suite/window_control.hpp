// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "laboratory/laboratory.hpp"
#include "suite/point.hpp"

namespace skampi {

/// Decides the distance between the ranks' agreed starts, and replaces windows by barriers where this machine
/// cannot keep them. Pure: learns from one series after the other.
class WindowControl {
public:
    /// @param planned what the suite asks for
    explicit WindowControl(Synchronization planned)
        : synchronization_(planned) {}

    /// A former start of the suite began its batches in this way.
    void resume(Synchronization used) { synchronization_ = used; }
    [[nodiscard]] Synchronization synchronization() const { return synchronization_; }

    /// The first window, from the warm-up's calls. Does nothing when one is known.
    static void start(CallTimes& calls);
    /// An empty call needs no window of the operation's length: for a message of 2 GiB that would be minutes.
    [[nodiscard]] static double empty_window_s(const CallTimes& calls);
    /// No time is left at an argument to learn the length of windows: barriers are used there.
    void give_up_here();
    /// A visit begins: tries windows again where they were given up in one visit only, a few times.
    void next_visit();
    /// Whether some argument may have been measured in another way than planned.
    [[nodiscard]] bool gave_up() const { return given_up_ > 0; }
    /// A series at an argument has ended; nothing is learnt from one that was not made in windows.
    void finished(const SeriesOrder& order, const SeriesResult& result, CallTimes& calls);

private:
    void count_late(CallTimes& calls, int weight);

    Synchronization synchronization_;
    int late_series_ = 0;    ///< in a row
    int late_batches_ = 0;   ///< in a row, without a single window in time
    bool here_only_ = false; ///< given up in the present visit
    int given_up_ = 0;       ///< visits
};

} // namespace skampi
