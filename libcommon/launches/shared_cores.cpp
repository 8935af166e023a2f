// SPDX-License-Identifier: LGPL-2.1-or-later
#include "launches/shared_cores.hpp"

#include "model/series.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <vector>

namespace skampi {

namespace {

using RanksOfHosts = std::map<std::string, std::vector<const RankFacts*>>;

/// For a merged run, each rank where most launches had it.
RanksOfHosts ranks_of_hosts(const Run& run) {
    std::map<int, const RankFacts*> seats;
    for (const RankFacts& rank : run.rank_facts)
        if (const RankFacts*& seat = seats[rank.rank]; seat == nullptr || rank.runs > seat->runs)
            seat = &rank;
    RanksOfHosts hosts;
    for (const auto& [number, rank] : seats)
        hosts[rank->processor].push_back(rank);
    return hosts;
}

/// The most ranks a core.
class Worst {
public:
    void consider(const std::string& host, std::size_t ranks, std::size_t cores) {
        if (cores > 0 && ranks > cores &&
            ranks * static_cast<std::size_t>(std::max<std::int64_t>(1, found_.cores)) >
                static_cast<std::size_t>(found_.ranks) * cores)
            found_ = {host, static_cast<std::int64_t>(ranks), static_cast<std::int64_t>(cores)};
    }
    /// @param cores_online of rank 0's host
    [[nodiscard]] std::optional<SharedCores> found(std::int64_t cores_online) const {
        if (found_.ranks == 0)
            return std::nullopt;
        SharedCores shared = found_;
        shared.cores_online = cores_online;
        return shared;
    }

private:
    SharedCores found_;
};

} // namespace

std::optional<SharedCores> shared_cores(const Run& run) {
    if (is_simulated(run))
        return std::nullopt;
    Worst worst;
    for (const auto& [host, ranks] : ranks_of_hosts(run)) {
        std::set<int> all;
        std::map<std::string, std::size_t> alike; // ranks that may use the same cores
        for (const RankFacts* rank : ranks) {
            const std::vector<int> cores = cores_in(rank->cpus_allowed);
            all.insert(cores.begin(), cores.end());
            worst.consider(host, ++alike[rank->cpus_allowed], cores.size());
        }
        worst.consider(host, ranks.size(), all.size());
    }
    return worst.found(run.host_sizes.hardware_threads);
}

std::optional<SharedCores> shared_cores(std::span<const Subject> subjects) {
    for (const Subject& subject : subjects)
        if (std::optional<SharedCores> shared = subject.run ? shared_cores(*subject.run) : std::nullopt)
            return shared;
    return std::nullopt;
}

std::optional<SharedCores> shared_threads(const Run& run) {
    if (is_simulated(run) || shared_cores(run))
        return std::nullopt;
    const std::int64_t cores_there = run.host_sizes.cores;
    const std::string first = run.rank_facts.empty() ? "" : run.rank_facts.front().processor;
    Worst worst;
    for (const auto& [host, ranks] : ranks_of_hosts(run)) {
        std::set<int> cores;
        std::size_t bound = 0; // to one core
        for (const RankFacts* rank : ranks)
            if (rank->seat.core >= 0) {
                ++bound;
                cores.insert(rank->seat.core);
            }
        worst.consider(host, bound, cores.size());
        if (host == first) // wherever they are bound to
            worst.consider(host, ranks.size(), static_cast<std::size_t>(cores_there));
    }
    return worst.found(cores_there);
}

} // namespace skampi
