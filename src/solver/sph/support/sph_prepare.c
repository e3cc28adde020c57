// SPDX-License-Identifier: MIT
// Step 0, not numbered in Algorithm 1: new flakes, sorting, colliders, size of the step, neighbour
// lists, allocation.
#include <math.h>
#include <string.h>

#include "bodies/bodies.h"
#include "core/memory.h"
#include "core/threads/atomics.h"
#include "core/threads/team.h"
#include "geometry/collider/collider.h"
#include "math/mat3.h"
#include "math/vec3.h"
#include "physics/cohesion.h"
#include "scene/data/scene.h"
#include "scene/data/snow.h"
#include "scene/run/flakes.h"
#include "scene/run/gravity.h"
#include "solver/sph/laws/gravity.h"
#include "solver/sph/laws/heat.h"
#include "solver/sph/laws/near_snow.h"
#include "solver/sph/rigid/sph_lumps.h"
#include "solver/sph/support/boundary_contact.h"
#include "solver/sph/support/sph_cpu.h"
#include "solver/sph/support/sph_fault.h"
#include "solver/sph/support/sph_solver.h"

// [h] distance from the centre of a cell up to which surfaces need boundary particles: the corner
// is 1.74 h away, the kernel reaches 2 h; the particles are sunk below the surface.
#define REACH 4

void firn_sph_refresh_pointers(firn_sph* m)
{
    firn_base_point(&m->base, &m->p);
    m->p.count = m->base.store.count;
}

void firn_sph_limit_warmth(firn_sph* m, firn_local p)
{
    const firn_sph_material* mat = &m->materials[m->p.material[p]];
    const firn_real c = m->base.scene->materials[m->p.material[p]].snow.heat_capacity;
    if (mat->heat == FIRN_HEAT_WARMS) return;
    const firn_snow_warmth now = firn_sph_warmth_at(mat, c, m->p.temperature[p]);
    m->p.temperature[p] = now.temperature;
    m->p.water[p] = now.water;
}

void firn_sph_dress_seeds(firn_sph* m, const firn_seeds* seeds, bool whole)
{
    firn_sph_refresh_pointers(m);
    const firn_local first = m->p.count - seeds->count;
    const firn_real volume = (firn_real)(m->spacing * m->spacing * m->spacing);
    for (firn_local p = first; p < m->p.count; p++) {
        m->p.def_grad_elastic[p] = firn_m3_identity();
        m->p.plastic_det[p] = 1;
        m->p.density[p] = m->p.fresh_density[p] =
            whole ? m->p.mass[p] / volume : m->materials[m->p.material[p]].density;
        if (m->heats) firn_sph_limit_warmth(m, p);
        if (m->changes) m->p.age[p] = m->p.birth_density[p] = 0;
    }
}

firn_result firn_sph_take_seeds(firn_sph* m, const firn_seeds* seeds, bool whole)
{
    FIRN_TRY(firn_base_append(&m->base, seeds, &m->next_id));
    firn_sph_dress_seeds(m, seeds, whole);
    return FIRN_OK;
}

// Notes the emitter of each new flake; they are in the order of the emitters.
static void mark_flakes(firn_sph* m)
{
    firn_local p = m->p.count - m->fresh.count;
    for (firn_local k = 0; k < m->base.scene->emitter_count; k++)
        for (int64_t n = m->emitted_before[k]; n < m->emitted[k]; n++)
            m->p.emitter[p++] = (uint32_t)k + 1;
}

static firn_result emit(firn_sph* m, firn_error* error)
{
    const firn_local emitters = m->base.scene->emitter_count;
    if (emitters == 0) return FIRN_OK;
    memcpy(m->emitted_before, m->emitted, (size_t)emitters * sizeof *m->emitted);
    FIRN_TRY(
        firn_flakes_emit(m->base.scene, m->base.time, 0, m->spacing, m->emitted, &m->fresh, error));
    if (m->fresh.count == 0) return FIRN_OK;
    if (firn_sph_take_seeds(m, &m->fresh, false) != FIRN_OK)
        return firn_fail(error, FIRN_BROKEN_MEMORY, "out of memory for %d more flakes",
                         (int)m->fresh.count);
    mark_flakes(m);
    return FIRN_OK;
}

// Sorts the store by cell, so that neighbours are close in memory.
static firn_result sort(firn_sph* m)
{
    FIRN_TRY(firn_neighbours_update(&m->cells, m->p.position, m->p.count, 2 * m->spacing));
    return firn_particles_reorder(&m->base.store, m->cells.order);
}

