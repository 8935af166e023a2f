// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "model/kinds.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <mpi.h>
#include <string>
#include <vector>

#pragma GCC visibility push(default) // the public part of the shared library
namespace skampi {

/// How much message buffer an operation needs on one side, as a multiple of the message length.
enum class Extent {
    none,
    one,              ///< one message
    per_rank,         ///< one message for each rank
    per_rank_at_root, ///< the same, on the root only; none elsewhere
    per_worker,       ///< master: one message for each worker; worker: one message
    per_neighbour,    ///< one message for each of the four neighbours in a grid
    window,           ///< one message for each of a window of 64
};

/// What an MPI operation works with, made ready by its pattern for one argument.
struct MpiCall {
    std::byte* send = nullptr;      ///< message buffer, page-aligned and touched; as the key Buffers says
    std::byte* receive = nullptr;   ///< message buffer, never overlapping send
    std::int64_t message_bytes = 0; ///< of one message
    MPI_Count count = 0;            ///< elements of type in one message
    MPI_Datatype type = MPI_BYTE;   ///< the key Datatype
    MPI_Op reduction = MPI_BOR;     ///< the key Reduction
    MPI_Comm comm = MPI_COMM_NULL;  ///< of those who take part; its errors return
    int rank = 0;                   ///< in comm
    int size = 1;                   ///< of comm
    int root = 0;                   ///< the key Root, in comm
    int partner = 0;                ///< ping-pong: the other rank; master: who answered a piece last
    std::int64_t chunks = 0;        ///< with Variation = Chunks the argument, else Default_Chunks
    bool in_place = false;          ///< the key In_Place
};

/// Your own operation among MPI ranks. Its parts are called on every rank of comm (ping-pong: on both, simple:
/// on rank 0). If a part throws a std::exception or returns another code than MPI_SUCCESS, the suite is put
/// off with that reason, as with built-in operations. Ranks that wait for the failed one keep waiting.
struct MpiFunction {
    std::string name;       ///< for Type in the parameter file: any text without `;`, unique
    int type = 0;           ///< a number for Type, unlike those of `skampi-run list`; 0 = by name only
    std::string title = {}; ///< for people; empty = the name
    Pattern pattern = Pattern::collective; ///< how ranks come together, and whose time is taken
    /// What the time of a call is; unknown = by the pattern: collective, local, work. Ping-pong must say.
    Meaning meaning = Meaning::unknown;
    /// What can be varied; the first is what a block without Variation varies.
    std::vector<Varied> varied = {Varied::message_length, Varied::nodes};
    std::vector<Parameter> parameters = {}; ///< keys that act on it; others are refused
    Extent send = Extent::none;             ///< of MpiCall::send
    Extent receive = Extent::none;          ///< of MpiCall::receive
    double messages = 0; ///< messages of message_bytes that a call moves, for the bandwidth; 0 = none is reported

    std::function<void(const MpiCall&)> setup = {}; ///< untimed, before an argument is measured
    std::function<int(const MpiCall&)> call = {};   ///< what is measured; returns an MPI error code
    /// Ping-pong: what rank 1 does instead of `call`.
    std::function<int(const MpiCall&)> partner = {};
    /// Untimed, after each call: what the next one needs. Ping-pong and simple: one call for each reading of
    /// the clock then.
    std::function<int(const MpiCall&)> between = {};
    /// Untimed, after one call for each argument: whether this rank's result is right. If one is wrong,
    /// the argument has no time.
    std::function<bool(const MpiCall&)> check = {};
    std::function<void(const MpiCall&)> teardown = {}; ///< untimed, after the argument
};

/// The whole program: skampi-run with your operations in addition to the built-in ones. Initialises and
/// finalises MPI if it measures; every rank calls it with the same functions. `mpiexec -n 4 PROGRAM FILE`
/// measures, `PROGRAM -n 4 FILE` starts the launcher and supervises it.
/// @return the exit status, as skampi-run's. Never throws: errors are printed on standard error
[[nodiscard]] int measure_mpi_functions(int argc, char** argv,
                                        const std::vector<MpiFunction>& functions) noexcept;

} // namespace skampi
#pragma GCC visibility pop
