#pragma once

#include "base/text.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace skampi {

/// A word of a text and where it stands, for messages.
struct Word {
    std::string_view text;
    std::size_t line = 1;
    std::size_t column = 1; ///< in characters, from 1
};

/// A text of lines of words, as benchmarks print their tables.
class TextTable {
public:
    /// @param text must outlive this
    TextTable(std::string name, std::string_view text);

    /// Goes to the next line. @return false after the last
    bool next();
    [[nodiscard]] std::string_view line() const { return line_; } ///< without its end
    [[nodiscard]] std::size_t number() const { return number_; }
    /// Its words, separated by blanks.
    [[nodiscard]] const std::vector<Word>& words() const { return words_; }
    [[nodiscard]] bool blank() const { return words_.empty(); }

    [[nodiscard]] std::int64_t integer(const Word& word) const; ///< 0 or more @throws InputError
    [[nodiscard]] double real(const Word& word) const;          ///< 0 or more @throws InputError
    /// A number of ranks, or of a rank. @throws InputError where an MPI library could not have so many
    [[nodiscard]] int ranks(const Word& word) const;
    /// What one more in the last digit printed is worth: 0.01 of 2.50, 1e-7 of 1.5e-6, 1 of 300.
    /// @throws InputError where it is no number
    [[nodiscard]] double last_digit(const Word& word) const;
    /// @throws InputError where the line has another number of words than its heading
    void require_columns(std::size_t count) const;
    [[noreturn]] void fail(const Word& word, const std::string& what) const;
    [[noreturn]] void fail(const std::string& what) const; ///< of the whole line

private:
    std::string name_;
    std::string_view rest_;
    std::string_view line_;
    std::size_t number_ = 0;
    std::vector<Word> words_;
};

/// A column of a table and the word that heads it.
template <typename Column>
struct TitledColumn {
    std::string_view text;
    Column column;
};

/// Which column a word heads. @throws InputError naming all that are known, where it is none
template <typename Column>
[[nodiscard]] Column column_titled(const TextTable& table, const Word& title,
                                   std::span<const TitledColumn<Column>> titles) {
    std::string expected;
    for (const TitledColumn<Column>& each : titles) {
        if (each.text == title.text)
            return each.column;
        expected += (expected.empty() ? "" : ", ") + std::string(each.text);
    }
    table.fail(title, "found an unknown column \"" + printable(title.text) + "\", expected " + expected);
}

} // namespace skampi
