// SPDX-License-Identifier: MIT
// Adds and removes colliders. The scene of the simulation and the solver have copies of each; both
// grow at their end, so that indices stay.
#include <math.h>

#include "core/memory.h"
#include "firn/world.h"
#include "geometry/collider/collider_drive.h"
#include "scene/data/scene_import.h"
#include "sim/defs.h"
#include "sim/entry.h"
#include "sim/scene/collider_def.h"
#include "sim/sim_ids.h"
#include "sim/world/world.h"

firn_result firn_world_begin(firn_sim* sim, const char* what)
{
    if (!firn_sim_begin(sim)) return firn_call_null(what);
    if (sim->broken)
        return firn_fail(&sim->error, FIRN_REFUSED_ARGUMENT,
                         "the simulation is broken and can only be destroyed");
    if (sim->output_dir != NULL)
        return firn_fail(&sim->error, FIRN_REFUSED_ARGUMENT,
                         "%s cannot come or go in a simulation with an output_dir, because the "
                         "scene and the frames there have those of the start: use one without",
                         what);
    return FIRN_OK;
}

firn_result firn_world_make_room(firn_sim* sim)
{
    const size_t size = sim->solver->extra_size(sim->self);
    void* extra = firn_alloc(size + 1, 1);
    if (extra == NULL) {
        sim->broken = true;
        return firn_fail(&sim->error, FIRN_BROKEN_MEMORY, "out of memory");
    }
    firn_free(sim->snapshot_extra);
    sim->snapshot_extra = extra;
    sim->extra_size = size;
    sim->has_snapshot = false;              // a rollback returns to this state
    firn_snapshot_destroy(&sim->snapshot);  // particles may have more fields
    return FIRN_OK;
}

// The def and the pose as a collider that begins now; its shape is one of the prefabs.
static firn_result make(const firn_sim* sim, const firn_scene* prefabs,
                        const firn_collider_def* def, const firn_body_pose* pose,
                        firn_collider* body, firn_error* error)
{
    FIRN_TRY(firn_collider_from_def(def, &prefabs->data.shapes, body, error));
    if (pose == NULL && !(body->mass > 0)) return FIRN_OK;
    firn_motion state = body->drive;  // of a dynamic one
    if (pose != NULL) {
        state = firn_motion_at_rest();
        state.position = pose->position;
        state.rotation = pose->rotation;
        state.scale = pose->scale;
        state.velocity = pose->velocity;
        state.spin = pose->spin;
    }
    const firn_moved_by by = body->mass > 0 ? FIRN_MOVED_BY_SOLVER : FIRN_MOVED_BY_CALLER;
    return firn_collider_drive(body, by, &state, sim->time, error);
}

// What of the collider the simulation does not support.
static firn_result check(firn_sim* sim, const firn_collider* body)
{
    const firn_solver* solver = sim->solver;
    if (solver->collider_added == NULL)
        return firn_fail(&sim->error, FIRN_REFUSED_NAME,
                         "solver '%s' does not support colliders that are added", solver->name);
    if (body->mass > 0 && !solver->free_bodies) {
        char others[64];
        firn_solver_names_with(offsetof(firn_solver, free_bodies), others, sizeof others);
        return firn_fail(&sim->error, FIRN_REFUSED_NAME,
                         "solver '%s' does not support rigid bodies: remove `mass` or use %s",
                         solver->name, others);
    }
    if (!isnan(body->temperature) &&
        firn_particles_find(solver->particles(sim->self), "temperature") == NULL)
        return firn_fail(&sim->error, FIRN_REFUSED_ARGUMENT,
                         "the collider has a temperature, but the particles have none because the "
                         "scene sets none: add one, for example `air: {temperature: -5}`");
    return FIRN_OK;
}

// Appends the collider to the scene and to the solver; owns it on success.
static firn_result append(firn_sim* sim, const firn_scene* prefabs, firn_collider* body)
{
    firn_scene_data* d = &sim->scene;
    const firn_local index = d->collider_count;
    if (firn_scene_import_shape(d, &prefabs->data, body->shape, &body->shape) != FIRN_OK ||
        !firn_reserve((void**)&d->colliders, &d->collider_capacity, index + 1,
                      sizeof *d->colliders))
        return firn_fail(&sim->error, FIRN_REFUSED_ARGUMENT, "no memory for another collider");
    if (firn_sim_loads_grow(sim, &sim->error) != FIRN_OK)
        return firn_fail(&sim->error, FIRN_REFUSED_ARGUMENT, "no memory for another collider");
    d->colliders[d->collider_count++] = *body;
    const firn_result r = sim->solver->collider_added(sim->self, &sim->error);
    if (r != FIRN_OK) {  // the room for its loads stays
        d->collider_count--;
        sim->load_count--;
        return r > 0 ? r
                     : firn_fail(&sim->error, FIRN_REFUSED_ARGUMENT,
                                 "no memory for another collider");
    }
    *body = (firn_collider){0};
    return firn_world_make_room(sim);
}

static firn_result add(firn_sim* sim, const firn_scene* prefabs, const firn_collider_def* def,
                       firn_local shape, const firn_body_pose* pose)
{
    FIRN_TRY(firn_sim_fetch(sim));
    firn_collider body = {.shape = shape};
    firn_result r = make(sim, prefabs, def, pose, &body, &sim->error);
    if (r == FIRN_OK) r = check(sim, &body);
    if (r == FIRN_OK) r = append(sim, prefabs, &body);
    firn_collider_destroy(&body);
    return r;
}

firn_result firn_sim_add_collider(firn_sim* sim, const firn_scene* prefabs,
                                  const firn_collider_def* def, const firn_body_pose* pose,
                                  firn_collider_id* out_id)
{
    FIRN_TRY(firn_world_begin(sim, "colliders"));
    if (prefabs == NULL)
        return firn_fail(&sim->error, FIRN_REFUSED_ARGUMENT,
                         "firn_sim_add_collider needs a scene with the collider's shape");
    firn_collider_def own;
    FIRN_TRY(firn_def_take(FIRN_DEF_COLLIDER, def, &own, &sim->error));
    def = &own;
    firn_local shape;
    firn_error why;
    if (firn_scene_shape_find(prefabs, def->shape, &shape, &why) != FIRN_OK)
        return firn_fail(&sim->error, FIRN_REFUSED_ARGUMENT,
                         "a collider needs a shape of the scene that is passed with it: %.200s",
                         why.text);
    const firn_entry entry = firn_sim_enter(sim);
    const firn_result r = add(sim, prefabs, def, shape, pose);
    firn_leave(entry);
    if (r == FIRN_OK && out_id != NULL)
        *out_id = (firn_collider_id){(uint32_t)sim->scene.collider_count, sim->owner};
    return r;
}

firn_result firn_sim_remove_collider(firn_sim* sim, firn_collider_id id)
{
    FIRN_TRY(firn_world_begin(sim, "colliders"));
    firn_local index, count;
    FIRN_TRY(firn_sim_collider_find(sim, id, &index));
    const firn_entry entry = firn_sim_enter(sim);
    sim->scene.colliders[index].removed = true;
    sim->solver->colliders(sim->self, &count)[index].removed = true;
    firn_sim_loads_forget(sim, index);
    const firn_result r = firn_sim_colliders_changed(sim);
    sim->has_snapshot = false;  // a rollback returns to this state
    firn_leave(entry);
    return r;
}
