// SPDX-License-Identifier: MIT
// Sliders for the constants that matter. A constant is an override of the scene ("materials.ball.
// young=4e5"), as --set of the command line; gravity and speed act on the running simulation.

// Of materials, for mpm and sph. `log`: steps of equal factors.
const MATERIAL = [
    { key: "young", label: "Stiffness", unit: "Pa",
        low: 1e4, high: 2e6, log: true, help: "Young's modulus" },
    { key: "hardening", label: "Hardening", unit: "", low: 0, high: 25, step: 0.5,
        help: "how much packed snow stiffens" },
    { key: "critical_compression", label: "Critical compression", unit: "",
        low: 0.003, high: 0.1, log: true,
        help: "where packing becomes permanent" },
    { key: "critical_stretch", label: "Critical stretch", unit: "",
        low: 0.0005, high: 0.03, log: true,
        help: "where snow breaks: chunks above, powder below" },
    { key: "density", label: "Density", unit: "kg/m³",
        low: 50, high: 800, step: 5, help: "of the snow at the start" },
];
const OWN = {
    grains: [
        { key: "grains.strength_snow", label: "Cohesion", unit: "Pa",
            low: 10, high: 2e4, log: true, preset: 625,
            help: "strength of bonds of fresh snow" },
        { key: "grains.young_snow", label: "Stiffness", unit: "Pa",
            low: 500, high: 1e5, log: true, preset: 5000,
            help: "Young's modulus of fresh snow" },
        { key: "grains.repose", label: "Friction angle", unit: "°",
            low: 0, high: 60, step: 1, preset: 38,
            help: "of snow on snow" },
        { key: "grains.durability_loss", label: "Compression", unit: "1/Pa",
            low: 1e-8, high: 1e-4, log: true,
            preset: 5e-6, help: "air that pressure drives out" },
        { key: "grains.radius", label: "Grain radius", unit: "m",
            low: 0.02, high: 0.2, log: true, preset: 0.05,
            help: "smaller: more grains, slower" },
    ],
    mpm: [{ key: "mpm.cell", label: "Grid spacing", unit: "m",
        low: 0.004, high: 0.1, log: true, preset: 0.01,
        help: "halve it for eight times the particles" }],
    sph: [{ key: "sph.spacing", label: "Particle spacing", unit: "m",
        low: 0.002, high: 0.1, log: true, preset: 0.01,
        help: "halve it for eight times the particles" }],
};
const LIVE = [
    { key: "gravity", label: "Gravity", unit: "m/s²",
        low: 0, high: 25, step: 0.01, preset: 9.81, live: true,
        help: "Moon 1.62, Mars 3.71, Earth 9.81" },
    { key: "speed", label: "Speed", unit: "×",
        low: 0.05, high: 1, log: true, preset: 1, live: true,
        help: "below 1: slow motion" },
];

// Top-level blocks of firn's own YAML: { mpm: "{cell: 0.04}", materials: "…" }.
function blocksOf(yaml) {
    const blocks = {};
    let name = null;
    for (const line of yaml.split("\n")) {
        const found = /^(\w+):(.*)$/.exec(line);
        if (found !== null) blocks[name = found[1]] = found[2];
        else if (name !== null) blocks[name] += "\n" + line;
    }
    return blocks;
}

// Number of `key` in a block; undefined: not there.
function numberIn(block, key) {
    const found = new RegExp(`(?:^|[{,\\s])${key}:\\s*([-+.\\deE]+)`).exec(block ?? "");
    return found === null ? undefined : Number(found[1]);
}

// Materials of firn's YAML, { name: text }.
function materialsOf(blocks) {
    const materials = {};
    const text = blocks.materials ?? "";
    for (const found of text.matchAll(/(\w+):\s*\{([^{}]*)\}/g)) materials[found[1]] = found[2];
    for (const found of text.matchAll(/^ {2}(\w+):\s*\n((?: {4,}.*\n?)*)/gm))
        materials[found[1]] = found[2];
    return materials;
}

function textOf(value, unit) {
    if (unit === "Pa" && value >= 1e6) return `${Number((value / 1e6).toPrecision(3))} MPa`;
    if (unit === "Pa" && value >= 1e3) return `${Number((value / 1e3).toPrecision(3))} kPa`;
    const small = value !== 0 && Math.abs(value) < 1e-3;
    return `${small ? value.toExponential(1) : Number(value.toPrecision(3))} ${unit}`.trim();
}

function element(tag, text = "") {
    const made = document.createElement(tag);
    made.textContent = text;
    return made;
}

