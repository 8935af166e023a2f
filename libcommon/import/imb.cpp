#include "base/text.hpp"
#include "import/imported_runs.hpp"
#include "model/field_text.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <limits>

namespace skampi {

namespace {

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

constexpr auto collectives_of_imb = std::to_array<std::string_view>(
    {"Allgather", "Allgatherv", "Allreduce", "Alltoall", "Alltoallv", "Barrier", "Bcast", "Gather", "Gatherv",
     "Reduce", "Reduce_scatter", "Reduce_scatter_block", "Scatter", "Scatterv"});

/// A benchmark as its heading names it.
struct NamedBenchmark {
    std::string name;
    Benchmark benchmark{};
    std::string operation;
    bool pure = false; ///< the nonblocking operation alone: "Iallreduce_pure"
};

/// "Allreduce", "Iallreduce", "Iallreduce_pure"
NamedBenchmark benchmark_of(const TextTable& table, const Word& name) {
    std::string own(name.text);
    if (own.starts_with("Multi-"))
        own.erase(0, 6);
    const auto known = std::ranges::find(benchmarks, std::string_view(own), &Benchmark::name);
    if (known != benchmarks.end())
        return {std::string(name.text), *known, known->operation, false};
    const bool pure = own.ends_with("_pure");
    const std::string base = pure ? own.substr(0, own.size() - 5) : own;
    std::string blocking = base;
    const bool nonblocking =
        base.size() > 2 && base[0] == 'I' && std::islower(static_cast<unsigned char>(base[1]));
    if (nonblocking) {
        blocking.erase(0, 1);
        blocking[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(blocking[0])));
    }
    if (std::ranges::find(collectives_of_imb, std::string_view(blocking)) == collectives_of_imb.end())
        table.fail(name, "found the unknown benchmark \"" + printable(std::string(name.text)) +
                             "\", expected one of the parts MPI-1, NBC and RMA");
    return {
        std::string(name.text), {"", "", Pattern::collective, Meaning::collective, 1}, "MPI_" + base, pure};
}

enum class ImbColumn {
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

ImbColumn imb_column(const TextTable& table, const Word& title) {
    static constexpr auto titles = std::to_array<TitledColumn<ImbColumn>>({
        {"Group", ImbColumn::group},
        {"#bytes", ImbColumn::bytes},
        {"#repetitions", ImbColumn::repetitions},
        {"t[usec]", ImbColumn::time},
        {"t_min[usec]", ImbColumn::minimum},
        {"t_max[usec]", ImbColumn::maximum},
        {"t_avg[usec]", ImbColumn::average},
        {"t_ovrl[usec]", ImbColumn::overlapped},
        {"t_pure[usec]", ImbColumn::alone},
        {"t_CPU[usec]", ImbColumn::passed_over},
        {"overlap[%]", ImbColumn::passed_over},
        {"Mbytes/sec", ImbColumn::bandwidth},
        {"Msg/sec", ImbColumn::message_rate},
        {"defects", ImbColumn::defects},
    });
    return column_titled<ImbColumn>(table, title, titles);
}

/// Whether a line that is no comment is the heading of a table.
bool is_heading(const TextTable& table) {
    return std::ranges::any_of(table.words(), [](const Word& word) {
        return word.text == "#bytes" || word.text == "#repetitions" || word.text.ends_with("[usec]");
    });
}

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
            return table.ranks(words[i + 2]);
        if (words[i].text == "groups" && i + 2 < words.size() && words[i + 1].text == "of")
            return table.ranks(words[i + 2]);
    }
    return 0;
}

/// Whether a row itself says that there is no value: "16 time-out. ...", "8 out-of-mem.; ..."
bool is_given_up(const std::string& line) {
    return line.find("time-out") != std::string::npos || line.find("out-of-mem") != std::string::npos ||
           line.find("int-overflow") != std::string::npos;
}

/// The output of the Intel MPI Benchmarks (MPI-1, NBC and RMA parts): a table for each benchmark and number
/// of processes. PingPong and PingPing tell half of a round trip and an exchange; the round trip is stored,
/// and the suite's facts say so. Repetitions that the table has are the count; it has no errors.
class ImbReader : public LineReader {
public:
    static constexpr const char* kind = "Intel MPI Benchmarks output";
    static bool recognises(const std::string& beginning) {
        return beginning.find("MPI Benchmark") != std::string::npos &&
               beginning.find("# Benchmarking ") != std::string::npos;
    }

