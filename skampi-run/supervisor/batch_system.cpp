// SPDX-License-Identifier: LGPL-2.1-or-later
#include "supervisor/batch_system.hpp"

#include "base/error.hpp"
#include "base/text.hpp"
#include "store/file_lock.hpp"
#include "supervisor/launch.hpp"

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <sstream>
#include <utility>

namespace skampi {

BatchSystem::BatchSystem(World& world, const std::string& database, const std::vector<std::string>& launch)
    : world_(world)
    , name_("skampi-" + for_file_name(FileLock::path_for(database, "")))
    , queues_(launcher_queues(launch))
    , starts_srun_(std::filesystem::path(launch.front()).filename() == "srun") {}

void BatchSystem::prepare(Command& command) const {
    // By default srun lets the other ranks wait for a dead one forever.
    command.environment.emplace("SLURM_KILL_BAD_EXIT", "1");
    // By this name a job that outlives its supervisor is found in the queue.
    command.environment.emplace("SBATCH_JOB_NAME", name_);
    if (queues_)
        command.environment.emplace("SLURM_JOB_NAME", name_); // srun's variable for the same
}

std::vector<std::string> BatchSystem::cancel_leftovers() {
    const std::vector<std::string> left = jobs({});
    for (const std::string& job : left)
        slurm({"scancel", job});
    return left;
}

bool BatchSystem::has_jobs() {
    return !jobs({}).empty();
}

bool BatchSystem::forward_stop(const std::string& submitted, int signal) {
    const std::string option = signal == SIGINT ? "--signal=INT" : "--signal=TERM";
    if (queues_) {
        const std::vector<std::string> ours = jobs(submitted);
        for (const std::string& job : ours) {
            // One that still waits in the queue has no measurement to finish.
            slurm({"scancel", "--state=PENDING", job});
            slurm({"scancel", option, job});
        }
        if (!ours.empty())
            return true;
    }
    if (const char* allocation = std::getenv("SLURM_JOB_ID"); allocation != nullptr && starts_srun_) {
        slurm({"scancel", option, allocation}); // its steps, not our own batch script
        return true;
    }
    return false;
}

void BatchSystem::cancel(const std::string& submitted) {
    for (const std::string& job : jobs(submitted))
        slurm({"scancel", job});
}

ChildResult BatchSystem::slurm(std::vector<std::string> words) {
    Command command;
    command.argv = std::move(words);
    command.timeout_s = 60;
    try {
        return world_.ask(std::move(command));
    } catch (const SystemError&) {
        return {}; // another batch system than Slurm
    }
}

std::string BatchSystem::forced_end(const std::string& submitted) {
    if (submitted.empty())
        return {};
    std::string state;
    std::istringstream(
        slurm({"squeue", "--noheader", "--states=all", "--format=%T", "--jobs=" + submitted}).out) >>
        state;
    const bool forced =
        state == "CANCELLED" || state == "TIMEOUT" || state == "PREEMPTED" || state == "NODE_FAIL";
    return forced ? "JOB " + submitted + " " + state : "";
}

std::vector<std::string> BatchSystem::jobs(const std::string& submitted) {
    std::vector<std::string> found;
    if (!queues_)
        return found;
    // Found by name, for their supervisor may have been killed.
    std::istringstream listed(slurm({"squeue", "--noheader", "--me", "--format=%A", "--name=" + name_}).out);
    for (std::string job; listed >> job;)
        found.push_back(job);
    if (!submitted.empty() && std::ranges::find(found, submitted) == found.end())
        found.push_back(submitted);
    return found;
}

std::optional<std::string> submitted_job(std::string_view line) {
    constexpr std::string_view beginning = "Submitted batch job ";
    if (!line.starts_with(beginning))
        return std::nullopt;
    const std::string_view rest = line.substr(beginning.size());
    const std::string_view number = rest.substr(0, rest.find_first_not_of("0123456789"));
    return number.empty() ? std::nullopt : std::optional(std::string(number));
}

bool is_forced_end(std::string_view line) {
    return line.starts_with("srun: forcing job termination");
}

} // namespace skampi
