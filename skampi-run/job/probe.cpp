// SPDX-License-Identifier: LGPL-2.1-or-later
#include "job/probe.hpp"

#include "host/core_probe.hpp"
#include "skalib/statistics.hpp"

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>

namespace skampi {
namespace {

constexpr int probe_calls = 4;
constexpr int probe_tag = 4712;
constexpr const char* probing_words = "a probe of the machine's state";
constexpr char one_more = 1; // said by the last message of a block: one more follows

/// One byte from rank 0 to another rank and back; only these two call it. Nothing but the messages takes
/// time.
/// @param what is done, for errors   @param turned called on the other rank in between
template <typename Turned = decltype([] {})>
void round_trip(const Communicator& comm, int other, char& byte, FirstError& failed, const char* what,
                const Turned& turned = {}) {
    const auto note = [&](int code) {
        if (code != MPI_SUCCESS)
            failed.note(code, what);
    };
    if (comm.rank() == 0) {
        note(MPI_Send(&byte, 1, MPI_BYTE, other, probe_tag, comm.get()));
        note(MPI_Recv(&byte, 1, MPI_BYTE, other, probe_tag, comm.get(), MPI_STATUS_IGNORE));
    } else {
        note(MPI_Recv(&byte, 1, MPI_BYTE, 0, probe_tag, comm.get(), MPI_STATUS_IGNORE));
        turned();
        note(MPI_Send(&byte, 1, MPI_BYTE, 0, probe_tag, comm.get()));
    }
}

} // namespace

double Prober::probe(const std::function<bool()>& over) const {
    const int last = team_.size() - 1;
    if (last == 0)
        return core_probe([this] { return clock_.local(); },
                          over); // alone there is only the core itself to ask
    std::vector<double> blocks;
    char byte = 0;
    const int rank = team_.rank();
    do {
        const double begin_s = clock_.local();
        for (int i = 0; i < probe_calls; ++i) {
            if (rank == 0)
                byte = i + 1 == probe_calls && blocks.size() + 1 < probe_blocks && !over() ? one_more : 0;
            if (rank == 0 || rank == last)
                round_trip(team_, last, byte, failed_, probing_words);
        }
        blocks.push_back((clock_.local() - begin_s) / probe_calls);
    } while (byte == one_more && blocks.size() < probe_blocks);
    return skalib::upper_median(std::move(blocks));
}

/// When the last rank had received, and which clock it reads: brought from there to rank 0. @return empty on
/// the last rank
std::vector<double> Prober::arrivals(std::vector<double> mine, std::size_t trips) const {
    const int last = team_.size() - 1;
    const auto send_or_receive = [&](int code) { failed_.note(code, probing_words); };
    if (team_.rank() == last) {
        send_or_receive(
            MPI_Send(mine.data(), static_cast<int>(mine.size()), MPI_DOUBLE, 0, probe_tag, team_.get()));
        return {};
    }
    std::vector<double> arrived(trips + 1);
    send_or_receive(MPI_Recv(arrived.data(), static_cast<int>(arrived.size()), MPI_DOUBLE, last, probe_tag,
                             team_.get(), MPI_STATUS_IGNORE));
    return arrived;
}

double Prober::find_way_there(const std::function<bool()>& over) const {
    const int rank = team_.rank();
    const int last = team_.size() - 1;
    if (last == 0 || (rank != 0 && rank != last))
        return 0;
    constexpr std::size_t most_trips = 24;
    char byte = 0;
    std::vector<Trip> trips;
    std::vector<double> seen; // by the last rank
    do {
        if (rank == 0)
            byte = trips.empty() || (trips.size() + 1 < most_trips && !over()) ? one_more : 0;
        const double begin_s = clock_.local();
        round_trip(team_, last, byte, failed_, probing_words, [&] { seen.push_back(clock_.local()); });
        trips.push_back({begin_s, clock_.local()});
    } while (byte == one_more);
    const auto clock_read = static_cast<double>(std::hash<std::string>{}(clock_.name()));
    seen.push_back(clock_read);
    const std::vector<double> arrived = arrivals(std::move(seen), trips.size());
    if (arrived.empty() || failed_.seen() || clock_.name().empty() || arrived.back() != clock_read)
        return 0;
    std::vector<double> shares;
    for (std::size_t i = 1; i < trips.size(); ++i)
        if (const auto [sent_s, back_s] = trips[i]; sent_s < arrived[i] && arrived[i] < back_s)
            shares.push_back((arrived[i] - sent_s) / (back_s - sent_s));
    return shares.empty() ? 0 : skalib::upper_median(std::move(shares));
}

double Prober::latency_s(int other) const {
    constexpr int warm_up = 2;
    constexpr int blocks = 3;
    constexpr int calls = 4;
    char byte = 0;
    double best_s = -1;
    for (int block = -1; block < blocks; ++block) {
        const double begin_s = clock_.local();
        for (int i = 0; i < (block < 0 ? warm_up : calls); ++i)
            round_trip(team_, other, byte, failed_, "a ping-pong");
        const double block_s = clock_.local() - begin_s;
        if (block >= 0 && (best_s < 0 || block_s < best_s))
            best_s = block_s;
    }
    return best_s;
}

} // namespace skampi
