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
    bool one_text;       ///< can be written to standard output
    bool of_run = false; ///< only a run can be told in it
};

constexpr auto formats = std::to_array<FormatRow>({
    {".txt", Format::text, true},
    {".md", Format::markdown, true},
    {".pdf", Format::pdf, false},
    {".html", Format::html, true},
    {".models.csv", Format::models, true, true}, // before the ending that it ends in, too
    {".csv", Format::csv, true},
    {".json", Format::json, true},
    {".tex", Format::tex, false},
    {".out", Format::ascii, true, true},
    {".h", Format::c_header, true, true},
    {".stat", Format::statistics, true, true},
    {".cube", Format::cube, false, true},
});

/// By the ending of a file's name, which is not all of it.
const FormatRow* find_format(const std::filesystem::path& path) {
    std::string name = path.filename().string();
    std::ranges::transform(name, name.begin(),
                           [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    const auto row = std::ranges::find_if(formats, [&](const FormatRow& each) {
        return name.ends_with(each.extension) && name != each.extension;
    });
    return row == formats.end() ? nullptr : &*row;
}

template <typename Wanted>
std::string extensions_of(Wanted&& wanted) {
    std::string known;
    for (const FormatRow& row : formats)
        if (wanted(row))
            known += (known.empty() ? "" : ", ") + std::string(row.extension);
    return known;
}

/// Whether a name means a directory: "report/", or one that is there and is called like no other report.
bool means_folder(const std::string& output) {
    const std::filesystem::path path = output;
    std::error_code error;
    return !path.has_filename() || (!find_format(path) && std::filesystem::is_directory(path, error));
}

Format format_of(const std::string& output) {
    if (means_folder(output)) {
        std::filesystem::path path = output;
        if (!path.has_filename())
            path = path.parent_path();
        const FormatRow* row = find_format(path);
        if (row && row->format != Format::html)
            throw InputError(
                fmt::format("{}: a directory holds an HTML report, expected a name without the ending {}",
                            printable(output), row->extension));
        return Format::html;
    }
    if (const FormatRow* row = find_format(output))
        return row->format;
    throw InputError(
        fmt::format("{}: unknown kind of report, expected a name ending in one of {}, or in / for a "
                    "directory with an HTML report",
                    printable(output), extensions_of([](const FormatRow&) { return true; })));
}

/// Of a report on standard output. @param name as the user gives it, with or without its point
Format format_for_standard_output(const std::string& name) {
    const std::string extension = "." + name.substr(name.starts_with('.') ? 1 : 0);
    const auto* const row =
        std::ranges::find_if(formats, [&](const FormatRow& each) { return extension == each.extension; });
    if (row == formats.end() || !row->one_text)
        throw InputError(
            fmt::format("--format {}: {}, expected one of {}", printable(name),
                        row != formats.end() ? "does not go to standard output" : "unknown kind of report",
                        extensions_of([](const FormatRow& each) { return each.one_text; })));
    return row->format;
}

/// What is no file and looks like a pattern names suites.
bool is_pattern(const std::string& argument) {
    std::error_code error;
    return argument.find_first_of("*?[") != std::string::npos && !std::filesystem::exists(argument, error);
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

bool tells_of_run(Format format) {
    return std::ranges::any_of(formats,
                               [&](const FormatRow& each) { return each.format == format && each.of_run; });
}

std::optional<Options> parse_options(int argc, const char* const* argv, std::ostream& out) {
    Options options;
    CLI::App app{
        "Makes a report of SKaMPI results: plots, facts, cost models, comparisons.\n"
        "Several databases (or result CSV files) are compared, as are Cube statistics files (.stat). Without -o: a text report on the terminal.",
        "skampi-report"};
    app.set_version_flag("--version", "skampi-report " SKAMPI_VERSION);
    app.add_option(
        "DB", options.databases,
        "databases or result CSV files, or Cube statistics files; a pattern such as 'MPI_Bcast*' is a --suite");
    app.add_option(
        "-o,--output", options.output,
        "the report; its ending is the format: .txt, .md, .pdf, .html, .csv, .json, "
        ".tex, .out (the ASCII form skampi.out), .h (cost models in C), .models.csv (the same as a table), .stat (Cube statistics), .cube (CUBE 3 and, beside it, its "
        ".stat); a name that ends in / is a directory with an HTML report and its data; - = standard output");
    std::string format;
    CLI::Option* format_option =
        app.add_option("--format", format, "of -o -: txt, md, html, csv, json, out, h, models.csv or stat");
    app.add_option("--suite", options.suites, "only suites of this name or pattern (several times)")
        ->allow_extra_args(false);
    app.add_option(
           "--run", options.runs,
           "of the database that holds it only this run: its uuid, or the group it was merged of, such "
           "as 'ranks = 4' (several times)")
        ->allow_extra_args(false);
    std::string baseline;
    CLI::Option* baseline_option =
        app.add_option("--baseline", baseline, "judge all others against this database");
    app.add_option("--fail-if", options.fail_if,
                   "exit with 1 where it holds: 'MPI_Bcast* > 1.1', 'significantly slower' (several times)")
        ->allow_extra_args(false);
    std::string junit;
    CLI::Option* junit_option = app.add_option("--junit", junit, "what --fail-if found, as JUnit's XML");
    std::string keep;
    CLI::Option* keep_option =
        app.add_option("--keep", keep, "keep plot scripts, data and LaTeX in this directory");
    options.jobs = usable_cores();
    app.add_option("--jobs", options.jobs, "programs run at a time (default: the cores)")
        ->check(CLI::Range(1, 1024))
        ->option_text("N");
    app.add_option("--title", options.title, "title of the report");
    app.add_option("--content", options.content,
                   "a file that says what the report shows: chapters, suites, their order and titles, half "
                   "round trips, paper, units, comparisons of your own (share/skampi/default.content)");
    app.add_flag("--history", options.history,
                 "all runs of the databases over time: steps, and what changed there; --fail-if looks at the "
                 "steps in the last runs");
    CLI::Option* last_option =
        app.add_option("--last", options.last_runs, "with --history --fail-if: so many runs (default: 30)")
            ->check(CLI::Range(1, 1000000))
            ->option_text("N");
    std::string site;
    CLI::Option* site_option =
        app.add_option("--site", site,
                       "keep a static site in this directory: an index, a page for each "
                       "database, comparisons; pages of databases as they were are kept");
    CLI::Option* comparisons_option =
        app.add_option("--comparisons", options.site_comparisons,
                       "with --site: judge each database against so many older ones (default: 20)")
            ->check(CLI::Range(0, 1000000))
            ->option_text("N");
    CLI::Option* compare_option =
        app.add_option("--compare", options.compare,
                       "with --site: judge the second database against the first (several times)")
            ->allow_extra_args(false)
            ->option_text("DB DB");
    app.add_flag("--prune", options.prune, "with --site: drop the pages of databases that are gone");
    app.add_flag("--box-plots", options.box_plots, "box plots of the single measurements, with every suite");
    std::string dialect;
    CLI::Option* dialect_option =
        app.add_option("--dialect", dialect,
                       "of .stat: scout (default; what the Cube browser reads) or documented (Cube's manual)")
            ->check(CLI::IsMember({"scout", "documented"}));
    app.set_config("--config", "", "a file with these options");
    app.footer(
        "Exit status: 0 done, 1 a --fail-if holds, or part of the input could not be read or written, 2 wrong usage or bad input, 3 nothing could be done (program missing, "
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
        throw InputError(printable(error.what()) + ", expected DB... [-o OUT] (see --help)");
    }
    if (options.output == "-")
        options.output.clear();
    if (!options.output.empty()) {
        options.format = format_of(options.output);
        options.html_folder = options.format == Format::html && means_folder(options.output);
    } else if (*format_option)
        options.format = format_for_standard_output(format);
    if (*format_option && !options.output.empty())
        throw InputError(
            fmt::format("--format {}: the ending of {} is its format, expected --format with -o -",
                        printable(format), printable(options.output)));
    const auto patterns = std::stable_partition(options.databases.begin(), options.databases.end(),
                                                [](const std::string& each) { return !is_pattern(each); });
    options.suites.insert(options.suites.end(), patterns, options.databases.end());
    options.databases.erase(patterns, options.databases.end());
    if (*site_option) {
        options.site = site;
        for (const char* other : {"--output", "--format", "--suite", "--run", "--baseline", "--fail-if",
                                  "--junit", "--keep", "--dialect", "--history", "--content", "--box-plots"})
            if (app.count(other) > 0)
                throw InputError(fmt::format(
                    "{} does not go with --site, which keeps the whole report of each database; expected "
                    "--site DIR DB...",
                    other));
        if (!options.suites.empty())
            throw InputError(fmt::format("{}: a site holds all suites, expected databases alone",
                                         printable(options.suites.front())));
        for (const auto& [reference, other] : options.compare) {
            if (reference == other)
                throw InputError(
                    fmt::format("--compare {0} {0}: is one database, expected two", printable(reference)));
            for (const std::string& database : {reference, other})
                if (std::ranges::find(options.databases, database) == options.databases.end())
                    options.databases.push_back(database);
        }
        return options;
    }
    for (const CLI::Option* of_sites : {comparisons_option, compare_option})
        if (*of_sites)
            throw InputError(
                fmt::format("{} is of a site, expected --site DIR with it", of_sites->get_name()));
    if (*last_option && (!options.history || options.fail_if.empty()))
        throw InputError("--last: is of a gate on the last runs, expected --history and --fail-if with it");
    if (options.history) {
        for (const char* other : {"--baseline", "--junit", "--dialect", "--box-plots", "--content"})
            if (app.count(other) > 0)
                throw InputError(
                    fmt::format("{} does not go with --history, which shows runs over time; expected "
                                "--history DB... [-o OUT]",
                                other));
        if (tells_of_run(options.format))
            throw InputError(
                "--history: is shown as .txt, .md, .pdf, .html, .tex, .csv or .json, expected such a "
                "format");
    }
    if (options.prune)
        throw InputError("--prune is of a site, expected --site DIR");
    if (options.databases.empty() && options.suites.empty())
        throw InputError("DB is missing, expected DB... [-o OUT] (see --help)");
    if (options.databases.empty())
        throw InputError("only patterns of suites are given, expected a database (see --help)");
    if (*junit_option)
        options.junit = junit;
    if (*dialect_option) {
        if (options.format != Format::statistics && options.format != Format::cube)
            throw InputError(
                "--dialect is of Cube statistics, expected -o with a name ending in .stat or .cube");
        options.dialect = *cube::dialect_from_text(dialect);
    }
    if (options.box_plots && options.format != Format::pdf && options.format != Format::html &&
        options.format != Format::tex)
        throw InputError("--box-plots: are drawn in .pdf, .html and .tex, expected -o with such a name");
    if (*keep_option) {
        if (options.format != Format::pdf && options.format != Format::tex)
            throw InputError(fmt::format(
                "--keep {}: scripts and sources are those of a report in LaTeX, expected -o with a "
                "name ending in .pdf or .tex",
                printable(keep)));
        options.keep = keep;
    }
    if (*baseline_option) {
        options.databases.push_back(baseline);
        options.has_baseline = true;
    }
    if (options.junit && options.fail_if.empty())
        throw InputError("--junit without --fail-if: there are no results, expected both");
    if (!options.fail_if.empty() && !options.history && options.databases.size() < 2)
        throw InputError(
            "--fail-if: there is nothing to compare with, expected another database or --baseline");
    return options;
}

} // namespace skampi
