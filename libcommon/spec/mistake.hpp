// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "spec/source_text.hpp"

#include <cstddef>
#include <string>

namespace skampi {

/// What is wrong in a parameter file.
enum class Mistake {
    empty_file,
    missing_section, ///< @MEASUREMENTS
    missing_block,   ///< @MEASUREMENTS has none
    missing_type,    ///< a block without Type
    missing_value,
    surplus_value, ///< a second line in a section of one value
    unknown_section,
    unknown_key,
    repeated_section,
    repeated_key,
    repeated_name,  ///< of a suite
    repeated_suite, ///< two combinations of a block's lists measure the same
    syntax,         ///< a brace, "=", ";" or name is missing or out of place
    control_character,
    unexpected_list,
    too_many_suites,
    bad_value,         ///< not a value that the key accepts
    not_applicable,    ///< the key, its list or its value has no meaning for the operation
    below_smallest,    ///< fewer ranks, or a smaller argument, than can be measured
    above_largest,     ///< more chunks or a larger root than can be measured
    contradiction,     ///< two keys exclude one another, or a minimum is above its maximum
    not_multiple,      ///< a length is not a multiple of the datatype's size
    no_multiple,       ///< no multiple of Multiple_of among the arguments
    missing_stepwidth, ///< Scale needs one
    bad_stepwidth,     ///< too small, or so small that the arguments are too many
    forbidden_by_mpi,  ///< MPI does not allow the datatype for the operation or the reduction
};

/// A mistake in a parameter file, with its place.
class ParameterError : public SourceError {
public:
    ParameterError(Mistake mistake, std::size_t line, std::size_t column, const std::string& what)
        : SourceError(line, column, what)
        , mistake_(mistake) {}
    [[nodiscard]] Mistake mistake() const { return mistake_; }

private:
    Mistake mistake_;
};

/// @throws ParameterError always: the place and the message
[[noreturn]] void refuse(const SourceText& source, std::size_t offset, Mistake mistake,
                         const std::string& message);

} // namespace skampi
