// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "tuning/open_mpi_rules.hpp"
#include "tuning/units.hpp"

/// What Open MPI does for a call: of the rows for so many ranks the last one before the first larger length.
/// @param bytes in our message length
/// @param type_bytes of an element: all that Scan and Exscan look at
/// @return algorithm 0 where it chooses itself
inline skampi::OpenMpiRow open_mpi_choice(const skampi::OpenMpiRules& rules, std::string_view operation,
                                          std::int64_t ranks, std::int64_t bytes, std::int64_t type_bytes = 1) {
    // Others without a unit compare 0, or what differs between ranks: then the first row is what is certain.
    const skampi::FiledOperation& filed = *skampi::filed_operation(operation);
    std::int64_t length = 0;
    if (filed.word == "scan" || filed.word == "exscan")
        length = type_bytes * ranks;
    else if (filed.open_mpi != skampi::LengthUnit::none)
        length = skampi::in_unit(filed.open_mpi, bytes, ranks);
    skampi::OpenMpiRow chosen;
    for (const skampi::OpenMpiRow& row : skampi::open_mpi_rows(rules, operation, ranks)) {
        if (row.length > length)
            break;
        chosen = row;
    }
    return chosen;
}
