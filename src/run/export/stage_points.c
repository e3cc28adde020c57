// SPDX-License-Identifier: MIT
#include "run/export/stage_points.h"

#include <math.h>
#include <string.h>

#include "core/memory.h"

// Nested: what is selected by 2 n is selected by n. 2^32 / golden ratio: consecutive ids are spread
// evenly.
static bool is_selected(uint32_t id, uint32_t step)
{
    return id * 2654435769u <= UINT32_MAX / step;
}

static bool is_finite(firn_vec3 x)
{
    return isfinite(x.x) && isfinite(x.y) && isfinite(x.z);
}

// Without ids the number in the frame, which changes from frame to frame.
static uint32_t id_of(const firn_frame* f, firn_local p)
{
    return f->id != NULL ? f->id[p] : (uint32_t)p;
}

static void find_box(const firn_frame* f, firn_stage_points* out)
{
    bool any = false;
    for (firn_local p = 0; p < f->count; p++) {
        if (!is_finite(f->position[p])) continue;
        const float x[3] = {(float)f->position[p].x, (float)f->position[p].y,
                            (float)f->position[p].z};
        for (int d = 0; d < 3; d++) {
            out->low[d] = any ? fminf(out->low[d], x[d]) : x[d];
            out->high[d] = any ? fmaxf(out->high[d], x[d]) : x[d];
        }
        any = true;
    }
}

static firn_local count_selected(const firn_frame* f, uint32_t step)
{
    firn_local n = 0;
    for (firn_local p = 0; p < f->count; p++)
        n += is_finite(f->position[p]) && is_selected(id_of(f, p), step);
    return n;
}

// Drops what a larger step does not select.
static void thin(firn_stage_points* s, uint32_t step)
{
    firn_local n = 0;
    for (firn_local k = 0; k < s->count; k++) {
        if (!is_selected(s->id != NULL ? s->id[k] : (uint32_t)k, step)) continue;
        memmove(s->position[n], s->position[k], sizeof *s->position);
        if (s->velocity != NULL) memmove(s->velocity[n], s->velocity[k], sizeof *s->velocity);
        if (s->id != NULL) s->id[n] = s->id[k];
        s->width[n++] = s->width[k];
    }
    s->count = n;
}

static void take(const firn_stage_record* r, const firn_frame* f, firn_stage_points* out)
{
    for (firn_local p = 0; p < f->count; p++) {
        if (!is_finite(f->position[p]) || !is_selected(id_of(f, p), r->points_step)) continue;
        const firn_vec3 x = f->position[p], v = f->velocity != NULL ? f->velocity[p] : x;
        const firn_local k = out->count++;
        const float position[3] = {(float)x.x, (float)x.y, (float)x.z};
        const float velocity[3] = {(float)v.x, (float)v.y, (float)v.z};
        memcpy(out->position[k], position, sizeof position);
        if (out->velocity != NULL) memcpy(out->velocity[k], velocity, sizeof velocity);
        if (out->id != NULL) out->id[k] = f->id[p];
        out->width[k] = f->radius != NULL ? 2 * (float)f->radius[p] : (float)r->spacing;
    }
}

firn_result firn_stage_points_select(firn_stage_record* r, const firn_frame* frame,
                                     firn_error* error)
{
    firn_stage* s = &r->stage;
    firn_stage_points* out = &s->points[s->sample_count];
    *out = (firn_stage_points){0};
    find_box(frame, out);
    if (r->points_most <= 0) return FIRN_OK;
    const uint32_t before = r->points_step;
    firn_local count = count_selected(frame, r->points_step);
    while (count > r->points_most && r->points_step < 1u << 30) {
        r->points_step *= 2;
        count = count_selected(frame, r->points_step);
    }
    for (firn_local k = 0; k < s->sample_count && r->points_step > before; k++)
        thin(&s->points[k], r->points_step);
    const size_t room = (size_t)count + 1;
    out->position = firn_alloc(room, sizeof *out->position);
    out->width = firn_alloc(room, sizeof *out->width);
    if (frame->velocity != NULL) out->velocity = firn_alloc(room, sizeof *out->velocity);
    if (frame->id != NULL) out->id = firn_alloc(room, sizeof *out->id);
    if (out->position != NULL && out->width != NULL &&
        (out->velocity != NULL || frame->velocity == NULL) &&
        (out->id != NULL || frame->id == NULL)) {
        take(r, frame, out);
        return FIRN_OK;
    }
    firn_free(out->position);
    firn_free(out->velocity);
    firn_free(out->id);
    firn_free(out->width);
    *out = (firn_stage_points){0};
    return firn_fail(error, FIRN_BROKEN_MEMORY,
                     "out of memory for %d points per frame: use a smaller --points", (int)count);
}
