// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "import/text_source.hpp"

#include <optional>
#include <string>
#include <vector>

namespace skampi {

/// Splits a CSV text into records by the letter of RFC 4180, one after the other.
class CsvReader {
public:
    /// @param text outlives this
    explicit CsvReader(TextSource& text);

    /// Goes to the next record that is not an empty line. @return false after the last
    bool next();
    [[nodiscard]] const std::vector<std::string>& record() const { return record_; }
    /// In which the record begins.
    [[nodiscard]] std::size_t line() const { return line_; }

    /// @throws InputError `name:line: what`, of the record
    [[noreturn]] void fail(const std::string& what) const;

private:
    /// The next byte; none at the end.
    [[nodiscard]] std::optional<char> peek();
    std::optional<char> take();

    TextSource& text_;
    std::string piece_;  ///< of the text
    std::size_t at_ = 0; ///< in the piece
    std::size_t lines_ = 1;
    std::size_t line_ = 1;
    std::vector<std::string> record_;
};

} // namespace skampi
