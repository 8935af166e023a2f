// SPDX-License-Identifier: LGPL-2.1-or-later
#include "store/connection.hpp"

#include "store/store_error.hpp"

#include <cmath>
#include <cstring>
#include <limits>
#include <sqlite3.h>
#include <utility>

namespace skampi {

// --- Query

Query::Query(const Connection& connection, sqlite3_stmt* statement, bool owned)
    : connection_(&connection)
    , statement_(statement)
    , owned_(owned) {}

Query::Query(Query&& other) noexcept
    : connection_(other.connection_)
    , statement_(std::exchange(other.statement_, nullptr))
    , owned_(other.owned_)
    , parameter_(other.parameter_)
    , column_(other.column_) {}

Query::~Query() {
    if (!statement_)
        return;
    if (owned_) {
        sqlite3_finalize(statement_);
        return;
    }
    sqlite3_reset(statement_);
    sqlite3_clear_bindings(statement_);
}

void Query::bind(std::int64_t value) {
    if (const int result = sqlite3_bind_int64(statement_, ++parameter_, value); result != SQLITE_OK)
        connection_->fail(result);
}

void Query::bind(double value) {
    if (const int result = sqlite3_bind_double(statement_, ++parameter_, value); result != SQLITE_OK)
        connection_->fail(result);
}

void Query::bind(std::string_view value) {
    // A null pointer would bind NULL; text is copied because callers bind temporaries.
    const char* bytes = value.empty() ? "" : value.data();
    const int result =
        sqlite3_bind_text64(statement_, ++parameter_, bytes, value.size(), SQLITE_TRANSIENT, SQLITE_UTF8);
    if (result != SQLITE_OK)
        connection_->fail(result);
}

void Query::bind_blob(std::string_view bytes) {
    // An empty BLOB is no NULL.
    const char* const data = bytes.empty() ? "" : bytes.data();
    if (const int result =
            sqlite3_bind_blob64(statement_, ++parameter_, data, bytes.size(), SQLITE_TRANSIENT);
        result != SQLITE_OK)
        connection_->fail(result);
}

void Query::bind_null() {
    if (const int result = sqlite3_bind_null(statement_, ++parameter_); result != SQLITE_OK)
        connection_->fail(result);
}

void Query::run() {
    while (next()) {
    }
    rewind();
}

void Query::rewind() {
    sqlite3_reset(statement_);
    parameter_ = 0;
}

bool Query::next() {
    column_ = 0;
    const int result = sqlite3_step(statement_);
    if (result == SQLITE_ROW)
        return true;
    if (result != SQLITE_DONE)
        connection_->fail(result);
    return false;
}

bool Query::column_is_null() const {
    return sqlite3_column_type(statement_, column_) == SQLITE_NULL;
}

std::int64_t Query::integer() {
    return sqlite3_column_int64(statement_, column_++);
}

double Query::real() {
    if (column_is_null()) {
        skip();
        return std::numeric_limits<double>::quiet_NaN();
    }
    return sqlite3_column_double(statement_, column_++);
}

std::string Query::text() {
    const auto* bytes = reinterpret_cast<const char*>(sqlite3_column_text(statement_, column_));
    const int size = sqlite3_column_bytes(statement_, column_++);
    return bytes ? std::string(bytes, static_cast<std::size_t>(size)) : std::string();
}

std::string Query::blob() {
    const auto* bytes = static_cast<const char*>(sqlite3_column_blob(statement_, column_));
    const int size = sqlite3_column_bytes(statement_, column_++);
    return bytes ? std::string(bytes, static_cast<std::size_t>(size)) : std::string();
}

// --- Connection

void Connection::CloseDatabase::operator()(sqlite3* handle) const {
    sqlite3_close_v2(handle);
}
void Connection::FinalizeStatement::operator()(sqlite3_stmt* handle) const {
    sqlite3_finalize(handle);
}

Connection::Connection(const std::string& name, const std::string& path, int flags)
    : path_(path) {
    sqlite3* raw = nullptr;
    const int result = sqlite3_open_v2(name.c_str(), &raw, flags, nullptr);
    handle_.reset(raw); // SQLite hands out a connection to close even on failure
    if (result != SQLITE_OK)
        fail(result);
    sqlite3_extended_result_codes(handle_.get(), 1);
    // The file may be untrusted: its schema gets no functions with side effects and no write to itself.
    sqlite3_db_config(handle_.get(), SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
    sqlite3_db_config(handle_.get(), SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
}

Connection::~Connection() = default;

sqlite3_stmt* Connection::prepare(const std::string& sql, unsigned flags) const {
    sqlite3_stmt* statement = nullptr;
    const int result = sqlite3_prepare_v3(handle_.get(), sql.data(), static_cast<int>(sql.size()), flags,
                                          &statement, nullptr);
    if (result != SQLITE_OK)
        fail(result);
    return statement;
}

Query Connection::query(const std::string& sql) const {
    auto found = statements_.find(sql);
    if (found == statements_.end()) {
        sqlite3_stmt* statement = prepare(sql, SQLITE_PREPARE_PERSISTENT);
        found = statements_.emplace(sql, statement).first;
    }
    return {*this, found->second.get(), false};
}

Query Connection::fresh_query(const std::string& sql) const {
    return {*this, prepare(sql, 0), true};
}

void Connection::execute(const char* sql) const {
    if (const int result = sqlite3_exec(handle_.get(), sql, nullptr, nullptr, nullptr); result != SQLITE_OK)
        fail(result);
}

std::int64_t Connection::integer(const std::string& sql) const {
    Query query = fresh_query(sql);
    return query.next() ? query.integer() : 0;
}

std::string Connection::text(const std::string& sql) const {
    Query query = fresh_query(sql);
    return query.next() ? query.text() : std::string();
}

std::int64_t Connection::last_insert_id() const {
    return sqlite3_last_insert_rowid(handle_.get());
}
std::int64_t Connection::changes() const {
    return sqlite3_changes64(handle_.get());
}
bool Connection::in_transaction() const {
    return sqlite3_get_autocommit(handle_.get()) == 0;
}
bool Connection::is_read_only() const {
    return sqlite3_db_readonly(handle_.get(), "main") == 1;
}
void Connection::set_busy_timeout(int milliseconds) const {
    sqlite3_busy_timeout(handle_.get(), milliseconds);
}

std::unique_ptr<Connection> Connection::to_temporary(const std::string& path) {
    auto connection = std::make_unique<Connection>(
        "", path, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX);
    connection->doing("read this file by way of the folder for temporary files (TMPDIR, else /var/tmp)");
    connection->execute("PRAGMA cache_size = -4096"); // KiB: smaller databases need no file
    connection->execute("PRAGMA journal_mode = MEMORY");
    return connection;
}

void Connection::copy_from(const Connection& other) const {
    sqlite3_backup* const backup = sqlite3_backup_init(handle_.get(), "main", other.handle_.get(), "main");
    if (backup == nullptr)
        fail(sqlite3_errcode(handle_.get()));
    const int step = sqlite3_backup_step(backup, -1);
    if (const int result = sqlite3_backup_finish(backup); result != SQLITE_OK || step != SQLITE_DONE)
        fail(result != SQLITE_OK ? result : step);
}

void Connection::fail(int result) const {
    const int kind = result & 0xff;
    std::string why = handle_ ? sqlite3_errmsg(handle_.get()) : sqlite3_errstr(result);
    if (handle_ && (kind == SQLITE_IOERR || kind == SQLITE_CANTOPEN)) {
        if (const int reason = sqlite3_system_errno(handle_.get()); reason != 0)
            why += std::string(" (") + std::strerror(reason) + ")";
    }
    if (kind == SQLITE_CORRUPT)
        why += ": the file is damaged; it is left as it is";
    if (kind == SQLITE_NOTADB)
        throw NotADatabase(path_, doing_, why);
    if (kind == SQLITE_BUSY || kind == SQLITE_LOCKED)
        throw FileBusy(path_, doing_, why);
    throw StoreError(path_, doing_, why);
}

void Connection::fail(const std::string& why) const {
    throw StoreError(path_, doing_, why);
}

void Connection::fail_damaged(const std::string& finding) const {
    fail(finding + ": the file is damaged or was edited; it is left as it is");
}

// --- Transaction

Transaction::Transaction(const Connection& connection)
    : connection_(connection)
    , nested_(connection.in_transaction()) {
    // Some errors (full disk) make SQLite undo everything at once: what comes later in the same group of
    // writes must not become a commit of its own.
    if (connection_.open_transactions_ > 0 && !nested_)
        connection_.fail("an earlier error has undone this commit");
    // IMMEDIATE: waiting for another process happens here and not in the middle.
    connection_.query(nested_ ? "SAVEPOINT part" : "BEGIN IMMEDIATE").run();
    ++connection_.open_transactions_;
}

Transaction::~Transaction() {
    --connection_.open_transactions_;
    // SQLite has already rolled all of it back after some errors (full disk, input and output).
    if (!open_ || !connection_.in_transaction())
        return;
    try {
        if (nested_)
            connection_.query("ROLLBACK TO part").run();
        connection_.query(nested_ ? "RELEASE part" : "ROLLBACK").run();
    } catch (const Error&) {
        // The error that brought us here is on its way; a transaction that cannot be rolled back is when the
        // connection closes.
    }
}

void Transaction::commit() {
    if (!connection_.in_transaction())
        connection_.fail("an earlier error has undone this commit");
    connection_.query(nested_ ? "RELEASE part" : "COMMIT").run();
    open_ = false;
}

Snapshot::Snapshot(const Connection& connection)
    : connection_(connection)
    , own_(!connection.in_transaction()) {
    if (own_)
        connection_.query("BEGIN").run();
}

Snapshot::~Snapshot() {
    try {
        if (own_ && connection_.in_transaction())
            connection_.query("ROLLBACK").run();
    } catch (const Error&) {
        // Nothing was written, so nothing can be lost; closing the connection ends it.
    }
}

} // namespace skampi
