// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tuning/open_mpi_rules.hpp"

#include "base/error.hpp"
#include "base/text.hpp"
#include "tuning/head_comment.hpp"
#include "tuning/rule_ranges.hpp"
#include "tuning/units.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdio>
#include <fmt/format.h>
#include <memory>
#include <optional>
#include <utility>

namespace skampi {

namespace {

constexpr long most_collectives = 22; ///< COLLCOUNT of coll_base_functions.h

struct DoubtText {
    OpenMpiDoubt doubt;
    std::string_view found;
    std::string_view expected; ///< empty = it does no harm
};
constexpr auto doubt_texts = std::to_array<DoubtText>({
    {OpenMpiDoubt::numbers_left_over, "a number behind the last rule", "as many rules as are announced"},
    {OpenMpiDoubt::lengths_not_ascending, "lengths not ascending", ""},
    {OpenMpiDoubt::ranks_not_ascending, "ranks not ascending", ""},
    {OpenMpiDoubt::holds_for_fewer_ranks, "holds for fewer ranks", ""},
    {OpenMpiDoubt::repeated_collective, "repeated collective", ""},
    {OpenMpiDoubt::unknown_collective, "unknown collective", ""},
    {OpenMpiDoubt::border_without_meaning, "a length for an operation whose ranks may see different ones",
     "one rule for all lengths: ranks can choose different algorithms and hang"},
    {OpenMpiDoubt::algorithm_out_of_range, "an algorithm that this version does not have",
     "one of `skampi-run algorithms`: calls fail with MPI_ERR_ARG"},
});

/// The numbers of a file, by the function that Open MPI itself uses: ompi_coll_base_file_getnext_long() of
/// coll_base_util.c.
class Numbers {
public:
    Numbers(std::string_view text, const std::string& name)
        : text_(text)
        , name_(name) {
        if (!text_.empty())
            file_.reset(fmemopen(text_.data(), text_.size(), "r"));
    }

    /// Of 5.0.7 and later.
    int header() {
        int version = 1;
        if (file_ && std::fscanf(file_.get(), "rule-file-version-%d", &version) != 1)
            version = 1;
        return version;
    }

    /// @return none = the file has ended
    std::optional<long> next() {
        if (!file_)
            return std::nullopt;
        long value = 0;
        while (true) {
            const int found = std::fscanf(file_.get(), "%li", &value);
            if (found == EOF)
                return std::nullopt;
            line_ = line_here();
            if (found == 1)
                return value;
            const int trash = std::fgetc(file_.get());
            if (trash == '#')
                skip_line();
        }
    }

    /// One that Open MPI accepts in this place. @throws InputError
    long needed(std::string_view what) {
        const std::optional<long> value = next();
        if (!value)
            throw InputError(fmt::format("{}:{}: found the end of the file, expected {}", printable(name_),
                                         line_here(), what));
        if (*value < 0)
            fail(*value, what);
        return *value;
    }

    [[noreturn]] void fail(long found, std::string_view what) const {
        throw InputError(
            fmt::format("{}:{}: found {}, expected {}; Open MPI drops the whole file without a message",
                        printable(name_), line_, found, what));
    }

    /// ompi_coll_base_file_peek_next_char_isdigit()
    bool digit_follows() {
        while (true) {
            const int next = std::fgetc(file_.get());
            if (next == ' ' || next == '\t')
                continue;
            if (next != EOF)
                std::ungetc(next, file_.get());
            return next != EOF && std::isdigit(next) != 0;
        }
    }

    [[nodiscard]] int line() const { return line_; } ///< of the last number

private:
    struct Close {
        void operator()(std::FILE* file) const { std::fclose(file); }
    };

    void skip_line() {
        int c = 0;
        do
            c = std::fgetc(file_.get());
        while (c != EOF && c != '\n');
    }

    [[nodiscard]] int line_here() {
        const long place = file_ ? std::ftell(file_.get()) : 0;
        const auto end = std::min(static_cast<std::size_t>(std::max(place, 0L)), text_.size());
        for (; counted_ < end; ++counted_)
            lines_ += text_[counted_] == '\n' ? 1 : 0;
        return lines_;
    }

