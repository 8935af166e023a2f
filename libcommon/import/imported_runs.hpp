// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "import/importer.hpp"
#include "import/text_lines.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

namespace skampi {

/// What a file that is no database says of a run. What it does not say is left at its default, statistics at
/// not-a-number.
struct ImportedRun {
    struct ImportedSuite {
        Suite suite;
        std::vector<Measurement> measurements;    ///< in the file's order
        std::vector<MergeFacts> merged;           ///< of each, in a merged run
        std::map<std::string, std::string> facts; ///< as of ImportSink
    };
    Run run;
    std::vector<ImportedSuite> suites; ///< in the file's order
};

/// Collects what a file says: runs with suites with measurements. When a suite is begun that the run has
/// already, it is one more run.
class ImportedRuns {
public:
    /// Its runs are known again by the text and by the file's place, symbolic links followed: launches often
    /// print the same few digits.
    /// @param kind as in Importer  @param name of the file
    ImportedRuns(std::string kind, const std::string& name, std::string_view text);

    /// What a header line says of the runs that suites are added to from now on. Behind a suite it is the
    /// header of another launch, of which nothing is known yet: a file may hold several outputs.
    [[nodiscard]] Run& header();
    /// Begins such a header, of another launch than before.
    void begin_header();
    /// How many runs have suites.
    [[nodiscard]] std::size_t count() const { return runs_.size(); }
    /// Its settings are unknown, but the number of ranks where it is above 0: an importer learns those that
    /// the text tells (tell()).
    ImportedRun::ImportedSuite& begin_suite(const std::string& name, const OperationInfo& operation,
                                            Varied varied, int ranks);
    /// Of the suite begun last. The largest step of a run's values is its clock's resolution: no difference
    /// between rounded values passes for one. A value printed as 0 is none, and unreliable.
    /// @param line where it stands  @param step_s by which the value would differ with one more in the last
    /// digit printed
    /// @throws InputError where it has the argument already
    void add(const TextLines& lines, std::size_t line, const Measurement& measurement, double step_s);
    /// What a merged run says of the launches behind the measurement added last.
    void add_merged(const MergeFacts& facts) { runs_.back().suites.back().merged.push_back(facts); }
    [[nodiscard]] std::vector<ImportedRun>& runs() { return runs_; }

private:
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
/// it is read: that of one launch is small. What is passed over is counted, and reported once: the fact
/// fact_passed_over of the first run.
class LineReader {
public:
    /// @param text must outlive this
    LineReader(const Importer& importer, const std::string& name, std::string_view text)
        : lines_(name, text, importer.marks)
        , runs_(importer.kind, name, text) {}
    LineReader(LineReader&&) = delete;
    virtual ~LineReader() = default;

    /// @throws InputError where nothing in the text can be read
    void read(ImportSink& sink);

protected:
    /// Takes the line at which lines_ is. It is not blank.
    virtual void take_line() = 0;
    /// After the last line.
    virtual void finish() {}

    /// Whether a line is the title of another kind's table, which ends this one's.
    [[nodiscard]] bool is_foreign_title() const;
    /// The line is in a table and is none of its rows: counted if another row follows.
    void pass_over_line();
    /// A row of the table was taken.
    void take_row_in();
    /// The table is over: lines behind its last row are none of it.
    void leave_table() { waiting_ = 0; }
    /// Something that is reported with its line and words, the first few of them: "a row was cut off".
    void note(const std::string& what, std::size_t line, std::string_view words);

    TextLines lines_;
    ImportedRuns runs_;

private:
    [[nodiscard]] std::string passed_over() const;

    std::size_t waiting_ = 0; ///< lines since the last row
    std::size_t waiting_at_ = 0;
    std::size_t no_rows_ = 0; ///< lines in tables
    std::size_t first_no_row_ = 0;
    std::vector<std::string> notes_;
    std::size_t notes_left_out_ = 0;
};

/// @tparam Reader a LineReader
template <typename Reader>
void read_by(const Importer& self, TextSource& text, ImportSink& sink) {
    const std::string whole = text.rest();
    Reader(self, text.name(), whole).read(sink);
}

constexpr double microseconds = 1e-6; ///< in seconds
constexpr double megabyte = 1e6;      ///< in bytes

/// An operation of which no more is known.
[[nodiscard]] OperationInfo operation_named(const std::string& name, Pattern pattern, Meaning meaning);
/// A setting that the text states.
template <typename Member, typename Value>
void tell(Suite& suite, const char* field, Member Suite::*member, Value&& value) {
    suite.*member = std::forward<Value>(value);
    learn(suite, field);
}
/// The same by the field's name, of a text as the database has it. @return false where it is no such field or
/// value
bool tell(Suite& suite, std::string_view name, std::string_view text);
/// A measurement of which nothing is known but a value and perhaps its error and count.
/// @param count 0 = not stated: then it is one measurement
[[nodiscard]] Measurement imported(std::int64_t argument, double value_s, std::int64_t count = 0);
/// The same point as one that was tried and has no value, so that none is interpolated there.
[[nodiscard]] Measurement without_value(Measurement measurement);

} // namespace skampi
