// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "laboratory/buffers.hpp"
#include "model/pattern.hpp"
#include "model/suite.hpp"
#include "mpi/communicator.hpp"
#include "operations/operation.hpp"
#include "patterns/team.hpp"
#include "plan/argument_meaning.hpp"

#include <cstdint>

namespace skampi {

/// What this rank works with at the argument prepared last.
struct Prepared {
    const Operation* operation = nullptr;
    const Communicator* team = nullptr; ///< empty on ranks outside of it; never null
    TeamShape shape;
    Call call;
    Buffers buffers;
    Pages attached;

    [[nodiscard]] bool keeps_time() const { return team->rank() == 0; }
    [[nodiscard]] bool starts_together() const { return row_of(shape.pattern).starts_together; }
};

/// What a call is made ready for.
struct CallSetting {
    const Suite& suite;
    ArgumentMeaning meaning;
    ArgumentMeaning last;  ///< of the suite's last argument
    bool new_suite = true; ///< its first argument: buffers are made for all
    std::int64_t memory_bytes = 0;
};

/// Makes call and buffers of a rank in the team ready. Collective only where MPI's datatypes are.
/// @throws std::bad_alloc without memory for the messages, Error where they are longer than calls can count,
/// MpiError
void make_call_ready(Prepared& prepared, const CallSetting& setting);

} // namespace skampi
