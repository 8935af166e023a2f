// SPDX-License-Identifier: GPL-2.0-or-later
#include "options.hpp"

#include "base/error.hpp"
#include "base/text.hpp"
#include "base/utc.hpp"
#include "command_line/not_empty.hpp"
#include "command_line/options_file.hpp"

#include <algorithm>
#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <ostream>

namespace skampi {

bool RunSelection::holds(const Run& run) const {
    return (runs.empty() || std::ranges::find(runs, run.uuid) != runs.end()) && run.started_utc >= since &&
           (before.empty() || run.started_utc < before);
}

namespace {

/// A choice among a few that have names.
template <typename Choice>
struct Choices {
    std::vector<Choice> all;
    std::string_view (*name)(Choice);

    [[nodiscard]] std::vector<std::string> names() const {
        std::vector<std::string> found;
        for (const Choice choice : all)
            found.emplace_back(name(choice));
        return found;
    }
    /// @pre the name is one of names()
    [[nodiscard]] Choice of(std::string_view wanted) const {
        return *std::find_if(all.begin(), all.end(), [&](Choice choice) { return name(choice) == wanted; });
    }
};

const Choices<skalib::Grid> grids{{skalib::Grid::union_, skalib::Grid::first, skalib::Grid::common},
                                  grid_name};
const Choices<skalib::MergedValue> values{
    {skalib::MergedValue::median, skalib::MergedValue::mean, skalib::MergedValue::minimum}, value_name};
const Choices<skalib::Weights> weights{
    {skalib::Weights::precision, skalib::Weights::equal, skalib::Weights::count}, weights_name};

/// Which runs are merged, and what their adjusted values refer to.
void add_selection(CLI::App& app, MergeOptions& options) {
    app.add_option("--run", options.selection.runs, "merge only the runs with these uuids (several times)")
        ->expected(1)
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
        ->option_text("UUID");
    app.add_option("--series-of", options.selection.series_of,
                   "merge only the runs of the series of the run with this uuid")
        ->check(not_empty());
    const CLI::Validator date(
        [](std::string& text) {
            constexpr std::size_t digits = 10;
            return text.size() == digits && utc_seconds(text + "T00:00:00Z")
                       ? std::string()
                       : "found " + text + ", expected a date such as 2026-11-21";
        },
        "DATE");
    app.add_option("--since", options.selection.since, "only the runs that began on this date (UTC) or later")
        ->check(date);
    app.add_option("--before", options.selection.before, "only the runs that began before this date (UTC)")
        ->check(date);
    app.add_option("--reference", options.reference,
                   "reduce adjusted values to the machine state that this database stores\n"
                   "[that of the oldest run]")
        ->check(not_empty())
        ->option_text("DB");
}

} // namespace

std::optional<MergeOptions> parse_options(int argc, const char* const* argv, std::ostream& out) {
    MergeOptions options;
    CLI::App app{
        "Merges several runs of one plan into one run. A merged value is the median of the runs, with a\n"
        "confidence interval; runs that lack an argument are interpolated. With --copy it copies runs.",
        "skampi-merge"};
    app.set_version_flag("--version", "skampi-merge " SKAMPI_VERSION);
    app.add_option("DB", options.inputs,
                   "databases, result CSV files, output of other benchmarks;\nall their runs are merged")
        ->check(not_empty())
        ->required();
    CLI::Option* const output = app.add_option(
        "-o,--output", options.output,
        "the merged database; without it, skampi-merge lists the runs\nand says whether they belong together");
    bool info = false;
    app.add_flag("--info", info, "list the runs and merge nothing, even with -o");
    app.add_option(
           "--by", options.by,
           "merge the runs in groups: by ranks, host, library, or any other field or setting in which\n"
           "runs differ")
        ->check(not_empty());
    std::string grid(grid_name(options.way.grid));
    app.add_option(
           "--grid", grid,
           "arguments of the merged run: those of any run (union), of the oldest run (first),\nor of all runs (common)")
        ->check(CLI::IsMember(grids.names()))
        ->capture_default_str();
    std::string value(value_name(options.way.value));
    app.add_option("--value", value, "median, mean or minimum of the runs")
        ->check(CLI::IsMember(values.names()))
        ->capture_default_str();
    std::string weight(weights_name(options.way.weights));
    app.add_option(
           "--weights", weight,
           "weight of a run in the median: precision (from its own error and the scatter of the runs), equal,\nor the count of its single measurements (as in SKaLib; the noisiest run then weighs most)")
        ->check(CLI::IsMember(weights.names()))
        ->capture_default_str();
    std::string modes = options.way.modes ? "on" : "off";
    app.add_option(
           "--modes", modes,
           "on: values are those of one machine state, mostly that of most launches that are not disturbed; off: of all launches,\nalso those in which a rank waited for a core")
        ->check(CLI::IsMember({"on", "off"}))
        ->capture_default_str();
    bool as_skalib = false;
    app.add_flag("--as-skalib", as_skalib,
                 "merge as SKaLib's manual says: --weights count --grid first --modes off");
    add_selection(app, options);
    app.add_flag(
        "--force", options.force,
        "merge even runs of different series: plan, ranks, placement, MPI library, its settings, ...");
    app.add_flag("--overwrite", options.overwrite, "replace an existing output");
    app.add_flag("--copy", options.copy,
                 "copy the runs as they are, with their single measurements, in place of merging them");
    app.add_flag("--anonymise", options.anonymise,
                 "with --copy: other names of users, hosts, files and launchers, and no process numbers");
    add_options_file(app, "a file with these options");
    app.footer(
        "Exit status: 0 done, 1 done, but a run or suite was incomplete, "
        "2 wrong usage or bad input (also: runs\n"
        "that do not belong together), 3 nothing could be done (disk full, ...), 130, 143, 129 after SIGINT,\n"
        "SIGTERM, SIGHUP: nothing is left behind.");
    try {
        app.parse(argc, argv);
    } catch (const CLI::CallForHelp&) {
        out << app.help();
        return std::nullopt;
    } catch (const CLI::CallForVersion&) {
        out << "skampi-merge " SKAMPI_VERSION "\n";
        return std::nullopt;
    } catch (const CLI::ParseError& error) {
        throw InputError(printable(error.what()) + ", expected DB... [-o MERGED.db] (see --help)");
    }
    if (*output && options.output.empty())
        throw InputError("-o: found an empty name, expected that of a database to write");
    if (options.anonymise && !options.copy)
        throw InputError("--anonymise: found no --copy, expected both");
    for (const char* of_merging : {"--info", "--by", "--grid", "--value", "--weights", "--modes",
                                   "--series-of", "--reference", "--force", "--as-skalib"})
        if (options.copy && (app.count(of_merging) > 0 || options.output.empty()))
            throw InputError(fmt::format("--copy: found {}, expected -o and none of merging",
                                         options.output.empty() ? "no -o" : of_merging));
    for (const char* const part : {"--weights", "--grid", "--modes", "--value"})
        if (as_skalib && app.count(part) > 0)
            throw InputError(fmt::format("--as-skalib: found {} with it, expected one of them", part));
    if (info)
        options.output.clear();
    options.config = options_file(app);
    options.way = as_skalib ? way_of_skalib
                            : MergeWay{grids.of(grid), values.of(value), weights.of(weight), modes == "on"};
    return options;
}

} // namespace skampi
