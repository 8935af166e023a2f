#include "import/csv_reader.hpp"

#include "base/error.hpp"
#include "base/text.hpp"
#include "base/utf8.hpp"

#include <string_view>

namespace skampi {

CsvReader::CsvReader(TextSource& text)
    : text_(text) {
    constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
    if (is_there(byte_order_mark.size() - 1) && std::string_view(piece_).starts_with(byte_order_mark))
        at_ = byte_order_mark.size();
}

bool CsvReader::next() {
    while (at_line_end())
        end_line();
    if (done())
        return false;
    std::size_t fields = 0;
    for (;;) {
        if (fields == record_.size())
            record_.emplace_back();
        read(record_[fields++]);
        if (done() || peek() != ',')
            break;
        step();
    }
    record_.resize(fields);
    if (!done())
        end_line();
    return true;
}

void CsvReader::fail(Position position, const std::string& what) const {
    throw InputError(printable(text_.name()) + ":" + std::to_string(position.line) + ":" +
                     std::to_string(position.column) + ": " + what);
}

bool CsvReader::is_there(std::size_t behind) {
    while (at_ + behind >= piece_.size()) {
        const std::string more = text_.next();
        if (more.empty())
            return false;
        piece_.erase(0, at_);
        at_ = 0;
        piece_ += more;
    }
    return true;
}

bool CsvReader::at_line_end() {
    return !done() && (peek() == '\n' || (peek() == '\r' && is_there(1) && piece_[at_ + 1] == '\n'));
}

void CsvReader::step() {
    const char byte = piece_[at_++];
    if (byte == '\n') {
        ++position_.line;
        position_.column = 1;
    } else if (begins_character(byte)) {
        ++position_.column;
    }
}

void CsvReader::end_line() {
    if (peek() == '\r')
        step();
    step();
}

void CsvReader::read(CsvField& field) {
    field.text.clear();
    field.position = position_;
    if (!done() && peek() == '"') {
        step();
        read_quoted(field);
        return;
    }
    while (!done() && peek() != ',' && !at_line_end()) {
        if (peek() == '"')
            fail(position_, "found a quote inside a field, expected the whole field in quotes");
        field.text += peek();
        step();
    }
}

void CsvReader::read_quoted(CsvField& field) {
    for (;;) {
        if (done())
            fail(field.position, "found no closing quote for this field before the end of the file");
        if (peek() != '"') {
            field.text += peek();
            step();
            continue;
        }
        step();
        if (done() || peek() == ',' || at_line_end())
            return;
        if (peek() != '"')
            fail(position_, "found \"" + printable(std::string_view(piece_).substr(at_, 1)) +
                                "\" after a closing quote, expected a comma or the end of the line");
        field.text += '"';
        step();
    }
}

} // namespace skampi
