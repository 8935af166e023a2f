// SPDX-License-Identifier: GPL-2.0-or-later
// Preloaded before an MPI library, makes calls of operations on a rank go wrong:
//
//   SKAMPI_FAULT=OPERATION:K:RANK:KIND[:BYTES][,OPERATION:K:RANK:KIND[:BYTES]...]
//
// from the K-th call on (1 = first; with BYTES, of those that move exactly so many bytes) on that rank of
// MPI_COMM_WORLD. Kinds: segfault, abort (MPI_Abort), exit (status 7), leave (exit with status 0), hang,
// error (the call is made, then returns MPI_ERR_TRUNCATE), wrong (the call is made, then the first byte
// received is changed), middle (the same with the byte in the middle). Data of an operation that is only
// begun go wrong when its request completes; those of a persistent one (K-th MPI_Recv_init) each time it
// does, or with MPI_Start:K from the K-th start on. SKAMPI_FAULT_TIMES (default 1; 0 = no limit) is how often
// it happens in all, over all restarts; SKAMPI_FAULT_MARK names the file that counts this, one byte each
// time: 'a' of the first fault, 'b' of the second. With SKAMPI_FAULT_IF it happens only where the environment
// has that variable.
#include <charconv>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <fcntl.h>
#include <map>
#include <mpi.h>
#include <optional>
#include <string>
#include <string_view>
#include <sys/stat.h>
#include <unistd.h>
#include <vector>

namespace {

enum class Kind { segfault, abort, exit, leave, hang, error, wrong, middle };

struct Fault {
    std::string operation;
    std::int64_t call = 1;
    int rank = 0;
    Kind kind = Kind::segfault;
    std::optional<std::int64_t> bytes;
    char letter = 'a';      ///< in the mark
    std::int64_t calls = 0; ///< that were seen
};

[[noreturn]] void refuse(const char* why) {
    // Without the fault asked for a test would pass without testing anything.
    static_cast<void>(!::write(2, "interposer: bad SKAMPI_FAULT: ", 30));
    static_cast<void>(!::write(2, why, std::string_view(why).size()));
    static_cast<void>(!::write(2, "\n", 1));
    ::_exit(99);
}

std::int64_t number(std::string_view text) {
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size())
        refuse("not a number");
    return value;
}

Kind kind_named(std::string_view name) {
    struct Row {
        std::string_view name;
        Kind kind;
    };
    for (const Row& row :
         {Row{"segfault", Kind::segfault}, Row{"abort", Kind::abort}, Row{"exit", Kind::exit},
          Row{"leave", Kind::leave}, Row{"hang", Kind::hang}, Row{"error", Kind::error},
          Row{"wrong", Kind::wrong}, Row{"middle", Kind::middle}}) {
        if (row.name == name)
            return row.kind;
    }
    refuse("unknown kind");
}

std::vector<std::string_view> parts_of(std::string_view text, char between) {
    std::vector<std::string_view> parts;
    while (true) {
        const std::size_t end = text.find(between);
        parts.push_back(text.substr(0, end));
        if (end == std::string_view::npos)
            return parts;
        text.remove_prefix(end + 1);
    }
}

Fault fault_of(std::string_view text) {
    const std::vector<std::string_view> parts = parts_of(text, ':');
    if (parts.size() < 4 || parts.size() > 5)
        refuse("expected OPERATION:K:RANK:KIND[:BYTES]");
    Fault fault;
    fault.operation = parts[0];
    fault.call = number(parts[1]);
    fault.rank = static_cast<int>(number(parts[2]));
    fault.kind = kind_named(parts[3]);
    if (parts.size() == 5)
        fault.bytes = number(parts[4]);
    return fault;
}

std::vector<Fault> faults_wanted() {
    const char* wanted = std::getenv("SKAMPI_FAULT");
    if (wanted == nullptr || *wanted == '\0')
        return {};
    if (const char* condition = std::getenv("SKAMPI_FAULT_IF");
        condition != nullptr && std::getenv(condition) == nullptr)
        return {};
    std::vector<Fault> faults;
    for (const std::string_view each : parts_of(wanted, ',')) {
        faults.push_back(fault_of(each));
        faults.back().letter = static_cast<char>('a' + faults.size() - 1);
    }
    return faults;
}

std::int64_t times_wanted() {
    const char* times = std::getenv("SKAMPI_FAULT_TIMES");
    return times == nullptr ? 1 : number(times);
}

