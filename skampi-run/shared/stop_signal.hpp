#pragma once

#include <string>

namespace skampi {

/// From now on the first SIGTERM or SIGINT only asks this process to stop after its current measurement; a
/// second one of the same kind ends it at once, as usual.
void catch_stop_signals();
/// The signal that came; 0 = none.
[[nodiscard]] int stop_signal();
/// "SIGTERM"; of signals that do not ask to stop, number and meaning.
[[nodiscard]] std::string signal_name(int signal);

} // namespace skampi
