#pragma once

#include <string>

namespace skampi {

/// "SKMP" in the file's header (file(1) and sqlite3 show it): the file is one of ours.
constexpr int application_id = 0x534B4D50;
/// Of the schema below (PRAGMA user_version). Raised by one with every change, together with a migration
/// (store/migration.hpp); docs/database.md says what changed.
constexpr int schema_version = 7;

/// All tables, indices and views of a new file. The columns of rows that are structs of the model come from
/// their field lists, with their meanings as comments.
[[nodiscard]] std::string schema_sql();

/// What makes a database of version 2 one of version 3: merged values say more of what they rest on (columns
/// of mode, merge_fact and source), and so do the views result and source_flat. All that is new is unknown of
/// old rows, whose checksums stay as they are (came_later).
[[nodiscard]] std::string version_3_sql();

/// What makes a database of version 3 one of version 4: suites say which partner and which order of joining
/// was asked for, ranks what they are bound to and how well they agreed on the time (also table
/// clock_estimate). Nothing is known of these in old rows, whose checksums stay as they are.
[[nodiscard]] std::string version_4_sql();

/// What makes a database of version 4 one of version 5: the sources of merged values say all that a merge
/// needs of them (means and cut statistics, overhead, and table source_node_time). Nothing is known of these
/// in old rows, whose checksums stay as they are.
[[nodiscard]] std::string version_5_sql();

/// What makes a database of version 5 one of version 6: single measurements of few ranks with large numbers
/// are told by a list of these (column listed_ranks of stretch, view sample_flat). No older file has any.
[[nodiscard]] std::string version_6_sql();

/// What makes a database of version 6 one of version 7: how the probe's round trip was shared by its two
/// ways, and how merged values were adjusted.
[[nodiscard]] std::string version_7_sql();

} // namespace skampi