std::string mark_wanted() {
    const char* mark = std::getenv("SKAMPI_FAULT_MARK");
    return mark == nullptr ? "" : mark;
}

/// Where the data of a request arrive.
struct Arrival {
    void* received = nullptr;
    std::int64_t bytes = 0;
    /// How they go wrong, when the request completes.
    std::optional<Kind> damage;
    bool is_started = true; ///< false: of a persistent one
    bool stays = false;     ///< it goes wrong each time
};

/// What this process has seen so far. A library that is preloaded has no other place for it.
struct State {
    std::vector<Fault> faults = faults_wanted();
    std::int64_t times = times_wanted(); ///< 0 = no limit
    std::string mark = mark_wanted();
    int rank = -1;
    std::map<MPI_Request, Arrival> arrivals; ///< of persistent requests, and of others that go wrong
};

State& state() {
    static State the_state;
    return the_state;
}

/// Takes one of the times left; false = all are used up.
bool take_a_time(const Fault& fault) {
    const State& now = state();
    if (now.times == 0 && now.mark.empty())
        return true;
    if (now.mark.empty())
        refuse("a limited number of times needs SKAMPI_FAULT_MARK");
    const int file = ::open(now.mark.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    struct stat found {};
    if (file < 0 || ::fstat(file, &found) != 0)
        refuse("cannot write SKAMPI_FAULT_MARK");
    const bool left = now.times == 0 || found.st_size < now.times;
    if (left && ::write(file, &fault.letter, 1) != 1)
        refuse("cannot write SKAMPI_FAULT_MARK");
    ::close(file);
    return left;
}

/// Whether this call is to go wrong.
const Fault* hit(std::string_view operation, std::int64_t bytes) {
    State& now = state();
    for (Fault& fault : now.faults) {
        if (fault.operation != operation || (fault.bytes && *fault.bytes != bytes))
            continue;
        if (now.rank < 0)
            PMPI_Comm_rank(MPI_COMM_WORLD, &now.rank);
        if (now.rank != fault.rank)
            continue;
        if (++fault.calls >= fault.call && take_a_time(fault))
            return &fault;
    }
    return nullptr;
}

void before(const Fault& fault) {
    switch (fault.kind) {
    case Kind::segfault:
        // The MPI library's transport may have handlers that print for seconds; the death itself is what
        // counts.
        ::signal(SIGSEGV, SIG_DFL);
        ::raise(SIGSEGV);
        return;
    case Kind::abort:
        PMPI_Abort(MPI_COMM_WORLD, 5);
        return;
    case Kind::exit:
        ::_exit(7);
    case Kind::leave:
        std::exit(0);
    case Kind::hang:
        while (true)
            ::pause();
    case Kind::error:
    case Kind::wrong:
    case Kind::middle:
        return;
    }
}

bool spoils_data(const Fault& fault) {
    return fault.kind == Kind::wrong || fault.kind == Kind::middle;
}

void spoil(Kind kind, void* received, std::int64_t bytes) {
    if (received != nullptr)
        static_cast<unsigned char*>(received)[kind == Kind::middle ? bytes / 2 : 0] ^= 0x55u;
}

int after(const Fault& fault, int result, void* received, std::int64_t bytes) {
    if (spoils_data(fault))
        spoil(fault.kind, received, bytes);
    return fault.kind == Kind::error ? MPI_ERR_TRUNCATE : result;
}

/// Of a call that made a request.
/// @param fault null = all is well
int after_begin(const Fault* fault, int result, void* received, std::int64_t bytes, MPI_Request request,
                bool persistent) {
    State& now = state();
    if (now.faults.empty())
        return result;
    const bool spoils = fault != nullptr && spoils_data(*fault);
    if (persistent || spoils)
        now.arrivals[request] = {received, bytes, spoils ? std::optional(fault->kind) : std::nullopt,
                                 !persistent, persistent && spoils};
    return fault != nullptr && fault->kind == Kind::error ? MPI_ERR_TRUNCATE : result;
}

std::int64_t bytes_of_persistent(MPI_Request request) {
    const auto found = state().arrivals.find(request);
    return found == state().arrivals.end() ? 0 : found->second.bytes;
}

int after_start(const Fault* fault, int result, MPI_Request request) {
    if (const auto found = state().arrivals.find(request); found != state().arrivals.end()) {
        found->second.is_started = true;
        if (fault != nullptr && spoils_data(*fault))
            found->second.damage = fault->kind;
    }
    return fault != nullptr && fault->kind == Kind::error ? MPI_ERR_TRUNCATE : result;
}

/// Spoils what arrived with requests that a call completed.
/// @param before the handles before the call
void after_completion(const std::vector<MPI_Request>& before, const MPI_Request* requests) {
    State& now = state();
    for (std::size_t i = 0; i < before.size(); ++i) {
        const auto found = now.arrivals.find(before[i]);
        if (found == now.arrivals.end() || !found->second.is_started)
            continue;
        const bool persistent = requests[i] != MPI_REQUEST_NULL;
        int complete = 1;
        if (persistent)
            PMPI_Request_get_status(before[i], &complete, MPI_STATUS_IGNORE);
        if (complete == 0)
            continue;
        Arrival& arrival = found->second;
        if (arrival.damage)
            spoil(*arrival.damage, arrival.received, arrival.bytes);
        arrival.is_started = false;
        if (!arrival.stays)
            arrival.damage.reset();
        if (!persistent)
            now.arrivals.erase(found);
    }
}

/// Handles whose arrivals are known.
std::vector<MPI_Request> known_of(int count, const MPI_Request* requests) {
    return state().arrivals.empty() ? std::vector<MPI_Request>()
                                    : std::vector<MPI_Request>(requests, requests + count);
}

/// Where a message arrived; null = it was empty.
void* unless_empty(void* buffer, const MPI_Status* status) {
    int bytes = 1;
    if (status != MPI_STATUS_IGNORE)
        PMPI_Get_count(status, MPI_BYTE, &bytes);
    return bytes == 0 ? nullptr : buffer;
}

void* at(void* buffer, std::ptrdiff_t place) {
    return static_cast<char*>(buffer) + place;
}

std::int64_t bytes_of(int count, MPI_Datatype type) {
    int size = 0;
    PMPI_Type_size(type, &size);
    return static_cast<std::int64_t>(count) * size;
}

} // namespace

