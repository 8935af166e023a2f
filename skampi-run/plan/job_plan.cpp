// SPDX-License-Identifier: LGPL-2.1-or-later
#include "plan/job_plan.hpp"

#include "base/error.hpp"
#include "base/suggestion.hpp"
#include "base/text.hpp"
#include "model/launch_command.hpp"
#include "model/run.hpp"
#include "plan/argument_meaning.hpp"
#include "spec/datatypes.hpp"
#include "spec/parser.hpp"
#include "spec/plan.hpp"
#include "spec/quick_file.hpp"
#include "spec/text_file.hpp"
#include "store/database.hpp"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <fnmatch.h>
#include <iterator>
#include <numeric>
#include <set>
#include <utility>

namespace skampi {
namespace {

bool asks_for_all(const Suite& suite) {
    return suite.algorithm == every_algorithm;
}

/// One suite of those that `Algorithm = all` stands for, named as if the file had listed it.
Suite with_algorithm(Suite suite, const std::string& word) {
    const std::string choice = fmt::format("Algorithm = {}", word);
    if (suite.name == suite.family)
        suite.name += fmt::format(" ({})", choice);
    else // "A (Nodes = 2)"
        suite.name.insert(suite.name.size() - 1, ", " + choice);
    suite.algorithm = word == default_algorithm ? std::string() : word;
    return suite;
}

/// Why an algorithm cannot work in a suite; empty = no known reason.
std::string obstacle(const AlgorithmChoice& choice, const Suite& suite, int ranks_there) {
    if (choice.acts == Acts::launch)
        return "it can be chosen for a whole launch only";
    // Where their number is varied, 2 are as many as any need of numbers allows.
    const int ranks = suite.varied == Varied::nodes ? 2 : ranks_of(suite, ranks_there);
    if (!works_with(choice.need, ranks) || (choice.need == Need::in_place && !suite.in_place))
        return fmt::format("it needs: {}", to_text(choice.need));
    return {};
}

InputError refusal(const ParameterFile& plan, const Suite& suite, const std::string& why) {
    return InputError(printable(
        fmt::format("{}: suite \"{}\": Algorithm = {}: {}", plan.name, suite.name, suite.algorithm, why)));
}

/// The suites that `Algorithm = all` stands for in one.
std::vector<Suite> with_all_algorithms(const Suite& suite, const std::vector<AlgorithmChoice>& choices,
                                       int ranks_there, std::vector<std::string>& left_out) {
    std::vector<Suite> suites{with_algorithm(suite, std::string(default_algorithm))};
    std::set<std::string> words;
    for (const AlgorithmChoice& choice : choices) {
        if (!words.insert(choice.word).second)
            continue;
        if (const std::string why = obstacle(choice, suite, ranks_there); !why.empty())
            left_out.push_back(
                fmt::format("{}: the algorithm {} is left out: {}", suite.name, choice.word, why));
        else
            suites.push_back(with_algorithm(suite, choice.word));
    }
    return suites;
}

/// Whether --suite names it, or is a pattern of its name.
bool selects(const std::string& glob, const Suite& suite) {
    return suite.name == glob || fnmatch(glob.c_str(), suite.name.c_str(), 0) == 0;
}

} // namespace

PlanText read_plan_text(const std::string& file, bool in_turns) {
    if (file.empty())
        return {built_in_parameter_file,
                std::string(in_turns ? quick_parameter_file_in_turns() : quick_parameter_file())};
    if (is_database_file(file))
        throw InputError(fmt::format("{0}: a result database, expected a parameter file; `skampi-report {1}` "
                                     "reads it, `skampi-run FILE -d {1}` adds to it",
                                     printable(file), as_typed(file)));
    if (file.ends_with(".db") && !std::filesystem::exists(file))
        throw InputError(
            fmt::format("{}: no such file, expected a parameter file; the file for results is -d {}",
                        printable(file), as_typed(file)));
    return {file, read_text_file(file)};
}

ParameterFile read_plan(const PlanText& text, std::span<const OperationInfo> operations,
                        const std::vector<std::string>& globs) {
    ParameterFile plan = parse_parameter_file(text.name, text.text, operations);
    std::vector<std::string_view> names;
    for (const Suite& suite : plan.suites)
        names.push_back(suite.name);
    for (const std::string& glob : globs) {
        if (std::ranges::none_of(plan.suites, [&](const Suite& suite) { return selects(glob, suite); }))
            throw InputError(
                fmt::format("{}: no suite matches --suite \"{}\"{}; `skampi-run check{}` lists them",
                            printable(plan.name), printable(glob), printable(did_you_mean(glob, names)),
                            plan.name == built_in_parameter_file ? "" : " " + as_typed(plan.name)));
    }
    if (!globs.empty())
        std::erase_if(plan.suites, [&](const Suite& suite) {
            return std::ranges::none_of(globs, [&](const std::string& glob) { return selects(glob, suite); });
        });
    return plan;
}

std::string database_path(const std::optional<std::string>& option, const ParameterFile& plan) {
    std::string path = option ? *option : plan.outfile.empty() ? "skampi.db" : plan.outfile;
    std::error_code error;
    if (std::filesystem::is_directory(path, error))
        throw InputError(fmt::format("{0}: a directory, expected a result file, such as {1}", printable(path),
                                     as_typed((std::filesystem::path(path) / "skampi.db").string())));
    return path;
}

std::vector<std::string> fit_to_machine(ParameterFile& plan, int ranks_there,
                                        const LimitOfSuite& limit_of_suite) {
    std::vector<std::string> changes;
    for (Suite& suite : plan.suites) {
        skalib::RefinementLimits& arguments = suite.arguments;
        const auto cap = [&](std::int64_t most, const std::string& why, bool expected = true) {
            if (!suite.end_is_max && arguments.end <= most)
                return;
            if (!suite.end_is_max)
                changes.push_back(fmt::format("{}: arguments end at {} instead of {}: {}", suite.name, most,
                                              arguments.end, why));
            else if (!expected)
                changes.push_back(fmt::format("{}: arguments end at {}: {}", suite.name, most, why));
            arguments.end = most;
            suite.end_is_max = false;
        };
        // From the table, not from MPI: the supervisor plans, too, and never initialises MPI.
        const auto type_bytes = static_cast<int>(find_datatype(suite.datatype)->bytes);
        if (suite.operation.single_element)
            suite.message_bytes = type_bytes;
        switch (suite.varied) {
        case Varied::none:
            arguments.start = arguments.end = suite.message_bytes;
            suite.end_is_max = false;
            break;
        case Varied::message_length: {
            const int ranks = meaning_of(suite, 0, ranks_there).ranks;
            arguments.multiple_of = std::lcm(std::max<std::int64_t>(arguments.multiple_of, 1), type_bytes);
            arguments.start = (arguments.start + type_bytes - 1) / type_bytes * type_bytes;
            const MessageLimit limit = limit_of_suite(suite, ranks, plan.memory_bytes, type_bytes);
            cap(limit.bytes, limit.reason, limit.by_memory);
            arguments.end = arguments.end / type_bytes * type_bytes;
            break;
        }
        case Varied::nodes:
            cap(ranks_there, fmt::format("the run has {} ranks", ranks_there));
            arguments.start = std::min<std::int64_t>(arguments.start, arguments.end);
            break;
        case Varied::chunks: {
            Suite any_number = suite; // a range without a multiple is refused when the suite begins
            any_number.arguments.multiple_of = 1;
            if (const auto resolved = resolved_arguments(any_number, ranks_there, plan.memory_bytes)) {
                arguments.start = resolved->start;
                arguments.end = resolved->end;
                suite.end_is_max = false;
            }
            break;
        }
        case Varied::argument:
            break;
        }
        arguments.end = std::max(arguments.start, arguments.end);
        arguments.stepwidth = skalib::stepwidth_of(arguments);
    }
    return changes;
}

bool asks_for_algorithms(const ParameterFile& plan) {
    return std::ranges::any_of(plan.suites, [](const Suite& suite) { return !suite.algorithm.empty(); });
}

std::vector<std::string> resolve_algorithms(ParameterFile& plan, const AlgorithmList& offered,
                                            int ranks_there) {
    std::vector<std::string> left_out;
    if (std::ranges::any_of(plan.suites, asks_for_all))
        plan.hash_as_written = plan_hash(plan);
    std::vector<Suite> suites;
    for (const Suite& suite : plan.suites) {
        if (suite.algorithm.empty()) {
            suites.push_back(suite);
            continue;
        }
        if (!offered.refusal.empty())
            throw refusal(plan, suite, offered.refusal);
        const std::string& operation = suite.operation.name;
        const std::vector<AlgorithmChoice> choices = choices_of(offered, operation);
        const AlgorithmChoice* const choice = find_choice(offered, operation, suite.algorithm);
        if (choices.empty() || (choice == nullptr && !asks_for_all(suite)))
            throw refusal(plan, suite, unknown_word(offered, operation, suite.algorithm));
        if (asks_for_all(suite)) {
            std::ranges::move(with_all_algorithms(suite, choices, ranks_there, left_out),
                              std::back_inserter(suites));
            continue;
        }
        if (const std::string why = obstacle(*choice, suite, ranks_there); !why.empty())
            throw refusal(plan, suite, why);
        suites.push_back(suite);
    }
    std::set<std::string> names;
    for (const Suite& suite : suites)
        if (!names.insert(suite.name).second)
            throw InputError(fmt::format("{}: found the suite name \"{}\" twice, once of Algorithm = all, "
                                         "expected each name once",
                                         printable(plan.name), printable(suite.name)));
    plan.suites = std::move(suites);
    return left_out;
}

} // namespace skampi
