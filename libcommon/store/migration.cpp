// SPDX-License-Identifier: LGPL-2.1-or-later
#include "store/migration.hpp"

#include <cassert>
#include <sqlite3.h>
#include <string>

namespace skampi {

std::span<const Migration> migrations() {
    return {};
}

void migrate(const Connection& connection, std::span<const Migration> steps, int newest) {
    if (connection.integer("PRAGMA user_version") == newest)
        return; // not even an empty commit: it would look like news
    Transaction transaction(connection);
    auto version = static_cast<int>(connection.integer("PRAGMA user_version"));
    for (const Migration& step : steps) {
        if (step.from != version)
            continue;
        step.apply(connection);
        ++version;
    }
    assert(version == newest);
    connection.execute(("PRAGMA user_version = " + std::to_string(newest)).c_str());
    transaction.commit();
}

std::unique_ptr<Connection> migrated_copy(const Connection& file, std::span<const Migration> steps,
                                          int newest) {
    auto copy = Connection::to_temporary(file.path());
    copy->copy_from(file);
    migrate(*copy, steps, newest);
    copy->doing("open this file");
    return copy;
}

} // namespace skampi
