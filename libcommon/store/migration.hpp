// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "store/connection.hpp"

#include <memory>
#include <span>

namespace skampi {

/// One step from a version of the schema to the next. A new column with the default 0, empty or NULL leaves
/// the checksums of older rows valid (Checksum, store/row.hpp); a step that changes more recomputes them.
struct Migration {
    int from = 0;
    void (*apply)(const Connection& connection) = nullptr; ///< within a transaction
};

/// All steps from version 1 to schema_version, without a gap. None yet: release 0.2.0 has version 1.
/// A new step comes with a stored file of the version it starts from, in tests/data.
[[nodiscard]] std::span<const Migration> migrations();

/// Brings a database to the newest version, in one commit. Does nothing if it is there already.
void migrate(const Connection& connection, std::span<const Migration> steps, int newest);

/// The same for a reader, who must not change the file: a migrated copy (Connection::to_temporary).
[[nodiscard]] std::unique_ptr<Connection> migrated_copy(const Connection& file,
                                                        std::span<const Migration> steps, int newest);

} // namespace skampi
