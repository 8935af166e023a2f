// SPDX-License-Identifier: GPL-2.0-or-later
"use strict";
// What a report's page can do beyond being read: values under the pointer, zoom, series switched by the legend,
// tables sorted. The page is complete without it; everything it knows it takes from the page (the drawings'
// data- attributes and the tables of values below them), so that no number stands twice.
const skampi = (() => {
    const {units, ticks, readAxis, valueAt, shareOf} = skampiAxes;

    // ---- drawings ----

    /// The data of a path as absolute commands: ["M" or "L", x, y], ["Z"].
    const readPath = (d) => {
        const found = [];
        let at = {x: 0, y: 0};
        let begin = at;
        for (const [, command, text] of d.matchAll(/([MLZmlz])([^MLZmlz]*)/g)) {
            const kind = command.toUpperCase();
            if (kind === "Z") {
                found.push(["Z"]);
                at = begin;
                continue;
            }
            const numbers = (text.match(/-?[\d.]+/g) || []).map(Number);
            for (let i = 0; i + 1 < numbers.length; i += 2) { // further pairs are lines
                const from = command === kind ? {x: 0, y: 0} : at;
                at = {x: from.x + numbers[i], y: from.y + numbers[i + 1]};
                const moves = kind === "M" && i === 0;
                if (moves)
                    begin = at;
                found.push([moves ? "M" : "L", at.x, at.y]);
            }
        }
        return found;
    };

    class Plot {
        /// @param tables of values, one for each of the drawing's paths "at"
        constructor(svg, tables) {
            this.svg = svg;
            this.panel = svg.parentElement;
            [this.left, this.top, this.width, this.height] = svg.dataset.box.split(" ").map(Number);
            this.axes = {x: readAxis(svg.dataset.x), y: readAxis(svg.dataset.y)};
            this.siblings = [this];
            this.hidden = new Set();
            this.points = tables.flatMap((table, index) => {
                const path = svg.querySelectorAll("path.at")[index];
                const places = readPath(path.getAttribute("d")).filter(([command]) => command === "M");
                const name = table.caption ? table.caption.textContent : "";
                return [...table.tBodies[0].rows].map((row, i) => ({
                    x: places[i][1], y: places[i][2], series: table.dataset.series, name,
                    cells: [...row.cells].map((cell) => cell.textContent.trim())}));
            });
            this.current = -1;
            this.drawn = ["x", "y"].map((name) => {
                const group = svg.querySelector(".axis." + name);
                return [group, [...group.childNodes]];
            });
            this.view = this.whole();
            this.makeSurroundings();
            this.listen();
        }

        whole() {
            return {x0: this.left, x1: this.left + this.width, y0: this.top, y1: this.top + this.height};
        }
        isZoomed() {
            const whole = this.whole();
            return Object.keys(whole).some((side) => Math.abs(whole[side] - this.view[side]) > 1e-6);
        }

        element(name, attributes, text) {
            const made = document.createElementNS(this.svg.namespaceURI, name);
            for (const [key, value] of Object.entries(attributes))
                made.setAttribute(key, value);
            if (text !== undefined)
                made.textContent = text;
            return made;
        }

        makeSurroundings() {
            this.svg.classList.add("live");
            this.svg.setAttribute("tabindex", "0");
            this.svg.setAttribute("aria-keyshortcuts", "ArrowLeft ArrowRight ArrowUp ArrowDown + - Escape");
            this.marker = this.element("circle", {class: "marker", r: 6, cx: 0, cy: 0, visibility: "hidden"});
            this.selection = this.element("rect", {class: "selection", visibility: "hidden"});
            this.svg.append(this.selection, this.marker);
            this.tip = document.createElement("div");
            this.tip.className = "tip";
            this.tip.setAttribute("aria-live", "polite");
            this.tip.hidden = true;
            this.button = document.createElement("button");
            this.button.type = "button";
            this.button.className = "whole";
            this.button.textContent = "Whole plot";
            this.button.hidden = true;
            this.button.addEventListener("click", () => {
                this.reset();
                this.svg.focus();
            });
            this.panel.append(this.tip, this.button);
        }

        // Places of the drawing as it was made, and as it is shown now.
        shown(point) {
            const {x0, x1, y0, y1} = this.view;
            return {x: this.left + (point.x - x0) / (x1 - x0) * this.width,
                    y: this.top + (point.y - y0) / (y1 - y0) * this.height};
        }
        original(place) {
            const {x0, x1, y0, y1} = this.view;
            return {x: x0 + (place.x - this.left) / this.width * (x1 - x0),
                    y: y0 + (place.y - this.top) / this.height * (y1 - y0)};
        }
        inside(place) {
            return place.x >= this.left - 1 && place.x <= this.left + this.width + 1 && place.y >= this.top - 1 &&
                   place.y <= this.top + this.height + 1;
        }
        placeOf(event) {
            const frame = this.svg.getBoundingClientRect();
            const scale = this.svg.viewBox.baseVal.width / frame.width;
            return {x: (event.clientX - frame.left) * scale, y: (event.clientY - frame.top) * scale};
        }

        visible(index) {
            const point = this.points[index];
            return !this.hidden.has(point.series) && this.inside(this.shown(point));
        }

        show(index) {
            this.current = index;
            const hide = index < 0 || !this.visible(index);
            this.tip.hidden = hide;
            this.marker.setAttribute("visibility", hide ? "hidden" : "visible");
            if (hide)
                return;
            const point = this.points[index];
            const place = this.shown(point);
            this.marker.setAttribute("cx", place.x);
            this.marker.setAttribute("cy", place.y);
            const [argument, value, range] = point.cells;
            this.tip.replaceChildren();
            for (const [kind, text] of [["series", point.name], ["value", argument + ": " + value], ["range", range]])
                if (text) {
                    const line = document.createElement("div");
                    line.className = kind;
                    line.textContent = text;
                    this.tip.append(line);
                }
            const scale = this.svg.getBoundingClientRect().width / this.svg.viewBox.baseVal.width;
            const room = this.panel.clientWidth - this.tip.offsetWidth;
            this.tip.style.left = Math.max(0, Math.min(room, place.x * scale + 12)) + "px";
            const above = place.y * scale - this.tip.offsetHeight - 12;
            this.tip.style.top = (above < 0 ? place.y * scale + 14 : above) + "px";
        }

        nearest(place) {
            let best = -1;
            let least = Infinity;
            this.points.forEach((point, index) => {
                if (!this.visible(index))
                    return;
                const at = this.shown(point);
                const distance = (at.x - place.x) ** 2 + ((at.y - place.y) / 3) ** 2;
                if (distance < least)
                    [best, least] = [index, distance];
            });
            return best;
        }

        /// Shows a part of the drawing, given in places of the drawing as it was made.
        zoom(view) {
            const least = this.width / 200;
            const tall = this.height / 200;
            if (view.x1 - view.x0 < least || view.y1 - view.y0 < tall)
                return;
            this.view = view;
            this.base = this.base || [...this.svg.querySelectorAll(".data path")].map(
                (path) => [path, path.getAttribute("d"), readPath(path.getAttribute("d"))]);
            const zoomed = this.isZoomed();
            for (const [path, whole, parts] of this.base)
                path.setAttribute("d", !zoomed ? whole : parts.map(([command, x, y]) => {
                    if (command === "Z")
                        return "Z";
                    const at = this.shown({x, y});
                    return command + at.x.toFixed(1) + " " + at.y.toFixed(1);
                }).join(""));
            this.button.hidden = !zoomed;
            this.svg.classList.toggle("zoomed", zoomed);
            for (const [group, children] of this.drawn) {
                group.replaceChildren(...zoomed ? [] : children);
            }
            if (zoomed)
                this.drawTicks();
            this.show(this.current);
        }

        drawTicks() {
            const {x0, x1, y0, y1} = this.view;
            const bottom = this.top + this.height;
            const part = (axis, from, to) => ({...axis, low: valueAt(axis, from), high: valueAt(axis, to)});
            const x = part(this.axes.x, (x0 - this.left) / this.width, (x1 - this.left) / this.width);
            const y = part(this.axes.y, (bottom - y1) / this.height, (bottom - y0) / this.height);
            for (const [value, label] of ticks(x)) {
                const at = (this.left + shareOf(x, value) * this.width).toFixed(2);
                this.drawn[0][0].append(
                    this.element("path", {class: "grid", d: `M${at} ${this.top}V${bottom}`}),
                    this.element("text", {x: at, y: bottom + 17, "text-anchor": "middle"}, label));
            }
            if (y.quantity === "names") { // each stands beside its row, wherever that is now
                for (const text of this.drawn[1][1].filter((node) => node.localName === "text")) {
                    const moved = text.cloneNode(true);
                    const at = this.shown({x: 0, y: Number(text.getAttribute("y")) - 4}).y;
                    moved.setAttribute("y", (at + 4).toFixed(2));
                    if (at >= this.top && at <= bottom)
                        this.drawn[1][0].append(moved);
                }
                return;
            }
            for (const [value, label] of ticks(y)) {
                const at = bottom - shareOf(y, value) * this.height;
                this.drawn[1][0].append(
                    this.element("path", {class: "grid", d: `M${this.left} ${at.toFixed(2)}H${this.left + this.width}`}),
                    this.element("text", {x: this.left - 5, y: (at + 4).toFixed(2), "text-anchor": "end"}, label));
            }
        }

        /// The same part of the arguments in all plots of the figure that have the same ones.
        zoomTogether(view) {
            for (const each of this.siblings)
                each.zoom(each === this ? view : each.withArguments(this, view));
        }
        withArguments(other, view) {
            const place = (x) => this.left + (x - other.left) / other.width * this.width;
            return {...this.view, x0: place(view.x0), x1: place(view.x1)};
        }
        reset() {
            for (const each of this.siblings)
                each.zoom(each.whole());
        }
        /// @param factor below 1: nearer
        scale(factor) {
            const whole = this.whole();
            const point = this.current >= 0 ? this.points[this.current] : this.original(
                {x: this.left + this.width / 2, y: this.top + this.height / 2});
            const range = (low, high, at, least, most) => {
                const from = at - (at - low) * factor;
                const to = at + (high - at) * factor;
                return [Math.max(least, from), Math.min(most, to)];
            };
            const [x0, x1] = range(this.view.x0, this.view.x1, point.x, whole.x0, whole.x1);
            const [y0, y1] = range(this.view.y0, this.view.y1, point.y, whole.y0, whole.y1);
            this.zoomTogether({x0, x1, y0, y1});
        }

        /// Along a series, or to another series at about the same argument.
        step(horizontally, vertically) {
            const candidates = [...this.points.keys()].filter((index) => this.visible(index));
            if (candidates.length === 0)
                return;
            if (this.current < 0 || !this.visible(this.current)) {
                this.show(candidates[0]);
                return;
            }
            const now = this.points[this.current];
            const inSeries = candidates.filter((index) => this.points[index].series === now.series)
                                       .sort((a, b) => this.points[a].x - this.points[b].x);
            if (horizontally !== 0) {
                const at = inSeries.indexOf(this.current) + horizontally;
                this.show(inSeries[Math.max(0, Math.min(inSeries.length - 1, at))]);
                return;
            }
            const all = [...new Set(candidates.map((index) => this.points[index].series))];
            const wanted = all[(all.indexOf(now.series) + vertically + all.length) % all.length];
            const distance = (index) => Math.abs(this.points[index].x - now.x);
            this.show(candidates.filter((index) => this.points[index].series === wanted)
                                .sort((a, b) => distance(a) - distance(b))[0]);
        }

        listen() {
            let began = null;
            const area = (event) => {
                const at = this.placeOf(event);
                const clamp = (value, low, high) => Math.max(low, Math.min(high, value));
                const end = {x: clamp(at.x, this.left, this.left + this.width),
                             y: clamp(at.y, this.top, this.top + this.height)};
                // A flat area is meant to be as high as the plot.
                const flat = Math.abs(end.y - began.y) < 24;
                return {x0: Math.min(began.x, end.x), x1: Math.max(began.x, end.x),
                        y0: flat ? this.top : Math.min(began.y, end.y),
                        y1: flat ? this.top + this.height : Math.max(began.y, end.y)};
            };
            const stop = () => {
                began = null;
                this.selection.setAttribute("visibility", "hidden");
            };
            this.svg.addEventListener("pointerdown", (event) => {
                const place = this.placeOf(event);
                if (event.button !== 0 || !this.inside(place))
                    return;
                began = place;
                if (event.isTrusted)
                    this.svg.setPointerCapture(event.pointerId);
            });
            this.svg.addEventListener("pointermove", (event) => {
                const place = this.placeOf(event);
                if (began === null) {
                    this.show(this.inside(place) ? this.nearest(place) : -1);
                    return;
                }
                this.show(-1);
                const {x0, x1, y0, y1} = area(event);
                for (const [key, value] of Object.entries({x: x0, y: y0, width: x1 - x0, height: y1 - y0}))
                    this.selection.setAttribute(key, value);
                this.selection.setAttribute("visibility", "visible");
            });
            this.svg.addEventListener("pointerup", (event) => {
                if (began === null)
                    return;
                const {x0, x1, y0, y1} = area(event);
                stop();
                if (x1 - x0 < 6) { // a click, or a touch
                    this.show(this.nearest(this.placeOf(event)));
                    return;
                }
                const from = this.original({x: x0, y: y0});
                const to = this.original({x: x1, y: y1});
                this.zoomTogether({x0: from.x, x1: to.x, y0: from.y, y1: to.y});
            });
            this.svg.addEventListener("pointercancel", stop);
            this.svg.addEventListener("pointerleave", () => {
                if (began === null && document.activeElement !== this.svg)
                    this.show(-1);
            });
            this.svg.addEventListener("blur", () => this.show(-1));
            this.svg.addEventListener("dblclick", () => this.reset());
            const keys = {
                ArrowLeft: () => this.step(-1, 0),
                ArrowRight: () => this.step(1, 0),
                ArrowUp: () => this.step(0, -1),
                ArrowDown: () => this.step(0, 1),
                Home: () => this.step(-this.points.length, 0),
                End: () => this.step(this.points.length, 0),
                "+": () => this.scale(0.6),
                "=": () => this.scale(0.6),
                "-": () => this.scale(1 / 0.6),
                "0": () => this.reset(),
                Escape: () => this.reset(),
            };
            this.svg.addEventListener("keydown", (event) => {
                const action = keys[event.key];
                if (!action || event.ctrlKey || event.altKey || event.metaKey)
                    return;
                event.preventDefault();
                action();
            });
        }

        hideSeries(series, hide) {
            if (hide)
                this.hidden.add(series);
            else
                this.hidden.delete(series);
            for (const path of this.svg.querySelectorAll(".data path"))
                if (path.dataset.series === series)
                    path.classList.toggle("off", hide);
            this.show(-1);
        }
    }

    const enhanceFigure = (figure) => {
        const tables = [...figure.querySelectorAll("table.values")];
        const plots = [...figure.querySelectorAll(".panels:not(.small) svg.plot")].map(
            (svg, index) => new Plot(svg, tables.filter((each) => each.dataset.panel === String(index))));
        for (const plot of plots)
            plot.siblings = plots.filter((each) => each.svg.dataset.x === plot.svg.dataset.x);
        for (const entry of figure.querySelectorAll(".legend li")) {
            if (plots.length === 0)
                break;
            const button = document.createElement("button");
            button.type = "button";
            button.setAttribute("aria-pressed", "true");
            button.title = "shown or hidden";
            button.append(...entry.childNodes);
            entry.append(button);
            button.addEventListener("click", () => {
                const hide = button.getAttribute("aria-pressed") === "true";
                button.setAttribute("aria-pressed", String(!hide));
                for (const plot of plots)
                    plot.hideSeries(entry.dataset.series, hide);
            });
        }
    };

    // ---- tables ----

    /// What a cell is sorted by: its number in its unit, else its text.
    const sortKey = (text) => {
        const trimmed = text.trim();
        const match = /^(?:[<>≈~±]|up to)?\s*([-+]?\d+(?:\.\d+)?(?:e[-+]?\d+)?)(?:\s*([^\s\d.,:-][^\s]*))?(?=$|[\s,;(])/i.exec(trimmed);
        if (!match)
            return trimmed;
        return Number(match[1]) * (match[2] && Object.hasOwn(units, match[2]) ? units[match[2]] : 1);
    };
    const compareKeys = (a, b) => {
        if (typeof a === "number" && typeof b === "number")
            return a - b;
        if (typeof a !== typeof b)
            return typeof a === "number" ? -1 : 1;
        return a.localeCompare(b, "en", {numeric: true});
    };
    const sortable = (table) => {
        const body = table.tBodies[0];
        if (!body || !table.tHead || body.rows.length < 2)
            return;
        const made = [...body.rows];
        [...table.tHead.rows[0].cells].forEach((head, column) => {
            if (head.textContent.trim() === "")
                return;
            const button = document.createElement("button");
            button.type = "button";
            button.className = "sort";
            button.append(...head.childNodes);
            head.append(button);
            button.addEventListener("click", () => {
                // Upwards, downwards, and as it was made.
                const order = {ascending: "descending", descending: ""}[head.getAttribute("aria-sort")] ?? "ascending";
                for (const each of table.tHead.rows[0].cells)
                    each.removeAttribute("aria-sort");
                if (order === "") {
                    body.append(...made);
                    return;
                }
                head.setAttribute("aria-sort", order);
                const descending = order === "descending";
                const keyed = made.map((row) => [row.cells[column].textContent, row]);
                const filled = keyed.filter(([text]) => text.trim() !== "")
                                    .map(([text, row]) => [sortKey(text), row]);
                filled.sort(([a], [b]) => descending ? compareKeys(b, a) : compareKeys(a, b));
                const empty = keyed.filter(([text]) => text.trim() === ""); // last either way
                body.append(...filled.concat(empty).map(([, row]) => row));
            });
        });
    };

    const enhance = (root) => {
        for (const figure of root.querySelectorAll("figure"))
            enhanceFigure(figure);
        for (const table of root.querySelectorAll("table"))
            sortable(table);
    };

    document.documentElement.classList.add("script");
    enhance(document);
    return {enhance};
})();
