// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <string>

namespace skampi {

/// "SKPI" in the file's header (file(1) and sqlite3 show it): the file is one of ours.
constexpr int application_id = 0x534B5049;
/// "SKMP", in files written before release 0.2.0. Nothing reads them.
constexpr int prerelease_application_id = 0x534B4D50;
/// Version of the schema below (PRAGMA user_version). Raised by one with every change after release 0.2.0,
/// together with a migration (store/migration.hpp); docs/database.md lists the changes.
constexpr int schema_version = 1;

/// All tables, indices and views of a new file. The columns of rows that are structs of the model come from
/// their field lists, with their meanings as comments.
[[nodiscard]] std::string schema_sql();

} // namespace skampi
