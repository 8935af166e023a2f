// SPDX-License-Identifier: GPL-2.0-or-later
// Texts that skampi-run takes from its user and from programs that it starts.
#include "fuzz_target.hpp"

#include "algorithms/library_words.hpp"
#include "base/error.hpp"
#include "model/launch_command.hpp"
#include "session/variant_text.hpp"
#include "supervisor/launch.hpp"

using namespace skampi;

namespace {

void try_variant(const std::string& bytes) {
    if (bytes.find('\0') != std::string::npos)
        return; // no command line has one
    try {
        const Variant variant = parse_variant(bytes);
        if (variant.name.find(':') != std::string::npos)
            fuzz::fail("a name with a colon");
        if (parse_variant(variant.name + ": " + variant_text(variant)) != variant)
            fuzz::fail("a variant's text is read otherwise");
        (void)describe_variants({variant, {}});
    } catch (const InputError&) {
    }
    try {
        check_variants(variants_against({bytes, bytes}), true);
    } catch (const InputError&) {
    }
    try {
        if (launch_words(bytes, 2, {"program", "a b"}).empty())
            fuzz::fail("a launch without words");
    } catch (const InputError&) {
    }
}

void try_words(const std::string& bytes) {
    const std::set<std::string> known = words_in_library(bytes);
    for (const std::vector<std::string>& place : word_places(bytes, known))
        if (place.empty() || place.front().empty())
            fuzz::fail("a place without a word");
}

} // namespace

void fuzz::try_input(const std::string& bytes) {
    try_variant(bytes);
    try_words(bytes);
    (void)parse_session_place(bytes);
}

const std::vector<std::string>& fuzz::pieces() {
    static const std::vector<std::string> all{"new: ",
                                              "A=1 ",
                                              "unset=",
                                              "program=",
                                              "launch='mpiexec -n {n}' ",
                                              "args=\"-x\" ",
                                              "'",
                                              "\"",
                                              "\\",
                                              "{command}",
                                              "{n}",
                                              " round ",
                                              " place ",
                                              "skampi-probe 0 MPI_Bcast:8 0\n",
                                              "algorithm=MPIR_Bcast_intra_",
                                              "algorithmauto - Internal ",
                                              "1e999",
                                              "1e300",
                                              "-1",
                                              "9223372036854775808",
                                              "]",
                                              "}",
                                              "\n",
                                              "\t",
                                              "\xff",
                                              std::string(1, '\0'),
                                              std::string(300, '7'),
                                              std::string(20000, '[')};
    return all;
}
