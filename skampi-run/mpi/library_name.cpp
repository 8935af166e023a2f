// SPDX-License-Identifier: LGPL-2.1-or-later
#include "mpi/library_name.hpp"

#include <array>
#include <mpi.h>
#include <string_view>

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

std::string short_library_name(const std::string& name) {
    // "MPICH Version: 4.0.2", "Open MPI v4.1.4, package: ...", "MVAPICH2 Version : 2.3.7", "CRAY MPICH
    // version 8.1"
    const std::size_t digit = name.find_first_of("0123456789", name.find_first_of(" "));
    if (digit == std::string::npos || digit == 0)
        return name;
    std::string version = name.substr(digit, name.find_first_of(" ,;", digit) - digit);
    std::string product = name.substr(0, digit);
    while (!product.empty() && (product.back() == ' ' || product.back() == ':' || product.back() == 'v'))
        product.pop_back();
    for (const std::string_view word : {" Version", " version"})
        if (product.ends_with(word))
            product.erase(product.size() - word.size());
    return product + " " + version;
}

} // namespace skampi
