// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "document/model.hpp"
#include "formats/exchange/report_text.hpp"

#include "cube/statistics.hpp"

#include <cstddef>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace skampi {

class Database;
struct AlgorithmFindings;

/// For what a document is made.
enum class Medium {
    pages, ///< of a browser: everything, folded
    paper,
    text_file,
    terminal,
};

/// What a report shows: runs of databases, their history, or Cube statistics files. A format asks for the
/// parts it needs; a part that no format asks for is never computed.
class ReportSource {
public:
    ReportSource() = default;
    ReportSource(const ReportSource&) = delete;
    ReportSource& operator=(const ReportSource&) = delete;
    virtual ~ReportSource() = default;

    [[nodiscard]] virtual Document document(Medium medium) = 0;
    /// @param most_bytes a source may return an empty text in place of a longer one
    [[nodiscard]] virtual std::string csv(std::size_t most_bytes) = 0;
    [[nodiscard]] virtual std::string json() = 0;

    // For the formats that are `of_runs`; @pre the source is made from databases.

    [[nodiscard]] virtual const std::vector<Subject>& subjects();
    /// @param ending of a format that holds one run @throws InputError where there are several
    [[nodiscard]] virtual const Subject& only_subject(const char* ending);
    /// @throws InputError where there are several
    [[nodiscard]] virtual const Database& only_database();
    /// Of the one database, which algorithms are faster than the default; null = it holds none.
    [[nodiscard]] virtual const AlgorithmFindings* algorithms();

    // For the formats that are `of_statistics`.

    /// The one run, or the one Cube statistics file, in a dialect of Cube statistics.
    [[nodiscard]] virtual ReportText cube_statistics(cube::Dialect dialect);
};

inline constexpr std::size_t no_byte_limit = std::numeric_limits<std::size_t>::max();

/// Where a report is written, and how.
struct Destination {
    std::string output;                           ///< empty = standard output
    int jobs = 1;                                 ///< programs at a time, >= 1
    std::optional<std::string> keep;              ///< a directory for plot scripts, data and LaTeX sources
    cube::Dialect dialect = cube::Dialect::scout; ///< of Cube statistics
    std::string base; ///< of a tuning file for MPICH: a file with the tree that is changed; empty = none
};

/// What was written.
struct Written {
    std::size_t figures = 0;
    int pages = 0;                       ///< 0 = the format has none
    std::vector<std::string> missing;    ///< what could not be written, one line each
    std::optional<int> rules = {};       ///< in a tuning file; 0 = it was not written
    std::vector<std::string> notes = {}; ///< what a reader of it must know, one line each
};

/// A format of reports: all that the program knows about it (docs/adding-a-format.md). It has either `text`
/// or `write`.
struct Format {
    const char* ending;         ///< of the output's name, ".csv"; "/" = a directory
    const char* note = "";      ///< for --help, where the ending does not say it all
    bool of_runs = false;       ///< shows runs of databases only: no history, no Cube statistics files
    bool of_one_run = false;    ///< holds one run: of a file with several series the newest
    bool of_statistics = false; ///< shows Cube statistics files all the same
    bool box_plots = false;     ///< has a place for --box-plots
    bool for_readers = false;   ///< shows a document, of which there is more with --full
    bool raw_rows = false;      ///< has rows of runs for --raw
    bool keeps_sources = false; ///< has sources for --keep
    bool has_dialect = false;   ///< is written in a --dialect
    bool is_tuning = false;     ///< names algorithms for an MPI library to take
    /// The files and folders that are written next to `output`.
    std::vector<std::string> (*beside)(const Destination& to) = nullptr;
    ReportText (*text)(ReportSource& source, const Destination& to) = nullptr;
    /// Writes the report whole or not at all.
    Written (*write)(ReportSource& source, const Destination& to) = nullptr;

    /// Whether standard output can take it.
    [[nodiscard]] constexpr bool is_text() const { return text != nullptr; }
};

/// Writes the report whole or not at all.
/// @throws InputError, SystemError
Written write_report(const Format& format, ReportSource& source, const Destination& to);

/// All formats.
[[nodiscard]] std::span<const Format> formats();

/// The format of an output, by the ending of its name, or by its being a directory.
/// @throws InputError naming the formats there are
[[nodiscard]] const Format& format_of_output(const std::string& output);

/// @param name as for --format: an ending, with or without its dot; empty = text
/// @throws InputError naming the formats that can go to standard output
[[nodiscard]] const Format& format_of_standard_output(const std::string& name);

/// ".txt, .md, .pdf": the endings of some formats.
[[nodiscard]] std::string endings_of(bool (*chosen)(const Format&));

} // namespace skampi
