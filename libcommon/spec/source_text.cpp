// SPDX-License-Identifier: LGPL-2.1-or-later
#include "spec/source_text.hpp"

#include "base/text.hpp"
#include "base/utf8.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

namespace skampi {

SourceText::SourceText(std::string name, std::string_view text)
    : name_(std::move(name))
    , text_(text) {
    constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
    if (text_.starts_with(byte_order_mark))
        text_.remove_prefix(byte_order_mark.size());
    for (std::size_t at = text_.find('\n'); at != std::string_view::npos; at = text_.find('\n', at + 1))
        line_begins_.push_back(at + 1);
    if (const std::size_t at = text_.find('\0'); at != std::string_view::npos)
        fail(at, "found a NUL byte, expected a text file");
    if (const std::size_t at = first_not_utf8(text_); at != std::string_view::npos)
        fail(at, fmt::format("found the byte 0x{:02X}, which is not UTF-8, expected a text file in UTF-8",
                             static_cast<unsigned char>(text_[at])));
}

std::size_t SourceText::line(std::size_t offset) const {
    const auto next = std::upper_bound(line_begins_.begin(), line_begins_.end(), offset);
    return static_cast<std::size_t>(next - line_begins_.begin());
}

std::size_t SourceText::column(std::size_t offset) const {
    const std::size_t begin = line_begins_[line(offset) - 1];
    return 1 + character_count(text_.substr(begin, offset - begin));
}

std::string SourceText::place(std::size_t offset) const {
    return fmt::format("{}:{}:{}", printable(name_), line(offset), column(offset));
}

void SourceText::fail(std::size_t offset, const std::string& message) const {
    throw SourceError(line(offset), column(offset), fmt::format("{}: {}", place(offset), message));
}

std::string quoted(std::string_view found) {
    constexpr std::size_t longest = 100;
    const std::string_view shown = first_bytes(found, longest);
    return fmt::format("\"{}{}\"", printable(shown), shown.size() < found.size() ? "..." : "");
}

} // namespace skampi
