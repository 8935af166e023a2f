// SPDX-License-Identifier: GPL-2.0-or-later
// What the check of received data lets pass and what it doesn't: right and wrong operations of two ranks.
#include "job/verification.hpp"

#include "base/error.hpp"
#include "mpi/communicator.hpp"
#include "mpi/datatypes.hpp"
#include "operations/all_operations.hpp"
#include "operations/layout.hpp"
#include "spec/datatypes.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <doctest/doctest.h>
#include <string>
#include <sys/mman.h>
#include <utility>
#include <vector>

using namespace skampi;

namespace {

const std::vector<std::string> operators = {"MPI_BOR",  "MPI_BAND", "MPI_BXOR", "MPI_LOR", "MPI_LAND",
                                            "MPI_LXOR", "MPI_SUM",  "MPI_PROD", "MPI_MAX", "MPI_MIN"};

/// Reduces with the operator that `chunks` is the place of.
int allreduce_otherwise(Call& c) {
    return MPI_Allreduce(c.send, c.receive, static_cast<int>(c.count), c.type,
                         reduction_handle(operators[static_cast<std::size_t>(c.chunks)]), c.comm);
}
int allreduce_in_place(Call& c) {
    return MPI_Allreduce(MPI_IN_PLACE, c.receive, static_cast<int>(c.count), c.type, c.reduction, c.comm);
}
int allgather_in_place(Call& c) {
    return MPI_Allgather(MPI_IN_PLACE, 0, c.type, c.receive, static_cast<int>(c.count), c.type, c.comm);
}
int nothing_done(Call&) {
    return MPI_SUCCESS;
}

/// The calling rank's side of a check with messages of 64 integers.
class Trial {
public:
    Trial()
        : world_(Communicator::duplicate(MPI_COMM_WORLD))
        , send_(messages)
        , receive_(messages) {
        call.send = reinterpret_cast<std::byte*>(send_.data());
        call.receive = reinterpret_cast<std::byte*>(receive_.data());
        set_length(length);
        call.type = MPI_INT;
        call.comm = world_.get();
        call.rank = world_.rank();
        call.size = world_.size();
    }
    /// Another length than before, or what was received before would do.
    void set_length(int elements) {
        call.count = elements;
        call.message_bytes = elements * static_cast<std::int64_t>(sizeof(int));
    }
    bool right(Delivers delivers, CallFunction function, bool reduces) {
        const Operation row = {.pattern = Pattern::collective,
                               .send = Extent::one,
                               .receive = Extent::per_rank,
                               .reduces = reduces,
                               .delivers = delivers,
                               .call = function};
        return delivers_right(row, call);
    }
    Call call;

private:
    static constexpr int length = 64;
    static constexpr std::size_t messages = 64 * length;
    Communicator world_;
    std::vector<int> send_;
    std::vector<int> receive_;
};

constexpr std::int64_t gibibyte = std::int64_t{1} << 30;

/// Memory that exists only where it is written.
class SparseMemory {
public:
    explicit SparseMemory(std::int64_t bytes)
        : bytes_(static_cast<std::size_t>(bytes))
        , data_(mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1,
                     0)) {
        REQUIRE(data_ != MAP_FAILED);
    }
    SparseMemory(const SparseMemory&) = delete;
    SparseMemory& operator=(const SparseMemory&) = delete;
    ~SparseMemory() { munmap(data_, bytes_); }
    [[nodiscard]] std::byte* data() const { return static_cast<std::byte*>(data_); }

private:
    std::size_t bytes_;
    void* data_;
};

/// Copies both ends and the surroundings of each GiB; what lies beyond `chunks` bytes comes from as far
/// before it.
int copy_from_too_low(Call& c) {
    constexpr std::int64_t around = 4096;
    for (std::int64_t gib = 0; gib <= c.message_bytes; gib += gibibyte)
        for (std::int64_t at = std::max<std::int64_t>(gib - around, 0);
             at < std::min(gib + around, c.message_bytes); ++at)
            c.receive[at] = c.send[at < c.chunks ? at : at - c.chunks];
    std::memcpy(c.receive + c.message_bytes - around, c.send + c.message_bytes - around, around);
    return MPI_SUCCESS;
}

constexpr std::array kernels = {"Halo_1D-Isend",     "Halo_2D-Sendrecv", "Halo_2D-packed",
                                "Halo_3D-Send_init", "Halo_3D-packed",   "Transpose-Isend",
                                "Transpose-packed",  "Sparse-Ibarrier",  "Ring-pipeline"};

/// A kernel whose data are right but for the byte that `chunks` is the place of, on rank 0.
template <std::size_t Kernel>
int spoiled(Call& c) {
    const int code = find_operation(kernels[Kernel]).call(c);
    if (c.rank == 0)
        c.receive[c.chunks] ^= std::byte{1};
    return code;
}
template <std::size_t... Kernel>
constexpr std::array<CallFunction, sizeof...(Kernel)> all_spoiled(std::index_sequence<Kernel...>) {
    return {spoiled<Kernel>...};
}

} // namespace

TEST_CASE("an element of a kernel's message that is wrong is noticed, wherever it lies") {
    const auto broken = all_spoiled(std::make_index_sequence<kernels.size()>());
    int length = 8; // another one each time, or what was received before would do
    for (std::size_t i = 0; i < kernels.size(); ++i) {
        CAPTURE(kernels[i]);
        Operation row = find_operation(kernels[i]);
        Trial trial;
        Call& call = trial.call;
        call.root = 1;
        for (const int element : {0, 3, 7}) {
            CAPTURE(element);
            trial.set_length(++length);
            if (row.setup != nullptr)
                REQUIRE(row.setup(call) == MPI_SUCCESS);
            row.call = find_operation(kernels[i]).call;
            CHECK(delivers_right(row, call));
            call.chunks = MessagePlaces(row, call, sizeof(int), true)(0, element);
            row.call = broken[i];
            CHECK(delivers_right(row, call) == (call.rank != 0));
            if (row.teardown != nullptr)
                REQUIRE(row.teardown(call) == MPI_SUCCESS);
            call.faces.clear();
            call.types.clear();
        }
    }
}

