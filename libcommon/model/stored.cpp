// SPDX-License-Identifier: LGPL-2.1-or-later
#include "model/stored.hpp"

#include "model/quantity.hpp"

#include <fmt/format.h>

namespace skampi {

std::string reason_of(const StoredSuite& suite) {
    if (suite.merge.launches == 0)
        return suite.reason;
    std::vector<std::string> parts;
    if (suite.merge.without_value)
        parts.emplace_back("no run has a value");
    if (suite.merge.unfinished > 0)
        parts.push_back(fmt::format("in {} of {}{}{}", suite.merge.unfinished,
                                    count_of(suite.merge.launches, "launch", "launches"),
                                    suite.reason.empty() ? "" : ": ", suite.reason));
    return fmt::format("{}", fmt::join(parts, "; "));
}

} // namespace skampi
