// SPDX-License-Identifier: GPL-2.0-or-later
#include "model/launch_command.hpp"
#include "session/variant_text.hpp"

#include "base/error.hpp"
#include "runs/status.hpp"
#include "scratch_folder.hpp"
#include "session/job_hands.hpp"
#include "store/file_lock.hpp"

#include <algorithm>
#include <doctest/doctest.h>
#include <string>
#include <vector>

using namespace skampi;

TEST_CASE("a variant is typed as its name and words") {
    CHECK(parse_variant("old:") == Variant{"old", {}, {}, {}, {}});
    CHECK(parse_variant("new one : A=1 B='x y' unset=C launch='mpiexec -n {n}' args=\"-bind-to core\" "
                        "program=/opt/x/skampi-run OMPI_MCA_btl=self,tcp E=") ==
          Variant{"new one",
                  "/opt/x/skampi-run",
                  "mpiexec -n {n}",
                  "-bind-to core",
                  {{"A", "1"}, {"B", "x y"}, {"C", std::nullopt}, {"OMPI_MCA_btl", "self,tcp"}, {"E", ""}}});
    for (const char* const text : {"old", "a: b", "a: =1", "a: 1A=2", "a: unset=", "a: B='x", "a: x-y=1"}) {
        CAPTURE(text);
        CHECK_THROWS_AS((void)parse_variant(text), InputError);
    }
    for (const char* const text :
         {"new: A=1", "x: B='a b' unset=C", "y: args='-bind-to core' program='/a b/c' launch='m -n {n}'"}) {
        const Variant variant = parse_variant(text);
        CHECK(parse_variant(variant.name + ": " + variant_text(variant)) == variant);
    }
}

TEST_CASE("what cannot be compared is refused before anything starts") {
    const auto refused = [](const std::vector<std::string>& texts, bool same = false) {
        std::vector<Variant> variants;
        for (const std::string& text : texts)
            variants.push_back(parse_variant(text));
        try {
            check_variants(variants, same);
            return false;
        } catch (const InputError&) {
            return true;
        }
    };
    CHECK_FALSE(refused({"a:", "b: X=1"}));
    CHECK_FALSE(refused({"a:", "b:"}, true));
    CHECK(refused({}));
    CHECK(refused({"a: X=1"}));
    CHECK(refused({"a:", "b:"}));
    CHECK(refused({"a:", "a: X=1"}));
    CHECK(refused({"a:", ": X=1"}));
    CHECK(refused({"a:", "b: MY_TOKEN=1"}));
    CHECK(refused({"a:", "b: unset=DB_PASSWORD"}));
    CHECK(refused({"a:", "b: SKAMPI_X=1"}));
    CHECK(refused({"a:", "b: launch='mpiexec -n 2'"}));
    CHECK(refused({"a:", "b: launch='mpiexec -n {n} {command}' args=-x"}));
    CHECK(describe_variants({}).empty());
    CHECK_THROWS_AS((void)describe_variants({parse_variant("a:")}), InputError);
    CHECK(variants_against({"MPIR_CVAR_X=1"}).size() == 2);
    CHECK(variants_against({"MPIR_CVAR_X=1"}).back().settings.at("MPIR_CVAR_X") == "1");
    CHECK(variants_against({"MPIR_CVAR_ALLREDUCE_INTRA_ALGORITHM=recursive_doubling"}).back().name ==
          "recursive_doubling");
    CHECK_THROWS_AS((void)variants_against({"X"}), InputError);
    const std::vector<Variant> three =
        variants_against({"MPIR_CVAR_ALLREDUCE_INTRA_ALGORITHM=recursive_doubling",
                          "MPIR_CVAR_ALLGATHER_INTRA_ALGORITHM=recursive_doubling", "A=1"});
    REQUIRE(three.size() == 4);
    CHECK(three[2].name == "recursive_doubling (2)");
    CHECK(three[3].name == "A=1");
    check_variants(three, false);
}

TEST_CASE("a launch of a variant has its environment, its program and its place") {
    SuperviseOptions common;
    common.database = "x.db";
    common.ranks = 2;
    common.launch = "mpiexec -n {n}";
    common.plan_hash = "plan";
    const SessionPlace place{.session = "id", .round = 3, .place = 1};
    const auto holds = [](const std::vector<std::string>& words, std::vector<std::string> wanted) {
        return std::search(words.begin(), words.end(), wanted.begin(), wanted.end()) != words.end();
    };

    const SuperviseOptions plain = launch_options(common, parse_variant("a:"), place);
    CHECK(plain.before_program.empty());
    CHECK(plain.launch == common.launch);
    CHECK(plain.fresh);
    CHECK(holds(plain.job_arguments, {"--variant", "a"}));
    CHECK(holds(plain.job_arguments, {"--session-place", "id_round_3_place_1"}));
    CHECK(holds(plain.job_arguments, {"--launch-number", "3"})); // one order of suites for all of a round

    const SuperviseOptions other = launch_options(
        common, parse_variant("b: A='x y' unset=B program=/o=p/skampi-run args='-x y'"), place);
    CHECK(other.before_program ==
          std::vector<std::string>{"env", "-u", "B", "A=x y", "sh", "-c", "exec \"$0\" \"$@\""});
    CHECK(other.executable == "/o=p/skampi-run");
    CHECK(other.launch == "mpiexec -n {n} -x y");

    // Simulated ranks need a program of the simulation's library.
    const SuperviseOptions simulated =
        launch_options(common, parse_variant("c: launch='smpirun -np {n} -platform c.xml'"), place);
    CHECK(simulated.executable.ends_with("skampi-run-sim.so"));
    CHECK(launch_options(common, parse_variant("d: launch='smpirun -np {n}' program=/o/s.so"), place)
              .executable == "/o/s.so");
}

TEST_CASE("while another command measures into the database no variant is blamed") {
    const ScratchFolder folder;
    SuperviseOptions common;
    common.database = folder / "x.db";
    common.ranks = 2;
    common.launch = "false {n}";
    JobView view(ProgressKind::off, stderr);
    JobHands hands(
        common, [&](const std::string&) { return make_world(common.database, {}); }, {}, view);
    const FileLock other(daemon_lock_path(common.database), common.database);
    CHECK_THROWS_AS((void)hands.launch(parse_variant("a:"), {"id", 1, 0}), SystemError);
}
