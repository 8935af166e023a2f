// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "import/text_source.hpp"
#include "model/stored.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace skampi {

/// Takes what an importer reads as it goes, so that no text has to be in memory as a whole. Suites of several
/// runs may come in turns; every run and suite that was begun must be ended.
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
    /// @param merged of a merged run, what the file says of its launches; nothing of a raw one
    /// @return the place of the measurement that the suite has at this argument already; this one is not
    /// added then
    virtual std::optional<std::int64_t> add(SuiteId suite, std::int64_t place, const Measurement& measurement,
                                            const std::optional<MergeFacts>& merged) = 0;
    /// @param facts what became of its numbers: "converted", ...
    virtual void end_suite(SuiteId id, const Suite& suite,
                           const std::map<std::string, std::string>& facts) = 0;
    virtual void end_run(RunId id, const Run& run) = 0;
};

/// A kind of file that is read as if it were a database. docs/adding-an-importer.md
struct Importer {
    const char* kind; ///< as in messages and in the fact "read from" of its runs
    /// How its titles and headers begin: a line that does ends every table, also one of another kind.
    std::span<const std::string_view> marks;
    /// Whether a text that begins like this is of this kind; without it, a line begins with a mark.
    bool (*recognises)(const std::string& beginning);
    /// @throws InputError `name:line:column: what was found, what was expected`
    void (*read)(const Importer& self, TextSource& text, ImportSink& sink);
};

/// All of them, in the order of the list in meson.build.
[[nodiscard]] std::span<const Importer* const> importers();
[[nodiscard]] bool recognises(const Importer& importer, const std::string& beginning);
/// The first one that recognises a text; none where nobody does.
[[nodiscard]] const Importer* importer_of(const std::string& beginning);
/// Their kinds, for messages: "result CSV nor skampi.out nor ...".
[[nodiscard]] std::string importable_kinds();

} // namespace skampi
