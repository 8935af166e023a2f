#include "store/import/skampi_out.hpp"

#include "base/text.hpp"
#include "model/field_text.hpp"
#include "store/import/text_table.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <set>
#include <vector>

namespace skampi {

namespace {

constexpr double microseconds = 1e-6;

struct Prefix {
    std::string_view text;
    Pattern pattern;
};
constexpr auto prefixes = std::to_array<Prefix>({{"inp2p_", Pattern::ping_pong},
                                                 {"inmw_", Pattern::master_worker},
                                                 {"incol_", Pattern::collective},
                                                 {"insimple_", Pattern::simple}});

/// A time in microseconds, in seconds; "nan" is none.
double time_in(const TextTable& table, const Word& word) {
    return word.text == "nan" ? std::numeric_limits<double>::quiet_NaN() : table.real(word) * microseconds;
}

std::string behind(std::string_view line, std::string_view keyword) {
    std::string text(line.substr(keyword.size()));
    text.erase(0, text.find_first_not_of(" \t"));
    return text;
}

} // namespace

bool looks_like_skampi_out(const std::string& text) {
    return text.find("/*@in") != std::string::npos && text.find(".ski*/") != std::string::npos;
}

std::vector<ImportedRun> parse_skampi_out(const std::string& name, const std::string& text) {
    TextTable table(name, text);
    ImportedRuns runs("skampi.out", name, text);
    bool in_suite = false;
    bool begun = false;
    std::set<std::size_t> ended; // the runs that have an end, from 1
    std::string suite_name;
    Pattern pattern = Pattern::simple;
    Varied varied = Varied::none;
    std::int64_t default_bytes = 0;
    int default_ranks = 0;
    std::optional<std::vector<int>> nodes_titled; // nothing where no titles are: all from 0 on
    while (table.next()) {
        std::string line(table.line());
        if (line.starts_with("#/*@")) // as SKaMPI 4 wrote it
            line.erase(0, 1);
        if (line.starts_with("@")) {
            const std::size_t end = std::min(line.find(' '), line.size());
            const std::string keyword = line.substr(1, end - 1);
            const std::string value = behind(line, line.substr(0, end));
            in_suite = false;
            Run& run = runs.header();
            if (keyword == "MACHINE")
                run.machine = value;
            else if (keyword == "NODE")
                run.node = value;
            else if (keyword == "NETWORK")
                run.network = value;
            else if (keyword == "USER")
                run.user = value;
            else if (keyword == "MPILIB_NAME")
                run.mpi_library = value;
            else if (keyword == "SKAMPIVERSION")
                run.tool_version = value;
            else if (keyword == "HOSTNAME")
                run.host = value;
            else if (keyword == "ABSOLUTE")
                run.absolute = value == "yes";
            else if (keyword == "TIME")
                run.started_utc = value;
            else if (keyword == "POSTPROC")
                table.fail(
                    "found a file that was postprocessed, expected one of a single run: its runs are not told apart any more");
            else
                run.facts[keyword] = value;
            continue;
        }
        if (line.starts_with("/*@no*/")) {
            ended.insert(runs.count());
            continue;
        }
        if (line.starts_with("skampi interrupted")) {
            ended.erase(runs.count());
            continue;
        }
        if (line.starts_with("/*@in")) {
            const std::size_t ending = line.find(".ski*/");
            const std::string whole = line.substr(3, ending == std::string::npos ? ending : ending - 3);
            const Prefix* found = nullptr;
            for (const Prefix& prefix : prefixes)
                if (whole.starts_with(prefix.text))
                    found = &prefix;
            if (ending == std::string::npos || found == nullptr)
                table.fail("found \"" + printable(line) +
                           "\", expected /*@inp2p_NAME.ski*/, inmw_, incol_ or insimple_");
            suite_name = whole.substr(found->text.size());
            pattern = found->pattern;
            varied = Varied::message_length;
            default_bytes = 0;
            default_ranks = 0;
            nodes_titled.reset();
            in_suite = true;
            begun = false;
            continue;
        }
        if (line.starts_with("#eol")) {
            in_suite = false;
            continue;
        }
        if (!in_suite || table.blank())
            continue;
        const std::vector<Word>& words = table.words();
        if (line.starts_with("#")) {
            if (const std::size_t at = line.find("varied over "); at != std::string::npos) {
                std::string what = line.substr(at + 12);
                while (what.ends_with('.') || what.ends_with(' '))
                    what.pop_back();
                const std::optional<Varied> found = from_text<Varied>(what);
                if (!found)
                    table.fail("found \"" + printable(what) +
                               "\" as what is varied, expected message length, nodes, chunks or none");
                varied = *found;
            }
            // Of very many nodes there follow columns that are no rank's: "node0 fastest median slowest".
            if (words.size() > 1 && words[1].text == "arg") {
                nodes_titled.emplace();
                for (const Word& word : words)
                    if (word.text.starts_with("node"))
                        if (const auto rank = integer_from(word.text.substr(4, word.text.find(',') - 4)))
                            nodes_titled->push_back(static_cast<int>(*rank));
            }
            for (std::size_t i = 1; i < words.size(); ++i) {
                const bool nodes = words[i].text.starts_with("node");
                const bool bytes = words[i].text.starts_with("byte");
                if ((nodes || bytes) && line.find("Default values") != std::string::npos)
                    if (const auto value = integer_from(words[i - 1].text))
                        (nodes ? static_cast<void>(default_ranks = static_cast<int>(*value))
                               : static_cast<void>(default_bytes = *value));
            }
            continue;
        }
        if (words.size() < 7)
            table.fail(words.back(),
                       "found " + std::to_string(words.size()) +
                           " numbers, expected argument time stderr count time stderr count [node times]");
        if (!begun) {
            const std::string operation = suite_name.substr(0, suite_name.find_first_of(" ("));
            ImportedRun::ImportedSuite& suite =
                runs.begin_suite(suite_name,
                                 {0,
                                  operation,
                                  "",
                                  pattern,
                                  {},
                                  {},
                                  false,
                                  pattern == Pattern::collective      ? Meaning::collective
                                  : pattern == Pattern::simple        ? Meaning::local
                                  : pattern == Pattern::master_worker ? Meaning::work
                                                                      : Meaning::unknown},
                                 varied,
                                 pattern == Pattern::ping_pong ? 2
                                 : pattern == Pattern::simple  ? 1
                                                               : default_ranks);
            suite.suite.message_bytes = default_bytes;
            begun = true;
        }
        Measurement m = imported(table.integer(words[0]), time_in(table, words[4]));
        m.summary.mean_all = time_in(table, words[1]);
        m.summary.standard_error_all = time_in(table, words[2]);
        m.summary.count = table.integer(words[3]);
        m.standard_error_s = m.summary.cut_standard_error = time_in(table, words[5]);
        m.summary.cut_count = table.integer(words[6]);
        m.message_bytes = default_bytes;
        m.chunks = varied == Varied::chunks ? m.argument : 0;
        for (std::size_t column = 0; column + 7 < words.size(); ++column)
            if (!nodes_titled || column < nodes_titled->size())
                if (const double time_s = time_in(table, words[column + 7]); std::isfinite(time_s))
                    m.node_times.push_back(
                        {nodes_titled ? (*nodes_titled)[column] : static_cast<int>(column), time_s, 0});
        runs.add(table, words.front(), m, has_value(m) ? table.last_digit(words[4]) * microseconds : 0);
    }
    std::vector<ImportedRun> found = runs.finish();
    for (std::size_t i = 0; i < found.size(); ++i)
        if (!ended.contains(i + 1))
            found[i].run.facts["interrupted"] = "the file has no end";
    return found;
}

} // namespace skampi