    std::string text_;
    const std::string& name_;
    std::unique_ptr<std::FILE, Close> file_;
    std::size_t counted_ = 0; ///< characters before the place
    int lines_ = 1;
    int line_ = 1;
};

std::vector<OpenMpiRow> read_rows(Numbers& numbers, int file_version) {
    std::vector<OpenMpiRow> rows;
    const long count = numbers.needed("the number of message lengths");
    for (long i = 0; i < count; ++i) {
        OpenMpiRow row;
        row.length = numbers.needed("a message length in bytes");
        row.line = numbers.line();
        row.algorithm = static_cast<int>(numbers.needed("the number of an algorithm"));
        row.fan = static_cast<int>(numbers.needed("a fan in or out, or 0"));
        row.segment_bytes = numbers.needed("a segment length in bytes, or 0");
        if (file_version > 1 && numbers.digit_follows())
            row.requests = static_cast<int>(numbers.needed("a number of requests"));
        if (i == 0 && row.length != 0)
            numbers.fail(row.length, "a block that begins with message length 0");
        rows.push_back(row);
    }
    return rows;
}

void doubt_blocks(const std::vector<OpenMpiBlock>& blocks, const FiledOperation* operation,
                  const LibraryVersion& version, std::vector<OpenMpiRules::Doubt>& doubts) {
    const auto chooses = [](const OpenMpiBlock& block) {
        return std::ranges::any_of(block.rows, [](const OpenMpiRow& row) { return row.algorithm != 0; });
    };
    constexpr int smallest = 2; // with one rank nothing is sent
    if (!blocks.empty() && blocks.front().ranks > smallest && chooses(blocks.front()))
        doubts.push_back({OpenMpiDoubt::holds_for_fewer_ranks, blocks.front().line});
    for (std::size_t b = 0; b < blocks.size(); ++b) {
        if (b > 0 && blocks[b].ranks <= blocks[b - 1].ranks)
            doubts.push_back({OpenMpiDoubt::ranks_not_ascending, blocks[b].line});
        const std::vector<OpenMpiRow>& rows = blocks[b].rows;
        for (std::size_t r = 0; r < rows.size(); ++r) {
            if (r > 0 && rows[r].length <= rows[r - 1].length)
                doubts.push_back({OpenMpiDoubt::lengths_not_ascending, rows[r].line});
            if (operation && r > 0 && operation->open_mpi == LengthUnit::none && chooses(blocks[b]))
                doubts.push_back({OpenMpiDoubt::border_without_meaning, rows[r].line});
            if (operation && rows[r].algorithm > std::max(0, most_open_mpi_algorithm(*operation, version)))
                doubts.push_back({OpenMpiDoubt::algorithm_out_of_range, rows[r].line});
        }
    }
}

} // namespace

std::string_view to_text(OpenMpiDoubt value) {
    return std::ranges::find(doubt_texts, value, &DoubtText::doubt)->found;
}

std::string_view expected_instead_of(OpenMpiDoubt value) {
    return std::ranges::find(doubt_texts, value, &DoubtText::doubt)->expected;
}

OpenMpiRules read_open_mpi_rules(std::string_view text, const LibraryVersion& version,
                                 const std::string& name) {
    Numbers numbers(text, name);
    const int file_version = version.at_least(5, 0, 7) ? numbers.header() : 1;
    OpenMpiRules rules;
    const long count = numbers.needed("the number of collectives");
    if (count > most_collectives)
        numbers.fail(count, fmt::format("a number of collectives up to {}", most_collectives));
    for (long i = 0; i < count; ++i) {
        const long id = numbers.needed("the number of a collective");
        if (id >= most_collectives)
            numbers.fail(id, fmt::format("the number of a collective below {}", most_collectives));
        const FiledOperation* const operation = filed_operation_of_id(id);
        if (!operation || most_open_mpi_algorithm(*operation, version) < 0)
            rules.doubts.push_back({OpenMpiDoubt::unknown_collective, numbers.line()});
        else if (rules.collectives.contains(static_cast<int>(id)))
            rules.doubts.push_back({OpenMpiDoubt::repeated_collective, numbers.line()});
        std::vector<OpenMpiBlock> blocks;
        const long sizes = numbers.needed("the number of communicator sizes");
        for (long b = 0; b < sizes; ++b) {
            OpenMpiBlock block;
            block.ranks = static_cast<int>(numbers.needed("a number of ranks"));
            block.line = numbers.line();
            block.rows = read_rows(numbers, file_version);
            blocks.push_back(std::move(block));
        }
        doubt_blocks(blocks, operation, version, rules.doubts);
        rules.collectives[static_cast<int>(id)] = std::move(blocks);
    }
    if (numbers.next())
        rules.doubts.push_back({OpenMpiDoubt::numbers_left_over, numbers.line()});
    std::ranges::stable_sort(rules.doubts, {}, &OpenMpiRules::Doubt::line);
    return rules;
}

std::vector<OpenMpiRow> open_mpi_rows(const OpenMpiRules& rules, std::string_view operation,
                                      std::int64_t ranks) {
    const FiledOperation* const filed = filed_operation(operation);
    const auto found = filed ? rules.collectives.find(filed->open_mpi_id) : rules.collectives.end();
    if (found == rules.collectives.end() || found->second.empty())
        return {};
    const OpenMpiBlock* block = &found->second.front();
    for (const OpenMpiBlock& each : found->second) {
        if (each.ranks > ranks)
            break;
        block = &each;
    }
    return block->rows;
}

std::map<std::string, std::set<std::int64_t>> open_mpi_borders(const OpenMpiRules& rules,
                                                               std::int64_t ranks) {
    std::map<std::string, std::set<std::int64_t>> borders;
    for (const FiledOperation& operation : filed_operations()) {
        const std::vector<OpenMpiRow> rows = open_mpi_rows(rules, operation.operation, ranks);
        if (std::ranges::all_of(rows, [](const OpenMpiRow& row) { return row.algorithm == 0; }))
            continue;
        std::set<std::int64_t>& lengths = borders[std::string(operation.operation)];
        if (operation.open_mpi == LengthUnit::none)
            continue;
        const std::int64_t unit = in_unit(operation.open_mpi, 1, ranks);
        for (const OpenMpiRow& row : rows) // the first length that is long enough is ceil(length / unit)
            if (row.length > unit)
                lengths.insert((row.length - 1) / unit);
    }
    return borders;
}

// --- writing

namespace {

/// The fan of a row that does what a chosen algorithm does: chains of Bcast and Reduce (2) get
/// coll_tuned_<operation>_algorithm_chain_fanout, 4; with 0 they would be one chain. Others ignore it.
int fan_of(const FiledOperation& operation, int algorithm) {
    constexpr int chain = 2;
    constexpr int usual_chains = 4;
    const bool has_chain = operation.word == "bcast" || operation.word == "reduce";
    return has_chain && algorithm == chain ? usual_chains : 0;
}

/// The rows of one number of ranks.
std::string rows_text(const std::vector<const TuningRule*>& rules, const FiledOperation& operation,
                      std::int64_t ranks) {
    std::string rows;
    int count = 0;
    const auto add = [&](std::int64_t bytes, int algorithm) {
        const std::int64_t length =
            operation.open_mpi == LengthUnit::none ? bytes : in_unit(operation.open_mpi, bytes, ranks);
        rows += fmt::format("      {} {} {} 0\n", length, algorithm, fan_of(operation, algorithm));
        ++count;
    };
    std::int64_t covered = 0; // all lengths below have their row
    if (rules.empty() || rules.front()->bytes_low > 0)
        add(0, 0);
    for (const TuningRule* rule : rules) {
        if (rule->bytes_low > covered && covered > 0)
            add(covered, 0);
        add(rule->bytes_low, rule->number);
        covered = rule->bytes_high == any_length ? any_length : rule->bytes_high + 1;
    }
    if (!rules.empty() && covered != any_length)
        add(covered, 0);
    return fmt::format("    {} {}\n{}", ranks, count, rows);
}

/// A block for a number of ranks, and all until the next block.
bool is_same_for_all_ranks(const std::vector<const TuningRule*>& rules, const FiledOperation& operation) {
    return operation.open_mpi != LengthUnit::bytes_of_all ||
           std::ranges::all_of(rules, [](const TuningRule* rule) {
               return rule->bytes_low == 0 && rule->bytes_high == any_length;
           });
}

std::string collective_text(const FiledOperation& operation, const std::vector<const TuningRule*>& rules) {
    std::string blocks;
    int count = 0;
    const auto add = [&](const std::vector<const TuningRule*>& of_ranks, std::int64_t ranks) {
        blocks += rows_text(of_ranks, operation, ranks);
        ++count;
    };
    const std::vector<RanksRange> ranges = ranges_of_ranks(rules);
    if (ranges.empty() || ranges.front().low > 0)
        add({}, 0);
    for (std::size_t i = 0; i < ranges.size(); ++i) {
        const RanksRange& range = ranges[i];
        if (is_same_for_all_ranks(range.rules, operation))
            add(range.rules, range.low);
        else
            for (std::int64_t ranks = range.low; ranks <= range.high; ++ranks)
                add(range.rules, ranks);
        if (i + 1 == ranges.size() || ranges[i + 1].low > range.high + 1)
            add({}, range.high + 1);
    }
    return fmt::format("{} # {}\n  {}\n{}", operation.open_mpi_id, operation.operation, count, blocks);
}

WhyNot why_no_rule(const TuningRule& rule, const LibraryVersion& version) {
    if (rule.layer != "open mpi tuned")
        return WhyNot::other_layer;
    const FiledOperation* const operation = filed_operation(rule.operation);
    const int most = operation ? most_open_mpi_algorithm(*operation, version) : -1;
    if (most < 0)
        return WhyNot::unknown_operation;
    if (rule.number < 1 || rule.number > most)
        return WhyNot::unknown_algorithm;
    if (operation->open_mpi == LengthUnit::none && (rule.bytes_low > 0 || rule.bytes_high != any_length))
        return WhyNot::no_length_rules;
    return WhyNot::none;
}

} // namespace

std::string write_open_mpi_rules(const TuningTarget& target, std::vector<TuningRule>& rules) {
    const LibraryVersion version = library_version(target.library);
    for (TuningRule& rule : rules) {
        if (rule.why_not == WhyNot::none)
            rule.why_not = rule.algorithm.empty() ? WhyNot::default_is_best : why_no_rule(rule, version);
        rule.written = rule.why_not == WhyNot::none;
    }
    std::string collectives;
    int count = 0;
    for (const FiledOperation& operation : filed_operations()) {
        const std::vector<const TuningRule*> written = written_rules(rules, operation.operation);
        if (written.empty())
            continue;
        collectives += collective_text(operation, written);
        ++count;
    }
    return head_comment(target, rules, "# ") + fmt::format("{} # collectives\n", count) + collectives;
}

} // namespace skampi
