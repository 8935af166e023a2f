// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <charconv>
#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <string>
#include <string_view>

namespace skampi {

/// Adds an option of a percentage above 0 and up to `most`, such as "2%", which is kept as a share.
inline CLI::Option* add_percent(CLI::App& app, const std::string& name, double& share,
                                const std::string& description, int most = 50) {
    const auto take = [name, most, &share](const std::string& text) {
        double number = 0;
        const char* const end = text.data() + text.size();
        const auto [stop, error] = std::from_chars(text.data(), end, number);
        const std::string_view unit(stop, static_cast<std::size_t>(end - stop));
        if (error != std::errc() || (unit != "%" && unit != " %") || !(number > 0 && number <= most))
            throw CLI::ValidationError(
                name,
                fmt::format("found \"{}\", expected a percentage above 0 and up to {}, such as 2%", text,
                            most));
        share = number / 100;
    };
    return app.add_option_function<std::string>(name, take, description);
}

} // namespace skampi
