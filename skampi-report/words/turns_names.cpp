#include "words/turns_names.hpp"

#include "model/quantity.hpp"
#include "words/suite_words.hpp"
#include "words/verdict_words.hpp"

#include "base/text.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace skampi {

namespace {

constexpr std::size_t most_characters_of_name = 40;

} // namespace

std::string variant_name(const Turns& turns, std::size_t place) {
    return shortened_name(turns.of->session.variants[place].name, most_characters_of_name);
}

std::string reference_name(const Turns& turns) {
    return variant_name(turns, 0);
}

std::string turns_suite_name(const TurnsSuite& suite) {
    return shortened_name(title_of(*suite.reference), most_characters_of_name);
}

std::string class_text(MessageSize size) {
    const char* const preposition = size == MessageSize::small    ? "up "
                                    : size == MessageSize::medium ? "from "
                                                                  : "";
    return preposition + size_text(size);
}

std::string messages_text(const std::optional<MessageSize>& size) {
    return size ? " for messages " + class_text(*size) : std::string();
}

std::vector<std::string> rounds_left_out(const Turns& turns, Share share) {
    constexpr std::size_t some = 20;
    constexpr std::size_t many = 10;
    std::vector<std::string> suites;
    for (const TurnsVariant& variant : turns.variants)
        for (const TurnsSuite& suite : variant.suites) {
            const auto most = std::ranges::max_element(suite.statements, {}, &TurnsStatement::outliers);
            if (most == suite.statements.end() || most->outliers < 2)
                continue;
            const std::size_t rounds = most->rounds + most->outliers;
            const bool are_many = many * most->outliers >= rounds;
            if (some * most->outliers > rounds && are_many == (share == Share::many))
                suites.push_back(
                    fmt::format("{}, up to {} of {}{}, in which {} was {}", turns_suite_name(suite),
                                most->outliers, count_of(rounds, "round"), messages_text(most->size),
                                variant_name(turns, variant.place), slower_text(most->outlier_ratio)));
        }
    return suites;
}

std::string few_names(const std::vector<std::string>& all) {
    constexpr std::size_t most = 4;
    std::vector<std::string> names(all.begin(),
                                   all.begin() + static_cast<std::ptrdiff_t>(std::min(most, all.size())));
    if (all.size() > most)
        names.push_back(fmt::format("{} more", all.size() - most));
    return enumeration(names);
}

std::string margin_text(const Turns& turns) {
    return format_percent(turns.of->session.margin);
}

} // namespace skampi
