// SPDX-License-Identifier: MIT
// Drivers translate a shader for their machine when it first draws, which takes a second in all
// without a graphics card. A picture of a particle, a triangle and a plane that nobody sees lets
// them begin while the worker still loads the simulation.
import { Orbit } from "./matrix.js";

const ROW = 1024;  // of the renderer's textures
const SIDE = 16;   // [pixels]
const BODY = {
    position: [0, 0, 0], rotation: [1, 0, 0, 0], scale: 1, colour: [0.5, 0.5, 0.5],
    low: [-1, 0, -1], high: [1, 1, 1], visible: true, bounded: true,
};
const PLANE = { ...BODY, bounded: false, point: [0, 0, 0], normal: [0, 1, 0] };

export function warmUp(renderer) {
    renderer.programs.finishAll();  // their questions would wait for the drawing
    renderer.setSnow({
        count: 1, rows: 1, positions: new Float32Array(3 * ROW), phases: null,
        radii: new Float32Array(ROW).fill(0.2), radius: 0.2, low: [-1, -1, -1], high: [1, 1, 1],
        hasWater: false, hasSolid: true,
    });
    renderer.setMesh(0, {
        vertices: new Float32Array([0, 0, 0, 0, 1, 0, 1, 0, 0]),
        normals: new Float32Array([0, 0, 1, 0, 0, 1, 0, 0, 1]),
        triangles: new Uint32Array([0, 1, 2]),
    });
    renderer.draw({
        orbit: new Orbit([1, 1, 3], [0, 0, 0], 40), sun: [0, 1, 0], bodies: [BODY, PLANE],
        marked: -1, width: SIDE, height: SIDE,
    });
    renderer.forgetPicture();
    renderer.removeMeshes();
}
