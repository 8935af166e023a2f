#pragma once

#include "analysis/comparison/database_comparison.hpp"
#include "analysis/subject/subject.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace skampi {

// What the rounds of a session say of a suite: differences of a variant's launch from the reference's, at an
// equal state of the machine (judge_turns() has the method).

/// Two launches that are compared: those of one round, mostly (states_of()).
struct Turn {
    std::string reference; ///< uuids
    std::string variant;
    std::array<double, 2> states_apart{}; ///< logarithms, of what counts (StateCovariates)
};

/// By what of the machine's state rounds are reduced to an equal one.
struct StateCovariates {
    bool probe = false;
    bool core_speed = false;
    [[nodiscard]] std::size_t count() const { return (probe ? 1 : 0) + (core_speed ? 1 : 0); }
};

/// What a round says.
struct TurnDifference {
    double log_ratio = 0;                 ///< time of the variant / time of the reference
    double rounding = 0;                  ///< its variance
    std::array<double, 2> states_apart{}; ///< of its turn
    double reference_s = 0;               ///< that the reference took, at one argument
};

/// The two curves of a suite. Not null.
struct TurnsCurves {
    const Curve* reference = nullptr;
    const Curve* variant = nullptr;
};

/// Over all arguments, or those of a class of lengths. @return none = the round says nothing of them
[[nodiscard]] std::optional<TurnDifference> difference_of(const TurnsCurves& curves, const Turn& turn,
                                                          std::optional<MessageSize> size);

/// What the rounds say of each argument that both of their launches measured: a value between neighbours may
/// be one across a jump.
using TurnPoints = std::map<std::int64_t, std::vector<TurnDifference>>;
[[nodiscard]] TurnPoints points_of(const TurnsCurves& curves, const std::vector<Turn>& turns);

/// The mean over rounds at an equal state of the machine, and its interval.
struct TurnsMean {
    double centre = 0;
    double deviation = 0; ///< of the mean
    double degrees = 0;
    double spread = 0;              ///< standard deviation of a round
    double least_slope = 0;         ///< of what counts of the state the least, in its standard errors
    std::size_t rounds = 0;         ///< it rests on
    std::size_t outliers = 0;       ///< left out
    std::size_t outliers_above = 0; ///< of these: above the mean
    double outlier_centre = 0;      ///< median of these
};
/// @param states how many covariates count   @pre there are rounds
[[nodiscard]] TurnsMean mean_over(const std::vector<TurnDifference>& rounds, std::size_t states);

/// The rounds of a suite that count, and how.
struct CountedTurns {
    std::vector<Turn> turns;
    StateCovariates states;
    /// Rounds whose launches met two states of the machine, where the times show it, and in how many of these
    /// the variant's was the slower one. They are left out, unless the probe is a covariate.
    std::size_t states_apart = 0;
    std::size_t variant_in_slower = 0;
    /// Rounds with the cores of one launch more than a tenth slower, where the speed is a covariate.
    std::size_t core_speeds_apart = 0;
};
/// @param error of the interval that is to be short
[[nodiscard]] CountedTurns counted_turns(const TurnsCurves& curves, const std::vector<Turn>& turns,
                                         double error);

/// The fewest pairs of launches in a state of the machine that show that it has another difference.
constexpr std::size_t least_in_state = 3;
/// Whether pairs in a state are so many, and a tenth of all: fewer are outliers. @param others in the other
[[nodiscard]] bool enough_in_state(std::size_t pairs, std::size_t others);

/// A state of the machine.
struct TurnsState {
    bool slower = false; ///< than the other one, of two that are judged
    double probe_s = 0;  ///< median
};
/// Pairs of launches of a suite that met it.
struct TurnsInState {
    TurnsState state;
    std::vector<Turn> turns;
};
/// The states of the machine that launches met, by the probes; the fastest first. Launches of a round that
/// met one state are a pair; where they met two, each is paired with one of another round that met its state
/// (with a different probe for each side, a round whose launches met two states is in none). Which variant
/// was first in a round is drawn, so a pair of two rounds says as much as one of the same, but for what
/// only a round shares.
[[nodiscard]] std::vector<TurnsInState> states_of(const TurnsCurves& curves, const std::vector<Turn>& turns);
/// The two states with most pairs, where the medians of their differences are apart by more than a tenth and
/// more than chance makes in one of 1,000 sessions (Student's t and Welch's): over all arguments or in a
/// class of lengths; at any argument; or over all arguments together at which the variant is found slower, or
/// faster, whatever the state. Each of the three has this error. A state may have three or four rounds, if
/// these are a tenth of all.
/// @param sizes the classes
/// @param states states_of() the rounds
/// @return two, the faster one first; empty = nothing of the kind is shown
[[nodiscard]] std::vector<TurnsInState> turns_by_state(const TurnsCurves& curves,
                                                       const std::vector<TurnsInState>& states,
                                                       const std::set<MessageSize>& sizes);

} // namespace skampi
