// SPDX-License-Identifier: GPL-2.0-or-later
#include "cube/cube_xml.hpp"

#include "base/text.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <stdexcept>

namespace skampi::cube {

namespace {

void check(bool right, const char* what) {
    if (!right)
        throw std::invalid_argument(std::string("CUBE file: ") + what);
}

std::string metrics(const Experiment& experiment) {
    std::string text = "  <metrics>\n";
    for (std::size_t id = 0; id < experiment.metrics.size(); ++id) {
        const Metric& metric = experiment.metrics[id];
        text += fmt::format("    <metric id=\"{}\">\n"
                            "      <disp_name>{}</disp_name>\n"
                            "      <uniq_name>{}</uniq_name>\n"
                            "      <dtype>FLOAT</dtype>\n"
                            "      <uom>sec</uom>\n"
                            "      <url></url>\n"
                            "      <descr>{}</descr>\n"
                            "    </metric>\n",
                            id, for_xml(metric.display_name), for_xml(metric.unique_name),
                            for_xml(metric.description));
    }
    return text + "  </metrics>\n";
}

/// A region for every call path, and the call paths as a forest.
class Program {
public:
    explicit Program(const std::vector<CallPath>& paths)
        : paths_(paths)
        , children_(paths.size()) {
        for (std::size_t id = 0; id < paths_.size(); ++id) {
            if (!paths_[id].parent)
                continue;
            check(*paths_[id].parent < id, "a call path's parent is not an earlier one");
            children_[*paths_[id].parent].push_back(id);
        }
    }

    std::string text() {
        text_ = "  <program>\n";
        for (std::size_t id = 0; id < paths_.size(); ++id)
            text_ += fmt::format("    <region id=\"{}\" mod=\"\" begin=\"-1\" end=\"-1\">\n"
                                 "      <name>{}</name>\n"
                                 "      <url></url>\n"
                                 "      <descr>{}</descr>\n"
                                 "    </region>\n",
                                 id, for_xml(paths_[id].name), for_xml(paths_[id].description));
        for (std::size_t id = 0; id < paths_.size(); ++id)
            if (!paths_[id].parent)
                add(id, 2);
        return std::move(text_) + "  </program>\n";
    }

private:
    void add(std::size_t id, std::size_t depth) {
        const std::string indent(2 * depth, ' ');
        text_ += fmt::format("{0}<cnode id=\"{1}\" calleeId=\"{1}\">\n", indent, id);
        for (const std::size_t child : children_[id])
            add(child, depth + 1);
        text_ += indent + "</cnode>\n";
    }

    const std::vector<CallPath>& paths_;
    std::vector<std::vector<std::size_t>> children_;
    std::string text_;
};

std::string system(const Experiment& experiment) {
    std::string text = fmt::format("  <system>\n    <machine Id=\"0\">\n      <name>{}</name>\n",
                                   for_xml(experiment.machine));
    std::vector<std::string> hosts; // in the order of their first process
    for (const Process& process : experiment.processes)
        if (std::ranges::find(hosts, process.host) == hosts.end())
            hosts.push_back(process.host);
    for (std::size_t node = 0; node < hosts.size(); ++node) {
        text += fmt::format("      <node Id=\"{}\">\n        <name>{}</name>\n", node, for_xml(hosts[node]));
        for (std::size_t id = 0; id < experiment.processes.size(); ++id) {
            const Process& process = experiment.processes[id];
            if (process.host != hosts[node])
                continue;
            text += fmt::format("        <process Id=\"{0}\">\n"
                                "          <name>Process {1}</name>\n"
                                "          <rank>{1}</rank>\n"
                                "          <thread Id=\"{0}\">\n"
                                "            <name>Thread 0</name>\n"
                                "            <rank>0</rank>\n"
                                "          </thread>\n"
                                "        </process>\n",
                                id, process.rank);
        }
        text += "      </node>\n";
    }
    return text + "    </machine>\n  </system>\n";
}

std::string severity(const Experiment& experiment) {
    std::string text = "  <severity>\n";
    for (std::size_t i = 0; i < experiment.severities.size(); ++i) {
        const Severity& row = experiment.severities[i];
        check(row.metric < experiment.metrics.size() && row.call_path < experiment.call_paths.size(),
              "a severity of an unknown metric or call path");
        check(row.seconds.size() == experiment.processes.size(), "a severity per process is needed");
        if (i == 0 || experiment.severities[i - 1].metric != row.metric)
            text +=
                fmt::format("{}    <matrix metricId=\"{}\">\n", i == 0 ? "" : "    </matrix>\n", row.metric);
        text += fmt::format("      <row cnodeId=\"{}\">\n", row.call_path);
        for (const double seconds : row.seconds) {
            check(std::isfinite(seconds), "a severity that is no finite number");
            text += fmt::format("{}\n", seconds);
        }
        text += "      </row>\n";
    }
    return text + (experiment.severities.empty() ? "" : "    </matrix>\n") + "  </severity>\n";
}

} // namespace

std::string write_cube3(const Experiment& experiment) {
    check(!experiment.metrics.empty() && !experiment.call_paths.empty() && !experiment.processes.empty(),
          "at least one metric, call path and process is needed");
    std::string text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<cube version=\"3.0\">\n";
    for (const auto& [key, value] : experiment.attributes)
        text += fmt::format("  <attr key=\"{}\" value=\"{}\"/>\n", for_xml(key), for_xml(value));
    return text + metrics(experiment) + Program(experiment.call_paths).text() + system(experiment) +
           severity(experiment) + "</cube>\n";
}

} // namespace skampi::cube
