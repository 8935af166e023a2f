// SPDX-License-Identifier: LGPL-2.1-or-later
#include "import/text_source.hpp"

#include "base/error.hpp"
#include "base/text.hpp"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>
#include <utility>

namespace skampi {

TextSource::TextSource(std::string name, std::function<std::string()> more)
    : name_(std::move(name))
    , more_(std::move(more)) {}

TextSource TextSource::of_file(const std::string& path, const std::function<void(double)>& advanced) {
    const auto fail = [path](ExitStatus status) {
        throw Error(status, printable(path) + ": cannot read this file: " + std::strerror(errno));
    };
    const std::shared_ptr<std::FILE> file(std::fopen(path.c_str(), "rbe"), [](std::FILE* open) {
        if (open != nullptr)
            (void)std::fclose(open);
    });
    if (!file)
        fail(ExitStatus::bad_input);
    return {path, [=, bytes = 0.0]() mutable {
                std::string piece(std::size_t{1} << 16, '\0');
                piece.resize(std::fread(piece.data(), 1, piece.size(), file.get()));
                if (std::ferror(file.get()) != 0)
                    fail(ExitStatus::impossible);
                bytes += static_cast<double>(piece.size());
                if (advanced)
                    advanced(bytes);
                return piece;
            }};
}

const std::string& TextSource::beginning() {
    // What launchers and libraries print may stand before a benchmark's own output.
    constexpr std::size_t enough = std::size_t{1} << 20;
    while (waiting_.size() < enough) {
        const std::string piece = more();
        if (piece.empty())
            break;
        waiting_ += piece;
    }
    return waiting_;
}

std::string TextSource::next() {
    return waiting_.empty() ? more() : std::exchange(waiting_, {});
}

/// What a terminal, a pipe or a growing file has after its end is of another text.
std::string TextSource::more() {
    std::string piece = ended_ ? std::string() : more_();
    ended_ = piece.empty();
    return piece;
}

std::string TextSource::rest() {
    std::string text;
    for (std::string piece = next(); !piece.empty(); piece = next())
        text += piece;
    return text;
}

} // namespace skampi
