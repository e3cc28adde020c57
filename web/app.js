// SPDX-License-Identifier: MIT
// The page: connects the simulation's worker, the renderer and what the visitor does.
import { readAddress, writeAddress } from "./address.js";
import { Orbit } from "./gl/matrix.js";
import { Renderer } from "./gl/renderer.js";
import { warmUp } from "./gl/warm.js";
import { Link } from "./link.js";
import { Constants } from "./ui/constants.js";
import { Editor } from "./ui/editor.js";
import { Panel } from "./ui/panel.js";
import { Pointer } from "./ui/pointer.js";
import { Tools } from "./ui/tools.js";

const byId = (id) => document.getElementById(id);
const SLOW = 40, FAST = 14;    // [ms] of a frame beyond which the picture gets coarser or finer
const WARMER = 4;              // [K] by a press of warm or cool
// An empty module with one SIMD instruction: does this browser know them?
const SIMD_PROBE = new Uint8Array([
    0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253,
    15, 253, 98, 11,
]);

class App {
    orbit = null;      // camera
    view = null;       // of the scene: sun, spacing, …
    bodies = [];
    snow = { low: [0, 0, 0], high: [1, 1, 1], count: 0 };
    tool = "orbit";
    tools = new Tools(this);
    #renderer;
    #scale = 1;        // drawn pixels by screen pixels
    #scaleLeast = 0.3;
    #dirty = true;
    #slow = 0;
    #scene = { name: null, yaml: null, text: "", variant: "", base: [], overrides: [] };
    #gallery = [];
    #playing = true;
    #temperature = null;
    #hintTimer = 0;

    async start() {
        if (typeof WebAssembly !== "object" || !WebAssembly.validate(SIMD_PROBE))
            return this.#notice("This browser has no WebAssembly SIMD, which computes the snow. " +
                "Any browser since 2023 has it.");
        this.link = new Link({
            ready: (m) => this.#ready(m),
            loaded: (m) => this.#loaded(m),
            frame: (m) => this.#frame(m),
            mesh: (m) => this.#renderer.setMesh(m.body, m),
            problem: (m) => this.#problem(m.text),
        });
        const wanted = Number(new URLSearchParams(location.search).get("threads")) || 0;
        this.link.send("begin", { wantThreads: wanted });
        this.#wire();
        this.#gallery = await (await fetch(new URL("./gallery.json", import.meta.url))).json();
        this.panel.setGallery(this.#gallery,
            (name) => this.open({ name, yaml: null, overrides: [] }));
        if (matchMedia("(min-width: 70rem)").matches) this.panel.toggle(true);
        // The worker loads the scene while the driver compiles shaders, which blocks the page.
        await this.#openAddress();
        try {
            this.#renderer = new Renderer(byId("picture"));
            warmUp(this.#renderer);
        } catch (problem) {
            this.link.close();
            return this.#notice(problem.message);
        }
        performance.mark("renderer-ready");
        this.#scale = this.#renderer.software ? this.#scaleLeast : 1;
        if (new URLSearchParams(location.search).get("quality") === "full") this.fullQuality();
        requestAnimationFrame(() => this.#draw());
    }

    #notice(text) {
        byId("notice").textContent = text;
        byId("notice").hidden = false;
        byId("title").textContent = "";
    }

    hint(text, seconds = 4) {
        byId("hint").textContent = text;
        clearTimeout(this.#hintTimer);
        this.#hintTimer = setTimeout(() => { byId("hint").textContent = ""; }, 1000 * seconds);
    }

    #problem(text) {
        this.hint(text, 8);
        this.#setPlaying(this.#playing);
    }

    // ---- scenes ---------------------------------------------------------------------------------

