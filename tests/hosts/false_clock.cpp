// SPDX-License-Identifier: GPL-2.0-or-later
// Preloaded into the processes of a host that is to have a clock of its own: CLOCK_MONOTONIC is ahead by an
// offset and gains a drift, which SKAMPI_FALSE_CLOCK_IS says: "3.5 5e-5". All other clocks stay as they are.
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <dlfcn.h>
#include <time.h>

namespace {

using GetTime = int (*)(clockid_t, timespec*);

constexpr std::int64_t second_ns = 1'000'000'000;

struct FalseClock {
    GetTime true_time = reinterpret_cast<GetTime>(dlsym(RTLD_NEXT, "clock_gettime"));
    std::int64_t offset_ns = 0;
    double drift = 0;
    FalseClock() {
        const char* const text = std::getenv("SKAMPI_FALSE_CLOCK_IS");
        if (text == nullptr)
            return;
        char* rest = nullptr;
        offset_ns = std::llround(std::strtod(text, &rest) * static_cast<double>(second_ns));
        drift = std::strtod(rest, nullptr);
    }
};

} // namespace

extern "C" int clock_gettime(clockid_t clock, timespec* time) noexcept {
    static const FalseClock false_clock;
    const int code = false_clock.true_time(clock, time);
    if (code != 0 || clock != CLOCK_MONOTONIC)
        return code;
    const std::int64_t true_ns = time->tv_sec * second_ns + time->tv_nsec;
    // From the machine's start, so that all processes of the host see the same.
    const std::int64_t ns =
        true_ns + false_clock.offset_ns + std::llround(false_clock.drift * static_cast<double>(true_ns));
    time->tv_sec = ns / second_ns;
    time->tv_nsec = ns % second_ns;
    return 0;
}
