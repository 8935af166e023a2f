// SPDX-License-Identifier: GPL-2.0-or-later
#include "cube/statistics.hpp"

#include "base/error.hpp"
#include "base/text.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <istream>
#include <set>
#include <utility>

namespace skampi::cube {

namespace {

struct DialectName {
    Dialect dialect;
    std::string_view name;
};
constexpr std::array<DialectName, 3> dialect_names{
    {{Dialect::documented, "documented"}, {Dialect::scout, "scout"}, {Dialect::expert, "expert"}}};

/// A piece of a line between blanks.
struct Word {
    std::string_view text;
    std::size_t column = 1;
};

bool is_blank(char c) {
    return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f';
}

std::vector<Word> words_of(std::string_view line) {
    std::vector<Word> words;
    for (std::size_t at = 0; at < line.size();) {
        if (is_blank(line[at])) {
            ++at;
            continue;
        }
        const std::size_t begin = at;
        while (at < line.size() && !is_blank(line[at]))
            ++at;
        words.push_back({line.substr(begin, at - begin), begin + 1});
    }
    return words;
}

/// A word as messages show it.
std::string shown(std::string_view word) {
    constexpr std::size_t most = 40;
    return '"' + printable(word.substr(0, most)) + (word.size() > most ? "...\"" : "\"");
}

bool all_digits(std::string_view text) {
    return !text.empty() && std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
}

/// @return whether the whole text is a number that a double can hold
bool parse(std::string_view text, double& value) {
    bool negative = false;
    if (!text.empty() && (text.front() == '+' || text.front() == '-')) {
        negative = text.front() == '-';
        text.remove_prefix(1);
    }
    std::chars_format format = std::chars_format::general;
    if (text.size() > 2 && text[0] == '0' && (text[1] == 'x' || text[1] == 'X')) {
        format = std::chars_format::hex;
        text.remove_prefix(2);
    }
    if (text.empty() || text.front() == '-')
        return false;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, format);
    if (error != std::errc() || end != text.data() + text.size())
        return false;
    if (negative)
        value = -value;
    return true;
}

std::optional<double> number(std::string_view text) {
    double value = 0;
    return parse(text, value) ? std::optional(value) : std::nullopt;
}

std::optional<WholeNumber> whole_number(std::string_view text) {
    const bool has_sign = !text.empty() && (text.front() == '+' || text.front() == '-');
    if (!all_digits(text.substr(has_sign ? 1 : 0)))
        return std::nullopt;
    if (text.front() == '+')
        text.remove_prefix(1);
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error == std::errc())
        return WholeNumber(value);
    if (const std::optional<double> large = number(text))
        return WholeNumber(*large);
    return std::nullopt;
}

/// EXPERT separates numbers only by the width of its columns, and always writes six decimals: a number that
/// exceeds its column runs into the next one. The decimals show where it ends.
void separate(std::vector<Word>& words) {
    constexpr std::size_t decimals = 6;
    for (std::size_t i = 1; i < words.size(); ++i) { // behind the name
        const std::string_view text = words[i].text;
        const std::size_t point = text.find('.');
        if (point == std::string_view::npos || text.size() <= point + 1 + decimals ||
            !all_digits(text.substr(text.front() == '-' ? 1 : 0, point - (text.front() == '-' ? 1 : 0))) ||
            !all_digits(text.substr(point + 1, decimals)))
            continue;
        const std::size_t length = point + 1 + decimals;
        // A number with more than six decimals does not come from EXPERT.
        if (text.find('.', length) == std::string_view::npos)
            continue;
        words.insert(words.begin() + static_cast<std::ptrdiff_t>(i) + 1,
                     Word{text.substr(length), words[i].column + length});
        words[i].text = text.substr(0, length);
    }
}

