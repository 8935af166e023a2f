// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "model/suite.hpp"

/// Of 1 byte to 4 KiB, repeated 8 to 400 times.
inline skampi::Suite ping_pong_suite() {
    using namespace skampi;
    Suite suite;
    suite.name = suite.family = "ping-pong";
    suite.operation = {
        1, "MPI_Send-MPI_Recv", "MPI_Send to MPI_Recv", Pattern::ping_pong, {Varied::message_length}};
    suite.varied = Varied::message_length;
    suite.arguments = {skalib::Scale::dynamic_log, 1, 4096, 2, 1, 1, 64, 0.01};
    suite.repetition = {8, 400, 0.01, 0.25, std::nullopt, skalib::ErrorEstimator::trimmed};
    return suite;
}
