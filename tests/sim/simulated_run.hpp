// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "base/child.hpp"
#include "environment.hpp"
#include "scratch_folder.hpp"
#include "store/database.hpp"

#include <cstdint>
#include <doctest/doctest.h>
#include <fstream>
#include <map>
#include <string>
#include <vector>

/// skampi-run on simulated clusters, whose truth is known: the platform file says what everything costs, and
/// the clock repeats exactly.
namespace skampi::sim {

inline std::vector<std::string> numbered(const std::string& prefix, int count) {
    std::vector<std::string> hosts;
    for (int i = 0; i < count; ++i)
        hosts.push_back(prefix + std::to_string(i));
    return hosts;
}

inline Command simulated(const ScratchFolder& scratch, const std::string& platform,
                         const std::vector<std::string>& hosts, std::vector<std::string> arguments,
                         const std::vector<std::string>& configuration = {}) {
    std::ofstream list(scratch / "hosts");
    for (const std::string& host : hosts)
        list << host << "\n";
    Command command;
    // Nothing in the program is a mutable global, so one copy of it serves all ranks; a copy for each, which
    // SimGrid would make, is written to disk and takes 30 s for a thousand ranks.
    command.argv = {from_environment("SKAMPI_SMPIRUN"),
                    "-no-privatize",
                    "-np",
                    std::to_string(hosts.size()),
                    "-platform",
                    platform.starts_with("/") ? platform
                                              : std::string(SKAMPI_SOURCE_ROOT) + "/tests/data/" + platform,
                    "-hostfile",
                    scratch / "hosts",
                    "--cfg=smpi/simulate-computation:no",
                    "--log=root.thres:critical"};
    for (const std::string& item : configuration)
        command.argv.push_back("--cfg=" + item);
    command.argv.push_back(from_environment("SKAMPI_RUN_SIM"));
    command.argv.insert(command.argv.end(), arguments.begin(), arguments.end());
    command.directory = scratch.path();
    command.timeout_s = 200;
    return command;
}

inline std::string write_file(const ScratchFolder& scratch, const std::string& text) {
    std::ofstream(scratch / "plan.skampi") << text;
    return scratch / "plan.skampi";
}

inline std::map<std::string, std::map<std::int64_t, Measurement>> results(const std::string& path) {
    const Database database = Database::open(path);
    std::map<std::string, std::map<std::int64_t, Measurement>> all;
    for (const StoredSuite& suite : database.suites(database.runs().back())) {
        CHECK(suite.state == SuiteState::finished);
        for (const StoredMeasurement& m : database.measurements(suite.id))
            if (m.finished)
                CHECK(all[suite.suite.name].emplace(m.measurement.argument, m.measurement).second);
    }
    return all;
}

inline constexpr const char* short_limits = "@MAXREPDEFAULT 4\n@MINREPDEFAULT 2\n";

} // namespace skampi::sim
