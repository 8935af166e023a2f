// SPDX-License-Identifier: GPL-2.0-or-later
#include "close_to.hpp"
#include "merge/pooling.hpp"

#include <cmath>
#include <doctest/doctest.h>
#include <limits>
#include <vector>

using namespace skampi;

namespace {

skalib::Summary pooled(const std::vector<skalib::Summary>& launches) {
    std::vector<const skalib::Summary*> pointers;
    for (const skalib::Summary& launch : launches)
        pointers.push_back(&launch);
    skalib::Summary summary = launches.front();
    pool(pointers, summary);
    return summary;
}

skalib::Summary of(const std::vector<double>& values) {
    return skalib::summarise(values, 0.25);
}

} // namespace

TEST_CASE("the pooled statistics of two launches are those of all their single measurements") {
    const skalib::Summary both = pooled({of({1, 2, 4, 9}), of({3, 5, 6, 7, 20, 30})});
    const skalib::Summary all = of({1, 2, 4, 9, 3, 5, 6, 7, 20, 30});
    CHECK(both.count == 10);
    CHECK(both.mean_all == close_to(all.mean_all));
    CHECK(both.standard_error_all == close_to(all.standard_error_all));
    CHECK(both.minimum == 1);
    CHECK(both.maximum == 30);
}

TEST_CASE("the values left after the cuts are weighted by their number") {
    skalib::Summary a = of({1, 1, 1, 1});
    skalib::Summary b = a;
    a.cut_count = 2;
    a.cut_mean = 10;
    a.cut_standard_error = 3;
    b.cut_count = 6;
    b.cut_mean = 20;
    b.cut_standard_error = 1;
    const skalib::Summary both = pooled({a, b});
    CHECK(both.cut_count == 8);
    CHECK(both.cut_mean == 17.5);
    CHECK(both.cut_standard_error == close_to(std::sqrt(0.25 * 0.25 * 9 + 0.75 * 0.75)));
}

TEST_CASE("a mean that one launch lacks is unknown, a minimum that one lacks is that of the others") {
    skalib::Summary without_mean = of({5, 6});
    without_mean.mean_all = 0;
    skalib::Summary without_minimum = of({7, 8});
    without_minimum.minimum = std::numeric_limits<double>::quiet_NaN();
    CHECK(std::isnan(pooled({of({1, 2}), without_mean}).mean_all));
    CHECK(pooled({of({1, 2}), without_mean}).count == 4);
    CHECK(pooled({of({1, 2}), without_minimum}).minimum == 1);
    CHECK(pooled({of({1, 2}), without_minimum}).mean_all == 4.5);
}

TEST_CASE("the mean of equal values lies between them, whatever rounding does") {
    std::vector<skalib::Summary> launches;
    for (const std::size_t count : {3u, 7u, 11u})
        launches.push_back(of(std::vector<double>(count, 0.1)));
    CHECK(pooled(launches).mean_all == 0.1);
}

TEST_CASE("quartiles are left as they are") {
    const skalib::Summary first = of({1, 2, 3, 4, 5});
    CHECK(pooled({first, of({10, 20, 30})}).median == first.median);
}

TEST_CASE("a sum of counts is rounded; beyond the largest count it is that one") {
    constexpr std::int64_t largest = std::numeric_limits<std::int64_t>::max();
    CHECK(whole_count(2.5) == 3);
    CHECK(whole_count(0x1p63) == largest);
    CHECK(whole_count(1e300) == largest);
}
