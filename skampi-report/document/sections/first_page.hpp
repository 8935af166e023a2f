// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "document/sections/material.hpp"

namespace skampi {

/// The first page: title, answer, the machine, how far the values can be trusted, headlines and small plots.
[[nodiscard]] Cover first_page(const Material& material);

/// In place of answer and findings the verdicts on a contract, with a table of it.
void add_contract(const std::vector<PromiseFinding>& findings, Cover& cover);

} // namespace skampi
