#pragma once

#include "store/columns.hpp"
#include "store/connection.hpp"

#include <bit>
#include <cmath>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace skampi {

/// The names of a struct's columns, "a, b, c", and how many there are.
template <typename Row>
struct ColumnList {
    std::string names;
    int count = 0;

    ColumnList() {
        const Row row{};
        for_each_column(row, [this](const char* name, const auto&) {
            names += (count == 0 ? "" : ", ") + std::string(name);
            ++count;
        });
    }
};

/// INSERT with the struct's columns first and the extra ones after them.
template <typename Row>
std::string insert_sql(const char* table, std::initializer_list<const char*> extra) {
    const ColumnList<Row> columns;
    std::string names = columns.names;
    std::string values = "?";
    for (int i = 1; i < columns.count; ++i)
        values += ", ?";
    for (const char* name : extra) {
        names += ", " + std::string(name);
        values += ", ?";
    }
    return "INSERT INTO " + std::string(table) + " (" + names + ") VALUES (" + values + ")";
}

/// UPDATE of the struct's columns first, the extra ones after them, then the key.
template <typename Row>
std::string update_sql(const char* table, std::initializer_list<const char*> extra) {
    const Row row{};
    std::string changes;
    for_each_column(row, [&](const char* name, const auto&) {
        changes += (changes.empty() ? "" : ", ") + std::string(name) + " = ?";
    });
    for (const char* name : extra)
        changes += ", " + std::string(name) + " = ?";
    return "UPDATE " + std::string(table) + " SET " + changes + " WHERE id = ?";
}

/// SELECT of the struct's columns first and the extra ones after them; `rest` is the FROM clause and what
/// follows.
template <typename Row>
std::string select_sql(const std::string& extra, const std::string& rest) {
    return "SELECT " + ColumnList<Row>().names + (extra.empty() ? "" : ", " + extra) + " FROM " + rest;
}

[[nodiscard]] std::string varied_names(const std::vector<Varied>& list);

/// Binds a struct's columns in order.
class RowWriter {
public:
    explicit RowWriter(Query& query)
        : query_(query) {}

    template <typename Row>
    void write(const Row& row) {
        for_each_column(row, *this);
    }

    void operator()(const char*, FlagWords<const Flags> words) { query_.bind(flag_words(words.flags)); }
    void operator()(const char*, VariedNames<const std::vector<Varied>> names) {
        query_.bind(varied_names(names.list));
    }
    void operator()(const char*, EmptyIsNull<const std::string> text) {
        if (text.text.empty())
            query_.bind_null();
        else
            query_.bind(text.text);
    }
    template <typename Value>
    void operator()(const char*, const Value& value) {
        if constexpr (std::is_enum_v<Value>)
            query_.bind(to_text(value));
        else
            query_.bind(value);
    }

private:
    Query& query_;
};

/// Reads a struct's columns in order. Values that no such struct can hold are damage.
class RowReader {
public:
    RowReader(const Connection& connection, Query& query)
        : connection_(connection)
        , query_(query) {}

    template <typename Row>
    Row read() {
        Row row;
        for_each_column(row, *this);
        return row;
    }

    void operator()(const char* name, FlagWords<Flags> words);
    void operator()(const char* name, VariedNames<std::vector<Varied>> names);
    void operator()(const char*, EmptyIsNull<std::string> text) { text.text = query_.text(); }
    void operator()(const char*, std::string& text) { text = query_.text(); }
    void operator()(const char*, double& value) { value = query_.real(); }
    void operator()(const char*, std::int64_t& value) { value = query_.integer(); }
    void operator()(const char*, bool& value) { value = query_.integer() != 0; }
    void operator()(const char* name, int& value) {
        const std::int64_t wide = query_.integer();
        if (wide < std::numeric_limits<int>::min() || wide > std::numeric_limits<int>::max())
            impossible(name, std::to_string(wide), "a 32-bit number");
        value = static_cast<int>(wide);
    }
    template <typename Value>
    void operator()(const char* name, std::optional<Value>& value) {
        value.reset();
        if (query_.column_is_null())
            query_.skip();
        else
            (*this)(name, value.emplace());
    }
    template <typename Value>
    requires std::is_enum_v<Value>
    void operator()(const char* name, Value& value) {
        const std::string text = query_.text();
        const std::optional<Value> found = from_text<Value>(text);
        if (!found) {
            std::string expected = "one of";
            for (const std::string_view known : all_names<Value>())
                expected += " \"" + std::string(known) + "\"";
            impossible(name, text, expected);
        }
        value = *found;
    }

private:
    [[noreturn]] void impossible(const char* name, const std::string& found,
                                 const std::string& expected) const;

    const Connection& connection_;
    Query& query_;
};

/// Checksum of what a row holds (64-bit FNV-1a over values, in column order). SQLite's own check sees a
/// damaged page structure but not a bit that fell over inside a number; this does.
class Checksum {
public:
    void add(std::int64_t value) { add_word(static_cast<std::uint64_t>(value)); }
    void add(double value) {
        // SQLite keeps neither the sign of zero nor the payload of a NaN.
        if (std::isnan(value))
            value = std::numeric_limits<double>::quiet_NaN();
        add_word(std::bit_cast<std::uint64_t>(value == 0 ? 0.0 : value));
    }
    void add(std::string_view text) {
        add(static_cast<std::int64_t>(text.size()));
        for (const char c : text)
            hash_ = (hash_ ^ static_cast<unsigned char>(c)) * prime;
    }
    template <typename Row>
    void add_row(const Row& row) {
        for_each_column(row, Visitor{*this});
    }
    [[nodiscard]] std::int64_t value() const { return static_cast<std::int64_t>(hash_ ^ (hash_ >> 32)); }

private:
    struct Visitor {
        Checksum& sum;
        void operator()(const char*, FlagWords<const Flags> words) { sum.add(std::int64_t{words.flags}); }
        void operator()(const char*, VariedNames<const std::vector<Varied>> names) {
            sum.add(std::string_view(varied_names(names.list)));
        }
        void operator()(const char*, EmptyIsNull<const std::string> text) {
            sum.add(std::string_view(text.text));
        }
        void operator()(const char* name, const std::optional<double>& value) {
            const bool stored = value && !std::isnan(*value); // NULL means both
            sum.add(std::int64_t{stored});
            if (stored)
                (*this)(name, *value);
        }
        void operator()(const char* name, const std::optional<std::int64_t>& value) {
            sum.add(std::int64_t{value.has_value()});
            if (value)
                (*this)(name, *value);
        }
        template <typename Value>
        void operator()(const char*, const Value& value) {
            if constexpr (std::is_enum_v<Value>)
                sum.add(to_text(value));
            else if constexpr (std::is_same_v<Value, double>)
                sum.add(value);
            else if constexpr (std::is_integral_v<Value>)
                sum.add(static_cast<std::int64_t>(value));
            else
                sum.add(std::string_view(value));
        }
    };

    static constexpr std::uint64_t prime = 1099511628211u;

    /// A word at a time: samples are many. The extra shift carries high bits down, which a product alone does
    /// not.
    void add_word(std::uint64_t word) {
        hash_ = (hash_ ^ word) * prime;
        hash_ ^= hash_ >> 29;
    }

    std::uint64_t hash_ = 14695981039346656037u;
};

} // namespace skampi
