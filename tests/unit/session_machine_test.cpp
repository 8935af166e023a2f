// SPDX-License-Identifier: GPL-2.0-or-later
#include "runs/earlier_launches.hpp"

#include "base/error.hpp"
#include "scratch_folder.hpp"

#include <doctest/doctest.h>
#include <functional>
#include <string>

using namespace skampi;

namespace {

Run launch_of(const std::string& variant) {
    Run run;
    run.variant = variant;
    run.plan_hash = "plan";
    run.ranks = 2;
    run.mpi_library = "MPICH 4.0.2";
    run.host = "a";
    run.placement = "a: 0-1";
    run.binding = "1 core each";
    run.facts["cpu model"] = "Invented CPU";
    return run;
}

Variant started_by(const std::string& name, const std::string& arguments = {}) {
    Variant variant;
    variant.name = name;
    variant.arguments = arguments;
    return variant;
}

/// A session with one launch of "old", and two variants that have none.
class InterruptedSession {
public:
    InterruptedSession()
        : database_(Database::open_for_writing(folder_ / "x.db")) {
        session_.variants = {started_by("old"), started_by("new"), started_by("apart", "-host b")};
        Run first = launch_of("old");
        first.uuid = "1";
        first.session_place = {"s", 1, 0};
        const RunId id = database_.begin_run(first, {});
        first.ended_utc = "2026-03-01T10:05:00Z";
        database_.end_run(id, first);
    }
    [[nodiscard]] bool refuses(const std::string& variant, const std::function<void(Run&)>& change = {},
                               const std::string& session = "s") const {
        Run run = launch_of(variant);
        if (change)
            change(run);
        try {
            check_session_machine("x.db", session_, launches_of_session(database_, session), run);
        } catch (const InputError&) {
            return true;
        }
        return false;
    }

private:
    ScratchFolder folder_;
    Database database_;
    Session session_;
};

void move_to_b(Run& run) {
    run.host = "b";
    run.placement = "b: 0-1";
}

} // namespace

TEST_CASE("a launch of a session is refused on another machine, with another library or other bound ranks") {
    const InterruptedSession session;
    CHECK_FALSE(session.refuses("old"));
    CHECK(session.refuses("old", move_to_b));
    CHECK(session.refuses("old", [](Run& run) { run.mpi_library = "MPICH 4.1"; }));
    CHECK(session.refuses("old", [](Run& run) { run.binding = "2 cores each"; }));
    CHECK(session.refuses("old", [](Run& run) { run.settings["FI_PROVIDER"] = "tcp"; }));
    CHECK(session.refuses("old", [](Run& run) { run.facts["cpu model"] = "another"; }));
    CHECK_FALSE(session.refuses("old", move_to_b, "another session"));
}

TEST_CASE("the first launch of a variant may have another library and binding, but no other machine") {
    const InterruptedSession session;
    CHECK_FALSE(session.refuses("new", [](Run& run) {
        run.mpi_library = "Open MPI 4.1";
        run.binding = run.launcher = "another";
    }));
    CHECK(session.refuses("new", move_to_b));
    CHECK_FALSE(session.refuses("apart", move_to_b)); // that is what is compared
    CHECK_FALSE(session.refuses("new", [](Run& run) { // nodes that are alike
        run.machine = "cluster";
        run.host = "b";
    }));
}
