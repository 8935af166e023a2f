// SPDX-License-Identifier: LGPL-2.1-or-later
#include "import/csv_reader.hpp"

#include "base/error.hpp"
#include "base/text.hpp"

namespace skampi {

CsvReader::CsvReader(TextSource& text)
    : text_(text) {
    for (const char of_byte_order_mark : {'\xEF', '\xBB', '\xBF'})
        if (peek() == of_byte_order_mark)
            take();
}

bool CsvReader::next() {
    record_.assign(1, {});
    line_ = lines_;
    bool quoted = false; // the field
    bool closed = false; // its quotes
    while (const std::optional<char> c = take()) {
        std::string& field = record_.back();
        if (quoted && !closed) {
            if (*c != '"')
                field += *c;
            else if (peek() == '"')
                field += *take();
            else
                closed = true;
        } else if (*c == ',') {
            record_.emplace_back();
            quoted = closed = false;
        } else if (*c == '\n' || (*c == '\r' && peek() == '\n')) {
            if (*c == '\r')
                take();
            if (record_.size() > 1 || quoted || !field.empty())
                return true;
            line_ = lines_;
        } else if (*c == '"' && field.empty() && !closed) {
            quoted = true;
        } else if (*c == '"' || closed) {
            fail("found a quote inside a field, expected the whole field in quotes");
        } else {
            field += *c;
        }
    }
    if (quoted && !closed)
        fail("found no closing quote of a field before the end of the file");
    return record_.size() > 1 || quoted || !record_.back().empty();
}

void CsvReader::fail(const std::string& what) const {
    throw InputError(printable(text_.name()) + ":" + std::to_string(line_) + ": " + what);
}

std::optional<char> CsvReader::peek() {
    if (at_ == piece_.size()) {
        piece_ = text_.next();
        at_ = 0;
    }
    return piece_.empty() ? std::nullopt : std::optional(piece_[at_]);
}

std::optional<char> CsvReader::take() {
    const std::optional<char> byte = peek();
    if (byte) {
        ++at_;
        lines_ += *byte == '\n' ? 1 : 0;
    }
    return byte;
}

} // namespace skampi
