// SPDX-License-Identifier: LGPL-2.1-or-later
#include "options.hpp"

#include "base/error.hpp"
#include "base/suggestion.hpp"
#include "base/text.hpp"
#include "command_line/not_empty.hpp"
#include "command_line/options_file.hpp"
#include "command_line/percent.hpp"
#include "model/quantity.hpp"
#include "spec/quick_file.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <CLI/CLI.hpp>
#include <filesystem>
#include <fmt/format.h>
#include <functional>
#include <map>
#include <sstream>
#include <stdexcept>
#include <string_view>

namespace skampi {
namespace {

const char* const exit_statuses =
    "Exit status: 0 done; 1 finished, but something failed or is missing; "
    "2 wrong usage or bad input;\n3 nothing could be done; 130, 143 ended by SIGINT, SIGTERM.";

void add_variant_name(CLI::App& app, Options& options) {
    app.add_option("--variant", options.variant,
                   "a name for what you vary by hand (a BIOS setting, a cable): runs of different variants "
                   "are of different series");
}

void add_variants(CLI::App& app, Options& options) {
    app.add_option_function<std::vector<std::string>>(
           "--variant",
           [&options](const std::vector<std::string>& values) {
               for (const std::string& value : values)
                   if (value.find(':') != std::string::npos)
                       options.variant_specs.push_back(value);
                   else if (options.variant.empty())
                       options.variant = value;
                   else
                       throw CLI::ValidationError("--variant",
                                                  "found two names; a variant that is launched in "
                                                  "turns is described: 'NAME: WORD...'");
               if (!options.variant.empty() && !options.variant_specs.empty())
                   throw CLI::ValidationError("--variant",
                                              "found a name together with variants that are described as "
                                              "'NAME: WORD...'");
           },
           "a name for what you vary by hand (a BIOS setting, a cable): runs of different variants are of "
           "different series. Or 'NAME: WORD...', twice or more: variants to launch in turns; words are "
           "VARIABLE=VALUE, unset=VARIABLE, program=PATH, launch='... {n}', args='...'")
        ->allow_extra_args(false);
    app.add_flag(
           "--variants", options.variants_of_file,
           "launch the variants of the parameter file (@VARIANTS) in turns; they may start any program, and "
           "skampi-run check shows them")
        ->excludes("--variant");
    app.add_option("--against", options.against,
                   "VARIABLE=VALUE: launch the default and this setting in turns; may be repeated")
        ->allow_extra_args(false)
        ->excludes("--variants");
    app.add_flag("--same", options.same, "variants may be equal: compares a variant with itself");
}

void add_suites(CLI::App& app, Options& options) {
    app.add_option("--suite", options.suites, "only suites whose names match this glob; may be repeated")
        ->allow_extra_args(false);
}

void add_measuring(CLI::App& app, Options& options, const CommandLine& line) {
    app.add_option("FILE", options.file,
                   line.needs_file ? "parameter file"
                                   : "parameter file; without it a built-in quick one is used");
    app.add_option("-d,--database", options.database,
                   "result file [@OUTFILE of the parameter file, or skampi.db]")
        ->check(not_empty());
    add_suites(app, options);
    app.add_flag("--fresh", options.fresh, "begin a new run even if an unfinished one could continue");
    if (line.has_ranks)
        add_variants(app, options);
    else
        add_variant_name(app, options);
    app.add_option("--keep-samples", options.keep_samples,
                   "keep the single measurements of this many newest runs in the file; older runs keep their "
                   "values and statistics [all]")
        ->check(CLI::Range(0, 1'000'000));
    app.add_option("--retries", options.retries, "how often a suite that crashed is tried again [2]")
        ->check(CLI::Range(0, 1000));
}

/// "90s", "5m", "6h", "2d"
CLI::Option* add_duration(CLI::App& app, const std::string& name, const std::function<void(double)>& take,
                          const std::string& description) {
    const auto parse = [name, take](const std::string& text) {
        const std::map<std::string, double> units{
            {"s", 1}, {"m", 60}, {"min", 60}, {"h", 3600}, {"d", 86400}};
        double number = 0;
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
        const auto unit = units.find(std::string(end, text.data() + text.size()));
        if (error != std::errc() || number < 0 || (unit == units.end() && text != "0"))
            throw CLI::ValidationError(
                name, fmt::format("found \"{}\", expected a duration such as 90s, 5m, 6h or 2d", text));
        take(number == 0 ? 0 : number * unit->second);
    };
    return app.add_option_function<std::string>(name, parse, description)->option_text("TIME");
}

void add_launcher(CLI::App& app, Options& options) {
    app.add_option("--launch", options.launcher,
                   "launcher; {n} is the number of ranks; smpirun simulates a cluster "
                   "[mpiexec -n {n}; srun in a Slurm allocation without mpiexec]");
}

void add_supervising(CLI::App& app, Options& options) {
    app.add_option("-n,--ranks", options.ranks,
                   "start the launcher with this many ranks and supervise the job")
        ->check(CLI::Range(1, 100'000'000));
    add_launcher(app, options);
    app.add_option("--launches", options.launches,
                   "runs in a row, added to the file, each with its own order of suites [1]")
        ->check(CLI::Range(1, 1'000'000));
    add_duration(
        app, "--hang-after", [&](double duration_s) { options.hang_after_s = duration_s; },
        "kill a job without progress for this long (90s, 5m) [from the suites' limits]");
    app.add_option("--max-failures", options.max_failures, "give up after so many failed jobs in a row [10]")
        ->check(CLI::Range(1, 1'000'000));
}

void add_progress(CLI::App& app, Options& options) {
    const std::map<std::string, ProgressKind> kinds = {{"auto", ProgressKind::automatic},
                                                       {"bar", ProgressKind::bar},
                                                       {"json", ProgressKind::json},
                                                       {"off", ProgressKind::off}};
    app.add_option("--progress", options.progress, "auto: a bar on a terminal; json: events, a line each")
        ->transform(CLI::CheckedTransformer(kinds).description("{auto,bar,json,off}"))
        ->type_name("KIND");
}

void add_run(CLI::App& app, Options& options, const CommandLine& line) {
    add_measuring(app, options, line);
    app.add_option("--launch-number", options.launch,
                   "number of this launch in a series: shuffles the order of suites")
        ->check(CLI::Range(0, 1'000'000));
    if (line.has_ranks) {
        add_supervising(app, options);
        app.add_option_function<std::string>( // of a launch among variants
               "--session-place",
               [&options](std::string word) {
                   std::ranges::replace(word, '_', ' ');
                   const std::optional<SessionPlace> place = parse_session_place(word);
                   if (!place)
                       throw CLI::ValidationError("--session-place", "found " + printable(word) +
                                                                         ", expected UUID_round_3_place_0");
                   options.session_place = *place;
               })
            ->group("");
        app.add_flag("--in-turns", options.in_turns)
            ->group("");                      // likewise: the built-in file is the short one
        app.add_option_function<std::string>( // likewise: the variables that the variants change
               "--read-back",
               [&options](const std::string& words) {
                   std::istringstream rest(words);
                   for (std::string word; std::getline(rest, word, ',');)
                       options.read_back.push_back(word);
               })
            ->group("");
        app.add_option("--expect-ranks", options.expected_ranks,
                       "refuse to measure with another number of ranks; the supervisor sets it for its jobs")
            ->check(CLI::Range(1, 100'000'000));
    }
    if (line.has_ranks)
        app.add_option_function<std::string>( // of a launch that a supervisor has planned
               "--due",
               [&options](const std::string& text) {
                   const std::optional<DueSuites> due = parse_due(text);
                   if (!due)
                       throw CLI::ValidationError("--due", "found " + printable(text) +
                                                               ", expected PLACE:ERROR:ARGUMENT,.../...");
                   options.due = *due;
               })
            ->group("");
    add_progress(app, options);
}

/// Launches until values are known.
void add_until(CLI::App& app, Options& options) {
    CLI::Option* const until =
        add_percent(app, "--until", options.precision.half_width,
                    "launch the ranks again and again until half the width of each value's interval between "
                    "launches is below this, or its --time is over")
            ->option_text("PERCENT");
    app.get_option("--launches")->excludes(until);
    add_percent(app, "--share", options.precision.share,
                "with --until: how many values of each suite are to be known so well [90%]", 100)
        ->option_text("PERCENT")
        ->needs(until);
    add_duration(
        app, "--time", [&](double duration_s) { options.precision.time_s = duration_s; },
        "with --until: no launch begins that would end later (90s, 30m, 2h) [1h]")
        ->needs(until);
    add_duration(
        app, "--spread", [&](double duration_s) { options.spread_s = duration_s; },
        "with --until: launches are spread over this time; those of a quarter of an hour are alike")
        ->needs(until);
}

CLI::App& add_command(CLI::App& app, const std::string& name, const std::string& description) {
    CLI::App& command = *app.add_subcommand(name, description);
    command.footer(exit_statuses);
    return command;
}

/// "02:00" in minutes after midnight
int minute_of_day(const std::string& text) {
    const std::string digits = text.size() == std::string_view("2:00").size() ? "0" + text : text;
    const auto number = [&](std::size_t at) {
        int value = 99;
        const char* const end = digits.data() + at + 2;
        return std::from_chars(digits.data() + at, end, value).ptr == end && value >= 0 ? value : 99;
    };
    const bool whole = digits.size() == std::string_view("02:00").size() && digits[2] == ':';
    if (!whole || number(0) > 23 || number(3) > 59)
        throw CLI::ValidationError(
            "--at", fmt::format("found \"{}\", expected a time from 00:00 to 23:59, such as 02:00", text));
    return 60 * number(0) + number(3);
}

void add_daemon(CLI::App& app, Options& options, const CommandLine& line) {
    CLI::App& daemon = add_command(app, "daemon", "start runs again and again, for days");
    add_measuring(daemon, options, line);
    add_supervising(daemon, options);
    add_progress(daemon, options);
    daemon.get_option("--ranks")->required();
    daemon
        .add_option("--runs", options.runs,
                    "how many runs; 0 = without end [1; with --every or --at without end]")
        ->check(CLI::Range(std::int64_t{0}, std::int64_t{1} << 40))
        ->option_text("N");
    CLI::Option* every = add_duration(
        daemon, "--every", [&](double duration_s) { options.every_s = duration_s; },
        "from one start to the next (90s, 5m, 6h, 2d) [at once]");
    daemon
        .add_option_function<std::string>(
            "--at", [&](const std::string& text) { options.at_minute = minute_of_day(text); },
            "start one run a day at this time of this machine's clock, such as 02:00")
        ->option_text("TIME")
        ->excludes(every);
}

void parse_rounds(const std::string& text, Options& options) {
    constexpr int most = 10'000;
    int first = options.first_look;
    int last = 0;
    const char* const end = text.data() + text.size();
    auto read = std::from_chars(text.data(), end, last);
    if (read.ec == std::errc() &&
        std::string_view(read.ptr, static_cast<std::size_t>(end - read.ptr)).starts_with("..")) {
        first = last;
        read = std::from_chars(read.ptr + 2, end, last);
    } else {
        first = std::min(first, last);
    }
    if (read.ec != std::errc() || read.ptr != end || first < 1 || last < first || last > most)
        throw CLI::ValidationError(
            "--rounds",
            fmt::format("found \"{}\", expected a number of rounds up to {}, or two such as 5..40, of "
                        "which the first is when results are looked at first",
                        text, most));
    options.first_look = first;
    options.most_rounds = last;
}

/// Options of a session of variants in turns.
void add_session(CLI::App& command, Options& options) {
    command.get_option("--ranks")->required();
    command.remove_option(command.get_option("--launches"));
    add_percent(command, "--margin", options.margin, "variants that differ by less are equal [2%]");
    command.add_option_function<std::string>(
        "--rounds", [&](const std::string& text) { parse_rounds(text, options); },
        "most rounds, or first look and most rounds [5..40]");
    add_duration(
        command, "--time", [&](double duration_s) { options.time_s = duration_s; },
        "begin no round that would end later (90s, 30m, 2h) [1h]");
    add_percent(
        command, "--until", options.precision.half_width,
        "what is known so well, by half the width of its interval, needs no more rounds [until decided]")
        ->option_text("PERCENT");
    command.add_option("--seed", options.seed, "decides the order of each round [drawn]")
        ->check(CLI::Range(std::int64_t{1}, std::int64_t{1} << 52));
    command.add_option("-o,--output", options.output, "report to write at the end, as skampi-report -o");
}

void add_compare(CLI::App& app, Options& options, const CommandLine& line) {
    CLI::App& compare = add_command(
        app, "compare",
        "launch variants in turns (libraries, settings, builds) until it is known which is faster");
    add_measuring(compare, options, line);
    add_supervising(compare, options);
    add_progress(compare, options);
    add_session(compare, options);
    compare.add_flag("--race", options.race,
                     "of three or more variants those that are slower everywhere leave");
}

void add_verify(CLI::App& app, Options& options, const CommandLine& line) {
    CLI::App& verify = *app.add_subcommand(
        "verify", "whether the MPI library reads a tuning file, and is nowhere slower with it");
    verify.footer(
        "Exit status: 0 it reads the file and is nowhere slower; 1 it does not read it, is "
        "slower somewhere, or an operation fails or delivers wrong data;\n2 the file is not for this library, or wrong; 3 nothing could be done; "
        "130, 143 ended by SIGINT, SIGTERM.");
    verify
        .add_option("TUNING", options.tuning_file,
                    "rules of Open MPI, selection tree of MPICH, variables (NAME=VALUE), options of smpirun")
        ->required();
    add_measuring(verify, options, line);
    verify.get_option("FILE")->description("parameter file; without it one is made for the operations of the "
                                           "tuning file");
    for (const char* name : {"--variant", "--variants", "--against", "--same"})
        verify.remove_option(verify.get_option(name));
    add_supervising(verify, options);
    add_progress(verify, options);
    add_session(verify, options);
    verify.get_option("--database")->description("result file [verify.db]");
    verify.get_option("--ranks")->required();
}

void add_links(CLI::App& app, Options& options) {
    CLI::App& links =
        add_command(app, "links",
                    "measure all pairs of nodes: which node and which link is slow, and what is only noise");
    LinksWish& wish = options.links;
    links.add_option("-n,--ranks", options.ranks, "start the launcher with this many ranks")
        ->check(CLI::Range(2, 100'000'000));
    add_launcher(links, options);
    links.add_option("-d,--database", options.database, fmt::format("result file [{}]", links_database))
        ->check(not_empty());
    links.add_option("--members", wish.of_nodes, "nodes: one rank of each node; ranks: all ranks [nodes]")
        ->transform(CLI::CheckedTransformer(std::map<std::string, bool>{{"nodes", true}, {"ranks", false}})
                        .description(""))
        ->type_name("KIND");
    links.add_option("--lengths", wish.lengths, "lengths of messages [8,1MiB]")
        ->delimiter(',')
        ->transform(CLI::AsSizeValue(true))
        ->check(CLI::Range(std::int64_t{1}, std::int64_t{1} << 30))
        ->option_text("BYTES,...");
    links.add_flag("--bisection", wish.bisection,
                   "also the bandwidth between two halves of the nodes, 16 MiB both ways");
    CLI::Option* const passes =
        links.add_option("--passes", wish.passes, "how often each pair is measured [3]")
            ->check(CLI::Range(1, 1000));
    links
        .add_flag_callback(
            "--quick",
            [&wish] {
                wish.quick = true;
                wish.passes = 1;
            },
            "one pass over a few pairs of each node: finds slow nodes, not every slow link")
        ->excludes(passes);
    add_duration(
        links, "--time", [&](double duration_s) { wish.time_s = duration_s; },
        "begin no pass that would end later (90s, 30m, 2h)");
    links.add_option("--expect-ranks", options.expected_ranks)->group(""); // set for jobs of links -n
}

void add_tune(CLI::App& app, Options& options, const CommandLine& line) {
    CLI::App& tune = add_command(
        app, "tune",
        "measure all algorithms of the MPI library, write a file that makes it take the faster ones, and verify it");
    add_measuring(tune, options, line);
    for (const char* name : {"--variant", "--variants", "--against", "--same", "--suite"})
        tune.remove_option(tune.get_option(name));
    tune.get_option("FILE")->description(
        "parameter file with blocks of Algorithm = all; without it one is made for the operations");
    tune.get_option("--database")->description("result file [tune.db]");
    add_supervising(tune, options);
    add_progress(tune, options);
    tune.get_option("--ranks")->required();
    tune.remove_option(tune.get_option("--launches"));
    tune.add_option("--operation", options.operations,
                    "only operations that match: MPI_Bcast, '*reduce*' (several times) [all]")
        ->allow_extra_args(false);
    add_percent(tune, "--gain", options.gain,
                "the smallest gain for which another algorithm than the default is taken [5%]")
        ->option_text("PERCENT");
    add_duration(
        tune, "--time", [&](double duration_s) { options.time_s = duration_s; },
        "for all of it: two thirds for launches, the rest for the verification (90s, 30m, 2h) [until nothing is open, and an hour]");
    tune.add_option(
            "-o,--output", options.output,
            "the file: .conf (Open MPI), .json (MPICH), .env (variables of either), .cfg (SimGrid, with "
            "--launch 'smpirun ...')")
        ->required();
}

void add_check(CLI::App& app, Options& options, const CommandLine& line) {
    CLI::App& check = add_command(app, "check", "parse a parameter file and print the plan; measure nothing");
    check.add_option("FILE", options.file,
                     line.needs_file ? "parameter file"
                                     : "parameter file; without it the built-in quick one");
    add_suites(check, options);
    if (line.has_ranks) {
        check.add_option("-n,--ranks", options.ranks, "number of ranks the plan is for [2]")
            ->check(CLI::Range(1, 100'000'000));
        add_launcher(check, options);
    }
}

void add_list(CLI::App& app, Options& options, const CommandLine& line) {
    CLI::App& list = add_command(
        app, "list", "every operation: type number, name, pattern, what is varied; or the suites of a file");
    list.add_flag("--json", options.json, "as JSON");
    if (!line.has_ranks)
        return;
    list.add_flag("--markdown", options.markdown,
                  "what each operation calls, moves and checks, as a table in Markdown")
        ->excludes("--json");
    list.add_option("FILE", options.file,
                    "parameter file or result file: names of its suites, in place of operations")
        ->excludes("--json")
        ->excludes("--markdown");
}

void add_algorithms(CLI::App& app, Options& options) {
    CLI::App& algorithms =
        add_command(app, "algorithms", "the algorithms of the MPI library that the key Algorithm can choose");
    algorithms.add_option("OPERATION", options.operations,
                          "only of operations that match: MPI_Bcast, '*reduce*' [all]");
    add_launcher(algorithms, options);
    algorithms.add_flag("--json", options.json, "as JSON");
    algorithms.add_flag("--variables", options.library_variables)->group("");
}

/// "skampi-run", "skampi-run daemon"
std::string command_called(const CLI::App& app, const std::string& program) {
    const std::vector<CLI::App*> used = app.get_subcommands();
    return used.empty() ? program : program + " " + used.front()->get_name();
}

/// What is wrong with the first word that no option or file takes: of an option, which commands have it.
std::string complaint_of_extra(const CLI::App& app, const std::string& program) {
    std::vector<std::string> words = app.remaining(true);
    const auto option =
        std::ranges::find_if(words, [](const std::string& word) { return word.starts_with("-"); });
    const std::string word = printable(option == words.end() ? words.front() : *option);
    if (word == "-o" || word.ends_with(".db"))
        return fmt::format("found {}, expected -d DB for the result file", word);
    const std::string here = command_called(app, program);
    if (option == words.end())
        return fmt::format("{} does not know what to do with {}", here, word);
    std::vector<std::string> with;
    if (app.get_option_no_throw(*option))
        with.push_back(program + " FILE");
    for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; }))
        if (command->get_option_no_throw(*option))
            with.push_back(program + " " + command->get_name());
    return fmt::format(
        "{} has no option {}{}", here, word,
        with.empty() ? "" : fmt::format("; {} {}", enumeration(with), with.size() == 1 ? "has" : "have"));
}

