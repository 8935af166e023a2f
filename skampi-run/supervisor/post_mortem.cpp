// SPDX-License-Identifier: LGPL-2.1-or-later
#include "supervisor/post_mortem.hpp"

#include "base/text.hpp"

#include <algorithm>
#include <csignal>
#include <cstring>
#include <regex>
#include <string_view>

namespace skampi {

namespace {

/// An MPI library's message goes into the database and on terminals: only its beginning is kept.
constexpr std::size_t longest_message = 300;

std::string shortened(const std::string& text) {
    std::string result = printable(text);
    if (result.size() > longest_message)
        result = to_valid_utf8(result.substr(0, longest_message)) + "...";
    return result;
}

/// "Segmentation fault" -> 11, as strsignal() and srun name it.
std::optional<int> signal_named(const std::string& name) {
    for (int signal = 1; signal < 32; ++signal) {
        const char* known = ::strsignal(signal);
        if (known != nullptr && name == known)
            return signal;
    }
    return std::nullopt;
}

struct Patterns {
    std::regex mpi_error{
        R"(Fatal error in|called MPI_Abort|MPI_ABORT was invoked|\*\*\* MPI_ERR_|internal ABORT)"};
    std::regex error_rank{R"(\(rank (\d{1,9}) in comm|invoked on rank (\d{1,9}))"};
    // Hydra: "EXIT STRING: Segmentation fault (signal 11)"; Open MPI: "process rank 1 with PID 0 on node vm
    // exited on signal 11 (Segmentation fault)", "Signal: Segmentation fault (11)"; UCX: "Caught signal 11
    // (".
    std::regex signal{
        R"(\(signal (\d{1,2})\)|exited on signal (\d{1,2})|Signal: [A-Za-z ]+\((\d{1,2})\)|Caught signal (\d{1,2}) )"};
    std::regex open_mpi_rank{R"(process rank (\d{1,9}) with PID)"};
    std::regex open_mpi_status_rank{R"(Process name: +\[\[\d+,\d+\],(\d{1,9})\])"};
    std::regex open_mpi_status{R"(^ *Exit code: +(\d{1,3}))"};
    std::regex hydra_process{R"(PID (\d{1,9}) RUNNING AT)"};
    std::regex hydra_status{R"(EXIT CODE: +(\d{1,3}))"};
    // From the job itself (mpi/check.cpp), not from a suite at the end of a run, which has been handled.
    std::regex own_mpi_error{R"(^skampi-run: (MPI_\w+ returned error class \d+: .*))"};
    // "unused env variable: UCX_A,UCX_B (set ...", "unused environment variables: UCX_A; UCX_B (maybe:
    // UCX_C?); UCX_D"
    std::regex unused{
        R"(unused env(?:ironment)? variables?: (UCX_[A-Z0-9_]+(?:(?: \(maybe: [^)]*\))?[,;] ?UCX_[A-Z0-9_]+)*)(?![A-Z0-9_]))"};
    std::regex in_brackets{R"( \([^)]*\))"};
    std::regex unused_name{R"((?:^|[,;] ?)(UCX_[A-Z0-9_]+))"};
    // "slurmstepd: error: *** JOB 17 ON n1 CANCELLED AT 2026-11-21T22:49:30 DUE TO TIME LIMIT ***"
    std::regex cancelled{R"(^slurmstepd.*\*\*\* ((?:JOB|STEP) .* CANCELLED AT .*) \*\*\*)"};
    std::regex srun{
        R"(srun: error: [^:]+: tasks? (\d{1,9})[-,0-9]*: (Exited with exit code (\d{1,3})|[A-Za-z ]+?)( \(core dumped\))?$)"};
};

int number(const std::ssub_match& match) {
    return std::stoi(match.str());
}

constexpr std::size_t longest_line = 2000;

void note_unused(const Patterns& patterns, const std::string& line, PostMortem& found) {
    std::smatch match;
    if (line.size() >= longest_line ||
        !std::regex_search(line, match, patterns.unused)) // the last may be cut
        return;
    const std::string names = std::regex_replace(match[1].str(), patterns.in_brackets, "");
    for (std::sregex_iterator name(names.begin(), names.end(), patterns.unused_name), end; name != end;
         ++name)
        found.unused_variables.insert((*name)[1].str());
}

void examine_line(const Patterns& patterns, const std::string& line, PostMortem& found) {
    constexpr std::string_view own = "skampi-run: ";
    if (line.starts_with(own)) { // may quote earlier crashes
        if (!line.starts_with("skampi-run: warning"))
            found.own_message = shortened(line);
        // Says more than the MPI_Abort that it caused.
        if (std::smatch match; std::regex_search(line, match, patterns.own_mpi_error))
            found.mpi_error = shortened(match[1].str());
        return;
    }
    note_unused(patterns, line, found);
    std::smatch match;
    if (!found.is_crash() && std::regex_search(line, match, patterns.cancelled))
        found.cancelled = shortened(match[1].str());
    if (found.mpi_error.empty() && std::regex_search(line, patterns.mpi_error)) {
        found.mpi_error = shortened(line);
        if (std::regex_search(line, match, patterns.error_rank))
            found.rank = number(match[1].matched ? match[1] : match[2]);
    }
    if (!found.rank && (std::regex_search(line, match, patterns.open_mpi_rank) ||
                        std::regex_search(line, match, patterns.open_mpi_status_rank)))
        found.rank = number(match[1]);
    if (!found.process && std::regex_search(line, match, patterns.hydra_process))
        found.process = number(match[1]);
    if (!found.signal && !found.rank_status && std::regex_search(line, match, patterns.srun)) {
        // Further lines of srun are about ranks it killed because of this one.
        if (!found.rank)
            found.rank = number(match[1]);
        if (match[3].matched)
            found.rank_status = number(match[3]);
        else
            found.signal = signal_named(match[2].str());
        return;
    }
    if (!found.signal && std::regex_search(line, match, patterns.signal)) {
        for (std::size_t group = 1; group < match.size(); ++group) {
            if (match[group].matched)
                found.signal = number(match[group]);
        }
    }
    if (!found.rank_status && (std::regex_search(line, match, patterns.hydra_status) ||
                               std::regex_search(line, match, patterns.open_mpi_status)))
        found.rank_status = number(match[1]);
}

void examine_text(const Patterns& patterns, const std::string& text, PostMortem& found) {
    std::size_t start = 0;
    while (start < text.size()) {
        const std::size_t end = std::min(text.find('\n', start), text.size());
        // std::regex recurses per character: a line of megabytes would overflow the stack.
        examine_line(patterns, text.substr(start, std::min(end - start, longest_line)), found);
        start = end + 1;
    }
}

} // namespace

std::string PostMortem::text() const {
    if (!cancelled.empty())
        return "Slurm: " + cancelled;
    const std::string where = rank ? " on rank " + std::to_string(*rank) : "";
    if (!mpi_error.empty())
        return "MPI error" + where + ": " + mpi_error;
    if (signal)
        return signal_text(*signal) + where;
    const std::string status = rank_status ? "exit status " + std::to_string(*rank_status) + where : end;
    return own_message.empty() ? status : status + ": " + own_message;
}

bool PostMortem::left_with(int status) const {
    return !signal && mpi_error.empty() && !own_message.empty() &&
           (launcher_status == status || rank_status == status);
}

PostMortem examine(const ChildResult& result) {
    const Patterns patterns;
    PostMortem found;
    found.end = result.describe_end();
    found.launcher_status = result.exit_status;
    examine_text(patterns, result.err, found);
    examine_text(patterns, result.out, found);
    if (!found.signal && result.signal != 0)
        found.signal = result.signal;
    // A shell, Open MPI and srun report the signal of a rank as 128 + its number.
    if (!found.signal && !found.rank_status && result.exit_status > 128 && result.exit_status < 128 + 32)
        found.signal = result.exit_status - 128;
    return found;
}

} // namespace skampi
