// SPDX-License-Identifier: MIT
// Two passes: particles spread their volumes to the nodes, then each gathers how much snow is
// around it, which tells how much of its surface is open to the air, and is dragged. Nodes have one
// number here, in the memory of the forces, which step 3 clears. Compiled once, for the baseline:
// wind is the same on every SIMD level.
#include "solver/mpm/outside/mpm_air.h"

#include <string.h>

#include "physics/particle_drag.h"
#include "scene/data/emitter.h"
#include "scene/data/scene.h"
#include "scene/run/wind.h"
#include "solver/mpm/mpm_state.h"
#include "solver/mpm/outside/air_exposure.h"
#include "solver/mpm/ranks/rank_part.h"
#include "solver/mpm/support/blocks.h"
#include "state/tile.h"

#define VEC4_REALS ((ptrdiff_t)(sizeof(firn_vec4) / sizeof(firn_real)))

static firn_real volume_of(const firn_mpm* m, firn_local p)
{
    return firn_mpm_air_volume(m->p.volume[p], m->p.mass[p],
                               m->materials[m->p.material[p]].density);
}

static firn_weights weights_of(const firn_mpm* m, firn_local p)
{
    return firn_weights_of(FIRN_SPLINE_CUBIC, m->p.position[p], m->grid.inverse_cell);
}

// As firn_tile (state/tile.h), of one number a node.
typedef struct volume_tile {
    firn_real node[FIRN_TILE_SIDE][FIRN_TILE_SIDE][FIRN_TILE_STRIDE];
} volume_tile;

static firn_real* corner_of(volume_tile* tile, const firn_weights* w)
{
    return &tile->node[w->base[0] & 3][w->base[1] & 3][w->base[2] & 3];
}

#define ROW(corner, a, b) ((corner) + ((a)*FIRN_TILE_SIDE + (b)) * FIRN_TILE_STRIDE)

static void scatter(firn_real* corner, const firn_weights* w, firn_real value)
{
    for (int a = 0; a < 4; a++)
        for (int b = 0; b < 4; b++) {
            firn_real* row = ROW(corner, a, b);
            const firn_real q = w->w[0][a] * w->w[1][b] * value;
            for (int c = 0; c < 4; c++) row[c] += w->w[2][c] * q;
        }
}

static firn_real gather(const firn_real* corner, const firn_weights* w)
{
    firn_real line[4] = {0, 0, 0, 0};
    for (int a = 0; a < 4; a++)
        for (int b = 0; b < 4; b++) {
            const firn_real* row = ROW(corner, a, b);
            const firn_real q = w->w[0][a] * w->w[1][b];
            for (int c = 0; c < 4; c++) line[c] += q * row[c];
        }
    return line[0] * w->w[2][0] + line[1] * w->w[2][1] + line[2] * w->w[2][2] +
           line[3] * w->w[2][3];
}

// `stride`: numbers of a node.
static void add_tile(const volume_tile* tile, firn_real* nodes, ptrdiff_t stride,
                     const firn_local neighbour[8])
{
    for (int x = 0; x < FIRN_TILE_SIDE; x++)
        for (int y = 0; y < FIRN_TILE_SIDE; y++) {
            firn_real* low = nodes + stride * (ptrdiff_t)firn_tile_row(neighbour, x, y, 0);
            firn_real* high = nodes + stride * (ptrdiff_t)firn_tile_row(neighbour, x, y, 1);
            for (int z = 0; z < 4; z++) low[stride * z] += tile->node[x][y][z];
            for (int z = 0; z < 3; z++) high[stride * z] += tile->node[x][y][z + 4];
        }
}

static void load_tile(volume_tile* tile, const firn_real* nodes, const firn_local neighbour[8])
{
    for (int x = 0; x < FIRN_TILE_SIDE; x++)
        for (int y = 0; y < FIRN_TILE_SIDE; y++) {
            const firn_real* low = nodes + firn_tile_row(neighbour, x, y, 0);
            const firn_real* high = nodes + firn_tile_row(neighbour, x, y, 1);
            for (int z = 0; z < 4; z++) tile->node[x][y][z] = low[z];
            for (int z = 0; z < 3; z++) tile->node[x][y][z + 4] = high[z];
        }
}

static firn_real* volumes_of(const firn_mpm* m)
{
    return (firn_real*)m->node_force;
}

typedef struct spread_pass {
    const firn_mpm* m;
    const firn_sparse_grid* grid;  // whose blocks spread, and where to
    firn_real* nodes;
    ptrdiff_t stride;
} spread_pass;

