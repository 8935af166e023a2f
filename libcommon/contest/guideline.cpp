// SPDX-License-Identifier: LGPL-2.1-or-later
#include "contest/guideline.hpp"

#include "contest/contest_table.hpp"
#include "contest/estimate.hpp"
#include "contest/jury.hpp"
#include "launches/comparable.hpp"

#include "skalib/statistics.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <string_view>

namespace skampi {

namespace {

/// Of all places together.
constexpr double guideline_error = 0.05;

struct Term {
    std::string_view operation; ///< empty = none
    TermLength length = TermLength::same;
};

/// function <= first + second
struct Replacement {
    std::string_view function;
    Term first;
    Term second = {};
};

constexpr TermLength same = TermLength::same;
constexpr TermLength all = TermLength::all;
constexpr TermLength one_part = TermLength::one_part;

// The length of a message is that of one rank's message to one other, or of the vector combined
// (docs/operations.md): MPI_Gather of m brings n m to the root, MPI_Reduce_scatter of m combines n m.
constexpr std::array<Replacement, 66> replacements{{
    {"MPI_Allgather", {"MPI_Gather", same}, {"MPI_Bcast", all}},
    {"MPI_Allgather", {"MPI_Alltoall", same}},
    {"MPI_Allgather", {"MPI_Allreduce", all}},
    {"MPI_Allgather", {"MPI_Allgatherv", same}},
    {"MPI_Allreduce", {"MPI_Reduce", same}, {"MPI_Bcast", same}},
    {"MPI_Allreduce", {"MPI_Reduce_scatter_block", one_part}, {"MPI_Allgather", one_part}},
    {"MPI_Allreduce", {"MPI_Reduce_scatter", one_part}, {"MPI_Allgatherv", one_part}},
    {"MPI_Allreduce", {"MPI_Reduce_scatter", one_part}, {"MPI_Allgather", one_part}},
    {"MPI_Alltoall", {"MPI_Alltoallv", same}},
    {"MPI_Alltoallv", {"MPI_Alltoallw", same}},
    {"MPI_Bcast", {"MPI_Scatter", one_part}, {"MPI_Allgather", one_part}},
    {"MPI_Gather", {"MPI_Allgather", same}},
    {"MPI_Gather", {"MPI_Gatherv", same}},
    {"MPI_Gather", {"MPI_Reduce", all}},
    {"MPI_Gather", {"Gather-Waitall", same}},
    {"MPI_Reduce", {"MPI_Allreduce", same}},
    {"MPI_Reduce", {"MPI_Reduce_scatter_block", one_part}, {"MPI_Gather", one_part}},
    {"MPI_Reduce", {"MPI_Reduce_scatter", one_part}, {"MPI_Gatherv", one_part}},
    {"MPI_Reduce", {"MPI_Reduce_scatter", one_part}, {"MPI_Gather", one_part}},
    {"MPI_Reduce_scatter_block", {"MPI_Reduce", all}, {"MPI_Scatter", same}},
    {"MPI_Reduce_scatter_block", {"MPI_Reduce_scatter", same}},
    {"MPI_Reduce_scatter_block", {"MPI_Allreduce", all}},
    {"MPI_Reduce_scatter", {"MPI_Reduce", all}, {"MPI_Scatterv", same}},
    {"MPI_Reduce_scatter", {"MPI_Allreduce", all}},
    {"MPI_Scatter", {"MPI_Bcast", all}},
    {"MPI_Scatter", {"MPI_Scatterv", same}},
    {"MPI_Barrier", {"MPI_Ibarrier", same}},
    {"MPI_Bcast", {"MPI_Ibcast", same}},
    {"MPI_Reduce", {"MPI_Ireduce", same}},
    {"MPI_Allreduce", {"MPI_Iallreduce", same}},
    {"MPI_Scan", {"MPI_Iscan", same}},
    {"MPI_Alltoall", {"MPI_Ialltoall", same}},
    {"MPI_Gather", {"MPI_Igather", same}},
    {"MPI_Scatter", {"MPI_Iscatter", same}},
    {"MPI_Allgather", {"MPI_Iallgather", same}},
    {"MPI_Reduce_scatter", {"MPI_Ireduce_scatter", same}},
    {"MPI_Reduce_scatter_block", {"MPI_Ireduce_scatter_block", same}},
    // A synchronous send, or one from a private copy, is a send.
    {"MPI_Send-MPI_Recv", {"MPI_Ssend-MPI_Recv", same}},
    {"MPI_Send-MPI_Recv", {"MPI_Isend-MPI_Recv", same}},
    {"MPI_Send-MPI_Recv", {"MPI_Bsend-MPI_Recv", same}},
    {"MPI_Send-MPI_Recv", {"MPI_Send-MPI_Recv_any_tag", same}},
    // Application kernels: datatypes against copies by the program, functions made for an exchange against
    // the messages it consists of, persistent ones against those made anew.
    {"Halo_1D-Neighbor_alltoallw", {"Halo_1D-Isend", same}},
    {"Halo_1D-Neighbor_alltoallw", {"Halo_1D-Sendrecv", same}},
    {"Halo_1D-Neighbor_alltoallw_init", {"Halo_1D-Neighbor_alltoallw", same}},
    {"Halo_1D-Send_init", {"Halo_1D-Isend", same}},
    {"Halo_1D-Psend_init", {"Halo_1D-Send_init", same}},
    {"Halo_2D-Isend", {"Halo_2D-packed", same}},
    {"Halo_2D-Neighbor_alltoallw", {"Halo_2D-Isend", same}},
    {"Halo_2D-Neighbor_alltoallw", {"Halo_2D-Sendrecv", same}},
    {"Halo_2D-Neighbor_alltoallw_init", {"Halo_2D-Neighbor_alltoallw", same}},
    {"Halo_2D-Send_init", {"Halo_2D-Isend", same}},
    {"Halo_2D-Psend_init", {"Halo_2D-Send_init", same}},
    {"Halo_3D-Isend", {"Halo_3D-packed", same}},
    {"Halo_3D-Neighbor_alltoallw", {"Halo_3D-Isend", same}},
    {"Halo_3D-Neighbor_alltoallw", {"Halo_3D-Sendrecv", same}},
    {"Halo_3D-Neighbor_alltoallw_init", {"Halo_3D-Neighbor_alltoallw", same}},
    {"Halo_3D-Send_init", {"Halo_3D-Isend", same}},
    {"Halo_3D-Psend_init", {"Halo_3D-Send_init", same}},
    {"Transpose-Alltoallw", {"Transpose-packed", same}},
    {"Transpose-Alltoallw", {"Transpose-Isend", same}},
    {"Transpose-Isend", {"Transpose-packed", same}},
    {"MPI_Allgather", {"Ring-Sendrecv", same}},
    {"MPI_Allgather", {"Ring-Isend", same}},
    {"MPI_Bcast", {"Ring-pipeline", same}},
    {"Sparse-Ibarrier", {"Sparse-Alltoall", same}},
    {"Sparse-Ibarrier", {"Sparse-Reduce_scatter_block", same}},
}};

/// Operations whose work on some ranks is a part of that on more, with messages of equal length.
constexpr std::array<std::string_view, 24> contained_in_more_ranks{
    "MPI_Barrier",         "MPI_Bcast",          "MPI_Reduce",
    "MPI_Allreduce",       "MPI_Scan",           "MPI_Exscan",
    "MPI_Gather",          "MPI_Gatherv",        "MPI_Scatter",
    "MPI_Scatterv",        "MPI_Allgather",      "MPI_Allgatherv",
    "MPI_Alltoall",        "MPI_Alltoallv",      "MPI_Alltoallw",
    "Gather-Waitall",      "MPI_Reduce_scatter", "MPI_Reduce_scatter_block",
    "Transpose-Alltoallw", "Transpose-Isend",    "Transpose-packed",
    "Ring-Sendrecv",       "Ring-Isend",         "Ring-pipeline"};

/// Whether its messages are parts of an array that grows with them: two of half the length lie in two smaller
/// arrays.
bool in_growing_array(std::string_view name) {
    return name.starts_with("Halo_2D") || name.starts_with("Halo_3D") || name.starts_with("Transpose-");
}

/// One measured value.
struct Cell {
    const Curve* curve = nullptr;
    const StoredMeasurement* point = nullptr;
    [[nodiscard]] const Measurement& measurement() const { return point->measurement; }
    /// The launch's value here; none = not measured.
    [[nodiscard]] std::optional<double> value_of(const std::string& launch) const {
        const auto own = curve->launches.find(launch);
        if (own == curve->launches.end() || !own->second.values.contains(measurement().argument))
            return std::nullopt;
        return own->second.values.at(measurement().argument);
    }
};

bool of_point_to_point_or_collective(const Suite& suite) {
    return suite.operation.pattern == Pattern::ping_pong || suite.operation.pattern == Pattern::collective;
}

/// Guidelines are about the library's choice: an algorithm that the user asked for may be slower than
/// another.
bool is_library_choice(const Suite& suite) {
    return suite.algorithm.empty() || suite.algorithm == default_algorithm;
}

/// Whether it can be judged: a time above zero, of the operation alone.
bool usable(const Measurement& measurement) {
    return above_zero(measurement) && !(measurement.alone_s > 0) &&
           !has(measurement.flags, Flag::unreliable) && !shows_lost_core(measurement);
}

/// What must be equal in two compared measurements: all but what replacements change.
std::string settings_of(const Curve& curve, const Measurement& measurement) {
    constexpr std::array<std::string_view, 8> but{"operation", "meaning", "varied",    "message_bytes",
                                                  "ranks",     "root",    "reduction", "synchronization"};
    const std::optional<Synchronization> start = start_of(curve, measurement);
    return quantity_key(curve.suite(), but) + std::string(start ? to_text(*start) : "");
}

/// Whether the roots and reductions of two functions allow one to replace the other.
bool compatible(const Cell& a, const Cell& b) {
    const Suite& first = a.curve->suite();
    const Suite& second = b.curve->suite();
    const bool same_root = !has_root(first) || !has_root(second) || first.root == second.root;
    const bool same_reduction =
        first.reduction.empty() || second.reduction.empty() || first.reduction == second.reduction;
    return same_root && same_reduction;
}

/// A comparison: the time of `function` against `times` those of `instead` together.
struct GuidelinePlace {
    std::size_t guideline = 0; ///< index into the results
    Cell function;
    std::vector<Cell> instead;
    double times = 1;
};

/// Collects the places that can be judged.
class Places {
public:
    explicit Places(const Subject& subject) {
        std::map<std::pair<Pattern, std::string>, std::vector<Cell>> groups;
        for (const Curve& curve : subject.curves) {
            if (!of_point_to_point_or_collective(curve.suite()) || !is_library_choice(curve.suite()))
                continue;
            for (const StoredMeasurement& point : curve.points)
                if (usable(point.measurement))
                    groups[{curve.suite().operation.pattern, settings_of(curve, point.measurement)}]
                        .push_back({&curve, &point});
            add_within(curve);
        }
        for (const auto& [settings, cells] : groups)
            add_replacements(cells);
    }

