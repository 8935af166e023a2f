// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "model/session.hpp"
#include "tuning/tuning_format.hpp"

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace skampi {

/// A range of lengths with one choice.
struct TunedRegion {
    std::string operation;
    std::int64_t bytes_low = 0;
    std::int64_t bytes_high = 0; ///< inclusive; any_length = all above bytes_low
    bool operator==(const TunedRegion&) const = default;
};

/// Of an operation without messages the lengths are 0.
[[nodiscard]] TunedRegion region_from(const std::string& operation, std::int64_t low, std::int64_t high);
/// "MPI_Bcast from 4 KiB to 16 KiB", "MPI_Bcast for all lengths".
[[nodiscard]] std::string region_text(const TunedRegion& region);

/// A tuning file as a program uses it.
struct TuningUse {
    TuningFormat format{};
    std::string path; ///< absolute
    std::string text;
    std::map<std::string, std::string> settings; ///< variables of the ranks' environment
    std::string arguments;                       ///< words for smpirun
    std::string program;                         ///< that the launcher starts; empty = this one
    /// Operations that the file has rules for, cut where a rule begins or ends: those of the file in use,
    /// too.
    std::vector<TunedRegion> regions;
    std::vector<std::string> notes; ///< what the library does not complain of
};

/// For whom a file is to be used.
struct TuningUser {
    std::string library;  ///< as MPI_Get_library_version returns it
    std::string own_tree; ///< MPICH: find_mpich_tree(); empty = not found
    int ranks = 2;
    std::set<std::string> numbers = {}; ///< control variables of the library that hold one number (MPI_T)
};

/// Reads a file and checks it against the library.
/// @throws InputError naming the file: unreadable, larger than 16 MiB, of no known format, dropped or refused
/// by the library, written for another library, dangerous for correct programs, or with a variable that does
/// more than set a number of the library
[[nodiscard]] TuningUse read_tuning_use(const std::string& path, const TuningUser& user);

/// What a library reads of a tuning file, all but comments, as a number: a file that is written anew with
/// another date is the same.
[[nodiscard]] std::uint64_t content_mark(std::string_view text);

/// The variants of a session: the library as it is, and with the file. A variable of the environment that
/// names this very file is removed from the first. Where the second only names the file it has a variable
/// with its content_mark(), too: a session that began with other content is another one.
[[nodiscard]] std::vector<Variant> variants_of(const TuningUse& use);

} // namespace skampi
