// SPDX-License-Identifier: GPL-2.0-or-later
// Preloaded before MPICH, gives the algorithms of MPI_Bcast times that are known: a call takes
//
//   SKAMPI_BCAST_US x (2 + k) / 2
//
// from its beginning on, where k is the number that MPIR_CVAR_BCAST_INTRA_ALGORITHM holds on this rank as it
// begins (0 = the library's own choice: SKAMPI_BCAST_DEFAULT is its factor). The algorithm itself is called,
// and is done long before that. With SKAMPI_BCAST_LOOPS so many rounds of a loop, times the same factor, come
// behind the algorithm instead: work, whose time depends on what else the machine does. With
// SKAMPI_BCAST_CALLS=FILE each rank says at the end in FILE.RANK how many calls there were of each number.
// On rank SKAMPI_DEAF_RANK writing that variable changes nothing, and returns success.
#include <cstdlib>
#include <fstream>
#include <map>
#include <mpi.h>
#include <string>

namespace {

constexpr const char* variable = "MPIR_CVAR_BCAST_INTRA_ALGORITHM";

double number_of(const char* name, double otherwise) {
    const char* const text = std::getenv(name);
    return text == nullptr ? otherwise : std::atof(text);
}

MPI_T_cvar_handle handle_of_variable() {
    int provided = 0;
    int index = 0;
    int count = 0;
    MPI_T_cvar_handle handle = MPI_T_CVAR_HANDLE_NULL;
    if (PMPI_T_init_thread(MPI_THREAD_SINGLE, &provided) != MPI_SUCCESS ||
        PMPI_T_cvar_get_index(variable, &index) != MPI_SUCCESS ||
        PMPI_T_cvar_handle_alloc(index, nullptr, &handle, &count) != MPI_SUCCESS)
        std::abort(); // a test would pass without testing anything
    return handle;
}

int chosen() {
    static const MPI_T_cvar_handle handle = handle_of_variable();
    int number = 0;
    if (PMPI_T_cvar_read(handle, &number) != MPI_SUCCESS)
        std::abort();
    return number;
}

/// By number.
std::map<int, long>& calls() {
    static std::map<int, long> counted;
    return counted;
}

/// Handles are opaque: the one of the variable is known by what its rank asked for.
MPI_T_cvar_handle handle_that_was_made = MPI_T_CVAR_HANDLE_NULL;

bool is_deaf() {
    static const int deaf = static_cast<int>(number_of("SKAMPI_DEAF_RANK", -1));
    int begun = 0;
    int rank = -1;
    PMPI_Initialized(&begun);
    if (begun != 0)
        PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    return deaf >= 0 && rank == deaf;
}

/// In registers: some processors forward what was stored at one time and rename it at another, and take a
/// third less for the same loop.
void work(double rounds) {
    unsigned long state = 1;
    for (long left = static_cast<long>(rounds); left > 0; --left) {
        state = state * 6364136223846793005UL + 1;
        asm volatile("" : "+r"(state)); // no compiler does it at once
    }
}

} // namespace

extern "C" int MPI_T_cvar_handle_alloc(int index, void* object, MPI_T_cvar_handle* handle, int* count) {
    const int result = PMPI_T_cvar_handle_alloc(index, object, handle, count);
    int wanted = -1;
    if (result == MPI_SUCCESS && PMPI_T_cvar_get_index(variable, &wanted) == MPI_SUCCESS && index == wanted)
        handle_that_was_made = *handle;
    return result;
}

extern "C" int MPI_T_cvar_write(MPI_T_cvar_handle handle, const void* value) {
    if (handle == handle_that_was_made && is_deaf())
        return MPI_SUCCESS;
    return PMPI_T_cvar_write(handle, value);
}

extern "C" int MPI_Bcast(void* buffer, int count, MPI_Datatype type, int root, MPI_Comm comm) {
    static const double unit_s = number_of("SKAMPI_BCAST_US", 0) * 1e-6;
    static const double loops = number_of("SKAMPI_BCAST_LOOPS", 0);
    static const double of_default = number_of("SKAMPI_BCAST_DEFAULT", 1);
    const int number = chosen();
    ++calls()[number];
    const double factor = number == 0 ? of_default : (2.0 + number) / 2;
    const double until_s = PMPI_Wtime() + unit_s * factor;
    const int result = PMPI_Bcast(buffer, count, type, root, comm);
    work(loops * factor);
    while (PMPI_Wtime() < until_s)
        ;
    return result;
}

extern "C" int MPI_Finalize() {
    int rank = 0;
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (const char* const file = std::getenv("SKAMPI_BCAST_CALLS"); file != nullptr) {
        std::ofstream out(file + ("." + std::to_string(rank)));
        for (const auto& [number, count] : calls())
            out << number << ' ' << count << '\n';
    }
    return PMPI_Finalize();
}
