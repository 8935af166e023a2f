// SPDX-License-Identifier: LGPL-2.1-or-later
#include "import/imported_runs.hpp"

#include <algorithm>
#include <limits>

namespace skampi {

namespace {

constexpr auto skampi5_marks = std::to_array<std::string_view>({"# begin result \"", "# SKaMPI Version "});

/// A suite's name begins with that of its operation: "MPI_Bcast-nodes-length".
std::string operation_in(const std::string& name) {
    if (name.starts_with("MPI_Send-MPI_") || name.starts_with("MPI_Sendrecv"))
        return name;
    return name.substr(0, name.find_first_of("- "));
}

/// Results between "# begin result" and "# end result"; a suite for each combination of what is fixed. A row
/// is `name= value` for each thing that is varied, bytes, time, error, repetitions and a time of each rank.
class Skampi5Reader : public LineReader {
public:
    using LineReader::LineReader;

private:
    void take_line() override {
        if (lines_.starts_with(skampi5_marks.front())) {
            end_result();
            const std::string_view name = lines_.line().substr(skampi5_marks.front().size());
            result_ = name.substr(0, name.rfind('"'));
        } else if (lines_.starts_with("# end result")) {
            result_.clear();
        } else if (lines_.starts_with(skampi5_marks.back())) {
            end_result();
            runs_.begin_header();
            runs_.header().tool_version = lines_.line().substr(skampi5_marks.back().size());
        } else if (is_foreign_title()) {
            end_result();
        } else if (!lines_.starts_with("#") && !result_.empty()) {
            if (take_row())
                take_row_in();
            else
                pass_over_line();
        }
        if (result_.empty())
            leave_table();
    }

    void finish() override { end_result(); }

    /// A result that has no end was cut off.
    void end_result() {
        if (!result_.empty() && !suite_.empty())
            runs_.runs().back().run.facts["interrupted"] = "result \"" + result_ + "\" has no end";
        result_.clear();
        suite_.clear();
    }

    bool take_row() {
        const std::vector<std::string_view>& words = lines_.words();
        std::string fixed;
        std::string_view varied;
        std::optional<std::int64_t> argument;
        int ranks = 0;
        std::size_t at = 0;
        for (; at + 1 < words.size() && words[at].ends_with('='); at += 2) {
            if (!varied.empty())
                fixed +=
                    (fixed.empty() ? " (" : ", ") + std::string(varied) + " " + std::string(words[at - 1]);
            if (varied == "nodes" || varied == "procs")
                ranks = ranks_in_word(words[at - 1]).value_or(0);
            varied = words[at].substr(0, words[at].size() - 1);
            argument = integer_in(words[at + 1]);
        }
        const bool of_nodes = varied == "nodes" || varied == "procs";
        if (words.size() < at + 4 || (!varied.empty() && !argument) ||
            (of_nodes && !ranks_in_word(words[at - 1])))
            return false;
        const std::optional<std::int64_t> bytes = integer_in(words[at]);
        const std::optional<Number> time = number_in(words[at + 1]);
        const std::optional<Number> error = number_in(words[at + 2]);
        const std::optional<std::int64_t> count = integer_in(words[at + 3]);
        if (!bytes || !time || !error || !count)
            return false;
        Measurement m =
            imported(varied == "count" ? *bytes : argument.value_or(0), time->value * microseconds, *count);
        m.message_bytes = *bytes;
        m.standard_error_s = m.summary.cut_standard_error = error->value * microseconds;
        for (std::size_t i = at + 4; i < words.size(); ++i)
            if (const std::optional<Number> of_rank = number_in(words[i]))
                m.node_times.push_back({static_cast<int>(i - at - 4), of_rank->value * microseconds, 0});
            else if (words[i] != "---")
                return false;
        const Varied what = varied.empty()      ? Varied::none
                            : varied == "count" ? Varied::message_length
                            : of_nodes          ? Varied::nodes
                                                : Varied::argument;
        if (const std::string name = result_ + fixed + (fixed.empty() ? "" : ")"); name != suite_)
            begin_suite(name, what, std::string(varied), ranks);
        runs_.add(lines_, lines_.number(), m, time->step * microseconds);
        return true;
    }

    void begin_suite(const std::string& name, Varied what, const std::string& varied, int ranks) {
        suite_ = name;
        const std::string operation = operation_in(result_);
        const bool ping_pong = operation.find("Send") != std::string::npos;
        OperationInfo info = operation_named(operation, ping_pong ? Pattern::ping_pong : Pattern::collective,
                                             ping_pong ? Meaning::unknown : Meaning::collective);
        if (what == Varied::argument)
            info.argument_name = varied;
        ImportedRun::ImportedSuite& suite = runs_.begin_suite(name, info, what, ranks);
        suite.suite.family = result_;
        if (!varied.empty())
            suite.facts["argument"] = varied;
    }

    std::string result_; ///< empty between results
    std::string suite_;  ///< begun last; empty where the result has none yet
};

} // namespace

extern const Importer skampi5_importer{"SKaMPI 5 output", skampi5_marks, nullptr, read_by<Skampi5Reader>};

} // namespace skampi
