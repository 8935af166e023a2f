// SPDX-License-Identifier: GPL-2.0-or-later
// How often the suite's conclusions are right: simulations with known truth and checks on real launches.
// usage: bench/inference [--series N] [--seed N] [--database FILE] [STUDY ...]
//
// A row states what was found and the goal. Exit status 1 if a goal is missed.
#include "study.hpp"

#include <algorithm>
#include <CLI/CLI.hpp>
#include <cstdio>
#include <fmt/format.h>

namespace {

using namespace skampi::bench;

std::string number(double value, const StudyRow& row) {
    return row.unit == "%" ? fmt::format("{:.1f} %", 100 * value) : fmt::format("{:.3g} {}", value, row.unit);
}

std::string goal(const StudyRow& row) {
    const bool any_least = row.least <= 0;
    const bool any_most = row.unit == "%" ? row.most >= 1 : row.most >= 1e300;
    if (any_least)
        return any_most ? "-" : "<= " + number(row.most, row);
    return any_most ? ">= " + number(row.least, row)
                    : number(row.least, row) + " to " + number(row.most, row);
}

} // namespace

int main(int argc, char** argv) {
    CLI::App app(
        "How often the suite's conclusions are right: simulations with known truth, and real launches.");
    StudyOptions options;
    std::vector<std::string> names;
    app.add_option("--series", options.series, "invented series for each row")->capture_default_str();
    app.add_option("--seed", options.seed, "of the invented series")->capture_default_str();
    app.add_option("--database", options.database, "raw launches in a row, for the rows on real launches")
        ->check(CLI::ExistingFile);
    app.add_option("STUDY", names, "names of studies; without any all");
    CLI11_PARSE(app, argc, argv);
    for (const std::string& name : names)
        if (std::ranges::none_of(studies(), [&](const Study& study) { return study.name == name; })) {
            fmt::print(stderr, "inference: no study is called '{}'; there are:\n", name);
            for (const Study& study : studies())
                fmt::print(stderr, "  {}: {}\n", study.name, study.question);
            return 2;
        }
    bool all_reached = true;
    for (const Study& study : studies()) {
        if (!names.empty() && std::ranges::find(names, study.name) == names.end())
            continue;
        fmt::print("{}: {}\n", study.name, study.question);
        for (const StudyRow& row : study.run(options)) {
            all_reached = all_reached && row.reached();
            fmt::print("  {:<90} {:>12}   goal {:<20} {}\n", row.statement, number(row.found, row), goal(row),
                       row.reached() ? "" : "MISSED");
            std::fflush(stdout);
        }
    }
    return all_reached ? 0 : 1;
}
