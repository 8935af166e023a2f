// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "model/measurement.hpp"
#include "model/suite.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace skampi {

/// What an OSU micro-benchmark prints of a message length.
enum class OsuTable {
    latency,     ///< half a round trip
    bandwidth,   ///< of a window of messages
    pairs,       ///< the same of several pairs, and the message rate
    collective,  ///< the mean of the ranks' means
    nonblocking, ///< a nonblocking collective, with computation in between
    one_sided,
};

/// One of the OSU micro-benchmarks, version 7.4: all that the program and the format know about it.
struct OsuProgram {
    std::string_view name;      ///< "osu_allreduce"
    std::string_view title;     ///< "OSU MPI Allreduce Latency Test"
    std::string_view operation; ///< ours
    OsuTable table = OsuTable::collective;
    bool lengths_of_all = false; ///< its lengths are those of all ranks' blocks together
    /// That two ranks make alone, without a barrier, as there; empty = the same.
    std::string_view between_two = {};

    [[nodiscard]] bool has_lengths() const { return !name.ends_with("barrier"); }
    [[nodiscard]] bool is_point_to_point() const { return table <= OsuTable::pairs; }
    /// The folder below libexec/osu-micro-benchmarks/mpi.
    [[nodiscard]] std::string_view folder() const;
};
[[nodiscard]] std::span<const OsuProgram> osu_programs();
/// @return null = there is none
[[nodiscard]] const OsuProgram* osu_program(std::string_view name);
/// Of MPI_Put-lock as of MPI_Put-flush, and of Bandwidth-one_buffer as of Bandwidth.
[[nodiscard]] const OsuProgram* osu_program_of(const std::string& operation);

/// Columns that options ask for.
struct OsuColumns {
    bool full = false;                 ///< -f
    bool validation = false;           ///< -c
    std::vector<int> percentiles = {}; ///< -z
};

/// What a row is made of.
struct OsuPoint {
    Measurement measurement;
    std::vector<double> singles_s = {}; ///< single measurements, for percentiles
    // With -f of a nonblocking collective:
    double begin_s = 0;     ///< of the call that begins it
    Measurement alone = {}; ///< without computation, with node times
};

/// The text of one program: its title and heading byte for byte, nothing behind the table.
/// @param remarks lines between title and heading. A number in them must not be followed by a blank.
[[nodiscard]] std::string osu_text(const OsuProgram& program, const Suite& suite,
                                   const std::vector<OsuPoint>& points, const OsuColumns& columns = {},
                                   const std::vector<std::string>& remarks = {});

/// Its first line: "# OSU MPI Allreduce Latency Test v7.4".
[[nodiscard]] std::string osu_title_line(const OsuProgram& program);

/// A suite's length of a message in OSU's way to count.
[[nodiscard]] std::int64_t osu_bytes(const OsuProgram& program, const Measurement& measurement);

} // namespace skampi
