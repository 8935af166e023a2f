! SPDX-License-Identifier: LGPL-2.1-or-later
! SKaLib's mechanisms by themselves, in Fortran: a matrix product is repeated until its error is small, for sizes chosen
! where its curve bends. At the end the manual's example of merging: 899 in 10, 901 in 4 and 910 in 4 measurements.
!   inc=$(pkg-config --variable=includedir skalib)/skalib
!   gfortran -O2 $inc/skalib.f90 mechanisms.f90 $(pkg-config --libs skalib) -o mechanisms && ./mechanisms
program mechanisms
    use, intrinsic :: iso_c_binding
    use skalib
    implicit none
    type(skalib_refinement_limits) :: range
    type(skalib_summary) :: found
    type(skalib_point) :: values(3)
    type(c_ptr) :: refinement
    integer(c_int64_t) :: size = 0
    integer(c_size_t) :: middle

    call skalib_usual_refinement(range, 8_c_int64_t, 96_c_int64_t)
    range%max_steps = 8
    refinement = skalib_refinement_create(range)
    if (.not. c_associated(refinement)) error stop 'an impossible range'
    do while (skalib_refinement_next(refinement, size) == 1)
        found = measured(int(size))
        if (skalib_refinement_add(refinement, size, found%cut_mean, found%cut_standard_error) /= 0) error stop 'no value'
        print '(i6, es12.3, a, i5, a)', size, found%cut_mean, ' s  ', found%count, ' times'
    end do
    call skalib_refinement_free(refinement)

    values = [skalib_point(0, 910d0, 1d0, 4d0), skalib_point(0, 899d0, 1d0, 10d0), skalib_point(0, 901d0, 1d0, 4d0)]
    if (skalib_weighted_median(values, 3_c_size_t, middle) /= 0) error stop 'no median'
    print '(a, i4)', 'merged:', nint(values(middle + 1)%value)
contains
    function measured(n) result(summary)
        integer, intent(in) :: n
        type(skalib_summary) :: summary
        type(skalib_repetition_limits) :: limits
        type(c_ptr) :: repetition
        real :: a(n, n), b(n, n), c(n, n)
        real(c_double) :: resolution_s, cost_s, begin_s

        call skalib_measure_clock(resolution_s, cost_s)
        call skalib_usual_repetition(limits)
        limits%max_count = 200
        repetition = skalib_repetition_create(limits, resolution_s)
        if (.not. c_associated(repetition)) error stop 'an impossible limit'
        call random_number(a)
        call random_number(b)
        do while (skalib_repetition_wanted(repetition) > 0)
            begin_s = skalib_steady_seconds()
            c = matmul(a, b)
            if (skalib_repetition_add(repetition, skalib_steady_seconds() - begin_s, 1_c_int64_t) /= 0) error stop 'no time'
            a(1, 1) = c(1, 1) ! what is computed is used
        end do
        call skalib_repetition_summary(repetition, summary)
        call skalib_repetition_free(repetition)
    end function
end program
