#pragma once

#include "store/columns.hpp"
#include "store/database.hpp"

#include <string>
#include <vector>

namespace skampi {

template <MaybeConst<ResultRow> Row, typename Visitor>
void for_each_column(Row& row, Visitor&& column) {
    column("run", row.run);
    column("suite", row.suite);
    column("type", row.type);
    column("operation", row.operation);
    column("pattern", row.pattern);
    column("varied", row.varied);
    column("ranks", row.ranks);
    column("message_bytes", row.message_bytes);
    column("chunks", row.chunks);
    column("argument", row.argument);
    column("value_s", row.value_s);
    column("standard_error_s", row.standard_error_s);
    column("count", row.count);
    column("minimum_s", row.minimum_s);
    column("quartile25_s", row.quartile25_s);
    column("median_s", row.median_s);
    column("quartile75_s", row.quartile75_s);
    column("maximum_s", row.maximum_s);
    column("flags", row.flags);
    column("mode", row.mode);
    column("mode_share", row.mode_share);
    column("adjusted_s", row.adjusted_s);
}

/// What a result CSV knows of a run: its uuid, rank count, and its suites with their measurements.
struct CsvRun {
    struct CsvSuite {
        Suite suite;
        std::vector<Measurement> measurements; ///< in the file's order
    };
    Run run;
    std::vector<CsvSuite> suites; ///< in the file's order
};

/// Whether a text begins like a result CSV, so that its errors are those of a result CSV.
[[nodiscard]] bool looks_like_result_csv(const std::string& text);

/// Reads a result CSV (RFC 4180; LF or CRLF; a byte order mark is allowed). The columns mode, mode_share and
/// adjusted_s may be missing. What the file doesn't tell is left at its default, statistics at not-a-number.
/// @param name for messages
/// @throws InputError `name:line:column: what was found, what was expected`
[[nodiscard]] std::vector<CsvRun> parse_result_csv(const std::string& name, const std::string& text);

} // namespace skampi
