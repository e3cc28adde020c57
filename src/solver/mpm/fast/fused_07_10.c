// SPDX-License-Identifier: MIT
// Steps 7 to 10 in one pass, the loop: a gather; each block writes its own particles.
//
//   chunk of 64 -> SIMD batches: where in its cell each particle is
//               -> one by one: gradient and velocities of the grid -> records
//               -> SIMD batches: deformation, clamp and velocity of 8 or 16 at once
//               -> one by one, near colliders only: collision
//               -> SIMD batches: advection -> particles
#include "solver/mpm/fast/fused_07_10.h"

#include <string.h>

#include "core/simd/records.h"
#include "physics/snow_plasticity_lanes.h"
#include "solver/mpm/support/blocks.h"
#include "solver/mpm/support/chunk.h"
#include "state/tile_rows.h"

typedef struct block_tiles {
    firn_tile new;   // v_i^{n+1}; fourth: unused friction
    firn_tile move;  // u_i; fourth: the same; not loaded with APIC
    firn_mpm_bodies bodies;
} block_tiles;

static void load_tiles(const firn_mpm_particle_velocity_args* a, firn_local b, block_tiles* tiles)
{
    firn_tile_load(&tiles->new, a->node_new, a->grid->neighbour[b]);
    if (a->affine != NULL) return;
    firn_tile_load(&tiles->move, a->node_velocity, a->grid->neighbour[b]);
    firn_vec4* u = &tiles->move.node[0][0][0];
    const firn_vec4* v = &tiles->new.node[0][0][0];
    const firn_vec4 by = {-a->alpha, -a->alpha, -a->alpha, 0};  // fourth: unused friction
    for (int k = 0; k < FIRN_TILE_SIDE * FIRN_TILE_SIDE * FIRN_TILE_STRIDE; k++)
        u[k] = firn_vec4_fma(by, u[k], v[k]);  // firn_mpm_blend_node, three components
}

// B_p of APIC: a gradient whose "slopes" are the first moments N (x_i - x_p).
static firn_mat3 read_affine(const firn_vec4* corner, const firn_stencil* at, const firn_real t[3],
                             firn_real cell)
{
    firn_stencil moments;
    firn_stencil_moments(at, t, cell, &moments);
    firn_real g[FIRN_ROW];
    firn_tile_read(corner, NULL, &moments, g);
    return (firn_mat3){{{g[0], g[4], g[8]}, {g[1], g[5], g[9]}, {g[2], g[6], g[10]}}};
}

// Gathers what steps 7 and 8 need of the grid: the velocity gradient, column by column, then the
// blended velocities, in g. With APIC also B_p.
static void gather_particle(const firn_mpm_particle_velocity_args* a, const block_tiles* tiles,
                            firn_local p, const firn_cell_offset* offset, firn_real g[FIRN_RECORD])
{
    const firn_vec4* corner = &tiles->new.node[0][0][0] + offset->corner;
    firn_stencil at;
    firn_stencil_at(a->spline, offset, a->grid->inverse_cell, &at);
    if (a->affine != NULL) {
        firn_tile_read(corner, NULL, &at, g);
        a->affine[p] = read_affine(corner, &at, offset->t, a->grid->cell);
    } else {
        firn_tile_read(corner, &tiles->move.node[0][0][0] + offset->corner, &at, g);
    }
}

// Step 8, firn_mpm_blend_gathered of a SIMD batch: the particles from k on.
static void blend_lanes(const firn_mpm_particle_velocity_args* a, int k,
                        const firn_lanes g[FIRN_RECORD], firn_chunk_motion* c)
{
    const firn_lanes alpha = firn_lanes_all(a->alpha);
    for (int d = 0; d < 3; d++) {
        firn_lanes v = g[12 + d];
        if (a->affine == NULL) v = firn_lanes_fma(alpha, firn_lanes_load(c->v[d] + k), v);
        firn_lanes_store(c->v[d] + k, v);
    }
}

