#include "store/row.hpp"

#include "base/error.hpp"

#include <algorithm>

namespace skampi {

std::string varied_names(const std::vector<Varied>& list) {
    std::string names;
    for (const Varied varied : list)
        names += (names.empty() ? "" : ",") + std::string(to_text(varied));
    return names;
}

void RowReader::operator()(const char*, FlagWords<Flags> words) {
    try {
        words.flags = flags_from_words(query_.text());
    } catch (const InputError& error) {
        connection_.fail(error.what());
    }
}

void RowReader::operator()(const char* name, VariedNames<std::vector<Varied>> names) {
    const std::string text = query_.text();
    names.list.clear();
    for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t end = std::min(text.find(',', begin), text.size());
        const std::optional<Varied> varied =
            from_text<Varied>(std::string_view(text).substr(begin, end - begin));
        if (!varied)
            impossible(name, text, "names of variations");
        names.list.push_back(*varied);
        begin = end + 1;
    }
}

void RowReader::impossible(const char* name, const std::string& found, const std::string& expected) const {
    connection_.fail("column " + std::string(name) + " holds \"" + found + "\", expected " + expected +
                     ": the file is damaged or was edited; it is left as it is");
}

} // namespace skampi
