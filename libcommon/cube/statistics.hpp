// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <iosfwd>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace skampi::cube {

// Statistics files of Cube: what wait states a trace holds (docs/cube.md).

/// Who writes them in which form. All begin with a line of column names and have a line per pattern, below it
/// a line per severe instance.
enum class Dialect {
    documented, ///< of the Cube manual: with metric ids; `- cnode: 5 enter: ...`
    scout,  ///< of Scalasca's analyser, which the Cube browser reads: no metric id; `- cnode 5 ... rank: 3`
    expert, ///< of EXPERT, its predecessor: no metric id; `- cnode: 5 ... markerTime: ... markerLoc: ...`
};
[[nodiscard]] std::string_view to_text(Dialect dialect);
/// The dialect of such a name; none for any other text.
[[nodiscard]] std::optional<Dialect> dialect_from_text(std::string_view text);

/// A whole number as files hold them: exact up to 64 bits, the nearest double beyond.
using WholeNumber = std::variant<std::int64_t, double>;
[[nodiscard]] double as_double(const WholeNumber& number);

/// One occurrence of a pattern, among the most severe ones.
struct Instance {
    WholeNumber cnode; ///< id of the call path in the CUBE file; EXPERT writes -1 for one it does not know
    double enter_s = 0;
    double exit_s = 0;
    double duration_s = 0;           ///< of the waiting
    std::optional<WholeNumber> rank; ///< scout
    std::optional<double> marker_s;  ///< EXPERT
    std::optional<WholeNumber> marker_location;
    bool operator==(const Instance&) const = default;
};

/// The values that are there all or not at all.
struct Moments {
    double mean_s = 0;
    double median_s = 0;
    double minimum_s = 0;
    double maximum_s = 0;
    double sum_s = 0;
    bool operator==(const Moments&) const = default;
};

struct Quartiles {
    double lower_s = 0;
    double upper_s = 0;
    bool operator==(const Quartiles&) const = default;
};

/// All that a file says of one pattern.
struct PatternStatistics {
    std::string name;                     ///< without white space
    std::optional<WholeNumber> metric_id; ///< documented dialect
    WholeNumber count;                    ///< instances, at least 0
    std::optional<Moments> moments;
    std::optional<double> variance_s2;  ///< only with moments
    std::optional<Quartiles> quartiles; ///< only with variance
    std::vector<Instance> severest;     ///< in the file's order
    bool operator==(const PatternStatistics&) const = default;
};

struct StatisticsFile {
    Dialect dialect = Dialect::scout;
    std::vector<PatternStatistics> patterns; ///< in the file's order; names may come twice
    bool operator==(const StatisticsFile&) const = default;
};

/// Something wrong or contradictory at a place in a file.
struct Problem {
    enum class Weight {
        error,  ///< a rule of the format is broken: something was left out
        strange ///< the values contradict one another: they were kept
    };
    enum class Kind {
        // errors
        line_too_long,
        carriage_return, ///< within a line
        missing_word,    ///< the line ends too early
        surplus_word,    ///< the line ends too late
        not_number,
        not_whole,
        negative_count,
        wrong_label, ///< of a value of an instance
        orphan_instance,
        // strange
        header_contradicted, ///< by the columns
        missing_blank_line,
        blank_line, ///< between a pattern and its instance
        repeated_pattern,
        not_finite,
        minimum_above_maximum,
        median_outside, ///< minimum and maximum
        median_outside_quartiles,
        negative_variance,
        columns_contradict_count, ///< Cube reads variance and quartiles by the count
        exit_before_enter,
        above_maximum, ///< an instance takes longer than its pattern's maximum
    };
    Weight weight = Weight::error;
    Kind kind = Kind::missing_word;
    std::size_t line = 0;   ///< from 1
    std::size_t column = 0; ///< in bytes, from 1
    std::string text;       ///< what was found and what was expected; one line
};
/// "FILE:LINE:COLUMN: text"; the name is made printable.
[[nodiscard]] std::string to_text(const Problem& problem, std::string_view file);

struct ReadStatistics {
    StatisticsFile file;
    std::vector<Problem> problems; ///< in the file's order; no more than most_problems
    std::size_t errors = 0;        ///< all of them, also those not in problems
    std::size_t strange = 0;
};
/// A file of another kind has more errors than anyone reads.
inline constexpr std::size_t most_problems = 100;
/// Longest line of a statistics file, in bytes.
inline constexpr std::size_t longest_line = std::size_t{1} << 16;

/// Reads a file in any of the three dialects. The first line, of column names, decides which; it is never
/// data. Where it says nothing, or the columns below it contradict it, the columns decide.
/// Values are separated by any number of blanks and tabs; lines end with LF or CRLF, the last one also
/// without. Numbers have any notation of C. EXPERT's may follow one another without a separator: its columns
/// have fixed widths, which large numbers exceed.
///
/// Where a rule of the format is broken, the problem is an error: the complete part of the line is kept, and
/// the rest of the file is read. Values that contradict one another, as in real files, are strange and kept.
/// The file may contain any bytes. Memory is needed for the values kept and for one line.
/// @throws InputError when there is nothing to read: no line at all, or NUL bytes (no text)
[[nodiscard]] ReadStatistics read_statistics(std::istream& in, std::string_view name);
/// @throws InputError as above, SystemError when the file cannot be read
[[nodiscard]] ReadStatistics read_statistics_file(const std::string& path);

/// Whether a path names a statistics file: by its ending .stat, else by the words of its first line.
[[nodiscard]] bool is_statistics_file(const std::string& path);

/// The file's text in its dialect: read_statistics() gives the same file from it, every double exactly.
/// Columns are aligned. A metric id, rank or marker that the dialect does not have is left out.
/// @throws std::invalid_argument when one that the dialect needs is missing, a name is empty, has white space
/// or begins with '-', or a value is not finite
[[nodiscard]] std::string write_statistics(const StatisticsFile& file);

/// What a file lost or gained in the conversion to another dialect.
struct ConversionLosses {
    std::size_t numbered_patterns = 0;   ///< had no metric id: their places in the file, from 0, stand for them
    std::size_t instances = 0;           ///< left out: the dialect needs a rank or a marker that they lack
    std::size_t patterns_not_finite = 0; ///< whose values no file can hold: only the count is kept
    bool operator==(const ConversionLosses&) const = default;
};
struct ConvertedStatistics {
    StatisticsFile file; ///< that write_statistics() takes
    ConversionLosses losses;
};
/// A file that was read, in another dialect.
[[nodiscard]] ConvertedStatistics converted(StatisticsFile file, Dialect dialect);

} // namespace skampi::cube