/// The dialect of a line of column names.
std::optional<Dialect> dialect_of_header(const std::vector<Word>& words) {
    std::string all; // "patternnamemetricidcount..."
    for (const Word& word : words)
        for (const char c : word.text)
            if (c >= 'A' && c <= 'Z')
                all += static_cast<char>(c - 'A' + 'a');
            else if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'))
                all += c;
    if (!all.starts_with("patternname"))
        return std::nullopt;
    if (all.find("metricid") != std::string::npos)
        return Dialect::documented;
    // "Pattern Name" of EXPERT, "PatternName" of scout
    return words.front().text.size() == std::string_view("Pattern").size() ? Dialect::expert : Dialect::scout;
}

/// The dialects that are possible for the columns of a pattern's line.
struct Possible {
    bool with_metric_id = true;
    bool without = true;
};
Possible possible_dialects(const std::vector<Word>& words) {
    const std::size_t numbers = words.size() - 1;
    const bool second_is_whole = words.size() > 2 && whole_number(words[2].text).has_value();
    return {.with_metric_id =
                (numbers == 2 || numbers == 7 || numbers == 8 || numbers == 10) && second_is_whole,
            .without = numbers == 1 || numbers == 6 || numbers == 7 || numbers == 9};
}

class Reader {
public:
    explicit Reader(std::string_view name)
        : name_(name) {}

    ReadStatistics read(std::istream& in) {
        std::string line;
        bool any = false;
        for (bool whole = true; next_line(in, line, whole);) {
            line_ = ++lines_;
            any = true;
            if (line.find('\0') != std::string::npos)
                throw InputError(fmt::format("{}:{}: a NUL byte, expected the text of a Cube statistics file",
                                             printable(name_), line_));
            if (!whole)
                refuse(Kind::line_too_long, 1,
                       fmt::format("a line of more than {} bytes, expected a pattern or an instance",
                                   longest_line));
            else if (line_ == 1)
                read_header(line);
            else if (dialect_)
                read_line(line);
            else
                wait(line);
        }
        decide_dialect();
        if (!any)
            throw InputError(fmt::format("{}: is empty, expected a Cube statistics file: "
                                         "a line of column names, then a line per pattern",
                                         printable(name_)));
        end_pattern();
        result_.file.dialect = dialect_.value_or(header_.value_or(Dialect::scout));
        return std::move(result_);
    }

private:
    /// @param whole false: the line was too long, and its rest was skipped
    static bool next_line(std::istream& in, std::string& line, bool& whole) {
        whole = true;
        line.clear();
        std::streambuf* buffer = in.rdbuf();
        int c = buffer->sbumpc();
        if (c == std::char_traits<char>::eof())
            return false;
        for (; c != std::char_traits<char>::eof() && c != '\n'; c = buffer->sbumpc()) {
            if (line.size() < longest_line)
                line += static_cast<char>(c);
            else
                whole = false;
        }
        return true;
    }

    using Kind = Problem::Kind;

    void refuse(Kind kind, std::size_t column, std::string text) {
        ++result_.errors;
        add({Problem::Weight::error, kind, line_, column, std::move(text)});
    }
    void warn(Kind kind, std::size_t column, std::string text) {
        ++result_.strange;
        add({Problem::Weight::strange, kind, line_, column, std::move(text)});
    }
    void add(Problem problem) {
        if (result_.problems.size() < most_problems)
            result_.problems.push_back(std::move(problem));
    }

    void read_header(std::string_view line) {
        if (line.starts_with("\xEF\xBB\xBF")) // byte order mark of Windows editors
            line.remove_prefix(3);
        header_ = dialect_of_header(words_of(line));
        if (const std::size_t cr = line.find('\r'); cr != std::string_view::npos && cr + 1 < line.size())
            refuse(Kind::carriage_return, cr + 1,
                   "a CR within the line, expected lines that end with LF or CRLF");
    }

    void read_line(std::string_view line) {
        std::vector<Word> words = words_of(line);
        if (words.empty()) {
            after_blank_ = true;
            return;
        }
        if (words.front().text.front() == '-')
            read_instance(words);
        else
            read_pattern(words);
        after_blank_ = false;
    }