    std::vector<GuidelineResult> guidelines;
    std::vector<GuidelinePlace> places;

private:
    using Where = std::pair<int, std::int64_t>; ///< ranks, bytes
    using Cells = std::multimap<Where, Cell>;   ///< of one operation

    void add(const Guideline& guideline, GuidelinePlace place) {
        const auto [known, is_new] = places_of_.try_emplace(guideline, guidelines.size());
        if (is_new)
            guidelines.push_back({guideline, 0, {}});
        place.guideline = known->second;
        places.push_back(std::move(place));
    }

    /// Those measured with the shortest message that is long enough, and no more than twice as long: a
    /// program could fill its message up.
    static std::vector<Cell> long_enough(const Cells& cells, int ranks, std::int64_t bytes) {
        std::vector<Cell> found;
        const std::int64_t most = 2 * bytes;
        for (auto cell = cells.lower_bound({ranks, bytes});
             cell != cells.end() && cell->first.first == ranks && cell->first.second <= most; ++cell)
            found.push_back(cell->second);
        return found;
    }

    /// @param group of equal settings
    void add_replacements(const std::vector<Cell>& group) {
        std::map<std::string_view, Cells> operations;
        for (const Cell& cell : group) {
            const Measurement& measurement = cell.measurement();
            if (measurement.ranks >= 2 && adds_up(cell.curve->suite()))
                operations[cell.curve->suite().operation.name].insert(
                    {{measurement.ranks, measurement.message_bytes}, cell});
        }
        for (const Replacement& replacement : replacements) {
            const auto functions = operations.find(replacement.function);
            const auto first = operations.find(replacement.first.operation);
            const auto second = operations.find(replacement.second.operation);
            const bool two = !replacement.second.operation.empty();
            if (functions == operations.end() || first == operations.end() ||
                (two && second == operations.end()))
                continue;
            Guideline guideline{GuidelineKind::replacement,
                                std::string(replacement.function),
                                {{std::string(replacement.first.operation), replacement.first.length}}};
            if (two)
                guideline.instead.push_back(
                    {std::string(replacement.second.operation), replacement.second.length});
            for (const auto& [where, function] : functions->second) {
                const auto candidates = [&where = where](const Cells& cells, TermLength length) {
                    const auto [ranks, bytes] = where;
                    const std::int64_t needed = length == TermLength::same  ? bytes
                                                : length == TermLength::all ? ranks * bytes
                                                                            : (bytes + ranks - 1) / ranks;
                    return long_enough(cells, ranks, needed);
                };
                std::optional<GuidelinePlace> place;
                for (const Cell& one : candidates(first->second, replacement.first.length)) {
                    if (place || !compatible(function, one))
                        continue;
                    if (!two) {
                        place = GuidelinePlace{0, function, {one}};
                        continue;
                    }
                    for (const Cell& other : candidates(second->second, replacement.second.length))
                        if (!place && compatible(function, other) && compatible(one, other))
                            place = GuidelinePlace{0, function, {one, other}};
                }
                if (place)
                    add(guideline, std::move(*place));
            }
        }
    }

