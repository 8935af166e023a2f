// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "import/imported_runs.hpp"

#include <array>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace skampi {

/// What a column of a table is. Of several columns that are one thing, the first counts.
enum class Cell {
    not_kept, ///< a number
    any_word, ///< not kept either
    literal,  ///< the title itself, in each row
    part,     ///< a word: rows that differ in it are suites of their own ("group 0")
    test,     ///< likewise; it names the operation
    valid,    ///< "Fail" where the result is wrong, or "Pass"
    // Values: of several in a heading the first of these counts.
    time,      ///< of a call
    median,    ///< the value where there is no time
    alone,     ///< the operation without the computation in between
    bandwidth, ///< the value is the time per message
    message_rate,
    local_end,
    // Other numbers:
    local_start,
    global_start,
    global_end,
    smallest,
    largest,
    standard_deviation,
    computation, ///< in between
    defects,     ///< above 0 where the result is wrong
    // Whole numbers:
    bytes, ///< what is varied: this, or elements
    elements,
    count,    ///< of single measurements
    attempts, ///< those that failed included
    process,
    repetition,
    error_code,
};
constexpr std::size_t cell_kinds = static_cast<std::size_t>(Cell::error_code) + 1;

struct Column {
    std::string_view title; ///< in lower case, without blanks and the # of a comment; one * for any text
    Cell cell;
    double unit = 1; ///< in seconds, or in bytes per second, that 1 stands for
    std::optional<ReportedTime> whose = {};
};

/// What a program measures.
struct Test {
    std::string_view title;     ///< Title::test; one * for any text
    std::string_view operation; ///< empty = by the suite's own name
    Pattern pattern = Pattern::simple;
    Meaning meaning = Meaning::unknown;
    double trips =
        1; ///< the value is so many times the time printed, or that of a message: 2 of half a round trip
    int ranks = 0; ///< 0 = unknown
};

/// What a header line says: the words, then a value up to one of "( [ ] ) ; ," or the end of the line.
struct HeaderLine {
    std::string_view words; ///< with single blanks; if they end in a letter and one, the value is a word
    /// Of Suite, that it sets; "operation" = its value makes another operation.
    std::string_view field = {};
    std::string_view label = {};              ///< before the value in the suite's name
    std::string_view usual = {};              ///< this value is not in the name
    bool (*of)(const Suite& suite) = nullptr; ///< for which it has a meaning; none = for all
};

/// What a title line says.
struct Title {
    std::string name = {}; ///< of the suites
    std::string test = {}; ///< as in Test::title
    std::string version = {};
    int ranks = 0;              ///< 0 = the title does not say; a test's own come first
    bool of_output = false;     ///< it begins the output of another launch
    bool is_read = true;        ///< else the tables that follow are of a program that is not read
    std::string qualifier = {}; ///< part of the names and of the operation, unless a statement sets those
};

/// A program whose text is tables: rows of what its lines say.
struct Tool {
    std::string_view name; ///< begins the names of its suites
    /// None for a line that is no title. Without titles, headings begin tables, and marks headers.
    std::optional<Title> (*title)(std::string_view line);
    std::span<const Test> tests;        ///< others are collectives of MPI by their name, or unknown
    std::span<const Column> columns;    ///< those that are not listed are passed over
    std::span<const HeaderLine> header; ///< what else is said before a table
    std::span<const Column> row = {};   ///< the columns of tables that have no heading
    std::span<const std::string_view> given_up = {}; ///< words in a row that has no values
};

/// A row: the numbers of its columns.
struct Row {
    std::size_t line = 0; ///< where it stands
    std::vector<std::string> parts;
    std::string test;
    std::array<std::optional<Number>, cell_kinds> numbers; ///< in seconds, bytes per second, or as printed
    Flags flags = 0;

    [[nodiscard]] const std::optional<Number>& operator[](Cell cell) const {
        return numbers[static_cast<std::size_t>(cell)];
    }
};

/// The one loop over titles, statements, headings and rows. A row is numbers in all columns of its heading.
/// A table ends at the next title of any kind, at the next heading, at another statement, at the end.
class TableReader : public LineReader {
public:
    TableReader(const Importer& importer, const Tool& tool, const std::string& name, std::string_view text)
        : LineReader(importer, name, text)
        , tool_(tool) {}

protected:
    void take_line() override;
    void finish() override;
    /// The rows of one suite, in the file's order. @param suite that was begun for them
    virtual void add_rows(ImportedRun::ImportedSuite& suite, const std::vector<const Row*>& rows,
                          double trips);
    /// Whether a row shows that another launch begins, as it counts from the beginning again.
    [[nodiscard]] virtual bool begins_launch(const Row&) { return false; }
    [[nodiscard]] bool has(Cell cell) const;
    /// A row of values. @param step_s by which the value would differ with one more in the last digit
    [[nodiscard]] Measurement measurement_of(const Row& row, double trips, double& step_s) const;

private:
    struct Stated {
        const HeaderLine* statement;
        std::string value;
    };
    /// What a table's rows are of.
    struct Named {
        std::string name;
        Test test;
        std::string operation;
    };

    void begin_test(Title title);
    void begin_table(std::vector<Column> columns);
    void end_table();
    void add_suites();
    [[nodiscard]] std::vector<Column> columns_in_heading();
    [[nodiscard]] bool take_statements();
    void take_fact();
    void take_row_or_other();
    [[nodiscard]] bool take_row(Row& row) const;
    [[nodiscard]] bool take_given_up(Row& row) const;
    [[nodiscard]] bool is_cut_off() const;
    [[nodiscard]] Named named(const Row& row) const;
    ImportedRun::ImportedSuite& begin_suite(const Row& row);

    const Tool& tool_;
    std::vector<Stated> of_output_; ///< what the header of the output says
    // Of the test, which has no title before the first:
    std::optional<Title> title_;
    std::string title_line_;
    std::size_t title_number_ = 0;
    std::vector<Stated> stated_;
    std::map<std::string, std::string> facts_;
    std::size_t tables_ = 0;
    // Of the table, which has no columns outside of one:
    std::vector<Column> columns_;
    std::vector<Row> rows_;
};

/// The importer of a tool whose rows are all there is to say. @param marks as in Importer
template <const Tool& tool>
[[nodiscard]] constexpr Importer table_importer(const char* kind, std::span<const std::string_view> marks) {
    return {kind, marks, nullptr, [](const Importer& self, TextSource& text, ImportSink& sink) {
                const std::string whole = text.rest();
                TableReader(self, tool, text.name(), whole).read(sink);
            }};
}

/// Whether an operation combines values, so that it has a reduction.
[[nodiscard]] bool may_reduce(const Suite& suite);
/// A collective of MPI by any spelling: "All-to-Allv Personalized Exchange" -> "MPI_Alltoallv", "Iallreduce",
/// "Non-blocking Broadcast", "Allgather Persistent"; empty = none.
[[nodiscard]] std::string collective_called(std::string_view name);

} // namespace skampi
