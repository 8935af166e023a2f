/* SPDX-License-Identifier: LGPL-2.1-or-later */
/** \file
 * libskampi for C: measures your own functions as a parameter file asks, into a result file. functions.hpp explains the
 * parts of a function. */
#ifndef SKAMPI_SKAMPI_H
#define SKAMPI_SKAMPI_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/** What skampi_program_add returns. */
enum skampi_error {
    SKAMPI_OK = 0,
    SKAMPI_BAD_INPUT = 2, /**< skampi_last_error() describes the mistake */
    SKAMPI_IMPOSSIBLE = 3 /**< no memory */
};

/** What can be varied: a sum of these. The first one here that a function has is its usual one. */
enum skampi_varied {
    SKAMPI_NOTHING = 0,
    SKAMPI_LENGTH = 1,
    SKAMPI_NODES = 2,
    SKAMPI_CHUNKS = 4,
    SKAMPI_ARGUMENT = 8 /**< whatever the function takes: argument_name */
};

/** What a function is made ready for. */
typedef struct skampi_arguments {
    int64_t argument;      /**< what is varied, whatever that is */
    int64_t message_bytes; /**< with Variation = Length the argument, else Default_Message_length */
    int64_t chunks;        /**< with Variation = Chunks the argument, else Default_Chunks */
    void *source;          /**< memory as the key Buffers says, message_bytes long; NULL without wants_buffers */
    void *target; /**< the same, never overlapping source */
} skampi_arguments;

/** A function to be measured. Parts that are NULL do nothing; all but name and call may be. */
typedef struct skampi_function {
    const char *name;  /**< for Type in the parameter file, unique; copied */
    const char *title; /**< for people; NULL = the name; copied */
    int type;          /**< a number for Type; 0 = by name only */
    unsigned varied;   /**< enum skampi_varied; SKAMPI_NODES only among MPI ranks */
    int wants_buffers; /**< 1 = setup, call, ... get source and target */
    double messages; /**< messages of message_bytes that a call moves, for the bandwidth; 0 = none is reported */
    /** Untimed, before an argument is measured. 0 = ready; anything else: the argument cannot be measured. */
    int (*setup)(const skampi_arguments *arguments, void *user);
    void (*call)(const skampi_arguments *arguments, void *user);    /**< what is measured */
    void (*between)(const skampi_arguments *arguments, void *user); /**< untimed, after each call */
    int (*check)(const skampi_arguments *arguments, void *user);    /**< 1 = the result is right */
    void (*teardown)(void *user); /**< untimed, after the argument; also after an error */
    void *user; /**< handed to all of them */
    const char *argument_name; /**< what SKAMPI_ARGUMENT varies, for reports: "threads"; NULL = "argument"; copied */
    const char *argument_unit; /**< its unit; NULL = none; copied */
} skampi_function;

/** A measuring program: the functions added to it. */
typedef struct skampi_program skampi_program;

/** An empty program; NULL = no memory. */
skampi_program *skampi_program_create(void);
/** Adds a function. Returns an enum skampi_error. */
int skampi_program_add(skampi_program *program, const skampi_function *function);
/** Measures, with the command line of skampi-run. Returns the exit status, as skampi-run's; errors are printed on
 * standard error, and given by skampi_last_error(). */
int skampi_program_run(skampi_program *program, int argc, const char *const *argv);
/** Frees it; NULL is allowed. */
void skampi_program_free(skampi_program *program);

/** What was wrong in this thread's last call of a function here; "" = nothing. Valid until the next call. */
const char *skampi_last_error(void);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