/// A word taken for a parameter file that is none may be a mistyped command.
/// @throws OptionsEnd
void refuse_mistyped_command(const CLI::App& app, const Options& options) {
    std::vector<std::string> names;
    for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; }))
        names.push_back(command->get_name());
    std::vector<std::string_view> known(names.begin(), names.end());
    known.insert(known.end(), {"--help", "--version"});
    std::error_code error;
    const std::string hint = did_you_mean(options.file, known);
    if (app.get_subcommands().empty() && !hint.empty() && !std::filesystem::exists(options.file, error))
        throw OptionsEnd{2, fmt::format("{}: {}: no such command or file{}\n", options.program,
                                        printable(options.file), hint)};
}

void add_status(CLI::App& app, const CommandLine& line, Options& options, std::string& database) {
    CLI::App& status =
        add_command(app, "status", "runs, suites done, open and failed, of a result file, also a live one");
    status.add_option("DB", database, "result file [skampi.db]");
    status.add_flag("--json", options.json, "as JSON");
    status.add_flag("--full", options.full, "every run; else the newest, and those with something to tell");
    if (line.has_ranks)
        status
            .add_option(
                "--openmetrics", options.open_metrics,
                "write the values of the headlines, with --full of all points, as OpenMetrics to this "
                "file (.prom)")
            ->excludes("--json");
}

