// SPDX-License-Identifier: MIT
#include "render/path/visible/visible.h"

#include <stdio.h>
#include <string.h>

#include "core/memory.h"
#include "core/threads/team.h"
#include "render/path/machine/picture_machine.h"
#include "render/path/path_vertex.h"
#include "render/path/picture_ray.h"
#include "render/path/visible/crypto_name.h"
#include "render/path/visible/motion_grid.h"

#define LAYER "crypto_object"
#define KEY "cryptomatte/f834d0a/"  // the first 7 digits of the layer's hash; a test checks them

// ---- a pixel ------------------------------------------------------------------------------------

typedef struct pass {
    firn_visible* visible;
    const firn_picture_work* work;
    const firn_motion_grid* motion;
    const float* ids;  // [thing_count]
    int32_t samples;
} pass;

// What a sample meets, and its velocity; -1: nothing.
static int32_t meet(const pass* a, int64_t pixel, int64_t sample, firn_vec3* out_velocity)
{
    const firn_picture_work* work = a->work;
    const firn_shutter_sample* m = firn_shutter_choose(work->shutter, work->seed, pixel, sample);
    const firn_path_view view = {
        .medium = &m->medium, .geometry = m->geometry, .lights = work->lights};
    const firn_ray ray =
        firn_picture_ray(&m->camera, m->lens, work->seed, work->width, pixel, sample);
    firn_path_count count = {0};
    firn_walk w;
    firn_path p = firn_path_start(
        &view, ray, firn_rng_make(work->seed, (uint64_t)pixel, (uint64_t)sample), &count, &w);
    const firn_flight f = firn_path_fly(&p, &w);
    if (f == FIRN_FLIGHT_COLLIDED) {
        *out_velocity = firn_motion_grid_at(a->motion, firn_medium_to_world(&m->medium, w.p));
        return a->visible->thing_count - 1;
    }
    if (f != FIRN_FLIGHT_FAR || p.hit.surface == NULL) return -1;  // sky, or a lamp
    const int32_t thing = firn_geometry_number(m->geometry, p.hit.surface);
    *out_velocity = thing < a->visible->fluid_first
                        ? firn_geometry_velocity(m->geometry, thing, p.hit.x)
                        : firn_motion_grid_at(a->motion, p.hit.x);
    return thing;
}

typedef struct tally {
    int32_t thing[FIRN_VISIBLE_SAMPLES], count[FIRN_VISIBLE_SAMPLES];
    int32_t things, hits;
    double velocity[3];
} tally;

static void add(tally* t, int32_t thing, firn_vec3 v)
{
    int32_t k = 0;
    while (k < t->things && t->thing[k] != thing) k++;
    if (k == t->things) {
        t->thing[t->things] = thing;
        t->count[t->things++] = 0;
    }
    t->count[k]++;
    t->hits++;
    t->velocity[0] += (double)v.x;
    t->velocity[1] += (double)v.y;
    t->velocity[2] += (double)v.z;
}

// The thing with the largest coverage that has not been taken; of equals the first.
static int32_t take_largest(tally* t)
{
    int32_t best = -1;
    for (int32_t k = 0; k < t->things; k++)
        if (t->count[k] > 0 && (best < 0 || t->count[k] > t->count[best])) best = k;
    return best;
}

static void look_through(const pass* a, int64_t pixel)
{
    tally t = {.things = 0};
    for (int32_t s = 0; s < a->samples; s++) {
        firn_vec3 v = firn_v3(0, 0, 0);
        const int32_t thing = meet(a, pixel, s, &v);
        if (thing >= 0) add(&t, thing, v);
    }
    firn_visible* out = a->visible;
    for (int i = 0; i < 3 && t.hits > 0; i++)
        out->velocity[i][pixel] = (float)(t.velocity[i] / t.hits);
    for (int r = 0; r < FIRN_VISIBLE_RANKS; r++) {
        const int32_t best = take_largest(&t);
        if (best < 0) return;
        out->id[r][pixel] = a->ids[t.thing[best]];
        out->cover[r][pixel] = (float)t.count[best] / (float)a->samples;
        t.count[best] = 0;
    }
}

static void look_through_rows(const void* self, firn_local begin, firn_local end)
{
    const pass* a = self;
    const int64_t width = a->work->width;
    for (int64_t pixel = begin * width; pixel < end * width; pixel++) look_through(a, pixel);
}

// ---- the picture --------------------------------------------------------------------------------

static void number_things(firn_visible* v, const firn_shutter* shutter)
{
    int32_t fluids = 0;
    v->fluid_first = firn_geometry_colliders(shutter->at[0].geometry);
    while (firn_geometry_fluid(shutter->at[0].geometry, fluids) != NULL) fluids++;
    v->thing_count = v->fluid_first + fluids + 1;
}

