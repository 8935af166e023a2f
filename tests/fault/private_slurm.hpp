// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "base/child.hpp"

#include <map>
#include <memory>
#include <string>
#include <vector>

/// A Slurm of one node and its own munge, with files and ports of its own, gone with this object. Needs root.
class PrivateSlurm {
public:
    /// What keeps this machine from having one; empty = nothing.
    [[nodiscard]] static std::string missing();

    /// @param folder scratch space    @throws std::runtime_error with the daemons' words when it does not
    /// come up
    explicit PrivateSlurm(const std::string& folder);
    PrivateSlurm(PrivateSlurm&&) = delete;
    ~PrivateSlurm(); ///< cancels all jobs first

    /// Runs one of Slurm's commands, or a program that calls them, in the folder.
    [[nodiscard]] skampi::ChildResult ask(std::vector<std::string> argv) const;
    [[nodiscard]] skampi::Command command(std::vector<std::string> argv) const;
    /// Submits a batch script (sbatch's further options first) and returns its number.
    [[nodiscard]] std::string submit(const std::string& script, std::vector<std::string> options = {},
                                     const std::map<std::string, std::string>& environment = {}) const;
    /// Like wait_for(), but a job that puts itself back into the queue is started again at once.
    [[nodiscard]] std::string wait_through_requeues(const std::string& job) const;
    /// A value that scontrol shows of a job: "Restarts"; empty = none.
    [[nodiscard]] std::string fact(const std::string& job, const std::string& name) const;
    /// Waits until the job has left the queue. @return its final state and exit code: "COMPLETED 0:0"
    [[nodiscard]] std::string wait_for(const std::string& job) const;
    [[nodiscard]] bool queue_is_empty() const;
    /// Waits for it: a job that has ended is still being cleaned up for a moment. @return false: one stays
    [[nodiscard]] bool queue_empties() const;
    [[nodiscard]] const std::string& folder() const { return folder_; }

private:
    class Munge { ///< a munged of its own
    public:
        explicit Munge(const std::string& folder);
        Munge(Munge&&) = delete;
        ~Munge();

    private:
        std::string socket_; ///< the option that names it
    };
    void start(const std::string& name, std::vector<std::string> argv);
    /// Waits for Slurm to run a job that does nothing, under srun's conditions. It queues by itself until
    /// they are met. @return whether it ran in time
    [[nodiscard]] bool one_job_runs(const std::vector<std::string>& conditions, double patience_s) const;
    [[nodiscard]] std::string logs() const;

    std::string folder_;
    std::string configuration_;
    std::unique_ptr<Munge> munge_;
    std::vector<std::unique_ptr<skampi::Child>> daemons_; ///< ended in reverse order
};
