// SPDX-License-Identifier: GPL-2.0-or-later
// How well the refinement (APR) places its arguments: on curves with jumps at random places and noise, and,
// if built with SimGrid, on simulated clusters whose library changes its protocol at known lengths. usage:
// bench/refinement [synthetic | simulated]
//
// A row is good if
//  - each jump lies between two measured arguments at most Min_Distance apart,
//  - there are at most first pass + sum over the jumps of 1.5 log2(segment / Min_Distance) measurements,
//  - the largest relative interpolation error, over a dense scan, is at most a quarter of that with the same
//    number of arguments at equal ratios (powers of two, made finer).
// Arguments nearer than Min_Distance to a jump are not compared: none may be measured there.
#include "skalib/refinement.hpp"
#include "skalib/curve.hpp"
#include "skalib/statistics.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <fmt/format.h>
#include <functional>
#include <map>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

#ifdef SKAMPI_RUN_SIM
#include "base/child.hpp"
#include "store/database.hpp"

#include <filesystem>
#include <fstream>
#include <stdexcept>
#endif

namespace {

using Points = std::map<std::int64_t, double>;
using Curve = std::function<double(std::int64_t)>;

struct Value {
    double value = 0;
    double standard_error = 0;
};

/// One refined suite and the truth about it.
struct Trial {
    skalib::RefinementLimits limits;
    Points refined;
    Points scan; ///< the true curve at many arguments
    /// Result of a measurement; called only at arguments of the scan.
    std::function<Value(std::int64_t)> measure;
    std::vector<std::int64_t> jumps; ///< each lies between this argument of the scan and the next
};

struct Figures {
    std::size_t jumps = 0;
    std::size_t located = 0;
    double measurements = 0;
    double allowed = 0;
    double error = 0;
    double grid_error = 0;
};

double between(const Points& points, std::int64_t argument) {
    const auto place = skalib::place_on_curve(points.begin(), points.end(), argument,
                                              [](const auto& point) { return point.first; });
    return std::lerp(place.value().left->second, place.value().right->second, place.value().share);
}

/// The measured segment that contains a jump. Several are possible if the scan is coarser than the points.
std::pair<std::int64_t, std::int64_t> segment_of(const Trial& trial, std::int64_t jump) {
    const auto next = trial.scan.upper_bound(jump);
    auto right = trial.refined.upper_bound(jump);
    auto best = right;
    double largest = 0;
    for (;; ++right) {
        const double step = std::abs(right->second - std::prev(right)->second);
        if (step > largest) {
            largest = step;
            best = right;
        }
        if (right->first >= next->first)
            return {std::prev(best)->first, best->first};
    }
}

double largest_error(const Trial& trial, const Points& points) {
    double largest = 0;
    for (const auto& [argument, value] : trial.scan) {
        const bool beside_jump =
            std::any_of(trial.jumps.begin(), trial.jumps.end(), [&, argument = argument](std::int64_t jump) {
                return std::abs(argument - jump) < trial.limits.min_distance;
            });
        if (!beside_jump)
            largest = std::max(largest, std::abs(between(points, argument) / value - 1));
    }
    return largest;
}

/// The same number of arguments at equal ratios, all of them in the scan.
Points even_grid(const Trial& trial) {
    const auto first = static_cast<double>(trial.limits.start);
    const auto last = static_cast<double>(trial.limits.end);
    std::set<std::int64_t> arguments;
    for (std::size_t wanted = trial.refined.size(); arguments.size() < trial.refined.size(); ++wanted) {
        arguments.clear();
        for (std::size_t k = 0; k < wanted; ++k) {
            const double share = static_cast<double>(k) / static_cast<double>(wanted - 1);
            const auto argument = std::llround(first * std::pow(last / first, share));
            arguments.insert(std::prev(trial.scan.upper_bound(argument))->first);
        }
    }
    Points grid;
    for (const std::int64_t argument : arguments)
        grid[argument] = trial.measure(argument).value;
    return grid;
}

Figures figures(const Trial& trial) {
    const skalib::Refinement fresh(trial.limits);
    const std::vector<std::int64_t>& first_pass = fresh.first_pass();
    const std::int64_t distance = trial.limits.min_distance;
    Figures f;
    f.jumps = trial.jumps.size();
    f.measurements = static_cast<double>(trial.refined.size());
    f.allowed = static_cast<double>(first_pass.size());
    for (const std::int64_t jump : trial.jumps) {
        const auto above = std::upper_bound(first_pass.begin(), first_pass.end(), jump);
        f.allowed +=
            1.5 * std::log2(static_cast<double>(*above - *std::prev(above)) / static_cast<double>(distance));
        const auto [begin, end] = segment_of(trial, jump);
        f.located += end - begin <= distance;
    }
    f.error = largest_error(trial, trial.refined);
    f.grid_error = largest_error(trial, even_grid(trial));
    return f;
}

double median(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    return values[values.size() / 2];
}

void print_header() {
    fmt::print("{:<58}{:>11}{:>26}{:>24}\n{:<58}{:>11}{:>16}{:>10}{:>9}{:>8}{:>8}\n", "", "located",
               "measurements", "error in %", "", "", "made", "allowed", "refined", "even", "ratio");
}

/// One line for all trials of a kind: medians, then the worst.
void print_row(const std::string& name, const std::vector<Figures>& all) {
    std::size_t located = 0;
    std::size_t jumps = 0;
    std::size_t within = 0;
    std::size_t quarter = 0;
    std::vector<double> made;
    std::vector<double> allowed;
    std::vector<double> error;
    std::vector<double> grid_error;
    std::vector<double> ratio;
    for (const Figures& f : all) {
        located += f.located;
        jumps += f.jumps;
        within += f.measurements <= f.allowed;
        quarter += f.error <= f.grid_error / 4;
        made.push_back(f.measurements);
        allowed.push_back(f.allowed);
        error.push_back(100 * f.error);
        grid_error.push_back(100 * f.grid_error);
        ratio.push_back(f.error / f.grid_error);
    }
    fmt::print("{:<58}{:>5}/{:<5}{:>10.0f} <{:>4.0f}{:>10.0f}{:>9.2f}{:>8.2f}{:>8.3f}", name, located, jumps,
               median(made), *std::max_element(made.begin(), made.end()), median(allowed), median(error),
               median(grid_error), median(ratio));
    const bool good = located == jumps && within == all.size() && quarter == all.size();
    if (good)
        fmt::print("  good\n");
    else
        fmt::print("  good in {}, {}, {} of {}\n",
                   located == jumps ? "all" : fmt::format("{} jumps", located), within, quarter, all.size());
}

// --- curves with jumps at random places
// ----------------------------------------------------------------------

struct Shape {
    std::string name;
    int jumps = 1;
    double least_height = 0.1; ///< of the curve before the jump; up or down
    double most_height = 0.6;
    double exponent = 1;      ///< 1: straight between the jumps
    bool in_one = false;      ///< all jumps between the same two powers of two
    std::int64_t regular = 0; ///< jumps up of equal height this far apart, from 40 KiB on; 0 = random places
};

/// The jumps' heights by their places.
Points jumps_of(const Shape& shape, const Curve& line, std::int64_t last, std::mt19937_64& random) {
    std::uniform_real_distribution<double> share(0, 1);
    Points heights;
    if (shape.regular > 0)
        for (std::int64_t jump = 40 * 1024; jump < last; jump += shape.regular)
            heights[jump] = 0.3 * line(40 * 1024);
    const double octave = shape.in_one ? std::floor(6 + 11 * share(random)) : 0;
    while (shape.regular == 0 && heights.size() < static_cast<std::size_t>(shape.jumps)) {
        const auto jump = static_cast<std::int64_t>(
            std::exp2(shape.in_one ? octave + share(random) : 6 + 11.5 * share(random)));
        double before = line(jump);
        for (const auto& [other, height] : heights)
            before += other < jump ? height : 0;
        const double height =
            (shape.least_height + (shape.most_height - shape.least_height) * share(random)) * before;
        heights[jump] = share(random) < 0.7 ? height : -height / 2;
    }
    return heights;
}

Trial synthetic(const Shape& shape, double noise, std::int64_t min_distance, double stepwidth,
                unsigned seed) {
    constexpr std::int64_t last = 256 * 1024;
    std::mt19937_64 random(seed);
    Trial trial;
    trial.limits = {.start = 1,
                    .end = last,
                    .stepwidth = stepwidth,
                    .min_distance = min_distance,
                    .max_relative_error = 0.01};
    const Curve line = [exponent = shape.exponent](std::int64_t m) {
        return 2e-6 + 1e-9 * std::pow(static_cast<double>(m), exponent);
    };
    const Points heights = jumps_of(shape, line, last, random);
    for (const auto& [jump, height] : heights)
        trial.jumps.push_back(jump);
    const Curve truth = [=](std::int64_t m) {
        double value = line(m);
        for (const auto& [jump, height] : heights)
            value += m > jump ? height : 0;
        return value;
    };
    // As measured: the mean of single values and the standard error they show.
    trial.measure = [=](std::int64_t m) {
        constexpr int single_values = 8;
        if (noise == 0)
            return Value{truth(m), 0};
        std::mt19937_64 of_argument(seed * 1'000'003ULL + static_cast<std::uint64_t>(m));
        of_argument.discard(5);
        std::normal_distribution<double> deviation(0, noise * std::sqrt(single_values));
        skalib::RunningStatistics values;
        for (int i = 0; i < single_values; ++i)
            values.add(truth(m) * (1 + deviation(of_argument)));
        return Value{values.mean(), values.standard_error()};
    };
    for (std::int64_t m = 1; m <= last; ++m)
        trial.scan[m] = truth(m);
    skalib::Refinement refinement(trial.limits);
    while (const auto argument = refinement.next()) {
        const Value measured = trial.measure(*argument);
        refinement.add(*argument, measured.value, measured.standard_error);
    }
    trial.refined = refinement.points();
    return trial;
}

void print_synthetic() {
    constexpr unsigned curves = 20;
    fmt::print(
        "Invented curves, 1 byte to 256 KiB, allowed error 1 %, jumps of 10 to 60 % up or 5 to 30 % down at\n"
        "random places, noise as standard error of every value; {} curves a row, medians (measurements:\n"
        "median < most)\n",
        curves);
    print_header();
    const std::vector<Shape> shapes = {{.name = "1 jump"},
                                       {.name = "3 jumps", .jumps = 3},
                                       {.name = "6 jumps", .jumps = 6},
                                       {.name = "2 jumps in a bent curve", .jumps = 2, .exponent = 0.9},
                                       {.name = "2 jumps in one segment", .jumps = 2, .in_one = true},
                                       {.name = "steps of 8 KiB", .regular = 8192}};
    const auto row = [](const Shape& shape, double noise, std::int64_t min_distance, double stepwidth) {
        std::vector<Figures> all;
        for (unsigned seed = 1; seed <= curves; ++seed)
            all.push_back(figures(synthetic(shape, noise, min_distance, stepwidth, seed)));
        print_row(fmt::format("{}, distance {}, step {:.2g}, noise {} %", shape.name, min_distance, stepwidth,
                              100 * noise),
                  all);
    };
    for (const Shape& shape : shapes)
        for (const double noise : {0.0, 0.001, 0.003, 0.01})
            row(shape, noise, 1, 2);
    for (const double stepwidth : {std::sqrt(2.0), 2.0, 4.0})
        for (const std::int64_t distance : {64, 48})
            row(shapes[1], 0.003, distance, stepwidth);
}

// --- simulated clusters ---
#ifdef SKAMPI_RUN_SIM

struct Laboratory {
    std::string name;
    std::string platform;
    std::vector<std::string> hosts;
    std::string operation;
    std::vector<std::string> configuration;
};

class Folder {
public:
    Folder() {
        std::string name = (std::filesystem::temp_directory_path() / "refinement-XXXXXX").string();
        if (!mkdtemp(name.data()))
            throw std::runtime_error("cannot create " + name);
        path_ = name;
    }
    Folder(Folder&&) = delete;
    ~Folder() {
        std::error_code ignored;
        std::filesystem::remove_all(path_, ignored);
    }
    [[nodiscard]] std::string operator/(const std::string& name) const { return (path_ / name).string(); }

private:
    std::filesystem::path path_;
};

Points measured(const skampi::Database& database, const std::string& name) {
    Points points;
    for (const skampi::StoredSuite& suite : database.suites(database.runs().back()))
        if (suite.suite.name == name)
            for (const skampi::StoredMeasurement& m : database.measurements(suite.id))
                points[m.measurement.argument] = m.measurement.value_s;
    return points;
}

/// Places where the scan differs from the lines through its neighbours by more than the allowed error, seen
/// from both ends of the jump's segment of the first pass. A smaller difference needs no refinement.
std::vector<std::int64_t> jumps_of(const Trial& trial) {
    const skalib::Refinement fresh(trial.limits);
    const std::vector<std::int64_t>& first_pass = fresh.first_pass();
    std::vector<std::int64_t> jumps;
    for (auto b = std::next(trial.scan.begin()); std::next(b, 2) != trial.scan.end(); ++b) {
        const auto c = std::next(b);
        const double before = b->second - std::prev(b)->second;
        const double after = std::next(c)->second - c->second;
        const double step = c->second - b->second;
        const double height = std::min(std::abs(step - before), std::abs(step - after));
        const auto end = std::upper_bound(first_pass.begin(), first_pass.end(), b->first);
        const double larger = std::max(trial.scan.at(*end), trial.scan.at(*std::prev(end)));
        if (height > trial.limits.max_relative_error * larger)
            jumps.push_back(b->first);
    }
    return jumps;
}

Trial simulated(const Laboratory& laboratory) {
    constexpr std::int64_t distance = 64;
    constexpr std::int64_t last = 256 * 1024;
    const Folder folder;
    std::ofstream hosts(folder / "hosts");
    for (const std::string& host : laboratory.hosts)
        hosts << host << "\n";
    hosts.close();
    const std::string common =
        fmt::format("Type = {}; Start_Argument = {}; End_Argument = {}; Passes = 1; "
                    "Max_Steps = Invalid_Value; Time_Suite = Invalid_Value; Standard_error = 1;",
                    laboratory.operation, distance, last);
    std::ofstream plan(folder / "plan.skampi");
    // SMPI's times alternate between its thresholds, so the number of repetitions follows from the allowed
    // error.
    plan << "@MAXREPDEFAULT 512\n@MINREPDEFAULT 2\n@MEASUREMENTS\n"
         << fmt::format("refined {{ {} Min_Distance = {}; }}\n", common, distance)
         << fmt::format("scan {{ {} Scale = Fixed_linear; Stepwidth = {}; }}\n", common, distance);
    plan.close();
    skampi::Command command;
    command.argv = {SKAMPI_SMPIRUN,
                    "-np",
                    std::to_string(laboratory.hosts.size()),
                    "-platform",
                    std::string(SKAMPI_SOURCE_ROOT) + "/tests/data/" + laboratory.platform,
                    "-hostfile",
                    folder / "hosts",
                    "--cfg=smpi/simulate-computation:no",
                    "--log=root.thres:critical"};
    for (const std::string& item : laboratory.configuration)
        command.argv.push_back("--cfg=" + item);
    command.argv.insert(command.argv.end(), {SKAMPI_RUN_SIM, folder / "plan.skampi", "-d", folder / "r.db"});
    command.directory = folder / ".";
    command.timeout_s = 900;
    const skampi::ChildResult result = skampi::run(command);
    if (!result.ok())
        throw std::runtime_error(laboratory.name + ": " + result.describe_end() + ": " + result.err);

    Trial trial;
    trial.limits = {.start = distance, .end = last, .min_distance = distance, .max_relative_error = 0.01};
    const skampi::Database database = skampi::Database::open(folder / "r.db");
    trial.refined = measured(database, "refined");
    trial.scan = measured(database, "scan");
    trial.measure = [scan = trial.scan](std::int64_t m) { return Value{scan.at(m), 0}; };
    trial.jumps = jumps_of(trial);
    return trial;
}

void print_simulated() {
    std::vector<std::string> switched;
    for (int i = 0; i < 8; ++i)
        switched.push_back(fmt::format("n{}", i));
    const auto thresholds = [](int eager, int detached) {
        return std::vector<std::string>{fmt::format("smpi/async-small-thresh:{}", eager),
                                        fmt::format("smpi/send-is-detached-thresh:{}", detached)};
    };
    const auto with = [](std::vector<std::string> items, const std::vector<std::string>& more) {
        items.insert(items.end(), more.begin(), more.end());
        return items;
    };
    const std::vector<std::string> no_segments = {"smpi/bw-factor:0:1.0", "smpi/lat-factor:0:1.0"};
    const std::vector<std::string> three_segments = {"smpi/bw-factor:150000:0.9;20000:0.6;3000:0.5;0:0.8",
                                                     "smpi/lat-factor:150000:3.0;20000:2.0;3000:1.5;0:1.0"};
    const std::vector<Laboratory> laboratories = {
        {"two cabinets, thresholds 4000, 30000",
         "two-cabinets.xml",
         {"a0", "b0"},
         "1",
         with(no_segments, thresholds(4000, 30'000))},
        {"two cabinets, segments 3000, 20000, 150000",
         "two-cabinets.xml",
         {"a0", "b0"},
         "1",
         with(three_segments, thresholds(0, 0))},
        {"two cabinets, both",
         "two-cabinets.xml",
         {"a0", "b0"},
         "1",
         with(three_segments, thresholds(7000, 70'000))},
        {"same cabinet, SMPI's segments", "two-cabinets.xml", {"a0", "a1"}, "1", thresholds(1000, 40'000)},
        {"one switch, SMPI's segments", "one-switch.xml", {"n0", "n1"}, "1", thresholds(8192, 65'536)},
        {"one switch, MPI_Bcast of 8 as Open MPI does", "one-switch.xml", switched, "17",
         with(no_segments, {"smpi/coll-selector:ompi"})},
    };
    fmt::print("Simulated clusters, 64 bytes to 256 KiB, Min_Distance 64, allowed error 1 %\n");
    print_header();
    for (const Laboratory& laboratory : laboratories) {
        print_row(laboratory.name, {figures(simulated(laboratory))});
        std::fflush(stdout);
    }
}

#endif

} // namespace

int main(int argc, char** argv) {
    try {
        const std::string part = argc > 1 ? argv[1] : "";
        if (part != "simulated")
            print_synthetic();
        if (part == "synthetic")
            return 0;
#ifdef SKAMPI_RUN_SIM
        print_simulated();
#else
        fmt::print("No simulated clusters: built without SimGrid (-Dsim=enabled)\n");
#endif
        return 0;
    } catch (const std::exception& error) {
        fmt::print(stderr, "refinement: {}\n", error.what());
        return 1;
    }
}
