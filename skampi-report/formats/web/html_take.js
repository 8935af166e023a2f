// SPDX-License-Identifier: GPL-2.0-or-later
// What a reader takes along or looks for: plots as SVG, PNG and CSV, tables as CSV, Markdown and LaTeX, links to
// suites, a search among these, and what all plots show. The page is complete without it.
const skampiTake = (() => {
    const button = (text, title, action) => {
        const made = document.createElement("button");
        made.type = "button";
        made.textContent = text;
        made.title = title;
        made.addEventListener("click", (event) => {
            event.preventDefault();
            action(made);
        });
        return made;
    };
    const say = (made, text) => {
        const before = made.textContent;
        made.textContent = text;
        setTimeout(() => { made.textContent = before; }, 1200);
    };
    const download = (name, address) => {
        const link = document.createElement("a");
        link.download = name;
        link.href = address;
        link.click();
    };
    const downloadText = (name, kind, text) => {
        const address = URL.createObjectURL(new Blob([text], {type: kind}));
        download(name, address);
        setTimeout(() => URL.revokeObjectURL(address), 10000);
    };
    const copy = async (made, text) => {
        try {
            await navigator.clipboard.writeText(text);
        } catch { // pages without https may not
            const area = document.createElement("textarea");
            area.value = text;
            document.body.append(area);
            area.select();
            document.execCommand("copy");
            area.remove();
        }
        say(made, "copied");
    };

    // ---- tables ----

    const cellsOf = (table) =>
        [...table.rows].map((row) => [...row.cells].map((cell) => cell.textContent.trim().replace(/\s+/g, " ")));
    /// Of the values of a plot, with the series that each is of.
    const valuesOf = (table) => {
        const name = table.caption ? table.caption.textContent : "";
        return cellsOf(table).map((cells, row) => [row === 0 ? "series" : name, ...cells]);
    };
    const asCsv = (rows) =>
        rows.map((row) => row.map((cell) => /[",\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell).join(","))
            .join("\n") + "\n";
    const asMarkdown = (rows) => {
        const line = (row) => `| ${row.map((cell) => cell.replace(/[\\|`*_<>[\]]/g, "\\$&")).join(" | ")} |`;
        return [line(rows[0]), `|${rows[0].map(() => " --- |").join("")}`, ...rows.slice(1).map(line)].join("\n") + "\n";
    };
    const latexSigns = {"\\": "\\textbackslash{}", "~": "\\textasciitilde{}", "^": "\\textasciicircum{}",
                        "µ": "\\textmu{}", "±": "\\ensuremath{\\pm}", "–": "--", "−": "\\ensuremath{-}"};
    const asLatex = (rows, numbers) => {
        const escape = (cell) => cell.replace(/[\\~^µ±–−]|[&%$#_{}]/g, (sign) => latexSigns[sign] ?? "\\" + sign);
        const line = (row) => row.map(escape).join(" & ") + " \\\\";
        return [`\\begin{tabular}{${numbers.map((number) => number ? "r" : "l").join("")}}`, "\\toprule", line(rows[0]),
                "\\midrule", ...rows.slice(1).map(line), "\\bottomrule", "\\end{tabular}"].join("\n") + "\n";
    };
    const takeTable = (table) => {
        if (!table.tHead || table.rows.length < 3)
            return;
        const bar = document.createElement("div");
        bar.className = "take";
        const numbers = () => [...table.rows[0].cells].map((cell) => cell.classList.contains("number"));
        bar.append(button("CSV", "copy the table", (made) => copy(made, asCsv(cellsOf(table)))),
                   button("Markdown", "copy the table", (made) => copy(made, asMarkdown(cellsOf(table)))),
                   button("LaTeX", "copy the table (booktabs)", (made) => copy(made, asLatex(cellsOf(table), numbers()))));
        (table.closest(".scroll") ?? table).after(bar);
    };

    // ---- plots ----

    const drawn = ["fill", "fill-opacity", "stroke", "stroke-width", "stroke-dasharray", "stroke-linecap", "font-size",
                   "font-family", "text-anchor", "display", "shape-rendering"];
    /// A drawing that looks the same without this page's style.
    const withStyle = (svg) => {
        const clone = svg.cloneNode(true);
        const before = [svg, ...svg.querySelectorAll("*")];
        [clone, ...clone.querySelectorAll("*")].forEach((element, index) => {
            const style = getComputedStyle(before[index]);
            for (const name of drawn)
                element.style.setProperty(name, style.getPropertyValue(name));
            element.removeAttribute("class");
        });
        return clone;
    };
    const asSvg = (figure) => {
        const space = figure.querySelector("svg").namespaceURI;
        const whole = document.createElementNS(space, "svg");
        let x = 0;
        let height = 0;
        for (const svg of figure.querySelectorAll("svg.plot")) {
            const {width, height: own} = svg.viewBox.baseVal;
            const clone = withStyle(svg);
            for (const [name, value] of Object.entries({x, y: 0, width, height: own}))
                clone.setAttribute(name, value);
            whole.append(clone);
            x += width;
            height = Math.max(height, own);
        }
        for (const entry of figure.querySelectorAll(".legend li")) {
            const sample = withStyle(entry.querySelector("svg"));
            for (const [name, value] of Object.entries({x: 20, y: height, width: 22, height: 12}))
                sample.setAttribute(name, value);
            const text = document.createElementNS(space, "text");
            for (const [name, value] of Object.entries({x: 48, y: height + 10, "font-size": 12, "font-family": "Helvetica",
                                                        fill: getComputedStyle(entry).color}))
                text.setAttribute(name, value);
            text.textContent = entry.textContent.trim();
            whole.append(sample, text);
            height += 16;
        }
        whole.setAttribute("viewBox", `0 0 ${x} ${height}`);
        whole.setAttribute("width", x);
        whole.setAttribute("height", height);
        whole.style.setProperty("background", getComputedStyle(document.body).backgroundColor);
        return {text: new XMLSerializer().serializeToString(whole), width: x, height};
    };
    const asPng = (figure, name) => {
        const {text, width, height} = asSvg(figure);
        const image = new Image();
        image.addEventListener("load", () => {
            const canvas = document.createElement("canvas");
            const scale = 3;
            canvas.width = width * scale;
            canvas.height = height * scale;
            const context = canvas.getContext("2d");
            context.fillStyle = getComputedStyle(document.body).backgroundColor;
            context.fillRect(0, 0, canvas.width, canvas.height);
            context.drawImage(image, 0, 0, canvas.width, canvas.height);
            download(name + ".png", canvas.toDataURL("image/png"));
        });
        image.src = "data:image/svg+xml;charset=utf-8," + encodeURIComponent(text);
    };
    const takeFigure = (figure) => {
        const plots = figure.querySelector(".panels:not(.small)");
        if (!plots)
            return;
        const part = figure.closest("details.part")?.querySelector("h3");
        const name = (part?.id ?? plots.id).replace(/^suite-/, "");
        const bar = document.createElement("div");
        bar.className = "take";
        bar.append(button("SVG", "save the plot", () => downloadText(name + ".svg", "image/svg+xml", asSvg(figure).text)),
                   button("PNG", "save the plot", () => asPng(figure, name)));
        const values = [...figure.querySelectorAll("table.values")];
        if (values.length > 0)
            bar.append(button("CSV", "save the values", () => downloadText(
                name + ".csv", "text/csv", values.map((table) => asCsv(valuesOf(table))).join("\n"))));
        figure.prepend(bar);
    };

    // ---- suites ----

    const openPlace = () => {
        const place = location.hash && document.getElementById(decodeURIComponent(location.hash.slice(1)));
        const part = place && place.closest("details.part");
        if (part) {
            part.open = true;
            place.scrollIntoView();
        }
    };
    const link = (part) => {
        const heading = part.querySelector("summary h3");
        const made = button("link", "copy the address of this suite", () => {
            location.hash = heading.id;
            copy(made, location.href);
        });
        made.classList.add("link");
        heading.after(made);
    };
    const search = (contents) => {
        const parts = [...document.querySelectorAll("details.part")];
        if (parts.length < 4)
            return;
        const field = document.createElement("input");
        field.type = "search";
        field.className = "find";
        field.placeholder = "Find an operation";
        field.setAttribute("aria-label", "Find an operation");
        field.addEventListener("input", () => {
            const wanted = field.value.trim().toLowerCase();
            const hit = (text) => text.toLowerCase().includes(wanted);
            for (const part of parts)
                part.hidden = !hit(part.querySelector("h3").textContent);
            for (const entry of contents.querySelectorAll("li li"))
                entry.hidden = !hit(entry.textContent);
        });
        contents.prepend(field);
    };

    // ---- all plots at once ----

    /// A series that many plots have, and the figures that show nothing else.
    const shownEverywhere = [
        {name: "launches", title: "the single launches in all plots", sample: ".faint", figures: null},
        {name: "other machine states", title: "values of another state of the machine in all plots",
         sample: ".rings.grey", figures: ".panels[id$=states]"},
    ];
    const toggles = (contents) => {
        const bar = document.createElement("p");
        bar.className = "toggles";
        for (const {name, title, sample, figures} of shownEverywhere) {
            const entries = [...document.querySelectorAll(".legend li > button")].filter(
                (entry) => entry.querySelector(".sample " + sample));
            const whole = figures ? [...document.querySelectorAll(figures)].map((each) => each.closest("figure")) : [];
            if (entries.length + whole.length < 2)
                continue;
            const made = button(name, title, () => {
                const before = made.getAttribute("aria-pressed");
                const hide = before === "true";
                made.setAttribute("aria-pressed", String(!hide));
                for (const entry of entries)
                    if (entry.getAttribute("aria-pressed") === before)
                        entry.click();
                for (const each of whole)
                    each.hidden = hide;
            });
            made.setAttribute("aria-pressed", "true");
            bar.append(made);
        }
        if (bar.childElementCount > 0) {
            bar.prepend("In all plots: ");
            contents.prepend(bar);
        }
    };

    // ---- what to type ----

    const takeCommand = (command) => {
        const text = command.textContent;
        command.append(" ", button("copy", "copy the command", (made) => copy(made, text)));
    };

    for (const command of document.querySelectorAll("code.command"))
        takeCommand(command);
    for (const table of document.querySelectorAll("main table:not(.values), body > .scroll table"))
        takeTable(table);
    for (const figure of document.querySelectorAll("figure"))
        takeFigure(figure);
    for (const part of document.querySelectorAll("details.part"))
        link(part);
    const contents = document.querySelector("nav.contents");
    if (contents) {
        toggles(contents);
        search(contents);
    }
    addEventListener("hashchange", openPlace);
    addEventListener("beforeprint", () => {
        for (const part of document.querySelectorAll("details.part"))
            part.open = true;
    });
    openPlace();
    return {asCsv, asMarkdown, asLatex};
})();
