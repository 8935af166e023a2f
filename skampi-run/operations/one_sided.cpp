// SPDX-License-Identifier: LGPL-2.1-or-later
// One-sided communication from rank 0 into the other rank's window, under each way to synchronise. The window
// is made by MPI_Win_allocate in `setup`; `call` is the origin's side, `client` the target's. One row each.
#include "operations/tables.hpp"

#include <algorithm>
#include <array>
#include <cstring>

namespace skampi {
namespace {

// The ways to synchronise: fence; post, start, complete and wait; lock and unlock; flush with all locked.
constexpr std::size_t ways = 4;
using Calls = std::array<CallFunction, ways>;

#ifdef SKAMPI_HAVE_MPI_WIN_FLUSH
int put(Call& c) {
    return SKAMPI_COUNTED(MPI_Put)(c.send, c.count, c.type, c.partner, 0, c.count, c.type, c.window);
}
int get(Call& c) {
    return SKAMPI_COUNTED(MPI_Get)(c.receive, c.count, c.type, c.partner, 0, c.count, c.type, c.window);
}
int accumulate(Call& c) {
    return SKAMPI_COUNTED(MPI_Accumulate)(c.send, c.count, c.type, c.partner, 0, c.count, c.type, c.reduction,
                                          c.window);
}
int get_accumulate(Call& c) {
    return SKAMPI_COUNTED(MPI_Get_accumulate)(c.send, c.count, c.type, c.receive, c.count, c.type, c.partner,
                                              0, c.count, c.type, c.reduction, c.window);
}
int fetch_and_op(Call& c) {
    return MPI_Fetch_and_op(c.send, c.receive, c.type, c.partner, 0, c.reduction, c.window);
}
/// Compares with what stands one message further in the send buffer.
int compare_and_swap(Call& c) {
    return MPI_Compare_and_swap(c.send, c.send + c.message_bytes, c.receive, c.type, c.partner, 0, c.window);
}

int make_window_of(Call& c, int messages) {
    // Whole cache lines, so that no two ranks share one (and because MPICH 4.0 puts a single byte elsewhere).
    const MPI_Aint size = (messages * c.message_bytes + 63) / 64 * 64;
    const int made = MPI_Win_allocate(size, 1, MPI_INFO_NULL, c.comm, &c.exposed, &c.window);
    if (c.window == MPI_WIN_NULL || c.exposed == nullptr)
        return made;
    if (c.message_bytes > 0)
        std::memset(c.exposed, 1, static_cast<std::size_t>(messages * c.message_bytes)); // by its own rank
    return first_error({made, MPI_Win_set_errhandler(c.window, MPI_ERRORS_RETURN)});
}
int make_window(Call& c) {
    return make_window_of(c, 1);
}
int free_window(Call& c) {
    return c.window == MPI_WIN_NULL ? MPI_SUCCESS : MPI_Win_free(&c.window);
}
int nothing_to_do(Call&) {
    return MPI_SUCCESS;
}
// A fence both ends an epoch and begins the next.
int fence(Call& c) {
    return MPI_Win_fence(0, c.window);
}
int make_fenced(Call& c) {
    return first_error({make_window(c), fence(c)});
}
int free_fenced(Call& c) {
    return first_error({MPI_Win_fence(MPI_MODE_NOSUCCEED, c.window), free_window(c)});
}
template <CallFunction Move>
int fenced(Call& c) {
    return first_error({Move(c), fence(c)});
}

int make_with_group(Call& c) {
    if (const int code = make_window(c); code != MPI_SUCCESS)
        return code;
    MPI_Group all = MPI_GROUP_NULL;
    if (const int code = MPI_Comm_group(c.comm, &all); code != MPI_SUCCESS)
        return code;
    const int code = MPI_Group_incl(all, 1, &c.partner, &c.peers);
    const int freed = MPI_Group_free(&all);
    return code != MPI_SUCCESS ? code : freed;
}
int free_with_group(Call& c) {
    return first_error({MPI_Group_free(&c.peers), free_window(c)});
}
template <CallFunction Move>
int access(Call& c) {
    return first_error({MPI_Win_start(c.peers, 0, c.window), Move(c), MPI_Win_complete(c.window)});
}
int expose(Call& c) {
    return first_error({MPI_Win_post(c.peers, 0, c.window), MPI_Win_wait(c.window)});
}

template <CallFunction Move>
int locked(Call& c) {
    return first_error({MPI_Win_lock(MPI_LOCK_SHARED, c.partner, 0, c.window), Move(c),
                        MPI_Win_unlock(c.partner, c.window)});
}
int settle_by_lock(Call& c) {
    return first_error(
        {MPI_Win_lock(MPI_LOCK_EXCLUSIVE, c.rank, 0, c.window), MPI_Win_unlock(c.rank, c.window)});
}

int make_locked_by_all(Call& c) {
    return first_error({make_window(c), MPI_Win_lock_all(0, c.window)});
}
int free_locked_by_all(Call& c) {
    return first_error({MPI_Win_unlock_all(c.window), free_window(c)});
}
int make_locked_for_many(Call& c) {
    return first_error({make_window_of(c, messages_in_window), MPI_Win_lock_all(0, c.window)});
}
// Each of many messages has its own place on the other side.
int put_many(Call& c) {
    int code = MPI_SUCCESS;
    for (MPI_Aint at = 0; at < messages_in_window * c.message_bytes; at += c.message_bytes)
        code = first_error({code, SKAMPI_COUNTED(MPI_Put)(c.send, c.count, c.type, c.partner, at, c.count,
                                                          c.type, c.window)});
    return code;
}
int get_many(Call& c) {
    int code = MPI_SUCCESS;
    for (MPI_Aint at = 0; at < messages_in_window * c.message_bytes; at += c.message_bytes)
        code = first_error({code, SKAMPI_COUNTED(MPI_Get)(c.receive + at, c.count, c.type, c.partner, at,
                                                          c.count, c.type, c.window)});
    return code;
}
template <CallFunction Move>
int flushed(Call& c) {
    return first_error({Move(c), MPI_Win_flush(c.partner, c.window)});
}
int settle_by_sync(Call& c) {
    return MPI_Win_sync(c.window);
}

template <CallFunction Move>
constexpr Calls calls = {fenced<Move>, access<Move>, locked<Move>, flushed<Move>};
constexpr Calls clients = {fence, expose, nothing_to_do, nothing_to_do};
constexpr Calls makes = {make_fenced, make_with_group, make_window, make_locked_by_all};
constexpr Calls frees = {free_fenced, free_with_group, free_window, free_locked_by_all};
constexpr Calls settles = {fence, nullptr, settle_by_lock, settle_by_sync};
#define WITH_WINDOWS(move) calls<move>
#define MANY(move) flushed<move>, make_locked_for_many
#else
constexpr Calls clients = {};
constexpr Calls makes = {};
constexpr Calls frees = {};
constexpr Calls settles = {};
#define WITH_WINDOWS(move) Calls()
#define MANY(move) nullptr, nullptr
#endif

/// What is called around a movement, for people.
struct WayText {
    const char* before;
    const char* behind;
    const char* target;
};
constexpr std::array<WayText, ways> way_texts{{
    {"", ", MPI_Win_fence", "MPI_Win_fence"},
    {"MPI_Win_start, ", ", MPI_Win_complete", "MPI_Win_post, MPI_Win_wait"},
    {"MPI_Win_lock (shared), ", ", MPI_Win_unlock", "nothing"},
    {"", ", MPI_Win_flush", "nothing"},
}};

/// The rows of one movement, one for each way.
void add(std::vector<Operation>& rows, const std::array<const char*, ways>& names, const Calls& moves,
         const Operation& movement) {
    for (std::size_t way = 0; way < ways; ++way) {
        Operation row = movement;
        row.name = row.title = names[way];
        row.pattern = Pattern::ping_pong;
        row.meaning = Meaning::one_sided;
        row.varied = {movement.single_element ? Varied::none : Varied::message_length};
        row.exposed = Extent::one;
        row.call = moves[way];
        row.client = clients[way];
        row.setup = makes[way];
        row.teardown = frees[way];
        row.settle = settles[way];
        const std::string function = row.name.substr(0, row.name.find('-'));
        row.calls = way_texts[way].before + function + way_texts[way].behind;
        row.client_calls = way_texts[way].target;
        rows.push_back(row);
    }
}

/// The row of 64 messages and one flush, made from that of one message. @param name MPI_Put_window-flush
void add_many(std::vector<Operation>& rows, const char* name, CallFunction call, CallFunction make) {
    const std::string function = std::string(name).substr(0, 7);
    Operation row = *std::ranges::find(rows, function + "-flush", &Operation::name);
    row.name = name;
    row.title = "64 " + function + " and MPI_Win_flush";
    row.calls = "64 " + function + ", MPI_Win_flush";
    row.does = "moves 64 messages between rank 0's memory and the partner's";
    row.exposed = Extent::window;
    row.receive = row.receive == Extent::none ? Extent::none : Extent::window;
    row.messages = messages_in_window;
    row.call = call;
    row.setup = make;
    rows.push_back(row);
}

} // namespace

std::vector<Operation> one_sided_operations() {
    using enum Extent;
    std::vector<Operation> rows;
    add(rows, {"MPI_Put-fence", "MPI_Put-PSCW", "MPI_Put-lock", "MPI_Put-flush"}, WITH_WINDOWS(put),
        {.send = one, .messages = 1, .delivers = Delivers::put});
    add(rows, {"MPI_Get-fence", "MPI_Get-PSCW", "MPI_Get-lock", "MPI_Get-flush"}, WITH_WINDOWS(get),
        {.receive = one, .messages = 1, .delivers = Delivers::got});
    add(rows, {"MPI_Accumulate-fence", "MPI_Accumulate-PSCW", "MPI_Accumulate-lock", "MPI_Accumulate-flush"},
        WITH_WINDOWS(accumulate),
        {.send = one, .reduces = true, .messages = 1, .delivers = Delivers::accumulated});
    add(rows,
        {"MPI_Get_accumulate-fence", "MPI_Get_accumulate-PSCW", "MPI_Get_accumulate-lock",
         "MPI_Get_accumulate-flush"},
        WITH_WINDOWS(get_accumulate),
        {.send = one, .receive = one, .reduces = true, .messages = 2, .delivers = Delivers::fetched});
    add(rows,
        {"MPI_Fetch_and_op-fence", "MPI_Fetch_and_op-PSCW", "MPI_Fetch_and_op-lock",
         "MPI_Fetch_and_op-flush"},
        WITH_WINDOWS(fetch_and_op),
        {.send = one,
         .receive = one,
         .single_element = true,
         .reduces = true,
         .delivers = Delivers::fetched});
    add(rows,
        {"MPI_Compare_and_swap-fence", "MPI_Compare_and_swap-PSCW", "MPI_Compare_and_swap-lock",
         "MPI_Compare_and_swap-flush"},
        WITH_WINDOWS(compare_and_swap),
        {.send = per_rank, .receive = one, .single_element = true, .delivers = Delivers::swapped});
    add_many(rows, "MPI_Put_window-flush", MANY(put_many));
    add_many(rows, "MPI_Get_window-flush", MANY(get_many));
    return rows;
}

} // namespace skampi
