/* SPDX-License-Identifier: LGPL-2.1-or-later */
/** \file
 * libskampi-mpi for C: your own operations among MPI ranks, measured as skampi-run measures MPI's. mpi.hpp explains the
 * parts of an operation. */
#ifndef SKAMPI_MPI_H
#define SKAMPI_MPI_H

#include <mpi.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/** What skampi_mpi_program_add returns. */
enum skampi_mpi_error {
    SKAMPI_MPI_OK = 0,
    SKAMPI_MPI_BAD_INPUT = 2, /**< skampi_mpi_last_error() describes the mistake */
    SKAMPI_MPI_IMPOSSIBLE = 3 /**< no memory */
};

/** How ranks come together, and whose time is taken. */
enum skampi_mpi_pattern {
    SKAMPI_MPI_PING_PONG = 0,
    SKAMPI_MPI_MASTER_WORKER = 1,
    SKAMPI_MPI_COLLECTIVE = 2,
    SKAMPI_MPI_SIMPLE = 3
};

/** What the time of a call is. */
enum skampi_mpi_meaning {
    SKAMPI_MPI_BY_PATTERN = 0, /**< collective, local or work; ping-pong must say */
    SKAMPI_MPI_ROUND_TRIP = 1,
    SKAMPI_MPI_ONE_WAY = 2,
    SKAMPI_MPI_EXCHANGE = 3,
    SKAMPI_MPI_WINDOW = 4,
    SKAMPI_MPI_ONE_SIDED = 5
};

/** What can be varied: a sum of these. The first one here that an operation has is its usual one. */
enum skampi_mpi_varied {
    SKAMPI_MPI_NOTHING = 0,
    SKAMPI_MPI_LENGTH = 1,
    SKAMPI_MPI_NODES = 2,
    SKAMPI_MPI_CHUNKS = 4
};

/** What a call works with. */
typedef struct skampi_mpi_call skampi_mpi_call;
MPI_Comm skampi_mpi_comm(const skampi_mpi_call *call);   /**< of those who take part; its errors return */
MPI_Fint skampi_mpi_comm_f(const skampi_mpi_call *call); /**< the same for Fortran */
int skampi_mpi_rank(const skampi_mpi_call *call);        /**< in it */
int skampi_mpi_size(const skampi_mpi_call *call); /**< ranks in it */
int skampi_mpi_partner(const skampi_mpi_call *call); /**< ping-pong: the other rank */
int64_t skampi_mpi_message_bytes(const skampi_mpi_call *call); /**< of one message */
int64_t skampi_mpi_chunks(const skampi_mpi_call *call); /**< pieces of work */
void *skampi_mpi_send_buffer(const skampi_mpi_call *call); /**< message_bytes * send_messages long */
void *skampi_mpi_receive_buffer(const skampi_mpi_call *call); /**< never overlaps the send buffer */

/** An operation to be measured. Parts that are NULL do nothing; all but name and call may be. Those that return int
 * return an MPI error code, `check` whether this rank's result is right (1) or not (0). */
typedef struct skampi_mpi_function {
    const char *name;  /**< for Type in the parameter file, unique; copied */
    const char *title; /**< for people; NULL = the name; copied */
    int type;          /**< a number for Type; 0 = by name only */
    int pattern;       /**< enum skampi_mpi_pattern */
    int meaning;       /**< enum skampi_mpi_meaning */
    unsigned varied;   /**< enum skampi_mpi_varied */
    int send_messages; /**< length of the send buffer in messages: 0, 1, or -1 = one for each rank */
    int receive_messages; /**< the same of the receive buffer */
    double messages; /**< messages of message_bytes that a call moves, for the bandwidth; 0 = none is reported */
    int (*setup)(const skampi_mpi_call *call, void *user);   /**< untimed, before an argument is measured */
    int (*call)(const skampi_mpi_call *call, void *user);    /**< what is measured */
    int (*partner)(const skampi_mpi_call *call, void *user); /**< ping-pong: what rank 1 does instead */
    int (*between)(const skampi_mpi_call *call, void *user); /**< untimed, after each call */
    int (*check)(const skampi_mpi_call *call, void *user);
    void (*teardown)(const skampi_mpi_call *call, void *user);
    void *user; /**< handed to all of them */
} skampi_mpi_function;

/** A measuring program: the operations added to it. */
typedef struct skampi_mpi_program skampi_mpi_program;

/** A program with the built-in operations only; NULL = no memory. */
skampi_mpi_program *skampi_mpi_program_create(void);
/** Adds an operation; every rank adds the same. Returns an enum skampi_mpi_error. */
int skampi_mpi_program_add(skampi_mpi_program *program, const skampi_mpi_function *function);
/** Measures, with the command line of skampi-run; initialises and finalises MPI where it does. Returns the exit status,
 * as skampi-run's; errors are printed on standard error. */
int skampi_mpi_program_run(skampi_mpi_program *program, int argc, char **argv);
/** Frees it; NULL is allowed. */
void skampi_mpi_program_free(skampi_mpi_program *program);

/** What was wrong in this thread's last call of skampi_mpi_program_add; "" = nothing. Valid until the next one. */
const char *skampi_mpi_last_error(void);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
