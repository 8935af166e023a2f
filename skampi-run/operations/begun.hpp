// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "operations/operation.hpp"

namespace skampi {

/// Begins a nonblocking operation.
using BeginFunction = int (*)(Call&, MPI_Request*);

/// Computes for c.computation_s.
void compute(const Call& c);

/// Begins an operation and waits for it.
template <BeginFunction Begin>
int and_wait(Call& c) {
    MPI_Request request = MPI_REQUEST_NULL;
    return first_error({Begin(c, &request), MPI_Wait(&request, MPI_STATUS_IGNORE)});
}

/// The same with computation in between.
template <BeginFunction Begin>
int while_computing(Call& c) {
    MPI_Request request = MPI_REQUEST_NULL;
    const int code = Begin(c, &request);
    compute(c);
    return first_error({code, MPI_Wait(&request, MPI_STATUS_IGNORE)});
}

/// Only begins it: what the call itself takes.
template <BeginFunction Begin>
int only_begin(Call& c) {
    c.requests.resize(1, MPI_REQUEST_NULL);
    return Begin(c, c.requests.data());
}
inline int wait_for_begun(Call& c) {
    return MPI_Wait(c.requests.data(), MPI_STATUS_IGNORE);
}

/// The rows of a nonblocking operation: alone; with computation that takes as long as it does alone, which
/// shows how much of it the library hides behind the computation; and the call that begins it.
/// @param row with everything but `call`
template <BeginFunction Begin>
std::vector<Operation> begun(Operation row) {
    row.call = and_wait<Begin>;
    row.calls = row.name + ", MPI_Wait";
    Operation overlapped = row;
    overlapped.name += "-computation";
    overlapped.title += " while computing";
    overlapped.calls = row.name + ", computation as long as the operation takes alone, MPI_Wait";
    overlapped.call = while_computing<Begin>;
    overlapped.alone = row.call;
    Operation beginning = row;
    beginning.name += "-begin";
    beginning.title += ", the call alone";
    beginning.does = "begins, and is waited for outside the time: " + row.what_it_does();
    beginning.calls = row.name + "; then, not timed, MPI_Wait";
    beginning.call = only_begin<Begin>;
    beginning.after = wait_for_begun;
    beginning.messages = 0; // none has arrived then
    return {row, overlapped, beginning};
}

/// The same where the MPI library lacks the operation.
inline std::vector<Operation> lacking(const Operation& row) {
    Operation overlapped = row;
    overlapped.name += "-computation";
    Operation beginning = row;
    beginning.name += "-begin";
    return {row, overlapped, beginning};
}

/// Puts the rows of several tables one after the other.
[[nodiscard]] std::vector<Operation> joined(const std::vector<std::vector<Operation>>& tables);

} // namespace skampi
