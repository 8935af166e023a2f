// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <string>
#include <string_view>

namespace skampi {

// Names and texts come from parameter files, MPI libraries, the environment and other people's databases.
// They are untrusted: each output format has its own function here. Every function takes any bytes (invalid
// UTF-8, NUL, control characters, empty, megabytes) and does not throw because of them. JSON is
// written by nlohmann/json, which wants valid UTF-8: pass to_valid_utf8().

/// The text with every byte that is not part of a well-formed UTF-8 sequence (Unicode table 3-7) replaced by
/// U+FFFD.
[[nodiscard]] std::string to_valid_utf8(std::string_view text);

/// For messages and terminals: one line that shows everything invisible or deceptive as an escape: control
/// characters and bytes that are not UTF-8 as \n, \t, \x1b; invisible and direction-changing characters as
/// \u{202e}.
[[nodiscard]] std::string printable(std::string_view text);

/// The same for several lines: line ends and tabs stay.
[[nodiscard]] std::string printable_lines(std::string_view text);

/// A text as a field of a CSV line (RFC 4180): quoted only where needed. A text that a spreadsheet would read
/// as a formula (= + - @ first, after any white space and apostrophes) gets an apostrophe before it;
/// otherwise the bytes are kept. It is not for numbers: -1e-6 must stay as it is.
[[nodiscard]] std::string for_csv(std::string_view text);
/// The text of such a field without quotes: removes the apostrophe that protected it.
[[nodiscard]] std::string_view from_csv(std::string_view field);

/// The value of a label in OpenMetrics text and in Prometheus's, without its quotes. Valid UTF-8.
[[nodiscard]] std::string for_metric_label(std::string_view text);

/// The name of a region for Extra-P: one line, as printable(), and not divided where it has an arrow "->".
[[nodiscard]] std::string for_extra_p(std::string_view text);

/// Text of an HTML element or of an attribute in either kind of quotes. Valid UTF-8; control characters that
/// HTML forbids become U+FFFD.
[[nodiscard]] std::string for_html(std::string_view text);

/// Text of an XML element or attribute, for readers that know only the five named entities. Valid UTF-8 of
/// the characters XML 1.0 allows: others become U+FFFD, line ends and tabs spaces.
[[nodiscard]] std::string for_xml(std::string_view text);

/// Text of a LaTeX paragraph, heading or table cell, in one group-safe piece of UTF-8, for LaTeX since 2018
/// with the T1 encoding and textcomp. No input can start a command, a comment or mathematics, or form a
/// ligature. Latin letters and a few signs stay, every other character becomes a visible placeholder such as
/// [U+4E2D]; line ends become spaces; words too long for a line may be broken.
[[nodiscard]] std::string for_latex(std::string_view text);

/// A gnuplot string literal with its quotes: gnuplot expands neither backquotes, backslashes nor macros in
/// it. Single quotes around a text without any; else double quotes, all punctuation inside as octal codes,
/// as are the digits behind those.
/// Control characters, which would end the line, become spaces. In enhanced text mode the terminal still
/// interprets _ ^ { } @ & ~: use `noenhanced`, or text made by for_latex().
[[nodiscard]] std::string for_gnuplot_string(std::string_view text);

/// One word of a POSIX shell command, in single quotes. NUL bytes, which no argument can hold, are left out.
[[nodiscard]] std::string for_shell(std::string_view text);

/// A file name (no directories) from any name: letters, digits, '.', '_', '-' and at most 80 characters,
/// never empty, hidden or like an option. A name that had to be changed gets a hash at its end, so that
/// different names give different files.
[[nodiscard]] std::string for_file_name(std::string_view text);

} // namespace skampi
