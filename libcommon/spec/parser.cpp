// SPDX-License-Identifier: LGPL-2.1-or-later
#include "spec/parser.hpp"

#include "spec/key_table.hpp"
#include "spec/mistake.hpp"
#include "spec/plan.hpp"
#include "base/suggestion.hpp"
#include "spec/suite_draft.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <map>
#include <utility>

namespace skampi {

namespace {

constexpr std::string_view blanks = " \t\r\v\f";
constexpr std::string_view white_space = " \t\r\v\f\n";
constexpr std::string_view default_value = "Default_Value";
constexpr std::string_view unset_key = "Unset"; ///< of @VARIANTS, the only one that may be repeated
/// More suites than this from one block are a mistake.
constexpr std::size_t most_suites_of_a_block = 10'000;

/// A stretch of the file.
struct TextPiece {
    std::size_t begin = 0;
    std::size_t end = 0;
};

TextPiece trimmed(std::string_view text, TextPiece stretch) {
    while (stretch.begin < stretch.end && white_space.find(text[stretch.begin]) != std::string_view::npos)
        ++stretch.begin;
    while (stretch.end > stretch.begin && white_space.find(text[stretch.end - 1]) != std::string_view::npos)
        --stretch.end;
    return stretch;
}

std::string_view piece(std::string_view text, TextPiece stretch) {
    return text.substr(stretch.begin, stretch.end - stretch.begin);
}

/// `#` begins a comment at the beginning of a line and after white space: names may contain one.
bool begins_comment(std::string_view text, std::size_t at) {
    return text[at] == '#' && (at == 0 || white_space.find(text[at - 1]) != std::string_view::npos);
}

/// The lines of a stretch, without their ends.
std::vector<TextPiece> lines_of(std::string_view text, TextPiece stretch) {
    std::vector<TextPiece> lines;
    for (std::size_t begin = stretch.begin; begin < stretch.end;) {
        const std::size_t newline = std::min(text.find('\n', begin), stretch.end);
        lines.push_back({begin, newline});
        begin = newline + 1;
    }
    return lines;
}

/// One @NAME with what follows it.
struct FoundSection {
    std::size_t name_at = 0;
    std::string_view name;
    TextPiece content;
};

/// Splits the file at the lines whose first character is an @. The text before the first is a comment.
std::vector<FoundSection> sections_of(const SourceText& source) {
    const std::string_view text = source.text();
    std::vector<FoundSection> found;
    for (const TextPiece line : lines_of(text, {0, text.size()})) {
        const std::size_t first = text.find_first_not_of(blanks, line.begin);
        if (first >= line.end || text[first] != '@')
            continue;
        const std::size_t name_end = std::min(text.find_first_of(white_space, first), line.end);
        if (!found.empty())
            found.back().content.end = first;
        found.push_back({first, text.substr(first, name_end - first), {name_end, text.size()}});
    }
    return found;
}

/// Free text: the lines of a section without outer blank lines and trailing blanks.
std::string free_text(std::string_view text, TextPiece content) {
    std::string result;
    std::string blank_lines;
    for (const TextPiece line : lines_of(text, content)) {
        const TextPiece inner = trimmed(text, line);
        if (inner.begin == inner.end) {
            blank_lines += result.empty() ? "" : "\n";
            continue;
        }
        const bool first_line = line.begin == content.begin;
        result += std::exchange(blank_lines, {});
        result += result.empty() ? "" : "\n";
        result += piece(text, {first_line ? inner.begin : line.begin, inner.end});
    }
    return result;
}

/// The value of a section without comments. @throws ParameterError for none or more than one line
TextPiece only_value(const SourceText& source, const FoundSection& section, const FileSection& row) {
    const std::string_view text = source.text();
    TextPiece value;
    for (const TextPiece line : lines_of(text, section.content)) {
        std::size_t end = line.begin;
        while (end < line.end && !begins_comment(text, end))
            ++end;
        const TextPiece inner = trimmed(text, {line.begin, end});
        if (inner.begin == inner.end)
            continue;
        if (value.begin != value.end)
            refuse(source, inner.begin, Mistake::surplus_value,
                   fmt::format("found {} after the value of {}, expected the next section",
                               quoted(piece(text, inner)), row.name));
        value = inner;
    }
    if (value.begin == value.end)
        refuse(source, section.name_at, Mistake::missing_value,
               fmt::format("found no value for {}, expected {}", row.name, row.accepts));
    return value;
}

struct Word {
    std::string_view text;
    std::size_t offset = 0;
};

/// `Key = value, value;`
struct Assignment {
    std::string_view name;
    const Key* key = nullptr; ///< null where any name is taken
    std::size_t offset = 0;
    std::vector<Word> values;
};

/// `NAME { ... }`
struct Block {
    std::string_view name;
    std::size_t name_at = 0;
    std::size_t brace_at = 0;
    std::vector<Assignment> assignments;
};

/// Reads the blocks of @MEASUREMENTS and @VARIANTS.
class BlockReader {
public:
    /// @param keys those there are; null = any name, with one value up to its semicolon
    /// @param named what a block has the name of, for messages
    BlockReader(const SourceText& source, TextPiece content, const std::vector<Key>* keys,
                std::string_view named)
        : source_(source)
        , text_(source.text().substr(0, content.end))
        , at_(content.begin)
        , keys_(keys)
        , named_(named) {}

