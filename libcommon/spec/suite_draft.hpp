// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "model/suite.hpp"
#include "spec/source_text.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace skampi {

/// One call with more chunks takes many seconds, and a running call is not aborted.
inline constexpr std::int64_t most_chunks = 10'000'000;

/// Where a value comes from. If two values contradict each other, the higher level wins; on the same level it
/// is an error in the file.
enum class Level { built_in, file, block };

/// A value in the file, to be stored in a SuiteDraft.
struct Value {
    const SourceText& source;
    std::string_view text;    ///< trimmed, not empty
    std::size_t offset;       ///< of text in source
    std::string_view key;     ///< "Max_Steps" or "@MEMORY"
    std::string_view accepts; ///< what may stand here, for messages
    Level level;
    std::span<const OperationInfo> operations;

    /// @throws ParameterError always: what was found, why it is wrong (may be empty), what is expected
    [[noreturn]] void refuse(std::string_view why = {}) const;
};

/// A value and where it comes from.
template <typename T>
struct Setting {
    T value{};
    Level level = Level::built_in;
    std::size_t offset = 0; ///< in the file; meaningless for built-in values

    void set(T new_value, const Value& from) {
        value = std::move(new_value);
        level = from.level;
        offset = from.offset;
    }
};

/// A suite while its keys are being read, built-in defaults filled in. What depends on other keys is optional
/// here and decided by finished().
struct SuiteDraft {
    const OperationInfo* operation = nullptr;
    Setting<std::optional<Varied>> varied;
    Setting<std::optional<skalib::Scale>> scale;
    Setting<std::optional<std::int64_t>> start;
    Setting<std::optional<std::int64_t>> end; ///< none = Max_Value
    Setting<std::optional<double>> stepwidth;
    Setting<int> jumps{skalib::usual_jumps};
    Setting<std::int64_t> multiple_of{1};
    Setting<std::optional<std::int64_t>> max_steps{64};
    Setting<std::int64_t> min_distance{1};
    Setting<std::optional<std::int64_t>> max_distance;
    Setting<std::int64_t> min_count{16};
    Setting<std::optional<std::int64_t>> max_count{1000};
    Setting<int> ranks;
    Setting<std::int64_t> message_bytes{256};
    Setting<std::int64_t> chunks;
    Setting<std::string> datatype{"MPI_BYTE"};
    Setting<std::optional<std::string>> reduction;
    Setting<int> root;
    bool names_start = false; ///< Synchronization was given
    Suite suite;              ///< everything that depends on no other key

    SuiteDraft();
};

/// A block's surroundings.
struct BlockPlace {
    std::size_t offset = 0;        ///< of its brace, for mistakes that have no place of their own
    std::int64_t memory_bytes = 0; ///< @MEMORY
};

/// Checks the draft as a whole and fills in what depends on several keys.
/// @throws ParameterError for a combination that cannot be measured
[[nodiscard]] Suite finished(const SuiteDraft& draft, const SourceText& source, const BlockPlace& block);

/// The smallest number of ranks with which a pattern can be measured.
[[nodiscard]] int fewest_ranks(Pattern pattern);

/// Whether an operation has a parameter.
[[nodiscard]] bool has(const OperationInfo& operation, Parameter parameter);
/// "that reduce", ...: the operations with a parameter, for messages.
[[nodiscard]] std::string_view that_have(Parameter parameter);

/// A variation's name in parameter files: "Length", "Nodes", "Chunks", "No_Variation".
[[nodiscard]] std::string_view variation_word(Varied varied);

} // namespace skampi
