// SPDX-License-Identifier: MIT
#include "sim/edit/edit.h"

#include <math.h>

#include "math/quat.h"
#include "sim/entry.h"

firn_result firn_sim_edit_begin(firn_sim* sim, const char* function)
{
    if (!firn_sim_begin(sim)) return firn_call_null(function);
    if (sim->broken)
        return firn_fail(&sim->error, FIRN_REFUSED_ARGUMENT,
                         "%s: the simulation is broken and can only be destroyed", function);
    return firn_sim_fetch(sim);
}

firn_result firn_sim_check_room(const firn_sim* sim, int64_t count, firn_error* error)
{
    if (sim->particles_max > 0 && count > sim->particles_max)
        return firn_fail(error, FIRN_REFUSED_ARGUMENT,
                         "%lld particles, but the simulation was created with particles_max %lld: "
                         "use a larger value, or 0",
                         (long long)count, (long long)sim->particles_max);
    if (count > INT32_MAX)
        return firn_fail(error, FIRN_REFUSED_ARGUMENT, "%lld particles; at most %d are possible",
                         (long long)count, INT32_MAX);
    return FIRN_OK;
}

// Whether the ids are the numbers 0 to count - 1, which are known to be different. Only then can a
// snapshot do without the constant fields.
static bool ids_are_dense(const firn_particles* p)
{
    const firn_field* field = firn_particles_find(p, "id");
    const uint32_t* id = field != NULL ? field->data : NULL;
    for (firn_local k = 0; k < p->count && id != NULL; k++)
        if (id[k] >= (uint32_t)p->count) return false;
    return id != NULL;
}

void firn_sim_edited(firn_sim* sim)
{
    sim->has_snapshot = false;
    firn_edit_fields_close(sim->edit_fields);  // particles may have another order
    sim->edits++;
    const firn_particles* p = sim->solver->particles(sim->self);
    if (firn_sim_copies_all(sim) || ids_are_dense(p)) return;
    firn_snapshot_destroy(&sim->snapshot);  // it has no arrays for constant fields
    sim->edited = true;
}

firn_result firn_sim_settle(firn_sim* sim)
{
    if (sim->solver->settle == NULL) return FIRN_OK;
    const firn_entry entry = firn_sim_enter(sim);
    const firn_result r = sim->solver->settle(sim->self, &sim->error);
    firn_leave(entry);
    sim->broken = sim->broken || r < 0;
    return r;
}

firn_result firn_edit_pose_of(const firn_placement* where, firn_edit_pose* out_pose,
                              firn_error* error)
{
    firn_edit_pose pose = {.rotation = firn_m3_identity()};
    if (where != NULL) {
        const firn_quat q = where->rotation;
        const double length = sqrt((double)q.w * (double)q.w + (double)q.x * (double)q.x +
                                   (double)q.y * (double)q.y + (double)q.z * (double)q.z);
        if (!firn_v3_is_finite(where->position) || !(length > 1e-6) || !isfinite(length))
            return firn_fail(error, FIRN_REFUSED_ARGUMENT,
                             "the placement needs a finite position and a rotation; no rotation is "
                             "{1, 0, 0, 0}");
        pose.position = where->position;
        pose.turned = q.x != 0 || q.y != 0 || q.z != 0;
        if (pose.turned) pose.rotation = firn_q_to_m3(firn_q_normalize(q));
    }
    *out_pose = pose;
    return FIRN_OK;
}

void firn_sim_edit_destroy(firn_sim* sim)
{
    firn_free(sim->added);
    firn_edit_fields_destroy(sim->edit_fields);
}
