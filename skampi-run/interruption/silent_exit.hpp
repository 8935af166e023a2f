#pragma once

#include <string>

namespace skampi {

/// While such an object lives, an exit of the process with status 0, by whatever it measures, does not pass
/// for success: it writes the words to standard error and ends with status 1 (ExitStatus::incomplete). A
/// launcher would say nothing of a rank that leaves so. One at a time.
class NoSilentExit {
public:
    /// @param words a line
    explicit NoSilentExit(std::string words);
    NoSilentExit(const NoSilentExit&) = delete;
    NoSilentExit& operator=(const NoSilentExit&) = delete;
    ~NoSilentExit();

private:
    std::string words_;
};

} // namespace skampi
