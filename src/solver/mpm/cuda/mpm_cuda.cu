// SPDX-License-Identifier: MIT
// An mpm simulation on a CUDA device: its memory, and the table of its kernels.
#include <climits>
#include <cstdint>
#include <cstdio>

#include "physics/powder.h"
#include "solver/mpm/cuda/mpm_cuda_own.cuh"
#include "solver/shared/cuda/cuda_air.cuh"

namespace {

const int PARTIALS = 132 * 64;

void take_state(firn_cuda_taking& t, firn_mpm_cuda* c)
{
    firn_mpm_device& d = c->d;
    firn_cuda_take_state(c, t, FIRN_MPM_AT, &d.at);
    firn_cuda_take_state(c, t, FIRN_MPM_MOTION, &d.motion);
    firn_cuda_take_state(c, t, FIRN_MPM_STRAIN0, &d.strain0);
    firn_cuda_take_state(c, t, FIRN_MPM_STRAIN1, &d.strain1);
    firn_cuda_take_state(c, t, FIRN_MPM_STRAIN2, &d.strain2);
    firn_cuda_take_state(c, t, FIRN_MPM_ID, &d.id);
    if (c->own.affine) {
        firn_cuda_take_state(c, t, FIRN_MPM_AFFINE0, &d.affine0);
        firn_cuda_take_state(c, t, FIRN_MPM_AFFINE1, &d.affine1);
        firn_cuda_take_state(c, t, FIRN_MPM_AFFINE2, &d.affine2);
    }
    if (c->own.grip > 0) firn_cuda_take_state(c, t, FIRN_MPM_GRIP, &d.hold.grip);
    if (c->own.clays) firn_cuda_take_state(c, t, FIRN_MPM_CLAY, &d.consolidation);
    if (c->own.time_scale > 0) {
        firn_cuda_take_state(c, t, FIRN_MPM_CREEP, &d.creep);
        firn_cuda_take_state(c, t, FIRN_MPM_HEALED, &d.healed);
    }
    if (c->own.varied) firn_cuda_take_state(c, t, FIRN_MPM_VARIED, &d.varied);
    if (c->own.emitter_count > 0) firn_cuda_take_state(c, t, FIRN_MPM_EMITTER, &d.emitter);
    if (c->own.powder.most > 0) firn_cuda_take_state(c, t, FIRN_MPM_BROKEN, &d.powder.broken);
    if (c->own.cull.active) firn_cuda_take_state(c, t, FIRN_MPM_GONE, &d.gone);
}

void take_powder(firn_cuda_taking& t, firn_mpm_cuda* c)
{
    firn_mpm_powder& w = c->d.powder;
    const firn_mpm_powder_def& own = c->own.powder;
    if (own.most == 0) return;
    w.law = own.law;
    w.tick = own.tick;
    w.spacing = own.spacing;
    w.capacity = own.most;
    firn_cuda_take(t, &w.born, (size_t)own.most);
    firn_cuda_take(t, &w.chunk, (size_t)c->def.capacity / FIRN_MPM_POWDER_CHUNK + 1);
}

firn_result take_particles(firn_mpm_cuda* c, firn_error* error)
{
    const size_t n = (size_t)c->def.capacity, materials = (size_t)c->own.material_count;
    firn_cuda_taking t = {&c->particles, cudaSuccess, 0};
    firn_mpm_device& d = c->d;
    take_state(t, c);
    firn_cuda_take(t, &d.stress0, n);
    // explicit steps need half of it, and no third
    firn_cuda_take(t, &d.stress1, c->own.may_solve ? n : n / 2 + 1);
    if (c->own.may_solve) firn_cuda_take(t, &d.stress2, n);
    firn_cuda_take(t, &d.grid.label, n);
    firn_cuda_take(t, &d.grid.rank, n);
    firn_cuda_take(t, &d.grid.loose, n);
    firn_cuda_take(t, &d.grid.order, n);
    firn_cuda_take(t, &c->scratch, n);
    firn_cuda_take(t, &d.partial, PARTIALS);
    firn_cuda_take(t, &d.cr_partial, 4 * PARTIALS);
    firn_mpm_cuda_take_rigid(c, t);
    const bool keyed = c->own.material_defs != nullptr;
    firn_mpm_material_def* defs = nullptr;
    firn_cuda_take(t, &d.material_rows, (keyed ? 2 : 1) * materials);
    if (keyed) firn_cuda_take(t, &defs, materials);
    firn_cuda_take(t, &d.air, 1);
    firn_cuda_take_flakes(t, c->own.emitter_count, &d.flakes);
    take_powder(t, c);
    FIRN_TRY(firn_cuda_take_shared(c, &t, "its particles", error));
    FIRN_CUDA_TRY(cudaMemcpy(d.material_rows, c->own.materials, materials * sizeof *d.material_rows,
                             cudaMemcpyHostToDevice),
                  error, "copying the table of materials");
    if (keyed)
        FIRN_CUDA_TRY(cudaMemcpy(defs, c->own.material_defs, materials * sizeof *defs,
                                 cudaMemcpyHostToDevice),
                      error, "copying the keys of materials");
    d.material_defs = defs;
    d.material_count = (int)materials;
    d.materials = d.material_rows;
    d.materials_next = keyed ? d.material_rows + materials : d.material_rows;
    d.control = (firn_mpm_control*)c->device_control;
    d.records = (firn_mpm_cuda_record*)c->device_records;
    d.grid.particle_capacity = c->def.capacity;
    return FIRN_OK;
}

void take_nodes(firn_cuda_taking& t, firn_mpm_cuda* c, size_t n)
{
    firn_mpm_device& d = c->d;
    firn_cuda_take(t, &d.node_velocity, n);
    firn_cuda_take(t, &d.node_new, n);
    if (!c->own.may_solve) return;
    firn_cuda_take(t, &d.cr_r, n);
    firn_cuda_take(t, &d.cr_p, n);
    firn_cuda_take(t, &d.cr_Az, n);
    firn_cuda_take(t, &d.cr_Ap, n);
    if (!c->own.diagonal) return;
    firn_cuda_take(t, &d.cr_scale, n);
    firn_cuda_take(t, &d.cr_z, n);
}

firn_result take_grid(firn_mpm_cuda* c, int occupied, firn_error* error)
{
    firn_cuda_give_back(&c->work);
    firn_device_grid& g = c->d.grid;
    firn_mpm_device& d = c->d;
    const int blocks = occupied * 2 + 2048;
    unsigned slots = 4096;
    while (slots < 2u * (unsigned)blocks) slots *= 2;
    const size_t H = (size_t)occupied, B = (size_t)blocks, S = slots;
    firn_cuda_taking t = {&c->work, cudaSuccess, 0};
    g.occupied_capacity = occupied;
    g.block_capacity = blocks;
    g.table_mask = slots - 1;
    firn_cuda_take(t, &g.counts, 1);
    firn_cuda_take(t, &g.table_key, S);
    firn_cuda_take(t, &g.table_first, S);
    firn_cuda_take(t, &g.table_value, S);
    firn_cuda_take(t, &g.cell_start, S * FIRN_BLOCK_NODES);
    firn_cuda_take(t, &g.coord, B);
    firn_cuda_take(t, &g.total, H + 1);
    firn_cuda_take(t, &g.first, H + 1);
    firn_cuda_take(t, &g.neighbour, H * 8);
    firn_cuda_take(t, &g.inverse, B * 8);
    firn_cuda_take(t, &g.reached, H * 8);
    firn_cuda_take(t, &g.pick, B);
    firn_cuda_take(t, &g.pick_sorted, H);
    firn_cuda_take(t, &g.morton[0], H);
    firn_cuda_take(t, &g.morton[1], H);
    if (firn_device_sort_scratch(g.particle_capacity, occupied, &g.scratch_bytes) != cudaSuccess)
        g.scratch_bytes = 0;
    uint8_t* scratch = nullptr;
    firn_cuda_take(t, &scratch, g.scratch_bytes);
    g.scratch = scratch;
    firn_cuda_take(t, &d.tile_a, H * FIRN_DEVICE_TILE);
    firn_cuda_take(t, &d.tile_b, H * FIRN_DEVICE_TILE);
    take_nodes(t, c, B * FIRN_BLOCK_NODES);
    if (c->own.rigid) {  // an eighth of the nodes; a step with more contacts asks for a larger grid
        d.rigid.contact_capacity = (int)(B * FIRN_BLOCK_NODES / 8);
        firn_cuda_take(t, &d.rigid.contact, (size_t)d.rigid.contact_capacity);
    }
    char what[96];
    snprintf(what, sizeof what, "a grid of up to %d blocks of 64 nodes", blocks);
    if (t.status != cudaSuccess) return firn_cuda_no_room(c, t.bytes, what, error);
    firn_device_grid_reset(&g, c->stream);
    return FIRN_OK;
}

void take_constants(firn_mpm_cuda* c)
{
    const firn_mpm_cuda_def& f = c->own;
    firn_mpm_device& d = c->d;
    d.grid.cell = f.cell;
    d.grid.inverse_cell = (float)(1 / f.dt.cell);
    d.mass_min = f.mass_min;
    d.hold.time = (float)f.grip;
    d.time_scale = f.time_scale;
    d.lightest = f.lightest;
    d.flip = (float)f.flip;
    d.beta = (float)f.beta;
    d.spline = f.spline;
    d.at_surface = f.at_surface;
    d.weighs = f.weighs;
    d.inertial = f.inertial;
    d.dt = f.dt;
    d.tolerance = f.tolerance;
    d.speed_floor = f.speed_floor;
    d.max_iterations = f.max_iterations;
    d.iterations_target = f.iterations_target;
    d.cull = f.cull;
    d.bodies = firn_colliders_cuda_view(c->bodies);
}

firn_result find_launch(firn_mpm_cuda* c, firn_error* error)
{
    int p2g, g2p, apply, sms;
    FIRN_CUDA_TRY(firn_mpm_occupancy_01_03(&c->d, &p2g), error, "preparing kernels");
    FIRN_CUDA_TRY(firn_mpm_occupancy_07_10(&c->d, &g2p), error, "preparing kernels");
    FIRN_CUDA_TRY(firn_mpm_occupancy_06(&apply), error, "preparing kernels");
    FIRN_CUDA_TRY(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, c->def.device),
                  error, "asking for the number of multiprocessors");
    c->l = firn_mpm_launch{sms * p2g, sms * g2p, sms * apply, sms * 8, sms};
    return FIRN_OK;
}

