// SPDX-License-Identifier: GPL-2.0-or-later
// The cost of merging many runs, as ratios measured in turns: processor time of skampi-merge relative to a
// plain SQL scan that sums the same rows, for all runs in one file and for one file each; the memory of both;
// and the cost of ten times the runs.
//   merge [RUNS [SUITES [ARGUMENTS [ROUNDS]]]]     (1000 60 40 3)

#include "invented_runs.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <fmt/format.h>
#include <functional>
#include <sqlite3.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace skampi;
using bench::Size;
using bench::write_run;
namespace fs = std::filesystem;

namespace {

struct Cost {
    double processor_s = 0;
    double memory_mib = 0;
};

Cost cost_of(const std::function<int()>& work) {
    std::fflush(stdout); // otherwise the child prints it again
    const pid_t child = fork();
    if (child == 0)
        _exit(work());
    int status = 0;
    rusage used{};
    wait4(child, &status, 0, &used);
    if (child < 0 || !WIFEXITED(status) || WEXITSTATUS(status) != 0) {
        fmt::print(stderr, "merge: a measured program failed\n");
        std::exit(3);
    }
    const auto seconds = [](const timeval& time) {
        return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
    };
    return {seconds(used.ru_utime) + seconds(used.ru_stime), static_cast<double>(used.ru_maxrss) / 1024};
}

int scan(const std::string& path) {
    sqlite3* database = nullptr;
    if (sqlite3_open_v2(path.c_str(), &database, SQLITE_OPEN_READONLY, nullptr) != SQLITE_OK)
        return 1;
    const int status =
        sqlite3_exec(database, "SELECT sum(value_s), sum(count) FROM result", nullptr, nullptr, nullptr);
    sqlite3_close(database);
    return status == SQLITE_OK ? 0 : 1;
}

int merge(const std::vector<std::string>& inputs, const std::string& output) {
    // Includes the guarded worker's use, because skampi-merge waits for it.
    std::vector<std::string> arguments{SKAMPI_MERGE};
    arguments.insert(arguments.end(), inputs.begin(), inputs.end());
    arguments.insert(arguments.end(), {"-o", output, "--overwrite"});
    const pid_t child = fork();
    if (child == 0) {
        std::vector<char*> argv;
        for (std::string& argument : arguments)
            argv.push_back(argument.data());
        argv.push_back(nullptr);
        (void)!freopen("/dev/null", "w", stdout);
        execv(argv[0], argv.data());
        _exit(127);
    }
    int status = 0;
    waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

/// Processor time and memory of this process's ended children, summed and at most.
Cost cost_of_merging(const std::vector<std::string>& inputs, const std::string& output) {
    std::array<int, 2> ends{};
    if (pipe(ends.data()) != 0)
        std::exit(3);
    const Cost outer = cost_of([&] {
        const int status = merge(inputs, output);
        rusage used{};
        getrusage(RUSAGE_CHILDREN, &used);
        const double memory_mib = static_cast<double>(used.ru_maxrss) / 1024;
        return status == 0 && write(ends[1], &memory_mib, sizeof memory_mib) == sizeof memory_mib ? 0 : 1;
    });
    double memory_mib = 0;
    (void)!read(ends[0], &memory_mib, sizeof memory_mib);
    close(ends[0]);
    close(ends[1]);
    return {outer.processor_s, memory_mib};
}

double median(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    return values[values.size() / 2];
}

} // namespace

int main(int argc, char** argv) {
    const auto number = [&](int at, int otherwise) { return argc > at ? std::atoi(argv[at]) : otherwise; };
    const Size size{number(1, 1000), number(2, 60), number(3, 40)};
    const int rounds = number(4, 3);
    std::string name = (fs::temp_directory_path() / "skampi-merge-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr)
        return 3;
    const fs::path folder = name;
    const std::string one = folder / "all.db";
    const std::string tenth_of_one = folder / "tenth.db";
    const std::string output = folder / "merged.db";
    std::vector<std::string> files;
    {
        Database all = Database::open_for_making(one);
        Database tenth = Database::open_for_making(tenth_of_one);
        for (int run = 0; run < size.runs; ++run) {
            write_run(all, run, size);
            if (run < size.runs / 10)
                write_run(tenth, run, size);
            files.push_back(folder / fmt::format("{}.db", run));
            Database single = Database::open_for_making(files.back());
            write_run(single, run, size);
        }
    }
    const std::vector<std::string> tenth_of_files(files.begin(), files.begin() + size.runs / 10);
    fmt::print("{} runs x {} suites x {} arguments\n", size.runs, size.suites, size.arguments);

    struct Merging {
        std::string what;
        std::vector<std::string> inputs;
        std::vector<double> cost_s;
        std::vector<double> by_scan;
        double memory_mib = 0;
    };
    std::vector<Merging> mergings{{"one file", {one}, {}, {}, 0},
                                  {fmt::format("{} files", size.runs), files, {}, {}, 0},
                                  {"a tenth, one file", {tenth_of_one}, {}, {}, 0},
                                  {"a tenth, in files", tenth_of_files, {}, {}, 0}};
    if (tenth_of_files.empty())
        mergings.resize(2);
    std::vector<double> scans_s;
    for (int round = 0; round < rounds; ++round) {
        scans_s.push_back(cost_of([&] { return scan(one); }).processor_s);
        for (Merging& merging : mergings) {
            const Cost cost = cost_of_merging(merging.inputs, output);
            merging.cost_s.push_back(cost.processor_s);
            merging.by_scan.push_back(cost.processor_s / scans_s.back());
            merging.memory_mib = std::max(merging.memory_mib, cost.memory_mib);
        }
    }
    fmt::print("SQL scan of the same rows: {:.2f} s\n", median(scans_s));
    for (const Merging& merging : mergings)
        fmt::print("merging {}: {:.2f} s, {:.1f} x the scan of all, {:.0f} MiB\n", merging.what,
                   median(merging.cost_s), median(merging.by_scan), merging.memory_mib);
    for (std::size_t tenth = 2; tenth < mergings.size(); ++tenth) {
        std::vector<double> ratios;
        for (std::size_t round = 0; round < scans_s.size(); ++round)
            ratios.push_back(mergings[tenth - 2].cost_s[round] / mergings[tenth].cost_s[round]);
        fmt::print("ten times the runs of \"{}\": {:.1f} x the time\n", mergings[tenth].what, median(ratios));
    }
    fs::remove_all(folder);
}
