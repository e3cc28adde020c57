// SPDX-License-Identifier: MIT
// Reads a simulation: statistics, particle fields, hash. Particles that live on a device are copied
// to the host first.
#include <string.h>

#include "core/memory.h"
#include "core/suggest.h"
#include "scene/data/snow.h"
#include "sim/defs.h"
#include "sim/edit/edit.h"
#include "sim/sim.h"
#include "sim/sim_powder.h"
#include "state/field_table.h"
#include "state/field_values.h"
#include "state/particle_rows.h"

bool firn_sim_begin(const firn_sim* sim)
{
    (void)firn_call(sim != NULL ? &((firn_sim*)sim)->error : NULL);
    if (sim == NULL) return false;
    // only the error message is written; a firn_sim is never defined const
    firn_error* error = &((firn_sim*)sim)->error;
    error->code = FIRN_OK;
    error->text[0] = '\0';
    return true;
}

const char* firn_sim_error(const firn_sim* sim)
{
    if (sim == NULL) return "";
    return sim->error.text;
}

void firn_sim_cancel(firn_sim* sim)
{
    if (sim == NULL) return;
    atomic_store(&sim->cancelled, true);
}

static firn_sim_info read_sim(const firn_sim* sim)
{
    if (sim == NULL) return (firn_sim_info){0};
    const firn_memory_stats memory = firn_memory_read();
    const firn_step_report* last = &sim->last;
    firn_sim_info info = {.frame = sim->frame,
                          .step = sim->step,
                          .time = sim->time,
                          .dt = last->dt,
                          .particle_count = firn_sim_count(sim),
                          .iterations = last->iterations,
                          .residual = last->residual,
                          .kinetic = last->kinetic,
                          .elastic = last->elastic,
                          .potential = last->potential,
                          .plastic_min = last->plastic_min,
                          .plastic_max = last->plastic_max,
                          .active_blocks = last->active_blocks,
                          .shear_iterations = last->shear_iterations,
                          .neighbours = last->neighbours,
                          .rollbacks = sim->rollbacks,
                          .culled = sim->culled,
                          .memory_bytes = memory.bytes,
                          .memory_peak_bytes = memory.peak_bytes,
                          .threads = sim->threads,
                          .simd = sim->simd,
                          .backend = sim->backend,
                          .device = sim->device_name,
                          .stage_count = sim->solver->stage_count,
                          .stage_names = sim->solver->stage_names,
                          .stage_seconds = sim->stage_seconds};
    if (sim->solver->device_bytes != NULL) info.device_bytes = sim->solver->device_bytes(sim->self);
    memcpy(info.momentum, last->momentum, sizeof info.momentum);
    return info;
}

void firn_sim_read_sized(const firn_sim* sim, firn_sim_info* out_info, uint32_t size)
{
    const firn_sim_info info = read_sim(sim);
    firn_give(out_info, size, &info, sizeof info);
}

static firn_field_view view_of(const firn_particles* particles, const firn_field* field)
{
    const firn_field_info* known = firn_field_find(field->name);
    return (firn_field_view){.name = known != NULL ? known->name : field->name,
                             .unit = field->unit,
                             .type = field->type,
                             .count = particles->count,
                             .data = field->data};
}

firn_result firn_sim_fetch(const firn_sim* sim)
{
    if (!firn_sim_remote(sim)) return FIRN_OK;
    // logically const: the host's copy of the particles is only a cache. The error message may be
    // written because a firn_sim is never defined const.
    return sim->solver->fetch(sim->self, &((firn_sim*)sim)->error);
}

firn_result firn_sim_check_values(firn_sim* sim)
{
    const firn_particles* p = sim->solver->particles(sim->self);
    const firn_value_limits limits = {.finite_only = true};
    firn_invalid_value invalid;
    if (!firn_particles_find_invalid(p, &limits, &invalid)) return FIRN_OK;
    const firn_local at = invalid.particle;
    const firn_vec3 x = ((const firn_vec3*)firn_particles_find(p, "position")->data)[at];
    const uint8_t material = ((const uint8_t*)firn_particles_find(p, "material")->data)[at];
    return firn_fail(
        &sim->error, FIRN_BROKEN_DIVERGED,
        "step %lld: particle %u at (%.4g, %.4g, %.4g) m, material '%s': its '%s' is %g; likely "
        "cause: the time step is too large, or a value was damaged from outside",
        (long long)sim->step, (unsigned)((const uint32_t*)firn_particles_find(p, "id")->data)[at],
        (double)x.x, (double)x.y, (double)x.z,
        material < sim->scene.material_count ? sim->scene.materials[material].name : "(none)",
        invalid.field->name, invalid.value);
}

