// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "store/database.hpp"

#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace skampi {

/// The results of a suite in words: its name, its values at the smallest and the largest argument, the
/// bandwidth at the largest, the standard error of its values within the run, and how many of them are
/// flagged. Where it has no value, its state stands in the second place.
using SuiteRow = std::array<std::string, 6>;

[[nodiscard]] SuiteRow suite_row(const Database& database, const StoredSuite& suite);

/// Names of the columns of a table for programs.
[[nodiscard]] std::string point_header();
/// A value and its error as a line of it: words without blanks, `nan` for a missing number, no line end.
/// @param low_s, high_s ends of the error of this kind; not a number = it is not known
[[nodiscard]] std::string point_line(const Suite& suite, const Measurement& measurement, double low_s,
                                     double high_s, std::string_view error);
/// The line of a suite that failed or has no value: its state in place of flags.
[[nodiscard]] std::string state_line(const StoredSuite& suite);

/// What a suite found, for readers and for programs.
struct SuiteResult {
    int place = 0; ///< of the suite in the run, from 1
    SuiteRow row;
    std::vector<std::string> lines; ///< a point_line() of each of its values: +- standard error in the run
};
[[nodiscard]] SuiteResult suite_result(const Database& database, const StoredSuite& suite);

/// The lines of a table whose rows become known one after the other, as suites end. Its columns are as wide
/// as numbers become. On few columns a name stands above its values, on fewer each value on its own.
class RunTable {
public:
    /// @param longest_name of the run's suites, in characters   @param columns of the terminal
    RunTable(std::size_t longest_name, int columns);
    [[nodiscard]] std::string header() const;
    /// @param place of the suite in the run, from 1: in place of what does not fit of its name
    [[nodiscard]] std::string lines(SuiteRow row, int place) const;

private:
    [[nodiscard]] std::string line_of(const SuiteRow& row, std::size_t first) const;

    std::size_t room_;
    std::vector<std::size_t> widths_;
    bool names_beside_ = false;
    bool in_a_line_ = false;
};

/// What is measured: library, ranks, hosts, file.
[[nodiscard]] std::string run_title(const Run& run, const std::string& database);
/// The text after the table: the meaning of values and marks, flagged values and remedies, and the next
/// command.
/// @param run uuid   @return empty where the database has no such run
[[nodiscard]] std::string run_footer(const Database& database, const std::string& run, int columns);

} // namespace skampi
