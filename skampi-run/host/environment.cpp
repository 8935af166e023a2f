// SPDX-License-Identifier: LGPL-2.1-or-later
#include "host/environment.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <fnmatch.h>
#include <unistd.h>

namespace skampi {
namespace {

enum class Kept { as_setting, as_fact, never };

struct Rule {
    const char* pattern;
    Kept kept;
};

/// The first that matches decides; what matches none is not kept. A library's prefix keeps all that any
/// version may read; the names that are no settings stand before it.
constexpr auto rules = std::to_array<Rule>({
    // set by launchers, for each job or process anew
    {"*INTERFACE_HOSTNAME*", Kept::never},
    {"*_COMM_WORLD_*", Kept::never},
    {"OMPI_MCA_orte_*", Kept::never},
    {"OMPI_MCA_prte_*", Kept::never},
    {"OMPI_MCA_ess*", Kept::never},
    {"OMPI_MCA_plm*", Kept::never},
    {"OMPI_MCA_pmix*", Kept::never},
    {"OMPI_MCA_initial_wdir", Kept::never},
    {"OMPI_MCA_shmem_RUNTIME_QUERY_hint", Kept::never},
    {"I_MPI_HYDRA_*", Kept::never},
    {"I_MPI_INFO_*", Kept::never},
    {"I_MPI_JOB_*", Kept::never},
    {"I_MPI_MPIRUN*", Kept::never},
    {"I_MPI_PMI*", Kept::never},
    // where the library is, how it is compiled with, who may use it
    {"MPICH_CC", Kept::never},
    {"MPICH_CXX", Kept::never},
    {"MPICH_F77", Kept::never},
    {"MPICH_F90", Kept::never},
    {"MPICH_FC", Kept::never},
    {"MPICH_DIR", Kept::never},
    {"I_MPI_CC", Kept::never},
    {"I_MPI_CXX", Kept::never},
    {"I_MPI_F77", Kept::never},
    {"I_MPI_F90", Kept::never},
    {"I_MPI_FC", Kept::never},
    {"I_MPI_HOST*", Kept::never},
    {"I_MPI_ROOT", Kept::never},
    {"I_MPI_TMPDIR*", Kept::never},
    {"OMPI_MCA_sec*", Kept::never},
    {"UCX_CONFIG_DIR", Kept::never},               // what is read there is kept
    {"OMPI_MCA_mpi_oversubscribe", Kept::as_fact}, // set by its launcher if ranks share cores
    // MPICH and its relatives
    {"MPICH_*", Kept::as_setting},
    {"MPIR_*", Kept::as_setting},
    {"MV2_*", Kept::as_setting},
    {"MVP_*", Kept::as_setting},
    {"I_MPI_*", Kept::as_setting},
    // Open MPI
    {"OMPI_MCA_*", Kept::as_setting},
    {"PMIX_MCA_*", Kept::as_setting},
    // what they communicate by
    {"UCX_*", Kept::as_setting},
    {"UCC_*", Kept::as_setting},
    {"HCOLL_*", Kept::as_setting},
    {"SHARP_COLL_*", Kept::as_setting},
    {"FI_*", Kept::as_setting},
    {"PSM2_*", Kept::as_setting},
    {"PSM3_*", Kept::as_setting},
    {"OMP_NUM_THREADS", Kept::as_setting},
    // the job
    {"HYDRA_IFACE", Kept::as_fact},
    {"HYDRA_LAUNCHER", Kept::as_fact},
    {"HYDRA_RMK", Kept::as_fact},
    {"LSB_JOBID", Kept::as_fact},
    {"PBS_JOBID", Kept::as_fact},
    {"SLURM_CLUSTER_NAME", Kept::as_fact},
    {"SLURM_CPU_BIND", Kept::as_fact},
    {"SLURM_CPUS_PER_TASK", Kept::as_fact},
    {"SLURM_DISTRIBUTION", Kept::as_fact},
    {"SLURM_JOB_ID", Kept::as_fact},
    {"SLURM_JOB_NAME", Kept::as_fact},
    {"SLURM_JOB_NODELIST", Kept::as_fact},
    {"SLURM_JOB_NUM_NODES", Kept::as_fact},
    {"SLURM_JOB_PARTITION", Kept::as_fact},
    {"SLURM_MEM_BIND", Kept::as_fact},
    {"SLURM_NTASKS", Kept::as_fact},
    {"SLURM_NTASKS_PER_NODE", Kept::as_fact},
    {"SLURM_RESTART_COUNT", Kept::as_fact},
    {"SLURM_STEP_ID", Kept::as_fact},
});

Kept rule_for(const std::string& name) {
    for (const Rule& rule : rules)
        if (fnmatch(rule.pattern, name.c_str(), 0) == 0)
            return rule.kept;
    return Kept::never;
}

/// The control variable that an environment variable of MPICH sets; empty = it is none of MPICH's.
std::string mpich_variable_of(const std::string& name) {
    for (const std::string_view prefix : {"MPIR_CVAR_", "MPIR_PARAM_", "MPICH_"})
        if (name.starts_with(prefix))
            return "MPIR_CVAR_" + name.substr(prefix.size());
    return {};
}

} // namespace

std::string control_variable_of(const std::string& name) {
    constexpr std::string_view open_mpi = "OMPI_MCA_";
    return name.starts_with(open_mpi) ? name.substr(open_mpi.size()) : mpich_variable_of(name);
}

bool sounds_secret(std::string_view name) {
    std::string upper;
    for (const char c : name)
        upper += static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
    constexpr auto words = std::to_array<std::string_view>(
        {"TOKEN", "PASSW", "PASSPHRASE", "SECRET", "JWT", "CREDENTIAL", "COOKIE", "AUTH", "PRIVATE", "CERT",
         "APIKEY", "_KEY", "KEYFILE", "KEYTAB", "EXTRA_ARGS"});
    if (std::any_of(words.begin(), words.end(),
                    [&](std::string_view word) { return upper.find(word) != std::string::npos; }))
        return true;
    // Too short to be looked for within words: I_MPI_SHM_BYPASS is no secret.
    constexpr auto whole_words =
        std::to_array<std::string_view>({"PASS", "PW", "PWD", "PSK", "CRED", "CREDS", "KEY", "KEYS"});
    const std::string framed = "_" + upper + "_";
    return std::any_of(whole_words.begin(), whole_words.end(), [&](std::string_view word) {
        return framed.find("_" + std::string(word) + "_") != std::string::npos;
    });
}

Environment kept_environment(const std::vector<Variable>& variables,
                             const std::set<std::string>& control_variables) {
    Environment kept;
    for (const auto& [name, value] : variables) {
        const std::string control = mpich_variable_of(name);
        const bool known = control_variables.contains(control);
        if (sounds_secret(name) && !known) // MPICH_..._PROV_KEY is its own
            continue;
        switch (rule_for(name)) {
        case Kept::never:
            break;
        case Kept::as_fact:
            kept.job_facts[name] = value;
            break;
        case Kept::as_setting:
            if (known && name != control)
                kept.settings.try_emplace(control, value); // the library prefers its newest name
            else
                kept.settings[name] = value;
            if (!known && !control.empty() && !control_variables.empty())
                kept.unknown.push_back(name);
            break;
        }
    }
    return kept;
}

std::vector<Variable> own_environment() {
    std::vector<Variable> variables;
    for (char** variable = environ; *variable != nullptr; ++variable) {
        const std::string text = *variable;
        const std::size_t equals = text.find('=');
        if (equals != std::string::npos)
            variables.emplace_back(text.substr(0, equals), text.substr(equals + 1));
    }
    return variables;
}

} // namespace skampi
