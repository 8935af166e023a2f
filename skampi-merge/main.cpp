// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/child.hpp"
#include "base/error.hpp"
#include "base/file.hpp"
#include "base/guarded.hpp"
#include "base/text.hpp"
#include "copy_runs.hpp"
#include "merge_runs.hpp"
#include "options.hpp"

#include <csignal>
#include <cstdio>
#include <exception>
#include <fmt/format.h>
#include <iostream>
#include <sstream>

namespace {

int fail(const std::string& what, skampi::ExitStatus status) {
    std::cerr << "skampi-merge: " << what << '\n';
    std::fputs("SKAMPI: FAILED\n", stdout);
    return static_cast<int>(status);
}

int merge(const skampi::MergeOptions& options) {
    using namespace skampi;
    try {
        MergeOutcome outcome;
        std::string description;
        if (options.output.empty())
            description = describe_runs(options, outcome);
        else
            outcome = options.copy ? copy_runs(options) : merge_runs(options);
        for (const std::string& note : outcome.notes)
            std::cerr << "skampi-merge: note: " << note << '\n';
        for (const std::string& warning : outcome.warnings)
            std::cerr << "skampi-merge: warning: " << warning << '\n';
        write_standard_output(
            description + fmt::format("SKAMPI: OK points={} runs={} abstained={}{}\n", outcome.points,
                                      outcome.runs, outcome.abstained,
                                      outcome.groups > 1 ? fmt::format(" groups={}", outcome.groups) : ""),
            options.output.empty() ? ExitStatus::impossible : ExitStatus::incomplete);
        return static_cast<int>(outcome.warnings.empty() ? ExitStatus::done : ExitStatus::incomplete);
    } catch (const Error& error) {
        return fail(error.what(), error.status());
    } catch (const std::exception& error) {
        return fail(printable(error.what()), ExitStatus::impossible);
    }
}

} // namespace

int main(int argc, char** argv) {
    using namespace skampi;
    try {
        std::ostringstream help;
        const auto options = parse_options(argc, argv, help);
        if (!options) {
            write_standard_output(help.str());
            return static_cast<int>(ExitStatus::done);
        }
        const GuardedEnd end = guarded([&] { return merge(*options); },
                                       [&](pid_t merger) { remove_partial_files(options->output, merger); });
        if (end.signal == 0)
            return end.status;
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
