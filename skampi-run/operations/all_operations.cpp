// SPDX-License-Identifier: LGPL-2.1-or-later
#include "operations/all_operations.hpp"

#include "base/error.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace skampi {
// One table, one file per family. To add an operation, add its row there (docs/adding-an-operation.md). A row
// without `call` is missing in the MPI library: functions of newer MPI versions stand between `#ifdef
// SKAMPI_HAVE_...`, which the configuration defines, and with_...() leaves their rows empty without it.
std::vector<Operation> ping_pong_operations();
std::vector<Operation> master_worker_operations();
std::vector<Operation> collective_operations();
std::vector<Operation> simple_operations();
std::vector<Operation> nonblocking_operations();
std::vector<Operation> persistent_operations();
std::vector<Operation> neighbourhood_operations();
std::vector<Operation> bandwidth_operations();
std::vector<Operation> one_sided_operations();
std::vector<Operation> halo_operations();
std::vector<Operation> transpose_operations();
std::vector<Operation> ring_operations();
std::vector<Operation> sparse_operations();
std::vector<Operation> file_operations();

namespace {

std::vector<Operation> all_rows() {
    std::vector<Operation> rows;
    for (auto* table : {ping_pong_operations, master_worker_operations, collective_operations,
                        simple_operations, nonblocking_operations, persistent_operations,
                        neighbourhood_operations, bandwidth_operations, one_sided_operations, halo_operations,
                        transpose_operations, ring_operations, sparse_operations, file_operations})
        for (Operation& row : table())
            rows.push_back(std::move(row));
    return rows;
}

} // namespace

const std::vector<Operation>& all_operations() {
    static const std::vector<Operation> all = [] {
        std::vector<Operation> rows = all_rows();
        std::erase_if(rows, [](const Operation& row) { return row.call == nullptr; });
        return rows;
    }();
    return all;
}

std::vector<std::string> lacking_operations() {
    std::vector<std::string> names;
    for (const Operation& row : all_rows())
        if (row.call == nullptr)
            names.emplace_back(row.name);
    return names;
}

std::vector<OperationInfo> operation_infos(const std::vector<Operation>& operations) {
    std::vector<OperationInfo> infos;
    for (const Operation& operation : operations)
        infos.push_back(operation.info());
    return infos;
}

const Operation& find_operation(const std::string& name, const std::vector<Operation>& operations) {
    for (const Operation& operation : operations)
        if (operation.name == name)
            return operation;
    throw InputError(fmt::format(
        "operation {} is not part of this build of skampi-run; `skampi-run list` names those that are",
        name));
}

} // namespace skampi
