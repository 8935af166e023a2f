// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "model/pair_map.hpp"
#include "model/stored.hpp"
#include "store/connection.hpp"

#include <vector>

namespace skampi {

/// The rows of pair maps.
class PairRows {
public:
    /// @param connection outlives this
    explicit PairRows(const Connection& connection)
        : connection_(connection) {}

    void insert(RunId run, const PairMap& map) const;
    [[nodiscard]] std::vector<PairMap> of_run(RunId run) const; ///< in the order measured

private:
    const Connection& connection_;
};

} // namespace skampi
