// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <string>

namespace skampi {

/// Signals that come so soon after one another are one wish: `timeout` signals its child, then the child's
/// group; a launcher passes on what its ranks got from the terminal, too.
constexpr double same_stop_wish_s = 0.5;
/// From now on the first SIGTERM or SIGINT only asks this process to stop after its current measurement; a
/// second one ends it at once, as usual, unless it comes within so many seconds of the first.
void catch_stop_signals(double same_wish_within_s = same_stop_wish_s);
/// The signal that came; 0 = none.
[[nodiscard]] int stop_signal();
/// From now on this process outlives the readers of its standard output and standard error: where one has
/// gone
/// (`| head -1`), what is written for it vanishes. Other descriptors give EPIPE, as with SIGPIPE ignored.
void outlive_readers();
/// Whether one has gone since then. Its lines are lost because no one reads them, which is no error.
[[nodiscard]] bool a_reader_has_gone();
/// This process always ends with the status after that time; SIGTERM and SIGINT end it at once again (where
/// catch_stop_signals was called: but for one of the same wish as the first that
/// came). One such limit at a time.
/// @param words are written to standard error first, where they are not null; they must live as long
void end_process_after(unsigned seconds, int exit_status, const char* words = nullptr);
/// "SIGTERM"; of signals that do not ask to stop, number and meaning.
[[nodiscard]] std::string signal_name(int signal);

} // namespace skampi
