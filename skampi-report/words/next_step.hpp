// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "analysis/trust/trust.hpp"
#include "launches/subject.hpp"
#include "words/text_and_command.hpp"

#include <string>

namespace skampi {

/// Whether a report shows launches that are added to the subject's file: it holds the launches, not merged
/// values.
/// @pre it has a run
[[nodiscard]] bool takes_more_launches(const Subject& subject);

/// How disturbed values are avoided, as the beginning of a sentence: "Measure again while nothing else uses
/// the cores"; in a virtual machine other ones use them, too.
[[nodiscard]] std::string measure_undisturbed(const Run& run);

/// What to do next with a subject before its values are used, with the command for it: more launches, or a
/// core for each rank. Empty where nothing is missing, or nothing is known to help.
[[nodiscard]] TextAndCommand next_step(const Subject& subject, const Trust& trust);

/// How many launches make nearly all values as exact as the plan asks for, with the command for them. Empty
/// where they are, or where launches do not help.
[[nodiscard]] TextAndCommand settling_step(const Subject& subject, const Trust& trust);

} // namespace skampi
