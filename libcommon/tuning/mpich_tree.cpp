#include "tuning/mpich_tree.hpp"

#include "base/error.hpp"
#include "base/text.hpp"
#include "tuning/mpich_test.hpp"
#include "tuning/units.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <fmt/format.h>
#include <limits>
#include <nlohmann/json.hpp>
#include <utility>

namespace skampi {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t smallest_page = 4096; ///< larger pages are multiples of it
constexpr int most_depth = 32;              ///< of objects; json-c, with which MPICH reads, refuses more

constexpr auto doubt_texts = std::to_array<std::pair<MpichDoubt, std::string_view>>({
    {MpichDoubt::missing_collective, "missing collective"},
    {MpichDoubt::open_boolean, "open boolean"},
    {MpichDoubt::composition, "composition"},
    {MpichDoubt::length_without_meaning, "length without meaning"},
    {MpichDoubt::test_without_meaning, "test without meaning"},
    {MpichDoubt::number_too_large, "number too large"},
    {MpichDoubt::whole_pages, "whole pages"},
});

/// A tree as it is asked.
struct Branch {
    MpichKey key;
    std::vector<Branch> inner;
};

std::vector<Branch> branches_of(const Json& object) {
    std::vector<Branch> branches;
    for (const auto& [name, value] : object.items())
        if (std::optional<MpichKey> key = parse_mpich_key(name))
            branches.push_back({std::move(*key), branches_of(value)});
    return branches;
}

/// Where a text of JSON opens an object or a list inside of too many others; npos = nowhere.
std::size_t too_deep_at(std::string_view text) {
    int depth = 0;
    bool in_string = false;
    for (std::size_t at = 0; at < text.size(); ++at) {
        const char c = text[at];
        if (in_string && c == '\\')
            ++at;
        else if (c == '"')
            in_string = !in_string;
        else if (!in_string && (c == '{' || c == '[') && ++depth > most_depth)
            return at;
        else if (!in_string && (c == '}' || c == ']'))
            --depth;
    }
    return std::string_view::npos;
}

/// Checks a tree as MPICH's parse_json_tree() and validate_tree() do, and more.
class TreeReader {
public:
    TreeReader(std::string_view text, const std::string& name, std::vector<MpichTree::Doubt>& doubts)
        : text_(text)
        , name_(name)
        , doubts_(doubts) {}

    std::vector<Branch> read() {
        if (const std::size_t place = too_deep_at(text_); place != std::string_view::npos)
            fail(place, fmt::format("more than {} objects inside of one another", most_depth),
                 "a selection tree that MPICH can read");
        Json tree;
        try {
            tree = Json::parse(text_);
        } catch (const Json::parse_error& error) {
            const std::string what = error.what();
            fail(error.byte == 0 ? 0 : error.byte - 1, "a text that is no JSON",
                 "a selection tree of MPICH (" + what.substr(what.find(':') + 2) + ")");
        } catch (const Json::out_of_range&) {
            fail(0, "a number with too many digits", "a selection tree of MPICH, which has none");
        }
        if (!tree.is_object() || tree.empty())
            fail(0, "no tree", "an object of collective=NAME");
        for (const auto& [key, value] : tree.items()) {
            const std::optional<MpichKey> parsed = parse_mpich_key(key);
            if (!parsed || parsed->test != MpichTest::collective)
                fail_at(key, "collective=NAME at the top of the tree");
            collective_ = parsed->name;
            check(value, key, false);
        }
        if (text_.size() % smallest_page == 0)
            doubts_.push_back({MpichDoubt::whole_pages, {}, 0});
        return branches_of(tree);
    }

private:
    [[nodiscard]] int line_of(std::size_t place) const {
        const auto end = text_.begin() + static_cast<std::ptrdiff_t>(std::min(place, text_.size()));
        return 1 + static_cast<int>(std::count(text_.begin(), end, '\n'));
    }

    [[nodiscard]] std::size_t place_of(const std::string& key) const {
        const std::size_t collective = text_.find(fmt::format("\"collective={}\"", collective_));
        const std::size_t begin = collective == std::string_view::npos ? 0 : collective;
        const std::size_t found = text_.find("\"" + key + "\"", begin);
        return found == std::string_view::npos ? begin : found;
    }

    [[noreturn]] void fail(std::size_t place, std::string_view found, std::string_view expected) const {
        throw InputError(fmt::format("{}:{}: found {}, expected {}", printable(name_), line_of(place),
                                     printable(found), printable(expected)));
    }

    [[noreturn]] void fail_at(const std::string& key, std::string_view expected) const {
        fail(place_of(key), fmt::format("\"{}\"", key), expected);
    }

    void doubt(MpichDoubt what, const std::string& key) {
        doubts_.push_back({what, collective_, line_of(place_of(key))});
    }

