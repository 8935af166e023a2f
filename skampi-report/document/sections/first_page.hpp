#pragma once

#include "document/sections/material.hpp"

namespace skampi {

/// The first page: title, answer, the machine, how far the values can be trusted, headlines and small plots.
[[nodiscard]] Cover first_page(const Material& material);
/// The same without the plots.
[[nodiscard]] Cover first_page_in_short(const Material& material);
/// What of a database the report does not show: suites that were not selected, runs of another series.
[[nodiscard]] std::vector<Fact> left_out_facts(const Subject& subject);

} // namespace skampi
