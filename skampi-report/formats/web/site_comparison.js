"use strict";
// Two results over one another. Which ones stands behind the # of the address: comparison.html#A,B. They are loaded as
// scripts that call skampiLoaded(): a page opened from disk may load nothing else. What is significant is judged by the
// program alone, which says of many pairs in comparisons/A/B.js; of others ratios are shown as they are.
const loaded = {};
const skampiLoaded = (result) => {
    loaded["results/" + result.name] = result;
};
const skampiCompared = (judgement) => {
    loaded["comparisons/" + judgement.reference + "/" + judgement.other] = judgement;
};
(() => {
    const main = document.getElementById("comparison");
    const controls = document.getElementById("controls");
    const known = typeof skampiResults === "undefined" ? [] : skampiResults;
    const judged = (reference, other) =>
        typeof skampiJudged !== "undefined" && (skampiJudged[reference] || []).includes(other);

    const make = (name, attributes = {}, ...children) => {
        const made = document.createElement(name);
        for (const [key, value] of Object.entries(attributes))
            made.setAttribute(key, value);
        made.append(...children);
        return made;
    };

    const {ticks, shareOf, valueAxis, argumentAxis, timeText, ratioText, argumentText} = skampiAxes;

    // ---- drawings ----

    const box = {left: 72, top: 26, width: 354, height: 208, all: [440, 280]};
    const svgName = "svg";
    const svgSpace = () => {
        // The name of the space of SVG elements, from one the browser makes itself.
        const holder = document.createElement("div");
        holder.innerHTML = "<svg></svg>";
        return holder.firstChild.namespaceURI;
    };
    const space = svgSpace();
    const draw = (name, attributes, text) => {
        const made = document.createElementNS(space, name);
        for (const [key, value] of Object.entries(attributes))
            made.setAttribute(key, value);
        if (text !== undefined)
            made.textContent = text;
        return made;
    };

    /// The values of a series of a plot: of each of its paths "at" one.
    const valuesTable = (number, name, titles, points) => {
        const row = (kind, texts) => make("tr", {}, ...texts.map((text) => make(kind, {}, text)));
        const ranges = points.some((point) => point.range);
        return make("table", {class: "values", "data-series": number}, make("caption", {}, name),
                    make("thead", {}, row("th", [titles.x, titles.y, ...ranges ? ["from, to"] : []])),
                    make("tbody", {}, ...points.map((point) =>
                        row("td", [point.xText, point.yText, ...ranges ? [point.range || ""] : []]))));
    };

    let clips = 0;
    const panel = (x, y, titles, series, level) => {
        const bottom = box.top + box.height;
        const px = (value) => box.left + shareOf(x, value <= 0 && x.zeroAt !== null ? x.zeroAt : value) * box.width;
        const py = (value) => bottom - shareOf(y, value) * box.height;
        const described = (axis) => [axis.log ? "log" : "linear", axis.low, axis.high, axis.quantity].concat(
            axis.zeroAt === null ? [] : [axis.zeroAt, axis.gapAt]).join(" ");
        const svg = draw(svgName, {class: "plot", viewBox: "0 0 " + box.all.join(" "), role: "img",
                                   "aria-label": titles.y + " over " + titles.x, "data-x": described(x), "data-y": described(y),
                                   "data-box": [box.left, box.top, box.width, box.height].join(" ")});
        const clip = "clip-" + (++clips);
        const clipPath = draw("clipPath", {id: clip});
        clipPath.append(draw("rect", {x: box.left, y: box.top - 4, width: box.width + 4, height: box.height + 8}));
        const axes = {x: draw("g", {class: "axis x"}), y: draw("g", {class: "axis y"})};
        for (const [value, label] of ticks(x)) {
            const at = (box.left + shareOf(x, value) * box.width).toFixed(2);
            axes.x.append(draw("path", {class: "grid", d: `M${at} ${box.top}V${bottom}`}),
                          draw("text", {x: at, y: bottom + 17, "text-anchor": "middle"}, label));
        }
        for (const [value, label] of ticks(y)) {
            const at = py(value).toFixed(2);
            axes.y.append(draw("path", {class: "grid", d: `M${box.left} ${at}H${box.left + box.width}`}),
                          draw("text", {x: box.left - 5, y: Number(at) + 4, "text-anchor": "end"}, label));
        }
        const data = draw("g", {class: "data", "clip-path": `url(#${clip})`});
        const path = (classes, number, d) => {
            if (d !== "")
                data.append(draw("path", number < 0 ? {class: classes, d} : {class: classes, "data-series": number, d}));
        };
        if (level !== undefined)
            path("mark level", -1, `M${box.left} ${py(level).toFixed(2)}L${box.left + box.width} ${py(level).toFixed(2)}`);
        const tables = [];
        for (const {number, name, points, jumps} of series) {
            // Nothing is drawn across a jump, nor from the 0 left of the gap in the axis.
            const isApart = (i) => i === 0 || (points[i - 1].x <= 0 && x.zeroAt !== null) ||
                jumps.some(([after, before]) => points[i - 1].x < before && points[i].x > after);
            const places = points.map((point) => [px(point.x).toFixed(2) + " " + py(point.y).toFixed(2), point]);
            path("bars c" + number, number, points.filter((point) => point.low < point.high).map((point) =>
                `M${px(point.x).toFixed(2)} ${py(point.low).toFixed(2)}L${px(point.x).toFixed(2)} ${py(point.high).toFixed(2)}`).join(""));
            path("curve c" + number, number, places.map(([at], i) => (isApart(i) ? "M" : "L") + at).join(""));
            path("dots at c" + number + (points.length > 60 ? " many" : ""), number, places.map(([at]) => `M${at}L${at}`).join(""));
            if (points.length > 0)
                tables.push(valuesTable(number, name, titles, points));
        }
        svg.append(clipPath, axes.x, axes.y,
                   draw("path", {class: "frame", d: `M${box.left} ${box.top}V${bottom}H${box.left + box.width}`}), data);
        if (x.zeroAt !== null)
            svg.append(draw("text", {class: "gap", x: px(x.gapAt), y: bottom + 4, "text-anchor": "middle"}, "//"));
        svg.append(draw("text", {class: "title", x: box.left + box.width / 2, y: box.all[1] - 6, "text-anchor": "middle"}, titles.x),
                   draw("text", {class: "title", x: 4, y: 13}, titles.y));
        return {svg, tables};
    };

    const figure = (panels, names) => {
        const plots = make("div", {class: "panels"}, ...panels.map((each) => make("div", {class: "panel"}, each.svg)));
        const legend = make("ul", {class: "legend"});
        names.forEach((name, number) => {
            const sample = draw(svgName, {class: "sample", viewBox: "0 0 22 12", "aria-hidden": "true"});
            sample.append(draw("path", {class: "curve c" + number, d: "M1 6L21 6"}),
                          draw("path", {class: "dots c" + number, d: "M11 6L11 6"}));
            legend.append(make("li", {"data-series": number}, sample, " " + name));
        });
        const tables = make("div", {class: "tables"});
        panels.forEach((each, index) => {
            for (const table of each.tables) {
                table.dataset.panel = index;
                tables.append(make("div", {class: "scroll"}, table));
            }
        });
        return make("figure", {}, plots, legend,
                    make("details", {class: "behind"}, make("summary", {}, "Values of this plot"), tables));
    };

    // ---- the comparison ----

    const facts = (a, b, names) => {
        const table = make("table");
        table.append(make("thead", {}, make("tr", {}, ...["", ...names].map((text) => make("th", {scope: "col"}, text)))));
        const body = make("tbody");
        for (const [name, key] of [["Machine", "machine"], ["MPI library", "library"], ["Ranks", "ranks"], ["Hosts", "hosts"],
                                   ["Measured", "measured"], ["Launches", "launches"]]) {
            const row = make("tr", {}, make("th", {scope: "row"}, name));
            for (const each of [a, b])
                row.append(make("td", String(a[key]) === String(b[key]) ? {} : {class: "warning"}, String(each[key])));
            body.append(row);
        }
        table.append(body);
        return make("div", {class: "scroll", tabindex: "0"}, table);
    };

    /// The fields in which two suites are known to measure different quantities: a ratio would mean nothing.
    const differences = (first, second) => Object.keys(first.quantity).filter((field) =>
        field in second.quantity && first.quantity[field] !== second.quantity[field]);
    const incomparable = (a, b) => a.suites.flatMap((first) => {
        const second = b.suites.find((each) => each.key === first.key);
        const fields = second ? differences(first, second) : [];
        return fields.length > 0 ? [first.name + " (" + fields.join(", ").replaceAll("_", " ") + ")"] : [];
    });

    /// Suites of both with the ratios of their times: [argument, ratio, low, high].
    const pairs = (a, b, judgement) => {
        const found = [];
        if (judgement) {
            for (const each of judgement.suites) {
                const first = a.suites.find((suite) => suite.key === each.reference);
                const second = b.suites.find((suite) => suite.key === each.other);
                if (first && second)
                    found.push({first, second, ratios: each.points, blocks: each.blocks});
            }
            return found;
        }
        for (const first of a.suites) {
            const second = b.suites.find((each) => each.key === first.key);
            if (!second || differences(first, second).length > 0)
                continue;
            const others = new Map(second.points.map((point) => [point[0], point[1]]));
            const ratios = first.points.filter((point) => others.has(point[0])).map(([at, value]) => {
                const of = others.get(at) / value;
                return [at, of, of, of];
            });
            if (ratios.length > 0)
                found.push({first, second, ratios, blocks: []});
        }
        return found;
    };

    const tableOf = (block) => {
        const head = make("tr", {}, ...block.columns.map(([text, kind]) => make("th", {scope: "col", class: kind}, text)));
        const body = make("tbody", {}, ...block.rows.map((row) =>
            make("tr", {}, ...row.map((text, i) => make("td", {class: block.columns[i][1]}, text)))));
        const table = make("div", {class: "scroll", tabindex: "0"}, make("table", {}, make("thead", {}, head), body));
        return block.title === "" ? [table] : [make("h4", {}, block.title), table];
    };
    const paragraphOf = (block) => {
        const paragraph = make("p", block.warning ? {class: "warning"} : {}, block.text);
        if (block.command)
            paragraph.append(make("code", {class: "command"}, block.command));
        return paragraph;
    };

    const elements = (blocks) => blocks.flatMap((block) =>
        block.rows ? tableOf(block) : [paragraphOf(block)]);

    const links = (suites) => {
        const list = make("ul");
        suites.forEach(({first}, i) => list.append(
            make("li", {}, make("a", {href: "#suite-" + (i + 1), "data-suite": i + 1}, first.name))));
        return list;
    };

    const ratioTable = (suites) => {
        const body = make("tbody");
        const table = make("table", {id: "ratios"}, make("thead", {}, make("tr", {}, ...["suite", "arguments", "mean ratio", "smallest", "largest"]
            .map((text, i) => make("th", {scope: "col", class: i === 0 ? "text" : "number"}, text)))), body);
        suites.forEach(({first, ratios}, i) => {
            const all = ratios.map(([, value]) => value);
            const mean = Math.exp(all.reduce((sum, value) => sum + Math.log(value), 0) / all.length);
            const row = make("tr", {}, make("td", {}, make("a", {href: "#suite-" + (i + 1), "data-suite": i + 1}, first.name)));
            for (const text of [all.length, ratioText(mean), ratioText(Math.min(...all)), ratioText(Math.max(...all))])
                row.append(make("td", {class: "number"}, String(text)));
            body.append(row);
        });
        return make("div", {class: "scroll", tabindex: "0"}, table);
    };

    const drawing = ({first, second, ratios}, names) => {
        const all = [...first.points, ...second.points];
        const x = argumentAxis(all.map((point) => point[0]), first.log, first.bytes ? "bytes" : "count");
        const y = valueAxis(all.flatMap((point) => point.slice(1)), first.log, "time");
        const xTitle = first.bytes ? "message length [bytes]" : first.varied;
        const series = [first, second].map((suite, number) => ({number, name: names[number], jumps: suite.jumps, points: suite.points.map(
            ([at, value, low, high]) => ({x: at, y: value, low, high, xText: argumentText(suite.bytes, at), yText: timeText(value),
                                          range: low < high ? timeText(low) + " to " + timeText(high) : ""}))}));
        const values = ratios.flatMap((point) => point.slice(1));
        const wide = Math.max(...values) > 10 * Math.min(...values);
        // At least from 0.8 to 1.25: noise must not look like a difference.
        const ratioAxis = valueAxis([0.8, 1.25, ...values], wide, "ratio");
        const ratioSeries = [{number: 1, name: names[1], jumps: [...first.jumps, ...second.jumps], points: ratios.map(
            ([at, value, low, high]) => ({x: at, y: value, low, high, xText: argumentText(first.bytes, at), yText: ratioText(value),
                                          range: low < high ? ratioText(low) + " to " + ratioText(high) : ""}))}];
        return figure([panel(x, y, {x: xTitle, y: "time"}, series),
                       panel(x, ratioAxis, {x: xTitle, y: "time / time of the first"}, ratioSeries, 1)], names);
    };

    const compare = (a, b, judgement) => {
        main.replaceChildren();
        const labels = judgement ? judgement.labels :
            [a, b].map((each) => (known.find((result) => result.name === each.name) || each).label);
        const names = labels[0] === labels[1] ? [labels[0] + " (first)", labels[1] + " (second)"] : labels;
        document.getElementById("title").textContent = names[1] + " against " + names[0];
        const found = pairs(a, b, judgement);
        if (judgement) {
            const [answer, ...others] = elements(judgement.blocks);
            answer.className = "answer";
            main.append(answer, ...others);
        }
        main.append(facts(a, b, names));
        const apart = judgement ? [] : incomparable(a, b);
        if (apart.length > 0)
            main.append(make("p", {class: "warning"}, "Not compared, because they measure different quantities: " + apart.join("; ") + "."));
        if (found.length === 0) {
            if (!judgement)
                main.append(make("p", {class: "answer"}, "No suite is in both results at the same arguments."));
            return;
        }
        if (judgement)
            main.append(make("p", {class: "note"}, judgement.method), links(found));
        else {
            main.append(make("p", {}, `Ratio: time of ${names[1]} divided by time of ${names[0]} at an argument of both; above 1 the second is ` +
                "slower. These two were not compared by the program, which knows the noise between launches. " +
                "skampi-report site DIR --compare with both databases does that."), ratioTable(found));
        }
        found.forEach((pair, i) => {
            const {first, second, ratios} = pair;
            main.append(make("h3", {id: "suite-" + (i + 1), tabindex: "-1"}, first.name));
            const [statement, ...others] = elements(pair.blocks);
            if (statement)
                main.append(statement);
            if (ratios.length > 1) {
                main.append(drawing(pair, names), ...others);
                return;
            }
            main.append(...others);
            if (others.length > 0 || ratios.length === 0)
                return;
            const at = ratios[0][0];
            const values = [first, second].map((suite, number) =>
                names[number] + " " + timeText(suite.points.find((point) => point[0] === at)[1]));
            main.append(make("p", {}, (first.varied === "none" ? "" : "At " + argumentText(first.bytes, at) + ": ") +
                                      values.join(", ") + "."));
        });
        skampi.enhance(main);
        // The address says which results are compared: links within the page must not change it.
        for (const link of main.querySelectorAll("a[data-suite]"))
            link.addEventListener("click", (event) => {
                event.preventDefault();
                const heading = document.getElementById("suite-" + link.dataset.suite);
                heading.scrollIntoView();
                heading.focus();
            });
    };

    const load = (name, then) => {
        if (loaded[name]) {
            then();
            return;
        }
        const script = make("script", {src: name + ".js"});
        script.addEventListener("load", then);
        script.addEventListener("error", () => main.replaceChildren(
            make("p", {class: "warning"}, name + ".js cannot be read.")));
        document.body.append(script);
    };

    const selects = ["First", "Second"].map((title) => {
        const select = make("select", {}, ...known.map((each) =>
            new Option([each.label, each.library, each.ranks > 0 && each.ranks + " ranks", each.measured]
                .filter(Boolean).join(", "), each.name)));
        controls.append(make("label", {}, title, select));
        select.addEventListener("change", () => {
            location.hash = selects.map((each) => each.value).join(",");
        });
        return select;
    });

    // Of the newest result that was judged against an older one the newest such one, else the two newest.
    const usual = known.flatMap((second) => known.filter((first) => judged(first.name, second.name))
        .slice(0, 1).map((first) => [first.name, second.name]))[0] ||
        (known.length < 2 ? [] : [known[1].name, known[0].name]);
    usual.forEach((name, i) => {
        selects[i].value = name;
    });

    const show = () => {
        if (location.hash.length < 2 && usual.length === 2) {
            location.replace("#" + usual.join(","));
            return;
        }
        const wanted = location.hash.slice(1).split(",");
        // Only names that the list has become addresses of scripts.
        if (wanted.length !== 2 || !wanted.every((name) => known.some((each) => each.name === name))) {
            main.replaceChildren(make("p", {}, known.length < 2 ? "There are not two results yet." : "Choose two results."));
            return;
        }
        selects.forEach((select, i) => {
            select.value = wanted[i];
        });
        const [first, second] = wanted;
        if (!judged(first, second) && judged(second, first)) {
            location.replace("#" + second + "," + first); // the one that was judged is shown
            return;
        }
        const data = [first, second].map((name) => "results/" + name);
        if (judged(first, second))
            data.push("comparisons/" + first + "/" + second);
        const next = (i) => {
            if (i < data.length)
                load(data[i], () => next(i + 1));
            else if (location.hash.slice(1) === wanted.join(",")) // else others were chosen meanwhile
                compare(...data.map((name) => loaded[name]));
        };
        next(0);
    };
    addEventListener("hashchange", show);
    show();
})();
