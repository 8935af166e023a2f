// SPDX-License-Identifier: LGPL-2.1-or-later
// MPI I/O: every rank moves one message to or from its own block of a common file, all at the same time. They
// are collectives of the pattern, also where MPI calls them independent. One row each.
#include "operations/tables.hpp"

namespace skampi {
namespace {

#ifndef SKAMPI_SIMULATED // SimGrid has no files here
MPI_Offset own_block(const Call& c) {
    return static_cast<MPI_Offset>(c.rank) * c.message_bytes;
}
int write_at(Call& c) {
    return SKAMPI_COUNTED(MPI_File_write_at)(c.file, own_block(c), c.send, c.count, c.type,
                                             MPI_STATUS_IGNORE);
}
int read_at(Call& c) {
    return SKAMPI_COUNTED(MPI_File_read_at)(c.file, own_block(c), c.receive, c.count, c.type,
                                            MPI_STATUS_IGNORE);
}
int write_at_all(Call& c) {
    return SKAMPI_COUNTED(MPI_File_write_at_all)(c.file, own_block(c), c.send, c.count, c.type,
                                                 MPI_STATUS_IGNORE);
}
int read_at_all(Call& c) {
    return SKAMPI_COUNTED(MPI_File_read_at_all)(c.file, own_block(c), c.receive, c.count, c.type,
                                                MPI_STATUS_IGNORE);
}

/// Opens a new file and writes it once. Its name is removed at once: the file ends with the last rank that
/// has it open, however this ends. A file that exists is refused.
int open_file(Call& c) {
    if (const int code = MPI_File_open(
            c.comm, c.path.c_str(), MPI_MODE_CREATE | MPI_MODE_EXCL | MPI_MODE_RDWR, MPI_INFO_NULL, &c.file);
        code != MPI_SUCCESS)
        return code;
    int code = MPI_Barrier(c.comm); // before it, a rank may still be opening the file
    if (c.rank == 0)
        code = first_error({code, MPI_File_delete(c.path.c_str(), MPI_INFO_NULL)});
    return first_error({code, write_at_all(c)});
}
int close_file(Call& c) {
    return c.file == MPI_FILE_NULL ? MPI_SUCCESS : MPI_File_close(&c.file);
}
#define WITH_FILES(function) function
#else
#define WITH_FILES(function) nullptr
#endif

Operation on_file(const char* name, const char* does, CallFunction call, CallFunction settle) {
    Operation row = collective_row(0, name, Extent::one, Extent::one, Delivers::own_block, call);
    row.does = does;
    row.setup = WITH_FILES(open_file);
    row.teardown = WITH_FILES(close_file);
    row.settle = settle;
    return row;
}

} // namespace

std::vector<Operation> file_operations() {
    constexpr const char* writes = "writes one message of each rank to that rank's block of a common file";
    constexpr const char* reads = "reads one message of each rank from that rank's block of a common file";
    return {
        on_file("MPI_File_write_at", writes, WITH_FILES(write_at), WITH_FILES(read_at)),
        on_file("MPI_File_read_at", reads, WITH_FILES(read_at), WITH_FILES(write_at)),
        on_file("MPI_File_write_at_all", writes, WITH_FILES(write_at_all), WITH_FILES(read_at_all)),
        on_file("MPI_File_read_at_all", reads, WITH_FILES(read_at_all), WITH_FILES(write_at_all)),
    };
}

} // namespace skampi
