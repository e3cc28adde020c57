// SPDX-License-Identifier: MIT
// What Algorithm 1 does not number: new flakes, sorting, bodies, size of the step, neighbours,
// room.
#include <math.h>
#include <string.h>

#include "core/memory.h"
#include "geometry/collider/collider.h"
#include "math/mat3.h"
#include "math/vec3.h"
#include "scene/data/scene.h"
#include "scene/data/snow.h"
#include "scene/run/flakes.h"
#include "solver/sph/support/boundary_contact.h"
#include "solver/sph/support/sph_cpu.h"
#include "solver/sph/support/sph_fault.h"
#include "solver/sph/support/sph_solver.h"

// [h] from the middle of a cell to surfaces whose particles its own may feel: its corner is 1.74 h
// away, the kernel reaches 2 h. Boundary particles are sunk, so they are farther than the surface.
#define REACH 4

void firn_sph_refresh_pointers(firn_sph* m)
{
    int f = 0;
#define POINT(field, type, kind, unit, step, changes) m->p.field = m->store.fields[f++].data;
    FIRN_SPH_FIELDS(POINT)
    m->p.hardening = m->p.compression = m->p.stretch = NULL;
    if (m->varies) {
        FIRN_SPH_VARIED_FIELDS(POINT)
    }
    m->p.temperature = NULL;
    if (m->heats) {
        FIRN_SPH_HEAT_FIELDS(POINT)
    }
#undef POINT
    m->p.count = m->store.count;
}

firn_result firn_sph_take_seeds(firn_sph* m, const firn_seeds* seeds, bool whole)
{
    const firn_local first = m->store.count;
    const int64_t count = (int64_t)first + seeds->count;
    if (count > INT32_MAX) return FIRN_BROKEN_MEMORY;
    if (count > m->store.capacity) {
        // snowfall grows by a few flakes a step: not every step may allocate
        const int64_t room = first > 0 ? count + count / 4 : count;
        FIRN_TRY(
            firn_particles_reserve(&m->store, (firn_local)(room < INT32_MAX ? room : INT32_MAX)));
    }
    m->store.count = (firn_local)count;
    firn_sph_refresh_pointers(m);
    const firn_real volume = (firn_real)(m->spacing * m->spacing * m->spacing);
    for (firn_local k = 0; k < seeds->count; k++) {
        const firn_local p = first + k;
        m->p.position[p] = seeds->position[k];
        m->p.velocity[p] = seeds->velocity[k];
        m->p.mass[p] = seeds->mass[k];
        m->p.stiffness[p] = seeds->stiffness[k];
        m->p.material[p] = seeds->material[k];
        m->p.def_grad_elastic[p] = firn_m3_identity();
        m->p.plastic_det[p] = 1;
        m->p.density[p] = m->p.fresh_density[p] =
            whole ? seeds->mass[k] / volume : m->materials[seeds->material[k]].density;
        m->p.pressure[p] = 0;
        m->p.shear_acceleration[p] = firn_v3(0, 0, 0);
        m->p.id[p] = m->next_id++;
        if (m->heats) m->p.temperature[p] = seeds->temperature[k];
        if (!m->varies) continue;
        m->p.hardening[p] = seeds->hardening != NULL ? seeds->hardening[k] : 1;
        m->p.compression[p] = seeds->compression != NULL ? seeds->compression[k] : 1;
        m->p.stretch[p] = seeds->stretch != NULL ? seeds->stretch[k] : 1;
    }
    return FIRN_OK;
}

static firn_result emit(firn_sph* m, double time, firn_error* error)
{
    if (m->scene->emitter_count == 0) return FIRN_OK;
    FIRN_TRY(firn_emit(m->scene, time, 0, m->spacing, m->emitted, &m->fresh, error));
    if (m->fresh.count == 0) return FIRN_OK;
    if (firn_sph_take_seeds(m, &m->fresh, false) != FIRN_OK)
        return firn_fail(error, FIRN_BROKEN_MEMORY, "out of memory for %d more flakes",
                         (int)m->fresh.count);
    return FIRN_OK;
}

