#include "command_line/options_file.hpp"

#include "base/error.hpp"
#include "base/text.hpp"

#include <algorithm>
#include <cstddef>
#include <fmt/format.h>
#include <istream>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

namespace skampi {

namespace {

constexpr std::string_view blanks = " \t\r";

bool is_blank(char character) {
    return blanks.find(character) != std::string_view::npos;
}

/// Reads the lines of a file of options.
class Reader {
public:
    /// @param name of the file, in messages
    Reader(std::string_view text, std::string name)
        : text_(text)
        , name_(std::move(name)) {}

    /// Goes to the next line that says something. @return false at the end
    bool next_line() {
        skip(true);
        return at_ < text_.size();
    }
    [[nodiscard]] std::size_t line() const { return line_; }
    [[nodiscard]] char character() const { return at_ < text_.size() ? text_[at_] : '\n'; }
    void skip_character() { ++at_; }
    /// Blanks and a comment. @param lines also ends of lines
    void skip(bool lines) {
        for (; at_ < text_.size(); ++at_) {
            if (begins_comment())
                at_ = std::min(text_.find('\n', at_), text_.size());
            if (at_ == text_.size() || (character() == '\n' && !lines))
                return;
            if (character() == '\n')
                ++line_;
            else if (!is_blank(character()))
                return;
        }
    }
    /// All up to one of some characters, a comment or the end of the line, without the blanks around it.
    std::string_view word(std::string_view ends) {
        const std::size_t begin = at_;
        while (character() != '\n' && ends.find(character()) == std::string_view::npos && !begins_comment())
            ++at_;
        std::string_view found = text_.substr(begin, at_ - begin);
        while (!found.empty() && is_blank(found.back()))
            found.remove_suffix(1);
        return found;
    }
    /// A text in quotes, or a word. @param ends of a word
    std::string value(std::string_view ends) {
        skip(false);
        const char quote = character();
        if (quote != '"' && quote != '\'') {
            const std::string_view found = word(ends);
            if (found.empty())
                refuse(line_, "no value", "one, in quotes if it is empty");
            return std::string(found);
        }
        const std::size_t begin = ++at_;
        while (character() != quote) {
            if (character() == '\n')
                refuse(line_, "a text that does not end", std::string(1, quote));
            ++at_;
        }
        return std::string(text_.substr(begin, at_++ - begin));
    }
    [[noreturn]] void refuse(std::size_t line, std::string_view found, std::string_view expected) const {
        throw InputError(fmt::format("{}:{}: found {}, expected {}", name_, line,
                                     printable(std::string(found)), expected));
    }

private:
    [[nodiscard]] bool begins_comment() const {
        const bool sign = character() == '#' || character() == ';';
        return sign && (at_ == 0 || text_[at_ - 1] == '\n' || is_blank(text_[at_ - 1]));
    }

    std::string_view text_;
    std::string name_;
    std::size_t at_ = 0;
    std::size_t line_ = 1;
};

class OptionsFile : public CLI::ConfigBase {
public:
    explicit OptionsFile(CLI::App& app)
        : app_(app) {}

    std::vector<CLI::ConfigItem> from_config(std::istream& input) const override {
        constexpr std::size_t most = std::size_t{1} << 20;
        std::string text(most + 1, '\0');
        input.read(text.data(), static_cast<std::streamsize>(text.size()));
        text.resize(static_cast<std::size_t>(input.gcount()));
        const std::string name = printable(app_.get_config_ptr()->as<std::string>());
        if (text.size() > most || text.find('\0') != std::string::npos)
            throw InputError(name + ": found no text of at most 1 MiB, expected options, one a line");
        return items(Reader(text, name));
    }

private:
    [[nodiscard]] std::vector<CLI::ConfigItem> items(Reader reader) const {
        std::vector<CLI::ConfigItem> items;
        CLI::App* app = &app_;
        while (reader.next_line()) {
            if (reader.character() == '[') {
                app = &section(reader);
            } else {
                CLI::ConfigItem item = option(reader, *app);
                const auto known = std::ranges::find_if(items, [&](const CLI::ConfigItem& each) {
                    return each.name == item.name && each.parents == item.parents;
                });
                if (app != &app_ && !app_.got_subcommand(app))
                    continue;
                if (known == items.end())
                    items.push_back(std::move(item));
                else // of several times the reader of the command line would take the first
                    known->inputs.insert(known->inputs.end(), item.inputs.begin(), item.inputs.end());
            }
            reader.skip(false);
            if (reader.character() != '\n')
                reader.refuse(reader.line(), reader.word(""), "the end of the line");
        }
        return items;
    }

    /// The subcommand of a line [NAME].
    [[nodiscard]] CLI::App& section(Reader& reader) const {
        reader.skip_character();
        const std::string_view wanted = reader.word("]");
        if (reader.character() == ']')
            for (CLI::App* subcommand : app_.get_subcommands([](CLI::App*) { return true; }))
                if (subcommand->get_name() == wanted) {
                    reader.skip_character();
                    return *subcommand;
                }
        reader.refuse(reader.line(), fmt::format("[{}", wanted),
                      fmt::format("[SUBCOMMAND], one of {}", app_.get_name()));
    }

    [[nodiscard]] CLI::ConfigItem option(Reader& reader, CLI::App& app) const {
        const std::size_t line = reader.line();
        CLI::ConfigItem item;
        item.name = reader.word("=");
        if (&app != &app_)
            item.parents.push_back(app.get_name());
        const std::string dashes = item.name.size() == 1 ? "-" : "--";
        if (item.name.empty() || item.name.starts_with('-') ||
            (!app.get_option_no_throw(dashes + item.name) && !app.get_option_no_throw(item.name)))
            reader.refuse(
                line, item.name,
                fmt::format("NAME = VALUE with the name of an option of {} without its dashes (see --help)",
                            app.get_name()));
        if (reader.character() != '=') {
            item.inputs = {"true"};
            return item;
        }
        reader.skip_character();
        reader.skip(false);
        if (reader.character() != '[') {
            item.inputs = {reader.value("")};
            return item;
        }
        reader.skip_character();
        while (true) {
            if (!reader.next_line())
                reader.refuse(line, "a list that does not end", "a ]");
            if (reader.character() == ']')
                break;
            item.inputs.push_back(reader.value(",]"));
            reader.skip(true);
            if (reader.character() == ',')
                reader.skip_character();
        }
        reader.skip_character();
        return item;
    }

    CLI::App& app_;
};

} // namespace

void add_options_file(CLI::App& app, const std::string& description) {
    app.set_config("--config", "", description);
    app.config_formatter(std::make_shared<OptionsFile>(app));
}

std::string options_file(const CLI::App& app) {
    const CLI::Option* const config = app.get_config_ptr();
    return config->count() > 0 ? config->as<std::string>() : std::string();
}

} // namespace skampi
