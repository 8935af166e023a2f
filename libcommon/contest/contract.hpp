// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "contest/gate.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace skampi {

// What a supplier promised, against what launches measured: a contest whose other side is a constant.

enum class PromisedQuantity {
    time,      ///< of a call, of a whole round trip, in seconds
    latency,   ///< of one message, in seconds: half of a round trip
    bandwidth, ///< in bytes a second, as reports have it
    // of pairs of nodes:
    bisection, ///< the minimum over steps, in bytes a second
    of_class,  ///< of nodes or pairs: a multiple of the latency that is expected, or a share of the bandwidth
    none_slow, ///< no node and no link
};

/// A line of a contract: `MPI_Allreduce 8 B on 64 ranks: time < 12 us`. Of links: `bisection: minimum > 9
/// TB/s`, `node bandwidth > 0.9 of its class`, `links: none slow`.
struct Promise {
    std::size_t line = 0; ///< from 1
    std::string text;     ///< as it was written
    std::string name =
        {}; ///< an operation, the name or pattern of suites, or ping_pong_name; of_class: node, pair
    std::optional<std::int64_t> bytes = {}; ///< message length
    std::optional<std::int64_t> ranks = {};
    PromisedQuantity quantity = PromisedQuantity::time;
    bool below = true; ///< kept below the limit, else above it
    double limit = 0;  ///< in seconds, or bytes a second; of_class: a ratio, of latency if it is kept below
    [[nodiscard]] bool of_links() const { return quantity >= PromisedQuantity::bisection; }
};
/// Stands for all suites of round trips between two ranks.
inline constexpr const char* ping_pong_name = "ping-pong";

/// Reads a contract: a promise a line; empty lines and those that begin with # do not count.
/// @param path names the text in messages
/// @throws InputError naming file, line, column, what was found, what was expected, and near names; also
/// where there is no promise
[[nodiscard]] std::vector<Promise> parse_contract(const std::string& text, const std::string& path);

/// Why a promise is open although something of that name was measured.
enum class NotMeasured { none, value, ranks, length };

/// What is known of a promise, in one suite.
struct PromiseFinding {
    const Promise* promise = nullptr; ///< not null
    std::string database = {};
    const Subject* subject = nullptr; ///< null of links
    const Curve* curve = nullptr;     ///< null of links
    std::string found = {};           ///< of links: what breaks the promise, or why it is open
    NotMeasured missing = NotMeasured::none;
    std::int64_t argument = 0;   ///< of the suite, where it was measured
    double measured = no_number; ///< geometric mean over launches, in the unit of the limit
    double low = no_number;      ///< its interval of 95 %; none where nothing is judged
    double high = no_number;
    GateOutcome outcome = GateOutcome::open; ///< passed: the whole interval keeps it; failed: none of it does
    Statement statement = {};                ///< the measured time by that of the limit
    std::size_t made = 0;                    ///< launches of the suite, usable or not
    std::optional<std::size_t> needed = {};  ///< usable launches that decide it; none = unknown, or decided
    /// So many more have to be made for that, if as many of them are usable; none = not known to help.
    [[nodiscard]] std::optional<std::size_t> more_launches() const;
};

/// Whether the whole interval keeps a promise, or none of it does.
[[nodiscard]] GateOutcome outcome_of_interval(const Promise& promise, double low, double high);

/// Judges each promise at each suite that it names, in their order, but those of links. A promise on
/// something that was measured, but not on these ranks or at this length, is open. Where some suites measured
/// it, others count that have no value at all, or the length in their range.
/// @param contract,subjects the findings point into them
/// @param path of the contract, for messages
/// @throws InputError where no suite has the name of a promise, or one of them not the quantity; with near
/// names
[[nodiscard]] std::vector<PromiseFinding> check_contract(const std::vector<Promise>& contract,
                                                         const std::vector<Subject>& subjects,
                                                         const std::string& path);

} // namespace skampi
