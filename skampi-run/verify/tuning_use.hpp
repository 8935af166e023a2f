#pragma once

#include "model/session.hpp"
#include "tuning/tuning_format.hpp"

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace skampi {

/// A range of lengths for which a tuning file makes one choice, and not the one that the library makes
/// without it, by itself or by the file that the environment names: what a rule concerns.
struct TunedRegion {
    std::string operation;
    std::int64_t bytes_low = 0;
    std::int64_t bytes_high = 0; ///< inclusive; longest_tuned_bytes = all above bytes_low
    bool operator==(const TunedRegion&) const = default;
};

/// "MPI_Bcast from 4 KiB to 16 KiB", "MPI_Bcast from 8 KiB on", "MPI_Bcast at 1 KiB", "MPI_Barrier".
[[nodiscard]] std::string region_text(const TunedRegion& region);

/// A tuning file as a program uses it.
struct TuningUse {
    TuningFormat format{};
    std::string path; ///< absolute
    std::string text;
    std::map<std::string, std::string> settings; ///< variables of the ranks' environment
    std::string arguments;                       ///< words for smpirun
    std::string program;                         ///< that the launcher starts; empty = this one
    std::vector<TunedRegion> regions;            ///< of the given number of ranks; of an operation ascending
    std::vector<std::string> notes;              ///< what the library does not complain of
};

/// For whom a file is to be used.
struct TuningUser {
    std::string library;  ///< as MPI_Get_library_version tells it
    std::string own_tree; ///< MPICH: find_mpich_tree(); empty = not found
    int ranks = 2;
    std::set<std::string> numbers = {}; ///< control variables of the library that hold one number (MPI_T)
};

/// Lengths up to this are looked at for regions.
constexpr std::int64_t longest_tuned_bytes = std::int64_t{1} << 24;

/// Reads a file and checks it against the library.
/// @throws InputError naming file and line: unreadable, of no known format, dropped or refused by the
/// library, written for another library, dangerous for correct programs, with a variable that does more than
/// set a number of the library, or without a rule for this number of ranks
[[nodiscard]] TuningUse read_tuning_use(const std::string& path, const TuningUser& user);

/// What a library reads of a tuning file, all but comments, as a number: a file that is written anew with
/// another date is the same.
[[nodiscard]] std::uint64_t content_mark(std::string_view text);

/// The variants of a session: the library as it is, and with the file. A variable of the environment that
/// names this very file is removed from the first. Where the second only names the file it has a variable
/// with its content_mark(), too: a session that began with other content is another one.
[[nodiscard]] std::vector<Variant> variants_of(const TuningUse& use);

} // namespace skampi
