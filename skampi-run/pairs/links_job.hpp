// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "host/environment.hpp"
#include "pairs/links_wish.hpp"

#include <string>
#include <vector>

namespace skampi {

/// One rank of `skampi-run links`, between MPI_Init and MPI_Finalize: measures passes over all pairs, then
/// again what is slow; rank 0 stores them and says what was found. @return the exit status, the same on
/// every rank
/// @param variables of the environment that the ranks were started in
[[nodiscard]] int run_links(const LinksWish& wish, const std::string& database,
                            const std::vector<Variable>& variables);

} // namespace skampi
