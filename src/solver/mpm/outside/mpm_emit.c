// SPDX-License-Identifier: MIT
#include "solver/mpm/outside/mpm_emit.h"

#include <string.h>

#include "bodies/bodies.h"
#include "scene/data/scene.h"
#include "scene/run/flakes.h"
#include "solver/mpm/ranks/rank_part.h"
#include "solver/mpm/support/mpm_solver.h"
#include "solver/shared/device_run.h"

#define ROW(field, type, kind, unit, step, changes, values) \
    FIRN_FIELD_ROW(firn_mpm_particles, field, kind, unit, changes, values),
static const firn_field_row flake_fields[] = {FIRN_MPM_FLAKE_FIELDS(ROW)};
#define FLAKE_FIELDS (sizeof flake_fields / sizeof *flake_fields)

void firn_mpm_emission_add_fields(firn_solver_base* base)
{
    firn_base_add_fields(base, flake_fields, FLAKE_FIELDS);
}

firn_result firn_mpm_emitter_added(void* self, firn_error* error)
{
    firn_mpm* m = self;
    if (m->crew != NULL)
        return firn_fail(error, FIRN_REFUSED_BACKEND,
                         "an emitter cannot be added on several ranks yet: put it into the scene");
    FIRN_TRY(firn_base_grow_emitters(&m->base, flake_fields, FLAKE_FIELDS, &m->emitted,
                                     &m->emitted_before, error));
    firn_device_run_rebuild(m);
    return FIRN_OK;
}

void firn_mpm_find_next_id(firn_mpm* m)
{
    if (m->next_id == 0) m->next_id = (uint32_t)firn_base_ids_end(&m->base.store);
}

firn_result firn_mpm_emit(firn_mpm* m, firn_error* error)
{
    const firn_local emitters = m->base.scene->emitter_count;
    if (emitters == 0) return FIRN_OK;
    memcpy(m->emitted_before, m->emitted, (size_t)emitters * sizeof *m->emitted);
    FIRN_TRY(firn_flakes_emit(m->base.scene, m->base.time, 0, firn_mpm_flake(m->base.scene),
                              m->emitted, &m->fresh, error));
    if (m->fresh.count == 0) return FIRN_OK;
    firn_mpm_find_next_id(m);
    if (firn_base_append(&m->base, &m->fresh, &m->next_id) != FIRN_OK)
        return firn_fail(error, FIRN_BROKEN_MEMORY, "out of memory for %d more particles",
                         (int)m->fresh.count);
    firn_mpm_dress_seeds(m, &m->fresh);
    firn_local p = m->p.count - m->fresh.count;  // in the order of the emitters
    for (firn_local k = 0; k < emitters; k++)
        for (int64_t n = m->emitted_before[k]; n < m->emitted[k]; n++)
            m->p.emitter[p++] = (uint32_t)k + 1;
    if (m->part != NULL) firn_mpm_part_take_fresh(m, m->p.count - m->fresh.count);
    return FIRN_OK;
}

static size_t size_for(size_t emitters)
{
    return emitters > 0 ? sizeof(uint64_t) + emitters * sizeof(int64_t) : 0;
}

size_t firn_mpm_emission_size(const firn_mpm* m)
{
    return size_for((size_t)m->base.scene->emitter_count);
}

void firn_mpm_emission_save(const firn_mpm* m, void* block)
{
    const size_t emitters = (size_t)m->base.scene->emitter_count;
    const uint64_t next_id = m->next_id;
    if (emitters == 0) return;
    memcpy(block, &next_id, sizeof next_id);
    memcpy((char*)block + sizeof next_id, m->emitted, emitters * sizeof *m->emitted);
}

// Null: the values are valid.
static const char* find_invalid(const void* block, size_t emitters, double* out_value)
{
    uint64_t next_id = 0;
    if (emitters == 0) return NULL;
    memcpy(&next_id, block, sizeof next_id);
    *out_value = (double)next_id;
    if (next_id > UINT32_MAX) return "next_id";
    for (size_t k = 0; k < emitters; k++) {
        int64_t n;
        memcpy(&n, (const char*)block + sizeof next_id + k * sizeof n, sizeof n);
        *out_value = (double)n;
        if (n < 0 || (uint64_t)n > next_id) return "emitted";
    }
    return NULL;
}

firn_result firn_mpm_emission_check(const firn_mpm* m, const void* block, size_t size,
                                    size_t* out_emitters, firn_error* error)
{
    const size_t all = (size_t)m->base.scene->emitter_count;
    firn_result r = FIRN_REFUSED_DAMAGED;
    for (size_t fewer = 0; fewer <= all && r != FIRN_OK; fewer++) {
        const size_t at = size_for(all - fewer);
        if (size < at) continue;
        r = firn_bodies_extra_check(m->base.bodies, (const char*)block + at, size - at,
                                    fewer == 0 ? error : NULL);
        *out_emitters = all - fewer;
    }
    if (r != FIRN_OK)
        return all == 0 || firn_bodies_count(m->base.bodies) > 0
                   ? r
                   : firn_base_refuse_size(size, size_for(all), error);
    double value = 0;
    const char* wrong = find_invalid(block, *out_emitters, &value);
    if (wrong == NULL) return FIRN_OK;
    return firn_base_refuse(wrong, -1, value, "0 to the number of particles so far", error);
}

size_t firn_mpm_emission_restore(firn_mpm* m, const void* block, size_t emitters)
{
    m->next_id = 0;  // of a block without emitters: found when it is needed
    if (m->base.scene->emitter_count > 0)
        memset(m->emitted, 0, (size_t)m->base.scene->emitter_count * sizeof *m->emitted);
    if (emitters == 0) return 0;
    uint64_t next_id;
    memcpy(&next_id, block, sizeof next_id);
    m->next_id = (uint32_t)next_id;
    memcpy(m->emitted, (const char*)block + sizeof next_id, emitters * sizeof *m->emitted);
    return size_for(emitters);
}
