// SPDX-License-Identifier: GPL-2.0-or-later
#include "words/suite_words.hpp"

#include "base/text.hpp"
#include "model/pattern.hpp"
#include "model/placement.hpp"
#include "model/quantity.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <cctype>
#include <cmath>
#include <fmt/format.h>
#include <iterator>

namespace skampi {

namespace {

/// From the nearest other argument of the curve: what is said of one must not be taken for another.
double distance_to_neighbour(const Curve& curve, std::int64_t argument) {
    const auto behind =
        std::ranges::lower_bound(curve.points, argument, {},
                                 [](const StoredMeasurement& point) { return point.measurement.argument; });
    double nearest = static_cast<double>(argument);
    const auto look_at = [&](const StoredMeasurement& point) {
        if (point.measurement.argument != argument)
            nearest = std::min(nearest, std::fabs(static_cast<double>(point.measurement.argument) -
                                                  static_cast<double>(argument)));
    };
    if (behind != curve.points.begin())
        look_at(*std::prev(behind));
    for (auto next = behind; next != curve.points.end() && next - behind < 2; ++next)
        look_at(*next);
    return nearest;
}

/// " threads"; nothing for an argument without a unit.
std::string unit_behind(const OperationInfo& operation) {
    return operation.argument_unit.empty() ? std::string() : " " + shortened(operation.argument_unit, 20);
}

} // namespace

std::string argument_text(const Curve& curve, std::int64_t argument) {
    switch (curve.suite().varied) {
    case Varied::message_length:
        return format_bytes_within(argument, 0.1 * distance_to_neighbour(curve, argument));
    case Varied::nodes:
        return count_of(argument, "rank");
    case Varied::chunks:
        return count_of(argument, "chunk");
    case Varied::argument:
        return std::to_string(argument) + unit_behind(curve.suite().operation);
    case Varied::none:
        break;
    }
    return std::to_string(argument);
}

std::string arguments_text(const Curve& curve, std::int64_t from, std::int64_t to) {
    const std::string first = argument_text(curve, from);
    const std::string last = argument_text(curve, to);
    const auto unit_of = [](const std::string& text) {
        return text.substr(std::min(text.size(), text.find(' ')));
    };
    if (unit_of(first) == unit_of(last))
        return fmt::format("{} to {}", first.substr(0, first.find(' ')), last);
    constexpr std::int64_t longest = 99999; // read in bytes still
    if (curve.suite().varied == Varied::message_length && last.find('.') != std::string::npos &&
        to <= longest)
        return fmt::format("{} to {} B", from, to);
    return fmt::format("{} to {}", first, last);
}

std::string what_is_measured(const Curve& curve) {
    const OperationInfo& operation = curve.suite().operation;
    const std::string title =
        operation.title.empty() || operation.title == operation.name ? std::string() : operation.title + ". ";
    const std::string does = operation.does.empty() ? std::string() : " " + shortened(operation.does, 200);
    return fmt::format("{}{}{}. {}", does.empty() && !title.empty() ? "" : title,
                       does.empty() && !title.empty() ? operation.title : operation.name, does,
                       meaning_sentence(curve));
}

std::string partner_text(const Curve& curve) {
    const auto fact = [&](const char* name) {
        const auto found = curve.stored.facts.find(name);
        return found == curve.stored.facts.end() ? std::string() : in_turn(found->second);
    };
    const std::string partner = fact(fact_partner);
    if (curve.suite().operation.pattern != Pattern::ping_pong || partner.empty())
        return {};
    const PartnerChoice choice = partner_choice(curve.suite());
    std::string text =
        fmt::format("rank {} ({})", partner,
                    choice.rule == PartnerChoice::Rule::rank ? "as requested" : partner_text(choice));
    for (const char* const name : {fact_partner_place, fact_partner_search})
        if (const std::string more = fact(name); !more.empty())
            text += ", " + more;
    return text;
}

std::string joining_text(const Curve& curve) {
    switch (join_order(curve.suite())) {
    case JoinOrder::by_node:
        return "node by node: all of one before the next";
    case JoinOrder::round_robin:
        return "round-robin: one of each node, then the next of each";
    case JoinOrder::by_rank:
        break;
    }
    return {};
}

std::string pattern_name(Pattern pattern) {
    std::string name(row_of(pattern).name);
    name.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(name.front())));
    return name;
}

std::string_view length_word(const Suite& suite) {
    return suite.operation.meaning == Meaning::local ? "length" : "message length";
}