// The fastest particle; gives the first that is not finite or too far away for cells.
static firn_local measure(firn_sph* m)
{
    firn_real most = 0;
    firn_local bad = m->p.count;
    const firn_real far = (firn_real)(m->spacing * FIRN_SPH_FAR);
#pragma omp parallel for schedule(static) num_threads(m->threads) reduction(max     \
                                                                            : most) \
    reduction(min                                                                   \
              : bad)
    for (firn_local i = 0; i < m->p.count; i++) {
        const firn_real speed2 = firn_v3_dot(m->p.velocity[i], m->p.velocity[i]);
        const firn_vec3 x = m->p.position[i];
        const bool here = firn_abs(x.x) < far && firn_abs(x.y) < far && firn_abs(x.z) < far;
        if (!(speed2 < FIRN_REAL_MAX && here) && i < bad) bad = i;
        most = firn_max(speed2, most);
    }
    m->max_speed = sqrt((double)most);
    return bad;
}

// The store is put into the order of the cells, so that neighbours are near in memory.
static firn_result sort(firn_sph* m)
{
    FIRN_TRY(
        firn_neighbours_update(&m->cells, m->p.position, m->p.count, 2 * m->spacing, m->threads));
    if (m->store.capacity > m->scratch_capacity) {
        firn_free(m->scratch);
        m->scratch_capacity = 0;
        m->scratch = firn_alloc((size_t)m->store.capacity, sizeof *m->scratch);
        if (m->scratch == NULL) return FIRN_BROKEN_MEMORY;
        m->scratch_capacity = m->store.capacity;
    }
    if (m->cells.order != NULL)
        firn_particles_reorder(&m->store, m->cells.order, m->scratch, m->threads);
    return FIRN_OK;
}

// Bodies where they are now, their particles near the snow, and the cells these are in.
static firn_result place_bodies(firn_sph* m, firn_error* error)
{
    if (m->collider_count == 0) return FIRN_OK;
    const firn_local cells = m->cells.cell_count;
    if (cells > m->near_capacity) {
        const size_t n = (size_t)cells + (size_t)cells / 8 + 64;
        firn_free(m->near);
        m->near_capacity = 0;
        m->near = firn_alloc(n, sizeof *m->near);
        if (m->near == NULL) return firn_fail(error, FIRN_BROKEN_MEMORY, "out of memory");
        m->near_capacity = (firn_local)n;
    }
    for (firn_local c = 0; c < cells; c++)
        m->near[c] = firn_neighbours_cell_middle(m->cells.keys[c], 2 * m->spacing);
    bool changed;
    FIRN_TRY(firn_boundary_update(&m->boundary, m->colliders, &m->scene->shapes, m->near, cells,
                                  REACH * m->spacing, m->threads, &changed, error));
    if (!changed && m->wall_known) return FIRN_OK;
    m->wall_known = false;
    if (firn_neighbours_update(&m->wall, m->boundary.position, m->boundary.count, 2 * m->spacing,
                               m->threads) != FIRN_OK)
        return firn_fail(error, FIRN_BROKEN_MEMORY, "out of memory for %d boundary particles",
                         (int)m->boundary.count);
    m->wall_known = true;
    return FIRN_OK;
}

// The fastest boundary particle [m/s]; there are none but where snow is or has been near.
static double body_speed(const firn_sph* m)
{
    double most = 0;
    for (firn_local b = 0; b < m->boundary.count; b++)
        most = fmax(most, (double)firn_v3_dot(m->boundary.velocity[b], m->boundary.velocity[b]));
    return sqrt(most);
}

