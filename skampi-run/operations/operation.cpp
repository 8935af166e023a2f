#include "operations/operation.hpp"

#include <algorithm>
#include <initializer_list>

namespace skampi {

double Operation::messages_among(int ranks) const {
    switch (messages_per) {
    case MessagesPer::call:
        return messages;
    case MessagesPer::pair:
        return messages * (ranks / 2);
    case MessagesPer::other_rank:
        return messages * (ranks - 1);
    case MessagesPer::partner:
        return messages * sparse_partners(ranks);
    }
    return 0;
}

std::vector<Parameter> Operation::parameters() const {
    if (own != nullptr)
        return own->parameters;
    using enum Delivers;
    const auto one_of = [this](std::initializer_list<Delivers> several) {
        return std::find(several.begin(), several.end(), delivers) != several.end();
    };
    std::vector<Parameter> all;
    if (delivers != nothing)
        all.push_back(Parameter::datatype);
    if (reduces)
        all.push_back(Parameter::reduction);
    if (one_of({from_root, gathered, scattered, reduced}))
        all.push_back(Parameter::root);
    if (layout == Layout::blocks && one_of({gathered, gathered_all, scattered, exchanged, reduced,
                                            reduced_all, reduced_block, scanned, scanned_before}))
        all.push_back(Parameter::in_place);
    return all;
}

} // namespace skampi
