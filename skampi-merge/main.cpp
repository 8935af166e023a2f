#include "base/error.hpp"
#include "base/text.hpp"
#include "merge_runs.hpp"
#include "options.hpp"

#include <exception>
#include <fmt/format.h>
#include <iostream>

namespace {

int fail(const std::string& what, skampi::ExitStatus status) {
    std::cerr << "skampi-merge: " << what << '\n';
    std::cout << "SKAMPI: FAILED\n";
    return static_cast<int>(status);
}

} // namespace

int main(int argc, char** argv) {
    using namespace skampi;
    try {
        const auto options = parse_options(argc, argv, std::cout);
        if (!options)
            return static_cast<int>(ExitStatus::done);
        const MergeOutcome outcome = merge_runs(*options);
        for (const std::string& note : outcome.notes)
            std::cerr << "skampi-merge: note: " << note << '\n';
        for (const std::string& warning : outcome.warnings)
            std::cerr << "skampi-merge: warning: " << warning << '\n';
        std::cout << fmt::format("SKAMPI: OK points={} runs={} abstained={}\n", outcome.points, outcome.runs,
                                 outcome.abstained);
        return static_cast<int>(outcome.warnings.empty() ? ExitStatus::done : ExitStatus::incomplete);
    } catch (const Error& error) {
        return fail(error.what(), error.status());
    } catch (const std::exception& error) {
        return fail(printable(error.what()), ExitStatus::impossible);
    }
}
