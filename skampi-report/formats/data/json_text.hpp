// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace skampi {

/// JSON as text. What is no UTF-8 in it, as other programs write names, becomes U+FFFD.
/// @param indent of a level; -1 = all on one line
template <typename Json>
std::string json_text(const Json& json, int indent = -1) {
    return json.dump(indent, ' ', false, Json::error_handler_t::replace);
}

} // namespace skampi
