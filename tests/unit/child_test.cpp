// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/child.hpp"
#include "base/error.hpp"

#include <doctest/doctest.h>

#include <cerrno>
#include <csignal>
#include <string>
#include <vector>

using namespace skampi;

namespace {

Command shell(const std::string& script) {
    Command command;
    command.argv = {"sh", "-c", script};
    return command;
}

/// Waits until nobody is left in the process group; killing is asynchronous.
bool group_vanishes(pid_t group) {
    for (int round = 0; round < 10000; ++round) {
        if (::kill(-group, 0) != 0 && errno == ESRCH)
            return true;
        static_cast<void>(run(shell(":")));
    }
    return false;
}

} // namespace

TEST_CASE("a child's output, errors and exit status are told apart") {
    const ChildResult result = run(shell("echo out; echo err >&2; exit 7"));
    CHECK(result.out == "out\n");
    CHECK(result.err == "err\n");
    CHECK(result.exit_status == 7);
    CHECK(result.signal == 0);
    CHECK_FALSE(result.ok());
    CHECK(result.describe_end() == "exit status 7");
    CHECK(run(shell(":")).ok());
}

TEST_CASE("arguments reach the program untouched by any shell") {
    const std::string nasty = "$(echo x) `id` \"'\\ ; * \n";
    Command command;
    command.argv = {"printf", "%s", nasty};
    CHECK(run(command).out == nasty);
}

TEST_CASE("environment variables are added and replaced, the others inherited") {
    Command command = shell("echo \"$ADDED $HOME ${PATH:+path}\"");
    command.environment = {{"ADDED", "a b"}, {"HOME", "/elsewhere"}};
    CHECK(run(command).out == "a b /elsewhere path\n");
}

TEST_CASE("a child reads the input given, or nothing") {
    Command command;
    command.argv = {"cat"};
    CHECK(run(command).out.empty());
    command.input = std::string(300000, 'x') + "\n";
    CHECK(run(command).out == command.input);
    Command ignores_input = shell("exit 0");
    ignores_input.input = std::string(300000, 'x');
    CHECK(run(ignores_input).ok());
}

TEST_CASE("a child works in the directory asked for") {
    Command command = shell("pwd");
    command.directory = "/";
    CHECK(run(command).out == "/\n");
    command.directory = "/does/not/exist";
    CHECK_THROWS_AS(static_cast<void>(run(command)), SystemError);
}

TEST_CASE("a program that does not exist is named in the error") {
    Command command;
    command.argv = {"no-such-program-anywhere"};
    CHECK_THROWS_WITH_AS(static_cast<void>(run(command)),
                         "cannot start 'no-such-program-anywhere': no such program in PATH", SystemError);
    command.argv = {"/etc/passwd"};
    CHECK_THROWS_WITH_AS(static_cast<void>(run(command)), "cannot start '/etc/passwd': no such program",
                         SystemError);
}

TEST_CASE("a child killed by a signal says which") {
    const ChildResult result = run(shell("kill -SEGV $$"));
    CHECK(result.signal == SIGSEGV);
    CHECK(result.describe_end() == "signal 11 (Segmentation fault)");
}

TEST_CASE("lines are handed on one by one, the last one even without its end") {
    std::vector<std::string> lines;
    Command command = shell("printf 'one\\n\\nthree\\nfour'");
    command.on_line = [&lines](std::string_view line) { lines.emplace_back(line); };
    CHECK(run(command).out == "one\n\nthree\nfour");
    CHECK(lines == std::vector<std::string>{"one", "", "three", "four"});
}

TEST_CASE("of a long output the last bytes are kept") {
    Command command = shell("i=0; while [ $i -lt 20000 ]; do echo $i; i=$((i+1)); done");
    command.max_output_bytes = 12;
    CHECK(run(command).out == "19998\n19999\n");
}

TEST_CASE("a child over its time is terminated, and killed when it ignores that") {
    Command obedient = shell("sleep 1000");
    obedient.timeout_s = 0.05;
    const ChildResult terminated = run(obedient);
    CHECK(terminated.timed_out);
    CHECK(terminated.signal == SIGTERM);

    Command stubborn = shell("sleep 1000 & sleep 1000; sleep 1000");
    stubborn.timeout_s = 0.05;
    stubborn.grace_s = 0.05;
    // Inherited, for on a busy machine a trap of its own may come too late.
    const auto before = std::signal(SIGTERM, SIG_IGN);
    const ChildResult killed = run(stubborn);
    std::signal(SIGTERM, before);
    CHECK(killed.timed_out);
    CHECK(killed.signal == SIGKILL);
    CHECK(killed.describe_end() == "time-out, then signal 9 (Killed)");
}

TEST_CASE("what a child leaves in its group ends with it") {
    Child child(shell("sleep 1000 & echo started"));
    const pid_t group = child.pid();
    CHECK(child.wait().ok());
    CHECK(child.result().out == "started\n");
    CHECK(group_vanishes(group));
}

TEST_CASE("a child object that goes takes its whole group along") {
    pid_t group = 0;
    {
        Child child(shell("sleep 1000 & sleep 1000"));
        group = child.pid();
        REQUIRE(::kill(-group, 0) == 0);
    }
    CHECK(group_vanishes(group));
}

TEST_CASE("several children give their results in the order asked for, whatever the parallelism") {
    for (const int parallel : {1, 2, 7, 100}) {
        std::vector<Command> commands;
        for (int index = 0; index < 20; ++index)
            commands.push_back(
                shell("echo " + std::to_string(index) + "; exit " + std::to_string(index % 3)));
        const std::vector<ChildResult> results = run_all(commands, parallel);
        REQUIRE(results.size() == 20);
        for (int index = 0; index < 20; ++index) {
            CHECK(results[static_cast<std::size_t>(index)].out == std::to_string(index) + "\n");
            CHECK(results[static_cast<std::size_t>(index)].exit_status == index % 3);
        }
    }
}

TEST_CASE("several children really run at the same time") {
    // Each waits for the other through two named pipes: one after the other would never end.
    Command make = shell("d=$(mktemp -d) && mkfifo $d/a $d/b && printf %s $d");
    const std::string folder = run(make).out;
    REQUIRE_FALSE(folder.empty());
    Command first = shell("echo x > " + folder + "/a; read y < " + folder + "/b");
    Command second = shell("read y < " + folder + "/a; echo x > " + folder + "/b");
    first.timeout_s = second.timeout_s = 30;
    for (const ChildResult& result : run_all({first, second}, 2))
        CHECK(result.ok());
    CHECK(run(shell("rm -r " + folder)).ok());
}

TEST_CASE("one command that cannot be started fails the whole group of commands") {
    Command missing;
    missing.argv = {"no-such-program-anywhere"};
    CHECK_THROWS_AS(static_cast<void>(run_all({shell("sleep 1000"), missing}, 2)), SystemError);
}
