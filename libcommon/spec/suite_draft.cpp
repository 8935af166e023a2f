// SPDX-License-Identifier: LGPL-2.1-or-later
#include "spec/suite_draft.hpp"

#include "model/pattern.hpp"
#include "spec/datatypes.hpp"
#include "spec/mistake.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace skampi {

namespace {

/// A first pass longer than this is a mistake in the step width.
constexpr double longest_first_pass = 100'000;

std::string variations_of(const OperationInfo& operation) {
    std::string words;
    for (const Varied varied : operation.varied)
        words += fmt::format("{}{}", words.empty() ? "" : " or ", variation_word(varied));
    return words;
}

std::int64_t default_start(Varied varied, const DatatypeInfo& datatype) {
    switch (varied) {
    case Varied::message_length:
        return static_cast<std::int64_t>(datatype.bytes);
    case Varied::nodes:
        return 2;
    case Varied::chunks:
        return 0; // one per worker, decided by resolved_arguments()
    case Varied::argument:
        return 1;
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
    case Varied::argument:
    case Varied::none:
        break;
    }
    return 0;
}

/// Fills in what depends on several keys, one step after the other.
class Completion {
public:
    Completion(const SuiteDraft& draft, const SourceText& source, const BlockPlace& block)
        : draft_(draft)
        , source_(source)
        , block_(block)
        , suite_(draft.suite) {}

    Suite completed() {
        if (draft_.operation == nullptr)
            fail(block_.offset, Mistake::missing_type,
                 "found a block without Type, expected Type = the number or the name of an operation;");
        suite_.operation = *draft_.operation;
        choose_variation();
        set_repetition();
        set_datatype();
        if (suite_.varied == Varied::none)
            set_single_argument();
        else
            set_arguments();
        set_message_length();
        set_chunks();
        set_ranks();
        return suite_;
    }

private:
    [[noreturn]] void fail(std::size_t offset, Mistake mistake, const std::string& message) const {
        refuse(source_, offset, mistake, message);
    }
    [[nodiscard]] const DatatypeInfo& datatype() const { return *find_datatype(draft_.datatype.value); }
    [[nodiscard]] bool varies_lengths() const { return suite_.varied == Varied::message_length; }

    void choose_variation() {
        const std::vector<Varied>& possible = draft_.operation->varied;
        suite_.varied = draft_.varied.value.value_or(possible.empty() ? Varied::none : possible.front());
        if (suite_.varied != Varied::none &&
            std::find(possible.begin(), possible.end(), suite_.varied) == possible.end())
            fail(draft_.varied.offset, Mistake::not_applicable,
                 fmt::format("found Variation = {} for {}, expected {}", variation_word(suite_.varied),
                             quoted(suite_.operation.name),
                             possible.empty() ? "No_Variation" : variations_of(*draft_.operation)));
    }

    void set_repetition() {
        const auto& min_count = draft_.min_count;
        const auto& max_count = draft_.max_count;
        suite_.repetition.min_count = min_count.value;
        suite_.repetition.max_count = max_count.value;
        if (!max_count.value || min_count.value <= *max_count.value)
            return;
        if (min_count.level == max_count.level)
            fail(std::max(min_count.offset, max_count.offset), Mistake::contradiction,
                 fmt::format("found Min_Repetition {} and Max_Repetition {}, "
                             "expected a minimum that is not above the maximum",
                             min_count.value, *max_count.value));
        if (min_count.level > max_count.level)
            suite_.repetition.max_count = min_count.value;
        else
            suite_.repetition.min_count = *max_count.value;
    }

    void set_datatype() {
        suite_.datatype = datatype().name;
        if (suite_.operation.integers_only && datatype().kind != DatatypeClass::integer &&
            datatype().kind != DatatypeClass::bytes)
            fail(draft_.datatype.offset, Mistake::forbidden_by_mpi,
                 fmt::format("found Datatype = {} for {}, which MPI does not allow, expected integers or "
                             "MPI_BYTE",
                             datatype().name, suite_.operation.name));
        if (has(suite_.operation, Parameter::reduction))
            set_reduction();
        if (has(suite_.operation, Parameter::file) && suite_.file.empty())
            suite_.file = "skampi.tmp"; // in the job's working directory
    }