firn_result bring_air(firn_mpm_cuda* c, const firn_device_air* air, firn_error* error)
{
    FIRN_CUDA_TRY(cudaMemcpyAsync(c->d.air, air, sizeof *air, cudaMemcpyHostToDevice, c->stream),
                  error, "copying the wind");
    c->d.drags = air->drags;
    return FIRN_OK;
}

firn_result create(firn_cuda_sim* sim, const void* own, firn_error* error)
{
    firn_mpm_cuda* c = firn_mpm_cuda_of(sim);
    c->own = *(const firn_mpm_cuda_def*)own;
    take_constants(c);
    FIRN_TRY(take_particles(c, error));
    FIRN_TRY(bring_air(c, &c->own.air, error));
    FIRN_TRY(firn_cuda_bring_wind(c, c->own.wind, &c->d.wind, error));
    c->own.materials = nullptr;  // the caller's
    c->own.material_defs = nullptr;
    c->own.wind = nullptr;
    c->d.loads = c->loads;
    c->d.forces = c->forces;
    // packed snow has some 400 particles per occupied block; spray asks for more when it comes
    const int occupied = c->def.capacity / 256 + 1024;
    FIRN_TRY(take_grid(c, occupied, error));
    return find_launch(c, error);
}

firn_result grow(firn_cuda_sim* sim, firn_error* error)
{
    firn_mpm_cuda* c = firn_mpm_cuda_of(sim);
    if (c->d.grid.occupied_capacity > INT_MAX / 512)  // nodes are numbered with 31 bits
        return firn_cuda_no_room(c, SIZE_MAX / 2, "a grid with more blocks than can be numbered",
                                 error);
    return take_grid(c, c->d.grid.occupied_capacity * 2, error);
}

// `settings`: firn_device_air. Captured steps launch what drags, or do not.
firn_result change(firn_cuda_sim* sim, const void* settings, firn_error* error)
{
    firn_mpm_cuda* c = firn_mpm_cuda_of(sim);
    const firn_device_air* air = (const firn_device_air*)settings;
    if (air == nullptr) return FIRN_OK;
    if (air->drags != (c->d.drags != 0)) firn_cuda_forget_graphs(c);
    return bring_air(c, air, error);
}

}  // namespace

const firn_cuda_kernels firn_mpm_kernels = {
    "fewer particles, a larger cell",
    sizeof(firn_mpm_cuda),
    sizeof(firn_mpm_control),
    sizeof(firn_mpm_cuda_record),
    FIRN_MPM_CUDA_BATCH,
    firn_mpm_cuda_fields,
    FIRN_MPM_GONE,
    create,
    nullptr,
    firn_mpm_cuda_uploaded,
    firn_mpm_cuda_rolled_back,
    firn_mpm_cuda_launch,
    grow,
    change,
    firn_mpm_cuda_take_lumps,
    firn_mpm_cuda_meet_time,
};
