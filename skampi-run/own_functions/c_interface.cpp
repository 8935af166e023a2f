// SPDX-License-Identifier: LGPL-2.1-or-later
#include "own_functions/c_conversion.hpp"
#include "own_functions/local_program.hpp"
#include "skampi/skampi.h"

#include <exception>
#include <fmt/format.h>
#include <new>
#include <stdexcept>

struct skampi_program {
    std::vector<skampi::Function> functions;
};

namespace {

// C asks for it after the call that failed, as with errno: the only state that outlives one.
thread_local std::string last_error;

static_assert(unsigned{SKAMPI_LENGTH} == skampi::length_bit && unsigned{SKAMPI_NODES} == skampi::nodes_bit &&
              unsigned{SKAMPI_CHUNKS} == skampi::chunks_bit &&
              unsigned{SKAMPI_ARGUMENT} == skampi::argument_bit);

skampi_arguments to_c(const skampi::Arguments& a) {
    return {a.argument, a.message_bytes, a.chunks, a.source, a.target};
}

skampi::Function to_function(const skampi_function& f) {
    using skampi::Arguments;
    skampi::Function function;
    function.name = skampi::text_from_c(f.name);
    function.title = skampi::text_from_c(f.title);
    function.type = f.type;
    function.varied = skampi::varied_from_c(f.varied);
    function.argument_name = skampi::text_from_c(f.argument_name);
    function.argument_unit = skampi::text_from_c(f.argument_unit);
    function.wants_buffers = f.wants_buffers != 0;
    function.messages = f.messages;
    void* const user = f.user;
    if (f.setup != nullptr)
        function.setup = [part = f.setup, user](const Arguments& a) {
            const skampi_arguments arguments = to_c(a);
            if (const int code = part(&arguments, user); code != 0)
                throw std::runtime_error(fmt::format("the code {}", code));
        };
    if (f.call != nullptr)
        function.call = [part = f.call, user](const Arguments& a) {
            const skampi_arguments arguments = to_c(a);
            part(&arguments, user);
        };
    if (f.between != nullptr)
        function.between = [part = f.between, user](const Arguments& a) {
            const skampi_arguments arguments = to_c(a);
            part(&arguments, user);
        };
    if (f.check != nullptr)
        function.check = [part = f.check, user](const Arguments& a) {
            const skampi_arguments arguments = to_c(a);
            return part(&arguments, user) != 0;
        };
    if (f.teardown != nullptr)
        function.teardown = [part = f.teardown, user] { part(user); };
    return function;
}

} // namespace

extern "C" {

skampi_program* skampi_program_create() {
    last_error.clear();
    return new (std::nothrow) skampi_program;
}

int skampi_program_add(skampi_program* program, const skampi_function* function) {
    last_error.clear();
    if (program == nullptr || function == nullptr) {
        last_error = "found a null pointer, expected a program and a function";
        return SKAMPI_BAD_INPUT;
    }
    try {
        std::vector<skampi::Function> functions = program->functions;
        functions.push_back(to_function(*function));
        skampi::refuse_unfit(functions);
        program->functions = std::move(functions);
    } catch (const std::bad_alloc&) {
        return SKAMPI_IMPOSSIBLE;
    } catch (const std::exception& error) {
        last_error = error.what();
        return SKAMPI_BAD_INPUT;
    }
    return SKAMPI_OK;
}

int skampi_program_run(skampi_program* program, int argc, const char* const* argv) {
    last_error.clear();
    if (program == nullptr) {
        last_error = "found a null pointer, expected a program";
        return SKAMPI_BAD_INPUT;
    }
    return skampi::measure_functions(argc, argv, program->functions, last_error);
}

void skampi_program_free(skampi_program* program) {
    delete program;
}

const char* skampi_last_error() {
    return last_error.c_str();
}

} // extern "C"
