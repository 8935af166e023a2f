#pragma once

#include "spec/parameter_file.hpp"

#include <cstddef>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace skampi {

/// Parses a parameter file (docs/parameter-file.md).
/// @param name for messages
/// @param operations all operations that Type may name
/// @throws ParameterError `name:line:column: what was found, what was expected (did you mean "...")`
/// @throws SourceError when the file is no UTF-8 text
[[nodiscard]] ParameterFile parse_parameter_file(const std::string& name, const std::string& text,
                                                 std::span<const OperationInfo> operations);

/// A block of @MEASUREMENTS as it is written: its keys with their values, lists with commas.
struct WrittenBlock {
    std::string name;
    std::vector<std::pair<std::string, std::string>> keys;
};
struct WrittenBlocks {
    std::vector<WrittenBlock> blocks;
    std::size_t end = 0; ///< of the section in the text: further blocks can be put there
};
/// Of a file that parse_parameter_file() accepts. @throws as it does
[[nodiscard]] WrittenBlocks written_blocks(const std::string& name, const std::string& text);

} // namespace skampi
