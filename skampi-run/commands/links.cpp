// SPDX-License-Identifier: LGPL-2.1-or-later
#include "commands/commands.hpp"

#include "base/error.hpp"
#include "base/text.hpp"
#include "supervisor/launch.hpp"

#include <cerrno>
#include <cstring>
#include <fmt/format.h>
#include <unistd.h>

namespace skampi {

void launch_links(const Options& options) {
    const LinksWish& wish = options.links;
    std::string lengths;
    for (const std::int64_t bytes : wish.lengths)
        lengths += fmt::format("{}{}", lengths.empty() ? "" : ",", bytes);
    const std::string launch = options.launcher.empty() ? default_launch() : options.launcher;
    std::vector<std::string> command{program_to_start({}, launch),
                                     "links",
                                     "-d",
                                     options.database.value_or(links_database),
                                     "--members",
                                     wish.of_nodes ? "nodes" : "ranks",
                                     "--lengths",
                                     lengths,
                                     "--expect-ranks",
                                     std::to_string(options.ranks)};
    if (wish.bisection)
        command.emplace_back("--bisection");
    if (wish.quick)
        command.emplace_back("--quick");
    else
        command.insert(command.end(), {"--passes", std::to_string(wish.passes)});
    if (wish.time_s)
        command.insert(command.end(), {"--time", fmt::format("{}s", *wish.time_s)});
    std::vector<std::string> words = launch_words(launch, options.ranks, command);
    std::vector<char*> arguments;
    for (std::string& word : words)
        arguments.push_back(word.data());
    arguments.push_back(nullptr);
    execvp(arguments.front(), arguments.data());
    throw SystemError(fmt::format("{}: {}", printable(words.front()), std::strerror(errno)));
}

} // namespace skampi
