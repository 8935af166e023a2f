// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "launches/subject.hpp"

namespace skampi {

/// The suite of the same run that measured memcpy over message lengths with buffers treated alike: its rate
/// is a limit for messages between two ranks of one host, since a core copies each at least once. Null where
/// that is not known to hold: ranks on several hosts, or simulated; operations that are no ping-pong of
/// bytes.
[[nodiscard]] const Curve* copy_bound(const Subject& subject, const Curve& curve);

} // namespace skampi
