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

/// The two rows of a nonblocking operation: alone, and with computation that takes as long as it does alone,
/// which shows how much of it the library hides behind the computation.
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
    return {row, overlapped};
}

/// The same where the MPI library lacks the operation.
inline std::vector<Operation> lacking(const Operation& row) {
    Operation overlapped = row;
    overlapped.name += "-computation";
    return {row, overlapped};
}

/// Puts the rows of several tables one after the other.
[[nodiscard]] std::vector<Operation> joined(const std::vector<std::vector<Operation>>& tables);

} // namespace skampi
