#include "operations/operation.hpp"

#include <algorithm>
#include <array>
#include <initializer_list>
#include <string_view>

namespace skampi {

namespace {

/// Blocking collectives: MPI libraries have variables that choose their algorithm.
constexpr std::array<std::string_view, 17> with_algorithms = {
    "MPI_Allgather",      "MPI_Allgatherv",
    "MPI_Allreduce",      "MPI_Alltoall",
    "MPI_Alltoallv",      "MPI_Alltoallw",
    "MPI_Barrier",        "MPI_Bcast",
    "MPI_Exscan",         "MPI_Gather",
    "MPI_Gatherv",        "MPI_Reduce",
    "MPI_Reduce_scatter", "MPI_Reduce_scatter_block",
    "MPI_Scan",           "MPI_Scatter",
    "MPI_Scatterv"};

} // namespace

double Operation::messages_among(int ranks) const {
    switch (messages_per) {
    case MessagesPer::call:
        return messages;
    case MessagesPer::pair:
        return messages * (ranks / 2);
    case MessagesPer::other_rank:
        return messages * (ranks - 1);
    case MessagesPer::partner:
        return messages * sparse_partners(ranks);
    }
    return 0;
}

std::vector<Parameter> Operation::parameters() const {
    if (own != nullptr) { // the library chooses nothing for a function of a user's
        std::vector<Parameter> theirs = own->parameters;
        std::erase(theirs, Parameter::algorithm);
        return theirs;
    }
    using enum Delivers;
    const auto one_of = [this](std::initializer_list<Delivers> several) {
        return std::find(several.begin(), several.end(), delivers) != several.end();
    };
    std::vector<Parameter> all;
    if (delivers != nothing)
        all.push_back(Parameter::datatype);
    if (reduces)
        all.push_back(Parameter::reduction);
    if (one_of({from_root, gathered, scattered, reduced}))
        all.push_back(Parameter::root);
    if (layout == Layout::blocks && one_of({gathered, gathered_all, scattered, exchanged, reduced,
                                            reduced_all, reduced_block, scanned, scanned_before}))
        all.push_back(Parameter::in_place);
    if (std::ranges::find(with_algorithms, name) != with_algorithms.end())
        all.push_back(Parameter::algorithm);
    return all;
}

} // namespace skampi
