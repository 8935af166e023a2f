#include "base/text.hpp"
#include "import/imported_runs.hpp"

#include <vector>

namespace skampi {

namespace {

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

/// What a row says is varied: "name= value" for each.
struct Arguments {
    std::vector<std::string> names; ///< the last one is the argument, the others are fixed
    std::vector<const Word*> values;
    std::string fixed; ///< the names and values of the others, in words

    [[nodiscard]] std::size_t words() const { return 2 * names.size(); }
    [[nodiscard]] const std::string& varied() const { return names.back(); }
    [[nodiscard]] bool over_lengths() const { return varied() == "count"; }
    [[nodiscard]] bool over_nodes() const { return varied() == "nodes" || varied() == "procs"; }
};

Arguments arguments_in(const TextTable& table) {
    Arguments found;
    const std::vector<Word>& words = table.words();
    for (std::size_t at = 0; at + 1 < words.size() && words[at].text.ends_with('='); at += 2) {
        found.names.emplace_back(words[at].text.substr(0, words[at].text.size() - 1));
        found.values.push_back(&words[at + 1]);
    }
    if (found.names.empty())
        table.fail(words.front(), "found \"" + printable(std::string(words.front().text)) +
                                      "\", expected what is varied, such as count= 8");
    for (std::size_t i = 0; i + 1 < found.names.size(); ++i)
        found.fixed +=
            (found.fixed.empty() ? "" : ", ") + found.names[i] + " " + std::string(found.values[i]->text);
    return found;
}

/// Results between "# begin result" and "# end result"; a suite for each combination of what is fixed.
class Skampi5Reader : public LineReader {
public:
    static constexpr const char* kind = "SKaMPI 5 output";
    static bool recognises(const std::string& beginning) {
        return beginning.find("# begin result \"") != std::string::npos;
    }

    using LineReader::LineReader;

private:
    void take_line() override {
        const std::string line(table_.line());
        if (line.starts_with("# begin result"))
            begin_result();
        else if (line.starts_with("# end result"))
            end_result();
        else if (line.starts_with("# SKaMPI Version "))
            take_version(line.substr(17));
        else if (!line.starts_with('#') && !result_.empty())
            take_row();
    }

    std::vector<ImportedRun> finish() override {
        if (!result_.empty())
            table_.fail("found the end of the file in result \"" + printable(result_) +
                        "\", expected its end before");
        return runs_.finish();
    }

    void begin_result() {
        if (!result_.empty())
            table_.fail("found another result, expected # end result \"" + printable(result_) + "\"");
        result_ = name_in(table_);
        names_.clear();
    }

    void end_result() {
        if (result_.empty() || name_in(table_) != result_)
            table_.fail("found the end of a result that did not begin");
        result_.clear();
    }

    void take_version(const std::string& version) {
        runs_.begin_header();
        runs_.header().tool_version = version;
    }

    /// name= value ... [bytes] time error n times of the ranks
    void take_row() {
        const Arguments arguments = arguments_in(table_);
        if (arguments.names != names_ || arguments.fixed != fixed_)
            begin_suite(arguments);
        const std::int64_t argument = table_.integer(*arguments.values.back());
        const std::vector<Word>& words = table_.words();
        const bool lengths = arguments.over_lengths();
        const std::size_t time = arguments.words() + (lengths ? 1 : 0); // behind the length in bytes
        if (words.size() < time + 3)
            table_.fail(words.back(), "found " + std::to_string(words.size() - arguments.words()) +
                                          " numbers behind what is varied, expected " +
                                          (lengths ? "bytes, " : "") +
                                          "time, error, repetitions, and times of the ranks");
        Measurement m = imported(lengths ? table_.integer(words[time - 1]) : argument,
                                 table_.real(words[time]) * microseconds);
        m.standard_error_s = m.summary.cut_standard_error = table_.real(words[time + 1]) * microseconds;
        m.summary.count = m.summary.cut_count = table_.integer(words[time + 2]);
        int rank = 0;
        for (std::size_t i = time + 3; i < words.size(); ++i)
            m.node_times.push_back({rank++, table_.real(words[i]) * microseconds, 0});
        runs_.add(table_, *arguments.values.back(), m, table_.last_digit(words[time]) * microseconds);
    }

    void begin_suite(const Arguments& arguments) {
        names_ = arguments.names;
        fixed_ = arguments.fixed;
        int ranks = 0;
        for (std::size_t i = 0; i + 1 < names_.size(); ++i)
            if (names_[i] == "nodes" || names_[i] == "procs")
                ranks = table_.ranks(*arguments.values[i]);
        const std::string operation = operation_in(result_);
        const bool ping_pong = operation.find("Send") != std::string::npos;
        OperationInfo info = operation_named(operation, ping_pong ? Pattern::ping_pong : Pattern::collective,
                                             ping_pong ? Meaning::unknown : Meaning::collective);
        const Varied varied = arguments.over_lengths() ? Varied::message_length
                              : arguments.over_nodes() ? Varied::nodes
                                                       : Varied::argument;
        if (varied == Varied::argument)
            info.argument_name = arguments.varied();
        runs_.begin_suite(result_ + (fixed_.empty() ? "" : " (" + fixed_ + ")"), info, varied, ranks)
            .facts["argument"] = arguments.varied();
    }

    std::string result_; ///< empty between results
    // Of the suite begun last; no names where the result has none yet.
    std::vector<std::string> names_;
    std::string fixed_;
};

} // namespace

extern const Importer skampi5_importer = importer_by<Skampi5Reader>();

} // namespace skampi
