// Preloaded before an MPI library, makes one call of one operation on one rank go wrong:
//
//   SKAMPI_FAULT=OPERATION:K:RANK:KIND[:BYTES]
//
// from the K-th call on (1 = first; with BYTES, of those that move exactly so many bytes) on that rank of
// MPI_COMM_WORLD. Kinds: segfault, abort (MPI_Abort), exit (status 7), leave (exit with status 0), hang,
// error (the call is made, then returns MPI_ERR_TRUNCATE), wrong (the call is made, then the first byte
// received is changed), middle (the same with the byte in the middle). SKAMPI_FAULT_TIMES (default 1; 0 = no
// limit) is how often it happens in all, over all restarts; SKAMPI_FAULT_MARK names the file that counts
// this, one byte each time.
#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <fcntl.h>
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
    std::int64_t times = 1; ///< 0 = no limit
    std::string mark;
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

std::optional<Fault> fault_wanted() {
    const char* wanted = std::getenv("SKAMPI_FAULT");
    if (wanted == nullptr || *wanted == '\0')
        return std::nullopt;
    std::vector<std::string_view> parts;
    std::string_view rest = wanted;
    while (true) {
        const std::size_t colon = rest.find(':');
        parts.push_back(rest.substr(0, colon));
        if (colon == std::string_view::npos)
            break;
        rest.remove_prefix(colon + 1);
    }
    if (parts.size() < 4 || parts.size() > 5)
        refuse("expected OPERATION:K:RANK:KIND[:BYTES]");
    Fault fault;
    fault.operation = parts[0];
    fault.call = number(parts[1]);
    fault.rank = static_cast<int>(number(parts[2]));
    fault.kind = kind_named(parts[3]);
    if (parts.size() == 5)
        fault.bytes = number(parts[4]);
    if (const char* times = std::getenv("SKAMPI_FAULT_TIMES"))
        fault.times = number(times);
    if (const char* mark = std::getenv("SKAMPI_FAULT_MARK"))
        fault.mark = mark;
    if (fault.times != 0 && fault.mark.empty())
        refuse("a limited number of times needs SKAMPI_FAULT_MARK");
    return fault;
}

/// What this process has seen so far. A library that is preloaded has no other place for it.
struct State {
    std::optional<Fault> fault = fault_wanted();
    std::int64_t calls = 0;
    int rank = -1;
};

State& state() {
    static State the_state;
    return the_state;
}

/// Takes one of the times left; false = all are used up.
bool take_a_time(const Fault& fault) {
    if (fault.times == 0 && fault.mark.empty())
        return true;
    const int file = ::open(fault.mark.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    struct stat found {};
    if (file < 0 || ::fstat(file, &found) != 0)
        refuse("cannot write SKAMPI_FAULT_MARK");
    const bool left = fault.times == 0 || found.st_size < fault.times;
    if (left && ::write(file, "x", 1) != 1)
        refuse("cannot write SKAMPI_FAULT_MARK");
    ::close(file);
    return left;
}

/// Whether this call is to go wrong.
const Fault* hit(std::string_view operation, std::int64_t bytes) {
    State& now = state();
    if (!now.fault || now.fault->operation != operation)
        return nullptr;
    if (now.rank < 0)
        PMPI_Comm_rank(MPI_COMM_WORLD, &now.rank);
    const Fault& fault = *now.fault;
    if (now.rank != fault.rank || (fault.bytes && *fault.bytes != bytes))
        return nullptr;
    if (++now.calls < fault.call)
        return nullptr;
    return take_a_time(fault) ? &fault : nullptr;
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

int after(const Fault& fault, int result, void* received, std::int64_t bytes) {
    if (fault.kind == Kind::wrong && received != nullptr)
        static_cast<unsigned char*>(received)[0] ^= 0x55u;
    if (fault.kind == Kind::middle && received != nullptr)
        static_cast<unsigned char*>(received)[bytes / 2] ^= 0x55u;
    return fault.kind == Kind::error ? MPI_ERR_TRUNCATE : result;
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
    ROW(MPI_Isend, (const void* buf, int count, MPI_Datatype type, int dest, int tag, MPI_Comm comm, MPI_Request* request), \
        (buf, count, type, dest, tag, comm, request), bytes_of(count, type), nullptr)                                  \
    ROW(MPI_Recv, (void* buf, int count, MPI_Datatype type, int source, int tag, MPI_Comm comm, MPI_Status* status),   \
        (buf, count, type, source, tag, comm, status), bytes_of(count, type), buf)                                     \
    ROW(MPI_Irecv, (void* buf, int count, MPI_Datatype type, int source, int tag, MPI_Comm comm, MPI_Request* request), \
        (buf, count, type, source, tag, comm, request), bytes_of(count, type), nullptr)                                \
    ROW(MPI_Sendrecv, (const void* sbuf, int scount, MPI_Datatype stype, int dest, int stag, void* rbuf, int rcount,   \
                       MPI_Datatype rtype, int source, int rtag, MPI_Comm comm, MPI_Status* status),                   \
        (sbuf, scount, stype, dest, stag, rbuf, rcount, rtype, source, rtag, comm, status),                            \
        bytes_of(scount, stype), rbuf)                                                                                 \
    ROW(MPI_Waitany, (int count, MPI_Request requests[], int* index, MPI_Status* status),                              \
        (count, requests, index, status), 0, nullptr)                                                                  \
    ROW(MPI_Waitsome, (int count, MPI_Request requests[], int* done, int indices[], MPI_Status statuses[]),            \
        (count, requests, done, indices, statuses), 0, nullptr)                                                        \
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
        (sbuf, rbuf, count, type, op, comm), bytes_of(count, type), rbuf)
// clang-format on

#define INTERPOSE(operation, parameters, arguments, bytes, received)                                         \
    extern "C" int operation parameters {                                                                    \
        const Fault* fault = hit(#operation, bytes);                                                         \
        if (fault != nullptr)                                                                                \
            before(*fault);                                                                                  \
        const int result = P##operation arguments;                                                           \
        return fault == nullptr ? result : after(*fault, result, received, bytes);                           \
    }

OPERATIONS(INTERPOSE)
