// SPDX-License-Identifier: LGPL-2.1-or-later
#include "base/error.hpp"
#include "drop_in/drop_in.hpp"
#include "model/pattern.hpp"
#include "options.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <getopt.h>
#include <optional>
#include <sstream>

namespace skampi {
namespace {

constexpr int option_database = 256;
constexpr int option_no_database = 257;

struct OsuOption {
    int letter;
    const char* name;
    int argument; ///< no_argument, required_argument or optional_argument
    const char* help;
    const char* only = nullptr; ///< the value that is accepted; null = any
};
constexpr auto osu_options = std::to_array<OsuOption>({
    {'m', "message-size", required_argument, "[MIN:]MAX message lengths in bytes: MIN, 2 MIN, 4 MIN, ..."},
    {'i', "iterations", required_argument, "most single measurements of a length"},
    {'x', "warmup", required_argument, "accepted: calls are left out until they take as long as later ones"},
    {'f', "full", no_argument, "smallest and largest time of a rank, and the number of single measurements"},
    {'c', "validation", no_argument, "whether the right data arrived"},
    {'z', "tail-lat", optional_argument, "percentiles [50,90,99], such as -z90,99"},
    {'t', "num-test-calls", required_argument, "calls of MPI_Test during the computation: 0", "0"},
    {'W', "window-size", required_argument, "messages in a window: 64", "64"},
    {'s', "sync-option", required_argument, "flush or lock"},
    {'w', "win-options", required_argument, "allocate", "allocate"},
    {'d', "accelerator", required_argument, "cpu", "cpu"},
    {'h', "help", no_argument, "this text"},
    {'v', "version", no_argument, "the title"},
    {option_database, "database", required_argument, "where the results are kept, too [PROGRAM.db]"},
    {option_no_database, "no-database", no_argument, "results are not kept"},
});

/// The letters that mean something for a program, as there.
std::string letters_of(const OsuProgram& program) {
    constexpr auto of_tables = std::to_array<const char*>({"cz", "czW", "czW", "cfz", "cfzt", "swW"});
    std::string letters = std::string("mixdhv") + of_tables.at(static_cast<std::size_t>(program.table));
    if (!program.has_lengths())
        std::erase_if(letters, [](char letter) { return letter == 'm' || letter == 'c'; });
    return letters;
}

std::string osu_help(const OsuProgram& program, const std::string& letters) {
    std::string text =
        fmt::format("Usage: {} [options]\nPrints what {} of OMB 7.4 prints, measured by SKaMPI.\n\n",
                    program.name, program.name);
    for (const OsuOption& each : osu_options) {
        const bool is_ours = each.letter >= option_database;
        if (is_ours || letters.find(static_cast<char>(each.letter)) != std::string::npos)
            text += fmt::format("  {:4}--{:<16}{}\n",
                                is_ours ? "" : fmt::format("-{},", static_cast<char>(each.letter)), each.name,
                                each.help);
    }
    return text;
}

/// How the program was called.
struct OsuCall {
    OsuColumns columns;
    std::int64_t first_bytes = 1;
    std::int64_t last_bytes = 1;
    std::optional<std::int64_t> repetitions;
    std::string memory = "512 MiB";
    bool by_lock = false;
};

class OsuCommand {
public:
    OsuCommand(const OsuProgram& program, std::span<const OperationInfo> operations)
        : program_(program)
        , operations_(operations)
        , letters_(letters_of(program)) {
        constexpr std::int64_t mebi = 1 << 20;
        const bool is_collective =
            program.table == OsuTable::collective || program.table == OsuTable::nonblocking;
        call_.last_bytes = is_collective ? mebi : 4 * mebi;
        if (!is_collective)
            call_.memory = "1 GiB"; // windows of 64 messages
        made_.program = program.name;
    }

