#include "formats/data/csv.hpp"

#include "import/result_csv.hpp"
#include "subject/subject.hpp"

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
                       const std::vector<std::string>& runs, std::size_t most_bytes) {
    std::string text = ended(result_csv_header());
    bool too_long = false;
    const auto add = [&](const ResultRow& row) {
        if (too_long || !suite_selected(row.suite.name, suites))
            return;
        text += ended(result_csv_line(row));
        too_long = text.size() > most_bytes;
    };
    for (const Database& database : databases) {
        const std::vector<RunId> chosen = runs_called(database, runs);
        if (chosen.empty())
            database.for_each_result(add);
        for (const RunId id : chosen)
            database.for_each_result(add, database.run(id).uuid);
    }
    return too_long ? std::string() : text;
}

} // namespace skampi
