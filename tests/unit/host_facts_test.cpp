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

TEST_CASE("the command that measures a run again chooses the same suites, whatever their patterns contain") {
    Run run;
    run.ranks = 2;
    run.mpi_library = "MPICH 4.0.2";
    run.parameter_file = "my.skampi";
    CHECK(launch_command(run, 2, 5, "x.db") == "skampi-run -n 2 --launches 5 my.skampi -d x.db");
    CHECK(launch_option(run).empty());
    run.settings = {{"UCX_TLS", "tcp,self"}, {"MPIR_CVAR_X", "a b"}};
    CHECK(launch_command(run, 2, 5, "x.db") ==
          "MPIR_CVAR_X='a b' UCX_TLS=tcp,self skampi-run -n 2 --launches 5 my.skampi -d x.db");
    run.mpi_library = "MPICH Version: 4.0.2";
    run.settings = {{"OMPI_MCA_btl", "tcp"}, {"MPIR_CVAR_X", "y"}, {"UCX_TLS", "tcp"}};
    CHECK(launch_command(run, 2, 5, "x.db").starts_with("MPIR_CVAR_X=y UCX_TLS=tcp skampi-run"));
    run.mpi_library = "Open MPI v4.1.4, package: x";
    CHECK(launch_command(run, 2, 5, "x.db").starts_with("OMPI_MCA_btl=tcp UCX_TLS=tcp skampi-run"));
    for (char letter = 'a'; letter < 'h'; ++letter)
        run.settings[std::string("UCX_") + letter] = "1"; // of a whole site: nobody reads them in a command
    CHECK(launch_command(run, 2, 5, "x.db") == "skampi-run -n 2 --launches 5 my.skampi -d x.db");
    run.settings.clear();
    run.launcher = "Hydra";
    CHECK(launch_option(run, true) == " --launch '" + binding_launcher("Hydra") + "'");
    run.facts[fact_launch_words] = "mpiexec.mpich -n {n}";
    CHECK(launch_command(run, 2, 5, "x.db") ==
          "skampi-run -n 2 --launches 5 --launch 'mpiexec.mpich -n {n}' my.skampi -d x.db");
    CHECK(launch_option(run, true) == " --launch 'mpiexec.mpich -bind-to core -n {n}'");
    run.facts.erase(fact_launch_words);
    run.differing_facts = {{.name = fact_launch_words, .values = 2, .value = {"mpiexec.a", "mpiexec.b"}}};
    CHECK(launch_option(run) == " --launch mpiexec.a");
    run.differing_facts[0].unknown_of_some = true; // some were launched as usual
    CHECK(launch_option(run).empty());
    run.differing_facts = {{.name = fact_selected_suites}};
    CHECK(launch_command(run, 2, 5, "x.db").empty());
    run.differing_facts.clear();
    run.forced_differences = {{"the setting UCX_TLS differs: unset and \"tcp\""}};
    CHECK(launch_command(run, 2, 5, "x.db").empty());
    run.forced_differences.clear();
    // A simulation is made again by its launcher alone.
    run.facts[fact_simulation] = "a cluster";
    CHECK(launch_command(run, 48, 1, "x.db").empty());
    run.facts[fact_launch_words] = "smpirun -np {n} -platform p.xml";
    CHECK(launch_command(run, 48, 1, "x.db") ==
          "skampi-run -n 48 --launch 'smpirun -np {n} -platform p.xml' my.skampi -d x.db");
    run.facts.erase(fact_simulation);
    run.facts.erase(fact_launch_words);
    run.facts[fact_selected_suites] = "MPI_Bcast*\nping; rm x";
    CHECK(launch_command(run, 2, 5, "x.db") ==
          "skampi-run -n 2 --launches 5 my.skampi --suite 'MPI_Bcast*' --suite 'ping; rm x' -d x.db");
    run.facts.erase(fact_selected_suites);
    run.facts[fact_launch_words] = "srun -n {n}";
    run.facts[fact_tune_words] = "--operation\nMPI_*; rm x\n-o\ntuning.json";
    CHECK(launch_command(run, 2, 5, "x.db") ==
          "skampi-run tune --operation 'MPI_*; rm x' -o tuning.json -n 2 --launch 'srun -n {n}' -d x.db");
    run.facts.erase(fact_tune_words);
    run.differing_facts = {{.name = fact_tune_words}};
    CHECK(launch_command(run, 2, 5, "x.db").empty());
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