static void spread_block(const void* self, firn_local b)
{
    const spread_pass* pass = self;
    const firn_mpm* m = pass->m;
    volume_tile tile = {{{{0}}}};
    for (firn_local k = m->grid.first[b]; k < m->grid.first[b + 1]; k++) {
        const firn_local p = m->grid.order[k];
        const firn_weights w = weights_of(m, p);
        scatter(corner_of(&tile, &w), &w, volume_of(m, p));
    }
    add_tile(&tile, pass->nodes, pass->stride, pass->grid->neighbour[b]);
}

// Share of the surface of particle p that is open to the air.
static firn_real exposure(const firn_mpm* m, firn_local p, volume_tile* tile)
{
    const firn_weights w = weights_of(m, p);
    return firn_mpm_exposure(w.w, volume_of(m, p), gather(corner_of(tile, &w), &w),
                             m->grid.inverse_cell);
}

// [1/s] of particle p, which the air passes at `speed` [m/s].
static firn_real rate_of(const firn_mpm* m, firn_local p, firn_real exposed, firn_real speed)
{
    const firn_scene_data* scene = m->base.scene;
    const firn_real mass = m->p.mass[p];
    const uint32_t number = m->p.emitter != NULL ? m->p.emitter[p] : 0;
    const firn_emitter* e = number > 0 && number <= (uint32_t)scene->emitter_count
                                ? &scene->emitters[number - 1]
                                : NULL;
    return firn_drag_particle(exposed, speed, mass, mass / volume_of(m, p),
                              e != NULL ? e->flake_size : 0, e != NULL ? e->flake_density : 0,
                              (firn_real)scene->air.density, (firn_real)scene->air.viscosity);
}

static void drag_block(const void* self, firn_local b)
{
    const firn_mpm* m = self;
    const firn_real dt = (firn_real)m->base.dt;
    volume_tile tile;
    load_tile(&tile, volumes_of(m), m->grid.neighbour[b]);
    for (firn_local k = m->grid.first[b]; k < m->grid.first[b + 1]; k++) {
        const firn_local p = m->grid.order[k];
        const firn_real exposed = exposure(m, p, &tile);
        if (!(exposed > 0)) continue;
        // the rate, which grows with the speed, is that of v with gravity, which step 4 adds
        const firn_vec3 fall = firn_v3_scale(m->gravity, dt);
        const firn_vec3 v = firn_v3_add(m->p.velocity[p], fall);
        const firn_vec3 wind = firn_wind(m->base.scene, m->p.position[p], m->base.time);
        const firn_real rate = rate_of(m, p, exposed, firn_v3_length(firn_v3_sub(v, wind)));
        m->p.velocity[p] = firn_v3_sub(firn_dragged(v, wind, dt, rate), fall);
    }
}

// Volumes on all nodes, of the particles of all ranks.
static void spread(firn_mpm* m)
{
    const spread_pass all = {m, &m->grid, volumes_of(m), 1};
    firn_halo* halo = m->part != NULL ? &m->part->halo : NULL;
    memset(all.nodes, 0, (size_t)firn_grid_node_count(&m->grid) * sizeof *all.nodes);
    if (halo != NULL) {
        firn_real* tiles = (firn_real*)firn_halo_tiles(halo, 0);
        firn_mpm_scatter_blocks(&halo->view, spread_block,
                                &(spread_pass){m, &halo->view, tiles, VEC4_REALS});
        firn_halo_begin(halo, 1);
    }
    firn_mpm_scatter_blocks(&m->grid, spread_block, &all);
    if (halo == NULL) return;
    firn_halo_join(halo, &m->node_velocity);  // which step 1 clears
    for (firn_local k = 0; k < firn_halo_shared_count(halo); k++) {
        const size_t first = (size_t)firn_halo_shared(halo, k) * FIRN_BLOCK_NODES;
        const firn_real* joined = (const firn_real*)(m->node_velocity + first);
        for (size_t n = 0; n < FIRN_BLOCK_NODES; n++) all.nodes[first + n] = joined[VEC4_REALS * n];
    }
}

void firn_mpm_blow(firn_mpm* m)
{
    const firn_air_block* air = &m->base.scene->air;
    if (!air->active || !air->drag || (m->p.count == 0 && m->part == NULL)) return;
    spread(m);
    firn_mpm_gather_blocks(&m->grid, drag_block, m);
}
