// SPDX-License-Identifier: GPL-2.0-or-later
#include "algorithms/choice.hpp"
#include "algorithms/list_text.hpp"
#include "algorithms/needs.hpp"

#include "base/error.hpp"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>
#include <stdexcept>

using namespace skampi;

namespace {

AlgorithmList invented_list() {
    AlgorithmList list;
    list.library = "MPICH 4.0.2";
    const VariableValue error{"MPIR_CVAR_COLLECTIVE_FALLBACK", 2};
    for (const auto& [operation, word, number] :
         {std::tuple{"MPI_Bcast", "binomial", 2}, {"MPI_Bcast", "smp", 3}, {"MPI_Reduce", "binomial", 2}})
        list.choices.push_back({.operation = operation,
                                .layer = "mpich",
                                .variable = "V",
                                .word = word,
                                .number = number,
                                .with = {error}});
    return list;
}

} // namespace

TEST_CASE("another rank gets all of a choice") {
    AlgorithmChoice choice = invented_list().choices.front();
    choice.acts = Acts::communicator;
    choice.need = Need::power_of_two_ranks;
    choice.note = "12:a note, with : in it";
    choice.with.push_back({"W", -1});
    CHECK(unpacked_choice(packed_choice(choice)) == choice);
    CHECK_THROWS_AS((void)unpacked_choice("3:abc"), std::invalid_argument);
}

TEST_CASE("a choice is found by operation and word") {
    const AlgorithmList list = invented_list();
    CHECK(choices_of(list, "MPI_Bcast").size() == 2);
    REQUIRE(find_choice(list, "MPI_Reduce", "binomial") != nullptr);
    CHECK(find_choice(list, "MPI_Reduce", "binomial")->operation == "MPI_Reduce");
    CHECK(find_choice(list, "MPI_Reduce", "smp") == nullptr);
}

TEST_CASE("operations are chosen by name or glob, with and without MPI_") {
    for (const char* const glob : {"MPI_Bcast", "bcast", "Bcast", "*BCAST"})
        CHECK(of_operations(invented_list(), {glob}).choices.size() == 2);
    CHECK(of_operations(invented_list(), {"bcast", "reduce"}).choices.size() == 3);
    CHECK(of_operations(invented_list(), {}).choices.size() == 3);
    CHECK_THROWS_AS((void)of_operations(invented_list(), {"bcast", "MPI_Bcats"}), InputError);
}

TEST_CASE("what an algorithm needs of the number of ranks") {
    CHECK(works_with(Need::two_ranks, 2));
    CHECK_FALSE(works_with(Need::two_ranks, 3));
    CHECK(works_with(Need::power_of_two_ranks, 8));
    CHECK_FALSE(works_with(Need::power_of_two_ranks, 6));
    CHECK_FALSE(works_with(Need::even_ranks, 5));
    CHECK(works_with(Need::in_place, 5)); // another kind of need
    CHECK_FALSE(works_with(Need::another_version, 16));
    CHECK_FALSE(works_with(Need::a_segment_size, 16));
}

TEST_CASE("the table of needs knows the algorithms that libraries restrict") {
    CHECK(caution_of({.operation = "MPI_Alltoall", .layer = "open mpi tuned", .word = "two_proc"}).need ==
          Need::two_ranks);
    CHECK(caution_of({.operation = "MPI_Alltoallw", .layer = "mpich", .word = "pairwise_sendrecv_replace"})
              .need == Need::in_place);
    CHECK(caution_of({.operation = "MPI_Bcast", .layer = "mpich", .word = "binomial"}).need == Need::nothing);
}

TEST_CASE("Open MPI needs a variable in the environment of every launch") {
    CHECK(environment_for_algorithms("Open MPI v4.1.4, package: Debian").size() == 1);
    CHECK(environment_for_algorithms("MPICH Version: 4.0.2").empty());
}

TEST_CASE("the list for programs says all of each choice") {
    const nlohmann::json json = nlohmann::json::parse(algorithm_list_json(invented_list()));
    CHECK(json["library"] == "MPICH 4.0.2");
    CHECK(json["may_be_incomplete"] == false);
    const nlohmann::json& first = json["algorithms"].at(0);
    CHECK(first["operation"] == "MPI_Bcast");
    CHECK(first["word"] == "binomial");
    CHECK(first["number"] == 2);
    CHECK(first["acts"] == "call");
    CHECK(first["with"].at(0)["variable"] == "MPIR_CVAR_COLLECTIVE_FALLBACK");
}

TEST_CASE("calls for which Open MPI takes another algorithm without a word are known") {
    AlgorithmChoice ring{.operation = "MPI_Allreduce", .layer = "open mpi tuned", .word = "ring"};
    ring.need = caution_of(ring).need;
    CHECK(is_replaced_in_silence(ring, 4, 3));
    CHECK_FALSE(is_replaced_in_silence(ring, 4, 4));
    AlgorithmChoice neighbor{.operation = "MPI_Allgather", .layer = "open mpi tuned", .word = "neighbor"};
    neighbor.need = caution_of(neighbor).need;
    CHECK(is_replaced_in_silence(neighbor, 3, 100));
    CHECK_FALSE(is_replaced_in_silence(neighbor, 4, 1));
    neighbor.layer = "mpich"; // it says so
    CHECK_FALSE(is_replaced_in_silence(neighbor, 3, 100));
}