/// Whether a daemon has a number of runs.
bool has_count(const CLI::App& app) {
    return app.get_subcommand("daemon")->get_option("--runs")->count() > 0;
}

Task task_of(const CLI::App& app, const Options& options) {
    const std::map<std::string, Task> commands = {
        {"daemon", Task::daemon}, {"compare", Task::compare},       {"check", Task::check},
        {"list", Task::list},     {"algorithms", Task::algorithms}, {"verify", Task::verify},
        {"tune", Task::tune},     {"status", Task::status},         {"links", Task::links}};
    for (const CLI::App* command : app.get_subcommands())
        return commands.at(command->get_name());
    return options.ranks > 0 ? Task::supervise : Task::measure;
}

} // namespace

Options parse_options(int argc, const char* const* argv, const CommandLine& line) {
    Options options;
    options.program = line.program;
    CLI::App app{line.about, line.program};
    app.footer(exit_statuses);
    add_options_file(app, "read options from this file");
    app.set_version_flag("--version", line.version);
    app.require_subcommand(0, 1);
    add_run(app, options, line);
    if (line.has_ranks) {
        add_until(app, options);
        add_daemon(app, options, line);
        add_compare(app, options, line);
        add_tune(app, options, line);
        add_links(app, options);
        add_algorithms(app, options);
        add_verify(app, options, line);
    }
    add_check(app, options, line);
    add_list(app, options, line);
    std::string status_file = "skampi.db";
    add_status(app, line, options, status_file);
    std::vector<const char*> words(argv, argv + argc);
    if (line.has_ranks) // as launchers spell it
        std::ranges::replace_if(
            words, [](const char* word) { return std::string_view(word) == "-np"; }, "-n");
    try {
        app.parse(argc, words.data());
    } catch (const InputError& error) { // of the file of options
        throw OptionsEnd{2, fmt::format("{}: {}\n", line.program, error.what())};
    } catch (const CLI::ParseError& error) {
        std::ostringstream out;
        std::ostringstream err;
        const int code = app.exit(error, out, err);
        if (code == 0)
            throw OptionsEnd{0, out.str()};
        refuse_mistyped_command(app, options);
        const bool extra = dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr;
        throw OptionsEnd{2, fmt::format("{}: {} (see {} --help)\n", line.program,
                                        extra ? complaint_of_extra(app, line.program) : error.what(),
                                        command_called(app, line.program))};
    }
    refuse_mistyped_command(app, options);
    options.task = task_of(app, options);
    options.config = options_file(app);
    if (options.task == Task::compare)
        options.in_turns = options.file.empty() && options.ranks <= most_ranks_in_turns;
    if (options.task == Task::daemon && !has_count(app) && (options.every_s > 0 || options.at_minute))
        options.runs = 0;
    if (options.task == Task::status)
        options.database = status_file;
    const bool measures_nothing =
        options.task == Task::list || options.task == Task::algorithms || options.task == Task::status;
    if (line.needs_file && options.file.empty() && !measures_nothing)
        throw OptionsEnd{2, fmt::format("{0}: expected a parameter file (see {0} --help)\n", line.program)};
    return options;
}

} // namespace skampi
