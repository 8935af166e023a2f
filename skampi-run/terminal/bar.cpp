#include "terminal/bar.hpp"

#include "base/utf8.hpp"
#include "terminal/terminal.hpp"

#include <algorithm>
#include <string_view>

namespace skampi {

bool shows_bar(ProgressKind kind, std::FILE* out) {
    return (kind == ProgressKind::automatic || kind == ProgressKind::bar) && terminal_behind(out);
}

std::string bar_line(double done, const std::string& place, const std::string& left, int columns) {
    // A line as wide as the terminal would go on in the next one, which nothing clears.
    const auto room = static_cast<std::size_t>(std::max(columns - 1, 0));
    constexpr std::size_t longest_place = 60;
    constexpr std::size_t shortest_place = 24;
    const std::string end = left.empty() ? left : "  " + left;
    std::size_t width = 24;
    const auto room_for_place = [&] {
        const std::size_t others = std::string_view("[] ").size() + width + end.size();
        return std::min(longest_place, room - std::min(room, others));
    };
    if (room_for_place() < std::min(shortest_place, character_count(place)))
        width = 8;
    const auto filled = static_cast<std::size_t>(done * static_cast<double>(width));
    const std::string line = "[" + std::string(filled, '#') + std::string(width - filled, '.') + "] " +
                             std::string(first_characters(place, room_for_place())) + end;
    return std::string(first_characters(line, room));
}

} // namespace skampi
