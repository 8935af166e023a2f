// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <functional>
#include <string>

namespace skampi {

/// A text that is read once, from its beginning to its end: a file, or a pipe.
class TextSource {
public:
    /// @param name for messages  @param more gives the next piece; an empty one at the end of the text, after
    /// which it is not asked again
    TextSource(std::string name, std::function<std::string()> more);
    /// @param advanced where it is something, is told how many bytes have been read
    /// @throws Error when it cannot be read, here or later
    [[nodiscard]] static TextSource of_file(const std::string& path,
                                            const std::function<void(double bytes)>& advanced = {});

    [[nodiscard]] const std::string& name() const { return name_; }
    /// Enough to tell of what kind it is: the first mebibyte, or all where it is shorter. It is still there
    /// to be taken. @pre nothing was taken
    [[nodiscard]] const std::string& beginning();
    /// Takes the next piece. @return empty at the end
    [[nodiscard]] std::string next();
    /// Takes all that is left.
    [[nodiscard]] std::string rest();

private:
    std::string more();

    std::string name_;
    std::function<std::string()> more_;
    std::string waiting_; ///< read, and not yet taken
    bool ended_ = false;
};

} // namespace skampi
