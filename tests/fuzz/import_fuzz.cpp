// SPDX-License-Identifier: GPL-2.0-or-later
// The readers of other programs' texts, and of result CSV.
#include "fuzz_target.hpp"

#include "base/error.hpp"
#include "import/importer.hpp"

#include <set>

using namespace skampi;

namespace {

/// Looks at what is handed over.
class Judge : public ImportSink {
public:
    RunId begin_run(const Run& run) override {
        if (run.uuid.empty())
            fuzz::fail("a run without an identity");
        return ++begun_;
    }
    SuiteId begin_suite(RunId run, const Suite& suite) override {
        if (!names_.insert({run, suite.name}).second)
            fuzz::fail("two suites of one name in a run");
        return ++begun_;
    }
    std::optional<std::int64_t> add(SuiteId suite, std::int64_t place, const Measurement& measurement,
                                    const std::optional<MergeFacts>&) override {
        if (measurement.argument < 0 || measurement.ranks < 0 || measurement.message_bytes < 0)
            fuzz::fail("a measurement of less than nothing");
        return arguments_.insert({suite, measurement.argument}).second ? std::nullopt : std::optional(place);
    }
    void end_suite(SuiteId, const Suite& suite, const std::map<std::string, std::string>&) override {
        if (suite.ranks < 0 || suite.message_bytes < 0)
            fuzz::fail("a suite of less than nothing");
        ++ended_;
    }
    void end_run(RunId, const Run&) override { ++ended_; }

    [[nodiscard]] bool all_ended() const { return begun_ == ended_; }

private:
    std::int64_t begun_ = 0;
    std::int64_t ended_ = 0;
    std::set<std::pair<RunId, std::string>> names_;
    std::set<std::pair<SuiteId, std::int64_t>> arguments_;
};

} // namespace

void fuzz::try_input(const std::string& bytes) {
    const Importer* const importer = importer_of(bytes);
    if (importer == nullptr)
        return;
    bool taken = false;
    TextSource text("fuzz", [&] { return std::exchange(taken, true) ? std::string() : bytes; });
    Judge judge;
    try {
        importer->read(*importer, text, judge);
    } catch (const InputError&) {
        return;
    }
    if (!judge.all_ended())
        fail("something was begun and not ended");
}

const std::vector<std::string>& fuzz::pieces() {
    static const std::vector<std::string> all{"# OSU MPI",
                                              " Latency Test v7.2\n",
                                              "# Size       Avg Latency(us)\n",
                                              "# Datatype: MPI_INT.\n",
                                              "# Benchmarking ",
                                              "# #processes = 4\n",
                                              "#bytes #repetitions t[usec]\n",
                                              "groups of 2 processes",
                                              "16 time-out.",
                                              "[1,0]<stdout>:",
                                              "12:00:01 ",
                                              "\x1b[31m",
                                              "Now starting the main loop\n",
                                              " bytes 5 times --> 7.8 Mbps in 0.9 usec\n",
                                              "# nThread 1 nGpus 8\n",
                                              "# size type redop time #wrong\n",
                                              "# Send Buffer on DEVICE (D)\n",
                                              "#@nprocs=",
                                              "test nrep count runtime_sec\n",
                                              "# begin result \"a\"\n",
                                              "# end result \"a\"\n",
                                              "count= ",
                                              "nodes= ",
                                              "/*@incol_",
                                              "/*@insyncol_",
                                              ".ski*/\n",
                                              "# Settings: ",
                                              "; root = ",
                                              "#eol\n",
                                              "@POSTPROC 3 times\n",
                                              "varied over nodes.\n",
                                              "run,suite,",
                                              "\"\"",
                                              "\n",
                                              "\r\n",
                                              "\t",
                                              " ",
                                              "nan",
                                              "1e308",
                                              "5e-324",
                                              "-1",
                                              "4294967298",
                                              "9223372036854775807",
                                              "\xff",
                                              std::string(1, '\0'),
                                              std::string(300, '7'),
                                              std::string(70000, 'x')};
    return all;
}
