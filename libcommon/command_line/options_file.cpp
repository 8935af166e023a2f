// SPDX-License-Identifier: LGPL-2.1-or-later
#include "command_line/options_file.hpp"

#include "base/error.hpp"
#include "base/text.hpp"

#include <algorithm>
#include <cstddef>
#include <fmt/format.h>
#include <istream>
#include <memory>
#include <sstream>
#include <string_view>
#include <utility>
#include <vector>

namespace skampi {

namespace {

constexpr std::string_view blanks = " \t\r";

std::string_view trimmed(std::string_view text) {
    text.remove_prefix(std::min(text.find_first_not_of(blanks), text.size()));
    return text.substr(0, text.find_last_not_of(blanks) + 1);
}

/// The place of one of some characters, of a comment (# or ; at the begin or behind a blank), or the end.
std::size_t end_of_word(std::string_view text, std::string_view ends) {
    const auto ends_at = [&](std::size_t at) {
        const bool sign = text[at] == '#' || text[at] == ';';
        return ends.find(text[at]) != std::string_view::npos ||
               (sign && (at == 0 || blanks.find(text[at - 1]) != std::string_view::npos));
    };
    std::size_t at = 0;
    while (at < text.size() && !ends_at(at))
        ++at;
    return at;
}

class OptionsFile : public CLI::ConfigBase {
public:
    explicit OptionsFile(CLI::App& app)
        : app_(app) {}

    std::vector<CLI::ConfigItem> from_config(std::istream& input) const override {
        constexpr std::size_t most = std::size_t{1} << 20;
        std::string text(most + 1, '\0');
        input.read(text.data(), static_cast<std::streamsize>(text.size()));
        text.resize(static_cast<std::size_t>(input.gcount()));
        Place place{printable(app_.get_config_ptr()->as<std::string>())};
        if (text.size() > most || text.find('\0') != std::string::npos)
            throw InputError(place.name + ": found no text of at most 1 MiB, expected options, one a line");
        std::vector<CLI::ConfigItem> items;
        const CLI::App* app = &app_;
        std::istringstream lines(text);
        for (std::string line; std::getline(lines, line);) {
            ++place.line;
            std::string_view rest = trimmed(line);
            if (end_of_word(rest, "") == 0)
                continue;
            if (rest.front() == '[')
                app = &section(rest, place);
            else if (CLI::ConfigItem item = option(rest, *app, place);
                     app == &app_ || app_.got_subcommand(app))
                add(std::move(item), items);
            rest = trimmed(rest);
            if (const std::size_t end = end_of_word(rest, ""); end > 0)
                place.refuse(trimmed(rest.substr(0, end)), "the end of the line");
        }
        return items;
    }

private:
    struct Place {
        std::string name; ///< of the file
        std::size_t line = 0;

        [[noreturn]] void refuse(std::string_view found, std::string_view expected) const {
            throw InputError(
                fmt::format("{}:{}: found {}, expected {}", name, line, printable(found), expected));
        }
    };

    /// Of an option that comes several times the reader of the command line would take the first values.
    static void add(CLI::ConfigItem item, std::vector<CLI::ConfigItem>& items) {
        const auto known = std::ranges::find_if(items, [&](const CLI::ConfigItem& each) {
            return each.name == item.name && each.parents == item.parents;
        });
        if (known == items.end())
            items.push_back(std::move(item));
        else
            known->inputs.insert(known->inputs.end(), item.inputs.begin(), item.inputs.end());
    }

    /// The subcommand of a line [NAME]. @param rest gets what is behind it
    [[nodiscard]] const CLI::App& section(std::string_view& rest, const Place& place) const {
        const std::string_view wanted = rest.substr(1, end_of_word(rest, "]") - 1);
        for (const CLI::App* subcommand : app_.get_subcommands([](const CLI::App*) { return true; }))
            if (rest.substr(1 + wanted.size()).starts_with(']') && subcommand->get_name() == wanted) {
                rest.remove_prefix(wanted.size() + 2);
                return *subcommand;
            }
        place.refuse(fmt::format("[{}", wanted), fmt::format("[SUBCOMMAND], one of {}", app_.get_name()));
    }

    /// A text in quotes, or all up to one of some characters. @param rest gets what is behind it
    static std::string value(std::string_view& rest, std::string_view ends, const Place& place) {
        rest = trimmed(rest);
        const bool quoted = rest.starts_with('"') || rest.starts_with('\'');
        const std::size_t end = quoted ? rest.find(rest.front(), 1) : end_of_word(rest, ends);
        if (end == std::string_view::npos)
            place.refuse("a text that does not end", rest.substr(0, 1));
        if (end == 0)
            place.refuse("no value", "one, in quotes if it is empty");
        const std::string found(quoted ? rest.substr(1, end - 1) : trimmed(rest.substr(0, end)));
        rest.remove_prefix(quoted ? end + 1 : end);
        return found;
    }

    /// @param rest the line; gets what is behind the option
    [[nodiscard]] CLI::ConfigItem option(std::string_view& rest, const CLI::App& app,
                                         const Place& place) const {
        CLI::ConfigItem item;
        const std::size_t end = end_of_word(rest, "=");
        item.name = trimmed(rest.substr(0, end));
        if (&app != &app_)
            item.parents.push_back(app.get_name());
        const std::string dashes = item.name.size() == 1 ? "-" : "--";
        if (item.name.empty() || item.name.starts_with('-') ||
            (!app.get_option_no_throw(dashes + item.name) && !app.get_option_no_throw(item.name)))
            place.refuse(
                item.name,
                fmt::format("NAME = VALUE with the name of an option of {} without its dashes (see --help)",
                            app.get_name()));
        rest.remove_prefix(end);
        if (!rest.starts_with('=')) {
            item.inputs = {"true"};
            return item;
        }
        rest = trimmed(rest.substr(1));
        if (!rest.starts_with('[')) {
            item.inputs = {value(rest, "", place)};
            return item;
        }
        do {
            rest.remove_prefix(1); // [ or ,
            item.inputs.push_back(value(rest, ",]", place));
            rest = trimmed(rest);
        } while (rest.starts_with(','));
        if (!rest.starts_with(']'))
            place.refuse("a list that does not end", "a ] on its line");
        rest.remove_prefix(1);
        return item;
    }

    CLI::App& app_;
};

} // namespace

void add_options_file(CLI::App& app, const std::string& description) {
    app.set_config("--config", "", description)->option_text("FILE");
    app.config_formatter(std::make_shared<OptionsFile>(app));
}

std::string options_file(const CLI::App& app) {
    const CLI::Option* const config = app.get_config_ptr();
    return config->count() > 0 ? config->as<std::string>() : std::string();
}

} // namespace skampi
