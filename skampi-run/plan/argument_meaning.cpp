#include "plan/argument_meaning.hpp"

namespace skampi {

ArgumentMeaning meaning_of(const Suite& suite, std::int64_t argument, int ranks_there) {
    ArgumentMeaning meaning{suite.ranks == 0 ? ranks_there : suite.ranks, suite.message_bytes, suite.chunks};
    if (suite.operation.pattern == Pattern::simple)
        meaning.ranks = 1;
    else if (suite.operation.pattern == Pattern::ping_pong)
        meaning.ranks = 2;
    switch (suite.varied) {
    case Varied::none:
        break;
    case Varied::message_length:
        meaning.message_bytes = argument;
        break;
    case Varied::nodes:
        meaning.ranks = static_cast<int>(argument);
        break;
    case Varied::chunks:
        meaning.chunks = argument;
        break;
    }
    return meaning;
}

} // namespace skampi
