// SPDX-License-Identifier: LGPL-2.1-or-later
// Neighbourhood collectives on a periodic two-dimensional Cartesian grid, made in `setup` of all ranks of the
// communicator. One row each.
#include "operations/begun.hpp"
#include "operations/tables.hpp"

#include <array>

namespace skampi {
namespace {

#ifdef SKAMPI_HAVE_MPI_NEIGHBOR_ALLTOALL
int make_grid(Call& c) {
    std::array<int, 2> extents = {0, 0};
    const std::array<int, 2> periodic = {1, 1};
    if (const int code = MPI_Dims_create(c.size, 2, extents.data()); code != MPI_SUCCESS)
        return code;
    return MPI_Cart_create(c.comm, 2, extents.data(), periodic.data(), 0, &c.made);
}
int free_grid(Call& c) {
    return c.made == MPI_COMM_NULL ? MPI_SUCCESS : MPI_Comm_free(&c.made);
}
int neighbor_allgather(Call& c) {
    return SKAMPI_COUNTED(MPI_Neighbor_allgather)(c.send, c.count, c.type, c.receive, c.count, c.type,
                                                  c.made);
}
int neighbor_alltoall(Call& c) {
    return SKAMPI_COUNTED(MPI_Neighbor_alltoall)(c.send, c.count, c.type, c.receive, c.count, c.type, c.made);
}
int ineighbor_allgather(Call& c, MPI_Request* request) {
    return SKAMPI_COUNTED(MPI_Ineighbor_allgather)(c.send, c.count, c.type, c.receive, c.count, c.type,
                                                   c.made, request);
}
int ineighbor_alltoall(Call& c, MPI_Request* request) {
    return SKAMPI_COUNTED(MPI_Ineighbor_alltoall)(c.send, c.count, c.type, c.receive, c.count, c.type, c.made,
                                                  request);
}
#define GRID_ROWS(begin, row) begun<begin>(row)
#else
constexpr CallFunction make_grid = nullptr;
constexpr CallFunction free_grid = nullptr;
constexpr CallFunction neighbor_allgather = nullptr;
constexpr CallFunction neighbor_alltoall = nullptr;
#define GRID_ROWS(begin, row) lacking(row)
#endif

Operation on_grid(const char* name, const char* title, Extent send, Delivers delivers, CallFunction call) {
    Operation row = collective_row(0, name, send, Extent::per_neighbour, delivers, call);
    row.title = title;
    row.setup = make_grid;
    row.teardown = free_grid;
    return row;
}

} // namespace

std::vector<Operation> neighbourhood_operations() {
    using enum Extent;
    using enum Delivers;
    return joined({
        {on_grid("MPI_Neighbor_allgather", "MPI_Neighbor_allgather on a periodic 2-D grid", one,
                 from_neighbours, neighbor_allgather),
         on_grid("MPI_Neighbor_alltoall", "MPI_Neighbor_alltoall on a periodic 2-D grid", per_neighbour,
                 exchanged_with_neighbours, neighbor_alltoall)},
        GRID_ROWS(ineighbor_allgather,
                  on_grid("MPI_Ineighbor_allgather", "MPI_Ineighbor_allgather on a periodic 2-D grid", one,
                          from_neighbours, nullptr)),
        GRID_ROWS(ineighbor_alltoall,
                  on_grid("MPI_Ineighbor_alltoall", "MPI_Ineighbor_alltoall on a periodic 2-D grid",
                          per_neighbour, exchanged_with_neighbours, nullptr)),
    });
}

} // namespace skampi
