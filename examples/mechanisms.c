/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SKaLib's mechanisms by themselves: qsort is repeated until its error is small, at lengths chosen where its curve bends,
 * in three runs, which are merged.
 *   cc -O2 mechanisms.c $(pkg-config --cflags --libs skalib) -o mechanisms && ./mechanisms */
#include <skalib/skalib.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { runs = 3, most_points = 64, longest = 4096 };

static int ascending(const void *a, const void *b) {
    return (*(const int *)a > *(const int *)b) - (*(const int *)a < *(const int *)b);
}

/* One measurement: sorts until the error is small. */
static int measure(const int *shuffled, int64_t length, double resolution_s, skalib_summary *summary) {
    static int work[longest];
    skalib_repetition_limits limits;
    skalib_usual_repetition(&limits);
    limits.max_count = 200;
    skalib_repetition *repetition = skalib_repetition_create(&limits, resolution_s);
    if (repetition == NULL)
        return SKALIB_IMPOSSIBLE;
    int code = SKALIB_OK;
    while (code == SKALIB_OK && skalib_repetition_wanted(repetition) > 0) {
        memcpy(work, shuffled, (size_t)length * sizeof *work);
        const double begin = skalib_steady_seconds();
        qsort(work, (size_t)length, sizeof *work, ascending);
        code = skalib_repetition_add(repetition, skalib_steady_seconds() - begin, 1);
    }
    skalib_repetition_summary(repetition, summary);
    skalib_repetition_free(repetition);
    return code;
}

/* One run: which lengths are measured depends on what was measured. */
static size_t measure_curve(const int *shuffled, double resolution_s, skalib_point *points) {
    skalib_refinement_limits limits;
    skalib_usual_refinement(&limits, 64, longest);
    limits.max_steps = 12;
    skalib_refinement *refinement = skalib_refinement_create(&limits);
    size_t count = 0;
    int64_t length;
    while (refinement != NULL && count < most_points && skalib_refinement_next(refinement, &length)) {
        skalib_summary s;
        if (measure(shuffled, length, resolution_s, &s) != SKALIB_OK ||
            skalib_refinement_add(refinement, length, s.cut_mean, s.cut_standard_error) != SKALIB_OK)
            break;
        size_t place = count++;
        for (; place > 0 && points[place - 1].argument > length; --place) /* refined lengths come in any order */
            points[place] = points[place - 1];
        points[place] = (skalib_point){length, s.cut_mean, s.cut_standard_error, (double)s.count};
    }
    skalib_refinement_free(refinement);
    return count;
}

int main(void) {
    static int shuffled[longest];
    static skalib_point points[runs][most_points];
    skalib_curve curves[runs];
    double resolution_s;
    skalib_measure_clock(&resolution_s, NULL);
    for (int i = 0; i < longest; ++i)
        shuffled[i] = rand();
    for (int run = 0; run < runs; ++run)
        curves[run] = (skalib_curve){points[run], measure_curve(shuffled, resolution_s, points[run])};
    skalib_merged_point merged[runs * most_points];
    size_t count = 0;
    if (skalib_merge_curves(curves, runs, SKALIB_UNION, SKALIB_MEDIAN, SKALIB_BY_PRECISION, merged, runs * most_points, &count) !=
        SKALIB_OK) {
        fprintf(stderr, "mechanisms: %s\n", skalib_last_error());
        return 1;
    }
    for (size_t i = 0; i < count; ++i)
        printf("%8lld %12.4g s  %lld runs, %.4g to %.4g s\n", (long long)merged[i].argument, merged[i].value,
               (long long)merged[i].runs, merged[i].minimum, merged[i].maximum);
    return count > 0 ? 0 : 1;
}