    #ready({ presets, threads, isolated }) {
        performance.mark("worker-ready");
        this.constants.setPresets(presets);
        byId("stat-threads").textContent = threads;
        byId("stat-threads").title =
            isolated ? "" : "The server does not isolate the page: one thread only.";
    }

    async #openAddress() {
        let wanted = { name: null, yaml: null, overrides: [] };
        try {
            wanted = await readAddress(location.hash);
        } catch (problem) {
            this.hint(problem.message, 8);
        }
        this.open(wanted, false);
    }

    // Opens a scene of the gallery, or a text.
    open({ name, yaml, overrides }, remember = true) {
        const item = this.#gallery.find((g) => g.name === name) ??
            (yaml === null ? this.#gallery[0] : null);
        this.#scene = {
            name: item?.name ?? null, yaml, text: yaml ?? item.yaml, variant: item?.variant ?? "",
            base: item?.set ?? [], tool: item?.tool ?? "orbit", overrides, fresh: true,
            title: item?.title ?? "",
        };
        this.editor.text = this.#scene.text;
        this.#load();
        if (remember) this.#remember();
    }

    async #remember() {
        history.replaceState(null, "", await writeAddress(this.#scene));
    }

    #load() {
        const s = this.#scene;
        this.tools.reset();
        return this.link.ask("load", {
            yaml: s.text, variant: s.variant, overrides: [...s.base, ...s.overrides], start: true,
        }).catch((problem) => this.#problem(problem.message));
    }

    #loaded({ ok, start, messages, view, text }) {
        if (!start) return;
        this.editor.show(messages);
        if (!ok) {
            const first = messages.find((m) => m.kind === "error");
            const where = first.line > 0 ? ` in line ${first.line}` : "";
            this.hint(`The scene has a mistake${where}: ${first.text}`, 10);
            this.panel.toggle(true);
            this.panel.choose("yaml");
            return;
        }
        const s = this.#scene;
        this.view = view;
        this.#renderer.removeMeshes();
        if (s.fresh) {
            this.orbit = new Orbit(view.eye, view.target, view.fov);
            this.chooseTool(s.tool);
        }
        s.fresh = false;
        byId("title").textContent =
            s.title || /^title:\s*"?([^"\n]*)/m.exec(s.text)?.[1] || "A scene of your own";
        this.constants.show(text, s.overrides);
        this.panel.markScene(s.name);
        this.#temperature = null;
        this.#setPlaying(this.#playing);
    }

    // New values of constants: they replace older ones of the same keys.
    #change(lines) {
        const keyOf = (line) => line.slice(0, line.indexOf("="));
        const keys = new Set(lines.map(keyOf));
        const s = this.#scene;
        s.overrides = [...s.overrides.filter((line) => !keys.has(keyOf(line))), ...lines];
        this.#load();
        this.#remember();
    }

    async #check(text) {
        const s = this.#scene;
        const { messages } = await this.link.ask("load", {
            yaml: text, variant: s.variant, start: false,
            overrides: s.yaml === null ? [...s.base, ...s.overrides] : s.overrides,
        });
        return messages;
    }

    #run(text) {
        const s = this.#scene;
        if (text === s.text) {
            this.#load();
            return;
        }
        // The settings of the gallery stay in the text's favour only where it has none.
        Object.assign(s, { yaml: text, text, title: "" });
        this.#load();
        this.#remember();
        this.panel.markScene(null);
    }

    // ---- frames ---------------------------------------------------------------------------------

    #frame({ state, bodies, snow, rates }) {
        if (this.frames === undefined) performance.mark("first-frame");
        this.bodies = bodies;
        this.snow = snow;
        this.#renderer.setSnow(snow);
        const buffers = [snow.positions, snow.radii, snow.phases].filter((a) => a !== null);
        this.link.send("buffers", { buffers }, buffers.map((a) => a.buffer));
        snow.positions = snow.radii = snow.phases = null;
        byId("stat-step").textContent = rates.step > 0 ? `${rates.step.toFixed(1)} ms` : "–";
        byId("stat-real").textContent = rates.real > 0 ? `${rates.real.toFixed(2)} ×` : "–";
        byId("stat-count").textContent = state.count.toLocaleString("en");
        byId("stat-time").textContent = `${state.time.toFixed(2)} s`;
        byId("stat-air-row").hidden = Number.isNaN(state.temperature);
        byId("stat-air").textContent = `${state.temperature.toFixed(0)} °C`;
        if (!Number.isNaN(state.temperature)) this.#temperature = state.temperature;
        this.state = state;
        this.frames = (this.frames ?? 0) + 1;
        this.redraw();
    }

    redraw() {
        this.#dirty = true;
    }

    // Draws at once, so that the canvas can be read before the browser shows it.
    paintNow() {
        this.#paint(this.#scale);
    }

    // A paused simulation moves what was pulled only when it runs.
    refresh() {
        if (!this.#playing) this.#setPlaying(true);
    }

    #draw() {
        requestAnimationFrame(() => this.#draw());
        // One picture at a time: a slow driver must not get more work than it does.
        const ms = this.#renderer.finished();
        if (ms === null) return;
        if (ms > 0) this.#pictureDone(ms);
        if (!this.#dirty || this.orbit === null || this.frames === undefined) return;
        this.#dirty = false;
        this.#paint(this.#scale);
    }

    #pictureDone(ms) {
        if (this.pictures === undefined) {
            performance.mark("first-picture");
            document.body.dataset.ready = "true";
        }
        this.pictures = (this.pictures ?? 0) + 1;
        if (this.pictures === 1) this.#setPlaying(this.#playing);
        this.pictureTime = ms;
        this.#adapt(ms);
    }

    #paint(scale) {
        const canvas = byId("picture");
        const ratio = Math.min(devicePixelRatio, 2) * scale;
        const width = Math.max(Math.round(canvas.clientWidth * ratio), 16);
        const height = Math.max(Math.round(canvas.clientHeight * ratio), 16);
        if (canvas.width !== width || canvas.height !== height)
            Object.assign(canvas, { width, height });
        this.#renderer.draw({
            orbit: this.orbit, sun: this.view.sun, bodies: this.bodies, marked: this.tools.marked,
            width, height,
        });
    }

    // For pictures on machines without a graphics card.
    fullQuality() {
        this.#scale = this.#scaleLeast = 1;
        this.#renderer.quick = false;
        this.redraw();
    }

    // Coarser pictures where drawing is slow, finer ones where there is time.
    #adapt(ms) {
        if (this.#scaleLeast === 1) return;
        this.#slow = ms > SLOW ? this.#slow + 1 : ms < FAST ? this.#slow - 0.2 : this.#slow;
        if (this.#slow > 4 && this.#scale > this.#scaleLeast) {
            this.#scale = Math.max(this.#scale * 0.8, this.#scaleLeast);
            this.#slow = 0;
        } else if (this.#slow < -20 && this.#scale < 1) {
            this.#scale = Math.min(this.#scale * 1.25, 1);
            this.#slow = 0;
        }
    }

    // ---- what the visitor does ------------------------------------------------------------------

    chooseTool(tool) {
        this.tool = tool;
        byId("picture").dataset.tool = tool;
        document.querySelectorAll("[data-tool]").forEach((button) =>
            button.setAttribute("aria-pressed", String(button.dataset.tool === tool)));
        this.hint({
            orbit: "Drag to look around, scroll or pinch to come closer",
            ball: "Drag a ball through the snow",
            plow: "Drag a plow through the snow",
            throw: "Click or tap to throw a snowball",
        }[tool]);
    }

    #setPlaying(playing) {
        this.#playing = playing;
        byId("play").setAttribute("aria-pressed", String(playing));
        byId("play").lastElementChild.textContent = playing ? "Pause" : "Play";
        // The first steps wait for the first picture: both want all cores.
        const shown = this.pictures !== undefined && !document.hidden;
        this.link.send("play", { playing: playing && shown });
    }

    async #warm(by) {
        const now = this.#temperature ?? -5;
        const celsius = Math.max(Math.min(now + by, 60), -60);
        this.#temperature = celsius;
        this.link.send("temperature", { celsius });
        this.hint(`The air has ${celsius.toFixed(0)} °C`);
        this.refresh();
    }

    #screenshot() {
        this.#paint(1);
        byId("picture").toBlob((blob) => {
            const link = document.createElement("a");
            link.href = URL.createObjectURL(blob);
            link.download = `firn-${this.#scene.name ?? "scene"}.png`;
            link.click();
            setTimeout(() => URL.revokeObjectURL(link.href), 10000);
            this.redraw();
        }, "image/png");
    }

    async #share() {
        const url = new URL(await writeAddress(this.#scene), location.href).href;
        history.replaceState(null, "", url);
        try {
            await navigator.clipboard.writeText(url);
            this.hint("The link to this scene is copied");
        } catch {
            this.hint("The page's address is the link to this scene");
        }
    }

    #throwAhead() {
        this.tools.throw(this.orbit.ray(0.5, 0.5, 1));
    }

    #wire() {
        this.panel = new Panel();
        this.editor = new Editor((text) => this.#check(text), (text) => this.#run(text));
        const act = (key, value) => {
            if (key === "speed") this.link.send("speed", { speed: value });
            else this.link.send("gravity", { gravity: [0, -value, 0] });
        };
        this.constants = new Constants(byId("constants"), (lines) => this.#change(lines), act);
        new Pointer(this, byId("picture"));
        const commands = {
            " ": () => this.#setPlaying(!this.#playing),
            ".": () => { this.#setPlaying(false); this.link.send("step"); },
            r: () => this.#load(),
            o: () => this.chooseTool("orbit"),
            b: () => { this.chooseTool("ball"); this.tools.place("ball", null); },
            p: () => { this.chooseTool("plow"); this.tools.place("plow", null); },
            t: () => { this.chooseTool("throw"); this.#throwAhead(); },
            h: () => this.#warm(WARMER),
            c: () => this.#warm(-WARMER),
            s: () => this.#screenshot(),
            l: () => this.#share(),
            m: () => this.panel.toggle(),
            escape: () => this.panel.toggle(false),
        };
        const buttons = {
            play: " ", step: ".", reset: "r", warm: "h", cool: "c", shot: "s", share: "l",
        };
        for (const [id, key] of Object.entries(buttons))
            byId(id).addEventListener("click", commands[key]);
        document.querySelectorAll("button[data-tool]").forEach((button) =>
            button.addEventListener("click", () => this.chooseTool(button.dataset.tool)));
        addEventListener("keydown", (event) => {
            if (event.ctrlKey || event.metaKey || event.altKey || this.orbit === null) return;
            if (event.target.matches("input, select, textarea") && event.key !== "Escape") return;
            if (event.key === " " && event.target.matches("button")) return;
            const command = commands[event.key.toLowerCase()];
            if (command === undefined) return;
            event.preventDefault();
            command();
        });
        new ResizeObserver(() => this.redraw()).observe(byId("picture"));
        addEventListener("hashchange", () => this.#openAddress());
        document.addEventListener("visibilitychange", () => this.#setPlaying(this.#playing));
        byId("picture").addEventListener("webglcontextlost", () =>
            this.#notice("The graphics driver has dropped the picture: please load the page " +
                "again."));
    }
}

const app = new App();
window.firn = app;  // for tests, and for the curious
app.start().catch((problem) => app.hint(problem.message, 60));
