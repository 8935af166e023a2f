#include "formats/csv.hpp"

#include "subject.hpp"

namespace skampi {

namespace {

/// result_csv_line() and result_csv_header() may come with or without their line end.
std::string ended(std::string line) {
    if (line.empty() || line.back() != '\n')
        line += '\n';
    return line;
}

} // namespace

std::string result_csv(const std::vector<Database>& databases, const std::vector<std::string>& suites) {
    std::string text = ended(result_csv_header());
    for (const Database& database : databases)
        database.for_each_result([&](const ResultRow& row) {
            if (suite_selected(row.suite.name, suites))
                text += ended(result_csv_line(row));
        });
    return text;
}

} // namespace skampi
