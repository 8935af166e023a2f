// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "supervisor/world.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace skampi {

/// The batch system of a job, as far as its supervisor needs it: Slurm. For another one only queueing is
/// known; all requests do nothing.
class BatchSystem {
public:
    /// @param database whose jobs these are: they carry a name made of its path
    /// @param launch the words of the launcher's command line, not empty
    BatchSystem(World& world, const std::string& database, const std::vector<std::string>& launch);

    /// Whether the launcher submits its job to a queue: its begin is unknown.
    [[nodiscard]] bool queues() const { return queues_; }
    /// Adds the variables that make Slurm treat a command as its supervisor needs.
    void prepare(Command& command) const;

    /// Cancels the jobs of a former supervisor of this database.
    /// @return their numbers
    std::vector<std::string> cancel_leftovers();
    /// Whether jobs of this database are in the queue.
    [[nodiscard]] bool has_jobs();
    /// Asks the ranks to end after their current measurement, wherever Slurm has them.
    /// @param submitted number of the job, as submitted_job() read it; empty = not known
    /// @param signal SIGTERM or SIGINT
    /// @return false where Slurm does not have them
    bool forward_stop(const std::string& submitted, int signal);
    /// How a submitted job was ended: "JOB 17 CANCELLED"; empty = by itself, or not known.
    [[nodiscard]] std::string forced_end(const std::string& submitted);
    /// Takes the job out of the queue, or ends it.
    void cancel(const std::string& submitted);

private:
    ChildResult slurm(std::vector<std::string> words);
    [[nodiscard]] std::vector<std::string> jobs(const std::string& submitted);

    World& world_;
    std::string name_; ///< of our jobs
    bool queues_ = false;
    bool starts_srun_ = false;
};

/// The job number in "Submitted batch job 17", a line of sbatch's standard output; none = another line.
[[nodiscard]] std::optional<std::string> submitted_job(std::string_view line);

/// Whether a line of srun's standard error says that it ends the job's ranks, as it does at the job's time
/// limit.
[[nodiscard]] bool is_forced_end(std::string_view line);

} // namespace skampi
