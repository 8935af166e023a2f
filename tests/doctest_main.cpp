#include <csignal>
#include <doctest/doctest.h>

int main(int argc, char** argv) {
    // Programs that are started with a signal ignored (nohup, `&` in scripts) go on ignoring it, as they should:
    // what tests send has to arrive.
    for (const int signal : {SIGINT, SIGTERM, SIGHUP})
        std::signal(signal, SIG_DFL);
    return doctest::Context(argc, argv).run();
}