    /// Times until the last rank has left add up to a bound of doing one after the other; a root may leave
    /// long before. A ping-pong has only rank 0's time.
    static bool adds_up(const Suite& suite) {
        return suite.operation.pattern == Pattern::ping_pong ||
               (suite.reported_time == ReportedTime::max && knows(suite, "reported_time"));
    }

    /// Guidelines about one operation alone.
    void add_within(const Curve& curve) {
        const Suite& suite = curve.suite();
        const std::string& name = suite.operation.name;
        std::vector<Cell> cells;
        for (const StoredMeasurement& point : curve.points)
            if (usable(point.measurement))
                cells.push_back({&curve, &point});
        const auto comparable = [&](const Cell& a, const Cell& b) {
            return start_of(curve, a.measurement()) == start_of(curve, b.measurement());
        };
        if (suite.varied == Varied::message_length) {
            for (std::size_t i = 0; i + 1 < cells.size(); ++i)
                if (comparable(cells[i], cells[i + 1]))
                    add({GuidelineKind::longer_message, name, {}}, {0, cells[i], {cells[i + 1]}});
            for (const Cell& cell : cells) {
                if (in_growing_array(name))
                    break;
                const std::int64_t bytes = cell.measurement().message_bytes;
                const auto half = std::ranges::lower_bound(cells, (bytes + 1) / 2, {}, [](const Cell& other) {
                    return other.measurement().message_bytes;
                });
                // Two of nearly the whole length would test nothing.
                if (bytes >= 2 && half != cells.end() && 4 * half->measurement().message_bytes <= 3 * bytes &&
                    comparable(cell, *half))
                    add({GuidelineKind::split, name, {}}, {0, cell, {*half}, 2});
            }
        }
        if (suite.varied == Varied::nodes &&
            std::ranges::find(contained_in_more_ranks, name) != contained_in_more_ranks.end())
            for (std::size_t i = 0; i + 1 < cells.size(); ++i)
                if (cells[i].measurement().ranks >= 2 && comparable(cells[i], cells[i + 1]))
                    add({GuidelineKind::more_ranks, name, {}}, {0, cells[i], {cells[i + 1]}});
    }

