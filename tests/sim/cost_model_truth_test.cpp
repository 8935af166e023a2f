// SPDX-License-Identifier: GPL-2.0-or-later
// Cost models over ranks and lengths against algorithms whose cost is known: SimGrid's, on a switch without
// contention.

#include "../unit/close_to.hpp"
#include "../unit/environment.hpp"
#include "../unit/scratch_folder.hpp"
#include "analysis/models/curve_model.hpp"
#include "analysis/models/operation_surface.hpp"
#include "base/child.hpp"
#include "store/database.hpp"
#include "launches/read_subjects.hpp"
#include "words/suite_words.hpp"

#include <algorithm>
#include <doctest/doctest.h>
#include <fmt/format.h>
#include <fstream>

using namespace skampi;

TEST_CASE("models of algorithms of known cost recover latency, bandwidth and growth within 1 %") {
    const ScratchFolder scratch;
    constexpr int ranks = 16;
    constexpr double latency_s = 10e-6; // of two links
    constexpr double seconds_per_byte = 1e-9;
    constexpr double within = 0.01;
    std::ofstream(scratch / "switch.xml")
        << "<?xml version='1.0'?>\n<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"
           "<platform version=\"4.1\">\n"
           "<cluster id=\"c\" prefix=\"n\" radical=\"0-15\" suffix=\"\" speed=\"1Gf\" bw=\"1GBps\" lat=\"5us\" "
           "sharing_policy=\"FULLDUPLEX\"/>\n</platform>\n";
    std::string plan = "@MAXREPDEFAULT 4\n@MINREPDEFAULT 2\n@MEASUREMENTS\n";
    const std::string over_ranks = "Variation = Nodes; Scale = Fixed_linear; Stepwidth = 2; Passes = 1;";
    plan += "Barrier { Type = MPI_Barrier; " + over_ranks + " }\n";
    for (const char* operation : {"MPI_Allgather", "MPI_Bcast", "MPI_Reduce", "MPI_Allreduce"})
        for (const char* length : {"1KiB", "32KiB"})
            plan += fmt::format("{0} {1} {{ Type = {0}; Default_Message_length = {1}; {2} }}\n", operation,
                                length, over_ranks);
    std::ofstream(scratch / "plan.skampi") << plan;
    std::ofstream hosts(scratch / "hosts");
    for (int rank = 0; rank < ranks; ++rank)
        hosts << "n" << rank << "\n";
    hosts.close();
    Command command;
    command.argv = {
        from_environment("SKAMPI_SMPIRUN"), "-no-privatize", "-np", std::to_string(ranks), "-platform",
        scratch / "switch.xml", "-hostfile", scratch / "hosts", "--cfg=smpi/simulate-computation:no",
        "--log=root.thres:critical",
        // the textbook's network: latency and bandwidth, and a message back costs the other nothing
        "--cfg=network/model:CM02", "--cfg=network/crosstraffic:no",
        // whoever sends waits: messages of one rank do not share its link
        "--cfg=smpi/send-is-detached-thresh:0", "--cfg=smpi/async-small-thresh:0",
        "--cfg=smpi/barrier:ompi_doublering", "--cfg=smpi/allgather:ring", "--cfg=smpi/bcast:binomial_tree",
        "--cfg=smpi/reduce:binomial", "--cfg=smpi/allreduce:rdb", from_environment("SKAMPI_RUN_SIM"),
        scratch / "plan.skampi", "-d", scratch / "x.db"};
    command.directory = scratch.path();
    command.timeout_s = 100;
    const ChildResult result = run(std::move(command));
    INFO(result.err);
    REQUIRE(result.ok());
    const Subject subject = read_subject(Database::open(scratch / "x.db"));

    // Double ring: a token of no bytes goes round twice.
    const auto barrier = std::ranges::find_if(
        subject.curves, [](const Curve& curve) { return curve.suite().name == "Barrier"; });
    REQUIRE(barrier != subject.curves.end());
    const std::optional<GrowthModel> tokens = curve_growth(*barrier);
    REQUIRE(tokens.has_value());
    CHECK(tokens->growth == Growth::linear);
    CHECK(tokens->beta_s == close_to(2 * latency_s).epsilon(within));
    CHECK(std::abs(tokens->alpha_s) < within * latency_s);
    CHECK(tokens->gamma_s == 0);
    CHECK(tokens->alike.empty());

    const std::vector<OperationSurface> surfaces = operation_surfaces(subject);
    REQUIRE(surfaces.size() == 4);
    struct Truth {
        const char* operation;
        Growth growth;
        double alpha; ///< all three in units of latency and of a byte's price
        double gamma;
    };
    for (const Truth& truth : {
             Truth{"MPI_Allgather", Growth::linear, -1, 0}, // ring: p - 1 steps
             Truth{"MPI_Bcast", Growth::ceil_log2, 0, 0},   // binomial tree
             Truth{"MPI_Reduce", Growth::ceil_log2, 0, 0},
             // Recursive doubling among as many ranks as the next smaller power of two: where p is none, a
             // step less than ceil(log2 p) and one before and behind for the others.
             Truth{"MPI_Allreduce", Growth::ceil_log2, 0, 1},
         }) {
        CAPTURE(truth.operation);
        const auto surface = std::ranges::find(surfaces, truth.operation, &OperationSurface::operation);
        REQUIRE(surface != surfaces.end());
        CHECK(surface->model.worst_error < within);
        const auto check = [&](const GrowthModel& model, double unit) {
            CHECK(model.growth == truth.growth);
            CHECK(model.beta_s == close_to(unit).epsilon(within));
            CHECK(std::abs(model.alpha_s - truth.alpha * unit) < within * unit);
            CHECK(std::abs(model.gamma_s - truth.gamma * unit) < within * unit);
        };
        check(surface->model.latency, latency_s);
        check(surface->model.per_byte, seconds_per_byte);
    }
}