static firn_result make_planes(firn_visible* v, firn_error* error)
{
    enum { PLANES = 3 + 2 * FIRN_VISIBLE_RANKS };
    const size_t pixels = (size_t)v->width * (size_t)v->height;
    float* block = firn_alloc(pixels, PLANES * sizeof(float));
    if (block == NULL)
        return firn_fail(error, FIRN_BROKEN_MEMORY, "no memory for the layers of a picture");
    for (size_t k = 0; k < 3; k++) v->velocity[k] = block + k * pixels;
    for (size_t r = 0; r < FIRN_VISIBLE_RANKS; r++) {
        v->id[r] = block + (3 + r) * pixels;
        v->cover[r] = block + (3 + FIRN_VISIBLE_RANKS + r) * pixels;
    }
    return FIRN_OK;
}

static float* make_ids(const firn_visible* v)
{
    float* ids = firn_alloc((size_t)v->thing_count, sizeof *ids);
    for (int32_t k = 0; ids != NULL && k < v->thing_count; k++) {
        char name[32];
        firn_visible_name(v, k, name, sizeof name);
        ids[k] = firn_crypto_float(firn_crypto_id(name));
    }
    return ids;
}

firn_result firn_visible_create(firn_visible* visible, const firn_picture_work* work,
                                const firn_picture_snow* snow, int64_t samples, firn_error* error)
{
    firn_motion_grid motion = {0};
    *visible = (firn_visible){.width = work->width, .height = work->height};
    number_things(visible, work->shutter);
    firn_result r = make_planes(visible, error);
    float* ids = make_ids(visible);
    if (r == FIRN_OK && ids == NULL)
        r = firn_fail(error, FIRN_BROKEN_MEMORY, "no memory for the ids of a picture");
    if (r == FIRN_OK)
        r = firn_motion_grid_create(&motion, snow->x, snow->v, snow->mass, snow->count, snow->cell,
                                    error);
    const int64_t most = samples < FIRN_VISIBLE_SAMPLES ? samples : FIRN_VISIBLE_SAMPLES;
    const pass a = {visible, work, &motion, ids, (int32_t)most};
    if (r == FIRN_OK) firn_share(work->height, 1, look_through_rows, &a);
    firn_motion_grid_destroy(&motion);
    firn_free(ids);
    if (r != FIRN_OK) firn_visible_destroy(visible);
    return r;
}

void firn_visible_destroy(firn_visible* visible)
{
    firn_free(visible->velocity[0]);
    *visible = (firn_visible){0};
}

// ---- output -------------------------------------------------------------------------------------

void firn_visible_name(const firn_visible* v, int32_t thing, char* out, size_t size)
{
    if (thing == v->thing_count - 1)
        snprintf(out, size, "snow");
    else if (thing < v->fluid_first)
        snprintf(out, size, "collider.%d", (int)thing);
    else
        snprintf(out, size, "fluid.%d", (int)(thing - v->fluid_first));
}

size_t firn_visible_channels(const firn_visible* v, bool velocity, bool id, firn_exr_channel* out)
{
    static const char* const ids[FIRN_VISIBLE_RANKS][2] = {{LAYER "00.R", LAYER "00.G"},
                                                           {LAYER "00.B", LAYER "00.A"},
                                                           {LAYER "01.R", LAYER "01.G"},
                                                           {LAYER "01.B", LAYER "01.A"}};
    static const char* const axes[3] = {"velocity.X", "velocity.Y", "velocity.Z"};
    size_t n = 0;
    for (int i = 0; velocity && i < 3; i++)
        out[n++] = (firn_exr_channel){axes[i], v->velocity[i], false};
    for (int r = 0; id && r < FIRN_VISIBLE_RANKS; r++) {
        out[n++] = (firn_exr_channel){ids[r][0], v->id[r], false};
        out[n++] = (firn_exr_channel){ids[r][1], v->cover[r], false};
    }
    return n;
}

bool firn_visible_texts(const firn_visible* v, firn_exr_text* out, char** out_manifest)
{
    firn_text text = {0};
    for (int32_t k = 0; k < v->thing_count; k++) {
        char name[32];
        firn_visible_name(v, k, name, sizeof name);
        firn_text_add(&text, "%s\"%s\":\"%08x\"", k == 0 ? "{" : ",", name,
                      (unsigned)firn_crypto_id(name));
    }
    firn_text_add(&text, "}");
    *out_manifest = firn_text_take(&text);
    if (*out_manifest == NULL) return false;
    out[0] = (firn_exr_text){KEY "name", LAYER};
    out[1] = (firn_exr_text){KEY "hash", "MurmurHash3_32"};
    out[2] = (firn_exr_text){KEY "conversion", "uint32_to_float32"};
    out[3] = (firn_exr_text){KEY "manifest", *out_manifest};
    return true;
}
