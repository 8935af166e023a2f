// SPDX-License-Identifier: GPL-2.0-or-later
#include "../golden.hpp"
#include "host/host_facts.hpp"

#include "contains.hpp"
#include "model/launch_command.hpp"

#include <doctest/doctest.h>

using namespace skampi;

namespace {

std::vector<RankFacts> ranks_on(const std::string& first, const std::string& second) {
    std::vector<RankFacts> ranks(2);
    for (int rank = 0; rank < 2; ++rank) {
        ranks[static_cast<std::size_t>(rank)].rank = rank;
        ranks[static_cast<std::size_t>(rank)].processor = "n1";
    }
    ranks[0].cpus_allowed = first;
    ranks[1].cpus_allowed = second;
    return ranks;
}

} // namespace

TEST_CASE("what binds ranks that may move is named in the launcher's own words, where cores are left over") {
    for (const char* launcher : {"Hydra", "Open MPI", "Slurm"}) {
        const std::string option = binding_launcher(launcher);
        CHECK(contains(option, "{n}"));
        CHECK(contains(binding_warning(ranks_on("0-3", "0-3"), "MPICH 4.0.2", launcher), option));
        const std::string all_taken = binding_warning(ranks_on("0-1", "0-1"), "MPICH 4.0.2", launcher);
        CHECK_FALSE(all_taken.empty());
        CHECK_FALSE(contains(all_taken, option));
        CHECK(contains(all_taken, "no other work"));
        CHECK_FALSE(contains(all_taken, "use fewer ranks")); // of two
        std::vector<RankFacts> three = ranks_on("0-2", "0-2");
        three.push_back(three.back());
        CHECK(contains(binding_warning(three, "MPICH 4.0.2", launcher), "fewer ranks"));
        CHECK(binding_warning(ranks_on("0", "1"), "MPICH 4.0.2", launcher).empty());
        CHECK_FALSE(contains(binding_warning(ranks_on("0", "0"), "MPICH 4.0.2", launcher), option));
    }
    const auto advised = [] {
        return contains(binding_warning(ranks_on("0", "0"), "MPICH 4.0.2", "Hydra"),
                        "MPIR_CVAR_POLLS_BEFORE_YIELD=1");
    };
    CHECK(advised());
    setenv("MPIR_CVAR_POLLS_BEFORE_YIELD", "1", 1);
    CHECK_FALSE(advised()); // it is set already
    setenv("MPIR_CVAR_POLLS_BEFORE_YIELD", "1000", 1);
    CHECK(advised());
    unsetenv("MPIR_CVAR_POLLS_BEFORE_YIELD");
    CHECK(bound_launch("mpiexec.mpich -n {n}", "Hydra") == "mpiexec.mpich -bind-to core -n {n}");
    CHECK(bound_launch("/opt/ompi/bin/mpirun", "Open MPI") == "/opt/ompi/bin/mpirun --bind-to core");
    CHECK(bound_launch("", "Slurm") == binding_launcher("Slurm"));
    CHECK(bound_launch("mpiexec -n {n}", "a launcher nobody knows").empty());
    CHECK(bound_launch("ssh login mpiexec -n {n} {command}", "Hydra").empty());
    CHECK(bound_launch("mpiexec -bind-to none -n {n}", "Hydra") == binding_launcher("Hydra"));
    const std::string unknown = binding_warning(ranks_on("0-3", "0-3"), "X", "a launcher nobody knows");
    CHECK_FALSE(contains(unknown, "--launch"));
    CHECK(contains(unknown, "option of your launcher"));
}

TEST_CASE("a command is stored without what does not change what is measured") {
    const auto stored = [](std::vector<const char*> words) {
        return command_fact(static_cast<int>(words.size()), words.data());
    };
    CHECK(stored({"./ring", "-n", "2", "--launches=7", "my.skampi", "-da.db", "--suite", "MPI_*"}) ==
          "./ring\nmy.skampi\n--suite\nMPI_*");
    CHECK(stored({"skampi-run", "daemon", "-np", "4", "a.skampi", "--every", "6h", "--launch", "srun -n {n}",
                  "--database", "a.db", "--fresh", "--progress", "off"}) ==
          "skampi-run\na.skampi\n--launch\nsrun -n {n}");
    CHECK(stored({"skampi-run", "--launch-number", "3", "--launch=x"}) == "skampi-run\n--launch=x");
}