std::string varied_text(const Suite& suite) {
    switch (suite.varied) {
    case Varied::message_length:
        return "varied over " + std::string(length_word(suite));
    case Varied::nodes:
        return "varied over the number of nodes";
    case Varied::chunks:
        return "varied over the number of chunks";
    case Varied::argument:
        return suite.operation.argument_name.empty()
                   ? "varied over an argument"
                   : "varied over " + shortened(suite.operation.argument_name, 40);
    case Varied::none:
        break;
    }
    return "nothing varied";
}

std::string scale_text(skalib::Scale scale) {
    return fmt::format("{}, {}", skalib::is_log(scale) ? "logarithmic" : "linear",
                       skalib::is_dynamic(scale) ? "chosen where the curve bends" : "fixed arguments");
}

std::string value_formed(const Suite& suite) {
    switch (suite.value) {
    case skalib::ValueKind::cut_mean:
        if (!knows(suite, "cut_quantile"))
            return "mean of what the cuts left";
        return suite.repetition.cut_quantile > 0
                   ? fmt::format("mean of the middle {}",
                                 format_percent(1 - 2 * suite.repetition.cut_quantile))
                   : "mean";
    case skalib::ValueKind::lower:
        return "mean of the 5-50 % quantile range";
    case skalib::ValueKind::median:
        return "median";
    case skalib::ValueKind::minimum:
        return "minimum";
    }
    return {};
}

std::string buffers_text(BufferPolicy policy) {
    switch (policy) {
    case BufferPolicy::warm:
        return "warm (reused, huge pages where granted)";
    case BufferPolicy::warm_4k:
        return "warm (reused, small pages)";
    case BufferPolicy::cycled:
        return "cycled through more than the caches hold";
    case BufferPolicy::cold:
        return "cold (caches emptied before each single measurement)";
    case BufferPolicy::rewritten:
        return "rewritten by the sender before each single measurement";
    }
    return {};
}

std::string start_text(Synchronization synchronization) {
    switch (synchronization) {
    case Synchronization::window:
        return "at an agreed global time (window)";
    case Synchronization::barrier:
        return "after MPI_Barrier, whose time is subtracted";
    case Synchronization::dissemination:
        return "after a barrier of SKaMPI's own, whose time is subtracted";
    case Synchronization::barrier_before:
        return "after MPI_Barrier; each rank times its own call";
    }
    return {};
}

std::string parameters_text(const Curve& curve) {
    const Suite& suite = curve.suite();
    std::vector<std::string> texts;
    if (suite.datatype != "MPI_BYTE" || !suite.reduction.empty())
        texts.push_back(suite.datatype);
    if (!suite.reduction.empty())
        texts.push_back(suite.reduction);
    if (suite.root != 0)
        texts.push_back("root: " + root_words(curve));
    if (suite.in_place)
        texts.push_back("MPI_IN_PLACE");
    if (!suite.algorithm.empty())
        texts.push_back("algorithm " + suite.algorithm);
    return fmt::format("{}", fmt::join(texts, ", "));
}

namespace {

struct MeaningText {
    Meaning meaning;
    const char* noun;
    const char* word;
    const char* sentence; ///< of a collective call the reported time is added
    const char* caption;
    const char* bandwidth;
};

constexpr MeaningText half_round_trip_text{
    Meaning::round_trip,
    "half of a round trip",
    "Half round trip",
    "All times are halves of round trips on the measuring rank: what a message takes there or back.",
    "Half of the round-trip time",
    "bandwidth of one direction (length by half of the round trip)"};

constexpr std::array<MeaningText, 9> texts{{
    {Meaning::unknown, "of unknown meaning", "Time", "The file read does not say what the times are.", "Time",
     "bandwidth"},
    {Meaning::round_trip, "a round trip", "Round trip",
     "All times are round trips on the measuring rank: a message there and one back.", "Round-trip time",
     "bandwidth of one direction (length by half of the round trip)"},
    {Meaning::one_way, "a message handed over", "Time",
     "All times are those of handing a message over, on the measuring rank; nothing comes back.",
     "Time of handing a message over", "bandwidth (length by time)"},
    {Meaning::exchange, "an exchange", "Exchange",
     "All times are exchanges: both ranks send a message and receive one in the same call. "
     "None is halved, because both messages are under way at once.",
     "Time of an exchange", "bandwidth of one direction (length by the time of the exchange)"},
    {Meaning::window, "a window of messages", "Window",
     "All times are those of a whole window of messages, many of them under way at once, "
     "with an empty answer at its end.",
     "Time of a window of messages", "bandwidth of all messages of a window"},
    {Meaning::one_sided, "a one-sided call", "Call",
     "All times are those of one call and its synchronisation, on the rank that makes it.",
     "Time of a one-sided call", "bandwidth (length by time)"},
    {Meaning::work, "all pieces of work", "Time",
     "The time is that of all pieces of work, seen by the master.", "Time of all pieces of work",
     "bandwidth"},
    {Meaning::collective, "a collective call", "Time", "Called by all ranks.", "Time", "bandwidth"},
    {Meaning::local, "a local call", "Time", "Called by one process alone.", "Time", "bandwidth"},
}};

const MeaningText& text_of(Meaning meaning) {
    for (const MeaningText& text : texts)
        if (text.meaning == meaning)
            return text;
    assert(!"a meaning without words");
    return texts.front();
}

const MeaningText& text_of(const Curve& curve) {
    return curve.halved ? half_round_trip_text : text_of(meaning_of(curve));
}

} // namespace

