#include "operations/operation.hpp"

#include <algorithm>
#include <initializer_list>

namespace skampi {

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
    if (one_of({gathered, gathered_all, scattered, exchanged, reduced, reduced_all, reduced_block, scanned,
                scanned_before}))
        all.push_back(Parameter::in_place);
    return all;
}

} // namespace skampi
