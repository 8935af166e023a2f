#include "mpi/library_name.hpp"

#include <array>
#include <mpi.h>

namespace skampi {

std::string mpi_library_name() {
    std::array<char, MPI_MAX_LIBRARY_VERSION_STRING> text{};
    int length = 0;
    MPI_Get_library_version(text.data(), &length);
    std::string name(text.data());
    name = name.substr(0, name.find('\n'));
    std::string single_spaced;
    for (const char c : name) {
        const bool blank = c == ' ' || c == '\t' || c == '\r';
        if (!blank)
            single_spaced += c;
        else if (!single_spaced.empty() && single_spaced.back() != ' ')
            single_spaced += ' ';
    }
    return single_spaced;
}

} // namespace skampi
