// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tune/simulated_algorithms.hpp"

#include "base/error.hpp"
#include "base/text.hpp"
#include "supervisor/launch.hpp"

#include <csignal>
#include <nlohmann/json.hpp>
#include <utility>

namespace skampi {
namespace {

constexpr double longest_answer_s = 120;

} // namespace

AlgorithmList parse_algorithm_list(const std::string& text) {
    const nlohmann::json whole = nlohmann::json::parse(text, nullptr, false);
    AlgorithmList list;
    if (!whole.is_object())
        return list;
    try {
        list.library = whole.value("library", std::string());
        list.refusal = whole.value("refusal", std::string());
        for (const nlohmann::json& row : whole.value("algorithms", nlohmann::json::array()))
            list.choices.push_back({.operation = row.at("operation").get<std::string>(),
                                    .word = row.at("word").get<std::string>()});
    } catch (const nlohmann::json::exception&) {
        return {};
    }
    return list;
}

ChildResult ask_for_algorithms(const std::string& launch, const std::string& program,
                               const std::vector<std::string>& words) {
    std::vector<std::string> called{program, "algorithms"};
    called.insert(called.end(), words.begin(), words.end());
    Command command;
    command.argv = launch_words(launch, 1, called);
    command.timeout_s = longest_answer_s;
    command.death_signal = SIGTERM;
    return run(std::move(command));
}

AlgorithmList simulated_algorithms(const std::string& launch, const std::string& program) {
    const ChildResult ended = ask_for_algorithms(launch, program, {"--json"});
    AlgorithmList list = parse_algorithm_list(ended.out);
    if (list.choices.empty() && list.refusal.empty())
        throw SystemError("the simulation does not say which algorithms it has: " +
                          printable(ended.describe_end() + " " + ended.err));
    return list;
}

} // namespace skampi
