#include <csignal>
#include <doctest/doctest.h>

int main(int argc, char** argv) {
    // Programs that are started with a signal ignored (nohup, `&` in scripts) go on ignoring it, as they should:
    // what tests send has to arrive.
    std::signal(SIGINT, SIG_DFL);
    std::signal(SIGTERM, SIG_DFL);
    std::signal(SIGHUP, SIG_DFL);
    return doctest::Context(argc, argv).run();
}
