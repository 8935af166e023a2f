// SPDX-License-Identifier: GPL-2.0-or-later
// The readers of tuning files, and the writer of MPICH's trees, which takes one as its base.
#include "fuzz_target.hpp"

#include "../unit/mpich_walk.hpp"
#include "../unit/open_mpi_choice.hpp"
#include "base/error.hpp"
#include "tuning/mpich_tree.hpp"
#include "tuning/one_choice.hpp"
#include "tuning/open_mpi_rules.hpp"
#include "tuning/tuning_format.hpp"
#include "tuning/units.hpp"

#include <algorithm>
#include <array>

using namespace skampi;

namespace {

constexpr std::array<std::int64_t, 4> some_ranks{1, 2, 8, 1'000'000};
constexpr std::array<std::int64_t, 4> some_lengths{0, 1, 4096, std::int64_t{1} << 24};

void try_open_mpi(const std::string& bytes, const LibraryVersion& version) {
    OpenMpiRules rules;
    try {
        rules = read_open_mpi_rules(bytes, version, "fuzz");
    } catch (const InputError&) {
        return;
    }
    const int lines = 1 + static_cast<int>(std::ranges::count(bytes, '\n'));
    for (const OpenMpiRules::Doubt& doubt : rules.doubts)
        if (doubt.line < 1 || doubt.line > lines)
            fuzz::fail("a doubt of a line that is not there");
    for (const FiledOperation& operation : filed_operations())
        for (const std::int64_t ranks : some_ranks)
            for (const std::int64_t length : some_lengths)
                if (open_mpi_choice(rules, operation.operation, ranks, length).line > lines)
                    fuzz::fail("a choice of a line that is not there");
}

/// A rule put into a tree holds for its calls, and changes none of another operation.
void write_into(const std::string& base) {
    using Tree = nlohmann::ordered_json;
    TuningTarget target;
    target.library = "MPICH Version: 4.0.2";
    target.layer = "mpich";
    target.base_text = base;
    TuningRule rule;
    rule.operation = "MPI_Bcast";
    rule.layer = "mpich";
    rule.ranks_low = rule.ranks_high = 8;
    rule.bytes_low = 100;
    rule.bytes_high = 5000;
    rule.algorithm = "binomial";
    std::vector<TuningRule> rules{rule};
    const Tree tree = Tree::parse(base);
    const Tree written = Tree::parse(write_mpich_tree(target, rules));
    if (written.size() != tree.size())
        fuzz::fail("a collective is lost");
    const MpichCall inside{.operation = "MPI_Bcast", .ranks = 8, .bytes = 200};
    if (rules.front().written && mpich_choice(written, inside) != "MPIR_Bcast_intra_binomial")
        fuzz::fail("a rule that does not hold");
    for (const std::int64_t ranks : some_ranks)
        for (const std::int64_t length : some_lengths) {
            const MpichCall outside{.operation = "MPI_Bcast", .ranks = ranks, .bytes = length};
            const bool is_inside = ranks == 8 && length >= 100 && length <= 5000;
            if (!is_inside && mpich_choice(written, outside) != mpich_choice(tree, outside))
                fuzz::fail("a rule that holds for others");
        }
}

void try_mpich(const std::string& bytes) {
    try {
        for (const auto& [word, branch] : read_mpich_branches(bytes, "fuzz", 8))
            if (!branch.borders.empty() && *branch.borders.begin() < 1)
                fuzz::fail("a border below the first length");
        write_into(bytes);
    } catch (const InputError&) {
        return;
    }
}

void try_lines(const std::string& bytes) {
    for (const TuningFormat format : {TuningFormat::environment, TuningFormat::smpi_cfg})
        try {
            const bool of_options = format == TuningFormat::smpi_cfg;
            const std::map<std::string, std::string> choices = read_choices(format, bytes, "fuzz");
            std::string again;
            for (const auto& [name, value] : choices) {
                again += of_options ? "--cfg=" + name + ":" + value + "\n" : name + "=" + value + "\n";
                if (operation_of_variable(name).empty() && of_options)
                    fuzz::fail("an option without an operation");
            }
            if (again.find_first_of("$`'\"\\;&|<>\r ") != std::string::npos ||
                read_choices(format, again, "again") != choices)
                fuzz::fail("a value that a shell would read otherwise");
        } catch (const InputError&) {
        }
}

} // namespace

void fuzz::try_input(const std::string& bytes) {
    (void)format_of_text(bytes);
    (void)library_version(bytes);
    try_open_mpi(bytes, library_version("Open MPI v4.1.4"));
    try_open_mpi(bytes, library_version("Open MPI v5.0.7"));
    try_mpich(bytes);
    try_lines(bytes);
    if (const std::optional<std::string> tree = find_mpich_tree(bytes))
        try_mpich(*tree);
}

const std::vector<std::string>& fuzz::pieces() {
    static const std::vector<std::string> all{"rule-file-version-2\n",
                                              "# ",
                                              "0x10",
                                              "010",
                                              "-1",
                                              "0",
                                              "2147483648",
                                              "-2147483648",
                                              "9223372036854775808",
                                              "\"collective=bcast\":{",
                                              "\"collective=gather\":",
                                              "\"comm_type=intra\":{",
                                              "\"comm_size<-2147483648\":{",
                                              "\"comm_size<=8\":{",
                                              "\"comm_size=any\":{",
                                              "\"avg_msg_size<\":{",
                                              "\"count<pow2\":{",
                                              "\"algorithm=MPIR_Bcast_intra_x\":{}",
                                              "{\"collective=",
                                              "}",
                                              "},",
                                              "{",
                                              "[",
                                              "\\u0000",
                                              "MPIR_CVAR_BCAST_INTRA_ALGORITHM=nb\n",
                                              "export ",
                                              "--cfg=smpi/bcast:",
                                              "=",
                                              "\r\n",
                                              "\n",
                                              " ",
                                              "\xEF\xBB\xBF",
                                              "\xff",
                                              std::string(1, '\0'),
                                              std::string(300, '7'),
                                              std::string(20000, '{'),
                                              [] {
                                                  std::string deep;
                                                  for (int i = 0; i < 20000; ++i)
                                                      deep += "{\"collective=a\":";
                                                  return deep;
                                              }()};
    return all;
}