    void set_reduction() {
        const std::string usual = datatype().kind == DatatypeClass::floating ? "MPI_SUM" : "MPI_BOR";
        const ReductionInfo& reduction = *find_reduction(draft_.reduction.value.value_or(usual));
        suite_.reduction = reduction.name;
        if (is_allowed(reduction, datatype()))
            return;
        std::string possible;
        for (const DatatypeInfo& other : known_datatypes)
            if (is_allowed(reduction, other))
                possible += fmt::format("{}{}", possible.empty() ? "" : ", ", other.name);
        fail(draft_.reduction.value ? draft_.reduction.offset : draft_.datatype.offset,
             Mistake::forbidden_by_mpi,
             fmt::format("found Reduction = {} for Datatype = {}, which MPI does not allow, "
                         "expected one of the datatypes {}",
                         reduction.name, datatype().name, possible));
    }

    /// Message lengths are whole elements of the datatype.
    void check_whole_elements(std::int64_t bytes, std::size_t offset, std::string_view key) const {
        if (bytes % static_cast<std::int64_t>(datatype().bytes) != 0)
            fail(offset, Mistake::not_multiple,
                 fmt::format("found {} = {}, expected a multiple of {}, the size of {}", key, bytes,
                             datatype().bytes, datatype().name));
    }

    void set_message_length() {
        suite_.message_bytes = draft_.message_bytes.value;
        if (!varies_lengths())
            check_whole_elements(suite_.message_bytes, draft_.message_bytes.offset, "Default_Message_length");
    }

    /// Only a master hands out chunks. Blocks of the manual say 0 for all operations.
    void set_chunks() {
        suite_.chunks = draft_.chunks.value;
        if (suite_.chunks != 0 && suite_.operation.pattern != Pattern::master_worker)
            fail(draft_.chunks.offset, Mistake::not_applicable,
                 fmt::format("found Default_Chunks = {} for an operation of the pattern {}, expected 0: only "
                             "master-worker has chunks",
                             suite_.chunks, to_text(suite_.operation.pattern)));
    }

    void set_ranks() {
        const int fewest = fewest_ranks(suite_.operation.pattern);
        suite_.ranks = draft_.ranks.value;
        suite_.root = draft_.root.value;
        if (suite_.varied == Varied::nodes && suite_.ranks != 0)
            fail(draft_.ranks.offset, Mistake::contradiction,
                 fmt::format("found Nodes = {} with Variation = Nodes, "
                             "expected the numbers of ranks in Start_Argument and End_Argument",
                             suite_.ranks));
        if (suite_.ranks != 0 && suite_.ranks < fewest)
            fail(draft_.ranks.offset, Mistake::below_smallest,
                 fmt::format("found Nodes = {} for {}, expected at least {}", suite_.ranks,
                             quoted(suite_.operation.name), fewest));
        const std::int64_t smallest = suite_.varied == Varied::nodes ? suite_.arguments.start : suite_.ranks;
        if (smallest != 0 && suite_.root >= smallest)
            fail(draft_.root.offset, Mistake::above_largest,
                 fmt::format("found Root = {} in a suite with {} ranks, expected at most {}", suite_.root,
                             smallest, smallest - 1));
    }

    void set_single_argument() {
        suite_.arguments = {.scale = skalib::Scale::fixed_linear,
                            .start = 0,
                            .end = 0,
                            .stepwidth = 1,
                            .multiple_of = 1,
                            .min_distance = 1,
                            .max_steps = 1,
                            .max_relative_error = suite_.repetition.max_relative_error};
        suite_.end_is_max = false;
    }

    void set_arguments() {
        suite_.arguments.scale = draft_.scale.value.value_or(
            varies_lengths() ? skalib::Scale::dynamic_log : skalib::Scale::dynamic_linear);
        suite_.arguments.max_relative_error = suite_.repetition.max_relative_error;
        suite_.arguments.max_steps = draft_.max_steps.value;
        set_distances();
        set_multiple_of();
        set_range();
        if (varies_lengths()) {
            check_whole_elements(suite_.arguments.start, draft_.start.offset, "Start_Argument");
            check_whole_elements(suite_.arguments.end, draft_.end.offset, "End_Argument");
        }
        if (suite_.varied == Varied::chunks)
            check_chunks();
        check_multiples();
        set_step_width();
        check_first_pass();
    }

