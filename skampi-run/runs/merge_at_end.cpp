// SPDX-License-Identifier: LGPL-2.1-or-later
#include "runs/merge_at_end.hpp"

#include "base/child.hpp"
#include "base/error.hpp"
#include "base/file.hpp"
#include "base/text.hpp"
#include "host/program.hpp"
#include "model/series.hpp"
#include "plan/job_plan.hpp"
#include "store/database.hpp"

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <fmt/format.h>
#include <optional>

namespace skampi {
namespace {

namespace fs = std::filesystem;

/// The newest ended run, and how many runs of its series there are.
struct SeriesFound {
    std::string newest;
    std::size_t runs = 0;
};

SeriesFound find_series(const Database& database) {
    SeriesFound found;
    std::optional<Series> series;
    std::vector<RunId> runs = database.runs();
    std::sort(runs.rbegin(), runs.rend());
    for (const RunId id : runs) {
        const Run run = database.run(id);
        if (run.kind != "raw" || (!series && run.ended_utc.empty()))
            continue;
        if (!series) {
            series.emplace(run);
            found.newest = run.uuid;
        }
        found.runs += Series(run) == *series ? 1 : 0;
    }
    return found;
}

bool holds_only_merged_runs(const std::string& path) {
    try {
        const Database database = Database::open(path);
        const std::vector<RunId> runs = database.runs();
        return std::all_of(runs.begin(), runs.end(),
                           [&](RunId id) { return database.run(id).kind == "merged"; });
    } catch (const std::exception&) {
        return false; // none of ours, or none that can be read
    }
}

std::string last_line(std::string text) {
    while (!text.empty() && text.back() == '\n')
        text.pop_back();
    return printable(text.substr(text.rfind('\n') + 1)); // npos + 1 = the beginning
}

std::string merge(const std::string& database) {
    const SeriesFound series = find_series(Database::open(database));
    if (series.runs < 2)
        return {};
    const std::string output = merged_database_path(database);
    const std::string name = printable(output);
    refuse_link(output);
    std::error_code error;
    if (fs::exists(fs::symlink_status(output, error)) && !holds_only_merged_runs(output))
        return fmt::format("warning: {} exists and is not a merged database: nothing merged", name);
    const std::optional<std::string> program = installed_program("skampi-merge");
    if (!program)
        return "warning: nothing merged: skampi-merge is neither next to this program nor in PATH";
    Command command;
    command.argv = {*program,      fs::absolute(database).string(),
                    "-o",          fs::absolute(output).string(),
                    "--series-of", series.newest,
                    "--overwrite"};
    command.timeout_s = longest_merge_s;
    command.death_signal = SIGTERM; // it leaves nothing behind then
    const ChildResult result = run(std::move(command));
    // 1 = done, but runs that are merged lack something; they said so when they ended.
    if (result.ok() || (result.signal == 0 && !result.timed_out && result.exit_status == 1))
        return fmt::format("merged the {} runs of this series into {}", series.runs, name);
    return fmt::format("warning: nothing merged into {}: {}", name,
                       result.err.empty() ? result.describe_end() : last_line(result.err));
}

} // namespace

std::string merged_database_path(const std::string& database) {
    fs::path path(database);
    if (path.extension() == ".db")
        path.replace_extension();
    return path.string() + ".merged.db";
}

std::string merge_series(const std::string& database) noexcept {
    try {
        return merge(database);
    } catch (const std::exception& error) {
        try {
            return fmt::format("warning: nothing merged: {}", printable(error.what()));
        } catch (const std::exception&) { // no memory for a line
            return {};
        }
    }
}

std::string database_to_merge(const RunOptions& options, const ParameterFile& plan) {
    return plan.postproc ? database_path(options.database, plan) : std::string();
}

void merge_at_end(const RunOptions& options, const std::string& database, int status) noexcept {
    const bool stored =
        status == static_cast<int>(ExitStatus::done) || status == static_cast<int>(ExitStatus::incomplete);
    if (database.empty() || !stored)
        return;
    if (const std::string told = merge_series(database); !told.empty())
        std::fputs((options.program + ": " + told + "\n").c_str(), stderr);
}

} // namespace skampi