    /// Keeps a line until enough patterns have been seen to know the dialect: one broken line decides nothing.
    void wait(const std::string& line) {
        constexpr std::size_t enough_patterns = 100;
        constexpr std::size_t most_bytes = std::size_t{1} << 20;
        waiting_.push_back({line, line_});
        waiting_bytes_ += line.size();
        std::vector<Word> words = words_of(line);
        if (words.empty() || words.front().text.front() == '-')
            return;
        if (header_ == Dialect::expert)
            separate(words);
        const Possible possible = possible_dialects(words);
        votes_.with_metric_id += possible.with_metric_id ? 1 : 0;
        votes_.without += possible.without ? 1 : 0;
        if (++votes_.patterns == enough_patterns || waiting_bytes_ > most_bytes)
            decide_dialect();
    }

    /// By the line of column names, unless more patterns contradict it than agree; without one by the columns of
    /// most patterns. Then reads what waited.
    void decide_dialect() {
        if (dialect_ || waiting_.empty())
            return;
        const bool columns_have_id = votes_.with_metric_id >= votes_.without && votes_.with_metric_id > 0;
        if (!header_) {
            dialect_ = columns_have_id ? Dialect::documented : Dialect::scout;
        } else {
            const bool header_has_id = header_ == Dialect::documented;
            const std::size_t agree = header_has_id ? votes_.with_metric_id : votes_.without;
            const std::size_t others = header_has_id ? votes_.without : votes_.with_metric_id;
            const bool contradicted = votes_.patterns - agree > agree && others > agree;
            dialect_ = !contradicted ? *header_ : header_has_id ? Dialect::scout : Dialect::documented;
        }
        contradicted_ = header_ && (header_ == Dialect::documented) != (dialect_ == Dialect::documented);
        for (const auto& [line, number] : std::exchange(waiting_, {})) {
            line_ = number;
            read_line(line);
        }
    }

    void read_pattern(std::vector<Word>& words) {
        end_pattern();
        if (header_ == Dialect::expert || dialect_ == Dialect::expert)
            separate(words);
        if (std::exchange(contradicted_, false))
            warn(Kind::header_contradicted, words.front().column,
                 fmt::format("the columns are those of the {} dialect, the first line names those of the {} dialect",
                             to_text(*dialect_), to_text(*header_)));
        else if (dialect_ == Dialect::documented && !after_blank_ && !result_.file.patterns.empty())
            warn(Kind::missing_blank_line, words.front().column,
                 fmt::format("no blank line before the pattern {}", shown(words.front().text)));
        skip_instances_ = true; // until the pattern they belong to is there
        PatternStatistics pattern;
        pattern.name = words.front().text;
        std::size_t at = 1;
        if (dialect_ == Dialect::documented) {
            pattern.metric_id = take_whole(words, at, "the metric id");
            if (!pattern.metric_id)
                return;
        }
        const std::size_t count_column = at < words.size() ? words[at].column : 1;
        const std::optional<WholeNumber> count = take_whole(words, at, "the count");
        if (!count)
            return;
        if (as_double(*count) < 0) {
            refuse(Kind::negative_count, count_column,
                   fmt::format("the count {}, expected 0 or more", shown(words[at - 1].text)));
            return;
        }
        pattern.count = *count;
        skip_instances_ = false;
        read_values(words, at, pattern);
        if (!names_.insert(pattern.name).second)
            warn(Kind::repeated_pattern, words.front().column,
                 fmt::format("a second pattern {}; Cube shows only the first", shown(pattern.name)));
        current_ = std::move(pattern);
    }

    /// The next word as a whole number; if it is none, a problem.
    std::optional<WholeNumber> take_whole(const std::vector<Word>& words, std::size_t& at, const char* what) {
        if (at >= words.size()) {
            refuse(Kind::missing_word, end_column(words),
                   fmt::format("the line ends, expected {}, a whole number", what));
            return std::nullopt;
        }
        const Word& word = words[at++];
        std::optional<WholeNumber> value = whole_number(word.text);
        if (!value)
            refuse(Kind::not_whole, word.column,
                   fmt::format("found {}, expected {}, a whole number (names have no blanks)",
                               shown(word.text), what));
        return value;
    }

