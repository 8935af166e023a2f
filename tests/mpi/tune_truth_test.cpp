// SPDX-License-Identifier: GPL-2.0-or-later
// skampi-run tune where it is known what it must find: a default that was made bad is repaired, a good one is
// kept. With Open MPI the default is bad by a rules file that the environment names; with MPICH algorithms
// have known times (known_algorithms.cpp).
#include "base/child.hpp"
#include "contest/session_contest.hpp"
#include "environment.hpp"
#include "scratch_folder.hpp"
#include "store/database.hpp"

#include <algorithm>
#include <doctest/doctest.h>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>

using namespace skampi;

namespace {

const char* const bad_rules = "1\n7 # MPI_Bcast\n1\n0 2\n0 0 0 0\n4096 3 0 64\n";
const char* const good_rules = "1\n7 # MPI_Bcast\n1\n0 1\n0 0 0 0\n";

bool has_open_mpi() {
    Command command;
    command.argv = {from_environment("SKAMPI_RUN"), "--version"};
    return run(command).out.find("with Open MPI") != std::string::npos;
}

class Tuned {
public:
    explicit Tuned(std::string output)
        : output_(std::move(output)) {}

    void write(const std::string& name, const std::string& text) const {
        std::ofstream(scratch_ / name) << text;
    }
    [[nodiscard]] std::string path(const std::string& name) const { return scratch_ / name; }

    /// @param launch template; empty = the default
    ChildResult tune(const std::string& launch, const std::map<std::string, std::string>& environment) {
        write(
            "my.skampi",
            "@TIMESUITEDEFAULT 0.5 s\n@MEASUREMENTS\nBcast { Type = MPI_Bcast; Algorithm = default, binomial, " +
                std::string(has_open_mpi() ? "pipeline" : "nb") +
                "; Scale = Fixed_log; Stepwidth = 4; Start_Argument = 1KiB; End_Argument = 256KiB; "
                "Max_Repetition = 40; }\n");
        Command command;
        command.argv = {from_environment("SKAMPI_RUN"),
                        "tune",
                        "my.skampi",
                        "-n",
                        "2",
                        "-o",
                        output_,
                        "-d",
                        "tune.db",
                        "--progress",
                        "off"};
        if (!launch.empty())
            command.argv.insert(command.argv.end(), {"--launch", launch});
        command.environment = environment;
        command.directory = scratch_.path();
        command.timeout_s = 1200;
        return run(std::move(command));
    }

    [[nodiscard]] bool is_written() const { return std::filesystem::exists(path(output_)); }

    /// Time with the file / time without it, over all lengths of the range that gains most, upper end of its
    /// interval.
    [[nodiscard]] double ratio_at_most() const {
        double least = 1e9;
        std::error_code error;
        for (const auto& entry : std::filesystem::directory_iterator(path(output_ + ".tune"), error))
            if (entry.path().extension() == ".db") {
                const SessionLaunches launches = read_session(Database::open(entry.path()));
                const SessionContest session = judge_session(launches, look_due(launches));
                for (const SuiteContest& suite : session.variants.at(0).contest.suites)
                    if (suite.whole())
                        least = std::min(least, suite.whole()->high);
            }
        return least;
    }

private:
    ScratchFolder scratch_;
    std::string output_;
};

std::string with_known_algorithms(const std::string& factor_of_default) {
    return from_environment("SKAMPI_MPIEXEC") +
           " -n {n} env LD_PRELOAD=" + from_environment("SKAMPI_KNOWN_ALGORITHMS") +
           " SKAMPI_BCAST_US=400 SKAMPI_BCAST_DEFAULT=" + factor_of_default;
}

} // namespace

TEST_CASE(
    "a rules file that makes the default of Open MPI bad is repaired, one that changes nothing is kept") {
    if (!has_open_mpi())
        return;
    for (const bool bad : {true, false}) {
        CAPTURE(bad);
        Tuned tuned("rules.conf");
        tuned.write("in-use.conf", bad ? bad_rules : good_rules);
        const ChildResult result =
            tuned.tune("", {{"OMPI_MCA_coll_tuned_use_dynamic_rules", "1"},
                            {"OMPI_MCA_coll_tuned_dynamic_rules_filename", tuned.path("in-use.conf")}});
        INFO(result.out);
        INFO(result.err);
        CHECK(result.exit_status == 0);
        if (bad)
            CHECK(tuned.is_written());
        if (bad)
            CHECK(tuned.ratio_at_most() < 0.5);
        if (bad)
            CHECK(result.out.find("\n  MPI_Bcast from 4 KiB on: ") != std::string::npos);
    }
}

TEST_CASE("a default of MPICH that is known to be slow is replaced, one that is known to be fast is kept") {
    if (has_open_mpi())
        return;
    for (const bool bad : {true, false}) {
        CAPTURE(bad);
        Tuned tuned("tuning.env");
        const ChildResult result = tuned.tune(with_known_algorithms(bad ? "4" : "1"), {});
        INFO(result.out);
        INFO(result.err);
        CHECK(result.exit_status == 0);
        CHECK(tuned.is_written() == bad);
        if (bad)
            CHECK(tuned.ratio_at_most() < 0.5);
    }
}
