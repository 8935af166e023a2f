#pragma once

#include "analysis/turns/turns.hpp"

#include <string>

namespace skampi {

// What the answer of a session says of one variant.

/// Where the variant is faster or slower than the reference, the largest difference first; where both are
/// equal, and what is open. Without a full stop.
[[nodiscard]] std::string variant_text(const Turns& turns, const TurnsVariant& variant);
/// certain_effect() of its largest difference; 0 where none was found.
[[nodiscard]] double largest_certain_effect(const TurnsVariant& variant);

/// Arguments of a suite at which nothing is said to differ, ascending; those with too few rounds are left
/// out. Empty also where one of them does, by more than the margin: it is part of a class of lengths that is
/// told as a span.
[[nodiscard]] std::vector<const TurnsRange*> points_without_difference(const TurnsSuite& suite,
                                                                       double margin);

/// The largest difference that open statements do not exclude.
class LargestOpen {
public:
    void add(const TurnsStatement& statement);
    /// A factor of 1 or more; infinite where a statement is not judged.
    [[nodiscard]] double ratio() const;

private:
    double farthest_ = 0; ///< logarithm
    bool all_judged_ = true;
};
/// A larger one excludes nothing that anybody fears.
inline constexpr double most_telling_bound = 1.5;

/// Adds the single lengths of a suite over the message length that are judged, where there are several.
void add_single_lengths(LargestOpen& largest, const TurnsSuite& suite);

} // namespace skampi
