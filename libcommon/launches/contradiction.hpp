#pragma once

#include "launches/subject.hpp"

#include <cstdint>
#include <optional>

namespace skampi {

/// A value that others of the same run contradict.
struct Contradiction {
    const Curve* curve = nullptr; ///< of the subject
    const StoredMeasurement* point = nullptr;
    /// What it is held against: another message of the same suite; null = the fastest probe, a round trip of
    /// one byte.
    const StoredMeasurement* other = nullptr;
    double other_s = 0;        ///< the time of so many of them
    std::int64_t messages = 1; ///< more than one where they are shorter
    double excess = 1;         ///< the value by the longest time that the other allows
    bool operator==(const Contradiction&) const = default;
};

/// Of the values with any of these flags the one that others contradict by the largest factor; none where no
/// value is at least ten times as long as they allow. A message takes no longer than a longer one of its
/// suite, nor than as many shorter ones as have its length; a short one takes less than ten round trips of
/// one byte for each other rank.
[[nodiscard]] std::optional<Contradiction> largest_contradiction(const Subject& subject, Flags flags);

} // namespace skampi
