// SPDX-License-Identifier: LGPL-2.1-or-later
#include "base/error.hpp"
#include "drop_in/drop_in.hpp"
#include "drop_in/imb_text.hpp"
#include "model/pattern.hpp"
#include "options.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <optional>

namespace skampi {
namespace {

constexpr const char* imb_program = "IMB-MPI1";

/// How it was called.
struct ImbCall {
    std::vector<const ImbBenchmark*> benchmarks;
    int fewest_ranks = 2;
    int first_log = 0;
    int last_log = 22;
    std::optional<std::int64_t> repetitions;
    bool in_groups = false; ///< -multi 0
};

std::string imb_help() {
    std::string names;
    for (const ImbBenchmark& each : imb_benchmarks())
        names += fmt::format(" {}", each.name);
    return fmt::format("Usage: {} [BENCHMARK]... [options]\n"
                       "Prints what IMB-MPI1 prints, measured by SKaMPI.\n\n"
                       "  -npmin N          fewest ranks: N, 2 N, 4 N, ... and all [2]\n"
                       "  -msglog [MIN:]MAX message lengths: 0, 2^MIN, ..., 2^MAX [0:22]\n"
                       "  -iter N           most single measurements of a length\n"
                       "  -multi 0          one group of all ranks\n"
                       "  -database FILE    where the results are kept, too [{}.db]\n"
                       "  -no-database      results are not kept\n\nBenchmarks:{}\n",
                       imb_program, imb_program, names);
}

int small_number(const std::string& option, const std::string& word, int least, int most) {
    return static_cast<int>(number_behind(imb_program, option, word, least, most));
}

void take_lengths(ImbCall& call, const std::string& value) {
    constexpr int most = 30;
    const std::size_t colon = value.find(':');
    if (colon != std::string::npos)
        call.first_log = small_number("-msglog", value.substr(0, colon), 0, most);
    call.last_log =
        small_number("-msglog", colon == std::string::npos ? value : value.substr(colon + 1), 0, most);
    if (call.last_log < call.first_log)
        refuse_words(imb_program,
                     fmt::format("-msglog: found \"{}\", expected the smaller one first", value));
}

/// N, 2 N, 4 N, ... and all.
std::vector<int> rank_counts(const ImbBenchmark& benchmark, const ImbCall& call, int ranks) {
    if (benchmark.of_two)
        return {2};
    std::vector<int> counts;
    for (int count = std::min(call.fewest_ranks, ranks); count < ranks; count *= 2)
        counts.push_back(count);
    counts.push_back(ranks);
    return counts;
}

std::string plan_of(const ImbCall& call, std::span<const OperationInfo> operations, int ranks) {
    if (ranks < 2)
        throw InputError("expected at least 2 ranks");
    std::vector<DropInSuite> suites;
    for (const ImbBenchmark* const benchmark : call.benchmarks)
        for (const int count : rank_counts(*benchmark, call, ranks)) {
            if (call.in_groups && 2 * count <= ranks)
                throw InputError(fmt::format(
                    "-multi 0: {} with {} of {} ranks would run in {} groups at once, which is not supported; "
                    "-npmin {} is",
                    benchmark->name, count, ranks, ranks / count, ranks));
            const std::int64_t element = benchmark->reduces ? 4 : 1;
            DropInSuite suite{.name = fmt::format("{} of {} ranks", benchmark->name, count),
                              .operation = std::string(benchmark->operation),
                              .ranks = count,
                              .last_bytes = std::int64_t{1} << call.last_log,
                              .multiple_of = std::max(std::int64_t{1} << call.first_log, element),
                              .datatype = benchmark->reduces ? "MPI_FLOAT" : "MPI_BYTE",
                              .repetitions = call.repetitions};
            suite.last_bytes = std::max(suite.last_bytes, suite.multiple_of);
            if (ranks == 2 && !benchmark->between_two.empty())
                suite.operation = benchmark->between_two;
            if (benchmark->table == ImbTable::rates)
                suite.operation += "-one_buffer";
            suites.push_back(suite);
        }
    return drop_in_plan(suites, {"1 GiB"}, operations);
}

std::string output_of(const ImbCall& call, const Database& database, RunId run) {
    std::vector<ImbResult> results;
    for (StoredSuite& stored : database.suites(run)) {
        ImbBenchmark benchmark = *imb_benchmark(stored.suite.name.substr(0, stored.suite.name.find(' ')));
        if (call.in_groups && benchmark.table == ImbTable::time)
            benchmark.table = ImbTable::times_and_rate; // as there
        ImbResult& result = results.emplace_back(ImbResult{benchmark, std::move(stored.suite), {}});
        for (StoredMeasurement& each : timed_points(database, stored.id))
            result.points.push_back(std::move(each.measurement));
    }
    return imb_text(database.run(run), results);
}

} // namespace

DropIn imb_command(const std::vector<std::string>& argv, std::span<const OperationInfo> operations) {
    DropIn made;
    made.program = imb_program;
    ImbCall call;
    for (std::size_t i = 0; i < argv.size(); ++i) {
        std::string word = argv[i];
        if (word.starts_with("--"))
            word.erase(0, 1);
        const auto value = [&]() -> const std::string& {
            if (i + 1 >= argv.size())
                refuse_words(imb_program, word + ": found nothing behind it, expected a value");
            return argv[++i];
        };
        if (word == "-npmin")
            call.fewest_ranks = small_number(word, value(), 1, 100'000'000);
        else if (word == "-msglog")
            take_lengths(call, value());
        else if (word == "-iter")
            call.repetitions = small_number(word, value(), 1, 1'000'000'000);
        else if (word == "-multi")
            call.in_groups = small_number(word, value(), 0, 0) == 0;
        else if (word == "-database")
            made.database = value();
        else if (word == "-no-database")
            made.keeps_database = false;
        else if (word == "-h" || word == "-help")
            throw OptionsEnd{0, imb_help()};
        else if (word.starts_with('-'))
            refuse_words(imb_program, "found the option " + word + ", which is not supported");
        else if (const ImbBenchmark* const benchmark = imb_benchmark(word))
            call.benchmarks.push_back(benchmark);
        else
            refuse_words(imb_program,
                         fmt::format("found the benchmark \"{}\", which is not supported", word));
    }
    if (call.benchmarks.empty())
        for (const ImbBenchmark& each : imb_benchmarks())
            call.benchmarks.push_back(&each);
    made.plan = [call, operations](int ranks) { return plan_of(call, operations, ranks); };
    made.output = [call](const Database& database, RunId run) { return output_of(call, database, run); };
    return made;
}

} // namespace skampi
