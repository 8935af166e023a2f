#pragma once

#include "model/field_text.hpp"
#include "store/database.hpp"

#include <string>
#include <vector>

namespace skampi {

/// What a result CSV knows of a run: its uuid, rank count, and its suites with their measurements.
struct CsvRun {
    struct CsvSuite {
        Suite suite;
        std::vector<Measurement> measurements; ///< in the file's order
        /// As many: of a merged run what the file tells of its launches, none of a raw one.
        std::vector<std::optional<MergeFacts>> merged;
    };
    Run run;
    std::vector<CsvSuite> suites; ///< in the file's order
};

/// Whether a text begins like a result CSV, so that its errors are those of a result CSV.
[[nodiscard]] bool looks_like_result_csv(const std::string& text);

/// Reads a result CSV (RFC 4180; LF or CRLF; a byte order mark is allowed). The columns that came
/// later may be missing. What the file doesn't tell is left at its default, statistics at
/// not-a-number.
/// @param name for messages
/// @throws InputError `name:line:column: what was found, what was expected`
[[nodiscard]] std::vector<CsvRun> parse_result_csv(const std::string& name, const std::string& text);

} // namespace skampi
