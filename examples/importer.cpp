// SPDX-License-Identifier: LGPL-2.1-or-later
// An importer. It reads the table that an invented program prints:
//
//     # pingtool 1.2
//     # buffers: pinned
//     bytes round_trip[us]
//     8     0.53
#include "import/table_reader.hpp"

namespace skampi {

namespace {

constexpr auto pingtool_marks = std::to_array<std::string_view>({"# pingtool "});

constexpr auto pingtool_tests =
    std::to_array<Test>({{"*", "MPI_Send-MPI_Recv", Pattern::ping_pong, Meaning::round_trip}});

constexpr auto pingtool_columns =
    std::to_array<Column>({{"bytes", Cell::bytes}, {"round_trip[us]", Cell::time, microseconds}});

constexpr auto pingtool_header = std::to_array<HeaderLine>({{"buffers: ", "operation"}});

std::optional<Title> pingtool_title(std::string_view line) {
    constexpr std::string_view mark = pingtool_marks.front();
    if (!line.starts_with(mark))
        return std::nullopt;
    return Title{.version = std::string(line.substr(mark.size()))};
}

constexpr Tool pingtool{"pingtool", pingtool_title, pingtool_tests, pingtool_columns, pingtool_header};

} // namespace

extern const Importer pingtool_importer = table_importer<pingtool>("pingtool output", pingtool_marks);

} // namespace skampi
