#pragma once

#include <cstdlib>
#include <map>
#include <optional>
#include <string>

namespace skampi {

/// Variables that this process' environment has while it lives.
class EnvironmentWith {
public:
    explicit EnvironmentWith(const std::map<std::string, std::string>& variables) {
        for (const auto& [name, value] : variables) {
            const char* const now = std::getenv(name.c_str());
            before_[name] = now != nullptr ? std::optional<std::string>(now) : std::nullopt;
            setenv(name.c_str(), value.c_str(), 1);
        }
    }
    EnvironmentWith(const EnvironmentWith&) = delete;
    EnvironmentWith& operator=(const EnvironmentWith&) = delete;
    ~EnvironmentWith() {
        for (const auto& [name, value] : before_)
            value ? setenv(name.c_str(), value->c_str(), 1) : unsetenv(name.c_str());
    }

private:
    std::map<std::string, std::optional<std::string>> before_;
};

} // namespace skampi