    /// @param key under which the object stands
    void check(const Json& object, const std::string& key, bool leaf) {
        if (!object.is_object())
            fail_at(key, "an object behind it");
        if (leaf)
            return;
        if (object.empty())
            fail_at(key, "a test or algorithm=NAME in its object");
        std::size_t place = 0;
        bool has_any = false;
        std::optional<MpichKey> last;
        for (const auto& [name, value] : object.items()) {
            ++place;
            std::optional<MpichKey> parsed = parse_mpich_key(name);
            if (!parsed)
                fail_at(name, "a test that MPICH knows");
            if (has_any)
                fail_at(name, "=any as the last test");
            if (parsed->test == MpichTest::leaf && object.size() > 1)
                fail_at(name, "an algorithm alone in its object");
            if (parsed->test == MpichTest::collective)
                fail_at(name, "collective= only at the top of the tree");
            has_any = parsed->test == MpichTest::any;
            doubt_test(*parsed, name);
            check(value, name, parsed->test == MpichTest::leaf);
            last = std::move(parsed);
        }
        if (!last->may_be_last())
            fail_at(key, "a chain of tests that ends with =any");
        if (place == 1 && (last->test == MpichTest::commutative || last->test == MpichTest::built_in ||
                           last->test == MpichTest::in_place || last->test == MpichTest::regular ||
                           last->test == MpichTest::multi_threaded))
            doubt(MpichDoubt::open_boolean, key);
    }

    void doubt_test(const MpichKey& test, const std::string& key) {
        const std::string_view blocking =
            std::string_view(collective_).substr(collective_.starts_with('i') ? 1 : 0);
        if (!collective_.empty() && !test.is_asked_of(blocking))
            doubt(MpichDoubt::test_without_meaning, key);
        const std::string operation =
            collective_.empty() ? ""
                                : fmt::format("MPI_{}{}", static_cast<char>(collective_[0] - 'a' + 'A'),
                                              std::string_view(collective_).substr(1));
        const FiledOperation* const filed = filed_operation(operation);
        switch (test.test) {
        case MpichTest::leaf:
            if (key.find("composition") != std::string::npos)
                doubt(MpichDoubt::composition, key);
            return;
        case MpichTest::average_at_most:
        case MpichTest::average_below:
            if (filed && filed->mpich_test != "avg_msg_size")
                doubt(MpichDoubt::length_without_meaning, key);
            break;
        case MpichTest::total_at_most:
        case MpichTest::total_below:
            // The library's own trees ask gather and scatter between communicators.
            if (filed && filed->mpich == LengthUnit::none && filed->word != "gather" &&
                filed->word != "scatter")
                doubt(MpichDoubt::length_without_meaning, key);
            break;
        default:
            return;
        }
        constexpr std::size_t most_digits = 10;
        if (test.name.size() > most_digits || (test.name.size() == most_digits && test.name > "2147483647"))
            doubt(MpichDoubt::number_too_large, key);
    }

    std::string_view text_;
    const std::string& name_;
    std::vector<MpichTree::Doubt>& doubts_;
    std::string collective_;
};

/// What csel.c computes of a call.
struct Lengths {
    std::optional<std::int64_t> average; ///< none = asking aborts
    std::optional<std::int64_t> total;
    std::optional<std::int64_t> count;
};

Lengths lengths_of(const MpichCall& call, std::string_view word) {
    Lengths lengths;
    const std::int64_t elements = call.bytes / std::max<std::int64_t>(call.type_bytes, 1);
    const FiledOperation* const filed = filed_operation(call.operation);
    if (filed && filed->mpich_test == "avg_msg_size")
        lengths.average = call.bytes;
    if (word == "gather" || word == "scatter") // the size of the datatype is forgotten
        lengths.total = elements * call.ranks;
    else if (word == "alltoallv" || word == "alltoallw" || (filed && filed->mpich != LengthUnit::none))
        lengths.total = call.bytes * call.ranks;
    if (word == "bcast" || word == "allreduce" || word == "reduce" || word == "allgather" ||
        word == "reduce_scatter_block")
        lengths.count = elements;
    if (word == "allgatherv" || word == "reduce_scatter")
        lengths.count = elements * call.ranks;
    return lengths;
}

/// A walk through the tree of a collective: csel.c, prune_tree() and MPIR_Csel_search().
class Walk {
public:
    explicit Walk(const MpichCall& call)
        : call_(call) {
        const FiledOperation* const filed = filed_operation(call.operation);
        word_ = filed ? filed->word : std::string_view();
        lengths_ = lengths_of(call, word_);
    }

    std::optional<std::string> through(const std::vector<Branch>& chain) {
        for (const Branch& branch : chain) {
            if (branch.key.test == MpichTest::leaf)
                return branch.key.name;
            once_ = once_ && branch.key.of_communicator();
            const std::optional<bool> answer = ask(branch.key);
            if (!answer)
                return std::nullopt;
            if (*answer)
                return through(branch.inner);
        }
        return std::nullopt;
    }

private:
    [[nodiscard]] static std::optional<bool> at_most(const std::optional<std::int64_t>& value, int most) {
        return value ? std::optional(*value <= most) : std::nullopt;
    }
    [[nodiscard]] static std::optional<bool> below(const std::optional<std::int64_t>& value, int limit) {
        return value ? std::optional(*value < limit) : std::nullopt;
    }

