// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <string>
#include <vector>

// A fuzz target defines these two functions; fuzz_main.cpp calls them, with inputs of libFuzzer or, without
// it, with inputs that it makes up from samples, always the same ones.
namespace fuzz {

/// What has to hold for any bytes. Ends the program by fail() where it does not.
void try_input(const std::string& bytes);
/// What inputs are made of, beside the samples. The last two are long ones, which are taken seldom.
[[nodiscard]] const std::vector<std::string>& pieces();

[[noreturn]] void fail(const char* what);

} // namespace fuzz
