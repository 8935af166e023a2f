// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "model/suite.hpp"
#include "mpi/large_count.hpp"
#include "operations/strided.hpp"
#include "skampi/mpi.hpp"

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <mpi.h>
#include <string>
#include <vector>

namespace skampi {

/// Messages under way at once in the bandwidth operations.
constexpr int messages_in_window = 64;

/// How the messages lie in a rank's buffers (operations/layout.hpp).
enum class Layout {
    blocks, ///< one after the other
    faces,  ///< the border of a box of 2 or 3 dimensions
    matrix, ///< sent: columns of this rank's rows; received: columns of this rank's rows of the transpose
};

/// What Operation::messages counts.
enum class MessagesPer {
    call,       ///< all that count
    pair,       ///< of each two ranks
    other_rank, ///< what each rank sends to each other one
    partner,    ///< what each rank sends to each of its partners in a sparse exchange
};

/// Distances from a rank to those that it sends to in a sparse exchange: fewer where there are not as many
/// ranks.
constexpr int most_sparse_partners = 4;
[[nodiscard]] constexpr int sparse_partners(int ranks) {
    int partners = 0;
    while (partners < most_sparse_partners && (1 << partners) < ranks)
        ++partners;
    return partners;
}

/// Whether an operation's calls take the beginning of each rank's message, and in what unit.
enum class Displaced { no, by_elements, by_bytes };

/// What an operation's functions work with, prepared by its pattern for one argument. Calls that take
/// `count`: SKAMPI_COUNTED.
struct Call : MpiCall {
    std::byte* attached = nullptr; ///< area for MPI_Buffer_attach, attached_bytes long
    MPI_Count attached_bytes = 0;
    Counts counts;                 ///< per rank, elements (v-forms)
    Displacements displacements;   ///< per rank, in the unit of Operation::displaced; empty without one
    MPI_Comm made = MPI_COMM_NULL; ///< what an operation creates, freed by its `after` or `teardown`
    MPI_Win window = MPI_WIN_NULL; ///< one-sided, as are the next two
    std::byte* exposed = nullptr;  ///< this rank's memory in the window
    MPI_Group peers = MPI_GROUP_NULL;
    double computation_s = 0;        ///< overlap: what compute() takes; 0 = nothing
    double core_clock_hz = 0;        ///< of this rank, for compute()
    std::vector<MPI_Datatype> types; ///< per rank or neighbour, what is sent
    std::vector<MPI_Datatype> receive_types;
    Counts receive_counts; ///< where they differ from those above, as the next
    Displacements receive_displacements;
    std::vector<Strided> faces; ///< halo: the message of each side, in either buffer; transpose: rank 0's
    std::int64_t packed_at = 0; ///< bytes from the beginning of a buffer to its packed messages
    int round = 0;              ///< of calls, to distinguish their messages from those of the next call
    std::vector<MPI_Request> requests;
    std::vector<MPI_Request> sending; ///< master: per worker
    std::vector<int> indices;         ///< for MPI_Waitany, MPI_Waitsome
    std::vector<int>
        pieces; ///< master: answered by each rank; else: received by this one, in the first element
    const MpiFunction* own = nullptr; ///< what a user's operation does
    std::string thrown;               ///< by it, and by which part
    std::string path;                 ///< MPI I/O: the key File
    MPI_File file = MPI_FILE_NULL;    ///< likewise
};

/// Returns an MPI error code; MPI_SUCCESS = done.
using CallFunction = int (*)(Call&);

/// For steps that are all taken even after an error, because the other ranks wait in them: the first error,
/// or MPI_SUCCESS.
[[nodiscard]] inline int first_error(std::initializer_list<int> codes) {
    for (const int code : codes)
        if (code != MPI_SUCCESS)
            return code;
    return MPI_SUCCESS;
}

/// What correct received data looks like, for the check outside the timing. Every rank fills its send buffer
/// with bytes that encode the rank, the block and the place (see verification.hpp).
enum class Delivers {
    nothing,                   ///< no data to check
    from_partner,              ///< ping-pong: receive holds the partner's message
    from_root,                 ///< receive holds the root's message
    gathered,                  ///< at the root: one message from each rank
    gathered_all,              ///< on every rank
    scattered,                 ///< the root's block for this rank
    exchanged,                 ///< from each rank its block for this rank
    reduced,                   ///< at the root: all messages combined
    reduced_all,               ///< on every rank
    reduced_block,             ///< this rank's block of the combination
    scanned,                   ///< combination of the ranks up to this one
    scanned_before,            ///< combination of the ranks before this one (rank 0: undefined)
    pieces,                    ///< worker: the master's message; master: every piece is answered
    results,                   ///< the same, answered with the workers' messages
    to_partner,                ///< rank 1 holds rank 0's message
    window_from_partner,       ///< as many of the partner's messages as `pieces` says
    from_neighbours,           ///< the message of each neighbour in the grid
    exchanged_with_neighbours, ///< from each neighbour its block for this rank
    combined_here,             ///< this rank's message with what receive held
    put,                       ///< one-sided: rank 1 exposes rank 0's message
    got,                       ///< rank 0 received what rank 1 exposes
    accumulated,               ///< rank 1 exposes both messages combined
    fetched,                   ///< the same, and rank 0 received what rank 1 exposed before
    from_unknown,              ///< sparse exchange: a message of each rank that has this one as its partner
    as_checked,                ///< a user's operation checks it itself
    swapped,                   ///< rank 1 exposes rank 0's message, rank 0 received what was there before
    own_block                  ///< receive holds this rank's own message: its block of a file
};

/// One operation: a row of one of the tables under operations/.
struct Operation {
    int type = 0; ///< the seeds' number; 0 = by name only
    std::string name = {};
    std::string title = {};
    Pattern pattern = Pattern::simple;
    Meaning meaning = Meaning::unknown; ///< of the time of `call`; every row says it
    std::vector<Varied> varied = {};    ///< the usual one first
    Extent send = Extent::none;
    Extent receive = Extent::none;
    Extent attached = Extent::none; ///< messages under way in Call::attached, on every rank
    Extent exposed = Extent::none;  ///< memory of a window, allocated by setup
    Displaced displaced = Displaced::no;
    bool single_element = false; ///< messages are one element, for any length requested
    bool reduces = false;        ///< uses Reduction; the datatype must allow it
    double messages = 0; ///< that a call moves, for bandwidth and message rate (ping-pong: 2); 0 = not known
    MessagesPer messages_per = MessagesPer::call;
    Layout layout = Layout::blocks;
    int dimensions = 2; ///< of the grid of ranks that neighbours are in, and of the box
    bool packs = false; ///< both buffers hold all messages a second time, behind: one after the other
    Delivers delivers = Delivers::nothing;
    CallFunction call = nullptr;   ///< what is timed: on rank 0 (ping-pong, simple) or on every rank
    CallFunction alone = nullptr;  ///< overlap: `call` without its computation; null = `call` has none
    CallFunction client = nullptr; ///< ping-pong: what the partner does; null = call
    CallFunction setup = nullptr;  ///< before the measurement, untimed
    CallFunction after = nullptr; ///< after each single call, untimed; only with patterns of one call a block
    CallFunction teardown = nullptr;  ///< after the measurement, untimed
    const MpiFunction* own = nullptr; ///< a user's: the functions above call it
    CallFunction settle =
        nullptr;            ///< one-sided, MPI I/O: makes what was moved visible to the check, and back
    std::string calls = {}; ///< for people, what `call` calls, in its order: "MPI_Send, MPI_Recv"
    std::string client_calls = {}; ///< the same of `client`; empty = that of `call`
    std::string does = {};         ///< see what_it_does(); empty = what all do that deliver the same

    /// That a call moves among so many ranks, for bandwidth and message rate.
    [[nodiscard]] double messages_among(int ranks) const;
    /// For people, the rest of a sentence that begins with its name: "combines one message of each rank on
    /// the root".
    [[nodiscard]] std::string what_it_does() const;
    /// The keys that mean something for it: follows from what it delivers.
    [[nodiscard]] std::vector<Parameter> parameters() const;
    [[nodiscard]] OperationInfo info() const {
        return {type,
                name,
                title,
                pattern,
                varied,
                parameters(),
                delivers == Delivers::swapped,
                meaning,
                single_element,
                {},
                {},
                what_it_does()};
    }
};

} // namespace skampi
