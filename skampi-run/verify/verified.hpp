#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace skampi {

/// Time with a tuning file / time without it.
struct VerifiedRatio {
    double ratio = 1;
    std::optional<double> low; ///< interval; none = not judged
    std::optional<double> high;
};

/// What a session of a tuning file says of a suite.
struct VerifiedSuite {
    std::string name;
    VerifiedRatio pooled; ///< over all lengths
    std::size_t rounds = 0;
    bool equal = false; ///< within the session's margin
    bool open = false;  ///< a statement about it is not decided
    /// The length with the largest ratio; none = none was judged.
    std::optional<std::int64_t> worst_bytes;
    VerifiedRatio worst;
    /// Where it is slower by evidence: classes of lengths ("small"), and ranges of lengths.
    struct Slower {
        std::string sizes; ///< empty = all lengths, or the range from..to
        std::int64_t from = 0;
        std::int64_t to = 0; ///< 0 = no range
        VerifiedRatio ratio;
    };
    std::vector<Slower> slower;
};

/// What `skampi-report turns` says of the variant "tuned". @return none = it is no such text
[[nodiscard]] std::optional<std::vector<VerifiedSuite>> parse_verified(const std::string& turns);

/// A line for each suite: the pooled ratio and the worst length, with intervals; then where it is slower.
[[nodiscard]] std::string verified_text(const std::vector<VerifiedSuite>& suites);
/// Over all lengths of a suite, by its interval.
[[nodiscard]] bool faster_somewhere(const std::vector<VerifiedSuite>& suites);
[[nodiscard]] bool slower_somewhere(const std::vector<VerifiedSuite>& suites);
/// Operations of the suites that are, of a plan that verify_plan() made: these are called by them.
[[nodiscard]] std::vector<std::string> slower_operations(const std::vector<VerifiedSuite>& suites);

} // namespace skampi
