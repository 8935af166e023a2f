#include "store/import/skampi5.hpp"

#include "base/text.hpp"
#include "store/import/text_table.hpp"

#include <algorithm>
#include <optional>

namespace skampi {

namespace {

constexpr double microseconds = 1e-6;

/// The text between quotes in `# begin result "N"`.
std::string name_in(const TextTable& table) {
    const std::string_view line = table.line();
    const std::size_t open = line.find('"');
    const std::size_t close = line.rfind('"');
    if (open == std::string_view::npos || close == open)
        table.fail("found no name in quotes, expected # begin result \"NAME\"");
    return std::string(line.substr(open + 1, close - open - 1));
}

/// A suite's name begins with that of its operation: "MPI_Bcast-nodes-length".
std::string operation_in(const std::string& name) {
    if (name.starts_with("MPI_Send-MPI_") || name.starts_with("MPI_Sendrecv"))
        return name;
    const std::size_t end = name.find_first_of("- ");
    return name.substr(0, end);
}

} // namespace

bool looks_like_skampi5(const std::string& text) {
    return text.find("# begin result \"") != std::string::npos;
}

std::vector<ImportedRun> parse_skampi5(const std::string& name, const std::string& text) {
    TextTable table(name, text);
    ImportedRuns runs("SKaMPI 5 output", name, text);
    std::string suite;
    bool begun = false;
    std::vector<std::string> labels; // of the suite's rows, the last one is its argument
    std::string fixed;               // the values of the others, in words
    while (table.next()) {
        const std::string line(table.line());
        if (line.starts_with("# begin result")) {
            if (!suite.empty())
                table.fail("found another result, expected # end result \"" + printable(suite) + "\"");
            suite = name_in(table);
            begun = false;
            labels.clear();
            fixed.clear();
            continue;
        }
        if (line.starts_with("# end result")) {
            if (suite.empty() || name_in(table) != suite)
                table.fail("found the end of a result that did not begin");
            suite.clear();
            continue;
        }
        if (line.starts_with("# SKaMPI Version ")) {
            runs.begin_header();
            runs.header().tool_version = line.substr(17);
        }
        if (table.blank() || line.starts_with('#') || suite.empty())
            continue;
        // name= value ... [bytes] time error n times of the ranks
        const std::vector<Word>& words = table.words();
        std::size_t at = 0;
        std::vector<std::string> own;
        std::vector<const Word*> values;
        while (at + 1 < words.size() && words[at].text.ends_with('=')) {
            own.emplace_back(words[at].text.substr(0, words[at].text.size() - 1));
            values.push_back(&words[at + 1]);
            at += 2;
        }
        if (own.empty())
            table.fail(words.front(), "found \"" + printable(std::string(words.front().text)) +
                                          "\", expected what is varied, such as count= 8");
        std::string others;
        for (std::size_t i = 0; i + 1 < own.size(); ++i)
            others += (others.empty() ? "" : ", ") + own[i] + " " + std::string(values[i]->text);
        const bool lengths = own.back() == "count";
        if (!begun || own != labels || others != fixed) {
            labels = own;
            fixed = others;
            const std::string operation = operation_in(suite);
            const bool ping_pong = operation.find("Send") != std::string::npos;
            int ranks = 0;
            for (std::size_t i = 0; i + 1 < own.size(); ++i)
                if (own[i] == "nodes" || own[i] == "procs")
                    ranks = static_cast<int>(table.integer(*values[i]));
            runs.begin_suite(suite + (others.empty() ? "" : " (" + others + ")"),
                             {0,
                              operation,
                              "",
                              ping_pong ? Pattern::ping_pong : Pattern::collective,
                              {},
                              {},
                              false,
                              ping_pong ? Meaning::unknown : Meaning::collective},
                             lengths                                          ? Varied::message_length
                             : own.back() == "nodes" || own.back() == "procs" ? Varied::nodes
                                                                              : Varied::none,
                             ranks)
                .facts["argument"] = own.back();
            begun = true;
        }
        const std::int64_t argument = table.integer(*values.back());
        const std::size_t numbers = words.size() - at;
        const std::size_t before = lengths ? 1 : 0; // the length in bytes
        if (numbers < before + 3)
            table.fail(words.back(),
                       "found " + std::to_string(numbers) + " numbers behind what is varied, expected " +
                           (lengths ? "bytes, " : "") + "time, error, repetitions, and times of the ranks");
        Measurement m = imported(lengths ? table.integer(words[at]) : argument,
                                 table.real(words[at + before]) * microseconds);
        m.standard_error_s = m.summary.cut_standard_error = table.real(words[at + before + 1]) * microseconds;
        m.summary.count = m.summary.cut_count = table.integer(words[at + before + 2]);
        int rank = 0;
        for (std::size_t i = at + before + 3; i < words.size(); ++i)
            m.node_times.push_back({rank++, table.real(words[i]) * microseconds, 0});
        runs.add(table, *values.back(), m, table.last_digit(words[at + before]) * microseconds);
    }
    if (!suite.empty())
        table.fail("found the end of the file in result \"" + printable(suite) +
                   "\", expected its end before");
    return runs.finish();
}

} // namespace skampi
