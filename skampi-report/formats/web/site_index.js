// SPDX-License-Identifier: GPL-2.0-or-later
"use strict";
// The index of a site: search, filters, and the choice of two results to compare. The table is complete without it.
(() => {
    const table = document.getElementById("results");
    const controls = document.getElementById("controls");
    const rows = [...table.tBodies[0].rows];
    const columns = {machine: 3, library: 4, ranks: 5, measured: 6, node: 9, network: 10};
    const text = (row, column) => row.cells[columns[column]].textContent;
    const inputs = {};

    const labelled = (name, input) => {
        const label = document.createElement("label");
        label.append(name, input);
        controls.append(label);
        return input;
    };
    const field = (type) => {
        const input = document.createElement("input");
        input.type = type;
        return input;
    };
    const choice = (column) => {
        const select = document.createElement("select");
        const values = [...new Set(rows.map((row) => text(row, column)))].filter((value) => value !== "");
        values.sort((a, b) => a.localeCompare(b, "en", {numeric: true}));
        select.append(new Option("all", ""), ...values.map((value) => new Option(value, value)));
        return select;
    };
    inputs.search = labelled("Search", field("search"));
    inputs.machine = labelled("Machine", choice("machine"));
    inputs.node = labelled("Node", choice("node"));
    inputs.network = labelled("Network", choice("network"));
    inputs.library = labelled("MPI library", choice("library"));
    inputs.ranks = labelled("Ranks", choice("ranks"));
    inputs.from = labelled("Measured from", field("date"));
    inputs.to = labelled("to", field("date"));

    const filter = () => {
        const words = inputs.search.value.toLowerCase().split(/\s+/).filter((word) => word !== "");
        let shown = 0;
        for (const row of rows) {
            const all = row.textContent.toLowerCase();
            const day = text(row, "measured").slice(0, 10);
            const fits = words.every((word) => all.includes(word)) &&
                ["machine", "node", "network", "library", "ranks"].every((column) =>
                    inputs[column].value === "" || text(row, column) === inputs[column].value) &&
                (inputs.from.value === "" || (day !== "" && day >= inputs.from.value)) &&
                (inputs.to.value === "" || (day !== "" && day <= inputs.to.value));
            row.hidden = !fits;
            shown += fits ? 1 : 0;
        }
        document.getElementById("found").textContent =
            shown === rows.length ? "" : shown + " of " + rows.length + " shown";
    };
    for (const input of Object.values(inputs))
        input.addEventListener("input", filter);

    // Two results are chosen; a third one takes the place of the first.
    const chosen = [];
    const button = document.createElement("button");
    button.type = "button";
    button.id = "compare";
    const say = () => {
        button.disabled = chosen.length !== 2;
        button.textContent = chosen.length === 2 ? "Compare these two" : "Compare: choose two results";
    };
    button.addEventListener("click", () => {
        location.href = "comparison.html#" + chosen.map((box) => box.value).join(",");
    });
    for (const row of rows) {
        const box = field("checkbox");
        box.value = row.dataset.name;
        box.setAttribute("aria-label", "compare " + row.cells[0].textContent);
        box.addEventListener("change", () => {
            if (box.checked)
                chosen.push(box);
            else
                chosen.splice(chosen.indexOf(box), 1);
            if (chosen.length > 2)
                chosen.shift().checked = false;
            say();
        });
        row.cells[0].prepend(box, " ");
    }
    say();
    if (rows.length > 1)
        controls.append(button);
    filter(); // a browser keeps what was typed before
})();
