#pragma once

#include <string>

namespace skampi {

/// From now on the first SIGTERM or SIGINT only asks this process to stop after its current measurement; a
/// second one of the same kind ends it at once, as usual.
void catch_stop_signals();
/// The signal that came; 0 = none.
[[nodiscard]] int stop_signal();
/// From now on this process outlives the readers of its standard output and standard error: where one has
/// gone
/// (`| head -1`), what is written for it vanishes. Other descriptors give EPIPE, as with SIGPIPE ignored.
void outlive_readers();
/// Whether one has gone since then. Its lines are lost because nobody wants them, which is no error.
[[nodiscard]] bool a_reader_has_gone();
/// This process ends with the status when so much time is over, whatever it does then; SIGTERM and SIGINT end
/// it at once again. One such limit at a time.
void end_process_after(unsigned seconds, int exit_status);
/// "SIGTERM"; of signals that do not ask to stop, number and meaning.
[[nodiscard]] std::string signal_name(int signal);

} // namespace skampi