export class Constants {
    #form;
    #change;
    #live;
    #presets = [];
    #materials = {};

    // `change(overrides)`: constants to restart with; `live(key, value)`: to apply at once.
    constructor(form, change, live) {
        this.#form = form;
        this.#change = change;
        this.#live = live;
        form.addEventListener("submit", (event) => event.preventDefault());
    }

    setPresets(presets) {
        this.#presets = presets;
    }

    // Shows the constants of a scene. `yaml` is firn's, with the overrides; `overrides`: lines.
    show(yaml, overrides) {
        const blocks = blocksOf(yaml);
        const solver = (blocks.solver ?? "mpm").trim();
        this.#materials = materialsOf(blocks);
        this.#form.replaceChildren();
        const changed = new Set(overrides.map((line) => line.slice(0, line.indexOf("="))));
        if (Object.keys(this.#materials).length > 0 && solver !== "grains") {
            this.#addPresets();
            MATERIAL.forEach((c) => this.#add(c, this.#materialValue(c.key), changed));
        }
        for (const c of OWN[solver] ?? [])
            this.#add(c, numberIn(blocks[solver], c.key.split(".")[1]) ?? c.preset, changed);
        const gravity = /\[\s*[-\d.eE]+\s*,\s*([-\d.eE]+)/.exec(blocks.gravity ?? "");
        this.#add(LIVE[0], gravity === null ? 9.81 : Math.abs(Number(gravity[1])), changed);
        this.#add(LIVE[1], 1, changed);
    }

    #materialValue(key) {
        const text = Object.values(this.#materials)[0];
        const name = /preset:\s*(\w+)/.exec(text)?.[1] ?? "snow";
        return numberIn(text, key) ?? this.#presets.find((p) => p.name === name)?.[key] ?? 0;
    }

    #keysOf(key) {
        if (key.includes(".")) return [key];
        return Object.keys(this.#materials).map((name) => `materials.${name}.${key}`);
    }

    #overridesOf(key, value) {
        return this.#keysOf(key).map((full) => `${full}=${Number(value.toPrecision(4))}`);
    }

    #addPresets() {
        const now = Object.fromEntries(MATERIAL.map((c) => [c.key, this.#materialValue(c.key)]));
        const isNow = (p) =>
            MATERIAL.every(({ key }) =>
                Math.abs(p[key] - now[key]) <= 1e-3 * Math.abs(now[key]) + 1e-9);
        const current = this.#presets.find(isNow);
        const select = element("select");
        select.id = "preset";
        select.add(new Option(current === undefined ? "own" : current.name, ""));
        for (const p of this.#presets)
            if (p !== current && p.name !== "weak_layer") select.add(new Option(p.name, p.name));
        select.addEventListener("change", () => {
            const preset = this.#presets.find((p) => p.name === select.value);
            if (preset === undefined) return;
            this.#change(MATERIAL.flatMap((c) => this.#overridesOf(c.key, preset[c.key])));
        });
        const label = element("label");
        label.append(element("span", "Preset"), select);
        this.#form.append(label);
    }

    #add(constant, value, changed) {
        const { low, high, log, unit } = constant;
        const toSlider = (x) => (log ? Math.log(x) : x);
        const fromSlider = (x) => (log ? Math.exp(x) : x);
        const label = element("label"), output = element("output"), input = element("input");
        const snow = this.#presets.find((p) => p.name === "snow");
        const preset = constant.preset ?? snow?.[constant.key];
        const shown = preset === undefined ? "" : `; preset ${textOf(preset, unit)}`;
        const help = constant.help + shown;
        input.type = "range";
        input.dataset.key = constant.key;
        input.min = toSlider(low);
        input.max = toSlider(high);
        input.step = log ? (toSlider(high) - toSlider(low)) / 200 : constant.step;
        input.value = toSlider(Math.min(Math.max(value, low), high));
        const showValue = (x) => {
            output.textContent = textOf(x, unit);
            input.setAttribute("aria-valuetext", output.textContent);
        };
        showValue(value);
        input.addEventListener("input", () => {
            showValue(fromSlider(Number(input.value)));
            if (constant.live) this.#live(constant.key, fromSlider(Number(input.value)));
        });
        if (!constant.live)
            input.addEventListener("change", () =>
                this.#change(this.#overridesOf(constant.key, fromSlider(Number(input.value)))));
        const isChanged = this.#keysOf(constant.key).some((key) => changed.has(key));
        label.classList.toggle("changed", isChanged);
        label.append(element("span", constant.label), output, input, element("small", help));
        this.#form.append(label);
    }
}
