// SPDX-License-Identifier: GPL-2.0-or-later
// What rank 0 keeps of each rank, and what it needs for a moment when a suite ends: the same steps as in a
// job (gather_rank_facts, MpiLaboratory, Recorder) with invented ranks, each number of ranks in its own
// process. rank_memory [RANKS]...      default: 1000 and 1000000
#include "model/placement.hpp"
#include "model/record.hpp"

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

using namespace skampi;

namespace {

/// Memory of this process in bytes: "VmRSS" now, "VmHWM" at most so far.
double memory_bytes(const std::string& name) {
    std::ifstream status("/proc/self/status");
    for (std::string line; std::getline(status, line);)
        if (line.starts_with(name + ":"))
            return 1024 * std::atof(line.c_str() + name.size() + 1);
    return 0;
}

/// 64 ranks a host, each bound to a core, with clocks that are estimated.
RankFacts invented(int rank) {
    const int core = rank % 64;
    RankFacts facts;
    facts.rank = rank;
    facts.processor = "node" + std::to_string(rank / 64) + ".cluster.example.org";
    facts.pid = 100'000 + rank;
    facts.cpus_allowed = std::to_string(core) + "," + std::to_string(core + 64);
    facts.cpu = core;
    facts.clock_offset_s = 1e-3 * rank;
    facts.clock_drift = 1e-9 * rank;
    facts.clock_bound_s = 1.2345e-6;
    facts.pages = "4k, huge";
    facts.seat = {.socket = core / 32, .numa = core / 16, .l3 = core / 8, .l2 = core, .core = core};
    return facts;
}

std::string gathered(int ranks) {
    std::string text;
    for (int rank = 0; rank < ranks; ++rank)
        pack_row(text, invented(rank));
    return text;
}

void measure(int ranks) {
    const double before = memory_bytes("VmRSS");
    std::vector<RankFacts> kept;
    double message_bytes = 0;
    {
        const std::string text = gathered(ranks);
        message_bytes = static_cast<double>(text.size());
        kept = unpacked<RankFacts>(text);
    }
    const double steady = memory_bytes("VmRSS") - before;
    { // a suite ends
        const std::vector<int> lengths(static_cast<std::size_t>(ranks), 1);
        const std::vector<int> places = lengths;
        const std::string text = gathered(ranks);
        std::vector<RankFacts> anew = unpacked<RankFacts>(text);
        for (std::size_t rank = 0; rank < kept.size(); ++rank)
            anew[rank].seat = kept[rank].seat;
        kept = std::move(anew);
    }
    const std::size_t stored = bounded_ranks(kept).size();
    const double most = memory_bytes("VmHWM") - before;
    std::printf(
        "%9d ranks: each sends %.0f bytes; rank 0 keeps %.2f MB (%.0f bytes a rank), and has %.2f MB (%.0f) "
        "for a moment when a suite ends; %zu rows are stored\n",
        ranks, message_bytes / ranks, steady / 1e6, steady / ranks, most / 1e6, most / ranks, stored);
    std::fflush(stdout);
}

} // namespace

int main(int argc, char** argv) {
    std::vector<int> numbers;
    for (int i = 1; i < argc; ++i)
        numbers.push_back(std::atoi(argv[i]));
    if (numbers.empty())
        numbers = {1'000, 1'000'000};
    for (const int ranks : numbers) {
        const pid_t child = fork();
        if (child == 0) {
            measure(ranks);
            _exit(0);
        }
        int status = 0;
        if (child < 0 || waitpid(child, &status, 0) != child || status != 0)
            return 1;
    }
    return 0;
}
