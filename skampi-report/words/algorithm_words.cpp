// SPDX-License-Identifier: GPL-2.0-or-later
#include "words/algorithm_words.hpp"

#include "model/launch_command.hpp"
#include "model/quantity.hpp"
#include "words/next_step.hpp"

#include "base/text.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <iterator>
#include <map>
#include <set>
#include <string_view>
#include <utility>

namespace skampi {

namespace {

constexpr std::size_t word_characters = 60;
constexpr auto launches_wanted = static_cast<std::size_t>(launches_for_a_rule);

std::string algorithm_name(const std::string& word) {
    return word.empty() ? std::string("the default") : shortened_name(word, word_characters);
}

std::string operation_on(const std::string& operation, std::int64_t low, std::int64_t high) {
    const std::string ranks = low == high ? count_of(low, "rank") : fmt::format("{} to {} ranks", low, high);
    return fmt::format("{} with {}", shortened_name(operation, word_characters), ranks);
}

std::string faster(double gain) {
    return slower_text(1 / (1 + gain));
}

/// What is open in some rules.
bool is_open(const TuningRule& rule) {
    return rule.why_not == WhyNot::undecided || rule.why_not == WhyNot::few_launches;
}

/// With so few launches neither the default nor another algorithm is known to be the faster one.
bool is_of_few(const TuningRule& rule) {
    return rule.why_not == WhyNot::few_launches;
}

/// "3 of 6 launches were disturbed by other work on the cores, so the result is uncertain."; empty where none
/// was.
std::string disturbed_sentence(const AlgorithmFindings& found) {
    const AlgorithmGroup* const worst = most_disturbed(found.study);
    return !worst
               ? std::string()
               : fmt::format("{} of {} {} disturbed by other work on the cores, so the result is uncertain.",
                             worst->disturbed, count_of(worst->launches, "launch", "launches"),
                             worst->disturbed == 1 ? "was" : "were");
}

std::string in_words(const TuningRule& rule) {
    return fmt::format("{} is {}{}", algorithm_name(rule.algorithm), gain_text(rule),
                       where_text(rule.bytes_low, rule.bytes_high));
}

/// "unknown: 3 launches, 5 are needed (in these a was 34 % faster from 64 B to 860 B)"
std::string few_text(const TuningRule& rule, const std::vector<std::string>& found) {
    return fmt::format("unknown: {}, {} are needed{}", count_of(rule.launches, "launch", "launches"),
                       launches_for_a_rule,
                       found.empty() ? ""
                                     : fmt::format(" (in {} {})", rule.launches == 1 ? "it" : "these",
                                                   fmt::join(found, ", ")));
}

std::string was_text(const TuningRule& rule) {
    return fmt::format("{} was {}", algorithm_name(rule.algorithm), faster(rule.gain));
}

/// Of a few launches a shorter region, and what was no faster, is chance.
bool tells_of_few(const TuningRule& rule) {
    return rule.gain > 0 && rule.bytes_high / 2 >= rule.bytes_low;
}

} // namespace

std::string why_text(const TuningRule& rule, double gain) {
    const std::string name = algorithm_name(rule.algorithm);
    switch (rule.why_not) {
    case WhyNot::none:
        return {};
    case WhyNot::default_is_best:
        return fmt::format("nothing is {} faster", format_percent(gain));
    case WhyNot::undecided:
        return fmt::format("{} may be {}, and may be no faster; more launches decide it", name,
                           faster(rule.gain));
    case WhyNot::few_launches:
        return few_text(rule, {was_text(rule)});
    case WhyNot::short_region:
        return fmt::format("{} is {} over less than an octave", name, faster(rule.gain));
    case WhyNot::not_faster_when_checked:
        return fmt::format("{} was not shown to be faster when it was checked", name);
    case WhyNot::faulty_when_checked:
        return fmt::format("{} failed or delivered wrong data when it was checked", name);
    default: // of the format
        return fmt::format("{} is {}, but cannot be written to this file: {}", name, faster(rule.gain),
                           to_text(rule.why_not));
    }
}

std::vector<std::string> rule_lines(const std::vector<TuningRule>& rules, double gain) {
    std::vector<std::string> lines;
    std::set<std::pair<std::string, std::int64_t>> done;
    for (const TuningRule& first : rules) {
        if (!done.emplace(first.operation, first.ranks_low).second)
            continue;
        std::vector<std::string> parts;
        std::vector<std::string> open;
        std::vector<std::string> of_few;
        const TuningRule* few = nullptr;
        const bool between = first.ranks_low < first.ranks_high; // two numbers that were measured
        for (const TuningRule& rule : rules) {
            if (rule.operation != first.operation || rule.ranks_low != first.ranks_low)
                continue;
            if (between) {
                if (rule.written)
                    parts.push_back("a file takes " + algorithm_name(rule.algorithm) +
                                    where_text(rule.bytes_low, rule.bytes_high) + ", as on both sides");
            } else if (is_of_few(rule)) {
                few = &rule;
                if (tells_of_few(rule))
                    of_few.push_back(was_text(rule) + where_text(rule.bytes_low, rule.bytes_high));
            } else if (rule.written)
                parts.push_back(in_words(rule));
            else if (rule.why_not != WhyNot::default_is_best)
                open.push_back(
                    fmt::format("{}{}", why_text(rule, gain), where_text(rule.bytes_low, rule.bytes_high)));
        }
        if (between && parts.empty())
            continue;
        if (few)
            parts.push_back(few_text(*few, of_few));
        else if (parts.empty())
            parts.emplace_back("keep the default");
        parts.insert(parts.end(), open.begin(), open.end());
        lines.push_back(fmt::format("{}{}: {}.",
                                    operation_on(first.operation, first.ranks_low, first.ranks_high),
                                    between ? " (not measured)" : "", fmt::join(parts, "; ")));
    }
    return lines;
}

namespace {

/// "2 of 3 operations", "MPI_Bcast on 2 of 3 numbers of ranks": where something holds, of all that was
/// measured.
/// @param some how many; none = in all
std::string among_all(const AlgorithmFindings& found, std::optional<std::size_t> some) {
    std::set<std::string> operations;
    for (const AlgorithmWinners& each : found.winners)
        operations.insert(each.of->operation);
    const std::size_t all = found.winners.size();
    const std::string share = some ? fmt::format("{} of ", *some) : std::string();
    if (operations.size() == all)
        return share + count_of(all, "operation");
    if (operations.size() == 1)
        return fmt::format("{} on {}{}", printable(*operations.begin()), share,
                           count_of(all, "number of ranks", "numbers of ranks"));
    return fmt::format("{}{} of an operation and a number of ranks", share, count_of(all, "pair"));
}

std::string answer_without_disturbances(const AlgorithmFindings& found) {
    std::size_t faster_ones = 0;
    const TuningRule* largest = nullptr;
    const std::vector<TuningRule> rules = tuning_rules(found.winners);
    for (const AlgorithmWinners& each : found.winners)
        faster_ones += each.keeps_default() ? 0 : 1;
    for (const TuningRule& rule : rules)
        if (rule.written && (!largest || rule.gain > largest->gain))
            largest = &rule;
    const std::string gain =
        largest == nullptr
            ? std::string()
            : fmt::format("{}: {} is {} than the default{}.",
                          operation_on(largest->operation, largest->ranks_low, largest->ranks_high),
                          algorithm_name(largest->algorithm), gain_text(*largest),
                          where_text(largest->bytes_low, largest->bytes_high));
    if (largest != nullptr && found.winners.size() == 1)
        return fmt::format("{}", fmt::join(rule_lines(rules, found.rule.gain), " "));
    if (!largest && !rules.empty() && std::ranges::all_of(rules, is_of_few))
        return fmt::format("Which algorithm is the fastest is unknown: {}, {} are needed.",
                           count_of(rules.front().launches, "launch", "launches"), launches_for_a_rule);
    if (!largest) {
        const bool open = std::ranges::any_of(rules, is_open);
        return fmt::format("Keep the default of the library: {} {} faster than it in {}.{}",
                           open ? "no algorithm is shown to be" : "no algorithm is",
                           format_percent(found.rule.gain), among_all(found, std::nullopt),
                           open ? " Some are open." : "");
    }
    return fmt::format(
        "Another algorithm is faster than the default of the library in {}. The largest gain: {}",
        among_all(found, faster_ones), gain);
}

/// What a library says of a call, without the functions that an error went through: "8 B: MPI_Allreduce
/// returned error class 15: Other MPI error, error stack: internal_Allreduce(128)....: ...
/// MPIR_Allreduce_impl(4570): not usable" is "8 B: MPI_Allreduce: not usable".
std::string without_error_stack(const std::string& why) {
    std::string text = why;
    const std::size_t end_of_name = why.find(" returned error class ");
    if (end_of_name != std::string::npos && why.find("error stack:", end_of_name) != std::string::npos) {
        std::size_t last = 0; // "function(line).....: "
        for (const std::string_view end : {"): ", ".: "})
            if (const std::size_t at = why.rfind(end); at != std::string::npos)
                last = std::max(last, at + end.size());
        if (last > end_of_name)
            text = why.substr(0, end_of_name) + ": " + why.substr(last);
    }
    const std::size_t when = text.rfind(", while an argument was prepared");
    return text.substr(0, when);
}

/// What makes the answer known: more launches, or undisturbed ones. Empty where it is known.
TextAndCommand launches_to_add(const AlgorithmFindings& found, const std::vector<TuningRule>& rules) {
    const AlgorithmStudy& study = found.study;
    const bool disturbed = !disturbed_sentence(found).empty();
    if (!disturbed && !std::ranges::any_of(rules, is_of_few))
        return {};
    std::size_t launches = 0;
    for (const AlgorithmGroup& group : study.groups)
        launches = std::max(launches, group.launches);
    const std::size_t missing =
        disturbed || launches >= launches_wanted ? launches_wanted : launches_wanted - launches;
    // What tune measured it plans itself; older launches of it do not say how it was called.
    const std::string command =
        study.file && !was_tuned(study.newest)
            ? std::string()
            : launch_command(study.newest, study.newest.ranks, missing,
                             disturbed ? next_database(study.database) : study.database);
    const std::string what =
        disturbed ? measure_undisturbed(study.newest) : std::string("More launches decide it");
    return {what + (command.empty() ? ": call the same skampi-run again with --fresh." : ":"), command};
}

} // namespace

std::string algorithms_answer(const AlgorithmFindings& found) {
    const std::string disturbed = disturbed_sentence(found);
    return answer_without_disturbances(found) + (disturbed.empty() ? "" : " ") + disturbed;
}

namespace {

/// "MPI_Bcast with 48 ranks: ompi and lr are as fast as mvapich2 (8 KiB to 1 MiB)."
std::vector<std::string> equal_winners(const AlgorithmWinners& winners, const std::string& name) {
    std::vector<std::string> remarks;
    for (const WinnerRegion& region : winners.regions) {
        if (region.as_fast.empty())
            continue;
        std::vector<std::string> words;
        for (const std::size_t member : region.as_fast)
            words.push_back(algorithm_name(winners.of->members[member].word));
        remarks.push_back(fmt::format(
            "{}: {} {} as fast as {} ({}).", name, enumeration(words), words.size() == 1 ? "is" : "are",
            algorithm_name(winners.of->members[region.candidate].word),
            lengths_text(winners.points[region.first].bytes, winners.points[region.last].bytes)));
    }
    return remarks;
}

} // namespace

std::vector<std::string> algorithm_remarks(const AlgorithmFindings& found) {
    std::vector<std::string> remarks;
    for (const AlgorithmWinners& each : found.winners) {
        const std::string name = operation_on(each.of->operation, each.of->ranks, each.of->ranks);
        std::ranges::move(equal_winners(each, name), std::back_inserter(remarks));
        std::vector<std::pair<std::string, std::string>> takes; // words, lengths
        for (const DefaultIs& range : each.default_is) {
            std::vector<std::string> words;
            for (const std::string& word : range.words)
                words.push_back(algorithm_name(word));
            const std::string lengths = lengths_text(range.bytes_low, range.bytes_high);
            if (std::string name_now = fmt::format("{}", fmt::join(words, " or "));
                !takes.empty() && takes.back().first == name_now)
                takes.back().second += ", " + lengths;
            else
                takes.emplace_back(std::move(name_now), lengths);
        }
        std::vector<std::string> ranges;
        for (const auto& [words, lengths] : takes)
            ranges.push_back(fmt::format("{} ({})", words, lengths));
        const bool enough = each.of->simulated || each.of->launches >= launches_wanted;
        if (!ranges.empty() && enough)
            remarks.push_back(fmt::format("{}: the default is as fast as {}, and may be the same there.",
                                          name, fmt::join(ranges, ", ")));
        for (const OpenBorder& border : each.open_borders) {
            const auto above = std::ranges::upper_bound(each.points, border.bytes, {}, &WinnerPoint::bytes);
            constexpr std::int64_t far_apart = 8;
            if (above == each.points.begin() || above == each.points.end())
                continue;
            const auto below = std::prev(above);
            if (above->bytes >= far_apart * std::max<std::int64_t>(1, below->bytes))
                remarks.push_back(
                    fmt::format("{}: no length between {} and {} was measured, so it is not known "
                                "from where on the choice is another one.",
                                name, format_length(below->bytes), format_length(above->bytes)));
        }
        std::vector<std::string> without;
        for (std::size_t m = 1; m < each.effects.size(); ++m)
            if (each.effects[m].lengths > 0 && each.effects[m].different == 0)
                without.push_back(algorithm_name(each.of->members[m].word));
        if (!without.empty() && without.size() + 1 == each.effects.size())
            remarks.push_back(
                fmt::format("{}: no algorithm takes another time than the default at any length: "
                            "the library may not act on the choice.",
                            name));
    }
    for (const ExcludedAlgorithm& each : found.study.wrong)
        remarks.push_back(fmt::format("{}: {} delivered wrong data and takes no part.",
                                      operation_on(each.operation, each.ranks, each.ranks),
                                      algorithm_name(each.word)));
    for (const auto& [each, why] : found.study.refused)
        remarks.push_back(fmt::format("{}: the library refused {} at {}.",
                                      operation_on(each.operation, each.ranks, each.ranks),
                                      algorithm_name(each.word), printable(without_error_stack(why))));
    if (found.study.other_runs > 0)
        remarks.push_back(fmt::format("{} of another library, other settings or other hosts {} no part.",
                                      count_of(found.study.other_runs, "run"),
                                      found.study.other_runs == 1 ? "takes" : "take"));
    if (found.study.crowded)
        remarks.emplace_back("Ranks share cores: these are times of the scheduler, and no file is written.");
    return remarks;
}

std::string algorithm_times_title(const AlgorithmGroup& group) {
    return fmt::format("Time of each algorithm by that of the default: {}",
                       operation_on(group.operation, group.ranks, group.ranks));
}

std::string algorithms_method(const AlgorithmFindings& found) {
    const bool simulated = found.winners.front().of->simulated;
    return fmt::format(
        "All algorithms were measured in turns in the same launches. A launch's ratio is the median, over the "
        "lengths of a range, of an algorithm's time by the default's in that launch. {} A faster algorithm is "
        "named where it gains at least {}.",
        simulated ? "Simulated launches do not scatter: one is enough."
                  : fmt::format("Intervals are those of the mean over launches; the chance of any false "
                                "statement about an operation is {}.",
                                format_percent(found.rule.error)),
        format_percent(found.rule.gain));
}

namespace {

/// "these rules"; of a file without lengths "one algorithm for all lengths of an operation (MPI_Bcast:
/// lr, 7.8 % faster)"
std::string what_it_holds(const TuningFile& file) {
    std::vector<std::string> choices;
    for (const TuningRule& rule : file.rules) {
        if (!rule.written)
            continue;
        if (rule.bytes_low > 0 || rule.bytes_high != any_length)
            return "these rules";
        choices.push_back(fmt::format("{}: {}, {}", shortened_name(rule.operation, word_characters),
                                      algorithm_name(rule.algorithm), gain_text(rule)));
    }
    return choices.empty()
               ? std::string("these rules")
               : fmt::format("one algorithm for all lengths of an operation ({})", fmt::join(choices, "; "));
}

/// ", also with -n 24 and -n 48", of further numbers of ranks with a rule; empty where there are none.
std::string other_ranks_text(const AlgorithmFindings& found) {
    std::set<int> others;
    for (const AlgorithmWinners& each : found.winners)
        if (!each.keeps_default() && each.of->ranks != found.study.newest.ranks)
            others.insert(each.of->ranks);
    std::vector<std::string> options;
    for (const int ranks : others)
        options.push_back(fmt::format("-n {}", ranks));
    return options.empty() ? std::string() : ", also with " + enumeration(options);
}

} // namespace

TextAndCommand algorithms_next_step(const AlgorithmFindings& found) {
    const std::vector<TuningRule> rules = tuning_rules(found.winners);
    const std::optional<TuningFile>& made = found.study.file;
    if (made && !made->path.empty())
        return {fmt::format("{} holds {}: skampi-run tune wrote it. Check it again at any time:", made->path,
                            what_it_holds(*made)),
                verify_command(made->path, found.study.newest)};
    if (made && std::ranges::any_of(made->rules, was_refuted))
        return {
            "skampi-run tune checked the faster algorithms at other lengths, where they were slower, failed or "
            "delivered wrong data: no file was written."};
    if (found.study.crowded) // more launches of that tell no more
        return {};
    if (TextAndCommand launches = launches_to_add(found, rules); !launches.empty())
        return launches;
    if (std::ranges::any_of(rules, &TuningRule::written)) {
        const std::string layer = layer_of_files(found);
        const char* file = layer.starts_with("open mpi")  ? "rules.conf"
                           : layer.starts_with("simgrid") ? "smpi.cfg"
                                                          : "tuning.json";
        return {fmt::format("For a file that the library reads: skampi-report {} -o {}. Then check it{}:",
                            for_shell(found.study.database), file, other_ranks_text(found)),
                verify_command(file, found.study.newest)};
    }
    if (std::ranges::any_of(rules, is_open))
        return {"More launches decide what is open: call the same skampi-run again with --fresh."};
    return {};
}

std::string tuning_file_note(int rules, const std::string& path, const Run& measured) {
    if (rules == 0)
        return fmt::format("Keep the default of the library: {} was not written.", printable(path));
    return fmt::format("{}: {}, not checked. Check it: {}", printable(path), count_of(rules, "rule"),
                       verify_command(path, measured));
}

} // namespace skampi
