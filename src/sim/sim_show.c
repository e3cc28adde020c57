// SPDX-License-Identifier: MIT
// What a viewer draws of a running simulation besides particles: colliders, camera.
#include "geometry/collider/collider_drive.h"
#include "sim/collider_info.h"
#include "sim/collider_mesh.h"
#include "sim/defs.h"
#include "sim/sim.h"
#include "sim/sim_ids.h"

firn_result firn_sim_view_sized(const firn_sim* sim, firn_view_info* out_info, uint32_t size)
{
    if (!firn_sim_begin(sim) || out_info == NULL) return firn_call_null(__func__);
    const firn_view_info info = firn_view_info_of(&sim->scene, sim->time);
    firn_give(out_info, size, &info, sizeof info);
    return FIRN_OK;
}

// Copies a collider and moves it to the current time: the solver's copy is at the start of the last
// step. The caller destroys it.
static firn_result copy_collider(const firn_sim* sim, firn_collider_id id, firn_local* out_body,
                                 firn_collider* out_copy)
{
    // only the error message is written; a firn_sim is never defined const
    firn_error* error = &((firn_sim*)sim)->error;
    FIRN_TRY(firn_sim_collider_slot(sim, id, out_body));
    firn_local count;
    const firn_collider* all = sim->solver->colliders(sim->self, &count);
    if (firn_collider_copy(&all[*out_body], out_copy) != FIRN_OK)
        return firn_fail(error, FIRN_BROKEN_MEMORY, "out of memory for a copy of collider %d",
                         (int)*out_body);
    const firn_result r = firn_collider_move(out_copy, &sim->scene.shapes, sim->time, error);
    if (r != FIRN_OK) firn_collider_destroy(out_copy);
    return r;
}

firn_result firn_sim_body_sized(const firn_sim* sim, firn_collider_id id, firn_body_info* out_info,
                                uint32_t size)
{
    if (!firn_sim_begin(sim) || out_info == NULL) return firn_call_null(__func__);
    firn_local body;
    firn_collider copy;
    FIRN_TRY(copy_collider(sim, id, &body, &copy));
    const firn_body_info info = firn_body_info_of(&sim->scene, &copy, body, sim->time);
    firn_give(out_info, size, &info, sizeof info);
    firn_collider_destroy(&copy);
    return FIRN_OK;
}

firn_result firn_sim_body_mesh(const firn_sim* sim, firn_collider_id id, firn_body_mesh* out_mesh,
                               firn_error* out_error)
{
    if (!firn_sim_begin(sim) || out_mesh == NULL) return firn_call_null(__func__);
    // only the error message is written; a firn_sim is never defined const
    firn_error* error = &((firn_sim*)sim)->error;
    firn_local body;
    firn_collider copy;
    firn_body_mesh mesh;
    firn_result r = firn_sim_collider_find(sim, id, &body);  // a removed one has no mesh
    if (r == FIRN_OK) r = copy_collider(sim, id, &body, &copy);
    if (r == FIRN_OK) {
        r = firn_body_mesh_make(&sim->scene, &copy, sim->time, &mesh, error);
        firn_collider_destroy(&copy);
    }
    if (r == FIRN_OK) *out_mesh = mesh;
    if (r != FIRN_OK && out_error != NULL) *out_error = *error;
    return r;
}
