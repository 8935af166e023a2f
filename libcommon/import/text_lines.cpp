// SPDX-License-Identifier: LGPL-2.1-or-later
#include "import/text_lines.hpp"

#include "base/error.hpp"
#include "base/text.hpp"
#include "model/field_text.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <limits>
#include <utility>

namespace skampi {

namespace {

constexpr std::string_view blanks = " \t\v\f\r";

bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

/// Characters of one kind stand for one another in a clock.
char kind_of(char c) {
    return is_digit(c) ? '0' : std::isalpha(static_cast<unsigned char>(c)) != 0 ? 'a' : c;
}

bool may_be_prefix(std::string_view text) {
    constexpr std::size_t longest = 100;
    constexpr std::string_view ends = " \t:>])|";
    return text.empty() || (text.size() <= longest && text.find_first_of("#\"'`") == std::string_view::npos &&
                            ends.find(text.back()) != std::string_view::npos);
}

std::size_t mark_in(std::string_view line, std::span<const std::string_view> marks) {
    for (const std::string_view mark : marks)
        if (const std::size_t at = line.find(mark);
            at != std::string_view::npos && may_be_prefix(line.substr(0, at)))
            return at;
    return std::string_view::npos;
}

/// Where a clock in a prefix ends, with its fraction: "15:04:20.5", "1725088413.939"; 0 = there is none.
std::size_t end_of_clock(std::string_view prefix) {
    constexpr std::size_t digits_of_seconds = 10; // since 1970
    std::size_t end = 0;
    std::size_t digits = 0;
    for (std::size_t at = 0; at < prefix.size(); ++at) {
        digits = is_digit(prefix[at]) ? digits + 1 : 0;
        if (digits >= digits_of_seconds || (digits >= 2 && at >= 2 && prefix[at - 2] == ':'))
            end = at + 1;
    }
    while (end > 0 && end < prefix.size() &&
           (is_digit(prefix[end]) || prefix[end] == '.' || prefix[end] == ','))
        ++end;
    return end;
}

/// How many characters at the beginning of a line are this prefix.
std::size_t length_of_prefix(std::string_view prefix, std::string_view line) {
    const std::size_t clock = end_of_clock(prefix);
    if (line.size() < prefix.size() || !line.substr(clock).starts_with(prefix.substr(clock)))
        return 0;
    for (std::size_t at = 0; at < clock; ++at) {
        const char own = kind_of(prefix[at]);
        const char found = kind_of(line[at]);
        const bool of_day = at > 0 && prefix[at - 1] == ' '; // " 9" before "10"
        if (own != found && !(of_day && (own == ' ' || own == '0') && (found == ' ' || found == '0')))
            return 0;
    }
    return prefix.size();
}

/// Without the sequences that colour a terminal's text: ESC [ 31 m.
std::string without_colours(std::string_view line) {
    std::string text;
    for (std::size_t at = 0; at < line.size(); ++at) {
        if (line[at] != '\x1b' || at + 1 == line.size() || line[at + 1] != '[') {
            text += line[at];
            continue;
        }
        for (at += 2; at < line.size() && std::isalpha(static_cast<unsigned char>(line[at])) == 0;)
            ++at;
    }
    return text;
}

} // namespace

TextLines::TextLines(std::string name, std::string_view text, std::span<const std::string_view> marks)
    : name_(std::move(name))
    , rest_(text)
    , marks_(marks) {
    constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
    if (rest_.starts_with(byte_order_mark))
        rest_.remove_prefix(byte_order_mark.size());
}

bool TextLines::next() {
    words_.clear();
    if (rest_.empty())
        return false;
    const std::size_t end = std::min(rest_.find('\n'), rest_.size());
    line_ = rest_.substr(0, end);
    rest_.remove_prefix(std::min(end + 1, rest_.size()));
    ++number_;
    if (line_.find('\x1b') != std::string_view::npos)
        line_ = without_colours_ = without_colours(line_);
    const char* const start = line_.data();
    if (const std::size_t mark = mark_in(line_, marks_); mark != std::string_view::npos)
        prefix_ = trimmed(line_.substr(0, mark));
    line_.remove_prefix(std::min(line_.find_first_not_of(blanks), line_.size()));
    indented_ = line_.data() != start;
    line_.remove_prefix(length_of_prefix(prefix_, line_));
    line_ = trimmed(line_);
    for (std::string_view rest = line_; !rest.empty();) {
        words_.push_back(rest.substr(0, rest.find_first_of(blanks)));
        rest.remove_prefix(words_.back().size());
        rest.remove_prefix(std::min(rest.find_first_not_of(blanks), rest.size()));
    }
    return true;
}

void TextLines::fail(std::size_t line, const std::string& what) const {
    throw InputError(printable(name_) + ":" + std::to_string(line) + ": " + what);
}

bool begins_a_line(std::string_view text, std::span<const std::string_view> marks) {
    TextLines lines({}, text, marks);
    while (lines.next())
        if (std::ranges::any_of(marks, [&](std::string_view mark) { return lines.starts_with(mark); }))
            return true;
    return false;
}

std::optional<Number> number_in(std::string_view word) {
    const std::optional<double> value = real_from(word);
    if (!value || !(*value >= 0) || std::isinf(*value))
        return std::nullopt;
    const std::size_t end = std::min(word.find_first_of("eE"), word.size());
    const std::size_t point = word.substr(0, end).find('.');
    double exponent = point == std::string_view::npos ? 0 : -static_cast<double>(end - point - 1);
    if (end < word.size()) {
        std::string_view written = word.substr(end + 1);
        if (written.starts_with('+'))
            written.remove_prefix(1);
        exponent += static_cast<double>(integer_from(written).value_or(0));
    }
    return Number{*value, std::pow(10, exponent)};
}

std::optional<std::int64_t> integer_in(std::string_view word) {
    constexpr std::int64_t most = std::int64_t{1} << 53; // that a double holds
    const std::optional<std::int64_t> value = integer_from(word);
    return value && *value >= 0 && *value <= most ? value : std::nullopt;
}

std::optional<int> ranks_in_word(std::string_view word) {
    const std::optional<std::int64_t> value = integer_in(word);
    if (!value || *value > std::numeric_limits<int>::max())
        return std::nullopt;
    return static_cast<int>(*value);
}

std::string lower(std::string_view text) {
    std::string result(text);
    std::ranges::transform(result, result.begin(),
                           [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return result;
}

std::string_view trimmed(std::string_view text) {
    const std::size_t begin = std::min(text.find_first_not_of(blanks), text.size());
    text.remove_prefix(begin);
    return text.substr(0, text.find_last_not_of(blanks) + 1);
}

} // namespace skampi
