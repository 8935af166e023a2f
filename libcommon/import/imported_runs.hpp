#pragma once

#include "import/importer.hpp"
#include "import/text_table.hpp"

#include <concepts>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

namespace skampi {

/// What a file that is no database knows of a run. What it doesn't tell is left at its default, statistics at
/// not-a-number.
struct ImportedRun {
    struct ImportedSuite {
        Suite suite;
        std::vector<Measurement> measurements;    ///< in the file's order
        std::map<std::string, std::string> facts; ///< as of ImportSink
    };
    Run run;
    std::vector<ImportedSuite> suites; ///< in the file's order
};

/// Hands over runs that are in memory as a whole.
void hand_over(const std::vector<ImportedRun>& runs, ImportSink& sink);

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
    /// Its settings are unknown, but the number of ranks where it is above 0: an importer learns those that
    /// the text tells (model/suite.hpp).
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
    std::unordered_set<std::string> names_;     ///< of the suites of the run begun last
    std::map<std::int64_t, std::size_t> lines_; ///< of the suite's arguments
    double shortest_told_s_ = 0; ///< the largest step of the suite's values that were printed as 0
};

/// The base of an importer's reader, which takes a text line by line. The text is in memory as a whole while
/// it is read: that of one launch is small.
class LineReader {
public:
    /// @param kind as in Importer  @param name of the file  @param text must outlive this
    LineReader(const char* kind, const std::string& name, std::string_view text)
        : table_(name, text)
        , runs_(kind, name, text) {}
    LineReader(LineReader&&) = delete;
    virtual ~LineReader() = default;

    [[nodiscard]] std::vector<ImportedRun> read();

protected:
    /// Takes the line at which table_ is. It is not blank.
    virtual void take_line() = 0;
    /// After the last line.
    [[nodiscard]] virtual std::vector<ImportedRun> finish() { return runs_.finish(); }

    TextTable table_;
    ImportedRuns runs_;
};

/// @tparam Reader a LineReader with a `kind` and a function `recognises`, as in Importer
template <std::derived_from<LineReader> Reader>
[[nodiscard]] constexpr Importer importer_by() {
    return {Reader::kind, Reader::recognises, [](TextSource& text, ImportSink& sink) {
                const std::string whole = text.rest();
                hand_over(Reader(Reader::kind, text.name(), whole).read(), sink);
            }};
}

constexpr double microseconds = 1e-6; ///< in seconds
constexpr double megabyte = 1e6;      ///< in bytes

/// An operation of which no more is known.
[[nodiscard]] OperationInfo operation_named(const std::string& name, Pattern pattern, Meaning meaning);
/// A setting that the text tells.
template <typename Member, typename Value>
void tell(Suite& suite, const char* field, Member Suite::*member, Value&& value) {
    suite.*member = std::forward<Value>(value);
    learn(suite, field);
}
/// A measurement of which nothing is known but a value and perhaps its error and count.
/// @param count 0 = not told: then it is one measurement, as nothing tells of more
[[nodiscard]] Measurement imported(std::int64_t argument, double value_s, std::int64_t count = 0);
/// The same point as one that was tried and has no value, so that none is interpolated there.
[[nodiscard]] Measurement without_value(Measurement measurement);
/// The same with another value; without one where it has none, or a wrong result.
[[nodiscard]] Measurement with_value(Measurement measurement, double value_s);

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
