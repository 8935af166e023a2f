#pragma once

#include <string>

namespace skampi {

/// A line of a list of facts.
struct Fact {
    std::string name;
    std::string value;
};

} // namespace skampi
