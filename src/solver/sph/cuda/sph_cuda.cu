// SPDX-License-Identifier: MIT
// An sph simulation on a CUDA device: its memory, and the table of its kernels. Arrays that are
// alive at different times share memory:
//
//     vectors   7 records    sorting: particles in their new order | runs of cells | step 6: solve
//     stress    3 records    sorting: keys and numbers | step 5: solve | step 6: V sigma L
#include "solver/sph/cuda/sph_cuda_own.cuh"
#include "solver/sph/laws/material.h"

namespace {

const int ROWS = 34;  // of the lists of 32 particles, to begin with

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
    d.cull = f.cull;
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
}

// The arrays with one real per particle.
void share_planes(firn_sph_device& d, float* planes, size_t n)
{
    float** const one[] = {&d.density, &d.rest_density, &d.lambda,         &d.shear,
                           &d.S2,      &d.wall_kernel,  &d.wall_divergence};
    float* at = planes;
    const auto give = [&](float** plane) {
        *plane = at;
        at += n;
    };
    for (float** plane : one) give(plane);
    for (float*& plane : d.F) give(&plane);
    for (float*& plane : d.S) give(&plane);
    for (float*& plane : d.B) give(&plane);
    for (float*& plane : d.LB) give(&plane);
    for (float*& plane : d.L) give(&plane);
    for (float*& plane : d.M) give(&plane);
}
const size_t PLANES = 7 + 6 + 3 + 3 + 3 + 9 + 6;

void share_vectors(firn_sph_device& d, float4* vectors, size_t n)
{
    float4** const all[] = {&d.r, &d.shadow, &d.p, &d.v, &d.t, &d.b, &d.v_star};
    for (size_t k = 0; k < 7; k++) *all[k] = vectors + k * n;
    d.s = d.r;  // r is not needed any more when s is
    for (size_t k = 0; k < 6; k++) d.sorted[k] = vectors + k * n;
    d.tag_sorted = (uint2*)d.v_star;
    d.runs = (int2*)vectors;  // 72 bytes a cell
}

void share_stress(firn_sph_device& d, float4* stress, size_t n)
{
    d.stress = stress;
    d.sort_key = (uint64_t*)stress;
    d.sort_key_out = d.sort_key + n;
    d.number = (uint32_t*)(stress + n);
    d.order = d.number + n;
    d.sorted[6] = stress + 2 * n;
    d.place_p = stress;
    d.weighted = stress + n;
    d.source = (float*)(stress + 2 * n);
    d.diagonal = d.source + n;
    d.miss = d.diagonal + n;
    d.pressure = d.miss + n;
}

firn_result take_particles(firn_sph_cuda* c, firn_error* error)
{
    const size_t n = (size_t)c->def.capacity, bodies = (size_t)c->def.collider_count;
    const size_t materials = (size_t)c->own.material_count;
    firn_cuda_taking t = {&c->particles, cudaSuccess, 0};
    firn_sph_device& d = c->d;
    float* planes;
    float4 *vectors, *stress;
    firn_sph_material* table;
    float* scales;
    take_state(t, c);
    firn_cuda_take(t, &planes, PLANES * n);
    firn_cuda_take(t, &vectors, 7 * n);
    firn_cuda_take(t, &stress, 3 * n);
    firn_cuda_take(t, &d.place, n);
    firn_cuda_take(t, &d.a_G, n);
    firn_cuda_take(t, &d.cells.key, n);
    firn_cuda_take(t, &d.cells.begin, n + 1);
    firn_cuda_take(t, &d.cells.cell, n);
    firn_cuda_take(t, &d.contact_first, n + 1);
    firn_cuda_take(t, &d.list_first, n / 32 + 1);
    firn_cuda_take(t, &d.neighbours, n);
    firn_cuda_take(t, &d.partial, 4 * (n / FIRN_SPH_SUM_CHUNK + 1024));
    firn_cuda_take(t, &d.wanted, FIRN_SPH_WANTED);
    firn_cuda_take(t, &table, materials);
    firn_cuda_take(t, &scales, bodies);
    FIRN_TRY(firn_cuda_take_shared(c, &t, "its particles", error));
    share_planes(d, planes, n);
    share_vectors(d, vectors, n);
    share_stress(d, stress, n);
    d.control = (firn_sph_control*)c->device_control;
    d.records = (firn_sph_cuda_record*)c->device_records;
    d.loads = c->loads;
    d.materials = table;
    d.scales = scales;
    FIRN_CUDA_TRY(cudaMemset(d.wanted, 0, FIRN_SPH_WANTED * sizeof *d.wanted), error,
                  "preparing particles");
    FIRN_CUDA_TRY(
        cudaMemcpy(table, c->own.materials, materials * sizeof *table, cudaMemcpyHostToDevice),
        error, "copying the table of materials");
    if (bodies > 0)
        FIRN_CUDA_TRY(
            cudaMemcpy(scales, c->own.scales, bodies * sizeof *scales, cudaMemcpyHostToDevice),
            error, "copying colliders");
    return FIRN_OK;
}

firn_result create(firn_cuda_sim* sim, const void* own, firn_error* error)
{
    firn_sph_cuda* c = firn_sph_cuda_of(sim);
    c->own = *(const firn_sph_cuda_def*)own;
    take_constants(c);
    FIRN_TRY(take_particles(c, error));
    c->rows = (unsigned)(c->def.capacity / 32 + 1) * ROWS;
    return firn_sph_cuda_take_work(c, nullptr, 0, error);
}

// Colliders may have moved: which surfaces are sampled near the snow is found again.
firn_result change(firn_cuda_sim* sim, const void* settings, firn_error* error)
{
    firn_sph_cuda* c = firn_sph_cuda_of(sim);
    (void)error;
    firn_cuda_forget_graphs(c);
    if (settings != nullptr) c->d.settings = *(const firn_sph_settings*)settings;
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
