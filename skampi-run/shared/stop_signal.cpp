#include "shared/stop_signal.hpp"

#include "base/child.hpp"

#include <csignal>

namespace skampi {
namespace {

// The one mutable global of the program: a signal handler can reach nothing else. It belongs to the process,
// as signals do, so ranks that share a process (in simulations) rightly share it.
volatile std::sig_atomic_t came = 0;

void note(int signal) {
    came = signal;
}

} // namespace

void catch_stop_signals() {
    struct sigaction action {};
    action.sa_handler = note;
    action.sa_flags = static_cast<int>(SA_RESETHAND) | SA_RESTART;
    sigaction(SIGTERM, &action, nullptr);
    sigaction(SIGINT, &action, nullptr);
}

int stop_signal() {
    return came;
}

std::string signal_name(int signal) {
    switch (signal) {
    case SIGTERM:
        return "SIGTERM";
    case SIGINT:
        return "SIGINT";
    case SIGHUP:
        return "SIGHUP";
    default:
        return signal_text(signal);
    }
}

} // namespace skampi