// One row per operation: name, parameters, arguments, bytes moved (of this rank's share), where data arrives.
// clang-format off
#define OPERATIONS(ROW)                                                                                                \
    ROW(MPI_Send, (const void* buf, int count, MPI_Datatype type, int dest, int tag, MPI_Comm comm),                   \
        (buf, count, type, dest, tag, comm), bytes_of(count, type), nullptr)                                           \
    ROW(MPI_Ssend, (const void* buf, int count, MPI_Datatype type, int dest, int tag, MPI_Comm comm),                  \
        (buf, count, type, dest, tag, comm), bytes_of(count, type), nullptr)                                           \
    ROW(MPI_Bsend, (const void* buf, int count, MPI_Datatype type, int dest, int tag, MPI_Comm comm),                  \
        (buf, count, type, dest, tag, comm), bytes_of(count, type), nullptr)                                           \
    ROW(MPI_Recv, (void* buf, int count, MPI_Datatype type, int source, int tag, MPI_Comm comm, MPI_Status* status),   \
        (buf, count, type, source, tag, comm, status), bytes_of(count, type), unless_empty(buf, status))               \
    ROW(MPI_Sendrecv, (const void* sbuf, int scount, MPI_Datatype stype, int dest, int stag, void* rbuf, int rcount,   \
                       MPI_Datatype rtype, int source, int rtag, MPI_Comm comm, MPI_Status* status),                   \
        (sbuf, scount, stype, dest, stag, rbuf, rcount, rtype, source, rtag, comm, status),                            \
        bytes_of(scount, stype), rbuf)                                                                                 \
    ROW(MPI_Iprobe, (int source, int tag, MPI_Comm comm, int* flag, MPI_Status* status),                               \
        (source, tag, comm, flag, status), 0, nullptr)                                                                 \
    ROW(MPI_Comm_size, (MPI_Comm comm, int* size), (comm, size), 0, nullptr)                                           \
    ROW(MPI_Comm_split, (MPI_Comm comm, int color, int key, MPI_Comm* made), (comm, color, key, made), 0, nullptr)       \
    ROW(MPI_Gatherv, (const void* sbuf, int scount, MPI_Datatype stype, void* rbuf, const int rcounts[],               \
                      const int places[], MPI_Datatype rtype, int root, MPI_Comm comm),                                \
        (sbuf, scount, stype, rbuf, rcounts, places, rtype, root, comm), bytes_of(scount, stype), nullptr)             \
    ROW(MPI_Win_allocate, (MPI_Aint size, int unit, MPI_Info info, MPI_Comm comm, void* base, MPI_Win* window),        \
        (size, unit, info, comm, base, window), static_cast<std::int64_t>(size), nullptr)                              \
    ROW(MPI_Win_fence, (int assertion, MPI_Win window), (assertion, window), 0, nullptr)                               \
    ROW(MPI_Win_free, (MPI_Win* window), (window), 0, nullptr)                                                         \
    ROW(MPI_Finalize, (void), (), 0, nullptr)                                                                          \
    ROW(MPI_Barrier, (MPI_Comm comm), (comm), 0, nullptr)                                                              \
    ROW(MPI_Bcast, (void* buf, int count, MPI_Datatype type, int root, MPI_Comm comm),                                 \
        (buf, count, type, root, comm), bytes_of(count, type), buf)                                                    \
    ROW(MPI_Reduce, (const void* sbuf, void* rbuf, int count, MPI_Datatype type, MPI_Op op, int root, MPI_Comm comm),  \
        (sbuf, rbuf, count, type, op, root, comm), bytes_of(count, type), rbuf)                                        \
    ROW(MPI_Allreduce, (const void* sbuf, void* rbuf, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm),         \
        (sbuf, rbuf, count, type, op, comm), bytes_of(count, type), rbuf)                                              \
    ROW(MPI_Gather, (const void* sbuf, int scount, MPI_Datatype stype, void* rbuf, int rcount, MPI_Datatype rtype,     \
                     int root, MPI_Comm comm),                                                                         \
        (sbuf, scount, stype, rbuf, rcount, rtype, root, comm), bytes_of(scount, stype), rbuf)                         \
    ROW(MPI_Scatter, (const void* sbuf, int scount, MPI_Datatype stype, void* rbuf, int rcount, MPI_Datatype rtype,    \
                      int root, MPI_Comm comm),                                                                        \
        (sbuf, scount, stype, rbuf, rcount, rtype, root, comm), bytes_of(rcount, rtype), rbuf)                         \
    ROW(MPI_Allgather, (const void* sbuf, int scount, MPI_Datatype stype, void* rbuf, int rcount, MPI_Datatype rtype,  \
                        MPI_Comm comm),                                                                                \
        (sbuf, scount, stype, rbuf, rcount, rtype, comm), bytes_of(scount, stype), rbuf)                               \
    ROW(MPI_Alltoall, (const void* sbuf, int scount, MPI_Datatype stype, void* rbuf, int rcount, MPI_Datatype rtype,   \
                       MPI_Comm comm),                                                                                 \
        (sbuf, scount, stype, rbuf, rcount, rtype, comm), bytes_of(scount, stype), rbuf)                               \
    ROW(MPI_Scan, (const void* sbuf, void* rbuf, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm),              \
        (sbuf, rbuf, count, type, op, comm), bytes_of(count, type), rbuf)                                              \
    ROW(MPI_Alltoallw, (const void* sbuf, const int scounts[], const int splaces[], const MPI_Datatype                 \
        stypes[], void* rbuf, const int rcounts[], const int rplaces[], const MPI_Datatype rtypes[],                   \
        MPI_Comm comm), (sbuf, scounts, splaces, stypes, rbuf, rcounts, rplaces, rtypes, comm),                        \
        bytes_of(scounts[0], stypes[0]), at(rbuf, rplaces[0]))                                                         \
    ROW(MPI_Reduce_scatter_block, (const void* sbuf, void* rbuf, int count, MPI_Datatype type, MPI_Op op,              \
        MPI_Comm comm), (sbuf, rbuf, count, type, op, comm), bytes_of(count, type), rbuf)                              \
    ROW(MPI_Neighbor_allgather, (const void* sbuf, int scount, MPI_Datatype stype, void* rbuf, int rcount,             \
        MPI_Datatype rtype, MPI_Comm comm), (sbuf, scount, stype, rbuf, rcount, rtype, comm),                          \
        bytes_of(scount, stype), rbuf)                                                                                 \
    ROW(MPI_Neighbor_alltoall, (const void* sbuf, int scount, MPI_Datatype stype, void* rbuf, int rcount,              \
        MPI_Datatype rtype, MPI_Comm comm), (sbuf, scount, stype, rbuf, rcount, rtype, comm),                          \
        bytes_of(scount, stype), rbuf)                                                                                 \
    ROW(MPI_Neighbor_alltoallw, (const void* sbuf, const int scounts[], const MPI_Aint splaces[], const                \
        MPI_Datatype stypes[], void* rbuf, const int rcounts[], const MPI_Aint rplaces[], const MPI_Datatype           \
        rtypes[], MPI_Comm comm), (sbuf, scounts, splaces, stypes, rbuf, rcounts, rplaces, rtypes, comm),              \
        bytes_of(scounts[0], stypes[0]), at(rbuf, rplaces[0]))

