#include "base/text.hpp"
#include "import/imported_runs.hpp"
#include "model/field_text.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <set>
#include <vector>

namespace skampi {

namespace {

struct Prefix {
    std::string_view text;
    Pattern pattern;
};
constexpr auto prefixes = std::to_array<Prefix>({{"inp2p_", Pattern::ping_pong},
                                                 {"inmw_", Pattern::master_worker},
                                                 {"incol_", Pattern::collective},
                                                 {"insyncol_", Pattern::collective},
                                                 {"insimple_", Pattern::simple}});

/// What is varied, by how the names of suites end.
constexpr auto named_variations = std::to_array<std::pair<std::string_view, Varied>>(
    {{"-nodes", Varied::nodes}, {"-length", Varied::message_length}, {"-chunks", Varied::chunks}});

/// Before the settings of a suite, which only our own files have.
constexpr std::string_view settings_keyword = "# Settings: ";

/// What else our own files tell of the operation.
constexpr auto told_of_operation = std::to_array<std::string_view>(
    {"type", "operation", "title", "meaning", "possible_variations", "argument_name", "argument_unit"});

bool can_be_told(std::string_view field) {
    return is_setting(field) || std::ranges::find(told_of_operation, field) != told_of_operation.end();
}

/// A time in microseconds, in seconds; "nan" is none.
double time_in(const TextTable& table, const Word& word) {
    return word.text == "nan" ? std::numeric_limits<double>::quiet_NaN() : table.real(word) * microseconds;
}

std::string behind(std::string_view line, std::string_view keyword) {
    std::string text(line.substr(keyword.size()));
    text.erase(0, text.find_first_not_of(" \t"));
    return text;
}

/// The sections of the header that are fields of a run; the others are facts.
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

Meaning meaning_of(Pattern pattern) {
    switch (pattern) {
    case Pattern::collective:
        return Meaning::collective;
    case Pattern::simple:
        return Meaning::local;
    case Pattern::master_worker:
        return Meaning::work;
    case Pattern::ping_pong:
        break;
    }
    return Meaning::unknown;
}

/// Of the suite being read, as its comments tell it.
struct SuiteDescription {
    std::string name;
    Pattern pattern = Pattern::simple;
    Varied varied = Varied::argument; ///< of which nobody told what it is
    std::string operation;
    std::optional<std::int64_t> bytes; ///< default values
    int ranks = 0;
    bool in_windows = false; ///< as its prefix tells
    std::optional<skalib::Scale> scale;
    std::optional<double> max_relative_error;
    std::map<std::string, std::string, std::less<>> settings; ///< by the fields' names
    std::optional<std::vector<int>> nodes; ///< titled columns; nothing where no titles are: all from 0 on
    bool begun = false;                    ///< has a row
};

/// A header of lines that begin with @, then suites between "/*@in..." and "#eol".
class SkampiOutReader : public LineReader {
public:
    static constexpr const char* kind = "skampi.out";
    static bool recognises(const std::string& beginning) {
        return beginning.find("/*@in") != std::string::npos && beginning.find(".ski*/") != std::string::npos;
    }

    using LineReader::LineReader;

private:
    std::vector<ImportedRun> finish() override {
        std::vector<ImportedRun> found = runs_.finish();
        for (std::size_t i = 0; i < found.size(); ++i)
            if (!ended_.contains(i + 1))
                found[i].run.facts["interrupted"] = "the file has no end";
        return found;
    }

    void take_line() override {
        line_ = table_.line();
        if (line_.starts_with("#/*@")) // as SKaMPI 4 wrote it
            line_.erase(0, 1);
        if (line_.starts_with("@"))
            take_header();
        else if (line_.starts_with("/*@no*/"))
            ended_.insert(runs_.count());
        else if (line_.starts_with("skampi interrupted"))
            ended_.erase(runs_.count());
        else if (line_.starts_with("/*@in"))
            take_suite_name();
        else if (line_.starts_with("#eol"))
            suite_.reset();
        else if (suite_)
            line_.starts_with("#") ? take_comment() : take_row();
    }

