// SPDX-License-Identifier: LGPL-2.1-or-later
// Exchanges the four edges of a square block of doubles with the neighbours in a periodic 2-D grid of ranks. Columns
// are sent by a derived datatype, or packed by hand. The message length is that of an edge.
//   mpicxx -std=c++20 -O2 halo.cpp $(pkg-config --cflags --libs skampi-mpi) -o halo
//   mpiexec -n 4 ./halo halo.skampi -d halo.db     (or with a supervisor: ./halo -n 4 halo.skampi -d halo.db)
//   skampi-report halo.db -o halo.pdf
#include <skampi/mpi.hpp>

#include <algorithm>
#include <array>
#include <vector>

struct Grid {
    int edge = 0; // doubles in it
    int stride = 0;
    std::vector<double> block, packed; // halo included
    MPI_Comm comm = MPI_COMM_NULL;
    MPI_Datatype column = MPI_DATATYPE_NULL;
    std::array<int, 4> neighbours{}; // above, below, left, right

    double* at(int row, int place) { return block.data() + row * stride + place; }

    void set_up(const skampi::MpiCall& call) {
        edge = static_cast<int>(call.message_bytes / static_cast<int>(sizeof(double)));
        stride = edge + 2;
        block.assign(static_cast<std::size_t>(stride) * static_cast<std::size_t>(stride), call.rank);
        packed.resize(static_cast<std::size_t>(2 * edge));
        std::array<int, 2> shape{};
        const std::array<int, 2> periodic{1, 1};
        MPI_Dims_create(call.size, 2, shape.data());
        MPI_Cart_create(call.comm, 2, shape.data(), periodic.data(), 0, &comm);
        MPI_Cart_shift(comm, 0, 1, &neighbours[0], &neighbours[1]);
        MPI_Cart_shift(comm, 1, 1, &neighbours[2], &neighbours[3]);
        MPI_Type_vector(edge, 1, stride, MPI_DOUBLE, &column);
        MPI_Type_commit(&column);
    }
    void tear_down() {
        MPI_Type_free(&column);
        MPI_Comm_free(&comm);
    }
    int exchange(bool pack) {
        const std::array<double*, 4> sent{at(1, 1), at(edge, 1), at(1, 1), at(1, edge)};
        const std::array<double*, 4> received{at(edge + 1, 1), at(0, 1), at(1, edge + 1), at(1, 0)};
        for (std::size_t side = 0; side < 4; ++side) {
            const bool in_column = side >= 2;
            const bool packs = in_column && pack;
            for (int i = 0; packs && i < edge; ++i)
                packed[static_cast<std::size_t>(i)] = sent[side][i * stride];
            const int count = in_column && !pack ? 1 : edge;
            MPI_Datatype const type = in_column && !pack ? column : MPI_DOUBLE;
            if (const int code = MPI_Sendrecv(packs ? packed.data() : sent[side], count, type, neighbours[side], 0,
                                              packs ? packed.data() + edge : received[side], count, type,
                                              neighbours[side ^ 1], 0, comm, MPI_STATUS_IGNORE);
                code != MPI_SUCCESS)
                return code;
            for (int i = 0; packs && i < edge; ++i)
                received[side][i * stride] = packed[static_cast<std::size_t>(edge + i)];
        }
        return MPI_SUCCESS;
    }
    bool is_right() {
        const std::array<double, 4> halo{*at(0, edge), *at(edge + 1, edge), *at(edge, 0), *at(edge, edge + 1)};
        return std::equal(halo.begin(), halo.end(), neighbours.begin());
    }
};

int main(int argc, char** argv) {
    Grid grid;
    std::vector<skampi::MpiFunction> functions(2);
    for (const bool pack : {false, true}) {
        skampi::MpiFunction& function = functions[pack ? 1 : 0];
        function.name = pack ? "Halo-packed" : "Halo-datatypes";
        function.messages = 4;
        function.setup = [&](const skampi::MpiCall& call) { grid.set_up(call); };
        function.call = [&grid, pack](const skampi::MpiCall&) { return grid.exchange(pack); };
        function.check = [&](const skampi::MpiCall&) { return grid.is_right(); };
        function.teardown = [&](const skampi::MpiCall&) { grid.tear_down(); };
    }
    return skampi::measure_mpi_functions(argc, argv, functions);
}
