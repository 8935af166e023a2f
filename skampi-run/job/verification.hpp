#pragma once

#include "operations/operation.hpp"
#include "patterns/team.hpp"

namespace skampi {

/// Runs the operation once on data that tell rank, block and place apart, and checks what arrives on every
/// rank of the team: whole messages up to 4 KiB, both ends of longer ones and the surroundings of each GiB.
/// Collective over the team, outside any timing. What was received with an error is not judged.
/// @return whether this rank received right data; what others received is to be asked of them
/// @throws MpiError on the ranks that saw an error, after they have done their part for the others
[[nodiscard]] bool delivers_right(const Operation& operation, Call& call);

} // namespace skampi
