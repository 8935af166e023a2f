#include "supervisor/schedule.hpp"

#include <algorithm>
#include <cmath>

namespace skampi {

Slot next_slot(const Schedule& schedule, std::int64_t last, double now_s) {
    const std::int64_t following = last + 1;
    if (schedule.every_s <= 0)
        return {.index = following, .start_s = now_s, .skipped = 0};
    const double tolerance_s = std::min(schedule.every_s / 100, 60.0);
    const auto earliest =
        static_cast<std::int64_t>(std::ceil((now_s - tolerance_s - schedule.first_s) / schedule.every_s));
    std::int64_t index = std::max(following, earliest);
    // The clock was ahead when `last` was used: waiting for what it promised then could take any time.
    if (const double wait_s = schedule.first_s + static_cast<double>(index) * schedule.every_s - now_s;
        wait_s > 2 * schedule.every_s) {
        index = static_cast<std::int64_t>(std::floor((now_s - schedule.first_s) / schedule.every_s)) + 1;
        return {.index = index,
                .start_s = schedule.first_s + static_cast<double>(index) * schedule.every_s,
                .skipped = 0};
    }
    return {.index = index,
            .start_s = schedule.first_s + static_cast<double>(index) * schedule.every_s,
            .skipped = index - following};
}

std::int64_t slot_of(const Schedule& schedule, double start_s) {
    if (schedule.every_s <= 0)
        return 0;
    return static_cast<std::int64_t>(
        std::floor(std::max(start_s - schedule.first_s, 0.0) / schedule.every_s));
}

} // namespace skampi
