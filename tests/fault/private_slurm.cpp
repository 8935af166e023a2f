// SPDX-License-Identifier: GPL-2.0-or-later
#include "private_slurm.hpp"

#include <chrono>
#include <filesystem>
#include <fstream>
#include <random>
#include <sstream>
#include <stdexcept>
#include <thread>
#include <unistd.h>

using namespace skampi;

namespace {

// Long, because a machine that does other things beside makes everything slow; nothing waits longer than it
// must.
constexpr double patience_s = 180;
constexpr double patience_with_a_job_s = 900;

std::string words(const std::string& text) {
    std::istringstream stream(text);
    std::string all, word;
    while (stream >> word)
        all += (all.empty() ? "" : " ") + word;
    return all;
}

} // namespace

std::string PrivateSlurm::missing() {
    if (::geteuid() != 0)
        return "not root";
    for (const char* program :
         {"munged", "slurmctld", "slurmd", "srun", "sbatch", "squeue", "scancel", "scontrol"}) {
        if (!find_program(program))
            return std::string(program) + " is not installed";
    }
    return {};
}

PrivateSlurm::PrivateSlurm(const std::string& folder)
    : folder_(folder)
    , configuration_(folder + "/slurm.conf") {
    // slurmd and munged want no folder that others may write or that leads through one.
    std::filesystem::permissions(folder, std::filesystem::perms(0755));
    for (const char* name : {"/state", "/spool"})
        std::filesystem::create_directory(folder + name);
    std::random_device random;
    {
        std::ofstream key(folder + "/munge.key", std::ios::binary);
        for (int i = 0; i < 1024; ++i)
            key.put(static_cast<char>(random()));
    }
    std::filesystem::permissions(folder + "/munge.key", std::filesystem::perms(0400));
    const int port = 20000 + 2 * static_cast<int>(random() % 10000);
    std::ofstream(configuration_)
        << "ClusterName=lab\nSlurmctldHost=localhost\n"
        << "SlurmctldPort=" << port << "\nSlurmdPort=" << port + 1 << '\n'
        << "AuthType=auth/munge\nAuthInfo=socket=" << folder << "/munge.socket\n"
        << "MpiDefault=pmi2\nProctrackType=proctrack/linuxproc\n"
        << "SlurmUser=root\nSlurmdUser=root\n"
        << "StateSaveLocation=" << folder << "/state\nSlurmdSpoolDir=" << folder << "/spool\n"
        << "SlurmctldPidFile=" << folder << "/slurmctld.pid\n"
        << "SlurmdPidFile=" << folder << "/slurmd.pid\n"
        << "SwitchType=switch/none\nTaskPlugin=task/none\nSchedulerType=sched/backfill\n"
        << "SchedulerParameters=batch_sched_delay=0,sched_interval=1\n"
        << "SelectType=select/cons_tres\nReturnToService=2\nKillWait=30\n"
        << "JobAcctGatherType=jobacct_gather/none\n"
        << "NodeName=localhost CPUs=2 RealMemory=500 State=UNKNOWN\n"
        << "PartitionName=debug Nodes=localhost Default=YES MaxTime=INFINITE State=UP\n";
    munge_ = std::make_unique<Munge>(folder);
    start("slurmctld", {"slurmctld", "-D", "-f", configuration_});
    start("slurmd", {"slurmd", "-D", "-f", configuration_, "-N", "localhost"});
    if (!one_job_runs({}, patience_s))
        throw std::runtime_error("Slurm does not come up\n" + logs());
}

PrivateSlurm::Munge::Munge(const std::string& folder)
    : socket_("--socket=" + folder + "/munge.socket") {
    Command command;
    command.argv = {"munged",
                    "--force",
                    socket_,
                    "--key-file=" + folder + "/munge.key",
                    "--pid-file=" + folder + "/munged.pid",
                    "--log-file=" + folder + "/munged.log",
                    "--seed-file=" + folder + "/munged.seed"};
    command.timeout_s = patience_s;
    if (const ChildResult result = run(command); !result.ok()) // it returns when the daemon listens
        throw std::runtime_error("munged does not come up\n" + result.err);
}

PrivateSlurm::Munge::~Munge() {
    try {
        Command command;
        command.argv = {"munged", "--stop", socket_};
        command.timeout_s = patience_s;
        static_cast<void>(run(command));
    } catch (const std::exception&) {
        // One that has gone already.
    }
}

