// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <cstdint>
#include <memory>
#include <string>

/// A disk with faults, below SQLite: registered as its default file system while it lives, so that the code
/// under test knows nothing of it. One at a time.
class FaultyDisk {
public:
    enum class Fault {
        full,      ///< from the k-th write on there is no space left, until repair()
        error,     ///< the k-th operation fails with an input/output error, the next ones work
        power_cut, ///< from the k-th operation on nothing works; what was not synchronised is lost at
                   ///< repair()
        kill,      ///< the process is killed instead of its k-th operation
    };

    /// @param at number of the first operation (write, truncate, synchronise, delete) concerned, from 1
    FaultyDisk(Fault fault, std::int64_t at);
    FaultyDisk(FaultyDisk&&) = delete;
    ~FaultyDisk();

    /// The disk works again. After a power cut the files hold what a machine would find at its next start.
    void repair();
    /// The fault comes with the k-th operation from now, from 1.
    void strike_in(std::int64_t operations);
    /// Whether the fault has happened.
    [[nodiscard]] bool reached() const;

    struct State;

private:
    std::unique_ptr<State> state_;
};
