// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tune/tune_plan.hpp"

#include "base/error.hpp"
#include "base/text.hpp"
#include "plan/job_plan.hpp"
#include "tuning/units.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <string_view>

namespace skampi {

namespace {

/// Of MPI_DOUBLE, of which reductions are measured.
constexpr std::int64_t element_bytes = 8;

bool has_reduction(const OperationInfo& operation) {
    return std::ranges::find(operation.parameters, Parameter::reduction) != operation.parameters.end();
}

bool over_message_length(const OperationInfo& operation) {
    return std::ranges::find(operation.varied, Varied::message_length) != operation.varied.end();
}

std::string elements(const OperationInfo& operation) {
    return has_reduction(operation)
               ? fmt::format(" Datatype = MPI_DOUBLE; Reduction = MPI_SUM; Multiple_of = {};", element_bytes)
               : std::string();
}

constexpr double shortest_border_s = 0.2; ///< for a single length

} // namespace

void check_tune_plan(const ParameterFile& plan) {
    for (const Suite& suite : plan.suites)
        if (!suite.algorithm.empty() && suite.varied != Varied::message_length &&
            suite.varied != Varied::none)
            throw InputError(fmt::format(
                "{}: suite {}: found algorithms compared over the {}, expected Variation = {}: the rules of a "
                "library are over the message length",
                printable(plan.name), printable(suite.name),
                suite.varied == Varied::nodes ? "number of ranks" : to_text(suite.varied),
                over_message_length(suite.operation) ? "Length" : "No_Variation"));
    if (!asks_for_algorithms(plan))
        throw InputError(
            fmt::format("{}: found no suite with the key Algorithm, expected Algorithm = all; in "
                        "each suite to tune",
                        printable(plan.name)));
}

std::string tune_plan(const std::vector<OperationInfo>& operations, const std::vector<WantedLength>& borders,
                      bool simulated) {
    // Simulated calls do not scatter, and each length takes time.
    const std::string_view few =
        simulated ? " Scale = Fixed_log; Min_Repetition = 2; Max_Repetition = 2; Passes = 1;" : "";
    std::string text = "Algorithms of the MPI library, for a tuning file: written by skampi-run tune.\n"
                       "@MEMORY 256 MiB\n@TIMESUITEDEFAULT 2 s\n@MEASUREMENTS\n";
    for (const OperationInfo& operation : operations) {
        const std::int64_t unit = has_reduction(operation) ? element_bytes : 1;
        text +=
            over_message_length(operation)
                ? fmt::format("{0}-algorithms {{ Type = {0}; Algorithm = all;{1} Start_Argument = {2}; "
                              "End_Argument = 1MiB;{3} }}\n",
                              operation.name, elements(operation), unit, few)
                : fmt::format("{0}-algorithms {{ Type = {0}; Algorithm = all; Variation = No_Variation; }}\n",
                              operation.name);
    }
    for (const WantedLength& border : borders) {
        const auto operation = std::ranges::find(operations, border.operation, &OperationInfo::name);
        if (operation != operations.end())
            text += fmt::format("{0}-at-{1} {{ Type = {0}; Algorithm = {2};{3} Start_Argument = {1}; "
                                "End_Argument = {1}; Time_Suite = {4} s; }}\n",
                                border.operation, border.bytes, fmt::join(border.words, ", "),
                                elements(*operation), shortest_border_s);
    }
    return text;
}

std::size_t add_borders(std::vector<WantedLength>& borders, const std::vector<WantedLength>& wanted,
                        std::size_t most) {
    std::map<std::string, std::size_t> added;
    std::size_t all = 0;
    for (WantedLength each : wanted) {
        if (combines(each.operation))
            each.bytes = std::max(element_bytes, each.bytes / element_bytes * element_bytes);
        const bool known = std::ranges::any_of(borders, [&](const WantedLength& other) {
            return other.operation == each.operation && other.bytes == each.bytes;
        });
        if (known || added[each.operation] >= most)
            continue;
        ++added[each.operation];
        ++all;
        borders.push_back(std::move(each));
    }
    return all;
}

} // namespace skampi
