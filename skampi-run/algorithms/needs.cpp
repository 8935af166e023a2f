// SPDX-License-Identifier: LGPL-2.1-or-later
#include "algorithms/needs.hpp"

#include <algorithm>
#include <array>

namespace skampi {
namespace {

struct CautionRow {
    std::string_view layer;
    std::string_view operation; ///< empty = any
    std::string_view word;      ///< empty = any
    Caution caution;
};

constexpr std::string_view shared_memory =
    "acts only where the library uses shared-memory collectives (not with ch4:ucx)";

constexpr std::string_view in_silence = "not refused where it cannot work: then it is the default";

// The first row that fits counts.
constexpr auto rows = std::to_array<CautionRow>({
    // MPICH 4.0.2, src/mpi/coll/coll_algorithms.txt, "restrictions"; with MPIR_CVAR_COLLECTIVE_FALLBACK=error
    // the library refuses what does not meet them
    {"mpich", "MPI_Allgather", "recursive_doubling", {Need::power_of_two_ranks, ""}},
    {"mpich", "MPI_Allgatherv", "recursive_doubling", {Need::power_of_two_ranks, ""}},
    {"mpich", "", "pairwise_sendrecv_replace", {Need::in_place, ""}},
    {"mpich", "MPI_Allreduce", "reduce_scatter_allgather", {Need::an_element_each, ""}},
    {"mpich", "MPI_Allreduce", "smp", {Need::a_commutative_operator, in_silence}},
    {"mpich", "MPI_Bcast", "scatter_recursive_doubling_allgather", {Need::power_of_two_ranks, ""}},
    {"mpich", "MPI_Reduce", "reduce_scatter_gather", {Need::an_element_each, ""}},
    {"mpich", "MPI_Reduce", "smp", {Need::a_commutative_operator, in_silence}},
    {"mpich", "", "smp", {Need::nothing, in_silence}},
    {"mpich", "MPI_Reduce_scatter", "noncommutative", {Need::power_of_two_ranks, ""}},
    {"mpich", "MPI_Reduce_scatter_block", "noncommutative", {Need::power_of_two_ranks, ""}},
    {"mpich", "MPI_Reduce_scatter", "pairwise", {Need::a_commutative_operator, ""}},
    {"mpich", "MPI_Reduce_scatter_block", "pairwise", {Need::a_commutative_operator, ""}},
    {"mpich", "MPI_Reduce_scatter", "recursive_halving", {Need::a_commutative_operator, ""}},
    {"mpich", "MPI_Reduce_scatter_block", "recursive_halving", {Need::a_commutative_operator, ""}},
    {"mpich shared memory", "", "", {Need::nothing, shared_memory}},
    // Open MPI 4.1.4, ompi/mca/coll/base/coll_base_*.c: two_proc returns an error with other numbers, the
    // others take another algorithm in silence
    {"open mpi tuned", "", "two_proc", {Need::two_ranks, ""}},
    {"open mpi tuned", "MPI_Allgather", "recursive_doubling", {Need::power_of_two_ranks, "else it is bruck"}},
    {"open mpi tuned", "MPI_Allgather", "neighbor", {Need::even_ranks, "else it is ring"}},
    {"open mpi tuned", "MPI_Allgatherv", "neighbor", {Need::even_ranks, "else it is ring"}},
    {"open mpi tuned", "MPI_Allreduce", "ring", {Need::an_element_each, "else it is recursive_doubling"}},
    {"open mpi tuned",
     "MPI_Allreduce",
     "segmented_ring",
     {Need::a_segment_size, "with coll_tuned_allreduce_algorithm_segmentsize = 0, the default, it is ring"}},
    {"open mpi libnbc", "", "", {Need::nothing, "read before MPI_Init alone: measure it with --variant"}},
    // SimGrid 3.32: its own messages ("can't be used with non power of two number of processes")
    {"simgrid", "MPI_Allgather", "pair", {Need::power_of_two_ranks, ""}},
    {"simgrid", "MPI_Allgather", "rhv", {Need::power_of_two_ranks, ""}},
    {"simgrid", "MPI_Allgatherv", "pair", {Need::power_of_two_ranks, ""}},
    {"simgrid", "MPI_Allreduce", "rab1", {Need::power_of_two_ranks, ""}},
    {"simgrid", "MPI_Allreduce", "smp_rsag_rab", {Need::power_of_two_ranks, ""}},
    {"simgrid", "MPI_Alltoall", "pair", {Need::power_of_two_ranks, ""}},
    {"simgrid", "MPI_Alltoallv", "pair", {Need::power_of_two_ranks, ""}},
    {"simgrid", "MPI_Reduce_scatter", "mpich_noncomm", {Need::power_of_two_ranks, ""}},
    {"simgrid", "MPI_Allgather", "ompi_neighborexchange", {Need::even_ranks, ""}},
    {"simgrid", "MPI_Allgatherv", "ompi_neighborexchange", {Need::even_ranks, ""}},
    {"simgrid", "MPI_Barrier", "ompi_two_procs", {Need::two_ranks, ""}},
    // seen with 16 hosts of one rank each: the simulation ends with a segmentation fault or an assertion,
    // also
    // where the configuration chooses them
    {"simgrid", "MPI_Bcast", "arrival_scatter", {Need::another_version, ""}},
    {"simgrid", "MPI_Bcast", "NTSB", {Need::another_version, ""}},
    {"simgrid", "MPI_Bcast", "SMP_linear", {Need::another_version, ""}},
    {"simgrid", "MPI_Bcast", "ompi_split_bintree", {Need::another_version, ""}},
    {"simgrid", "MPI_Alltoall", "pair_rma", {Need::another_version, ""}},
    {"simgrid", "MPI_Reduce", "arrival_pattern_aware", {Need::another_version, ""}},
    {"simgrid", "", "automatic", {Need::another_version, "tries all others at each call"}},
    {"simgrid", "", "ompi", {Need::nothing, "chooses as Open MPI does"}},
    {"simgrid", "", "mpich", {Need::nothing, "chooses as MPICH does"}},
    {"simgrid", "", "mvapich2", {Need::nothing, "chooses as MVAPICH2 does"}},
    {"simgrid", "", "mvapich2_two_level", {Need::nothing, "a two-level algorithm of MVAPICH2"}},
    {"simgrid", "", "impi", {Need::nothing, "chooses as Intel MPI does"}},
});

} // namespace

Caution caution_of(const AlgorithmChoice& choice) {
    const auto* const row = std::ranges::find_if(rows, [&](const CautionRow& each) {
        return each.layer == choice.layer && (each.operation.empty() || each.operation == choice.operation) &&
               (each.word.empty() || each.word == choice.word);
    });
    return row == rows.end() ? Caution{} : row->caution;
}

} // namespace skampi
