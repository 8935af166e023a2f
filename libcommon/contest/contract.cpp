// SPDX-License-Identifier: LGPL-2.1-or-later
#include "contest/contract.hpp"

#include "contest/jury.hpp"
#include "launches/launch_design.hpp"
#include "model/quantity.hpp"

#include "base/error.hpp"
#include "base/suggestion.hpp"
#include "base/text.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <set>
#include <string_view>

namespace skampi {

namespace {

struct Unit {
    std::string_view name;
    double factor;
};
constexpr std::array units_of_time{Unit{"ns", 1e-9}, Unit{"us", 1e-6}, Unit{"µs", 1e-6}, Unit{"ms", 1e-3},
                                   Unit{"s", 1}};
constexpr double kibi = 1024;
constexpr std::array units_of_length{Unit{"B", 1},
                                     Unit{"kB", 1e3},
                                     Unit{"KiB", kibi},
                                     Unit{"MB", 1e6},
                                     Unit{"MiB", kibi* kibi},
                                     Unit{"GB", 1e9},
                                     Unit{"GiB", kibi* kibi* kibi}};
constexpr std::array units_of_bandwidth{Unit{"B/s", 1},
                                        Unit{"kB/s", 1e3},
                                        Unit{"KiB/s", kibi},
                                        Unit{"MB/s", 1e6},
                                        Unit{"MiB/s", kibi* kibi},
                                        Unit{"GB/s", 1e9},
                                        Unit{"GiB/s", kibi* kibi* kibi},
                                        Unit{"TB/s", 1e12},
                                        Unit{"Gbit/s", 1e9 / 8},
                                        Unit{"Tbit/s", 1e12 / 8}};
constexpr std::array<std::string_view, 3> quantities{"time", "latency", "bandwidth"};

/// "ns, us, ms or s"
template <typename Names>
std::string choices(const Names& names) {
    std::string all;
    for (std::size_t i = 0; i < names.size(); ++i)
        all += fmt::format("{}{}", i == 0 ? "" : i + 1 == names.size() ? " or " : ", ", names[i]);
    return all;
}

template <std::size_t count>
std::array<std::string_view, count> names_of(const std::array<Unit, count>& units) {
    std::array<std::string_view, count> names;
    std::ranges::transform(units, names.begin(), &Unit::name);
    return names;
}

/// A line of a contract, read word by word.
class PromiseReader {
public:
    PromiseReader(std::string_view line, std::size_t number, const std::string& path)
        : line_(line)
        , number_(number)
        , path_(path) {}

    Promise read() {
        Promise promise{.line = number_, .text = std::string(line_)};
        promise.name = word("an operation, a suite, ping-pong, bisection, node, pair or links");
        if (!reads_links(promise))
            read_suite(promise);
        skip_blanks();
        if (place_ < line_.size())
            throw wrong("", "the end of the line");
        return promise;
    }

private:
    /// Whether a line goes on as one of a suite of that name does.
    bool goes_on_as_suite() {
        const std::size_t begin = place_;
        const bool has_place = is_number() || next() == "at" || next() == "on";
        const bool has_quantity = take(":") && std::ranges::find(quantities, next()) != quantities.end();
        place_ = begin;
        return has_place || has_quantity;
    }

    /// @return false: it is not about links
    bool reads_links(Promise& promise) {
        if (goes_on_as_suite())
            return false;
        if (promise.name == "links") {
            promise.quantity = PromisedQuantity::none_slow;
            for (const char* each : {":", "none", "slow"})
                expect(each);
        } else if (promise.name == "bisection") {
            promise.quantity = PromisedQuantity::bisection;
            for (const char* each : {":", "minimum", ">"})
                expect(each);
            skip_equal();
            promise.below = false;
            promise.limit = amount(units_of_bandwidth, "a unit of bandwidth");
        } else if (promise.name == "node" || promise.name == "pair") {
            promise.quantity = PromisedQuantity::of_class;
            constexpr std::array<std::string_view, 2> of_class{"latency", "bandwidth"};
            promise.below = take(of_class[0]);
            if (!promise.below && !take(of_class[1]))
                throw wrong(did_you_mean(next(), of_class), choices(of_class));
            expect(promise.below ? "<" : ">");
            skip_equal();
            skip_blanks();
            const std::size_t begin = place_;
            promise.limit = number("a ratio");
            if (!(promise.below ? promise.limit > 1 : promise.limit > 0 && promise.limit < 1)) {
                place_ = begin;
                throw wrong("", promise.below ? "a multiple above 1" : "a share between 0 and 1");
            }
            for (const char* each : {"of", "its", "class"})
                expect(each);
        } else {
            return false;
        }
        return true;
    }

