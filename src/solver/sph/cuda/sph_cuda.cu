// SPDX-License-Identifier: MIT
// An sph simulation on a CUDA device: its memory, and the table of its kernels. Arrays that are
// alive at different times share memory:
//
//     vectors   6 records    sorting: scratch, then particles in their new order | lists: ends of
//                            runs | contacts: scratch | steps 1 to 5: reals that only they need |
//                            step 6: solve, with v* of step 3 as the last record
//     stress    3 records    sorting: keys, numbers, tags | step 4: viscosity | step 5: solve |
//                            step 6: V sigma L
#include "physics/snow_material.h"
#include "solver/shared/cuda/cuda_air.cuh"
#include "solver/sph/cuda/sph_climate.h"
#include "solver/sph/cuda/sph_cuda_own.cuh"
#include "solver/sph/laws/material.h"
#include "solver/sph/laws/phases.h"

namespace {

const int ROWS = 34;     // of the lists of 32 particles, to begin with
const int PER_CELL = 6;  // particles, to begin with: 8 in a block of snow

void take_constants(firn_sph_cuda* c)
{
    firn_sph_device& d = c->d;
    const firn_sph_cuda_def& f = c->own;
    d.spacing = f.spacing;
    d.h = (float)f.spacing;
    d.settings = f.settings;
    d.dt = f.dt;
    d.combined = f.combined;
    d.plastic = f.plastic;
    d.paper_clamp = f.paper_clamp;
    d.paper_contact = f.paper_contact;
    d.coulomb = f.coulomb;
    d.psi = f.psi;
    d.relaxation = f.relaxation;
    d.density_error = f.density_error;
    d.shear_tolerance = f.shear_tolerance;
    d.pressure_iterations = f.pressure_iterations;
    d.shear_iterations = f.shear_iterations;
    d.fluids = f.fluids;
    d.incompressible = f.incompressible;
    d.coheres = f.coheres;
    d.volumes = f.fluids || f.incompressible;
    d.boundary_volume = f.boundary_volume;
    d.material_count = f.material_count;
    d.cull = f.cull;
    d.deforming.depth = f.boundary_depth;
    d.deforming.factor = f.boundary_factor;
    for (int k = 0; k < c->def.collider_count; k++)
        d.deforming.count += c->def.colliders[k].deforming != nullptr ? 1 : 0;
    d.capacity = c->def.capacity;
    d.blocks = (c->def.capacity + FIRN_SPH_THREADS - 1) / FIRN_SPH_THREADS;
    d.bodies = firn_colliders_cuda_view(c->bodies);
}

void take_state(firn_cuda_taking& t, firn_sph_cuda* c)
{
    firn_sph_device& d = c->d;
    firn_cuda_take_state(c, t, FIRN_SPH_AT, &d.at);
    firn_cuda_take_state(c, t, FIRN_SPH_MOTION, &d.motion);
    firn_cuda_take_state(c, t, FIRN_SPH_STRAIN0, &d.strain0);
    firn_cuda_take_state(c, t, FIRN_SPH_STRAIN1, &d.strain1);
    firn_cuda_take_state(c, t, FIRN_SPH_STRAIN2, &d.strain2);
    firn_cuda_take_state(c, t, FIRN_SPH_PULL, &d.pull);
    firn_cuda_take_state(c, t, FIRN_SPH_TAG, &d.tag);
    if (c->own.varied) firn_cuda_take_state(c, t, FIRN_SPH_VARIED, &d.varied);
    if (c->own.emitter_count > 0) firn_cuda_take_state(c, t, FIRN_SPH_EMITTER, &d.emitter);
    if (c->own.warmth) firn_cuda_take_state(c, t, FIRN_SPH_WARMTH, &d.warmth);
    firn_cuda_take_flakes(t, c->own.emitter_count, &d.flakes);
}

// The arrays with one real per particle.
void share_planes(firn_sph_device& d, float* planes, size_t n)
{
    float* at = planes;
    const auto give = [&](float*& plane) {
        plane = at;
        at += n;
    };
    give(d.density);
    give(d.lambda);
    give(d.shear);
    for (float*& plane : d.S) give(plane);
    for (float*& plane : d.L) give(plane);
    for (float*& plane : d.M) give(plane);
}
const size_t PLANES = 3 + 3 + 9 + 6;

void share_vectors(firn_sph_device& d, float4* vectors, size_t n)
{
    d.r = vectors;
    d.s = d.r;  // r is not needed any more when s is
    d.p = vectors + n;
    float* planes = (float*)(vectors + 2 * n);
    float** const vector[] = {d.b, d.shadow, d.v, d.t};
    for (size_t k = 0; k < 12; k++) vector[k / 3][k % 3] = planes + k * n;
    d.v_star = vectors + 5 * n;
    d.cr_Az = d.p;
    d.mu = d.shadow[0];
    for (size_t k = 0; k < 6; k++) d.sorted[k] = vectors + k * n;
    d.rest_density = (float*)vectors;
    d.S2 = d.rest_density + n;
}
const size_t VECTORS = 6;

void share_stress(firn_sph_device& d, float4* stress, size_t n)
{
    for (size_t k = 0; k < 3; k++) d.stress[k] = stress + k * n;
    d.sort_key = (uint64_t*)stress;
    d.sort_key_out = d.sort_key + n;
    d.number = (uint32_t*)(stress + n);
    d.order = d.number + n;
    d.tag_sorted = (uint2*)(d.order + n);
    d.sorted[6] = stress + 2 * n;
    d.place_p = stress;
    d.weighted = stress + n;
    d.source = (float*)(stress + 2 * n);
    d.diagonal = d.source + n;
    d.miss = d.diagonal + n;
    d.pressure = d.miss + n;
    d.cr_r = stress;
    d.cr_p = stress + n;
    d.cr_Ap = stress + 2 * n;
}

firn_result take_particles(firn_sph_cuda* c, firn_error* error)
{
    const size_t n = (size_t)c->def.capacity, bodies = (size_t)c->def.collider_count;
    const size_t materials = (size_t)c->own.material_count;
    firn_cuda_taking t = {&c->particles, cudaSuccess, 0};
    firn_sph_device& d = c->d;
    float* planes;
    float4* stress;
    firn_sph_material* table;
    firn_snow_material* snow;
    firn_sph_becomes* becomes = nullptr;
    take_state(t, c);
    firn_cuda_take(t, &planes, PLANES * n);
    firn_cuda_take(t, &c->vectors, VECTORS * n);
    firn_cuda_take(t, &stress, 3 * n);
    firn_cuda_take(t, &d.place, n);
    firn_cuda_take(t, &d.cells.cell, n);
    firn_cuda_take(t, &d.list_first, n / 32 + 1);
    firn_cuda_take(t, &d.neighbours, n);
    firn_cuda_take(t, &d.partial, FIRN_SPH_SUMS * (n / FIRN_SPH_SUM_CHUNK + 1024));
    firn_cuda_take(t, &d.wanted, FIRN_SPH_WANTED);
    firn_cuda_take(t, &table, materials);
    firn_cuda_take(t, &snow, materials);
    if (c->own.becomes != nullptr) firn_cuda_take(t, &becomes, materials);
    if (c->own.heats) firn_cuda_take(t, &d.climate, 1);
    if (d.volumes) firn_cuda_take(t, &d.place_snow, n);
    for (int k = 0; k < 3 && d.fluids; k++) firn_cuda_take(t, &d.S_snow[k], n);
    firn_cuda_take(t, &d.deforming.sampled, bodies);
    firn_cuda_take(t, &d.deforming.near, bodies);
    firn_sph_cuda_take_rigid(c, t);
    FIRN_TRY(firn_cuda_take_shared(c, &t, "its particles", error));
    share_planes(d, planes, n);
    c->vector_bytes = VECTORS * n * sizeof *c->vectors;
    share_vectors(d, c->vectors, n);
    share_stress(d, stress, n);
    d.emitter_sorted = d.neighbours;
    d.warmth_sorted = d.place;
    d.control = (firn_sph_control*)c->device_control;
    d.records = (firn_sph_cuda_record*)c->device_records;
    d.loads = c->loads;
    d.forces = c->forces;
    d.materials = table;
    d.snow = snow;
    d.becomes = becomes;
    FIRN_CUDA_TRY(cudaMemset(d.wanted, 0, FIRN_SPH_WANTED * sizeof *d.wanted), error,
                  "preparing particles");
    FIRN_CUDA_TRY(
        cudaMemcpy(table, c->own.materials, materials * sizeof *table, cudaMemcpyHostToDevice),
        error, "copying the table of materials");
    if (becomes != nullptr)
        FIRN_CUDA_TRY(cudaMemcpy(becomes, c->own.becomes, materials * sizeof *becomes,
                                 cudaMemcpyHostToDevice),
                      error, "copying the table of materials");
    FIRN_CUDA_TRY(cudaMemcpy(snow, c->own.snow, materials * sizeof *snow, cudaMemcpyHostToDevice),
                  error, "copying the table of materials");
    if (bodies > 0) {
        FIRN_CUDA_TRY(cudaMemset(d.deforming.sampled, 0, bodies * sizeof *d.deforming.sampled),
                      error, "preparing colliders");
        FIRN_CUDA_TRY(cudaMemset(d.deforming.near, 0, bodies * sizeof *d.deforming.near), error,
                      "preparing colliders");
    }
    return FIRN_OK;
}

firn_result bring_climate(firn_sph_cuda* c, const firn_sph_climate* climate, firn_error* error)
{
    if (c->d.climate != nullptr)
        FIRN_CUDA_TRY(cudaMemcpy(c->d.climate, climate, sizeof *climate, cudaMemcpyHostToDevice),
                      error, "copying temperatures");
    return FIRN_OK;
}

firn_result create(firn_cuda_sim* sim, const void* own, firn_error* error)
{
    firn_sph_cuda* c = firn_sph_cuda_of(sim);
    c->own = *(const firn_sph_cuda_def*)own;
    take_constants(c);
    FIRN_TRY(take_particles(c, error));
    FIRN_TRY(bring_climate(c, c->own.settings.climate, error));
    FIRN_TRY(firn_cuda_bring_wind(c, c->own.wind, &c->d.wind, error));
    c->rows = (unsigned)(c->def.capacity / 32 + 1) * ROWS;
    c->cells = c->def.capacity / PER_CELL + 64;
    return firn_sph_cuda_take_work(c, nullptr, 0, error);
}

// Colliders may have moved: which surfaces are sampled near the snow is found again.
firn_result change(firn_cuda_sim* sim, const void* settings, firn_error* error)
{
    firn_sph_cuda* c = firn_sph_cuda_of(sim);
    firn_cuda_forget_graphs(c);
    if (settings != nullptr) {
        c->d.settings = *(const firn_sph_settings*)settings;
        FIRN_TRY(bring_climate(c, c->d.settings.climate, error));
    }
    c->d.known_count = 0;
    return FIRN_OK;
}

}  // namespace

const firn_cuda_kernels firn_sph_kernels = {
    "fewer particles (a larger sph.spacing)",
    sizeof(firn_sph_cuda),
    sizeof(firn_sph_control),
    sizeof(firn_sph_cuda_record),
    FIRN_SPH_CUDA_BATCH,
    firn_sph_cuda_fields,
    -1,
    create,
    nullptr,
    nullptr,
    nullptr,
    firn_sph_cuda_launch,
    firn_sph_cuda_grow,
    change,
    nullptr,
};
