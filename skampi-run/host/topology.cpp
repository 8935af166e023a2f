// SPDX-License-Identifier: LGPL-2.1-or-later
#include "host/topology.hpp"

#include "model/quantity.hpp"

#include <fmt/format.h>

#ifdef SKAMPI_HAVE_HWLOC
#include <hwloc.h>
#include <memory>
#include <set>
#endif

namespace skampi {
namespace {

#ifdef SKAMPI_HAVE_HWLOC

struct Destroy {
    void operator()(hwloc_topology* topology) const { hwloc_topology_destroy(topology); }
};
using TopologyHandle = std::unique_ptr<hwloc_topology, Destroy>;

TopologyHandle loaded_topology() {
    hwloc_topology_t raw = nullptr;
    if (hwloc_topology_init(&raw) != 0)
        return nullptr;
    TopologyHandle topology(raw);
    // Also what this process may not use: other ranks may.
    if (hwloc_topology_set_flags(raw, HWLOC_TOPOLOGY_FLAG_INCLUDE_DISALLOWED) != 0 ||
        hwloc_topology_load(raw) != 0)
        return nullptr;
    return topology;
}

int number_of(hwloc_topology_t topology, hwloc_obj_t unit, hwloc_obj_type_t type) {
    const hwloc_obj_t object = hwloc_get_ancestor_obj_by_type(topology, type, unit);
    return object != nullptr ? static_cast<int>(object->logical_index) : -1;
}

int numa_of(hwloc_topology_t topology, hwloc_obj_t unit) {
    hwloc_obj_t node = nullptr; // hwloc's tree has memory next to the processors
    while ((node = hwloc_get_next_obj_by_type(topology, HWLOC_OBJ_NUMANODE, node)) != nullptr)
        if (hwloc_bitmap_isset(node->cpuset, unit->os_index) != 0)
            return static_cast<int>(node->logical_index);
    return -1;
}

std::string number_of(hwloc_topology_t topology, hwloc_obj_type_t type, const char* what) {
    return count_of(hwloc_get_nbobjs_by_type(topology, type), what);
}

std::string caches_text(hwloc_topology_t topology) {
    std::string text;
    for (const auto& [type, name] : {std::pair{HWLOC_OBJ_L1CACHE, "L1"},
                                     {HWLOC_OBJ_L2CACHE, "L2"},
                                     {HWLOC_OBJ_L3CACHE, "L3"},
                                     {HWLOC_OBJ_L4CACHE, "L4"}}) {
        std::set<std::string> kinds; // cores of a host may differ
        for (hwloc_obj_t cache = nullptr;
             (cache = hwloc_get_next_obj_by_type(topology, type, cache)) != nullptr;)
            kinds.insert(fmt::format("{} for {}",
                                     format_bytes(static_cast<std::int64_t>(cache->attr->cache.size)),
                                     count_of(hwloc_bitmap_weight(cache->cpuset), "thread")));
        if (!kinds.empty())
            text += fmt::format("{}{} {}", text.empty() ? "" : ", ", name, fmt::join(kinds, " or "));
    }
    return text;
}

/// In bytes; 0 where there is none of this level.
std::int64_t smallest_cache(hwloc_topology_t topology, hwloc_obj_type_t type) {
    std::int64_t smallest = 0;
    for (hwloc_obj_t cache = nullptr; (cache = hwloc_get_next_obj_by_type(topology, type, cache)) != nullptr;)
        if (const auto bytes = static_cast<std::int64_t>(cache->attr->cache.size);
            smallest == 0 || bytes < smallest)
            smallest = bytes;
    return smallest;
}

Topology read_topology() {
    Topology found;
    const TopologyHandle handle = loaded_topology();
    if (handle == nullptr) {
        found.facts["topology"] = "not known: hwloc could not find it out";
        return found;
    }
    hwloc_topology_t topology = handle.get();
    for (hwloc_obj_t unit = nullptr;
         (unit = hwloc_get_next_obj_by_type(topology, HWLOC_OBJ_PU, unit)) != nullptr;)
        found.seats[static_cast<int>(unit->os_index)] = {.socket =
                                                             number_of(topology, unit, HWLOC_OBJ_PACKAGE),
                                                         .numa = numa_of(topology, unit),
                                                         .l3 = number_of(topology, unit, HWLOC_OBJ_L3CACHE),
                                                         .l2 = number_of(topology, unit, HWLOC_OBJ_L2CACHE),
                                                         .core = number_of(topology, unit, HWLOC_OBJ_CORE)};
    found.facts["topology"] = fmt::format("{}, {}, {}, {}", number_of(topology, HWLOC_OBJ_PACKAGE, "socket"),
                                          number_of(topology, HWLOC_OBJ_NUMANODE, "NUMA node"),
                                          number_of(topology, HWLOC_OBJ_CORE, "core"),
                                          number_of(topology, HWLOC_OBJ_PU, "hardware thread"));
    if (const std::string caches = caches_text(topology); !caches.empty())
        found.facts["caches"] = caches;
    found.sizes.l1_bytes = smallest_cache(topology, HWLOC_OBJ_L1CACHE);
    found.sizes.l2_bytes = smallest_cache(topology, HWLOC_OBJ_L2CACHE);
    found.sizes.l3_bytes = smallest_cache(topology, HWLOC_OBJ_L3CACHE);
    const int cores = hwloc_get_nbobjs_by_type(topology, HWLOC_OBJ_CORE);
    const int units = hwloc_get_nbobjs_by_type(topology, HWLOC_OBJ_PU);
    if (cores > 0) {
        found.sizes.cores = cores;
        found.facts["SMT"] = units > cores
                                 ? fmt::format("{} hardware threads on {}", units, count_of(cores, "core"))
                                 : "none: one hardware thread a core";
    }
    return found;
}
#else
Topology read_topology() {
    return {
        .facts = {{"topology", "not known: skampi-run was built without hwloc"}}, .sizes = {}, .seats = {}};
}
#endif

} // namespace

const Topology& host_topology() {
    static const Topology topology = read_topology();
    return topology;
}

Seat common_seat(const std::map<int, Seat>& seats, const std::vector<int>& cpus) {
    Seat common;
    bool first = true;
    for (const int cpu : cpus) {
        const auto found = seats.find(cpu);
        if (found == seats.end())
            return {};
        const Seat& seat = found->second;
        if (first)
            common = seat;
        first = false;
        for (int Seat::*part : {&Seat::socket, &Seat::numa, &Seat::l3, &Seat::l2, &Seat::core})
            if (common.*part != seat.*part)
                common.*part = -1;
    }
    return common;
}

} // namespace skampi
