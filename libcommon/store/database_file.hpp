// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "store/connection.hpp"
#include "store/file_lock.hpp"

#include <memory>
#include <optional>
#include <string>
#include <utility>

namespace skampi {

/// How a writer keeps its changes until they are committed.
enum class JournalChoice {
    automatic, ///< a write-ahead log, but on network file systems a rollback journal
    wal,
    rollback,
    memory, ///< a file that is thrown away should anything go wrong
};

/// The file of a database and the connection to it: opening, the writer's lock, the journal.
class DatabaseFile {
public:
    explicit DatabaseFile(std::string path)
        : path_(std::move(path)) {}
    DatabaseFile(DatabaseFile&&) = delete;
    /// A file that is written is left as one file if nothing prevents it.
    ~DatabaseFile();

    /// @return false for what cannot be a database: pipes and devices
    /// @throws NotADatabase for other files
    [[nodiscard]] bool open_for_reading();
    /// Creates the file where it is missing. @throws NotADatabase as above
    void open_for_writing(JournalChoice journal);
    /// An empty database without a name, for what is read from a text.
    void open_temporary();
    /// From now on it is only read.
    void end_writing() { writable_ = false; }

    [[nodiscard]] const std::string& path() const { return path_; }
    [[nodiscard]] Connection& connection() const { return *connection_; }
    [[nodiscard]] bool writable() const { return writable_; }
    /// Whether the journal is a write-ahead log now.
    [[nodiscard]] bool has_log() const { return log_; }

    /// The journal for many commits. Nothing changes within a transaction.
    void use_working_journal();
    /// Takes the log into the file, so that one file remains.
    void leave_one_file();

private:
    /// @return whether the file holds anything yet  @throws StoreError when it is not one of ours
    [[nodiscard]] bool holds_our_schema() const;
    void create_schema() const;
    /// Only our own tables, indices and views, and plain tables: a file may be untrusted, and a
    /// planted trigger would act when it is written, a planted view when it is read.
    /// @throws StoreError naming what is foreign
    void refuse_foreign_schema() const;
    [[noreturn]] void refuse_other_version(const std::string& finding) const;
    void refuse_damage() const;
    void connect_for_reading(const std::string& name, int flags);
    /// If a writer was killed, or cannot write next to the file. @return false if that is not the reason
    [[nodiscard]] bool connect_after_a_dead_writer(const std::string& real);
    void connect_for_writing(const std::string& real);
    [[nodiscard]] bool set_journal(const char* mode) const;

    std::string path_;
    std::optional<FileLock> lock_; ///< declared first: released when the connection has gone
    std::unique_ptr<Connection> connection_;
    bool writable_ = false;
    bool temporary_ = false; ///< what was read from a text
    JournalChoice journal_ = JournalChoice::automatic;
    bool log_ = false;
};

} // namespace skampi
