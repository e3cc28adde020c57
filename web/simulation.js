// SPDX-License-Identifier: MIT
// A simulation in WebAssembly: the functions of firn_web.c as methods with JavaScript's types. Runs
// in a worker (worker.js) and in node (tests). Arrays are copies: the module's memory may move.

// Thrown where firn refuses or fails: `message` is its sentence, `code` its firn_result.
export class FirnError extends Error {
    constructor(code, sentence) {
        super(sentence);
        this.code = code;
    }
}

// "scene.yaml:3:7: error: …" as an object; other lines continue the one before;
// those that quote the scene ("3 | …") are left out, because the editor shows it.
export function parseMessages(text) {
    const messages = [];
    for (const line of text.split("\n")) {
        const found = /^[^:\n]*:(\d+):(?:(\d+):)? (error|warning): (.*)$/.exec(line);
        if (found !== null) {
            messages.push({
                line: Number(found[1]),
                column: Number(found[2] ?? 1),
                kind: found[3],
                text: found[4],
            });
        } else if (/^(--set .*: )?(error|warning): /.test(line)) {  // of a slider, or of all
            const [, , kind, sentence] = /^(--set .*: )?(error|warning): (.*)$/.exec(line);
            messages.push({ line: 0, column: 0, kind, text: sentence });
        } else if (line.trim() !== "" && messages.length > 0 && !/^\s*\d*\s*\|/.test(line)) {
            messages[messages.length - 1].text += "\n" + line.trim();
        }
    }
    return messages;
}

const PAGE = 65536;  // [bytes] of WebAssembly's memory

// Memory for a module; sizes are those of web/CMakeLists.txt.
export function createMemory(shared) {
    return new WebAssembly.Memory({ initial: (64 << 20) / PAGE, maximum: 2 ** 31 / PAGE, shared });
}

export class Simulation {
    #m;
    #page;
    #out;
    #memory;
    #views;

    // `module`: what createFirn of firn.js resolves to, given { wasmMemory: memory }.
    constructor(module, memory) {
        this.#m = module;
        this.#memory = memory;
        this.#page = module._web_create();
        this.#out = module._web_out(this.#page);
    }

