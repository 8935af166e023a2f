#pragma once

#include "analysis/comparison.hpp"
#include "analysis/subject.hpp"
#include "document/figure_names.hpp"
#include "document/model.hpp"
#include "subject/content.hpp"

#include <cstdint>
#include <limits>
#include <map>
#include <string>
#include <vector>

namespace skampi {

/// The standard comparisons of operations within one run (paper, appendix A, section 6); no subsections when
/// the data allow none.
[[nodiscard]] Section operations_compared(const Subject& subject, FigureNames& names);

/// The comparisons that a content file asks for: any suites of any databases over one another, each with the
/// first.
/// @throws InputError as curves_of()
[[nodiscard]] Section own_comparisons(const Content& content, const std::vector<Subject>& subjects,
                                      FigureNames& names);

/// Columns of the table that decides.
enum class MessageSize {
    small,  ///< to 1 KiB
    medium, ///< to 64 KiB
    large,
};
[[nodiscard]] MessageSize size_of_message(std::int64_t bytes);

/// All matching suites of two databases.
///
/// What is said of them errs in at most 5 % of all comparisons of equals: half of that is for the points,
/// half for the suites as wholes. The statements by size of the messages are another family of 5 %.
struct DatabaseComparison {
    struct Suite {
        const Curve* reference = nullptr;
        const Curve* other = nullptr;
        CurveComparison curves;
        PooledComparison whole;         ///< all arguments together
        std::size_t in_common_mode = 0; ///< points compared in a mode that is not that of the values shown
        std::size_t common_states = 0;  ///< of the machine that these are of
        /// Where the messages have a length: of those that belong to it.
        std::map<MessageSize, PooledComparison> by_size;
        bool in_verdict = true; ///< in_verdict() of the comparison
        /// Whether anything can be said of it: a difference was found somewhere, or looked for in all
        /// arguments together or at half of them or more.
        [[nodiscard]] bool judged() const;
        /// Of the suite as a whole together with its points. @pre judged()
        [[nodiscard]] Outcome outcome() const;
        /// The sizes of messages at which a difference was found that neither the suite as a whole nor its
        /// points show.
        [[nodiscard]] std::vector<MessageSize> sizes_alone() const;
        /// A difference was found.
        [[nodiscard]] bool differs() const {
            return (judged() && outcome() != Outcome::none) || !sizes_alone().empty();
        }
    };
    const Subject* reference = nullptr;
    const Subject* other = nullptr;
    std::vector<Suite> suites;
    SharedLaunches launches_of_both;   ///< of these suites: with any that are shared nothing is judged
    std::vector<std::string> warnings; ///< what differs and is not to be compared in silence
    std::size_t points = 0;            ///< at which both have a time
    std::size_t judged = 0;            ///< points with an interval
    std::size_t faster = 0;            ///< points at which `other` is significantly faster
    std::size_t slower = 0;
    UnjudgedCounts unjudged;
    std::size_t launches = 0; ///< the smaller side's, at the point that has most
    /// Geometric mean of time of other / time of reference, over the judged points of the suites of the
    /// verdict, where none is judged over those that are comparable; none where there are none.
    std::optional<double> mean_ratio;
    std::size_t mean_points = 0; ///< it is made of
    std::size_t mean_suites = 0;
};
[[nodiscard]] DatabaseComparison compare_databases(const Subject& reference, const Subject& other);

/// Whether a suite of the reference counts for what is said of the databases: local operations such as memcpy
/// say nothing of message passing, and are left to themselves where the reference measures anything else.
[[nodiscard]] bool in_verdict(const DatabaseComparison& comparison, const Curve& reference);

/// At how many points of the verdict the machine was in another state on one side, or that it is another
/// machine of another speed, so that differences of times need not be the library's; empty where it was not,
/// as far as its probes tell. And at how many a state that both saw is compared instead of the values shown.
[[nodiscard]] std::string other_state(const DatabaseComparison& comparison);

/// That the two ran on different numbers of ranks, so that of suites in which all take part nothing is said;
/// empty where no suite was measured on different numbers.
[[nodiscard]] std::string other_ranks(const DatabaseComparison& comparison);

/// That both sides hold launches in common, so that nothing is said of significance; empty where they don't.
[[nodiscard]] std::string launches_in_common(const DatabaseComparison& comparison);

/// That few launches of a side were made one after the other while the other side's were not, so that what
/// the machine was like just then counts as a difference; empty where nothing is judged, where launches were
/// made in turns, so that it changed both, or where the databases do not tell. In a row are those of which
/// most began less than an hour after the end of the one before (docs/decisions/launches-in-a-row.md).
[[nodiscard]] std::string made_in_a_row(const DatabaseComparison& comparison);

/// One sentence: who is faster in which suites, by how much, or what is missing to say so.
[[nodiscard]] std::string verdict(const DatabaseComparison& comparison);

/// The table that decides: a row for each suite of the verdict, with what is said of small, medium and large
/// messages and of all arguments together: "+5.2 %" or "2.30 times" where the other takes significantly
/// longer, "-4.9 %" where it takes less, "none (4.1 %)" where no difference was found and 4.1 % would have
/// been, "open" where nothing can be said. No rows where nothing is compared.
/// @param most_rows of more suites those with differences come before others
[[nodiscard]] Table winners_table(const DatabaseComparison& comparison,
                                  std::size_t most_rows = std::numeric_limits<std::size_t>::max());

/// Facts, settings and states in which the two differ, side by side; no rows where nothing is known to.
[[nodiscard]] Table differences_table(const DatabaseComparison& comparison);

/// What ratios are, and when a difference counts as significant.
/// @param simulated the others are, too, as the reference is
[[nodiscard]] std::string judging_method(const Subject& reference, bool simulated);
/// Whether both sides are simulated: their launches do not differ.
[[nodiscard]] bool both_simulated(const DatabaseComparison& comparison);
/// Two databases as a whole: the verdict, what makes it doubtful, and the tables; no subsections.
/// @param in_short below a first page: without what that says, and of the suites those that differ, else
/// those of the largest ratios
[[nodiscard]] Section comparison_statement(const DatabaseComparison& comparison, bool in_short = false);
/// One suite: what its arguments say, each by itself and together, and some of them in a table; nothing where
/// nothing is compared.
[[nodiscard]] std::vector<Block> suite_statement(const DatabaseComparison& comparison,
                                                 const DatabaseComparison::Suite& suite);

/// @param in_short as of comparison_statement(); a few suites that differ have plots, the others are counted
[[nodiscard]] Section databases_compared(const Subject& reference, const std::vector<const Subject*>& others,
                                         const std::vector<DatabaseComparison>& comparisons,
                                         FigureNames& names, bool in_short = false);

} // namespace skampi
