// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "base/error.hpp"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace skampi {

/// Something is wrong at a place in a text file.
class SourceError : public InputError {
public:
    /// @param line, column from 1
    SourceError(std::size_t line, std::size_t column, const std::string& what)
        : InputError(what)
        , line_(line)
        , column_(column) {}
    [[nodiscard]] std::size_t line() const { return line_; }
    [[nodiscard]] std::size_t column() const { return column_; }

private:
    std::size_t line_;
    std::size_t column_;
};

/// A text file with its lines and columns. A byte order mark is not part of the text. Borrows the text.
class SourceText {
public:
    /// @param name as in messages
    /// @throws SourceError when the text is not UTF-8 or holds a NUL byte
    SourceText(std::string name, std::string_view text);

    [[nodiscard]] std::string_view text() const { return text_; }
    /// Line of a place in text(), from 1. Takes logarithmic time.
    [[nodiscard]] std::size_t line(std::size_t offset) const;
    /// Column of a place in text(), in characters, from 1.
    [[nodiscard]] std::size_t column(std::size_t offset) const;
    /// `name:line:column`
    [[nodiscard]] std::string place(std::size_t offset) const;
    /// @throws SourceError always: the place and the message
    [[noreturn]] void fail(std::size_t offset, const std::string& message) const;

private:
    std::string name_;
    std::string_view text_;
    std::vector<std::size_t> line_begins_{0};
};

/// A piece of a file for a message: in double quotes, control characters escaped, shortened.
[[nodiscard]] std::string quoted(std::string_view found);

} // namespace skampi
