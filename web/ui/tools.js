// SPDX-License-Identifier: MIT
// Ball, plow and snowballs. Sizes and motions are those of the window (app/viewer/input/tools.c).
import { add, clamp, length, rayPlane, scaled, sub } from "../gl/matrix.js";

const KINDS = { ball: 0, plow: 1 };
const LOWERING = 1;      // [m/s] speed of a tool that is lowered into the snow
const SPEED = 3;         // [m/s] fastest tool
const SIZES = 12;        // [1/s] fastest tool in its sizes
const THROW = 6;         // snowballs cross the view's distance in 1 / THROW s …
const THROW_MAX = 12;    // [m/s] … but are not faster

export class Tools {
    #app;
    #on = { ball: null, plow: null };  // { body, size, at, lift }
    held = null;                       // { body, offset, plane, kind }

    constructor(app) {
        this.#app = app;
    }

    reset() {
        this.#on = { ball: null, plow: null };
        this.held = null;
    }

    get marked() {
        return this.held === null ? -1 : this.held.body;
    }

    sizeOf(kind) {
        const { low, high } = this.#app.snow, spacing = this.#app.view.spacing;
        const side = Math.min(high[0] - low[0], high[2] - low[2]), depth = high[1] - low[1];
        return kind === "ball" ? Math.max(Math.min(0.3 * side, 2 * depth), 8 * spacing)
            : Math.max(Math.min(0.4 * side, 4 * depth), 14 * spacing);
    }

    // Height of the ground: the highest plane that is not steep, else the bottom of the snow.
    #ground(x, z) {
        let highest = -Infinity;
        for (const { bounded, visible, point, normal } of this.#app.bodies) {
            if (bounded || !visible || normal[1] < 0.5) continue;
            highest = Math.max(highest,
                point[1] - ((x - point[0]) * normal[0] + (z - point[2]) * normal[2]) / normal[1]);
        }
        return Number.isFinite(highest) ? highest : this.#app.snow.low[1];
    }

    #rest(kind, size, x, z) {
        const half = kind === "ball" ? 0.5 * size : 0;
        return this.#ground(x, z) + 0.5 * this.#app.view.spacing + half;
    }

    // Puts a tool over a point of the ground and lowers it: appearing inside would blow the snow
    // apart.
    async place(kind, ray) {
        const { low, high } = this.#app.snow, orbit = this.#app.orbit;
        const size = this.#on[kind]?.size ?? this.sizeOf(kind);
        const middle = [(low[0] + high[0]) / 2, 0, (low[2] + high[2]) / 2];
        const ground = [middle[0], this.#ground(middle[0], middle[2]), middle[2]];
        const hit = ray === null ? null : rayPlane(ray, ground, [0, 1, 0]);
        const at = hit !== null && length(sub(hit, ground)) < 2 * orbit.distance ? hit : ground;
        const rest = this.#rest(kind, size, at[0], at[2]);
        const above = Math.max(high[1], rest) + (kind === "ball" ? 0.6 : 0.1) * size;
        const yaw = orbit.yaw + Math.PI;  // facing away from the eye
        const where = { kind: KINDS[kind], at: [at[0], above, at[2]], yaw, size };
        const { body } = await this.#app.link.ask("tool", where);
        this.#on[kind] = { kind, body, size, target: [at[0], rest, at[2]] };
        this.#pull(this.#on[kind], LOWERING);
        return this.#on[kind];
    }

    #pull(tool, speed = SPEED) {
        const fastest = Math.min(speed, SIZES * tool.size);
        this.#app.link.send("pull", { body: tool.body, target: tool.target, speed: fastest });
        this.#app.refresh();
    }

    isOn(kind) {
        return this.#on[kind] !== null;
    }

    // Grabs what is under the pointer: a tool, or a body that moves. False: nothing.
    grab(ray, hit) {
        if (hit.kind !== "body") return false;
        const info = this.#app.bodies[hit.body];
        const tool = Object.values(this.#on).find((t) => t?.body === hit.body);
        if (tool === undefined && !info.moves && info.mass === 0) return false;
        const size = tool?.size ?? length(sub(info.high, info.low)) / 2;
        const target = tool?.target ?? info.position;
        const body = { kind: "body", body: hit.body, size, target, mass: info.mass };
        this.hold(tool ?? body, ray, hit.point);
        return true;
    }

    hold(tool, ray, point) {
        const steep = Math.abs(ray.along[1]) > 0.12;
        this.held = {
            body: tool.body, tool, point,
            offset: sub(point, this.#app.bodies[tool.body]?.position ?? point),
            normal: steep ? [0, 1, 0] : this.#app.orbit.back,
        };
    }

    drag(ray) {
        const { tool, point, offset, normal } = this.held;
        const hit = rayPlane(ray, point, normal);
        if (hit === null) return;
        this.#moveTo(tool, sub(hit, offset));
    }

    #moveTo(tool, target) {
        const from = this.#app.orbit.target, reach = 4 * this.#app.orbit.distance;
        const way = sub(target, from), far = length(way);
        const at = far > reach ? add(from, scaled(way, reach / far)) : target;
        if (tool.kind !== "body") at[1] = this.#rest(tool.kind, tool.size, at[0], at[2]);
        tool.target = at;
        this.#pull(tool);
    }

    // Moves the tool by the keyboard: `right` and `ahead` in its sizes, seen from the camera.
    async nudge(kind, right, ahead) {
        const tool = this.#on[kind] ?? await this.place(kind, null);
        const { yaw } = this.#app.orbit, step = 0.5 * tool.size;
        const way = [
            right * Math.cos(yaw) - ahead * Math.sin(yaw), 0,
            -right * Math.sin(yaw) - ahead * Math.cos(yaw),
        ];
        this.#moveTo(tool, add(tool.target, scaled(way, step)));
    }

    release() {
        if (this.held?.tool.mass > 0) this.#app.link.send("release", { body: this.held.body });
        this.held = null;
    }

    // Throws a snowball from the eye along a ray.
    throw(ray) {
        const { low, high } = this.#app.snow, { distance } = this.#app.orbit;
        const { spacing } = this.#app.view;
        const size = length(sub(high, low));
        const radius = clamp(0.05 * size, 3 * spacing, 0.12 * distance);
        const speed = Math.min(THROW * distance, THROW_MAX);
        const from = add(ray.from, scaled(ray.along, 0.35 * distance));
        from[1] = Math.max(from[1], this.#ground(from[0], from[2]) + 1.2 * radius);
        const velocity = add(scaled(ray.along, speed), [0, 0.6, 0]);
        this.#app.link.send("throw", { from, velocity, radius });
        this.#app.refresh();
    }
}