    void take_header() {
        suite_.reset();
        const std::size_t end = std::min(line_.find(' '), line_.size());
        const std::string keyword = line_.substr(1, end - 1);
        const std::string value = behind(line_, line_.substr(0, end));
        Run& run = runs_.header();
        const auto field = std::ranges::find(header_fields, std::string_view(keyword),
                                             &std::pair<std::string_view, std::string Run::*>::first);
        if (field != header_fields.end())
            run.*field->second = value;
        else if (keyword == "ABSOLUTE")
            absolute_ = run.absolute = value == "yes";
        else if (keyword == "POSTPROC")
            table_.fail(
                "found a file that was postprocessed, expected one of a single run: its runs are not told apart any more");
        else
            run.facts[keyword] = value;
    }

    /// "/*@inp2p_NAME.ski*/"
    void take_suite_name() {
        const std::size_t ending = line_.find(".ski*/");
        const std::string whole = line_.substr(3, ending == std::string::npos ? ending : ending - 3);
        const auto found = std::ranges::find_if(
            prefixes, [&](const Prefix& prefix) { return whole.starts_with(prefix.text); });
        if (ending == std::string::npos || found == prefixes.end())
            table_.fail("found \"" + printable(line_) +
                        "\", expected /*@inp2p_NAME.ski*/, inmw_, incol_, insyncol_ or insimple_");
        suite_.emplace();
        suite_->name = whole.substr(found->text.size());
        suite_->pattern = found->pattern;
        suite_->in_windows = found->text == "insyncol_";
        suite_->operation = suite_->name.substr(0, suite_->name.find_first_of(" ("));
        // SKaMPI 4 has what is varied in the names of its suites, and not always in its comments.
        for (const auto& [ending, varied] : named_variations)
            if (const std::size_t at = suite_->operation.find(ending); at != std::string::npos) {
                suite_->varied = varied;
                suite_->operation.erase(at);
                break;
            }
    }

    void take_comment() {
        if (const std::size_t at = line_.find("varied over "); at != std::string::npos)
            take_varied(line_.substr(at + 12));
        const std::vector<Word>& words = table_.words();
        if (words.size() > 1 && words[1].text == "arg")
            take_node_titles();
        if (line_.find("Default values") != std::string::npos)
            take_defaults();
        if (const std::size_t at = line_.find("x axis scale: "); at != std::string::npos)
            suite_->scale = from_text<skalib::Scale>(without_point(line_.substr(at + 14)));
        if (line_.find("allowed standard error is ") != std::string::npos && words.size() > 2 &&
            words.back().text.starts_with('%'))
            suite_->max_relative_error = table_.real(words[words.size() - 2]) / 100;
        if (line_.starts_with(settings_keyword))
            take_settings();
    }

    static std::string without_point(std::string text) {
        while (text.ends_with('.') || text.ends_with(' '))
            text.pop_back();
        return text;
    }

    /// "# Settings: synchronization = window; reported_time = max", as we write them.
    void take_settings() {
        std::string_view rest = std::string_view(line_).substr(settings_keyword.size());
        while (!rest.empty()) {
            const std::string_view one = rest.substr(0, rest.find("; "));
            rest.remove_prefix(std::min(one.size() + 2, rest.size()));
            const std::size_t equal = one.find(" = ");
            if (equal == std::string_view::npos)
                table_.fail("found \"" + printable(std::string(one)) + "\", expected NAME = VALUE");
            suite_->settings.emplace(one.substr(0, equal), one.substr(equal + 3));
        }
    }

    void take_varied(const std::string& told) {
        const std::string what = without_point(told);
        const std::optional<Varied> found = from_text<Varied>(what);
        if (!found)
            table_.fail("found \"" + printable(what) +
                        "\" as what is varied, expected message length, nodes, chunks, argument or none");
        suite_->varied = *found;
    }

