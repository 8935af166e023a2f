// SPDX-License-Identifier: GPL-2.0-or-later
// The cost of a report relative to the programs that draw it, as ratios measured in turns: time of the PDF
// and of the HTML page relative to gnuplot (once, over all scripts) and pdflatex (twice) on the same files,
// and the memory of skampi-report itself. For one run, for a merge of many, and for one suite with very many
// arguments (relative to gnuplot alone).
//   report [FOLDER [ROUNDS [RUNS [SUITES [ARGUMENTS]]]]]     (a temporary one, 3 1000 60 40)
// Databases that FOLDER already holds are used again, because making the many runs takes longer than the
// rest.

#include "invented_runs.hpp"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>
#include <vector>

using namespace skampi;
using bench::Size;
namespace fs = std::filesystem;

namespace {

struct Cost {
    double wall_s = 0;
    double processor_s = 0; ///< with that of its children
    double memory_mib = 0;  ///< the largest of it and its children
};

/// Runs a program in a folder and discards its output. The benchmark ends if the program fails.
Cost cost_of(const std::vector<std::string>& words, const fs::path& folder) {
    const auto begin = std::chrono::steady_clock::now();
    const pid_t child = fork();
    if (child == 0) {
        const int null = open("/dev/null", O_RDWR);
        dup2(null, STDIN_FILENO);
        dup2(null, STDOUT_FILENO);
        if (chdir(folder.c_str()) != 0)
            _exit(127);
        std::vector<char*> argv;
        for (const std::string& word : words)
            argv.push_back(const_cast<char*>(word.c_str()));
        argv.push_back(nullptr);
        execvp(argv[0], argv.data());
        _exit(127);
    }
    int status = 0;
    rusage used{};
    wait4(child, &status, 0, &used);
    if (child < 0 || !WIFEXITED(status) || WEXITSTATUS(status) != 0) {
        fmt::print(stderr, "report: {} failed in {}\n", words.front(), folder.string());
        std::exit(3);
    }
    const auto seconds = [](const timeval& time) {
        return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
    };
    return {std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count(),
            seconds(used.ru_utime) + seconds(used.ru_stime), static_cast<double>(used.ru_maxrss) / 1024};
}

Cost operator+(const Cost& a, const Cost& b) {
    return {a.wall_s + b.wall_s, a.processor_s + b.processor_s, std::max(a.memory_mib, b.memory_mib)};
}

/// gnuplot, once over all scripts of a report that was kept.
Cost cost_of_drawing(const fs::path& kept) {
    std::vector<std::string> words{"gnuplot", "-d"};
    for (const fs::directory_entry& entry : fs::directory_iterator(kept / "figures"))
        if (entry.path().extension() == ".gp")
            words.push_back(entry.path().filename().string());
    std::sort(words.begin() + 2, words.end());
    return cost_of(words, kept / "figures");
}

/// pdflatex, twice, without the auxiliary files of earlier passes.
Cost cost_of_setting(const fs::path& kept) {
    for (const char* ending : {"aux", "toc", "out"})
        fs::remove(kept / fmt::format("report.{}", ending));
    const std::vector<std::string> words{"pdflatex", "-no-shell-escape", "-interaction=nonstopmode",
                                         "report.tex"};
    return cost_of(words, kept) + cost_of(words, kept);
}

double median(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    return values[values.size() / 2];
}

/// @param wanted the goal, as it is printed
void print_ratio(const char* what, const std::vector<double>& ratios, const char* wanted) {
    fmt::print("  {:<28} {:5.2f} x (of {:.2f} to {:.2f}; {})\n", what, median(ratios),
               *std::ranges::min_element(ratios), *std::ranges::max_element(ratios), wanted);
}

void measure(const char* what, const fs::path& database, const fs::path& folder, int rounds,
             bool by_drawing_alone) {
    const fs::path kept = folder / "kept";
    fs::remove_all(kept);
    const std::string pdf = (folder / "report.pdf").string();
    const std::string html = (folder / "report.html").string();
    (void)cost_of({SKAMPI_REPORT, database.string(), "-o", pdf, "--keep", kept.string()}, folder);
    std::vector<double> pdf_ratios;
    std::vector<double> pdf_processor_ratios;
    std::vector<double> html_ratios;
    Cost ours;
    Cost page;
    Cost theirs;
    for (int round = 0; round < rounds; ++round) {
        const Cost drawing = cost_of_drawing(kept);
        ours = cost_of({SKAMPI_REPORT, database.string(), "-o", pdf}, folder);
        theirs = by_drawing_alone ? drawing : drawing + cost_of_setting(kept);
        page = cost_of({SKAMPI_REPORT, database.string(), "-o", html}, folder);
        pdf_ratios.push_back(ours.wall_s / theirs.wall_s);
        pdf_processor_ratios.push_back(ours.processor_s / theirs.processor_s);
        html_ratios.push_back(page.wall_s / theirs.wall_s);
    }
    fmt::print("{}: PDF {:.2f} s, HTML {:.2f} s, {} {:.2f} s\n", what, ours.wall_s, page.wall_s,
               by_drawing_alone ? "gnuplot alone" : "gnuplot and pdflatex alone", theirs.wall_s);
    print_ratio("PDF, time", pdf_ratios, by_drawing_alone ? "goal: below 2" : "goal: at most 1.3");
    print_ratio("PDF, processor time", pdf_processor_ratios, "of all programs");
    print_ratio("HTML, time", html_ratios, by_drawing_alone ? "goal: below 2" : "goal: at most 1");
    fmt::print(
        "  memory: PDF {:.0f} MiB, HTML {:.0f} MiB (goal: at most 200), pdflatex {:.0f} MiB; file: {:.1f} MiB\n",
        ours.memory_mib, page.memory_mib, theirs.memory_mib,
        static_cast<double>(fs::file_size(html)) / 1048576);
}

void make(const fs::path& path, const Size& size) {
    if (fs::exists(path))
        return;
    const fs::path unfinished = path.string() + ".unfinished";
    fs::remove(unfinished);
    {
        Database database = Database::open_for_making(unfinished);
        for (int run = 0; run < size.runs; ++run)
            bench::write_run(database, run, size);
    }
    fs::rename(unfinished, path);
}

} // namespace

int main(int argc, char** argv) {
    const auto number = [&](int at, int otherwise) { return argc > at ? std::atoi(argv[at]) : otherwise; };
    fs::path folder;
    const bool temporary = argc < 2;
    if (temporary) {
        std::string name = (fs::temp_directory_path() / "skampi-report-XXXXXX").string();
        if (mkdtemp(name.data()) == nullptr)
            return 3;
        folder = name;
    } else {
        folder = fs::absolute(argv[1]);
        fs::create_directories(folder);
    }
    const int rounds = number(2, 3);
    const Size many{number(3, 1000), number(4, 60), number(5, 40)};
    make(folder / "one.db", {1, many.suites, many.arguments});
    make(folder / "long.db", {1, 1, 10000});
    make(folder / "all.db", many);
    const fs::path merged = folder / "merged.db";
    if (!fs::exists(merged))
        (void)cost_of({SKAMPI_MERGE, "all.db", "-o", merged.string()}, folder);

    measure("one run", folder / "one.db", folder, rounds, false);
    measure(fmt::format("a merge of {} runs", many.runs).c_str(), merged, folder, 1, false);
    measure(fmt::format("{} runs, merged for the report", many.runs).c_str(), folder / "all.db", folder, 1,
            false);
    measure("10,000 arguments in one suite", folder / "long.db", folder, rounds, true);
    if (temporary)
        fs::remove_all(folder);
}
