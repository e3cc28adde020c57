// SPDX-License-Identifier: MIT
// Rasterizes particles into the blocks of the snow volume with quadratic B-splines.
//
// Threads: blocks have 8 colours by the parity of their coordinates. A block's particles write at
// most one voxel into its neighbours, so two blocks of one colour never write the same voxel
//     | A . . . | n n n n | B . . . |        A and B both write into n: A its first column,
//                 ^A    ^B                   B its last
// and colours are processed in a fixed order: sums are bitwise equal for any number of threads.
#include <string.h>

#include "core/memory.h"
#include "core/threads/team.h"
#include "render/preview/snow/snow_build.h"
#include "render/texture.h"

// Weights of the quadratic B-spline for a point f in [-0.5, 0.5] from its voxel's centre.
static void spline(float f, float w[3])
{
    w[0] = 0.5f * (0.5f - f) * (0.5f - f);
    w[1] = 0.75f - f * f;
    w[2] = 0.5f * (0.5f + f) * (0.5f + f);
}

// Total occupancy that a particle adds, varied by up to 10 % by its id: equal particles on a
// lattice would make the lattice visible.
static float particle_occupancy(const snow_build* b, firn_local p)
{
    const firn_snow_volume* v = b->volume;
    const float grain = 0.1f * firn_hash_signed(firn_snow_id(b->points, p) * 2654435761u + 7u);
    return (float)(v->volume / (v->voxel * v->voxel * v->voxel)) *
           firn_snow_share(v, b->points, p) * (1 + grain);
}

// Rasterizes all particles of a window cell into a tile: the cell's voxels and one layer around.
static void rasterize_cell(const snow_build* b, int32_t cell, const int32_t at[3], float* tile)
{
    memset(tile, 0, FIRN_SNOW_FINE * sizeof *tile);
    for (int32_t k = b->start[cell]; k < b->start[cell + 1]; k++) {
        const firn_local p = b->order[k];
        const firn_grid_point g = firn_snow_to_grid(b->volume, b->points->x[p]);
        const float u[3] = {g.x - (float)(at[0] * FIRN_SNOW_BLOCK),
                            g.y - (float)(at[1] * FIRN_SNOW_BLOCK),
                            g.z - (float)(at[2] * FIRN_SNOW_BLOCK)};
        int32_t i[3];
        float w[3][3];
        for (int a = 0; a < 3; a++) {
            i[a] = (int32_t)u[a];
            spline(u[a] - (float)i[a] - 0.5f, w[a]);
        }
        const float m = particle_occupancy(b, p);
        for (int c = 0; c < 3; c++)
            for (int d = 0; d < 3; d++) {
                float* row = tile + ((i[2] + c) * 10 + i[1] + d) * 10 + i[0];
                const float s = m * w[2][c] * w[1][d];
                row[0] += s * w[0][0];
                row[1] += s * w[0][1];
                row[2] += s * w[0][2];
            }
    }
}

// Overlap of a tile of n voxels plus layer with the neighbour at offset d: first index and length.
// In the neighbour's indices (layer included) the same voxels start at `from - d * n`.
static void overlap(int d, int32_t n, int32_t* from, int32_t* length)
{
    *from = d < 0 ? 0 : d == 0 ? 1 : n + 1;
    *length = d == 0 ? n : 1;
}

static void add_tile(firn_snow_volume* v, int32_t cell, const float* tile)
{
    for (int c = 0; c < 27; c++) {
        const int d[3] = {c % 3 - 1, c / 3 % 3 - 1, c / 9 - 1};
        const int32_t block = v->table[cell + d[0] + (d[1] + d[2] * v->size[1]) * v->size[0]];
        if (block < 0) continue;  // no particle reaches it: the tile is 0 there
        float* fine = v->fine + (size_t)block * FIRN_SNOW_FINE;
        int32_t from[3], length[3];
        for (int a = 0; a < 3; a++) overlap(d[a], FIRN_SNOW_BLOCK, &from[a], &length[a]);
        const int32_t shift =
            ((d[2] * FIRN_SNOW_BLOCK * 10) + d[1] * FIRN_SNOW_BLOCK) * 10 + d[0] * FIRN_SNOW_BLOCK;
        for (int32_t z = from[2]; z < from[2] + length[2]; z++)
            for (int32_t y = from[1]; y < from[1] + length[1]; y++)
                for (int32_t x = from[0]; x < from[0] + length[0]; x++) {
                    const int32_t i = (z * 10 + y) * 10 + x;
                    fine[i - shift] += tile[i];
                }
    }
}

typedef struct colour_args {
    const snow_build* b;
    int colour;
} colour_args;

static void rasterize_cells(const void* self, firn_local begin, firn_local end)
{
    const colour_args* a = self;
    const snow_build* b = a->b;
    const int32_t nx = b->volume->size[0], ny = b->volume->size[1];
    for (firn_local f = begin; f < end; f++) {
        const int32_t cell = b->full[f];
        const int32_t at[3] = {cell % nx, cell / nx % ny, cell / nx / ny};
        if (((at[0] & 1) | (at[1] & 1) << 1 | (at[2] & 1) << 2) != a->colour) continue;
        float tile[FIRN_SNOW_FINE];
        rasterize_cell(b, cell, at, tile);
        add_tile(b->volume, cell, tile);
    }
}

