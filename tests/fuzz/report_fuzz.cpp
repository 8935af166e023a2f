// SPDX-License-Identifier: GPL-2.0-or-later
// Reports of texts of other programs: what a stranger's file says must reach no format as anything but text.
#include "fuzz_target.hpp"

#include "base/error.hpp"
#include "base/scratch_directory.hpp"
#include "base/utf8.hpp"
#include "document/sections/build_document.hpp"
#include "formats/data/json.hpp"
#include "formats/exchange/ascii.hpp"
#include "formats/text/plain_text.hpp"
#include "formats/web/html.hpp"
#include "store/database.hpp"
#include "launches/read_subjects.hpp"

#include <fstream>
#include <nlohmann/json.hpp>

using namespace skampi;

namespace {

/// A name that would be an element in HTML, were it not escaped.
constexpr const char* element = "<skampi-fuzz>";

} // namespace

void fuzz::try_input(const std::string& bytes) {
    static const ScratchDirectory scratch;
    static const std::string path = scratch.path() + "/x.txt";
    std::ofstream(path, std::ios::binary | std::ios::trunc) << bytes;
    std::vector<Subject> subjects;
    try {
        subjects = read_subjects(Database::open(path));
    } catch (const Error&) {
        return;
    }
    const Document document = build_document(subjects, {});
    const std::string markdown_text = markdown(document, {});
    if (to_valid_utf8(markdown_text) != markdown_text)
        fail("bytes that are no text are in a text");
    if (html_page(document).find(element) != std::string::npos)
        fail("a name became an element of HTML");
    if (!nlohmann::json::accept(json_report(subjects, false)))
        fail("JSON that is none");
    (void)ascii_report(subjects.front());
}

const std::vector<std::string>& fuzz::pieces() {
    static const std::vector<std::string> all{"run,suite,",
                                              element,
                                              "\"</script>",
                                              "\\input{x}",
                                              "%$#_&~^{}",
                                              "\xef\xbf\xbe",
                                              "\xc2\x9b",
                                              "\x1b[2J",
                                              "nan",
                                              "1e308",
                                              "5e-324",
                                              "-0",
                                              "4294967297",
                                              ",",
                                              "\n",
                                              "/*@incol_",
                                              ".ski*/\n",
                                              "# OSU MPI Latency Test v7.2\n",
                                              "# Size Latency (us)\n",
                                              "#eol\n",
                                              std::string(300, '7'),
                                              std::string(70000, 'x')};
    return all;
}
