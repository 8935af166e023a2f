// SPDX-License-Identifier: LGPL-2.1-or-later
#include "drop_in/drop_in.hpp"

#include "base/error.hpp"
#include "base/file.hpp"
#include "base/text.hpp"
#include "model/field_text.hpp"
#include "model/pattern.hpp"
#include "options.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace skampi {
namespace {

constexpr std::int64_t usual_least_repetitions = 16;

/// Those of the system: OSU and IMB ask for no large ones.
const char* pages() {
    const std::string setting = file_text("/sys/kernel/mm/transparent_hugepage/enabled");
    return setting.find("[always]") != std::string::npos ? "warm" : "warm-4k";
}

bool has(const OperationInfo& operation, Parameter parameter) {
    return std::ranges::find(operation.parameters, parameter) != operation.parameters.end();
}

std::string block_of(const DropInSuite& suite, const OperationInfo& operation) {
    std::string block = fmt::format("{}\n{{\n    Type = {};\n    Cut_Quantile = 0;\n    Buffers = {};\n",
                                    suite.name, operation.name, pages());
    const bool varies_length =
        std::ranges::find(operation.varied, Varied::message_length) != operation.varied.end();
    if (varies_length)
        block += fmt::format("    Variation = Length;\n    Scale = Fixed_log;\n    Start_Argument = {};\n"
                             "    End_Argument = {};\n    Stepwidth = 2;\n    Multiple_of = {};\n",
                             suite.first_bytes, suite.last_bytes, suite.multiple_of);
    else
        block += "    Variation = No_Variation;\n";
    if (row_of(operation.pattern).starts_together)
        block += fmt::format("    Nodes = {};\n    Synchronization = barrier-before;\n"
                             "    Reported_Time = mean;\n    Node_Times = yes;\n",
                             suite.ranks);
    if (has(operation, Parameter::datatype))
        block += fmt::format("    Datatype = {};\n", suite.datatype);
    if (has(operation, Parameter::reduction))
        block += "    Reduction = MPI_SUM;\n";
    if (suite.repetitions)
        block += fmt::format("    Min_Repetition = {};\n    Max_Repetition = {};\n",
                             std::min(*suite.repetitions, usual_least_repetitions), *suite.repetitions);
    return block + "}\n";
}

} // namespace

std::string drop_in_plan(const std::vector<DropInSuite>& suites, const DropInTiming& timing,
                         std::span<const OperationInfo> operations) {
    std::string blocks;
    bool times_each_call = timing.each_call;
    for (const DropInSuite& suite : suites) {
        const OperationInfo& operation = operation_called(suite.operation, suite.name, operations);
        blocks += block_of(suite, operation);
        times_each_call = times_each_call || !row_of(operation.pattern).in_blocks;
    }
    // The clock is in the time of each call that is timed for itself, as it is there.
    return fmt::format("@MEMORY {}\n@RESOLUTION {}\n@ABSOLUTE {}\n@MEASUREMENTS\n{}", timing.memory,
                       timing.each_call ? 100 : 1, times_each_call ? "yes" : "no", blocks);
}

void refuse_words(const std::string& program, const std::string& what) {
    throw OptionsEnd{2, fmt::format("{}: {} (see {} -h)\n", program, printable(what), program)};
}

std::int64_t number_behind(const std::string& program, const std::string& option, const std::string& word,
                           std::int64_t least, std::int64_t most) {
    const std::optional<std::int64_t> value = integer_from(word);
    if (!value || *value < least || *value > most)
        refuse_words(program, fmt::format("{}: found \"{}\", expected a whole number from {} to {}", option,
                                          word, least, most));
    return *value;
}

const OperationInfo& operation_called(const std::string& name, const std::string& program,
                                      std::span<const OperationInfo> operations) {
    const auto found = std::ranges::find(operations, name, &OperationInfo::name);
    if (found == operations.end())
        throw InputError(fmt::format("{}: this MPI library has no {}", program, name));
    return *found;
}

std::vector<StoredMeasurement> timed_points(const Database& database, SuiteId suite) {
    std::vector<StoredMeasurement> points = database.measurements(suite);
    std::erase_if(points, [](const StoredMeasurement& each) {
        return !each.finished ||
               (!has_value(each.measurement) && !has(each.measurement.flags, Flag::wrong_result));
    });
    return points;
}

} // namespace skampi