    void set_distances() {
        skalib::RefinementLimits& arguments = suite_.arguments;
        arguments.min_distance = draft_.min_distance.value;
        arguments.max_distance = draft_.max_distance.value;
        if (arguments.max_distance && *arguments.max_distance < arguments.min_distance)
            fail(std::max(draft_.max_distance.offset, draft_.min_distance.offset), Mistake::contradiction,
                 fmt::format("found Min_Distance {} and Max_Distance {}, "
                             "expected a minimum that is not above the maximum",
                             arguments.min_distance, *arguments.max_distance));
    }

    void set_multiple_of() {
        const auto element = static_cast<std::int64_t>(datatype().bytes);
        std::int64_t& multiple_of = suite_.arguments.multiple_of;
        multiple_of = std::max<std::int64_t>(draft_.multiple_of.value, 1);
        if (!varies_lengths() || multiple_of % element == 0)
            return;
        if (draft_.multiple_of.level >= draft_.datatype.level)
            check_whole_elements(multiple_of, draft_.multiple_of.offset, "Multiple_of");
        multiple_of = element;
    }

    void set_range() {
        skalib::RefinementLimits& arguments = suite_.arguments;
        const std::int64_t smallest = smallest_start(suite_);
        suite_.end_is_max = !draft_.end.value;
        arguments.start = draft_.start.value.value_or(default_start(suite_.varied, datatype()));
        if (draft_.start.value)
            check_smallest("Start_Argument", arguments.start, draft_.start.offset, smallest);
        if (!draft_.end.value && suite_.varied == Varied::argument)
            fail(block_.offset, Mistake::contradiction,
                 fmt::format(
                     "found no End_Argument with Variation = {}, expected a number: nothing else limits "
                     "an argument of one's own",
                     variation_word(suite_.varied)));
        if (!draft_.end.value) {
            arguments.end = arguments.start;
            return;
        }
        arguments.end = *draft_.end.value;
        check_smallest("End_Argument", arguments.end, draft_.end.offset, smallest);
        if (!draft_.start.value)
            arguments.start = std::min(arguments.start, arguments.end);
        if (arguments.start > arguments.end)
            fail(draft_.end.offset, Mistake::contradiction,
                 fmt::format("found End_Argument = {} below Start_Argument = {}, expected at least {}",
                             arguments.end, arguments.start, arguments.start));
    }

    void check_smallest(std::string_view key, std::int64_t argument, std::size_t offset,
                        std::int64_t smallest) const {
        if (argument < smallest)
            fail(offset, Mistake::below_smallest,
                 fmt::format("found {} = {} with Variation = {}, expected at least {}", key, argument,
                             variation_word(suite_.varied), smallest));
    }

    void check_chunks() const {
        for (const auto& [key, given] :
             {std::pair{"Start_Argument", draft_.start}, {"End_Argument", draft_.end}})
            if (given.value && *given.value > most_chunks)
                fail(given.offset, Mistake::above_largest,
                     fmt::format("found {} = {} with Variation = {}, expected at most {}", key, *given.value,
                                 variation_word(suite_.varied), most_chunks));
    }

    /// Where the last argument is known. Otherwise the machine decides.
    void check_multiples() const {
        const skalib::RefinementLimits inside = skalib::within_multiples(suite_.arguments);
        if (!suite_.end_is_max && inside.start > inside.end)
            fail(draft_.multiple_of.offset, Mistake::no_multiple,
                 fmt::format("found Multiple_of = {} for arguments from {} to {}, "
                             "expected a range that contains a multiple of it",
                             inside.multiple_of, suite_.arguments.start, suite_.arguments.end));
    }