    static std::size_t end_column(const std::vector<Word>& words) {
        return words.back().column + words.back().text.size();
    }

    /// All numbers of a group, or none of them and a problem.
    template <std::size_t N>
    std::optional<std::array<double, N>> take_group(const std::vector<Word>& words, std::size_t& at,
                                                    const std::array<const char*, N>& names,
                                                    const char* rule) {
        std::array<double, N> values{};
        for (std::size_t i = 0; i < N; ++i) {
            if (at + i >= words.size()) {
                refuse(Kind::missing_word, end_column(words),
                       fmt::format("the line ends, expected the {} ({})", names[i], rule));
                return std::nullopt;
            }
            const Word& word = words[at + i];
            if (!parse(word.text, values[i])) {
                refuse(Kind::not_number, word.column,
                       fmt::format("found {}, expected the {}, a number that a double can hold",
                                   shown(word.text), names[i]));
                return std::nullopt;
            }
            if (!std::isfinite(values[i]))
                warn(Kind::not_finite, word.column, fmt::format("the {} is {}", names[i], shown(word.text)));
        }
        at += N;
        return values;
    }

    void read_values(const std::vector<Word>& words, std::size_t at, PatternStatistics& pattern) {
        if (at == words.size())
            return;
        const auto moments = take_group<5>(words, at, {"mean", "median", "minimum", "maximum", "sum"},
                                           "all five of mean, median, minimum, maximum and sum, or none");
        if (!moments)
            return;
        pattern.moments = Moments{(*moments)[0], (*moments)[1], (*moments)[2], (*moments)[3], (*moments)[4]};
        if (at < words.size()) {
            const auto variance = take_group<1>(words, at, {"variance"}, "");
            if (!variance)
                return;
            pattern.variance_s2 = variance->front();
        }
        if (at < words.size()) {
            const auto quartiles =
                take_group<2>(words, at, {"lower quartile", "upper quartile"}, "both quartiles or none");
            if (!quartiles)
                return;
            pattern.quartiles = Quartiles{(*quartiles)[0], (*quartiles)[1]};
        }
        if (at < words.size())
            refuse(Kind::surplus_word, words[at].column,
                   fmt::format("found {} after the last column, expected the end of the line",
                               shown(words[at].text)));
        check(pattern, words.front().column);
    }

    /// Contradictions that real files contain.
    void check(const PatternStatistics& pattern, std::size_t column) {
        const Moments& m = *pattern.moments;
        const double count = as_double(pattern.count);
        const auto strange = [&](Kind kind, const char* what) {
            warn(kind, column, fmt::format("pattern {}: {}", shown(pattern.name), what));
        };
        // scout writes the median with fewer decimals than all it is compared with.
        const double rounded_s = dialect_ == Dialect::scout ? 0.50001e-7 : 0;
        const auto outside = [&](double low_s, double high_s) {
            return m.median_s < low_s - rounded_s || m.median_s > high_s + rounded_s;
        };
        if (m.minimum_s > m.maximum_s)
            strange(Kind::minimum_above_maximum, "the minimum is above the maximum");
        else if (outside(m.minimum_s, m.maximum_s))
            strange(Kind::median_outside, "the median is not between minimum and maximum");
        else if (pattern.quartiles && outside(pattern.quartiles->lower_s, pattern.quartiles->upper_s))
            strange(Kind::median_outside_quartiles, "the median is not between the quartiles");
        if (pattern.variance_s2 && *pattern.variance_s2 < 0)
            strange(Kind::negative_variance, "the variance is negative");
        if (dialect_ == Dialect::documented)
            return;
        // Cube decides by the count which columns to read.
        if (pattern.variance_s2.has_value() != (count >= 2))
            strange(Kind::columns_contradict_count,
                    pattern.variance_s2 ? "has a variance, which Cube expects only with a count of at least 2"
                                        : "has no variance, which Cube expects with a count of at least 2");
        else if (pattern.quartiles.has_value() != (count >= 5))
            strange(Kind::columns_contradict_count,
                    pattern.quartiles ? "has quartiles, which Cube expects only with a count of at least 5"
                                      : "has no quartiles, which Cube expects with a count of at least 5");
    }

