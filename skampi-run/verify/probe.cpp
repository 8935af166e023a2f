#include "verify/probe.hpp"

#include "base/error.hpp"
#include "base/file.hpp"
#include "interruption/abandoned_start.hpp"
#include "runs/told_by_supervisor.hpp"
#ifndef SKAMPI_SIMULATED
#include "mpi/control_variables.hpp"
#endif

#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <fmt/format.h>
#include <functional>
#include <map>
#include <mpi.h>
#include <optional>
#include <string_view>
#include <unistd.h>

namespace skampi {
namespace {

/// A call on blocks of the message length, one for each rank.
struct ProbedCall {
    int ranks = 1;
    int count = 0; ///< elements of a block
    MPI_Datatype type = MPI_BYTE;
    std::vector<char> send;
    std::vector<char> receive;
    std::vector<int> counts;
    std::vector<int> places;
    std::vector<int> byte_places;
    std::vector<MPI_Datatype> types;
};

using Probed = std::function<int(ProbedCall&, MPI_Comm)>;

const std::map<std::string, Probed, std::less<>>& probed_calls() {
    static const std::map<std::string, Probed, std::less<>> calls = {
        {"MPI_Allgather",
         [](ProbedCall& c, MPI_Comm comm) {
             return MPI_Allgather(c.send.data(), c.count, c.type, c.receive.data(), c.count, c.type, comm);
         }},
        {"MPI_Allgatherv",
         [](ProbedCall& c, MPI_Comm comm) {
             return MPI_Allgatherv(c.send.data(), c.count, c.type, c.receive.data(), c.counts.data(),
                                   c.places.data(), c.type, comm);
         }},
        {"MPI_Allreduce",
         [](ProbedCall& c, MPI_Comm comm) {
             return MPI_Allreduce(c.send.data(), c.receive.data(), c.count, c.type, MPI_BOR, comm);
         }},
        {"MPI_Alltoall",
         [](ProbedCall& c, MPI_Comm comm) {
             return MPI_Alltoall(c.send.data(), c.count, c.type, c.receive.data(), c.count, c.type, comm);
         }},
        {"MPI_Alltoallv",
         [](ProbedCall& c, MPI_Comm comm) {
             return MPI_Alltoallv(c.send.data(), c.counts.data(), c.places.data(), c.type, c.receive.data(),
                                  c.counts.data(), c.places.data(), c.type, comm);
         }},
        {"MPI_Alltoallw",
         [](ProbedCall& c, MPI_Comm comm) {
             return MPI_Alltoallw(c.send.data(), c.counts.data(), c.byte_places.data(), c.types.data(),
                                  c.receive.data(), c.counts.data(), c.byte_places.data(), c.types.data(),
                                  comm);
         }},
        {"MPI_Barrier", [](ProbedCall&, MPI_Comm comm) { return MPI_Barrier(comm); }},
        {"MPI_Bcast",
         [](ProbedCall& c, MPI_Comm comm) { return MPI_Bcast(c.send.data(), c.count, c.type, 0, comm); }},
        {"MPI_Exscan",
         [](ProbedCall& c, MPI_Comm comm) {
             return MPI_Exscan(c.send.data(), c.receive.data(), c.count, c.type, MPI_BOR, comm);
         }},
        {"MPI_Gather",
         [](ProbedCall& c, MPI_Comm comm) {
             return MPI_Gather(c.send.data(), c.count, c.type, c.receive.data(), c.count, c.type, 0, comm);
         }},
        {"MPI_Gatherv",
         [](ProbedCall& c, MPI_Comm comm) {
             return MPI_Gatherv(c.send.data(), c.count, c.type, c.receive.data(), c.counts.data(),
                                c.places.data(), c.type, 0, comm);
         }},
        {"MPI_Reduce",
         [](ProbedCall& c, MPI_Comm comm) {
             return MPI_Reduce(c.send.data(), c.receive.data(), c.count, c.type, MPI_BOR, 0, comm);
         }},
        {"MPI_Reduce_scatter",
         [](ProbedCall& c, MPI_Comm comm) {
             return MPI_Reduce_scatter(c.send.data(), c.receive.data(), c.counts.data(), c.type, MPI_BOR,
                                       comm);
         }},
        {"MPI_Reduce_scatter_block",
         [](ProbedCall& c, MPI_Comm comm) {
             return MPI_Reduce_scatter_block(c.send.data(), c.receive.data(), c.count, c.type, MPI_BOR, comm);
         }},
        {"MPI_Scan",
         [](ProbedCall& c, MPI_Comm comm) {
             return MPI_Scan(c.send.data(), c.receive.data(), c.count, c.type, MPI_BOR, comm);
         }},
        {"MPI_Scatter",
         [](ProbedCall& c, MPI_Comm comm) {
             return MPI_Scatter(c.send.data(), c.count, c.type, c.receive.data(), c.count, c.type, 0, comm);
         }},
        {"MPI_Scatterv",
         [](ProbedCall& c, MPI_Comm comm) {
             return MPI_Scatterv(c.send.data(), c.counts.data(), c.places.data(), c.type, c.receive.data(),
                                 c.count, c.type, 0, comm);
         }},
    };
    return calls;
}

/// The numbers of "MPI_Bcast:65536:8".
std::optional<std::pair<int, int>> numbers_of(std::string_view text) {
    int bytes = 0;
    int element = 1;
    const char* const end = text.data() + text.size();
    auto read = std::from_chars(text.data(), end, bytes);
    if (read.ec == std::errc() && read.ptr != end && *read.ptr == ':')
        read = std::from_chars(read.ptr + 1, end, element);
    if (read.ec != std::errc() || read.ptr != end || bytes < 0 ||
        (element != 1 && element != 4 && element != 8))
        return std::nullopt;
    return std::pair(bytes, element);
}

ProbedCall prepared(int bytes, int element, int ranks) {
    ProbedCall call;
    call.ranks = ranks;
    call.type = element == 8 ? MPI_INT64_T : element == 4 ? MPI_INT32_T : MPI_BYTE;
    call.count = bytes / element;
    const std::size_t all = static_cast<std::size_t>(ranks) * static_cast<std::size_t>(bytes) + 1;
    call.send.resize(all);
    call.receive.resize(all);
    for (int rank = 0; rank < ranks; ++rank) {
        call.counts.push_back(call.count);
        call.places.push_back(rank * call.count);
        call.byte_places.push_back(rank * call.count * element);
        call.types.push_back(call.type);
    }
    return call;
}

std::optional<int> answer_to(const std::string& question, int ranks) {
    const std::size_t colon = question.find(':');
    const auto call = probed_calls().find(question.substr(0, colon));
    if (colon != std::string::npos && call != probed_calls().end()) {
        const auto numbers = numbers_of(std::string_view(question).substr(colon + 1));
        if (!numbers)
            throw InputError(fmt::format("found \"{}\", expected OPERATION:BYTES", question));
        ProbedCall buffers = prepared(numbers->first, numbers->second, ranks);
        const int code = call->second(buffers, MPI_COMM_WORLD);
        int error_class = 0;
        MPI_Error_class(code, &error_class);
        return error_class;
    }
#ifndef SKAMPI_SIMULATED
    return ControlVariables().read(question);
#else
    return std::nullopt;
#endif
}

} // namespace

int answer_probe(const std::vector<std::string>& questions, double longest_s, int argc, char** argv) {
    // A rank whose launcher was killed in the middle of starting the job, or whose partner never comes, waits
    // in the library and would do so for ever.
#ifndef SKAMPI_SIMULATED // ranks share a process
    const char* const supervisor = std::getenv(supervisor_variable);
    const EndsWithSupervisor guard(supervisor == nullptr ? "" : supervisor);
#endif
    alarm(static_cast<unsigned>(std::ceil(longest_s)));
    MPI_Init(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    int rank = 0;
    int ranks = 1;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    for (const std::string& question : questions)
        if (const std::optional<int> answer = answer_to(question, ranks))
            write_standard_output(fmt::format("skampi-probe {} {} {}\n", rank, question, *answer));
    MPI_Finalize();
    return 0;
}

} // namespace skampi
