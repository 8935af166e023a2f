// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "laboratory/laboratory.hpp"
#include "mpi/control_traffic.hpp"

#include <cstdint>

namespace skampi {

/// What rank 0 orders all ranks to do, broadcast as plain bytes. Everything else follows from the plan that
/// every rank has read.
struct Order {
    enum class Kind : std::int32_t {
        prepare,      ///< suite, argument, partner
        series,       ///< series
        check_data,   ///< whether what the last calls left is right
        synchronise,  ///< estimate clock offsets and drifts anew
        exit_skew,    ///< how far apart ranks leave a barrier
        find_partner, ///< ping-pongs of rank 0 with other ranks
        gather_facts, ///< where every rank runs, its clock and pages; nothing is prepared any more
        forget,       ///< after an MPI error: what ranks found out together is found out anew
        finish,
    };
    std::int64_t number = 0; ///< how many orders there were with it: shows that one arrived
    Kind kind = Kind::finish;
    std::int32_t suite = 0;
    std::int32_t partner = 0;        ///< of rank 0 in a ping-pong
    Waiting waiting = Waiting::busy; ///< from now on
    std::int64_t argument = 0;
    SeriesOrder series;
};

} // namespace skampi