// Step 9, one by one: few blocks are near a collider.
static void collide_chunk(const firn_mpm_fused_07_10_args* a, const block_tiles* tiles,
                          const firn_local* order, int count, bool near_body,
                          const firn_real gradient[][FIRN_RECORD], firn_chunk_motion* c)
{
    const firn_mpm_hold* hold = &a->velocity.hold;
    if (!near_body && hold->grip == NULL) return;
    for (int k = 0; k < count; k++) {
        const firn_local p = order[k];
        if (hold->grip != NULL) firn_mpm_take_grip(hold, p, gradient[k][15], a->velocity.dt);
        const firn_vec3 v = firn_mpm_collide_particle(
            &tiles->bodies, &a->collide.hold, a->velocity.grid->cell, near_body, p,
            firn_v3(c->x[0][k], c->x[1][k], c->x[2][k]),
            firn_v3(c->v[0][k], c->v[1][k], c->v[2][k]), a->collide.mass[p]);
        c->v[0][k] = v.x, c->v[1][k] = v.y, c->v[2][k] = v.z;
    }
}

// Step 10. Returns the first runaway, or -1.
static firn_local advect_chunk(const firn_mpm_fused_07_10_args* a, const firn_local* order,
                               int count, firn_chunk_motion* c)
{
    const firn_real limit = firn_mpm_runaway_limit(a->velocity.grid->cell, a->advect.dt);
    int runaways = 0;
    for (int k = 0; k < count; k++) {
        const firn_vec3 v = firn_v3(c->v[0][k], c->v[1][k], c->v[2][k]);
        const firn_vec3 x =
            firn_mpm_advect(firn_v3(c->x[0][k], c->x[1][k], c->x[2][k]), v, a->advect.dt);
        c->x[0][k] = x.x, c->x[1][k] = x.y, c->x[2][k] = x.z;
        runaways += !(firn_v3_dot(v, v) <= limit);
    }
    firn_local first = -1;
    for (int k = 0; k < count; k++) {
        const firn_local p = order[k];
        const firn_vec3 v = firn_v3(c->v[0][k], c->v[1][k], c->v[2][k]);
        a->velocity.velocity[p] = v;
        a->advect.position[p] = firn_v3(c->x[0][k], c->x[1][k], c->x[2][k]);
        if (runaways > 0 && first < 0 && !(firn_v3_dot(v, v) <= limit)) first = p;
    }
    return first;
}

static void gather_deform_record(const firn_mpm_deformation_args* a, firn_local p,
                                 firn_real r[FIRN_RECORD])
{
    const firn_mpm_thresholds t = firn_mpm_thresholds_of(a, p);
    memcpy(r, &a->def_grad_elastic[p], sizeof(firn_mat3));
    r[9] = a->plastic_det[p];
    const bool clay = a->materials[a->material[p]].clay.friction > 0;  // no clamp: flow_clay
    r[10] = clay ? 0 : 1 - t.theta_c;
    r[11] = clay ? 1000 : 1 + t.theta_s;
}

// firn_mpm_deform_particle of a SIMD batch with the gradients g; returns the lanes that are
// inverted.
static unsigned deform_lanes(firn_real dt, const firn_lanes g[FIRN_RECORD],
                             firn_real record[][FIRN_RECORD])
{
    firn_lanes l[FIRN_RECORD];
    firn_records_to_lanes((const firn_real(*)[FIRN_RECORD])record, l);
    const firn_mat3_lanes grad_v = {{{g[0], g[4], g[8]}, {g[1], g[5], g[9]}, {g[2], g[6], g[10]}}};
    const firn_mat3_lanes F_E = {{{l[0], l[1], l[2]}, {l[3], l[4], l[5]}, {l[6], l[7], l[8]}}};
    const firn_mat3_lanes F_hat = firn_deformation_trial_lanes(F_E, firn_lanes_all(dt), grad_v);
    const firn_snow_clamped_lanes c = firn_snow_clamp_lanes(F_hat, l[9], l[10], l[11]);
    for (int k = 0; k < 9; k++) l[k] = c.F_E.m[k / 3][k % 3];
    l[9] = c.J_P;
    firn_records_from_lanes(l, record);
    return firn_mask_bits(c.inverted);
}

