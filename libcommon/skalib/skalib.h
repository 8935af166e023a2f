/* SPDX-License-Identifier: LGPL-2.1-or-later */
/** \file
 * skalib for C: when to repeat (ASEC), where to measure (APR), how to merge (AMR), and the statistics of all three.
 * Plain functions over values that you measure; none reads a clock but skalib_measure_clock(). What each does is
 * described with the C++ function of the same name, in repetition.hpp, refinement.hpp, merge.hpp and statistics.hpp. */
#ifndef SKALIB_SKALIB_H
#define SKALIB_SKALIB_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/** What the functions return that can fail. */
enum skalib_error {
    SKALIB_OK = 0,
    SKALIB_BAD_INPUT = 2, /**< skalib_last_error() describes the mistake */
    SKALIB_IMPOSSIBLE = 3 /**< no memory */
};
/** What was wrong in this thread's last call of a function here; "" = nothing. Valid until the next call. */
const char *skalib_last_error(void);

/* ---- clock ---- */

/** The machine's steady clock in seconds. */
double skalib_steady_seconds(void);
/** Measures that clock. @param resolution_s its smallest step @param cost_s of a reading; either may be NULL */
void skalib_measure_clock(double *resolution_s, double *cost_s);
/** Calls in a timed block so that the clock's step and cost stay below the wanted error. @param duration_s of a call */
int64_t skalib_block_size(double duration_s, double target_s);

/* ---- statistics ---- */

/** Of single measurements, in their unit. */
typedef struct skalib_summary {
    int64_t count;             /**< all values */
    double mean_all;           /**< of all values */
    double standard_error_all; /**< SKaLib eq. 3.4 */
    int64_t cut_count;         /**< values left after the cut */
    double cut_mean;           /**< the value of a measurement */
    double cut_standard_error; /**< its error */
    double minimum, quartile25, median, quartile75, maximum;
} skalib_summary;
typedef struct skalib_interval {
    double low, high;
    double confidence; /**< the level reached; 0 = none can be given */
} skalib_interval;

/** @param cut_quantile share cut off at each end, 0 <= cut_quantile < 0.5. Returns an enum skalib_error. */
int skalib_summarise(const double *values, size_t count, double cut_quantile, skalib_summary *summary);
/** Distribution-free interval of the median. Returns an enum skalib_error. */
int skalib_median_interval(const double *values, size_t count, double confidence, skalib_interval *interval);

/* ---- repetition (ASEC) ---- */

/** When a measurement has been repeated often enough (SKaLib 3.2.1). */
typedef struct skalib_repetition_limits {
    int64_t min_count;         /**< >= 1 */
    int64_t max_count;         /**< 0 = no limit */
    double max_relative_error; /**< as a share, > 0 */
    double cut_quantile;
    double max_time_s; /**< 0 = no limit */
    int classic;       /**< 1 = the error of the mean of all values (SKaLib eq. 3.4), else that of the cut mean */
} skalib_repetition_limits;
enum skalib_stop_reason { SKALIB_NOT_STOPPED, SKALIB_REPEATABLE, SKALIB_MAX_COUNT, SKALIB_TIME_LIMIT };
typedef struct skalib_repetition skalib_repetition;

/** The usual limits. */
void skalib_usual_repetition(skalib_repetition_limits *limits);
/** One measurement without values. NULL = an impossible limit or no memory (skalib_last_error()). */
skalib_repetition *skalib_repetition_create(const skalib_repetition_limits *limits, double clock_resolution_s);
void skalib_repetition_free(skalib_repetition *repetition); /**< NULL is allowed */
/** Adds a single measurement: the time of a call, from a block of so many. Returns an enum skalib_error. */
int skalib_repetition_add(skalib_repetition *repetition, double value_s, int64_t calls);
/** Time spent on this measurement so far, by your clock. */
void skalib_repetition_set_time_used(skalib_repetition *repetition, double time_s);
/** How many more single measurements are wanted; 0 = done. */
int64_t skalib_repetition_wanted(const skalib_repetition *repetition);
/** An enum skalib_stop_reason. */
int skalib_repetition_reason(const skalib_repetition *repetition);
void skalib_repetition_summary(const skalib_repetition *repetition, skalib_summary *summary);

/* ---- refinement (APR) ---- */

enum skalib_scale { SKALIB_FIXED_LINEAR, SKALIB_FIXED_LOG, SKALIB_DYNAMIC_LINEAR, SKALIB_DYNAMIC_LOG };
/** Where to measure (SKaLib 3.3). */
typedef struct skalib_refinement_limits {
    int scale; /**< enum skalib_scale */
    int64_t start, end;
    double stepwidth; /**< factor on log scales, distance on linear ones; 0 = chosen */
    int64_t multiple_of;
    int64_t min_distance;
    int64_t max_distance; /**< 0 = no limit */
    int64_t max_steps;    /**< 0 = no limit */
    double max_relative_error;
} skalib_refinement_limits;
typedef struct skalib_refinement skalib_refinement;

/** The usual limits for a range. */
void skalib_usual_refinement(skalib_refinement_limits *limits, int64_t start, int64_t end);
/** A suite without points. NULL = an impossible limit or no memory (skalib_last_error()). */
skalib_refinement *skalib_refinement_create(const skalib_refinement_limits *limits);
void skalib_refinement_free(skalib_refinement *refinement); /**< NULL is allowed */
/** The argument to measure next. Returns 1, or 0 = finished. */
int skalib_refinement_next(const skalib_refinement *refinement, int64_t *argument);
/** Adds a measured point. @param standard_error 0 = unknown. Returns an enum skalib_error. */
int skalib_refinement_add(skalib_refinement *refinement, int64_t argument, double value, double standard_error);
/** This argument cannot be measured. */
void skalib_refinement_exclude(skalib_refinement *refinement, int64_t argument);

/* ---- merging (AMR) ---- */

/** A value of one run. */
typedef struct skalib_point {
    int64_t argument;
    double value;
    double standard_error;
    double count; /**< single measurements; 0 = no value here */
} skalib_point;
/** The points of one run, by ascending arguments. */
typedef struct skalib_curve {
    const skalib_point *points;
    size_t count;
} skalib_curve;
enum skalib_grid { SKALIB_UNION, SKALIB_FIRST, SKALIB_COMMON };
enum skalib_merged_value { SKALIB_MEDIAN, SKALIB_MEAN, SKALIB_MINIMUM };
enum skalib_weights { SKALIB_BY_COUNT, SKALIB_EQUAL, SKALIB_BY_PRECISION };
typedef struct skalib_merged_point {
    int64_t argument;
    double value;
    double standard_error;    /**< within runs */
    int64_t runs;             /**< that have a value here */
    int64_t chosen;           /**< index of the run that gave the value */
    double minimum, maximum;  /**< of the runs' values */
    skalib_interval interval; /**< of this kind of value, between runs */
} skalib_merged_point;

/** Index of the weighted median (SKaLib 3.4.1: 899/10, 901/4, 910/4 gives 899). Returns an enum skalib_error.
 * @param points their arguments mean nothing @param index of one of them */
int skalib_weighted_median(const skalib_point *points, size_t count, size_t *index);
/** Merges the curves of one suite from several runs. Returns an enum skalib_error.
 * @param grid,value,weights enums @param merged of so much room; NULL = only count @param count of all merged points */
int skalib_merge_curves(const skalib_curve *runs, size_t run_count, int grid, int value, int weights,
                        skalib_merged_point *merged, size_t room, size_t *count);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
