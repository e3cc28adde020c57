// SPDX-License-Identifier: MIT
// Two passes: particles spread their volumes to the nodes, then each gathers how much snow is
// around it, which tells how much of its surface is open to the air, and is dragged. The nodes are
// those of the forces, which step 3 clears. Compiled once, for the baseline: wind is the same on
// every SIMD level.
#include "solver/mpm/support/mpm_air.h"

#include "physics/particle_drag.h"
#include "scene/data/emitter.h"
#include "scene/data/scene.h"
#include "scene/run/wind.h"
#include "solver/mpm/mpm_state.h"
#include "solver/mpm/support/blocks.h"
#include "state/tile.h"

// V_p^0; in the first step with `volumes: grid` it is not known yet.
static firn_real volume_of(const firn_mpm* m, firn_local p)
{
    const firn_real V = m->p.volume[p];
    return V > 0 ? V : m->p.mass[p] / m->materials[m->p.material[p]].density;
}

static firn_weights weights_of(const firn_mpm* m, firn_local p)
{
    return firn_weights_of(FIRN_SPLINE_CUBIC, m->p.position[p], m->grid.inverse_cell);
}

static void spread_block(const void* self, firn_local b)
{
    const firn_mpm* m = self;
    firn_tile tile;
    firn_tile_clear(&tile);
    for (firn_local k = m->grid.first[b]; k < m->grid.first[b + 1]; k++) {
        const firn_local p = m->grid.order[k];
        const firn_weights w = weights_of(m, p);
        firn_tile_scatter(firn_tile_corner(&tile, &w), &w, (firn_vec4){volume_of(m, p), 0, 0, 0});
    }
    firn_tile_add(&tile, m->node_force, m->grid.neighbour[b]);
}

// Share of the surface of particle p that is open to the air.
static firn_real exposure(const firn_mpm* m, firn_local p, const firn_tile* tile)
{
    const firn_weights w = weights_of(m, p);
    firn_real own = volume_of(m, p);
    for (int d = 0; d < 3; d++) {
        firn_real squares = 0;
        for (int i = 0; i < 4; i++) squares += w.w[d][i] * w.w[d][i];
        own *= squares;
    }
    const firn_real volume = firn_tile_gather(firn_tile_corner_const(tile, &w), &w)[0] - own;
    const firn_real per_cell = m->grid.inverse_cell * m->grid.inverse_cell * m->grid.inverse_cell;
    return firn_drag_exposure_filled(volume * per_cell / (firn_real)FIRN_DRAG_OTHERS_FULL);
}

// [1/s] of particle p, which the air passes at `speed` [m/s].
static firn_real rate_of(const firn_mpm* m, firn_local p, firn_real exposed, firn_real speed)
{
    const firn_scene_data* scene = m->base.scene;
    const firn_real density = (firn_real)scene->air.density;
    const firn_real viscosity = (firn_real)scene->air.viscosity;
    const firn_real mass = m->p.mass[p];
    const firn_real snow = firn_drag_lump(speed, mass, mass / volume_of(m, p), density, viscosity);
    const uint32_t number = m->p.emitter != NULL ? m->p.emitter[p] : 0;
    const firn_emitter* e = number > 0 && number <= (uint32_t)scene->emitter_count
                                ? &scene->emitters[number - 1]
                                : NULL;
    if (e == NULL || !(e->flake_size > 0)) return exposed * snow;
    return firn_drag_mixed(exposed,
                           firn_drag_flake(speed, (firn_real)e->flake_size,
                                           (firn_real)e->flake_density, density, viscosity),
                           snow);
}

static void drag_block(const void* self, firn_local b)
{
    const firn_mpm* m = self;
    const firn_real dt = (firn_real)m->base.dt;
    firn_tile tile;
    firn_tile_load(&tile, m->node_force, m->grid.neighbour[b]);
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

void firn_mpm_blow(firn_mpm* m)
{
    const firn_air_block* air = &m->base.scene->air;
    if (!air->active || !air->drag || m->p.count == 0) return;
    firn_mpm_clear_nodes(&m->grid, m->node_force);
    firn_mpm_scatter_blocks(&m->grid, spread_block, m);
    firn_mpm_gather_blocks(&m->grid, drag_block, m);
}
