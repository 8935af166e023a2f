// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "suite/overhead.hpp"

#include <cstdint>
#include <limits>
#include <map>
#include <optional>

namespace skampi {

/// Decides when empty calls are measured, and what is subtracted from the values of a suite. Pure: fed with
/// series of empty calls.
class OverheadControl {
public:
    /// @param enough undisturbed single measurements of empty calls   @param of_run the suites before
    OverheadControl(std::int64_t enough, double clock_resolution_s, KnownOverheads& of_run);

    /// Values wait for the overhead of a key.
    struct Question {
        OverheadKey key;
        bool may_repeat = false; ///< also when a series of it was measured before
        /// The median of the calls measured last in this way: the loop alone cannot take longer than with
        /// calls in it.
        double usual_call_s = std::numeric_limits<double>::infinity();
        int attempts = 0; ///< series asked for by it
    };
    /// The overhead known now.
    [[nodiscard]] Overhead overhead(const OverheadKey& key, const ModesSeen& modes);
    /// Whether a series of empty calls is to be made now.
    [[nodiscard]] bool wants_series(const Question& question, const Overhead& known) const;
    /// It will be made: forgets earlier ones whose interruption was not noticed.
    void begin_attempt(Question& question, const Overhead& known);
    /// A series begins. @return the time for it, out of what is left of a visit
    [[nodiscard]] double start(const OverheadKey& key, double left_s);
    /// The part of the time left that all series of a question may take.
    [[nodiscard]] static double time_for_question_s(double left_s);
    void add(const OverheadKey& key, const SeriesOfEmptyCalls& series);

    /// Whether this start of the suite has a single measurement of the key.
    [[nodiscard]] bool is_measured(const OverheadKey& key) const;
    /// Whether an overhead may have changed since its first use.
    [[nodiscard]] bool was_repeated() const;
    /// The suite has ended: passes certain overheads to the run.
    void finished(const ModesSeen& modes);

private:
    struct Known {
        SeriesOfEmptyCalls calls;
        int series = 0;
        /// The result of these batches while there is one mode and the judgement of the cores is unchanged.
        std::optional<Overhead> certain;
        int judgement = 0;
    };
    [[nodiscard]] Overhead formed(const OverheadKey& key, const Known& known, const ModesSeen& modes,
                                  const std::vector<Overhead>& others) const;

    std::int64_t enough_;
    double clock_resolution_s_;
    KnownOverheads& of_run_;
    std::map<OverheadKey, Known> known_;
};

} // namespace skampi
