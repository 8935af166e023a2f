// SPDX-License-Identifier: LGPL-2.1-or-later
#include "import/table_reader.hpp"

namespace skampi {

namespace {

constexpr auto netpipe_marks = std::to_array<std::string_view>({"Now starting the main loop"});

constexpr auto netpipe_tests =
    std::to_array<Test>({{"*", "NetPIPE ping-pong", Pattern::ping_pong, Meaning::round_trip, 2, 2}});

/// "  0:       1 bytes  95421 times -->      7.83 Mbps in       0.97 usec"
constexpr auto netpipe_row = std::to_array<Column>({{"number", Cell::any_word},
                                                    {"size", Cell::bytes},
                                                    {"bytes", Cell::literal},
                                                    {"times", Cell::count},
                                                    {"times", Cell::literal},
                                                    {"-->", Cell::literal},
                                                    {"rate", Cell::not_kept},
                                                    {"Mbps", Cell::literal},
                                                    {"in", Cell::literal},
                                                    {"time", Cell::time, microseconds},
                                                    {"usec", Cell::literal}});

std::optional<Title> netpipe_title(std::string_view line) {
    return line == netpipe_marks.front() ? std::optional(Title{"ping-pong", ""}) : std::nullopt;
}

constexpr Tool netpipe_tool{"NetPIPE", netpipe_title, netpipe_tests, {}, {}, netpipe_row};

} // namespace

extern const Importer netpipe_importer = table_importer<netpipe_tool>("NetPIPE output", netpipe_marks);

} // namespace skampi
