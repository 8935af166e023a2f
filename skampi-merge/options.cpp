#include "options.hpp"

#include "base/error.hpp"
#include "base/text.hpp"

#include <algorithm>
#include <array>
#include <CLI/CLI.hpp>
#include <ostream>

namespace skampi {
namespace {

template <typename Choice>
struct ChoiceName {
    Choice choice;
    const char* name;
};

constexpr std::array<ChoiceName<skalib::Grid>, 3> grids{
    {{skalib::Grid::union_, "union"}, {skalib::Grid::first, "first"}, {skalib::Grid::common, "common"}}};
constexpr std::array<ChoiceName<skalib::Weights>, 2> weights{
    {{skalib::Weights::equal, "equal"}, {skalib::Weights::count, "count"}}};
constexpr std::array<ChoiceName<skalib::MergedValue>, 3> values{{{skalib::MergedValue::median, "median"},
                                                                 {skalib::MergedValue::mean, "mean"},
                                                                 {skalib::MergedValue::minimum, "min"}}};

template <typename Table, typename Choice>
std::string_view name_in(const Table& table, Choice choice) {
    return std::find_if(table.begin(), table.end(), [&](const auto& row) { return row.choice == choice; })
        ->name;
}

template <typename Table>
std::vector<std::string> names_of(const Table& table) {
    std::vector<std::string> names;
    for (const auto& row : table)
        names.emplace_back(row.name);
    return names;
}

/// @pre the name has been checked against the table
template <typename Table>
auto choice_in(const Table& table, const std::string& name) {
    return std::find_if(table.begin(), table.end(), [&](const auto& row) { return row.name == name; })
        ->choice;
}

} // namespace

std::string_view grid_name(skalib::Grid grid) {
    return name_in(grids, grid);
}
std::string_view weights_name(skalib::Weights value) {
    return name_in(weights, value);
}

std::string_view value_name(skalib::MergedValue value) {
    return name_in(values, value);
}

std::optional<MergeOptions> parse_options(int argc, const char* const* argv, std::ostream& out) {
    MergeOptions options;
    CLI::App app{
        "Merges several runs of one plan into one run: per suite and argument the median of the runs,\n"
        "interpolated where a run lacks an argument, with the spread between the runs.",
        "skampi-merge"};
    app.set_version_flag("--version", "skampi-merge " SKAMPI_VERSION);
    app.add_option("DB", options.inputs, "databases or result CSV files; all runs in them are merged")
        ->required();
    app.add_option("-o,--output", options.output, "the merged database")->required();
    std::string grid(grid_name(options.grid));
    app.add_option("--grid", grid,
                   "its arguments: all that any run has (union), "
                   "those of the oldest run (first),\nor only those all runs have (common)")
        ->check(CLI::IsMember(names_of(grids)))
        ->capture_default_str();
    std::string value(value_name(options.value));
    app.add_option("--value", value, "median of the runs, their mean, or min")
        ->check(CLI::IsMember(names_of(values)))
        ->capture_default_str();
    std::string weight(weights_name(options.weights));
    app.add_option(
           "--weights", weight,
           "what a run weighs in the median: equal, or count, its single measurements (as SKaLib; a noisy run, "
           "which is repeated most, then weighs most)")
        ->check(CLI::IsMember(names_of(weights)))
        ->capture_default_str();
    app.add_option("--series-of", options.series_of,
                   "merge only the runs of the series that the run with this uuid is a launch of");
    app.add_flag(
        "--force", options.force,
        "merge even runs of different series: plan, ranks, placement, MPI library, its settings, ...");
    app.add_flag("--overwrite", options.overwrite, "replace an existing output");
    app.set_config("--config", "", "a file with these options");
    app.footer("Exit status: 0 done, 1 done, but a run or suite was incomplete, "
               "2 wrong usage or bad input (also: runs\n"
               "that do not belong together), 3 nothing could be done (disk full, ...).");
    try {
        app.parse(argc, argv);
    } catch (const CLI::CallForHelp&) {
        out << app.help();
        return std::nullopt;
    } catch (const CLI::CallForVersion&) {
        out << "skampi-merge " SKAMPI_VERSION "\n";
        return std::nullopt;
    } catch (const CLI::ParseError& error) {
        throw InputError(printable(error.what()) + ", expected DB... -o MERGED.db (see --help)");
    }
    options.grid = choice_in(grids, grid);
    options.value = choice_in(values, value);
    options.weights = choice_in(weights, weight);
    return options;
}

} // namespace skampi
