// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace skampi {

/// A text of lines of words, as benchmarks and launchers print them. A line is shown without what others put
/// around it: colours of a terminal, blanks, the prefix of a launcher ("[1,0]<stdout>:", "node1: ", a clock).
class TextLines {
public:
    /// @param text must outlive this  @param marks how titles begin: what stands before one is the prefix of
    /// the lines that follow; what changes up to the end of a clock in it is part of it
    TextLines(std::string name, std::string_view text, std::span<const std::string_view> marks);

    /// Goes to the next line. @return false after the last
    bool next();
    [[nodiscard]] std::string_view line() const { return line_; }
    [[nodiscard]] std::size_t number() const { return number_; }
    /// Its words, separated by blanks. They last until next().
    [[nodiscard]] const std::vector<std::string_view>& words() const { return words_; }
    [[nodiscard]] bool blank() const { return words_.empty(); }
    [[nodiscard]] bool starts_with(std::string_view text) const { return line_.starts_with(text); }
    [[nodiscard]] const std::string& prefix() const { return prefix_; }
    /// Whether blanks were before it.
    [[nodiscard]] bool is_indented() const { return indented_; }

    /// @throws InputError "name:line: what"
    [[noreturn]] void fail(std::size_t line, const std::string& what) const;

private:
    std::string name_;
    std::string_view rest_;
    std::span<const std::string_view> marks_;
    std::string without_colours_;
    std::string_view line_;
    std::size_t number_ = 0;
    bool indented_ = false;
    std::string prefix_;
    std::vector<std::string_view> words_;
};

/// Whether a line of the text begins with one of the marks, perhaps behind a launcher's prefix.
[[nodiscard]] bool begins_a_line(std::string_view text, std::span<const std::string_view> marks);

/// A number that was printed.
struct Number {
    double value = 0;
    double step = 0; ///< what one more in its last digit is worth: 0.01 of 2.50, 1e-7 of 1.5e-6, 1 of 300
};
/// None where a word is not a finite number of 0 or more.
[[nodiscard]] std::optional<Number> number_in(std::string_view word);
/// None where it is not a whole one up to 2^53.
[[nodiscard]] std::optional<std::int64_t> integer_in(std::string_view word);
/// A number of ranks, or of a rank; none where no MPI library could have so many.
[[nodiscard]] std::optional<int> ranks_in_word(std::string_view word);

[[nodiscard]] std::string lower(std::string_view text);
/// Without blanks at both ends.
[[nodiscard]] std::string_view trimmed(std::string_view text);

} // namespace skampi
