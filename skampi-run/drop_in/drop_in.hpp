// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "drop_in/osu_text.hpp"
#include "model/suite.hpp"
#include "store/database.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace skampi {

/// A program of another suite as it was called: what is measured in its place, and what it prints.
struct DropIn {
    std::string program;                 ///< "osu_allreduce"
    bool keeps_database = true;          ///< --no-database
    std::optional<std::string> database; ///< --database
    /// The parameter file for so many ranks. @throws InputError where the program needs another number
    std::function<std::string(int ranks)> plan;
    /// Its output, of the run of that plan.
    std::function<std::string(const Database& database, RunId run)> output;
};

/// @param argv without the name of the program
/// @throws OptionsEnd for --help, --version and mistakes
[[nodiscard]] DropIn osu_command(const OsuProgram& program, std::vector<std::string> argv,
                                 std::span<const OperationInfo> operations);
/// IMB-MPI1.
[[nodiscard]] DropIn imb_command(const std::vector<std::string>& argv,
                                 std::span<const OperationInfo> operations);

/// Ends a program whose command line is wrong. @throws OptionsEnd
[[noreturn]] void refuse_words(const std::string& program, const std::string& what);
/// The number behind an option. @throws OptionsEnd
[[nodiscard]] std::int64_t number_behind(const std::string& program, const std::string& option,
                                         const std::string& word, std::int64_t least, std::int64_t most);

/// A suite of such a plan.
struct DropInSuite {
    std::string name;
    std::string operation;
    int ranks = 0;
    std::int64_t first_bytes = 0;
    std::int64_t last_bytes = 0;  ///< twice, four times, ... the first
    std::int64_t multiple_of = 1; ///< with first_bytes = 0 the length behind it
    std::string datatype = {};
    std::optional<std::int64_t> repetitions = {}; ///< most
};
struct DropInTiming {
    std::string memory;     ///< @MEMORY
    bool each_call = false; ///< short calls are not timed in blocks
};
/// Measured as OSU and IMB do: collectives behind a barrier, each call timed for itself; the mean of all
/// single measurements, over all ranks.
[[nodiscard]] std::string drop_in_plan(const std::vector<DropInSuite>& suites, const DropInTiming& timing,
                                       std::span<const OperationInfo> operations);

/// The row of an operation. @throws InputError where the MPI library has none
[[nodiscard]] const OperationInfo& operation_called(const std::string& name, const std::string& program,
                                                    std::span<const OperationInfo> operations);

/// The measurements of a suite that have a time.
[[nodiscard]] std::vector<StoredMeasurement> timed_points(const Database& database, SuiteId suite);

} // namespace skampi
