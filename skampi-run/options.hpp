#pragma once

#include "shared/progress.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace skampi {

enum class Task {
    measure,   ///< inside a launcher: this process is a rank
    supervise, ///< skampi-run -n N: starts the launcher itself
    daemon,
    check,
    list,
    status,
};

/// The command line and config file of skampi-run, checked for form but not for content.
struct Options {
    Task task = Task::measure;
    std::string file;                    ///< empty = the built-in quick file
    std::optional<std::string> database; ///< none = @OUTFILE, or skampi.db
    std::vector<std::string> suites;     ///< globs; empty = all
    bool fresh = false;
    ProgressKind progress = ProgressKind::automatic;
    int retries = 2;
    std::optional<int> launch; ///< number in a series: shuffles the suites
    std::string variant; ///< a name for what is varied by hand; runs of another one are of another series
    std::optional<int> keep_samples; ///< of how many newest runs single measurements are kept; none = of all
    std::optional<int> expected_ranks; ///< a job of another number measures nothing

    int ranks = 0;
    std::string launcher;
    std::int64_t runs = 1;
    double every_s = 0;
    int launches = 1;
    std::optional<double> hang_after_s;
    int max_failures = 10;

    bool json = false; ///< list, status
};

/// Thrown where the command line asks for nothing more: --help, --version, or a mistake.
struct OptionsEnd {
    int exit_status = 0;
    std::string text; ///< for standard output (exit_status 0) or standard error
};

/// @throws OptionsEnd
[[nodiscard]] Options parse_options(int argc, const char* const* argv);

/// "90", "90s", "5m", "6h", "2d" in seconds. @throws std::invalid_argument
[[nodiscard]] double parse_duration_s(const std::string& text);

} // namespace skampi
