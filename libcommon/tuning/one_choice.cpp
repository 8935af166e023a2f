#include "tuning/one_choice.hpp"

#include "base/error.hpp"
#include "base/text.hpp"
#include "tuning/head_comment.hpp"
#include "tuning/units.hpp"

#include <algorithm>
#include <cctype>
#include <fmt/format.h>
#include <functional>
#include <optional>

namespace skampi {

namespace {

constexpr const char* dynamic_rules = "OMPI_MCA_coll_tuned_use_dynamic_rules";

/// Whether all that is known of an operation asks for one algorithm: elsewhere a choice for all lengths would
/// make some of them slower.
bool agree(const std::vector<TuningRule>& rules, const TuningRule& rule) {
    return std::ranges::all_of(rules, [&](const TuningRule& other) {
        return other.operation != rule.operation ||
               (other.algorithm == rule.algorithm && other.number == rule.number &&
                (other.why_not == WhyNot::none || other.why_not == WhyNot::one_choice_only));
    });
}

WhyNot why_no_choice(const std::vector<TuningRule>& rules, const TuningRule& rule, std::string_view layer) {
    if (rule.layer != layer)
        return WhyNot::other_layer;
    if (!filed_operation(rule.operation))
        return WhyNot::unknown_operation;
    const bool is_word = !rule.algorithm.empty() && std::ranges::all_of(rule.algorithm, [](unsigned char c) {
        return std::isalnum(c) != 0 || c == '_' || c == '-';
    });
    if (!is_word || (layer == "open mpi tuned" && rule.number < 1))
        return WhyNot::unknown_algorithm;
    return agree(rules, rule) ? WhyNot::none : WhyNot::one_choice_only;
}

/// @param line the text of a rule
std::string write_choices(const TuningTarget& target, std::vector<TuningRule>& rules, std::string_view layer,
                          const std::function<std::string(const TuningRule&)>& line) {
    std::vector<WhyNot> why;
    for (const TuningRule& rule : rules)
        why.push_back(rule.why_not != WhyNot::none ? rule.why_not
                      : rule.algorithm.empty()     ? WhyNot::default_is_best
                                                   : why_no_choice(rules, rule, layer));
    std::vector<std::string> lines;
    for (std::size_t i = 0; i < rules.size(); ++i) {
        rules[i].why_not = why[i];
        rules[i].written = why[i] == WhyNot::none;
        if (rules[i].written)
            if (std::string text = line(rules[i]); std::ranges::find(lines, text) == lines.end())
                lines.push_back(std::move(text));
    }
    std::string text = head_comment(target, rules, "# ");
    if (layer == "open mpi tuned" && !lines.empty())
        text += fmt::format("{}=1\n", dynamic_rules);
    for (const std::string& each : lines)
        text += each + "\n";
    return text;
}

void for_each_line(std::string_view text, const std::function<void(std::string_view, int)>& take) {
    for (int number = 1; !text.empty(); ++number) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        std::string_view line = text.substr(0, end);
        text.remove_prefix(std::min(end + 1, text.size()));
        const auto is_blank = [](char c) { return c == ' ' || c == '\t'; }; // no \r, which the shell keeps
        while (!line.empty() && is_blank(line.front()))
            line.remove_prefix(1);
        while (!line.empty() && is_blank(line.back()))
            line.remove_suffix(1);
        if (!line.empty() && line.front() != '#')
            take(line, number);
    }
}

std::string upper(std::string_view text) {
    std::string result(text);
    std::ranges::transform(result, result.begin(),
                           [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
    return result;
}

} // namespace

std::string choice_variable(std::string_view layer, std::string_view operation) {
    const FiledOperation* const filed = filed_operation(operation);
    if (!filed)
        return {};
    if (layer == "mpich")
        return fmt::format("MPIR_CVAR_{}_INTRA_ALGORITHM", upper(filed->word));
    if (layer == "open mpi tuned")
        return fmt::format("OMPI_MCA_coll_tuned_{}_algorithm", filed->word);
    return {};
}

std::string operation_of_variable(std::string_view variable) {
    for (const FiledOperation& operation : filed_operations())
        for (const std::string_view layer : {"mpich", "open mpi tuned"})
            if (choice_variable(layer, operation.operation) == variable)
                return std::string(operation.operation);
    return {};
}

std::string write_tuning_env(const TuningTarget& target, std::vector<TuningRule>& rules) {
    return write_choices(target, rules, target.layer, [&](const TuningRule& rule) {
        const bool by_number = target.layer == "open mpi tuned";
        return fmt::format("{}={}", choice_variable(target.layer, rule.operation),
                           by_number ? std::to_string(rule.number) : rule.algorithm);
    });
}

std::string write_smpi_cfg(const TuningTarget& target, std::vector<TuningRule>& rules) {
    return write_choices(target, rules, "simgrid", [](const TuningRule& rule) {
        return fmt::format("--cfg=smpi/{}:{}", filed_operation(rule.operation)->word, rule.algorithm);
    });
}

std::map<std::string, std::string> read_tuning_env(std::string_view text, const std::string& name) {
    std::map<std::string, std::string> variables;
    for_each_line(text, [&](std::string_view line, int number) {
        if (line.starts_with("export "))
            line.remove_prefix(std::string_view("export ").size());
        const std::size_t equals = line.find('=');
        const std::string variable(line.substr(0, std::min(equals, line.size())));
        const bool is_name =
            equals != std::string_view::npos && !variable.empty() &&
            std::isdigit(static_cast<unsigned char>(variable.front())) == 0 &&
            std::ranges::all_of(variable, [](unsigned char c) { return std::isalnum(c) != 0 || c == '_'; });
        const std::string_view value = is_name ? line.substr(equals + 1) : std::string_view();
        const bool is_plain = std::ranges::all_of(value, [](unsigned char c) {
            return std::isalnum(c) != 0 ||
                   std::string_view("_-./:,+@%").find(static_cast<char>(c)) != std::string_view::npos;
        });
        if (!is_name || !is_plain)
            throw InputError(
                fmt::format("{}:{}: found \"{}\", expected VARIABLE=VALUE of letters, digits and "
                            "_-./:,+@%",
                            printable(name), number, printable(line)));
        variables[variable] = std::string(value);
    });
    return variables;
}

std::map<std::string, std::string> read_smpi_cfg(std::string_view text, const std::string& name) {
    std::map<std::string, std::string> algorithms;
    for_each_line(text, [&](std::string_view line, int number) {
        constexpr std::string_view beginning = "--cfg=smpi/";
        const std::size_t colon = line.find(':', std::min(beginning.size(), line.size()));
        const std::string_view word = line.starts_with(beginning) && colon != std::string_view::npos
                                          ? line.substr(beginning.size(), colon - beginning.size())
                                          : std::string_view();
        const auto operations = filed_operations();
        const auto filed = std::ranges::find(operations, word, &FiledOperation::word);
        const std::string_view algorithm =
            colon == std::string_view::npos ? std::string_view() : line.substr(colon + 1);
        const bool is_word = !algorithm.empty() && std::ranges::all_of(algorithm, [](unsigned char c) {
            return std::isalnum(c) != 0 || c == '_' || c == '-';
        });
        if (filed == operations.end() || !is_word)
            throw InputError(fmt::format("{}:{}: found \"{}\", expected --cfg=smpi/OPERATION:ALGORITHM",
                                         printable(name), number, printable(line)));
        algorithms[std::string(filed->operation)] = std::string(algorithm);
    });
    return algorithms;
}

} // namespace skampi
