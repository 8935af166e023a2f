// SPDX-License-Identifier: LGPL-2.1-or-later
#include "base/utc.hpp"

#include <array>
#include <cmath>
#include <ctime>

namespace skampi {

namespace {

constexpr const char* form = "%Y-%m-%dT%H:%M:%SZ";

} // namespace

std::string utc_text(double utc_s) {
    const auto moment = static_cast<std::time_t>(std::floor(utc_s));
    std::tm parts{};
    ::gmtime_r(&moment, &parts);
    std::array<char, 64> text{};
    const std::size_t length = std::strftime(text.data(), text.size(), form, &parts);
    return {text.data(), length};
}

double utc_now_s() {
    // Not std::chrono::system_clock: its nanoseconds end in the year 2262, and begin anew.
    std::timespec now{};
    ::clock_gettime(CLOCK_REALTIME, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

std::string utc_now() {
    return utc_text(utc_now_s());
}

std::optional<double> utc_seconds(const std::string& text) {
    std::tm parts{};
    const char* end = ::strptime(text.c_str(), form, &parts);
    if (end == nullptr || *end != '\0')
        return std::nullopt;
    return static_cast<double>(::timegm(&parts));
}

} // namespace skampi
