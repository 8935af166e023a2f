#pragma once

#include "model/measurement.hpp"
#include "model/run.hpp"
#include "model/suite.hpp"

#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace skampi {

/// What a file that is no database knows of a run. What it doesn't tell is left at its default, statistics at
/// not-a-number.
struct ImportedRun {
    struct ImportedSuite {
        Suite suite;
        std::vector<Measurement> measurements; ///< in the file's order
        /// As many, or none: of a merged run what the file tells of its launches, nothing of a raw one.
        std::vector<std::optional<MergeFacts>> merged;
        std::map<std::string, std::string> facts; ///< what became of its numbers: "converted", ...
    };
    Run run;
    std::vector<ImportedSuite> suites; ///< in the file's order
};

/// A kind of file that is read as if it were a database.
struct Importer {
    const char* kind; ///< as in messages and in the fact "read from" of its runs
    /// Whether a text is of this kind, so that its errors are those of this kind.
    bool (*recognises)(const std::string& text);
    /// @param name for messages
    /// @throws InputError `name:line:column: what was found, what was expected`
    std::vector<ImportedRun> (*reads)(const std::string& name, const std::string& text);
};

/// All of them; a file is of the first kind that recognises it. docs/adding-an-importer.md
[[nodiscard]] std::span<const Importer> importers();

/// Their kinds, for messages: "result CSV nor skampi.out nor ...".
[[nodiscard]] std::string importable_kinds();

} // namespace skampi
