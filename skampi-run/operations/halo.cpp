// SPDX-License-Identifier: LGPL-2.1-or-later
// Halo exchange: each rank of a periodic grid of 1, 2 or 3 dimensions sends the faces of its box to its
// neighbours and receives theirs. The border of the send buffer arrives in that of the receive buffer, as in
// codes with two time levels. One row for each of MPI's means.
#include "operations/begun.hpp"
#include "operations/derived_types.hpp"
#include "operations/tables.hpp"

#include <fmt/format.h>

namespace skampi {
namespace {

/// A face as described to MPI.
struct Face {
    std::int64_t place = 0; ///< in bytes
    MPI_Count count = 0;
    MPI_Datatype type = MPI_DATATYPE_NULL;
    int neighbour = 0;
};

int sides_of(const Call& c) {
    return static_cast<int>(c.faces.size());
}
std::int64_t element_bytes(const Call& c) {
    return c.count == 0 ? 0 : c.message_bytes / c.count;
}
Face face(const Call& c, int side) {
    const auto i = static_cast<std::size_t>(side);
    return {c.displacements.as<const MPI_Aint*>()[i], c.counts.as<const MPI_Count*>()[i], c.types[i],
            c.indices[i]};
}
MPI_Request* request(Call& c, int number) {
    return &c.requests[static_cast<std::size_t>(number)];
}
/// What is sent towards a side has its number as tag, so it arrives from the opposite one.
int opposite(int side) {
    return side ^ 1;
}

int make_grid(Call& c, int dimensions) {
    std::vector<int> extents(static_cast<std::size_t>(dimensions), 0);
    const std::vector<int> periodic(extents.size(), 1);
    int code =
        first_error({MPI_Dims_create(c.size, dimensions, extents.data()),
                     MPI_Cart_create(c.comm, dimensions, extents.data(), periodic.data(), 0, &c.made)});
    c.indices.assign(2 * extents.size(), 0);
    for (std::size_t d = 0; d < extents.size(); ++d)
        code = first_error(
            {code, MPI_Cart_shift(c.made, static_cast<int>(d), 1, &c.indices[2 * d], &c.indices[2 * d + 1])});
    return code;
}

template <int Dimensions>
int make_halo(Call& c) {
    int code = make_grid(c, Dimensions);
    const HaloBox box(Dimensions, c.count);
    std::vector<MPI_Count> counts;
    std::vector<MPI_Aint> places;
    for (int side = 0; side < 2 * Dimensions; ++side) {
        c.faces.push_back(Dimensions > 1 ? box.face(side) : Strided{side * c.count, c.count, c.count});
        MPI_Datatype type = c.type;
        code = first_error({code, make_type(c.faces.back(), c.count, c.type, &type)});
        c.types.push_back(type);
        counts.push_back(type == c.type ? c.count : 1);
        places.push_back(static_cast<MPI_Aint>(c.faces.back().begin * element_bytes(c)));
    }
    c.counts = Counts(std::move(counts));
    c.displacements = Displacements(std::move(places));
    c.packed_at = HaloBox::room(Dimensions, c.count) * element_bytes(c);
    c.requests.assign(4 * Dimensions, MPI_REQUEST_NULL);
    return code;
}
int clear_halo(Call& c) {
    int code = MPI_SUCCESS;
    for (MPI_Request& each : c.requests)
        if (each != MPI_REQUEST_NULL)
            code = first_error({code, MPI_Request_free(&each)});
    code = first_error({code, free_types(c)});
    return c.made == MPI_COMM_NULL ? code : first_error({code, MPI_Comm_free(&c.made)});
}

int begin_receives(Call& c) {
    int code = MPI_SUCCESS;
    for (int side = 0; side < sides_of(c); ++side) {
        const Face f = face(c, side);
        code = first_error({code, SKAMPI_COUNTED(MPI_Irecv)(c.receive + f.place, f.count, f.type, f.neighbour,
                                                            opposite(side), c.made, request(c, side))});
    }
    return code;
}
int begin_exchange(Call& c) {
    int code = begin_receives(c);
    for (int side = 0; side < sides_of(c); ++side) {
        const Face f = face(c, side);
        code = first_error({code, SKAMPI_COUNTED(MPI_Isend)(c.send + f.place, f.count, f.type, f.neighbour,
                                                            side, c.made, request(c, sides_of(c) + side))});
    }
    return code;
}
int wait_for_faces(Call& c) {
    return MPI_Waitall(static_cast<int>(c.requests.size()), c.requests.data(), MPI_STATUSES_IGNORE);
}
int by_isend(Call& c) {
    return first_error({begin_exchange(c), wait_for_faces(c)});
}
int by_isend_computing(Call& c) {
    const int code = begin_exchange(c);
    compute(c);
    return first_error({code, wait_for_faces(c)});
}
/// One direction after the other.
int by_sendrecv(Call& c) {
    int code = MPI_SUCCESS;
    for (int side = 0; side < sides_of(c); ++side) {
        const Face to = face(c, side);
        const Face from = face(c, opposite(side));
        code = first_error(
            {code, SKAMPI_COUNTED(MPI_Sendrecv)(c.send + to.place, to.count, to.type, to.neighbour, side,
                                                c.receive + from.place, from.count, from.type, from.neighbour,
                                                side, c.made, MPI_STATUS_IGNORE)});
    }
    return code;
}
/// Faces that are not contiguous are copied by the program.
int by_packing(Call& c) {
    const int size = static_cast<int>(element_bytes(c));
    const auto packs = [&c](int side) { return c.types[static_cast<std::size_t>(side)] != c.type; };
    const auto place = [&](int side) {
        return packs(side) ? c.packed_at + side * c.message_bytes : face(c, side).place;
    };
    int code = MPI_SUCCESS;
    for (int side = 0; side < sides_of(c); ++side)
        code = first_error({code, SKAMPI_COUNTED(MPI_Irecv)(c.receive + place(side), c.count, c.type,
                                                            face(c, side).neighbour, opposite(side), c.made,
                                                            request(c, side))});
    for (int side = 0; side < sides_of(c); ++side) {
        if (packs(side))
            pack(c.send + place(side), c.send, c.faces[static_cast<std::size_t>(side)], c.count, size);
        code = first_error(
            {code, SKAMPI_COUNTED(MPI_Isend)(c.send + place(side), c.count, c.type, face(c, side).neighbour,
                                             side, c.made, request(c, sides_of(c) + side))});
    }
    code = first_error({code, wait_for_faces(c)});
    for (int side = 0; side < sides_of(c); ++side)
        if (packs(side))
            unpack(c.receive, c.receive + place(side), c.faces[static_cast<std::size_t>(side)], c.count,
                   size);
    return code;
}

template <int Dimensions>
int make_persistent(Call& c) {
    int code = make_halo<Dimensions>(c);
    for (int side = 0; side < sides_of(c); ++side) {
        const Face f = face(c, side);
        code = first_error({code,
                            SKAMPI_COUNTED(MPI_Recv_init)(c.receive + f.place, f.count, f.type, f.neighbour,
                                                          opposite(side), c.made, request(c, side)),
                            SKAMPI_COUNTED(MPI_Send_init)(c.send + f.place, f.count, f.type, f.neighbour,
                                                          side, c.made, request(c, sides_of(c) + side))});
    }
    return code;
}
int start_all(Call& c) {
    return MPI_Startall(static_cast<int>(c.requests.size()), c.requests.data());
}
int by_persistent(Call& c) {
    return first_error({start_all(c), wait_for_faces(c)});
}

#ifdef SKAMPI_HAVE_MPI_PSEND_INIT
/// A partition of a face that is not contiguous is a number of its blocks; an uneven one is one partition.
template <int Dimensions>
int make_partitioned(Call& c) {
    int code = make_halo<Dimensions>(c);
    c.receive_types.assign(c.types.size(), c.type);
    c.pieces.assign(c.types.size(), 1);
    for (int side = 0; side < sides_of(c); ++side) {
        const auto i = static_cast<std::size_t>(side);
        Face f = face(c, side);
        if (f.type != c.type && c.count % c.faces[i].block == 0) {
            code = first_error({code, make_block_type(c.faces[i], c.type, &c.receive_types[i])});
            f.type = c.receive_types[i];
            f.count = c.count / c.faces[i].block;
        }
        constexpr int most_partitions = 4;
        const int parts = f.count % most_partitions == 0 ? most_partitions : 1;
        c.pieces[i] = parts;
        code = first_error({code,
                            MPI_Precv_init(c.receive + f.place, parts, f.count / parts, f.type, f.neighbour,
                                           opposite(side), c.made, MPI_INFO_NULL, request(c, side)),
                            MPI_Psend_init(c.send + f.place, parts, f.count / parts, f.type, f.neighbour,
                                           side, c.made, MPI_INFO_NULL, request(c, sides_of(c) + side))});
    }
    return code;
}
int by_partitions(Call& c) {
    int code = start_all(c);
    for (int side = 0; side < sides_of(c); ++side)
        for (int part = 0; part < c.pieces[static_cast<std::size_t>(side)]; ++part)
            code = first_error({code, MPI_Pready(part, *request(c, sides_of(c) + side))});
    return first_error({code, wait_for_faces(c)});
}
#define WITH_PSEND(make) make
#else
constexpr CallFunction by_partitions = nullptr;
#define WITH_PSEND(make) nullptr
#endif

#ifdef SKAMPI_HAVE_MPI_NEIGHBOR_ALLTOALL
int by_neighbours(Call& c) {
    return SKAMPI_COUNTED(MPI_Neighbor_alltoallw)(c.send, c.counts, c.displacements, c.types.data(),
                                                  c.receive, c.counts, c.displacements, c.types.data(),
                                                  c.made);
}
#else
constexpr CallFunction by_neighbours = nullptr;
#endif

#ifdef SKAMPI_HAVE_MPI_BCAST_INIT
template <int Dimensions>
int make_persistent_neighbours(Call& c) {
    const int code = make_halo<Dimensions>(c);
    c.requests.assign(1, MPI_REQUEST_NULL);
    return first_error(
        {code, SKAMPI_COUNTED(MPI_Neighbor_alltoallw_init)(
                   c.send, c.counts, c.displacements, c.types.data(), c.receive, c.counts, c.displacements,
                   c.types.data(), c.made, MPI_INFO_NULL, c.requests.data())});
}
constexpr CallFunction by_persistent_neighbours = by_persistent;
#define WITH_NEIGHBOR_INIT(make) make
#else
constexpr CallFunction by_persistent_neighbours = nullptr;
#define WITH_NEIGHBOR_INIT(make) nullptr
#endif

/// What the rows of one number of dimensions differ in.
struct Means {
    const char* name;
    const char* title;
    const char* calls;
    CallFunction setup;
    CallFunction call;
};

Operation halo(int dimensions, const Means& means) {
    const std::string name = fmt::format("Halo_{}D-{}", dimensions, means.name);
    Operation row = collective_row(0, name.c_str(), Extent::per_neighbour, Extent::per_neighbour,
                                   Delivers::exchanged_with_neighbours, means.call);
    row.title = fmt::format("{}-D halo exchange by {}", dimensions, means.title);
    row.dimensions = dimensions;
    row.does = fmt::format(
        "exchanges the borders of each rank's part of a periodic {}-D array with its neighbours", dimensions);
    row.layout = dimensions > 1 ? Layout::faces : Layout::blocks;
    row.messages = 2 * dimensions;
    row.setup = means.setup;
    row.teardown = clear_halo;
    row.calls = means.calls;
    return row;
}

template <int Dimensions>
std::vector<Operation> halos() {
    std::vector<Operation> rows;
    for (
        const Means& means : {
            Means{"Isend", "nonblocking messages", "MPI_Irecv and MPI_Isend for each neighbour, MPI_Waitall",
                  make_halo<Dimensions>, by_isend},
            Means{
                "Isend-computation", "nonblocking messages while computing",
                "MPI_Irecv and MPI_Isend for each neighbour, computation as long as the operation takes alone, MPI_Waitall",
                make_halo<Dimensions>, by_isend_computing},
            Means{"Sendrecv", "a Sendrecv for each direction", "MPI_Sendrecv for each neighbour",
                  make_halo<Dimensions>, by_sendrecv},
            Means{
                "packed", "messages packed by the program",
                "MPI_Irecv for each neighbour; for each a copy of its face, MPI_Isend; MPI_Waitall; a copy of each face received",
                make_halo<Dimensions>, by_packing},
            Means{"Send_init", "persistent messages", "MPI_Startall, MPI_Waitall",
                  make_persistent<Dimensions>, by_persistent},
            Means{"Psend_init", "partitioned messages, 4 partitions where they divide a face",
                  "MPI_Startall, MPI_Pready of each partition, MPI_Waitall",
                  WITH_PSEND(make_partitioned<Dimensions>), by_partitions},
            Means{"Neighbor_alltoallw", "MPI_Neighbor_alltoallw", "MPI_Neighbor_alltoallw",
                  make_halo<Dimensions>, by_neighbours},
            Means{"Neighbor_alltoallw_init", "persistent MPI_Neighbor_alltoallw", "MPI_Start, MPI_Wait",
                  WITH_NEIGHBOR_INIT(make_persistent_neighbours<Dimensions>), by_persistent_neighbours},
        }) {
        rows.push_back(halo(Dimensions, means));
        if (means.call == by_isend_computing)
            rows.back().alone = by_isend;
        if (means.call == by_packing)
            rows.back().packs = true;
    }
    if (Dimensions == 1) // whose faces are contiguous
        std::erase_if(rows, [](const Operation& row) { return row.packs; });
    return rows;
}

} // namespace

std::vector<Operation> halo_operations() {
    return joined({halos<1>(), halos<2>(), halos<3>()});
}

} // namespace skampi
