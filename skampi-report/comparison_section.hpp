#pragma once

#include "comparison.hpp"
#include "document.hpp"
#include "subject.hpp"

#include <string>
#include <vector>

namespace skampi {

/// Hands out names for figures: "f001", "f002", ...
class FigureNames {
public:
    [[nodiscard]] std::string next();

private:
    int count_ = 0;
};

/// The standard comparisons of operations within one run (paper, appendix A, section 6); no subsections when
/// the data allow none.
[[nodiscard]] Section operations_compared(const Subject& subject, FigureNames& names);

/// All matching suites of two databases.
struct DatabaseComparison {
    struct Suite {
        const Curve* reference = nullptr;
        const Curve* other = nullptr;
        CurveComparison curves;
    };
    const Subject* reference = nullptr;
    const Subject* other = nullptr;
    std::vector<Suite> suites;
    std::vector<std::string> warnings; ///< what differs and is not to be compared in silence
    std::size_t points = 0;
    std::size_t judged = 0; ///< points with an interval
    std::size_t faster = 0; ///< points at which `other` is significantly faster
    std::size_t slower = 0;
    UnjudgedCounts unjudged;
    std::size_t launches = 0; ///< the smaller side's, at the point that has most
    double mean_ratio = 1;    ///< geometric mean over all points, time of other / time of reference
};
[[nodiscard]] DatabaseComparison compare_databases(const Subject& reference, const Subject& other);

/// That the machine was in another state on one side, so that no difference of times may be the library's;
/// empty where it was not, as far as its probes tell.
[[nodiscard]] std::string other_state(const DatabaseComparison& comparison);

/// One sentence: who is faster, how often, by how much, or what is missing to say so.
[[nodiscard]] std::string verdict(const DatabaseComparison& comparison);

/// For the first page: of each suite the geometric mean of the ratios of short, medium and long messages, and
/// who is faster. Of more suites than fit those with significant differences first.
[[nodiscard]] Table winners_table(const DatabaseComparison& comparison, std::size_t most_rows);

[[nodiscard]] Section databases_compared(const Subject& reference, const std::vector<const Subject*>& others,
                                         const std::vector<DatabaseComparison>& comparisons,
                                         FigureNames& names);

} // namespace skampi
