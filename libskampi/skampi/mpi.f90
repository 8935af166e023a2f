! SPDX-License-Identifier: LGPL-2.1-or-later
! libskampi-mpi for Fortran: compile it with your program. mpi.h explains the parts of an operation.
module skampi_mpi
  use, intrinsic :: iso_c_binding
  implicit none

  integer(c_int), parameter :: skampi_mpi_ok = 0, skampi_mpi_bad_input = 2, skampi_mpi_impossible = 3
  integer(c_int), parameter :: skampi_mpi_ping_pong = 0, skampi_mpi_master_worker = 1, skampi_mpi_collective = 2, &
                               skampi_mpi_simple = 3
  integer(c_int), parameter :: skampi_mpi_by_pattern = 0, skampi_mpi_round_trip = 1, skampi_mpi_one_way = 2, &
                               skampi_mpi_exchange = 3, skampi_mpi_window = 4, skampi_mpi_one_sided = 5
  integer(c_int), parameter :: skampi_mpi_nothing = 0, skampi_mpi_length = 1, skampi_mpi_nodes = 2, &
                               skampi_mpi_chunks = 4

  ! An operation to be measured; parts left out do nothing. name and title end with c_null_char.
  type, bind(c) :: skampi_mpi_function
    type(c_ptr) :: name = c_null_ptr
    type(c_ptr) :: title = c_null_ptr
    integer(c_int) :: type = 0
    integer(c_int) :: pattern = skampi_mpi_collective
    integer(c_int) :: meaning = skampi_mpi_by_pattern
    integer(c_int) :: varied = skampi_mpi_length
    integer(c_int) :: send_messages = 0
    integer(c_int) :: receive_messages = 0
    real(c_double) :: messages = 0
    type(c_funptr) :: setup = c_null_funptr
    type(c_funptr) :: call = c_null_funptr
    type(c_funptr) :: partner = c_null_funptr
    type(c_funptr) :: between = c_null_funptr
    type(c_funptr) :: check = c_null_funptr
    type(c_funptr) :: teardown = c_null_funptr
    type(c_ptr) :: user = c_null_ptr
  end type

  interface
    ! Of a call (its first argument, by value): the communicator for Fortran, this rank in it, its size, ...
    integer(c_int) function skampi_mpi_comm_f(call) bind(c)
      import c_int, c_ptr
      type(c_ptr), value :: call
    end function
    integer(c_int) function skampi_mpi_rank(call) bind(c)
      import c_int, c_ptr
      type(c_ptr), value :: call
    end function
    integer(c_int) function skampi_mpi_size(call) bind(c)
      import c_int, c_ptr
      type(c_ptr), value :: call
    end function
    integer(c_int) function skampi_mpi_partner(call) bind(c)
      import c_int, c_ptr
      type(c_ptr), value :: call
    end function
    integer(c_int64_t) function skampi_mpi_message_bytes(call) bind(c)
      import c_int64_t, c_ptr
      type(c_ptr), value :: call
    end function
    integer(c_int64_t) function skampi_mpi_call_chunks(call) bind(c, name='skampi_mpi_chunks')
      import c_int64_t, c_ptr
      type(c_ptr), value :: call
    end function
    type(c_ptr) function skampi_mpi_send_buffer(call) bind(c)
      import c_ptr
      type(c_ptr), value :: call
    end function
    type(c_ptr) function skampi_mpi_receive_buffer(call) bind(c)
      import c_ptr
      type(c_ptr), value :: call
    end function

    type(c_ptr) function skampi_mpi_program_create() bind(c)
      import c_ptr
    end function
    integer(c_int) function skampi_mpi_program_add(program, func) bind(c)
      import c_int, c_ptr, skampi_mpi_function
      type(c_ptr), value :: program
      type(skampi_mpi_function), intent(in) :: func
    end function
    integer(c_int) function skampi_mpi_program_run(program, argc, argv) bind(c)
      import c_int, c_ptr
      type(c_ptr), value :: program
      integer(c_int), value :: argc
      type(c_ptr), intent(in) :: argv(*)
    end function
    subroutine skampi_mpi_program_free(program) bind(c)
      import c_ptr
      type(c_ptr), value :: program
    end subroutine
  end interface

contains

  ! skampi_mpi_program_run with the command line of this program. Returns the exit status.
  integer(c_int) function skampi_mpi_program_run_here(program) result(status)
    type(c_ptr), intent(in) :: program
    character(kind=c_char), allocatable, target :: words(:)
    type(c_ptr), allocatable :: argv(:)
    character(len=:), allocatable :: word
    integer :: i, k, length, place
    place = 0
    do i = 0, command_argument_count()
      call get_command_argument(i, length=length)
      place = place + length + 1
    end do
    allocate (words(place), argv(command_argument_count() + 2))
    place = 1
    do i = 0, command_argument_count()
      call get_command_argument(i, length=length)
      allocate (character(len=length) :: word)
      call get_command_argument(i, word)
      argv(i + 1) = c_loc(words(place))
      do k = 1, length
        words(place + k - 1) = word(k:k)
      end do
      words(place + length) = c_null_char
      place = place + length + 1
      deallocate (word)
    end do
    argv(command_argument_count() + 2) = c_null_ptr
    status = skampi_mpi_program_run(program, int(command_argument_count() + 1, c_int), argv)
  end function

end module
