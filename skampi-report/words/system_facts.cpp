// SPDX-License-Identifier: GPL-2.0-or-later
#include "words/system_facts.hpp"

#include "launches/library_name.hpp"
#include "model/quantity.hpp"

#include "merge/run_group.hpp"

#include "base/text.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstring>
#include <fmt/format.h>
#include <set>
#include <string_view>
#include <vector>

namespace skampi {

namespace {

struct FactName {
    const char* fact;
    const char* name;
    bool detail = false; ///< not for the first page
};

/// Of the machine's own, in reading order.
constexpr auto machine_names = std::to_array<FactName>({
    {fact_simulation, "Simulated"},
    {"cpu model", "CPU"},
    {"topology", "Topology"},
    {"SMT", "SMT"},
    {"caches", "Caches"},
    {"memory", "Memory"},
    {"memory pages", "Memory pages", true},
    {"transparent huge pages", "Transparent huge pages", true},
    {"governor", "Governor"},
    {"boost", "Boost", true},
    {fact_hypervisor, "Hypervisor"},
    {"architecture", "Architecture", true},
    {"distribution", "Distribution"},
    {"kernel", "Kernel"},
    {"clock source", "Clock source", true},
    {"network interfaces", "Network interfaces", true},
});
/// Of the software the ranks were built with.
constexpr auto software_names = std::to_array<FactName>({
    {"mpi standard", "MPI standard", true},
    {"UCX", "UCX"},
    {"libfabric", "libfabric"},
});

/// "differs between the runs: a | b | and more | not known of some"
std::string text_of(const DifferingFact& fact) {
    std::vector<std::string> parts(fact.value.begin(), fact.value.begin() + fact.values);
    if (fact.more_values)
        parts.emplace_back("and more");
    if (fact.unknown_of_some)
        parts.emplace_back("not known of some");
    return fmt::format("{}: {}", differs_between_runs, fmt::join(parts, " | "));
}

std::string fact_of(const Run& run, std::string_view name) {
    if (const auto fact = run.facts.find(std::string(name)); fact != run.facts.end())
        return fact->second;
    const DifferingFact* const differing = differing_fact(run, name);
    return differing == nullptr ? std::string() : text_of(*differing);
}

bool begins_with_digit(const std::string& text) {
    return !text.empty() && std::isdigit(static_cast<unsigned char>(text.front())) != 0;
}

constexpr std::string_view selector = "smpi/coll-selector"; // of all that have no option of their own

/// The algorithms above all: "coll-selector mpich, barrier ompi_bruck".
std::string simulator_options(const Run& run) {
    constexpr std::string_view prefix = "smpi/";
    std::vector<std::string> texts;
    for (const auto& [name, value] : run.settings)
        if (name.starts_with(prefix)) {
            const auto at = name == selector ? texts.begin() : texts.end();
            texts.insert(at, fmt::format("{} {}", name.substr(prefix.size()), value));
        }
    return texts.empty() ? "none: its default algorithms" : fmt::format("{}", fmt::join(texts, ", "));
}

/// What links cost besides what the platform file says; empty = not known.
std::string network_model(const Run& run) {
    const auto model = run.settings.find("network/model");
    if (model == run.settings.end())
        return {};
    const bool of_smpi = model->second == "SMPI";
    const bool chosen = run.settings.contains("smpi/lat-factor") || run.settings.contains("smpi/bw-factor");
    return model->second + (!of_smpi ? ""
                            : chosen ? ", with the factors of the options"
                                     : ", which multiplies latencies and bandwidths by factors of its own");
}

} // namespace

bool computes(const Run& run) {
    const auto chosen = run.settings.find("smpi/simulate-computation");
    return chosen == run.settings.end() || (chosen->second != "no" && chosen->second != "0");
}

std::string simulated_algorithms(const Run& run) {
    const auto chosen = run.settings.find(std::string(selector));
    return chosen == run.settings.end() ? "its default algorithms"
                                        : fmt::format("algorithms of {}", printable(chosen->second));
}

std::string compiler_name(const Run& run) {
    const std::string text = shortened(fact_of(run, "compiler"), 60);
    // Only GCC gives its version without a name.
    return begins_with_digit(text) ? "GCC " + text : text;
}

std::string time_of_run(const Run& run) {
    if (run.started_utc.empty())
        return {};
    const auto readable = [](std::string utc) {
        if (utc.size() == 20 && utc[10] == 'T' && utc.back() == 'Z')
            return fmt::format("{} {}", std::string_view(utc).substr(0, 10),
                               std::string_view(utc).substr(11, 8));
        return utc;
    };
    const std::string start = readable(run.started_utc);
    if (run.ended_utc.empty())
        return start + " UTC" + (has_ended(run) ? "" : ", not ended");
    std::string end = readable(run.ended_utc);
    if (end.size() == 19 && end.substr(0, 10) == start.substr(0, 10))
        end = end.substr(11);
    return start + " to " + end + " UTC";
}

std::string description_of(const Run& run) {
    constexpr std::size_t most = 80; // the chapter on the machine has the whole texts
    std::vector<std::string> parts;
    const auto add = [&](const char* before, const std::string& text) {
        if (!text.empty())
            parts.push_back(before + shortened(text, most));
    };
    add("", run.user);
    add("machine: ", run.machine);
    add("node: ", run.node);
    add("network: ", run.network);
    return fmt::format("{}", fmt::join(parts, "; "));
}

bool all_ranks_stored(const Run& run) {
    return run.ranks <= std::ssize(run.rank_facts);
}

std::string hosts_of(const Run& run) {
    const auto number_by_number = [](const std::string& a, const std::string& b) { // n2 before n10
        return ::strverscmp(a.c_str(), b.c_str()) < 0;
    };
    std::set<std::string, decltype(number_by_number)> names;
    for (const RankFacts& rank : run.rank_facts)
        if (!rank.processor.empty())
            names.insert(rank.processor);
    if (names.empty())
        return shortened(run.host, 60);
    constexpr std::size_t most = 4;
    std::string text;
    std::size_t i = 0;
    for (const std::string& name : names) {
        if (i == most)
            return text + fmt::format(" and {}{} more", all_ranks_stored(run) ? "" : "at least ",
                                      names.size() - most);
        text += (i++ == 0 ? "" : ", ") + shortened(name, 40);
    }
    return text;
}

namespace {

/// Whether every rank has one core of its own.
bool is_bound(const Run& run) {
    const Binding binding = binding_of(run.rank_facts);
    return binding.most == 1;
}

} // namespace

std::string ranks_placed(const Run& run) {
    if (run.ranks <= 0)
        return {};
    const std::string hosts = hosts_of(run);
    return fmt::format("{}{}{}{}{}", run.ranks, hosts.empty() ? "" : " on ", hosts,
                       run.binding.empty() ? ""
                       : is_bound(run)     ? ", bound to "
                                           : ", free to move on ",
                       shortened(run.binding, 60));
}

std::vector<MachineFact> machine_facts(const Run& run) {
    std::vector<MachineFact> list;
    const auto add = [&](const char* name, const std::string& value, bool detail = false) {
        if (!value.empty())
            list.push_back({{name, shortened(value, 300)}, detail});
    };
    for (const FactName& each : machine_names) {
        add(each.name, fact_of(run, each.fact), each.detail);
        if (each.fact == std::string_view("cpu model") && run.host_sizes.hardware_threads > 0)
            add("CPUs online", std::to_string(run.host_sizes.hardware_threads));
    }
    if (is_simulated(run)) {
        add("Options of SimGrid", simulator_options(run));
        add("Network model", network_model(run));
    }
    add("Compiler", compiler_name(run));
    for (const FactName& each : software_names)
        add(each.name, fact_of(run, each.fact), each.detail);
    return list;
}

std::string library_text(const Run& run) {
    return fact_of(run, fact_library_text);
}

std::vector<Fact> remaining_facts(const Run& run) {
    std::vector<Fact> facts;
    const auto add = [&](const std::string& name, const std::string& value) {
        const auto is_named = [&name](const FactName& each) { return name == each.fact; };
        if (name != "compiler" && name != fact_library_text &&
            std::ranges::none_of(machine_names, is_named) && std::ranges::none_of(software_names, is_named))
            facts.push_back({name, value});
    };
    for (auto [name, value] : run.facts) {
        if (name == fact_command) // a word a line
            std::ranges::replace(value, '\n', ' ');
        add(name, value);
    }
    for (const DifferingFact& fact : run.differing_facts)
        add(fact.name, text_of(fact));
    std::ranges::sort(facts, {}, &Fact::name);
    return facts;
}

} // namespace skampi
