#include "store/import/imb.hpp"

#include "base/text.hpp"
#include "model/field_text.hpp"
#include "store/import/text_table.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <limits>

namespace skampi {

namespace {

constexpr double microseconds = 1e-6;
constexpr double megabyte = 1e6;

struct Benchmark {
    std::string_view name; ///< after "# Benchmarking", without Multi-
    const char* operation;
    Pattern pattern;
    Meaning meaning;
    double round_trips; ///< by which its time is multiplied
};

/// Those that are no collective of MPI by their name.
constexpr auto benchmarks = std::to_array<Benchmark>({
    {"PingPong", "MPI_Send-MPI_Recv", Pattern::ping_pong, Meaning::round_trip, 2},
    {"PingPongSpecificSource", "IMB PingPongSpecificSource", Pattern::ping_pong, Meaning::round_trip, 2},
    {"PingPongAnySource", "IMB PingPongAnySource", Pattern::ping_pong, Meaning::round_trip, 2},
    {"PingPing", "IMB PingPing", Pattern::ping_pong, Meaning::exchange, 1},
    {"PingPingSpecificSource", "IMB PingPingSpecificSource", Pattern::ping_pong, Meaning::exchange, 1},
    {"PingPingAnySource", "IMB PingPingAnySource", Pattern::ping_pong, Meaning::exchange, 1},
    {"Sendrecv", "IMB Sendrecv", Pattern::collective, Meaning::collective, 1},
    {"Exchange", "IMB Exchange", Pattern::collective, Meaning::collective, 1},
    {"Uniband", "IMB Uniband", Pattern::ping_pong, Meaning::window, 1},
    {"Biband", "IMB Biband", Pattern::ping_pong, Meaning::window, 1},
    {"Unidir_put", "MPI_Put", Pattern::ping_pong, Meaning::one_sided, 1},
    {"Unidir_get", "MPI_Get", Pattern::ping_pong, Meaning::one_sided, 1},
    {"Unidir_Put", "MPI_Put", Pattern::ping_pong, Meaning::one_sided, 1},
    {"Unidir_Get", "MPI_Get", Pattern::ping_pong, Meaning::one_sided, 1},
    {"Bidir_put", "IMB Bidir_put", Pattern::ping_pong, Meaning::one_sided, 1},
    {"Bidir_get", "IMB Bidir_get", Pattern::ping_pong, Meaning::one_sided, 1},
    {"Bidir_Put", "IMB Bidir_put", Pattern::ping_pong, Meaning::one_sided, 1},
    {"Bidir_Get", "IMB Bidir_get", Pattern::ping_pong, Meaning::one_sided, 1},
    {"One_put_all", "IMB One_put_all", Pattern::collective, Meaning::collective, 1},
    {"One_get_all", "IMB One_get_all", Pattern::collective, Meaning::collective, 1},
    {"All_put_all", "IMB All_put_all", Pattern::collective, Meaning::collective, 1},
    {"All_get_all", "IMB All_get_all", Pattern::collective, Meaning::collective, 1},
    {"Put_local", "IMB Put_local", Pattern::ping_pong, Meaning::one_sided, 1},
    {"Put_all_local", "IMB Put_all_local", Pattern::collective, Meaning::collective, 1},
    {"Get_local", "IMB Get_local", Pattern::ping_pong, Meaning::one_sided, 1},
    {"Get_all_local", "IMB Get_all_local", Pattern::collective, Meaning::collective, 1},
    {"Exchange_put", "IMB Exchange_put", Pattern::collective, Meaning::collective, 1},
    {"Exchange_get", "IMB Exchange_get", Pattern::collective, Meaning::collective, 1},
    {"Accumulate", "MPI_Accumulate", Pattern::ping_pong, Meaning::one_sided, 1},
    {"Get_accumulate", "MPI_Get_accumulate", Pattern::ping_pong, Meaning::one_sided, 1},
    {"Fetch_and_op", "MPI_Fetch_and_op", Pattern::ping_pong, Meaning::one_sided, 1},
    {"Compare_and_swap", "MPI_Compare_and_swap", Pattern::ping_pong, Meaning::one_sided, 1},
    {"Truly_passive_put", "IMB Truly_passive_put", Pattern::ping_pong, Meaning::one_sided, 1},
});

constexpr auto collectives = std::to_array<std::string_view>(
    {"Allgather", "Allgatherv", "Allreduce", "Alltoall", "Alltoallv", "Barrier", "Bcast", "Gather", "Gatherv",
     "Reduce", "Reduce_scatter", "Reduce_scatter_block", "Scatter", "Scatterv"});

/// The benchmark of a name: "Allreduce", "Iallreduce", "Iallreduce_pure".
Benchmark benchmark_of(const TextTable& table, const Word& name, std::string& operation, bool& pure) {
    std::string own(name.text);
    if (own.starts_with("Multi-"))
        own.erase(0, 6);
    const auto known = std::ranges::find(benchmarks, std::string_view(own), &Benchmark::name);
    if (known != benchmarks.end()) {
        operation = known->operation;
        return *known;
    }
    pure = own.ends_with("_pure");
    const std::string base = pure ? own.substr(0, own.size() - 5) : own;
    std::string blocking = base;
    const bool nonblocking =
        base.size() > 2 && base[0] == 'I' && std::islower(static_cast<unsigned char>(base[1]));
    if (nonblocking) {
        blocking.erase(0, 1);
        blocking[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(blocking[0])));
    }
    if (std::ranges::find(collectives, std::string_view(blocking)) == collectives.end())
        table.fail(name, "found the unknown benchmark \"" + printable(std::string(name.text)) +
                             "\", expected one of the parts MPI-1, NBC and RMA");
    operation = "MPI_" + base;
    return {"", "", Pattern::collective, Meaning::collective, 1};
}

enum class Column {
    group, ///< of processes, that run at the same time (-multi 1)
    bytes,
    repetitions,
    time,
    minimum,
    maximum,
    average,
    overlapped,
    alone,
    bandwidth,
    message_rate,
    defects, ///< how far results are off
    passed_over
};

Column column_of(const TextTable& table, const Word& title) {
    static constexpr auto titles = std::to_array<TitledColumn<Column>>({
        {"Group", Column::group},
        {"#bytes", Column::bytes},
        {"#repetitions", Column::repetitions},
        {"t[usec]", Column::time},
        {"t_min[usec]", Column::minimum},
        {"t_max[usec]", Column::maximum},
        {"t_avg[usec]", Column::average},
        {"t_ovrl[usec]", Column::overlapped},
        {"t_pure[usec]", Column::alone},
        {"t_CPU[usec]", Column::passed_over},
        {"overlap[%]", Column::passed_over},
        {"Mbytes/sec", Column::bandwidth},
        {"Msg/sec", Column::message_rate},
        {"defects", Column::defects},
    });
    return column_titled<Column>(table, title, titles);
}

/// Whether a line that is no comment is the heading of a table.
bool is_heading(const TextTable& table) {
    return std::ranges::any_of(table.words(), [](const Word& word) {
        return word.text == "#bytes" || word.text == "#repetitions" || word.text.ends_with("[usec]");
    });
}

/// The rows of one group of processes, which stand between those of the others.
struct Row {
    Word where;
    Measurement measurement;
    double step_s = 0;
};

/// Whether a line is of numbers alone.
bool is_numbers(const TextTable& table) {
    return std::ranges::all_of(table.words(),
                               [](const Word& word) { return real_from(word.text).has_value(); });
}

/// The number in "# #processes = 4", "( 2 groups of 2 processes each ...)"; 0 for any other line.
int processes_in(const TextTable& table) {
    const std::vector<Word>& words = table.words();
    for (std::size_t i = 0; i < words.size(); ++i) {
        if (words[i].text == "#processes" && i + 2 < words.size() && words[i + 1].text == "=")
            return static_cast<int>(table.integer(words[i + 2]));
        if (words[i].text == "groups" && i + 2 < words.size() && words[i + 1].text == "of")
            return static_cast<int>(table.integer(words[i + 2]));
    }
    return 0;
}

} // namespace

