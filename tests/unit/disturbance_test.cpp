// SPDX-License-Identifier: GPL-2.0-or-later
#include "host/disturbance.hpp"

#include "close_to.hpp"

#include <doctest/doctest.h>
#include <unistd.h>

using namespace skampi;

namespace {

HostMoment moment(double busy_s, double ranks_s) {
    return {{.busy = static_cast<std::int64_t>(busy_s * static_cast<double>(sysconf(_SC_CLK_TCK)))}, ranks_s};
}

} // namespace

TEST_CASE("other processes have what the host's cores did beyond the ranks' own time, on a full node too") {
    // Two ranks on two cores for 10 s: by themselves, and beside ten other busy processes.
    CHECK(*foreign_cpu_share(moment(100, 50), moment(120, 70), 10, 2) == close_to(0.0));
    CHECK(*foreign_cpu_share(moment(100, 50), moment(120, 53.4), 10, 2) == close_to(0.83));
    CHECK(*foreign_cpu_share(moment(100, 50), moment(108, 54), 10, 4) == close_to(0.1));
    CHECK(*foreign_cpu_share(moment(100, 50), moment(109.99, 60), 10, 2) == 0); // kernels count in ticks
}

TEST_CASE("what nobody counted is no share of 0") {
    HostMoment unknown = moment(120, 0);
    unknown.ranks_s.reset();
    CHECK_FALSE(foreign_cpu_share(moment(100, 50), unknown, 10, 2));
    CHECK_FALSE(foreign_cpu_share(unknown, moment(130, 50), 10, 2));
    CHECK_FALSE(foreign_cpu_share(moment(0, 50), moment(0, 60), 10, 2)); // no times in /proc/stat
    CHECK_FALSE(foreign_cpu_share(moment(100, 50), moment(120, 70), 0, 2));
}

TEST_CASE("the processor time of a process is read whatever its name is") {
    CHECK(*cpu_time_s("12 (a) S 1 2 3) R 1 12 12 0 -1 4194304 90 0 0 0 150 50 7 8 20 0 1 0", 0.01) ==
          close_to(2.0));
    CHECK_FALSE(cpu_time_s("", 0.01));
    CHECK_FALSE(cpu_time_s("12 (a) R 1 12", 0.01));
    const std::optional<double> own_s = cpu_time_s({getpid()});
    REQUIRE(own_s);
    CHECK(*own_s >= 0);
    CHECK_FALSE(cpu_time_s({getpid(), -1}));
    CHECK_FALSE(cpu_time_s(std::vector<std::int64_t>{}));
}
