// SPDX-License-Identifier: GPL-2.0-or-later
// Calls collectives and prints the classes of their errors: "call-probe RANK QUESTION CLASS" for each question
// "MPI_Bcast:65536:8" (bytes of our message length, bytes of an element).
#include "operations/all_operations.hpp"
#include "operations/operation.hpp"

#include <cstddef>
#include <cstdint>
#include <iostream>
#include <mpi.h>
#include <sstream>
#include <string>
#include <unistd.h>
#include <utility>
#include <vector>

using namespace skampi;

namespace {

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

} // namespace

int main(int argc, char** argv) {
    constexpr unsigned longest_s = 120; // a call whose ranks choose different algorithms may never return
    alarm(longest_s);
    MPI_Init(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    int rank = 0;
    int ranks = 1;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    for (int i = 1; i < argc; ++i) {
        const std::string question = argv[i];
        const std::size_t colon = question.find(':');
        std::istringstream numbers(question.substr(colon + 1));
        int bytes = 0;
        int element = 1;
        char between = ':';
        numbers >> bytes >> between >> element;
        const int error =
            error_of(find_operation(question.substr(0, colon), all_operations()), bytes, element, rank, ranks);
        std::ostringstream line; // whole, since launchers mix what ranks say
        line << "call-probe " << rank << " " << question << " " << error << "\n";
        std::cout << line.str() << std::flush;
    }
    MPI_Finalize();
    return 0;
}
