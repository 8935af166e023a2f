// SPDX-License-Identifier: GPL-2.0-or-later
// The reader of parameter files, and what the plan of a run makes of them.
#include "fuzz_target.hpp"

#include "../unit/seed_operations.hpp"
#include "base/error.hpp"
#include "spec/parser.hpp"
#include "spec/plan.hpp"
#include "spec/plan_text.hpp"

using namespace skampi;

void fuzz::try_input(const std::string& bytes) {
    static const std::vector<OperationInfo> operations = seed_operations();
    ParameterFile file;
    try {
        file = parse_parameter_file("fuzz", bytes, operations);
    } catch (const InputError&) {
        return;
    }
    if (file.suites.empty())
        fail("a parameter file without a suite was taken");
    if (plan_hash(file) != plan_hash(file) || describe_plan(file, 4).empty())
        fail("a plan without a text");
    for (const Variant& variant : file.variants)
        if (!wrong_variant_name(variant.name).empty())
            fail("a variant that cannot be named");
    for (const Suite& suite : file.suites)
        if (!suite.unknown_fields.empty() || suite.arguments.start > suite.arguments.end)
            fail("a suite that cannot be measured");
}

const std::vector<std::string>& fuzz::pieces() {
    static const std::vector<std::string> all{"@MEASUREMENTS\n",
                                              "@VARIANTS\nold { }\n",
                                              "Unset = X;",
                                              "Program = /x;",
                                              "@MEMORY ",
                                              "@USER me\n",
                                              "@MAXREPDEFAULT 7\n",
                                              "{ Type = 17; }\n",
                                              "Type = MPI_Bcast;",
                                              "Variation = Nodes;",
                                              "Variation = Argument;",
                                              "Nodes = 2, 4, 8;",
                                              "Start_Argument = ",
                                              "End_Argument = Max_Value;",
                                              "Multiple_of = ",
                                              "Stepwidth = 1.0000001;",
                                              "Scale = Dynamic_log;",
                                              "Default_Value",
                                              "Invalid_Value",
                                              "KiB",
                                              "# comment\n",
                                              "= ",
                                              "; ",
                                              "{",
                                              "}",
                                              "\n",
                                              "0",
                                              "-1",
                                              "1e300",
                                              "9223372036854775807",
                                              "\xff",
                                              std::string(1, '\0'),
                                              std::string(300, '7'),
                                              std::string(70000, 'x')};
    return all;
}
