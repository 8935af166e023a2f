// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "base/child.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>

namespace skampi {

/// The outside world as the supervisor sees it. Tests bring their own, so that nothing sleeps.
class World {
public:
    /// The reason for the end of a wait.
    struct Wakeup {
        int signal = 0;           ///< SIGTERM, SIGINT or SIGHUP came for us; 0 = none
        bool child_ended = false; ///< its result is ready
    };

    World() = default;
    World(const World&) = delete;
    World& operator=(const World&) = delete;
    virtual ~World() = default;

    [[nodiscard]] virtual double monotonic_s() = 0;
    [[nodiscard]] virtual double utc_s() = 0; ///< seconds since 1970
    /// Starts the launcher; one at a time. @throws SystemError naming the program
    virtual void start(Command command) = 0;
    /// Sleeps until the child wrote a line (its callbacks are called), the child ended, a signal came, or the
    /// moment given; none = no moment.
    virtual Wakeup wait(std::optional<double> until_monotonic_s) = 0;
    /// Sends a signal to the launcher and all its group.
    virtual void send(int signal) = 0;
    /// Sends a signal to those processes on this host that run the job's program for this database (marked by
    /// their environment), wherever their launcher put them; returns how many there are. 0 as signal only
    /// counts.
    virtual int send_to_ranks(int signal) = 0;
    /// Sends a signal to everything on this host that was started for this database but is not us: ranks,
    /// launchers, their proxies; returns how many there are. 0 as signal only counts.
    virtual int send_to_leftovers(int signal) = 0;
    [[nodiscard]] virtual const ChildResult& result() = 0; ///< of the child that ended
    /// Changes when the file changes; 0 while it does not exist.
    [[nodiscard]] virtual std::uint64_t look_at(const std::string& path) = 0;
    /// Runs a short helper program (scancel, squeue) and waits for it.
    [[nodiscard]] virtual ChildResult ask(Command command) = 0;
};

/// The real one. Blocks SIGTERM, SIGINT and SIGHUP in this thread until destruction and takes them in wait().
/// @param database whose jobs are meant by send_to_ranks and send_to_leftovers
/// @param job the program of the ranks; empty = this program
[[nodiscard]] std::unique_ptr<World> make_world(const std::string& database, const std::string& job = {});

/// The executable file of this process. @throws SystemError
[[nodiscard]] std::string this_program();

/// The variable and its value that mark, in their environment, all processes started for a database, so that
/// they are found wherever a launcher puts them, and after the supervisor was killed: the database's real
/// path.
[[nodiscard]] std::pair<std::string, std::string> supervised_mark(const std::string& database);

} // namespace skampi