    /// Of very many nodes there follow columns that are no rank's: "node0 fastest median slowest".
    void take_node_titles() {
        suite_->nodes.emplace();
        for (const Word& word : table_.words())
            if (word.text.starts_with("node"))
                if (integer_from(word.text.substr(4, word.text.find(',') - 4)))
                    suite_->nodes->push_back(table_.ranks(
                        {word.text.substr(4, word.text.find(',') - 4), word.line, word.column + 4}));
    }

    /// "4 nodes, message length 256 bytes"
    void take_defaults() {
        const std::vector<Word>& words = table_.words();
        for (std::size_t i = 1; i < words.size(); ++i) {
            const std::optional<std::int64_t> value = integer_from(words[i - 1].text);
            if (value && words[i].text.starts_with("node"))
                suite_->ranks = table_.ranks(words[i - 1]);
            else if (value && words[i].text.starts_with("byte"))
                suite_->bytes = *value;
        }
    }

    void begin_suite() {
        const Pattern pattern = suite_->pattern;
        ImportedRun::ImportedSuite& suite = runs_.begin_suite(
            suite_->name, operation_named(suite_->operation, pattern, meaning_of(pattern)), suite_->varied,
            pattern == Pattern::ping_pong ? 2
            : pattern == Pattern::simple  ? 1
                                          : suite_->ranks);
        tell_settings(suite.suite);
        suite_->begun = true;
    }

    void tell_settings(Suite& suite) {
        if (suite_->bytes)
            tell(suite, "message_bytes", &Suite::message_bytes, *suite_->bytes);
        if (suite_->in_windows)
            tell(suite, "synchronization", &Suite::synchronization, Synchronization::window);
        if (suite_->scale) {
            suite.arguments.scale = *suite_->scale;
            learn(suite, "scale");
        }
        if (suite_->max_relative_error) {
            suite.repetition.max_relative_error = *suite_->max_relative_error;
            learn(suite, "max_relative_error");
        }
        if (absolute_)
            tell(suite, "absolute", &Suite::absolute, *absolute_);
        for_each_field(suite, [&](const SuiteField& field, auto&& value) {
            const auto told = suite_->settings.find(field.name);
            if (told == suite_->settings.end() || !can_be_told(field.name))
                return;
            if (!set_field(told->second, value))
                table_.fail("found the setting " + std::string(field.name) + " = \"" +
                            printable(told->second) + "\" of this suite, expected one of a database");
        });
        for (const auto& [name, text] : suite_->settings)
            learn(suite, name);
    }

    void take_row() {
        const std::vector<Word>& words = table_.words();
        if (words.size() < 7)
            table_.fail(words.back(),
                        "found " + std::to_string(words.size()) +
                            " numbers, expected argument time stderr count time stderr count [node times]");
        if (!suite_->begun)
            begin_suite();
        Measurement m = imported(table_.integer(words[0]), time_in(table_, words[4]));
        m.summary.mean_all = time_in(table_, words[1]);
        m.summary.standard_error_all = time_in(table_, words[2]);
        m.summary.count = table_.integer(words[3]);
        m.standard_error_s = m.summary.cut_standard_error = time_in(table_, words[5]);
        m.summary.cut_count = table_.integer(words[6]);
        m.message_bytes = suite_->bytes.value_or(0);
        m.chunks = suite_->varied == Varied::chunks ? m.argument : 0;
        const auto& nodes = suite_->nodes;
        for (std::size_t column = 0; column + 7 < words.size(); ++column)
            if (!nodes || column < nodes->size())
                if (const double time_s = time_in(table_, words[column + 7]); std::isfinite(time_s))
                    m.node_times.push_back({nodes ? (*nodes)[column] : static_cast<int>(column), time_s, 0});
        runs_.add(table_, words.front(), m, has_value(m) ? table_.last_digit(words[4]) * microseconds : 0);
    }

    std::string line_;
    std::optional<SuiteDescription> suite_; ///< nothing between suites
    std::optional<bool> absolute_;          ///< as the header tells
    std::set<std::size_t> ended_;           ///< the runs that have an end, from 1
};

} // namespace

extern const Importer skampi_out_importer = importer_by<SkampiOutReader>();

} // namespace skampi
