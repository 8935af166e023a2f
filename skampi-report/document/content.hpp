// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "launches/subject.hpp"
#include "document/paper.hpp"

#include <optional>
#include <string>
#include <vector>

namespace skampi {

/// What a report shows and in which order, from a content file. The default is the report without one.
struct Content {
    struct Suites {
        std::string glob;
        std::string title; ///< in place of their name; empty = their name
        std::string place; ///< file, line and column, for messages
        bool operator==(const Suites&) const = default;
    };
    /// The units of the suites that a glob means; none = as without it.
    struct SuiteUnits {
        std::string glob;
        std::optional<TimeUnit> time;
        std::optional<BandwidthUnit> bandwidth;
        std::string place; ///< file, line and column, for messages
        bool operator==(const SuiteUnits&) const = default;
    };
    /// Which suite of which database.
    struct Which {
        std::string database; ///< as it was given, or its file name; empty = the first
        std::string suite;    ///< name or glob that only one suite has
        std::string label;    ///< in the key; empty = made of both
        std::string place;    ///< file, line and column, for messages
        std::string suite_place;
        bool operator==(const Which&) const = default;
    };
    struct Comparison {
        std::string title;
        std::vector<Which> curves; ///< at least two
        bool operator==(const Comparison&) const = default;
    };
    std::string title; ///< of the report; empty = made from the run
    Paper paper = Paper::a4;
    bool half_round_trips = false;       ///< times of ping-pongs are halved, as other benchmarks do
    Units units;                         ///< of all suites
    std::vector<SuiteUnits> suite_units; ///< of some of them; of several that mean one the last counts
    bool bus_column = false;           ///< tables of collectives have bus bandwidths
    std::vector<std::string> chapters; ///< after the first page, in this order; empty = all, in the usual one
    std::vector<Suites> suites;        ///< in this order; empty = all, in the plan's
    std::vector<Comparison> comparisons;
    bool operator==(const Content&) const = default;
};

/// Reads a content file (docs/report.md).
/// @param name as in messages
/// @param chapters the existing ones; empty = any names
/// @throws InputError name:line:column, what was found and what was expected
[[nodiscard]] Content parse_content(const std::string& name, const std::string& text,
                                    const std::vector<std::string>& chapters = {});
/// @throws InputError also when it cannot be read
[[nodiscard]] Content read_content(const std::string& path, const std::vector<std::string>& chapters);

/// Leaves of every subject the suites that are to be shown, in the order wanted and with their titles.
/// @throws InputError naming a glob that selects none in any subject, a name or a title whose suites stand
/// above already, or a title that two suites of a subject would have
void arrange_suites(const Content& content, std::vector<Subject>& subjects);

/// Halves the times of ping-pongs, and the messages they stand for: bandwidths stay what they are.
void halve_round_trips(std::vector<Subject>& subjects);

/// Gives every curve the units in which the report says its times and bandwidths, and the columns asked for.
/// @throws InputError naming a glob that selects none in any subject
void choose_units(const Content& content, std::vector<Subject>& subjects);

/// The curves of a comparison. @throws InputError naming the place in the file where a database or a suite is
/// not among the subjects, or is not the only one
[[nodiscard]] std::vector<const Curve*> curves_of(const Content::Comparison& comparison,
                                                  const std::vector<Subject>& subjects);

} // namespace skampi
