! SPDX-License-Identifier: LGPL-2.1-or-later
! skalib for Fortran 2003: skalib.h by bind(c). Compile this file with your program and link -lskalib.
module skalib
    use, intrinsic :: iso_c_binding, only: c_double, c_int, c_int64_t, c_ptr, c_size_t
    implicit none

    integer(c_int), parameter :: skalib_repeatable = 1, skalib_max_count = 2, skalib_time_limit = 3
    integer(c_int), parameter :: skalib_fixed_linear = 0, skalib_fixed_log = 1, skalib_dynamic_linear = 2, skalib_dynamic_log = 3
    integer(c_int), parameter :: skalib_union = 0, skalib_first = 1, skalib_common = 2
    integer(c_int), parameter :: skalib_median = 0, skalib_mean = 1, skalib_minimum = 2
    integer(c_int), parameter :: skalib_by_count = 0, skalib_equal = 1, skalib_by_precision = 2

    type, bind(c) :: skalib_summary
        integer(c_int64_t) :: count
        real(c_double) :: mean_all, standard_error_all
        integer(c_int64_t) :: cut_count
        real(c_double) :: cut_mean, cut_standard_error, minimum, quartile25, median, quartile75, maximum
    end type
    type, bind(c) :: skalib_interval
        real(c_double) :: low, high, confidence
    end type
    type, bind(c) :: skalib_repetition_limits
        integer(c_int64_t) :: min_count, max_count
        real(c_double) :: max_relative_error, cut_quantile, max_time_s
        integer(c_int) :: classic
    end type
    type, bind(c) :: skalib_refinement_limits
        integer(c_int) :: scale
        integer(c_int64_t) :: start, end
        real(c_double) :: stepwidth
        integer(c_int64_t) :: multiple_of, min_distance, max_distance, max_steps
        real(c_double) :: max_relative_error
    end type
    type, bind(c) :: skalib_point
        integer(c_int64_t) :: argument
        real(c_double) :: value, standard_error, count
    end type
    type, bind(c) :: skalib_curve
        type(c_ptr) :: points
        integer(c_size_t) :: count
    end type
    type, bind(c) :: skalib_merged_point
        integer(c_int64_t) :: argument
        real(c_double) :: value, standard_error
        integer(c_int64_t) :: runs, chosen
        real(c_double) :: minimum, maximum
        type(skalib_interval) :: interval
    end type

    interface
        real(c_double) function skalib_steady_seconds() bind(c)
            import
        end function
        subroutine skalib_measure_clock(resolution_s, cost_s) bind(c)
            import
            real(c_double), intent(out) :: resolution_s, cost_s
        end subroutine
        integer(c_int64_t) function skalib_block_size(duration_s, target_s) bind(c)
            import
            real(c_double), value :: duration_s, target_s
        end function
        integer(c_int) function skalib_summarise(values, count, cut_quantile, summary) bind(c)
            import
            real(c_double), intent(in) :: values(*)
            integer(c_size_t), value :: count
            real(c_double), value :: cut_quantile
            type(skalib_summary), intent(out) :: summary
        end function
        integer(c_int) function skalib_median_interval(values, count, confidence, interval) bind(c)
            import
            real(c_double), intent(in) :: values(*)
            integer(c_size_t), value :: count
            real(c_double), value :: confidence
            type(skalib_interval), intent(out) :: interval
        end function
        subroutine skalib_usual_repetition(limits) bind(c)
            import
            type(skalib_repetition_limits), intent(out) :: limits
        end subroutine
        type(c_ptr) function skalib_repetition_create(limits, clock_resolution_s) bind(c)
            import
            type(skalib_repetition_limits), intent(in) :: limits
            real(c_double), value :: clock_resolution_s
        end function
        subroutine skalib_repetition_free(repetition) bind(c)
            import
            type(c_ptr), value :: repetition
        end subroutine
        integer(c_int) function skalib_repetition_add(repetition, value_s, calls) bind(c)
            import
            type(c_ptr), value :: repetition
            real(c_double), value :: value_s
            integer(c_int64_t), value :: calls
        end function
        subroutine skalib_repetition_set_time_used(repetition, time_s) bind(c)
            import
            type(c_ptr), value :: repetition
            real(c_double), value :: time_s
        end subroutine
        integer(c_int64_t) function skalib_repetition_wanted(repetition) bind(c)
            import
            type(c_ptr), value :: repetition
        end function
        integer(c_int) function skalib_repetition_reason(repetition) bind(c)
            import
            type(c_ptr), value :: repetition
        end function
        subroutine skalib_repetition_summary(repetition, summary) bind(c)
            import
            type(c_ptr), value :: repetition
            type(skalib_summary), intent(out) :: summary
        end subroutine
        subroutine skalib_usual_refinement(limits, start, end) bind(c)
            import
            type(skalib_refinement_limits), intent(out) :: limits
            integer(c_int64_t), value :: start, end
        end subroutine
        type(c_ptr) function skalib_refinement_create(limits) bind(c)
            import
            type(skalib_refinement_limits), intent(in) :: limits
        end function
        subroutine skalib_refinement_free(refinement) bind(c)
            import
            type(c_ptr), value :: refinement
        end subroutine
        integer(c_int) function skalib_refinement_next(refinement, argument) bind(c)
            import
            type(c_ptr), value :: refinement
            integer(c_int64_t), intent(inout) :: argument
        end function
        integer(c_int) function skalib_refinement_add(refinement, argument, value, standard_error) bind(c)
            import
            type(c_ptr), value :: refinement
            integer(c_int64_t), value :: argument
            real(c_double), value :: value, standard_error
        end function
        subroutine skalib_refinement_exclude(refinement, argument) bind(c)
            import
            type(c_ptr), value :: refinement
            integer(c_int64_t), value :: argument
        end subroutine
        integer(c_int) function skalib_weighted_median(points, count, index) bind(c)
            import
            type(skalib_point), intent(in) :: points(*)
            integer(c_size_t), value :: count
            integer(c_size_t), intent(out) :: index ! from 0
        end function
        integer(c_int) function skalib_merge_curves(runs, run_count, grid, value, weights, merged, room, count) bind(c)
            import
            type(skalib_curve), intent(in) :: runs(*)
            integer(c_size_t), value :: run_count
            integer(c_int), value :: grid, value, weights
            type(skalib_merged_point), intent(out) :: merged(*)
            integer(c_size_t), value :: room
            integer(c_size_t), intent(out) :: count
        end function
    end interface
end module