static double choose_dt(const firn_sph* m, double dt_limit, double dt_scale)
{
    double dt = firn_sph_dt_max(&m->def, m->spacing);
    const double speed = fmax(m->max_speed, body_speed(m));
    if (!(m->def.dt > 0)) dt *= m->dt_factor;
    if (!(m->def.dt > 0) && speed > 0) dt = fmin(dt, m->def.cfl * m->spacing / speed);
    // equal steps to the frame's end; the last bit of a quotient must not make one more
    const double steps = ceil(dt_limit / (dt * dt_scale) - 1e-6);
    return steps <= 1 ? dt_limit : dt_limit / steps;
}

static void fill_places(firn_sph* m)
{
    const firn_sph_work* w = &m->w;
    const firn_local n = m->p.count;
#pragma omp parallel for schedule(static) num_threads(m->threads)
    for (firn_local i = 0; i < n; i++) {
        const firn_vec3 x = m->p.position[i];
        w->x[i] = x.x;
        w->y[i] = x.y;
        w->z[i] = x.z;
        w->place[i] = (firn_vec4){x.x, x.y, x.z, m->p.mass[i]};
    }
    firn_sph_work_clear_rest(&m->w, n);
}

static firn_result find_pairs(firn_sph* m)
{
    FIRN_TRY(firn_sph_work_reserve(&m->w, m->p.count));
    FIRN_TRY(firn_pair_list_reserve(&m->pairs, m->p.count, m->threads));
    fill_places(m);
    return m->ops->search(&(firn_pair_search_args){.list = &m->pairs,
                                                   .cells = &m->cells,
                                                   .x = m->w.x,
                                                   .y = m->w.y,
                                                   .z = m->w.z,
                                                   .radius = (firn_real)(2 * m->spacing),
                                                   .threads = m->threads});
}

// A particle with as many neighbours as the list can hold; count: none.
static firn_local crowded(const firn_sph* m)
{
    for (firn_local s = 0; s < m->pairs.slice_count; s++) {
        if (m->pairs.row_count[s] < FIRN_PAIRS_MOST) continue;
        for (firn_local i = s * FIRN_SLICE; i < m->p.count; i++)
            if (m->pairs.neighbours[i] >= FIRN_PAIRS_MOST) return i;
    }
    return m->p.count;
}

// Of the whole step: what it is in its middle.
static void set_gravity(firn_sph* m)
{
    const double rise = m->def.gravity_rise, middle = m->time + 0.5 * m->dt;
    const double share = middle < rise ? middle / rise : 1;
    const double* g = m->scene->gravity;
    m->gravity =
        firn_v3((firn_real)(share * g[0]), (firn_real)(share * g[1]), (firn_real)(share * g[2]));
}

firn_result firn_sph_prepare(firn_sph* m, double time, double dt_limit, double dt_scale,
                             firn_error* error)
{
    m->time = time;
    FIRN_TRY(firn_cull(&m->culler, m->scene, &m->store, time, m->threads, &m->culled, error));
    firn_sph_refresh_pointers(m);
    FIRN_TRY(emit(m, time, error));
    firn_sph_refresh_pointers(m);
    const firn_local bad = measure(m);
    if (bad < m->p.count) return firn_sph_fault_lost(m, bad, error);
    for (firn_local c = 0; c < m->collider_count; c++) {
        firn_collider* body = &m->colliders[c];
        FIRN_TRY(firn_collider_move(body, &m->scene->shapes, time, error));
        body->temperature = (firn_real)firn_body_temperature(m->scene, body, time);
    }
    firn_result r = sort(m);
    if (r == FIRN_OK) FIRN_TRY(place_bodies(m, error));
    m->dt = choose_dt(m, dt_limit, dt_scale);
    set_gravity(m);
    if (r == FIRN_OK) r = find_pairs(m);
    if (r == FIRN_OK) r = firn_sph_touch_bodies(m);
    if (r != FIRN_OK)
        return firn_fail(
            error, r,
            "out of memory for %d particles and their neighbours (spacing %g m): use a "
            "larger sph.spacing",
            (int)m->p.count, m->spacing);
    const firn_local full = crowded(m);
    return full < m->p.count ? firn_sph_fault_crowded(m, full, error) : FIRN_OK;
}
