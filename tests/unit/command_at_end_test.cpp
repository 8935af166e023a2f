#include "words/command_at_end.hpp"

#include <doctest/doctest.h>

using namespace skampi;

TEST_CASE("a command at the end of a text is told from the text") {
    const TextAndCommand plain = command_at_end("Next: skampi-run -n 2 --launches 5 'a: b.skampi' -d x.db");
    CHECK(plain.text == "Next:");
    CHECK(plain.command == "skampi-run -n 2 --launches 5 'a: b.skampi' -d x.db");
    const TextAndCommand with_variables =
        command_at_end("It is open: bind: A_1=x B='y z' skampi-run compare -n 2 --variant 'new: A=b'");
    CHECK(with_variables.text == "It is open: bind:");
    CHECK(with_variables.command == "A_1=x B='y z' skampi-run compare -n 2 --variant 'new: A=b'");
    for (const char* const text : {"", "no command", "behind a colon: nothing", "skampi-run -n 2",
                                   "two: skampi-run -n 2. More follows.", "ends: skampi-run -n 2.",
                                   "other: skampi-runner x", "unfinished: A='b skampi-run x"}) {
        CAPTURE(text);
        CHECK(command_at_end(text).text == text);
        CHECK(command_at_end(text).command.empty());
    }
}
