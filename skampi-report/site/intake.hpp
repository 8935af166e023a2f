// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <set>
#include <string>
#include <vector>

namespace skampi {

/// The uuids of all runs of a database, and of those that its merged runs were made of.
/// @throws StoreError where it cannot be read
[[nodiscard]] std::set<std::string> uuids_in(const std::string& database);

/// Whether a stranger's database can be shown among others: it is whole, its values are of the arguments that
/// its plan has, and they and its dates are possible. Reads all of it.
/// @throws InputError or StoreError naming what is wrong
void check_as_strangers(const std::string& database);

} // namespace skampi
