#include "spec/source_text.hpp"

#include "base/error.hpp"
#include "base/text.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

namespace skampi {

namespace {

bool begins_character(char c) {
    return (static_cast<unsigned char>(c) & 0xC0) != 0x80;
}

} // namespace

SourceText::SourceText(std::string name, std::string_view text)
    : name_(std::move(name))
    , text_(text) {
    constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
    if (text_.starts_with(byte_order_mark))
        text_.remove_prefix(byte_order_mark.size());
    if (const std::size_t at = text_.find('\0'); at != std::string_view::npos)
        fail(at, "found a NUL byte, expected a text file");
    const std::string valid = to_valid_utf8(text_);
    const auto differs = std::mismatch(text_.begin(), text_.end(), valid.begin(), valid.end()).first;
    if (const auto at = static_cast<std::size_t>(differs - text_.begin()); at != text_.size())
        fail(at,
             fmt::format("found the byte 0x{:02X}, which is not UTF-8 here, expected a text file in UTF-8",
                         static_cast<unsigned char>(text_[at])));
}

std::size_t SourceText::line(std::size_t offset) const {
    const std::string_view before = text_.substr(0, std::min(offset, text_.size()));
    return 1 + static_cast<std::size_t>(std::count(before.begin(), before.end(), '\n'));
}

void SourceText::fail(std::size_t offset, const std::string& message) const {
    const std::string_view before = text_.substr(0, std::min(offset, text_.size()));
    const std::size_t newline = before.rfind('\n');
    const std::string_view in_line = newline == std::string_view::npos ? before : before.substr(newline + 1);
    const auto column = 1 + std::count_if(in_line.begin(), in_line.end(), begins_character);
    throw InputError(fmt::format("{}:{}:{}: {}", printable(name_), line(offset), column, message));
}

std::string quoted(std::string_view found) {
    constexpr std::size_t longest = 100;
    std::size_t end = std::min(found.size(), longest);
    while (end > 0 && end < found.size() && !begins_character(found[end]))
        --end;
    return fmt::format("\"{}{}\"", printable(found.substr(0, end)), end < found.size() ? "..." : "");
}

} // namespace skampi
