// SPDX-License-Identifier: LGPL-2.1-or-later
#include "launches/copy_bound.hpp"

#include "model/pattern.hpp"

#include <algorithm>
#include <set>
#include <string>

namespace skampi {

namespace {

bool on_one_host(const Run& run) {
    std::set<std::string> hosts;
    for (const RankFacts& rank : run.rank_facts)
        hosts.insert(rank.processor);
    return hosts.size() == 1 && !hosts.begin()->empty();
}

} // namespace

const Curve* copy_bound(const Subject& subject, const Curve& curve) {
    const Suite& suite = curve.suite();
    if (!subject.run || curve.simulated || suite.operation.pattern != Pattern::ping_pong ||
        suite.varied != Varied::message_length || suite.datatype != "MPI_BYTE" || !on_one_host(*subject.run))
        return nullptr;
    const auto copies = std::ranges::find_if(subject.curves, [&](const Curve& each) {
        return each.suite().operation.name == "memcpy" && each.suite().varied == Varied::message_length &&
               each.suite().buffers == suite.buffers && !each.points.empty();
    });
    return copies == subject.curves.end() ? nullptr : &*copies;
}

} // namespace skampi
