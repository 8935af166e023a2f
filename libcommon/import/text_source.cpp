#include "import/text_source.hpp"

#include "base/error.hpp"
#include "base/text.hpp"

#include <cerrno>
#include <cstddef>
#include <cstring>
#include <fcntl.h>
#include <memory>
#include <unistd.h>
#include <utility>

namespace skampi {

namespace {

class OpenFile {
public:
    explicit OpenFile(std::string path)
        : path_(std::move(path))
        , descriptor_(::open(path_.c_str(), O_RDONLY | O_CLOEXEC)) {
        if (descriptor_ < 0)
            fail(ExitStatus::bad_input);
    }
    OpenFile(OpenFile&&) = delete;
    ~OpenFile() {
        if (descriptor_ >= 0)
            ::close(descriptor_);
    }

    /// The next piece; empty at the end.
    std::string next() {
        constexpr std::size_t at_once = std::size_t{1} << 16;
        std::string piece(at_once, '\0');
        ssize_t size = 0;
        while ((size = ::read(descriptor_, piece.data(), piece.size())) < 0)
            if (errno != EINTR)
                fail(ExitStatus::impossible);
        piece.resize(static_cast<std::size_t>(size));
        return piece;
    }

private:
    [[noreturn]] void fail(ExitStatus status) const {
        throw Error(status, printable(path_) + ": cannot read this file: " + std::strerror(errno));
    }

    std::string path_;
    int descriptor_;
};

} // namespace

TextSource::TextSource(std::string name, std::function<std::string()> more)
    : name_(std::move(name))
    , more_(std::move(more)) {}

TextSource TextSource::of_file(const std::string& path, const std::function<void(double)>& advanced) {
    return {path, [file = std::make_shared<OpenFile>(path), advanced, bytes = 0.0]() mutable {
                std::string piece = file->next();
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
