// SPDX-License-Identifier: LGPL-2.1-or-later
#include "model/record.hpp"

namespace skampi {

std::string unpack_text(std::string_view& record) {
    const std::size_t colon = record.find(':');
    const std::optional<std::int64_t> length =
        colon == std::string_view::npos ? std::nullopt : integer_from(record.substr(0, colon));
    if (!length || *length < 0 || static_cast<std::size_t>(*length) > record.size() - colon - 1)
        throw std::invalid_argument("a message between ranks is cut short");
    std::string text(record.substr(colon + 1, static_cast<std::size_t>(*length)));
    record.remove_prefix(colon + 1 + text.size());
    return text;
}

} // namespace skampi
