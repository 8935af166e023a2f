#pragma once

#include "base/file.hpp"
#include "model/field_text.hpp"

#include <cstdint>
#include <cstring>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>

namespace skampi {

/// A temporary file for data that is read in another order than it was written. It has no name, so that
/// nothing is left of it however the process ends; where the file system does not support that, it is the
/// temporary file of an OutputFile.
class Spool {
public:
    /// A piece of what was put in.
    struct Piece {
        std::uint64_t offset = 0;
        std::uint64_t size = 0;
    };

    /// @param beside a file in whose folder it is made, named in messages; empty = the system's folder for
    /// temporary files
    /// @throws SystemError
    explicit Spool(const std::string& beside);
    Spool(Spool&&) = delete;
    ~Spool();

    /// @throws SystemError when the disk is full, ...
    Piece add(std::string_view bytes);
    [[nodiscard]] std::string read(const Piece& piece);

private:
    [[noreturn]] void fail(const char* doing) const;
    void write_out();

    std::string named_;              ///< in messages
    std::optional<OutputFile> file_; ///< where it has a name
    int descriptor_ = -1;
    std::uint64_t written_ = 0;
    std::string waiting_; ///< to be written behind that
};

// The format of rows in a spool. One process writes and reads them, so there is no version, and numbers are
// stored as in memory.

/// Appends numbers, texts and rows to a record.
class RecordWriter {
public:
    explicit RecordWriter(std::string& record)
        : record_(record) {}

    template <typename Number>
    requires std::is_arithmetic_v<Number>
    void number(Number value) { record_.append(reinterpret_cast<const char*>(&value), sizeof value); }
    void text(std::string_view value) {
        number(value.size());
        record_ += value;
    }
    /// All fields of a row. Numbers that are 0, which are many, take one bit.
    template <typename Row>
    void row(const Row& row) {
        const std::size_t place = record_.size();
        present_ = 0;
        bit_ = 1;
        number(present_);
        for_each_field(row, *this);
        std::memcpy(record_.data() + place, &present_, sizeof present_);
    }

    template <typename T>
    void operator()(const Field& field, const FlagWords<T>& words) {
        (*this)(field, words.flags);
    }
    template <typename Value>
    void operator()(const Field&, const Value& value) {
        if constexpr (std::is_arithmetic_v<Value>) {
            static constexpr Value zero{}; // by its bits: -0.0 is another number
            if (std::memcmp(&value, &zero, sizeof value) != 0) {
                present_ |= bit_;
                number(value);
            }
        } else {
            text(field_text(value));
        }
        bit_ <<= 1;
    }

private:
    std::string& record_;
    std::uint64_t present_ = 0; ///< fields of the row
    std::uint64_t bit_ = 1;     ///< of the next one
};

/// Reads them in the same order.
class RecordReader {
public:
    /// @param record outlives this
    explicit RecordReader(std::string_view record)
        : rest_(record) {}

    [[nodiscard]] bool at_end() const { return rest_.empty(); }
    template <typename Number>
    requires std::is_arithmetic_v<Number> Number number() {
        Number value{};
        std::memcpy(&value, take(sizeof value).data(), sizeof value);
        return value;
    }
    std::string text() { return std::string(take(number<std::size_t>())); }
    template <typename Row>
    void row(Row& row) {
        present_ = number<std::uint64_t>();
        bit_ = 1;
        for_each_field(row, *this);
    }

    template <typename T>
    void operator()(const Field& field, FlagWords<T> words) {
        (*this)(field, words.flags);
    }
    template <typename Value>
    void operator()(const Field& field, Value&& value) {
        using Plain = std::remove_cvref_t<Value>;
        if constexpr (std::is_arithmetic_v<Plain>)
            value = (present_ & bit_) != 0 ? number<Plain>() : Plain{};
        else if (!set_field(text(), value))
            throw std::logic_error(std::string("a spooled row has no ") + field.name);
        bit_ <<= 1;
    }

private:
    std::string_view take(std::size_t size) {
        if (size > rest_.size())
            throw std::logic_error("a spooled record ends too early");
        const std::string_view taken = rest_.substr(0, size);
        rest_.remove_prefix(size);
        return taken;
    }

    std::string_view rest_;
    std::uint64_t present_ = 0;
    std::uint64_t bit_ = 1;
};

} // namespace skampi