    /// All blocks up to the end of the section.
    [[nodiscard]] std::vector<Block> blocks() {
        std::vector<Block> result;
        for (skip_to_token(); at_ < text_.size(); skip_to_token())
            result.push_back(block());
        return result;
    }

    /// All assignments up to the end of a section without blocks.
    [[nodiscard]] std::vector<Assignment> assignments() {
        Block all;
        all.name = named_;
        for (skip_in_block(); at_ < text_.size(); skip_in_block())
            add(all, assignment());
        return std::move(all.assignments);
    }

private:
    /// White space and comments. Inside a block every # begins a comment.
    void skip(bool in_block) {
        while (at_ < text_.size()) {
            if (white_space.find(text_[at_]) != std::string_view::npos)
                ++at_;
            else if (in_block ? text_[at_] == '#' : begins_comment(text_, at_))
                at_ = std::min(text_.find('\n', at_), text_.size());
            else
                return;
        }
    }
    void skip_to_token() { skip(false); }
    void skip_in_block() { skip(true); }

    /// The text at the current place, for messages.
    [[nodiscard]] std::string found() const {
        if (at_ == text_.size())
            return text_.size() == source_.text().size() ? "the end of the file" : "the next section";
        const std::size_t end = std::min(text_.find_first_of("\n", at_), text_.size());
        return quoted(piece(text_, trimmed(text_, {at_, end})));
    }

    [[nodiscard]] Block block() {
        Block result;
        if (text_[at_] == '{')
            refuse(source_, at_, Mistake::syntax,
                   fmt::format("found \"{{\" without a name, expected the name of a {} in the line before it",
                               named_));
        if (text_[at_] == '}')
            refuse(source_, at_, Mistake::syntax,
                   fmt::format("found \"}}\" outside of a block, expected the name of a {}", named_));
        const std::size_t begin = at_;
        while (at_ < text_.size() && text_[at_] != '{' && text_[at_] != '}' && text_[at_] != '\n' &&
               !begins_comment(text_, at_))
            ++at_;
        const TextPiece name = trimmed(text_, {begin, at_});
        result.name = piece(text_, name);
        result.name_at = name.begin;
        for (std::size_t i = name.begin; i < name.end; ++i)
            if (static_cast<unsigned char>(text_[i]) < 0x20 || text_[i] == 0x7F)
                refuse(source_, i, Mistake::control_character,
                       fmt::format("found a control character in the name {}, expected letters, digits, "
                                   "signs and blanks",
                                   quoted(result.name)));
        skip_to_token();
        if (at_ == text_.size() || text_[at_] != '{')
            refuse(source_, at_, Mistake::syntax,
                   fmt::format("found {} after the {} name {}, expected \"{{\"", found(), named_,
                               quoted(result.name)));
        result.brace_at = at_++;
        for (skip_in_block(); at_ == text_.size() || text_[at_] != '}'; skip_in_block()) {
            if (at_ == text_.size())
                refuse(source_, at_, Mistake::syntax,
                       fmt::format("found {}, expected \"}}\" at the end of the block {} that begins in "
                                   "line {}",
                                   found(), quoted(result.name), source_.line(result.brace_at)));
            add(result, assignment());
        }
        ++at_;
        return result;
    }

