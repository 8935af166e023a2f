// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "launches/subject.hpp"
#include "words/fact.hpp"

#include <string>
#include <vector>

namespace skampi {

/// Of a simulation: whether computation takes time, as on a machine.
[[nodiscard]] bool computes(const Run& run);
/// "algorithms of mpich", "its default algorithms": whose SimGrid takes for collectives without an option of
/// their own. @pre the run is simulated
[[nodiscard]] std::string simulated_algorithms(const Run& run);

/// "GCC 12.2.0": compilers that tell their version alone get their name. Empty where none is known.
[[nodiscard]] std::string compiler_name(const Run& run);

/// What the user says of the measurement, in one line: "Ada Lovelace; machine: jumbo; node: 2 x EPYC;
/// network: HDR100". Empty where nothing is given.
[[nodiscard]] std::string description_of(const Run& run);

/// "2026-11-22 21:09:49 to 21:14:26 UTC"; "..., not ended". Empty where no start is known.
[[nodiscard]] std::string time_of_run(const Run& run);

/// Whether nothing is left out of what is stored of the ranks: of very many it is (bounded_ranks()).
[[nodiscard]] bool all_ranks_stored(const Run& run);

/// Names of the hosts, the first few.
/// "2 on vm, bound to 1 core each"; empty where their number is not known.
[[nodiscard]] std::string ranks_placed(const Run& run);
[[nodiscard]] std::string hosts_of(const Run& run);

struct MachineFact {
    Fact fact;
    bool is_detail = false; ///< for the chapter on the machine, not for the first page
};
/// What is known of processors, memory, system and software, in the order in which one reads it: the facts of
/// the run that are about the machine, under names for people. Facts that are not known are left out.
[[nodiscard]] std::vector<MachineFact> machine_facts(const Run& run);

/// All that the MPI library says of itself; empty where that is not known.
[[nodiscard]] std::string library_text(const Run& run);

/// Facts of the run that machine_facts() does not tell and that are no list of sources: what is left for the
/// appendix.
[[nodiscard]] std::vector<Fact> remaining_facts(const Run& run);

} // namespace skampi
