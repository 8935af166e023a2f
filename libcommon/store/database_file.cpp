// SPDX-License-Identifier: LGPL-2.1-or-later
#include "store/database_file.hpp"

#include "base/error.hpp"
#include "base/file.hpp"
#include "base/text.hpp"
#include "store/migration.hpp"
#include "store/run_rows.hpp"
#include "store/schema.hpp"
#include "store/session_lock.hpp"
#include "store/store_error.hpp"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <fmt/format.h>
#include <map>
#include <sqlite3.h>
#include <sstream>
#include <string_view>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>

namespace skampi {

namespace {

using namespace std::chrono_literals;

/// Waiting for other connections: long for a writer, whose measurements would be lost, short for readers.
constexpr int writer_patience_ms = 60'000;
constexpr int reader_patience_ms = 10'000;
/// The end of a run waits this long for readers to go, to leave one file; then the file stays as it is.
constexpr auto patience_for_readers = 2s;

/// A file: URI, because only URIs can say immutable. Everything but plain characters is escaped.
std::string immutable_uri(const std::string& path) {
    std::string uri = "file:";
    for (const char c : path) {
        const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                           c == '/' || c == '.' || c == '_' || c == '-';
        if (plain) {
            uri += c;
        } else {
            constexpr std::string_view digits = "0123456789ABCDEF";
            const auto byte = static_cast<unsigned char>(c);
            uri += '%';
            uri += digits[byte >> 4];
            uri += digits[byte & 15];
        }
    }
    return uri + "?immutable=1";
}

/// Whether a file is there and holds anything.
bool is_filled(const std::string& path) {
    struct stat facts = {};
    return stat(path.c_str(), &facts) == 0 && facts.st_size > 0;
}

/// With the rights the process acts with, which access() would not look at.
bool may(const std::string& path, int mode) {
    return faccessat(AT_FDCWD, path.c_str(), mode, AT_EACCESS) == 0;
}

/// Absolute, because SQLite gives "", ":memory:" and "file:..." a meaning of their own; links followed,
/// because SQLite's other files are next to the real one.
std::string real_path(const std::string& path) {
    std::error_code failed;
    const std::filesystem::path absolute = std::filesystem::absolute(path, failed);
    const std::filesystem::path real = std::filesystem::weakly_canonical(absolute, failed);
    return failed ? absolute.string() : real.string();
}

/// What a database consists of: "table run" -> its SQL; none of the indices that a table's constraints make.
std::map<std::string, std::string> schema_entries(const Connection& connection) {
    std::map<std::string, std::string> entries;
    Query query =
        connection.query("SELECT type || ' ' || name, sql FROM sqlite_schema WHERE sql IS NOT NULL");
    while (query.next()) {
        std::string name = query.text();
        entries[std::move(name)] = query.text();
    }
    return entries;
}

/// Whether two statements differ only in comments, which say how values were formed when the file was made.
/// Our lines are known and have no comment in a quotation: after equal text up to a comment, the rest is a
/// comment, too.
bool is_same_but_for_comments(const std::string& ours, const std::string& found) {
    constexpr std::string_view comment = " -- ";
    std::istringstream of_ours(ours);
    std::istringstream of_found(found);
    std::string own;
    std::string other;
    while (std::getline(of_ours, own)) {
        own.resize(std::min(own.find(comment), own.size()));
        if (!std::getline(of_found, other) || !other.starts_with(own))
            return false;
        const auto rest = std::string_view(other).substr(own.size());
        if (!rest.empty() && !rest.starts_with(comment))
            return false;
    }
    return !std::getline(of_found, other);
}

/// An additional table, of the user or of SQLite's ANALYZE: nothing reads it, and it cannot act.
bool is_harmless_table(std::string_view name, std::string_view sql) {
    return name.starts_with("table ") && sql.starts_with("CREATE TABLE ");
}

JournalChoice journal_of_environment() {
    const char* text = std::getenv("SKAMPI_JOURNAL");
    if (!text || !*text)
        return JournalChoice::automatic;
    if (std::string_view(text) == "wal")
        return JournalChoice::wal;
    if (std::string_view(text) == "delete")
        return JournalChoice::rollback;
    throw InputError("environment variable SKAMPI_JOURNAL: found \"" + printable(text) +
                     "\", expected \"wal\" or \"delete\"");
}

} // namespace

DatabaseFile::~DatabaseFile() {
    if (!connection_ || !writable_)
        return;
    try {
        leave_one_file();
    } catch (const Error&) {
        // All commits are in the file or its log; the next opening brings them together.
    }
}

bool DatabaseFile::holds_our_schema() const {
    const std::int64_t id = connection_->integer("PRAGMA application_id");
    const std::int64_t version = connection_->integer("PRAGMA user_version");
    const std::int64_t entries = connection_->integer("SELECT count(*) FROM sqlite_schema");
    if (id == 0 && version == 0 && entries == 0)
        return false;
    if (id == prerelease_application_id)
        throw StoreError(path_, "open this file",
                         "it was written before release 0.2.0 of SKaMPI, in a format that is no longer read: "
                         "measure again",
                         ExitStatus::bad_input);
    if (id != application_id)
        throw StoreError(path_, "open this file", "it is an SQLite database, but none of SKaMPI",
                         ExitStatus::bad_input);
    if (version > schema_version)
        throw StoreError(path_, "open this file",
                         "it was written by a newer SKaMPI (database version " + std::to_string(version) +
                             ", this one reads versions up to " + std::to_string(schema_version) + ")",
                         ExitStatus::bad_input);
    if (version < 1)
        connection_->fail_damaged("its database version is " + std::to_string(version) +
                                  ", expected 1 or more");
    // Before a migration writes; other foreign parts are found after it.
    if (connection_->integer("SELECT count(*) FROM sqlite_schema WHERE type = 'trigger'") > 0)
        refuse_foreign_schema();
    return true;
}

void DatabaseFile::refuse_foreign_schema() const {
    static const std::map<std::string, std::string> ours = [] {
        const auto empty = Connection::to_temporary("");
        empty->execute(schema_sql().c_str());
        return schema_entries(*empty);
    }();
    const std::map<std::string, std::string> found = schema_entries(*connection_);
    for (const auto& [name, sql] : found) {
        const auto known = ours.find(name);
        if (known != ours.end() && !is_same_but_for_comments(known->second, sql))
            refuse_other_version(fmt::format("its {} is not the one that this SKaMPI makes", name));
        if (known == ours.end() && !is_harmless_table(name, sql))
            throw StoreError(
                path_, "open this file",
                fmt::format(
                    "SKaMPI does not make the {} in it, and in a file from somebody else it may act "
                    "when the file is used; expected only what SKaMPI makes, and further plain tables",
                    printable(name)),
                ExitStatus::bad_input);
    }
    for (const auto& [name, sql] : ours)
        if (!found.contains(name))
            refuse_other_version("the " + name + " is missing");
}

void DatabaseFile::refuse_other_version(const std::string& finding) const {
    throw StoreError(path_, "open this file",
                     finding +
                         ": another version of SKaMPI wrote the file, or somebody changed it. Read it with "
                         "the version that wrote it, or measure again into another file (-d)",
                     ExitStatus::bad_input);
}

void DatabaseFile::create_schema() const {
    Transaction transaction(*connection_);
    connection_->execute(schema_sql().c_str());
    connection_->execute(("PRAGMA application_id = " + std::to_string(application_id)).c_str());
    connection_->execute(("PRAGMA user_version = " + std::to_string(schema_version)).c_str());
    transaction.commit();
}

void DatabaseFile::refuse_damage() const {
    // Single measurements are nearly all of a file of many runs; each row is checked when it is read.
    Query findings = connection_->query(
        "SELECT q.quick_check FROM sqlite_schema s, pragma_quick_check(s.name) q "
        "WHERE s.type = 'table' AND s.name NOT IN ('batch', 'stretch') AND q.quick_check != 'ok'");
    if (findings.next())
        connection_->fail("the file is damaged (" + findings.text() + "); it is left as it is");
}

void DatabaseFile::open_temporary() {
    connection_ = Connection::to_temporary(path_);
    connection_->execute("PRAGMA foreign_keys = OFF"); // its only writer names nothing that is not there
    temporary_ = true;
    writable_ = true;
    create_schema();
}

bool DatabaseFile::open_for_reading() {
    struct stat facts = {};
    if (stat(path_.c_str(), &facts) != 0)
        throw StoreError(path_, "open this file", std::strerror(errno), ExitStatus::bad_input);
    if (S_ISDIR(facts.st_mode))
        throw StoreError(path_, "open this file", "it is a folder, expected a database or a result CSV",
                         ExitStatus::bad_input);
    if (!may(path_, R_OK))
        throw StoreError(path_, "open this file", std::strerror(errno), ExitStatus::bad_input);
    if (!S_ISREG(facts.st_mode))
        return false;
    const std::string real = real_path(path_);
    try {
        connect_for_reading(real, SQLITE_OPEN_READONLY);
    } catch (const StoreError& error) {
        if (error.status() == ExitStatus::bad_input || !connect_after_a_dead_writer(real))
            throw;
    }
    return true;
}

void DatabaseFile::connect_for_reading(const std::string& name, int flags) {
    connection_ = std::make_unique<Connection>(name, path_, SQLITE_OPEN_NOMUTEX | flags);
    connection_->set_busy_timeout(reader_patience_ms);
    connection_->execute("PRAGMA query_only = ON");
    connection_->execute("PRAGMA cell_size_check = ON");
    if (!holds_our_schema())
        throw StoreError(path_, "open this file", "it is empty", ExitStatus::bad_input);
    if (connection_->integer("PRAGMA user_version") < schema_version)
        connection_ = migrated_copy(*connection_, migrations(), schema_version);
    refuse_foreign_schema();
    RunRows(*connection_).check_inventory();
}

bool DatabaseFile::connect_after_a_dead_writer(const std::string& real) {
    const bool may_write_here = may(std::filesystem::path(real).parent_path().string(), W_OK);
    // A writer killed in the middle of a commit leaves a journal that SQLite must roll back before anybody
    // can read.
    if (is_filled(real + "-journal")) {
        if (!may_write_here || !may(path_, W_OK))
            throw StoreError(path_, "open this file",
                             "its last commit was cut short, and " + path_ +
                                 "-journal, which holds how to undo it, cannot be used without writing here; "
                                 "copy both to a folder of your own");
        connect_for_reading(real, SQLITE_OPEN_READWRITE);
        return true;
    }
    if (may_write_here)
        return false;
    // If its writer ended without the last step, a file still claims to have a log. In a folder without write
    // permission SQLite can then read it only as an immutable file, which it is if there is no log.
    if (is_filled(real + "-wal"))
        throw StoreError(
            path_, "open this file",
            "its last commits are in " + path_ +
                "-wal, which cannot be read without writing here; copy both to a folder of your own");
    connect_for_reading(immutable_uri(real), SQLITE_OPEN_READONLY | SQLITE_OPEN_URI);
    return true;
}

void DatabaseFile::open_for_writing(JournalChoice journal) {
    const std::string real = real_path(path_);
    struct stat facts = {};
    const bool was_there = stat(path_.c_str(), &facts) == 0;
    if (was_there && S_ISDIR(facts.st_mode))
        throw StoreError(path_, "write this file", "it is a folder", ExitStatus::bad_input);
    const std::string folder = std::filesystem::path(real).parent_path().string();
    if (!was_there && stat(folder.c_str(), &facts) != 0)
        throw StoreError(path_, "create this file", "there is no folder " + folder);
    // Complains before anything is touched.
    journal_ = journal == JournalChoice::automatic ? journal_of_environment() : journal;

    refuse_outside_session(path_);
    lock_.emplace(FileLock::path_for(real), path_);
    const bool exists = stat(real.c_str(), &facts) == 0; // asked again now that no one else can create it
    try {
        connect_for_writing(real);
    } catch (...) {
        writable_ = false;
        connection_.reset();
        if (!exists) // no one else can have written into it: the lock is still ours
            for (const char* const ending : {"", "-journal", "-wal", "-shm"})
                unlink((real + ending).c_str());
        throw;
    }
}

void DatabaseFile::connect_for_writing(const std::string& real) {
    connection_ = std::make_unique<Connection>(
        real, path_, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX);
    connection_->set_busy_timeout(writer_patience_ms);
    if (connection_->is_read_only())
        throw StoreError(path_, "write this file", "it is read-only");
    connection_->execute("PRAGMA cell_size_check = ON");
    connection_->execute("PRAGMA foreign_keys = ON");
    connection_->execute("PRAGMA temp_store = MEMORY");
    if (holds_our_schema()) {
        refuse_damage();
        migrate(*connection_, migrations(), schema_version);
        refuse_foreign_schema();
        RunRows(*connection_).check_inventory();
    } else {
        create_schema();
    }
    writable_ = true;
    use_working_journal();
}

bool DatabaseFile::set_journal(const char* mode) const {
    // Needs the file for itself, and SQLite does not wait for readers here.
    const auto give_up = std::chrono::steady_clock::now() + patience_for_readers;
    for (;;) {
        try {
            return connection_->text("PRAGMA journal_mode = " + std::string(mode)) == mode;
        } catch (const FileBusy&) {
            if (std::chrono::steady_clock::now() > give_up)
                return false;
        }
        std::this_thread::sleep_for(10ms);
    }
}

void DatabaseFile::use_working_journal() {
    if (temporary_ || connection_->in_transaction())
        return;
    if (journal_ == JournalChoice::memory) {
        (void)set_journal("memory");
        connection_->execute("PRAGMA synchronous = OFF");
        connection_->execute("PRAGMA foreign_keys = OFF"); // its only writer names nothing that is not there
        return;
    }
    const bool wanted = journal_ == JournalChoice::wal ||
                        (journal_ == JournalChoice::automatic && !is_network_file_system(real_path(path_)));
    // Not granted by a file system without shared memory, or while readers stay: then the other one serves.
    (void)set_journal(wanted ? "wal" : "delete");
    log_ = connection_->text("PRAGMA journal_mode") == "wal";
    connection_->execute(log_ ? "PRAGMA synchronous = NORMAL" : "PRAGMA synchronous = FULL");
    // A check-point waits for the disk, between two measurements: rarely.
    connection_->execute("PRAGMA wal_autocheckpoint = 8192");
}

void DatabaseFile::leave_one_file() {
    if (temporary_ || journal_ == JournalChoice::memory || connection_->in_transaction())
        return;
    if (log_) {
        connection_->execute("PRAGMA wal_checkpoint(TRUNCATE)");
        if (!set_journal("delete"))
            return;
        log_ = false;
    }
    connection_->execute("PRAGMA synchronous = FULL");
}

} // namespace skampi
