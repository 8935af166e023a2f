// SPDX-License-Identifier: LGPL-2.1-or-later
#include "import/table_reader.hpp"

#include "base/text.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <limits>

namespace skampi {

namespace {

bool is_value(Cell cell) {
    return cell >= Cell::time && cell <= Cell::local_end;
}

/// The row of a table with this title. @tparam Rows of a member `title` with at most one * for any text
template <typename Rows>
const auto* row_titled(const Rows& rows, std::string_view title) {
    const auto found = std::ranges::find_if(rows, [&](const auto& row) {
        const std::size_t any = row.title.find('*');
        return row.title == title ||
               (any != std::string_view::npos && title.size() + 1 >= row.title.size() &&
                title.starts_with(row.title.substr(0, any)) && title.ends_with(row.title.substr(any + 1)));
    });
    return found == rows.end() ? nullptr : &*found;
}

/// Words that stand for a number which is not there.
bool is_missing(std::string_view word) {
    return word == "N/A" || word == "nan" || word == "-nan" ||
           word.find_first_not_of('-') == std::string::npos;
}

std::string without_repeated_blanks(std::string_view line) {
    std::string text;
    for (const char c : line)
        if (c != ' ' && c != '\t')
            text += c;
        else if (!text.ends_with(' '))
            text += ' ';
    return text;
}

/// Up to a sign that ends it, or the end of the line.
std::string value_in(std::string_view rest) {
    for (const std::string_view end : {" (", "(", " [", "]", ")", ";", ", ", " and "})
        rest = rest.substr(0, rest.find(end));
    rest = trimmed(rest);
    if (rest.ends_with('.'))
        rest.remove_suffix(1);
    return std::string(rest);
}

std::string in_brackets(const std::vector<std::string>& parts) {
    std::string text;
    for (const std::string& part : parts)
        text += (text.empty() ? " (" : ", ") + part;
    return text.empty() ? text : text + ")";
}

/// The time per message of rates: by the one that was printed most finely.
std::optional<Number> time_per_message(const Row& row) {
    std::optional<Number> best;
    const double bytes = row[Cell::bytes] ? row[Cell::bytes]->value : 0;
    const auto offer = [&](double time_s, const Number& rate) {
        if (const double step_s = time_s * rate.step / rate.value; !best || step_s < best->step)
            best = Number{time_s, step_s};
    };
    const std::optional<Number>& messages = row[Cell::message_rate];
    const bool has_messages = messages && messages->value > 0;
    if (const std::optional<Number>& rate = row[Cell::bandwidth]; rate && rate->value > 0 && bytes > 0) {
        // IMB's Mbytes were 2^20 bytes until 2017: the messages say which they are.
        constexpr double mebi_to_mega = 1.048576;
        const double moved = has_messages ? messages->value * bytes / rate->value : 1;
        offer(bytes / rate->value / (moved * moved > mebi_to_mega ? mebi_to_mega : 1), *rate);
    }
    if (has_messages)
        offer(1 / messages->value, *messages);
    return best;
}

} // namespace

void TableReader::take_line() {
    std::optional<Title> title = tool_.title != nullptr ? tool_.title(lines_.line()) : std::nullopt;
    const bool is_foreign = !title && is_foreign_title();
    if (is_foreign && tool_.title != nullptr)
        title = Title{.is_read = false};
    if (title)
        return begin_test(*std::move(title));
    if (is_foreign && !rows_.empty()) { // the header of another output
        end_table();
        of_output_.clear();
    }
    if (std::vector<Column> columns = columns_in_heading(); !columns.empty())
        begin_table(std::move(columns));
    else if (!lines_.starts_with("#") && !lines_.starts_with("("))
        take_row_or_other();
    else if (take_statements() || columns_.empty())
        take_fact();
}

void TableReader::begin_test(Title title) {
    end_table();
    if (title_ && tables_ == 0)
        note("no table that can be read follows", title_number_, title_line_);
    title_.reset();
    title_line_ = lines_.line();
    title_number_ = lines_.number();
    tables_ = 0;
    facts_.clear();
    if (title.of_output) {
        runs_.begin_header();
        of_output_.clear();
        return;
    }
    stated_ = of_output_;
    if (!title.is_read)
        return note("a program that is not read", title_number_, title_line_);
    title_ = std::move(title);
    columns_.assign(tool_.row.begin(), tool_.row.end());
}

void TableReader::finish() {
    begin_test({.of_output = true});
}

void TableReader::begin_table(std::vector<Column> columns) {
    end_table();
    if (tool_.title != nullptr && !title_)
        return;
    if (tool_.title == nullptr && tables_ > 0 && of_output_.empty()) // of another output, that has no header
        runs_.begin_header();
    if (tool_.title == nullptr)
        stated_ = of_output_;
    columns_ = std::move(columns);
    ++tables_;
}

void TableReader::end_table() {
    add_suites();
    columns_.clear();
    leave_table();
}

void TableReader::add_suites() {
    std::vector<std::pair<std::string, std::vector<const Row*>>> suites;
    for (const Row& row : rows_) {
        const std::string key = row.test + in_brackets(row.parts);
        auto place = std::ranges::find(suites, key, [](const auto& suite) { return suite.first; });
        if (place == suites.end())
            place = suites.insert(suites.end(), {key, {}});
        place->second.push_back(&row);
    }
    for (const auto& [key, rows] : suites)
        add_rows(begin_suite(*rows.front()), rows, named(*rows.front()).test.trips);
    rows_.clear();
}

/// Titles hold blanks, and more than one is between them only in some versions: words are joined until they
/// are a title. Of a title that is not known a wider gap is the end, or a unit in brackets.
std::vector<Column> TableReader::columns_in_heading() {
    std::vector<Column> columns;
    std::vector<std::string> unknown;
    std::string title;
    const auto end_unknown = [&] {
        columns.push_back({"", Cell::any_word});
        unknown.push_back(std::exchange(title, {}));
    };
    const char* end = lines_.line().data();
    for (const std::string_view word : lines_.words()) {
        std::string own = lower(word);
        std::erase(own, '#');
        if (word.data() - end > 1 && !title.empty())
            end_unknown();
        end = word.data() + word.size();
        title += own;
        if (const Column* const known = row_titled(tool_.columns, title)) {
            columns.push_back(*known);
            title.clear();
        } else if (title.ends_with(')') || title.ends_with(']')) {
            end_unknown();
        }
        if (!columns.empty() && columns.front().title.empty())
            return {};
    }
    if (!title.empty())
        end_unknown();
    if (columns.empty() || columns.front().title.empty() ||
        std::ranges::none_of(columns, is_value, &Column::cell))
        return {};
    for (const std::string& each : unknown)
        note("a column that is not known", lines_.number(), each);
    return columns;
}

bool TableReader::take_statements() {
    const std::string line = without_repeated_blanks(lines_.line());
    bool found = false;
    for (const HeaderLine& statement : tool_.header) {
        const std::size_t at = line.find(statement.words);
        if (at == std::string::npos)
            continue;
        std::string value = value_in(std::string_view(line).substr(at + statement.words.size()));
        if (statement.words.size() > 1 &&
            std::isalpha(static_cast<unsigned char>(statement.words[statement.words.size() - 2])) != 0)
            value = value.substr(0, value.find(' '));
        if (!std::exchange(found, true)) { // of the rows that follow, perhaps below the same heading
            add_suites();
            leave_table();
        }
        std::vector<Stated>& stated = title_ ? stated_ : of_output_;
        std::erase_if(stated, [&](const Stated& known) { return known.statement == &statement; });
        stated.push_back({&statement, value});
    }
    return found;
}

/// "# Machine : x86_64", "#@clocksync=None"
void TableReader::take_fact() {
    constexpr std::size_t longest = 40;
    const std::string_view line = lines_.line();
    const bool assigned = line.starts_with("#@");
    const std::size_t sign = assigned ? line.find('=') : line.find(": ");
    if (sign == std::string_view::npos || line.find_first_of("[(") < sign ||
        (tool_.title == nullptr && !assigned))
        return;
    const std::string key(trimmed(line.substr(assigned ? 2 : 1, sign - (assigned ? 2 : 1))));
    std::string_view value = trimmed(line.substr(sign + 1));
    if (value.ends_with('.'))
        value.remove_suffix(1);
    if (!key.empty() && key.size() < longest && !value.empty())
        (title_ ? facts_ : runs_.header().facts)[key] = value;
}

void TableReader::take_row_or_other() {
    if (columns_.empty())
        return;
    Row row;
    if (!take_row(row) && !take_given_up(row)) {
        if (is_cut_off())
            note("a row was cut off", lines_.number(), lines_.line());
        else
            pass_over_line();
        return;
    }
    if (begins_launch(row))
        add_suites();
    rows_.push_back(std::move(row));
    take_row_in();
    tables_ = std::max<std::size_t>(tables_, 1);
}

bool TableReader::is_cut_off() const {
    const std::vector<std::string_view>& words = lines_.words();
    return words.size() < columns_.size() &&
           std::ranges::all_of(words, [](std::string_view word) { return number_in(word).has_value(); });
}

bool TableReader::take_row(Row& row) const {
    const std::vector<std::string_view>& words = lines_.words();
    if (words.size() != columns_.size())
        return false;
    row.line = lines_.number();
    for (std::size_t i = 0; i < words.size(); ++i) {
        const auto& [title, cell, unit, whose] = columns_[i];
        const std::string_view word = words[i];
        switch (cell) {
        case Cell::any_word:
            continue;
        case Cell::literal:
            if (word != title)
                return false;
            continue;
        case Cell::part:
            row.parts.push_back(std::string(title) + " " + std::string(word));
            continue;
        case Cell::test:
            row.test = word;
            continue;
        case Cell::valid:
            if (word == "Fail")
                set(row.flags, Flag::wrong_result);
            else if (word != "Pass")
                return false;
            continue;
        default:
            break;
        }
        if (cell >= Cell::bytes ? !integer_in(word) : !number_in(word) && !is_missing(word))
            return false;
        std::optional<Number>& number = row.numbers[static_cast<std::size_t>(cell)];
        if (const std::optional<Number> found = number_in(word); found && !number)
            number = Number{found->value * unit, found->step * unit};
    }
    if (row[Cell::defects] && row[Cell::defects]->value > 0)
        set(row.flags, Flag::wrong_result);
    return true;
}

/// "16 time-out. ...", "8 out-of-mem.; ...": a point without a value.
bool TableReader::take_given_up(Row& row) const {
    const auto column = std::ranges::find(columns_, Cell::bytes, &Column::cell);
    const auto place = static_cast<std::size_t>(column - columns_.begin());
    const std::vector<std::string_view>& words = lines_.words();
    if (place >= columns_.size() || place + 1 >= words.size() || !integer_in(words[place]) ||
        std::ranges::none_of(tool_.given_up,
                             [&](std::string_view text) { return words[place + 1].starts_with(text); }))
        return false;
    row = {};
    row.line = lines_.number();
    for (std::size_t i = 0; i < place; ++i)
        row.parts.push_back(std::string(columns_[i].title) + " " + std::string(words[i]));
    row.numbers[static_cast<std::size_t>(Cell::bytes)] = number_in(words[place]);
    if (words[place + 1].starts_with("time-out"))
        set(row.flags, Flag::timed_out);
    return true;
}

bool TableReader::has(Cell cell) const {
    return std::ranges::find(columns_, cell, &Column::cell) != columns_.end();
}

TableReader::Named TableReader::named(const Row& row) const {
    const std::string& own = title_ ? title_->name : row.test;
    const std::string_view key = title_ ? std::string_view(title_->test) : row.test;
    const std::string name = std::string(tool_.name) + (own.empty() ? "" : " " + own);
    if (const Test* const known = row_titled(tool_.tests, key))
        return {name, *known,
                !known->operation.empty() ? std::string(known->operation)
                : title_                  ? name
                                          : own};
    const std::string collective = collective_called(key);
    if (!collective.empty())
        return {name, {"", "", Pattern::collective, Meaning::collective}, collective};
    return {name, {}, name};
}

ImportedRun::ImportedSuite& TableReader::begin_suite(const Row& row) {
    auto [name, test, operation] = named(row);
    // As our own with computation in between: without the word, it is the operation alone.
    OperationInfo info =
        operation_named(operation + (has(Cell::alone) ? "-computation" : ""), test.pattern, test.meaning);
    std::vector<std::string> parts;
    std::vector<std::string> of_operation;
    Suite like;
    like.operation = info;
    std::vector<Stated> stated = stated_;
    std::erase_if(stated, [&](const Stated& each) {
        return each.statement->of != nullptr && !each.statement->of(like);
    });
    int ranks = test.ranks > 0 || !title_ ? test.ranks : title_->ranks;
    bool says_buffers = false;
    for (const auto& [statement, value] : stated) {
        const bool of_ranks = statement->field == "ranks";
        says_buffers = says_buffers || statement->field == "operation";
        if (of_ranks)
            ranks = ranks_in_word(value).value_or(0);
        if (value == statement->usual ||
            (of_ranks && (statement->label.empty() ||
                          (test.pattern == Pattern::ping_pong && ranks == 2 && !has(Cell::part)))))
            continue;
        parts.push_back(of_ranks ? value + std::string(statement->label)
                                 : std::string(statement->label) + value);
        if (statement->field == "operation")
            of_operation.push_back(parts.back());
    }
    if (title_ && !title_->qualifier.empty() && !says_buffers)
        of_operation.push_back(parts.emplace_back(title_->qualifier));
    parts.insert(parts.end(), row.parts.begin(), row.parts.end());
    info.name += in_brackets(of_operation);
    if (has(Cell::elements)) {
        // The size of an element is that of the datatype, which is not always stated.
        info.argument_name = "count";
        info.argument_unit = "elements";
    }
    const Varied varied = has(Cell::bytes)      ? Varied::message_length
                          : has(Cell::elements) ? Varied::argument
                                                : Varied::none;
    ImportedRun::ImportedSuite& suite = runs_.begin_suite(name + in_brackets(parts), info, varied, ranks);
    suite.suite.family = name;
    suite.facts = facts_;
    if (title_ && !title_->version.empty())
        suite.facts["version"] = title_->version;
    for (const auto& [statement, value] : stated)
        if (statement->field != "operation")
            (void)tell(suite.suite, statement->field, value);
    const auto time = std::ranges::find(columns_, Cell::time, &Column::cell);
    if (time == columns_.end() && !has(Cell::median) && (has(Cell::bandwidth) || has(Cell::message_rate)))
        suite.facts["converted"] = "the file tells rates: here the time per message";
    else if (test.trips > 1)
        suite.facts["converted"] = "the file tells half of a round trip: doubled here";
    else if (time != columns_.end() && time->whose == ReportedTime::max)
        suite.facts["value"] = std::string(time->title) + ", the longest of the ranks' own times";
    if (test.pattern == Pattern::collective && time != columns_.end() && time->whose)
        tell(suite.suite, "reported_time", &Suite::reported_time, *time->whose);
    return suite;
}

void TableReader::add_rows(ImportedRun::ImportedSuite&, const std::vector<const Row*>& rows, double trips) {
    for (const Row* const row : rows) {
        double step_s = 0;
        const Measurement measurement = measurement_of(*row, trips, step_s);
        runs_.add(lines_, row->line, measurement, step_s);
    }
}

Measurement TableReader::measurement_of(const Row& row, double trips, double& step_s) const {
    const auto number = [&](Cell cell, double otherwise) { return row[cell] ? row[cell]->value : otherwise; };
    constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
    const double argument = number(Cell::bytes, number(Cell::elements, 0));
    Measurement m = imported(static_cast<std::int64_t>(argument), unknown);
    m.flags = row.flags;
    std::optional<Number> value = row[Cell::time] ? row[Cell::time] : row[Cell::median];
    if (value) {
        value = Number{value->value * trips, value->step * trips};
    } else if ((value = time_per_message(row))) {
        value = Number{value->value * trips, value->step * trips};
        m.messages = trips;
    }
    if (row[Cell::count])
        m.summary.count = m.summary.cut_count = static_cast<std::int64_t>(row[Cell::count]->value);
    if (row[Cell::attempts] && row[Cell::count])
        m.discarded = std::max<std::int64_t>(0, static_cast<std::int64_t>(row[Cell::attempts]->value) -
                                                    m.summary.count);
    m.summary.median = number(Cell::median, unknown);
    m.summary.minimum = number(Cell::smallest, unknown);
    m.summary.maximum = number(Cell::largest, unknown);
    m.alone_s = number(Cell::alone, 0);
    m.computation_s = number(Cell::computation, m.alone_s); // as long as that, as IMB's manual has it
    if (value) {
        m.value_s = m.adjusted_s = m.summary.cut_mean = value->value;
        step_s = value->step;
    }
    if (row[Cell::time] && row[Cell::standard_deviation] && m.summary.count > 0)
        m.standard_error_s = m.summary.cut_standard_error =
            row[Cell::standard_deviation]->value / std::sqrt(static_cast<double>(m.summary.count));
    return has_value(m) ? m : without_value(m);
}

bool may_reduce(const Suite& suite) {
    const std::string name = lower(suite.operation.name);
    return std::ranges::any_of(std::array{"reduce", "scan", "accumulate", "fetch_and_op"},
                               [&](const char* part) { return name.find(part) != std::string::npos; });
}

std::string collective_called(std::string_view name) {
    static constexpr auto names = std::to_array<std::string_view>({"Allgather",
                                                                   "Allgatherv",
                                                                   "Allreduce",
                                                                   "Alltoall",
                                                                   "Alltoallv",
                                                                   "Alltoallw",
                                                                   "Barrier",
                                                                   "Bcast",
                                                                   "Gather",
                                                                   "Gatherv",
                                                                   "Reduce",
                                                                   "Reduce_scatter",
                                                                   "Reduce_scatter_block",
                                                                   "Scatter",
                                                                   "Scatterv",
                                                                   "Scan",
                                                                   "Exscan",
                                                                   "Neighbor_allgather",
                                                                   "Neighbor_allgatherv",
                                                                   "Neighbor_alltoall",
                                                                   "Neighbor_alltoallv",
                                                                   "Neighbor_alltoallw"});
    const auto letters = [](std::string_view text) {
        std::string all = lower(text);
        std::erase_if(all, [](unsigned char c) { return std::isalnum(c) == 0; });
        return all;
    };
    std::string own = letters(name);
    const auto replace = [&own](std::string_view part, std::string_view by) {
        const std::size_t at = own.find(part);
        if (at != std::string::npos)
            own.replace(at, part.size(), by);
        return at != std::string::npos;
    };
    bool nonblocking = replace("nonblocking", "");
    const bool persistent = replace("persistent", "");
    for (const auto& [part, by] : {std::pair("personalizedexchange", ""), std::pair("pure", ""),
                                   std::pair("broadcast", "bcast"), std::pair("neighborhood", "neighbor")})
        (void)replace(part, by);
    for (const bool with_i : {false, true})
        for (const std::string_view each : names) {
            if (own != (with_i ? "i" : "") + letters(each))
                continue;
            nonblocking = nonblocking || with_i;
            std::string call = (nonblocking ? "MPI_I" : "MPI_") + std::string(each);
            if (nonblocking)
                call[5] = static_cast<char>(std::tolower(static_cast<unsigned char>(call[5])));
            return call + (persistent && !nonblocking ? "_init" : "");
        }
    return {};
}

} // namespace skampi
