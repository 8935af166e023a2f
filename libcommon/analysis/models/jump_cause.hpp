// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "analysis/models/cost_model.hpp"
#include "launches/subject.hpp"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace skampi {

enum class CauseKind {
    unknown,
    eager_limit, ///< a setting of the library's eager limit, or another operation, says the same length
    threshold,   ///< another setting of the library has this value
    full_cache,  ///< a local copy becomes slower where it fills a cache of known size
};

/// Why a curve jumps, where the run holds evidence of it.
struct JumpCause {
    CauseKind kind = CauseKind::unknown;
    std::string evidence;    ///< the setting's name, the other operation's, or the cache ("L2")
    bool in_setting = false; ///< the evidence is a setting of the library
};

/// Finds causes of the jumps of a subject's curves. The sign of a jump is no evidence, nor is the kind of the
/// operation.
class JumpCauses {
public:
    /// @param subject is only read here
    explicit JumpCauses(const Subject& subject);
    [[nodiscard]] JumpCause of(const Curve& curve, const CostJump& jump) const;

private:
    /// A jump up of an operation that moves messages, located closely.
    struct Rise {
        std::string operation;
        Pattern pattern = Pattern::ping_pong;
        CostJump jump;
    };

    [[nodiscard]] const Rise* elsewhere(const Curve& curve, const CostJump& jump) const;

    std::vector<Rise> rises_;
    std::map<std::string, int> rises_of_suite_;
    std::map<std::string, std::int64_t> thresholds_; ///< by name of the setting
    std::map<std::string, std::int64_t> caches_;     ///< "L2" -> bytes
};

} // namespace skampi
