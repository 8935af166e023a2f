#include "spec/suite_draft.hpp"

#include "spec/datatypes.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace skampi {

namespace {

/// A first pass longer than this is a mistake of the step width, not a plan.
constexpr double longest_first_pass = 100'000;

std::string variations_of(const OperationInfo& operation) {
    std::string words;
    for (const Varied varied : operation.varied)
        words += fmt::format("{}{}", words.empty() ? "" : " or ", variation_word(varied));
    return words;
}

Varied chosen_variation(const SuiteDraft& draft, const SourceText& source) {
    const OperationInfo& operation = *draft.operation;
    if (!draft.varied.value)
        return operation.varied.empty() ? Varied::none : operation.varied.front();
    const Varied varied = *draft.varied.value;
    if (varied != Varied::none &&
        std::find(operation.varied.begin(), operation.varied.end(), varied) == operation.varied.end())
        source.fail(draft.varied.offset,
                    fmt::format("found Variation = {} for {}, expected {}", variation_word(varied),
                                quoted(operation.name),
                                operation.varied.empty() ? "No_Variation" : variations_of(operation)));
    return varied;
}

void decide_repetition(const SuiteDraft& draft, const SourceText& source, Suite& suite) {
    suite.repetition.min_count = draft.min_count.value;
    suite.repetition.max_count = draft.max_count.value;
    if (!draft.max_count.value || draft.min_count.value <= *draft.max_count.value)
        return;
    if (draft.min_count.level == draft.max_count.level)
        source.fail(std::max(draft.min_count.offset, draft.max_count.offset),
                    fmt::format("found Min_Repetition {} and Max_Repetition {}, "
                                "expected a minimum that is not above the maximum",
                                draft.min_count.value, *draft.max_count.value));
    if (draft.min_count.level > draft.max_count.level)
        suite.repetition.max_count = draft.min_count.value;
    else
        suite.repetition.min_count = *draft.max_count.value;
}

void decide_datatype(const SuiteDraft& draft, const SourceText& source, Suite& suite) {
    const DatatypeInfo& datatype = *find_datatype(draft.datatype.value);
    suite.datatype = datatype.name;
    if (suite.operation.integers_only && datatype.kind != DatatypeClass::integer &&
        datatype.kind != DatatypeClass::bytes)
        source.fail(
            draft.datatype.offset,
            fmt::format("found Datatype = {} for {}, which MPI does not allow, expected integers or MPI_BYTE",
                        datatype.name, suite.operation.name));
    if (!has(suite.operation, Parameter::reduction))
        return;
    const std::string usual = datatype.kind == DatatypeClass::floating ? "MPI_SUM" : "MPI_BOR";
    const ReductionInfo& reduction = *find_reduction(draft.reduction.value.value_or(usual));
    if (!is_allowed(reduction, datatype)) {
        std::string possible;
        for (const DatatypeInfo& other : known_datatypes)
            if (is_allowed(reduction, other))
                possible += fmt::format("{}{}", possible.empty() ? "" : ", ", other.name);
        source.fail(draft.reduction.value ? draft.reduction.offset : draft.datatype.offset,
                    fmt::format("found Reduction = {} for Datatype = {}, which MPI does not allow, "
                                "expected one of the datatypes {}",
                                reduction.name, datatype.name, possible));
    }
    suite.reduction = reduction.name;
}

/// Message lengths are whole elements of the datatype.
void check_whole_elements(std::int64_t bytes, std::size_t offset, std::string_view key,
                          const DatatypeInfo& datatype, const SourceText& source) {
    if (bytes % static_cast<std::int64_t>(datatype.bytes) != 0)
        source.fail(offset, fmt::format("found {} = {}, expected a multiple of {}, the size of {}", key,
                                        bytes, datatype.bytes, datatype.name));
}

void decide_message_length(const SuiteDraft& draft, const SourceText& source, Suite& suite) {
    suite.message_bytes = draft.message_bytes.value;
    if (suite.varied != Varied::message_length)
        check_whole_elements(suite.message_bytes, draft.message_bytes.offset, "Default_Message_length",
                             *find_datatype(suite.datatype), source);
}

void decide_ranks(const SuiteDraft& draft, const SourceText& source, Suite& suite) {
    const int fewest = fewest_ranks(suite.operation.pattern);
    suite.ranks = draft.ranks.value;
    suite.root = draft.root.value;
    if (suite.varied == Varied::nodes && suite.ranks != 0)
        source.fail(draft.ranks.offset,
                    fmt::format("found Nodes = {} with Variation = Nodes, "
                                "expected Start_Argument and End_Argument to say how many ranks",
                                suite.ranks));
    if (suite.ranks != 0 && suite.ranks < fewest)
        source.fail(draft.ranks.offset, fmt::format("found Nodes = {} for {}, expected at least {}",
                                                    suite.ranks, quoted(suite.operation.name), fewest));
    const std::int64_t smallest = suite.varied == Varied::nodes ? suite.arguments.start : suite.ranks;
    if (smallest != 0 && suite.root >= smallest)
        source.fail(draft.root.offset,
                    fmt::format("found Root = {} in a suite with {} ranks, expected at most {}", suite.root,
                                smallest, smallest - 1));
}

std::int64_t default_start(Varied varied, const DatatypeInfo& datatype) {
    switch (varied) {
    case Varied::message_length:
        return static_cast<std::int64_t>(datatype.bytes);
    case Varied::nodes:
        return 2;
    case Varied::chunks:
        return 0; // one per worker: resolved_arguments() knows how many there are
    case Varied::none:
        break;
    }
    return 0;
}

std::int64_t smallest_start(const Suite& suite) {
    switch (suite.varied) {
    case Varied::nodes:
        return fewest_ranks(suite.operation.pattern);
    case Varied::chunks:
        return 1;
    case Varied::message_length:
    case Varied::none:
        break;
    }
    return 0;
}

void decide_step_width(const SuiteDraft& draft, const SourceText& source, std::size_t block,
                       std::int64_t memory_bytes, Suite& suite) {
    const bool log = skalib::is_log(suite.arguments.scale);
    if (draft.stepwidth.value) {
        suite.arguments.stepwidth = *draft.stepwidth.value;
        if (log && suite.arguments.stepwidth <= 1)
            source.fail(draft.stepwidth.offset,
                        fmt::format("found Stepwidth = {} on the scale {}, expected a factor above 1",
                                    suite.arguments.stepwidth, to_text(suite.arguments.scale)));
    } else if (skalib::is_dynamic(suite.arguments.scale)) {
        // What depends on a machine's memory or ranks is chosen there; on log scales any memory is plenty.
        const bool lengths = suite.varied == Varied::message_length;
        const skalib::RefinementLimits& arguments = suite.arguments;
        suite.arguments.stepwidth =
            !suite.end_is_max ? skalib::best_stepwidth(arguments.scale, arguments.start, arguments.end)
            : log && lengths  ? skalib::best_stepwidth(arguments.scale, arguments.start, memory_bytes)
                              : 0;
    } else if (log) {
        suite.arguments.stepwidth = 2;
    } else if (suite.varied == Varied::message_length) {
        source.fail(
            draft.scale.level == Level::built_in ? block : draft.scale.offset,
            fmt::format("found Scale = {} without Stepwidth, expected the distance of the message lengths "
                        "in bytes",
                        to_text(suite.arguments.scale)));
    } else {
        suite.arguments.stepwidth = 1;
    }
}

void check_first_pass(const SuiteDraft& draft, const SourceText& source, std::size_t block,
                      const Suite& suite, std::int64_t memory_bytes) {
    const skalib::RefinementLimits& arguments = suite.arguments;
    if (arguments.stepwidth == 0) // chosen when the end is known
        return;
    const std::size_t place = draft.stepwidth.level == Level::built_in ? block : draft.stepwidth.offset;
    const bool lengths = suite.varied == Varied::message_length;
    if (!lengths && !skalib::is_log(arguments.scale) && arguments.stepwidth < 1)
        source.fail(place, fmt::format("found Stepwidth = {} for a number of {}, expected at least 1",
                                       arguments.stepwidth, to_text(suite.varied)));
    const auto first = static_cast<double>(std::max<std::int64_t>(arguments.start, 1));
    // How many ranks there will be nobody knows here: with so many the distance of 1 is just possible.
    const double unknown = first + longest_first_pass;
    const double last = !suite.end_is_max ? static_cast<double>(arguments.end)
                        : lengths         ? static_cast<double>(memory_bytes)
                                          : unknown;
    const double steps = skalib::is_log(arguments.scale)
                             ? std::log(last / first) / std::log(arguments.stepwidth)
                             : (last - first) / arguments.stepwidth;
    if (steps > longest_first_pass)
        source.fail(
            place,
            fmt::format("found a step width of {}, which makes {:.0f} arguments, expected at most {:.0f}",
                        arguments.stepwidth, steps, longest_first_pass));
}

/// Where the last argument is known; else the machine decides.
void check_multiples(const SuiteDraft& draft, const SourceText& source, const Suite& suite) {
    const skalib::RefinementLimits inside = skalib::within_multiples(suite.arguments);
    if (!suite.end_is_max && inside.start > inside.end)
        source.fail(
            draft.multiple_of.offset,
            fmt::format("found Multiple_of = {} for arguments from {} to {}, expected that a multiple "
                        "of it is among them",
                        inside.multiple_of, suite.arguments.start, suite.arguments.end));
}

/// Chunks are handed out by a master. The manual's blocks say 0 everywhere.
void decide_chunks(const SuiteDraft& draft, const SourceText& source, Suite& suite) {
    suite.chunks = draft.chunks.value;
    if (suite.chunks != 0 && suite.operation.pattern != Pattern::master_worker)
        source.fail(
            draft.chunks.offset,
            fmt::format("found Default_Chunks = {} for an operation of the pattern {}, expected 0: only "
                        "master-worker has chunks",
                        suite.chunks, to_text(suite.operation.pattern)));
}

void decide_arguments(const SuiteDraft& draft, const SourceText& source, std::size_t block,
                      std::int64_t memory_bytes, Suite& suite) {
    skalib::RefinementLimits& arguments = suite.arguments;
    const double max_relative_error = suite.repetition.max_relative_error;
    if (suite.varied == Varied::none) {
        arguments = {.scale = skalib::Scale::fixed_linear,
                     .start = 0,
                     .end = 0,
                     .stepwidth = 1,
                     .multiple_of = 1,
                     .min_distance = 1,
                     .max_steps = 1,
                     .max_relative_error = max_relative_error};
        suite.end_is_max = false;
        return;
    }
    const DatatypeInfo& datatype = *find_datatype(suite.datatype);
    const bool lengths = suite.varied == Varied::message_length;

    arguments.scale =
        draft.scale.value.value_or(lengths ? skalib::Scale::dynamic_log : skalib::Scale::dynamic_linear);
    arguments.max_relative_error = max_relative_error;
    arguments.max_steps = draft.max_steps.value;
    arguments.min_distance = draft.min_distance.value;
    arguments.max_distance = draft.max_distance.value;
    if (arguments.max_distance && *arguments.max_distance < arguments.min_distance)
        source.fail(std::max(draft.max_distance.offset, draft.min_distance.offset),
                    fmt::format("found Min_Distance {} and Max_Distance {}, "
                                "expected a minimum that is not above the maximum",
                                arguments.min_distance, *arguments.max_distance));

    arguments.multiple_of = std::max<std::int64_t>(draft.multiple_of.value, 1);
    if (lengths && arguments.multiple_of % static_cast<std::int64_t>(datatype.bytes) != 0) {
        if (draft.multiple_of.level >= draft.datatype.level)
            check_whole_elements(arguments.multiple_of, draft.multiple_of.offset, "Multiple_of", datatype,
                                 source);
        arguments.multiple_of = static_cast<std::int64_t>(datatype.bytes);
    }

    suite.end_is_max = !draft.end.value;
    arguments.start = draft.start.value.value_or(default_start(suite.varied, datatype));
    if (draft.start.value && arguments.start < smallest_start(suite))
        source.fail(draft.start.offset,
                    fmt::format("found Start_Argument = {} with Variation = {}, expected at least {}",
                                arguments.start, variation_word(suite.varied), smallest_start(suite)));
    if (draft.end.value) {
        arguments.end = *draft.end.value;
        if (arguments.end < smallest_start(suite))
            source.fail(draft.end.offset,
                        fmt::format("found End_Argument = {} with Variation = {}, expected at least {}",
                                    arguments.end, variation_word(suite.varied), smallest_start(suite)));
        if (!draft.start.value)
            arguments.start = std::min(arguments.start, arguments.end);
        if (arguments.start > arguments.end)
            source.fail(draft.end.offset,
                        fmt::format("found End_Argument = {} below Start_Argument = {}, expected at least {}",
                                    arguments.end, arguments.start, arguments.start));
    } else {
        arguments.end = arguments.start;
    }
    if (lengths) {
        check_whole_elements(arguments.start, draft.start.offset, "Start_Argument", datatype, source);
        check_whole_elements(arguments.end, draft.end.offset, "End_Argument", datatype, source);
    }
    if (suite.varied == Varied::chunks)
        for (const auto& [key, given] :
             {std::pair{"Start_Argument", draft.start}, {"End_Argument", draft.end}})
            if (given.value && *given.value > most_chunks)
                source.fail(given.offset,
                            fmt::format("found {} = {} with Variation = {}, expected at most {}", key,
                                        *given.value, variation_word(suite.varied), most_chunks));
    check_multiples(draft, source, suite);
    decide_step_width(draft, source, block, memory_bytes, suite);
    check_first_pass(draft, source, block, suite, memory_bytes);
}

} // namespace

