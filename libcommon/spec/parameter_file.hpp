#pragma once

#include "model/suite.hpp"
#include "skalib/clock.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace skampi {

/// A parameter file, all defaults filled in.
struct ParameterFile {
    std::string name; ///< as in messages
    std::string text; ///< the whole file
    std::string user, machine, node, network,
        comment;         ///< free text, several lines, outer blank lines removed
    std::string outfile; ///< @OUTFILE; empty = not given
    std::string logfile; ///< @LOGFILE; empty = none
    std::int64_t memory_bytes = std::int64_t{1} << 28; ///< @MEMORY per rank, for message buffers
    bool absolute = false;
    bool postproc = false; ///< @POSTPROC: merge when a run ends
    /// @RESOLUTION: the wished resolution (SKaLib 3.1) as a share of what is timed.
    double resolution = skalib::usual_resolution;
    std::vector<Suite> suites; ///< in the file's order, lists multiplied out
};

/// Parses a parameter file (docs/parameter-file.md).
/// @param name for messages    @param operations all operations that Type may name
/// @throws InputError `name:line:column: what was found, what was expected (did you mean "...")`
[[nodiscard]] ParameterFile parse_parameter_file(const std::string& name, const std::string& text,
                                                 std::span<const OperationInfo> operations);

/// Reads a file whole. @throws InputError when it does not exist or cannot be read
[[nodiscard]] std::string read_text_file(const std::string& path);

/// Identity of the measurement part: a hash over the resolved suites, so that comments, order of keys and
/// suites, and spelled-out defaults make no difference. Runs with equal hashes may be merged.
[[nodiscard]] std::string plan_hash(const ParameterFile& file);

/// The plan as text for `skampi-run check`: one line per suite, its arguments, an estimate of its size.
[[nodiscard]] std::string describe_plan(const ParameterFile& file, int ranks);

} // namespace skampi
