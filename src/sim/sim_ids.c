// SPDX-License-Identifier: MIT
#include "sim/sim_ids.h"

#include <stdatomic.h>

#include "geometry/collider/collider.h"
#include "scene/data/emitter.h"
#include "sim/sim.h"

uint32_t firn_owner_new(void)
{
    static atomic_uint last;
    uint32_t owner = 0;
    while (owner == 0) owner = (uint32_t)atomic_fetch_add(&last, 1) + 1;  // after 2^32 scenes
    return owner;
}

firn_result firn_id_find(const firn_id_list* list, uint32_t slot1, uint32_t owner,
                         firn_local* out_index, firn_error* error)
{
    if (slot1 == 0)
        return firn_fail(error, FIRN_REFUSED_ARGUMENT,
                         "the %s id is null: use one that firn has returned", list->what);
    if (owner != list->own)
        return firn_fail(error, FIRN_REFUSED_ARGUMENT,
                         "the %s id is of another scene, or from before this one was loaded",
                         list->what);
    if (slot1 > (uint32_t)list->count)
        return firn_fail(error, FIRN_REFUSED_ARGUMENT, "there is no %s %u: there are %d, from 0",
                         list->what, (unsigned)(slot1 - 1), (int)list->count);
    *out_index = (firn_local)(slot1 - 1);
    return FIRN_OK;
}

firn_result firn_scene_shape_find(const firn_scene* scene, firn_shape_id id, firn_local* out_index,
                                  firn_error* error)
{
    const firn_id_list list = {"shape", scene->owner, scene->data.shapes.node_count};
    return firn_id_find(&list, id.slot1, id.owner, out_index, error);
}

firn_result firn_scene_material_find(const firn_scene* scene, firn_material_id id,
                                     firn_local* out_index, firn_error* error)
{
    const firn_id_list list = {"material", scene->owner, scene->data.material_count};
    return firn_id_find(&list, id.slot1, id.owner, out_index, error);
}

// Only the error message is written; a firn_sim is never defined const.
static firn_error* error_of(const firn_sim* sim)
{
    return &((firn_sim*)sim)->error;
}

firn_result firn_sim_collider_slot(const firn_sim* sim, firn_collider_id id, firn_local* out_index)
{
    const firn_id_list list = {"collider", sim->owner, firn_sim_body_count(sim)};
    return firn_id_find(&list, id.slot1, id.owner, out_index, error_of(sim));
}

firn_result firn_sim_collider_find(const firn_sim* sim, firn_collider_id id, firn_local* out_index)
{
    firn_local index = 0;
    FIRN_TRY(firn_sim_collider_slot(sim, id, &index));
    if (sim->scene.colliders[index].removed)
        return firn_fail(error_of(sim), FIRN_REFUSED_ARGUMENT, "collider %d was removed",
                         (int)index);
    *out_index = index;
    return FIRN_OK;
}

firn_result firn_sim_emitter_find(const firn_sim* sim, firn_emitter_id id, firn_local* out_index)
{
    const firn_id_list list = {"emitter", sim->owner, sim->scene.emitter_count};
    firn_local index = 0;
    FIRN_TRY(firn_id_find(&list, id.slot1, id.owner, &index, error_of(sim)));
    if (sim->scene.emitters[index].removed)
        return firn_fail(error_of(sim), FIRN_REFUSED_ARGUMENT, "emitter %d was removed",
                         (int)index);
    *out_index = index;
    return FIRN_OK;
}

firn_result firn_sim_snow_find(const firn_sim* sim, firn_snow_id id, firn_local* out_index)
{
    const firn_id_list list = {"snow body", sim->owner, sim->scene.snow_count};
    return firn_id_find(&list, id.slot1, id.owner, out_index, error_of(sim));
}

firn_result firn_sim_body_at(const firn_sim* sim, int index, firn_collider_id* out_id)
{
    if (!firn_sim_begin(sim) || out_id == NULL) return firn_call_null(__func__);
    const int count = firn_sim_body_count(sim);
    if (index < 0 || index >= count)
        return firn_fail(error_of(sim), FIRN_REFUSED_ARGUMENT,
                         "there is no collider %d: the simulation has %d, counted from 0", index,
                         count);
    *out_id = (firn_collider_id){(uint32_t)index + 1, sim->owner};
    return FIRN_OK;
}
