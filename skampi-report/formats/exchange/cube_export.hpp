// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "launches/read_subjects.hpp"

#include "cube/cube_xml.hpp"
#include "cube/statistics.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace skampi {

/// Why a measurement is not, or not wholly, in the files.
enum class CubeGap {
    no_value,       ///< left out
    not_above_zero, ///< left out: its mean is no time
    no_statistics,  ///< left out: Cube reads no pattern without them
    only_count,     ///< written with its count only
    only_summary,   ///< written from the stored summary, without a severe instance
};
struct CubeLoss {
    CubeGap gap;
    std::size_t measurements = 0; ///< at least 1
};
/// A line for the user.
[[nodiscard]] std::string to_text(const CubeLoss& loss);

/// A database's single measurements as files of the Cube browser (docs/cube.md).
struct CubeExport {
    cube::StatisticsFile statistics;
    cube::Experiment experiment;  ///< metrics, call paths: of these patterns, at the same places
    std::vector<CubeLoss> losses; ///< in the order of CubeGap
};

/// One pattern per suite and argument: statistics over all single measurements of its launches whose batches
/// were kept, overhead subtracted as of the values reported. The severe instance is the slowest of them, with
/// its place on the time line of the first launch (later launches by their start in UTC); its rank is the
/// slowest one's where node times were kept, else 0. Where no single measurements are kept the stored summary
/// of a single launch takes their place, without instance.
/// Holds the single measurements of one argument at a time.
/// @param subject of read_subject() of this database
/// @throws InputError when not one pattern can be written
[[nodiscard]] CubeExport cube_export(const Database& database, const Subject& subject, cube::Dialect dialect);

/// The statistics file that belongs to a CUBE file: X.stat next to X.cube.
[[nodiscard]] std::string statistics_path(const std::string& cube_path);

/// Writes the CUBE file and the statistics file next to it, both or none. @throws SystemError; InputError
/// where a statistics file in another dialect is there
void write_cube_files(CubeExport cube, const std::string& cube_path);

/// The pattern's name for a suite and argument: "MPI_Bcast/1024_bytes". Without white space or invisible
/// characters, and never beginning with '-'.
[[nodiscard]] std::string cube_pattern_name(const Suite& suite, std::int64_t argument);

} // namespace skampi
