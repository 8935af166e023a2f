// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "model/field_text.hpp"

#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace skampi {

// Messages between the ranks of a job: texts and rows as `length:text`, each field of a row in the order
// of its list. Both sides are the same program, so there is no version in it.

inline void pack(std::string& record, std::string_view text) {
    record += number_text(static_cast<std::int64_t>(text.size()));
    record += ':';
    record += text;
}

/// Takes the first text off a record. @throws std::invalid_argument when there is none
[[nodiscard]] std::string unpack_text(std::string_view& record);

template <typename Row>
void pack_row(std::string& record, const Row& row) {
    for_each_field(row, [&](const Field&, const auto& value) { pack(record, field_text(value)); });
}

/// Takes a row off a record. @throws std::invalid_argument naming the field that is none
template <typename Row>
[[nodiscard]] Row unpack_row(std::string_view& record) {
    Row row;
    for_each_field(row, [&](const Field& field, auto&& value) {
        if (!set_field(unpack_text(record), value))
            throw std::invalid_argument(std::string("a message between ranks has no ") + field.name);
    });
    return row;
}

template <typename Row>
[[nodiscard]] std::string packed(const std::vector<Row>& rows) {
    std::string record;
    for (const Row& row : rows)
        pack_row(record, row);
    return record;
}

template <typename Row>
[[nodiscard]] std::vector<Row> unpacked(std::string_view record) {
    std::vector<Row> rows;
    while (!record.empty())
        rows.push_back(unpack_row<Row>(record));
    return rows;
}

} // namespace skampi
