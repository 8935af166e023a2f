// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <string>
#include <vector>

namespace skampi::test {

/// Texts that try to be something else in LaTeX, gnuplot, HTML, the shell or a file name. PWNED is where a
/// command would leave its mark.
inline std::vector<std::string> nasty_texts(const std::string& pwned) {
    return {"\\input{/etc/passwd}",
            "`touch " + pwned + "`",
            "$(touch " + pwned + ")",
            "\\write18{touch " + pwned + "}",
            "'; system('touch " + pwned + "'); '",
            "''\nsystem \"touch " + pwned + "\"\n",
            "!touch " + pwned,
            "\"; system(\"touch " + pwned + "\") #",
            "100% of _this_ & #that $HOME ~ ^ {",
            "}}\\end{document}",
            "\\",
            "^^5cinput{/etc/passwd}",
            "<script>alert(1)</script>",
            "\" onload=\"alert(1)",
            "[x]{y}",
            "@HOME ^{sup} _{sub}",
            "Grüße, 世界 🚀",
            "\xff\xfe invalid",
            "*/ /*@inp2p",
            "--help",
            "?`!` << >> --- ,,",
            "../../../etc/passwd",
            "%n%s%d",
            std::string(5000, 'W'),
            std::string(300, '_') + " " + std::string(50, '\\'),
            "",
            "a\tb",
            "é+4jobname +4LaTeX",
            "André 2.5 GHz"};
}

} // namespace skampi::test
