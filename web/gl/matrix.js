// SPDX-License-Identifier: MIT
// Vectors and 4x4 matrices, column-major as in OpenGL; the same as those of the window
// (app/viewer/gl/matrix.h, app/viewer/input/orbit.h).

export const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
export const add = (a, b) => [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
export const sub = (a, b) => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
export const scaled = (a, s) => [a[0] * s, a[1] * s, a[2] * s];
export const length = (a) => Math.hypot(a[0], a[1], a[2]);
export const cross = (a, b) =>
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
export const unit = (a, otherwise = [0, 1, 0]) => {
    const l = length(a);
    return l > 1e-20 ? scaled(a, 1 / l) : otherwise;
};
export const clamp = (x, low, high) => Math.min(Math.max(x, low), high);

// Orthonormal axes: z along `backward`, x horizontal if possible.
export function axes(backward) {
    const z = unit(backward, [0, 0, 1]);
    let x = cross([0, 1, 0], z);
    if (dot(x, x) < 1e-8) x = cross([0, 0, -1], z);  // straight up or down
    x = unit(x, [1, 0, 0]);
    return [x, cross(z, x), z];
}

// Transform from the world to the frame with these axes and origin.
export function matrixInto([x, y, z], origin) {
    return [
        x[0], y[0], z[0], 0, x[1], y[1], z[1], 0, x[2], y[2], z[2], 0,
        -dot(x, origin), -dot(y, origin), -dot(z, origin), 1,
    ];
}

// Perspective with infinite far plane: depth is 1 - near / distance.
export function perspective(tanX, tanY, near) {
    return [1 / tanX, 0, 0, 0, 0, 1 / tanY, 0, 0, 0, 0, -1, -1, 0, 0, -2 * near, 0];
}

export function multiply(a, b) {
    const out = new Array(16).fill(0);
    for (let column = 0; column < 4; column++)
        for (let row = 0; row < 4; row++)
            for (let k = 0; k < 4; k++) out[4 * column + row] += a[4 * k + row] * b[4 * column + k];
    return out;
}

// Matrix of a body: x_world = position + scale R x. The rotation is a quaternion, w first.
export function poseMatrix({ position, rotation: [w, x, y, z], scale: s }) {
    return [
        s * (1 - 2 * (y * y + z * z)), s * 2 * (x * y + w * z), s * 2 * (x * z - w * y), 0,
        s * 2 * (x * y - w * z), s * (1 - 2 * (x * x + z * z)), s * 2 * (y * z + w * x), 0,
        s * 2 * (x * z + w * y), s * 2 * (y * z - w * x), s * (1 - 2 * (x * x + y * y)), 0,
        ...position, 1,
    ];
}

const PITCH_MAX = 1.5533;  // [rad], 89 degrees

// Orbit camera: looks at a target from a distance, y is up.
export class Orbit {
    constructor(eye, target, fov) {
        const d = sub(eye, target);
        this.target = [...target];
        this.distance = Math.max(length(d), 1e-3);
        this.yaw = Math.atan2(d[0], d[2]);
        this.pitch = clamp(Math.asin(clamp(d[1] / this.distance, -1, 1)), -PITCH_MAX, PITCH_MAX);
        this.fov = fov;  // [degrees], vertical
    }

    get back() {
        const c = Math.cos(this.pitch);
        return [c * Math.sin(this.yaw), Math.sin(this.pitch), c * Math.cos(this.yaw)];
    }

    get right() {
        return [Math.cos(this.yaw), 0, -Math.sin(this.yaw)];
    }

    get up() {
        return cross(this.back, this.right);
    }

    get eye() {
        return add(this.target, scaled(this.back, this.distance));
    }

    // By a drag of (dx, dy) pixels; the picture's height corresponds to 180 degrees.
    turn(dx, dy, height) {
        this.yaw -= Math.PI * dx / height;
        this.pitch = clamp(this.pitch + Math.PI * dy / height, -PITCH_MAX, PITCH_MAX);
    }

    pan(dx, dy, height) {
        const metres = 2 * this.distance * Math.tan(this.fov * Math.PI / 360) / height;
        const by = add(scaled(this.right, -dx * metres), scaled(this.up, dy * metres));
        this.target = add(this.target, by);
    }

    zoom(notches) {
        this.distance = clamp(this.distance * 0.875 ** notches, 1e-3, 1e5);
    }

    // Half tangents of a picture: on an upright screen the width, not the height, is the measure.
    tangents(aspect) {
        const half = Math.tan(this.fov * Math.PI / 360);
        const tanY = aspect < 1 ? half / Math.max(aspect, 0.4) : half;
        return [tanY * aspect, tanY];
    }

    // Ray through a position of the picture, both 0..1 from the top left corner.
    ray(x, y, aspect) {
        const [tanX, tanY] = this.tangents(aspect);
        const side = scaled(this.right, (2 * x - 1) * tanX);
        const along = add(add(scaled(this.back, -1), side), scaled(this.up, (1 - 2 * y) * tanY));
        return { from: this.eye, along: unit(along) };
    }
}

// Where a ray meets a plane; null: behind it, or along it.
export function rayPlane({ from, along }, point, normal) {
    const slope = dot(along, normal);
    if (Math.abs(slope) < 1e-6) return null;
    const distance = dot(sub(point, from), normal) / slope;
    return distance > 0 ? add(from, scaled(along, distance)) : null;
}
