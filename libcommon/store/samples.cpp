// SPDX-License-Identifier: LGPL-2.1-or-later
#include "store/samples.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <optional>

namespace skampi {

namespace {

/// Adds 32-bit floats, little-endian on any machine.
void add_floats(std::string& bytes, const std::vector<double>& numbers) {
    for (const double number : numbers) {
        const auto bits = std::bit_cast<std::uint32_t>(static_cast<float>(number));
        for (int shift = 0; shift < 32; shift += 8)
            bytes += static_cast<char>(bits >> shift & 0xFF);
    }
}

std::vector<double> numbers_in(std::string_view floats) {
    std::vector<double> numbers;
    numbers.reserve(floats.size() / 4);
    for (std::size_t i = 0; i + 3 < floats.size(); i += 4) {
        std::uint32_t bits = 0;
        for (std::size_t byte = 0; byte < 4; ++byte)
            bits |= std::uint32_t{static_cast<unsigned char>(floats[i + byte])} << (8 * byte);
        numbers.push_back(std::bit_cast<float>(bits));
    }
    return numbers;
}

} // namespace

std::size_t stored_lists(const std::vector<NodeDurations>& node_durations, bool listed) {
    return listed || node_durations.empty() ? node_durations.size()
                                            : static_cast<std::size_t>(node_durations.back().rank) + 1;
}

std::string floats_of(const Batch& batch) {
    std::string bytes;
    add_floats(bytes, batch.duration_s);
    const std::vector<double> none(batch.duration_s.size(), std::numeric_limits<double>::quiet_NaN());
    for_each_list(batch,
                  [&](const std::vector<double>& node) { add_floats(bytes, node.empty() ? none : node); });
    return bytes;
}

bool set_durations(Batch& batch, std::string_view floats, std::int64_t node_ranks, std::string_view listed) {
    constexpr std::int64_t most = std::int64_t{1} << 24; // more is damage, and must not allocate
    if (node_ranks < 0 || node_ranks > most)
        return false;
    const std::size_t lists = 1 + static_cast<std::size_t>(node_ranks);
    if (floats.size() % (4 * lists) != 0)
        return false;
    const auto ranks = ranks_in(listed, lists - 1);
    if (!ranks && !listed.empty())
        return false;
    const std::size_t bytes = floats.size() / lists;
    batch.duration_s = numbers_in(floats.substr(0, bytes));
    for (std::size_t list = 1; list < lists; ++list) {
        std::vector<double> node = numbers_in(floats.substr(list * bytes, bytes));
        if (node.empty() || !std::ranges::all_of(node, [](double number) { return std::isnan(number); }))
            batch.node_durations.push_back(
                {listed.empty() ? static_cast<int>(list) - 1 : (*ranks)[list - 1], std::move(node)});
    }
    return true;
}

} // namespace skampi
