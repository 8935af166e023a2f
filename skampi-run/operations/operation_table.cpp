// SPDX-License-Identifier: LGPL-2.1-or-later
#include "operations/operation_table.hpp"

#include <fmt/format.h>

namespace skampi {
namespace {

/// How many messages lie in a buffer, n ranks taking part.
std::string messages_in(const Operation& row, Extent extent) {
    switch (extent) {
    case Extent::none:
        return "-";
    case Extent::one:
        return "1";
    case Extent::per_rank:
        return "n";
    case Extent::per_rank_at_root:
        return "n at the root";
    case Extent::per_worker:
        return "n - 1 at the master";
    case Extent::per_neighbour:
        return std::to_string(2 * row.dimensions);
    case Extent::window:
        return "64";
    }
    return "?";
}

std::string_view checked(Delivers delivers) {
    switch (delivers) {
    case Delivers::as_checked:
        return "as its own check says";
    case Delivers::nothing:
        return "-";
    case Delivers::from_partner:
        return "the partner's message, on both";
    case Delivers::from_root:
        return "the root's message, on all others";
    case Delivers::gathered:
        return "each rank's message, at the root";
    case Delivers::gathered_all:
        return "each rank's message, on all";
    case Delivers::scattered:
        return "the root's message for this rank, on all";
    case Delivers::exchanged:
        return "each rank's message for this one, on all";
    case Delivers::reduced:
        return "all messages combined, at the root";
    case Delivers::reduced_all:
        return "all messages combined, on all";
    case Delivers::reduced_block:
        return "this rank's part of the combination, on all";
    case Delivers::scanned:
        return "the messages up to this rank's combined, on all";
    case Delivers::scanned_before:
        return "the messages before this rank's combined, on all but rank 0";
    case Delivers::pieces:
        return "the master's message at the workers, and that each piece is answered";
    case Delivers::results:
        return "the master's message at the workers, theirs at the master, and that each piece is answered";
    case Delivers::to_partner:
        return "rank 0's message, at its partner";
    case Delivers::window_from_partner:
        return "all 64 messages, wherever they go";
    case Delivers::from_neighbours:
        return "each neighbour's message, on all";
    case Delivers::exchanged_with_neighbours:
        return "each neighbour's message for this rank, on all";
    case Delivers::from_unknown:
        return "the message of each rank that has this one as its partner, on all";
    case Delivers::combined_here:
        return "both messages combined";
    case Delivers::put:
        return "rank 0's message, in the target's window";
    case Delivers::got:
        return "the target's message, at rank 0";
    case Delivers::accumulated:
        return "both messages combined, in the target's window";
    case Delivers::fetched:
        return "both messages combined in the target's window, what was there before at rank 0";
    case Delivers::own_block:
        return "this rank's block of the file, on all";
    case Delivers::swapped:
        return "rank 0's element in the target's window, what was there before at rank 0";
    }
    return "?";
}

std::string joined(const std::vector<Varied>& varied) {
    std::string text;
    for (const Varied each : varied)
        text += fmt::format("{}{}", text.empty() ? "" : ", ", to_text(each));
    return text;
}

std::string moved(const Operation& row) {
    if (row.messages == 0)
        return "-";
    switch (row.messages_per) {
    case MessagesPer::call:
        break;
    case MessagesPer::pair:
        return fmt::format("{:g} for each pair", row.messages);
    case MessagesPer::other_rank:
        return "n - 1";
    case MessagesPer::partner:
        return "as many as partners";
    }
    return fmt::format("{:g}", row.messages);
}

std::string_view other_side(const Operation& row) {
    if (row.pattern == Pattern::simple)
        return "-";
    return row.client_calls.empty() ? "the same" : std::string_view(row.client_calls);
}

} // namespace

std::string operation_table(const std::vector<Operation>& operations) {
    std::string text =
        "| type | operation | what it does | pattern | timed | on the other side | varied over | the time is that of | sends | "
        "receives | moves | checked |\n|---|---|---|---|---|---|---|---|---|---|---|---|\n";
    for (const Operation& row : operations)
        text += fmt::format("| {} | `{}` | {} | {} | {} | {} | {} | {} | {} | {} | {} | {} |\n",
                            row.type == 0 ? "-" : std::to_string(row.type), row.name, row.what_it_does(),
                            to_text(row.pattern), row.calls, other_side(row), joined(row.varied),
                            to_text(row.meaning), messages_in(row, row.send), messages_in(row, row.receive),
                            moved(row), checked(row.delivers));
    return text;
}

} // namespace skampi