// Particles of materials with Cam-Clay, one by one; their records have the trial.
static void flow_clay(const firn_mpm_deformation_args* a, const firn_local* order, int count,
                      firn_real record[][FIRN_RECORD], firn_mpm_fault* fault)
{
    for (int k = 0; k < count; k++) {
        if (!(a->materials[a->material[order[k]]].clay.friction > 0)) continue;
        firn_mat3 F_hat;
        memcpy(&F_hat, record[k], sizeof F_hat);
        const firn_snow_clamped r = firn_mpm_clay_particle(a, order[k], F_hat);
        if (r.inverted && fault->inverted < 0) fault->inverted = order[k];
        memcpy(record[k], &r.F_E, sizeof r.F_E);
        record[k][9] = r.J_P;
    }
}

// Steps 7 and 8: F_E and J_P of the particles, v_p in `c`.
static void deform_chunk(const firn_mpm_fused_07_10_args* args, const firn_local* order, int count,
                         const firn_real gradient[][FIRN_RECORD], firn_chunk_motion* c,
                         firn_mpm_fault* fault)
{
    const firn_mpm_deformation_args* a = &args->deformation;
    firn_real record[FIRN_CHUNK][FIRN_RECORD];
    for (int k = 0; k < count; k++) gather_deform_record(a, order[k], record[k]);
    firn_chunk_fill(record, count);
    for (int k = 0; k < count; k += FIRN_LANES) {
        firn_lanes g[FIRN_RECORD];
        firn_records_to_lanes(gradient + k, g);
        blend_lanes(&args->velocity, k, g, c);
        const unsigned inverted = deform_lanes(a->dt, g, record + k);
        if (inverted != 0 && fault->inverted < 0)  // the last particle's copies come after it
            fault->inverted = order[k + __builtin_ctz(inverted)];
    }
    if (a->consolidation != NULL) flow_clay(a, order, count, record, fault);
    for (int k = 0; k < count; k++) {
        const firn_real J_before = a->plastic_det[order[k]];
        memcpy(&a->def_grad_elastic[order[k]], record[k], sizeof(firn_mat3));
        a->plastic_det[order[k]] = record[k][9];
        // one by one: snow that ages is at rest, and the linear solve costs more
        if (a->creep_stiffness != NULL && fault->inverted < 0)
            firn_mpm_age_particle(a, order[k], J_before);
    }
}

static void fused_07_10_block(const void* args, firn_local b)
{
    const firn_mpm_fused_07_10_args* a = args;
    const firn_sparse_grid* grid = a->velocity.grid;
    block_tiles tiles;
    load_tiles(&a->velocity, b, &tiles);
    firn_mpm_pending pending = {-1, {0}};
    tiles.bodies = firn_mpm_particle_bodies(&a->collide, &pending);
    const bool near_body = firn_mpm_block_near_body(a->collide.colliders, a->collide.collider_count,
                                                    grid->coord[b], grid->cell, true);
    firn_mpm_fault fault = {-1, -1};
    for (firn_local begin = grid->first[b]; begin < grid->first[b + 1]; begin += FIRN_CHUNK) {
        const firn_local* order = grid->order + begin;
        const int count = firn_chunk_count(grid, b, begin);
        firn_chunk_motion c;
        for (int k = 0; k < count; k++)
            firn_chunk_load_motion(&c, k, a->velocity.position[order[k]],
                                   a->velocity.velocity[order[k]]);
        firn_chunk_fill_motion(&c, count);
        firn_chunk_offsets(&c, count, grid->inverse_cell);
        firn_real gradient[FIRN_CHUNK][FIRN_RECORD];
        for (int k = 0; k < count; k++) {
            firn_chunk_prefetch(grid, begin, k, a->deformation.def_grad_elastic,
                                a->velocity.position, a->velocity.velocity);
            gather_particle(&a->velocity, &tiles, order[k], &c.offset[k], gradient[k]);
        }
        firn_chunk_fill(gradient, count);
        const firn_real(*g)[FIRN_RECORD] = (const firn_real(*)[FIRN_RECORD])gradient;
        deform_chunk(a, order, count, g, &c, &fault);
        collide_chunk(a, &tiles, order, count, near_body, g, &c);
        const firn_local runaway = advect_chunk(a, order, count, &c);
        if (fault.runaway < 0) fault.runaway = runaway;
    }
    firn_mpm_flush(&tiles.bodies);
    a->deformation.faults[b] = fault;
}

static void fused_07_10(const firn_mpm_fused_07_10_args* a)
{
    firn_mpm_gather_blocks(a->velocity.grid, fused_07_10_block, a);
}