    void read_suite(Promise& promise) {
        if (take("at") || is_number())
            promise.bytes = length();
        if (take("on")) {
            promise.ranks = whole_number("a number of ranks");
            if (!take("rank"))
                expect("ranks");
        }
        expect(":");
        promise.quantity = quantity();
        if (take("at")) {
            if (promise.bytes)
                throw wrong("", "one message length in a line");
            promise.bytes = length();
        }
        promise.below = take("<");
        if (!promise.below && !take(">"))
            throw wrong("", promise.bytes ? "< or >" : "at LENGTH, < or >");
        skip_equal();
        promise.limit = promise.quantity == PromisedQuantity::bandwidth
                            ? amount(units_of_bandwidth, "a unit of bandwidth")
                            : amount(units_of_time, "a unit of time");
    }

    static bool is_blank(char c) { return c == ' ' || c == '\t'; }
    static bool ends_word(char c) { return is_blank(c) || c == ':' || c == '<' || c == '>'; }

    void skip_blanks() {
        while (place_ < line_.size() && is_blank(line_[place_]))
            ++place_;
    }

    /// `<=` is `<`: no measured value lies at the limit.
    void skip_equal() {
        if (place_ < line_.size() && line_[place_] == '=')
            ++place_;
    }

    /// The next word, which stays; a sign is one.
    std::string_view next() {
        skip_blanks();
        std::size_t end = place_;
        while (end < line_.size() && !ends_word(line_[end]))
            ++end;
        if (end == place_ && end < line_.size())
            ++end;
        return line_.substr(place_, end - place_);
    }

    bool take(std::string_view wanted) {
        if (next() != wanted)
            return false;
        place_ += wanted.size();
        return true;
    }

    void expect(std::string_view wanted) {
        if (!take(wanted))
            throw wrong("", fmt::format("\"{}\"", wanted));
    }

    std::string word(const char* what) {
        const std::string_view found = next();
        if (found.empty() || ends_word(found.front()))
            throw wrong("", what);
        place_ += found.size();
        return std::string(found);
    }

    bool is_number() {
        const std::string_view found = next();
        return !found.empty() && found.front() >= '0' && found.front() <= '9';
    }

    /// A number above zero; a unit may stick to it.
    double number(const char* what) {
        skip_blanks();
        double value = 0;
        const char* const begin = line_.data() + place_;
        const auto [end, error] = std::from_chars(begin, line_.data() + line_.size(), value);
        if (error != std::errc() || !std::isfinite(value) || value < 0)
            throw wrong("", what);
        place_ += static_cast<std::size_t>(end - begin);
        return value;
    }

    template <std::size_t count>
    double amount(const std::array<Unit, count>& units, const char* what) {
        skip_blanks();
        const std::size_t begin = place_;
        const double value = number("a number above zero");
        if (!(value > 0)) {
            place_ = begin;
            throw wrong("", "a number above zero");
        }
        const auto unit = std::ranges::find(units, next(), &Unit::name);
        if (unit == units.end())
            throw wrong(did_you_mean(next(), names_of(units)),
                        fmt::format("{}: {}", what, choices(names_of(units))));
        place_ += unit->name.size();
        return value * unit->factor;
    }

    std::int64_t length() {
        const std::size_t begin = place_;
        const double value = number("a message length");
        const auto unit = std::ranges::find(units_of_length, next(), &Unit::name);
        if (unit == units_of_length.end())
            throw wrong(did_you_mean(next(), names_of(units_of_length)),
                        "a unit of length: " + choices(names_of(units_of_length)));
        const double bytes = value * unit->factor;
        if (bytes != std::floor(bytes) ||
            bytes >= static_cast<double>(std::numeric_limits<std::int64_t>::max())) {
            place_ = begin;
            throw wrong("", "whole bytes");
        }
        place_ += unit->name.size();
        return static_cast<std::int64_t>(bytes);
    }

    std::int64_t whole_number(const char* what) {
        skip_blanks();
        std::int64_t value = 0;
        const char* const begin = line_.data() + place_;
        const auto [end, error] = std::from_chars(begin, line_.data() + line_.size(), value);
        if (error != std::errc() || value < 1)
            throw wrong("", what);
        place_ += static_cast<std::size_t>(end - begin);
        return value;
    }

    PromisedQuantity quantity() {
        const auto* const found = std::ranges::find(quantities, next());
        if (found == quantities.end())
            throw wrong(did_you_mean(next(), quantities), choices(quantities));
        place_ += found->size();
        return static_cast<PromisedQuantity>(found - quantities.begin());
    }

