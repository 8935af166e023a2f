// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/text_columns.hpp"

#include <doctest/doctest.h>

using namespace skampi;

TEST_CASE("cells stand in columns as wide as their widest, counted in characters") {
    const std::vector<std::vector<std::string>> rows = {{"name", "time"}, {"MPI_Bcast", "3 µs"}, {"f", "-"}};
    ColumnLayout layout;
    for (const auto& row : rows)
        widen(layout.widths, row);
    CHECK(layout.widths == std::vector<std::size_t>{9, 4});
    CHECK(aligned_line(rows[0], layout) == "name       time");
    CHECK(aligned_line(rows[1], layout) == "MPI_Bcast  3 µs");
    layout.to_right = {false, true};
    CHECK(aligned_line(rows[2], layout) == "f             -");
}

TEST_CASE("a line has no blanks at its end, and a cell that is too wide is not cut") {
    const ColumnLayout layout{.widths = {2, 3, 4}, .gap = 1};
    CHECK(aligned_line(std::vector<std::string>{"abcd", "", ""}, layout) == "abcd");
    CHECK(aligned_line(std::vector<std::string>{"abcd", "e", "f"}, layout) == "abcd e   f");
    CHECK(aligned_line(std::vector<std::string>{}, layout).empty());
}
