// SPDX-License-Identifier: GPL-2.0-or-later
#include "host/environment.hpp"

#include "host/setting_files.hpp"
#include "scratch_folder.hpp"

#include <doctest/doctest.h>
#include <filesystem>
#include <fstream>

using namespace skampi;

namespace {
const std::set<std::string> cvars{"MPIR_CVAR_BCAST_INTRA_ALGORITHM", "MPIR_CVAR_ASYNC_PROGRESS"};
}

TEST_CASE("what the MPI library acts on is kept, by the library's own name for it") {
    const Environment kept = kept_environment({{"MPIR_CVAR_BCAST_INTRA_ALGORITHM", "binomial"},
                                               {"MPICH_ASYNC_PROGRESS", "1"},
                                               {"UCX_TLS", "tcp,self"},
                                               {"UCX_ZCOPY_THRESH", "8k"},
                                               {"OMPI_MCA_btl", "vader"},
                                               {"FI_PROVIDER", "cxi"},
                                               {"I_MPI_ADJUST_BCAST", "3"}},
                                              cvars);
    CHECK(kept.settings == std::map<std::string, std::string>{{"MPIR_CVAR_BCAST_INTRA_ALGORITHM", "binomial"},
                                                              {"MPIR_CVAR_ASYNC_PROGRESS", "1"},
                                                              {"UCX_TLS", "tcp,self"},
                                                              {"UCX_ZCOPY_THRESH", "8k"},
                                                              {"OMPI_MCA_btl", "vader"},
                                                              {"FI_PROVIDER", "cxi"},
                                                              {"I_MPI_ADJUST_BCAST", "3"}});
    CHECK(kept.job_facts.empty());
    CHECK(kept.unknown.empty());
}

TEST_CASE("of two names for one setting the newest counts, in whatever order they stand") {
    const Variable newest{"MPIR_CVAR_BCAST_INTRA_ALGORITHM", "binomial"};
    const Variable older{"MPICH_BCAST_INTRA_ALGORITHM", "scatter"};
    for (const std::vector<Variable>& variables : {std::vector{newest, older}, std::vector{older, newest}})
        CHECK(kept_environment(variables, cvars).settings ==
              std::map<std::string, std::string>{{"MPIR_CVAR_BCAST_INTRA_ALGORITHM", "binomial"}});
}

TEST_CASE("a setting that the library does not have is named, and kept: it may be read all the same") {
    const Environment kept = kept_environment(
        {{"MPIR_CVAR_BCAST_INTRA_ALGORITM", "binomial"}, {"MPICH_BCAST_INTRA_ALGORITHM", "scatter"}}, cvars);
    CHECK(kept.settings ==
          std::map<std::string, std::string>{{"MPIR_CVAR_BCAST_INTRA_ALGORITM", "binomial"},
                                             {"MPIR_CVAR_BCAST_INTRA_ALGORITHM", "scatter"}});
    CHECK(kept.unknown == std::vector<std::string>{"MPIR_CVAR_BCAST_INTRA_ALGORITM"});
    // A library that does not tell what it has is believed.
    CHECK(kept_environment({{"MPIR_CVAR_BCAST_INTRA_ALGORITM", "binomial"}}, {}).settings.size() == 1);
}

TEST_CASE("a short word of secrets within another word hides no setting") {
    for (const char* const name : {"MPICH_BYPASS_SHM", "I_MPI_SHM_COMPASS",
                                   "OMPI_MCA_coll_tuned_use_dynamic_rules", "MV2_USE_RDMA_CREDITS"}) {
        CAPTURE(name);
        CHECK(kept_environment({{name, "1"}}, {}).settings.size() == 1);
    }
}

TEST_CASE("whatever a library may read by its prefix is a setting, but for secrets that it does not list") {
    for (const char* const name :
         {"MPICH_NO_LOCAL", "MPIR_PARAM_NOLOCAL", "MPIR_CVAR_NO_LOCAL", "I_MPI_INTRANODE",
          "MV2_SMP_EAGERSIZE", "OMPI_MCA_mca_base_param_files", "OMPI_MCA_oob_tcp_if_include", "PMIX_MCA_gds",
          "UCX_ANYTHING_ELSE", "FI_SOCKETS_PE_WAITTIME", "HCOLL_MAIN_IB", "UCC_CLS"}) {
        CAPTURE(name);
        CHECK(kept_environment({{name, "1"}}, {}).settings ==
              std::map<std::string, std::string>{{name, "1"}});
    }
    const std::string key = "MPIR_CVAR_CH4_OFI_ENABLE_MR_PROV_KEY";
    CHECK(kept_environment({{key, "1"}}, {}).settings.empty());
    CHECK(kept_environment({{key, "1"}}, {key}).settings.size() == 1);
}

