// SPDX-License-Identifier: LGPL-2.1-or-later
#include "base/text.hpp"
#include "import/imported_runs.hpp"
#include "model/field_text.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

namespace skampi {

namespace {

constexpr auto skampi_out_marks = std::to_array<std::string_view>({"/*@in", "#/*@in"});

struct NamePrefix {
    std::string_view text;
    Pattern pattern;
    Meaning meaning;
};
constexpr auto name_prefixes = std::to_array<NamePrefix>({
    {"inp2p_", Pattern::ping_pong, Meaning::unknown},
    {"inmw_", Pattern::master_worker, Meaning::work},
    {"incol_", Pattern::collective, Meaning::collective},
    {"insyncol_", Pattern::collective, Meaning::collective}, // in windows
    {"insimple_", Pattern::simple, Meaning::local},
});

/// What is varied, by how the names of suites of SKaMPI 4 end: it is not always in their comments.
constexpr auto named_variations = std::to_array<std::pair<std::string_view, Varied>>(
    {{"-nodes", Varied::nodes}, {"-length", Varied::message_length}, {"-chunks", Varied::chunks}});

/// Before the settings of a suite, which only our own files have: "synchronization = window; root = 0".
constexpr std::string_view settings_keyword = "# Settings: ";

/// The sections of the header that are fields of a run.
constexpr auto header_fields = std::to_array<std::pair<std::string_view, std::string Run::*>>({
    {"MACHINE", &Run::machine},
    {"NODE", &Run::node},
    {"NETWORK", &Run::network},
    {"USER", &Run::user},
    {"MPILIB_NAME", &Run::mpi_library},
    {"SKAMPIVERSION", &Run::tool_version},
    {"HOSTNAME", &Run::host},
    {"TIME", &Run::started_utc},
});

/// Of the suite being read, as its comments state it.
struct SuiteDescription {
    Suite suite; ///< its name, pattern, what is varied, and the settings that are stated
    // Of its points, unless they are varied; a setting may be "all ranks":
    int ranks = 0;
    std::int64_t bytes = 0;
    std::optional<std::vector<int>> nodes; ///< titled columns; nothing where no titles are: all from 0 on
    bool begun = false;                    ///< has a row
};

/// A header of lines that begin with @, then suites between "/*@in..." and "#eol".
class SkampiOutReader : public LineReader {
public:
    using LineReader::LineReader;

private:
    void take_line() override {
        line_ = lines_.line();
        if (line_.starts_with("#/*@")) // as SKaMPI 4 wrote it
            line_.erase(0, 1);
        if (line_.starts_with("@"))
            take_header();
        else if (line_.starts_with("/*@no*/"))
            ended_.insert(runs_.count());
        else if (line_.starts_with("skampi interrupted"))
            ended_.erase(runs_.count());
        else if (line_.starts_with("/*@in"))
            begin_description();
        else if (line_.starts_with("#eol") || is_foreign_title())
            leave_suite();
        else if (!suite_ && field_ != nullptr && lines_.is_indented()) // of several lines
            *field_ += "\n" + line_;
        else if (suite_ && line_.starts_with("#"))
            take_comment();
        else if (suite_ && take_row())
            take_row_in();
        else if (suite_)
            pass_over_line();
    }

    void finish() override {
        for (std::size_t i = 0; i < runs_.count(); ++i)
            if (!ended_.contains(i + 1))
                runs_.runs()[i].run.facts["interrupted"] = "the file has no end";
    }

    void leave_suite() {
        suite_.reset();
        leave_table();
    }

