// SPDX-License-Identifier: GPL-2.0-or-later
#include <csignal>
#include <cstdio>
#include <doctest/doctest.h>

namespace {

bool any_case_ran = false;

/// Notes whether a case ran: of a filter that selects nothing doctest says that all is well.
struct NotesCases : doctest::IReporter {
    explicit NotesCases(const doctest::ContextOptions&) {}
    void test_case_start(const doctest::TestCaseData&) override { any_case_ran = true; }
    void report_query(const doctest::QueryData&) override { any_case_ran = true; }
    void test_run_start() override {}
    void test_run_end(const doctest::TestRunStats&) override {}
    void test_case_reenter(const doctest::TestCaseData&) override {}
    void test_case_end(const doctest::CurrentTestCaseStats&) override {}
    void test_case_exception(const doctest::TestCaseException&) override {}
    void test_case_skipped(const doctest::TestCaseData&) override {}
    void subcase_start(const doctest::SubcaseSignature&) override {}
    void subcase_end() override {}
    void log_assert(const doctest::AssertData&) override {}
    void log_message(const doctest::MessageData&) override {}
};
DOCTEST_REGISTER_LISTENER("notes cases", 1, NotesCases);

} // namespace

int main(int argc, char** argv) {
    // Programs that are started with a signal ignored (nohup, `&` in scripts) go on ignoring it, as they
    // should: what tests send has to arrive.
    std::signal(SIGINT, SIG_DFL);
    std::signal(SIGTERM, SIG_DFL);
    std::signal(SIGHUP, SIG_DFL);
    doctest::Context context(argc, argv);
    const int status = context.run();
    if (context.shouldExit() || any_case_ran)
        return status;
    std::fputs("no case was selected\n", stderr);
    return 1;
}
