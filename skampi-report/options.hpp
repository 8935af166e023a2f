#pragma once

#include "cube/statistics.hpp"

#include <iosfwd>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace skampi {

enum class Format { text, markdown, pdf, html, csv, json, models, tex, ascii, c_header, statistics, cube };

/// Whether only a run can be told in a format: no history, and no Cube statistics files.
[[nodiscard]] bool tells_of_run(Format format);

/// What the command line asks for.
struct Options {
    std::vector<std::string> databases; ///< or Cube statistics files; the baseline, if any, is the last
    bool has_baseline = false;
    std::string output; ///< empty = standard output
    Format format = Format::text;
    bool html_folder = false;          ///< the HTML report is a directory with its data, not one file
    std::optional<std::string> site;   ///< a directory with the pages of all databases, in place of a report
    bool history = false;              ///< all runs over time, in place of a report on the newest
    std::size_t last_runs = 30;        ///< of a history: which steps a gate looks at
    std::size_t site_comparisons = 20; ///< of each result of a site, with older ones
    std::vector<std::pair<std::string, std::string>> compare; ///< and these
    bool prune = false;              ///< the site drops pages whose databases are gone
    std::vector<std::string> suites; ///< globs of their names; none = all
    std::vector<std::string> runs;   ///< uuids or groups; none = as read_subjects() chooses
    std::optional<std::string> keep;
    int jobs = 1;
    std::string title;
    std::string content;                          ///< a content file; empty = none
    bool box_plots = false;                       ///< of the single measurements
    std::vector<std::string> fail_if;             ///< gates, as they were given
    std::optional<std::string> junit;             ///< a file for their results
    cube::Dialect dialect = cube::Dialect::scout; ///< of .stat and .cube
};

/// Where the statistics file stands that belongs to a CUBE file: X.stat beside X.cube.
[[nodiscard]] std::string statistics_path(const std::string& cube_path);

/// Reads the command line; --help and --version are answered on `out`.
/// @return none when there is nothing more to do
/// @throws InputError when the command line is wrong; an unknown extension of -o names those there are
[[nodiscard]] std::optional<Options> parse_options(int argc, const char* const* argv, std::ostream& out);

} // namespace skampi
