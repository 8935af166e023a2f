// SPDX-License-Identifier: GPL-2.0-or-later
#include "options.hpp"

#include "base/error.hpp"
#include "base/suggestion.hpp"
#include "base/text.hpp"
#include "base/utc.hpp"
#include "command_line/not_empty.hpp"
#include "command_line/options_file.hpp"
#include "command_line/percent.hpp"

#include <algorithm>
#include <array>
#include <CLI/CLI.hpp>
#include <filesystem>
#include <fmt/format.h>
#include <limits>
#include <ostream>
#include <sched.h>
#include <string_view>
#include <utility>

namespace skampi {

namespace {

/// A command line as it was given.
struct Given {
    Options options;
    std::string format, baseline, junit, keep, dialect, since, plot_kind;
    std::vector<std::string> plot, table;
    std::int64_t multiple_of = 1;
};

// ---- the options, in groups that several commands have ----

/// The cores this process may use.
int usable_cores() {
    cpu_set_t set;
    CPU_ZERO(&set);
    return sched_getaffinity(0, sizeof set, &set) == 0 ? std::max(1, CPU_COUNT(&set)) : 1;
}

void add_databases(CLI::App& app, Given& given) {
    app.add_option("DB", given.options.databases,
                   "databases, result CSV files or Cube statistics files; a pattern such as 'MPI_Bcast*' "
                   "is a --suite")
        ->check(not_empty());
}

std::string output_help(bool (*written)(const Format&)) {
    std::string all;
    for (const Format& format : formats()) {
        if (!written(format))
            continue;
        all += fmt::format("{}{}", all.empty() ? "" : ", ", format.ending);
        if (*format.note)
            all += fmt::format(" ({})", format.note);
    }
    return "write the report here; the ending is the format: " + all + "; - = standard output [-]";
}

bool is_any(const Format& /*format*/) {
    return true;
}
bool is_of_all(const Format& format) {
    return !format.of_runs;
}
bool is_text(const Format& format) {
    return format.is_text();
}
bool is_text_of_all(const Format& format) {
    return format.is_text() && !format.of_runs;
}

void add_output(CLI::App& app, Given& given, bool (*written)(const Format&), bool (*texts)(const Format&)) {
    app.add_option("-o,--output", given.options.destination.output, output_help(written));
    app.add_option("--format", given.format, "format on standard output: " + endings_of(texts) + " [.txt]");
    app.add_option("--suite", given.options.suites, "only suites of this name or pattern (several times)")
        ->allow_extra_args(false);
    app.add_option("--title", given.options.title, "title of the report");
    app.add_option("--keep", given.keep, "keep plot scripts, data and LaTeX sources in this directory");
    given.options.destination.jobs = usable_cores();
    app.add_option("--jobs", given.options.destination.jobs, "programs run at a time [the cores]")
        ->check(CLI::Range(1, 1024))
        ->option_text("N");
}

void add_content(CLI::App& app, Given& given) {
    app.add_option("--run", given.options.runs,
                   "of the database that has it only this run: a uuid, or the group it was merged of, such "
                   "as 'ranks = 4' (several times)")
        ->check(not_empty())
        ->allow_extra_args(false);
    app.add_option(
        "--content", given.options.content,
        "a file that chooses chapters, suites, titles, units, paper (share/skampi/default.content); "
        "full = --full");
    app.add_flag("--raw", given.options.raw,
                 "of .csv: the rows of all runs as they are stored, in place of those that a report shows");
    app.add_flag("--full", given.options.full,
                 "on the terminal plots and tables of all suites, on paper all chapters");
    app.add_option("--reference", given.options.reference,
                   "reduce adjusted values to the machine state that this database stores [the first]")
        ->check(not_empty())
        ->option_text("DB");
    app.add_option("--versus", given.options.versus,
                   "compare suites with the first of these: which of several operations is faster")
        ->check(not_empty())
        ->expected(2, 20)
        ->option_text("SUITE SUITE ...");
    app.add_flag("--box-plots", given.options.box_plots,
                 "box plots of the single measurements with every suite");
}

void add_extracts(CLI::App& app, Given& given) {
    CLI::Option* plot = app.add_option("--plot", given.plot,
                                       "write only the plot of these suites (several times): -o with a name "
                                       "that ends in " +
                                           endings_of(Extract::Kind::plot))
                            ->allow_extra_args(false)
                            ->option_text("SUITE");
    std::vector<std::string> words;
    for (const PlotKind& kind : plot_kinds())
        words.emplace_back(kind.word);
    app.add_option(
           "--kind", given.plot_kind,
           "what --plot shows: curves, time, bandwidth, box (box plots) or ecdf (distribution functions) "
           "of the single measurements [curves]")
        ->type_name("KIND")
        ->check(CLI::IsMember(words))
        ->needs(plot);
    app.add_option("--multiple-of", given.multiple_of,
                   "--plot shows only lengths (arguments) that are multiples of N, such as 8 [1]")
        ->check(CLI::Range(std::int64_t{1}, std::numeric_limits<std::int64_t>::max()))
        ->option_text("N")
        ->needs(plot);
    app.add_option("--table", given.table,
                   "write only the values of these suites (several times): -o with a name that ends in " +
                       endings_of(Extract::Kind::table) +
                       ", or --format with one of them on standard output [txt]. LaTeX leaves out columns "
                       "that make it wider than the text (--full: none)")
        ->allow_extra_args(false)
        ->option_text("SUITE")
        ->excludes(plot);
    app.add_option_function<double>(
           "--width", [&given](double width_cm) { given.options.extract.width_cm = width_cm; },
           "of --plot, or of the text around a LaTeX --table, in cm: 8.4 for a column [that of a page]")
        ->check(CLI::Range(5.0, 100.0))
        ->option_text("CM");
}

void add_gates(CLI::App& app, Given& given, const char* description) {
    app.add_option("--fail-if", given.options.fail_if, description)->allow_extra_args(false);
}

void add_gain(CLI::App& app, Given& given) {
    add_percent(app, "--gain", given.options.gain,
                "the smallest gain for which another algorithm than the default is taken [5%]")
        ->option_text("PERCENT");
}

void add_tuning(CLI::App& app, Given& given) {
    add_gain(app, given);
    app.add_option("--base", given.options.destination.base,
                   "of tuning.json: MPICH's library (libmpich.so) or its selection tree, which is changed")
        ->option_text("FILE");
}

// ---- the commands ----

void add_report(CLI::App& app, Given& given) {
    add_databases(app, given);
    add_output(app, given, is_any, is_text);
    add_content(app, given);
    add_extracts(app, given);
    app.add_option("--dialect", given.dialect,
                   "of .stat and .cube: scout (what the Cube browser reads) or documented [scout]")
        ->check(CLI::IsMember({"scout", "documented"}));
    add_tuning(app, given);
}

void add_compare(CLI::App& app, Given& given) {
    add_databases(app, given);
    app.add_option("--baseline", given.baseline, "compare all others with this database [the first]")
        ->check(not_empty());
    add_gates(
        app, given,
        "exit with 1 if launches show this, with 4 if they cannot tell: 'MPI_Bcast* > 1.1', 'significantly "
        "slower' (several times)");
    app.add_option("--junit", given.junit, "write the results of --fail-if as JUnit XML")->check(not_empty());
    add_output(app, given, is_any, is_text);
    add_content(app, given);
    add_extracts(app, given);
}

void add_accept(CLI::App& app, Given& given) {
    app.add_option("CONTRACT", given.options.contract,
                   "promises, a line each: MPI_Allreduce 8 B on 64 ranks: time < 12 us")
        ->check(not_empty())
        ->required();
    add_databases(app, given);
    app.add_option("--junit", given.junit, "write the verdicts as JUnit XML, as -o x.xml does")
        ->check(not_empty());
    add_output(app, given, is_any, is_text);
    add_content(app, given);
}

void add_history(CLI::App& app, Given& given) {
    add_databases(app, given);
    add_gates(
        app, given,
        "exit with 1 if the newest run makes a step certain: 'MPI_Bcast* > 1.1', 'significantly slower'; or if "
        "there are 'too few runs', or it is 'older than 26h' (several times)");
    CLI::Option* last =
        app.add_option("--last", given.options.new_runs.last,
                       "the number of runs that are new since the last check with --fail-if [1]")
            ->check(CLI::Range(1, 1000000))
            ->option_text("N");
    app.add_option("--since", given.since,
                   "runs that began then or later are new: 2026-11-21 or 2026-11-21T10:00:00Z, in UTC")
        ->check(not_empty())
        ->option_text("TIME")
        ->excludes(last);
    add_output(app, given, is_of_all, is_text_of_all);
}

void add_site(CLI::App& app, Given& given) {
    SiteOptions& site = given.options.site;
    app.add_option("DIR", site.directory, "the directory of the site; it is made if it is missing")
        ->check(not_empty())
        ->required();
    app.add_option("DB", site.databases, "databases that are new or may have changed")->check(not_empty());
    app.add_option("--add", site.added,
                   "databases of others: checked, and copied into the site if they are sound")
        ->option_text("FILE...");
    app.add_option("--title", site.title, "title of the site");
    app.add_flag("--prune", site.prune, "remove the pages of databases that are gone");
}

void add_turns(CLI::App& app, Given& given) {
    app.add_option("DB", given.options.databases, "the database that skampi-run compare writes")->required();
    app.add_option("--session", given.options.session, "its session of this uuid [the newest]");
}

void add_algorithms(CLI::App& app, Given& given) {
    app.add_option("DB", given.options.databases, "a database with suites of the key Algorithm")->required();
    add_gain(app, given);
    app.add_flag("--text", given.options.in_words,
                 "in words: the section \"Which algorithm\" of the report, alone");
}

void add_links(CLI::App& app, Given& given) {
    app.add_option("DB", given.options.databases, "databases of skampi-run links; several = over time")
        ->check(not_empty());
    add_gates(
        app, given,
        "exit with 1 if the newest run shows this, with 4 if it was not measured again: 'node bandwidth "
        "< 0.9', 'pair latency > 2', as shares and multiples of what is expected (several times)");
    app.add_flag("--bad-nodes", given.options.bad_nodes,
                 "print only the names of nodes that are slow, alone, too: n17,n22");
    add_output(app, given, is_of_all, is_text_of_all);
    app.remove_option(app.get_option("--suite"));
}

/// What is a pattern and no file chooses suites.
bool is_pattern(const std::string& argument) {
    std::error_code error;
    return argument.find_first_of("*?[") != std::string::npos && !std::filesystem::exists(argument, error);
}

void take_patterns(Options& options) {
    const auto patterns = std::stable_partition(options.databases.begin(), options.databases.end(),
                                                [](const std::string& each) { return !is_pattern(each); });
    options.suites.insert(options.suites.end(), patterns, options.databases.end());
    options.databases.erase(patterns, options.databases.end());
}

/// @throws InputError where an option is given that the format has no use for
void refuse_for_format(const char* option, bool (*taken)(const Format&), const Options& options) {
    if (!taken(*options.format))
        throw InputError(fmt::format("{}: is for {}, expected -o with a name that ends in one of these",
                                     option, endings_of(taken)));
}

/// @throws InputError where an option is given that no single plot or table has a use for
void refuse_for_extract(const Given& given) {
    const char* const option = given.plot.empty() ? "--table" : "--plot";
    const auto refuse = [&](bool is_given, const char* other) {
        if (is_given)
            throw InputError(fmt::format("{}: has no use for {}, expected one of them", option, other));
    };
    const bool is_latex_table = !given.table.empty() && (given.options.destination.output.ends_with(".tex") ||
                                                         given.format.ends_with("tex"));
    refuse(!given.keep.empty(), "--keep");
    refuse(!given.dialect.empty(), "--dialect");
    refuse(given.options.full && !is_latex_table, "--full"); // all others have all columns
    refuse(given.options.raw, "--raw");
    refuse(given.options.box_plots, "--box-plots");
    refuse(!given.options.title.empty(), "--title");
    refuse(!given.options.suites.empty(), "--suite");
}

void choose_format(Given& given) {
    Options& options = given.options;
    std::string& output = options.destination.output;
    if (output == "-")
        output.clear();
    if (!output.empty() && !given.format.empty())
        throw InputError(
            fmt::format("--format {}: the ending of {} is its format, expected --format with -o -",
                        printable(given.format), printable(output)));
    if (!given.plot.empty() || !given.table.empty()) {
        options.extract.kind = given.plot.empty() ? Extract::Kind::table : Extract::Kind::plot;
        options.extract.patterns = given.plot.empty() ? given.table : given.plot;
        for (const PlotKind& kind : plot_kinds())
            if (kind.word == given.plot_kind)
                options.extract.shows = kind.shows;
        refuse_for_extract(given);
        if (output.empty())
            options.extract.ending = ending_on_standard_output(options.extract.kind, given.format);
        options.extract.all_columns = options.full;
        options.extract.multiple_of = given.multiple_of;
        return;
    }
    if (options.extract.width_cm)
        throw InputError("--width: is for --plot and --table, expected one of them");
    options.format = output.empty() ? &format_of_standard_output(given.format) : &format_of_output(output);
    if (!given.dialect.empty()) {
        refuse_for_format(
            "--dialect", [](const Format& format) { return format.has_dialect; }, options);
        options.destination.dialect = *cube::dialect_from_text(given.dialect);
    }
    if (!options.destination.base.empty())
        refuse_for_format(
            "--base", [](const Format& format) { return format.is_tuning; }, options);
    if (options.content == "full") {
        options.content.clear();
        options.full = true;
    }
    if (options.box_plots)
        refuse_for_format(
            "--box-plots", [](const Format& format) { return format.box_plots; }, options);
    if (options.raw)
        refuse_for_format(
            "--raw", [](const Format& format) { return format.raw_rows; }, options);
    if (options.full)
        refuse_for_format(
            "--full", [](const Format& format) { return format.for_readers; }, options);
    if (!given.keep.empty()) {
        refuse_for_format(
            "--keep", [](const Format& format) { return format.keeps_sources; }, options);
        options.destination.keep = given.keep;
    }
}

/// A word that is no file may be a command with a slip, or a name to write to.
void refuse_near_miss(const Options& options) {
    constexpr std::array<std::string_view, 8> commands{"compare", "accept",     "history", "site",
                                                       "turns",   "algorithms", "links",   "--help"};
    const std::vector<std::string>& words = options.databases;
    for (const std::string& word : words) {
        std::error_code error;
        if (std::filesystem::exists(word, error))
            continue;
        const bool first = &word == &words.front();
        const bool may_be_command = first && word.find_first_of("./") == std::string::npos;
        if (const std::string hint = did_you_mean(word, commands); may_be_command && !hint.empty())
            throw InputError(fmt::format("{}: no such command or file{}", printable(word), hint));
        if (first || !options.destination.output.empty())
            continue;
        for (const Format& format : formats())
            if (format.ending != std::string_view("/") && word.ends_with(format.ending))
                throw InputError(
                    fmt::format("{0}: no such file, expected -o {0} to write it", printable(word)));
    }
}

void finish_report(Given& given) {
    take_patterns(given.options);
    refuse_near_miss(given.options);
    choose_format(given);
    if (given.options.databases.empty())
        throw InputError(given.options.suites.empty()
                             ? "DB is missing, expected DB... [-o OUT] (see --help)"
                             : "only patterns of suites are given, expected a database (see --help)");
}

void finish_compare(Given& given) {
    Options& options = given.options;
    finish_report(given);
    if (!given.baseline.empty()) {
        options.databases.push_back(given.baseline);
        options.has_baseline = true;
    }
    if (options.databases.size() < 2)
        throw InputError(
            "compare: there is nothing to compare with, expected another database or --baseline");
    if (!given.junit.empty()) {
        if (options.fail_if.empty())
            throw InputError("--junit: there are no results without --fail-if, expected both");
        options.junit = given.junit;
    }
}

void finish_accept(Given& given) {
    std::string& output = given.options.destination.output;
    if (output.ends_with(".xml") && given.junit.empty())
        given.junit = std::exchange(output, "");
    if (!given.junit.empty())
        given.options.junit = given.junit;
    finish_report(given);
}

void finish_history(Given& given) {
    finish_report(given);
    if (!given.since.empty()) {
        const bool day = given.since.size() == std::string_view("2026-11-21").size();
        const std::string moment = day ? given.since + "T00:00:00Z" : given.since;
        given.options.new_runs.since_s = utc_seconds(moment);
        // Of February 29 in a year without one the next day is made.
        if (!given.options.new_runs.since_s || utc_text(*given.options.new_runs.since_s) != moment)
            throw InputError(fmt::format("--since {}: expected 2026-11-21 or 2026-11-21T10:00:00Z",
                                         printable(given.since)));
    }
    if (given.options.format->of_runs)
        throw InputError(
            fmt::format("history: is written as {}, expected such a format", endings_of(is_of_all)));
}

void finish_links(Given& given) {
    finish_report(given);
    if (given.options.format->of_runs)
        throw InputError(
            fmt::format("links: is written as {}, expected such a format", endings_of(is_of_all)));
    if (given.options.bad_nodes && !given.options.destination.output.empty())
        throw InputError("--bad-nodes: goes to standard output, expected it without -o");
}

void finish_site(Given& given) {
    SiteOptions& site = given.options.site;
    for (const std::string& database : site.databases)
        if (is_pattern(database))
            throw InputError(fmt::format("{}: no such file; a site shows all suites, expected databases",
                                         printable(database)));
    given.options.databases = site.databases;
    std::ranges::copy(site.added, std::back_inserter(given.options.databases));
}

void finish_turns(Given& given) {
    if (given.options.databases.size() > 1)
        throw InputError(fmt::format("turns: a session is in one database, found {}, expected one",
                                     given.options.databases.size()));
}

void finish_algorithms(Given& given) {
    if (given.options.databases.size() > 1)
        throw InputError(
            fmt::format("algorithms: found {} databases, expected one", given.options.databases.size()));
}

struct CommandRow {
    ReportCommand command;
    std::string_view name; ///< empty = the plain form
    const char* about;
    const char* expected; ///< of the command line
    void (*add)(CLI::App& app, Given& given);
    void (*finish)(Given& given);
};

constexpr auto commands = std::to_array<CommandRow>({
    {ReportCommand::report, "",
     "Makes a report of SKaMPI results: plots, facts, cost models. Without -o: a text report on the terminal.\n"
     "Several databases are compared with the first. Commands, each with its own --help:\n"
     "  skampi-report compare DB DB...   compare, with gates for tests (--fail-if)\n"
     "  skampi-report accept FILE DB...  judge whether the promises of a contract are kept\n"
     "  skampi-report history DB...      show all runs over time, with the steps in them\n"
     "  skampi-report site DIR DB...     keep a static web site of many databases, also of others (--add)\n"
     "  skampi-report turns DB           print what a session of variants in turns has decided, as JSON\n"
     "  skampi-report algorithms DB      print which algorithms of the MPI library are faster, as JSON\n"
     "  skampi-report links DB...        show which nodes and links are slow, with gates (--fail-if)\n"
     "A file that is called like a command is ./compare, ./accept, ./history, ./site, ./turns, ./algorithms, ./links.",
     "DB... [-o OUT]", add_report, finish_report},
    {ReportCommand::compare, "compare",
     "Compares databases with the first one or with a baseline, and can fail where one is slower.",
     "DB DB... [--fail-if GATE] [-o OUT]", add_compare, finish_compare},
    {ReportCommand::accept, "accept", "Judges whether what was measured keeps the promises of a contract.",
     "CONTRACT DB... [-o OUT]", add_accept, finish_accept},
    {ReportCommand::history, "history",
     "Shows all runs of the databases over time: steps, and what else changed there.",
     "DB... [--fail-if GATE] [-o OUT]", add_history, finish_history},
    {ReportCommand::site, "site",
     "Keeps a static web site in a directory: an index, a page for each database, histories.\n"
     "Pages are made anew of databases that are newer than they.",
     "DIR DB...", add_site, finish_site},
    {ReportCommand::turns, "turns",
     "Prints what a session of variants that were launched in turns has decided so far, as JSON.\n"
     "skampi-run compare starts it after a round; skampi-report DB says the same in words.",
     "DB [--session UUID]", add_turns, finish_turns},
    {ReportCommand::algorithms, "algorithms",
     "Prints which algorithms of the MPI library are faster than its own choice, as JSON.\n"
     "skampi-run tune starts it after a launch; skampi-report DB says the same in words.",
     "DB [--gain PERCENT] [--text]", add_algorithms, finish_algorithms},
    {ReportCommand::links, "links",
     "Shows which nodes and links are slow, from skampi-run links, and can fail where one is.\n"
     "skampi-report DB shows the same.",
     "DB... [--fail-if GATE] [--bad-nodes] [-o OUT]", add_links, finish_links},
});

std::string full_name(const CommandRow& row) {
    return row.name.empty() ? "skampi-report" : fmt::format("skampi-report {}", row.name);
}

const CommandRow* command_called(std::string_view name) {
    const auto* const row = std::ranges::find(commands, name, &CommandRow::name);
    return row == commands.end() || name.empty() ? nullptr : row;
}

/// ", an option of skampi-report compare" where other commands know what this one does not expect.
std::string whose_option(const std::vector<std::string>& unexpected) {
    std::vector<std::string> owners;
    for (const std::string& each : unexpected) {
        if (!each.starts_with('-'))
            continue;
        const std::string name = each.substr(0, each.find('='));
        for (const CommandRow& row : commands) {
            Given ignored;
            CLI::App app;
            row.add(app, ignored);
            if (app.get_option_no_throw(name))
                owners.push_back(full_name(row));
        }
        if (const CommandRow* row = command_called(
                std::string_view(name).substr(std::min(name.size(), name.find_first_not_of('-'))));
            row && owners.empty())
            return fmt::format(", the command is {}", full_name(*row));
    }
    return owners.empty() ? "" : fmt::format(", an option of {}", fmt::join(owners, " and of "));
}

/// @throws InputError where a command stands behind others: it would be taken for a file
void refuse_late_commands(const Options& options) {
    std::error_code error;
    for (const std::string& each : options.databases)
        if (command_called(each) && !std::filesystem::exists(each, error))
            throw InputError(fmt::format(
                "{0}: no such file; the command stands first, expected skampi-report {0} ...", each));
}

} // namespace

namespace {

void refuse_missing_folder(const std::string& output) {
    std::filesystem::path path = output;
    if (!path.has_filename()) // "DIR/" is made
        path = path.parent_path();
    std::error_code error;
    if (const auto folder = path.parent_path();
        !folder.empty() && !std::filesystem::is_directory(folder, error))
        throw InputError(fmt::format("{}: found no folder {}, expected one that exists", printable(output),
                                     printable(folder.string())));
}

} // namespace

std::optional<Options> parse_options(int argc, const char* const* argv, std::ostream& out) {
    const CommandRow* row = argc > 1 ? command_called(argv[1]) : nullptr;
    if (row) {
        --argc;
        ++argv;
    } else
        row = &commands.front();
    // The last word of skampi-run's question before it measures; an option that no help shows.
    const bool only_check = argc > 1 && std::string_view(argv[argc - 1]) == "--only-check";
    argc -= only_check ? 1 : 0;
    Given given;
    given.options.command = row->command;
    given.options.compares = row->command == ReportCommand::compare;
    CLI::App app{row->about, full_name(*row)};
    app.set_version_flag("--version", "skampi-report " SKAMPI_VERSION);
    row->add(app, given);
    add_options_file(app, "a file with these options");
    app.footer(fmt::format(
        "Exit status: 0 done; 1 {}part of the input could not be read or written; 2 wrong usage "
        "or bad input; 3 nothing could be done (program missing, disk full, ...){}.",
        app.get_option_no_throw("--fail-if")    ? "a --fail-if holds, or "
        : row->command == ReportCommand::accept ? "a promise is broken, or "
                                                : "",
        row->command == ReportCommand::accept  ? "; 4 no promise is broken, and some are open"
        : row->command == ReportCommand::links ? "; 4 no --fail-if holds, and something could not be judged"
        : app.get_option_no_throw("--junit") ? "; 4 no --fail-if holds, and more launches are needed to know"
                                             : ""));
    try {
        app.parse(argc, argv);
    } catch (const CLI::CallForHelp&) {
        out << app.help();
        return std::nullopt;
    } catch (const CLI::CallForVersion&) {
        out << "skampi-report " SKAMPI_VERSION "\n";
        return std::nullopt;
    } catch (const CLI::ParseError& error) {
        throw InputError(fmt::format("{}{}, expected {} (see {} --help)", printable(error.what()),
                                     printable(whose_option(app.remaining())), row->expected,
                                     full_name(*row)));
    }
    given.options.config = options_file(app);
    if (only_check) {
        (void)format_of_output(given.options.destination.output);
        refuse_missing_folder(given.options.destination.output);
        return std::nullopt;
    }
    row->finish(given);
    refuse_late_commands(given.options);
    return std::move(given.options);
}

} // namespace skampi