    using LineReader::LineReader;

private:
    void take_line() override {
        line_ = table_.line();
        const std::vector<Word>& words = table_.words();
        if (line_.starts_with("# Benchmarking ") && words.size() > 2)
            begin_benchmark(words[2]);
        else if (begins_table())
            begin_table();
        else if (line_.starts_with("#") && line_.find("MPI Benchmark") != std::string::npos &&
                 words.back().text == "part")
            begin_output();
        else if (line_.starts_with("#"))
            take_comment();
        else
            take_other_line();
    }

    std::vector<ImportedRun> finish() override {
        end_table();
        return runs_.finish();
    }

    struct Row {
        Word where;
        Measurement measurement;
        double step_s = 0; ///< by which the value would differ with one more in the last digit
    };

    [[nodiscard]] bool has(ImbColumn wanted) const {
        return std::ranges::find(columns_, wanted) != columns_.end();
    }

    void begin_benchmark(const Word& name) {
        end_table();
        benchmark_ = benchmark_of(table_, name);
        processes_ = 0;
        mode_.clear();
    }

    /// The heading of its columns.
    [[nodiscard]] bool begins_table() const {
        const std::vector<Word>& words = table_.words();
        const bool of_groups = words.front().text == "Group" && words.size() > 1;
        const std::string_view first = words[of_groups ? 1 : 0].text;
        return first.starts_with("#bytes") || first.starts_with("#repetitions");
    }

    void begin_table() {
        end_table();
        for (const Word& word : table_.words())
            columns_.push_back(imb_column(table_, word));
        if (benchmark_.name.empty())
            table_.fail("found a table without a line \"# Benchmarking ...\" before it");
    }

    /// "#    Intel(R) MPI Benchmarks 2021.3, MPI-1 part"
    void begin_output() {
        end_table();
        runs_.begin_header();
        benchmark_.name.clear();
    }

    void take_comment() {
        const int processes = processes_in(table_);
        const std::size_t mode = line_.find("MODE: ");
        // After rows it belongs to the table that follows, and not to those that wait.
        if ((processes > 0 || mode != std::string::npos) && (begun_ || !groups_.empty()))
            end_table();
        if (processes > 0)
            processes_ = processes;
        if (mode != std::string::npos)
            mode_ = line_.substr(mode + 6);
        if (benchmark_.name.empty())
            take_fact();
    }

    /// "# Machine : x86_64"
    void take_fact() {
        const std::size_t colon = line_.find(" : ");
        if (colon == std::string::npos)
            return;
        std::string key = line_.substr(1, colon - 1);
        key.erase(0, key.find_first_not_of(' '));
        key.erase(key.find_last_not_of(' ') + 1);
        if (!key.empty() && key.size() < 40)
            runs_.header().facts[key] = line_.substr(colon + 3);
    }

    /// A row, or what others print in between.
    void take_other_line() {
        const std::vector<Word>& words = table_.words();
        if (processes_ == 0 && !benchmark_.name.empty() && line_.find("groups of") != std::string::npos)
            processes_ = processes_in(table_);
        if (is_heading(table_))
            table_.fail(words.front(), "found a table that begins with \"" +
                                           printable(std::string(words.front().text)) +
                                           "\", expected #bytes or #repetitions, or Group before them");
        if (columns_.empty() && !benchmark_.name.empty() && is_numbers(table_))
            table_.fail(
                words.front(),
                "found numbers, expected the heading of a table, #bytes or #repetitions, before them");
        if (!columns_.empty() && std::isdigit(static_cast<unsigned char>(words.front().text.front())))
            take_row();
    }

    void take_row() {
        const std::vector<Word>& words = table_.words();
        const std::size_t first = has(ImbColumn::group) ? 1 : 0;
        const bool given_up = is_given_up(line_);
        if (given_up && (!has(ImbColumn::bytes) || words.size() <= first))
            return;
        if (!given_up)
            table_.require_columns(columns_.size());
        if (first == 0 && !begun_) {
            begin_suite("");
            begun_ = true;
        }
        Row row = given_up ? row_without_value(words[first]) : row_of_values();
        row.where = words[first];
        if (first == 0)
            runs_.add(table_, row.where, row.measurement, row.step_s);
        else
            groups_[table_.integer(words.front())].push_back(row);
    }

    [[nodiscard]] Row row_without_value(const Word& argument) const {
        Row row{argument, imported(table_.integer(argument), std::numeric_limits<double>::quiet_NaN()), 0};
        if (line_.find("time-out") != std::string::npos)
            set(row.measurement.flags, Flag::timed_out);
        row.measurement = without_value(row.measurement);
        return row;
    }