    [[nodiscard]] std::optional<bool> ask(const MpichKey& key) const {
        const std::int64_t ranks = call_.ranks;
        switch (key.test) {
        case MpichTest::any:
            return true;
        case MpichTest::multi_threaded:
            return call_.multi_threaded == key.yes;
        case MpichTest::inter_or_intra:
            return call_.intra == key.yes;
        case MpichTest::ranks_at_most:
            return ranks <= key.number;
        case MpichTest::ranks_below: // behind a question about the message it is <=
            return once_ ? ranks < key.number : ranks <= key.number;
        case MpichTest::ranks_on_one_node:
            return call_.hierarchical && call_.on_one_node;
        case MpichTest::ranks_power_of_two:
            return std::has_single_bit(static_cast<std::uint64_t>(ranks));
        case MpichTest::hierarchy:
            return call_.hierarchical == key.yes;
        case MpichTest::node_consecutive:
            return call_.consecutive == key.yes;
        case MpichTest::ranks_per_node_at_most:
            return call_.nodes > 0 && ranks <= key.number * call_.nodes;
        case MpichTest::ranks_per_node_below:
            return call_.nodes > 0 && ranks < key.number * call_.nodes;
        default:
            return ask_message(key);
        }
    }

    [[nodiscard]] std::optional<bool> ask_message(const MpichKey& key) const {
        if (!key.is_asked_of(word_))
            return std::nullopt;
        switch (key.test) {
        case MpichTest::average_at_most:
            return at_most(lengths_.average, key.number);
        case MpichTest::average_below:
            return below(lengths_.average, key.number);
        case MpichTest::total_at_most:
            return at_most(lengths_.total, key.number);
        case MpichTest::total_below:
            return below(lengths_.total, key.number);
        case MpichTest::count_at_most:
            return at_most(lengths_.count, key.number);
        case MpichTest::count_below_power_of_two:
            return below(lengths_.count,
                         static_cast<int>(std::bit_floor(static_cast<std::uint64_t>(call_.ranks))));
        case MpichTest::in_place:
            return call_.in_place == key.yes;
        case MpichTest::regular:
            return call_.regular == key.yes;
        case MpichTest::commutative:
            return call_.commutative == key.yes;
        case MpichTest::built_in:
            return call_.built_in == key.yes;
        default:
            return std::nullopt;
        }
    }

    const MpichCall& call_;
    std::string_view word_; ///< of its collective
    Lengths lengths_;
    bool once_ = true; ///< only the communicator has been asked about
};

} // namespace

std::string_view to_text(MpichDoubt value) {
    return std::ranges::find(doubt_texts, value, &std::pair<MpichDoubt, std::string_view>::first)->second;
}

std::optional<std::string> find_mpich_tree(std::string_view library_file) {
    constexpr std::string_view beginning = "{\"collective=";
    // That of the device has the same beginning, and compositions.
    constexpr std::string_view sign = "\"algorithm=MPIR_Bcast_intra_";
    std::size_t at = library_file.find(beginning);
    while (at != std::string_view::npos) {
        const std::size_t end = library_file.find('\0', at);
        const std::string_view text = library_file.substr(at, end - at);
        if (end != std::string_view::npos && text.find(sign) != std::string_view::npos &&
            text.find("composition=") == std::string_view::npos && Json::accept(text))
            return std::string(text);
        at = library_file.find(beginning, at + 1);
    }
    return std::nullopt;
}

struct MpichTree::Read {
    std::vector<Branch> collectives;
    std::vector<Doubt> doubts;
    [[nodiscard]] const Branch* find(std::string_view collective) const {
        const auto found = std::ranges::find(
            collectives, collective, [](const Branch& branch) { return std::string_view(branch.key.name); });
        return found == collectives.end() ? nullptr : &*found;
    }
};

MpichTree::MpichTree(std::string_view text, const std::string& name)
    : read_(std::make_unique<Read>()) {
    read_->collectives = TreeReader(text, name, read_->doubts).read();
}
MpichTree::MpichTree(MpichTree&&) noexcept = default;
MpichTree::~MpichTree() = default;

const std::vector<MpichTree::Doubt>& MpichTree::doubts() const {
    return read_->doubts;
}

std::vector<std::string> MpichTree::lacks(const MpichTree& other) const {
    std::vector<std::string> lacking;
    for (const Branch& collective : other.read_->collectives)
        if (!read_->find(collective.key.name))
            lacking.push_back(collective.key.name);
    return lacking;
}

std::optional<std::string> MpichTree::choice(const MpichCall& call) const {
    const FiledOperation* const filed = filed_operation(call.operation);
    const Branch* const collective = filed ? read_->find(filed->word) : nullptr;
    return collective ? Walk(call).through(collective->inner) : std::nullopt;
}

} // namespace skampi
