// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "base/child.hpp"
#include "base/error.hpp"
#include "base/text.hpp"
#include "environment.hpp"
#include "scratch_folder.hpp"
#include "store/database.hpp"

#include <algorithm>
#include <cmath>
#include <doctest/doctest.h>
#include <fstream>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

namespace skampi {

/// Where processes get the cores in turns only, all that was measured at an argument may have to be dropped.
inline bool have_values(const std::vector<StoredMeasurement>& measurements) {
    return std::ranges::all_of(
        measurements, [](const StoredMeasurement& m) { return std::isfinite(m.measurement.value_s); });
}

/// What came of a run under its supervisor.
struct Outcome {
    ChildResult result;
    std::vector<StoredSuite> suites;
    std::map<std::string, std::vector<StoredMeasurement>> measurements;
    std::vector<Event> events;
    /// Of suites begun, over all restarts. A launcher whose rank ends badly may lose the rank's last lines:
    /// what is here is true, but not always complete.
    std::vector<std::string> order;
    bool ended = false;
    std::string marks; ///< a letter for each time that a fault happened

    [[nodiscard]] const StoredSuite& suite(const std::string& name) const {
        return *std::ranges::find_if(suites, [&](const StoredSuite& s) { return s.suite.name == name; });
    }
    /// What a run without failed suites ends with.
    [[nodiscard]] int status_wanted() const {
        for (const auto& [name, of_suite] : measurements)
            if (!have_values(of_suite))
                return static_cast<int>(ExitStatus::incomplete);
        return static_cast<int>(ExitStatus::done);
    }
};

/// A real MPI job of two ranks with an interposed library.
struct FaultyRun {
    std::string plan;   ///< text of the parameter file
    std::string faults; ///< SKAMPI_FAULT of interposer.cpp; empty = none
    int times = 0;      ///< they happen; 0 = always
    std::string hang_after = "20s";
    int retries = 1;
    double timeout_s = 200;
};

/// The end of the run, and what its database holds. A fault that did not happen fails the test.
inline Outcome run_faulty(const FaultyRun& wanted) {
    const ScratchFolder folder;
    std::ofstream(folder / "plan.skampi") << wanted.plan;
    Command command;
    command.argv = {from_environment("SKAMPI_RUN"),
                    folder / "plan.skampi",
                    "-d",
                    folder / "x.db",
                    "-n",
                    "2",
                    "--retries",
                    std::to_string(wanted.retries),
                    "--hang-after",
                    wanted.hang_after,
                    "--progress",
                    "json",
                    "--launch",
                    for_shell(from_environment("SKAMPI_MPIEXEC")) +
                        " -n {n} env LD_PRELOAD=" + for_shell(from_environment("SKAMPI_INTERPOSER"))};
    command.environment = {{"SKAMPI_FAULT", wanted.faults},
                           {"SKAMPI_FAULT_TIMES", std::to_string(wanted.times)},
                           {"SKAMPI_FAULT_MARK", folder / "mark"}};
    command.timeout_s = wanted.timeout_s;
    Outcome outcome;
    outcome.result = run(command);
    INFO(outcome.result.err);
    std::ifstream mark(folder / "mark");
    outcome.marks.assign(std::istreambuf_iterator<char>(mark), {});
    if (!wanted.faults.empty())
        REQUIRE_FALSE(outcome.marks.empty()); // otherwise nothing was tested

    const Database database = Database::open(folder / "x.db");
    database.check_integrity();
    REQUIRE(database.runs().size() == 1);
    const RunId id = database.runs()[0];
    outcome.suites = database.suites(id);
    outcome.events = database.events(id);
    outcome.ended = !database.run(id).ended_utc.empty();
    for (const StoredSuite& suite : outcome.suites)
        outcome.measurements[suite.suite.name] = database.measurements(suite.id);
    std::istringstream lines(outcome.result.out);
    for (std::string line; std::getline(lines, line);) {
        const nlohmann::json event = nlohmann::json::parse(line, nullptr, false);
        if (event.is_object() && event.value("event", "") == "suite")
            outcome.order.push_back(event["suite"]);
    }
    return outcome;
}

} // namespace skampi
