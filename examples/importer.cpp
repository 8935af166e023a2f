// An importer. It reads the table that an invented program prints:
//
//     # pingtool 1.2
//     bytes round_trip[us]
//     8     0.53
#include "import/imported_runs.hpp"

namespace skampi {

namespace {

class PingtoolReader : public LineReader {
public:
    static constexpr const char* kind = "pingtool output";
    static constexpr std::string_view title = "# pingtool ";
    static bool recognises(const std::string& beginning) {
        return beginning.starts_with(title) || beginning.find("\n" + std::string(title)) != std::string::npos;
    }

    using LineReader::LineReader;

private:
    void take_line() override {
        if (table_.line().starts_with(title)) {
            runs_.begin_header();
            runs_.header().tool_version = table_.line().substr(title.size());
        } else if (table_.line().starts_with("bytes round_trip[us]")) {
            const int ranks = 0; // the file does not say
            runs_.begin_suite("pingtool",
                              operation_named("MPI_Send-MPI_Recv", Pattern::ping_pong, Meaning::round_trip),
                              Varied::message_length, ranks);
            in_table_ = true;
        } else if (in_table_) {
            table_.require_columns(2);
            const Word& bytes = table_.words()[0];
            const Word& time_us = table_.words()[1];
            runs_.add(table_, bytes, imported(table_.integer(bytes), table_.real(time_us) * microseconds),
                      table_.last_digit(time_us) * microseconds);
        }
    }

    bool in_table_ = false;
};

} // namespace

extern const Importer pingtool_importer = importer_by<PingtoolReader>();

} // namespace skampi