// Those that a request completes: the same without the request.
#define BEGUN(ROW)                                                                                                     \
    ROW(MPI_Isend, (const void* buf, int count, MPI_Datatype type, int dest, int tag, MPI_Comm comm), (buf,            \
        count, type, dest, tag, comm), bytes_of(count, type), nullptr)                                                 \
    ROW(MPI_Issend, (const void* buf, int count, MPI_Datatype type, int dest, int tag, MPI_Comm comm), (buf,           \
        count, type, dest, tag, comm), bytes_of(count, type), nullptr)                                                 \
    ROW(MPI_Irecv, (void* buf, int count, MPI_Datatype type, int source, int tag, MPI_Comm comm), (buf,                \
        count, type, source, tag, comm), bytes_of(count, type), buf)                                                   \
    ROW(MPI_Ibarrier, (MPI_Comm comm), (comm), 0, nullptr)                                                             \
    ROW(MPI_Ibcast, (void* buf, int count, MPI_Datatype type, int root, MPI_Comm comm), (buf, count, type,             \
        root, comm), bytes_of(count, type), buf)                                                                       \
    ROW(MPI_Iallreduce, (const void* sbuf, void* rbuf, int count, MPI_Datatype type, MPI_Op op, MPI_Comm               \
        comm), (sbuf, rbuf, count, type, op, comm), bytes_of(count, type), rbuf)                                       \
    ROW(MPI_Ialltoall, (const void* sbuf, int scount, MPI_Datatype stype, void* rbuf, int rcount,                      \
        MPI_Datatype rtype, MPI_Comm comm), (sbuf, scount, stype, rbuf, rcount, rtype, comm),                          \
        bytes_of(scount, stype), rbuf)                                                                                 \
    ROW(MPI_Ineighbor_alltoall, (const void* sbuf, int scount, MPI_Datatype stype, void* rbuf, int rcount,             \
        MPI_Datatype rtype, MPI_Comm comm), (sbuf, scount, stype, rbuf, rcount, rtype, comm),                          \
        bytes_of(scount, stype), rbuf)

