// SPDX-License-Identifier: LGPL-2.1-or-later
// Bandwidth and message rate: many messages under way at once, received into places of their own; an empty
// answer ends a call (the shapes of osu_bw, osu_bibw and osu_mbw_mr). One row each.
#include "operations/tables.hpp"

#include <array>

namespace skampi {
namespace {

constexpr int window_end_tag = 1;

// After an error the others are posted all the same: the partner waits for them, or has sent them, and the
// next operation would receive the rest.
int post_sends(Call& c, int first) {
    int code = MPI_SUCCESS;
    for (int i = 0; i < messages_in_window; ++i)
        code =
            first_error({code, SKAMPI_COUNTED(MPI_Isend)(c.send, c.count, c.type, c.partner, 0, c.comm,
                                                         &c.requests[static_cast<std::size_t>(first + i)])});
    return code;
}
int post_receives(Call& c) {
    const std::int64_t step_bytes = c.pieces.front() > 1 ? c.message_bytes : 0; // else all into one place
    int code = MPI_SUCCESS;
    for (int i = 0; i < messages_in_window; ++i)
        code = first_error(
            {code, SKAMPI_COUNTED(MPI_Irecv)(c.receive + i * step_bytes, c.count, c.type, c.partner, 0,
                                             c.comm, &c.requests[static_cast<std::size_t>(i)])});
    return code;
}
int wait_for_all(Call& c) {
    return MPI_Waitall(static_cast<int>(c.requests.size()), c.requests.data(), MPI_STATUSES_IGNORE);
}
int await_answer(Call& c) {
    return MPI_Recv(nullptr, 0, c.type, c.partner, window_end_tag, c.comm, MPI_STATUS_IGNORE);
}
int answer(Call& c) {
    return MPI_Send(nullptr, 0, c.type, c.partner, window_end_tag, c.comm);
}

template <typename... Steps>
int in_turn(Call& c, Steps... steps) {
    return first_error({steps(c)...});
}
int send_window(Call& c) {
    return in_turn(
        c, [](Call& call) { return post_sends(call, 0); }, wait_for_all, await_answer);
}
int receive_window(Call& c) {
    return in_turn(c, post_receives, wait_for_all, answer);
}
int exchange_windows(Call& c) {
    return in_turn(
        c, post_receives, [](Call& call) { return post_sends(call, messages_in_window); }, wait_for_all,
        c.rank == 0 ? await_answer : answer);
}
/// Rank r of the first half sends to rank r of the second; an odd last rank has no partner.
int window_of_pair(Call& c) {
    if (c.partner < 0)
        return MPI_SUCCESS;
    return c.rank < c.partner ? send_window(c) : receive_window(c);
}

/// A message there and one back.
int round_trip_of_pair(Call& c) {
    if (c.partner < 0)
        return MPI_SUCCESS;
    const auto send = [&] { return SKAMPI_COUNTED(MPI_Send)(c.send, c.count, c.type, c.partner, 0, c.comm); };
    const auto receive = [&] {
        return SKAMPI_COUNTED(MPI_Recv)(c.receive, c.count, c.type, c.partner, 0, c.comm, MPI_STATUS_IGNORE);
    };
    const int first = c.rank < c.partner ? send() : receive();
    return first_error({first, c.rank < c.partner ? receive() : send()});
}

int make_requests(Call& c, int count) {
    c.requests.assign(static_cast<std::size_t>(count), MPI_REQUEST_NULL);
    return MPI_SUCCESS;
}
/// @tparam Places in the receive buffer
template <int Places>
int set_up_one_way(Call& c) {
    c.pieces = {c.rank == 0 ? 0 : Places};
    return make_requests(c, messages_in_window);
}
template <int Places>
int set_up_both_ways(Call& c) {
    c.pieces = {Places};
    return make_requests(c, 2 * messages_in_window);
}
template <int Places>
int set_up_pairs(Call& c) {
    const int pairs = c.size / 2;
    c.partner = c.rank < pairs ? c.rank + pairs : c.rank < 2 * pairs ? c.rank - pairs : -1;
    c.pieces = {c.partner >= 0 && c.rank > c.partner ? Places : 0};
    return make_requests(c, messages_in_window);
}

int set_up_round_trips(Call& c) {
    const int code = set_up_pairs<1>(c);
    c.pieces = {c.partner >= 0 ? 1 : 0};
    return code;
}

/// @param row with name, title, pattern, messages and functions
Operation windowed(Operation row) {
    row.meaning = Meaning::window;
    row.varied = {Varied::message_length};
    row.send = Extent::one;
    row.receive = Extent::window;
    row.delivers = Delivers::window_from_partner;
    if (row.pattern == Pattern::collective) {
        row.varied.push_back(Varied::nodes);
        row.messages_per = MessagesPer::pair;
    }
    return row;
}

} // namespace

std::vector<Operation> bandwidth_operations() {
    Operation round_trips = windowed(
        {.name = "Multi_pair_latency",
         .title = "Round trips of all pairs at once: MPI_Send to MPI_Recv",
         .pattern = Pattern::collective,
         .messages = 2,
         .call = round_trip_of_pair,
         .setup = set_up_round_trips,
         .calls = "first half of the ranks: MPI_Send, MPI_Recv; second half: MPI_Recv, MPI_Send",
         .does = "sends a message from each rank of the first half to one of the second, and one back"});
    round_trips.meaning = Meaning::collective;
    round_trips.receive = Extent::one;
    std::vector<Operation> rows = {
        windowed({.name = "Bandwidth",
                  .title = "Bandwidth: 64 MPI_Isend to 64 MPI_Irecv and an answer",
                  .pattern = Pattern::ping_pong,
                  .messages = messages_in_window,
                  .call = send_window,
                  .client = receive_window,
                  .setup = set_up_one_way<messages_in_window>,
                  .calls = "64 MPI_Isend, MPI_Waitall, MPI_Recv of an empty answer",
                  .client_calls = "64 MPI_Irecv, MPI_Waitall, MPI_Send of the answer"}),
        windowed(
            {.name = "Bidirectional_bandwidth",
             .title = "Bidirectional bandwidth: 64 MPI_Isend and MPI_Irecv on both sides",
             .pattern = Pattern::ping_pong,
             .messages = 2 * messages_in_window,
             .call = exchange_windows,
             .client = exchange_windows,
             .setup = set_up_both_ways<messages_in_window>,
             .calls =
                 "64 MPI_Irecv, 64 MPI_Isend, MPI_Waitall; then rank 0 MPI_Recv of an empty answer, its partner MPI_Send of it"}),
        windowed(
            {.name = "Multi_pair_bandwidth",
             .title = "Bandwidth and message rate of all pairs: 64 MPI_Isend to 64 MPI_Irecv each",
             .pattern = Pattern::collective,
             .messages = messages_in_window,
             .call = window_of_pair,
             .setup = set_up_pairs<messages_in_window>,
             .calls =
                 "first half of the ranks: 64 MPI_Isend, MPI_Waitall, MPI_Recv of an empty answer; second half: 64 MPI_Irecv, MPI_Waitall, MPI_Send of the answer"}),
    };
    // As OSU and IMB do unless asked otherwise: long messages stay in the caches.
    const std::array<CallFunction, 3> setups = {set_up_one_way<1>, set_up_both_ways<1>, set_up_pairs<1>};
    for (std::size_t i = 0; i < setups.size(); ++i) {
        Operation row = rows[i];
        row.name += "-one_buffer";
        row.title += ", all into one buffer";
        row.calls += "; all messages are received into one buffer";
        row.receive = Extent::one;
        row.setup = setups[i];
        rows.push_back(row);
    }
    rows.push_back(round_trips);
    return rows;
}

} // namespace skampi
