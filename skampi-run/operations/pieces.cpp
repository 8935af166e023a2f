// SPDX-License-Identifier: LGPL-2.1-or-later
#include "operations/pieces.hpp"

#include <algorithm>

namespace skampi {
namespace {

constexpr int answer_tag = 1; // an announcement, too: a worker's first answer, and empty
constexpr int stop_tag = 3;

/// The master's books on one single measurement.
class Distribution {
public:
    Distribution(Call& call, Dispatch dispatch, bool posts)
        : call_(call)
        , dispatch_(dispatch)
        , posts_(posts)
        , left_(call.chunks > 0 ? call.chunks : call.size - 1)
        , busy_(call.size - 1) {
        std::fill(call.pieces.begin(), call.pieces.end(), -1);
    }

    /// Workers whose announcement or answer is still to come.
    [[nodiscard]] int busy() const { return busy_; }

    int post(int worker) {
        return SKAMPI_COUNTED(MPI_Irecv)(call_.receive + (worker - 1) * call_.message_bytes, call_.count,
                                         call_.type, worker, answer_tag, call_.comm,
                                         &call_.requests[index(worker)]);
    }

    int take_answer(int worker) {
        // The first is the announcement.
        if (++call_.pieces[static_cast<std::size_t>(worker)] > 0)
            call_.partner = worker;
        if (left_ == 0) {
            --busy_;
            return MPI_SUCCESS;
        }
        --left_;
        const int posted = posts_ ? post(worker) : MPI_SUCCESS;
        return first_error({posted, dispatch_(call_, worker, call_.sending[index(worker)])});
    }

private:
    static std::size_t index(int worker) { return static_cast<std::size_t>(worker - 1); }

    Call& call_;
    Dispatch dispatch_;
    bool posts_;
    std::int64_t left_;
    int busy_;
};

} // namespace

/// Receives that are never completed would take the messages of the next operation.
int withdraw_receives(Call& call) {
    int code = MPI_SUCCESS;
    for (MPI_Request& request : call.requests)
        if (request != MPI_REQUEST_NULL)
            code = first_error({code, MPI_Cancel(&request), MPI_Wait(&request, MPI_STATUS_IGNORE)});
    return code;
}

// After an error master and worker continue: the other side saw none, and waits for pieces and answers.

int serve_pieces(Call& call, Dispatch dispatch, Collect collect) {
    const int workers = call.size - 1;
    const auto is_worker = [&](int rank) { return rank >= 1 && rank <= workers; };
    Distribution distribution(call, dispatch, collect != Collect::any_source);
    int code = MPI_SUCCESS;
    if (collect != Collect::any_source)
        for (int worker = 1; worker <= workers; ++worker)
            code = first_error({code, distribution.post(worker)});
    while (distribution.busy() > 0) {
        if (collect == Collect::any_source) {
            MPI_Status status;
            status.MPI_SOURCE = MPI_ANY_SOURCE; // left so by a call that received nothing
            code =
                first_error({code, SKAMPI_COUNTED(MPI_Recv)(call.receive, call.count, call.type,
                                                            MPI_ANY_SOURCE, answer_tag, call.comm, &status)});
            if (!is_worker(status.MPI_SOURCE))
                break; // no worker remains
            code = first_error({code, distribution.take_answer(status.MPI_SOURCE)});
        } else {
            int arrived = 1;
            call.indices.front() = MPI_UNDEFINED;
            code = first_error({code, collect == Collect::any
                                          ? MPI_Waitany(workers, call.requests.data(), call.indices.data(),
                                                        MPI_STATUS_IGNORE)
                                          : MPI_Waitsome(workers, call.requests.data(), &arrived,
                                                         call.indices.data(), MPI_STATUSES_IGNORE)});
            if (arrived < 1 || !is_worker(call.indices.front() + 1))
                break;
            for (int i = 0; i < arrived; ++i)
                code = first_error(
                    {code, distribution.take_answer(call.indices[static_cast<std::size_t>(i)] + 1)});
        }
    }
    if (distribution.busy() > 0)
        code = first_error({code, withdraw_receives(call)});
    return first_error({code, MPI_Waitall(workers, call.sending.data(), MPI_STATUSES_IGNORE)});
}

int work_on_pieces(Call& call, bool whole) {
    call.pieces[0] = 0;
    MPI_Count length = 0;
    int code = MPI_SUCCESS;
    while (true) {
        const int sent = SKAMPI_COUNTED(MPI_Send)(call.send, length, call.type, 0, answer_tag, call.comm);
        MPI_Status status;
        status.MPI_TAG = MPI_ANY_TAG; // left so by a call that received nothing
        const int received =
            SKAMPI_COUNTED(MPI_Recv)(call.receive, call.count, call.type, 0, MPI_ANY_TAG, call.comm, &status);
        code = first_error({code, sent, received});
        if (status.MPI_TAG == stop_tag || status.MPI_TAG == MPI_ANY_TAG)
            return code;
        ++call.pieces[0];
        length = whole ? call.count : 0;
    }
}

int stop_workers(Call& call) {
    int code = MPI_SUCCESS;
    for (int worker = 1; worker < call.size && call.rank == 0; ++worker)
        code = first_error({code, MPI_Send(call.send, 0, call.type, worker, stop_tag, call.comm)});
    return code;
}

int set_up_pieces(Call& call) {
    const auto ranks = static_cast<std::size_t>(call.size);
    call.pieces.assign(ranks, 0);
    call.indices.assign(ranks, 0);
    call.requests.assign(ranks, MPI_REQUEST_NULL);
    call.sending.assign(ranks, MPI_REQUEST_NULL);
    return MPI_SUCCESS;
}

} // namespace skampi