// Those of persistent requests.
#define PERSISTENT(ROW)                                                                                                \
    ROW(MPI_Send_init, (const void* buf, int count, MPI_Datatype type, int dest, int tag, MPI_Comm comm),              \
        (buf, count, type, dest, tag, comm), bytes_of(count, type), nullptr)                                           \
    ROW(MPI_Recv_init, (void* buf, int count, MPI_Datatype type, int source, int tag, MPI_Comm comm), (buf,            \
        count, type, source, tag, comm), bytes_of(count, type), buf)

// Of MPI 4.
#define PERSISTENT_OF_MPI_4(ROW)                                                                                       \
    ROW(MPI_Psend_init, (const void* buf, int parts, MPI_Count count, MPI_Datatype type, int dest, int tag,            \
        MPI_Comm comm, MPI_Info info), (buf, parts, count, type, dest, tag, comm, info), parts *                       \
        bytes_of(static_cast<int>(count), type), nullptr)                                                              \
    ROW(MPI_Precv_init, (void* buf, int parts, MPI_Count count, MPI_Datatype type, int source, int tag,                \
        MPI_Comm comm, MPI_Info info), (buf, parts, count, type, source, tag, comm, info), parts *                     \
        bytes_of(static_cast<int>(count), type), buf)                                                                  \
    ROW(MPI_Allreduce_init, (const void* sbuf, void* rbuf, int count, MPI_Datatype type, MPI_Op op, MPI_Comm           \
        comm, MPI_Info info), (sbuf, rbuf, count, type, op, comm, info), bytes_of(count, type), rbuf)                  \
    ROW(MPI_Alltoall_init, (const void* sbuf, int scount, MPI_Datatype stype, void* rbuf, int rcount,                  \
        MPI_Datatype rtype, MPI_Comm comm, MPI_Info info), (sbuf, scount, stype, rbuf, rcount, rtype, comm,            \
        info), bytes_of(scount, stype), rbuf)                                                                          \
    ROW(MPI_Neighbor_alltoallw_init, (const void* sbuf, const int scounts[], const MPI_Aint splaces[], const           \
        MPI_Datatype stypes[], void* rbuf, const int rcounts[], const MPI_Aint rplaces[], const MPI_Datatype           \
        rtypes[], MPI_Comm comm, MPI_Info info), (sbuf, scounts, splaces, stypes, rbuf, rcounts, rplaces,              \
        rtypes, comm, info), bytes_of(scounts[0], stypes[0]), at(rbuf, rplaces[0]))

