// SPDX-License-Identifier: MIT
// Mouse, pen, fingers and keys on the picture. One pointer does what the chosen tool does; a right
// or middle button pans; two fingers turn into pan and zoom; the wheel zooms.

const PICK_WAIT = 3;     // [pixels] a drag before the worker has said what it grabs
const KEY_TURN = 24;     // [pixels] that an arrow key is worth

export class Pointer {
    #app;
    #canvas;
    #pointers = new Map();  // id → { x, y }
    #drag = null;           // "orbit", "pan", "tool" or "wait"

    constructor(app, canvas) {
        this.#app = app;
        this.#canvas = canvas;
        canvas.addEventListener("pointerdown", (event) => this.#down(event));
        canvas.addEventListener("pointermove", (event) => this.#move(event));
        canvas.addEventListener("pointerup", (event) => this.#up(event));
        canvas.addEventListener("pointercancel", (event) => this.#up(event));
        canvas.addEventListener("contextmenu", (event) => event.preventDefault());
        canvas.addEventListener("wheel", (event) => {
            event.preventDefault();
            app.orbit?.zoom(-Math.sign(event.deltaY) * Math.min(Math.abs(event.deltaY) / 60, 2));
            app.redraw();
        }, { passive: false });
        canvas.addEventListener("keydown", (event) => this.#key(event));
    }

    #ray(event) {
        const box = this.#canvas.getBoundingClientRect();
        return this.#app.orbit.ray((event.clientX - box.left) / box.width,
            (event.clientY - box.top) / box.height, box.width / box.height);
    }

    async #down(event) {
        const app = this.#app;
        if (app.orbit === null) return;
        this.#canvas.focus({ preventScroll: true });
        this.#canvas.setPointerCapture(event.pointerId);
        this.#pointers.set(event.pointerId, { x: event.clientX, y: event.clientY });
        if (this.#pointers.size > 1) {
            app.tools.release();
            this.#drag = "pan";
            return;
        }
        if (event.button !== 0 || event.shiftKey) {
            this.#drag = "pan";
            return;
        }
        const ray = this.#ray(event);
        if (app.tool === "throw") {
            this.#drag = null;
            app.tools.throw(ray);
            return;
        }
        this.#drag = "wait";
        const hit = await app.link.ask("ray", { from: ray.from, along: ray.along })
            .catch(() => ({ kind: "none" }));
        if (this.#drag !== "wait" || !this.#pointers.has(event.pointerId)) return;
        if (app.tools.grab(ray, hit)) {
            this.#drag = "tool";
        } else if (app.tool === "ball" || app.tool === "plow") {
            this.#drag = "tool";
            const tool = await app.tools.place(app.tool, ray);
            const point = hit.kind === "none" ? tool.target : hit.point;
            if (this.#pointers.has(event.pointerId)) app.tools.hold(tool, ray, point);
            if (app.tools.held !== null) app.tools.held.offset = [0, 0, 0];
        } else {
            this.#drag = "orbit";
        }
        app.redraw();
    }

    #move(event) {
        const app = this.#app, before = this.#pointers.get(event.pointerId);
        if (before === undefined || app.orbit === null) return;
        const dx = event.clientX - before.x, dy = event.clientY - before.y;
        const height = this.#canvas.clientHeight;
        if (this.#drag === "wait" && Math.hypot(dx, dy) < PICK_WAIT) return;
        if (this.#pointers.size === 2) this.#pinch(event, dx, dy, height);
        else if (this.#drag === "orbit") app.orbit.turn(dx, dy, height);
        else if (this.#drag === "pan") app.orbit.pan(dx, dy, height);
        else if (this.#drag === "tool" && app.tools.held !== null) app.tools.drag(this.#ray(event));
        if (this.#drag === "wait") return;
        this.#pointers.set(event.pointerId, { x: event.clientX, y: event.clientY });
        app.redraw();
    }

    // Two fingers: their middle pans, their distance zooms.
    #pinch(event, dx, dy, height) {
        const other = [...this.#pointers].find(([id]) => id !== event.pointerId)[1];
        const own = this.#pointers.get(event.pointerId);
        const before = Math.hypot(own.x - other.x, own.y - other.y);
        const after = Math.hypot(event.clientX - other.x, event.clientY - other.y);
        this.#app.orbit.pan(dx / 2, dy / 2, height);
        if (before > 10 && after > 10)
            this.#app.orbit.zoom(Math.log(before / after) / Math.log(0.875));
    }

    #up(event) {
        this.#pointers.delete(event.pointerId);
        if (this.#pointers.size > 0) return;
        if (this.#drag === "tool") this.#app.tools.release();
        this.#drag = null;
        this.#app.redraw();
    }

    #key(event) {
        const app = this.#app, height = this.#canvas.clientHeight;
        const arrows = {
            ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1],
        };
        if (app.orbit === null || event.ctrlKey || event.metaKey || event.altKey) return;
        if (event.key in arrows) {
            const [x, y] = arrows[event.key];
            if (event.shiftKey) app.tools.nudge(app.tool === "plow" ? "plow" : "ball", x, y);
            else app.orbit.turn(-x * KEY_TURN, y * KEY_TURN, height);
        } else if (event.key === "+" || event.key === "=") {
            app.orbit.zoom(1);
        } else if (event.key === "-") {
            app.orbit.zoom(-1);
        } else {
            return;
        }
        event.preventDefault();
        app.redraw();
    }
}
