// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <climits>
#include <cstddef>
#include <mpi.h>
#include <type_traits>
#include <utility>
#include <vector>

namespace skampi {

/// One number for each rank, as MPI's plain calls take them (int) and as those with large counts do.
template <typename Large>
class PerRank {
public:
    PerRank() = default;
    explicit PerRank(std::vector<Large> values)
        : large_(std::move(values)) {
        for (const Large value : large_)
            if (std::in_range<int>(value))
                plain_.push_back(static_cast<int>(value));
    }

    [[nodiscard]] std::size_t size() const { return large_.size(); }
    /// Whether a plain call can take them.
    [[nodiscard]] bool fits() const { return plain_.size() == large_.size(); }
    template <typename Pointer>
    [[nodiscard]] Pointer as() const {
        if constexpr (std::is_same_v<Pointer, const int*>)
            return plain_.data();
        else
            return large_.data();
    }

private:
    std::vector<int> plain_; ///< incomplete unless all values fit
    std::vector<Large> large_;
};

using Counts = PerRank<MPI_Count>;
using Displacements = PerRank<MPI_Aint>;

/// An MPI function that takes counts, with its form for large ones (MPI-4.0, 2.5.8); nullptr = the library
/// has none. Called with MPI_Count, Counts and Displacements where the functions differ. What is measured is
/// the plain function whenever the arguments fit it; the large form is called only where they do not. Without
/// one: MPI_ERR_COUNT.
template <auto Plain, auto Large>
struct Counted {
    template <typename... Arguments>
    int operator()(const Arguments&... arguments) const {
        return choose(Plain, Large, arguments...);
    }

private:
    template <typename>
    struct IsPerRank : std::false_type {};
    template <typename T>
    struct IsPerRank<PerRank<T>> : std::true_type {};

    template <typename Parameter, typename Argument>
    static bool fits(const Argument& argument) {
        if constexpr (IsPerRank<Argument>::value)
            return argument.fits();
        else if constexpr (std::is_same_v<Parameter, int> && std::is_integral_v<Argument>)
            return std::in_range<int>(argument);
        else
            return true;
    }
    template <typename Parameter, typename Argument>
    static Parameter as(const Argument& argument) {
        if constexpr (IsPerRank<Argument>::value)
            return argument.template as<Parameter>();
        else if constexpr (std::is_integral_v<Parameter>)
            return static_cast<Parameter>(argument);
        else
            return argument;
    }

    template <typename... PlainParameters, typename... LargeParameters, typename... Arguments>
    static int choose(int (*plain)(PlainParameters...), int (*large)(LargeParameters...),
                      const Arguments&... arguments) {
        if ((fits<PlainParameters>(arguments) && ...)) [[likely]]
            return plain(as<PlainParameters>(arguments)...);
        return large(as<LargeParameters>(arguments)...);
    }
    template <typename... PlainParameters, typename... Arguments>
    static int choose(int (*plain)(PlainParameters...), std::nullptr_t, const Arguments&... arguments) {
        if ((fits<PlainParameters>(arguments) && ...)) [[likely]]
            return plain(as<PlainParameters>(arguments)...);
        return MPI_ERR_COUNT;
    }
};

/// Whether this MPI library has the forms for large counts.
#ifdef SKAMPI_HAVE_MPI_SEND_C
constexpr bool has_large_counts = true;
#define SKAMPI_COUNTED(function) (::skampi::Counted<function, function##_c>{})
#else
constexpr bool has_large_counts = false;
#define SKAMPI_COUNTED(function) (::skampi::Counted<function, nullptr>{})
#endif

} // namespace skampi
