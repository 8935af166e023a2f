// SPDX-License-Identifier: GPL-2.0-or-later
// Every rank runs the cases (mpi_main.cpp): each algorithm that the library offers is chosen and used.

#include "algorithms/algorithm_switch.hpp"
#include "algorithms/offered.hpp"
#include "base/error.hpp"
#include "mpi/communicator.hpp"

#include <cstdlib>
#include <doctest/doctest.h>
#include <functional>
#include <map>
#include <mpi.h>
#include <string>
#include <vector>

using namespace skampi;

namespace {

/// What rank 0 knows, on all ranks.
std::vector<AlgorithmChoice> offered_everywhere(const std::string& operation) {
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    std::vector<AlgorithmChoice> choices;
    if (rank == 0) {
        const AlgorithmList list = offered_algorithms(std::getenv("SKAMPI_RUN"));
        CHECK(list.refusal.empty());
        choices = choices_of(list, operation);
    }
    int count = static_cast<int>(choices.size());
    MPI_Bcast(&count, 1, MPI_INT, 0, MPI_COMM_WORLD);
    choices.resize(static_cast<std::size_t>(count));
    for (AlgorithmChoice& choice : choices) {
        std::string record = rank == 0 ? packed_choice(choice) : "";
        int length = static_cast<int>(record.size());
        MPI_Bcast(&length, 1, MPI_INT, 0, MPI_COMM_WORLD);
        record.resize(static_cast<std::size_t>(length));
        MPI_Bcast(record.data(), length, MPI_CHAR, 0, MPI_COMM_WORLD);
        choice = unpacked_choice(record);
    }
    return choices;
}

enum class Outcome { right, wrong, refused };

/// Some elements, so that none are left over, and many.
constexpr int counts[] = {16, 20000};

int element(int rank, int i) {
    return 7 * i + 1000 * rank + 1;
}

Outcome judged(int code, const std::vector<int>& got, const std::function<int(int)>& wanted) {
    if (code != MPI_SUCCESS)
        return Outcome::refused;
    for (std::size_t i = 0; i < got.size(); ++i)
        if (got[i] != wanted(static_cast<int>(i)))
            return Outcome::wrong;
    return Outcome::right;
}

Outcome call(const std::string& operation, const Communicator& on, int count) {
    const int n = on.size();
    const int r = on.rank();
    std::vector<int> mine(static_cast<std::size_t>(count * (operation == "MPI_Alltoall" ? n : 1)));
    for (std::size_t i = 0; i < mine.size(); ++i)
        mine[i] = element(r, static_cast<int>(i));
    const bool gathers = operation == "MPI_Alltoall" || operation == "MPI_Allgather";
    std::vector<int> all(static_cast<std::size_t>(count * (gathers ? n : 1)));
    if (operation == "MPI_Bcast") {
        const int code = MPI_Bcast(mine.data(), count, MPI_INT, 0, on.get());
        return judged(code, mine, [](int i) { return element(0, i); });
    }
    if (operation == "MPI_Allreduce") {
        const int code = MPI_Allreduce(mine.data(), all.data(), count, MPI_INT, MPI_SUM, on.get());
        return judged(code, all, [&](int i) { return n * element(0, i) + 1000 * n * (n - 1) / 2; });
    }
    if (operation == "MPI_Allgather") {
        const int code = MPI_Allgather(mine.data(), count, MPI_INT, all.data(), count, MPI_INT, on.get());
        return judged(code, all, [&](int i) { return element(i / count, i % count); });
    }
    const int code = MPI_Alltoall(mine.data(), count, MPI_INT, all.data(), count, MPI_INT, on.get());
    return judged(code, all, [&](int i) { return element(i / count, r * count + i % count); });
}

} // namespace

TEST_CASE("each algorithm reads back on every rank, and moves the right data or is refused") {
    for (const std::string operation : {"MPI_Bcast", "MPI_Allreduce", "MPI_Allgather", "MPI_Alltoall"}) {
        const std::vector<AlgorithmChoice> choices = offered_everywhere(operation);
        CHECK(choices.size() >= 4);
        int ran = 0;
        for (const AlgorithmChoice& choice : choices) {
            CAPTURE(operation);
            CAPTURE(choice.word);
            AlgorithmSwitch chooser;
            const std::optional<int> before = chooser.read_back(choice);
            // To make a communicator takes collectives, too.
            Communicator made = Communicator::duplicate(MPI_COMM_WORLD);
            CHECK(chooser.write(choice) == "");
            CHECK(chooser.read_back(choice) == choice.number);
            if (choice.acts == Acts::communicator)
                made = Communicator::duplicate(MPI_COMM_WORLD);
            for (const int count : counts) {
                const Outcome outcome = call(operation, made, count);
                CHECK(outcome != Outcome::wrong);
                // without MPI_IN_PLACE
                CHECK((outcome == Outcome::refused) == (choice.need == Need::in_place));
                ran += outcome == Outcome::right ? 1 : 0;
            }
            CHECK(chooser.restore() == "");
            CHECK(chooser.read_back(choice) == before);
            CHECK(call(operation, made, 16) == Outcome::right);
        }
        CHECK(ran >= 6);
    }
}

TEST_CASE("what is left chosen is put back at the end") {
    const std::vector<AlgorithmChoice> choices = offered_everywhere("MPI_Bcast");
    REQUIRE(choices.size() >= 2);
    std::optional<int> before;
    {
        AlgorithmSwitch chooser;
        before = chooser.read_back(choices[0]);
        CHECK(chooser.write(choices[0]) == "");
        CHECK(chooser.write(choices[1]) == "");
    }
    CHECK(AlgorithmSwitch().read_back(choices[0]) == before);
}

TEST_CASE("a choice that the library does not have changes nothing") {
    AlgorithmChoice choice;
    choice.operation = "MPI_Bcast";
    choice.variable = "NO_SUCH_VARIABLE";
    AlgorithmSwitch chooser;
    CHECK_FALSE(chooser.write(choice).empty());
    CHECK_FALSE(chooser.read_back(choice).has_value());
    CHECK(chooser.restore() == "");
}
