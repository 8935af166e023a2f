// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "model/suite.hpp"

#include <cctype>
#include <set>
#include <string>
#include <string_view>
#include <vector>

/// The parameters of an operation, from MPI's own lists of functions: those with a datatype (all that move
/// data), an operator, a root, an in-place form. The same for the forms of a function (MPI_I..., ..._init).
[[nodiscard]] inline std::vector<skampi::Parameter> parameters_of(std::string name) {
    using skampi::Parameter;
    using Names = std::set<std::string, std::less<>>;
    static const Names without_data = {
        "memcpy",    "MPI_Barrier",   "MPI_Ibarrier",  "MPI_Barrier_init",  "MPI_Comm_split", "MPI_Comm_dup",
        "MPI_Wtime", "MPI_Comm_rank", "MPI_Comm_size", "MPI_Buffer_attach", "MPI_Iprobe"};
    static const Names reducing = {"reduce", "allreduce",      "scan",
                                   "exscan", "reduce_scatter", "reduce_scatter_block"};
    static const Names rooted = {"bcast", "gather", "gatherv", "scatter", "scatterv", "reduce"};
    static const Names moving_in_place = {"gather",     "gatherv",  "scatter",   "scatterv", "allgather",
                                          "allgatherv", "alltoall", "alltoallv", "alltoallw"};
    const auto without = [&](std::string_view ending) {
        if (name.ends_with(ending))
            name.resize(name.size() - ending.size());
    };
    without("-computation");
    without("-begin");
    static const Names with_algorithms = {
        "MPI_Barrier",   "MPI_Bcast",     "MPI_Gather",     "MPI_Gatherv",        "MPI_Scatter",
        "MPI_Scatterv",  "MPI_Allgather", "MPI_Allgatherv", "MPI_Alltoall",       "MPI_Alltoallv",
        "MPI_Alltoallw", "MPI_Reduce",    "MPI_Allreduce",  "MPI_Reduce_scatter", "MPI_Reduce_scatter_block",
        "MPI_Scan",      "MPI_Exscan"};
    const bool has_algorithms = with_algorithms.contains(name);
    if (without_data.contains(name))
        return has_algorithms ? std::vector<Parameter>{Parameter::algorithm} : std::vector<Parameter>{};
    without("_init");
    std::string function;
    if (name.starts_with("MPI_")) {
        function = name.substr(name.starts_with("MPI_I") ? 5 : 4);
        function[0] = static_cast<char>(std::tolower(function[0]));
    }
    const bool one_sided = name.starts_with("MPI_Accumulate") || name.starts_with("MPI_Get_accumulate") ||
                           name.starts_with("MPI_Fetch_and_op");
    std::vector<Parameter> parameters = {Parameter::datatype};
    if (reducing.contains(function) || one_sided || name == "MPI_Reduce_local")
        parameters.push_back(Parameter::reduction);
    const bool gathers = name == "Gather-Waitall"; // what MPI_Gather does
    const bool around_ring = name == "Ring-Sendrecv" || name == "Ring-Isend";
    if (rooted.contains(function) || gathers || name == "Ring-pipeline")
        parameters.push_back(Parameter::root);
    if (reducing.contains(function) || moving_in_place.contains(function) || gathers || around_ring)
        parameters.push_back(Parameter::in_place);
    if (has_algorithms)
        parameters.push_back(Parameter::algorithm);
    if (name.starts_with("MPI_File_"))
        parameters.push_back(Parameter::file);
    return parameters;
}

