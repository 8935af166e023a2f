// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tuning/mpich_tree.hpp"

#include "base/error.hpp"
#include "base/hash.hpp"
#include "base/text.hpp"
#include "tuning/units.hpp"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace skampi {

namespace {

constexpr int most_depth = 32; ///< of objects; json-c, with which MPICH reads, refuses more

/// The largest length that a test such as "avg_msg_size<=4096" names, for each rank; none = it names none.
std::optional<std::int64_t> border_of(std::string_view key, std::int64_t ranks) {
    struct LengthTest {
        std::string_view beginning;
        bool of_all;
    };
    for (const LengthTest& test : {LengthTest{"avg_msg_size<", false}, LengthTest{"total_msg_size<", true}}) {
        if (!key.starts_with(test.beginning))
            continue;
        key.remove_prefix(test.beginning.size());
        const bool inclusive = key.starts_with('=');
        key.remove_prefix(inclusive ? 1 : 0);
        std::int64_t bytes = 0;
        if (std::from_chars(key.data(), key.data() + key.size(), bytes).ec != std::errc() || bytes < 1)
            return std::nullopt;
        bytes -= inclusive ? 0 : 1;
        return test.of_all ? bytes / ranks : bytes;
    }
    return std::nullopt;
}

/// Takes a tree as it is read, so that neither its size nor its depth costs memory.
class TreeReader : public nlohmann::json_sax<nlohmann::json> {
public:
    TreeReader(std::string_view text, const std::string& name, std::int64_t ranks)
        : text_(text)
        , name_(name)
        , ranks_(ranks) {}

    MpichBranches read() {
        (void)nlohmann::json::sax_parse(text_, this);
        if (branches_.empty())
            fail("no tree", "an object of collective=NAME");
        for (auto& [word, branch] : branches_)
            branch.content = contents_[word].value();
        return std::move(branches_);
    }

    bool start_object(std::size_t) override {
        if (++depth_ > most_depth)
            fail(fmt::format("more than {} objects inside of one another", most_depth),
                 "a selection tree that MPICH can read");
        return add("{");
    }
    bool end_object() override { return --depth_ == 0 || add("}"); }
    bool key(std::string& text) override {
        std::erase_if(
            text, [](char c) { return std::string_view(" \t\r\n\f\v").find(c) != std::string_view::npos; });
        constexpr std::string_view collective = "collective=";
        if (depth_ == 1 && !text.starts_with(collective))
            fail(fmt::format("\"{}\"", text), "collective=NAME at the top of the tree");
        if (depth_ == 1)
            branch_ = &branches_[word_ = text.substr(collective.size())];
        else if (const std::optional<std::int64_t> bytes = border_of(text, ranks_); bytes && *bytes > 0)
            branch_->borders.insert(*bytes);
        return depth_ == 1 || (add(text) && add("\n"));
    }
    bool parse_error(std::size_t place, const std::string&, const nlohmann::json::exception& error) override {
        const std::string_view before = text_.substr(0, place == 0 ? 0 : place - 1);
        const std::string what = error.what();
        throw InputError(fmt::format(
            "{}:{}: found a text that is no JSON, expected a selection tree of MPICH ({})", printable(name_),
            1 + std::ranges::count(before, '\n'), printable(what.substr(what.find(':') + 2))));
    }
    bool null() override { return no_object(); }
    bool boolean(bool) override { return no_object(); }
    bool number_integer(std::int64_t) override { return no_object(); }
    bool number_unsigned(std::uint64_t) override { return no_object(); }
    bool number_float(double, const std::string&) override { return no_object(); }
    bool string(std::string&) override { return no_object(); }
    bool binary(nlohmann::json::binary_t&) override { return no_object(); }
    bool start_array(std::size_t) override { return no_object(); }
    bool end_array() override { return no_object(); }

private:
    [[noreturn]] void fail(const std::string& found, std::string_view expected) const {
        throw InputError(fmt::format("{}: found {}{}, expected {}", printable(name_), printable(found),
                                     word_.empty() ? "" : " in collective=" + printable(word_), expected));
    }
    [[noreturn]] bool no_object() const { fail("a value that is no object", "objects alone"); }

    bool add(std::string_view text) {
        contents_[word_].add(text);
        return true;
    }

    std::string_view text_;
    const std::string& name_;
    std::int64_t ranks_;
    int depth_ = 0;
    std::string word_; ///< of the collective that is read
    MpichBranch* branch_ = nullptr;
    MpichBranches branches_;
    std::map<std::string, Fnv1a> contents_;
};

} // namespace

std::optional<std::string> find_mpich_tree(std::string_view library_file) {
    constexpr std::string_view beginning = "{\"collective=";
    // That of the device has the same beginning, and compositions.
    constexpr std::string_view sign = "\"algorithm=MPIR_Bcast_intra_";
    std::size_t at = library_file.find(beginning);
    while (at != std::string_view::npos) {
        const std::size_t end = library_file.find('\0', at);
        const std::string_view text = library_file.substr(at, end - at);
        if (end != std::string_view::npos && text.find(sign) != std::string_view::npos &&
            text.find("composition=") == std::string_view::npos && nlohmann::json::accept(text))
            return std::string(text);
        at = library_file.find(beginning, at + 1);
    }
    return std::nullopt;
}

MpichBranches read_mpich_branches(std::string_view text, const std::string& name, std::int64_t ranks) {
    return TreeReader(text, name, ranks).read();
}

} // namespace skampi
