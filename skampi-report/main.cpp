#include "document.hpp"
#include "formats/ascii.hpp"
#include "formats/csv.hpp"
#include "formats/html.hpp"
#include "formats/json.hpp"
#include "formats/pdf.hpp"
#include "options.hpp"
#include "subject.hpp"

#include "base/error.hpp"
#include "base/file.hpp"
#include "base/text.hpp"
#include "store/database.hpp"

#include <cstdio>
#include <exception>
#include <fmt/format.h>
#include <iostream>
#include <sstream>

namespace {

using namespace skampi;

void write_text(const std::string& output, const std::string& text) {
    OutputFile file(output);
    file.write(text);
    file.commit();
}

Rendered make_report(const Options& options) {
    std::vector<Database> databases;
    for (const std::string& path : options.databases)
        databases.push_back(Database::open(path));
    if (options.format == Format::csv) {
        write_text(options.output, result_csv(databases));
        return {};
    }
    std::vector<Subject> subjects;
    for (const Database& database : databases)
        subjects.push_back(read_subject(database));
    label_subjects(subjects);
    if (options.format == Format::json) {
        write_text(options.output, json_report(subjects, options.has_baseline));
        return {};
    }
    if (options.format == Format::ascii) {
        if (subjects.size() > 1)
            throw InputError("the form .out holds one run, expected one database");
        write_text(options.output, ascii_report(subjects.front()));
        return {};
    }
    const Document document = build_document(subjects, {options.title, options.has_baseline});
    const RenderOptions render{options.jobs, options.keep};
    if (options.format == Format::html)
        return write_html(document, result_csv(databases), json_report(subjects, options.has_baseline),
                          options.output, render);
    return options.format == Format::tex ? write_tex(document, options.output, render)
                                         : write_pdf(document, options.output, render);
}

int fail(const std::string& what, ExitStatus status) {
    std::cerr << "skampi-report: " << what << '\n';
    std::fputs("SKAMPI: FAILED\n", stdout);
    return static_cast<int>(status);
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
        const Rendered rendered = make_report(*options);
        write_standard_output(
            fmt::format("SKAMPI: OK figures={} pages={}\n", rendered.figures, rendered.pages),
            ExitStatus::incomplete);
        return static_cast<int>(ExitStatus::done);
    } catch (const Error& error) {
        return fail(error.what(), error.status());
    } catch (const std::exception& error) {
        return fail(printable(error.what()), ExitStatus::impossible);
    }
}
