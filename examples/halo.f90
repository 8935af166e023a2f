! SPDX-License-Identifier: LGPL-2.1-or-later
! Exchanges the four edges of a square block with the neighbours in a periodic 2-D grid of ranks. Rows are sent by a
! derived datatype, or packed by hand. halo.skampi has the plan:
!   P=$(pkg-config --variable=includedir skampi-mpi)/skampi/mpi.f90
!   mpifort -O2 $P halo.f90 $(pkg-config --libs skampi-mpi) -o halo
!   mpiexec -n 4 ./halo halo.skampi -d halo.db
module halo_exchange
  use, intrinsic :: iso_c_binding
  use mpi
  use skampi_mpi
  implicit none

  integer :: edge, comm, row
  integer :: neighbours(4) ! above, below, left, right
  real(c_double), allocatable :: block(:, :), packed(:), unpacked(:)

contains

  ! A row of this column-major block is not contiguous in memory: the datatype describes it.
  integer(c_int) function set_up(call_, user) bind(c) result(code)
    type(c_ptr), value :: call_, user
    integer :: shape(2)
    edge = int(skampi_mpi_message_bytes(call_) / 8)
    if (allocated(block)) deallocate (block, packed, unpacked)
    allocate (block(0:edge + 1, 0:edge + 1), packed(edge), unpacked(edge))
    block = skampi_mpi_rank(call_)
    shape = 0
    call MPI_Dims_create(int(skampi_mpi_size(call_)), 2, shape, code)
    call MPI_Cart_create(int(skampi_mpi_comm_f(call_)), 2, shape, [.true., .true.], .false., comm, code)
    call MPI_Cart_shift(comm, 0, 1, neighbours(1), neighbours(2), code)
    call MPI_Cart_shift(comm, 1, 1, neighbours(3), neighbours(4), code)
    call MPI_Type_vector(edge, 1, edge + 2, MPI_DOUBLE_PRECISION, row, code)
    call MPI_Type_commit(row, code)
  end function

  subroutine tear_down(call_, user) bind(c)
    type(c_ptr), value :: call_, user
    integer :: code
    call MPI_Type_free(row, code)
    call MPI_Comm_free(comm, code)
  end subroutine

  integer(c_int) function columns() result(code)
    call MPI_Sendrecv(block(1, 1), edge, MPI_DOUBLE_PRECISION, neighbours(3), 0, block(1, edge + 1), edge, &
                      MPI_DOUBLE_PRECISION, neighbours(4), 0, comm, MPI_STATUS_IGNORE, code)
    if (code /= MPI_SUCCESS) return
    call MPI_Sendrecv(block(1, edge), edge, MPI_DOUBLE_PRECISION, neighbours(4), 0, block(1, 0), edge, &
                      MPI_DOUBLE_PRECISION, neighbours(3), 0, comm, MPI_STATUS_IGNORE, code)
  end function

  integer(c_int) function by_datatypes(call_, user) bind(c) result(code)
    type(c_ptr), value :: call_, user
    code = columns()
    if (code /= MPI_SUCCESS) return
    call MPI_Sendrecv(block(1, 1), 1, row, neighbours(1), 0, block(edge + 1, 1), 1, row, neighbours(2), 0, comm, &
                      MPI_STATUS_IGNORE, code)
    if (code /= MPI_SUCCESS) return
    call MPI_Sendrecv(block(edge, 1), 1, row, neighbours(2), 0, block(0, 1), 1, row, neighbours(1), 0, comm, &
                      MPI_STATUS_IGNORE, code)
  end function

  integer(c_int) function by_packing(call_, user) bind(c) result(code)
    type(c_ptr), value :: call_, user
    code = columns()
    if (code /= MPI_SUCCESS) return
    packed = block(1, 1:edge)
    call MPI_Sendrecv(packed, edge, MPI_DOUBLE_PRECISION, neighbours(1), 0, unpacked, edge, &
                      MPI_DOUBLE_PRECISION, neighbours(2), 0, comm, MPI_STATUS_IGNORE, code)
    block(edge + 1, 1:edge) = unpacked
    if (code /= MPI_SUCCESS) return
    packed = block(edge, 1:edge)
    call MPI_Sendrecv(packed, edge, MPI_DOUBLE_PRECISION, neighbours(2), 0, unpacked, edge, &
                      MPI_DOUBLE_PRECISION, neighbours(1), 0, comm, MPI_STATUS_IGNORE, code)
    block(0, 1:edge) = unpacked
  end function

  integer(c_int) function is_right(call_, user) bind(c) result(right)
    type(c_ptr), value :: call_, user
    right = 0
    if (all(nint([block(0, edge), block(edge + 1, edge), block(edge, 0), block(edge, edge + 1)]) == neighbours)) &
      right = 1
  end function

end module

program halo
  use halo_exchange
  implicit none
  character(kind=c_char, len=15), target :: names(2) = ['Halo-datatypes'//c_null_char, 'Halo-packed   '//c_null_char]
  type(skampi_mpi_function) :: operation
  type(c_ptr) :: measuring
  integer(c_int) :: status
  integer :: i

  names(2) = 'Halo-packed'//c_null_char
  measuring = skampi_mpi_program_create()
  do i = 1, 2
    operation%name = c_loc(names(i))
    operation%messages = 4
    operation%setup = c_funloc(set_up)
    operation%call = merge(c_funloc(by_datatypes), c_funloc(by_packing), i == 1)
    operation%check = c_funloc(is_right)
    operation%teardown = c_funloc(tear_down)
    if (skampi_mpi_program_add(measuring, operation) /= skampi_mpi_ok) error stop 3
  end do
  status = skampi_mpi_program_run_here(measuring)
  call skampi_mpi_program_free(measuring)
  if (status /= 0) call exit(int(status))
end program
