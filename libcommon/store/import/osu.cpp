#include "store/import/osu.hpp"

#include "base/text.hpp"
#include "store/import/text_table.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <limits>

namespace skampi {

namespace {

constexpr double microseconds = 1e-6;
constexpr double megabyte = 1e6;

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
    int ranks; ///< 0 = not told
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
enum class Column {
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
    Column column;
};

constexpr auto column_titles = std::to_array<ColumnTitle>({
    {"size", Column::size},
    {"latency(us)", Column::value},
    {"avglatency(us)", Column::value},
    {"minlatency(us)", Column::minimum},
    {"maxlatency(us)", Column::maximum},
    {"iterations", Column::iterations},
    {"bandwidth(mb/s)", Column::value},
    {"mb/s", Column::value},
    {"messages/s", Column::message_rate},
    {"overall(us)", Column::overall},
    {"compute(us)", Column::computation},
    {"purecomm.(us)", Column::alone},
    {"mincomm.(us)", Column::passed_over},
    {"maxcomm.(us)", Column::passed_over},
    {"overlap(%)", Column::passed_over},
    {"coll.init(us)", Column::passed_over},
    {"mpi_test(us)", Column::passed_over},
    {"mpi_wait(us)", Column::passed_over},
    {"validation", Column::validation},
});

/// A percentile over the iterations, of any number: "p99.9taillat(us)".
bool is_percentile(std::string_view title) {
    return title.size() > 1 && title[0] == 'p' && std::isdigit(static_cast<unsigned char>(title[1])) &&
           (title.ends_with("taillat(us)") || title.ends_with("tailbw(mb/s)"));
}

/// The columns named in a line: titles hold blanks, and two blanks or more are between them only in some
/// versions; so words are joined until they are a title.
std::vector<Column> columns_in(const TextTable& table) {
    std::vector<Column> columns;
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
        columns.push_back(found == column_titles.end() ? Column::passed_over : found->column);
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

Test test_of(const TextTable& table, const std::string& title, std::string& operation) {
    const auto known = std::ranges::find(tests, std::string_view(title), &Test::title);
    if (known != tests.end()) {
        operation = known->operation;
        return *known;
    }
    // "# OSU MPI_Put Latency Test": of "mpi_put" the first letters belong to the title.
    for (const auto& [call, name] :
         {std::pair("_put", "MPI_Put"), std::pair("_get", "MPI_Get"),
          std::pair("_accumulate", "MPI_Accumulate"), std::pair("_get_accumulate", "MPI_Get_accumulate"),
          std::pair("_compare_and_swap", "MPI_Compare_and_swap"),
          std::pair("_fetch_and_op", "MPI_Fetch_and_op")})
        if (title == call) {
            operation = name;
            return {"", "", Pattern::ping_pong, Meaning::one_sided, Told::time, 2};
        } else if (title == std::string(call) + " bandwidth" ||
                   title == std::string(call) + " bi-directional bandwidth") {
            operation = std::string("osu ") + name + title.substr(std::string_view(call).size());
            return {"", "", Pattern::ping_pong, Meaning::window, Told::bandwidth, 2};
        }
    std::string base = title;
    const bool nonblocking = take_front(base, "non-blocking ") || take_front(base, "nonblocking ");
    const bool persistent = take_front(base, "persistent ") || take_back(base, " persistent");
    for (const auto& [name, call] : collectives) {
        std::string own = base;
        if (nonblocking && own != name && own.starts_with("i"))
            own.erase(0, 1);
        if (own != name)
            continue;
        operation = "MPI_" + std::string(call);
        if (nonblocking) {
            operation = "MPI_I" + std::string(call);
            operation[5] = static_cast<char>(std::tolower(static_cast<unsigned char>(operation[5])));
        } else if (persistent) {
            operation += "_init";
        }
        return {"", "", Pattern::collective, Meaning::collective, nonblocking ? Told::overlapped : Told::time,
                0};
    }
    table.fail("found the unknown test \"" + printable(title) +
               "\", expected a point-to-point, one-sided or collective program of the OSU micro-benchmarks");
}

} // namespace

bool looks_like_osu(const std::string& text) {
    return text.find("# OSU MPI") != std::string::npos;
}

std::vector<ImportedRun> parse_osu(const std::string& name, const std::string& text) {
    TextTable table(name, text);
    ImportedRuns runs("OSU micro-benchmarks output", name, text);
    std::string operation;
    Test test{};
    std::vector<Column> columns;
    bool in_test = false;
    bool begun = false;
    std::string title;
    std::string version;
    std::map<std::string, std::string> notes;
    while (table.next()) {
        if (table.blank())
            continue;
        if (auto found = title_in(table.line())) {
            std::tie(title, version) = *found;
            test = test_of(table, title, operation);
            in_test = true;
            begun = false;
            columns.clear();
            notes.clear();
            if (!version.empty() && version[0] != '5' && version[0] != '6' && version[0] != '7')
                table.fail("found version " + printable(version) +
                           " of the OSU micro-benchmarks, expected 5.x, 6.x or 7.x");
            continue;
        }
        if (table.line().starts_with('#')) {
            const std::string line = lower(table.line());
            if (!in_test)
                continue;
            if (line.find("(us)") != std::string::npos || line.find("mb/s") != std::string::npos) {
                columns = columns_in(table);
                begun = false;
            } else if (const std::size_t colon = line.find(": ");
                       colon != std::string::npos && line.find('[') == std::string::npos) {
                std::string value(table.line().substr(colon + 2));
                if (value.ends_with('.'))
                    value.pop_back();
                notes[std::string(table.line().substr(2, colon - 2))] = value;
            }
            continue;
        }
        if (!in_test || columns.empty())
            continue; // what launchers and libraries print before
        const std::vector<Word>& words = table.words();
        if (words.size() != columns.size()) {
            // What others print in between begins with no number.
            if (!std::isdigit(static_cast<unsigned char>(words.front().text.front())))
                continue;
            table.fail(words.back(), "found " + std::to_string(words.size()) + " columns, expected " +
                                         std::to_string(columns.size()) + " as in the heading");
        }
        const bool has_size = columns.front() == Column::size;
        if (!begun) {
            // As our own with computation in between: without the word, it is the operation alone.
            const bool computing = std::ranges::find(columns, Column::overall) != columns.end();
            ImportedRun::ImportedSuite& suite =
                runs.begin_suite("OSU " + (title.empty() ? std::string("latency") : title),
                                 {0,
                                  operation + (computing ? "-computation" : ""),
                                  "",
                                  test.pattern,
                                  {},
                                  {},
                                  false,
                                  test.meaning},
                                 has_size ? Varied::message_length : Varied::none, test.ranks);
            suite.facts = notes;
            suite.facts["version"] = version;
            if (test.told == Told::half_round_trip)
                suite.facts["converted"] = "the file tells half of a round trip: doubled here";
            if (test.told == Told::bandwidth || test.told == Told::message_rate)
                suite.facts["converted"] =
                    "the file tells megabytes (10^6) per second: here the time per message";
            if (const auto datatype = notes.find("Datatype"); datatype != notes.end())
                suite.suite.datatype = datatype->second;
            begun = true;
        }
        Measurement m = imported(0, 0);
        TimePerMessage rates;
        double step_s = 0;
        const double trips = test.told == Told::half_round_trip ? 2 : 1;
        const bool of_rates = test.told == Told::bandwidth || test.told == Told::message_rate;
        for (std::size_t i = 0; i < columns.size(); ++i) {
            switch (columns[i]) {
            case Column::size:
                m.argument = table.integer(words[i]);
                break;
            case Column::value:
                if (of_rates) {
                    rates.add_bandwidth(table, words[i], megabyte, m.argument);
                } else {
                    m.value_s = table.real(words[i]) * microseconds * trips;
                    step_s = table.last_digit(words[i]) * microseconds * trips;
                }
                break;
            case Column::message_rate:
                rates.add_messages_per_second(table, words[i]);
                break;
            case Column::validation:
                if (words[i].text == "Fail")
                    set(m.flags, Flag::wrong_result);
                else if (words[i].text != "Pass")
                    table.fail(words[i], "found \"" + printable(std::string(words[i].text)) +
                                             "\", expected Pass or Fail");
                break;
            case Column::overall:
                m.value_s = table.real(words[i]) * microseconds;
                step_s = table.last_digit(words[i]) * microseconds;
                break;
            case Column::computation:
                m.computation_s = table.real(words[i]) * microseconds;
                break;
            case Column::alone:
                m.alone_s = table.real(words[i]) * microseconds;
                break;
            case Column::iterations:
                m.summary.count = m.summary.cut_count = table.integer(words[i]);
                break;
            case Column::minimum:
            case Column::maximum: // of the ranks' means, not of single measurements
            case Column::passed_over:
                (void)table.real(words[i]);
                break;
            }
        }
        if (of_rates) {
            m.value_s = rates.value_s().value_or(std::numeric_limits<double>::quiet_NaN());
            m.messages = 1;
            step_s = rates.step_s();
        }
        m.adjusted_s = m.summary.cut_mean = m.value_s;
        if (!has_value(m))
            m = without_value(m);
        runs.add(table, words.front(), m, step_s);
    }
    return runs.finish();
}

} // namespace skampi
