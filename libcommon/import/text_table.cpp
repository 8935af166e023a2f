#include "import/text_table.hpp"

#include "base/error.hpp"
#include "base/text.hpp"
#include "base/utf8.hpp"
#include "model/field_text.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace skampi {

TextTable::TextTable(std::string name, std::string_view text)
    : name_(std::move(name))
    , rest_(text) {}

bool TextTable::next() {
    words_.clear();
    if (rest_.empty())
        return false;
    const std::size_t end = std::min(rest_.find('\n'), rest_.size());
    line_ = rest_.substr(0, end);
    rest_.remove_prefix(std::min(end + 1, rest_.size()));
    if (line_.ends_with('\r'))
        line_.remove_suffix(1);
    ++number_;
    std::size_t column = 1;
    bool within = false;
    for (std::size_t at = 0; at < line_.size(); ++at) {
        const bool separates = line_[at] == ' ' || line_[at] == '\t';
        if (!separates && !within)
            words_.push_back({line_.substr(at, 0), number_, column});
        within = !separates;
        if (within)
            words_.back().text = {words_.back().text.data(), words_.back().text.size() + 1};
        column += begins_character(line_[at]) ? 1 : 0;
    }
    return true;
}

std::int64_t TextTable::integer(const Word& word) const {
    const std::optional<std::int64_t> value = integer_from(word.text);
    if (!value || *value < 0)
        fail(word,
             "found \"" + printable(std::string(word.text)) + "\", expected a whole number of 0 or more");
    return *value;
}

int TextTable::ranks(const Word& word) const {
    const std::int64_t value = integer(word);
    if (value > std::numeric_limits<int>::max())
        fail(word, "found " + printable(std::string(word.text)) + " ranks, expected at most " +
                       std::to_string(std::numeric_limits<int>::max()));
    return static_cast<int>(value);
}

double TextTable::real(const Word& word) const {
    const std::optional<double> value = real_from(word.text);
    if (!value || !(*value >= 0) || std::isinf(*value))
        fail(word, "found \"" + printable(std::string(word.text)) + "\", expected a number of 0 or more");
    return *value;
}

double TextTable::last_digit(const Word& word) const {
    (void)real(word);
    const std::size_t end = std::min(word.text.find_first_of("eE"), word.text.size());
    const std::size_t point = word.text.substr(0, end).find('.');
    double exponent = point == std::string_view::npos ? 0 : -static_cast<double>(end - point - 1);
    if (end < word.text.size()) {
        std::string_view written = word.text.substr(end + 1);
        if (written.starts_with('+'))
            written.remove_prefix(1);
        exponent += static_cast<double>(integer_from(written).value_or(0));
    }
    return std::pow(10, exponent);
}

void TextTable::require_columns(std::size_t count) const {
    if (words_.size() != count)
        fail(words_.back(), "found " + std::to_string(words_.size()) + " columns, expected " +
                                std::to_string(count) + " as in the heading");
}

void TextTable::fail(const Word& word, const std::string& what) const {
    throw InputError(printable(name_) + ":" + std::to_string(word.line) + ":" + std::to_string(word.column) +
                     ": " + what);
}

void TextTable::fail(const std::string& what) const {
    fail({line_, number_, 1}, what);
}

} // namespace skampi
