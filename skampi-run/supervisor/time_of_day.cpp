#include "supervisor/time_of_day.hpp"

#include "base/utc.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <ctime>

namespace skampi {
namespace {

constexpr std::time_t day_s = 86400;

std::tm local_parts(std::time_t moment) {
    ::tzset(); // a zone may be set, and its rules may be renewed, while a daemon waits
    std::tm parts{};
    ::localtime_r(&moment, &parts);
    return parts;
}

/// What local clocks are ahead of UTC.
std::time_t offset_s(std::time_t moment) {
    return local_parts(moment).tm_gmtoff;
}

} // namespace

double moment_of_day(std::int64_t day, int minute) {
    const std::time_t shown = static_cast<std::time_t>(day) * day_s + 60 * std::time_t{minute};
    // If clocks are set on that day, these differ.
    const std::time_t before_s = offset_s(shown - day_s);
    const std::time_t after_s = offset_s(shown + day_s);
    const std::time_t by_former = shown - before_s;
    const std::time_t by_later = shown - after_s;
    const bool former_shows_it = offset_s(by_former) == before_s;
    const bool later_shows_it = offset_s(by_later) == after_s;
    if (former_shows_it || later_shows_it) {
        const std::time_t first = former_shows_it && later_shows_it ? std::min(by_former, by_later)
                                  : former_shows_it                 ? by_former
                                                                    : by_later;
        return static_cast<double>(first);
    }
    std::time_t not_yet = std::min(by_former, by_later);
    std::time_t gone = std::max(by_former, by_later);
    while (gone - not_yet > 1) {
        const std::time_t middle = not_yet + (gone - not_yet) / 2;
        (offset_s(middle) == before_s ? not_yet : gone) = middle;
    }
    return static_cast<double>(gone);
}

std::int64_t day_at(double utc_s, int minute) {
    const auto moment = static_cast<std::time_t>(std::floor(utc_s));
    const auto shown = static_cast<double>(moment + offset_s(moment));
    auto day = static_cast<std::int64_t>(std::floor(shown / seconds_per_day)) + 1;
    while (moment_of_day(day, minute) > utc_s)
        --day;
    return day;
}

std::string local_time_text(double utc_s) {
    const std::tm parts = local_parts(static_cast<std::time_t>(std::floor(utc_s)));
    std::array<char, 64> text{};
    const std::size_t length = std::strftime(text.data(), text.size(), "%H:%M %Z", &parts);
    return {text.data(), length};
}

} // namespace skampi
