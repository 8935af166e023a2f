// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "base/hash.hpp"
#include "model/field_text.hpp"
#include "model/stored.hpp"

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace skampi {

/// Checksum of what a row holds, and of what it belongs to. SQLite's own check detects a damaged page
/// structure, but neither a flipped bit inside a number nor a row that was deleted or moved; this does.
/// A field that is 0, empty or NULL is not part of it, so that a column added later changes no checksum.
class Checksum {
public:
    void add(std::int64_t value) { hash_.add_word(static_cast<std::uint64_t>(value)); }
    void add(double value) {
        // SQLite keeps neither the sign of zero nor the payload of a NaN.
        if (std::isnan(value))
            value = std::numeric_limits<double>::quiet_NaN();
        hash_.add_word(std::bit_cast<std::uint64_t>(value == 0 ? 0.0 : value));
    }
    void add(std::string_view text) {
        add(static_cast<std::int64_t>(text.size()));
        hash_.add(text);
    }
    template <typename Row>
    void add_row(const Row& row) {
        hash_.add_word(1); // a row of zeros is one, too
        Visitor visitor{*this};
        for_each_field(row, [&](const Field& field, const auto& value) {
            if (!is_unknown(row, field.name)) // stored as NULL
                visitor(field, value);
        });
    }
    [[nodiscard]] std::int64_t value() const {
        return static_cast<std::int64_t>(hash_.value() ^ (hash_.value() >> 32));
    }

private:
    struct Visitor {
        Checksum& sum;
        template <typename Number>
        void operator()(const Field& field, const std::optional<Number>& value) {
            if (!value || *value != *value) // NULL is both
                return;
            sum.add(std::string_view(field.name)); // a limit of 0 is not none
            add(*value);
        }
        template <typename Value>
        void operator()(const Field& field, const Value& value) {
            if constexpr (std::is_arithmetic_v<Value>) {
                if (value == Value{} || value != value)
                    return;
                sum.add(std::string_view(field.name));
                add(value);
            } else if (const auto& text = field_text(value); !text.empty()) {
                sum.add(std::string_view(field.name));
                sum.add(std::string_view(text));
            }
        }
        template <typename Number>
        void add(Number number) {
            if constexpr (std::is_floating_point_v<Number>)
                sum.add(number);
            else
                sum.add(static_cast<std::int64_t>(number));
        }
    };

    Fnv1a hash_;
};

/// How many rows of other tables belong to a run.
struct RunParts {
    std::int64_t suites = 0;
    std::int64_t events = 0;
};

/// A checksum of the uuids of all runs of a file: those before, and one more.
[[nodiscard]] std::int64_t chained_checksum(std::int64_t before, const std::string& run_uuid);

// What a row belongs to is in its checksum by name, not by number: a row that was moved is detected, and a
// copy of a run in another file has the same checksums.

[[nodiscard]] std::int64_t checksum_of(const Run& run, const RunParts& parts,
                                       const std::vector<Event>& events);
[[nodiscard]] std::int64_t checksum_of(const StoredSuite& stored, const std::string& run_uuid,
                                       std::int64_t measurements);
/// @param suite "uuid of the run, name"  @param batches how many rows of batch belong to it
[[nodiscard]] std::int64_t checksum_of(const StoredMeasurement& stored, const std::string& suite,
                                       std::int64_t batches);
/// In 31 bits, for there are many batches. @param measurement "suite, argument"
[[nodiscard]] std::int64_t checksum_of(const Batch& batch, const std::string& measurement,
                                       std::int64_t ordinal);

} // namespace skampi
