#include "store/import/importer.hpp"

#include "store/import/imb.hpp"
#include "store/import/osu.hpp"
#include "store/import/reprompi.hpp"
#include "store/import/skampi5.hpp"
#include "store/import/skampi_out.hpp"
#include "store/result_csv.hpp"

#include <array>

namespace skampi {

namespace {

constexpr auto all_importers = std::to_array<Importer>({
    {"result CSV", looks_like_result_csv, read_result_csv},
    {"skampi.out", looks_like_skampi_out, read_whole_text<parse_skampi_out>},
    {"SKaMPI 5 output", looks_like_skampi5, read_whole_text<parse_skampi5>},
    {"OSU micro-benchmarks output", looks_like_osu, read_whole_text<parse_osu>},
    {"Intel MPI Benchmarks output", looks_like_imb, read_whole_text<parse_imb>},
    {"ReproMPI output", looks_like_reprompi, read_whole_text<parse_reprompi>},
});

} // namespace

std::span<const Importer> importers() {
    return all_importers;
}

std::string importable_kinds() {
    std::string kinds;
    for (const Importer& importer : all_importers)
        kinds += std::string(kinds.empty() ? "" : " nor ") + importer.kind;
    return kinds;
}

} // namespace skampi