void Value::refuse(std::string_view why) const {
    source.fail(offset, fmt::format("found {} for {}{}{}, expected {}", quoted(text), key,
                                    why.empty() ? "" : ", ", why, accepts));
}

SuiteDraft::SuiteDraft() {
    suite.repetition.max_relative_error = 0.01;
    suite.repetition.cut_quantile = 0.25;
    suite.repetition.max_time_s = 30;
    suite.max_suite_time_s = 120;
}

Suite finished(const SuiteDraft& draft, const SourceText& source, std::size_t block,
               std::int64_t memory_bytes) {
    if (draft.operation == nullptr)
        source.fail(block,
                    "found a block without Type, expected Type = the number or the name of an operation;");
    Suite suite = draft.suite;
    suite.operation = *draft.operation;
    suite.varied = chosen_variation(draft, source);
    decide_repetition(draft, source, suite);
    decide_datatype(draft, source, suite);
    decide_arguments(draft, source, block, memory_bytes, suite);
    decide_message_length(draft, source, suite);
    decide_chunks(draft, source, suite);
    decide_ranks(draft, source, suite);
    return suite;
}

int fewest_ranks(Pattern pattern) {
    return pattern == Pattern::ping_pong || pattern == Pattern::master_worker ? 2 : 1;
}

bool has(const OperationInfo& operation, Parameter parameter) {
    return std::find(operation.parameters.begin(), operation.parameters.end(), parameter) !=
           operation.parameters.end();
}

std::string_view that_have(Parameter parameter) {
    switch (parameter) {
    case Parameter::datatype:
        return "whose messages are elements of a datatype";
    case Parameter::reduction:
        return "that reduce";
    case Parameter::root:
        return "with a root";
    case Parameter::in_place:
        return "that MPI has an in-place form of";
    }
    return {};
}

std::string_view variation_word(Varied varied) {
    switch (varied) {
    case Varied::message_length:
        return "Length";
    case Varied::nodes:
        return "Nodes";
    case Varied::chunks:
        return "Chunks";
    case Varied::none:
        break;
    }
    return "No_Variation";
}

} // namespace skampi
