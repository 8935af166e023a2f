#include "words/meaning.hpp"

#include "base/text.hpp"
#include "model/placement.hpp"

#include <array>
#include <cassert>
#include <fmt/format.h>

namespace skampi {

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
    {Meaning::local, "a call on one rank", "Time", "Called on one rank.", "Time", "bandwidth"},
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
