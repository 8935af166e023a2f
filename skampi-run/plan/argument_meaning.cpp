// SPDX-License-Identifier: LGPL-2.1-or-later
#include "plan/argument_meaning.hpp"

#include "model/pattern.hpp"

namespace skampi {

ArgumentMeaning meaning_of(const Suite& suite, std::int64_t argument, int ranks_there) {
    ArgumentMeaning meaning{suite.ranks == 0 ? ranks_there : suite.ranks, suite.message_bytes, suite.chunks};
    if (const int ranks = row_of(suite.operation.pattern).ranks; ranks > 0)
        meaning.ranks = ranks;
    switch (suite.varied) {
    case Varied::none:
    case Varied::argument:
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
