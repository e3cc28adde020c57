// SPDX-License-Identifier: MIT
// Where particle fields lie: on the device of the simulation, or on the host.
#include "sim/device/device_field.h"

#include "sim/defs.h"
#include "sim/entry.h"
#include "state/field_table.h"

static int components_of(firn_field_type type)
{
    return type == FIRN_FIELD_MAT3 ? 9 : type == FIRN_FIELD_VEC3 ? 3 : 1;
}

static void place_on_host(const firn_sim* sim, const firn_field* field, firn_device_field* out)
{
    out->count = sim->solver->particles(sim->self)->count;
    out->component_size = (int)field->size / out->components;
    out->parts[0] = out->count > 0 ? field->data : NULL;
    out->stride = field->size;
}

firn_result firn_sim_place_field(const firn_sim* sim, const char* name, bool wait,
                                 firn_device_field* out_field)
{
    const firn_field* field;
    FIRN_TRY(firn_sim_locate_field(sim, name, &field));
    const firn_field_info* known = firn_field_find(field->name);
    const int components = components_of(field->type);
    firn_device_field out = {.name = known != NULL ? known->name : field->name,
                             .unit = field->unit,
                             .type = field->type,
                             .device = sim->device,
                             .components = components,
                             .component_size = sizeof(uint32_t),
                             .part_count = 1,
                             .part_components = components,
                             .stride = field->size};
    // logically const: the state is the same on host and device; a firn_sim is never defined const
    if (firn_sim_remote(sim))
        FIRN_TRY(sim->solver->device_field(sim->self, field, wait, &out, &((firn_sim*)sim)->error));
    else
        place_on_host(sim, field, &out);
    *out_field = out;
    return FIRN_OK;
}

firn_result firn_sim_device_field_sized(const firn_sim* sim, const char* name,
                                        firn_device_field* out_field, uint32_t size)
{
    if (!firn_sim_begin(sim) || name == NULL || out_field == NULL) return firn_call_null(__func__);
    firn_device_field own;
    const firn_entry entry = firn_sim_enter(sim);
    const firn_result r = firn_sim_place_field(sim, name, false, &own);
    firn_leave(entry);
    if (r == FIRN_OK) firn_give(out_field, size, &own, sizeof own);
    return r;
}
