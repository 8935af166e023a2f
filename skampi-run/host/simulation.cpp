// SPDX-License-Identifier: LGPL-2.1-or-later
#include "host/simulation.hpp"

#include "base/file.hpp"
#include "base/hash.hpp"
#include "model/quantity.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <fmt/format.h>
#include <string_view>

namespace skampi {

namespace {

/// Their number and places are facts of the ranks.
constexpr auto without_influence = std::to_array<std::string_view>(
    {"smpi/privatization", "smpi/np", "smpi/hostfile", "smpi/tmpdir", "smpi/keep-temps"});

/// The value of an attribute of an XML tag; empty = it has none.
std::string attribute(const std::string& tag, const std::string& name) {
    const std::string wanted = name + "=";
    for (std::size_t at = tag.find(wanted); at != std::string::npos; at = tag.find(wanted, at + 1)) {
        const std::size_t begin = at + wanted.size() + 1;
        const bool whole_name = at > 0 && std::isspace(static_cast<unsigned char>(tag[at - 1])) != 0;
        if (!whole_name || begin > tag.size() || (tag[begin - 1] != '"' && tag[begin - 1] != '\''))
            continue;
        const std::size_t end = tag.find(tag[begin - 1], begin);
        return end == std::string::npos ? std::string() : tag.substr(begin, end - begin);
    }
    return {};
}

std::string cluster_text(const std::string& tag) {
    std::string text = attribute(tag, "prefix") + attribute(tag, "radical") + attribute(tag, "suffix");
    const std::string topology = attribute(tag, "topology");
    if (!topology.empty())
        text += fmt::format(" ({} {})", topology, attribute(tag, "topo_parameters"));
    for (const char* name : {"bw", "lat"})
        if (const std::string value = attribute(tag, name); !value.empty())
            text += ", " + value;
    return text;
}

} // namespace

std::string network_in_short(const std::string& platform_text) {
    constexpr std::size_t longest = 80;
    constexpr std::size_t longest_tag = 4000; // and the file may be hostile
    const auto count_tags = [&](std::string_view name, const auto& take) {
        std::size_t count = 0;
        for (std::size_t at = platform_text.find(name); at != std::string::npos;
             at = platform_text.find(name, at + 1), ++count)
            take(at);
        return count;
    };
    std::string text;
    (void)count_tags("<cluster ", [&](std::size_t at) {
        const std::size_t length = std::min(platform_text.find('>', at) - at, longest_tag);
        if (text.size() <= longest)
            text += (text.empty() ? "" : " and ") + cluster_text(platform_text.substr(at, length));
    });
    if (text.empty())
        text = fmt::format("{} hosts", count_tags("<host ", [](std::size_t) {}));
    return shortened(text, longest);
}

Simulation simulation_of(const std::vector<std::string>& command_line) {
    constexpr std::string_view option = "--cfg=";
    Simulation found;
    for (std::size_t i = 2; i < command_line.size(); ++i) { // behind smpimain and the program
        const std::string_view word = command_line[i];
        if (!word.starts_with("--")) {
            found.platform = word;
            break;
        }
        const std::size_t colon = word.find(':');
        if (!word.starts_with(option) || colon == std::string_view::npos)
            continue;
        const std::string_view name = word.substr(option.size(), colon - option.size());
        if (std::ranges::find(without_influence, name) == without_influence.end())
            found.settings[std::string(name)] = word.substr(colon + 1);
    }
    if (!found.platform.empty()) {
        const std::string text = file_text(found.platform);
        found.network = network_in_short(text);
        found.settings["simulated platform"] =
            fmt::format("{} ({:016x})", found.network, Fnv1a().add(text).value());
    }
    return found;
}

Simulation own_simulation() {
#ifdef SKAMPI_SIMULATED
    std::vector<std::string> words;
    const std::string text = file_text("/proc/self/cmdline");
    for (std::size_t at = 0; at < text.size();) {
        words.emplace_back(text.c_str() + at);
        at += words.back().size() + 1;
    }
    return simulation_of(words);
#else
    return {};
#endif
}

} // namespace skampi
