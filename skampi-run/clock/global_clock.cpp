// SPDX-License-Identifier: LGPL-2.1-or-later
#include "clock/global_clock.hpp"

#include "base/hash.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <time.h>

#ifdef SKAMPI_SIMULATED
#include <smpi/smpi_helpers.h> // makes nanosleep pass simulated time
#endif

namespace skampi {
namespace {

constexpr int exchanges = 16; // the fastest of so many is rarely disturbed
// Where they take longer, ranks share cores, and more of them would take seconds and bring no undisturbed
// one.
constexpr double longest_exchanges_s = 0.02;
constexpr int least_exchanges = 3;
constexpr int clock_tag = 4711;
constexpr char another = 1; // asks that say whether one follows
constexpr char last = 0;
constexpr double clock_step_s = 2e-8; // readings within one step of a clock are equal, or differ by a step

constexpr int first_sights = 10; // over the first baseline
constexpr int most_first_sights = 2 * first_sights;
// The bound grows by the former sights' bounds over their baseline: as long as half of that it stays below
// thrice the sights'.
constexpr double age_in_baselines = 0.5;
constexpr double longest_age_s = 10;

/// Answers one rank's questions for the time. @param reading the global time now, and its bound
template <typename Reading>
void serve(MPI_Comm comm, int asking, const Reading& reading, FirstError& error) {
    // Counted, too: nothing may have been received when there is an error.
    char ask = another;
    for (int i = 0; i < exchanges && ask == another; ++i) {
        error.note(MPI_Recv(&ask, 1, MPI_CHAR, asking, clock_tag, comm, MPI_STATUS_IGNORE), "MPI_Recv");
        const std::array<double, 2> answer = reading();
        error.note(MPI_Send(answer.data(), 2, MPI_DOUBLE, asking, clock_tag, comm), "MPI_Send");
    }
}

/// Asks another rank for the global time. @return the result of the fastest exchange
ClockSight ask(MPI_Comm comm, int serving, const LocalClock& local, FirstError& error) {
    ClockSight best;
    double fastest_s = std::numeric_limits<double>::infinity();
    const double first_s = local();
    char ask = another;
    for (int i = 1; ask == another; ++i) {
        std::array<double, 2> answer{};
        const double begin_s = local();
        const bool too_long = i >= least_exchanges && begin_s - first_s > longest_exchanges_s;
        ask = i == exchanges || too_long ? last : another;
        error.note(MPI_Send(&ask, 1, MPI_CHAR, serving, clock_tag, comm), "MPI_Send");
        error.note(MPI_Recv(answer.data(), 2, MPI_DOUBLE, serving, clock_tag, comm, MPI_STATUS_IGNORE),
                   "MPI_Recv");
        const double end_s = local();
        if (end_s - begin_s < fastest_s) {
            fastest_s = end_s - begin_s;
            best.local_s = (begin_s + end_s) / 2;
            best.offset_s = answer[0] - best.local_s;
            const double rounding_s =
                4 * std::numeric_limits<double>::epsilon() * std::max(std::abs(answer[0]), std::abs(end_s));
            best.bound_s = answer[1] + fastest_s / 2 + rounding_s + clock_step_s;
        }
    }
    return best;
}

/// Calls serve(child) and ask(parent) of a binomial tree with root 0, in an order in which each rank asks
/// before it serves.
template <typename Serve, typename Ask>
void along_tree(const Communicator& comm, const Serve& serve, const Ask& ask) {
    for (int distance = 1; distance < comm.size(); distance *= 2) {
        if (comm.rank() < distance && comm.rank() + distance < comm.size())
            serve(comm.rank() + distance);
        else if (comm.rank() >= distance && comm.rank() < 2 * distance)
            ask(comm.rank() - distance);
    }
}

struct Bytes {
    const unsigned char* send;
    unsigned char* receive;
    int count;
};
struct Route {
    int to;
    int from;
    int tag;
    MPI_Comm comm;
    Waiting waiting;
};

int exchange_bytes(const Bytes& bytes, const Route& route) {
    if (route.waiting == Waiting::busy)
        return MPI_Sendrecv(bytes.send, bytes.count, MPI_BYTE, route.to, route.tag, bytes.receive,
                            bytes.count, MPI_BYTE, route.from, route.tag, route.comm, MPI_STATUS_IGNORE);
    std::array<MPI_Request, 2> requests = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};
    const int receiving =
        MPI_Irecv(bytes.receive, bytes.count, MPI_BYTE, route.from, route.tag, route.comm, requests.data());
    const int sending =
        MPI_Isend(bytes.send, bytes.count, MPI_BYTE, route.to, route.tag, route.comm, &requests[1]);
    const int completing =
        complete(requests, route.waiting == Waiting::alert ? Pause::napping : Pause::yielding);
    return receiving != MPI_SUCCESS ? receiving : sending != MPI_SUCCESS ? sending : completing;
}

Communicator split(MPI_Comm comm, int color, int rank, FirstError& error) {
    MPI_Comm made = MPI_COMM_NULL;
    error.note(MPI_Comm_split(comm, color, rank, &made), "MPI_Comm_split");
    return Communicator(made);
}

} // namespace

