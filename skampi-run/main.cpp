// SPDX-License-Identifier: GPL-2.0-or-later
#include "skampi/mpi.hpp"

// For smpirun, which looks for it in a shared library.
#ifdef SKAMPI_SIMULATED
[[gnu::visibility("default")]]
#endif
int main(int argc, char** argv) {
    return skampi::measure_mpi_functions(argc, argv, {});
}
