// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "model/session.hpp"

#include <string>
#include <vector>

namespace skampi {

/// A variant as typed: "name: WORD...", where a word is NAME=VALUE (a variable of the ranks'
/// environment), unset=NAME, program=PATH, launch='TEMPLATE' or args='WORDS'; quotes as in a shell.
/// @throws InputError naming the option, what was found and what was expected
[[nodiscard]] Variant parse_variant(const std::string& text);

/// The default, and a variant for each text: "--against NAME=VALUE" (or several of them as words).
/// @throws InputError
[[nodiscard]] std::vector<Variant> variants_against(const std::vector<std::string>& texts);

/// Refuses variants that cannot be compared: fewer than two, invalid or repeated names, two
/// variants without any difference (unless `same_on_purpose`), variables that sound like secrets or are our
/// own, a launcher's template without {n}.
/// @throws InputError
void check_variants(const std::vector<Variant>& variants, bool same_on_purpose);

/// "old: nothing is changed; new: program=/opt/new/bin/skampi-run"
[[nodiscard]] std::string variants_text(const std::vector<Variant>& variants);

/// For `skampi-run check`, a line for each; empty = there are none. @throws InputError as check_variants()
[[nodiscard]] std::string describe_variants(const std::vector<Variant>& variants);

} // namespace skampi
