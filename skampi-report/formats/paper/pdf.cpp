// SPDX-License-Identifier: GPL-2.0-or-later
#include "formats/paper/pdf.hpp"

#include "base/scratch_directory.hpp"
#include "drawing/plot.hpp"
#include "formats/paper/latex.hpp"
#include "formats/paper/page_layout.hpp"

#include "base/error.hpp"
#include "base/file.hpp"
#include "base/text.hpp"

#include <cstdlib>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>
#include <string_view>

namespace skampi {

namespace fs = std::filesystem;

namespace {

constexpr const char* figure_directory = "figures";
constexpr int most_passes = 5;

Command pdflatex(const std::string& directory, bool draft) {
    Command command;
    command.argv = {"pdflatex",       "-no-shell-escape", "-interaction=nonstopmode",
                    "-halt-on-error", "-file-line-error", "-jobname=report"};
    if (draft) {
        command.argv.emplace_back("-draftmode");
        command.argv.emplace_back("\\def\\skampidraft{}\\input{report.tex}");
    } else {
        command.argv.emplace_back("report.tex");
    }
    command.directory = directory;
    // No file outside of this directory and TeX's own trees is read or written; messages stay in one line.
    command.environment = {
        {"openin_any", "p"}, {"openout_any", "p"}, {"max_print_line", "2000"}, {"LC_ALL", "C"}};
    command.timeout_s = 1800;
    return command;
}

/// "line 42: Undefined control sequence." out of "./report.tex:42: Undefined control sequence."
std::string latex_complaint(const std::string& output) {
    std::istringstream lines(output);
    std::string first;
    for (std::string line; std::getline(lines, line);) {
        constexpr std::string_view file = ".tex:";
        const std::size_t name_end = line.find(file);
        const std::size_t number = name_end + file.size();
        const std::size_t number_end =
            name_end == std::string::npos ? std::string::npos : line.find_first_not_of("0123456789", number);
        if (number_end != std::string::npos && number_end > number && line[number_end] == ':')
            return "line " + line.substr(number);
        if (first.empty() && line.rfind("! ", 0) == 0)
            first = line.substr(2);
    }
    return first.empty() ? "see its log with --keep" : first;
}

void check_latex(const ChildResult& result) {
    if (!result.ok())
        throw SystemError(fmt::format("pdflatex failed ({}): {}", result.describe_end(),
                                      printable(latex_complaint(result.out + result.err))));
}

/// What may still change between passes.
std::string cross_references(const fs::path& directory) {
    std::string all;
    for (const char* name : {"report.aux", "report.toc"})
        all += file_text(directory / name) + '\n';
    return all;
}

/// The number in "Output written on report.pdf (23 pages, 12345 bytes)."; 0 = none
int page_count(const std::string& log) {
    constexpr std::string_view before = "Output written on report.pdf (";
    const std::size_t at = log.find(before);
    return at == std::string::npos ? 0 : std::atoi(log.c_str() + at + before.size());
}

/// Sources only replace those of this program: other files with their names may be the user's own work.
/// @param document of the sources  @param drawings the folder of its drawings
void refuse_foreign_sources(const fs::path& document, const fs::path& drawings) {
    std::error_code error;
    if (!fs::exists(document, error)) {
        if (fs::exists(drawings, error) && !fs::is_empty(drawings, error))
            throw InputError(
                fmt::format("{}: exists, and no report {} that it belongs to, expected a new or empty "
                            "directory",
                            printable(drawings.string()), printable(document.string())));
        return;
    }
    std::string beginning(made_by_skampi_report.size(), '\0');
    std::ifstream(document).read(beginning.data(), static_cast<std::streamsize>(beginning.size()));
    if (beginning != made_by_skampi_report)
        throw InputError(
            fmt::format("{}: found a file that is no source of a report, expected none there, or another "
                        "directory",
                        printable(document.string())));
}

/// Copies what is in a folder, each file whole or not at all; the PDF has its own place.
void keep(const fs::path& from, const fs::path& to) {
    std::error_code error;
    fs::create_directories(to, error);
    if (error)
        throw SystemError(
            fmt::format("{}: sources cannot be kept there: {}", printable(to.string()), error.message()));
    for (const fs::directory_entry& entry : fs::directory_iterator(from)) {
        const fs::path name = entry.path().filename();
        if (entry.is_directory()) {
            refuse_link(to / name);
            keep(entry.path(), to / name);
        } else if (name != "report.pdf")
            write_own_file(to / name, file_text(entry.path()));
    }
}

/// The folder of a LaTeX source's drawings, next to it.
std::string drawings_of_tex(const fs::path& output) {
    return for_file_name(output.stem().string() + "-figures");
}

} // namespace

std::vector<std::string> sources_of_pdf(const std::string& keep) {
    std::vector<std::string> sources;
    if (!keep.empty())
        for (const char* name : {"report.tex", "report.toc", "report.aux", "report.log", figure_directory})
            sources.push_back((fs::path(keep) / name).string());
    return sources;
}

Rendered write_pdf(Document document, const std::string& output, const RenderOptions& options) {
    if (!find_program("pdflatex"))
        throw SystemError(
            "pdflatex not found: needed to make a PDF, install the packages texlive-latex-base, "
            "texlive-latex-recommended and texlive-fonts-recommended");
    if (options.keep)
        refuse_foreign_sources(fs::path(*options.keep) / "report.tex",
                               fs::path(*options.keep) / figure_directory);
    // The place of the result is tried before the work, not after it.
    OutputFile file(output);
    const ScratchDirectory scratch;
    const fs::path work = scratch.path();
    const std::string drawings = (work / figure_directory).string();
    const std::vector<Figure> figures = figures_on_paper(document);
    std::vector<Command> commands = prepare_plots(figures, PlotTarget::latex, drawings, options.jobs);
    write_file(work / "report.tex", latex_document(document, figure_directory));
    write_file(work / "report.toc", latex_contents(document));

    // The first pass only finds page numbers, where there are contents to have them; figures are boxes of
    // known size in it, so it runs at the same time as gnuplot.
    const std::size_t drafts = document.brief ? 0 : 1;
    if (drafts > 0)
        commands.insert(commands.begin(), pdflatex(scratch.path(), true));
    const std::vector<ChildResult> results = run_all(std::move(commands), options.jobs);
    make_drawings_relocatable(figures, drawings);
    if (options.keep)
        keep(work, *options.keep);
    check_plots(std::span(results).subspan(drafts), figures, PlotTarget::latex, drawings);
    if (drafts > 0)
        check_latex(results.front());

    int pages = 0;
    std::string before = cross_references(work);
    const int last_pass = document.brief ? 2 : most_passes;
    for (int pass = 2; pass <= last_pass; ++pass) {
        const ChildResult result = run(pdflatex(scratch.path(), false));
        if (options.keep)
            keep(work, *options.keep);
        check_latex(result);
        pages = page_count(result.out);
        std::string after = cross_references(work);
        if (after == before)
            break;
        before = std::move(after);
    }
    const std::string pdf = file_text(work / "report.pdf");
    if (pdf.empty())
        throw SystemError("pdflatex left no PDF");
    file.write(pdf);
    file.commit();
    return {all_figures(document).size(), pages};
}

std::vector<std::string> other_tex_sources(const std::string& output, const std::string& keep) {
    const fs::path path = output;
    std::vector<std::string> sources{(path.parent_path() / drawings_of_tex(path)).string()};
    if (!keep.empty())
        for (const fs::path& name : {path.filename(), fs::path(drawings_of_tex(path))})
            sources.push_back((fs::path(keep) / name).string());
    return sources;
}

Rendered write_tex(Document document, const std::string& output, const RenderOptions& options) {
    const fs::path path = output;
    const std::string directory_name = drawings_of_tex(path);
    const fs::path drawings = path.parent_path() / directory_name;
    if (fs::exists(drawings))
        refuse_foreign_sources(path, drawings);
    if (options.keep)
        refuse_foreign_sources(fs::path(*options.keep) / path.filename(),
                               fs::path(*options.keep) / directory_name);
    OutputFile file(output);
    const ScratchDirectory scratch(output);
    const fs::path work = fs::path(scratch.path()) / directory_name;
    const std::vector<Figure> figures = figures_on_paper(document);
    check_plots(run_all(prepare_plots(figures, PlotTarget::latex, work.string(), options.jobs), options.jobs),
                figures, PlotTarget::latex, work.string());
    make_drawings_relocatable(figures, work.string());
    fs::create_directories(work); // also without figures
    const std::string text = latex_document(document, directory_name);
    if (options.keep) {
        const fs::path kept = *options.keep;
        keep(work, kept / directory_name);
        write_own_file(kept / path.filename(), text);
    }
    file.write(text);
    file.commit(); // first: drawings without it would be taken for foreign ones and never replaced
    std::error_code error;
    if (!fs::exists(drawings))
        fs::rename(work, drawings, error); // all of it or nothing
    if (error || fs::exists(work))
        keep(work, drawings);
    return {all_figures(document).size(), 0};
}

} // namespace skampi