static void middle_range(const void* self, firn_local begin, firn_local end)
{
    const firn_sph* m = self;
    for (firn_local c = begin; c < end; c++)
        m->near[c] = firn_neighbours_cell_middle(m->cells.keys[c], 2 * m->spacing);
}

// Updates the boundary particles near the snow, and their cells.
static firn_result place_bodies(firn_sph* m, firn_error* error)
{
    if (m->base.collider_count == 0) return FIRN_OK;
    const firn_local cells = m->cells.cell_count;
    if (cells > m->near_capacity) {
        const size_t n = (size_t)cells + (size_t)cells / 8 + 64;
        firn_free(m->near);
        m->near_capacity = 0;
        m->near = firn_alloc(n, sizeof *m->near);
        if (m->near == NULL) return firn_fail(error, FIRN_BROKEN_MEMORY, "out of memory");
        m->near_capacity = (firn_local)n;
    }
    firn_share(cells, FIRN_SPH_SIMPLE, middle_range, m);
    bool changed;
    FIRN_TRY(firn_boundary_update(&m->boundary, m->base.colliders, &m->base.scene->shapes, m->near,
                                  cells, REACH * m->spacing, &changed, error));
    if (!changed && m->wall_known) return FIRN_OK;
    m->wall_known = false;
    if (firn_neighbours_update(&m->wall, m->boundary.position, m->boundary.count, 2 * m->spacing) !=
        FIRN_OK)
        return firn_fail(error, FIRN_BROKEN_MEMORY, "out of memory for %d boundary particles",
                         (int)m->boundary.count);
    m->wall_known = true;
    return FIRN_OK;
}

typedef struct fastest {
    const firn_sph* m;
    firn_real* most;  // in and out: |v|^2
} fastest;

// The fastest boundary particle of cells with snow near them.
static void fastest_cells(const void* self, firn_local begin, firn_local end)
{
    const fastest* f = self;
    const firn_sph* m = f->m;
    const firn_local* order = m->wall.order;
    firn_real most = (firn_real)(m->base.max_speed * m->base.max_speed);
    for (firn_local c = begin; c < end; c++) {
        firn_real here = 0;
        for (firn_local k = m->wall.begin[c]; k < m->wall.begin[c + 1]; k++) {
            const firn_vec3 v = m->boundary.velocity[order != NULL ? order[k] : k];
            here = firn_max(firn_v3_dot(v, v), here);
        }
        if (here > most && firn_sph_snow_near(m->cells.keys, m->cells.cell_count, m->wall.keys[c]))
            most = here;
    }
    firn_atomic_max(f->most, most);
}

// The fastest boundary particle near snow, or the fastest snow [m/s].
static double most_speed(const firn_sph* m)
{
    firn_real most = 0;
    if (m->boundary.count > 0)
        firn_share(m->wall.cell_count, FIRN_SPH_SIMPLE / 4, fastest_cells, &(fastest){m, &most});
    return fmax(m->base.max_speed, sqrt((double)most));
}

// The longest step that surface tension allows [s].
static double tension_dt(const firn_sph* m)
{
    double dt = INFINITY;
    for (firn_local k = 0; m->coheres && k < m->material_count; k++) {
        const firn_sph_material* mat = &m->materials[k];
        if (mat->surface_tension > 0)
            dt = fmin(dt, (double)firn_cohesion_dt(mat->surface_tension, mat->density,
                                                   (firn_real)m->spacing));
    }
    return dt;
}

firn_sph_dt_rules firn_sph_dt_rules_of(const firn_sph* m)
{
    return (firn_sph_dt_rules){.longest = firn_sph_dt_max(&m->def, m->spacing),
                               .cfl_way = m->def.cfl * m->spacing,
                               .tension = tension_dt(m),
                               .fixed = m->def.dt > 0,
                               .target = (double)m->def.iterations_target};
}

static double choose_dt(const firn_sph* m)
{
    const firn_sph_dt_rules rules = firn_sph_dt_rules_of(m);
    return firn_sph_dt_choose(&rules, most_speed(m), m->dt_factor, m->base.dt_scale,
                              m->base.dt_limit);
}

static void place_range(const void* self, firn_local begin, firn_local end)
{
    const firn_sph* m = self;
    const firn_sph_work* w = &m->w;
    const bool volumes = firn_sph_counts_volumes(m);
    for (firn_local i = begin; i < end; i++) {
        const firn_vec3 x = m->p.position[i];
        w->x[i] = x.x;
        w->y[i] = x.y;
        w->z[i] = x.z;
        const firn_real mass = m->p.mass[i];
        w->place[i] = (firn_vec4){x.x, x.y, x.z, volumes ? mass / m->p.fresh_density[i] : mass};
    }
}

