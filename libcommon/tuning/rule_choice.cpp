#include "tuning/rule_choice.hpp"

#include "tuning/library_version.hpp"
#include "tuning/mpich_tree.hpp"
#include "tuning/open_mpi_rules.hpp"
#include "tuning/units.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <stdexcept>
#include <utility>

namespace skampi {

namespace {

bool tells_lengths(TuningFormat format, const std::string& operation) {
    const FiledOperation* const filed = filed_operation(operation);
    if (!filed)
        return true; // refused by the writer, with its reason
    switch (format) {
    case TuningFormat::open_mpi_rules:
        return filed->open_mpi != LengthUnit::none;
    case TuningFormat::mpich_tree:
        return filed->mpich != LengthUnit::none;
    case TuningFormat::environment:
    case TuningFormat::smpi_cfg:
        break;
    }
    return false;
}

} // namespace

std::vector<TuningRule> rules_for(TuningFormat format, const std::vector<TuningRule>& by_length,
                                  const std::vector<TuningRule>& for_all_lengths) {
    std::vector<TuningRule> rules;
    for (const TuningRule& rule : by_length)
        if (tells_lengths(format, rule.operation))
            rules.push_back(rule);
    for (const TuningRule& rule : for_all_lengths)
        if (!tells_lengths(format, rule.operation))
            rules.push_back(rule);
    return rules;
}

MadeTuning make_tuning(TuningFormat format, const TuningTarget& target, std::vector<TuningRule> rules) {
    MadeTuning made;
    made.file.run = target.run;
    made.file.format = to_text(format);
    made.file.library = target.library;
    made.file.created_utc = target.created_utc;
    const bool any = std::ranges::any_of(rules, &TuningRule::written);
    const bool replaces = !target.replaces.empty();
    if (!any && !replaces && format != TuningFormat::mpich_tree) {
        std::vector<TuningRule> none;
        (void)write_tuning(format, target, none); // refuses another library's format all the same
    }
    if (any || replaces) {
        WrittenTuning written = write_tuning(format, target, rules);
        made.written = static_cast<int>(std::ranges::count_if(rules, &TuningRule::written));
        if (made.written > 0 || replaces) {
            check_written(format, target, written.text, rules);
            made.file.path = target.path;
            made.file.text = std::move(written.text);
            made.notes = std::move(written.notes);
        }
    }
    made.file.rules = std::move(rules);
    return made;
}

void check_written(TuningFormat format, const TuningTarget& target, const std::string& text,
                   const std::vector<TuningRule>& rules) {
    const auto refuse = [](const TuningRule& rule, std::int64_t bytes, const std::string& found) {
        throw std::logic_error(
            fmt::format("the file gives {} at {} bytes and {} ranks the algorithm {}, expected {}",
                        rule.operation, bytes, rule.ranks_low, found, rule.algorithm));
    };
    const auto at_borders = [&](auto&& look) {
        for (const TuningRule& rule : rules)
            if (rule.written)
                for (const std::int64_t bytes :
                     {rule.bytes_low, std::min(rule.bytes_high, std::int64_t{1} << 20)})
                    if (bytes >= rule.bytes_low)
                        look(rule, bytes);
    };
    if (format == TuningFormat::open_mpi_rules) {
        const OpenMpiRules read = read_open_mpi_rules(text, library_version(target.library), target.path);
        at_borders([&](const TuningRule& rule, std::int64_t bytes) {
            const OpenMpiRow row = open_mpi_choice(read, rule.operation, rule.ranks_low, bytes);
            if (row.algorithm != rule.number)
                refuse(rule, bytes, std::to_string(row.algorithm));
        });
    } else if (format == TuningFormat::mpich_tree) {
        const MpichTree read(text, target.path);
        at_borders([&](const TuningRule& rule, std::int64_t bytes) {
            MpichCall call;
            call.operation = rule.operation;
            call.ranks = rule.ranks_low;
            call.bytes = bytes;
            const std::string found = read.choice(call).value_or("");
            if (mpich_word(rule.operation, found) != rule.algorithm)
                refuse(rule, bytes, found);
        });
    }
}

} // namespace skampi
