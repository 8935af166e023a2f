// SPDX-License-Identifier: GPL-2.0-or-later
"use strict";
// Two results over one another, or one operation of all results. Which ones stands behind the # of the address:
// comparison.html#A,B or comparison.html#operation=MPI_Bcast. They are loaded as
// scripts that call skampiLoaded(): a page opened from disk may load nothing else. Ratios are shown as they are: what is
// significant is judged by the program alone.
const loaded = {};
const skampiLoaded = (result) => {
    loaded[result.name] = result;
};
(() => {
    const main = document.getElementById("comparison");
    const controls = document.getElementById("controls");
    const known = typeof skampiResults === "undefined" ? [] : skampiResults;

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
        for (const [name, key] of [["Machine", "machine"], ["Node", "node"], ["Network", "network"], ["MPI library", "library"], ["Ranks", "ranks"], ["Hosts", "hosts"],
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

    /// Suites of both with the ratios of their times: [argument, ratio].
    const pairs = (a, b) => a.suites.flatMap((first) => {
        const second = b.suites.find((each) => each.key === first.key);
        if (!second || differences(first, second).length > 0)
            return [];
        const others = new Map(second.points.map((point) => [point[0], point[1]]));
        const ratios = first.points.filter((point) => others.has(point[0])).map(([at, value]) => [at, others.get(at) / value]);
        return ratios.length > 0 ? [{first, second, ratios}] : [];
    });

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

    const timesOf = (suite, number, name) => ({number, name, jumps: suite.jumps, points: suite.points.map(
        ([at, value, low, high]) => ({x: at, y: value, low, high, xText: argumentText(suite.bytes, at), yText: timeText(value),
                                      range: low < high ? timeText(low) + " to " + timeText(high) : ""}))});

    const drawing = ({first, second, ratios}, names) => {
        const all = [...first.points, ...second.points];
        const x = argumentAxis(all.map((point) => point[0]), first.log, first.bytes ? "bytes" : "count");
        const y = valueAxis(all.flatMap((point) => point.slice(1)), first.log, "time");
        const series = [first, second].map((suite, number) => timesOf(suite, number, names[number]));
        const values = ratios.map((point) => point[1]);
        const wide = Math.max(...values) > 10 * Math.min(...values);
        // At least from 0.8 to 1.25: noise must not look like a difference.
        const ratioAxis = valueAxis([0.8, 1.25, ...values], wide, "ratio");
        const ratioSeries = [{number: 1, name: names[1], jumps: [...first.jumps, ...second.jumps], points: ratios.map(
            ([at, value]) => ({x: at, y: value, low: value, high: value, xText: argumentText(first.bytes, at), yText: ratioText(value)}))}];
        return figure([panel(x, y, {x: first.over, y: "time"}, series),
                       panel(x, ratioAxis, {x: first.over, y: "time / time of the first"}, ratioSeries, 1)], names);
    };

    const compare = (a, b) => {
        main.replaceChildren();
        const labels = [a, b].map((each) => known.find((result) => result.name === each.name).label);
        const names = labels[0] === labels[1] ? [labels[0] + " (first)", labels[1] + " (second)"] : labels;
        document.getElementById("title").textContent = names[1] + " against " + names[0];
        const found = pairs(a, b);
        main.append(facts(a, b, names));
        const apart = incomparable(a, b);
        if (apart.length > 0)
            main.append(make("p", {class: "warning"}, "Not compared, because they measure different quantities: " + apart.join("; ") + "."));
        if (found.length === 0) {
            main.append(make("p", {class: "answer"}, "No suite is in both results at the same arguments."));
            return;
        }
        main.append(make("p", {}, `Ratio: time of ${names[1]} divided by time of ${names[0]}; above 1, ${names[1]} is slower. ` +
            "Ratios do not consider the noise between launches. The program does, and says which differences are significant:",
            make("code", {class: "command"}, `skampi-report compare ${labels[0]} ${labels[1]}`)), ratioTable(found));
        found.forEach((pair, i) => {
            const {first, second, ratios} = pair;
            main.append(make("h3", {id: "suite-" + (i + 1), tabindex: "-1"}, first.name));
            if (ratios.length > 1) {
                main.append(drawing(pair, names));
                return;
            }
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

    // ---- one operation of all results ----

    const mostDrawn = 7; // as many as there are colours
    const suiteOf = (result, operation) => {
        const suites = result.suites.filter((suite) => suite.operation === operation);
        return suites.find((suite) => suite.bytes) || suites[0];
    };
    const lines = (operation, results) => {
        const found = results.map((result) => ({result, suite: suiteOf(loaded[result.name], operation)})).filter(({suite}) => suite);
        const first = found[0];
        const alike = found.filter(({suite}) => suite.over === first.suite.over && differences(first.suite, suite).every((field) => field === "ranks"));
        const left = found.filter((each) => !alike.includes(each)).map(({result}) => result.label);
        const parts = left.length === 0 ? [] : [make("p", {class: "warning"},
            "Not drawn, because they measured another quantity than " + first.result.label + ": " + left.join(", ") + ".")];
        if (alike.length === 0)
            return [make("p", {}, "No value of it can be drawn.")];
        const points = alike.flatMap(({suite}) => suite.points);
        const x = argumentAxis(points.map((point) => point[0]), first.suite.log, first.suite.bytes ? "bytes" : "count");
        const y = valueAxis(points.flatMap((point) => point.slice(1)), first.suite.log, "time");
        const names = alike.map(({result}) =>
            [result.machine, result.library, result.ranks > 0 && result.ranks + " ranks", result.label].filter(Boolean).join(", "));
        const drawn = figure([panel(x, y, {x: first.suite.over, y: "time"},
                                    alike.map(({suite}, number) => timesOf(suite, number, names[number])))], names);
        return [drawn, ...parts];
    };

    const overResults = (operation) => {
        document.getElementById("title").textContent = operation + " over all results";
        const results = known.filter((each) => each.operations.includes(operation));
        // The newest result comes first: that of each machine is drawn.
        const newest = results.filter((each, i) => results.findIndex((other) => other.machine === each.machine) === i);
        const chosen = newest.slice(0, mostDrawn);
        const plot = make("div");
        const button = make("button", {type: "button", id: "compare"}, "Compare the two that are drawn");
        button.addEventListener("click", () => {
            location.hash = chosen.map((each) => each.name).join(",");
        });
        const wanted = location.hash;
        const redraw = () => {
            button.disabled = chosen.length !== 2;
            const step = (i) => {
                if (i < chosen.length) {
                    load(chosen[i].name, () => step(i + 1));
                } else if (location.hash === wanted) {
                    plot.replaceChildren(...lines(operation, chosen));
                    skampi.enhance(plot);
                }
            };
            step(0);
        };
        const body = make("tbody");
        const boxes = new Map();
        for (const each of results) {
            const box = make("input", {type: "checkbox", "aria-label": "draw " + each.label});
            box.checked = chosen.includes(each);
            box.addEventListener("change", () => {
                if (box.checked)
                    chosen.push(each);
                else
                    chosen.splice(chosen.indexOf(each), 1);
                if (chosen.length > mostDrawn)
                    boxes.get(chosen.shift()).checked = false;
                redraw();
            });
            boxes.set(each, box);
            body.append(make("tr", {}, make("td", {}, box, " ", make("a", {href: "results/" + each.name + ".html"}, each.label)),
                             ...["machine", "node", "network", "library", "ranks", "measured"].map((key) => make("td", {}, String(each[key])))));
        }
        const titles = ["result", "machine", "node", "network", "MPI library", "ranks", "measured (UTC)"];
        const head = make("thead", {}, make("tr", {}, ...titles.map((text) => make("th", {scope: "col"}, text))));
        main.replaceChildren(
            make("p", {}, `The newest result of each machine is drawn, at most ${mostDrawn} at once; choose others in the table.`),
            plot, button, make("div", {class: "scroll", tabindex: "0"}, make("table", {id: "lines"}, head, body)));
        redraw();
    };

    const load = (name, then) => {
        if (loaded[name]) {
            then();
            return;
        }
        const script = make("script", {src: "results/" + name + ".js"});
        script.addEventListener("load", then);
        script.addEventListener("error", () => main.replaceChildren(
            make("p", {class: "warning"}, "results/" + name + ".js cannot be read.")));
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

    // The newest one against the one before it.
    const usual = known.length < 2 ? [] : [known[1].name, known[0].name];
    usual.forEach((name, i) => {
        selects[i].value = name;
    });

    const show = () => {
        if (location.hash.length < 2 && usual.length === 2) {
            location.replace("#" + usual.join(","));
            return;
        }
        const prefix = "#operation=";
        if (location.hash.startsWith(prefix)) {
            overResults(decodeURIComponent(location.hash.slice(prefix.length)));
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
        load(first, () => load(second, () => {
            if (location.hash.slice(1) === wanted.join(",")) // else others were chosen meanwhile
                compare(loaded[first], loaded[second]);
        }));
    };
    addEventListener("hashchange", show);
    show();
})();