void GlobalClock::find_sharers(MPI_Comm comm, FirstError& error) {
    int rank = 0;
    error.note(MPI_Comm_rank(comm, &rank), "MPI_Comm_rank");
    Fnv1a hash;
    hash.add(name_);
    if (name_.empty())
        hash.add_word(static_cast<std::uint64_t>(rank));
    // A colour has 31 bits: among 10,000 hosts some would be confused.
    constexpr std::uint64_t bits = 0x7fffffff;
    const Communicator half = split(comm, static_cast<int>((hash.value() >> 31) & bits), rank, error);
    sharers_ = half ? split(half.get(), static_cast<int>(hash.value() & bits), rank, error) : Communicator();
    if (sharers_ && !agrees_with_sharers(error)) // a copy of a virtual machine, say, has its original's names
        sharers_ = split(sharers_.get(), rank, rank, error);
    const bool first = sharers_ && sharers_.rank() == 0;
    firsts_ = split(comm, first ? 0 : MPI_UNDEFINED, rank, error);
    const int mine = firsts_ ? firsts_.size() : 0;
    error.note(MPI_Allreduce(&mine, &clocks_, 1, MPI_INT, MPI_MAX, comm), "MPI_Allreduce");
}

/// Whether ranks that should read one clock read the same time, as far as messages show.
bool GlobalClock::agrees_with_sharers(FirstError& error) const {
#ifdef SKAMPI_SIMULATED
    if (name_ == own_clock_name()) // not in question, and messages take simulated time
        return true;
#endif
    int differs = 0;
    along_tree(
        sharers_,
        [&](int child) {
            serve(
                sharers_.get(), child,
                [&] {
                    return std::array<double, 2>{local_(), 0};
                },
                error);
        },
        [&](int parent) {
            const ClockSight sight = ask(sharers_.get(), parent, local_, error);
            differs = std::abs(sight.offset_s) > sight.bound_s ? 1 : 0;
        });
    int any_differs = 0;
    error.note(MPI_Allreduce(&differs, &any_differs, 1, MPI_INT, MPI_MAX, sharers_.get()), "MPI_Allreduce");
    return any_differs == 0;
}

/// One sight of every clock. Values of clocks that were never seen are infinite.
ClockEstimate GlobalClock::look(MPI_Comm comm, FirstError& error) {
    ClockHistory::Check check;
    const bool leads = firsts_ && firsts_.rank() == 0;
    if (firsts_)
        along_tree(
            firsts_,
            [&](int child) {
                const double begin_s = local_();
                const double bound_s = leads ? 0 : history_.bound_s(begin_s);
                const double growth = leads ? 0 : history_.growth(begin_s);
                serve(
                    firsts_.get(), child,
                    [&] {
                        const double now_s = local_();
                        return std::array<double, 2>{leads ? now_s : history_.model().to_global(now_s),
                                                     bound_s + growth * (now_s - begin_s)};
                    },
                    error);
            },
            [&](int parent) { check = history_.add(ask(firsts_.get(), parent, local_, error)); });
    estimated_s_ = local_();
    // To those who read the same clock: model, bound, growth
    std::array<double, 5> known{};
    if (firsts_ && !leads)
        known = {history_.model().offset_s, history_.model().drift, history_.model().reference_s,
                 history_.bound_s(estimated_s_), history_.growth(estimated_s_)};
    if (sharers_)
        error.note(MPI_Bcast(known.data(), static_cast<int>(known.size()), MPI_DOUBLE, 0, sharers_.get()),
                   "MPI_Bcast");
    model_ = {.offset_s = known[0], .drift = known[1], .reference_s = known[2]};
    bound_s_ = known[3];
    growth_ = known[4];

    // Largest over all; a smallest is the largest of its negative. Rank 0 does not contribute.
    const bool contributes = firsts_ && !leads;
    constexpr double none = -std::numeric_limits<double>::infinity();
    const std::array<double, 9> mine = {
        contributes ? -static_cast<double>(history_.sights()) : none,
        contributes ? -history_.baseline_s() : none,
        bound_s_,
        growth_,
        std::abs(model_.drift),
        check.age_s,
        check.deviation_s,
        check.predicted_s,
        check.held ? 0.0 : 1.0,
    };
    std::array<double, 9> largest{};
    error.note(
        MPI_Allreduce(mine.data(), largest.data(), static_cast<int>(mine.size()), MPI_DOUBLE, MPI_MAX, comm),
        "MPI_Allreduce");
    baseline_s_ = -largest[1];
    return {.start_s = 0,
            .clocks = clocks_,
            .sights = static_cast<int>(-largest[0]),
            .baseline_s = baseline_s_,
            .bound_s = largest[2],
            .growth = largest[3],
            .drift = largest[4],
            .age_s = largest[5],
            .deviation_s = largest[6],
            .predicted_s = largest[7],
            .held = largest[8] == 0};
}

