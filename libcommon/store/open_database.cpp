// SPDX-License-Identifier: LGPL-2.1-or-later
// Opening a database, or a text of another kind as if it were one: above both the store and the importers.

#include "base/error.hpp"
#include "import/importer.hpp"
#include "import/text_source.hpp"
#include "model/launch_command.hpp"
#include "store/database.hpp"
#include "store/store.hpp"
#include "store/store_error.hpp"

#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

namespace skampi {

namespace {

constexpr std::string_view sqlite_magic = "SQLite format 3";

} // namespace

bool is_database_file(const std::string& path) {
    std::error_code error;
    if (!std::filesystem::is_regular_file(path, error))
        return false;
    std::string begin(sqlite_magic.size(), '\0');
    std::ifstream(path, std::ios::binary).read(begin.data(), std::ssize(begin));
    return begin == sqlite_magic;
}

namespace {

/// Whether a line begins with the section that every parameter file has.
bool is_parameter_file(const std::string& text) {
    constexpr std::string_view section = "@MEASUREMENTS";
    return text.starts_with(section) || text.find("\n" + std::string(section)) != std::string::npos;
}

/// @param beginning of a file that SQLite refused
[[noreturn]] void fail_to_open(const std::string& path, const std::string& beginning, bool for_writing) {
    if (beginning.starts_with(sqlite_magic))
        throw StoreError(path, "open this file", "the file is damaged; it is left as it is");
    if (is_parameter_file(beginning))
        throw StoreError(path, "open this file",
                         "it is a parameter file, expected results; `skampi-run -n 2 " + as_typed(path) +
                             "` measures it",
                         ExitStatus::bad_input);
    throw StoreError(path, "open this file",
                     for_writing ? "it is not a SKaMPI database, and is left as it is"
                                 : "it is neither a SKaMPI database nor a " + importable_kinds(),
                     ExitStatus::bad_input);
}

/// The importer of a text. @param is_file otherwise it is a pipe
const Importer& importer_for(const std::string& path, const std::string& beginning, bool is_file) {
    if (const Importer* const found = beginning.starts_with(sqlite_magic) ? nullptr : importer_of(beginning))
        return *found;
    if (!is_file && beginning.starts_with(sqlite_magic))
        throw StoreError(path, "open this file",
                         "it is a database, which cannot be read through a pipe: name its file",
                         ExitStatus::bad_input);
    if (is_file || beginning.find('\0') != std::string::npos)
        fail_to_open(path, beginning, false);
    return *importers().front(); // of a pipe with another text in it the errors are those of a result CSV
}

/// Stores what an importer reads in a temporary database, in one commit.
class StoringSink : public ImportSink {
public:
    StoringSink(const RunRows& runs, const MeasurementRows& measurements, Commits& commits)
        : runs_(runs)
        , measurements_(measurements)
        , commits_(commits) {}

    RunId begin_run(const Run& run) override {
        const RunId id = runs_.insert_run(run);
        commits_.run_changed(id);
        return id;
    }
    SuiteId begin_suite(RunId run, const Suite& suite) override {
        return runs_.insert_suite(run, suites_of_run_[run]++, suite);
    }
    std::optional<std::int64_t> add(SuiteId suite, std::int64_t place, const Measurement& measurement,
                                    const std::optional<MergeFacts>& merged) override {
        // A measurement's place is its id.
        if (const auto known = measurements_.at(suite, measurement.argument))
            return known;
        (void)measurements_.insert(suite, {place, true, measurement, merged});
        return std::nullopt;
    }
    void end_suite(SuiteId id, const Suite& suite, const std::map<std::string, std::string>& facts) override {
        runs_.replace_suite(id, suite, SuiteState::finished);
        runs_.replace_suite_facts(id, facts);
        runs_.seal_suite(id);
    }
    void end_run(RunId id, const Run& run) override {
        runs_.replace_run(id, run);
        commits_.run_changed(id);
    }

private:
    const RunRows& runs_;
    const MeasurementRows& measurements_;
    Commits& commits_;
    std::map<RunId, int> suites_of_run_;
};

std::unique_ptr<DatabaseFile> opened_for_writing(const std::string& path, JournalChoice journal) {
    auto file = std::make_unique<DatabaseFile>(path);
    try {
        file->open_for_writing(journal);
    } catch (const NotADatabase&) {
        file.reset();
        fail_to_open(path, TextSource::of_file(path).beginning(), true);
    }
    return file;
}

} // namespace

Database Database::open(const std::string& path, const std::function<void(double)>& advanced) {
    auto file = std::make_unique<DatabaseFile>(path);
    bool is_file = false;
    try {
        if (file->open_for_reading())
            return Database(std::make_unique<Store>(std::move(file)));
    } catch (const NotADatabase&) {
        // Closed before SQLite opens the file: closing a file drops all of a process's locks on it.
        file = std::make_unique<DatabaseFile>(path);
        is_file = true;
    }
    TextSource text = TextSource::of_file(path, advanced);
    const Importer& importer = importer_for(path, text.beginning(), is_file);
    file->open_temporary();
    auto store = std::make_unique<Store>(std::move(file));
    Commits::Change change(store->commits);
    StoringSink sink(store->runs, store->measurements, store->commits);
    importer.read(importer, text, sink);
    change.commit();
    store->file->end_writing();
    return Database(std::move(store));
}

Database Database::open_for_writing(const std::string& path) {
    return Database(std::make_unique<Store>(opened_for_writing(path, JournalChoice::automatic)));
}

Database Database::open_for_making(const std::string& path) {
    return Database(std::make_unique<Store>(opened_for_writing(path, JournalChoice::memory)));
}

} // namespace skampi
