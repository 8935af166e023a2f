// SPDX-License-Identifier: GPL-2.0-or-later
#include "invented_run.hpp"
#include "model/clock_estimate.hpp"
#include "model/record.hpp"

#include <doctest/doctest.h>

#include <limits>
#include <random>

using namespace skampi;

TEST_CASE("every member is a field, a row of its own, or known not to be stored") {
    using namespace invented;
    CHECK(field_count<RankFacts>() == member_count<RankFacts> - 1 + member_count<Seat>);
    CHECK(field_count<Event>() == member_count<Event>);
    CHECK(field_count<ClockEstimate>() == member_count<ClockEstimate>);
    CHECK(field_count<ModeValue>() == member_count<ModeValue>);
    CHECK(field_count<NodeTime>() == member_count<NodeTime>);
    // what it measured is one member, whose fields are its own but for six of the point
    CHECK(field_count<Source>() == member_count<Source> - 1 + field_count<Measurement>() - 6);
    CHECK(field_count<MergeFacts>() == member_count<MergeFacts> - 1); // sources
    // single measurements, node times; its stretch is a row of its own
    CHECK(field_count<Stretch>() == member_count<Stretch>);
    // The ranks that a stretch lists are those of its node times.
    CHECK(field_count<Batch>() == member_count<Batch> - 2 - (member_count<Stretch> - 1));
    // facts, settings, rank facts, sources, differing facts, forced differences, detours
    CHECK(field_count<Run>() ==
          member_count<Run> - 7 + member_count<SessionPlace> - 1 + member_count<HostSizes> - 1);
    CHECK(field_count<MergedSource>() == member_count<MergedSource>);
    CHECK(field_count<CoreDetours>() == member_count<CoreDetours>);
    CHECK(field_count<DifferingFact>() == member_count<DifferingFact> - 1 + 3); // three values
    // modes, node times; the summary is one member and fields of its own, but for three errors of which the
    // one that belongs to the value is stored with it
    CHECK(field_count<Measurement>() == member_count<Measurement> - 3 + member_count<skalib::Summary> - 3);
    // parameters, integers_only and single_element of an operation come from the table of operations
    CHECK(field_count<Suite>() == member_count<Suite> - 3 + member_count<OperationInfo> - 3 +
                                      member_count<skalib::RefinementLimits> +
                                      member_count<skalib::RepetitionLimits>);
}

TEST_CASE("what ranks tell each other arrives as it was, whatever its texts hold") {
    std::vector<Suite> plan{invented::unusual_suite(), invented::suite("plain"), Suite{}};
    CHECK(invented::same(unpacked<Suite>(packed(plan)), plan));
    const std::vector<RankFacts> ranks = invented::unusual_run().rank_facts;
    CHECK(invented::same(unpacked<RankFacts>(packed(ranks)), ranks));
    std::string record;
    pack(record, "");
    pack(record, "3:abc");
    std::string_view rest = record;
    CHECK(unpack_text(rest).empty());
    CHECK(unpack_text(rest) == "3:abc");
    CHECK(rest.empty());
}

TEST_CASE("a message that was cut short is none") {
    const std::string record = packed(std::vector{invented::suite("x")});
    for (std::size_t length = 1; length < record.size(); ++length)
        CHECK_THROWS_AS((void)unpacked<Suite>(std::string_view(record).substr(0, length)),
                        std::invalid_argument);
    CHECK_THROWS_AS((void)unpacked<RankFacts>("5:seven"), std::invalid_argument);
    CHECK_THROWS_AS((void)unpacked<RankFacts>("-1:"), std::invalid_argument);
    CHECK_THROWS_AS((void)unpacked<RankFacts>("99999999999999999999:"), std::invalid_argument);
}

TEST_CASE("numbers as text come back bit by bit") {
    std::mt19937_64 random(7);
    for (int i = 0; i < 10'000; ++i) {
        const double number = std::bit_cast<double>(random());
        if (number == number)
            CHECK(real_from(number_text(number)) == number);
    }
    CHECK(number_text(std::numeric_limits<double>::quiet_NaN()) == "nan");
    CHECK(number_text(std::numeric_limits<std::int64_t>::min()) == "-9223372036854775808");
    CHECK(integer_from("9223372036854775807") == std::numeric_limits<std::int64_t>::max());
    for (const char* const none : {"", " 1", "1 ", "1x", "0x1", "9223372036854775808", "1.0"})
        CHECK_FALSE(integer_from(none).has_value());
    int small = 5;
    CHECK_FALSE(set_field("2147483648", small));
    CHECK(small == 5);
    bool yes = true;
    CHECK_FALSE(set_field("2", yes));
    CHECK(yes);
}
