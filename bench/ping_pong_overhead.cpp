// SPDX-License-Identifier: GPL-2.0-or-later
// Compares our 1-byte MPI_Send-MPI_Recv ping-pong with a bare loop of the same calls, in turns in one
// process. Run with two ranks: mpiexec -n 2 bench/ping_pong_overhead [ROUNDS]
#include "job/mpi_laboratory.hpp"
#include "operations/all_operations.hpp"
#include "skalib/modes.hpp"
#include "skalib/statistics.hpp"

#include <algorithm>
#include <cstdlib>
#include <fmt/format.h>
#include <mpi.h>
#include <vector>

using namespace skampi;

namespace {

/// Seconds per round trip of a loop that contains only the calls; meaningful on rank 0.
double bare_loop(int rank, int calls) {
    char sent = 0;
    char received = 0;
    const double begin_s = MPI_Wtime();
    for (int i = 0; i < calls; ++i) {
        if (rank == 0) {
            MPI_Send(&sent, 1, MPI_BYTE, 1, 0, MPI_COMM_WORLD);
            MPI_Recv(&received, 1, MPI_BYTE, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        } else {
            MPI_Recv(&received, 1, MPI_BYTE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            MPI_Send(&sent, 1, MPI_BYTE, 0, 0, MPI_COMM_WORLD);
        }
    }
    return (MPI_Wtime() - begin_s) / calls;
}

double trimmed_mean(const std::vector<Batch>& batches) {
    std::vector<double> values;
    for (const Batch& batch : batches)
        values.insert(values.end(), batch.duration_s.begin(), batch.duration_s.end());
    return skalib::summarise(values, 0.25).cut_mean;
}

/// Our value, overhead subtracted. Rank 1 follows.
double ours(MpiLaboratory& laboratory, int rank) {
    if (rank != 0) {
        laboratory.follow();
        return 0;
    }
    (void)laboratory.prepare(0, 1);
    SeriesOrder order;
    order.warm_up = 64;
    order.block = 16;
    order.per_batch = 12;
    order.batches = 10;
    order.probe_every = 10;
    const double raw_s = trimmed_mean(laboratory.series(order).batches);
    order.empty = true;
    order.probe_every = 0;
    const double overhead_s = trimmed_mean(laboratory.series(order).batches);
    laboratory.finish();
    return raw_s - overhead_s;
}

} // namespace

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    int rank = 0;
    int size = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (size != 2) {
        if (rank == 0)
            fmt::print(stderr, "ping_pong_overhead: started with {} ranks, needs 2\n", size);
        MPI_Finalize();
        return 2;
    }
    const int rounds = argc > 1 ? std::atoi(argv[1]) : 200;
    Suite suite;
    suite.name = "1 byte";
    suite.operation = find_operation("MPI_Send-MPI_Recv").info();
    suite.varied = Varied::message_length;
    const std::vector<Suite> plan = {suite};
    {
        MpiLaboratory laboratory(MPI_COMM_WORLD, {plan, 1 << 20}, LocalClock{}, [] { return false; });
        std::vector<double> bare_s;
        std::vector<double> our_s;
        (void)bare_loop(rank, 2000);
        for (int round = 0; round < rounds; ++round) {
            const double before_s = bare_loop(rank, 1000);
            const double between_s = ours(laboratory, rank);
            const double after_s = bare_loop(rank, 1000);
            // If the machine state changes between the three, the round is not comparable.
            if (std::max(before_s, after_s) < 1.1 * std::min(before_s, after_s)) {
                bare_s.push_back((before_s + after_s) / 2);
                our_s.push_back(between_s);
            }
        }
        if (rank == 0 && bare_s.empty())
            fmt::print("no round without a change of the machine state\n");
        if (rank == 0 && !bare_s.empty()) {
            const skalib::ModeSplit modes(bare_s);
            fmt::print("{} of {} rounds without a change of the machine state\n", bare_s.size(), rounds);
            fmt::print("mode    rounds  bare loop, us  skampi, us  ratio\n");
            for (std::size_t mode = 0; mode < modes.count(); ++mode) {
                std::vector<double> bare, own, ratio;
                for (std::size_t i = 0; i < bare_s.size(); ++i)
                    if (modes.mode(bare_s[i]) == mode) {
                        bare.push_back(bare_s[i]);
                        own.push_back(our_s[i]);
                        ratio.push_back(our_s[i] / bare_s[i]);
                    }
                if (bare.empty())
                    continue;
                for (auto* list : {&bare, &own, &ratio})
                    std::sort(list->begin(), list->end());
                fmt::print("{:>6}  {:>6}  {:>13.4f}  {:>10.4f}  {:.4f}\n", mode, bare.size(),
                           1e6 * skalib::quantile(bare, 0.5), 1e6 * skalib::quantile(own, 0.5),
                           skalib::quantile(ratio, 0.5));
            }
        }
    }
    MPI_Finalize();
    return 0;
}
