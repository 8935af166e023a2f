#pragma once

#include "verify/verify_plan.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace skampi {

class Database;

/// Time with a tuning file / time without it.
struct VerifiedRatio {
    double ratio = 1;
    std::optional<double> low; ///< interval; none = not judged
    std::optional<double> high;
    [[nodiscard]] bool judged() const { return low && high; }
    [[nodiscard]] bool slower() const { return judged() && *low > 1; }
    [[nodiscard]] bool faster() const { return judged() && *high < 1; }
    [[nodiscard]] bool differs() const { return slower() || faster(); }
};

/// What went wrong in the launches of a suite with the file, or in those without it.
struct VerifyFaults {
    std::set<std::int64_t> wrong_at; ///< arguments at which the operation delivered wrong data
    std::string failure;             ///< why the suite failed; empty = it did not
    [[nodiscard]] bool any() const { return !wrong_at.empty() || !failure.empty(); }
};

/// What a session of a tuning file says of a suite.
struct VerifiedSuite {
    std::string name;
    /// "faster" or "slower": that state of the machine alone, where the ratio depends on it; then there is
    /// another of the name. Empty = whatever.
    std::string machine_state;
    VerifiedRatio pooled; ///< over all lengths
    std::size_t rounds = 0;
    bool equal = false; ///< within the session's margin
    bool open = false;  ///< it is not known whether it is different or equal over all lengths
    /// The length with the largest ratio; none = none was judged.
    std::optional<std::int64_t> worst_bytes;
    VerifiedRatio worst;
    /// Lengths that differ by evidence, and otherwise than all together: a class of lengths, or a range.
    struct Part {
        std::string sizes; ///< "small"; empty = a range
        std::int64_t from = 0;
        std::int64_t to = 0; ///< inclusive; 0 = a class
        VerifiedRatio ratio;
    };
    std::vector<Part> parts;
    VerifyFaults with_file; ///< add_faults()
    VerifyFaults without_file;
    /// As a whole or in a part, and not proven to be within the margin.
    [[nodiscard]] bool slower_somewhere() const;
};

/// A session of a tuning file.
struct VerifiedFile {
    double margin = 0;      ///< of equality, as a share
    std::size_t rounds = 0; ///< of the session; not each of them has both times of each suite
    std::vector<VerifiedSuite> suites;
    [[nodiscard]] bool slower_somewhere() const;
    [[nodiscard]] bool faster_somewhere() const; ///< over all lengths of a suite
    [[nodiscard]] bool faulty_somewhere() const; ///< with the file
    /// Something beside controls is.
    [[nodiscard]] bool judged(const std::vector<VerifySuite>& planned) const;
};

/// What `skampi-report turns` says of the variant "tuned". @return none = it is no such text
[[nodiscard]] std::optional<VerifiedFile> parse_verified(const std::string& turns);

/// Adds the faults that the newest session of a database met, also of suites that have no times to compare.
void add_faults(const Database& database, VerifiedFile& file);

/// What came out: what is faulty; a line for each rule with its lengths, the gain over all of them and the
/// worst one, with intervals; then lengths that differ otherwise; then what the control says of each
/// operation.
/// @param planned of verify_suites(); other suites are called by their names
[[nodiscard]] std::string verified_text(const VerifiedFile& file, const std::vector<VerifySuite>& planned);

/// The regions of rules that are slower somewhere.
[[nodiscard]] std::vector<TunedRegion> slower_regions(const VerifiedFile& file,
                                                      const std::vector<VerifySuite>& planned);

/// The regions of rules with which an operation failed or delivered wrong data.
[[nodiscard]] std::vector<TunedRegion> faulty_regions(const VerifiedFile& file,
                                                      const std::vector<VerifySuite>& planned);

} // namespace skampi