    DropIn parse(std::vector<std::string> words) {
        words.insert(words.begin(), made_.program);
        std::vector<char*> argv;
        for (std::string& word : words)
            argv.push_back(word.data());
        argv.push_back(nullptr);
        std::string short_options = "+:";
        std::vector<option> long_options;
        for (const OsuOption& each : osu_options) {
            const bool is_ours = each.letter >= option_database;
            if (!is_ours && letters_.find(static_cast<char>(each.letter)) == std::string::npos)
                continue;
            if (!is_ours)
                short_options += static_cast<char>(each.letter) +
                                 std::string(static_cast<std::size_t>(each.argument), ':');
            long_options.push_back({each.name, each.argument, nullptr, each.letter});
        }
        long_options.push_back({});
        const auto count = static_cast<int>(words.size());
        opterr = 0;
        optind = 0; // begins anew
        for (int letter = 0; (letter = getopt_long(count, argv.data(), short_options.c_str(),
                                                   long_options.data(), nullptr)) != -1;)
            take(letter, optarg == nullptr ? "" : optarg, words[static_cast<std::size_t>(optind - 1)]);
        take_places({words.begin() + optind, words.end()});
        const OsuProgram& program = program_;
        const OsuCall call = call_;
        made_.plan = [program, call, operations = operations_](int ranks) {
            return plan_of(program, call, operations, ranks);
        };
        made_.output = [program, call](const Database& database, RunId run) {
            return output_of(program, call, database, run);
        };
        return made_;
    }

private:
    [[noreturn]] void refuse(const std::string& what) const { refuse_words(made_.program, what); }

    std::int64_t whole(const std::string& option, const std::string& word, std::int64_t least,
                       std::int64_t most = std::int64_t{1} << 40) const {
        return number_behind(made_.program, option, word, least, most);
    }

    void take(int letter, const std::string& value, const std::string& word) {
        switch (letter) {
        case 'm':
            return take_lengths(value);
        case 'i':
            call_.repetitions = whole("-i", value, 1);
            return;
        case 'x':
            static_cast<void>(whole("-x", value, 0));
            return;
        case 'f':
            call_.columns.full = true;
            return;
        case 'c':
            call_.columns.validation = true;
            return;
        case 'z':
            return take_percentiles(value.empty() ? "50,90,99" : value);
        case 's':
            call_.by_lock = value == "lock";
            if (value != "flush" && value != "lock")
                refuse("-s: found \"" + value + "\", expected flush or lock");
            return;
        case 'h':
            throw OptionsEnd{0, osu_help(program_, letters_)};
        case 'v':
            throw OptionsEnd{0, osu_title_line(program_)};
        case option_database:
            made_.database = value;
            return;
        case option_no_database:
            made_.keeps_database = false;
            return;
        case ':':
            refuse(word + ": found nothing behind it, expected a value");
        case '?':
            refuse("found the option " + word + ", which is not supported, expected one of -" + letters_);
        default: // of those with one value
            const auto* const row = std::ranges::find(osu_options, letter, &OsuOption::letter);
            if (value != row->only)
                refuse(fmt::format("-{}: found \"{}\", expected {}", static_cast<char>(letter), value,
                                   row->only));
        }
    }

    /// "128", "2:128", "2:"
    void take_lengths(const std::string& value) {
        const std::size_t colon = value.find(':');
        const bool has_first = colon != std::string::npos;
        if (has_first)
            call_.first_bytes = std::max<std::int64_t>(whole("-m", value.substr(0, colon), 0), 1);
        const std::string last = has_first ? value.substr(colon + 1) : value;
        if (!last.empty() || !has_first)
            call_.last_bytes = whole("-m", last, 1);
        if (call_.last_bytes < call_.first_bytes)
            refuse(fmt::format("-m: found \"{}\", expected a largest length of at least {}", value,
                               call_.first_bytes));
    }

    void take_percentiles(const std::string& value) {
        std::istringstream rest(value);
        for (std::string word; std::getline(rest, word, ',');)
            call_.columns.percentiles.push_back(static_cast<int>(whole("-z", word, 1, 99)));
    }

    /// Where the buffers are: on the host.
    void take_places(const std::vector<std::string>& words) const {
        const bool is_host =
            words == std::vector<std::string>{"H", "H"} || words == std::vector<std::string>{"D", "D"};
        if (!words.empty() && !is_host)
            refuse(fmt::format("found \"{}\", expected options", words.front()));
    }

