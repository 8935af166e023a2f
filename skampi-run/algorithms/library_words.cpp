// SPDX-License-Identifier: LGPL-2.1-or-later
#include "algorithms/library_words.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>

namespace skampi {
namespace {

constexpr std::string_view letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";

/// One word that a variable may have.
struct Question {
    std::string variable;
    std::string word;
};

/// Halves a failed question until it is known which words are none. Each variable occurs once.
void ask_for(const std::vector<Question>& questions, const AskLibrary& ask,
             std::map<std::string, int>& answers) {
    if (questions.empty())
        return;
    std::map<std::string, std::string> environment;
    for (const Question& question : questions)
        environment[question.variable] = question.word;
    if (const std::optional<std::map<std::string, int>> numbers = ask(environment)) {
        for (const Question& question : questions)
            if (const auto found = numbers->find(question.variable); found != numbers->end())
                answers[question.variable] = found->second;
        return;
    }
    if (questions.size() == 1)
        return;
    const auto half = questions.begin() + static_cast<std::ptrdiff_t>(questions.size() / 2);
    ask_for({questions.begin(), half}, ask, answers);
    ask_for({half, questions.end()}, ask, answers);
}

/// What is known of one variable between two rounds of questions.
struct Search {
    std::vector<std::vector<std::string>> places; ///< not yet resolved, each with what is left to be tried
    std::vector<std::pair<int, std::string>> found;
    bool incomplete = false;
};

void take_answer(Search& search, const std::string& word, const std::map<std::string, int>& answers,
                 const std::string& variable) {
    std::vector<std::string>& place = search.places.front();
    const auto number = answers.find(variable);
    if (number == answers.end()) {
        place.erase(place.begin());
        if (!place.empty())
            return;
        search.incomplete = true;
    } else if (std::ranges::find(search.found, word, &std::pair<int, std::string>::second) ==
               search.found.end()) {
        search.found.emplace_back(number->second, word);
    } else {
        search.incomplete = true;
    }
    search.places.erase(search.places.begin());
}

} // namespace

std::set<std::string> words_in_library(std::string_view bytes) {
    constexpr std::string_view name_begins = "algorithm=MPIR_";
    constexpr auto of_all = std::to_array<const char*>(
        {"auto", "nb", "mpir", "release_gather", "sched_auto", "smp", "error", "print", "silent"});
    std::set<std::string> words(of_all.begin(), of_all.end());
    for (std::size_t at = bytes.find(name_begins); at != std::string_view::npos;
         at = bytes.find(name_begins, at + 1)) {
        const std::size_t begin = at + name_begins.size();
        const std::string_view name =
            bytes.substr(begin, std::min(bytes.find_first_not_of(letters, begin), bytes.size()) - begin);
        for (const std::string_view kind : {"_intra_", "_inter_", "_allcomm_"})
            if (const std::size_t found = name.find(kind); found != std::string_view::npos)
                words.emplace(name.substr(found + kind.size()));
    }
    words.erase("");
    return words;
}

std::vector<std::vector<std::string>> word_places(std::string_view description,
                                                  const std::set<std::string>& known) {
    constexpr std::string_view mark = "- ";
    std::vector<std::vector<std::string>> places;
    for (std::size_t at = description.find(mark); at != std::string_view::npos;
         at = description.find(mark, at + mark.size())) {
        const std::string_view before = description.substr(0, at);
        const std::size_t last = before.find_last_not_of(' ');
        if (last == std::string_view::npos || last + 1 == before.size() ||
            letters.find(before[last]) == std::string_view::npos)
            continue; // part of a word, or of nothing
        const std::size_t outside = before.find_last_not_of(letters, last);
        const std::size_t begin = outside == std::string_view::npos ? 0 : outside + 1;
        const std::string_view glued = before.substr(begin, last + 1 - begin);
        std::vector<std::string> place;
        for (std::size_t i = 0; i < glued.size(); ++i)
            if (const std::string word(glued.substr(i)); known.contains(word))
                place.push_back(word);
        if (std::ranges::find(place, glued) == place.end())
            place.emplace_back(glued);
        places.push_back(place);
    }
    return places;
}

LibraryWords find_words(const std::vector<ControlVariable>& variables, const std::set<std::string>& known,
                        const AskLibrary& ask) {
    std::map<std::string, Search> searches;
    for (const ControlVariable& variable : variables)
        searches[variable.name].places = word_places(variable.description, known);
    while (true) {
        std::vector<Question> questions;
        for (const auto& [variable, search] : searches)
            if (!search.places.empty())
                questions.push_back({variable, search.places.front().front()});
        if (questions.empty())
            break;
        std::map<std::string, int> answers;
        ask_for(questions, ask, answers);
        for (const Question& question : questions)
            take_answer(searches[question.variable], question.word, answers, question.variable);
    }
    LibraryWords words;
    for (auto& [variable, search] : searches) {
        if (search.incomplete || search.found.empty())
            words.incomplete.insert(variable);
        words.of_variable[variable] = std::move(search.found);
    }
    return words;
}

} // namespace skampi