    void add(Block& block, Assignment&& assignment) const {
        for (const Assignment& former : block.assignments)
            if (former.name == assignment.name && former.name != unset_key)
                refuse(source_, assignment.offset, Mistake::repeated_key,
                       fmt::format("found {} a second time in the block {}, "
                                   "expected it once (first in line {})",
                                   assignment.name, quoted(block.name), source_.line(former.offset)));
        block.assignments.push_back(std::move(assignment));
    }

    [[nodiscard]] Assignment assignment() {
        Assignment result;
        result.offset = at_;
        while (at_ < text_.size() && is_key_character(text_[at_]))
            ++at_;
        const std::string_view name = text_.substr(result.offset, at_ - result.offset);
        if (name.empty())
            refuse(source_, at_, Mistake::syntax, fmt::format("found {}, expected a key or \"}}\"", found()));
        result.name = name;
        if (keys_ != nullptr)
            result.key = &known_key(name, result.offset);
        skip_in_block();
        if (at_ == text_.size() || text_[at_] != '=')
            refuse(source_, at_, Mistake::syntax,
                   fmt::format("found {} after {}, expected \"=\"", found(), name));
        if (result.key == nullptr) {
            ++at_;
            result.values.push_back(free_value());
            ++at_;
            return result;
        }
        do {
            ++at_;
            result.values.push_back(value(*result.key));
        } while (at_ < text_.size() && text_[at_] == ',');
        if (result.values.size() > 1 && !result.key->list)
            refuse(source_, result.values[1].offset, Mistake::unexpected_list,
                   fmt::format("found a list for {}, expected one value: {}", name, result.key->accepts));
        ++at_;
        return result;
    }

    /// One value, and on to the comma or semicolon behind it.
    [[nodiscard]] Word value(const Key& key) {
        skip_in_block();
        const std::size_t begin = at_;
        at_ = std::min(text_.find_first_of(";,={}#\n", at_), text_.size());
        const TextPiece word = trimmed(text_, {begin, at_});
        if (word.begin == word.end)
            refuse(source_, at_, Mistake::missing_value,
                   fmt::format("found {} as the value of {}, expected {}", found(), key.name, key.accepts));
        skip_in_block();
        if (at_ == text_.size() || (text_[at_] != ';' && text_[at_] != ',')) {
            const std::string next = found();
            refuse(source_, word.end, Mistake::syntax,
                   fmt::format("found {} after {} = {}, expected \";\"", next, key.name,
                               quoted(piece(text_, word))));
        }
        return {piece(text_, word), word.begin};
    }

    [[nodiscard]] static bool is_key_character(char c) {
        return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' ||
               c == '-';
    }

    /// A value of any characters up to its semicolon; it may be empty.
    [[nodiscard]] Word free_value() {
        const std::size_t begin = at_;
        while (at_ < text_.size() && text_[at_] != ';' && text_[at_] != '\n')
            ++at_;
        const TextPiece word = trimmed(text_, {begin, at_});
        if (at_ == text_.size() || text_[at_] != ';')
            refuse(source_, word.begin, Mistake::syntax,
                   fmt::format("found {} without its end, expected \";\" in the same line",
                               quoted(piece(text_, word))));
        for (std::size_t i = word.begin; i < word.end; ++i)
            if (static_cast<unsigned char>(text_[i]) < 0x20 || text_[i] == 0x7F)
                refuse(source_, i, Mistake::control_character,
                       fmt::format("found a control character in the value {}, expected none",
                                   quoted(piece(text_, word))));
        return {piece(text_, word), word.begin};
    }

