// SPDX-License-Identifier: MIT
// The simulation's worker: steps it in real time and sends what is drawn.
//
//     page    ── load, play, tool, pull, throw, … ──▶  worker
//     page    ◀── loaded, frame, reply, problem ─────  worker
//
// The arrays of a frame travel: the page returns them (`buffers`), and the next frame is sent only
// then, so that a slow page is not flooded.
import { Simulation, createMemory } from "./simulation.js";
import { shrinkSpray } from "./spray.js";

const ROW = 1024;       // particles in a row of the textures
const TICK = 1 / 30;    // [s] most simulated time between two frames
const BUDGET = 0.030;   // [s] wall-clock time of the steps between two frames
const COVER = 0.58;     // radius of drawn particles by their spacing, as in the window
const ROOM = 20000;     // particles that snowballs may add

let simulation = null;
let threads = 1;
let playing = false;
let speed = 1;          // simulated seconds per second
let started = false;
let last = 0;           // [ms] when the last tick began
let view = null;
let spare = [];         // arrays that the page has returned
let free = true;        // the page has taken the last frame
let meshes = 0;         // bodies whose meshes were sent
let rates = { step: 0, real: 0, ticks: 0 };
const channel = new MessageChannel();

async function begin({ wantThreads }) {
    const isolated = self.crossOriginIsolated && typeof SharedArrayBuffer === "function";
    const cores = Math.min(navigator.hardwareConcurrency || 1, 8);
    const shared = isolated && cores > 1 && wantThreads !== 1;
    threads = shared ? Math.min(wantThreads || cores, cores) : 1;
    let module = null, memory = null;
    for (const name of shared ? ["threads", "simd"] : ["simd"]) {
        try {
            const { default: createFirn } = await import(`./${name}/firn.js`);
            memory = createMemory(name === "threads");
            module = await createFirn({
                wasmMemory: memory, pool: threads - 1,
                locateFile: (file) => new URL(`./${name}/${file}`, import.meta.url).href,
            });
            break;
        } catch (problem) {
            if (name === "simd") throw problem;
            threads = 1;  // the page was built without threads
        }
    }
    simulation = new Simulation(module, memory);
    postMessage({ type: "ready", threads, presets: simulation.presets(), isolated });
}

// ---- frames -------------------------------------------------------------------------------------

function array(Type, length) {
    const found = spare.findIndex((a) => a instanceof Type && a.length === length);
    return found < 0 ? new Type(length) : spare.splice(found, 1)[0];
}

// Bounds of the positions within four standard deviations of their mean: a few particles far away
// must not waste the shadow map's resolution.
function bounds(positions, count, radius) {
    const low = [0, 0, 0], high = [0, 0, 0];
    for (let k = 0; k < 3 && count > 0; k++) {
        let least = Infinity, most = -Infinity, sum = 0, squares = 0;
        for (let p = k; p < 3 * count; p += 3) {
            const x = positions[p];
            if (x < least) least = x;
            if (x > most) most = x;
            sum += x;
            squares += x * x;
        }
        const mean = sum / count;
        const reach = 4 * Math.sqrt(Math.max(squares / count - mean * mean, 0)) + 2 * radius;
        low[k] = Math.max(least - radius, mean - reach);
        high[k] = Math.min(most + radius, mean + reach);
    }
    return { low, high };
}

function meanOf(values, count) {
    let sum = 0;
    for (let p = 0; p < count; p++) sum += values[p];
    return count > 0 ? sum / count : 0;
}

function readSnow(count) {
    const rows = Math.max(Math.ceil(count / ROW), 1);
    const positions = array(Float32Array, 3 * ROW * rows);
    simulation.field("position", positions, 3 * count);
    const radii = array(Float32Array, ROW * rows);
    let phases = array(Uint8Array, ROW * rows);
    let radius = COVER * view.spacing;
    if (simulation.field("radius", radii, count)) radius = meanOf(radii, count);
    else radii.fill(radius);
    shrinkSpray(positions, radii, count, radius);
    if (!simulation.field("phase", phases, count)) phases = null;
    let water = 0, other = 0;
    for (let p = 0; phases !== null && p < count; p++) {
        if (phases[p] === 2) water++;
        else if (phases[p] !== 0) other++;
    }
    if (water + other === 0) phases = null;
    return {
        count, rows, positions, radii, phases, radius, hasWater: water > 0, hasSolid: water < count,
        ...bounds(positions, count, radius),
    };
}

