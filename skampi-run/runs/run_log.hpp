// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "model/run.hpp"

#include <set>
#include <string>
#include <vector>

namespace skampi {

/// What happens to runs, as text (@LOGFILE): a line for each event. The file is appended to and opened anew
/// each time, so that it may be moved away in between. A log is a convenience: it never keeps a run from
/// going on.
class RunLog {
public:
    /// @param path empty = no log   @param database of the run
    /// @throws InputError when it is, or is to become, the database or a file next to one, is a link, or is a
    /// file that does not begin as a log does: a parameter file may come from anybody, and nothing of the
    /// user's is appended to
    RunLog(std::string path, const std::string& database);

    [[nodiscard]] bool wanted() const { return !path_.empty(); }
    /// From now on lines are of this run. Those that a former start of it has written are not written again.
    void begin(const std::string& run_uuid);
    /// Appends what is not there yet.
    /// @return why that failed, after which the log takes nothing more; empty = all is there
    [[nodiscard]] std::string append(const std::vector<Event>& events);

private:
    std::string path_;
    std::string run_; ///< how its lines name it
    std::set<std::string> there_;
    bool broken_line_ = false; ///< the file ends within a line: the disk was full
};

} // namespace skampi
