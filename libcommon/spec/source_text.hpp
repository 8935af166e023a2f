#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace skampi {

/// The text of a parameter file, with the means to say where in it something is wrong.
/// A byte order mark is not part of the text. Borrows the text.
class SourceText {
public:
    /// @param name as in messages
    /// @throws InputError when the text is not UTF-8 or holds a NUL byte
    SourceText(std::string name, std::string_view text);

    [[nodiscard]] std::string_view text() const { return text_; }
    /// Line of a place in text(), from 1. Found in little time, however long the file.
    [[nodiscard]] std::size_t line(std::size_t offset) const;
    /// `name:line:column`, column in characters, from 1.
    [[nodiscard]] std::string place(std::size_t offset) const;
    /// @throws InputError always: the place and the message
    [[noreturn]] void fail(std::size_t offset, const std::string& message) const;

private:
    std::string name_;
    std::string_view text_;
    std::vector<std::size_t> line_begins_{0};
};

/// A piece of a file as it is shown in a message: in double quotes, control characters escaped, cut when
/// long.
[[nodiscard]] std::string quoted(std::string_view found);

} // namespace skampi
