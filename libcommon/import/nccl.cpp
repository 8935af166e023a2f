// SPDX-License-Identifier: LGPL-2.1-or-later
#include "import/table_reader.hpp"

namespace skampi {

namespace {

constexpr auto nccl_marks = std::to_array<std::string_view>({"# nThread ", "# Collective test starting: "});

/// The first of its two tables is kept: out of place.
constexpr auto nccl_columns = std::to_array<Column>({{"size", Cell::bytes},
                                                     {"count", Cell::not_kept},
                                                     {"type", Cell::part},
                                                     {"redop", Cell::part},
                                                     {"root", Cell::part},
                                                     {"time", Cell::time, microseconds},
                                                     {"algbw", Cell::not_kept},
                                                     {"busbw", Cell::not_kept},
                                                     {"wrong", Cell::defects},
                                                     {"error", Cell::not_kept}});

constexpr auto nccl_header = std::to_array<HeaderLine>({{"Collective test starting: ", "operation"},
                                                        {"nThread ", "", "threads "},
                                                        {"nGpus ", "", "GPUs of each "}});

constexpr Tool nccl_tool{"nccl-tests", nullptr, {}, nccl_columns, nccl_header};

} // namespace

extern const Importer nccl_importer = table_importer<nccl_tool>("nccl-tests output", nccl_marks);

} // namespace skampi
