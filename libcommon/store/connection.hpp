// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

struct sqlite3;
struct sqlite3_stmt;

namespace skampi {

/// One use of a prepared statement: bind, step through its rows, and it is ready for the next use when this
/// is destroyed. Parameters and columns are counted on: first bind() first parameter, first column() first
/// column.
class Query {
public:
    Query(Query&& other) noexcept;
    Query& operator=(Query&&) = delete;
    ~Query();

    void bind(std::int64_t value);
    void bind(int value) { bind(std::int64_t{value}); }
    void bind(bool value) { bind(std::int64_t{value}); }
    void bind(double value); ///< not a number is stored as NULL
    void bind(std::string_view value);
    void bind(const std::string& value) { bind(std::string_view(value)); }
    void bind(const char*) = delete; ///< would be a bool
    void bind_blob(std::string_view bytes);
    void bind_null();
    template <typename Value>
    void bind(const std::optional<Value>& value) {
        if (value)
            bind(*value);
        else
            bind_null();
    }
    /// Binds all and runs a statement that gives no rows.
    template <typename... Values>
    void run(const Values&... values) {
        (bind(values), ...);
        run();
    }
    void run();
    /// Back to the first parameter and before the first row.
    void rewind();
    /// To the next row. @return false after the last
    bool next();

    [[nodiscard]] bool column_is_null() const; ///< the column that comes next
    std::int64_t integer();
    double real(); ///< NULL reads as not a number
    std::string text();
    std::string blob();
    void skip() { ++column_; }

private:
    friend class Connection;
    Query(const class Connection& connection, sqlite3_stmt* statement, bool owned);

    const Connection* connection_;
    sqlite3_stmt* statement_;
    bool owned_;
    int parameter_ = 0;
    int column_ = 0;
};

/// An SQLite connection and its prepared statements. All errors become StoreError with the path, what was
/// being done, and SQLite's message.
class Connection {
public:
    /// @param name of the file for SQLite, or a URI    @param path for messages
    Connection(const std::string& name, const std::string& path, int flags);
    /// A database of SQLite's own, empty, for what is read from a file that cannot be used as it is: in
    /// memory while it is small, then in a file without a name that is gone with the process.
    /// @param path of the file read, for messages
    [[nodiscard]] static std::unique_ptr<Connection> to_temporary(const std::string& path);
    ~Connection();

    /// What is being done now, for messages: "begin a suite".
    void doing(const char* what) { doing_ = what; }

    /// A cached statement. It must not be in use already; a Query that stays open during callbacks is made by
    /// fresh_query().
    [[nodiscard]] Query query(const std::string& sql) const;
    [[nodiscard]] Query fresh_query(const std::string& sql) const;
    /// Statements without parameters, several at once, rows ignored.
    void execute(const char* sql) const;
    [[nodiscard]] std::int64_t integer(const std::string& sql) const;
    [[nodiscard]] std::string text(const std::string& sql) const;

    [[nodiscard]] std::int64_t last_insert_id() const;
    [[nodiscard]] std::int64_t changes() const; ///< rows changed by the last statement
    [[nodiscard]] bool in_transaction() const;
    [[nodiscard]] bool is_read_only() const;
    void set_busy_timeout(int milliseconds) const;
    /// Everything that another connection's file holds, in place of what this one's holds.
    void copy_from(const Connection& other) const;
    [[nodiscard]] const std::string& path() const { return path_; }

    /// Throws the StoreError for what SQLite said last (or for the result code given).
    [[noreturn]] void fail(int result) const;
    [[noreturn]] void fail(const std::string& why) const;
    /// For what no program of ours writes.
    [[noreturn]] void fail_damaged(const std::string& finding) const;

private:
    friend class Transaction;
    struct CloseDatabase {
        void operator()(sqlite3* handle) const;
    };
    struct FinalizeStatement {
        void operator()(sqlite3_stmt* handle) const;
    };
    [[nodiscard]] sqlite3_stmt* prepare(const std::string& sql, unsigned flags) const;

    std::string path_;
    const char* doing_ = "open this file";
    std::unique_ptr<sqlite3, CloseDatabase> handle_;
    mutable std::map<std::string, std::unique_ptr<sqlite3_stmt, FinalizeStatement>, std::less<>> statements_;
    mutable int open_transactions_ = 0;
};

/// All that is written until commit() becomes one commit; without it nothing is. Inside another transaction
/// it is a part of that one, undone on its own when it fails.
class Transaction {
public:
    explicit Transaction(const Connection& connection);
    Transaction(Transaction&&) = delete;
    ~Transaction();
    void commit();

private:
    const Connection& connection_;
    bool nested_;
    bool open_ = true;
};

/// While this exists, all reading sees one state of the file, also if others commit.
class Snapshot {
public:
    explicit Snapshot(const Connection& connection);
    Snapshot(Snapshot&&) = delete;
    ~Snapshot();

private:
    const Connection& connection_;
    bool own_;
};

} // namespace skampi