    [[nodiscard]] Row row_of_values() const {
        Row row{{}, imported(0, std::numeric_limits<double>::quiet_NaN()), 0};
        Measurement& m = row.measurement;
        // Uniband and Biband tell rates alone.
        const bool of_rates =
            !has(ImbColumn::maximum) && !has(ImbColumn::time) && !has(ImbColumn::overlapped);
        TimePerMessage rates;
        for (std::size_t i = 0; i < columns_.size(); ++i) {
            const Word& word = table_.words()[i];
            if (of_rates && columns_[i] == ImbColumn::bandwidth)
                rates.add_bandwidth(table_, word, megabyte, m.argument);
            else if (of_rates && columns_[i] == ImbColumn::message_rate)
                rates.add_messages_per_second(table_, word);
            else
                take(row, columns_[i], word);
        }
        if (of_rates) {
            m.value_s = rates.value_s().value_or(std::numeric_limits<double>::quiet_NaN());
            m.messages = 1;
            row.step_s = rates.step_s();
        }
        if (m.alone_s > 0 && !benchmark_.pure)
            m.computation_s = m.alone_s; // as long as the operation alone, as its manual has it
        else
            m.alone_s = 0;
        m = with_value(m, m.value_s);
        return row;
    }

    void take(Row& row, ImbColumn column, const Word& word) const {
        Measurement& m = row.measurement;
        const double trips = benchmark_.benchmark.round_trips;
        switch (column) {
        case ImbColumn::bytes:
            m.argument = table_.integer(word);
            break;
        case ImbColumn::repetitions:
            m.summary.count = m.summary.cut_count = std::max<std::int64_t>(1, table_.integer(word));
            break;
        case ImbColumn::time:
        case ImbColumn::maximum:
        case ImbColumn::overlapped:
            m.value_s = table_.real(word) * microseconds * trips;
            row.step_s = table_.last_digit(word) * microseconds * trips;
            break;
        case ImbColumn::alone:
            m.alone_s = table_.real(word) * microseconds;
            if (benchmark_.pure) {
                m.value_s = m.alone_s;
                row.step_s = table_.last_digit(word) * microseconds;
            }
            break;
        case ImbColumn::minimum:
        case ImbColumn::average:
            (void)table_.real(word);
            break;
        case ImbColumn::defects:
            if (table_.real(word) > 0)
                set(m.flags, Flag::wrong_result);
            break;
        case ImbColumn::bandwidth:
        case ImbColumn::message_rate:
        case ImbColumn::group:
        case ImbColumn::passed_over:
            break;
        }
    }

    [[nodiscard]] std::string suite_name(const std::string& group) const {
        std::string name = "IMB " + benchmark_.name;
        if ((benchmark_.benchmark.pattern == Pattern::collective || !group.empty()) && processes_ > 0)
            name += " (" + std::to_string(processes_) + " processes)";
        if (const std::size_t end = mode_.find_last_not_of(' '); end != std::string::npos)
            name += ", " + mode_.substr(0, end + 1);
        return name + (group.empty() ? "" : ", group " + group);
    }

    void begin_suite(const std::string& group) {
        const Benchmark& benchmark = benchmark_.benchmark;
        // As our own with computation in between: without the word, it is the operation alone.
        const std::string operation =
            benchmark_.operation + (has(ImbColumn::overlapped) ? "-computation" : "");
        ImportedRun::ImportedSuite& suite = runs_.begin_suite(
            suite_name(group), operation_named(operation, benchmark.pattern, benchmark.meaning),
            has(ImbColumn::bytes) ? Varied::message_length : Varied::none, processes_);
        if (benchmark.round_trips > 1)
            suite.facts["converted"] = "the file tells half of a round trip: doubled here";
        else if (has(ImbColumn::average))
            suite.facts["value"] = "t_max, the longest of the ranks' own times";
        if (benchmark.pattern == Pattern::collective && (has(ImbColumn::maximum)))
            tell(suite.suite, "reported_time", &Suite::reported_time, ReportedTime::max);
        if (!group.empty())
            suite.facts["group"] = group + ", while the other groups of processes did the same";
    }

    void end_table() {
        for (const auto& [group, rows] : groups_) {
            begin_suite(std::to_string(group));
            for (const Row& row : rows)
                runs_.add(table_, row.where, row.measurement, row.step_s);
        }
        groups_.clear();
        columns_.clear();
        begun_ = false;
    }

    std::string line_;
    // Of the benchmark, which has no name before the first:
    NamedBenchmark benchmark_;
    int processes_ = 0;
    std::string mode_;
    // Of the table, which has no columns outside of one:
    std::vector<ImbColumn> columns_;
    bool begun_ = false;                              ///< its suite is
    std::map<std::int64_t, std::vector<Row>> groups_; ///< rows that wait for the end of their table
};

} // namespace

extern const Importer imb_importer = importer_by<ImbReader>();

} // namespace skampi