TEST_CASE("another operator than the suite's is noticed") {
    Trial trial;
    for (std::size_t stated = 0; stated < operators.size(); ++stated)
        for (std::size_t used = 0; used < operators.size(); ++used) {
            CAPTURE(operators[stated]);
            CAPTURE(operators[used]);
            trial.call.reduction = reduction_handle(operators[stated]);
            trial.call.chunks = static_cast<std::int64_t>(used);
            CHECK(trial.right(Delivers::reduced_all, allreduce_otherwise, true) == (stated == used));
        }
}

TEST_CASE("in place the messages are expected where they are received") {
    Trial trial;
    trial.call.reduction = MPI_SUM;
    trial.call.in_place = true;
    CHECK(trial.right(Delivers::reduced_all, allreduce_in_place, true));
    CHECK_FALSE(trial.right(Delivers::reduced_all, nothing_done, true));
    CHECK(trial.right(Delivers::gathered_all, allgather_in_place, false));
    trial.set_length(32);
    CHECK_FALSE(trial.right(Delivers::gathered_all, nothing_done, false));
    trial.set_length(16);
    trial.call.in_place = false;
    CHECK_FALSE(trial.right(Delivers::gathered_all, allgather_in_place, false));
}

TEST_CASE("one wrong byte is noticed wherever it lies, at once or after many calls") {
    Trial trial;
    const std::int64_t bytes = 1'000'003;
    std::vector<std::byte> send(static_cast<std::size_t>(bytes));
    std::vector<std::byte> receive(static_cast<std::size_t>(bytes));
    Call& call = trial.call;
    call.send = send.data();
    call.receive = receive.data();
    call.comm = MPI_COMM_SELF;
    call.rank = 0;
    call.size = 1;
    call.type = MPI_BYTE;
    call.count = call.message_bytes = bytes;
    const Operation copy = {.pattern = Pattern::collective,
                            .send = Extent::one,
                            .receive = Extent::per_rank,
                            .delivers = Delivers::gathered_all,
                            .call = [](Call& c) {
                                std::memcpy(c.receive, c.send, static_cast<std::size_t>(c.count));
                                if (c.chunks >= 0)
                                    c.receive[c.chunks] ^= std::byte{1};
                                return MPI_SUCCESS;
                            }};
    for (const std::int64_t place : {std::int64_t{0}, std::int64_t{5000}, bytes / 2, bytes - 1}) {
        CAPTURE(place);
        call.chunks = place;
        CHECK_FALSE(delivers_right(copy, call));
        call.chunks = -1;
        CHECK(delivers_right(copy, call));
        CHECK(left_right(copy, call));
        receive[static_cast<std::size_t>(place)] ^= std::byte{1};
        CHECK_FALSE(left_right(copy, call));
    }
    for (const std::int64_t shift : {1, 256, 65536}) { // the data of another place
        CAPTURE(shift);
        CHECK(delivers_right(copy, call));
        std::memmove(receive.data(), receive.data() + shift, static_cast<std::size_t>(bytes - shift));
        CHECK_FALSE(left_right(copy, call));
    }
}

TEST_CASE("data from an offset cut to fewer bits are noticed above 2 GiB") {
    Trial trial;
    const std::int64_t bytes = 5 * gibibyte + 8;
    const SparseMemory send(bytes);
    const SparseMemory receive(bytes);
    Call& call = trial.call;
    call.send = send.data();
    call.receive = receive.data();
    call.comm = MPI_COMM_SELF;
    call.rank = 0;
    call.size = 1;
    for (const bool reduces : {false, true})
        for (const MPI_Datatype type : {MPI_BYTE, MPI_INT, MPI_DOUBLE}) {
            call.type = type;
            call.reduction = type == MPI_DOUBLE ? MPI_SUM : MPI_BOR;
            call.count = bytes / type_size(type);
            call.message_bytes = bytes;
            const Delivers delivers = reduces ? Delivers::reduced_all : Delivers::gathered_all;
            for (const std::int64_t offset : {gibibyte, 2 * gibibyte, 4 * gibibyte}) {
                CAPTURE(offset);
                call.chunks = bytes;
                CHECK(trial.right(delivers, copy_from_too_low, reduces));
                call.chunks = offset;
                CHECK_FALSE(trial.right(delivers, copy_from_too_low, reduces));
            }
        }
}

TEST_CASE("elements are as long as the plan counts them, and every name of the plan is MPI's") {
    for (const DatatypeInfo& datatype : known_datatypes) {
        CAPTURE(datatype.name);
        CHECK(type_size(datatype_handle(std::string(datatype.name))) == static_cast<int>(datatype.bytes));
    }
    for (const ReductionInfo& reduction : known_reductions) {
        CAPTURE(reduction.name);
        CHECK(reduction_handle(std::string(reduction.name)) != MPI_OP_NULL);
    }
    CHECK(reduction_handle("MPI_LXOR") == MPI_LXOR);
    CHECK_THROWS_AS((void)datatype_handle("MPI_INTEGER"), InputError);
    CHECK_THROWS_AS((void)reduction_handle("MPI_MAXLOC"), InputError);
}