bool looks_like_imb(const std::string& text) {
    return text.find("MPI Benchmark") != std::string::npos &&
           text.find("# Benchmarking ") != std::string::npos;
}

std::vector<ImportedRun> parse_imb(const std::string& name, const std::string& text) {
    TextTable table(name, text);
    ImportedRuns runs("Intel MPI Benchmarks output", name, text);
    std::map<std::string, std::string> facts;
    std::string benchmark_name;
    std::string operation;
    std::string mode;
    Benchmark benchmark{};
    bool pure = false;
    int processes = 0;
    std::vector<Column> columns;
    bool begun = false;
    std::map<std::int64_t, std::vector<Row>> groups; // rows that wait for the end of their table
    const auto has = [&](Column wanted) { return std::ranges::find(columns, wanted) != columns.end(); };
    const auto begin_suite = [&](const std::string& group) {
        std::string suite_name = "IMB " + benchmark_name;
        if ((benchmark.pattern == Pattern::collective || !group.empty()) && processes > 0)
            suite_name += " (" + std::to_string(processes) + " processes)";
        while (mode.ends_with(' '))
            mode.pop_back();
        if (!mode.empty())
            suite_name += ", " + mode;
        if (!group.empty())
            suite_name += ", group " + group;
        ImportedRun::ImportedSuite& suite = runs.begin_suite(
            suite_name,
            // As our own with computation in between: without the word, it is the operation alone.
            {0,
             operation + (has(Column::overlapped) ? "-computation" : ""),
             "",
             benchmark.pattern,
             {},
             {},
             false,
             benchmark.meaning},
            has(Column::bytes) ? Varied::message_length : Varied::none, processes);
        if (benchmark.round_trips > 1)
            suite.facts["converted"] = "the file tells half of a round trip: doubled here";
        else if (has(Column::average))
            suite.facts["value"] = "t_max, the time until the last rank has left";
        if (!group.empty())
            suite.facts["group"] = group + ", while the other groups of processes did the same";
    };
    const auto end_table = [&] {
        for (const auto& [group, rows] : groups) {
            begin_suite(std::to_string(group));
            for (const Row& row : rows)
                runs.add(table, row.where, row.measurement, row.step_s);
        }
        groups.clear();
        columns.clear();
        begun = false;
    };
    while (table.next()) {
        if (table.blank())
            continue;
        const std::vector<Word>& words = table.words();
        const std::string line(table.line());
        if (line.starts_with("# Benchmarking ") && words.size() > 2) {
            end_table();
            pure = false;
            benchmark = benchmark_of(table, words[2], operation, pure);
            benchmark_name = std::string(words[2].text);
            processes = 0;
            mode.clear();
            continue;
        }
        const bool of_groups = words.front().text == "Group" && words.size() > 1;
        if (const std::string_view first = words[of_groups ? 1 : 0].text;
            first.starts_with("#bytes") || first.starts_with("#repetitions")) {
            end_table();
            for (const Word& word : words)
                columns.push_back(column_of(table, word));
            if (benchmark_name.empty())
                table.fail("found a table without a line \"# Benchmarking ...\" before it");
            continue;
        }
        // "#    Intel(R) MPI Benchmarks 2021.3, MPI-1 part" begins an output.
        if (line.starts_with("#") && line.find("MPI Benchmark") != std::string::npos &&
            words.back().text == "part") {
            end_table();
            runs.begin_header();
            benchmark_name.clear();
            continue;
        }
        if (line.starts_with("#")) {
            const int found = processes_in(table);
            const std::size_t at = line.find("MODE: ");
            // After rows it belongs to the table that follows, and not to those that wait.
            if ((found > 0 || at != std::string::npos) && (begun || !groups.empty()))
                end_table();
            if (found > 0)
                processes = found;
            if (at != std::string::npos)
                mode = line.substr(at + 6);
            // "# Machine : x86_64"
            if (const std::size_t colon = line.find(" : ");
                colon != std::string::npos && benchmark_name.empty()) {
                std::string key = line.substr(1, colon - 1);
                key.erase(0, key.find_first_not_of(' '));
                key.erase(key.find_last_not_of(' ') + 1);
                if (!key.empty() && key.size() < 40)
                    runs.header().facts[key] = line.substr(colon + 3);
            }
            continue;
        }
        if (processes == 0 && !benchmark_name.empty() && line.find("groups of") != std::string::npos)
            processes = processes_in(table);
        if (is_heading(table))
            table.fail(words.front(), "found a table that begins with \"" +
                                          printable(std::string(words.front().text)) +
                                          "\", expected #bytes or #repetitions, or Group before them");
        if (columns.empty() && !benchmark_name.empty() && is_numbers(table))
            table.fail(words.front(),
                       "found numbers, expected the heading of a table, #bytes or #repetitions, before them");
        if (columns.empty() || !std::isdigit(static_cast<unsigned char>(words.front().text.front())))
            continue;
        const bool has_bytes = has(Column::bytes);
        // "16 time-out. ...", "8 out-of-mem.; ...": it says so itself that there is no value
        const bool timed_out = line.find("time-out") != std::string::npos;
        const bool given_up = timed_out || line.find("out-of-mem") != std::string::npos ||
                              line.find("int-overflow") != std::string::npos;
        const std::size_t first = has(Column::group) ? 1 : 0;
        if (given_up && (!has_bytes || words.size() <= first))
            continue;
        if (words.size() != columns.size() && !given_up) {
            table.fail(words.back(), "found " + std::to_string(words.size()) + " columns, expected " +
                                         std::to_string(columns.size()) + " as in the heading");
        }
        if (first == 0 && !begun) {
            begin_suite("");
            begun = true;
        }
        const auto add = [&](const Measurement& m, double step_s) {
            if (first == 0)
                runs.add(table, words.front(), m, step_s);
            else
                groups[table.integer(words.front())].push_back({words[first], m, step_s});
        };
        Measurement m = imported(0, std::numeric_limits<double>::quiet_NaN());
        if (given_up) {
            m.argument = table.integer(words[first]);
            if (timed_out)
                set(m.flags, Flag::timed_out);
            add(without_value(m), 0);
            continue;
        }
        // Uniband and Biband tell rates alone.
        const bool of_rates = std::ranges::none_of(columns, [](Column column) {
            return column == Column::maximum || column == Column::time || column == Column::overlapped;
        });
        TimePerMessage rates;
        double step_s = 0;
        for (std::size_t i = 0; i < columns.size(); ++i)
            switch (columns[i]) {
            case Column::bytes:
                m.argument = table.integer(words[i]);
                break;
            case Column::repetitions:
                m.summary.count = m.summary.cut_count = std::max<std::int64_t>(1, table.integer(words[i]));
                break;
            case Column::time:
            case Column::maximum:
            case Column::overlapped:
                m.value_s = table.real(words[i]) * microseconds * benchmark.round_trips;
                step_s = table.last_digit(words[i]) * microseconds * benchmark.round_trips;
                break;
            case Column::alone:
                m.alone_s = table.real(words[i]) * microseconds;
                if (pure) {
                    m.value_s = m.alone_s;
                    step_s = table.last_digit(words[i]) * microseconds;
                }
                break;
            case Column::minimum:
            case Column::average:
                (void)table.real(words[i]);
                break;
            case Column::bandwidth:
                if (of_rates)
                    rates.add_bandwidth(table, words[i], megabyte, m.argument);
                break;
            case Column::message_rate:
                if (of_rates)
                    rates.add_messages_per_second(table, words[i]);
                break;
            case Column::defects:
                if (table.real(words[i]) > 0)
                    set(m.flags, Flag::wrong_result);
                break;
            case Column::group:
            case Column::passed_over:
                break;
            }
        if (of_rates) {
            m.value_s = rates.value_s().value_or(std::numeric_limits<double>::quiet_NaN());
            m.messages = 1;
            step_s = rates.step_s();
        }
        if (m.alone_s > 0 && !pure)
            m.computation_s = m.alone_s; // as long as the operation alone, as its manual has it
        else
            m.alone_s = 0;
        m.adjusted_s = m.summary.cut_mean = m.value_s;
        if (!has_value(m))
            m = without_value(m);
        add(m, step_s);
    }
    end_table();
    return runs.finish();
}

} // namespace skampi
