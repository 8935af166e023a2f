// SPDX-License-Identifier: LGPL-2.1-or-later
#include "own_functions/own_operations.hpp"

#include "base/error.hpp"
#include "base/text.hpp"
#include "model/pattern.hpp"
#include "operations/all_operations.hpp"
#include "own_functions/function_names.hpp"

#include <algorithm>
#include <exception>
#include <fmt/format.h>

namespace skampi {
namespace {

// What the tables under operations/ have as plain functions: each finds a user's function in its call. An
// exception must not leave the timed loop, because the other ranks wait in it: it becomes an error code.

template <typename Part>
int guarded(Call& c, const Part& part) {
    try {
        return part();
    } catch (const std::exception& error) {
        if (c.thrown.empty())
            c.thrown = error.what();
        return MPI_ERR_OTHER;
    } catch (...) {
        if (c.thrown.empty())
            c.thrown = "something that is not a std::exception";
        return MPI_ERR_OTHER;
    }
}

int own_setup(Call& c) {
    return guarded(c, [&] {
        c.own->setup(c);
        return MPI_SUCCESS;
    });
}
int own_call(Call& c) {
    return guarded(c, [&] { return c.own->call(c); });
}
int own_partner(Call& c) {
    return guarded(c, [&] { return c.own->partner(c); });
}
int own_between(Call& c) {
    return guarded(c, [&] { return c.own->between(c); });
}
int own_teardown(Call& c) {
    return guarded(c, [&] {
        c.own->teardown(c);
        return MPI_SUCCESS;
    });
}

Meaning meaning_of(const MpiFunction& function) {
    if (function.meaning != Meaning::unknown)
        return function.meaning;
    if (const Meaning meaning = row_of(function.pattern).meaning; meaning != Meaning::unknown)
        return meaning;
    throw InputError(fmt::format("function \"{}\": expected a meaning: round_trip, one_way, exchange, ...; a "
                                 "ping-pong's time can mean several things",
                                 printable(function.name)));
}

} // namespace

std::vector<Operation> operations_with(const std::vector<MpiFunction>& functions) {
    std::vector<Operation> operations = all_operations();
    for (const MpiFunction& function : functions) {
        Operation row;
        row.type = function.type;
        row.name = function.name;
        row.title = function.title.empty() ? function.name : function.title;
        row.pattern = function.pattern;
        row.meaning = meaning_of(function);
        row.varied = function.varied;
        row.send = function.send;
        row.receive = function.receive;
        row.messages = function.messages;
        row.delivers = function.check ? Delivers::as_checked : Delivers::nothing;
        row.own = &function;
        row.call = function.call ? own_call : nullptr;
        row.client = function.partner ? own_partner : nullptr;
        row.setup = function.setup ? own_setup : nullptr;
        row.after = function.between ? own_between : nullptr;
        row.teardown = function.teardown ? own_teardown : nullptr;
        if (std::ranges::find(row.varied, Varied::argument) != row.varied.end())
            throw InputError(
                fmt::format("function \"{}\": found an argument of its own to vary, expected Length, "
                            "Nodes or Chunks among MPI ranks",
                            printable(function.name)));
        refuse_unfit(row.info(), row.call != nullptr, operation_infos(operations));
        operations.push_back(std::move(row));
    }
    return operations;
}

} // namespace skampi