TEST_CASE("the command that measures a run again is the one that was typed, as a golden file shows it") {
    Golden golden("launch_command");
    Run run;
    run.ranks = 2;
    run.parameter_file = "a name from elsewhere.txt";
    const auto add = [&](const char* name) { golden.add(name, launch_command(run, 2, 5, "x.db")); };
    CHECK(launch_command(run, 2, 5, "x.db").empty()); // nobody knows what was typed
    run.facts[fact_command] = "./ring\nmy.skampi\n--suite\nMPI_Bcast*\n--suite\nping; rm x";
    add("words that a shell would read");
    run.facts[fact_command] = "skampi-run\nmy.skampi";
    CHECK(launch_option(run).empty());
    run.settings = {{"OMPI_MCA_btl", "tcp"},
                    {"MPIR_CVAR_X", "a b"},
                    {"UCX_TLS", "tcp,self"},
                    {program_setting, "ring, build 12"}};
    run.mpi_library = "MPICH Version: 4.0.2";
    add("settings of MPICH");
    run.mpi_library = "Open MPI v4.1.4, package: x";
    add("settings of Open MPI");
    for (char letter = 'a'; letter < 'h'; ++letter)
        run.settings[std::string("UCX_") + letter] = "1";
    add("settings of a whole site, which nobody reads in a command");
    run.settings.clear();
    run.launcher = "Hydra";
    CHECK(launch_option(run, true) == " --launch '" + binding_launcher("Hydra") + "'");
    run.facts[fact_command] = "skampi-run\nmy.skampi\n--launch\nmpiexec.mpich -n {n}";
    add("a launcher");
    golden.add("the same launcher that binds", launch_option(run, true));
    run.forced_differences = {{"the setting UCX_TLS differs: unset and \"tcp\""}};
    CHECK(launch_command(run, 2, 5, "x.db").empty());
    run.forced_differences.clear();
    run.facts[fact_command] = "skampi-run\ncompare\nmy.skampi\n--variant\na: X=y\n--rounds=5\n--race";
    add("a launch among variants, without the others");
    run.facts[fact_command] = "skampi-run\nmy.skampi\n--until\n3%";
    add("launches until values are known, which are not counted");
    // A simulation is made again by its launcher alone.
    run.facts[fact_command] = "skampi-run\nmy.skampi";
    run.facts[fact_simulation] = "a cluster";
    CHECK(launch_command(run, 48, 1, "x.db").empty());
    run.facts[fact_command] += "\n--launch\nsmpirun -np {n} -platform p.xml";
    golden.add("a simulation", launch_command(run, 48, 1, "x.db"));
    run.facts.erase(fact_simulation);
    run.facts[fact_command] =
        "skampi-run\ntune\n--operation\nMPI_*; rm x\n-o\ntuning.json\n--launch\nsrun -n {n}";
    add("tuning");
    run.facts[fact_command] = "skampi-run\nverify\ntuning.json";
    CHECK(launch_command(run, 2, 5, "x.db").empty()); // its plan is no file
    golden.check();
}

TEST_CASE("a database that a printed command makes has a name of its own") {
    CHECK(next_database("x.db") == "x-2.db");
    CHECK(next_database("x-2.db") == "x-3.db");
    CHECK(next_database("results/x-9.db") == "results/x-10.db");
    CHECK(next_database("night-20261127.db") == "night-20261127-2.db");
    CHECK(next_database("17.db") == "17-2.db");
    CHECK(next_database("-17.db") == "-17-2.db");
    CHECK(next_database("x") == "x-2.db");
    CHECK(next_database("").ends_with(".db"));
}