    [[nodiscard]] const Key& known_key(std::string_view name, std::size_t offset) const {
        const auto found =
            std::find_if(keys_->begin(), keys_->end(), [&](const Key& key) { return key.name == name; });
        if (found != keys_->end())
            return *found;
        std::vector<std::string_view> names;
        for (const Key& key : *keys_)
            names.push_back(key.name);
        refuse(source_, offset, Mistake::unknown_key,
               fmt::format("found the unknown key {}, expected one of the keys of a block{}", quoted(name),
                           did_you_mean(name, names)));
    }

    const SourceText& source_;
    std::string_view text_; ///< up to the end of the section
    std::size_t at_;
    const std::vector<Key>* keys_;
    std::string_view named_;
};

/// The variant of a block of @VARIANTS. @throws ParameterError
Variant variant_of(const Block& block, const SourceText& source) {
    constexpr std::array<std::string_view, 4> keys = {"Program", "Launch", "Arguments", unset_key};
    Variant variant;
    variant.name = block.name;
    if (const std::string wrong = wrong_variant_name(variant.name); !wrong.empty())
        refuse(source, block.name_at, Mistake::bad_value, wrong);
    for (const Assignment& assignment : block.assignments) {
        const std::string value(assignment.values.front().text);
        if (assignment.name == "Program")
            variant.program = value;
        else if (assignment.name == "Launch")
            variant.launch = value;
        else if (assignment.name == "Arguments")
            variant.arguments = value;
        else if (assignment.name == unset_key && is_variable_name(value))
            variant.settings[value] = std::nullopt;
        else if (assignment.name.size() > 1 && assignment.name[0] >= 'A' && assignment.name[0] <= 'Z' &&
                 assignment.name[1] >= 'a' && assignment.name[1] <= 'z')
            refuse(source, assignment.offset, Mistake::unknown_key,
                   fmt::format(
                       "found {} = {}, expected Program, Launch, Arguments, Unset = NAME, or the name of "
                       "an environment variable{}",
                       assignment.name, quoted(value),
                       did_you_mean(assignment.name, {keys.begin(), keys.end()})));
        else if (is_variable_name(assignment.name))
            variant.settings[std::string(assignment.name)] = value;
        else
            refuse(source, assignment.offset, Mistake::unknown_key,
                   fmt::format("found {}, expected the name of an environment variable",
                               quoted(assignment.name)));
    }
    return variant;
}

/// The whole of a parameter file, section by section.
class Parser {
public:
    Parser(const SourceText& source, std::span<const OperationInfo> operations)
        : source_(source)
        , operations_(operations) {}

    void parse(ParameterFile& file) {
        const std::vector<FoundSection> found = sections_of(source_);
        if (source_.text().find_first_not_of(white_space) == std::string_view::npos)
            refuse(source_, 0, Mistake::empty_file,
                   "found an empty file, expected sections, the last of them @MEASUREMENTS");
        const FoundSection* measurements = nullptr;
        for (std::size_t i = 0; i < found.size(); ++i) {
            const FileSection& row = row_of(found[i]);
            for (std::size_t k = 0; k < i; ++k)
                if (found[k].name == found[i].name)
                    refuse(source_, found[i].name_at, Mistake::repeated_section,
                           fmt::format("found {} a second time, expected it once (first in line {})",
                                       row.name, source_.line(found[k].name_at)));
            if (row.name == measurements_section)
                measurements = &found[i];
            else if (row.name == launches_section)
                read_launches(found[i], file);
            else if (row.name == variants_section)
                read_variants(found[i], file);
            else
                read(found[i], row, file);
        }
        if (measurements == nullptr)
            refuse(source_, source_.text().size(), Mistake::missing_section,
                   fmt::format("found no section {}, expected one", measurements_section));
        // Last: defaults may follow it.
        std::vector<Block> blocks = BlockReader(source_, measurements->content, &keys_, "suite").blocks();
        if (blocks.empty())
            refuse(
                source_, measurements->name_at, Mistake::missing_block,
                fmt::format("found no block in {}, expected NAME {{ Type = ...; }}", measurements_section));
        for (const Block& block : blocks)
            add_suites(block, file);
    }

private:
    [[nodiscard]] const FileSection& row_of(const FoundSection& found) const {
        for (const FileSection& row : sections_)
            if (row.name == found.name)
                return row;
        std::vector<std::string_view> names;
        for (const FileSection& row : sections_)
            names.push_back(row.name);
        refuse(source_, found.name_at, Mistake::unknown_section,
               fmt::format("found the unknown section {}, expected one of {}{}", quoted(found.name),
                           fmt::join(names, " "), did_you_mean(found.name, names)));
    }

