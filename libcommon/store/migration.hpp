#pragma once

#include "store/connection.hpp"

#include <memory>
#include <span>

namespace skampi {

/// One step from a version of the schema to the next.
struct Migration {
    int from = 0;
    void (*apply)(const Connection& connection) = nullptr; ///< within a transaction; checksums included
};

/// All steps there are, from the oldest version that is still read (the first step's `from`, or
/// schema_version where there is none) to schema_version without a gap. Together with a step goes a stored
/// file of the version it comes from, in tests/data. Version 1 was never released and is not read.
[[nodiscard]] std::span<const Migration> migrations();

/// The oldest version these steps start from. @param newest version they lead to
[[nodiscard]] int oldest_version(std::span<const Migration> steps, int newest);

/// Brings a database to the newest version, in one commit. Nothing to do is fine.
/// @pre its version is oldest_version() or newer
void migrate(const Connection& connection, std::span<const Migration> steps, int newest);

/// The same for a reader, who must not change the file: a migrated copy (Connection::to_temporary).
[[nodiscard]] std::unique_ptr<Connection> migrated_copy(const Connection& file,
                                                        std::span<const Migration> steps, int newest);

} // namespace skampi