// What completes requests: name, parameters, arguments, number of requests, requests.
#define COMPLETING(ROW)                                                                                                \
    ROW(MPI_Wait, (MPI_Request* request, MPI_Status* status), (request, status), 1, request)                           \
    ROW(MPI_Waitall, (int count, MPI_Request requests[], MPI_Status statuses[]), (count, requests,                     \
        statuses), count, requests)                                                                                    \
    ROW(MPI_Waitany, (int count, MPI_Request requests[], int* index, MPI_Status* status), (count, requests,            \
        index, status), count, requests)                                                                               \
    ROW(MPI_Waitsome, (int count, MPI_Request requests[], int* done, int indices[], MPI_Status statuses[]),            \
        (count, requests, done, indices, statuses), count, requests)                                                   \
    ROW(MPI_Test, (MPI_Request* request, int* flag, MPI_Status* status), (request, flag, status), 1,                   \
        request)                                                                                                       \
    ROW(MPI_Testall, (int count, MPI_Request requests[], int* flag, MPI_Status statuses[]), (count,                    \
        requests, flag, statuses), count, requests)
// clang-format on

#define INTERPOSE(operation, parameters, arguments, bytes, received)                                         \
    extern "C" int operation parameters {                                                                    \
        const Fault* fault = hit(#operation, bytes);                                                         \
        if (fault != nullptr)                                                                                \
            before(*fault);                                                                                  \
        const int result = P##operation arguments;                                                           \
        return fault == nullptr ? result : after(*fault, result, received, bytes);                           \
    }

#define UNPACKED(...) __VA_ARGS__

#define INTERPOSE_REQUEST(operation, parameters, arguments, bytes, received, persistent)                     \
    extern "C" int operation(UNPACKED parameters, MPI_Request* request) {                                    \
        const Fault* fault = hit(#operation, bytes);                                                         \
        if (fault != nullptr)                                                                                \
            before(*fault);                                                                                  \
        const int result = P##operation(UNPACKED arguments, request);                                        \
        return after_begin(fault, result, received, bytes, *request, persistent);                            \
    }
#define INTERPOSE_BEGUN(operation, parameters, arguments, bytes, received)                                   \
    INTERPOSE_REQUEST(operation, parameters, arguments, bytes, received, false)
#define INTERPOSE_PERSISTENT(operation, parameters, arguments, bytes, received)                              \
    INTERPOSE_REQUEST(operation, parameters, arguments, bytes, received, true)

#define INTERPOSE_COMPLETING(operation, parameters, arguments, count, requests)                              \
    extern "C" int operation parameters {                                                                    \
        const Fault* fault = hit(#operation, 0);                                                             \
        if (fault != nullptr)                                                                                \
            before(*fault);                                                                                  \
        const std::vector<MPI_Request> known = known_of(count, requests);                                    \
        const int result = P##operation arguments;                                                           \
        after_completion(known, requests);                                                                   \
        return fault == nullptr ? result : after(*fault, result, nullptr, 0);                                \
    }

OPERATIONS(INTERPOSE)
BEGUN(INTERPOSE_BEGUN)
PERSISTENT(INTERPOSE_PERSISTENT)
#if MPI_VERSION >= 4
PERSISTENT_OF_MPI_4(INTERPOSE_PERSISTENT)
#endif
COMPLETING(INTERPOSE_COMPLETING)

extern "C" int MPI_Start(MPI_Request* request) {
    const Fault* fault = hit("MPI_Start", bytes_of_persistent(*request));
    if (fault != nullptr)
        before(*fault);
    return after_start(fault, PMPI_Start(request), *request);
}

/// Moves as many bytes as its first request.
extern "C" int MPI_Startall(int count, MPI_Request requests[]) {
    const Fault* fault = hit("MPI_Startall", count > 0 ? bytes_of_persistent(requests[0]) : 0);
    if (fault != nullptr)
        before(*fault);
    int result = PMPI_Startall(count, requests);
    for (int i = 0; i < count; ++i)
        result = after_start(fault, result, requests[i]);
    return result;
}

extern "C" int MPI_Request_free(MPI_Request* request) {
    state().arrivals.erase(*request);
    return PMPI_Request_free(request);
}
