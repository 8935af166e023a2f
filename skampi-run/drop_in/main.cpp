// SPDX-License-Identifier: GPL-2.0-or-later
// The programs of the OSU micro-benchmarks and IMB-MPI1: links to this one, which does what its name says
// (docs/drop-in.md).
#include "base/error.hpp"
#include "base/file.hpp"
#include "base/scratch_directory.hpp"
#include "base/text.hpp"
#include "commands/commands.hpp"
#include "commands/measure.hpp"
#include "drop_in/drop_in.hpp"
#include "operations/all_operations.hpp"
#include "options.hpp"

#include <chrono>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <fmt/format.h>
#include <memory>
#include <mpi.h>
#include <unistd.h>

namespace skampi {
namespace {

/// osu_hello and osu_init, which measure no operation.
int start_up(const std::string& program, int argc, char** argv) {
    const auto begin = std::chrono::steady_clock::now();
    MPI_Init(&argc, &argv);
    const double mine_ms =
        std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
    int rank = 0;
    int ranks = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    double least_ms = 0;
    double most_ms = 0;
    double sum_ms = 0;
    MPI_Reduce(&mine_ms, &least_ms, 1, MPI_DOUBLE, MPI_MIN, 0, MPI_COMM_WORLD);
    MPI_Reduce(&mine_ms, &most_ms, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
    MPI_Reduce(&mine_ms, &sum_ms, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        write_standard_output(
            program == "osu_hello"
                ? fmt::format("# OSU MPI Hello World Test v7.4\nThis is a test with {} processes\n", ranks)
                : fmt::format("# OSU MPI Init Test v7.4\nnprocs: {}, min: {:.0f} ms, max: {:.0f} ms, "
                              "avg: {:.0f} ms\n",
                              ranks, least_ms, most_ms, sum_ms / ranks));
    MPI_Finalize();
    return 0;
}

DropIn drop_in_called(const std::string& program, const std::vector<std::string>& words,
                      std::span<const OperationInfo> operations) {
    if (program == "IMB-MPI1")
        return imb_command(words, operations);
    if (const OsuProgram* const osu = osu_program(program))
        return osu_command(*osu, words, operations);
    std::string names = "IMB-MPI1";
    for (const OsuProgram& each : osu_programs())
        names += fmt::format(", {}", each.name);
    throw OptionsEnd{
        2, fmt::format("found the name {}, expected to be called as one of osu_hello, osu_init, {}\n",
                       printable(program), names)};
}

int run_drop_in(const std::string& program, int argc, char** argv) {
    if (program == "osu_hello" || program == "osu_init")
        return start_up(program, argc, argv);
    const std::vector<OperationInfo> operations = operation_infos();
    const DropIn drop_in = drop_in_called(program, {argv + 1, argv + argc}, operations);
    const bool speaks = is_first_rank();
    bool keeps = drop_in.keeps_database;
    if (keeps && !drop_in.database && access(".", W_OK) != 0) {
        keeps = false;
        if (speaks)
            write_standard_error(
                fmt::format("{}: the working directory cannot be written: results are not kept\n", program));
    }
    std::unique_ptr<ScratchDirectory> scratch;
    if (!keeps && speaks)
        scratch = std::make_unique<ScratchDirectory>();
    Options options;
    options.program = program;
    const std::string usual = program + ".db";
    options.database = scratch ? scratch->path() + "/" + usual : drop_in.database.value_or(usual);
    options.plan_for = drop_in.plan;
    options.fresh = true;
    options.progress = ProgressKind::off;
    options.silent = true;
    const auto print = [&] {
        const Database database = Database::open(*options.database);
        const std::vector<RunId> runs = database.runs();
        write_standard_output(drop_in.output(database, runs.back()));
        if (keeps)
            write_standard_error(
                fmt::format("{}: results are in {}\n", program, printable(*options.database)));
    };
    return measure_as_rank(options, all_operations(), false, argc, argv, print);
}

} // namespace
} // namespace skampi

int main(int argc, char** argv) {
    using namespace skampi;
    const std::string program = argc > 0 ? std::filesystem::path(argv[0]).filename().string() : std::string();
    keep_standard_descriptors();
    try {
        return run_drop_in(program, argc, argv);
    } catch (const OptionsEnd& end) {
        if (is_first_rank())
            (void)fputs(end.text.c_str(), end.exit_status == 0 ? stdout : stderr);
        return end.exit_status;
    } catch (const Error& error) {
        write_standard_error(fmt::format("{}: {}\n", program, error.what()));
        return static_cast<int>(error.status());
    } catch (const std::exception& error) {
        write_standard_error(fmt::format("{}: {}\n", program, printable(error.what())));
        return static_cast<int>(ExitStatus::impossible);
    }
}
