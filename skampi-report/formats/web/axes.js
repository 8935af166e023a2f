// SPDX-License-Identifier: GPL-2.0-or-later
"use strict";
// Axes, ticks and numbers: for the plots of every page when they are zoomed, and for those that the page of
// comparisons draws.
const skampiAxes = (() => {
    const units = {
        ns: 1e-9, "µs": 1e-6, ms: 1e-3, s: 1, min: 60, h: 3600, d: 86400,
        B: 1, KiB: 1024, MiB: 1048576, GiB: 1073741824, TiB: 1099511627776,
        "B/s": 1, "kB/s": 1e3, "MB/s": 1e6, "GB/s": 1e9, "TB/s": 1e12, "MiB/s": 1048576,
        "/s": 1, "k/s": 1e3, "M/s": 1e6, "G/s": 1e9, "%": 0.01,
    };
    // Ascending.
    const unitsOf = {
        time: ["ns", "µs", "ms", "s"],
        bytes: ["B", "KiB", "MiB", "GiB"],
        bandwidth: ["B/s", "kB/s", "MB/s", "GB/s", "TB/s"],
    };

    // ---- numbers ----

    /// The largest unit that is not above the value.
    const bestUnit = (quantity, value) =>
        unitsOf[quantity].filter((unit) => Math.abs(value) >= units[unit] * 0.99995).pop() || unitsOf[quantity][0];
    const short = (value) => String(Number(value.toPrecision(6)));
    /// With so many significant digits, zeros at the end included.
    const withDigits = (value, count) => {
        const rounded = Number(value.toPrecision(count));
        const before = Math.floor(Math.log10(Math.abs(rounded) || 1)) + 1;
        return rounded.toFixed(Math.max(0, count - before));
    };
    const timeText = (value) => {
        const unit = bestUnit("time", value);
        return withDigits(value / units[unit], 4) + " " + unit;
    };
    const ratioText = (value) => withDigits(value, 3);
    const argumentText = (inBytes, value) => {
        if (!inBytes)
            return String(value);
        const unit = unitsOf.bytes.filter((each) => value >= units[each] && value % units[each] === 0).pop() || "B";
        return value / units[unit] + " " + unit;
    };
    const tickLabel = ({quantity, unit}, value) => {
        if (quantity === "date") { // days since 1970; within a day the time
            const moment = new Date(Math.round(value * 86400) * 1000).toISOString();
            return Number.isInteger(value) ? moment.slice(0, 10) : moment.slice(11, 16);
        }
        if (!unit && !unitsOf[quantity])
            return short(value);
        if (value === 0)
            return "0";
        const chosen = unit || bestUnit(quantity, value); // the one that the report was asked for
        // On an axis of bytes their unit stands in the title.
        const name = quantity === "bytes" && !unit ? chosen.slice(0, -1) : chosen;
        return short(value / units[chosen]) + (name === "" ? "" : " " + name);
    };

    // ---- axes ----

    const readAxis = (text) => {
        const [scale, low, high, kind, zeroAt, gapAt] = text.trim().split(" ");
        const [quantity, unit] = kind.split("=");
        return {log: scale === "log", low: Number(low), high: Number(high), quantity, unit,
                zeroAt: zeroAt === undefined ? null : Number(zeroAt), gapAt: Number(gapAt)};
    };
    const shareOf = (axis, value) =>
        axis.log ? (Math.log(value) - Math.log(axis.low)) / (Math.log(axis.high) - Math.log(axis.low))
                 : (value - axis.low) / (axis.high - axis.low);
    const valueAt = (axis, share) =>
        axis.log ? Math.exp(Math.log(axis.low) + share * (Math.log(axis.high) - Math.log(axis.low)))
                 : axis.low + share * (axis.high - axis.low);

    const valueAxis = (values, log, quantity) => {
        const low = Math.min(...values);
        const high = Math.max(...values);
        if (log)
            return {log, low: low / 1.25, high: high * 1.25, quantity, zeroAt: null, gapAt: 0};
        const margin = (high - low || high || 1) * 0.06;
        return {log, low: quantity === "time" ? 0 : low - margin, high: high + margin, quantity, zeroAt: null, gapAt: 0};
    };
    const argumentAxis = (values, log, quantity) => {
        const positive = values.filter((value) => value > 0);
        if (!log || positive.length === 0)
            return {...valueAxis(values, false, quantity), low: Math.min(...values) - 0.5};
        const low = Math.min(...positive);
        const axis = {log, low: low / 1.15, high: Math.max(...positive) * 1.15, quantity, zeroAt: null, gapAt: 0};
        if (positive.length < values.length) { // 0 stands left of a gap in the axis
            const gap = Math.max(2, (axis.high / low) ** 0.08);
            Object.assign(axis, {zeroAt: low / gap, gapAt: low / gap ** 0.55, low: low / gap / 1.15});
        }
        return axis;
    };

    // ---- ticks ----

    const wanted = 6; // about so many
    const octaves = (low, high) => {
        const first = Math.ceil(Math.log2(low) - 1e-9);
        const last = Math.floor(Math.log2(high) + 1e-9);
        const step = [1, 2, 5, 10, 20].find((each) => (last - first) / each + 1 <= wanted) || 40;
        const found = [];
        for (let octave = first; octave <= last; ++octave)
            if (octave % step === 0)
                found.push(2 ** octave);
        return found;
    };
    const decades = (low, high) => {
        const count = Math.log10(high / low);
        const step = Math.max(1, Math.ceil(count / (wanted - 1) - 1e-9));
        const found = [];
        for (let decade = Math.floor(Math.log10(low)); decade <= Math.log10(high); ++decade)
            for (const factor of count <= 1.6 ? [1, 2, 5] : [1])
                if (factor > 1 || count <= 1.6 || decade % step === 0)
                    found.push(Number(factor + "e" + decade));
        return found;
    };
    const even = (low, high, quantity) => {
        const raw = (high - low) / (wanted - 1);
        let step = 2 ** Math.ceil(Math.log2(raw));
        if (quantity !== "bytes") {
            const decade = 10 ** Math.floor(Math.log10(raw));
            step = decade * ([1, 2, 5].find((factor) => factor * decade >= raw * 0.75) || 10);
        }
        if (quantity === "bytes" || quantity === "count")
            step = Math.max(1, step);
        const found = [];
        for (let i = Math.ceil(low / step - 1e-9); i * step <= high * (1 + 1e-9); ++i)
            found.push(i * step);
        return found;
    };
    /// Where an axis has its ticks: [value, label].
    const ticks = (axis) => {
        const size = axis.unit ? units[axis.unit] : 1; // round numbers are those of the unit
        const [low, high] = [axis.low / size, axis.high / size];
        const found = !axis.log || high / low <= 8 ? even(low, high, axis.quantity)
                      : axis.quantity === "bytes"  ? octaves(low, high)
                                                   : decades(low, high);
        const beyondGap = (value) => axis.zeroAt === null || value > axis.gapAt;
        const shown = found.filter((value) => value >= low * (1 - 1e-9) && value <= high * (1 + 1e-9) && beyondGap(value))
                           .map((value) => [value * size, tickLabel(axis, value * size)]);
        if (axis.zeroAt !== null && axis.zeroAt >= axis.low && axis.zeroAt <= axis.high)
            shown.unshift([axis.zeroAt, "0"]);
        return shown;
    };

    return {units, timeText, ratioText, argumentText, readAxis, shareOf, valueAt, valueAxis, argumentAxis, ticks};
})();
