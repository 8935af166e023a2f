// SPDX-License-Identifier: GPL-2.0-or-later
// Real `skampi-run verify` and `skampi-run tune`: killed again and again, on a full disk, and with a library
// that delivers wrong data with the file. With MPICH, whose algorithms have known times here
// (known_algorithms.cpp).
#include "algorithms/library_file.hpp"
#include "base/child.hpp"
#include "base/error.hpp"
#include "base/file.hpp"
#include "base/text.hpp"
#include "environment.hpp"
#include "full_disk.hpp"
#include "scratch_folder.hpp"
#include "session/rounds.hpp"
#include "small_file_system.hpp"
#include "store/database.hpp"
#include "tuning/mpich_tree.hpp"

#include <algorithm>
#include <chrono>
#include <csignal>
#include <doctest/doctest.h>
#include <filesystem>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <functional>
#include <mpi.h>
#include <nlohmann/json.hpp>
#include <poll.h>
#include <random>
#include <set>
#include <string>
#include <vector>

using namespace skampi;

namespace {

constexpr int rounds = 2;

bool has_mpich() {
    Command command;
    command.argv = {from_environment("SKAMPI_RUN"), "--version"};
    return run(std::move(command)).out.find("with MPICH") != std::string::npos;
}

std::string launcher(const std::string& preloaded = {}) {
    return for_shell(from_environment("SKAMPI_MPIEXEC")) + " -n {n}" +
           (preloaded.empty() ? "" : " env " + preloaded);
}

Command command_in(const std::string& folder, std::vector<std::string> words, const std::string& launch) {
    Command command;
    command.argv = {from_environment("SKAMPI_RUN")};
    command.argv.insert(command.argv.end(), words.begin(), words.end());
    command.argv.insert(command.argv.end(), {"-n", "2", "--progress", "off", "--launch", launch});
    command.directory = folder;
    command.timeout_s = 200;
    return command;
}

/// Two rounds of a small plan with and without a file of one variable.
Command verification(const std::string& folder) {
    write_file(folder + "/tuning.env", "MPIR_CVAR_ALLTOALL_INTRA_ALGORITHM=pairwise\n");
    write_file(folder + "/my.skampi",
               "@TIMESUITEDEFAULT 0.05 s\n@MEASUREMENTS\n"
               "Alltoall { Type = MPI_Alltoall; Scale = Fixed_log; Start_Argument = 8KiB; "
               "End_Argument = 16KiB; Max_Repetition = 8; }\n");
    return command_in(folder,
                      {"verify", "tuning.env", "my.skampi", "-d", "v.db", "--rounds", std::to_string(rounds)},
                      launcher());
}

/// Few launches of a small plan. @param factor_of_default what the library's own choice takes more than it
/// need
Command tuning(const std::string& folder, const std::string& output, const std::string& factor_of_default) {
    // So slow that other work on the machine hardly matters.
    write_file(folder + "/my.skampi",
               "@TIMESUITEDEFAULT 1 s\n@MEASUREMENTS\n"
               "Bcast { Type = MPI_Bcast; Algorithm = default, nb; Scale = Fixed_log; Stepwidth = 4; "
               "Start_Argument = 8KiB; End_Argument = 32KiB; Max_Repetition = 8; }\n");
    return command_in(folder, {"tune", "my.skampi", "-o", output, "-d", "tune.db"},
                      launcher("LD_PRELOAD=" + from_environment("SKAMPI_KNOWN_ALGORITHMS") +
                               " SKAMPI_BCAST_US=1500 SKAMPI_BCAST_DEFAULT=" + factor_of_default));
}

/// @param signal that the process gets when it is due; then it is left alone
ChildResult run_until(Command command, int signal, const std::function<bool()>& due) {
    Child child(std::move(command));
    bool sent = false;
    while (!child.advance()) {
        if (!sent && due()) {
            ::kill(child.pid(), signal);
            sent = true;
        }
        std::vector<pollfd> entries;
        for (const int descriptor : child.descriptors())
            entries.push_back({descriptor, POLLIN, 0});
        ::poll(entries.data(), entries.size(), 20);
    }
    return child.result();
}

ChildResult run_and_kill(Command command, double after_s) {
    const auto until = std::chrono::steady_clock::now() + std::chrono::duration<double>(after_s);
    return run_until(std::move(command), SIGKILL,
                     [until] { return std::chrono::steady_clock::now() >= until; });
}

std::set<std::string> names_in(const std::string& folder) {
    std::set<std::string> names;
    std::error_code error; // there is no such folder
    for (const auto& entry : std::filesystem::directory_iterator(folder, error))
        names.insert(entry.path().filename().string());
    return names;
}

/// What a killed process left half written, or under a name that nobody gave.
std::string leftovers_in(const std::string& folder) {
    std::set<std::string> left = names_in(folder);
    std::erase_if(left, [](const std::string& name) { return name.find(".part") == std::string::npos; });
    return fmt::format("{}", fmt::join(left, " "));
}

/// Every launch of the one session once.
void check_session(const std::string& path) {
    const Database database = Database::open(path);
    database.check_integrity();
    REQUIRE(database.sessions().size() == 1);
    const Session session = database.sessions().front();
    CHECK(session.end != SessionEnd::not_yet);
    CHECK(database.session_failures(session.uuid).empty());
    CHECK(progress_of_session(database, session.uuid).done.size() == 2 * rounds);
    std::set<std::pair<int, int>> places;
    for (const RunId id : database.runs())
        if (const Run run = database.run(id); !run.ended_utc.empty())
            CHECK(places.emplace(run.session_place.round, run.session_place.place).second);
    CHECK(places.size() == 2 * rounds);
}

/// As many launches as are stored, each with a name of its own. @return how many came to their end
std::size_t check_launches(const std::string& path) {
    const Database database = Database::open(path);
    database.check_integrity();
    std::set<std::string> names;
    std::size_t ended = 0;
    for (const RunId id : database.runs()) {
        const Run run = database.run(id);
        CHECK(names.insert(run.uuid).second);
        ended += run.ended_utc.empty() ? 0 : 1;
    }
    return ended;
}

} // namespace

