// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "mpi/check.hpp"

#include <mpi.h>
#include <utility>

namespace skampi {

/// Owner of a communicator. Errors of calls on it are returned, not fatal. Empty on ranks outside the group.
class Communicator {
public:
    Communicator() = default;
    /// Takes over a communicator made by an MPI call (may be MPI_COMM_NULL).
    explicit Communicator(MPI_Comm made)
        : comm_(made) {
        if (comm_ != MPI_COMM_NULL) {
            MPI_Comm_set_errhandler(comm_, MPI_ERRORS_RETURN);
            MPI_Comm_rank(comm_, &rank_);
            MPI_Comm_size(comm_, &size_);
        }
    }
    Communicator(Communicator&& other) noexcept { swap(other); }
    Communicator& operator=(Communicator&& other) noexcept {
        Communicator taken(std::move(other));
        swap(taken);
        return *this;
    }
    ~Communicator() {
        if (comm_ != MPI_COMM_NULL)
            MPI_Comm_free(&comm_);
    }

    [[nodiscard]] static Communicator duplicate(MPI_Comm of) {
        MPI_Comm made = MPI_COMM_NULL;
        check(MPI_Comm_dup(of, &made), "MPI_Comm_dup");
        return Communicator(made);
    }

    [[nodiscard]] explicit operator bool() const { return comm_ != MPI_COMM_NULL; }
    [[nodiscard]] MPI_Comm get() const { return comm_; }
    [[nodiscard]] int rank() const { return rank_; }
    [[nodiscard]] int size() const { return size_; }

private:
    void swap(Communicator& other) noexcept {
        std::swap(comm_, other.comm_);
        std::swap(rank_, other.rank_);
        std::swap(size_, other.size_);
    }
    MPI_Comm comm_ = MPI_COMM_NULL;
    int rank_ = -1;
    int size_ = 0;
};

} // namespace skampi
