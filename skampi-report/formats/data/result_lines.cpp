// SPDX-License-Identifier: GPL-2.0-or-later
#include "formats/data/result_lines.hpp"

#include "formats/data/csv.hpp"
#include "formats/data/json_text.hpp"
#include "formats/data/row_json.hpp"

namespace skampi {

std::string result_lines(const std::vector<Subject>& subjects) {
    std::string lines;
    for (const Subject& subject : subjects)
        for (const Curve& curve : subject.curves)
            for (const StoredMeasurement& point : curve.points)
                lines += json_text(row_json(result_row(subject, curve, point))) + "\n";
    return lines;
}

} // namespace skampi
