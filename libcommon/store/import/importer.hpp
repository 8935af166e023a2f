#pragma once

#include "model/measurement.hpp"
#include "model/run.hpp"
#include "model/suite.hpp"
#include "store/database.hpp"
#include "store/import/text_source.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace skampi {

/// Takes what an importer reads as it goes, so that no text has to be in memory as a whole. Suites of several
/// runs may be told by turns; every run and suite that was begun must be ended.
class ImportSink {
public:
    ImportSink() = default;
    ImportSink(ImportSink&&) = delete;
    virtual ~ImportSink() = default;

    /// @param run whose uuid no other has; the rest may change until its end
    virtual RunId begin_run(const Run& run) = 0;
    /// The next one in the plan of the run.
    /// @param suite whose name no other of the run has; the rest may change until its end
    virtual SuiteId begin_suite(RunId run, const Suite& suite) = 0;
    /// @param place where it stands in the text: a number that is larger than those of all before
    /// @param merged of a merged run, what the file tells of its launches; nothing of a raw one
    /// @return the place of the measurement that the suite has at this argument already; this one is not
    /// added then
    virtual std::optional<std::int64_t> add(SuiteId suite, std::int64_t place, const Measurement& measurement,
                                            const std::optional<MergeFacts>& merged) = 0;
    /// @param facts what became of its numbers: "converted", ...
    virtual void end_suite(SuiteId id, const Suite& suite,
                           const std::map<std::string, std::string>& facts) = 0;
    virtual void end_run(RunId id, const Run& run) = 0;
};

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

/// A kind of file that is read as if it were a database.
struct Importer {
    const char* kind; ///< as in messages and in the fact "read from" of its runs
    /// Whether a text that begins like this is of this kind, so that its errors are those of this kind.
    bool (*recognises)(const std::string& beginning);
    /// @throws InputError `name:line:column: what was found, what was expected`
    void (*reads)(TextSource& text, ImportSink& sink);
};

/// Importer::reads of a kind of text that is in memory as a whole while it is read: of one launch it is
/// small.
/// @tparam parse gives the runs of a text; of the name for messages
template <std::vector<ImportedRun> (*parse)(const std::string& name, const std::string& text)>
void read_whole_text(TextSource& text, ImportSink& sink) {
    std::int64_t place = 0;
    for (const ImportedRun& run : parse(text.name(), text.rest())) {
        const RunId run_id = sink.begin_run(run.run);
        for (const ImportedRun::ImportedSuite& suite : run.suites) {
            const SuiteId suite_id = sink.begin_suite(run_id, suite.suite);
            for (const Measurement& measurement : suite.measurements)
                (void)sink.add(suite_id, ++place, measurement, {});
            sink.end_suite(suite_id, suite.suite, suite.facts);
        }
        sink.end_run(run_id, run.run);
    }
}

/// All of them; a file is of the first kind that recognises it. docs/adding-an-importer.md
[[nodiscard]] std::span<const Importer> importers();

/// Their kinds, for messages: "result CSV nor skampi.out nor ...".
[[nodiscard]] std::string importable_kinds();

} // namespace skampi
