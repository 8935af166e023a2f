// SPDX-License-Identifier: LGPL-2.1-or-later
#include "spec/key_table.hpp"

#include "base/suggestion.hpp"
#include "model/pattern.hpp"
#include "model/placement.hpp"
#include "spec/datatypes.hpp"
#include "spec/mistake.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <system_error>

namespace skampi {

namespace {

constexpr std::string_view no_limit = "Invalid_Value";
constexpr std::string_view maximum = "Max_Value";
constexpr std::int64_t largest = std::numeric_limits<std::int64_t>::max();
constexpr int most_jumps = 1000;

struct Unit {
    std::string_view name;
    double factor;
};

/// A number and the text behind it.
template <typename Number>
struct Leading {
    Number number{};
    std::string_view rest;
};

template <typename Number>
Leading<Number> leading_number(const Value& value) {
    Leading<Number> result;
    const char* const end = value.text.data() + value.text.size();
    const auto [stop, error] = std::from_chars(value.text.data(), end, result.number);
    if (error == std::errc::result_out_of_range)
        value.refuse("a number that is too large");
    if (error != std::errc{})
        value.refuse();
    result.rest = {stop, static_cast<std::size_t>(end - stop)};
    result.rest.remove_prefix(std::min(result.rest.find_first_not_of(" \t"), result.rest.size()));
    return result;
}

/// The factor of a unit behind a number; `without` where there is none.
double factor_of(std::string_view unit, std::span<const Unit> units, double without, const Value& value) {
    if (unit.empty())
        return without;
    const auto found =
        std::find_if(units.begin(), units.end(), [&](const Unit& u) { return u.name == unit; });
    if (found == units.end())
        value.refuse(fmt::format("with the unknown unit {}", quoted(unit)));
    return found->factor;
}

std::int64_t whole(const Value& value, std::int64_t smallest, std::int64_t biggest = largest) {
    const auto [number, rest] = leading_number<std::int64_t>(value);
    if (!rest.empty() || number < smallest || number > biggest)
        value.refuse();
    return number;
}

int whole_int(const Value& value, int smallest, int biggest = std::numeric_limits<int>::max()) {
    return static_cast<int>(whole(value, smallest, biggest));
}

constexpr std::array size_units{Unit{"B", 1.0}, Unit{"KiB", 1024.0}, Unit{"MiB", 1048576.0},
                                Unit{"GiB", 1073741824.0}};

/// A whole number, or a size in B, KiB, MiB or GiB.
std::int64_t size(const Value& value, std::int64_t smallest) {
    const auto [number, rest] = leading_number<std::int64_t>(value);
    const auto digit_at = [&rest = rest](std::size_t i) {
        return i < rest.size() && rest[i] >= '0' && rest[i] <= '9';
    };
    if (rest.starts_with('.') || ((rest.starts_with('e') || rest.starts_with('E')) && digit_at(1)))
        value.refuse("a number that is not whole");
    const auto factor = static_cast<std::int64_t>(factor_of(rest, size_units, 1, value));
    if (number > largest / factor)
        value.refuse("a number that is too large");
    if (number < smallest) // also all negative ones: smallest is never below 0
        value.refuse();
    return number * factor;
}

std::optional<std::int64_t> whole_or_no_limit(const Value& value, std::int64_t smallest) {
    return value.text == no_limit ? std::nullopt : std::optional(whole(value, smallest));
}

double real(const Value& value, std::span<const Unit> units = {}, double without_unit = 1) {
    const auto [number, rest] = leading_number<double>(value);
    const double result = number * factor_of(rest, units, without_unit, value);
    if (!std::isfinite(result))
        value.refuse();
    return result;
}

/// A time in minutes unless it says otherwise. @returns seconds
std::optional<double> time_or_no_limit(const Value& value) {
    constexpr std::array units{Unit{"s", 1.0}, Unit{"min", 60.0}, Unit{"h", 3600.0}};
    if (value.text == no_limit)
        return std::nullopt;
    const double time_s = real(value, units, 60);
    if (time_s <= 0)
        value.refuse();
    return time_s;
}

/// A percentage above 0. @returns the share
double percent(const Value& value) {
    constexpr std::array units{Unit{"%", 1.0}};
    const double number = real(value, units);
    if (number <= 0 || number > 100)
        value.refuse();
    return number / 100;
}

/// Not one that LaTeX or gnuplot reads of its own accord: names in the file would act as their commands.
std::string file_name(const Value& value) {
    constexpr auto endings = std::to_array<std::string_view>(
        {".aux", ".toc", ".lof", ".lot", ".bbl", ".sty", ".cls", ".cfg", ".def", ".fd", ".gnuplot"});
    if (std::ranges::any_of(endings, [&](std::string_view each) { return value.text.ends_with(each); }))
        value.refuse("which LaTeX or gnuplot would obey");
    return std::string(value.text);
}

/// Refuses an unknown word.
[[noreturn]] void refuse_word(const Value& value, std::span<const std::string_view> known) {
    refuse(value.source, value.offset, Mistake::bad_value,
           fmt::format("found {} for {}, expected {}{}", quoted(value.text), value.key, value.accepts,
                       did_you_mean(value.text, known)));
}

bool yes_or_no(const Value& value) {
    constexpr std::array<std::string_view, 2> words{"yes", "no"};
    if (value.text != words[0] && value.text != words[1])
        refuse_word(value, words);
    return value.text == words[0];
}

template <typename Enum>
Enum word_of(const Value& value) {
    const std::optional<Enum> found = from_text<Enum>(value.text);
    if (!found)
        refuse_word(value, all_names<Enum>());
    return *found;
}

Varied variation(const Value& value) {
    std::vector<std::string_view> words;
    for (const Varied varied :
         {Varied::message_length, Varied::nodes, Varied::chunks, Varied::argument, Varied::none}) {
        words.push_back(variation_word(varied));
        if (value.text == words.back())
            return varied;
    }
    refuse_word(value, words);
}

PartnerChoice partner(const Value& value) {
    const std::optional<PartnerChoice> choice = partner_from(value.text);
    if (!choice)
        refuse_word(value, partner_words());
    return *choice;
}

/// A word of the library that is measured: which ones there are is known on the machine.
std::string algorithm_word(const Value& value) {
    constexpr std::size_t longest_word = 100;
    constexpr std::string_view allowed = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.+";
    if (value.text.size() > longest_word || value.text.find_first_not_of(allowed) != std::string_view::npos)
        value.refuse();
    return value.text == default_algorithm ? std::string() : std::string(value.text);
}

/// A path, and no pattern.
std::string path_word(const Value& value) {
    constexpr std::size_t longest_path = 1000;
    if (value.text.size() > longest_path || value.text.find_first_of("?*") != std::string_view::npos)
        value.refuse();
    return std::string(value.text);
}

std::string join_word(const Value& value) {
    const std::optional<JoinOrder> order = join_order_from(value.text);
    if (!order)
        refuse_word(value, join_order_words());
    return *order == JoinOrder::by_rank ? std::string() : std::string(value.text);
}

/// "1-9, 17, 23-28"
std::string type_numbers(std::span<const OperationInfo> operations) {
    std::vector<int> types;
    for (const OperationInfo& operation : operations)
        if (operation.type != 0)
            types.push_back(operation.type);
    std::sort(types.begin(), types.end());
    std::string text;
    for (std::size_t i = 0; i < types.size();) {
        std::size_t last = i;
        while (last + 1 < types.size() && types[last + 1] <= types[last] + 1)
            ++last;
        text += text.empty() ? "" : ", ";
        text += types[i] == types[last] ? fmt::format("{}", types[i])
                                        : fmt::format("{}-{}", types[i], types[last]);
        i = last + 1;
    }
    return text;
}

const OperationInfo* operation_of(const Value& value) {
    const bool number = value.text.find_first_not_of("0123456789") == std::string_view::npos;
    if (number) {
        const auto type = whole(value, 0);
        for (const OperationInfo& operation : value.operations)
            if (operation.type != 0 && operation.type == type)
                return &operation;
        refuse(value.source, value.offset, Mistake::bad_value,
               fmt::format("found {} for Type, expected one of the numbers {}, or a name", quoted(value.text),
                           type_numbers(value.operations)));
    }
    std::vector<std::string_view> names;
    for (const OperationInfo& operation : value.operations) {
        if (operation.name == value.text)
            return &operation;
        names.emplace_back(operation.name);
    }
    refuse_word(value, names);
}

/// "a, b or c"
std::string one_of(std::span<const std::string_view> words) {
    std::string text;
    for (std::size_t i = 0; i < words.size(); ++i)
        text += fmt::format("{}{}", i == 0 ? "" : i + 1 < words.size() ? ", " : " or ", words[i]);
    return text;
}

template <typename Info>
std::vector<std::string_view> names_of(std::span<const Info> known) {
    std::vector<std::string_view> names;
    for (const Info& info : known)
        names.push_back(info.name);
    return names;
}

template <typename Info>
std::string known_name(const Value& value, std::span<const Info> known) {
    for (const Info& info : known)
        if (info.name == value.text)
            return std::string(info.name);
    refuse_word(value, names_of(known));
}

constexpr const char* accepts_count = "a whole number of at least 1";
constexpr const char* accepts_count_or_none = "a whole number of at least 1, or Invalid_Value for no limit";
constexpr const char* accepts_time = "a time above 0 in minutes (or with the unit s, min or h), "
                                     "or Invalid_Value for no limit";
constexpr const char* accepts_yes_or_no = "yes or no";
constexpr const char* accepts_percent = "a percentage above 0 and at most 100";
constexpr const char* accepts_quantile = "a share of at least 0 and below 0.5";
constexpr const char* accepts_multiple = "a whole number of at least 0";

/// The patterns that a key has a meaning for.
std::vector<Pattern> patterns_where(bool (*has)(const PatternRow&)) {
    std::vector<Pattern> patterns;
    for (auto row = pattern_rows.rbegin(); row != pattern_rows.rend(); ++row)
        if (has(*row))
            patterns.push_back(row->pattern);
    return patterns;
}

} // namespace

std::vector<Key> all_keys() {
    using Draft = SuiteDraft;
    const std::vector<Pattern> started_together =
        patterns_where([](const PatternRow& row) { return row.starts_together; });
    constexpr bool list = true;
    constexpr bool single = false;
    return {
        {"Type",
         "the operation",
         "the number or the name of an operation (skampi-run list)",
         single,
         {},
         [](Draft& d, const Value& v) { d.operation = operation_of(v); }},
        {"Variation",
         "the parameter that is varied",
         "Length, Nodes, Chunks or No_Variation",
         single,
         {},
         [](Draft& d, const Value& v) { d.varied.set(variation(v), v); }},
        {"Scale",
         "how arguments are chosen",
         one_of(all_names<skalib::Scale>()),
         single,
         {},
         [](Draft& d, const Value& v) { d.scale.set(word_of<skalib::Scale>(v), v); }},
        {"Max_Repetition",
         "largest number of single measurements per argument",
         accepts_count_or_none,
         single,
         {},
         [](Draft& d, const Value& v) { d.max_count.set(whole_or_no_limit(v, 1), v); }},
        {"Min_Repetition",
         "smallest number of single measurements per argument",
         accepts_count,
         single,
         {},
         [](Draft& d, const Value& v) { d.min_count.set(whole(v, 1), v); }},
        {"Multiple_of",
         "arguments are multiples of it",
         accepts_multiple,
         single,
         {},
         [](Draft& d, const Value& v) { d.multiple_of.set(whole(v, 0), v); }},
        {"Time_Measurement",
         "time limit of one argument",
         accepts_time,
         single,
         {},
         [](Draft& d, const Value& v) { d.suite.repetition.max_time_s = time_or_no_limit(v); }},
        {"Time_Suite",
         "time limit of the suite",
         accepts_time,
         single,
         {},
         [](Draft& d, const Value& v) { d.suite.max_suite_time_s = time_or_no_limit(v); }},
        {"Node_Times",
         "whether the time of each rank is stored",
         accepts_yes_or_no,
         single,
         {},
         [](Draft& d, const Value& v) { d.suite.node_times = yes_or_no(v); }},
        {"Cut_Quantile",
         "share of single measurements cut off at each end",
         accepts_quantile,
         single,
         {},
         [](Draft& d, const Value& v) {
             const double share = real(v);
             if (share < 0 || share >= 0.5)
                 v.refuse();
             d.suite.repetition.cut_quantile = share;
         }},
        {"Default_Chunks",
         "number of chunks unless varied",
         fmt::format("a whole number of at most {}, 0 for one per worker", most_chunks),
         list,
         {},
         [](Draft& d, const Value& v) { d.chunks.set(whole(v, 0, most_chunks), v); }},
        {"Default_Message_length",
         "message length unless varied",
         "a length in bytes, KiB, MiB or GiB",
         list,
         {},
         [](Draft& d, const Value& v) { d.message_bytes.set(size(v, 0), v); }},
        {"Start_Argument",
         "smallest argument",
         "a whole number of at least 0, possibly in KiB, MiB or GiB",
         single,
         {},
         [](Draft& d, const Value& v) { d.start.set(size(v, 0), v); }},
        {"End_Argument",
         "largest argument",
         "a whole number of at least 0, possibly in KiB, MiB or GiB, "
         "or Max_Value for what memory or the number of ranks allows",
         single,
         {},
         [](Draft& d, const Value& v) {
             d.end.set(v.text == maximum ? std::nullopt : std::optional(size(v, 0)), v);
         }},
        {"Stepwidth",
         "factor (log) or distance (linear) of the first arguments; if left out, the one with the fewest "
         "measurements",
         "a number above 0, possibly in KiB, MiB or GiB",
         single,
         {},
         [](Draft& d, const Value& v) {
             const double step = real(v, size_units);
             if (step <= 0)
                 v.refuse();
             d.stepwidth.set(step, v);
         }},
        {"Jumps",
         "number of jumps for which the step width is chosen if Stepwidth is left out",
         "a whole number from 1 to 1000",
         single,
         {},
         [](Draft& d, const Value& v) { d.jumps.set(whole_int(v, 1, most_jumps), v); }},
        {"Max_Steps",
         "largest number of arguments, the first pass included",
         accepts_count_or_none,
         single,
         {},
         [](Draft& d, const Value& v) { d.max_steps.set(whole_or_no_limit(v, 1), v); }},
        {"Min_Distance",
         "smallest distance of arguments",
         accepts_count,
         single,
         {},
         [](Draft& d, const Value& v) { d.min_distance.set(size(v, 1), v); }},
        {"Max_Distance",
         "largest distance of neighbouring arguments when refinement ends",
         accepts_count_or_none,
         single,
         {},
         [](Draft& d, const Value& v) {
             d.max_distance.set(v.text == no_limit ? std::nullopt : std::optional(size(v, 1)), v);
         }},
        {"Standard_error",
         "standard error at which repetition ends",
         accepts_percent,
         single,
         {},
         [](Draft& d, const Value& v) { d.suite.repetition.max_relative_error = percent(v); }},
        {"Error_Estimator",
         "estimator of that error",
         one_of(all_names<skalib::ErrorEstimator>()),
         single,
         {},
         [](Draft& d, const Value& v) { d.suite.repetition.estimator = word_of<skalib::ErrorEstimator>(v); }},
        {"Value",
         "which value is reported",
         one_of(all_names<skalib::ValueKind>()),
         single,
         {},
         [](Draft& d, const Value& v) { d.suite.value = word_of<skalib::ValueKind>(v); }},
        {"Samples",
         "which single measurements are stored",
         one_of(all_names<SampleStorage>()),
         single,
         {},
         [](Draft& d, const Value& v) { d.suite.samples = word_of<SampleStorage>(v); }},
        {"Passes",
         "number of passes over the arguments",
         "a whole number from 1 to 1000",
         single,
         {},
         [](Draft& d, const Value& v) { d.suite.passes = whole_int(v, 1, 1000); }},
        {"Nodes", "number of ranks unless varied", "a whole number of at least 1, or Max_Value for all", list,
         patterns_where([](const PatternRow& row) { return row.ranks == 0; }),
         [](Draft& d, const Value& v) { d.ranks.set(v.text == maximum ? 0 : whole_int(v, 1), v); }},
        {"Partner", "the rank that exchanges messages with rank 0",
         "farthest, nearest, rank N (1 or more), same socket, other socket or other node", list,
         patterns_where([](const PatternRow& row) { return row.has_partner; }),
         [](Draft& d, const Value& v) { set_partner(d.suite, partner(v)); }},
        {"Join", "the order in which ranks join a collective of fewer than all", one_of(join_order_words()),
         list, started_together, [](Draft& d, const Value& v) { d.suite.join = join_word(v); }},
        {"Buffers",
         "how message buffers are used",
         one_of(all_names<BufferPolicy>()),
         list,
         {},
         [](Draft& d, const Value& v) { d.suite.buffers = word_of<BufferPolicy>(v); }},
        {"Synchronization", "how the ranks start together", one_of(all_names<Synchronization>()), list,
         started_together,
         [](Draft& d, const Value& v) {
             d.suite.synchronization = word_of<Synchronization>(v);
             d.names_start = true;
         }},
        {"Reported_Time", "which time of a collective is reported", one_of(all_names<ReportedTime>()), list,
         started_together,
         [](Draft& d, const Value& v) { d.suite.reported_time = word_of<ReportedTime>(v); }},
        {"Algorithm",
         "the algorithm that the MPI library uses for the operation",
         "default, all (alone) or a word that `skampi-run algorithms` shows",
         list,
         {},
         [](Draft& d, const Value& v) { d.suite.algorithm = algorithm_word(v); }},
        {"Datatype",
         "the elements of messages",
         one_of(names_of<DatatypeInfo>(known_datatypes)),
         list,
         {},
         [](Draft& d, const Value& v) { d.datatype.set(known_name<DatatypeInfo>(v, known_datatypes), v); }},
        {"Reduction",
         "the operator of reductions",
         one_of(names_of<ReductionInfo>(known_reductions)),
         list,
         {},
         [](Draft& d, const Value& v) {
             d.reduction.set(known_name<ReductionInfo>(v, known_reductions), v);
         }},
        {"Root",
         "the root rank",
         "a rank number of at least 0",
         list,
         {},
         [](Draft& d, const Value& v) { d.root.set(whole_int(v, 0), v); }},
        {"In_Place",
         "whether MPI_IN_PLACE is used",
         accepts_yes_or_no,
         list,
         {},
         [](Draft& d, const Value& v) { d.suite.in_place = yes_or_no(v); }},
        {"File",
         "the file that MPI I/O works on, removed as soon as all ranks have opened it",
         "the path of a file that does not exist",
         list,
         {},
         [](Draft& d, const Value& v) { d.suite.file = path_word(v); }},
    };
}

std::vector<FileSection> launch_keys() {
    using File = ParameterFile;
    return {
        {.name = "Until",
         .sets = "half of the width of a value's interval between launches that is small enough",
         .accepts = accepts_percent,
         .apply = [](File& f, const Value& v) { f.precision.half_width = percent(v); }},
        {.name = "Share",
         .sets = "how many values of each suite are to be known so well",
         .accepts = accepts_percent,
         .apply = [](File& f, const Value& v) { f.precision.share = percent(v); }},
        {.name = "Time",
         .sets = "after which no launch begins",
         .accepts = accepts_time,
         .apply = [](File& f, const Value& v) { f.precision.time_s = time_or_no_limit(v); }},
    };
}

std::vector<FileSection> all_sections() {
    using File = ParameterFile;
    constexpr const char* text = "text of any number of lines";
    constexpr const char* a_file_name = "a file name";
    return {
        {.name = "@USER", .sets = "who measures", .accepts = text, .text = &File::user},
        {.name = "@MACHINE", .sets = "the machine", .accepts = text, .text = &File::machine},
        {.name = "@NODE", .sets = "one node", .accepts = text, .text = &File::node},
        {.name = "@NETWORK",
         .sets = "the network between the nodes",
         .accepts = text,
         .text = &File::network},
        {.name = "@COMMENT",
         .sets = "any other text to store with the results",
         .accepts = text,
         .text = &File::comment},
        {.name = "@OUTFILE",
         .sets = "the database",
         .accepts = a_file_name,
         .apply = [](File& f, const Value& v) { f.outfile = file_name(v); }},
        {.name = "@LOGFILE",
         .sets = "a text file; the events of each run are appended",
         .accepts = a_file_name,
         .apply = [](File& f, const Value& v) { f.logfile = file_name(v); }},
        {.name = "@MEMORY",
         .sets = "memory of one rank for message buffers",
         .accepts = "a size above 0 in bytes, KiB, MiB or GiB",
         .apply = [](File& f, const Value& v) { f.memory_bytes = size(v, 1); }},
        {.name = "@RESOLUTION",
         .sets = "largest share of a timed block that the clock's step and the cost of reading it may have",
         .accepts = accepts_percent,
         .apply = [](File& f, const Value& v) { f.resolution = percent(v); }},
        {.name = "@ABSOLUTE",
         .sets = "whether the overhead of measuring is included",
         .accepts = accepts_yes_or_no,
         .apply = [](File& f, const Value& v) { f.absolute = yes_or_no(v); }},
        {.name = "@POSTPROC",
         .sets = "whether the runs of the series in the database are merged when a run ends",
         .accepts = accepts_yes_or_no,
         .apply = [](File& f, const Value& v) { f.postproc = yes_or_no(v); }},
        {.name = "@MAXREPDEFAULT",
         .sets = "default of Max_Repetition",
         .accepts = accepts_count_or_none,
         .default_of = "Max_Repetition"},
        {.name = "@MINREPDEFAULT",
         .sets = "default of Min_Repetition",
         .accepts = accepts_count,
         .default_of = "Min_Repetition"},
        {.name = "@MAXSTEPSDEFAULT",
         .sets = "default of Max_Steps",
         .accepts = accepts_count_or_none,
         .default_of = "Max_Steps"},
        {.name = "@MULTIPLEOFDEFAULT",
         .sets = "default of Multiple_of",
         .accepts = accepts_multiple,
         .default_of = "Multiple_of"},
        {.name = "@STANDARDERRORDEFAULT",
         .sets = "default of Standard_error",
         .accepts = accepts_percent,
         .default_of = "Standard_error"},
        {.name = "@TIMEMEASDEFAULT",
         .sets = "default of Time_Measurement",
         .accepts = accepts_time,
         .default_of = "Time_Measurement"},
        {.name = "@TIMESUITEDEFAULT",
         .sets = "default of Time_Suite",
         .accepts = accepts_time,
         .default_of = "Time_Suite"},
        {.name = "@CUTQUANTILEDEFAULT",
         .sets = "default of Cut_Quantile",
         .accepts = accepts_quantile,
         .default_of = "Cut_Quantile"},
        {.name = launches_section,
         .sets = "until when skampi-run -n launches the ranks again",
         .accepts = "Until = 2 %; Time = 10 min; Share = 90 %;"},
        {.name = variants_section,
         .sets = "variants that skampi-run compare launches in turns",
         .accepts = "blocks NAME { VARIABLE = value; ... }"},
        {.name = measurements_section, .sets = "the suites", .accepts = "blocks NAME { Key = value; ... }"},
    };
}

} // namespace skampi
