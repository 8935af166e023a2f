#include "supervisor/job_view.hpp"

#include "base/text.hpp"
#include "shared/status.hpp"
#include "skalib/clock.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace skampi {

void JobView::job_line(std::string_view line) {
    const auto event = nlohmann::json::parse(line, nullptr, false);
    if (!event.is_object() || !event.contains("event") || !event["event"].is_string()) {
        summarised_ = summarised_ || line.starts_with("SKAMPI: ");
        progress_.clear();
        fmt::print(out_, "{}\n", line);
        std::fflush(out_);
        return;
    }
    if (kind_ == ProgressKind::json) {
        fmt::print(out_, "{}\n", line);
        std::fflush(out_);
        return;
    }
    const double now_s = skalib::steady_seconds();
    const std::string kind = event["event"];
    if (kind == "start")
        progress_.run_started(event.value("run", ""), event.value("suites", 0), now_s);
    else if (kind == "suite")
        progress_.suite_started(event.value("index", 0), event.value("suite", ""), now_s);
    else if (kind == "heartbeat")
        progress_.visited(event.value("argument", std::int64_t{0}), event.value("share", 0.0), now_s);
}

void JobView::note(std::string_view text) {
    progress_.clear();
    fmt::print(stderr, "skampi-run: {}\n", text);
}

void JobView::error_line(std::string_view line) {
    progress_.clear();
    fmt::print(stderr, "{}\n", line);
}

void JobView::summary(const std::string& database, int status) {
    progress_.clear();
    if (!summarised_)
        fmt::print(out_, "{}\n", summary_line(database, status));
    std::fflush(out_);
}

} // namespace skampi
