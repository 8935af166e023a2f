// SPDX-License-Identifier: LGPL-2.1-or-later
#include "own_functions/c_conversion.hpp"
#include "own_functions/own_operations.hpp"
#include "skampi/mpi.h"
#include "skampi/mpi.hpp"

#include <exception>
#include <fmt/format.h>
#include <new>
#include <stdexcept>
#include <string>
#include <vector>

struct skampi_mpi_program {
    std::vector<skampi::MpiFunction> functions;
};

// Only named: what is handed out is an MpiCall.
struct skampi_mpi_call {};

namespace {

// C asks for it after the call that failed, as with errno: the only state that outlives one.
thread_local std::string last_error;

static_assert(unsigned{SKAMPI_MPI_LENGTH} == skampi::length_bit &&
              unsigned{SKAMPI_MPI_NODES} == skampi::nodes_bit &&
              unsigned{SKAMPI_MPI_CHUNKS} == skampi::chunks_bit);

const skampi_mpi_call* to_c(const skampi::MpiCall& call) {
    return reinterpret_cast<const skampi_mpi_call*>(&call);
}
const skampi::MpiCall& from_c(const skampi_mpi_call* call) {
    return *reinterpret_cast<const skampi::MpiCall*>(call);
}

skampi::Pattern pattern_of(int pattern) {
    switch (pattern) {
    case SKAMPI_MPI_PING_PONG:
        return skampi::Pattern::ping_pong;
    case SKAMPI_MPI_MASTER_WORKER:
        return skampi::Pattern::master_worker;
    case SKAMPI_MPI_COLLECTIVE:
        return skampi::Pattern::collective;
    case SKAMPI_MPI_SIMPLE:
        return skampi::Pattern::simple;
    default:
        throw std::invalid_argument(
            fmt::format("found the pattern {}, expected one of skampi_mpi_pattern", pattern));
    }
}

skampi::Meaning meaning_of(int meaning) {
    switch (meaning) {
    case SKAMPI_MPI_BY_PATTERN:
        return skampi::Meaning::unknown;
    case SKAMPI_MPI_ROUND_TRIP:
        return skampi::Meaning::round_trip;
    case SKAMPI_MPI_ONE_WAY:
        return skampi::Meaning::one_way;
    case SKAMPI_MPI_EXCHANGE:
        return skampi::Meaning::exchange;
    case SKAMPI_MPI_WINDOW:
        return skampi::Meaning::window;
    case SKAMPI_MPI_ONE_SIDED:
        return skampi::Meaning::one_sided;
    default:
        throw std::invalid_argument(
            fmt::format("found the meaning {}, expected one of skampi_mpi_meaning", meaning));
    }
}

skampi::Extent extent_of(int messages) {
    switch (messages) {
    case 0:
        return skampi::Extent::none;
    case 1:
        return skampi::Extent::one;
    case -1:
        return skampi::Extent::per_rank;
    default:
        throw std::invalid_argument(
            fmt::format("found a buffer of {} messages, expected 0, 1 or -1", messages));
    }
}

skampi::MpiFunction to_function(const skampi_mpi_function& f) {
    using skampi::MpiCall;
    skampi::MpiFunction function;
    function.name = skampi::text_from_c(f.name);
    function.title = skampi::text_from_c(f.title);
    function.type = f.type;
    function.pattern = pattern_of(f.pattern);
    function.meaning = meaning_of(f.meaning);
    function.varied = skampi::varied_from_c(f.varied);
    function.send = extent_of(f.send_messages);
    function.receive = extent_of(f.receive_messages);
    function.messages = f.messages;
    void* const user = f.user;
    if (f.setup != nullptr)
        function.setup = [part = f.setup, user](const MpiCall& call) {
            if (const int code = part(to_c(call), user); code != MPI_SUCCESS)
                throw std::runtime_error(fmt::format("the code {}", code));
        };
    const auto part_of =
        [user](int (*part)(const skampi_mpi_call*, void*)) -> std::function<int(const MpiCall&)> {
        if (part == nullptr)
            return {};
        return [part, user](const MpiCall& call) { return part(to_c(call), user); };
    };
    function.call = part_of(f.call);
    function.partner = part_of(f.partner);
    function.between = part_of(f.between);
    if (f.check != nullptr)
        function.check = [part = f.check, user](const MpiCall& call) { return part(to_c(call), user) != 0; };
    if (f.teardown != nullptr)
        function.teardown = [part = f.teardown, user](const MpiCall& call) { part(to_c(call), user); };
    return function;
}

} // namespace

extern "C" {

MPI_Comm skampi_mpi_comm(const skampi_mpi_call* call) {
    return from_c(call).comm;
}
MPI_Fint skampi_mpi_comm_f(const skampi_mpi_call* call) {
    return MPI_Comm_c2f(from_c(call).comm);
}
int skampi_mpi_rank(const skampi_mpi_call* call) {
    return from_c(call).rank;
}
int skampi_mpi_size(const skampi_mpi_call* call) {
    return from_c(call).size;
}
int skampi_mpi_partner(const skampi_mpi_call* call) {
    return from_c(call).partner;
}
int64_t skampi_mpi_message_bytes(const skampi_mpi_call* call) {
    return from_c(call).message_bytes;
}
int64_t skampi_mpi_chunks(const skampi_mpi_call* call) {
    return from_c(call).chunks;
}
void* skampi_mpi_send_buffer(const skampi_mpi_call* call) {
    return from_c(call).send;
}
void* skampi_mpi_receive_buffer(const skampi_mpi_call* call) {
    return from_c(call).receive;
}

skampi_mpi_program* skampi_mpi_program_create() {
    last_error.clear();
    return new (std::nothrow) skampi_mpi_program;
}

int skampi_mpi_program_add(skampi_mpi_program* program, const skampi_mpi_function* function) {
    last_error.clear();
    if (program == nullptr || function == nullptr) {
        last_error = "found a null pointer, expected a program and an operation";
        return SKAMPI_MPI_BAD_INPUT;
    }
    try {
        std::vector<skampi::MpiFunction> functions = program->functions;
        functions.push_back(to_function(*function));
        (void)skampi::operations_with(functions);
        program->functions = std::move(functions);
    } catch (const std::bad_alloc&) {
        return SKAMPI_MPI_IMPOSSIBLE;
    } catch (const std::exception& error) {
        last_error = error.what();
        return SKAMPI_MPI_BAD_INPUT;
    }
    return SKAMPI_MPI_OK;
}

int skampi_mpi_program_run(skampi_mpi_program* program, int argc, char** argv) {
    if (program == nullptr)
        return SKAMPI_MPI_BAD_INPUT;
    return skampi::measure_mpi_functions(argc, argv, program->functions);
}

void skampi_mpi_program_free(skampi_mpi_program* program) {
    delete program;
}

const char* skampi_mpi_last_error() {
    return last_error.c_str();
}

} // extern "C"
