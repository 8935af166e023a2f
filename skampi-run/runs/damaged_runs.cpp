#include "runs/damaged_runs.hpp"

#include "store/database.hpp"

#include <filesystem>
#include <system_error>

namespace skampi {

void refuse_damage(const std::string& path) {
    std::error_code error;
    if (!std::filesystem::is_regular_file(path, error) || std::filesystem::file_size(path, error) == 0)
        return;
    const Database database = Database::open(path);
    for (const RunId id : database.runs())
        if (const Run run = database.run(id); run.kind == "raw" && run.ended_utc.empty())
            database.check_run(id);
}

} // namespace skampi
