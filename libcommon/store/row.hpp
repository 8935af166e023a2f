// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "model/field_text.hpp"
#include "model/suite_field.hpp"
#include "store/connection.hpp"

#include <cstdint>
#include <initializer_list>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace skampi {

/// The names of a struct's columns, "a, b, c", and how many there are.
template <typename Row>
struct ColumnList {
    std::string names;
    int count = 0;

    ColumnList() {
        const Row row{};
        for_each_field(row, [this](const Field& field, const auto&) {
            names += (count == 0 ? "" : ", ") + std::string(field.name);
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
    for_each_field(row, [&](const Field& field, const auto&) {
        changes += (changes.empty() ? "" : ", ") + std::string(field.name) + " = ?";
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

/// Binds a struct's columns in order.
class RowWriter {
public:
    explicit RowWriter(Query& query)
        : query_(query) {}

    /// What is unknown is NULL.
    template <typename Row>
    void write(const Row& row) {
        for_each_field(row, [&](const Field& field, const auto& value) {
            if (is_unknown(row, field.name))
                query_.bind_null();
            else
                (*this)(field, value);
        });
    }

    void operator()(const Field&, EmptyIsNull<const std::string> text) {
        if (text.text.empty())
            query_.bind_null();
        else
            query_.bind(text.text);
    }
    template <typename Value>
    void operator()(const Field&, const Value& value) {
        if constexpr (requires { query_.bind(value); })
            query_.bind(value);
        else
            query_.bind(field_text(value));
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
        unknown_.clear();
        for_each_field(row, *this);
        if constexpr (requires { row.suite.unknown_fields; })
            if (row.suite.unknown_fields.empty()) // a view has no column for them
                row.suite.unknown_fields = unknown_;
        return row;
    }

    /// For suites, where NULL may be an unknown setting.
    template <typename Value>
    void operator()(const SuiteField& field, Value&& value) {
        // NULL is no limit, or for a number not a number.
        using Member = std::remove_cvref_t<Value>;
        constexpr bool can_be_null = std::is_same_v<Member, double> || requires {
            value.reset();
        };
        if (!can_be_null && query_.column_is_null()) {
            unknown_ += (unknown_.empty() ? "" : ",") + std::string(field.name);
            query_.skip();
        } else {
            (*this)(static_cast<const Field&>(field), std::forward<Value>(value));
        }
    }
    void operator()(const Field&, std::string& text) { text = query_.text(); }
    void operator()(const Field&, double& value) { value = query_.real(); }
    void operator()(const Field&, std::int64_t& value) { value = query_.integer(); }
    void operator()(const Field&, bool& value) { value = query_.integer() != 0; }
    void operator()(const Field& field, int& value) {
        const std::int64_t wide = query_.integer();
        if (wide < std::numeric_limits<int>::min() || wide > std::numeric_limits<int>::max())
            impossible(field, std::to_string(wide), "a 32-bit number");
        value = static_cast<int>(wide);
    }
    template <typename Value>
    void operator()(const Field& field, std::optional<Value>& value) {
        value.reset();
        if (query_.column_is_null())
            query_.skip();
        else
            (*this)(field, value.emplace());
    }
    template <typename Value>
    requires std::is_enum_v<Value>
    void operator()(const Field& field, Value& value) {
        const std::string text = query_.text();
        if (set_field(text, value))
            return;
        std::string expected = "one of";
        for (const std::string_view known : all_names<Value>())
            expected += " \"" + std::string(known) + "\"";
        impossible(field, text, expected);
    }
    void operator()(const Field&, EmptyIsNull<std::string> text) { text.text = query_.text(); }
    void operator()(const Field& field, FlagWords<Flags> words) {
        if (const std::string text = query_.text(); !set_field(text, words))
            impossible(field, text, "names of flags");
    }
    void operator()(const Field& field, VariedNames<std::vector<Varied>> names) {
        if (const std::string text = query_.text(); !set_field(text, names))
            impossible(field, text, "names of variations");
    }

private:
    [[noreturn]] void impossible(const Field& field, const std::string& found,
                                 const std::string& expected) const {
        connection_.fail_damaged("column " + std::string(field.name) + " holds \"" + found + "\", expected " +
                                 expected);
    }

    const Connection& connection_;
    Query& query_;
    std::string unknown_; ///< settings of the row read last, separated by commas
};

} // namespace skampi