static const firn_field* find(const firn_particles* particles, const char* name)
{
    const firn_field* field = firn_particles_find(particles, name);
    return field == NULL && firn_field_old_name(name) != NULL
               ? firn_particles_find(particles, firn_field_old_name(name))
               : field;
}

firn_result firn_sim_find_field(const firn_sim* sim, const char* name, firn_field_view* out_view)
{
    FIRN_TRY(firn_sim_fetch(sim));
    const firn_particles* particles = sim->solver->particles(sim->self);
    const firn_field* field = find(particles, name);
    if (field == NULL) return FIRN_REFUSED_NAME;
    *out_view = view_of(particles, field);
    return FIRN_OK;
}

firn_result firn_sim_locate_field(const firn_sim* sim, const char* name,
                                  const firn_field** out_field)
{
    const firn_particles* particles = sim->solver->particles(sim->self);
    *out_field = find(particles, name);
    if (*out_field != NULL) return FIRN_OK;
    const char* names[FIRN_FIELDS_MAX];
    for (int f = 0; f < particles->field_count; f++) names[f] = particles->fields[f].name;
    const char* near = firn_suggest(name, names, (size_t)particles->field_count);
    // only the error message is written; a firn_sim is never defined const
    return firn_fail(&((firn_sim*)sim)->error, FIRN_REFUSED_NAME,
                     "solver '%s' has no particle field '%.60s'%s%s%s", sim->solver->name, name,
                     near != NULL ? "; did you mean '" : "", near != NULL ? near : "",
                     near != NULL ? "'?" : "");
}

firn_result firn_sim_field(const firn_sim* sim, const char* name, firn_field_view* out_view)
{
    if (!firn_sim_begin(sim) || name == NULL || out_view == NULL) return firn_call_null(__func__);
    const firn_field* field;
    FIRN_TRY(firn_sim_locate_field(sim, name, &field));
    FIRN_TRY(firn_sim_fetch(sim));
    *out_view = view_of(sim->solver->particles(sim->self), field);
    return FIRN_OK;
}

int firn_sim_field_count(const firn_sim* sim)
{
    if (sim == NULL) return 0;
    return sim->solver->particles(sim->self)->field_count;
}

firn_result firn_sim_field_at(const firn_sim* sim, int index, firn_field_view* out_view)
{
    if (!firn_sim_begin(sim) || out_view == NULL) return firn_call_null(__func__);
    const firn_particles* particles = sim->solver->particles(sim->self);
    if (index < 0 || index >= particles->field_count)
        // only the error message is written; a firn_sim is never defined const
        return firn_fail(&((firn_sim*)sim)->error, FIRN_REFUSED_ARGUMENT,
                         "there is no field %d: the solver has %d, counted from 0", index,
                         particles->field_count);
    FIRN_TRY(firn_sim_fetch(sim));
    *out_view = view_of(particles, &particles->fields[index]);
    return FIRN_OK;
}

// Of particles on several ranks.
static uint64_t hash_rows(const firn_sim* sim)
{
    firn_error ignored = {0};
    firn_particle_rows rows;
    uint64_t hash = 0;
    const firn_solver* solver = sim->solver;
    if (solver->rows_open(sim->self, &rows, &ignored) != FIRN_OK) return 0;
    const firn_result r =
        firn_particle_rows_hash(&rows, solver->particles(sim->self), &hash, &ignored);
    solver->rows_close(sim->self);
    return r == FIRN_OK ? hash : 0;
}

uint64_t firn_sim_hash(const firn_sim* sim)
{
    if (sim == NULL) return 0;
    if (sim->has_ranks && sim->solver->rows_open != NULL) return hash_rows(sim);
    if (firn_sim_fetch(sim) != FIRN_OK) return 0;
    // logically const: the same state after edits
    if (firn_sim_settle((firn_sim*)sim) != FIRN_OK) return 0;
    const uint64_t hash = firn_particles_hash(sim->solver->particles(sim->self));
    const firn_powder* powder = firn_sim_powder(sim);
    return powder != NULL ? hash ^ firn_powder_hash(powder) : hash;
}
