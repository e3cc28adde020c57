// SPDX-License-Identifier: MIT
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

static firn_result check_def(const firn_sim* sim, const firn_height_def* def)
{
    if (def->cookie != FIRN_COOKIE)
        return firn_fail(&firn_query_open(sim)->error, FIRN_REFUSED_ARGUMENT,
                         "firn_height_def must come from firn_default_height_def()");
    return FIRN_OK;
}

firn_result firn_sim_height_box(const firn_sim* sim, firn_height_def* def)
{
    if (!firn_sim_begin(sim) || def == NULL) return FIRN_REFUSED_ARGUMENT;
    FIRN_TRY(check_def(sim, def));
    firn_height_snow snow;
    FIRN_TRY(firn_query_snow(sim, &snow));
    def->x = def->z = def->width = def->depth = 0;
    firn_heights_find_box(&snow, def, NULL, NULL);
    return FIRN_OK;
}

firn_result firn_sim_heights(const firn_sim* sim, const firn_height_def* def, float* out_heights)
{
    if (!firn_sim_begin(sim) || def == NULL || out_heights == NULL) return FIRN_REFUSED_ARGUMENT;
    FIRN_TRY(check_def(sim, def));
    firn_height_snow snow;
    FIRN_TRY(firn_query_snow(sim, &snow));
    const firn_entry entry = firn_sim_enter(sim);
    const firn_result made =
        firn_heights_make(&snow, def, out_heights, &firn_query_open(sim)->error);
    firn_leave(entry);
    return made;
}
