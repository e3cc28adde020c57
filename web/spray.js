// SPDX-License-Identifier: MIT
// Spray: particles that fly alone are drawn smaller than those inside the snow, as powder, not as
// balls. Neighbours are counted in two grids of cells, the second shifted by half a cell, so that a
// particle at the edge of one is inside the other.

const TABLE = 1 << 16;  // cells share entries by their hash; a collision hides some spray
const EDGE = 4;         // [radii] of a cell: 8 particles of packed snow
const SIZES = [1, 0.45, 0.6, 0.8];  // by the number of particles in the cell; 1 for more

const counts = [new Uint16Array(TABLE), new Uint16Array(TABLE)];
let cells = [new Uint16Array(0), new Uint16Array(0)];

function hashOf(x, y, z) {
    return (Math.imul(x, 73856093) ^ Math.imul(y, 19349663) ^ Math.imul(z, 83492791)) >>> 16;
}

// Scales radii[0 .. count). `positions`: x, y, z of each.
export function shrinkSpray(positions, radii, count, radius) {
    if (cells[0].length < count) cells = cells.map(() => new Uint16Array(2 * count));
    const inverse = 1 / (EDGE * radius);
    for (let g = 0; g < 2; g++) {
        const cell = cells[g], inCell = counts[g].fill(0), shift = 0.5 * g;
        for (let p = 0; p < count; p++) {
            const h = hashOf(Math.floor(positions[3 * p] * inverse + shift),
                Math.floor(positions[3 * p + 1] * inverse + shift),
                Math.floor(positions[3 * p + 2] * inverse + shift));
            cell[p] = h;
            if (inCell[h] < 65535) inCell[h]++;
        }
    }
    for (let p = 0; p < count; p++) {
        const near = Math.max(counts[0][cells[0][p]], counts[1][cells[1][p]]);
        if (near < SIZES.length) radii[p] *= SIZES[near];
    }
}
