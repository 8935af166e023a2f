// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <string>
#include <vector>

namespace skampi {

/// A line of a list of facts.
struct Fact {
    std::string name;
    std::string value;
};

/// Adds a fact unless its value is empty.
inline void add_known(std::vector<Fact>& facts, const std::string& name, const std::string& value) {
    if (!value.empty())
        facts.push_back({name, value});
}

} // namespace skampi