/// The operations of the seeds, with their type numbers, as the tests of the parameter file see them.
[[nodiscard]] inline std::vector<skampi::OperationInfo> seed_operations() {
    using skampi::OperationInfo;
    using skampi::Pattern;
    using skampi::Varied;
    std::vector<OperationInfo> operations;
    const auto add = [&](int type, const std::string& name, Pattern pattern, std::vector<Varied> varied) {
        operations.push_back({type, name, name, pattern, std::move(varied), parameters_of(name)});
    };
    const std::vector<Varied> length{Varied::message_length};
    const std::vector<Varied> work{Varied::message_length, Varied::nodes, Varied::chunks};
    const std::vector<Varied> both{Varied::message_length, Varied::nodes};
    const std::vector<Varied> nodes{Varied::nodes};
    int type = 1;
    for (const char* name : {"MPI_Send-MPI_Recv", "MPI_Send-MPI_Recv_any_tag", "MPI_Send-MPI_Irecv",
                             "MPI_Send-MPI_Iprobe-MPI_Recv", "MPI_Ssend-MPI_Recv", "MPI_Isend-MPI_Recv",
                             "MPI_Bsend-MPI_Recv", "MPI_Sendrecv", "MPI_Sendrecv_replace"})
        add(type++, name, Pattern::ping_pong, length);
    for (const char* name : {"Master-Waitsome", "Master-Waitany", "Master-Recv_any_source", "Master-Send",
                             "Master-Ssend", "Master-Isend", "Master-Bsend"})
        add(type++, name, Pattern::master_worker, work);
    add(17, "MPI_Bcast", Pattern::collective, both);
    add(18, "MPI_Barrier", Pattern::collective, nodes);
    add(19, "MPI_Reduce", Pattern::collective, both);
    add(20, "MPI_Alltoall", Pattern::collective, both);
    add(21, "MPI_Scan", Pattern::collective, both);
    add(22, "MPI_Comm_split", Pattern::collective, nodes);
    add(23, "memcpy", Pattern::simple, length);
    type = 24;
    for (const char* name :
         {"MPI_Wtime", "MPI_Comm_rank", "MPI_Comm_size", "MPI_Iprobe", "MPI_Buffer_attach"})
        add(type++, name, Pattern::simple, {});
    type = 33;
    for (const char* name : {"MPI_Gather", "MPI_Scatter", "MPI_Allgather", "MPI_Allreduce", "MPI_Gatherv",
                             "MPI_Scatterv", "MPI_Allgatherv", "MPI_Alltoallv", "MPI_Reduce_scatter"})
        add(type++, name, Pattern::collective, both);
    add(42, "Gather-Waitall", Pattern::collective, both);
    add(0, "MPI_Exscan", Pattern::collective, both);
    add(0, "MPI_Reduce_scatter_block", Pattern::collective, both);
    add(0, "MPI_Comm_dup", Pattern::collective, nodes);
    for (const char* name : {"MPI_Issend-MPI_Recv",
                             "MPI_Send_init-MPI_Recv_init",
                             "Bandwidth",
                             "Bidirectional_bandwidth",
                             "MPI_Put-fence",
                             "MPI_Put-PSCW",
                             "MPI_Put-lock",
                             "MPI_Put-flush",
                             "MPI_Get-fence",
                             "MPI_Get-PSCW",
                             "MPI_Get-lock",
                             "MPI_Get-flush",
                             "MPI_Accumulate-fence",
                             "MPI_Accumulate-PSCW",
                             "MPI_Accumulate-lock",
                             "MPI_Accumulate-flush",
                             "MPI_Get_accumulate-fence",
                             "MPI_Get_accumulate-PSCW",
                             "MPI_Get_accumulate-lock",
                             "MPI_Get_accumulate-flush"})
        add(0, name, Pattern::ping_pong, length);
    for (const char* name :
         {"MPI_Fetch_and_op-fence", "MPI_Fetch_and_op-PSCW", "MPI_Fetch_and_op-lock",
          "MPI_Fetch_and_op-flush", "MPI_Compare_and_swap-fence", "MPI_Compare_and_swap-PSCW",
          "MPI_Compare_and_swap-lock", "MPI_Compare_and_swap-flush"})
        add(0, name, Pattern::ping_pong, {Varied::none});
    for (const char* name : {"MPI_File_write_at",
                             "MPI_File_read_at",
                             "MPI_File_write_at_all",
                             "MPI_File_read_at_all",
                             "MPI_Alltoallw",
                             "MPI_Ibcast",
                             "MPI_Ireduce",
                             "MPI_Iallreduce",
                             "MPI_Iscan",
                             "MPI_Iexscan",
                             "MPI_Ialltoall",
                             "MPI_Ialltoallv",
                             "MPI_Igather",
                             "MPI_Igatherv",
                             "MPI_Iscatter",
                             "MPI_Iscatterv",
                             "MPI_Iallgather",
                             "MPI_Iallgatherv",
                             "MPI_Ireduce_scatter",
                             "MPI_Ireduce_scatter_block",
                             "MPI_Neighbor_allgather",
                             "MPI_Neighbor_alltoall",
                             "MPI_Ineighbor_allgather",
                             "MPI_Ineighbor_alltoall",
                             "Multi_pair_bandwidth",
                             "Multi_pair_bandwidth-one_buffer",
                             "Multi_pair_latency",
                             "Ring-shift"}) {
        add(0, name, Pattern::collective, both);
        if (std::string_view(name).starts_with("MPI_I"))
            for (const char* form : {"-computation", "-begin"})
                add(0, std::string(name) + form, Pattern::collective, both);
    }
    for (const char* name : {"Bandwidth-one_buffer", "Bidirectional_bandwidth-one_buffer",
                             "MPI_Put_window-flush", "MPI_Get_window-flush"})
        add(0, name, Pattern::ping_pong, length);
    for (const char* name : {"Halo_1D-Isend",
                             "Halo_1D-Isend-computation",
                             "Halo_1D-Sendrecv",
                             "Halo_1D-Send_init",
                             "Halo_1D-Neighbor_alltoallw",
                             "Halo_2D-Isend",
                             "Halo_2D-Isend-computation",
                             "Halo_2D-Sendrecv",
                             "Halo_2D-packed",
                             "Halo_2D-Send_init",
                             "Halo_2D-Neighbor_alltoallw",
                             "Halo_3D-Isend",
                             "Halo_3D-Isend-computation",
                             "Halo_3D-Sendrecv",
                             "Halo_3D-packed",
                             "Halo_3D-Send_init",
                             "Halo_3D-Neighbor_alltoallw",
                             "Transpose-Alltoallw",
                             "Transpose-Isend",
                             "Transpose-packed",
                             "Ring-Sendrecv",
                             "Ring-Isend",
                             "Ring-pipeline",
                             "Sparse-Ibarrier",
                             "Sparse-Alltoall",
                             "Sparse-Reduce_scatter_block"})
        add(0, name, Pattern::collective, both);
    for (const char* name : {"MPI_Ibarrier", "MPI_Ibarrier-computation", "MPI_Ibarrier-begin"})
        add(0, name, Pattern::collective, nodes);
    for (const char* name : {"MPI_Reduce_local"})
        add(0, name, Pattern::simple, length);
    return operations;
}
