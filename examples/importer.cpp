// An importer. It reads the table that an invented program prints:
//
//     # pingtool 1.2
//     bytes time[us]
//     8     0.53
#include "import/imported_runs.hpp"

namespace skampi {

namespace {

constexpr const char* kind = "pingtool output";
constexpr std::string_view title = "# pingtool ";

bool is_pingtool(const std::string& beginning) {
    return beginning.find(title) != std::string::npos;
}

std::vector<ImportedRun> parse(const std::string& name, const std::string& text) {
    TextTable table(name, text);
    ImportedRuns runs(kind, name, text);
    bool in_table = false;
    while (table.next()) {
        if (table.line().starts_with(title)) {
            runs.begin_header();
            runs.header().tool_version = table.line().substr(title.size());
        } else if (table.line().starts_with("bytes")) {
            runs.begin_suite("pingtool",
                             operation_named("MPI_Send-MPI_Recv", Pattern::ping_pong, Meaning::round_trip),
                             Varied::message_length, 2);
            in_table = true;
        } else if (in_table && !table.blank()) {
            table.require_columns(2);
            const Word& bytes = table.words()[0];
            const Word& time_us = table.words()[1];
            runs.add(table, bytes, imported(table.integer(bytes), table.real(time_us) * 1e-6),
                     table.last_digit(time_us) * 1e-6);
        }
    }
    return runs.finish();
}

} // namespace

extern const Importer pingtool_importer{kind, is_pingtool, read_whole_text<parse>};

} // namespace skampi
