#include "verify/probe.hpp"

#include "base/error.hpp"
#include "base/file.hpp"
#include "interruption/process_guards.hpp"
#include "operations/all_operations.hpp"
#include "operations/operation.hpp"
#include "runs/told_by_supervisor.hpp"
#ifndef SKAMPI_SIMULATED
#include "mpi/control_variables.hpp"
#endif

#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <fmt/format.h>
#include <mpi.h>
#include <optional>
#include <string_view>
#include <unistd.h>
#include <utility>
#include <vector>

namespace skampi {
namespace {

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

/// Calls an operation on blocks of the message length, one for each rank. @return class of its error
int error_of(const Operation& operation, int bytes, int element, int rank, int ranks) {
    const auto all = static_cast<std::size_t>(ranks);
    const std::int64_t count = bytes / element;
    std::vector<std::byte> send(all * static_cast<std::size_t>(bytes) + 1);
    std::vector<std::byte> receive(send.size());
    Call call;
    call.send = send.data();
    call.receive = receive.data();
    call.message_bytes = bytes;
    call.count = count;
    call.type = element == 8 ? MPI_INT64_T : element == 4 ? MPI_INT32_T : MPI_BYTE;
    call.comm = MPI_COMM_WORLD;
    call.rank = rank;
    call.size = ranks;
    call.counts = Counts(std::vector<MPI_Count>(all, count));
    std::vector<MPI_Aint> places;
    for (int each = 0; each < ranks; ++each)
        places.push_back(each * (operation.displaced == Displaced::by_bytes ? count * element : count));
    call.displacements = Displacements(std::move(places));
    int error_class = 0;
    MPI_Error_class(
        first_error({operation.setup ? operation.setup(call) : MPI_SUCCESS, operation.call(call)}),
        &error_class);
    return error_class;
}

std::optional<int> answer_to(const std::string& question, int rank, int ranks) {
    if (const std::size_t colon = question.find(':'); colon != std::string::npos) {
        const Operation& operation = find_operation(question.substr(0, colon), all_operations());
        const auto numbers = numbers_of(std::string_view(question).substr(colon + 1));
        if (!numbers || operation.pattern != Pattern::collective)
            throw InputError(fmt::format("found \"{}\", expected COLLECTIVE:BYTES", question));
        return error_of(operation, numbers->first, numbers->second, rank, ranks);
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
        if (const std::optional<int> answer = answer_to(question, rank, ranks))
            write_standard_output(fmt::format("skampi-probe {} {} {}\n", rank, question, *answer));
    MPI_Finalize();
    return 0;
}

} // namespace skampi
