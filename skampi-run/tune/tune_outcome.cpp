// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tune/tune_outcome.hpp"

#include "base/text.hpp"
#include "model/launch_command.hpp"
#include "model/quantity.hpp"
#include "tuning/head_comment.hpp"

#include <fmt/format.h>
#include <sstream>

namespace skampi {
namespace {

std::string indented(const std::string& text) {
    std::string all;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);)
        all += "  " + line + "\n";
    return all;
}

std::string lines_of_use(const TuneOutcome& outcome) {
    TuningTarget target;
    target.library = outcome.library;
    target.path = outcome.path;
    return fmt::format("Who wants to use it types, or has in a module file:\n  {}\n",
                       printable(line_to_use(target)));
}

/// A file of one algorithm for each operation may hold none though there are faster ones at some lengths.
std::string why_no_choice_for_all(const std::string& path) {
    const bool of_variables = path.ends_with(".env");
    if (!of_variables && !path.ends_with(".cfg"))
        return {};
    return std::string(
               " It holds one algorithm for all lengths of an operation, and none is shown to be faster "
               "at all of them.") +
           (of_variables
                ? " tuning.json (MPICH) and rules.conf (Open MPI) hold one for each range of lengths."
                : "");
}

} // namespace

TunedRegion region_of(const TuningRule& rule) {
    return region_from(rule.operation, rule.bytes_low, rule.bytes_high);
}

bool is_on(const TuningRule& rule, std::int64_t ranks) {
    return rule.ranks_low <= ranks && ranks <= rule.ranks_high;
}

std::string outcome_text(const TuneOutcome& outcome) {
    std::string text;
    for (const TuningRule& rule : outcome.rules)
        if (was_refuted(rule))
            text += printable(fmt::format("{}: {} {} when it was checked; the default is kept there.",
                                          region_text(region_of(rule)), rule.algorithm,
                                          rule.why_not == WhyNot::not_faster_when_checked
                                              ? "was not shown to be faster"
                                              : "failed or delivered wrong data")) +
                    "\n";
    for (const TuningRule& rule : outcome.rules)
        if (has_no_form(rule))
            text +=
                printable(fmt::format("{}: {} is faster, but cannot be written to this file: {}.",
                                      region_text(region_of(rule)), rule.algorithm, to_text(rule.why_not))) +
                "\n";
    const std::string path = printable(outcome.path);
    if (outcome.written == 0 && !outcome.replaces)
        return text +
               fmt::format("Keep {}: {} was not written.{}\n",
                           outcome.in_use.empty() ? "the default of the library" : printable(outcome.in_use),
                           path, why_no_choice_for_all(outcome.path));
    const std::string rules = count_of(outcome.written, "rule") +
                              (outcome.in_use.empty() ? "" : ", instead of " + printable(outcome.in_use));
    if (!outcome.candidate.empty())
        return text +
               fmt::format("{}: {}, not verified{}\n", printable(outcome.candidate), rules,
                           outcome.found.empty() ? "." : ":") +
               indented(outcome.found) +
               fmt::format("{} was not written. Check the candidate before anybody uses it: {}\n", path,
                           printable(verify_command(outcome.candidate, outcome.ranks, outcome.launcher)));
    return text +
           fmt::format(
               "{}: {}. The library reads the file. With it, in launches in turns with and without it:\n",
               path, rules) +
           indented(outcome.found) + lines_of_use(outcome);
}

} // namespace skampi