function sendFrame() {
    const state = simulation.state();
    const bodies = [];
    for (let k = 0; k < state.bodies; k++) bodies.push(simulation.body(k));
    for (; meshes < state.bodies; meshes++)
        if (bodies[meshes].bounded)
            postMessage({ type: "mesh", body: meshes, ...simulation.bodyMesh(meshes) });
    const snow = readSnow(state.count);
    const arrays = [snow.positions, snow.radii, snow.phases].filter((a) => a !== null);
    free = false;
    const frame = { type: "frame", state, bodies, snow, rates, playing };
    postMessage(frame, arrays.map((a) => a.buffer));
}

// ---- time ---------------------------------------------------------------------------------------

function smoothed(old, value) {
    return old === 0 ? value : old + 0.15 * (value - old);
}

function tick() {
    const now = performance.now();
    const elapsed = (now - last) / 1000;
    last = now;
    if (playing && started && free) {
        const wanted = Math.min(elapsed * speed, TICK);
        try {
            const done = simulation.advance(Math.max(wanted, 1e-4), BUDGET);
            if (done.steps > 0) rates.step = smoothed(rates.step, 1000 * done.elapsed / done.steps);
            const real = done.simulated / Math.max(elapsed, done.elapsed, 1e-4);
            rates.real = smoothed(rates.real, real);
            rates.ticks++;
            sendFrame();
        } catch (problem) {
            playing = false;
            postMessage({ type: "problem", text: problem.message });
        }
    }
    // A message to itself comes at once, but after those of the page; a timer may wait for 4 ms.
    if (playing && started && free) channel.port1.postMessage(0);
    else setTimeout(tick, playing ? 2 : 15);
}
channel.port2.onmessage = tick;

// ---- what the page asks for ---------------------------------------------------------------------

function load({ id, yaml, variant, overrides, start }) {
    const loaded = simulation.load(yaml, variant, overrides);
    if (loaded.ok && start) {
        started = false;
        simulation.start({ threads, room: ROOM });
        view = simulation.view();
        started = true;
        meshes = 0;
        rates = { step: 0, real: 0, ticks: 0 };
        last = performance.now();
    }
    const text = loaded.ok ? simulation.yaml() : "";
    postMessage({ type: "loaded", id, start, ...loaded, view, text });
    if (loaded.ok && start) sendFrame();
}

// Hash of the state after some frames of a scene, from its start: for tests.
function hash({ id, yaml, variant, overrides, frames }) {
    const loaded = simulation.load(yaml, variant, overrides);
    if (!loaded.ok) throw new Error(loaded.messages[0].text);
    simulation.start({ threads });
    for (let k = 0; k < frames; k++) simulation.frame();
    const { threads: used } = simulation.state();
    postMessage({ type: "reply", id, hash: simulation.hash(), threads: used });
    started = false;
}

// Wall-clock seconds of each of some steps of a scene, from its start: for measurements.
function bench({ id, yaml, variant, overrides, settle, steps, useThreads }) {
    const loaded = simulation.load(yaml, variant, overrides);
    if (!loaded.ok) throw new Error(loaded.messages[0].text);
    simulation.start({ threads: useThreads ?? threads });
    for (let k = 0; k < settle; k++) simulation.step();
    const times = [];
    for (let k = 0; k < steps; k++) {
        const begun = performance.now();
        simulation.step();
        times.push((performance.now() - begun) / 1000);
    }
    const { count, threads: used } = simulation.state();
    postMessage({ type: "reply", id, times, count, threads: used });
    started = false;
}

const reply = (m, answer) => postMessage({ type: "reply", id: m.id, ...answer });
const actions = {
    begin, load, hash, bench,
    play: (m) => { playing = m.playing; last = performance.now(); },
    speed: (m) => { speed = m.speed; },
    step: () => { if (started) { simulation.step(); if (free) sendFrame(); } },
    stateHash: (m) => reply(m, { hash: simulation.hash() }),
    refresh: () => { if (started && free) sendFrame(); },
    buffers: (m) => { spare = m.buffers; free = true; },
    tool: (m) => reply(m, { body: simulation.tool(m.kind, m.at, m.yaw, m.size) }),
    pull: (m) => simulation.pull(m.body, m.target, m.speed),
    release: (m) => simulation.release(m.body),
    ray: (m) => reply(m, simulation.ray(m.from, m.along)),
    throw: (m) => simulation.throwBall(m.from, m.velocity, m.radius),
    temperature: (m) => simulation.setTemperature(m.celsius),
    gravity: (m) => simulation.setGravity(m.gravity),
};

// In their order: the first one takes long, and others wait for it.
let before = Promise.resolve();
self.onmessage = ({ data }) => {
    before = before.then(() => actions[data.type](data)).catch((problem) => {
        const text = problem.message ?? String(problem);
        postMessage({ type: "problem", id: data.id, action: data.type, text });
    });
};
setTimeout(tick, 15);