    /// The words of an instance's line, read one after the other.
    struct InstanceWords {
        const std::vector<Word>& words;
        std::size_t at = 1;
        bool is_whole = true; ///< nothing was wrong so far

        [[nodiscard]] bool at_end() const { return at >= words.size(); }
        [[nodiscard]] bool next_is(std::string_view label) const {
            return is_whole && !at_end() && words[at].text == label;
        }
        [[nodiscard]] std::size_t column() const { return at_end() ? end_column(words) : words[at].column; }
    };

    void fail(InstanceWords& line, Kind kind, std::string text) {
        refuse(kind, line.column(), std::move(text));
        line.is_whole = false;
    }

    /// @return whether a value may follow
    bool take_label(InstanceWords& line, std::string_view label) {
        if (!line.is_whole)
            return false;
        if (line.at_end()) {
            fail(line, Kind::missing_word, fmt::format("the line ends, expected \"{}\"", label));
        } else if (const std::string_view found = line.words[line.at].text;
                   found == label || (label == "cnode:" && found == "cnode")) {
            ++line.at;
        } else {
            fail(line, Kind::wrong_label, fmt::format("found {}, expected \"{}\"", shown(found), label));
        }
        return line.is_whole;
    }

    void take_labelled(InstanceWords& line, std::string_view label, double& value) {
        if (!take_label(line, label))
            return;
        if (line.at_end())
            fail(line, Kind::missing_word,
                 fmt::format("the line ends after \"{}\", expected a number", label));
        else if (!parse(line.words[line.at].text, value))
            fail(line, Kind::not_number,
                 fmt::format("found {} after \"{}\", expected a number", shown(line.words[line.at].text),
                             label));
        else
            ++line.at;
    }

    void take_labelled(InstanceWords& line, std::string_view label, WholeNumber& value) {
        if (!take_label(line, label))
            return;
        if (line.at_end()) {
            fail(line, Kind::missing_word,
                 fmt::format("the line ends after \"{}\", expected a whole number", label));
        } else if (const std::optional<WholeNumber> found = whole_number(line.words[line.at].text)) {
            value = *found;
            ++line.at;
        } else {
            fail(line, Kind::not_whole,
                 fmt::format("found {} after \"{}\", expected a whole number",
                             shown(line.words[line.at].text), label));
        }
    }

    void read_instance(std::vector<Word>& words) {
        // "-cnode:" means "- cnode:"
        if (words.front().text.size() > 1)
            words.insert(words.begin() + 1, Word{words.front().text.substr(1), words.front().column + 1});
        if (!current_) {
            if (!skip_instances_)
                refuse(Kind::orphan_instance, words.front().column,
                       "an instance before the first pattern, expected a pattern");
            return;
        }
        if (after_blank_)
            warn(Kind::blank_line, words.front().column,
                 fmt::format("a blank line before an instance of {}", shown(current_->name)));
        Instance instance;
        InstanceWords line{words};
        take_labelled(line, "cnode:", instance.cnode);
        take_labelled(line, "enter:", instance.enter_s);
        take_labelled(line, "exit:", instance.exit_s);
        take_labelled(line, "duration:", instance.duration_s);
        if (line.next_is("rank:"))
            take_labelled(line, "rank:", instance.rank.emplace());
        if (line.next_is("markerTime:")) {
            take_labelled(line, "markerTime:", instance.marker_s.emplace());
            take_labelled(line, "markerLoc:", instance.marker_location.emplace());
        }
        if (!line.is_whole)
            return;
        if (!line.at_end())
            refuse(Kind::surplus_word, line.column(),
                   fmt::format("found {} after the instance, expected the end of the line",
                               shown(words[line.at].text)));
        add_instance(instance, words.front().column);
    }

