// SPDX-License-Identifier: GPL-2.0-or-later
#include "supervisor/launch.hpp"

#include "base/error.hpp"

#include <doctest/doctest.h>

#include <cstdlib>
#include <string>
#include <vector>

using namespace skampi;

using Words = std::vector<std::string>;

namespace {

const Words job{"/opt/my tools/skampi-run", "it's.skampi", "-d", "x.db"};

}

TEST_CASE("the number of ranks is filled in and the command appended") {
    CHECK(launch_words("srun -n {n} --ntasks={n}", 4, job) ==
          Words{"srun", "-n", "4", "--ntasks=4", "/opt/my tools/skampi-run", "it's.skampi", "-d", "x.db"});
}

TEST_CASE("a command with a place of its own goes there word by word") {
    CHECK(launch_words("ssh host {command} --quiet", 4, {"a", "b c"}) ==
          Words{"ssh", "host", "a", "b c", "--quiet"});
}

TEST_CASE("inside a longer word the command is quoted for the shell that will read it") {
    CHECK(launch_words("sbatch --wait -n {n} --wrap 'srun {command}'", 2, job) ==
          Words{"sbatch", "--wait", "-n", "2", "--wrap",
                "srun '/opt/my tools/skampi-run' 'it'\\''s.skampi' '-d' 'x.db'"});
}

TEST_CASE("words are split as a shell splits them, without any expansion") {
    CHECK(launch_words(R"(a 'b  c' "d \"e\" \x $HOME" f\ g '' h'i'j)", 1, {"X"}) ==
          Words{"a", "b  c", "d \"e\" \\x $HOME", "f g", "", "hij", "X"});
}

TEST_CASE("braces in the command itself are not placeholders") {
    CHECK(launch_words("run {command}", 3, {"{n}", "{command}"}) == Words{"run", "{n}", "{command}"});
    CHECK(launch_words("sh -c 'x {command}'", 3, {"{n}", "{command}"}) ==
          Words{"sh", "-c", "x '{n}' '{command}'"});
}

TEST_CASE("a template that cannot be understood is an error of the input") {
    CHECK_THROWS_AS(static_cast<void>(launch_words("", 1, job)), InputError);
    CHECK_THROWS_AS(static_cast<void>(launch_words("   ", 1, job)), InputError);
    CHECK_THROWS_AS(static_cast<void>(launch_words("srun 'x", 1, job)), InputError);
    CHECK_THROWS_AS(static_cast<void>(launch_words("srun \"x", 1, job)), InputError);
}

TEST_CASE("launchers that queue are known by their name") {
    CHECK(launcher_queues({"/usr/bin/sbatch", "--wait"}));
    CHECK_FALSE(launcher_queues({"mpiexec", "sbatch"}));
    CHECK_FALSE(launcher_queues({}));
}

TEST_CASE("srun queues only where there is no allocation yet") {
    const char* const job = std::getenv("SLURM_JOB_ID");
    const std::string before = job != nullptr ? job : "";
    ::unsetenv("SLURM_JOB_ID");
    CHECK(launcher_queues({"srun", "-n", "2"}));
    ::setenv("SLURM_JOB_ID", "17", 1);
    CHECK_FALSE(launcher_queues({"srun", "-n", "2"}));
    ::unsetenv("SLURM_JOB_ID");
    if (!before.empty())
        ::setenv("SLURM_JOB_ID", before.c_str(), 1);
}
