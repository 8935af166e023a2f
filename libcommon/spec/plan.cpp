// SPDX-License-Identifier: LGPL-2.1-or-later
#include "spec/plan.hpp"

#include "base/hash.hpp"
#include "model/field_text.hpp"
#include "spec/datatypes.hpp"
#include "spec/suite_draft.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <vector>

namespace skampi {

namespace {

constexpr std::int64_t chunks_per_worker_at_most = 16;

} // namespace

int ranks_of(const Suite& suite, int ranks) {
    return suite.ranks == 0 ? ranks : std::min(suite.ranks, ranks);
}

bool has_ranks(const Suite& suite, int ranks) {
    const std::int64_t wanted = suite.varied == Varied::nodes ? suite.arguments.start : suite.ranks;
    return ranks >= std::max<std::int64_t>(wanted, fewest_ranks(suite.operation.pattern));
}

std::optional<skalib::RefinementLimits> resolved_arguments(const Suite& suite, int ranks,
                                                           std::int64_t max_message_bytes) {
    if (!has_ranks(suite, ranks))
        return std::nullopt;
    skalib::RefinementLimits arguments = suite.arguments;
    const std::int64_t participants = ranks_of(suite, ranks);
    switch (suite.varied) {
    case Varied::none:
    case Varied::argument:
        break;
    case Varied::message_length: {
        const DatatypeInfo* const datatype = find_datatype(suite.datatype);
        const auto element = datatype == nullptr ? 1 : static_cast<std::int64_t>(datatype->bytes);
        const std::int64_t longest = max_message_bytes / element * element;
        arguments.end = suite.end_is_max ? longest : std::min(arguments.end, longest);
        break;
    }
    case Varied::nodes:
        arguments.end = suite.end_is_max ? ranks : std::min<std::int64_t>(arguments.end, ranks);
        break;
    case Varied::chunks: {
        const std::int64_t workers = std::max<std::int64_t>(participants - 1, 1);
        if (arguments.start == 0)
            arguments.start = suite.end_is_max ? workers : std::min(workers, arguments.end);
        if (suite.end_is_max)
            arguments.end = std::max(arguments.start, workers * chunks_per_worker_at_most);
        break;
    }
    }
    arguments = skalib::within_multiples(arguments);
    return arguments.start <= arguments.end ? std::optional(arguments) : std::nullopt;
}

std::string suite_text(const Suite& suite) {
    Suite decisive = suite;
    // The varied parameter has no fixed value; the machine decides the others.
    switch (suite.varied) {
    case Varied::message_length:
        decisive.message_bytes = 0;
        break;
    case Varied::chunks:
        decisive.chunks = 0;
        break;
    case Varied::nodes:
        decisive.ranks = 0;
        break;
    case Varied::argument:
    case Varied::none:
        break;
    }
    if (suite.end_is_max)
        decisive.arguments.end = 0;
    std::string text;
    for_each_field(decisive, [&](const Field& field, const auto& value) {
        if (!field.is(in_plan))
            return;
        const std::string shown = is_unknown(suite, field.name) ? "unknown" : field_text(value);
        if (!shown.empty() || !field.is(unless_empty))
            text += fmt::format("{}={}\n", field.name, shown);
    });
    return text;
}

std::string plan_hash(const ParameterFile& file) {
    if (!file.hash_as_written.empty())
        return file.hash_as_written;
    std::vector<std::string> texts;
    bool memory_decides = false;
    for (const Suite& suite : file.suites) {
        texts.push_back(fmt::format("suite={}\nfamily={}\n{}", suite.name, suite.family, suite_text(suite)));
        memory_decides = memory_decides || (suite.end_is_max && suite.varied == Varied::message_length);
    }
    // Each launch of a series has its own order.
    std::sort(texts.begin(), texts.end());
    Fnv1a hash;
    for (const std::string& text : texts)
        hash.add(text);
    if (memory_decides)
        hash.add(fmt::format("memory_bytes={}\n", file.memory_bytes));
    if (file.resolution != skalib::usual_resolution)
        hash.add(fmt::format("resolution={}\n", file.resolution));
    return fmt::format("{:016x}", hash.value());
}

} // namespace skampi
