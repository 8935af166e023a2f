#include "base/text.hpp"
#include "import/imported_runs.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <limits>

namespace skampi {

namespace {

/// What a program's numbers are.
enum class Told {
    half_round_trip,
    time,
    overlapped, ///< the time of the operation with computation beside it
    bandwidth,
    message_rate,
};

struct Test {
    std::string_view title; ///< between "OSU MPI" and "Test", without "Latency", in lower case
    const char* operation;
    Pattern pattern;
    Meaning meaning;
    Told told;
    int ranks; ///< 0 = unknown

    [[nodiscard]] bool of_rates() const { return told == Told::bandwidth || told == Told::message_rate; }
};

constexpr auto tests = std::to_array<Test>({
    {"", "MPI_Send-MPI_Recv", Pattern::ping_pong, Meaning::round_trip, Told::half_round_trip, 2},
    {"bandwidth", "osu_bw", Pattern::ping_pong, Meaning::window, Told::bandwidth, 2},
    {"bi-directional bandwidth", "osu_bibw", Pattern::ping_pong, Meaning::window, Told::bandwidth, 2},
    {"multiple bandwidth / message rate", "osu_mbw_mr", Pattern::ping_pong, Meaning::window,
     Told::message_rate, 0},
    {"multi", "osu_multi_lat", Pattern::ping_pong, Meaning::round_trip, Told::half_round_trip, 0},
    {"multi-threaded", "osu_latency_mt", Pattern::ping_pong, Meaning::round_trip, Told::half_round_trip, 2},
    {"multi-process", "osu_latency_mp", Pattern::ping_pong, Meaning::round_trip, Told::half_round_trip, 2},
    {"latency persistent", "MPI_Send_init-MPI_Recv_init", Pattern::ping_pong, Meaning::round_trip,
     Told::half_round_trip, 2},
    {"bandwidth persistent", "osu_bw_persistent", Pattern::ping_pong, Meaning::window, Told::bandwidth, 2},
    {"bi-directional bandwidth persistent", "osu_bibw_persistent", Pattern::ping_pong, Meaning::window,
     Told::bandwidth, 2},
});

/// A collective's own name, by what the programs call it.
constexpr auto collectives = std::to_array<std::pair<std::string_view, std::string_view>>({
    {"allgather", "Allgather"},
    {"allgatherv", "Allgatherv"},
    {"allreduce", "Allreduce"},
    {"all-to-all", "Alltoall"},
    {"all-to-all personalized exchange", "Alltoall"},
    {"all-to-allv", "Alltoallv"},
    {"all-to-allv personalized exchange", "Alltoallv"},
    {"all-to-allw", "Alltoallw"},
    {"all-to-allw personalized exchange", "Alltoallw"},
    {"barrier", "Barrier"},
    {"broadcast", "Bcast"},
    {"bcast", "Bcast"},
    {"gather", "Gather"},
    {"gatherv", "Gatherv"},
    {"reduce", "Reduce"},
    {"reduce_scatter", "Reduce_scatter"},
    {"reduce-scatter", "Reduce_scatter"},
    {"reduce_scatter_block", "Reduce_scatter_block"},
    {"scatter", "Scatter"},
    {"scatterv", "Scatterv"},
    {"scan", "Scan"},
    {"exscan", "Exscan"},
    {"neighborhood allgather", "Neighbor_allgather"},
    {"neighborhood allgatherv", "Neighbor_allgatherv"},
    {"neighborhood alltoall", "Neighbor_alltoall"},
    {"neighborhood all-to-all", "Neighbor_alltoall"},
    {"neighborhood alltoallv", "Neighbor_alltoallv"},
    {"neighborhood all-to-allv", "Neighbor_alltoallv"},
    {"neighborhood alltoallw", "Neighbor_alltoallw"},
    {"neighborhood all-to-allw", "Neighbor_alltoallw"},
    {"neighbor_allgather", "Neighbor_allgather"},
    {"neighbor_allgatherv", "Neighbor_allgatherv"},
    {"neighbor_alltoall", "Neighbor_alltoall"},
    {"neighbor_alltoallv", "Neighbor_alltoallv"},
    {"neighbor_alltoallw", "Neighbor_alltoallw"},
});

std::string lower(std::string_view text) {
    std::string result(text);
    std::ranges::transform(result, result.begin(),
                           [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return result;
}

std::string without_blanks(std::string text) {
    std::erase_if(text, [](char c) { return c == ' ' || c == '\t'; });
    return text;
}

bool take_front(std::string& text, std::string_view front) {
    if (!text.starts_with(front))
        return false;
    text.erase(0, front.size());
    return true;
}

bool take_back(std::string& text, std::string_view back) {
    if (!text.ends_with(back))
        return false;
    text.erase(text.size() - back.size());
    return true;
}

/// What a column of a table is.
enum class OsuColumn {
    size,
    value,   ///< as the program says: time, or bandwidth
    minimum, ///< time, over ranks
    maximum,
    iterations,
    overall,
    computation,
    alone,
    message_rate,
    validation,  ///< Pass or Fail
    passed_over, ///< known and not kept
};

struct ColumnTitle {
    std::string_view title; ///< in lower case, blanks taken away
    OsuColumn column;
};

/// The mean over the ranks of what each took.
constexpr std::string_view averaged_title = "avglatency(us)";

constexpr auto column_titles = std::to_array<ColumnTitle>({
    {"size", OsuColumn::size},
    {"latency(us)", OsuColumn::value},
    {averaged_title, OsuColumn::value},
    {"minlatency(us)", OsuColumn::minimum},
    {"maxlatency(us)", OsuColumn::maximum},
    {"iterations", OsuColumn::iterations},
    {"bandwidth(mb/s)", OsuColumn::value},
    {"mb/s", OsuColumn::value},
    {"messages/s", OsuColumn::message_rate},
    {"overall(us)", OsuColumn::overall},
    {"compute(us)", OsuColumn::computation},
    {"purecomm.(us)", OsuColumn::alone},
    {"mincomm.(us)", OsuColumn::passed_over},
    {"maxcomm.(us)", OsuColumn::passed_over},
    {"overlap(%)", OsuColumn::passed_over},
    {"coll.init(us)", OsuColumn::passed_over},
    {"mpi_test(us)", OsuColumn::passed_over},
    {"mpi_wait(us)", OsuColumn::passed_over},
    {"validation", OsuColumn::validation},
});

/// A percentile over the iterations, of any number: "p99.9taillat(us)".
bool is_percentile(std::string_view title) {
    return title.size() > 1 && title[0] == 'p' && std::isdigit(static_cast<unsigned char>(title[1])) &&
           (title.ends_with("taillat(us)") || title.ends_with("tailbw(mb/s)"));
}

/// The columns named in a line: titles hold blanks, and two blanks or more are between them only in some
/// versions; so words are joined until they are a title.
std::vector<OsuColumn> columns_in(const TextTable& table) {
    std::vector<OsuColumn> columns;
    std::string title;
    const Word* begin = nullptr;
    std::vector<Word> words = table.words();
    if (words.front().text == "#")
        words.erase(words.begin());
    else
        words.front().text.remove_prefix(1);
    for (const Word& word : words) {
        if (title.empty())
            begin = &word;
        title += lower(word.text);
        const auto found = std::ranges::find(column_titles, std::string_view(title), &ColumnTitle::title);
        if (found == column_titles.end() && !is_percentile(title))
            continue;
        columns.push_back(found == column_titles.end() ? OsuColumn::passed_over : found->column);
        title.clear();
    }
    if (!title.empty())
        table.fail(
            *begin,
            "found an unknown column \"" + printable(title) +
                "\", expected those of the OSU micro-benchmarks 5.x to 7.x: Size, Latency (us), Avg Latency(us), Min Latency(us), Max Latency(us), Iterations, Bandwidth (MB/s), MB/s, Messages/s, Overall(us), Compute(us), Pure Comm.(us), Overlap(%), P50 Tail Lat(us), ...");
    return columns;
}

/// "# OSU MPI Broadcast Latency Test v5.6.2" -> "broadcast", "5.6.2"; nothing for any other line.
std::optional<std::pair<std::string, std::string>> title_in(std::string_view line) {
    std::string text = lower(line);
    if (!take_front(text, "# osu mpi"))
        return std::nullopt;
    const std::size_t version = text.rfind(" v");
    std::string number;
    if (version != std::string::npos) {
        number = text.substr(version + 2);
        text.erase(version);
    }
    while (take_back(text, " "))
        ;
    if (!take_back(text, "test"))
        return std::nullopt;
    while (take_back(text, " "))
        ;
    (void)take_back(text, "latency");
    while (take_back(text, " ") || take_back(text, "-"))
        ;
    while (take_front(text, " "))
        ;
    return std::pair(text, number);
}

constexpr auto one_sided_calls = std::to_array<std::pair<std::string_view, std::string_view>>(
    {{"_put", "MPI_Put"},
     {"_get", "MPI_Get"},
     {"_accumulate", "MPI_Accumulate"},
     {"_get_accumulate", "MPI_Get_accumulate"},
     {"_compare_and_swap", "MPI_Compare_and_swap"},
     {"_fetch_and_op", "MPI_Fetch_and_op"}});

/// What a program measures, and the name of the operation.
struct NamedTest {
    Test test;
    std::string operation;
};

/// "# OSU MPI_Put Latency Test": of "mpi_put" the first letters belong to the title.
std::optional<NamedTest> one_sided_test(const std::string& title) {
    for (const auto& [call, name] : one_sided_calls) {
        if (title == call)
            return NamedTest{{"", "", Pattern::ping_pong, Meaning::one_sided, Told::time, 2},
                             std::string(name)};
        if (title == std::string(call) + " bandwidth" ||
            title == std::string(call) + " bi-directional bandwidth")
            return NamedTest{{"", "", Pattern::ping_pong, Meaning::window, Told::bandwidth, 2},
                             "osu " + std::string(name) + title.substr(call.size())};
    }
    return std::nullopt;
}

std::optional<NamedTest> collective_test(const std::string& title) {
    std::string base = title;
    const bool nonblocking = take_front(base, "non-blocking ") || take_front(base, "nonblocking ");
    const bool persistent = take_front(base, "persistent ") || take_back(base, " persistent");
    for (const auto& [name, call] : collectives) {
        std::string own = base;
        if (nonblocking && own != name && own.starts_with("i"))
            own.erase(0, 1);
        if (own != name)
            continue;
        std::string operation = "MPI_" + std::string(call);
        if (nonblocking) {
            operation = "MPI_I" + std::string(call);
            operation[5] = static_cast<char>(std::tolower(static_cast<unsigned char>(operation[5])));
        } else if (persistent) {
            operation += "_init";
        }
        return NamedTest{{"", "", Pattern::collective, Meaning::collective,
                          nonblocking ? Told::overlapped : Told::time, 0},
                         operation};
    }
    return std::nullopt;
}

NamedTest test_of(const TextTable& table, const std::string& title) {
    const auto known = std::ranges::find(tests, std::string_view(title), &Test::title);
    if (known != tests.end())
        return {*known, known->operation};
    if (std::optional<NamedTest> found = one_sided_test(title))
        return *std::move(found);
    if (std::optional<NamedTest> found = collective_test(title))
        return *std::move(found);
    table.fail("found the unknown test \"" + printable(title) +
               "\", expected a point-to-point, one-sided or collective program of the OSU micro-benchmarks");
}

/// A title, notes, the heading of the columns, and rows, for each program.
class OsuReader : public LineReader {
public:
    static constexpr const char* kind = "OSU micro-benchmarks output";
    static bool recognises(const std::string& beginning) {
        return beginning.find("# OSU MPI") != std::string::npos;
    }

    using LineReader::LineReader;

private:
    void take_line() override {
        if (const auto found = title_in(table_.line()))
            begin_test(found->first, found->second);
        else if (table_.line().starts_with('#'))
            take_comment();
        else if (in_test_ && !columns_.empty()) // else what launchers and libraries print before
            take_row();
    }

    void begin_test(const std::string& title, const std::string& version) {
        title_ = title;
        version_ = version;
        const NamedTest found = test_of(table_, title);
        test_ = found.test;
        operation_ = found.operation;
        in_test_ = true;
        begun_ = false;
        columns_.clear();
        notes_.clear();
        if (!version.empty() && version[0] != '5' && version[0] != '6' && version[0] != '7')
            table_.fail("found version " + printable(version) +
                        " of the OSU micro-benchmarks, expected 5.x, 6.x or 7.x");
    }

    /// The heading of the columns, or a note: "# Datatype: MPI_CHAR."
    void take_comment() {
        const std::string line = lower(table_.line());
        if (!in_test_)
            return;
        if (line.find("(us)") != std::string::npos || line.find("mb/s") != std::string::npos) {
            columns_ = columns_in(table_);
            averaged_ = without_blanks(line).find(averaged_title) != std::string::npos;
            begun_ = false;
        } else if (const std::size_t colon = line.find(": ");
                   colon != std::string::npos && line.find('[') == std::string::npos) {
            std::string value(table_.line().substr(colon + 2));
            if (value.ends_with('.'))
                value.pop_back();
            notes_[std::string(table_.line().substr(2, colon - 2))] = value;
        }
    }

    void begin_suite() {
        // As our own with computation in between: without the word, it is the operation alone.
        const bool computing = std::ranges::find(columns_, OsuColumn::overall) != columns_.end();
        const bool has_size = columns_.front() == OsuColumn::size;
        ImportedRun::ImportedSuite& suite = runs_.begin_suite(
            "OSU " + (title_.empty() ? std::string("latency") : title_),
            operation_named(operation_ + (computing ? "-computation" : ""), test_.pattern, test_.meaning),
            has_size ? Varied::message_length : Varied::none, test_.ranks);
        suite.facts = notes_;
        suite.facts["version"] = version_;
        if (test_.told == Told::half_round_trip)
            suite.facts["converted"] = "the file tells half of a round trip: doubled here";
        if (test_.of_rates())
            suite.facts["converted"] =
                "the file tells megabytes (10^6) per second: here the time per message";
        if (const auto datatype = notes_.find("Datatype"); datatype != notes_.end())
            tell(suite.suite, "datatype", &Suite::datatype, datatype->second);
        if (test_.pattern == Pattern::collective && averaged_)
            tell(suite.suite, "reported_time", &Suite::reported_time, ReportedTime::mean);
        begun_ = true;
    }

    void take_row() {
        const std::vector<Word>& words = table_.words();
        // What others print in between begins with no number.
        if (words.size() != columns_.size() &&
            !std::isdigit(static_cast<unsigned char>(words.front().text.front())))
            return;
        table_.require_columns(columns_.size());
        if (!begun_)
            begin_suite();
        Row row{imported(0, 0), {}, 0};
        for (std::size_t i = 0; i < columns_.size(); ++i)
            take(row, columns_[i], words[i]);
        if (test_.of_rates()) {
            row.measurement.value_s = row.rates.value_s().value_or(std::numeric_limits<double>::quiet_NaN());
            row.measurement.messages = 1;
            row.step_s = row.rates.step_s();
        }
        runs_.add(table_, words.front(), with_value(row.measurement, row.measurement.value_s), row.step_s);
    }

    struct Row {
        Measurement measurement;
        TimePerMessage rates;
        double step_s = 0; ///< by which the value would differ with one more in the last digit
    };

    void take(Row& row, OsuColumn column, const Word& word) const {
        Measurement& m = row.measurement;
        switch (column) {
        case OsuColumn::size:
            m.argument = table_.integer(word);
            break;
        case OsuColumn::value:
            if (test_.of_rates())
                row.rates.add_bandwidth(table_, word, megabyte, m.argument);
            else
                take_time(row, word, test_.told == Told::half_round_trip ? 2 : 1);
            break;
        case OsuColumn::message_rate:
            row.rates.add_messages_per_second(table_, word);
            break;
        case OsuColumn::validation:
            if (word.text == "Fail")
                set(m.flags, Flag::wrong_result);
            else if (word.text != "Pass")
                table_.fail(word,
                            "found \"" + printable(std::string(word.text)) + "\", expected Pass or Fail");
            break;
        case OsuColumn::overall:
            take_time(row, word, 1);
            break;
        case OsuColumn::computation:
            m.computation_s = table_.real(word) * microseconds;
            break;
        case OsuColumn::alone:
            m.alone_s = table_.real(word) * microseconds;
            break;
        case OsuColumn::iterations:
            m.summary.count = m.summary.cut_count = table_.integer(word);
            break;
        case OsuColumn::minimum:
        case OsuColumn::maximum: // of the ranks' means, not of single measurements
        case OsuColumn::passed_over:
            (void)table_.real(word);
            break;
        }
    }

    void take_time(Row& row, const Word& word, double trips) const {
        row.measurement.value_s = table_.real(word) * microseconds * trips;
        row.step_s = table_.last_digit(word) * microseconds * trips;
    }

    bool in_test_ = false;
    // Of the test:
    std::string title_;
    std::string version_;
    Test test_{};
    std::string operation_;
    std::map<std::string, std::string> notes_;
    std::vector<OsuColumn> columns_;
    bool averaged_ = false; ///< its values are means over the ranks
    bool begun_ = false;    ///< its suite is
};

} // namespace

extern const Importer osu_importer = importer_by<OsuReader>();

} // namespace skampi
