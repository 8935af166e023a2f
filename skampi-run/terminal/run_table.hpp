#pragma once

#include "store/database.hpp"

#include <array>
#include <cstddef>
#include <string>
#include <vector>

namespace skampi {

/// The results of a suite in words: its name, its values at the smallest and the largest argument, the
/// bandwidth at the largest, the standard error of its values within the run, and how many of them are
/// flagged. Where it has no value, its state stands in the second place.
using SuiteRow = std::array<std::string, 6>;

[[nodiscard]] SuiteRow suite_row(const Database& database, const StoredSuite& suite);

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
