#include "host/environment.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <fnmatch.h>
#include <unistd.h>

extern char** environ;

namespace skampi {

namespace {

enum class Kept { as_setting, as_told, never };

struct Rule {
    const char* pattern;
    Kept kept;
};

/// The first that matches decides; what matches none is not kept.
constexpr auto rules = std::to_array<Rule>({
    // set by launchers, for each job or process anew
    {"*INTERFACE_HOSTNAME*", Kept::never},
    {"OMPI_MCA_orte_*", Kept::never},
    {"OMPI_MCA_prte_*", Kept::never},
    {"OMPI_MCA_ess*", Kept::never},
    {"OMPI_MCA_plm*", Kept::never},
    {"OMPI_MCA_pmix*", Kept::never},
    {"OMPI_MCA_initial_wdir", Kept::never},
    {"OMPI_MCA_shmem_RUNTIME_QUERY_hint", Kept::never},
    // MPICH and its relatives
    {"MPIR_CVAR_*", Kept::as_setting},
    {"MPIR_PARAM_*", Kept::as_setting},
    {"MPICH_*", Kept::as_setting},
    {"MV2_*", Kept::as_setting},
    // Intel MPI
    {"I_MPI_ADJUST_*", Kept::as_setting},
    {"I_MPI_ASYNC_PROGRESS*", Kept::as_setting},
    {"I_MPI_CBWR", Kept::as_setting},
    {"I_MPI_COLL_*", Kept::as_setting},
    {"I_MPI_DYNAMIC_CONNECTION", Kept::as_setting},
    {"I_MPI_*EAGER*", Kept::as_setting},
    {"I_MPI_FABRICS", Kept::as_setting},
    {"I_MPI_LIBRARY_KIND", Kept::as_setting},
    {"I_MPI_MALLOC*", Kept::as_setting},
    {"I_MPI_OFFLOAD*", Kept::as_setting},
    {"I_MPI_OFI_*", Kept::as_setting},
    {"I_MPI_PIN*", Kept::as_setting},
    {"I_MPI_PLATFORM", Kept::as_setting},
    {"I_MPI_SHM*", Kept::as_setting},
    {"I_MPI_SPIN_COUNT", Kept::as_setting},
    {"I_MPI_THREAD*", Kept::as_setting},
    {"I_MPI_TUNING*", Kept::as_setting},
    {"I_MPI_WAIT_MODE", Kept::as_setting},
    // Open MPI
    {"OMPI_MCA_mpi_oversubscribe", Kept::as_told}, // its launcher's word for ranks that share cores
    {"OMPI_MCA_accelerator*", Kept::as_setting},
    {"OMPI_MCA_allocator*", Kept::as_setting},
    {"OMPI_MCA_bml*", Kept::as_setting},
    {"OMPI_MCA_btl*", Kept::as_setting},
    {"OMPI_MCA_coll*", Kept::as_setting},
    {"OMPI_MCA_common_*", Kept::as_setting},
    {"OMPI_MCA_fbtl*", Kept::as_setting},
    {"OMPI_MCA_fcoll*", Kept::as_setting},
    {"OMPI_MCA_fs_*", Kept::as_setting},
    {"OMPI_MCA_hwloc*", Kept::as_setting},
    {"OMPI_MCA_io*", Kept::as_setting},
    {"OMPI_MCA_mpi_*", Kept::as_setting},
    {"OMPI_MCA_memory*", Kept::as_setting},
    {"OMPI_MCA_mpool*", Kept::as_setting},
    {"OMPI_MCA_mtl*", Kept::as_setting},
    {"OMPI_MCA_op_*", Kept::as_setting},
    {"OMPI_MCA_opal_*", Kept::as_setting},
    {"OMPI_MCA_osc*", Kept::as_setting},
    {"OMPI_MCA_part*", Kept::as_setting},
    {"OMPI_MCA_pml*", Kept::as_setting},
    {"OMPI_MCA_rcache*", Kept::as_setting},
    {"OMPI_MCA_rmaps*", Kept::as_setting},
    {"OMPI_MCA_shmem*", Kept::as_setting},
    {"OMPI_MCA_smsc*", Kept::as_setting},
    {"OMPI_MCA_threads*", Kept::as_setting},
    {"OMPI_MCA_topo*", Kept::as_setting},
    {"OMPI_MCA_vprotocol*", Kept::as_setting},
    // UCX
    {"UCX_TLS", Kept::as_setting},
    {"UCX_NET_DEVICES", Kept::as_setting},
    {"UCX_SHM_DEVICES", Kept::as_setting},
    {"UCX_SELF_DEVICES", Kept::as_setting},
    {"UCX_ACC_DEVICES", Kept::as_setting},
    {"UCX_*_THRESH", Kept::as_setting},
    {"UCX_MAX_*", Kept::as_setting},
    {"UCX_MIN_*", Kept::as_setting},
    {"UCX_MEMTYPE_*", Kept::as_setting},
    {"UCX_PROTO_*", Kept::as_setting},
    {"UCX_RNDV_*", Kept::as_setting},
    {"UCX_ADAPTIVE_PROGRESS", Kept::as_setting},
    {"UCX_ASYNC_*", Kept::as_setting},
    {"UCX_BCOPY_*", Kept::as_setting},
    {"UCX_CMA_*", Kept::as_setting},
    {"UCX_CUDA_*", Kept::as_setting},
    {"UCX_DC_*", Kept::as_setting},
    {"UCX_FIFO_*", Kept::as_setting},
    {"UCX_IB_*", Kept::as_setting},
    {"UCX_KNEM_*", Kept::as_setting},
    {"UCX_MM_*", Kept::as_setting},
    {"UCX_POSIX_*", Kept::as_setting},
    {"UCX_RC_*", Kept::as_setting},
    {"UCX_ROCM_*", Kept::as_setting},
    {"UCX_SYSV_*", Kept::as_setting},
    {"UCX_TCP_*", Kept::as_setting},
    {"UCX_UD_*", Kept::as_setting},
    {"UCX_XPMEM_*", Kept::as_setting},
    {"UCX_ZCOPY_*", Kept::as_setting},
    // libfabric and PSM
    {"FI_PROVIDER", Kept::as_setting},
    {"FI_CXI_*", Kept::as_setting},
    {"FI_EFA_*", Kept::as_setting},
    {"FI_HMEM*", Kept::as_setting},
    {"FI_MR_*", Kept::as_setting},
    {"FI_OFI_RXM_*", Kept::as_setting},
    {"FI_PSM2_*", Kept::as_setting},
    {"FI_PSM3_*", Kept::as_setting},
    {"FI_SHM_*", Kept::as_setting},
    {"FI_TCP_*", Kept::as_setting},
    {"FI_UNIVERSE_SIZE", Kept::as_setting},
    {"FI_VERBS_*", Kept::as_setting},
    {"PSM2_*", Kept::as_setting},
    {"PSM3_*", Kept::as_setting},
    {"OMP_NUM_THREADS", Kept::as_setting},
    // the job
    {"HYDRA_IFACE", Kept::as_told},
    {"HYDRA_LAUNCHER", Kept::as_told},
    {"HYDRA_RMK", Kept::as_told},
    {"LSB_JOBID", Kept::as_told},
    {"PBS_JOBID", Kept::as_told},
    {"SLURM_CLUSTER_NAME", Kept::as_told},
    {"SLURM_CPU_BIND", Kept::as_told},
    {"SLURM_CPUS_PER_TASK", Kept::as_told},
    {"SLURM_DISTRIBUTION", Kept::as_told},
    {"SLURM_JOB_ID", Kept::as_told},
    {"SLURM_JOB_NAME", Kept::as_told},
    {"SLURM_JOB_NODELIST", Kept::as_told},
    {"SLURM_JOB_NUM_NODES", Kept::as_told},
    {"SLURM_JOB_PARTITION", Kept::as_told},
    {"SLURM_MEM_BIND", Kept::as_told},
    {"SLURM_NTASKS", Kept::as_told},
    {"SLURM_NTASKS_PER_NODE", Kept::as_told},
    {"SLURM_RESTART_COUNT", Kept::as_told},
    {"SLURM_STEP_ID", Kept::as_told},
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
        if (sounds_secret(name))
            continue;
        switch (rule_for(name)) {
        case Kept::never:
            break;
        case Kept::as_told:
            kept.told[name] = value;
            break;
        case Kept::as_setting: {
            const std::string control = mpich_variable_of(name);
            if (control.empty() || control_variables.empty())
                kept.settings[name] = value;
            else if (name == control && control_variables.contains(control))
                kept.settings[control] = value;
            else if (control_variables.contains(control))
                kept.settings.try_emplace(control, value); // the library prefers its newest name
            else
                kept.unknown.push_back(name);
            break;
        }
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
