// SPDX-License-Identifier: LGPL-2.1-or-later
#include "pairs/pair_timer.hpp"

#include "mpi/check.hpp"
#include "skalib/statistics.hpp"

#include <algorithm>
#include <limits>

namespace skampi {

namespace {

constexpr int pair_tag = 4713;
constexpr unsigned char last_trip = 1;
constexpr unsigned char came_late = 2;
constexpr float no_time = std::numeric_limits<float>::quiet_NaN();

} // namespace

PairTimer::PairTimer(MPI_Comm members, const GlobalClock& clock, const PairTempo& tempo)
    : members_(members)
    , clock_(clock)
    , tempo_(tempo) {
    check(MPI_Comm_rank(members, &member_), "MPI_Comm_rank");
}

PairTimer::Result PairTimer::measure(const std::vector<int>& partners, const StepTimes& times,
                                     std::int64_t message_bytes) {
    message_.assign(static_cast<std::size_t>(message_bytes), 0);
    Result result;
    double start_s = times.start_s;
    for (const int partner : partners) {
        float time_s = no_time;
        if (partner >= 0) {
            bool past = false;
            (void)clock_.wait_until(start_s, past);
            const double began_s = clock_.now();
            const bool late = began_s > start_s + times.distance_s / 4;
            if (times.both_ways)
                time_s = exchange(partner, late);
            else if (member_ < partner)
                time_s = begin(partner, times, start_s, late);
            else
                answer(partner, late);
            result.longest_s = std::max(result.longest_s, clock_.now() - began_s);
        }
        result.time_s.push_back(time_s);
        start_s += times.distance_s;
    }
    return result;
}

float PairTimer::begin(int partner, const StepTimes& times, double start_s, bool late) {
    trips_s_.clear();
    for (int trip = 1;; ++trip) {
        const int timed = trip - tempo_.warm_up;
        const bool ends =
            timed >= tempo_.most || (timed >= tempo_.least && clock_.now() >= start_s + times.fill_s);
        message_.front() = ends ? last_trip : 0;
        const double before_s = clock_.local();
        send(partner);
        receive(partner);
        if (timed > 0)
            trips_s_.push_back(clock_.local() - before_s);
        late = late || (message_.front() & came_late) != 0;
        if (ends)
            break;
    }
    return late ? no_time : static_cast<float>(skalib::median_in_place(trips_s_) / 2);
}

void PairTimer::answer(int partner, bool late) {
    for (bool ends = false; !ends;) {
        receive(partner);
        ends = (message_.front() & last_trip) != 0;
        message_.front() = late ? came_late : 0;
        send(partner);
    }
}

float PairTimer::exchange(int partner, bool late) {
    received_.resize(message_.size());
    message_.front() = late ? came_late : 0;
    const auto count = static_cast<int>(message_.size());
    double began_s = clock_.local();
    for (int i = -tempo_.exchanges_warm_up; i < tempo_.exchanges; ++i) {
        if (i == 0)
            began_s = clock_.local();
        check(MPI_Sendrecv(message_.data(), count, MPI_BYTE, partner, pair_tag, received_.data(), count,
                           MPI_BYTE, partner, pair_tag, members_, MPI_STATUS_IGNORE),
              "MPI_Sendrecv");
        late = late || (received_.front() & came_late) != 0;
    }
    const double mean_s = (clock_.local() - began_s) / tempo_.exchanges;
    return late || member_ > partner ? no_time : static_cast<float>(mean_s);
}

void PairTimer::send(int partner) {
    check(MPI_Send(message_.data(), static_cast<int>(message_.size()), MPI_BYTE, partner, pair_tag, members_),
          "MPI_Send");
}

void PairTimer::receive(int partner) {
    check(MPI_Recv(message_.data(), static_cast<int>(message_.size()), MPI_BYTE, partner, pair_tag, members_,
                   MPI_STATUS_IGNORE),
          "MPI_Recv");
}

} // namespace skampi
