#include "command_line/options_file.hpp"

#include "base/error.hpp"
#include "base/text.hpp"

#include <cstddef>
#include <fmt/format.h>
#include <istream>
#include <memory>
#include <sstream>
#include <string_view>
#include <vector>

namespace skampi {

namespace {

std::string_view trimmed(std::string_view text) {
    constexpr std::string_view space = " \t\r";
    const std::size_t begin = text.find_first_not_of(space);
    return begin == std::string_view::npos ? std::string_view()
                                           : text.substr(begin, text.find_last_not_of(space) - begin + 1);
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
        if (text.size() > most || text.find('\0') != std::string::npos)
            throw InputError(name() + ": found no text of at most 1 MiB, expected options, one a line");
        check(text);
        std::istringstream checked(text);
        return ConfigBase::from_config(checked);
    }

private:
    [[nodiscard]] std::string name() const { return printable(app_.get_config_ptr()->as<std::string>()); }

    [[noreturn]] void refuse(std::size_t line, std::string_view found, std::string_view expected) const {
        throw InputError(fmt::format("{}:{}: found {}, expected {}", name(), line,
                                     printable(std::string(found)), expected));
    }

    /// The program, or its subcommand of a line [NAME].
    [[nodiscard]] CLI::App& section(std::string_view line, std::size_t number) const {
        const std::string_view wanted =
            line.ends_with(']') ? trimmed(line.substr(1, line.size() - 2)) : std::string_view();
        if (wanted == "default")
            return app_;
        for (CLI::App* subcommand : app_.get_subcommands([](CLI::App*) { return true; }))
            if (subcommand->get_name() == wanted)
                return *subcommand;
        refuse(number, line, fmt::format("[SUBCOMMAND], one of {}", app_.get_name()));
    }

    static bool has_option(CLI::App& app, const std::string& name) {
        return app.get_option_no_throw("--" + name) || app.get_option_no_throw(name) ||
               (name.size() == 1 && app.get_option_no_throw("-" + name));
    }

    void check(const std::string& text) const {
        CLI::App* app = &app_;
        std::istringstream lines(text);
        std::string whole;
        for (std::size_t number = 1; std::getline(lines, whole); ++number) {
            const std::string_view line = trimmed(whole);
            if (line.empty() || line.front() == '#' || line.front() == ';')
                continue;
            if (line.front() == '[') {
                app = &section(line, number);
                continue;
            }
            const std::size_t equals = line.find('=');
            const std::string key(trimmed(line.substr(0, equals)));
            if (!has_option(*app, key))
                refuse(number, key,
                       fmt::format(
                           "NAME = VALUE with the name of an option of {} without its dashes (see --help)",
                           app->get_name()));
            if (equals == std::string_view::npos || !trimmed(line.substr(equals + 1)).starts_with('['))
                continue;
            const std::size_t begin = number; // a list, which may go on for lines
            while (whole.find(']') == std::string::npos) {
                if (!std::getline(lines, whole))
                    refuse(begin, "a list that does not end", "a ]");
                ++number;
            }
        }
    }

    CLI::App& app_;
};

} // namespace

void add_options_file(CLI::App& app, const std::string& description) {
    app.set_config("--config", "", description);
    app.config_formatter(std::make_shared<OptionsFile>(app));
}

} // namespace skampi
