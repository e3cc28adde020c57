// SPDX-License-Identifier: MIT
#include "sim/query/query_heights.h"

#include <math.h>

#include "core/memory.h"
#include "core/threads/team.h"
#include "sim/defs.h"
#include "sim/entry.h"
#include "sim/query/query.h"

firn_result firn_query_snow(const firn_sim* sim, firn_height_snow* out_snow)
{
    firn_field_view x, r, id;
    FIRN_TRY(firn_sim_find_field(sim, "position", &x));
    const bool sized =
        firn_sim_find_field(sim, "radius", &r) == FIRN_OK && r.type == FIRN_FIELD_REAL;
    const bool named = firn_sim_find_field(sim, "id", &id) == FIRN_OK && id.type == FIRN_FIELD_U32;
    *out_snow = (firn_height_snow){.position = x.data,
                                   .radius = sized ? r.data : NULL,
                                   .same_radius = (firn_real)(firn_sim_cell(sim) / 4),
                                   .id = named ? id.data : NULL,
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

// ---- a field that is kept -----------------------------------------------------------------------

// A particle as the heights have it.
typedef struct held_particle {
    firn_vec3 x;       // [m]
    firn_real radius;  // [m]
    bool known;
} held_particle;

struct firn_heights {
    firn_height_map map;
    float* data;  // owned
    // with a tolerance
    held_particle* held;     // owned; by the particles' ids
    firn_vec3* x;            // owned; of `held`, in the order of the particles
    firn_real* radius;       // owned; the same
    firn_local capacity[3];  // of these
};

static firn_result take_def(const firn_height_def* def, firn_height_def* out_own, firn_error* error)
{
    FIRN_TRY(firn_def_take(FIRN_DEF_HEIGHT, def, out_own, error));
    FIRN_TRY(firn_height_def_check(out_own, error));
    if (out_own->width > 0) return FIRN_OK;
    return firn_fail(error, FIRN_REFUSED_ARGUMENT,
                     "heights that are kept need a rectangle: give a width and a depth, such as "
                     "those of firn_sim_height_box");
}

firn_result firn_heights_create(const firn_height_def* def, firn_heights** out_heights,
                                firn_error* out_error)
{
    out_error = firn_call(out_error);
    if (out_heights == NULL)
        return firn_fail(out_error, FIRN_REFUSED_ARGUMENT,
                         "firn_heights_create needs room for the heights");
    firn_height_def own;
    FIRN_TRY(take_def(def, &own, out_error));
    const size_t samples = (size_t)own.columns * (size_t)own.rows;
    firn_heights* h = firn_alloc(1, sizeof *h);
    if (h != NULL) h->data = firn_alloc(samples, sizeof *h->data);
    if (h == NULL || h->data == NULL || firn_height_map_open(&h->map, &own, h->data) != FIRN_OK) {
        firn_heights_destroy(h);
        return firn_fail(out_error, FIRN_BROKEN_MEMORY, "out of memory for %d x %d heights",
                         own.columns, own.rows);
    }
    for (size_t k = 0; k < samples; k++) h->data[k] = (float)own.empty;
    *out_heights = h;
    return FIRN_OK;
}

void firn_heights_destroy(firn_heights* heights)
{
    if (heights == NULL) return;
    firn_height_map_close(&heights->map);
    firn_free(heights->held);
    firn_free(heights->x);
    firn_free(heights->radius);
    firn_free(heights->data);
    firn_free(heights);
}

typedef struct hold_pass {
    firn_heights* h;
    const firn_height_snow* snow;
} hold_pass;

// Ids are unique: each particle writes its own entries.
static void hold(const void* self, firn_local begin, firn_local end)
{
    const hold_pass* pass = self;
    const double tolerance = pass->h->map.def.tolerance;
    for (firn_local p = begin; p < end; p++) {
        held_particle* held = &pass->h->held[pass->snow->id[p]];
        const firn_vec3 x = pass->snow->position[p];
        const firn_real radius = (firn_real)firn_height_radius(pass->snow, p);
        const firn_vec3 d = firn_v3(x.x - held->x.x, x.y - held->x.y, x.z - held->x.z);
        const double moved = sqrt((double)(d.x * d.x + d.y * d.y + d.z * d.z));
        const double grown = fabs((double)(radius - held->radius));
        // false for what is not finite
        const bool stays = held->known && moved <= tolerance && grown <= tolerance;
        if (!stays) *held = (held_particle){x, radius, true};
        pass->h->x[p] = held->x;
        pass->h->radius[p] = held->radius;
    }
}

// Replaces particles that have hardly moved by those that the heights have.
static firn_result hold_snow(firn_heights* h, firn_height_snow* snow)
{
    if (h->map.def.tolerance == 0 || snow->id == NULL) return FIRN_OK;
    uint32_t last = 0;
    for (firn_local p = 0; p < snow->count; p++) last = last > snow->id[p] ? last : snow->id[p];
    if (last >= INT32_MAX - 1 ||
        !firn_reserve((void**)&h->held, &h->capacity[0], (firn_local)last + 1, sizeof *h->held) ||
        !firn_reserve((void**)&h->x, &h->capacity[1], snow->count + 1, sizeof *h->x) ||
        !firn_reserve((void**)&h->radius, &h->capacity[2], snow->count + 1, sizeof *h->radius))
        return FIRN_BROKEN_MEMORY;
    firn_share(snow->count, 1024, hold, &(hold_pass){h, snow});
    snow->position = h->x;
    snow->radius = h->radius;
    return FIRN_OK;
}

firn_result firn_heights_follow(firn_heights* heights, const firn_height_snow* snow,
                                firn_rect* out_dirty, firn_error* error)
{
    int32_t rect[4];
    firn_height_snow shown = *snow;
    if (hold_snow(heights, &shown) != FIRN_OK ||
        firn_height_map_fill(&heights->map, &shown, rect) != FIRN_OK)
        return firn_fail(error, FIRN_BROKEN_MEMORY, "out of memory for the heights of %d particles",
                         (int)snow->count);
    if (out_dirty != NULL) *out_dirty = (firn_rect){rect[0], rect[1], rect[2], rect[3]};
    return FIRN_OK;
}

firn_result firn_heights_update(firn_heights* heights, const firn_sim* sim, firn_rect* out_dirty)
{
    if (!firn_sim_begin(sim) || heights == NULL) return firn_call_null(__func__);
    firn_height_snow snow;
    FIRN_TRY(firn_query_snow(sim, &snow));
    const firn_entry entry = firn_sim_enter(sim);
    const firn_result r =
        firn_heights_follow(heights, &snow, out_dirty, &firn_query_open(sim)->error);
    firn_leave(entry);
    return r;
}

const float* firn_heights_data(const firn_heights* heights)
{
    return heights != NULL ? heights->data : NULL;
}