std::string time_word(const Curve& curve) {
    return text_of(curve).word;
}

std::string in_turn(std::string fact) {
    for (std::size_t at = 0; (at = fact.find(between_places, at)) != std::string::npos;)
        fact.replace(at, between_places.size(), ", then ");
    return fact;
}

std::string root_words(const Curve& curve) {
    const int place = curve.suite().root;
    if (place == 0 || join_order(curve.suite()) == JoinOrder::by_rank)
        return fmt::format("rank {}", place);
    const auto rank = curve.stored.facts.find(fact_root_rank);
    if (rank == curve.stored.facts.end())
        return fmt::format("the rank at place {}", place);
    return fmt::format("rank {} (place {})", in_turn(rank->second), place);
}

namespace {

/// Of a collective: whose time it is.
std::string whose_time(const Curve& curve) {
    const Suite& suite = curve.suite();
    if (!knows(suite, "reported_time"))
        return " The file does not say which rank's time it is.";
    switch (suite.reported_time) {
    case ReportedTime::root:
        return fmt::format(" The time is that of {}.", root_words(curve));
    case ReportedTime::mean:
        return " The time is the mean of the ranks' own durations.";
    case ReportedTime::max:
        break;
    }
    return knows(suite, "synchronization") && suite.synchronization != Synchronization::barrier_before
               ? " The time lasts until the last rank has left."
               : " The time is the longest of the ranks' own durations.";
}

} // namespace

std::string meaning_sentence(const Curve& curve) {
    std::string sentence = text_of(curve).sentence;
    if (meaning_of(curve) == Meaning::collective || curve.suite().operation.pattern == Pattern::collective)
        sentence += whose_time(curve);
    return sentence;
}

std::string time_caption(const Curve& curve) {
    return text_of(curve).caption;
}

std::string bandwidth_caption(const Curve& curve) {
    return text_of(curve).bandwidth;
}

std::string meaning_noun(const Curve& curve) {
    return text_of(curve).noun;
}

std::string times_note(const std::vector<const Curve*>& curves) {
    std::vector<std::pair<std::string, std::vector<std::string>>> nouns; // in the order of the curves
    bool calls = false;
    for (const Curve* curve : curves) {
        const Meaning meaning = meaning_of(*curve);
        if (meaning == Meaning::collective || meaning == Meaning::local) {
            calls = true;
            continue;
        }
        const std::string noun = meaning_noun(*curve);
        auto known = std::ranges::find(nouns, noun, [](const auto& each) { return each.first; });
        if (known == nouns.end())
            known = nouns.insert(nouns.end(), {noun, {}});
        known->second.push_back(shortened_name(title_of(*curve), 21));
    }
    if (nouns.empty())
        return {};
    constexpr std::size_t most = 3;
    std::vector<std::string> texts;
    for (auto& [noun, names] : nouns) {
        const std::size_t more = names.size() - std::min(most, names.size());
        names.resize(names.size() - more);
        texts.push_back(fmt::format("{} ({}{})", noun, fmt::join(names, ", "),
                                    more == 0 ? "" : fmt::format(" and {} more", more)));
    }
    return fmt::format("Times: {}{}.", fmt::join(texts, ", "), calls ? ", else one call" : "");
}

std::string suite_heading(const Curve& curve) {
    return title_of(curve).empty() ? "(suite without a name)" : shortened(title_of(curve), 90);
}

} // namespace skampi