    std::map<Guideline, std::size_t> places_of_; ///< in `guidelines`
};

/// How much of the variance of a ratio comes from the clock's step.
double rounding(const GuidelinePlace& place) {
    double variance = rounding_variance(*place.function.curve, place.function.measurement().value_s);
    double sum_s = 0;
    for (const Cell& cell : place.instead)
        sum_s += place.times * cell.measurement().value_s;
    for (const Cell& cell : place.instead) {
        const double share = place.times * cell.measurement().value_s / sum_s;
        variance += share * share * rounding_variance(*cell.curve, cell.measurement().value_s);
    }
    return variance;
}

struct RatioEstimate {
    double time_s = 0;
    Estimate ratio; ///< logarithm of the time by that of what could be done instead
};

/// From the ratios within each launch; none where fewer than needed have all values.
std::optional<RatioEstimate> estimate_ratio(const GuidelinePlace& place) {
    EstimateRule rule;
    rule.rounding[0] = rounding(place);
    rule.in_a_row[0] = place.function.curve->correlation > 0;
    if (place.function.curve->simulated) { // launches agree, except for a step of the clock
        double sum_s = 0;
        for (const Cell& cell : place.instead)
            sum_s += place.times * cell.measurement().value_s;
        const double time_s = place.function.measurement().value_s;
        constexpr double many = 1000;
        return rule.rounding[0] > 0 ? std::optional(RatioEstimate{time_s,
                                                                  {.centre = std::log(time_s / sum_s),
                                                                   .error = std::sqrt(rule.rounding[0]),
                                                                   .degrees = many}})
                                    : std::nullopt;
    }
    LaunchScores ratios;
    double log_times = 0;
    for (const auto& launch : place.function.curve->launches) {
        const std::optional<double> time_s = place.function.value_of(launch.first);
        double sum_s = 0;
        bool complete = time_s && *time_s > 0;
        for (const Cell& cell : place.instead) {
            const std::optional<double> value_s = cell.value_of(launch.first);
            complete = complete && value_s && *value_s > 0;
            sum_s += complete ? place.times * *value_s : 0;
        }
        if (!complete)
            continue;
        log_times += std::log(*time_s);
        ratios.push_back({std::log(*time_s / sum_s), {}});
    }
    if (ratios.size() < launches_needed)
        return std::nullopt;
    const std::optional<Estimate> estimate = estimate_pairs(ratios, rule);
    if (!estimate || !(estimate->error > 0))
        return std::nullopt;
    return RatioEstimate{std::exp(log_times / static_cast<double>(ratios.size())), *estimate};
}

} // namespace

const Violation& GuidelineResult::worst() const {
    return *std::ranges::max_element(violations, {},
                                     [](const Violation& each) { return each.statement.low; });
}

std::vector<const GuidelineResult*> SelfConsistency::violated() const {
    std::vector<const GuidelineResult*> worst_first;
    for (const GuidelineResult& guideline : guidelines)
        if (!guideline.violations.empty())
            worst_first.push_back(&guideline);
    std::ranges::stable_sort(worst_first, std::ranges::greater(),
                             [](const GuidelineResult* each) { return each->worst().statement.low; });
    return worst_first;
}

namespace {

/// @param error of all its places together
SelfConsistency check_job(const Subject& subject, double error) {
    SelfConsistency result;
    Places found(subject);
    std::vector<std::pair<const GuidelinePlace*, RatioEstimate>> judged;
    for (const GuidelinePlace& place : found.places)
        if (const std::optional<RatioEstimate> estimate = estimate_ratio(place))
            judged.emplace_back(&place, *estimate);
    for (const auto& [place, estimate] : judged) {
        GuidelineResult& guideline = found.guidelines[place->guideline];
        ++guideline.places;
        // One-sided: half of what a two-sided interval excludes.
        Statement statement;
        state_difference(statement, estimate.ratio,
                         2 * error / static_cast<double>(std::max<std::size_t>(2, judged.size())));
        if (statement.verdict != Verdict::slower)
            continue;
        const Measurement& function = place->function.measurement();
        const Measurement& other = place->instead.front().measurement();
        statement.place = {Place::Kind::point, function.argument, function.argument};
        statement.reference_s = estimate.time_s / statement.ratio;
        guideline.violations.push_back({place->function.curve->suite().name, function.ranks,
                                        function.message_bytes, other.message_bytes, other.ranks,
                                        place->function.curve->units.time, statement});
        ++result.violations;
    }
    result.places = judged.size();
    std::erase_if(found.guidelines, [](const GuidelineResult& guideline) { return guideline.places == 0; });
    result.guidelines = std::move(found.guidelines);
    return result;
}

/// Adds what was found in a further job.
void add_job(SelfConsistency& all, SelfConsistency job) {
    all.places += job.places;
    all.violations += job.violations;
    for (GuidelineResult& each : job.guidelines) {
        const auto known = std::ranges::find(all.guidelines, each.guideline, &GuidelineResult::guideline);
        if (known == all.guidelines.end()) {
            all.guidelines.push_back(std::move(each));
            continue;
        }
        known->places += each.places;
        std::ranges::move(each.violations, std::back_inserter(known->violations));
    }
}

} // namespace

SelfConsistency check_guidelines(const Subject& subject) {
    return check_job(subject, guideline_error);
}

SelfConsistency check_guidelines(const std::vector<const Subject*>& jobs) {
    SelfConsistency all;
    for (const Subject* job : jobs)
        add_job(all, check_job(*job, guideline_error / static_cast<double>(jobs.size())));
    return all;
}

} // namespace skampi