TEST_CASE("a verification that is killed again and again makes every launch once and leaves nothing behind") {
    if (!has_mpich())
        return;
    const ScratchFolder folder;
    std::mt19937 random(3);
    for (int kill = 0; kill < 6; ++kill) // the first ones before it launches
        (void)run_and_kill(verification(folder.path()),
                           std::uniform_real_distribution(0.02, kill < 3 ? 0.4 : 2.0)(random));
    const ChildResult result = run(verification(folder.path()));
    CAPTURE(result.err);
    CHECK(result.signal == 0);
    CHECK(result.exit_status <= 1);
    check_session(folder / "v.db");
    CHECK(leftovers_in(folder.path()) == "");
    CHECK(file_text(folder / "tuning.env") == "MPIR_CVAR_ALLTOALL_INTRA_ALGORITHM=pairwise\n");
}

TEST_CASE("a verification on a full disk is completed by the same command with more room") {
    if (!has_mpich())
        return;
    call_on_full_disk(
        {12, 260, 400}, // before the database, as a run begins, in the middle of one
        [](const std::string& folder) { return verification(folder); },
        [](const ScratchFolder& folder) {
            check_session(folder / "v.db");
            CHECK(leftovers_in(folder.path()) == "");
        });
}

TEST_CASE("an operation that delivers wrong data with a tuning file is named") {
    if (!has_mpich())
        return;
    const ScratchFolder folder;
    Command command = verification(folder.path());
    command.argv.back() = launcher("LD_PRELOAD=" + for_shell(from_environment("SKAMPI_INTERPOSER")) +
                                   " SKAMPI_FAULT=MPI_Alltoall:1:1:middle SKAMPI_FAULT_TIMES=0 "
                                   "SKAMPI_FAULT_IF=MPIR_CVAR_ALLTOALL_INTRA_ALGORITHM");
    const ChildResult result = run(std::move(command));
    CAPTURE(result.err);
    CAPTURE(result.out);
    CHECK(result.exit_status == static_cast<int>(ExitStatus::incomplete));
    CHECK(result.out.find("Alltoall with the file: wrong data\n") != std::string::npos);
    CHECK(result.out.find("without the file") == std::string::npos);
    CHECK(result.out.find("no rule is shown to be slower") == std::string::npos);
}