PrivateSlurm::~PrivateSlurm() {
    try {
        // Steps run in processes of their own that survive slurmd.
        static_cast<void>(ask({"scancel", "--me"}));
        static_cast<void>(queue_empties());
    } catch (const std::exception&) {
        // The daemons go in any case.
    }
    while (!daemons_.empty())
        daemons_.pop_back();
}

void PrivateSlurm::start(const std::string& name, std::vector<std::string> argv) {
    Command wanted = command(std::move(argv));
    wanted.argv.insert(wanted.argv.begin(),
                       {"sh", "-c", "exec \"$@\" > '" + folder_ + "/" + name + ".out' 2>&1", "sh"});
    wanted.timeout_s.reset();
    daemons_.push_back(std::make_unique<Child>(std::move(wanted)));
}

std::string PrivateSlurm::logs() const {
    std::ostringstream all;
    for (const char* name : {"munged.log", "slurmctld.out", "slurmd.out"})
        all << name << ":\n" << std::ifstream(folder_ + "/" + name).rdbuf() << '\n';
    return all.str();
}

Command PrivateSlurm::command(std::vector<std::string> argv) const {
    Command wanted;
    wanted.argv = std::move(argv);
    wanted.environment = {{"SLURM_CONF", configuration_}};
    wanted.directory = folder_;
    wanted.timeout_s = 1800;
    return wanted;
}

ChildResult PrivateSlurm::ask(std::vector<std::string> argv) const {
    return run(command(std::move(argv)));
}

std::string PrivateSlurm::submit(const std::string& script, std::vector<std::string> options,
                                 const std::map<std::string, std::string>& environment) const {
    Command wanted = command({"sbatch", "--parsable"});
    for (const auto& [name, value] : environment)
        wanted.environment[name] = value;
    wanted.argv.insert(wanted.argv.end(), options.begin(), options.end());
    wanted.input = script;
    const ChildResult result = run(wanted);
    if (!result.ok())
        throw std::runtime_error("sbatch: " + result.err);
    return words(result.out);
}

bool PrivateSlurm::one_job_runs(const std::vector<std::string>& conditions, double patience) const {
    Command wanted = command({"srun", "--quiet"});
    wanted.argv.insert(wanted.argv.end(), conditions.begin(), conditions.end());
    wanted.argv.emplace_back("true");
    wanted.timeout_s = patience;
    return run(wanted).ok();
}

std::string PrivateSlurm::wait_for(const std::string& job) const {
    if (!one_job_runs({"--dependency=afterany:" + job}, patience_with_a_job_s))
        throw std::runtime_error("job " + job + " does not end\n" + logs());
    return fact(job, "JobState") + " " + fact(job, "ExitCode");
}

std::string PrivateSlurm::wait_through_requeues(const std::string& job) const {
    std::string hurried; ///< the last restart that was
    const auto left = [&] {
        const std::string state = words(ask({"squeue", "-h", "-j", job, "-o", "%T"}).out);
        // Slurm lets it wait for two minutes, but slurmd does need a moment: within the second of its end it
        // takes the job's credential for one that was revoked, and the job fails.
        if (state == "PENDING") {
            if (const std::string restarts = fact(job, "Restarts"); restarts != hurried) {
                static_cast<void>(ask({"scontrol", "update", "JobId=" + job, "StartTime=now+3"}));
                hurried = restarts;
            }
        }
        return state.empty();
    };
    // Slurm says nothing of a job that is back in its queue.
    constexpr auto step = std::chrono::milliseconds(100);
    bool gone = left();
    for (double waited_s = 0; !gone && waited_s < patience_with_a_job_s; waited_s += 0.1) {
        std::this_thread::sleep_for(step);
        gone = left();
    }
    if (!gone)
        throw std::runtime_error("job " + job + " does not end\n" + logs());
    return fact(job, "JobState") + " " + fact(job, "ExitCode");
}

std::string PrivateSlurm::fact(const std::string& job, const std::string& name) const {
    std::istringstream shown(ask({"scontrol", "-o", "show", "job", job}).out);
    std::string value;
    for (std::string word; shown >> word;) {
        if (word.starts_with(name + "="))
            value = word.substr(name.size() + 1);
    }
    return value;
}

bool PrivateSlurm::queue_empties() const {
    // The job that waits for all of the node is gone itself, but for its cleaning up.
    return one_job_runs({"--exclusive"}, patience_s) &&
           words(ask({"squeue", "-h", "-t", "PENDING,RUNNING,SUSPENDED", "-o", "%A"}).out).empty();
}

bool PrivateSlurm::queue_is_empty() const {
    return words(ask({"squeue", "-h", "-o", "%A"}).out).empty();
}
