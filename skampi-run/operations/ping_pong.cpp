// SPDX-License-Identifier: LGPL-2.1-or-later
// The ping-pong pattern's operations: `call` is rank 0's side of one round trip and is timed, `client` is the
// partner's. One row each.
#include "operations/tables.hpp"

namespace skampi {
namespace {

int send(Call& c) {
    return SKAMPI_COUNTED(MPI_Send)(c.send, c.count, c.type, c.partner, 0, c.comm);
}
int ssend(Call& c) {
    return SKAMPI_COUNTED(MPI_Ssend)(c.send, c.count, c.type, c.partner, 0, c.comm);
}
int bsend(Call& c) {
    return SKAMPI_COUNTED(MPI_Bsend)(c.send, c.count, c.type, c.partner, 0, c.comm);
}
int issend(Call& c) {
    MPI_Request request = MPI_REQUEST_NULL;
    return first_error({SKAMPI_COUNTED(MPI_Issend)(c.send, c.count, c.type, c.partner, 0, c.comm, &request),
                        MPI_Wait(&request, MPI_STATUS_IGNORE)});
}
int receive(Call& c) {
    return SKAMPI_COUNTED(MPI_Recv)(c.receive, c.count, c.type, c.partner, 0, c.comm, MPI_STATUS_IGNORE);
}
int receive_any_tag(Call& c) {
    return SKAMPI_COUNTED(MPI_Recv)(c.receive, c.count, c.type, c.partner, MPI_ANY_TAG, c.comm,
                                    MPI_STATUS_IGNORE);
}
int isend(Call& c) {
    MPI_Request request = MPI_REQUEST_NULL;
    return first_error({SKAMPI_COUNTED(MPI_Isend)(c.send, c.count, c.type, c.partner, 0, c.comm, &request),
                        MPI_Wait(&request, MPI_STATUS_IGNORE)});
}
int irecv(Call& c) {
    MPI_Request request = MPI_REQUEST_NULL;
    return first_error({SKAMPI_COUNTED(MPI_Irecv)(c.receive, c.count, c.type, c.partner, 0, c.comm, &request),
                        MPI_Wait(&request, MPI_STATUS_IGNORE)});
}
int iprobe_receive(Call& c) {
    int there = 0;
    int code = MPI_SUCCESS;
    while (there == 0 && code == MPI_SUCCESS)
        code = MPI_Iprobe(c.partner, 0, c.comm, &there, MPI_STATUS_IGNORE);
    return first_error({code, receive(c)});
}
int sendrecv(Call& c) {
    return SKAMPI_COUNTED(MPI_Sendrecv)(c.send, c.count, c.type, c.partner, 0, c.receive, c.count, c.type,
                                        c.partner, 0, c.comm, MPI_STATUS_IGNORE);
}
int sendrecv_replace(Call& c) {
    return SKAMPI_COUNTED(MPI_Sendrecv_replace)(c.receive, c.count, c.type, c.partner, 0, c.partner, 0,
                                                c.comm, MPI_STATUS_IGNORE);
}

/// First one half of a round trip, then the other.
template <CallFunction First, CallFunction Second>
int both(Call& c) {
    return first_error({First(c), Second(c)});
}

Operation both_ways(int type, const char* name, const char* title, CallFunction call, CallFunction client) {
    return {.type = type,
            .name = name,
            .title = title,
            .pattern = Pattern::ping_pong,
            .meaning = Meaning::round_trip,
            .varied = {Varied::message_length},
            .send = Extent::one,
            .receive = Extent::one,
            .messages = 2,
            .delivers = Delivers::from_partner,
            .call = call,
            .client = client};
}
/// A message there with Send, and one back in the same way.
/// @param sends,receives what the calls of either half are, for people
template <CallFunction Send, CallFunction Receive>
Operation round_trip(int type, const char* name, const char* title, const std::string& sends,
                     const std::string& receives) {
    Operation row = both_ways(type, name, title, both<Send, Receive>, both<Receive, Send>);
    row.calls = sends + ", " + receives;
    row.client_calls = receives + ", " + sends;
    return row;
}
/// Both ranks make the same call at the same time: nothing answers, and the time is not two ways.
Operation exchange(int type, const char* name, CallFunction call) {
    Operation row = both_ways(type, name, name, call, call);
    row.meaning = Meaning::exchange;
    row.calls = name;
    row.does = "sends a message to the partner and receives one of the same length in the same call";
    return row;
}

} // namespace

std::vector<Operation> ping_pong_operations() {
    std::vector<Operation> rows = {
        round_trip<send, receive>(1, "MPI_Send-MPI_Recv", "MPI_Send to MPI_Recv", "MPI_Send", "MPI_Recv"),
        round_trip<send, receive_any_tag>(2, "MPI_Send-MPI_Recv_any_tag",
                                          "MPI_Send to MPI_Recv, receiving with MPI_ANY_TAG", "MPI_Send",
                                          "MPI_Recv from MPI_ANY_TAG"),
        round_trip<send, irecv>(3, "MPI_Send-MPI_Irecv", "MPI_Send to MPI_Irecv", "MPI_Send",
                                "MPI_Irecv, MPI_Wait"),
        round_trip<send, iprobe_receive>(4, "MPI_Send-MPI_Iprobe-MPI_Recv",
                                         "MPI_Send to MPI_Iprobe followed by MPI_Recv", "MPI_Send",
                                         "MPI_Iprobe until it succeeds, MPI_Recv"),
        round_trip<ssend, receive>(5, "MPI_Ssend-MPI_Recv", "MPI_Ssend to MPI_Recv", "MPI_Ssend", "MPI_Recv"),
        round_trip<isend, receive>(6, "MPI_Isend-MPI_Recv", "MPI_Isend to MPI_Recv", "MPI_Isend, MPI_Wait",
                                   "MPI_Recv"),
        round_trip<bsend, receive>(7, "MPI_Bsend-MPI_Recv", "MPI_Bsend to MPI_Recv", "MPI_Bsend", "MPI_Recv"),
        exchange(8, "MPI_Sendrecv", sendrecv),
        exchange(9, "MPI_Sendrecv_replace", sendrecv_replace),
        round_trip<issend, receive>(0, "MPI_Issend-MPI_Recv", "MPI_Issend to MPI_Recv",
                                    "MPI_Issend, MPI_Wait", "MPI_Recv"),
    };
    for (Operation& row : rows) {
        if (row.name.starts_with("MPI_Ssend") || row.name.starts_with("MPI_Issend"))
            row.does = "sends a message that counts as sent when its receive has begun, and gets one back so";
        if (row.type == 7) {
            row.does = "sends a message from a buffer given to MPI before, and gets one back in the same way";
            row.attached = Extent::one;
            row.setup = attach;
            row.teardown = detach;
        }
        if (row.type == 9)
            row.send = Extent::none; // the message sent is overwritten by the partner's
    }
    return rows;
}

} // namespace skampi
