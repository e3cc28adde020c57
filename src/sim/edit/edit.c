// SPDX-License-Identifier: MIT
#include "sim/edit/edit.h"

firn_result firn_sim_edit_begin(firn_sim* sim, const char* function)
{
    if (!firn_sim_begin(sim)) return FIRN_REFUSED_ARGUMENT;
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
    sim->edits++;
    const firn_particles* p = sim->solver->particles(sim->self);
    if (firn_sim_copies_all(sim) || ids_are_dense(p)) return;
    firn_snapshot_destroy(&sim->snapshot);  // it has no arrays for constant fields
    sim->edited = true;
}
