// SPDX-License-Identifier: GPL-2.0-or-later
#include "drawing/heat_map.hpp"
#include "drawing/plot.hpp"

#include "contains.hpp"
#include "scratch_folder.hpp"
#include "text_file.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <doctest/doctest.h>
#include <fmt/format.h>
#include <regex>

using namespace skampi;

namespace {

using Rgb = std::array<double, 3>; ///< from 0 to 1, as screens take them

Figure map_of_alike_members() {
    const LinkInput input{.names = {"n0", "n1", "n2", "n3"}, .maps = {}};
    LengthFinding finding;
    finding.message_bytes = std::int64_t{1} << 20;
    finding.ratio_of_pair = PairValues(4, 1);
    return heat_map("map", input, finding);
}

/// CIE L* of sRGB, from 0 to 100.
double lightness(const Rgb& colour) {
    constexpr Rgb weights{0.2126, 0.7152, 0.0722};
    double luminance = 0;
    for (std::size_t i = 0; i < 3; ++i)
        luminance += weights[i] *
                     (colour[i] <= 0.04045 ? colour[i] / 12.92 : std::pow((colour[i] + 0.055) / 1.055, 2.4));
    return luminance > 0.008856 ? 116 * std::cbrt(luminance) - 16 : 903.3 * luminance;
}

/// What programs that print in grey make of a colour (Rec. ITU-R BT.601).
Rgb grey_print(const Rgb& colour) {
    const double grey = 0.299 * colour[0] + 0.587 * colour[1] + 0.114 * colour[2];
    return {grey, grey, grey};
}

} // namespace

TEST_CASE("the legend of a map of pairs is a whole scale, also where all pairs are alike") {
    const Figure figure = map_of_alike_members();
    const Legend legend = legend_of(figure);
    REQUIRE(legend.entries.size() == heat_levels + 1);
    for (int level = 0; level < heat_levels; ++level)
        CHECK(legend.entries[static_cast<std::size_t>(level)]->colour == level);
    CHECK(legend.entries.back()->colour == no_heat);
}

TEST_CASE("the levels of a map of pairs get darker in visible steps, in colour and in grey, in each format") {
    const ScratchFolder folder;
    const std::vector<Figure> figures{map_of_alike_members()};
    static_cast<void>(prepare_plots(figures, PlotTarget::pdf, folder.path(), 1));
    const std::string script = read(folder / "map.gp");
    const std::string style = read(SKAMPI_SOURCE_ROOT "/skampi-report/formats/web/html_page.css");
    const std::regex fill("fillcolor rgb '#(..)(..)(..)'");
    std::sregex_iterator match(script.begin(), script.end(), fill);
    Rgb lighter{};
    for (int level = no_heat; level < heat_levels; ++level, ++match) {
        CAPTURE(level);
        REQUIRE(match != std::sregex_iterator());
        Rgb colour{};
        for (std::size_t i = 0; i < 3; ++i)
            colour[i] = std::stoi((*match)[i + 1].str(), nullptr, 16) / 255.0;
        CHECK(contains(style, fmt::format(".h{} {{ color: #{}{}{}; }}", level, (*match)[1].str(),
                                          (*match)[2].str(), (*match)[3].str())));
        if (level == no_heat)
            CHECK(colour == Rgb{1, 1, 1});
        if (level > 0) {
            CHECK(lightness(lighter) - lightness(colour) > 11.5);
            CHECK(lightness(grey_print(lighter)) - lightness(grey_print(colour)) > 11.5);
        }
        lighter = colour;
    }
}