    /// The lengths of a block whose n-fold is one of the program's lengths.
    static DropInSuite suite_of(const OsuProgram& program, const OsuCall& call, int ranks) {
        const std::int64_t share = program.lengths_of_all ? ranks : 1;
        DropInSuite suite{.name = std::string(program.name),
                          .operation = std::string(program.operation),
                          .ranks = ranks,
                          .repetitions = call.repetitions};
        std::int64_t first = call.first_bytes;
        while (first % share != 0 && first < call.last_bytes)
            first *= 2;
        if (first % share != 0 || first > call.last_bytes)
            throw InputError(fmt::format("{} ranks do not divide any length from {} to {}", ranks,
                                         call.first_bytes, call.last_bytes));
        std::int64_t last = first;
        while (last <= call.last_bytes / 2)
            last *= 2;
        suite.first_bytes = first / share;
        suite.last_bytes = last / share;
        return suite;
    }

    static std::string plan_of(const OsuProgram& program, const OsuCall& call,
                               std::span<const OperationInfo> operations, int ranks) {
        DropInSuite suite = suite_of(program, call, ranks);
        if (ranks == 2 && !program.between_two.empty())
            suite.operation = program.between_two;
        if (program.table == OsuTable::bandwidth || program.table == OsuTable::pairs)
            suite.operation += "-one_buffer";
        if (call.by_lock) {
            suite.operation.erase(suite.operation.rfind('-'));
            suite.operation += "-lock";
        }
        const OperationInfo& operation = operation_called(suite.operation, suite.name, operations);
        if (row_of(operation.pattern).ranks == 2 && ranks != 2)
            throw InputError("This test requires exactly two processes");
        if (ranks < 2)
            throw InputError("This test requires at least two processes");
        const bool reduces =
            std::ranges::find(operation.parameters, Parameter::reduction) != operation.parameters.end();
        suite.datatype = reduces || operation.integers_only ? "MPI_INT8_T" : "MPI_CHAR";
        std::vector<DropInSuite> suites = {suite};
        if (program.table == OsuTable::nonblocking && call.columns.full) {
            suite.operation.erase(suite.operation.rfind('-'));
            suite.name = fmt::format("{} alone", program.name);
            suites.push_back(suite);
            suite.name = fmt::format("{} begin", program.name);
            suite.operation += "-begin";
            suites.push_back(suite);
        }
        return drop_in_plan(suites, {call.memory, program.table != OsuTable::one_sided}, operations);
    }

    static std::string output_of(const OsuProgram& program, const OsuCall& call, const Database& database,
                                 RunId run) {
        const std::vector<StoredSuite> suites = database.suites(run);
        std::vector<OsuPoint> points;
        for (StoredMeasurement& stored : timed_points(database, suites.front().id)) {
            OsuPoint& point = points.emplace_back();
            point.measurement = std::move(stored.measurement);
            if (!call.columns.percentiles.empty())
                for (const Batch& batch : database.batches(stored.id))
                    if (!batch.dropped)
                        point.singles_s.insert(point.singles_s.end(), batch.duration_s.begin(),
                                               batch.duration_s.end());
        }
        if (suites.size() > 1)
            add_parts(points, database, suites);
        return osu_text(program, suites.front().suite, points, call.columns);
    }

    /// Rows without all of their parts are left out.
    static void add_parts(std::vector<OsuPoint>& points, const Database& database,
                          const std::vector<StoredSuite>& suites) {
        const std::vector<StoredMeasurement> alone = timed_points(database, suites[1].id);
        const std::vector<StoredMeasurement> begin = timed_points(database, suites[2].id);
        const auto at = [](const std::vector<StoredMeasurement>& all, std::int64_t argument) {
            return std::ranges::find(all, argument,
                                     [](const StoredMeasurement& each) { return each.measurement.argument; });
        };
        std::erase_if(points, [&](OsuPoint& point) {
            const auto of_alone = at(alone, point.measurement.argument);
            const auto of_begin = at(begin, point.measurement.argument);
            if (of_alone == alone.end() || of_begin == begin.end())
                return true;
            point.alone = of_alone->measurement;
            point.begin_s = of_begin->measurement.value_s;
            return false;
        });
    }

    const OsuProgram& program_;
    std::span<const OperationInfo> operations_;
    std::string letters_;
    OsuCall call_;
    DropIn made_;
};

} // namespace

DropIn osu_command(const OsuProgram& program, std::vector<std::string> argv,
                   std::span<const OperationInfo> operations) {
    return OsuCommand(program, operations).parse(std::move(argv));
}

} // namespace skampi
