// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <fmt/format.h>
#include <string>

/// A selection tree with all collectives that files know. Its branches ask in both ways what rules must not
/// disturb: comm_size<8 before a question about the message, where it is <, and behind one, where it is <=.
inline std::string invented_tree() {
    const auto branch = [](const std::string& collective, const std::string& intra) {
        return fmt::format(
            R"("collective={}":{{"comm_type=intra":{},"comm_type=inter":{{"algorithm=INTER":{{}}}}}})",
            collective, intra);
    };
    const auto by_size = [](const std::string& test, const std::string& few, const std::string& many) {
        return fmt::format(
            R"({{"comm_size<8":{{"{0}<=1024":{{"algorithm={1}":{{}}}},)"
            R"("{0}=any":{{"comm_size<5":{{"algorithm={1}":{{}}}},"comm_size=any":{{"algorithm={2}":{{}}}}}}}},)"
            R"("comm_size=any":{{"algorithm={2}":{{}}}}}})",
            test, few, many);
    };
    const auto plain = [](const std::string& leaf) {
        return fmt::format(R"({{"algorithm={}":{{}}}})", leaf);
    };
    std::string tree = "{";
    tree += branch("allgather", by_size("total_msg_size", "FEW", "MANY")) + ",\n";
    tree += branch("allgatherv", by_size("total_msg_size", "FEW", "MANY")) + ",\n";
    tree += branch("allreduce", by_size("avg_msg_size", "FEW", "MANY")) + ",\n";
    tree += branch("alltoall", fmt::format(R"({{"is_sendbuf_inplace=yes":{},"is_sendbuf_inplace=no":{}}})",
                                           plain("IN_PLACE"), by_size("avg_msg_size", "FEW", "MANY"))) +
            ",\n";
    for (const char* collective : {"alltoallv", "alltoallw", "barrier", "gather", "scan", "scatter"})
        tree += branch(collective, plain("OWN")) + ",\n";
    tree += branch("bcast", by_size("avg_msg_size", "FEW", "MANY")) + ",\n";
    tree += branch("reduce", by_size("avg_msg_size", "FEW", "MANY")) + ",\n";
    tree += branch("reduce_scatter", by_size("total_msg_size", "FEW", "MANY")) + ",\n";
    tree += branch("reduce_scatter_block", by_size("total_msg_size", "FEW", "MANY")) + ",\n";
    for (const char* collective : {"exscan", "gatherv"}) // without a question for the kind of communicator
        tree += fmt::format(R"("collective={}":{},)", collective, plain("OWN")) + "\n";
    tree += fmt::format(R"("collective=scatterv":{}}})", plain("OWN"));
    return tree;
}
