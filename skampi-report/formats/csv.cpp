#include "formats/csv.hpp"

namespace skampi {

namespace {

/// result_csv_line() and result_csv_header() may come with or without their line end.
std::string ended(std::string line) {
    if (line.empty() || line.back() != '\n')
        line += '\n';
    return line;
}

} // namespace

std::string result_csv(const std::vector<Database>& databases) {
    std::string text = ended(result_csv_header());
    for (const Database& database : databases)
        database.for_each_result([&](const ResultRow& row) { text += ended(result_csv_line(row)); });
    return text;
}

} // namespace skampi