    [[nodiscard]] const Key& key_named(std::string_view name) const {
        return *std::find_if(keys_.begin(), keys_.end(), [&](const Key& key) { return key.name == name; });
    }

    void read_launches(const FoundSection& found, ParameterFile& file) const {
        const std::vector<FileSection> rows = launch_keys();
        std::vector<Key> keys;
        for (const FileSection& row : rows)
            keys.push_back({row.name, row.sets, row.accepts, false, {}, nullptr});
        for (const Assignment& each :
             BlockReader(source_, found.content, &keys, launches_section).assignments())
            std::ranges::find(rows, each.name, &FileSection::name)
                ->apply(file, {source_, each.values.front().text, each.values.front().offset, each.name,
                               each.key->accepts, Level::file, operations_});
        if (!file.precision.asked_for())
            refuse(source_, found.name_at, Mistake::missing_value,
                   fmt::format("found {} without Until, expected Until = 2 %;", launches_section));
    }

    void read_variants(const FoundSection& found, ParameterFile& file) const {
        std::map<std::string, std::size_t> lines;
        for (const Block& block : BlockReader(source_, found.content, nullptr, "variant").blocks()) {
            Variant variant = variant_of(block, source_);
            const auto [former, is_first] = lines.emplace(variant.name, source_.line(block.name_at));
            if (!is_first)
                refuse(source_, block.name_at, Mistake::repeated_name,
                       fmt::format(
                           "found the variant {} a second time, expected each name once (first in line {})",
                           quoted(variant.name), former->second));
            file.variants.push_back(std::move(variant));
        }
    }

    void read(const FoundSection& found, const FileSection& row, ParameterFile& file) {
        if (row.text != nullptr) {
            file.*row.text = free_text(source_.text(), found.content);
            return;
        }
        const TextPiece place = only_value(source_, found, row);
        const Value value{
            source_,    piece(source_.text(), place), place.begin, row.name, row.accepts, Level::file,
            operations_};
        if (row.apply != nullptr)
            row.apply(file, value);
        else if (value.text != default_value)
            key_named(row.default_of).apply(defaults_, value);
    }

    void apply(const Assignment& assignment, const Word& word, SuiteDraft& draft) const {
        const Key& key = *assignment.key;
        if (word.text == default_value && key.name != "Type")
            return;
        key.apply(draft, {source_, word.text, word.offset, key.name, key.accepts, Level::block, operations_});
    }

    /// A key that has no meaning for the operation is a mistake.
    void check_meaning(const Block& block, const OperationInfo& operation) const {
        for (const Assignment& assignment : block.assignments) {
            if (assignment.values.size() == 1 && assignment.values[0].text == default_value)
                continue;
            if (const auto parameter = from_text<Parameter>(assignment.key->name);
                parameter && !has(operation, *parameter))
                refuse(source_, assignment.offset, Mistake::not_applicable,
                       fmt::format("found {} for {}, expected it only for operations {} (`skampi-run list` "
                                   "shows which)",
                                   assignment.key->name, quoted(operation.name), that_have(*parameter)));
            const std::vector<Pattern>& allowed = assignment.key->patterns;
            if (allowed.empty() ||
                std::find(allowed.begin(), allowed.end(), operation.pattern) != allowed.end())
                continue;
            std::vector<std::string_view> names;
            for (const Pattern other : allowed)
                names.push_back(to_text(other));
            refuse(source_, assignment.offset, Mistake::not_applicable,
                   fmt::format("found {} for an operation of the pattern {}, expected it only for {}",
                               assignment.key->name, to_text(operation.pattern), fmt::join(names, " and ")));
        }
    }

    /// All other values of the list would be measured twice.
    void check_algorithms(const Block& block, const Assignment& list) const {
        if (list.key->name != to_text(Parameter::algorithm))
            return;
        for (const Word& word : list.values)
            if (word.text == every_algorithm)
                refuse(source_, word.offset, Mistake::contradiction,
                       fmt::format("found {} in a list for {} in the block {}, expected it alone: it is "
                                   "default and all other words",
                                   quoted(word.text), list.key->name, quoted(block.name)));
    }

