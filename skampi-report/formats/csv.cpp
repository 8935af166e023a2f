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

std::string result_csv(const std::vector<Database>& databases, const std::vector<std::string>& suites,
                       const std::vector<std::string>& runs) {
    std::string text = ended(result_csv_header());
    const auto add = [&](const ResultRow& row) {
        if (suite_selected(row.suite.name, suites))
            text += ended(result_csv_line(row));
    };
    for (const Database& database : databases) {
        const std::vector<RunId> chosen = runs_called(database, runs);
        if (chosen.empty())
            database.for_each_result(add);
        for (const RunId id : chosen)
            database.for_each_result(add, database.run(id).uuid);
    }
    return text;
}

} // namespace skampi
