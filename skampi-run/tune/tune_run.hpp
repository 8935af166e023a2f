// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "tune/tune_look.hpp"
#include "tuning/rule_choice.hpp"
#include "verify/tuning_use.hpp"

#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace skampi {

/// What came of a verification.
struct Verified {
    int status = 0;      ///< of `skampi-run verify`: 0 nowhere slower, 1 somewhere, or it is not known
    bool read = true;    ///< false: the library does not read the file, or it is not known
    bool faster = false; ///< somewhere, by evidence
    // Of a file that is read:
    std::vector<TunedRegion> slower = {};
    std::vector<TunedRegion> faulty = {};      ///< operations fail or deliver wrong data
    std::vector<TunedRegion> unconfirmed = {}; ///< not shown to be faster as a whole
};

/// What tuning needs of the world. Tests bring their own.
class TuneHands {
public:
    TuneHands() = default;
    TuneHands(const TuneHands&) = delete;
    TuneHands& operator=(const TuneHands&) = delete;
    virtual ~TuneHands() = default;

    /// Launches a plan that measures algorithms, with further lengths at borders, and waits for its end.
    /// @param only operations that are measured; empty = all
    /// @return exit status of the supervisor
    virtual int launch(const std::vector<WantedLength>& borders, const std::set<std::string>& only) = 0;
    virtual TuneLook look() = 0;
    /// Writes a candidate, or, once it is verified, the file itself; in place of a candidate of an earlier
    /// call. A text that is empty is none.
    virtual void write(const MadeTuning& made, bool verified) = 0;
    /// The candidate. @param time_s left for it; none = as long as it takes
    virtual Verified verify(std::optional<double> time_s) = 0;
    /// Stores what came of it.
    virtual void store(TuningFile file) = 0;
    virtual double now_s() = 0; ///< monotonic
    virtual void note(std::string_view text) = 0;
};

struct TuneWish {
    TuningFormat format{};
    std::string path;             ///< of the file
    std::string database;         ///< of the launches, for messages
    std::string base_text;        ///< of MPICH: its own tree
    std::string in_use;           ///< tuning file that the environment names; empty = none
    std::string created_utc;      ///< for the file
    int ranks = 0;                ///< of the launches, and so of the verification
    std::optional<double> time_s; ///< for all of it: two thirds for launches; none = as long as it takes
    bool borders = true;          ///< lengths are added where the fastest algorithm changes
    int most_launches = 12;
};

/// Launches until borders are found and nothing is open that more launches may decide, writes the file and
/// has it verified; rules that verification finds slower or faulty are taken out, and what is left is
/// verified once more; those not shown to be faster are taken out, too. Runs that the database holds already
/// count.
/// @return exit status: 0 done, also where the default is kept; 1 the file is not read, slower or faulty
/// somewhere; else that of the launch or verification that failed
/// @throws InputError where no file can be made
[[nodiscard]] int tune(const TuneWish& wish, TuneHands& hands);

} // namespace skampi
