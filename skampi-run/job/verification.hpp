#pragma once

#include "operations/operation.hpp"
#include "patterns/team.hpp"

namespace skampi {

/// Runs the operation once on data that tell rank, block and place apart, and checks what arrives on every
/// rank of the team: whole messages up to 4 KiB, both ends of longer ones and the surroundings of each GiB.
/// Collective over the team, outside any timing. An operation that returns an error is not judged here: the
/// measurement reports it.
/// @return the same on rank 0 as on all: false when some rank received wrong data
[[nodiscard]] bool delivers_right(const Operation& operation, Call& call, const TeamShape& shape);

} // namespace skampi