    void take_header() {
        leave_suite();
        const std::size_t end = std::min(line_.find(' '), line_.size());
        const std::string keyword = line_.substr(1, end - 1);
        const std::string value(trimmed(std::string_view(line_).substr(end)));
        Run& run = runs_.header();
        const auto field = std::ranges::find(header_fields, std::string_view(keyword),
                                             &std::pair<std::string_view, std::string Run::*>::first);
        field_ = field != header_fields.end() ? &(run.*field->second) : nullptr;
        if (field_ != nullptr)
            *field_ = value;
        else if (keyword == "ABSOLUTE")
            absolute_ = run.absolute = value == "yes";
        else if (keyword == "POSTPROC") {
            run.kind = "merged";
            run.merged_runs = ranks_in_word(value.substr(0, value.find(' '))).value_or(0);
        } else if (keyword == "OSNAME" && !value.empty())
            run.facts["kernel"] = value;
        else if (keyword == "OSRELEASE" && !value.empty())
            run.facts["kernel"] += (run.facts["kernel"].empty() ? "" : " ") + value;
        else if (!value.empty())
            run.facts[keyword == "ARCHITECTURE" ? "architecture" : keyword] = value;
    }

    /// "/*@inp2p_NAME.ski*/"
    void begin_description() {
        leave_suite();
        field_ = nullptr;
        std::string name = line_.substr(3, line_.rfind(".ski*/") - 3);
        SuiteDescription& found = suite_.emplace();
        forget_settings(found.suite);
        found.suite.varied = Varied::argument; // not stated
        found.suite.message_bytes = 0;
        OperationInfo& operation = found.suite.operation;
        for (const auto& [prefix, pattern, meaning] : name_prefixes)
            if (name.starts_with(prefix)) {
                operation.pattern = pattern;
                operation.meaning = meaning;
                if (prefix == "insyncol_")
                    tell(found.suite, "synchronization", "window");
                name.erase(0, prefix.size());
                break;
            }
        found.suite.name = name;
        operation.name = name.substr(0, name.find_first_of(" ("));
        for (const auto& [ending, varied] : named_variations)
            if (const std::size_t at = operation.name.find(ending); at != std::string::npos) {
                found.suite.varied = varied;
                operation.name.erase(at);
                break;
            }
        if (absolute_)
            tell(found.suite, "absolute", &Suite::absolute, *absolute_);
    }

    void take_comment() {
        Suite& suite = suite_->suite;
        const std::vector<std::string_view>& words = lines_.words();
        for (const auto& [before, field] :
             {std::pair("varied over ", "varied"), std::pair("x axis scale: ", "scale")})
            if (const std::size_t at = line_.find(before); at != std::string::npos) {
                const std::string_view stated =
                    std::string_view(line_).substr(at + std::string_view(before).size());
                (void)tell(suite, field, stated.substr(0, stated.rfind('.')));
            }
        if (line_.find("allowed standard error is ") != std::string::npos && words.size() > 2)
            if (const auto percent = number_in(words[words.size() - 2]))
                (void)tell(suite, "max_relative_error", number_text(percent->value / 100));
        if (line_.find("Default values") != std::string::npos) // "4 nodes, message length 256 bytes"
            for (std::size_t i = 1; i < words.size(); ++i) {
                if (words[i].starts_with("node"))
                    suite_->ranks = ranks_in_word(words[i - 1]).value_or(0);
                else if (const auto bytes = integer_in(words[i - 1]); bytes && words[i].starts_with("byte"))
                    suite_->bytes = *bytes;
            }
        if (words.size() > 1 && words[1] == "arg")
            take_node_titles();
        if (line_.starts_with(settings_keyword))
            take_settings();
    }

    void take_settings() {
        std::string_view rest = std::string_view(line_).substr(settings_keyword.size());
        while (!rest.empty()) {
            const std::string_view one = rest.substr(0, rest.find("; "));
            rest.remove_prefix(std::min(one.size() + 2, rest.size()));
            const std::size_t equal = std::min(one.find(" ="), one.size());
            const std::string_view name = one.substr(0, equal);
            if (name == "unknown_fields" ||
                !tell(suite_->suite, name, trimmed(one.substr(std::min(equal + 2, one.size())))))
                note("a setting that is not known", lines_.number(), one);
        }
    }

