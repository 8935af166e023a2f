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

std::string state_text(const TurnsSuite& suite) {
    return !suite.state ? "" : suite.state->slower ? " in the slower state" : " in the faster state";
}

std::string turns_suite_name(const TurnsSuite& suite) {
    return shortened_name(title_of(*suite.reference), most_characters_of_name) + state_text(suite);
}

std::string rounds_of(const TurnsSuite& suite, std::size_t rounds) {
    return count_of(rounds, suite.state ? "pair" : "round");
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

namespace {

/// "in which new was 15 % slower", or "in 5 of which new was slower than in the others, in 2 faster".
std::string outliers_text(const TurnsStatement& statement, const std::string& variant) {
    const std::size_t slower = statement.outliers_slower;
    const std::size_t faster = statement.outliers - slower;
    return slower == 0 || faster == 0
               ? fmt::format("in which {} was {}", variant, slower_text(statement.outlier_ratio))
               : fmt::format("in {} of which {} was slower than in the others, in {} faster", slower, variant,
                             faster);
}

} // namespace

std::vector<std::string> rounds_left_out(const Turns& turns, bool on_one_side) {
    constexpr std::size_t some = 20;
    std::vector<std::string> suites;
    for (const TurnsVariant& variant : turns.variants)
        for (const TurnsSuite& suite : variant.suites) {
            const TurnsStatement* most = nullptr;
            for (const TurnsStatement& each : suite.statements)
                if (each.outliers_on_one_side() == on_one_side && each.outliers > (most ? most->outliers : 1))
                    most = &each;
            if (!most || some * most->outliers <= most->rounds + most->outliers)
                continue;
            suites.push_back(fmt::format("{}, up to {} of {}{}, {}", turns_suite_name(suite), most->outliers,
                                         rounds_of(suite, most->rounds + most->outliers),
                                         messages_text(most->size),
                                         outliers_text(*most, variant_name(turns, variant.place))));
        }
    return suites;
}

std::string margin_text(const Turns& turns) {
    return format_percent(turns.of->session.margin);
}

} // namespace skampi
