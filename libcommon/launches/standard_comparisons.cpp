// SPDX-License-Identifier: LGPL-2.1-or-later
#include "launches/standard_comparisons.hpp"

#include <array>
#include <utility>

namespace skampi {

namespace {

/// One row of the standard list. Types are the seeds' numbers; fixed_bytes picks among several suites of one
/// operation over the nodes.
struct StandardRow {
    int first;
    int second;
    Varied varied;
    std::int64_t first_bytes; ///< 0 = any
    std::int64_t second_bytes;
    [[nodiscard]] OnPurpose on_purpose() const {
        return first == second ? OnPurpose(two_lengths) : OnPurpose(two_operations);
    }
};

constexpr std::int64_t small_message = 256;
constexpr std::int64_t large_message = 65536;

constexpr std::array<StandardRow, 16> standard_rows{{
    {1, 6, Varied::message_length, 0, 0},
    {1, 5, Varied::message_length, 0, 0},
    {1, 7, Varied::message_length, 0, 0},
    {1, 4, Varied::message_length, 0, 0},
    {1, 3, Varied::message_length, 0, 0},
    {1, 2, Varied::message_length, 0, 0},
    {1, 8, Varied::message_length, 0, 0},
    {1, 9, Varied::message_length, 0, 0},
    {8, 9, Varied::message_length, 0, 0},
    {10, 11, Varied::message_length, 0, 0},
    {13, 15, Varied::message_length, 0, 0},
    {13, 14, Varied::message_length, 0, 0},
    {19, 21, Varied::message_length, 0, 0},
    {19, 21, Varied::nodes, 0, 0},
    {17, 17, Varied::nodes, small_message, large_message},
    {20, 20, Varied::nodes, small_message, large_message},
}};

/// The suites that fit: a block multiplied by a list has several.
std::vector<const Curve*> curves_of(const Subject& subject, int type, Varied varied, std::int64_t bytes) {
    std::vector<const Curve*> found;
    for (const Curve& curve : subject.curves) {
        const Suite& suite = curve.suite();
        if (suite.operation.type == type && suite.varied == varied && !curve.points.empty() &&
            (bytes == 0 || suite.message_bytes == bytes))
            found.push_back(&curve);
    }
    return found;
}

/// The first pair of a row that differs in the operation only; else the first pair.
std::pair<const Curve*, const Curve*> curves_of(const Subject& subject, const StandardRow& row) {
    const std::vector<const Curve*> first = curves_of(subject, row.first, row.varied, row.first_bytes);
    const std::vector<const Curve*> second = curves_of(subject, row.second, row.varied, row.second_bytes);
    if (first.empty() || second.empty())
        return {};
    for (const Curve* one : first)
        for (const Curve* other : second)
            if (comparability(*one, *other, row.on_purpose()).kind() != Comparable::other_quantity)
                return {one, other};
    return {first.front(), second.front()};
}

} // namespace

std::vector<StandardPair> standard_comparisons(const Subject& subject) {
    std::vector<StandardPair> pairs;
    for (const StandardRow& row : standard_rows) {
        const auto [first, second] = curves_of(subject, row);
        if (!first)
            continue;
        pairs.push_back({first, second, row.on_purpose()});
    }
    return pairs;
}

} // namespace skampi
