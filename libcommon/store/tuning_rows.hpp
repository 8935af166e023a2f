// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "store/connection.hpp"
#include "tuning/rule.hpp"

#include <cstdint>
#include <vector>

namespace skampi {

/// The rows of tuning files, with their rules.
class TuningRows {
public:
    /// @param connection outlives this
    explicit TuningRows(const Connection& connection)
        : connection_(connection) {}

    void insert(const TuningFile& file) const;
    [[nodiscard]] std::vector<TuningFile> all() const; ///< oldest first

private:
    [[nodiscard]] std::vector<TuningRule> rules_of(std::int64_t id) const;

    const Connection& connection_;
};

} // namespace skampi
