// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "operations/operation.hpp"
#include "patterns/team.hpp"

namespace skampi {

/// Runs the operation once on data that differ by rank, block and place, and checks what arrives on every
/// rank of the team: whole messages up to 256 MiB in all (16 MiB of a reduction), of more both ends and the
/// surroundings of each GiB.
/// Collective over the team, outside any timing. What was received with an error is not judged.
/// @return whether this rank received right data; what others received is to be asked of them
/// @throws MpiError on the ranks that saw an error, after they have done their part for the others
[[nodiscard]] bool delivers_right(const Operation& operation, Call& call);
/// Whether what the calls since then left on this rank is still right: data that go wrong only after many
/// calls are seen, too. True where calls do not leave what the first one did (in place, one-sided), and of
/// operations of a user. The buffers are those of delivers_right(). Nothing is sent.
[[nodiscard]] bool left_right(const Operation& operation, const Call& call);

} // namespace skampi
