// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <cstdlib>
#include <ctime>
#include <optional>
#include <string>

/// Rules of time zones that need no tables on the machine.
constexpr const char* central_europe = "CET-1CEST,M3.5.0,M10.5.0/3";
/// Summer time is half an hour.
constexpr const char* lord_howe = "<+1030>-10:30<+11>-11,M10.1.0,M4.1.0";

/// The zone of this process while it lives.
class LocalZone {
public:
    explicit LocalZone(const char* rules) {
        if (const char* former = std::getenv("TZ"))
            former_ = former;
        ::setenv("TZ", rules, 1);
        ::tzset();
    }
    LocalZone(const LocalZone&) = delete;
    LocalZone& operator=(const LocalZone&) = delete;
    ~LocalZone() {
        former_ ? ::setenv("TZ", former_->c_str(), 1) : ::unsetenv("TZ");
        ::tzset();
    }

private:
    std::optional<std::string> former_;
};