    /// Of very many nodes there follow columns that are no rank's: "node0 fastest median slowest".
    void take_node_titles() {
        suite_->nodes.emplace();
        for (const std::string_view word : lines_.words())
            if (word.starts_with("node"))
                if (const auto rank = ranks_in_word(word.substr(4, word.find(',') - 4)))
                    suite_->nodes->push_back(*rank);
    }

    void begin_suite() {
        Suite& stated = suite_->suite;
        const Pattern pattern = stated.operation.pattern;
        if (pattern == Pattern::ping_pong || pattern == Pattern::simple)
            suite_->ranks = pattern == Pattern::simple ? 1 : 2;
        stated.family = stated.name;
        if (stated.operation.title.empty())
            stated.operation.title = stated.operation.name;
        if (!knows(stated, "ranks") && suite_->ranks > 0)
            tell(stated, "ranks", &Suite::ranks, suite_->ranks);
        if (!knows(stated, "message_bytes") && suite_->bytes > 0)
            tell(stated, "message_bytes", &Suite::message_bytes, suite_->bytes);
        runs_.begin_suite(stated.name, stated.operation, stated.varied, suite_->ranks).suite = stated;
        suite_->begun = true;
    }

    /// argument time stderr count time stderr count [node times], in microseconds
    bool take_row() {
        const std::vector<std::string_view>& words = lines_.words();
        constexpr std::size_t fixed = 7;
        const std::optional<std::int64_t> argument = integer_in(words.front());
        const bool all_numbers = std::ranges::all_of(
            words, [](std::string_view word) { return word == "nan" || number_in(word); });
        if (words.size() < fixed || !argument || !all_numbers || !integer_in(words[3]) ||
            !integer_in(words[6]) || (suite_->suite.varied == Varied::nodes && !ranks_in_word(words.front())))
            return false;
        if (!suite_->begun)
            begin_suite();
        const auto time_s = [&](std::size_t at) { return real_from(words[at]).value_or(0) * microseconds; };
        const Run& run = runs_.runs().back().run;
        Measurement m = imported(*argument, time_s(4));
        m.summary.count = *integer_in(words[3]);
        m.standard_error_s = m.summary.cut_standard_error = time_s(5);
        m.summary.cut_count = *integer_in(words[6]);
        m.ranks = suite_->ranks;
        m.message_bytes = suite_->bytes;
        m.chunks = suite_->suite.varied == Varied::chunks ? m.argument : suite_->suite.chunks;
        const auto& nodes = suite_->nodes;
        for (std::size_t column = 0; column + fixed < words.size(); ++column)
            if (!nodes || column < nodes->size())
                if (const double of_rank_s = time_s(column + fixed); std::isfinite(of_rank_s))
                    m.node_times.push_back(
                        {nodes ? (*nodes)[column] : static_cast<int>(column), of_rank_s, 0});
        const bool merged = run.kind == "merged";
        if (!merged) {
            m.summary.mean_all = time_s(1);
            m.summary.standard_error_all = time_s(2);
        }
        const std::optional<Number> printed = number_in(words[4]);
        runs_.add(lines_, lines_.number(), m, printed ? printed->step * microseconds : 0);
        if (merged) {
            MergeFacts facts;
            facts.runs = facts.measured_runs = run.merged_runs;
            facts.minimum_s = facts.maximum_s = facts.mad_s = std::numeric_limits<double>::quiet_NaN();
            facts.between_runs_error_s = time_s(2);
            runs_.add_merged(facts);
        }
        return true;
    }

    std::string line_;
    std::string* field_ = nullptr;          ///< of the header, whose lines go on
    std::optional<SuiteDescription> suite_; ///< nothing between suites
    std::optional<bool> absolute_;          ///< as the header states
    std::set<std::size_t> ended_;           ///< the runs that have an end, from 1
};

} // namespace

extern const Importer skampi_out_importer{"skampi.out", skampi_out_marks, nullptr, read_by<SkampiOutReader>};

} // namespace skampi
