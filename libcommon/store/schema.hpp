#pragma once

namespace skampi {

/// "SKMP" in the file's header (file(1) and sqlite3 show it): the file is one of ours.
constexpr int application_id = 0x534B4D50;
/// Of the schema below (PRAGMA user_version). Raised by one with every change; docs/database.md says what
/// changed.
constexpr int schema_version = 1;

/// All tables, indices and views of a new file (docs/database.md describes them, and a test compares the
/// two).
extern const char* const schema_sql;

} // namespace skampi
