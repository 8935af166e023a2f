// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "supervisor/post_mortem.hpp"

#include <optional>
#include <string>

namespace skampi {

/// A supervisor's observations of a job, from its start to its end.
struct JobEnd {
    bool appeared = false;          ///< a rank showed itself, by a line or in the database
    bool begun = false;             ///< it was seen to begin its run or to go on with it
    bool run_ended = false;         ///< and its run is complete
    std::optional<int> said_status; ///< its exit status, said when its run was complete
    /// The same, said because it could not begin: a launcher's own status may be another one.
    std::optional<int> refused_with;
    std::string hang;    ///< not empty: the supervisor ended it, and why
    int stop_signal = 0; ///< the user wanted it ended; 0 = did not
    bool killed = false; ///< by the supervisor, in the middle of something
    PostMortem found;
    std::string launcher_said; ///< on its standard error, last of all
};

/// What the end of a job means for its run. Pure.
struct JobVerdict {
    enum class Suites {
        untouched,  ///< none was being measured
        open_again, ///< the one in progress is not charged
        blamed,     ///< the one in progress is charged with an attempt
    };
    std::string kind; ///< of the event: "info", "signal", "warning", "crash", "hang"
    std::string seen; ///< in one line
    Suites suites = Suites::untouched;
};
[[nodiscard]] JobVerdict verdict_on(const JobEnd& end);

/// Jobs that ended badly, one after the other.
struct Failures {
    int in_a_row = 0;    ///< without a newly finished measurement
    std::string refusal; ///< how the launcher last failed before a rank appeared; empty = it did not
};

/// When to give up.
struct Endurance {
    int max_failures = 10;
    bool unattended = false; ///< a daemon: the disk may have room tomorrow
    bool queues = false;     ///< the launcher submits to a queue, whose servers may be back tomorrow
};

/// What the job left in the database.
struct Gain {
    bool new_measurement = false; ///< at least one was finished by it
    bool something = false;       ///< something has been measured by it or before it
};

/// Whether to start another job after one that did not complete its run. Pure.
struct Outlook {
    std::optional<int> exit_status; ///< leave with it; none = another job
    std::string reason;             ///< for leaving, if the job gave none
    double pause_s = 0;             ///< before the next job: 1, 2, 4 ... 60 s while there is no progress
    Failures failures;
};
[[nodiscard]] Outlook outlook_after(const JobEnd& end, const Gain& gain, const Failures& before,
                                    const Endurance& endurance);

} // namespace skampi