ClockEstimate GlobalClock::synchronise(MPI_Comm comm) {
    FirstError error;
    if (clocks_ == 0)
        find_sharers(comm, error);
    ClockEstimate estimate;
    if (clocks_ > 1) {
        const bool checks = estimated_;
        estimate = look(comm, error);
        const ClockEstimate first = estimate;
        // All have the same baseline, so all end together. After an error no rank may have it.
        bool held = first.held;
        for (int i = 0; i < most_first_sights && estimate.baseline_s < least_baseline_s_; ++i) {
            pass_time(
                std::min(1.01 * (least_baseline_s_ - estimate.baseline_s), least_baseline_s_ / first_sights));
            estimate = look(comm, error);
            held = held && estimate.held;
        }
        estimate.held = held;
        estimate.age_s = checks ? first.age_s : 0;
        estimate.deviation_s = checks ? first.deviation_s : 0;
        estimate.predicted_s = checks ? first.predicted_s : 0;
    }
    estimated_s_ = local_();
    estimated_ = true;
    error.raise();
    return estimate;
}

bool GlobalClock::due() const {
    if (!estimated_)
        return true;
    const double age_s = local_() - estimated_s_;
    return clocks_ > 1 && (age_s < 0 || age_s > std::min(age_in_baselines * baseline_s_, longest_age_s));
}

double GlobalClock::wait_until(double global_s, bool& late) const {
    const double until_s = model_.to_local(global_s);
    double now_s = local_();
    late = now_s > until_s;
#ifdef SKAMPI_SIMULATED
    if (now_s < until_s) {
        pass_time(until_s - now_s);
        now_s = local_();
    }
#endif
    while (now_s < until_s)
        now_s = local_();
    return now_s;
}

int dissemination_barrier(MPI_Comm comm, Waiting waiting) {
    int rank = 0;
    int size = 1;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    int first = MPI_SUCCESS;
    for (int distance = 1; distance < size; distance *= 2) {
        const int code = exchange_bytes(
            {.send = nullptr, .receive = nullptr, .count = 0},
            {(rank + distance) % size, (rank - distance + size) % size, clock_tag + 1, comm, waiting});
        if (first == MPI_SUCCESS)
            first = code;
    }
    return first;
}

int agreeing_barrier(MPI_Comm comm, unsigned char& wishes, Waiting waiting) {
    int rank = 0;
    int size = 1;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    int first = MPI_SUCCESS;
    for (int distance = 1; distance < size; distance *= 2) {
        const unsigned char sent = wishes;
        unsigned char heard = 0;
        const int code = exchange_bytes(
            {.send = &sent, .receive = &heard, .count = 1},
            {(rank + distance) % size, (rank - distance + size) % size, clock_tag + 2, comm, waiting});
        if (first == MPI_SUCCESS)
            first = code;
        wishes |= heard;
    }
    return first;
}

void pass_time(double seconds) {
    const auto nanoseconds = static_cast<std::int64_t>(std::max(0.0, std::ceil(seconds * 1e9)));
    timespec pause{};
    pause.tv_sec = static_cast<time_t>(nanoseconds / 1'000'000'000);
    pause.tv_nsec = static_cast<long>(nanoseconds % 1'000'000'000);
    nanosleep(&pause, nullptr);
}

} // namespace skampi