    // Views of the memory, which grows: its buffer is then another one.
    get #heap() {
        const buffer = this.#memory.buffer;
        if (this.#views?.u8.buffer !== buffer) {
            this.#views = {
                u8: new Uint8Array(buffer), u32: new Uint32Array(buffer),
                f32: new Float32Array(buffer), f64: new Float64Array(buffer),
            };
        }
        return this.#views;
    }

    #numbers(count) {
        return this.#heap.f64.subarray(this.#out >> 3, (this.#out >> 3) + count);
    }

    #text(address) {
        const bytes = this.#heap.u8;
        let end = address;
        while (bytes[end] !== 0) end++;
        return new TextDecoder().decode(bytes.slice(address, end));
    }

    // Calls `use` with the addresses of the strings, which end with it.
    #withStrings(strings, use) {
        const addresses = [];
        try {
            for (const text of strings) {
                const bytes = new TextEncoder().encode(text + "\0");
                const address = this.#m._malloc(bytes.length);
                if (address === 0) throw new FirnError(-1, "out of memory");
                addresses.push(address);
                this.#heap.u8.set(bytes, address);
            }
            return use(...addresses);
        } finally {
            for (const address of addresses) this.#m._free(address);
        }
    }

    #check(result) {
        if (result !== 0) throw new FirnError(result, this.#text(this.#m._web_error(this.#page)));
    }

    // Reads and checks a scene. Returns { ok, messages, particles, bytes }.
    load(yaml, variant = "", overrides = []) {
        const result = this.#withStrings([yaml, variant, overrides.join("\n")], (a, b, c) =>
            this.#m._web_load(this.#page, a, b, c));
        const messages = parseMessages(this.#text(this.#m._web_messages(this.#page)));
        if (result !== 0 && !messages.some((m) => m.kind === "error")) {
            const text = this.#text(this.#m._web_error(this.#page));
            messages.push({ line: 0, column: 0, kind: "error", text });
        }
        const [particles, bytes] = this.#numbers(2);
        return { ok: result === 0, messages, particles, bytes };
    }

    // Starts the scene that was loaded. `room`: particles that may be added.
    start({ threads = 1, simd = "", room = 0 } = {}) {
        this.#check(this.#withStrings([simd],
            (a) => this.#m._web_start(this.#page, threads, a, room)));
    }

    presets() {
        const presets = [];
        for (let k = 0; ; k++) {
            const name = this.#m._web_preset(this.#page, k);
            if (name === 0) return presets;
            const [density, young, hardening, critical_compression, critical_stretch] =
                this.#numbers(5);
            presets.push({
                name: this.#text(name), density, young, hardening, critical_compression,
                critical_stretch,
            });
        }
    }

    yaml() {
        return this.#text(this.#m._web_yaml(this.#page));
    }

    advance(seconds, wall) {
        this.#check(this.#m._web_advance(this.#page, seconds, wall));
        const [simulated, elapsed, steps] = this.#numbers(3);
        return { simulated, elapsed, steps };
    }

    frame() {
        this.#check(this.#m._web_frame(this.#page));
    }

    step() {
        this.#check(this.#m._web_step(this.#page));
    }

    // 16 digits, as `firn info` prints them.
    hash() {
        this.#m._web_hash(this.#page);
        const [high, low] = this.#numbers(2);
        return [high, low].map((word) => word.toString(16).padStart(8, "0")).join("");
    }

    state() {
        this.#m._web_state(this.#page);
        const [time, dt, step, count, bodies, temperature, threads, bytes, kinetic] =
            this.#numbers(9);
        return { time, dt, step, count, bodies, temperature, threads, bytes, kinetic };
    }

    view() {
        this.#check(this.#m._web_view(this.#page));
        const n = [...this.#numbers(13)];
        return {
            eye: n.slice(0, 3), target: n.slice(3, 6), fov: n[6], sun: n.slice(7, 10),
            spacing: n[10], fps: n[11], frames: n[12],
        };
    }

    // Copies a field into `target` (Float32Array or Uint8Array, long enough); false: no such field.
    field(name, target, length) {
        const address = this.#withStrings([name], (a) => this.#m._web_field(this.#page, a));
        if (address === 0) return false;
        const bytes = target.BYTES_PER_ELEMENT;
        const heap = bytes === 1 ? this.#heap.u8 : this.#heap.f32;
        target.set(heap.subarray(address / bytes, address / bytes + length));
        return true;
    }

    body(k) {
        this.#check(this.#m._web_body(this.#page, k));
        const n = [...this.#numbers(27)];
        return {
            position: n.slice(0, 3), rotation: n.slice(3, 7), scale: n[7], bounded: n[8] !== 0,
            visible: n[9] !== 0, point: n.slice(10, 13), normal: n.slice(13, 16),
            colour: n.slice(16, 19), mass: n[19], moves: n[20] !== 0, low: n.slice(21, 24),
            high: n.slice(24, 27),
        };
    }

    bodyMesh(k) {
        this.#check(this.#m._web_body_mesh(this.#page, k));
        const [vertices, triangles, x, n, t] = this.#numbers(5);
        const real = (address) => this.#heap.f32.slice(address / 4, address / 4 + 3 * vertices);
        return {
            vertices: real(x), normals: real(n),
            triangles: this.#heap.u32.slice(t / 4, t / 4 + 3 * triangles),
        };
    }

    ray(origin, direction) {
        this.#check(this.#m._web_ray(this.#page, ...origin, ...direction));
        const [kind, distance, x, y, z, body] = this.#numbers(6);
        return { kind: ["none", "snow", "body"][kind], distance, point: [x, y, z], body };
    }

    // Puts a tool (0 ball, 1 plow) into the scene; returns the index of its body.
    tool(kind, at, yaw, size) {
        this.#check(this.#m._web_tool(this.#page, kind, ...at, yaw, size));
        return this.#numbers(1)[0];
    }

    pull(body, target, speedMax) {
        this.#m._web_pull(this.#page, body, ...target, speedMax);
    }

    release(body) {
        this.#check(this.#m._web_release(this.#page, body));
    }

    throwBall(from, velocity, radius) {
        this.#check(this.#m._web_throw(this.#page, ...from, ...velocity, radius));
    }

    setTemperature(celsius) {
        this.#check(this.#m._web_set_temperature(this.#page, celsius));
    }

    setGravity(gravity) {
        this.#check(this.#m._web_set_gravity(this.#page, ...gravity));
    }
}
