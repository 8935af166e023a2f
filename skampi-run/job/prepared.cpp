// SPDX-License-Identifier: LGPL-2.1-or-later
#include "job/prepared.hpp"

#include "base/error.hpp"
#include "mpi/datatypes.hpp"
#include "operations/message_limit.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <new>
#include <utility>
#include <vector>

namespace skampi {
namespace {

void fill_call(Prepared& prepared, const CallSetting& setting, int type_bytes) {
    const Suite& suite = setting.suite;
    Call& call = prepared.call;
    call.message_bytes = setting.meaning.message_bytes;
    call.count = setting.meaning.message_bytes / type_bytes;
    call.comm = prepared.team->get();
    call.rank = prepared.team->rank();
    call.size = prepared.team->size();
    call.root = prepared.starts_together() ? suite.root : 0;
    call.partner = row_of(prepared.shape.pattern).has_partner ? 1 - call.rank : 0;
    call.chunks = setting.meaning.chunks;
    call.in_place = suite.in_place;
    call.path = suite.file;
}

/// The plan ends where it must, but a suite's first argument and its default length stay.
void refuse_too_long(const Prepared& prepared, const CallSetting& setting, int type_bytes) {
    const Suite& suite = setting.suite;
    const bool lengths = suite.varied == Varied::message_length;
    const MessageLimit limit = lengths
                                   ? limit_of_messages(*prepared.operation, suite.in_place,
                                                       prepared.call.size, setting.memory_bytes, type_bytes)
                                   : limit_of_calls(*prepared.operation, prepared.call.size, type_bytes);
    if (setting.meaning.message_bytes > limit.bytes)
        throw Error(ExitStatus::impossible,
                    fmt::format("messages of {} bytes are too long: {}, which ends them at {}",
                                setting.meaning.message_bytes, limit.reason, limit.bytes));
}

/// Where the call takes them: for a million ranks they are 24 MB on each.
void fill_counts(Prepared& prepared) {
    Call& call = prepared.call;
    const Displaced displaced = prepared.operation->displaced;
    const bool counted =
        displaced != Displaced::no || prepared.operation->delivers == Delivers::reduced_block;
    const auto ranks = static_cast<std::size_t>(call.size);
    call.counts = Counts(std::vector<MPI_Count>(counted ? ranks : 0, call.count));
    const std::int64_t unit = displaced == Displaced::by_bytes ? call.message_bytes : call.count;
    std::vector<MPI_Aint> displacements(displaced != Displaced::no ? ranks : 0);
    for (std::size_t r = 0; r < displacements.size(); ++r)
        displacements[r] = static_cast<MPI_Aint>(r) * unit;
    call.displacements = Displacements(std::move(displacements));
}

void reserve_buffers(Prepared& prepared, const CallSetting& setting, int type_bytes) {
    Call& call = prepared.call;
    const auto room_of = [&](std::int64_t message_bytes, int ranks) {
        return room_for(*prepared.operation, setting.suite.in_place, message_bytes, ranks,
                        call.rank == call.root, type_bytes);
    };
    const auto reserve = [&](std::int64_t message_bytes, int ranks) {
        const MessageRoom room = room_of(message_bytes, ranks);
        prepared.buffers.reserve(static_cast<std::size_t>(room.send), static_cast<std::size_t>(room.receive));
    };
    if (setting.new_suite) {
        // All arguments use the same pages: small ones would see others in the first pass than later.
        try {
            reserve(setting.last.message_bytes, setting.last.ranks);
        } catch (const std::bad_alloc&) {
            // The arguments there is memory for are measured.
        }
    }
    reserve(setting.meaning.message_bytes, call.size);
    call.send = prepared.buffers.send();
    call.receive = prepared.buffers.receive();
    call.attached_bytes = room_of(setting.meaning.message_bytes, call.size).attached;
    const auto attached = static_cast<std::size_t>(call.attached_bytes);
    if (prepared.attached.size() < attached)
        prepared.attached = Pages(attached, false);
    call.attached = prepared.attached.data();
}

} // namespace

void make_call_ready(Prepared& prepared, const CallSetting& setting) {
    Call& call = prepared.call;
    call = Call{};
    call.own = prepared.operation->own;
    call.type = datatype_handle(setting.suite.datatype);
    if (prepared.operation->reduces)
        call.reduction = reduction_handle(setting.suite.reduction);
    const int type_bytes = type_size(call.type);
    fill_call(prepared, setting, type_bytes);
    refuse_too_long(prepared, setting, type_bytes);
    fill_counts(prepared);
    reserve_buffers(prepared, setting, type_bytes);
}

} // namespace skampi