    /// Blocks of the manual give a length to every operation. A list of lengths would measure the same again.
    void check_list(const Block& block, const Assignment& list, const OperationInfo& operation) const {
        const std::vector<Varied>& varied = operation.varied;
        if (list.key->name != "Default_Message_length" ||
            std::find(varied.begin(), varied.end(), Varied::message_length) != varied.end())
            return;
        refuse(source_, list.values[1].offset, Mistake::not_applicable,
               fmt::format(
                   "found a list for Default_Message_length in the block {}, expected at most one value: the "
                   "operation {} has no message length to choose",
                   quoted(block.name), quoted(operation.name)));
    }

    /// The suites of a block: one, or one for each combination of the values of its lists.
    void add_suites(const Block& block, ParameterFile& file) {
        std::vector<const Assignment*> lists;
        std::size_t combinations = 1;
        SuiteDraft common = defaults_;
        common.suite.absolute = file.absolute;
        for (const Assignment& assignment : block.assignments) {
            if (assignment.values.size() == 1) {
                apply(assignment, assignment.values.front(), common);
                continue;
            }
            lists.push_back(&assignment);
            if (assignment.values.size() > most_suites_of_a_block / combinations)
                refuse(source_, assignment.offset, Mistake::too_many_suites,
                       fmt::format("found lists that make more than {} suites of the block {}, "
                                   "expected fewer",
                                   most_suites_of_a_block, quoted(block.name)));
            combinations *= assignment.values.size();
        }
        if (common.operation != nullptr) {
            check_meaning(block, *common.operation);
            for (const Assignment* list : lists) {
                check_list(block, *list, *common.operation);
                check_algorithms(block, *list);
            }
        }

        std::map<std::string, std::string> names_of_contents;
        for (std::size_t index = 0; index < combinations; ++index) {
            SuiteDraft draft = common;
            std::string varied_text;
            std::size_t stride = combinations;
            for (const Assignment* list : lists) {
                stride /= list->values.size();
                const Word& word = list->values[index / stride % list->values.size()];
                apply(*list, word, draft);
                varied_text +=
                    fmt::format("{}{} = {}", varied_text.empty() ? "" : ", ", list->key->name, word.text);
            }
            Suite suite = finished(draft, source_, {block.brace_at, file.memory_bytes});
            suite.family = block.name;
            suite.name = block.name;
            if (draft.names_start && suite.synchronization == Synchronization::window)
                file.families_in_windows.insert(suite.family);
            if (!lists.empty())
                suite.name += fmt::format(" ({})", varied_text);
            const auto [same, is_new] = names_of_contents.emplace(suite_text(suite), suite.name);
            if (!is_new)
                refuse(source_, lists.front()->offset, Mistake::repeated_suite,
                       fmt::format("found the same suite twice in the block {}, as {} and as {}, "
                                   "expected lists of different values",
                                   quoted(block.name), quoted(same->second), quoted(suite.name)));
            const auto [former, is_first] = lines_of_names_.emplace(suite.name, source_.line(block.name_at));
            if (!is_first)
                refuse(source_, block.name_at, Mistake::repeated_name,
                       fmt::format("found the suite name {} a second time, "
                                   "expected each name once (first in line {})",
                                   quoted(suite.name), former->second));
            file.suites.push_back(std::move(suite));
        }
    }

    const SourceText& source_;
    std::span<const OperationInfo> operations_;
    const std::vector<Key> keys_ = all_keys();
    const std::vector<FileSection> sections_ = all_sections();
    SuiteDraft defaults_;
    std::map<std::string, std::size_t> lines_of_names_;
};

} // namespace

ParameterFile parse_parameter_file(const std::string& name, const std::string& text,
                                   std::span<const OperationInfo> operations) {
    ParameterFile file;
    file.name = name;
    file.text = text;
    const SourceText source(name, file.text);
    Parser(source, operations).parse(file);
    return file;
}

} // namespace skampi
