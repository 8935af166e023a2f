// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/replaced_directory.hpp"
#include "base/scratch_directory.hpp"
#include "make_report.hpp"
#include "options.hpp"
#include "site/site.hpp"

#include "base/child.hpp"
#include "base/error.hpp"
#include "base/file.hpp"
#include "base/guarded.hpp"
#include "base/text.hpp"

#include <csignal>
#include <cstdio>
#include <exception>
#include <fmt/format.h>
#include <iostream>
#include <sstream>

namespace {

using namespace skampi;

/// @param names whether scripts take what standard output says for names
int fail(const std::string& what, ExitStatus status, bool names = false) {
    std::cerr << "skampi-report: " << what << '\n';
    if (!names)
        std::fputs("SKAMPI: FAILED\n", stdout);
    return static_cast<int>(status);
}

bool fills_standard_output(const Options& options) {
    return options.command != ReportCommand::site && options.destination.output.empty();
}

int report(const Options& options) {
    try {
        const ReportOutcome outcome = make_report(options);
        for (const std::string& what : outcome.written.notes)
            std::cerr << what << '\n';
        for (const std::string& what : outcome.warnings)
            std::cerr << "skampi-report: warning: " << what << '\n';
        for (const auto* lines : {&outcome.failed, &outcome.open, &outcome.written.missing})
            for (const std::string& what : *lines)
                std::cerr << "skampi-report: " << what << '\n';
        const bool failed = !outcome.failed.empty();
        const bool open = !failed && !outcome.open.empty();
        const auto count = [](const char* name, const std::vector<std::string>& lines) {
            return lines.empty() ? std::string() : fmt::format(" {}={}", name, lines.size());
        };
        // Nothing but the report goes where the report itself goes.
        if (!fills_standard_output(options))
            write_standard_output(fmt::format("SKAMPI: {} figures={} pages={}{}{}{}\n",
                                              failed ? "FAILED"
                                              : open ? "OPEN"
                                                     : "OK",
                                              outcome.written.figures, outcome.written.pages,
                                              outcome.written.rules
                                                  ? fmt::format(" rules={}", *outcome.written.rules)
                                                  : std::string(),
                                              count("failed", outcome.failed), count("open", outcome.open)),
                                  ExitStatus::incomplete);
        if (failed || !outcome.written.missing.empty())
            return static_cast<int>(ExitStatus::incomplete);
        return open ? gate_open_status : static_cast<int>(ExitStatus::done);
    } catch (const Error& error) {
        return fail(error.what(), error.status(), options.bad_nodes);
    } catch (const std::exception& error) {
        return fail(printable(error.what()), ExitStatus::impossible, options.bad_nodes);
    }
}

void remove_leftovers(const Options& options, pid_t maker) {
    for (const std::string& each : outputs(options))
        remove_partial_files(each, maker);
    if (options.command == ReportCommand::site)
        remove_partial_site_files(options.site.directory, maker);
    const std::string& output = options.destination.output;
    if (!output.empty())
        restore_replaced(output, maker);
    remove_scratch_directories(output.empty() ? output : report_directory(output).string(), maker);
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
        refuse_confused_files(inputs(*options), outputs(*options));
        const GuardedEnd end = guarded([&] { return report(*options); },
                                       [&](pid_t maker) { remove_leftovers(*options, maker); });
        if (end.signal == 0)
            return end.status;
        if (end.signal == SIGPIPE && fills_standard_output(*options))
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
