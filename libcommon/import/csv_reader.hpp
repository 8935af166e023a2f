#pragma once

#include "import/text_source.hpp"

#include <string>
#include <vector>

namespace skampi {

struct Position {
    std::size_t line = 1;
    std::size_t column = 1; ///< in characters of the line, from 1
};

struct CsvField {
    std::string text;
    Position position;
};

/// Splits a CSV text into records by the letter of RFC 4180, one after the other.
class CsvReader {
public:
    /// @param text outlives this
    explicit CsvReader(TextSource& text);

    /// Goes to the next record that is not an empty line. @return false after the last
    bool next();
    [[nodiscard]] const std::vector<CsvField>& record() const { return record_; }

    /// @throws InputError `name:line:column: what`
    [[noreturn]] void fail(Position position, const std::string& what) const;

private:
    /// Whether the text has so many bytes more behind the next one.
    bool is_there(std::size_t behind);
    bool done() { return !is_there(0); }
    /// @pre not done()
    [[nodiscard]] char peek() const { return piece_[at_]; }
    bool at_line_end();
    void step();
    /// @pre at_line_end()
    void end_line();
    void read(CsvField& field);
    /// The rest of a field behind its opening quote.
    void read_quoted(CsvField& field);

    TextSource& text_;
    std::string piece_;  ///< of the text
    std::size_t at_ = 0; ///< in the piece
    Position position_;
    std::vector<CsvField> record_;
};

} // namespace skampi
