// SPDX-License-Identifier: LGPL-2.1-or-later
#include "algorithms/algorithm_switch.hpp"

#include "algorithms/simgrid_choice.hpp"
#include "mpi/control_variables.hpp"

#include <fmt/format.h>
#include <utility>

namespace skampi {

/// Where variables are: in the library's own (MPI_T), or simulated in SimGrid's table of functions. What a
/// variable held is a number, or there an address.
class AlgorithmSwitch::Library {
public:
#ifdef SKAMPI_SIMULATED
    static std::optional<std::intptr_t> held(const std::string& variable) {
        return simgrid_function(variable);
    }
    static std::string put_back(const std::string&, std::intptr_t) {
        restore_simgrid_functions();
        return {};
    }
    std::string write(const AlgorithmChoice& choice) {
        choose_simgrid_function(choice.variable, choice.word);
        chosen_[{choice.variable, choice.word}] = held(choice.variable).value_or(0);
        return {};
    }
    [[nodiscard]] std::optional<int> read_back(const AlgorithmChoice& choice) const {
        const auto known = chosen_.find({choice.variable, choice.word});
        const bool holds = known != chosen_.end() && held(choice.variable) == known->second;
        return holds ? std::optional(choice.number) : std::nullopt;
    }

private:
    std::map<std::pair<std::string, std::string>, std::intptr_t> chosen_; ///< functions by variable and word
#else
    [[nodiscard]] std::optional<std::intptr_t> held(const std::string& variable) const {
        const std::optional<int> number = variables_.read(variable);
        return number ? std::optional<std::intptr_t>(*number) : std::nullopt;
    }
    [[nodiscard]] std::string put_back(const std::string& variable, std::intptr_t held) const {
        return write({variable, static_cast<int>(held)});
    }
    [[nodiscard]] std::string write(const AlgorithmChoice& choice) const {
        return write({choice.variable, choice.number});
    }
    [[nodiscard]] std::optional<int> read_back(const AlgorithmChoice& choice) const {
        return variables_.read(choice.variable);
    }
    [[nodiscard]] std::string write(const VariableValue& value) const {
        if (const std::string problem = variables_.write(value.variable, value.number); !problem.empty())
            return problem;
        const std::optional<int> now = variables_.read(value.variable);
        if (now == value.number)
            return {};
        return fmt::format("{} = {} was written, but it reads back {}", value.variable, value.number,
                           now ? fmt::format("{}", *now) : "nothing");
    }

private:
    ControlVariables variables_;
#endif
};

AlgorithmSwitch::AlgorithmSwitch()
    : library_(std::make_unique<Library>()) {}

AlgorithmSwitch::~AlgorithmSwitch() {
    restore();
}

std::string AlgorithmSwitch::write(const AlgorithmChoice& choice) {
    const auto remember = [&](const std::string& variable) {
        const std::optional<std::intptr_t> held = library_->held(variable);
        if (held)
            before_.try_emplace(variable, *held);
        return held.has_value();
    };
    if (!remember(choice.variable))
        return fmt::format("{} has no variable {}", choice.layer, choice.variable);
#ifndef SKAMPI_SIMULATED
    for (const VariableValue& other : choice.with) {
        if (!remember(other.variable))
            return fmt::format("{} has no variable {}", choice.layer, other.variable);
        if (std::string problem = library_->write(other); !problem.empty())
            return problem;
    }
#endif
    return library_->write(choice);
}

std::optional<int> AlgorithmSwitch::read_back(const AlgorithmChoice& choice) const {
    return library_->read_back(choice);
}

std::string AlgorithmSwitch::restore() {
    std::string problem;
    for (const auto& [variable, held] : std::exchange(before_, {}))
        if (std::string worse = library_->put_back(variable, held); !worse.empty())
            problem = std::move(worse);
    return problem;
}

} // namespace skampi
