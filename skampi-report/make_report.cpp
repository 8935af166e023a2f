#include "make_report.hpp"

#include "document/gate.hpp"
#include "document/sections/build_document.hpp"
#include "document/sections/contest.hpp"
#include "document/sections/section_kinds.hpp"
#include "drawing/plot.hpp"
#include "formats/data/csv.hpp"
#include "formats/data/json.hpp"
#include "formats/data/model_csv.hpp"
#include "formats/data/wait_state_data.hpp"
#include "formats/exchange/ascii.hpp"
#include "formats/exchange/c_header.hpp"
#include "formats/exchange/cube_export.hpp"
#include "formats/paper/pdf.hpp"
#include "formats/text/plain_text.hpp"
#include "formats/web/html.hpp"
#include "history/history.hpp"
#include "history/history_document.hpp"
#include "site/site.hpp"
#include "subject/content.hpp"
#include "subject/subject.hpp"
#include "wait_states/wait_state_document.hpp"
#include "wait_states/wait_states.hpp"

#include "base/error.hpp"
#include "base/file.hpp"
#include "base/text.hpp"
#include "store/database.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fmt/format.h>
#include <functional>
#include <iterator>
#include <string_view>
#include <sys/ioctl.h>
#include <unistd.h>

namespace skampi {
namespace {

void write_text(const std::string& output, const std::string& text) {
    if (output.empty()) {
        write_standard_output(text);
        return;
    }
    OutputFile file(output);
    file.write(text);
    file.commit();
}

/// In colours where a person sees them who has not asked for none (no-color.org).
TextStyle terminal_style(const Options& options) {
    TextStyle style;
    if (!options.output.empty() || isatty(STDOUT_FILENO) == 0)
        return style;
    const char* no_colour = std::getenv("NO_COLOR");
    const char* terminal = std::getenv("TERM");
    style.colours = (!no_colour || !*no_colour) && terminal && std::string_view(terminal) != "dumb";
    winsize size{};
    if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
        style.columns = std::clamp<std::size_t>(size.ws_col, 40, 120);
    return style;
}

Rendered write_characters(const Document& document, const Drawings& drawings, const Options& options) {
    write_text(options.output, options.format == Format::markdown
                                   ? markdown(document, drawings)
                                   : plain_text(document, drawings, terminal_style(options)));
    return {};
}

Drawings drawn(const Document& document, const Options& options) {
    const TextStyle style = terminal_style(options);
    return draw_characters(all_figures(document), style.colours, static_cast<int>(style.columns),
                           options.jobs);
}

/// A look at the numbers: on a terminal at most so many of each suite.
constexpr std::size_t rows_on_terminal = 24;

void write_brief(const std::vector<Subject>& subjects, const Options& options, const Content& content) {
    const bool to_terminal = options.output.empty();
    const Document document =
        build_brief_document(subjects, {options.title, options.has_baseline, false, content},
                             {to_terminal ? rows_on_terminal : 0, to_terminal && options.suites.empty()});
    write_characters(document, drawn(document, options), options);
}

/// A database against itself would pass every gate, which is nobody's wish.
/// @throws InputError
void refuse_gate_on_itself(const Options& options) {
    const std::string& reference =
        options.has_baseline ? options.databases.back() : options.databases.front();
    for (const std::string& each : options.databases) {
        std::error_code error;
        if (&each != &reference && std::filesystem::equivalent(each, reference, error))
            throw InputError(fmt::format("--fail-if: {} is the baseline, too, expected another database",
                                         printable(each)));
    }
}

/// @param outcome gets what did not pass, a line each, and what makes the gates doubtful
void check(const std::vector<Subject>& subjects, const Options& options, ReportOutcome& outcome) {
    std::vector<Gate> gates;
    for (const std::string& text : options.fail_if)
        gates.push_back(parse_gate(text));
    const std::vector<DatabaseComparison> comparisons = compare_subjects(subjects, options.has_baseline);
    const std::vector<GateResult> results = check_gates(gates, comparisons);
    if (options.junit)
        write_text(*options.junit, junit_report(results));
    outcome.failed = failing_lines(results);
    for (const DatabaseComparison& comparison : comparisons)
        for (const std::string& doubt : {other_ranks(comparison), launches_in_common(comparison)})
            if (!doubt.empty())
                outcome.warnings.push_back(printable(doubt));
    for (const DatabaseComparison& comparison : comparisons)
        if (std::ranges::any_of(results, [&](const GateResult& result) {
                return result.comparison == &comparison && result.gate->significantly &&
                       (result.failed_as_a_whole || !result.failed.empty());
            }))
            if (const std::string in_a_row = made_in_a_row(comparison); !in_a_row.empty())
                outcome.warnings.push_back(printable(in_a_row));
}

Rendered write_document(const Document& document, const Options& options) {
    const RenderOptions render{options.jobs, options.keep};
    return options.format == Format::tex ? write_tex(document, options.output, render)
                                         : write_pdf(document, options.output, render);
}

/// @param csv,json make the texts of the data files where they are wanted
Rendered write_html(const Document& document, const Options& options, const std::function<std::string()>& csv,
                    const std::function<std::string()>& json) {
    return options.html_folder ? write_html_folder(document, csv(), json(), options.output)
                               : write_html_file(document, csv(), options.output);
}

/// Whether the inputs are Cube statistics files.
/// @throws InputError when some are and others are not
bool of_wait_states(const Options& options) {
    const std::string* statistics = nullptr;
    const std::string* other = nullptr;
    for (const std::string& path : options.databases)
        (cube::is_statistics_file(path) ? statistics : other) = &path;
    if (statistics != nullptr && other != nullptr)
        throw InputError(
            fmt::format("{} is a Cube statistics file and {} is not: wait states of a program and "
                        "measurements of SKaMPI have nothing to compare, expected files of one kind",
                        printable(*statistics), printable(*other)));
    return statistics != nullptr;
}

ReportOutcome report_wait_states(const Options& options) {
    if (tells_of_run(options.format))
        throw InputError(
            fmt::format("{}: is made from a database, expected one of .pdf, .html, .csv, .json, .tex, "
                        ".txt for Cube statistics files",
                        printable(options.output)));
    if (!options.suites.empty())
        throw InputError(
            fmt::format("{}: suites are chosen of databases, expected Cube statistics files alone",
                        printable(options.suites.front())));
    if (!options.runs.empty())
        throw InputError(
            fmt::format("--run {}: runs are chosen of databases, expected Cube statistics files alone",
                        printable(options.runs.front())));
    if (!options.content.empty())
        throw InputError(
            fmt::format("--content {}: is of reports of databases, expected Cube statistics files alone",
                        printable(options.content)));
    if (!options.fail_if.empty())
        throw InputError(fmt::format("--fail-if {}: compares databases, expected Cube statistics files alone",
                                     printable(options.fail_if.front())));
    const std::vector<WaitStates> files = read_wait_states(options.databases);
    const std::vector<WaitStateComparison> comparisons = compare_all(files, options.has_baseline);
    ReportOutcome outcome;
    for (const WaitStates& file : files) {
        for (const cube::Problem& problem : file.read.problems)
            (problem.weight == cube::Problem::Weight::error ? outcome.missing : outcome.warnings)
                .push_back(to_text(problem, file.path));
        if (file.read.errors > 0 && file.read.errors + file.read.strange > file.read.problems.size())
            outcome.missing.push_back(
                fmt::format("{}: {} errors in all", printable(file.path), file.read.errors));
    }
    if (options.format == Format::csv) {
        write_text(options.output, wait_state_csv(files));
    } else if (options.format == Format::json) {
        write_text(options.output, wait_state_json(files, comparisons));
    } else {
        const Document document = build_wait_state_document(files, comparisons, options.title);
        outcome.rendered = options.format == Format::html
                               ? write_html(
                                     document, options, [&] { return wait_state_csv(files); },
                                     [&] { return wait_state_json(files, comparisons); })
                           : options.format == Format::text || options.format == Format::markdown
                               ? write_characters(document, character_drawings(document), options)
                               : write_document(document, options);
    }
    return outcome;
}

ReportOutcome report_history(const Options& options) {
    const History history = read_history(options.databases, options.suites);
    std::vector<Gate> gates;
    for (const std::string& text : options.fail_if)
        gates.push_back(parse_gate(text));
    ReportOutcome outcome;
    outcome.failed = failing_steps(history, gates, options.last_runs);
    if (options.format == Format::csv) {
        write_text(options.output, history_csv(history));
        return outcome;
    }
    if (options.format == Format::json) {
        write_text(options.output, history_json(history));
        return outcome;
    }
    const bool characters = options.format == Format::text || options.format == Format::markdown;
    const Document document = build_history_document(history, options.title, characters);
    if (characters)
        write_characters(document, drawn(document, options), options);
    else if (options.format == Format::html)
        outcome.rendered = write_html(
            document, options, [&] { return history_csv(history); }, [&] { return history_json(history); });
    else
        outcome.rendered = write_document(document, options);
    return outcome;
}

ReportOutcome write_cube_files(const Options& options, const Database& database, const Subject& subject) {
    CubeExport cube = cube_export(database, subject, options.dialect);
    const bool with_cube = options.format == Format::cube;
    const std::string text = write_statistics(cube.statistics);
    if (with_cube) {
        const std::string statistics = statistics_path(options.output);
        OutputFile statistics_file(statistics);
        statistics_file.write(text);
        cube.experiment.attributes = {
            {"statisticfile", std::filesystem::path(statistics).filename().string()},
            {"Creator", "skampi-report " SKAMPI_VERSION}};
        OutputFile cube_file(options.output);
        cube_file.write(write_cube3(cube.experiment));
        statistics_file.commit();
        cube_file.commit();
    } else {
        write_text(options.output, text);
    }
    return {{}, std::move(cube.missing), {}, {}};
}

/// @param subjects of one database  @param why one is needed
/// @throws InputError where there are several
void refuse_several_runs(const std::vector<Subject>& subjects, const char* why) {
    if (subjects.size() < 2)
        return;
    std::vector<std::string> runs;
    for (const Subject& subject : subjects)
        runs.push_back(printable(subject.group.empty() ? subject.run->uuid : subject.group));
    throw InputError(fmt::format("{}: {}, found {}, expected --run with one of them",
                                 printable(subjects.front().path), why, fmt::join(runs, ", ")));
}

/// What pages show otherwise than data files do.
void adapt(const Content& content, std::vector<Subject>& subjects) {
    if (content.half_round_trips)
        halve_round_trips(subjects);
    choose_units(content, subjects);
}

/// @param subjects are adapted to the content file, but not in data files
ReportOutcome write_results(const Options& options, const Content& content,
                            const std::vector<Database>& databases, std::vector<Subject>& subjects) {
    const auto one = [&](const char* form) {
        if (subjects.size() > 1 && databases.size() > 1)
            throw InputError(fmt::format("the form {} holds one run, expected one database", form));
        refuse_several_runs(subjects, fmt::format("the form {} holds one run", form).c_str());
    };
    switch (options.format) {
    case Format::csv:
        write_text(options.output, result_csv(databases, options.suites, options.runs));
        return {};
    case Format::json:
        write_text(options.output, json_report(subjects, options.has_baseline));
        return {};
    case Format::models:
        write_text(options.output, model_csv(subjects));
        return {};
    case Format::ascii:
        one(".out");
        write_text(options.output, ascii_report(subjects.front()));
        return {};
    case Format::c_header:
        one(".h");
        write_text(options.output, c_header(subjects.front()));
        return {};
    case Format::statistics:
    case Format::cube:
        one(options.format == Format::cube ? ".cube" : ".stat");
        if (databases.size() > 1)
            throw InputError("single measurements are told of one database, expected one");
        return write_cube_files(options, databases.front(), subjects.front());
    case Format::text:
    case Format::markdown:
        adapt(content, subjects);
        write_brief(subjects, options, content);
        return {};
    case Format::pdf:
    case Format::html:
    case Format::tex:
        break;
    }
    // Data files hold whole round trips and say errors in the units in which they read best.
    const std::string json =
        options.html_folder ? json_report(subjects, options.has_baseline) : std::string();
    adapt(content, subjects);
    const Document document =
        build_document(subjects, {options.title, options.has_baseline, options.box_plots, content});
    ReportOutcome outcome;
    outcome.rendered = options.format == Format::html
                           ? write_html(
                                 document, options,
                                 [&] {
                                     return options.html_folder
                                                ? result_csv(databases, options.suites, options.runs)
                                                : result_csv(databases, options.suites, options.runs,
                                                             most_csv_bytes_in_page);
                                 },
                                 [&] { return json; })
                           : write_document(document, options);
    return outcome;
}

} // namespace

std::vector<std::string> outputs(const Options& options) {
    std::vector<std::string> paths{options.output};
    if (options.format == Format::cube)
        paths.push_back(statistics_path(options.output));
    return paths;
}

void refuse_input_as_output(const Options& options, const std::string& output) {
    if (output.empty())
        return;
    std::error_code error;
    for (const std::string& input : options.databases)
        // A folder is replaced with all that is in it.
        for (std::filesystem::path place = std::filesystem::weakly_canonical(input, error);;
             place = place.parent_path()) {
            if (std::filesystem::equivalent(place, output, error))
                throw InputError(fmt::format(
                    "{}: {} what the report is made from, expected another name for it", printable(output),
                    std::filesystem::is_directory(place, error) ? "holds" : "is"));
            if (!place.has_relative_path())
                break;
        }
}

ReportOutcome make_report(const Options& options) {
    if (options.site)
        return keep_site(options);
    if (options.history)
        return report_history(options);
    if (of_wait_states(options))
        return report_wait_states(options);
    const Content content = options.content.empty() ? Content{} : read_content(options.content, chapter_names());
    std::vector<Database> databases;
    for (const std::string& path : options.databases)
        databases.push_back(Database::open(path));
    require_runs(databases, options.runs);
    std::vector<Subject> subjects;
    if (options.format == Format::csv && options.fail_if.empty()) // which needs no subjects
        return write_results(options, content, databases, subjects);
    for (const Database& database : databases) {
        std::vector<Subject> own = read_subjects(database, options.runs);
        if (options.has_baseline && &database == &databases.back())
            refuse_several_runs(own, "one run is the baseline");
        if (!options.fail_if.empty())
            refuse_several_runs(own, "--fail-if compares one run of each database");
        std::ranges::move(own, std::back_inserter(subjects));
    }
    if (!options.has_baseline && options.fail_if.empty())
        join_parts(subjects);
    label_subjects(subjects);
    select_suites(subjects, options.suites);
    arrange_suites(content, subjects);
    ReportOutcome checked;
    if (!options.fail_if.empty()) {
        refuse_gate_on_itself(options);
        check(subjects, options, checked);
    }
    ReportOutcome outcome = write_results(options, content, databases, subjects);
    outcome.failed = std::move(checked.failed);
    outcome.warnings.insert(outcome.warnings.begin(), checked.warnings.begin(), checked.warnings.end());
    return outcome;
}

} // namespace skampi