    InputError wrong(const std::string& hint, const std::string& expected) {
        const std::string found(next());
        return InputError(fmt::format(
            "{}:{}:{}: found {}{}, expected {}", printable(path_), number_, place_ + 1,
            found.empty() ? "the end of the line" : '"' + printable(found) + '"', hint, expected));
    }

    std::string_view line_;
    std::size_t place_ = 0;
    std::size_t number_;
    const std::string& path_;
};

/// Of an operation: suites of algorithms that are chosen for the library do not count.
bool means(const Promise& promise, const Curve& curve) {
    const Suite& suite = curve.suite();
    const bool usual = suite.algorithm.empty() || suite.algorithm == "default";
    return suite_selected(suite.name, {promise.name}) ||
           (usual && (suite.operation.name == promise.name ||
                      (promise.name == ping_pong_name && meaning_of(curve) == Meaning::round_trip)));
}

/// What the limit allows as a time of this suite; 0 = it has no such quantity.
double limit_s(const Promise& promise, const Curve& curve, const Measurement& at) {
    switch (promise.quantity) {
    case PromisedQuantity::time:
        break;
    case PromisedQuantity::latency: {
        const Meaning meaning = meaning_of(curve);
        const bool has_one = meaning == Meaning::round_trip || meaning == Meaning::one_sided;
        return has_one ? promise.limit * (meaning == Meaning::round_trip ? 2 : 1) : 0;
    }
    case PromisedQuantity::bandwidth:
        return bytes_moved(curve, at) / promise.limit;
    case PromisedQuantity::bisection:
    case PromisedQuantity::of_class:
    case PromisedQuantity::none_slow:
        return 0;
    }
    return promise.limit;
}

GateOutcome outcome_of(const PromiseFinding& finding) {
    return finding.statement.judged() && finding.statement.why != Why::outliers
               ? outcome_of_interval(*finding.promise, finding.low, finding.high)
               : GateOutcome::open;
}

/// Of times: for a bandwidth the high one is its low one.
void set_values(PromiseFinding& finding) {
    const Promise& promise = *finding.promise;
    const Statement& statement = finding.statement;
    const bool times = promise.quantity != PromisedQuantity::bandwidth;
    finding.measured = times ? promise.limit * statement.ratio : promise.limit / statement.ratio;
    if (!statement.judged())
        return;
    finding.low = times ? promise.limit * statement.low : promise.limit / statement.high;
    finding.high = times ? promise.limit * statement.high : promise.limit / statement.low;
}

/// The points of a suite that a promise is about.
std::vector<const Measurement*> meant_points(const Promise& promise, const Curve& curve,
                                             NotMeasured& missing) {
    std::vector<const Measurement*> points;
    for (const StoredMeasurement& point : curve.points)
        if (above_zero(point.measurement))
            points.push_back(&point.measurement);
    if (points.empty())
        missing = NotMeasured::value;
    const auto keep = [&](NotMeasured without, auto&& is_meant) {
        std::erase_if(points, [&](const Measurement* each) { return !is_meant(*each); });
        if (points.empty() && missing == NotMeasured::none)
            missing = without;
    };
    if (promise.ranks)
        keep(NotMeasured::ranks, [&](const Measurement& each) { return each.ranks == *promise.ranks; });
    if (promise.bytes)
        keep(NotMeasured::length,
             [&](const Measurement& each) { return each.message_bytes == *promise.bytes; });
    return points;
}

/// Whether a suite was to measure what a promise is about: so many ranks, as far as that is known, and the
/// length.
bool was_to_measure(const Promise& promise, const Curve& curve) {
    const Suite& suite = curve.suite();
    const int ranks = ranks_of(curve);
    const bool fits_ranks = !promise.ranks || ranks == 0 || ranks == *promise.ranks;
    const bool fits_length =
        !promise.bytes || (suite.varied != Varied::message_length
                               ? suite.message_bytes == *promise.bytes
                               : suite.arguments.start <= *promise.bytes &&
                                     (suite.end_is_max || *promise.bytes <= suite.arguments.end));
    return fits_ranks && fits_length;
}

/// @throws InputError
[[noreturn]] void refuse_name(const Promise& promise, const std::vector<Subject>& subjects,
                              const std::string& path) {
    std::set<std::string_view> known{ping_pong_name};
    known.erase(promise.name);
    for (const Subject& subject : subjects)
        for (const Curve& curve : subject.curves) {
            known.insert(curve.suite().name);
            known.insert(curve.suite().operation.name);
        }
    const std::vector<std::string_view> names(known.begin(), known.end());
    throw InputError(
        fmt::format("{}:{}:{}: found no suite or operation \"{}\"{} in {}, expected one that was "
                    "measured",
                    printable(path), promise.line, promise.text.find(promise.name) + 1,
                    printable(promise.name), did_you_mean(promise.name, names),
                    subjects.size() == 1 ? printable(subjects.front().path) : "the databases"));
}

/// @throws InputError
void check_promise(const Promise& promise, const Subject& subject, const Curve& curve,
                   const std::string& path, std::vector<PromiseFinding>& findings) {
    PromiseFinding finding{
        .promise = &promise, .database = subject.path, .subject = &subject, .curve = &curve};
    const std::vector<const Measurement*> points = meant_points(promise, curve, finding.missing);
    if (!promise.bytes && points.size() > 1 && curve.suite().varied == Varied::message_length)
        throw InputError(fmt::format("{}:{}: suite {} has {} message lengths, expected one: {} 8 B: ...",
                                     printable(path), promise.line, printable(curve.suite().name),
                                     points.size(), printable(promise.name)));
    if (points.empty()) {
        findings.push_back(finding);
        return;
    }
    for (const Measurement* each : points) {
        const double limit = limit_s(promise, curve, *each);
        if (!(limit > 0))
            throw InputError(fmt::format("{}:{}: suite {} has no {}, expected time", printable(path),
                                         promise.line, printable(curve.suite().name),
                                         quantities.at(static_cast<std::size_t>(promise.quantity))));
        finding.argument = each->argument;
        finding.statement = judge_limit(side_launches(curve, subject.launch_times), each->argument, limit,
                                        {.in_a_row = {side_in_time(subject).in_a_row, false}});
        set_values(finding);
        finding.outcome = outcome_of(finding);
        finding.made = curve.launches.size();
        finding.needed =
            finding.statement.why == Why::few_launches ? launches_needed : finding.statement.needed;
        findings.push_back(finding);
    }
}

} // namespace

GateOutcome outcome_of_interval(const Promise& promise, double low, double high) {
    const auto keeps = [&](double value) {
        return promise.below ? value < promise.limit : value > promise.limit;
    };
    if (std::isnan(low) || std::isnan(high) || keeps(low) != keeps(high))
        return GateOutcome::open;
    return keeps(low) ? GateOutcome::passed : GateOutcome::failed;
}

std::optional<std::size_t> PromiseFinding::more_launches() const {
    const std::size_t usable = statement.reference;
    if (!needed || *needed <= usable || usable == 0)
        return std::nullopt;
    return ((*needed - usable) * made + usable - 1) / usable;
}

std::vector<Promise> parse_contract(const std::string& text, const std::string& path) {
    std::vector<Promise> contract;
    std::size_t number = 0;
    for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t end = std::min(text.find('\n', begin), text.size());
        std::string_view line = std::string_view(text).substr(begin, end - begin);
        while (!line.empty() && (line.back() == '\r' || line.back() == ' ' || line.back() == '\t'))
            line.remove_suffix(1);
        begin = end + 1;
        ++number;
        const std::size_t first = line.find_first_not_of(" \t");
        if (first != std::string_view::npos && line[first] != '#')
            contract.push_back(PromiseReader(line, number, path).read());
    }
    if (contract.empty())
        throw InputError(fmt::format("{}: found no promise, expected lines such as \"MPI_Allreduce 8 B on 64 "
                                     "ranks: time < 12 us\"",
                                     printable(path)));
    return contract;
}

std::vector<PromiseFinding> check_contract(const std::vector<Promise>& contract,
                                           const std::vector<Subject>& subjects, const std::string& path) {
    std::vector<PromiseFinding> findings;
    for (const Promise& promise : contract) {
        if (promise.of_links())
            continue;
        const std::size_t before = findings.size();
        for (const Subject& subject : subjects)
            for (const Curve& curve : subject.curves)
                if (means(promise, curve))
                    check_promise(promise, subject, curve, path, findings);
        if (findings.size() == before)
            refuse_name(promise, subjects, path);
        // Of several numbers of ranks or suites, those count where it was measured or should have been.
        const auto own = findings.begin() + static_cast<std::ptrdiff_t>(before);
        const auto does_not_count = [&](const PromiseFinding& each) {
            return each.missing == NotMeasured::ranks ||
                   (each.missing != NotMeasured::none && !was_to_measure(promise, *each.curve));
        };
        if (std::all_of(own, findings.end(), does_not_count))
            findings.resize(before + 1);
        else
            findings.erase(std::remove_if(own, findings.end(), does_not_count), findings.end());
    }
    return findings;
}

} // namespace skampi
