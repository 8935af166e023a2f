/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Measures qsort and memcpy over their sizes, with the plan sequential.skampi, into a database:
 *   cc -O2 sequential.c $(pkg-config --cflags --libs skampi) -o sequential
 *   ./sequential sequential.skampi -d sequential.db */
#include <skampi/skampi.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct numbers {
    size_t count;
    int *shuffled;
    int *work;
};

static int ascending(const void *a, const void *b) {
    return (*(const int *)a > *(const int *)b) - (*(const int *)a < *(const int *)b);
}

static void shuffle_again(const skampi_arguments *arguments, void *user) {
    struct numbers *numbers = user;
    (void)arguments;
    memcpy(numbers->work, numbers->shuffled, numbers->count * sizeof(int));
}

static int set_up(const skampi_arguments *arguments, void *user) {
    struct numbers *numbers = user;
    numbers->count = (size_t)arguments->message_bytes / sizeof(int);
    numbers->shuffled = malloc(numbers->count * sizeof(int) + 1);
    numbers->work = malloc(numbers->count * sizeof(int) + 1);
    if (numbers->shuffled == NULL || numbers->work == NULL)
        return 1;
    srand(1);
    for (size_t i = 0; i < numbers->count; ++i)
        numbers->shuffled[i] = rand();
    shuffle_again(arguments, user);
    return 0;
}

static void sort(const skampi_arguments *arguments, void *user) {
    struct numbers *numbers = user;
    (void)arguments;
    qsort(numbers->work, numbers->count, sizeof(int), ascending);
}

static void tear_down(void *user) {
    struct numbers *numbers = user;
    free(numbers->shuffled);
    free(numbers->work);
}

static void copy(const skampi_arguments *arguments, void *user) {
    (void)user;
    memcpy(arguments->target, arguments->source, (size_t)arguments->message_bytes);
}

int main(int argc, char **argv) {
    struct numbers numbers = {0, NULL, NULL};
    const skampi_function sorting = {.name = "std::sort", .title = "qsort", .varied = SKAMPI_LENGTH, .setup = set_up,
        .call = sort, .between = shuffle_again, .teardown = tear_down, .user = &numbers};
    const skampi_function copying = {.name = "memcpy", .varied = SKAMPI_LENGTH, .wants_buffers = 1, .messages = 1,
        .call = copy};
    skampi_program *program = skampi_program_create();
    if (skampi_program_add(program, &sorting) != SKAMPI_OK || skampi_program_add(program, &copying) != SKAMPI_OK) {
        fprintf(stderr, "%s\n", skampi_last_error());
        return 3;
    }
    const int status = skampi_program_run(program, argc, (const char *const *)argv);
    skampi_program_free(program);
    return status;
}
