// SPDX-License-Identifier: MIT
// Which fields the particles of a scene have (mpm_fields.h).
#include <string.h>

#include "geometry/collider/collider.h"
#include "scene/data/scene.h"
#include "scene/data/snow.h"
#include "solver/mpm/outside/mpm_emit.h"
#include "solver/mpm/outside/mpm_powder.h"
#include "solver/mpm/support/mpm_solver.h"

#define ROW(field, type, kind, unit, step, changes, values) \
    FIRN_FIELD_ROW(firn_mpm_particles, field, kind, unit, changes, values),
static const firn_field_row fields[] = {FIRN_MPM_FIELDS(ROW)};
static const firn_field_row apic_fields[] = {FIRN_MPM_APIC_FIELDS(ROW)};
static const firn_field_row grip_fields[] = {FIRN_MPM_GRIP_FIELDS(ROW)};
static const firn_field_row clay_fields[] = {FIRN_MPM_CLAY_FIELDS(ROW)};
static const firn_field_row varied_fields[] = {FIRN_MPM_VARIED_FIELDS(ROW)};
static const firn_field_row ageing_fields[] = {FIRN_MPM_AGEING_FIELDS(ROW)};
static const firn_field_row rank_fields[] = {FIRN_MPM_RANK_FIELDS(ROW)};

// Is there snow that creeps or sinters?
static bool snow_ages(const firn_scene_data* scene)
{
    bool ages = false;
    for (firn_local k = 0; k < scene->material_count; k++)
        ages |=
            scene->materials[k].snow.viscosity > 0 || scene->materials[k].snow.sintering_time > 0;
    return ages && scene->ageing.time_scale > 0;
}

// Can friction hold snow at rest?
static bool friction_holds(const firn_scene_data* scene, const firn_mpm_def* def)
{
    bool rough = false;
    for (firn_local c = 0; c < scene->collider_count; c++)
        rough |= !scene->colliders[c].sticky && scene->colliders[c].friction > 0;
    return rough && def->grip > 0;
}

void firn_mpm_add_fields(firn_mpm* m)
{
    firn_solver_base* base = &m->base;
    m->holds = friction_holds(base->scene, &m->def);
    m->clays = firn_scene_has_cam_clay(base->scene);
    m->varies = firn_scene_varies(base->scene);
    m->ages = snow_ages(base->scene);
    firn_base_add_fields(base, fields, sizeof fields / sizeof *fields);
    if (m->def.transfer == FIRN_MPM_APIC)
        firn_base_add_fields(base, apic_fields, sizeof apic_fields / sizeof *apic_fields);
    if (m->holds) firn_base_add_fields(base, grip_fields, sizeof grip_fields / sizeof *grip_fields);
    if (m->clays) firn_base_add_fields(base, clay_fields, sizeof clay_fields / sizeof *clay_fields);
    if (m->varies)
        firn_base_add_fields(base, varied_fields, sizeof varied_fields / sizeof *varied_fields);
    if (m->ages)
        firn_base_add_fields(base, ageing_fields, sizeof ageing_fields / sizeof *ageing_fields);
    if (base->scene->powder.active) firn_mpm_powder_add_fields(base);
    if (base->scene->emitter_count > 0) firn_mpm_emission_add_fields(base);
    if (m->part != NULL)  // last: rank 0 has all others
        firn_base_add_fields(base, rank_fields, sizeof rank_fields / sizeof *rank_fields);
    if (m->def.volumes == FIRN_MPM_VOLUMES_GRID) return;
    for (int f = 0; f < base->store.field_count; f++)  // seeds have them: a rollback keeps them
        if (strcmp(base->store.fields[f].name, "volume") == 0)
            base->store.fields[f].changes = FIRN_CHANGES_NEVER;
}

firn_result firn_mpm_add_grip(firn_mpm* m, firn_error* error)
{
    if (m->holds || !friction_holds(m->base.scene, &m->def)) return FIRN_OK;
    if (firn_base_append_fields(&m->base, grip_fields, sizeof grip_fields / sizeof *grip_fields) !=
        FIRN_OK)
        return firn_fail(error, FIRN_BROKEN_MEMORY, "out of memory for another collider");
    m->holds = true;
    return FIRN_OK;
}