TEST_CASE(
    "tuning that is killed again and again counts every launch once, and leaves the file of before in its place") {
    if (!has_mpich())
        return;
    const ScratchFolder folder;
    std::mt19937 random(5);
    write_file(folder / "tuning.json", "{}\n");
    for (int kill = 0; kill < 3; ++kill)
        (void)run_and_kill(tuning(folder.path(), "tuning.json", "6"),
                           std::uniform_real_distribution(0.1, 4.0)(random));
    CHECK(file_text(folder / "tuning.json") == "{}\n");
    const std::string work = folder / "tuning.json.tune";
    const auto candidate = [&] {
        std::set<std::string> names = names_in(work);
        std::erase_if(names, [](const std::string& name) {
            return !name.starts_with("candidate-") || !name.ends_with(".json");
        });
        return fmt::format("{}", fmt::join(names, " "));
    };
    const ChildResult killed =
        run_until(tuning(folder.path(), "tuning.json", "6"), SIGKILL, [&] { return !candidate().empty(); });
    CAPTURE(killed.err);
    const std::size_t launches = check_launches(folder / "tune.db");
    if (killed.signal != SIGKILL) {
        MESSAGE("other work left too little time for a rule: " << killed.err);
        return;
    }
    CHECK(launches >= 5);
    const std::string left = candidate(); // one
    const std::string text = file_text(work + "/" + left);
    CHECK(nlohmann::json::accept(text));
    CHECK(file_text(folder / "tuning.json") == "{}\n");
    // Then in the verification; it takes the launches that it finds.
    const auto verifies = [&] {
        return std::ranges::any_of(names_in(work),
                                   [](const std::string& name) { return name.ends_with(".db-wal"); });
    };
    const ChildResult stopped = run_until(tuning(folder.path(), "tuning.json", "6"), SIGTERM, verifies);
    CAPTURE(stopped.err);
    CHECK(stopped.exit_status == 128 + SIGTERM);
    CHECK(check_launches(folder / "tune.db") == launches);
    CHECK(file_text(folder / "tuning.json") == "{}\n");
    CHECK(candidate() == left);
    CHECK(file_text(work + "/" + left) == text);
    CHECK(leftovers_in(folder.path()) + leftovers_in(work) == "");
    CHECK(std::ranges::count_if(names_in(work),
                                [](const std::string& name) { return name.ends_with(".db"); }) == 1);
}

TEST_CASE("where no algorithm is faster, tuning that was killed ends without a file") {
    if (!has_mpich())
        return;
    const ScratchFolder folder;
    for (const double after_s : {1.5, 4.0})
        (void)run_and_kill(tuning(folder.path(), "tuning.json", "1"), after_s);
    const ChildResult result = run(tuning(folder.path(), "tuning.json", "1"));
    CAPTURE(result.err);
    CHECK(result.exit_status == 0);
    CHECK(check_launches(folder / "tune.db") >= 5);
    CHECK(check_launches(folder / "tune.db") <= 14);
    CHECK_FALSE(std::filesystem::exists(folder / "tuning.json"));
    CHECK(leftovers_in(folder.path()) == "");
}

TEST_CASE("tuning leaves the file in use where it is, also where -o names it and another one is no faster") {
    if (!has_mpich())
        return;
    const ScratchFolder folder;
    const std::string tree =
        find_mpich_tree(LibraryFile(reinterpret_cast<const void*>(&MPI_Get_library_version)).bytes())
            .value_or("");
    write_file(folder / "tuning.json", tree);
    write_file(folder / "tuning.json.md", "- my own notes\n");
    Command command = tuning(folder.path(), "tuning.json", "1");
    command.environment["MPIR_CVAR_COLL_SELECTION_TUNING_JSON_FILE"] = folder / "tuning.json";
    const ChildResult result = run(std::move(command));
    CAPTURE(result.err);
    CAPTURE(result.out);
    CHECK(result.exit_status == 0);
    CHECK(result.out.find("was not written") != std::string::npos);
    CHECK(file_text(folder / "tuning.json") == tree);
    CHECK(file_text(folder / "tuning.json.md") == "- my own notes\n");
    for (const std::string& name : names_in(folder / "tuning.json.tune"))
        CHECK_FALSE(name.ends_with(".json"));
}

TEST_CASE("a full disk costs tuning neither its launches nor the file that was there") {
    if (!has_mpich())
        return;
    const ScratchFolder folder;
    std::filesystem::create_directory(folder / "out");
    const SmallFileSystem file_system(folder / "out", 8);
    if (!file_system.mounted()) {
        MESSAGE("cannot mount a small file system here");
        return;
    }
    write_file(folder / "out/tuning.json", "{}\n");
    const ChildResult full = run(tuning(folder.path(), "out/tuning.json", "6"));
    CAPTURE(full.err);
    if (full.exit_status <= 2) {
        MESSAGE("other work left too little time for a rule: " << full.err);
        return;
    }
    CHECK(full.exit_status == static_cast<int>(ExitStatus::impossible));
    CHECK(file_text(folder / "out/tuning.json") == "{}\n");
    CHECK(names_in(folder / "out/tuning.json.tune").empty());
    const std::size_t launches = check_launches(folder / "tune.db");
    CHECK(launches >= 5);
    REQUIRE(file_system.resize(40'000));
    const auto is_written = [&] { return !names_in(folder / "out/tuning.json.tune").empty(); };
    const ChildResult stopped = run_until(tuning(folder.path(), "out/tuning.json", "6"), SIGTERM, is_written);
    CAPTURE(stopped.err);
    CHECK(file_text(folder / "out/tuning.json") == "{}\n");
    CHECK(check_launches(folder / "tune.db") == launches);
}
