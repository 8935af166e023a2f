// SPDX-License-Identifier: LGPL-2.1-or-later
#include "model/series.hpp"

#include "base/hash.hpp"
#include "base/text.hpp"
#include "base/utf8.hpp"
#include "model/field_text.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <fmt/format.h>
#include <optional>
#include <set>

namespace skampi {

namespace {

struct Label {
    std::string_view field;
    std::string_view text;
};

/// Labels of the fields that are never empty if known. The others have their own names.
constexpr auto labels = std::to_array<Label>({
    {"plan_hash", "plan (measurement part of the parameter file)"},
    {"ranks", "number of ranks"},
    {"mpi_library", "MPI library"},
    {"placement", "placement of the ranks"},
    {"binding", "binding of the ranks"},
    {"launcher", "launcher"},
});

const Label* label_of(std::string_view field) {
    const auto* const found =
        std::find_if(labels.begin(), labels.end(), [&](const Label& l) { return l.field == field; });
    return found == labels.end() ? nullptr : &*found;
}

/// The text shown for one side of a difference: a short text in full, a long one from the first difference
/// on.
/// @param left_out characters at its beginning
std::string shown(const std::optional<std::string>& text, std::size_t left_out, const char* without) {
    if (!text)
        return without;
    constexpr std::size_t most = 100;
    const std::string whole = printable(*text);
    const std::string_view rest = std::string_view(whole).substr(first_characters(whole, left_out).size());
    const std::string_view begin = first_characters(rest, most);
    return fmt::format("\"{}{}{}\"", left_out > 0 ? "..." : "", begin,
                       begin.size() < rest.size() ? "..." : "");
}

/// @param without what stands for a text that is not there
std::string difference(std::string_view what, const std::optional<std::string>& left,
                       const std::optional<std::string>& right, const char* without) {
    constexpr std::size_t most_alike = 70;
    constexpr std::size_t kept_alike = 20; // before the first difference
    const std::string a = printable(left.value_or(""));
    const std::string b = printable(right.value_or(""));
    const auto differs = std::ranges::mismatch(a, b).in1;
    const std::size_t alike =
        character_count(std::string_view(a).substr(0, static_cast<std::size_t>(differs - a.begin())));
    const std::size_t left_out = alike > most_alike ? alike - kept_alike : 0;
    return fmt::format("the {} differs: {} and {}", what, shown(left, left_out, without),
                       shown(right, left_out, without));
}

} // namespace

Series::Series(const Run& run) {
    for_each_field(run, [&](const Field& field, const auto& value) {
        if (!field.is(in_series))
            return;
        std::string text = field_text(value);
        const bool unknown = label_of(field.name) != nullptr && (text.empty() || text == "0");
        if (!unknown)
            key_[field.name] = std::move(text);
    });
    // The library's settings are known together with the library.
    if (!run.mpi_library.empty())
        settings_ = run.settings;
}

Series& Series::forget(std::string_view field) {
    if (const auto found = key_.find(field); found != key_.end())
        key_.erase(found);
    return *this;
}

Series& Series::learn(const Series& other) {
    key_.insert(other.key_.begin(), other.key_.end());
    if (!settings_)
        settings_ = other.settings_;
    return *this;
}

std::map<std::string, std::string> Series::known() const {
    std::map<std::string, std::string> known;
    for (const auto& [field, text] : key_) {
        const Label* const label = label_of(field);
        known[std::string(label != nullptr ? label->text : field)] = text;
    }
    if (settings_)
        for (const auto& [name, value] : *settings_)
            known["setting " + printable(name)] = value;
    return known;
}

std::vector<std::string> Series::differences(const Series& other) const {
    std::vector<std::string> found;
    for (const auto& [field, text] : key_) {
        const auto twin = other.key_.find(field);
        if (twin == other.key_.end() || twin->second == text)
            continue;
        const Label* const label = label_of(field);
        if (field == "plan_hash") { // the digits of a hash explain nothing
            found.push_back(fmt::format("the {} differs", label->text));
            continue;
        }
        const auto there = [](const std::string& each) {
            return each.empty() ? std::nullopt : std::optional(each);
        };
        std::string sentence =
            difference(label != nullptr ? label->text : field, there(text), there(twin->second), "none");
        if (field == "ranks") // where they are placed and bound follows from how many there are
            found.insert(found.begin(), std::move(sentence));
        else
            found.push_back(std::move(sentence));
    }
    if (settings_ && other.settings_) {
        std::set<std::string> names;
        for (const auto* settings : {&*settings_, &*other.settings_})
            for (const auto& [name, value] : *settings)
                names.insert(name);
        const auto value_of = [](const std::map<std::string, std::string>& settings,
                                 const std::string& name) {
            const auto value = settings.find(name);
            return value == settings.end() ? std::nullopt : std::optional(value->second);
        };
        // Compared in full: the texts shown are cut.
        for (const std::string& name : names)
            if (const auto a = value_of(*settings_, name), b = value_of(*other.settings_, name); a != b)
                found.push_back(difference("setting " + printable(name), a, b, "unset"));
    }
    return found;
}

std::string Series::hash() const {
    Fnv1a hash;
    for (const auto& [field, text] : key_)
        hash.add(field).add("=").add(text).add("\n");
    if (settings_)
        for (const auto& [name, value] : *settings_)
            hash.add("setting ").add(name).add("=").add(value).add("\n");
    constexpr std::string_view digits = "0123456789abcdef";
    std::string text;
    for (int shift = 60; shift >= 0; shift -= 4)
        text += digits[hash.value() >> shift & 15];
    return text;
}

std::vector<std::string> description_differences(const Run& left, const Run& right) {
    std::vector<std::string> found;
    for (const DescriptionPart& part : description_parts)
        if (const std::string& a = left.*part.text, &b = right.*part.text; !a.empty() && !b.empty() && a != b)
            found.push_back(difference(part.name, a, b, "none"));
    return found;
}

std::string ranges_text(const std::vector<int>& numbers) {
    std::string text;
    for (std::size_t i = 0; i < numbers.size();) {
        std::size_t last = i;
        while (last + 1 < numbers.size() && numbers[last + 1] == numbers[last] + 1)
            ++last;
        text += (text.empty() ? "" : ",") + std::to_string(numbers[i]);
        if (last > i)
            text += "-" + std::to_string(numbers[last]);
        i = last + 1;
    }
    return text;
}

std::string placement_text(const std::vector<RankFacts>& ranks, const std::string& machine) {
    std::vector<std::pair<std::string, std::vector<int>>> hosts; // in the order of their first ranks
    std::map<std::string, std::size_t> index;
    for (const RankFacts& rank : ranks) {
        const auto [host, is_new] = index.try_emplace(rank.processor, hosts.size());
        if (is_new)
            hosts.push_back({rank.processor, {}});
        hosts[host->second].second.push_back(rank.rank);
    }
    std::string text =
        machine.empty() ? "" : std::to_string(hosts.size()) + (hosts.size() == 1 ? " host: " : " hosts: ");
    bool first = true;
    for (const auto& [host, members] : hosts) {
        text += first ? "" : "; ";
        first = false;
        text += (machine.empty() ? host + ": " : "") + ranges_text(members);
    }
    constexpr std::size_t longest = 2000;
    if (text.size() <= longest)
        return text;
    return std::to_string(hosts.size()) + " hosts, " + std::to_string(ranks.size()) + " ranks, hash " +
           std::to_string(Fnv1a().add(text).value());
}

std::vector<int> cores_in(const std::string& list) {
    std::vector<int> cores;
    for (std::size_t at = 0; at < list.size();) {
        char* end = nullptr;
        const long first = std::strtol(list.c_str() + at, &end, 10);
        long last = first;
        if (*end == '-')
            last = std::strtol(end + 1, &end, 10);
        for (long core = first; core <= last && core - first < 65536; ++core)
            cores.push_back(static_cast<int>(core));
        at = static_cast<std::size_t>(end - list.c_str()) + 1;
    }
    return cores;
}

Binding binding_of(const std::vector<RankFacts>& ranks) {
    struct Host {
        std::set<int> threads;
        std::size_t ranks = 0;
        std::map<std::string, std::size_t> alike; // ranks with the same list of threads
        std::map<int, std::size_t> of_core;       // ranks that are bound to it
        [[nodiscard]] std::size_t cores() const {
            std::size_t bound = 0;
            for (const auto& [core, members] : of_core)
                bound += members;
            // Where ranks share hardware threads, these are the cores of all sentences.
            return bound == ranks && ranks <= threads.size() ? of_core.size() : threads.size();
        }
    };
    std::map<std::string, Host> hosts;
    Binding binding;
    for (const RankFacts& rank : ranks) {
        const std::vector<int> threads = cores_in(rank.cpus_allowed);
        const std::size_t cores = !threads.empty() && rank.seat.core >= 0 ? 1 : threads.size();
        binding.known = binding.known && !threads.empty();
        binding.fewest = binding.fewest == 0 ? cores : std::min(binding.fewest, cores);
        binding.most = std::max(binding.most, cores);
        Host& host = hosts[rank.processor];
        ++host.ranks;
        for (const int thread : threads)
            binding.shared = !host.threads.insert(thread).second || binding.shared;
        if (rank.seat.core >= 0)
            binding.threads = ++host.of_core[rank.seat.core] > 1 || binding.threads;
        if (!threads.empty())
            binding.crowded = ++host.alike[rank.cpus_allowed] > threads.size() || binding.crowded;
    }
    for (const auto& [name, host] : hosts) {
        binding.cores += host.cores();
        binding.full = binding.full || (host.cores() > 0 && host.cores() <= host.ranks);
        binding.crowded = binding.crowded || (!host.threads.empty() && host.ranks > host.threads.size());
    }
    binding.threads = binding.threads && !binding.crowded;
    binding.shared = binding.shared || binding.threads;
    return binding;
}

std::string binding_text(const std::vector<RankFacts>& ranks) {
    const Binding binding = binding_of(ranks);
    if (!binding.known || binding.most == 0)
        return {};
    std::string text = std::to_string(binding.fewest);
    if (binding.most > binding.fewest)
        text += " to " + std::to_string(binding.most);
    return text + (binding.most == 1 ? " core each" : " cores each") + (binding.shared ? ", shared" : "") +
           (binding.threads ? " as hardware threads" : "");
}

} // namespace skampi