    void add_instance(const Instance& instance, std::size_t column) {
        if (instance.marker_s && dialect_ == Dialect::scout)
            dialect_ = Dialect::expert;
        if (instance.exit_s < instance.enter_s)
            warn(Kind::exit_before_enter, column, "the instance exits before it enters");
        if (current_->moments && instance.duration_s > current_->moments->maximum_s)
            warn(Kind::above_maximum, column,
                 fmt::format("the instance takes longer than the maximum of {}", shown(current_->name)));
        current_->severest.push_back(instance);
    }

    void end_pattern() {
        if (current_)
            result_.file.patterns.push_back(std::move(*current_));
        current_.reset();
    }

    std::string_view name_;
    ReadStatistics result_;
    std::optional<Dialect> header_;  ///< of the first line
    std::optional<Dialect> dialect_; ///< none until enough patterns were seen
    struct Waiting {
        std::string line;
        std::size_t number;
    };
    std::vector<Waiting> waiting_; ///< for the dialect
    std::size_t waiting_bytes_ = 0;
    struct Votes {
        std::size_t patterns = 0;
        std::size_t with_metric_id = 0; ///< whose columns may be those of the documented dialect
        std::size_t without = 0;
    };
    Votes votes_;
    bool contradicted_ = false; ///< the header is contradicted; not reported yet
    std::optional<PatternStatistics> current_;
    std::set<std::string> names_;
    std::size_t lines_ = 0; ///< read
    std::size_t line_ = 0;  ///< the number of the one that is looked at
    bool after_blank_ = false;
    bool skip_instances_ = false; ///< those of a pattern that could not be read
};

} // namespace

std::string_view to_text(Dialect dialect) {
    for (const DialectName& row : dialect_names)
        if (row.dialect == dialect)
            return row.name;
    return {};
}

std::optional<Dialect> dialect_from_text(std::string_view text) {
    for (const DialectName& row : dialect_names)
        if (row.name == text)
            return row.dialect;
    return std::nullopt;
}

double as_double(const WholeNumber& number) {
    return std::visit([](auto value) { return static_cast<double>(value); }, number);
}

std::string to_text(const Problem& problem, std::string_view file) {
    return fmt::format("{}:{}:{}: {}", printable(file), problem.line, problem.column, problem.text);
}

ReadStatistics read_statistics(std::istream& in, std::string_view name) {
    try {
        return Reader(name).read(in);
    } catch (const std::ios_base::failure&) {
        throw SystemError(
            fmt::format("{}: cannot be read to its end: {}", printable(name), std::strerror(errno)));
    }
}

ReadStatistics read_statistics_file(const std::string& path) {
    std::error_code error;
    if (std::filesystem::is_directory(path, error))
        throw InputError(fmt::format("{}: is a directory, expected a Cube statistics file", printable(path)));
    errno = 0;
    std::ifstream in(path, std::ios::binary);
    if (!in)
        throw SystemError(fmt::format("{}: cannot be read: {}", printable(path), std::strerror(errno)));
    return read_statistics(in, path);
}

bool is_statistics_file(const std::string& path) {
    std::string extension = std::filesystem::path(path).extension().string();
    std::ranges::transform(extension, extension.begin(),
                           [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    if (extension == ".stat")
        return true;
    std::error_code error;
    if (!std::filesystem::is_regular_file(path, error)) // a pipe could be read but once
        return false;
    std::ifstream in(path, std::ios::binary);
    std::string begin(256, '\0');
    in.read(begin.data(), static_cast<std::streamsize>(begin.size()));
    begin.resize(static_cast<std::size_t>(std::max<std::streamsize>(0, in.gcount())));
    std::string_view line = begin;
    if (line.starts_with("\xEF\xBB\xBF"))
        line.remove_prefix(3);
    return dialect_of_header(words_of(line.substr(0, line.find('\n')))).has_value();
}

} // namespace skampi::cube
