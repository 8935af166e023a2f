// SPDX-License-Identifier: GPL-2.0-or-later
#include "runs/earlier_launches.hpp"

#include "model/session.hpp"
#include "model/session_start.hpp"
#include "scratch_folder.hpp"

#include <cmath>
#include <doctest/doctest.h>
#include <map>
#include <string>
#include <vector>

using namespace skampi;

namespace {

using GivenUp = std::map<std::string, int>;

/// A database to which launches of a session are added, one after the other.
class InventedLaunches {
public:
    InventedLaunches()
        : database_(Database::open_for_writing(folder_ / "x.db")) {}

    struct Launch {
        int round = 1;
        int between_barriers = 0; ///< of its ten arguments
        bool ended = true;
        std::string session = "s";
        Synchronization planned = Synchronization::window;
    };
    void add(const Launch& launch) {
        Run run;
        run.uuid = std::to_string(++runs_);
        run.variant = "v" + run.uuid;
        run.session_place = {launch.session, launch.round, 0};
        Suite suite;
        suite.name = "MPI_Bcast";
        suite.operation.pattern = Pattern::collective;
        suite.synchronization = launch.planned;
        const RunId id = database_.begin_run(run, {suite});
        const SuiteId in = database_.suites(id).front().id;
        const GivenUp decided = given_up(launch.session); // as a job does
        if (const auto found = decided.find(suite.name); found != decided.end())
            database_.set_suite_facts(in, {{fact_windows_given_up_in_round, std::to_string(found->second)}});
        for (int argument = 1; argument <= 10; ++argument) {
            Measurement measurement;
            measurement.argument = argument;
            measurement.value_s = 1e-6;
            if (argument <= launch.between_barriers)
                set(measurement.flags, Flag::unsynchronised);
            database_.add_batches(database_.begin_measurement(in, measurement), {}, measurement, true);
        }
        run.ended_utc = launch.ended ? "2026-03-01T10:05:00Z" : "";
        if (launch.ended)
            database_.end_run(id, run);
    }
    [[nodiscard]] GivenUp given_up(const std::string& session = "s") const {
        return suites_without_windows(database_, launches_of_session(database_, session));
    }

private:
    ScratchFolder folder_;
    Database database_;
    int runs_ = 0;
};

} // namespace

TEST_CASE("a session starts between barriers as soon as that loses no more rounds than windows do") {
    InventedLaunches at_once;
    CHECK(at_once.given_up().empty());
    at_once.add({.round = 1, .between_barriers = 10});
    CHECK(at_once.given_up() == GivenUp{{"MPI_Bcast", 1}}); // the others of this round follow

    InventedLaunches later;
    for (int round = 1; round <= 3; ++round)
        for (int variant = 0; variant < 2; ++variant)
            later.add({.round = round});
    for (int round = 4; round <= 5; ++round) { // three rounds are worth more
        later.add({.round = round});
        later.add({.round = round, .between_barriers = 5});
        CHECK(later.given_up().empty());
    }
    later.add({.round = 6});
    CHECK(later.given_up().empty());
    later.add({.round = 6, .between_barriers = 3});
    CHECK(later.given_up() == GivenUp{{"MPI_Bcast", 6}});
}

TEST_CASE("what a session decided of its starts stays so, whatever its launches do") {
    InventedLaunches launches;
    launches.add({.round = 1, .between_barriers = 10});
    for (int round = 2; round <= 9; ++round) {
        launches.add({.round = round});
        CHECK(launches.given_up() == GivenUp{{"MPI_Bcast", 1}});
    }
}

TEST_CASE("single lengths without windows, other sessions and unfinished launches decide nothing") {
    InventedLaunches launches;
    launches.add({.round = 1, .between_barriers = 2});
    launches.add({.round = 1, .between_barriers = 10, .ended = false});
    launches.add({.round = 1, .between_barriers = 10, .session = "t"});
    CHECK(launches.given_up().empty());
    CHECK(launches.given_up("t") == GivenUp{{"MPI_Bcast", 1}});

    InventedLaunches planned; // a suite that asks for barriers has none to give up
    planned.add({.round = 1, .between_barriers = 10, .planned = Synchronization::barrier});
    CHECK(planned.given_up().empty());
}
