// SPDX-License-Identifier: LGPL-2.1-or-later
#include "supervisor/verdict.hpp"

#include "base/error.hpp"
#include "base/text.hpp"
#include "interruption/stop_signal.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <csignal>
#include <sstream>

namespace skampi {

namespace {

/// Longest pause between jobs that end badly without progress.
constexpr double longest_pause_s = 60;
/// A launcher's explanation goes into the database and on terminals.
constexpr std::size_t longest_explanation = 600;

/// Killing the launcher leaves traces of our own signals, which are no finding.
bool died_before_us(const PostMortem& found) {
    const bool our_signal = found.signal == SIGTERM || found.signal == SIGINT || found.signal == SIGKILL;
    return !found.mpi_error.empty() || (found.signal && !our_signal);
}

bool left_with(const JobEnd& end, ExitStatus status) {
    const int wanted = static_cast<int>(status);
    return end.refused_with ? *end.refused_with == wanted : end.found.left_with(wanted);
}

/// The job ended by its own decision because its surroundings (a full disk, ...) do not let it work: no suite
/// is charged.
bool refused(const JobEnd& end) {
    return end.hang.empty() && left_with(end, ExitStatus::impossible);
}

/// In one line, without frames and with single blanks.
std::string in_one_line(const std::string& text) {
    std::istringstream words(text);
    std::string line;
    for (std::string word; words >> word;) {
        if (word.find_first_not_of("-=*") != std::string::npos)
            line += (line.empty() ? "" : " ") + word;
    }
    return to_valid_utf8(printable(line).substr(0, longest_explanation));
}

/// What the launcher said last, as ssh does of a host that it does not find.
std::string last_words(const std::string& text) {
    const std::size_t end = text.find_last_not_of(" \n");
    if (end == std::string::npos)
        return {};
    const std::size_t before = text.find_last_of('\n', end);
    return in_one_line(text.substr(before == std::string::npos ? 0 : before + 1));
}

std::string seen_of(const JobEnd& end) {
    if (end.stop_signal != 0)
        return "ended by " + signal_name(end.stop_signal) + (end.killed ? " at once" : "");
    if (!end.hang.empty()) {
        const std::string said = end.appeared ? std::string() : last_words(end.launcher_said);
        return (died_before_us(end.found) ? end.found.text() + "; " : "") + end.hang +
               (said.empty() ? "" : ": " + said);
    }
    // The ranks' own messages about a complete run have been passed on.
    if (end.run_ended && !end.found.signal && end.found.mpi_error.empty())
        return end.found.end;
    const bool left_early = !end.run_ended && end.found.launcher_status == 0 && !end.found.is_crash();
    return left_early ? "ended before its run was complete (exit status 0)" : end.found.text();
}

std::string kind_of(const JobEnd& end) {
    if (end.stop_signal != 0 || !end.found.cancelled.empty())
        return "signal";
    if (end.run_ended)
        return "info";
    if (refused(end))
        return "warning";
    return end.hang.empty() || died_before_us(end.found) ? "crash" : "hang";
}

/// No rank appeared, and none left a message: the launcher or MPI could not start them, or hangs. A signal is
/// different.
bool did_not_start(const JobEnd& end) {
    const PostMortem& found = end.found;
    return !end.appeared && end.stop_signal == 0 && found.own_message.empty() && !found.signal &&
           (!end.hang.empty() || found.launcher_status != 0);
}

/// Two failures are the same if they differ only in process numbers, ports and times.
std::string without_numbers(std::string text) {
    std::ranges::replace_if(
        text, [](unsigned char c) { return std::isdigit(c) != 0; }, '#');
    const auto repeated =
        std::unique(text.begin(), text.end(), [](char a, char b) { return a == '#' && b == '#'; });
    text.erase(repeated, text.end());
    return text;
}

} // namespace

JobVerdict verdict_on(const JobEnd& end) {
    JobVerdict verdict{.kind = kind_of(end), .seen = seen_of(end), .suites = JobVerdict::Suites::blamed};
    if (end.run_ended)
        verdict.suites = JobVerdict::Suites::untouched;
    else if (end.stop_signal != 0 || !end.found.cancelled.empty() || refused(end))
        verdict.suites = JobVerdict::Suites::open_again;
    return verdict;
}

Outlook outlook_after(const JobEnd& end, const Gain& gain, const Failures& before,
                      const Endurance& endurance) {
    const auto leave = [](ExitStatus status, std::string reason = {}) {
        Outlook outlook;
        outlook.exit_status = static_cast<int>(status);
        outlook.reason = std::move(reason);
        return outlook;
    };
    if (end.hang.empty() && !end.begun) {
        if (left_with(end, ExitStatus::bad_input))
            return leave(ExitStatus::bad_input);
        // A user waits at the terminal; a daemon tries again, the disk may have room tomorrow.
        if (refused(end) && !endurance.unattended)
            return leave(ExitStatus::impossible);
    }
    Outlook outlook;
    if (did_not_start(end) && !endurance.queues) {
        const bool in_own_words = end.hang.empty() && end.found.mpi_error.empty();
        const std::string said = in_own_words ? in_one_line(end.launcher_said) : std::string();
        const std::string seen =
            in_own_words ? end.found.end + (said.empty() ? "" : ": " + said) : seen_of(end);
        outlook.failures.refusal = end.found.end + ": " + without_numbers(seen);
        if (outlook.failures.refusal == before.refusal)
            return leave(ExitStatus::impossible,
                         "gave up: the launcher failed twice in the same way before any rank appeared: " +
                             seen);
    }
    outlook.failures.in_a_row = gain.new_measurement ? 0 : before.in_a_row + 1;
    if (outlook.failures.in_a_row >= endurance.max_failures)
        // The obstacle may be gone when the supervisor is started again.
        return leave(gain.something && !refused(end) ? ExitStatus::incomplete : ExitStatus::impossible,
                     "gave up: " + std::to_string(outlook.failures.in_a_row) +
                         " jobs in a row failed without finishing a new measurement");
    if (outlook.failures.in_a_row > 0)
        outlook.pause_s = std::min(std::ldexp(0.5, outlook.failures.in_a_row), longest_pause_s);
    return outlook;
}

} // namespace skampi
