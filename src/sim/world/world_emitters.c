// SPDX-License-Identifier: MIT
// Adds and removes emitters. Flakes depend on seed and number of each emitter only, so that those
// of other emitters stay the same.
#include <stddef.h>
#include <string.h>

#include "core/memory.h"
#include "firn/world.h"
#include "scene/data/emitter.h"
#include "scene/data/scene_import.h"
#include "scene/data/snow.h"
#include "scene/run/flakes.h"
#include "sim/entry.h"
#include "sim/scene/scene_api.h"
#include "sim/sim_ids.h"
#include "sim/world/world.h"

static bool is_same(const firn_snow_material* a, const firn_snow_material* b)
{
    const size_t reals = offsetof(firn_snow_material, young_count);
    return memcmp(a, b, reals) == 0 && a->young_count == b->young_count &&
           memcmp(a->young_at, b->young_at, sizeof a->young_at) == 0 &&
           memcmp(&a->cam_clay, &b->cam_clay, sizeof a->cam_clay) == 0;
}

// Finds a material of the simulation with the constants of the prefab's; without materials that is
// the default one.
static firn_result find_material(firn_sim* sim, const firn_scene* prefabs, firn_local* material)
{
    const firn_scene_data *to = &sim->scene, *from = &prefabs->data;
    if (from->material_count == 0 && *material == 0 && to->material_count > 0) return FIRN_OK;
    for (firn_local k = 0; k < to->material_count && *material < from->material_count; k++)
        if (is_same(&to->materials[k].snow, &from->materials[*material].snow)) {
            *material = k;
            return FIRN_OK;
        }
    return firn_fail(&sim->error, FIRN_REFUSED_ARGUMENT,
                     "the simulation has no material with the constants of that of the emitter: "
                     "define it in the scene that the simulation is created from");
}

static firn_result append(firn_sim* sim, const firn_scene* prefabs, firn_emitter* emitter)
{
    firn_scene_data* d = &sim->scene;
    if (firn_scene_import_shape(d, &prefabs->data, emitter->shape, &emitter->shape) != FIRN_OK ||
        !firn_reserve((void**)&d->emitters, &d->emitter_capacity, d->emitter_count + 1,
                      sizeof *d->emitters))
        return firn_fail(&sim->error, FIRN_REFUSED_ARGUMENT, "no memory for another emitter");
    d->emitters[d->emitter_count++] =
        firn_emitter_settled(d, emitter, sim->solver->estimate(d).flake);
    const firn_result r = sim->solver->emitter_added(sim->self, &sim->error);
    if (r != FIRN_OK) {
        d->emitter_count--;
        if (r == FIRN_REFUSED_BACKEND) return r;
        return firn_fail(&sim->error, FIRN_REFUSED_ARGUMENT, "no memory for another emitter");
    }
    return firn_world_make_room(sim);
}

static firn_result add(firn_sim* sim, const firn_scene* prefabs, const firn_emitter_def* def)
{
    firn_emitter emitter;
    FIRN_TRY(firn_emitter_from_def(prefabs, def, &emitter, &sim->error));
    FIRN_TRY(find_material(sim, prefabs, &emitter.material));
    if (emitter.start < sim->time) emitter.start = sim->time;
    if (!(emitter.stop > emitter.start))
        return firn_fail(&sim->error, FIRN_REFUSED_ARGUMENT,
                         "the emitter stops at %g s, and now it is %g s: use a later time",
                         emitter.stop, sim->time);
    FIRN_TRY(firn_sim_fetch(sim));
    return append(sim, prefabs, &emitter);
}

firn_result firn_sim_add_emitter(firn_sim* sim, const firn_scene* prefabs,
                                 const firn_emitter_def* def, firn_emitter_id* out_id)
{
    FIRN_TRY(firn_world_begin(sim, "emitters"));
    if (prefabs == NULL || def == NULL)
        return firn_fail(&sim->error, FIRN_REFUSED_ARGUMENT,
                         "firn_sim_add_emitter needs a def and a scene with the emitter's shape");
    if (!sim->solver->emits || sim->solver->emitter_added == NULL) {
        char others[64];
        firn_solver_names_with(offsetof(firn_solver, emits), others, sizeof others);
        return firn_fail(&sim->error, FIRN_REFUSED_NAME,
                         "solver '%s' does not support emitters: use %s", sim->solver->name,
                         others);
    }
    const firn_entry entry = firn_sim_enter(sim);
    const firn_result r = add(sim, prefabs, def);
    firn_leave(entry);
    if (r == FIRN_OK && out_id != NULL)
        *out_id = (firn_emitter_id){(uint32_t)sim->scene.emitter_count, sim->owner};
    return r;
}

firn_result firn_sim_remove_emitter(firn_sim* sim, firn_emitter_id id)
{
    FIRN_TRY(firn_world_begin(sim, "emitters"));
    firn_local index;
    FIRN_TRY(firn_sim_emitter_find(sim, id, &index));
    const firn_entry entry = firn_sim_enter(sim);
    const firn_result r = firn_sim_fetch(sim);  // a device may be ahead
    firn_leave(entry);
    if (r != FIRN_OK) return r;
    firn_emitter* emitter = &sim->scene.emitters[index];
    emitter->removed = true;
    if (emitter->stop > sim->time) emitter->stop = sim->time;
    sim->has_snapshot = false;  // a rollback returns to this state
    return FIRN_OK;
}
