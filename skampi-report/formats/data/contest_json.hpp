// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "contest/contest.hpp"
#include "contest/session_contest.hpp"

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace skampi {

/// What is found of two sides: suites with their statements, doubts. docs/data-formats.md names the keys.
[[nodiscard]] nlohmann::ordered_json contest_json(const Contest& contest, const std::string& reference,
                                                  const std::string& subject);
/// The same of each variant of a session, with what is known of the session.
[[nodiscard]] nlohmann::ordered_json session_json(const SessionContest& session);
/// As a text of its own: what `skampi-report turns` prints.
[[nodiscard]] std::string session_json_text(const SessionContest& session);

} // namespace skampi
