// SPDX-License-Identifier: GPL-2.0-or-later
#include "words/contract_words.hpp"

#include "model/launch_command.hpp"
#include "model/quantity.hpp"
#include "words/contest_words.hpp"
#include "words/next_step.hpp"
#include "words/suite_words.hpp"

#include "base/text.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <map>

namespace skampi {

namespace {

constexpr std::size_t longest_text = 100;

std::string launches_text(const PromiseFinding& finding) {
    const Statement& statement = finding.statement;
    if (statement.reference == 0 || (finding.curve && finding.curve->simulated))
        return {};
    return count_of(statement.reference, "launch", "launches") +
           (statement.outliers > 0 ? fmt::format(", {} left out", statement.outliers) : "");
}

std::string open_reason(const PromiseFinding& finding) {
    if (!finding.found.empty())
        return finding.found;
    switch (finding.missing) {
    case NotMeasured::none:
        break;
    case NotMeasured::value:
        return "it has no value";
    case NotMeasured::ranks:
        return fmt::format("not measured on {}", count_of(*finding.promise->ranks, "rank"));
    case NotMeasured::length:
        return fmt::format("not measured at {}", format_bytes(*finding.promise->bytes));
    }
    if (finding.statement.why == Why::none || finding.statement.why == Why::scatter)
        return "the interval holds the limit";
    return reason_text(finding.statement.why);
}

/// Of each promise the worst of its suites: by its line.
std::map<std::size_t, GateOutcome> outcomes(const std::vector<PromiseFinding>& findings) {
    std::map<std::size_t, GateOutcome> found;
    for (const PromiseFinding& each : findings) {
        GateOutcome& outcome = found.try_emplace(each.promise->line, each.outcome).first->second;
        if (outcome == GateOutcome::passed || each.outcome == GateOutcome::failed)
            outcome = each.outcome;
    }
    return found;
}

} // namespace

std::string promised_text(const Promise& promise, double value) {
    if (std::isnan(value))
        return promise.of_links() ? "" : "unknown";
    const bool bandwidth =
        promise.quantity == PromisedQuantity::bandwidth || promise.quantity == PromisedQuantity::bisection;
    return bandwidth ? format_bandwidth(value) : format_time(value);
}

std::string promise_interval(const PromiseFinding& finding) {
    if (std::isnan(finding.low))
        return {};
    constexpr double widest = 100; // as good as nothing
    if (!(finding.high < widest * finding.low))
        return "unknown";
    return promised_text(*finding.promise, finding.low) + " to " +
           promised_text(*finding.promise, finding.high);
}

std::string promise_word(GateOutcome outcome) {
    switch (outcome) {
    case GateOutcome::passed:
        return "kept";
    case GateOutcome::failed:
        return "broken";
    case GateOutcome::open:
        break;
    }
    return "open";
}

std::string promise_verdict(const PromiseFinding& finding) {
    const std::string reason = finding.outcome == GateOutcome::open ? open_reason(finding) : finding.found;
    return promise_word(finding.outcome) + (reason.empty() ? "" : ": " + reason);
}

std::string promise_message(const PromiseFinding& finding) {
    const std::string promised = shortened(finding.promise->text, longest_text);
    if (!finding.found.empty())
        return fmt::format("{}: {}: {}", promise_word(finding.outcome), promised, finding.found);
    std::string text = fmt::format("{}: {}", promise_verdict(finding), promised);
    if (finding.curve && title_of(*finding.curve) != finding.promise->name)
        text += fmt::format(" in {}", shortened_name(title_of(*finding.curve), 40));
    if (std::isnan(finding.measured))
        return text;
    text += ": " + promised_text(*finding.promise, finding.measured);
    std::vector<std::string> details;
    for (std::string each : {promise_interval(finding), launches_text(finding)})
        if (!each.empty())
            details.push_back(std::move(each));
    if (!details.empty())
        text += fmt::format(" ({})", fmt::join(details, ", "));
    if (finding.needed)
        text += fmt::format("; {} would decide it", count_of(*finding.needed, "launch", "launches"));
    return text;
}

std::vector<std::string> promise_lines(const std::vector<PromiseFinding>& findings, GateOutcome outcome) {
    std::vector<std::string> lines;
    for (const PromiseFinding& each : findings)
        if (each.outcome == outcome)
            lines.push_back(printable(promise_message(each)));
    return lines;
}

TextAndCommand contract_answer(const std::vector<PromiseFinding>& findings) {
    const std::map<std::size_t, GateOutcome> promises = outcomes(findings);
    std::vector<std::string> counts; // the gravest first
    std::string gravest;
    for (const GateOutcome outcome : {GateOutcome::failed, GateOutcome::open, GateOutcome::passed}) {
        const std::string word = promise_word(outcome);
        const auto count =
            std::ranges::count(promises, outcome, [](const auto& each) { return each.second; });
        if (count == 0)
            continue;
        gravest = gravest.empty() ? word : gravest;
        counts.push_back(fmt::format("{} {} {}", count, count == 1 ? "is" : "are", word));
    }
    std::string text = fmt::format("The contract is {}: of {} {}.", gravest,
                                   count_of(promises.size(), "promise"), enumeration(counts));
    const PromiseFinding* wanted = nullptr; // that takes most launches
    for (const PromiseFinding& each : findings)
        if (each.outcome == GateOutcome::open && each.subject && each.subject->run && each.more_launches() &&
            (!wanted || *each.more_launches() > *wanted->more_launches()))
            wanted = &each;
    if (!wanted)
        return {std::move(text)};
    const Subject& subject = *wanted->subject;
    const bool added = takes_more_launches(subject);
    const std::size_t more = *wanted->more_launches();
    std::string command = launch_command(*subject.run, subject.run->ranks, added ? more : more + wanted->made,
                                         added ? subject.path : next_database(subject.path));
    if (command.empty())
        return {std::move(text)};
    return {text + " To decide what is open, more launches:", std::move(command)};
}

} // namespace skampi