TEST_CASE("settings in files are settings, and those of the environment count more") {
    const ScratchFolder home;
    std::filesystem::create_directories(home / ".openmpi");
    std::ofstream(home / ".openmpi/mca-params.conf") << "# mine\n btl = tcp,self \nmpi_leave_pinned=0\n";
    std::ofstream(home / "system.conf") << "btl = vader\ncoll_tuned_use_dynamic_rules = 1\n";
    std::ofstream(home / "override.conf") << "mpi_leave_pinned = 1\n";
    std::ofstream(home / "ucx.conf") << "[section]\nUCX_TLS=tcp\nUCX_RNDV_THRESH = 8k\nPATH=/bin\n;UCX_A=b\n";
    const std::vector<Variable> environment{{"HOME", home.path().string()}, {"UCX_TLS", "self"}};
    const SettingFiles files{home / ".openmpi/mca-params.conf" + ":" + (home / "system.conf") + ",/none/x",
                             home / "override.conf"};
    const auto settings = kept_environment(with_settings_of_files(environment, files), {}).settings;
    CHECK(settings == std::map<std::string, std::string>{{"OMPI_MCA_btl", "tcp,self"},
                                                         {"OMPI_MCA_coll_tuned_use_dynamic_rules", "1"},
                                                         {"OMPI_MCA_mpi_leave_pinned", "1"},
                                                         {"UCX_RNDV_THRESH", "8k"},
                                                         {"UCX_TLS", "self"}});
}

TEST_CASE("no secret and nothing that is not on the list is kept") {
    for (const char* const name : {"SLURM_JWT",
                                   "I_MPI_PASSWORD",
                                   "HYDRA_LAUNCHER_EXTRA_ARGS",
                                   "SLURM_CONTAINER_REGISTRY_PASSWORD",
                                   "UCX_SOME_TOKEN",
                                   "UCX_IB_TOKEN",
                                   "ucx_tcp_secret",
                                   "OMPI_MCA_btl_tcp_password",
                                   "FI_TCP_AUTH_KEY",
                                   "MV2_PSK",
                                   "PSM2_PASS",
                                   "OMPI_MCA_sec_pwd",
                                   "OMPI_MCA_sec_basic_anything",
                                   "OMPI_MCA_btl_tcp_pw",
                                   "I_MPI_OFI_CRED",
                                   "UCX_TCP_PWD",
                                   "MPICH_API_TOKEN",
                                   "MPIR_CVAR_PRIVATE_KEY",
                                   "SLURM_JOB_TOKEN",
                                   "AWS_SECRET_ACCESS_KEY",
                                   "HOME",
                                   "PATH",
                                   "SLURM_CONF",
                                   "SLURM_SUBMIT_DIR",
                                   "SLURMD_NODENAME",
                                   "OMPI_COMM_WORLD_RANK",
                                   "OMPI_CC",
                                   "MV2_COMM_WORLD_LOCAL_RANK",
                                   "MPICH_CC",
                                   "I_MPI_ROOT",
                                   "I_MPI_HYDRA_UUID",
                                   "PMI_FD",
                                   "LD_PRELOAD",
                                   ""}) {
        CAPTURE(name);
        const Environment kept = kept_environment({{name, "value"}}, {});
        CHECK(kept.settings.empty());
        CHECK(kept.job_facts.empty());
        CHECK(kept.unknown.empty());
    }
}

TEST_CASE("what launchers set anew for each job is no setting, what tells of the job is told") {
    const Environment kept = kept_environment({{"MPIR_CVAR_CH3_INTERFACE_HOSTNAME", "n1"},
                                               {"OMPI_MCA_orte_ess_node_rank", "1"},
                                               {"OMPI_MCA_ess_base_jobid", "123"},
                                               {"OMPI_MCA_initial_wdir", "/home/x"},
                                               {"OMPI_MCA_mpi_oversubscribe", "0"},
                                               {"SLURM_JOB_ID", "4711"},
                                               {"SLURM_JOB_NODELIST", "n[1-2]"}},
                                              {});
    CHECK(kept.settings.empty());
    CHECK(kept.job_facts == std::map<std::string, std::string>{{"OMPI_MCA_mpi_oversubscribe", "0"},
                                                               {"SLURM_JOB_ID", "4711"},
                                                               {"SLURM_JOB_NODELIST", "n[1-2]"}});
}
