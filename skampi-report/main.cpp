#include "document.hpp"
#include "formats/ascii.hpp"
#include "formats/c_header.hpp"
#include "formats/csv.hpp"
#include "formats/html.hpp"
#include "formats/json.hpp"
#include "formats/pdf.hpp"
#include "formats/plain_text.hpp"
#include "formats/replaced_directory.hpp"
#include "gate.hpp"
#include "options.hpp"
#include "plot.hpp"
#include "scratch_directory.hpp"
#include "subject.hpp"

#include "base/child.hpp"
#include "base/error.hpp"
#include "base/file.hpp"
#include "base/guarded.hpp"
#include "base/text.hpp"
#include "store/database.hpp"

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <fmt/format.h>
#include <iostream>
#include <sstream>
#include <string_view>
#include <sys/ioctl.h>
#include <unistd.h>

namespace {

using namespace skampi;

void write_text(const std::string& output, const std::string& text) {
    if (output.empty()) {
        write_standard_output(text);
        return;
    }
    OutputFile file(output);
    file.write(text);
    file.commit();
}

/// @throws InputError when a file to be written would take the place of what the report is made from
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

/// A look at the numbers: on a terminal at most so many of each suite.
constexpr std::size_t rows_on_terminal = 24;

void write_brief(const std::vector<Subject>& subjects, const Options& options) {
    const Document document = build_brief_document(subjects, {options.title, options.has_baseline},
                                                   options.output.empty() ? rows_on_terminal : 0);
    const TextStyle style = terminal_style(options);
    const Drawings drawings = draw_characters(all_figures(document), style.colours, options.jobs);
    write_text(options.output, options.format == Format::markdown ? markdown(document, drawings)
                                                                  : plain_text(document, drawings, style));
}

/// Says what did not pass. @return how many lines that are
std::size_t check(const std::vector<Subject>& subjects, const Options& options) {
    std::vector<Gate> gates;
    for (const std::string& text : options.fail_if)
        gates.push_back(parse_gate(text));
    const std::vector<DatabaseComparison> comparisons = compare_subjects(subjects, options.has_baseline);
    const std::vector<GateResult> results = check_gates(gates, comparisons);
    if (options.junit)
        write_text(*options.junit, junit_report(results));
    const std::vector<std::string> lines = failing_lines(results);
    for (const std::string& line : lines)
        std::cerr << "skampi-report: " << line << '\n';
    return lines.size();
}

Rendered make_report(const Options& options, std::size_t& failed) {
    std::vector<Database> databases;
    for (const std::string& path : options.databases)
        databases.push_back(Database::open(path));
    if (options.format == Format::csv && options.fail_if.empty()) {
        write_text(options.output, result_csv(databases, options.suites));
        return {};
    }
    std::vector<Subject> subjects;
    for (const Database& database : databases)
        subjects.push_back(read_subject(database));
    label_subjects(subjects);
    select_suites(subjects, options.suites);
    if (!options.fail_if.empty())
        failed = check(subjects, options);
    if (options.format == Format::csv) {
        write_text(options.output, result_csv(databases, options.suites));
        return {};
    }
    if (options.format == Format::json) {
        write_text(options.output, json_report(subjects, options.has_baseline));
        return {};
    }
    if (options.format == Format::ascii || options.format == Format::c_header) {
        const bool header = options.format == Format::c_header;
        if (subjects.size() > 1)
            throw InputError(
                fmt::format("the form {} holds one run, expected one database", header ? ".h" : ".out"));
        write_text(options.output, header ? c_header(subjects.front()) : ascii_report(subjects.front()));
        return {};
    }
    if (options.format == Format::text || options.format == Format::markdown) {
        write_brief(subjects, options);
        return {};
    }
    const Document document = build_document(subjects, {options.title, options.has_baseline});
    const RenderOptions render{options.jobs, options.keep};
    if (options.format == Format::html)
        return write_html(document, result_csv(databases, options.suites),
                          json_report(subjects, options.has_baseline), options.output, render);
    return options.format == Format::tex ? write_tex(document, options.output, render)
                                         : write_pdf(document, options.output, render);
}

int fail(const std::string& what, ExitStatus status) {
    std::cerr << "skampi-report: " << what << '\n';
    std::fputs("SKAMPI: FAILED\n", stdout);
    return static_cast<int>(status);
}

int report(const Options& options) {
    try {
        std::size_t failed = 0;
        const Rendered rendered = make_report(options, failed);
        // Nothing but the report goes where the report itself goes.
        if (!options.output.empty())
            write_standard_output(failed > 0 ? fmt::format("SKAMPI: FAILED figures={} pages={} failed={}\n",
                                                           rendered.figures, rendered.pages, failed)
                                             : fmt::format("SKAMPI: OK figures={} pages={}\n",
                                                           rendered.figures, rendered.pages),
                                  ExitStatus::incomplete);
        return static_cast<int>(failed > 0 ? ExitStatus::incomplete : ExitStatus::done);
    } catch (const Error& error) {
        return fail(error.what(), error.status());
    } catch (const std::exception& error) {
        return fail(printable(error.what()), ExitStatus::impossible);
    }
}

void remove_leftovers(const Options& options, pid_t maker) {
    if (options.junit)
        remove_partial_files(*options.junit, maker);
    if (!options.output.empty()) {
        remove_partial_files(options.output, maker);
        restore_replaced(options.output, maker);
    }
    remove_scratch_directories(options.output, maker);
}

} // namespace

int main(int argc, char** argv) {
    try {
        std::ostringstream help;
        const std::optional<Options> options = parse_options(argc, argv, help);
        if (!options) {
            write_standard_output(help.str());
            return static_cast<int>(ExitStatus::done);
        }
        refuse_input_as_output(*options, options->output);
        refuse_input_as_output(*options, options->junit.value_or(""));
        const GuardedEnd end = guarded([&] { return report(*options); },
                                       [&](pid_t maker) { remove_leftovers(*options, maker); });
        if (end.signal == 0)
            return end.status;
        if (end.signal == SIGPIPE && options->output.empty())
            end_by_signal(end.signal); // whoever reads the report has seen enough of it
        const int status = fail("ended by " + signal_text(end.signal), ExitStatus::impossible);
        for (const int users_signal : {SIGINT, SIGTERM, SIGHUP})
            if (end.signal == users_signal) {
                std::fflush(stdout);
                end_by_signal(end.signal);
            }
        return status;
    } catch (const Error& error) {
        return fail(error.what(), error.status());
    } catch (const std::exception& error) {
        return fail(printable(error.what()), ExitStatus::impossible);
    }
}
