// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

namespace skampi {

/// The coordination shape a measurement plugs into (paper 2.1).
enum class Pattern { ping_pong, master_worker, collective, simple };

/// What the time of one call is. It belongs to the operation; nothing else decides what a report calls a
/// value.
enum class Meaning {
    unknown,    ///< read from a file that does not say
    round_trip, ///< a message there and one back
    one_way,    ///< a message handed over; nothing comes back
    exchange,   ///< two ranks send one another a message at the same time
    window,     ///< many messages under way at once, and an empty answer
    one_sided,  ///< one rank reaches into another's memory, synchronisation included
    work,       ///< all pieces of work handed out and answered
    collective, ///< a call that every rank makes
    local,      ///< a call on one rank, without partner
};

/// The parameter a suite varies (keyword Variation).
enum class Varied {
    none,
    message_length,
    nodes,
    chunks,
    argument, ///< the parameter of your own function, which gives it a name and a unit
};

/// What only some operations have: the keywords of the same names.
enum class Parameter { datatype, reduction, root, in_place, algorithm, file };

} // namespace skampi