// Copies the neighbours' outermost voxels into the ghost layer around a cube of n^3. Reads only
// inner voxels and writes only ghosts, so blocks can be processed in parallel.
static void copy_layer(const firn_snow_volume* v, float* values, int32_t n, int32_t block)
{
    const int32_t m = n + 2;
    const int32_t* at = v->at[block];
    float* own = values + (size_t)block * (size_t)(m * m * m);
    for (int c = 0; c < 27; c++) {
        const int d[3] = {c % 3 - 1, c / 3 % 3 - 1, c / 9 - 1};
        if (c == 13) continue;  // itself
        const int32_t i = at[0] + d[0], j = at[1] + d[1], k = at[2] + d[2];
        const bool inside =
            i >= 0 && j >= 0 && k >= 0 && i < v->size[0] && j < v->size[1] && k < v->size[2];
        const int32_t other = inside ? v->table[(k * v->size[1] + j) * v->size[0] + i] : -1;
        if (other < 0) continue;  // air: the layer is zero already
        const float* from_block = values + (size_t)other * (size_t)(m * m * m);
        int32_t from[3], length[3];
        for (int a = 0; a < 3; a++) overlap(d[a], n, &from[a], &length[a]);
        const int32_t shift = ((d[2] * n * m) + d[1] * n) * m + d[0] * n;
        for (int32_t z = from[2]; z < from[2] + length[2]; z++)
            for (int32_t y = from[1]; y < from[1] + length[1]; y++)
                for (int32_t x = from[0]; x < from[0] + length[0]; x++) {
                    const int32_t o = (z * m + y) * m + x;
                    own[o] = from_block[o - shift];
                }
    }
}

// Computes `mid` (means of 2^3 voxels) and `coarse` (mean of the block).
static void average(firn_snow_volume* v, int32_t block)
{
    const float* fine = v->fine + (size_t)block * FIRN_SNOW_FINE;
    float* mid = v->mid + (size_t)block * FIRN_SNOW_MID;
    float total = 0;
    for (int z = 0; z < 4; z++)
        for (int y = 0; y < 4; y++)
            for (int x = 0; x < 4; x++) {
                const float* c = fine + ((2 * z + 1) * 10 + 2 * y + 1) * 10 + 2 * x + 1;
                const float sum =
                    ((c[0] + c[1]) + (c[10] + c[11])) + ((c[100] + c[101]) + (c[110] + c[111]));
                mid[((z + 1) * 6 + y + 1) * 6 + x + 1] = 0.125f * sum;
                total += sum;
            }
    const int32_t* at = v->at[block];
    v->coarse[(at[2] * v->size[1] + at[1]) * v->size[0] + at[0]] = total / 512.0f;
}

// Marks the octants of a block that contain, or interpolate from, packed snow.
static void find_solid(firn_snow_volume* v, int32_t block)
{
    const float* mid = v->mid + (size_t)block * FIRN_SNOW_MID;
    uint32_t solid = 0;
    for (int i = 0; i < FIRN_SNOW_MID; i++) {
        if (mid[i] <= FIRN_SNOW_SOLID) continue;
        const int at[3] = {i % 6, i / 6 % 6, i / 36};
        uint32_t reach[3];  // halves of the axis that this value affects by interpolation
        for (int a = 0; a < 3; a++) reach[a] = (at[a] <= 3 ? 1u : 0u) | (at[a] >= 2 ? 2u : 0u);
        for (uint32_t c = 0; c < 8; c++)
            if ((reach[0] >> (c & 1u) & 1u) && (reach[1] >> (c >> 1 & 1u) & 1u) &&
                (reach[2] >> (c >> 2) & 1u))
                solid |= 1u << c;
    }
    v->solid[block] = (uint8_t)solid;
}

// Ghosts of `fine` are written here and read by nobody; those of `mid` need the means of all
// blocks.
static void average_blocks(const void* self, firn_local begin, firn_local end)
{
    firn_snow_volume* v = ((const snow_build*)self)->volume;
    for (firn_local k = begin; k < end; k++) {
        average(v, k);
        copy_layer(v, v->fine, FIRN_SNOW_BLOCK, k);
    }
}

static void finish_blocks(const void* self, firn_local begin, firn_local end)
{
    firn_snow_volume* v = ((const snow_build*)self)->volume;
    for (firn_local k = begin; k < end; k++) {
        copy_layer(v, v->mid, FIRN_SNOW_BLOCK / 2, k);
        find_solid(v, k);
    }
}

static void place_blocks(const void* self, firn_local begin, firn_local end)
{
    const firn_snow_volume* v = ((const snow_build*)self)->volume;
    for (firn_local c = begin; c < end; c++) {
        if (v->table[c] < 0) continue;
        int32_t* at = v->at[v->table[c]];
        at[0] = c % v->size[0];
        at[1] = c / v->size[0] % v->size[1];
        at[2] = c / v->size[0] / v->size[1];
    }
}

firn_result firn_snow_fill(const snow_build* b, firn_error* error)
{
    firn_snow_volume* v = b->volume;
    const size_t blocks = (size_t)v->block_count;
    v->at = firn_alloc(blocks, sizeof *v->at);
    v->fine = firn_alloc(blocks, FIRN_SNOW_FINE * sizeof *v->fine);
    v->mid = firn_alloc(blocks, FIRN_SNOW_MID * sizeof *v->mid);
    v->solid = firn_alloc(blocks, sizeof *v->solid);
    v->coarse = firn_alloc((size_t)b->window, sizeof *v->coarse);
    if (v->at == NULL || v->fine == NULL || v->mid == NULL || v->solid == NULL || v->coarse == NULL)
        return firn_snow_no_memory(error);
    firn_share(b->window, 4096, place_blocks, b);
    for (int colour = 0; colour < 8; colour++) {
        const colour_args a = {b, colour};
        firn_share(b->full_count, 4, rasterize_cells, &a);  // one of 8 has the colour
    }
    firn_share(v->block_count, 4, average_blocks, b);
    firn_share(v->block_count, 8, finish_blocks, b);
    return FIRN_OK;
}
