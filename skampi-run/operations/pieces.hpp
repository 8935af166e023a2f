// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "operations/operation.hpp"

namespace skampi {

// The master-worker pattern (paper 2.1): the master, rank 0, hands out pieces of one message each; a worker
// announces that it is ready, receives a piece, answers, until it is stopped. A single measurement is the
// master's time from its first call until every worker has announced itself and every piece is answered. The
// stop messages come after it, outside the time, so that each call is complete in itself.

/// How the master waits for announcements and answers.
enum class Collect {
    any_source, ///< MPI_Recv from MPI_ANY_SOURCE
    any,        ///< a receive posted for each worker, MPI_Waitany
    some,       ///< a receive posted for each worker, MPI_Waitsome
};

/// Tag of a message that carries a piece.
constexpr int piece_tag = 2;

/// Sends the next piece to a worker. A request is either left alone or completed before the call ends.
using Dispatch = int (*)(Call&, int worker, MPI_Request& request);

/// Call::chunks pieces, 0 = one for each worker. @return an MPI error code
int serve_pieces(Call& call, Dispatch dispatch, Collect collect);
/// The worker's side of serve_pieces() and stop_workers(). @param whole answers are as long as a piece, else
/// empty
int work_on_pieces(Call& call, bool whole);
/// On the master: sends stop messages to the workers. Nothing on a worker.
int stop_workers(Call& call);
/// Room for the requests and counts of the functions above.
int set_up_pieces(Call& call);

} // namespace skampi
