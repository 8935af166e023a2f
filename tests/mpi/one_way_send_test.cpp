// SPDX-License-Identifier: GPL-2.0-or-later
// docs/adding-an-operation.md, done: skampi-run built with the page's code measures the page's block.
#include "all_done.hpp"
#include "base/child.hpp"
#include "environment.hpp"
#include "scratch_folder.hpp"
#include "store/database.hpp"

#include <cstdlib>
#include <doctest/doctest.h>
#include <fstream>
#include <sstream>

using namespace skampi;

namespace {

/// What stands between "```skampi" and "```" on the page.
std::string block_of_page() {
    std::ifstream page(SKAMPI_SOURCE_ROOT "/docs/adding-an-operation.md");
    REQUIRE(page.good());
    std::stringstream text;
    text << page.rdbuf();
    const std::string all = text.str();
    const std::string fence = "```skampi\n";
    const auto begin = all.find(fence);
    REQUIRE(begin != std::string::npos);
    const auto end = all.find("```", begin + fence.size());
    REQUIRE(end != std::string::npos);
    return all.substr(begin + fence.size(), end - begin - fence.size());
}

} // namespace

TEST_CASE("the operation of the page on adding one is listed, measured and checked") {
    const std::string program = from_environment("SKAMPI_RUN_WITH_ONE_WAY_SEND");
    Command listing;
    listing.argv = {program, "list"};
    const ChildResult list = run(listing);
    REQUIRE(list.ok());
    CHECK(list.out.find("\n  50  MPI_Send ") != std::string::npos);

    const ScratchFolder scratch;
    std::ofstream(scratch / "page.skampi")
        << "@MEMORY 64KiB\n@MAXREPDEFAULT 40\n@MINREPDEFAULT 4\n@MAXSTEPSDEFAULT 16\n"
        << block_of_page();
    Command command;
    command.argv = {from_environment("SKAMPI_MPIEXEC"),
                    "-n",
                    "2",
                    program,
                    scratch / "page.skampi",
                    "-d",
                    scratch / "page.db"};
    command.directory = scratch.path();
    command.timeout_s = 120;
    const ChildResult result = run(command);
    INFO(result.err);
    REQUIRE(all_done(result));

    const Database database = Database::open(scratch / "page.db");
    const auto suites = database.suites(database.runs().front());
    REQUIRE(suites.size() == 1);
    CHECK(suites.front().state == SuiteState::finished);
    CHECK(suites.front().suite.operation.type == 50);
    const auto measurements = database.measurements(suites.front().id);
    CHECK(measurements.size() >= 4);
    for (const StoredMeasurement& m : measurements) {
        INFO(m.measurement.argument);
        CHECK(m.finished);
        CHECK(m.measurement.summary.count >= 4);
        CHECK(m.measurement.node_times.size() == 2);
        CHECK_FALSE(has(m.measurement.flags, Flag::wrong_result));
    }
}