// Which phases there are.
static void find_phases(firn_sph* m)
{
    m->has_snow = !m->fluids;
    m->viscous = false;
    m->mass_sum = 0;
    double chunk = 0;  // sums are over chunks, which are added in order
    for (firn_local i = 0; m->fluids && i < m->p.count; i++) {
        const firn_sph_material* mat = &m->materials[m->p.material[i]];
        m->has_snow |= mat->phase == FIRN_PHASE_SNOW;
        m->viscous |= mat->viscosity > 0;
        chunk += (double)m->p.mass[i];
        if ((i + 1) % FIRN_SPH_CHUNK != 0 && i + 1 < m->p.count) continue;
        m->mass_sum += chunk;
        chunk = 0;
    }
}

static firn_result find_pairs(firn_sph* m)
{
    FIRN_TRY(firn_sph_work_reserve(&m->w, m->p.count));
    FIRN_TRY(firn_pair_list_reserve(&m->pairs, m->p.count));
    firn_share(m->p.count, FIRN_SPH_SIMPLE, place_range, m);
    firn_sph_work_clear_rest(&m->w, m->p.count);
    return m->ops->search(&(firn_pair_search_args){.list = &m->pairs,
                                                   .cells = &m->cells,
                                                   .x = m->w.x,
                                                   .y = m->w.y,
                                                   .z = m->w.z,
                                                   .radius = (firn_real)(2 * m->spacing)});
}

// The first particle whose list of neighbours is full; count: none.
static firn_local crowded(const firn_sph* m)
{
    for (firn_local s = 0; s < m->pairs.slice_count; s++) {
        if (m->pairs.row_count[s] < FIRN_PAIRS_MOST) continue;
        for (firn_local i = s * FIRN_SLICE; i < m->p.count; i++)
            if (m->pairs.neighbours[i] >= FIRN_PAIRS_MOST) return i;
    }
    return m->p.count;
}

void firn_sph_take_gravity(firn_sph* m)
{
    firn_gravity gravity;
    firn_scene_gravity_copy(m->base.scene, &gravity);
    m->gravity = firn_sph_gravity_at(&gravity, m->def.gravity_rise, m->base.time, m->base.dt);
}

firn_result firn_sph_prepare(firn_sph* m, firn_error* error)
{
    firn_solver_base* base = &m->base;
    FIRN_TRY(firn_base_cull(base, error));
    firn_sph_refresh_pointers(m);
    FIRN_TRY(emit(m, error));
    firn_sph_refresh_pointers(m);
    const firn_local bad =
        firn_base_measure(base, m->p.position, m->p.velocity, m->spacing * FIRN_SPH_FAR);
    if (bad < m->p.count) {
        const firn_culprit culprit = firn_sph_culprit_of(m, bad);
        return firn_sph_fault_lost(m, &culprit, error);
    }
    firn_base_take_bodies(base);
    FIRN_TRY(firn_base_move_colliders(base, error));
    for (firn_local c = 0; c < base->collider_count; c++)
        base->colliders[c].temperature =
            (firn_real)firn_body_temperature(base->scene, &base->colliders[c], base->time);
    firn_result r = sort(m);
    if (r == FIRN_OK) FIRN_TRY(place_bodies(m, error));
    m->base.dt = choose_dt(m);
    find_phases(m);
    firn_sph_take_gravity(m);
    firn_base_apply_forces(base, m->p.position, m->p.velocity);
    firn_bodies_begin(base->bodies, base->colliders, &base->scene->shapes, m->gravity, base->time,
                      base->dt);
    if (r == FIRN_OK) r = find_pairs(m);
    if (r == FIRN_OK) r = firn_sph_sum_contacts(m);
    if (r == FIRN_OK) r = firn_sph_lumps_begin(m);
    if (r != FIRN_OK)
        return firn_fail(
            error, r,
            "out of memory for %d particles and their neighbours (spacing %g m): use a "
            "larger sph.spacing",
            (int)m->p.count, m->spacing);
    const firn_local full = crowded(m);
    if (full == m->p.count) return FIRN_OK;
    const firn_culprit culprit = firn_sph_culprit_of(m, full);
    return firn_sph_fault_crowded(m, &culprit, error);
}
