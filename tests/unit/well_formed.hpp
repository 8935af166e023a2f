// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "base/child.hpp"

#include <string>

/// What an XML parser that is none of ours complains of in a file; empty = it is well-formed.
inline std::string xml_complaint(const std::string& path) {
    skampi::Command command;
    command.timeout_s = 60;
    if (const auto xmllint = skampi::find_program("xmllint"))
        command.argv = {*xmllint, "--noout", "--nonet", path};
    else // meson needs it, so it is there
        command.argv = {"python3", "-c", "import sys, xml.etree.ElementTree as e; e.parse(sys.argv[1])",
                        path};
    const skampi::ChildResult result = skampi::run(std::move(command));
    return result.ok() ? result.err : result.describe_end() + ": " + result.err;
}
