#pragma once

#include "base/text.hpp"
#include "store/import/importer.hpp"

#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace skampi {

/// A word of a text and where it stands, for messages.
struct Word {
    std::string_view text;
    std::size_t line = 1;
    std::size_t column = 1; ///< in characters, from 1
};

/// A text of lines of words, as benchmarks print their tables.
class TextTable {
public:
    /// @param text must outlive this
    TextTable(std::string name, std::string_view text);

    /// Goes to the next line. @return false after the last
    bool next();
    [[nodiscard]] std::string_view line() const { return line_; } ///< without its end
    [[nodiscard]] std::size_t number() const { return number_; }
    /// Its words, separated by blanks.
    [[nodiscard]] const std::vector<Word>& words() const { return words_; }
    [[nodiscard]] bool blank() const { return words_.empty(); }

    [[nodiscard]] std::int64_t integer(const Word& word) const; ///< 0 or more @throws InputError
    [[nodiscard]] double real(const Word& word) const;          ///< 0 or more @throws InputError
    /// What one more in the last digit printed is worth: 0.01 of 2.50, 1e-7 of 1.5e-6, 1 of 300.
    /// @throws InputError where it is no number
    [[nodiscard]] double last_digit(const Word& word) const;
    [[noreturn]] void fail(const Word& word, const std::string& what) const;
    [[noreturn]] void fail(const std::string& what) const; ///< of the whole line

private:
    std::string name_;
    std::string_view rest_;
    std::string_view line_;
    std::size_t number_ = 0;
    std::vector<Word> words_;
};

/// A column of a table and the word that heads it.
template <typename Column>
struct TitledColumn {
    std::string_view text;
    Column column;
};

/// Which column a word heads. @throws InputError naming all that are known, where it is none
template <typename Column>
[[nodiscard]] Column column_titled(const TextTable& table, const Word& title,
                                   std::span<const TitledColumn<Column>> titles) {
    std::string expected;
    for (const TitledColumn<Column>& each : titles) {
        if (each.text == title.text)
            return each.column;
        expected += (expected.empty() ? "" : ", ") + std::string(each.text);
    }
    table.fail(title, "found an unknown column \"" + printable(title.text) + "\", expected " + expected);
}

/// Collects what a file tells: runs with suites with measurements. When a suite is begun that the run has
/// already, it is one more run.
class ImportedRuns {
public:
    /// Its runs are known again by the text and by the file's place, symbolic links followed: launches often
    /// print the same few digits.
    /// @param kind as in Importer  @param name of the file
    ImportedRuns(std::string kind, const std::string& name, std::string_view text);

    /// What a header line tells of the runs that suites are added to from now on. Behind a suite it is the
    /// header of another launch, of which nothing is known yet: a file may hold several outputs.
    [[nodiscard]] Run& header();
    /// Begins such a header, of another launch than what is told so far.
    void begin_header();
    /// How many runs have suites.
    [[nodiscard]] std::size_t count() const { return runs_.size(); }
    ImportedRun::ImportedSuite& begin_suite(const std::string& name, const OperationInfo& operation,
                                            Varied varied, int ranks);
    /// Of the suite begun last. No value of a run is known more finely than its clock resolved: that is the
    /// largest step of its values, so that no difference between rounded values passes for one. A value
    /// printed as 0 is none, but shorter than its step: it is unreliable.
    /// @param step_s by which the value would differ with one more in the last digit printed
    /// @throws InputError where it has the argument already
    void add(const TextTable& table, const Word& argument, const Measurement& measurement, double step_s);
    [[nodiscard]] std::vector<ImportedRun> finish();

private:
    std::string kind_;
    std::string identity_;
    Run blank_;                 ///< what is known without a header
    Run header_;                ///< of the run begun last, or of the next
    bool header_is_new_ = true; ///< no suite is begun since
    std::vector<ImportedRun> runs_;
    std::map<std::int64_t, std::size_t> lines_; ///< of the suite's arguments
    double shortest_told_s_ = 0; ///< the largest step of the suite's values that were printed as 0
};

/// A measurement of which nothing is known but a value and perhaps its error and count.
/// @param count 0 = not told: then it is one measurement, as nothing tells of more
[[nodiscard]] Measurement imported(std::int64_t argument, double value_s, std::int64_t count = 0);
/// The same point as one that was tried and has no value, so that none is interpolated there.
[[nodiscard]] Measurement without_value(Measurement measurement);

/// The time per message of a table that tells rates: by the column that was printed most finely.
class TimePerMessage {
public:
    /// @param scale bytes per second that 1 of the word stands for  @param bytes of a message
    void add_bandwidth(const TextTable& table, const Word& word, double scale, std::int64_t bytes);
    void add_messages_per_second(const TextTable& table, const Word& word);
    /// None where all rates were printed as 0.
    [[nodiscard]] std::optional<double> value_s() const { return value_s_; }
    /// By which it would differ with one more in the last digit of the rate.
    [[nodiscard]] double step_s() const { return value_s_ ? *value_s_ * share_ : 0; }

private:
    void add(double rate, double last_digit, double per_second);

    std::optional<double> value_s_;
    double share_ = std::numeric_limits<double>::infinity(); ///< that the last digit is of the rate
};

} // namespace skampi
