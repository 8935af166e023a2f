// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "model/measurement.hpp"
#include "model/run.hpp"
#include "model/suite.hpp"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace skampi {

/// The columns of an Intel MPI benchmark.
enum class ImbTable {
    time,           ///< t[usec], Mbytes/sec
    times,          ///< the ranks' smallest, largest and mean time
    times_and_rate, ///< the same and Mbytes/sec
    rates,          ///< Mbytes/sec, Msg/sec
};

/// One of the Intel MPI Benchmarks of IMB-MPI1.
struct ImbBenchmark {
    std::string_view name;      ///< "Allreduce"
    std::string_view operation; ///< ours
    ImbTable table = ImbTable::times;
    double messages = 1;  ///< of a rank that a rate counts
    bool reduces = false; ///< its datatype is MPI_FLOAT
    bool of_two = false;  ///< two ranks take part
    /// That two ranks make alone, without a barrier, as there; empty = the same.
    std::string_view between_two = {};

    [[nodiscard]] bool has_lengths() const { return name != "Barrier"; }
};
[[nodiscard]] std::span<const ImbBenchmark> imb_benchmarks();
/// @param name in upper or lower case   @return null = there is none
[[nodiscard]] const ImbBenchmark* imb_benchmark(std::string_view name);
[[nodiscard]] const ImbBenchmark* imb_benchmark_of(std::string_view operation);

/// One table.
struct ImbResult {
    ImbBenchmark benchmark;
    Suite suite;
    std::vector<Measurement> points;
};
/// The whole text: a head, the tables, and the lines that IMB-MPI1 ends with.
[[nodiscard]] std::string imb_text(const Run& run, const std::vector<ImbResult>& results);

} // namespace skampi
