// SPDX-License-Identifier: GPL-2.0-or-later
#include "formats/format.hpp"

#include "formats/data/benchmark_json.hpp"
#include "formats/data/csv.hpp"
#include "formats/data/extra_p.hpp"
#include "formats/data/json.hpp"
#include "formats/data/model_csv.hpp"
#include "formats/data/result_lines.hpp"
#include "formats/exchange/ascii.hpp"
#include "formats/exchange/c_header.hpp"
#include "formats/exchange/cube_export.hpp"
#include "formats/exchange/peer_text.hpp"
#include "formats/exchange/tuning_file.hpp"
#include "formats/paper/pdf.hpp"
#include "formats/text/plain_text.hpp"
#include "formats/text/terminal.hpp"
#include "formats/web/html.hpp"
#include "words/algorithm_words.hpp"

#include "base/error.hpp"
#include "base/file.hpp"
#include "base/text.hpp"
#include "launches/study.hpp"
#include "metrics/open_metrics.hpp"
#include "store/database.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>
#include <fmt/format.h>
#include <stdexcept>
#include <string_view>
#include <utility>

namespace skampi {

namespace {

struct Characters {
    TextStyle style;
    Document document;
    Drawings drawings;
};

Characters characters(ReportSource& source, const Destination& to) {
    Characters made{style_of_output(to.output),
                    source.document(to.output.empty() ? Medium::terminal : Medium::text_file),
                    {}};
    made.drawings = drawn_in_characters(made.document, made.style, to.jobs);
    return made;
}

ReportText html_text(ReportSource& source, const Destination& /*to*/) {
    const Document document = source.document(Medium::pages);
    const std::string data = csv_link(source.csv(most_csv_bytes_in_page));
    return {html_page(document, {data, {}}), all_figures(document).size()};
}

Written write_html_directory(ReportSource& source, const Destination& to) {
    const Document document = source.document(Medium::pages);
    write_html_folder(document, source.csv(no_byte_limit), source.json(), to.output);
    return {all_figures(document).size(), 0, {}};
}

template <Rendered (*render)(Document, const std::string&, const RenderOptions&)>
Written write_paper(ReportSource& source, const Destination& to) {
    const Rendered rendered = render(source.document(Medium::paper), to.output, {to.jobs, to.keep});
    return {rendered.figures, rendered.pages, {}};
}

std::vector<std::string> lines_of(const std::vector<CubeLoss>& losses) {
    std::vector<std::string> lines;
    for (const CubeLoss& loss : losses)
        lines.push_back(to_text(loss));
    return lines;
}

Written write_cube(ReportSource& source, const Destination& to) {
    CubeExport made = cube_export(source.only_database(), source.only_subject(".cube"), to.dialect);
    Written written{0, 0, lines_of(made.losses)};
    write_cube_files(std::move(made), to.output);
    return written;
}

Written write_tuning_format(ReportSource& source, const Destination& to) {
    const Database& database = source.only_database();
    const AlgorithmFindings* const found = source.algorithms();
    const MadeTuning made = write_tuning_file(found, database.path(), to.output, to.base);
    Written written;
    written.rules = made.written;
    written.notes = rule_lines(made.file.rules, found->rule.gain);
    written.notes.push_back(tuning_file_note(made.written, to.output, found->study.newest));
    return written;
}

constexpr auto table = std::to_array<Format>({
    {.ending = ".txt",
     .for_readers = true,
     .text = [](ReportSource& source, const Destination& to) -> ReportText {
         const Characters made = characters(source, to);
         return {plain_text(made.document, made.drawings, made.style)};
     }},
    {.ending = ".md",
     .for_readers = true,
     .text = [](ReportSource& source, const Destination& to) -> ReportText {
         const Characters made = characters(source, to);
         return {markdown(made.document, made.drawings)};
     }},
    {.ending = ".pdf",
     .box_plots = true,
     .for_readers = true,
     .keeps_sources = true,
     .beside = [](const Destination& to) { return sources_of_pdf(to.keep.value_or("")); },
     .write = write_paper<write_pdf>},
    {.ending = ".tex",
     .box_plots = true,
     .for_readers = true,
     .keeps_sources = true,
     .beside = [](const Destination& to) { return other_tex_sources(to.output, to.keep.value_or("")); },
     .write = write_paper<write_tex>},
    {.ending = ".html", .box_plots = true, .for_readers = true, .text = html_text},
    {.ending = "/",
     .note = "a directory: HTML and its data",
     .box_plots = true,
     .for_readers = true,
     .raw_rows = true,
     .write = write_html_directory},
    {.ending = ".csv",
     .raw_rows = true,
     .text = [](ReportSource& source, const Destination&) -> ReportText {
         return {source.csv(no_byte_limit)};
     }},
    {.ending = ".json",
     .text = [](ReportSource& source, const Destination&) -> ReportText { return {source.json()}; }},
    {.ending = ".jsonl",
     .note = "a line of JSON for each value",
     .of_runs = true,
     .text = [](ReportSource& source, const Destination&) -> ReportText {
         return {result_lines(source.subjects())};
     }},
    {.ending = ".extrap",
     .note = "text for Extra-P",
     .of_runs = true,
     .text = [](ReportSource& source, const Destination&) { return extra_p_text(source.subjects()); }},
    {.ending = ".extrap.jsonl",
     .note = "JSON lines for Extra-P",
     .of_runs = true,
     .text = [](ReportSource& source, const Destination&) { return extra_p_lines(source.subjects()); }},
    {.ending = ".prom",
     .note = "OpenMetrics of the headlines",
     .of_runs = true,
     .of_one_run = true,
     .text = [](ReportSource& source, const Destination&) -> ReportText {
         return {open_metrics(source.only_subject(".prom"), false)};
     }},
    {.ending = ".bmf.json",
     .note = "Bencher's format",
     .of_runs = true,
     .of_one_run = true,
     .text = [](ReportSource& source, const Destination&) -> ReportText {
         return {bencher_json(source.only_subject(".bmf.json"))};
     }},
    {.ending = ".hyperfine.json",
     .note = "as hyperfine writes it",
     .of_runs = true,
     .of_one_run = true,
     .text = [](ReportSource& source, const Destination&) -> ReportText {
         return {hyperfine_json(source.only_subject(".hyperfine.json"))};
     }},
    {.ending = ".out",
     .note = "the ASCII form skampi.out",
     .of_runs = true,
     .of_one_run = true,
     .text = [](ReportSource& source, const Destination&) -> ReportText {
         return {ascii_report(source.only_subject(".out"))};
     }},
    {.ending = ".h",
     .note = "cost models in C",
     .of_runs = true,
     .text = [](ReportSource& source, const Destination&) -> ReportText {
         if (const std::vector<Subject>& all = source.subjects(); is_study(all)) {
             std::vector<const Subject*> sizes;
             for (const Subject& each : all)
                 sizes.push_back(&each);
             return {c_header(over_ranks(sizes))};
         }
         return {c_header(source.only_subject(".h"))};
     }},
    {.ending = ".models.csv",
     .note = "cost models as a table",
     .of_runs = true,
     .text = [](ReportSource& source, const Destination&) -> ReportText {
         return {model_csv(source.subjects())};
     }},
    {.ending = ".osu.txt",
     .note = "what OSU's micro-benchmarks print",
     .of_runs = true,
     .of_one_run = true,
     .text = [](ReportSource& source,
                const Destination&) { return osu_report(source.only_subject(".osu.txt")); }},
    {.ending = ".imb.txt",
     .note = "what IMB-MPI1 prints",
     .of_runs = true,
     .of_one_run = true,
     .text = [](ReportSource& source,
                const Destination&) { return imb_report(source.only_subject(".imb.txt")); }},
    {.ending = ".stat",
     .note = "Cube statistics",
     .of_runs = true,
     .of_one_run = true,
     .of_statistics = true,
     .has_dialect = true,
     .text = [](ReportSource& source, const Destination& to) -> ReportText {
         return source.cube_statistics(to.dialect);
     }},
    {.ending = ".cube",
     .note = "CUBE 3 and its .stat",
     .of_runs = true,
     .of_one_run = true,
     .has_dialect = true,
     .beside = [](const Destination& to) -> std::vector<std::string> { return {statistics_path(to.output)}; },
     .write = write_cube},
    {.ending = ".conf",
     .note = "algorithms for Open MPI",
     .of_runs = true,
     .is_tuning = true,
     .write = write_tuning_format},
    {.ending = "tuning.json",
     .note = "algorithms for MPICH",
     .of_runs = true,
     .is_tuning = true,
     .beside = [](const Destination& to) -> std::vector<std::string> { return {to.output + ".md"}; },
     .write = write_tuning_format},
    {.ending = ".env",
     .note = "algorithms as variables",
     .of_runs = true,
     .is_tuning = true,
     .write = write_tuning_format},
    {.ending = ".cfg",
     .note = "algorithms for SimGrid",
     .of_runs = true,
     .is_tuning = true,
     .write = write_tuning_format},
});

constexpr const Format& directory_format =
    *std::ranges::find_if(table, [](const Format& each) { return std::string_view(each.ending) == "/"; });

/// By the longest ending that a file's name has, and that is not all of it.
const Format* find_format(const std::filesystem::path& path) {
    std::string name = path.filename().string();
    std::ranges::transform(name, name.begin(),
                           [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    const Format* found = nullptr;
    for (const Format& each : table) {
        const std::string_view ending = each.ending;
        if (name.ends_with(ending) && (name != ending || !ending.starts_with('.')) &&
            (!found || ending.size() > std::string_view(found->ending).size()))
            found = &each;
    }
    return found;
}

} // namespace

const std::vector<Subject>& ReportSource::subjects() {
    throw std::logic_error("this source of a report has no subjects");
}

const Subject& ReportSource::only_subject(const char* /*ending*/) {
    return subjects().front();
}

ReportText ReportSource::cube_statistics(cube::Dialect dialect) {
    CubeExport made = cube_export(only_database(), only_subject(".stat"), dialect);
    return {write_statistics(made.statistics), 0, lines_of(made.losses)};
}

const AlgorithmFindings* ReportSource::algorithms() {
    return nullptr;
}

const Database& ReportSource::only_database() {
    throw std::logic_error("this source of a report has no database");
}

Written write_report(const Format& format, ReportSource& source, const Destination& to) {
    if (!format.is_text())
        return format.write(source, to);
    ReportText made = format.text(source, to);
    if (!to.output.empty())
        write_file(to.output, made.text);
    else if (std::string_view(format.ending) == ".txt") // has the colours of a terminal, and no other codes
        write_standard_output(made.text);
    else
        write_data_to_standard_output(made.text);
    return {made.figures, 0, std::move(made.missing), {}, std::move(made.notes)};
}

std::span<const Format> formats() {
    return table;
}

const Format& format_of_output(const std::string& output) {
    std::filesystem::path path = output;
    std::error_code error;
    const bool ends_in_slash = !path.has_filename();
    if (ends_in_slash)
        path = path.parent_path();
    const Format* const found = find_format(path);
    if (ends_in_slash && found && std::string_view(found->ending) != ".html")
        throw InputError(
            fmt::format("{}: a directory holds an HTML report, expected a name without the ending {}",
                        printable(output), found->ending));
    if (ends_in_slash || (!found && std::filesystem::is_directory(path, error)))
        return directory_format;
    if (found && std::filesystem::is_directory(path, error))
        throw InputError(
            fmt::format("{0}: is a directory, expected the name of a file, or a name that ends in / "
                        "for a directory with an HTML report",
                        printable(output)));
    if (found)
        return *found;
    throw InputError(
        fmt::format("{}: unknown kind of report, expected a name that ends in one of {} (/ = a directory)",
                    printable(output), endings_of([](const Format&) { return true; })));
}

const Format& format_of_standard_output(const std::string& name) {
    if (name.empty())
        return table.front();
    const std::string ending = "." + name.substr(name.starts_with('.') ? 1 : 0);
    const auto* found =
        std::ranges::find_if(table, [&](const Format& each) { return ending == each.ending; });
    if (found == table.end()) // "bmf" is .bmf.json
        found = std::ranges::find_if(table, [&](const Format& each) {
            return std::string_view(each.ending).starts_with(ending + ".");
        });
    if (found == table.end() || !found->is_text())
        throw InputError(
            fmt::format("--format {}: {}, expected one of {}", printable(name),
                        found != table.end() ? "does not go to standard output" : "unknown kind of report",
                        endings_of([](const Format& each) { return each.is_text(); })));
    return *found;
}

std::string endings_of(bool (*chosen)(const Format&)) {
    std::string endings;
    for (const Format& each : table)
        if (chosen(each))
            endings += (endings.empty() ? "" : ", ") + std::string(each.ending);
    return endings;
}

} // namespace skampi
