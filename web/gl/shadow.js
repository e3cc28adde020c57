// SPDX-License-Identifier: MIT
// The shadow map, and the view of the sun that it is drawn with.
import { axes, dot, length, matrixInto, multiply, sub } from "./matrix.js";
import { createTarget } from "./targets.js";

export function createShadow(gl, side) {
    const shadow = createTarget(gl, side, side, { depth: gl.DEPTH_COMPONENT32F });
    gl.bindTexture(gl.TEXTURE_2D, shadow.depth);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.LINEAR);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MAG_FILTER, gl.LINEAR);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_COMPARE_MODE, gl.COMPARE_REF_TO_TEXTURE);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_COMPARE_FUNC, gl.LEQUAL);
    return shadow;
}

// Bounds of snow and of the bodies near it that are not much larger.
function boundsOf(snow, bodies) {
    let low = [...snow.low], high = [...snow.high];
    const diagonal = length(sub(high, low));
    for (const body of bodies) {
        if (!body.bounded || !body.visible) continue;
        const size = length(sub(body.high, body.low)) / 2;
        const apart = Math.hypot(...[0, 1, 2].map((k) =>
            Math.max(snow.low[k] - body.high[k], body.low[k] - snow.high[k], 0)));
        if (diagonal > 0 && (size > diagonal || apart > size + diagonal)) continue;
        low = low.map((x, k) => Math.min(x, body.low[k]));
        high = high.map((x, k) => Math.max(x, body.high[k]));
    }
    return [low, high];
}

// Fits a map of `side` texels to the scene: { light: matrix, texel, depth [m] }. Quantised to
// texels, so that shadow edges do not shimmer.
export function fitShadow(side, sun, snow, bodies) {
    const [low, high] = boundsOf(snow, bodies);
    let radius = Math.sqrt(Math.max(length(sub(high, low)) ** 2 / 4, 1e-6));
    radius = 2 ** (Math.ceil(4 * Math.log2(radius)) / 4);
    const frame = axes(sun), [x, y, z] = frame;
    let centre = low.map((l, k) => (l + high[k]) / 2);
    const texel = 2 * radius / side;
    const u = Math.floor(dot(x, centre) / texel) * texel;
    const v = Math.floor(dot(y, centre) / texel) * texel;
    const w = dot(z, centre);
    centre = [0, 1, 2].map((k) => u * x[k] + v * y[k] + w * z[k]);
    // Twice as deep as wide: WebGL cannot clamp depths of occluders outside.
    const clip = [1 / radius, 0, 0, 0, 0, 1 / radius, 0, 0, 0, 0, -1 / radius, 0, 0, 0, 0, 1];
    return { light: multiply(clip, matrixInto(frame, centre)), texel, depth: 2 * radius };
}