    void set_step_width() {
        skalib::RefinementLimits& arguments = suite_.arguments;
        const bool log = skalib::is_log(arguments.scale);
        if (draft_.jumps.level != Level::built_in &&
            (draft_.stepwidth.value || !skalib::is_dynamic(arguments.scale)))
            fail(draft_.jumps.offset, Mistake::contradiction,
                 fmt::format("found Jumps with {}: Jumps chooses the step width",
                             draft_.stepwidth.value ? "Stepwidth, expected one of them"
                                                    : fmt::format("Scale = {}, expected a dynamic scale",
                                                                  to_text(arguments.scale))));
        if (draft_.stepwidth.value) {
            arguments.stepwidth = *draft_.stepwidth.value;
            if (log && arguments.stepwidth <= 1)
                fail(draft_.stepwidth.offset, Mistake::bad_stepwidth,
                     fmt::format("found Stepwidth = {} on the scale {}, expected a factor above 1",
                                 arguments.stepwidth, to_text(arguments.scale)));
        } else if (skalib::is_dynamic(arguments.scale)) {
            // What depends on a machine's memory or ranks is chosen on the machine. On log scales the memory
            // makes little difference.
            const int jumps = draft_.jumps.value;
            arguments.stepwidth = jumps == skalib::usual_jumps ? 0 : -jumps;
            if (!suite_.end_is_max || (log && varies_lengths()))
                arguments.stepwidth =
                    skalib::best_stepwidth(arguments.scale, arguments.start,
                                           suite_.end_is_max ? block_.memory_bytes : arguments.end, jumps);
        } else if (log) {
            arguments.stepwidth = 2;
        } else if (varies_lengths()) {
            fail(draft_.scale.level == Level::built_in ? block_.offset : draft_.scale.offset,
                 Mistake::missing_stepwidth,
                 fmt::format("found Scale = {} without Stepwidth, expected the distance of the message "
                             "lengths in bytes",
                             to_text(arguments.scale)));
        } else {
            arguments.stepwidth = 1;
        }
    }

    void check_first_pass() const {
        const skalib::RefinementLimits& arguments = suite_.arguments;
        if (arguments.stepwidth <= 0) // chosen when the end is known
            return;
        const bool log = skalib::is_log(arguments.scale);
        const std::size_t place =
            draft_.stepwidth.level == Level::built_in ? block_.offset : draft_.stepwidth.offset;
        if (!varies_lengths() && !log && arguments.stepwidth < 1)
            fail(place, Mistake::bad_stepwidth,
                 fmt::format("found Stepwidth = {} for a number of {}, expected at least 1",
                             arguments.stepwidth, to_text(suite_.varied)));
        const auto first = static_cast<double>(std::max<std::int64_t>(arguments.start, 1));
        // The number of ranks is unknown here: this one just allows a distance of 1.
        const double unknown = first + longest_first_pass;
        const double last = !suite_.end_is_max ? static_cast<double>(arguments.end)
                            : varies_lengths() ? static_cast<double>(block_.memory_bytes)
                                               : unknown;
        const double steps = log ? std::log(last / first) / std::log(arguments.stepwidth)
                                 : (last - first) / arguments.stepwidth;
        if (steps > longest_first_pass)
            fail(
                place, Mistake::bad_stepwidth,
                fmt::format("found a step width of {}, which makes {:.0f} arguments, expected at most {:.0f}",
                            arguments.stepwidth, steps, longest_first_pass));
    }

    const SuiteDraft& draft_;
    const SourceText& source_;
    BlockPlace block_;
    Suite suite_;
};

} // namespace

void Value::refuse(std::string_view why) const {
    skampi::refuse(source, offset, Mistake::bad_value,
                   fmt::format("found {} for {}{}{}, expected {}", quoted(text), key, why.empty() ? "" : ", ",
                               why, accepts));
}

SuiteDraft::SuiteDraft() {
    suite.repetition.max_relative_error = 0.01;
    suite.repetition.cut_quantile = 0.25;
    suite.repetition.max_time_s = 30;
    suite.max_suite_time_s = 120;
}

Suite finished(const SuiteDraft& draft, const SourceText& source, const BlockPlace& block) {
    return Completion(draft, source, block).completed();
}

int fewest_ranks(Pattern pattern) {
    return row_of(pattern).fewest_ranks;
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
        return "with an in-place form in MPI";
    case Parameter::file:
        return "that work on a file";
    case Parameter::algorithm:
        return "that an MPI library has several algorithms for";
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
    case Varied::argument:
        return "Argument";
    case Varied::none:
        break;
    }
    return "No_Variation";
}

} // namespace skampi
