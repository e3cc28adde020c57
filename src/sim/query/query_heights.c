// SPDX-License-Identifier: MIT
#include "sim/defs.h"
#include "sim/entry.h"
#include "sim/query/query.h"

firn_result firn_query_snow(const firn_sim* sim, firn_height_snow* out_snow)
{
    firn_field_view x, r;
    FIRN_TRY(firn_sim_find_field(sim, "position", &x));
    const bool sized =
        firn_sim_find_field(sim, "radius", &r) == FIRN_OK && r.type == FIRN_FIELD_REAL;
    *out_snow = (firn_height_snow){.position = x.data,
                                   .radius = sized ? r.data : NULL,
                                   .same_radius = (firn_real)(firn_sim_cell(sim) / 4),
                                   .count = x.count};
    return FIRN_OK;
}

firn_result firn_sim_height_box(const firn_sim* sim, firn_height_def* def)
{
    if (!firn_sim_begin(sim)) return firn_call_null(__func__);
    firn_height_def own;
    FIRN_TRY(firn_def_take(FIRN_DEF_HEIGHT, def, &own, &firn_query_open(sim)->error));
    firn_height_snow snow;
    FIRN_TRY(firn_query_snow(sim, &snow));
    own.x = own.z = own.width = own.depth = 0;
    firn_heights_find_box(&snow, &own, NULL, NULL);
    firn_height_def_set_box(def, &own);
    return FIRN_OK;
}

firn_result firn_sim_heights(const firn_sim* sim, const firn_height_def* def, float* out_heights)
{
    if (!firn_sim_begin(sim) || out_heights == NULL) return firn_call_null(__func__);
    firn_height_def own;
    FIRN_TRY(firn_def_take(FIRN_DEF_HEIGHT, def, &own, &firn_query_open(sim)->error));
    firn_height_snow snow;
    FIRN_TRY(firn_query_snow(sim, &snow));
    const firn_entry entry = firn_sim_enter(sim);
    const firn_result made =
        firn_heights_make(&snow, &own, out_heights, &firn_query_open(sim)->error);
    firn_leave(entry);
    return made;
}
