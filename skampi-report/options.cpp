#include "options.hpp"

#include "base/error.hpp"
#include "base/text.hpp"

#include <algorithm>
#include <array>
#include <CLI/CLI.hpp>
#include <filesystem>
#include <fmt/format.h>
#include <ostream>
#include <sched.h>

namespace skampi {

namespace {

struct FormatRow {
    const char* extension;
    Format format;
};

constexpr std::array<FormatRow, 9> formats{{{".pdf", Format::pdf},
                                            {".html", Format::html},
                                            {".csv", Format::csv},
                                            {".json", Format::json},
                                            {".tex", Format::tex},
                                            {".txt", Format::text},
                                            {".out", Format::ascii},
                                            {".stat", Format::statistics},
                                            {".cube", Format::cube}}};

Format format_of(const std::string& output) {
    std::filesystem::path path = output;
    if (!path.has_filename()) // "report.html/"
        path = path.parent_path();
    std::string extension = path.extension().string();
    std::transform(extension.begin(), extension.end(), extension.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    std::string known;
    for (const FormatRow& row : formats) {
        if (extension == row.extension)
            return row.format;
        known += (known.empty() ? "" : ", ") + std::string(row.extension);
    }
    throw InputError(fmt::format("{}: unknown kind of report, expected a name ending in one of {}",
                                 printable(output), known));
}

/// The cores this process may use.
int usable_cores() {
    cpu_set_t set;
    CPU_ZERO(&set);
    return sched_getaffinity(0, sizeof set, &set) == 0 ? std::max(1, CPU_COUNT(&set)) : 1;
}

} // namespace

std::string statistics_path(const std::string& cube_path) {
    return std::filesystem::path(cube_path).replace_extension(".stat").string();
}

std::optional<Options> parse_options(int argc, const char* const* argv, std::ostream& out) {
    Options options;
    CLI::App app{
        "Makes a report of SKaMPI results: plots, facts, cost models, comparisons.\n"
        "Several databases (or result CSV files) are compared, as are Cube statistics files (.stat).",
        "skampi-report"};
    app.set_version_flag("--version", "skampi-report " SKAMPI_VERSION);
    app.add_option("DB", options.databases, "databases or result CSV files, or Cube statistics files")
        ->required();
    app.add_option(
           "-o,--output", options.output,
           "the report; its ending is the format: .pdf, .html (a directory), .csv, .json, .tex, "
           ".out (the ASCII form skampi.out), .stat (Cube statistics), .cube (CUBE 3 and, beside it, its "
           ".stat); of Cube statistics also .txt")
        ->required();
    std::string baseline;
    CLI::Option* baseline_option =
        app.add_option("--baseline", baseline, "judge all others against this database");
    std::string keep;
    CLI::Option* keep_option =
        app.add_option("--keep", keep, "keep plot scripts, data and LaTeX in this directory");
    options.jobs = usable_cores();
    app.add_option("--jobs", options.jobs, "programs run at a time (default: the cores)")
        ->check(CLI::Range(1, 1024));
    app.add_option("--title", options.title, "title of the report");
    std::string dialect;
    CLI::Option* dialect_option =
        app.add_option("--dialect", dialect,
                       "of .stat: scout (default; what the Cube browser reads) or documented (Cube's manual)")
            ->check(CLI::IsMember({"scout", "documented"}));
    app.set_config("--config", "", "a file with these options");
    app.footer(
        "Exit status: 0 done, 1 done, but part of the input could not be read or written, 2 wrong usage or bad input, 3 nothing could be done (program missing, "
        "disk full, ...).");
    try {
        app.parse(argc, argv);
    } catch (const CLI::CallForHelp&) {
        out << app.help();
        return std::nullopt;
    } catch (const CLI::CallForVersion&) {
        out << "skampi-report " SKAMPI_VERSION "\n";
        return std::nullopt;
    } catch (const CLI::ParseError& error) {
        throw InputError(printable(error.what()) + ", expected DB... -o OUT (see --help)");
    }
    options.format = format_of(options.output);
    if (*dialect_option) {
        if (options.format != Format::statistics && options.format != Format::cube)
            throw InputError(
                "--dialect is of Cube statistics, expected -o with a name ending in .stat or .cube");
        options.dialect = *cube::dialect_from_text(dialect);
    }
    if (*keep_option)
        options.keep = keep;
    if (*baseline_option) {
        options.databases.push_back(baseline);
        options.has_baseline = true;
    }
    return options;
}

} // namespace skampi
