// SPDX-License-Identifier: LGPL-2.1-or-later
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

/// What an operation does that delivers such data.
std::string_view usually_does(Delivers delivers) {
    switch (delivers) {
    case Delivers::nothing:
    case Delivers::as_checked:
        return {};
    case Delivers::from_partner:
        return "sends a message to the partner, which sends one of the same length back";
    case Delivers::from_root:
        return "gives the root's message to all ranks";
    case Delivers::gathered:
        return "collects one message of each rank on the root";
    case Delivers::gathered_all:
        return "collects one message of each rank on all ranks";
    case Delivers::scattered:
        return "gives each rank its own message of the root's";
    case Delivers::exchanged:
        return "gives each rank one message of each other rank, a different one to each";
    case Delivers::reduced:
        return "combines one message of each rank, element by element, on the root";
    case Delivers::reduced_all:
        return "combines one message of each rank, element by element, on all ranks";
    case Delivers::reduced_block:
        return "combines messages of all ranks, element by element, and gives each rank its part of the result";
    case Delivers::scanned:
        return "combines on each rank its message with those of all ranks before it";
    case Delivers::scanned_before:
        return "combines on each rank the messages of all ranks before it";
    case Delivers::pieces:
        return "hands out pieces of work to workers, which answer each with an empty message";
    case Delivers::results:
        return "hands out pieces of work to workers, which answer each with a result of the same length";
    case Delivers::to_partner:
        return "sends a message to the partner";
    case Delivers::window_from_partner:
        return "has 64 messages under way at once, answered by an empty one after the last";
    case Delivers::from_neighbours:
        return "gives each rank the messages of its neighbours in a periodic grid";
    case Delivers::exchanged_with_neighbours:
        return "exchanges a different message with each neighbour in a periodic grid";
    case Delivers::from_unknown:
        return "sends messages to a few ranks, which do not know from whom they will receive";
    case Delivers::combined_here:
        return "combines two messages of one rank, element by element";
    case Delivers::put:
        return "writes a message into the memory of the partner";
    case Delivers::got:
        return "reads a message from the memory of the partner";
    case Delivers::accumulated:
        return "combines a message with the memory of the partner, element by element";
    case Delivers::fetched:
        return "combines a message with the memory of the partner and returns what was there before";
    case Delivers::swapped:
        return "replaces an element in the memory of the partner if it equals another, and returns what was there";
    case Delivers::own_block:
        return "moves one message of each rank between memory and that rank's block of a common file";
    }
    return {};
}

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

std::string Operation::what_it_does() const {
    const std::string_view text = does.empty() ? usually_does(delivers) : std::string_view(does);
    return std::string(text) + (alone != nullptr ? " while the core computes" : "");
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
    if (delivers == own_block)
        all.push_back(Parameter::file);
    return all;
}

} // namespace skampi
