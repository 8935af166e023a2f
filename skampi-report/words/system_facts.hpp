#pragma once

#include "analysis/subject.hpp"
#include "document/document.hpp"

#include <string>

namespace skampi {

/// "MPICH 4.0.2 (ch4:ucx)", "Open MPI v4.1.4": the library's first words about itself without "Version:" and
/// what packagers add, and its device where it tells one. Empty where none is known.
[[nodiscard]] std::string library_name(const Run& run);

/// Whether the cluster was none but SimGrid's: launches do not differ.
[[nodiscard]] bool is_simulated(const Run& run);

/// "GCC 12.2.0": compilers that tell their version alone get their name. Empty where none is known.
[[nodiscard]] std::string compiler_name(const Run& run);

/// "2026-11-22 21:09:49 to 21:14:26 UTC"; "..., not ended". Empty where no start is known.
[[nodiscard]] std::string time_of_run(const Run& run);

/// Whether nothing is left out of what is stored of the ranks: of very many it is (bounded_ranks()).
[[nodiscard]] bool all_ranks_stored(const Run& run);

/// Names of the hosts, the first few.
[[nodiscard]] std::string hosts_of(const Run& run);

/// What is known of processors, memory, system and software, in the order in which one reads it: the facts of
/// the run that are about the machine, under names for people. Facts that are not known are left out.
[[nodiscard]] FactList machine_facts(const Run& run);

/// Whether it is one of those facts that only the chapter on the machine tells, not the first page.
[[nodiscard]] bool is_detail(const Fact& fact);

/// All that the MPI library says of itself; empty where that is not known.
[[nodiscard]] std::string library_text(const Run& run);

/// Facts of the run that machine_facts() does not tell and that are no list of sources: what is left for the
/// appendix.
[[nodiscard]] std::vector<Fact> remaining_facts(const Run& run);

} // namespace skampi
