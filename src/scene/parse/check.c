// SPDX-License-Identifier: MIT
// Warnings about a scene as a whole: wrong units show as absurd sizes and speeds, and snow that
// starts inside a collider bursts.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/memory.h"
#include "geometry/collider/collider.h"
#include "geometry/levelset/level_set.h"
#include "scene/data/emitter.h"
#include "scene/data/scene.h"
#include "scene/data/snow.h"
#include "scene/parse/diagnostics.h"
#include "scene/parse/parse.h"

#define KILOMETRE 1e3    // [m]
#define MILLIMETRE 1e-3  // [m]
#define FAST 200         // [m/s] faster than any avalanche
#define LIGHT 30         // [kg/m^3] the lightest fresh snow on the ground
#define ICE 917          // [kg/m^3]
#define WORK_MAX 5e6     // node evaluations for all overlap tests: a fraction of a second
#define SAMPLES 12       // points per axis of a bounding box

// A collider in its initial pose; `is_posed` is false if that cannot be computed.
typedef struct posed_collider {
    firn_collider collider;
    bool is_posed;
} posed_collider;

typedef struct check {
    const firn_scene_data* scene;
    firn_diagnostics* diagnostics;
    double cell;                  // [m]; 0: unknown
    bool grid;                    // the solver uses a grid, which does not resolve thin snow
    double work, work_per_point;  // shape node evaluations so far, and per point
    posed_collider* colliders;    // owned [collider_count]
} check;

#define WARN(c, ...) firn_diagnose_key((c)->diagnostics, false, (c)->scene, __VA_ARGS__)
#define ERROR(c, ...) firn_diagnose_key((c)->diagnostics, true, (c)->scene, __VA_ARGS__)

// The solver's grid spacing: every solver calls the key `cell` or `spacing`.
static double find_cell(const firn_scene_data* scene, bool* out_grid)
{
    const firn_key_block* block = scene->solver_keys;
    *out_grid = false;
    for (size_t i = 0; block != NULL && i < block->key_count; i++) {
        const firn_key* key = &block->keys[i];
        const bool is_cell = strcmp(key->name, "cell") == 0 || strcmp(key->name, "spacing") == 0;
        if (!is_cell || key->type != FIRN_KEY_REAL) continue;
        *out_grid = strcmp(key->name, "cell") == 0;
        return *(const double*)((const char*)scene->solver_def + key->offset);
    }
    return 0;
}

static double speed(const double* v)
{
    return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

// Extents of bounds; false when unbounded or empty.
static bool find_extent(const firn_box3* box, double* out_smallest, double* out_largest)
{
    const double e[3] = {(double)box->high.x - (double)box->low.x,
                         (double)box->high.y - (double)box->low.y,
                         (double)box->high.z - (double)box->low.z};
    *out_smallest = fmin(e[0], fmin(e[1], e[2]));
    *out_largest = fmax(e[0], fmax(e[1], e[2]));
    return *out_smallest >= 0 && *out_largest < 1e12;
}

// One of the sample points of a shape, evenly spaced over its bounds; false outside the shape.
static bool sample_point(const firn_shapes* shapes, firn_local shape, const firn_box3* box,
                         int index, firn_vec3* out_point)
{
    const int n = SAMPLES, i = index % n, j = index / n % n, k = index / (n * n);
    const firn_real s = (firn_real)1 / n, half = (firn_real)0.5;
    *out_point = (firn_vec3){box->low.x + ((firn_real)i + half) * s * (box->high.x - box->low.x),
                             box->low.y + ((firn_real)j + half) * s * (box->high.y - box->low.y),
                             box->low.z + ((firn_real)k + half) * s * (box->high.z - box->low.z)};
    return firn_shape_distance(shapes, shape, *out_point) < 0;
}

static bool boxes_meet(const firn_box3* a, const firn_box3* b)
{
    return a->low.x < b->high.x && b->low.x < a->high.x && a->low.y < b->high.y &&
           b->low.y < a->high.y && a->low.z < b->high.z && b->low.z < a->high.z;
}

// The other solid of an overlap test: a collider in its initial pose, or snow.
typedef struct other_solid {
    const firn_collider* collider;  // null: snow
    firn_local snow;
} other_solid;

static bool is_inside(const firn_scene_data* scene, const other_solid* other, firn_vec3 x)
{
    if (other->collider != NULL)
        return firn_collider_distance(other->collider, &scene->shapes, x) < 0;
    return firn_shape_distance(&scene->shapes, scene->snow[other->snow].shape, x) < 0;
}

// Percentage of a shape's sample points that are inside another. 0 also when the work limit is
// reached: a warning is not worth minutes.
static double overlap(check* c, firn_local shape, const firn_box3* box, const other_solid* other)
{
    const firn_shapes* shapes = &c->scene->shapes;
    int points = 0, hits = 0;
    for (int i = 0; i < SAMPLES * SAMPLES * SAMPLES && c->work < WORK_MAX; i++) {
        firn_vec3 x;
        c->work += c->work_per_point;
        if (!sample_point(shapes, shape, box, i, &x)) continue;
        points++;
        hits += is_inside(c->scene, other, x);
    }
    return points > 0 ? 100.0 * hits / points : 0;
}

// "all of", "12 % of", "less than 1 % of"
static const char* share_text(double percent, char* text, size_t size)
{
    if (percent > 99.5) return "all of";
    if (percent < 1) return "less than 1 % of";
    snprintf(text, size, "%.0f %% of", percent);
    return text;
}

static void check_overlaps(check* c, firn_local i, const firn_box3* box)
{
    const firn_scene_data* s = c->scene;
    char key[64], share[20];
    snprintf(key, sizeof key, "snow.%d.shape", (int)i);
    for (firn_local k = 0; k < s->collider_count && c->work < WORK_MAX; k++) {
        if (!c->colliders[k].is_posed) continue;
        // on a grid, a sticky collider clamps the snow inside it
        if (c->grid && c->colliders[k].collider.sticky) continue;
        c->work += c->work_per_point;
        const other_solid other = {&c->colliders[k].collider, -1};
        const double percent = overlap(c, s->snow[i].shape, box, &other);
        if (percent > 0)
            WARN(c, key, "%s this snow starts inside collider %d, which pushes it out",
                 share_text(percent, share, sizeof share), (int)k);
    }
    for (firn_local k = 0; k < i && c->work < WORK_MAX; k++) {
        c->work += c->work_per_point;
        if (s->snow[k].shape < 0) continue;
        const firn_box3 other = firn_shape_bounds(&s->shapes, s->snow[k].shape);
        if (!boxes_meet(box, &other)) continue;
        const double percent = overlap(c, s->snow[i].shape, box, &(other_solid){NULL, k});
        if (percent > 0)
            WARN(c, key, "%.2g %% of this snow starts inside body %d: twice as dense there",
                 percent, (int)k);
    }
}

static void check_size(const check* c, const char* key, const char* what, double smallest,
                       double largest)
{
    if (largest > KILOMETRE)
        WARN(c, key, "%s is %.3g km large; lengths are metres unless a unit follows", what,
             largest / KILOMETRE);
    else if (largest < MILLIMETRE)
        WARN(c, key, "%s is only %.2g m large; lengths are metres unless a unit follows", what,
             largest);
    else if (c->grid && c->cell > 0 && smallest < 4 * c->cell)
        WARN(c, key, "%s is %.2g m thin, less than 4 cells of %.3g m: choose a smaller cell", what,
             smallest, c->cell);
}

static void check_snow(check* c, firn_local i)
{
    const firn_scene_data* s = c->scene;
    const firn_snow* snow = &s->snow[i];
    char key[64];
    snprintf(key, sizeof key, "snow.%d.velocity", (int)i);
    if (speed(snow->velocity) > FAST)
        WARN(c, key, "this snow starts at %.3g m/s; speeds are m/s unless a unit follows",
             speed(snow->velocity));
    if (snow->shape < 0) return;
    snprintf(key, sizeof key, "snow.%d.shape", (int)i);
    const firn_box3 box = firn_shape_bounds(&s->shapes, snow->shape);
    double smallest, largest;
    if (box.low.x > box.high.x) {
        ERROR(c, key, "this shape is empty: there is nothing to fill");
    } else if (!find_extent(&box, &smallest, &largest)) {
        ERROR(c, key, "this shape has no end: cut it, for example by an intersection with a box");
    } else {
        check_size(c, key, "this snow", smallest, largest);
        if (s->cull.active && s->cull.start <= 0 && (double)box.high.y < s->cull.below)
            WARN(c, "cull.below", "all of snow %d starts below %g m and is removed at once", (int)i,
                 s->cull.below);
        check_overlaps(c, i, &box);
    }
}

#define EMITTER_FRACTION 1e-3  // an emitter's shape fills at least this fraction of its AABB

static void check_emitter(const check* c, firn_local i)
{
    const firn_scene_data* s = c->scene;
    const firn_emitter* e = &s->emitters[i];
    char key[64];
    snprintf(key, sizeof key, "emitters.%d.velocity", (int)i);
    if (speed(e->velocity) > FAST)
        WARN(c, key, "flakes start at %.3g m/s; speeds are m/s unless a unit follows",
             speed(e->velocity));
    snprintf(key, sizeof key, "emitters.%d.shape", (int)i);
    const firn_box3 box = firn_shape_bounds(&s->shapes, e->shape);
    double smallest, largest;
    if (box.low.x > box.high.x) {
        ERROR(c, key, "this shape is empty: no flake can appear in it");
        return;
    }
    if (!find_extent(&box, &smallest, &largest)) {
        ERROR(c, key, "this shape has no end: cut it, for example by an intersection with a box");
        return;
    }
    const double size[3] = {(double)(box.high.x - box.low.x), (double)(box.high.y - box.low.y),
                            (double)(box.high.z - box.low.z)};
    double volume = firn_shape_volume(&s->shapes, e->shape, 30000);
    if (e->depth > 0) volume -= firn_shape_volume_below(&s->shapes, e->shape, e->depth, 30000);
    const double share = volume / (size[0] * size[1] * size[2]);
    if (!(share >= EMITTER_FRACTION))
        ERROR(c, key,
              "this shape fills only %.2g of its bounding box, less than %g: places in it would be "
              "hard to find; use a simpler shape, or several emitters",
              share, EMITTER_FRACTION);
    const double end = (double)s->time.frames / s->time.fps;
    if (e->start >= end)
        WARN(c, key, "this emitter starts at %g s, after the end of the scene at %g s", e->start,
             end);
}

static void check_air(const check* c)
{
    const firn_air_block* air = &c->scene->air;
    if (!air->active) return;
    if (speed(air->velocity) > FAST)
        WARN(c, "air.velocity", "a wind of %.3g m/s; speeds are m/s unless a unit follows",
             speed(air->velocity));
    if (air->gusts.strength > 0 && speed(air->velocity) == 0 && air->volume.file == NULL)
        WARN(c, "air.gusts", "gusts are a share of the wind, and there is none: give 'velocity'");
}

// Largest thickness of a solid from a mesh, a text or a file: the bounds of a bowl do not give the
// thickness of its wall. Infinite for other shapes, whose bounds do.
static double find_thickness(const firn_shapes* shapes, firn_local shape)
{
    double scale = 1;
    while (shapes->nodes[shape].kind == FIRN_SHAPE_TRANSFORM) {
        scale *= (double)shapes->nodes[shape].p[3];
        shape = shapes->nodes[shape].a;
    }
    const firn_shape_node* node = &shapes->nodes[shape];
    if (node->kind != FIRN_SHAPE_LEVEL_SET) return INFINITY;
    return 2 * scale * (double)firn_level_set_depth(shapes->level_sets[node->a]);
}

static void check_collider(const check* c, firn_local i)
{
    const firn_scene_data* s = c->scene;
    const firn_collider* collider = &c->colliders[i].collider;
    char key[64];
    if (!c->colliders[i].is_posed) return;
    snprintf(key, sizeof key, "colliders.%d.velocity", (int)i);
    const double v = (double)firn_v3_length(collider->motion.velocity);
    if (v > FAST)
        WARN(c, key, "this collider moves at %.3g m/s; speeds are m/s unless a unit follows", v);
    snprintf(key, sizeof key, "colliders.%d.%s", (int)i,
             collider->deforming != NULL ? "animation" : "shape");
    const firn_box3 box = firn_collider_bounds(collider, &s->shapes);
    double smallest, largest;
    if (!find_extent(&box, &smallest, &largest)) return;  // a plane
    smallest *= (double)collider->pose.scale;
    if (c->cell > 0 && smallest < c->cell)
        WARN(c, key,
             "this collider is %.2g m thin, less than a cell of %.3g m: snow can pass through",
             smallest, c->cell);
    if (c->cell <= 0 || smallest < c->cell || collider->deforming != NULL) return;
    const double thick = (double)collider->pose.scale * find_thickness(&s->shapes, collider->shape);
    if (thick < 2 * c->cell)
        WARN(c, key,
             "the walls of this collider are %.2g m thick, less than 2 cells of %.3g m: snow can "
             "pass through",
             thick, c->cell);
}

static void check_material(const check* c, firn_local i)
{
    const firn_material* m = &c->scene->materials[i];
    char key[300];
    snprintf(key, sizeof key, "materials.%.200s.density", m->name);
    const double rho = (double)m->snow.density;
    if (m->snow.phase != FIRN_PHASE_SNOW) return;
    if (rho < LIGHT || rho > ICE)
        WARN(c, key, "material '%s' has %.4g kg/m^3; snow has %d to %d", m->name, rho, LIGHT, ICE);
}

static void check_camera(const check* c)
{
    const firn_scene_data* s = c->scene;
    const double* e = s->render.eye;
    const firn_vec3 eye = {(firn_real)e[0], (firn_real)e[1], (firn_real)e[2]};
    for (firn_local i = 0; i < s->snow_count; i++)
        if (s->snow[i].shape >= 0 && is_inside(s, &(other_solid){NULL, i}, eye))
            WARN(c, "render.camera.eye", "the camera stands inside snow %d", (int)i);
    for (firn_local i = 0; i < s->collider_count; i++) {
        if (c->colliders[i].is_posed &&
            is_inside(s, &(other_solid){&c->colliders[i].collider, -1}, eye))
            WARN(c, "render.camera.eye", "the camera stands inside collider %d", (int)i);
    }
}

// Colliders in their initial poses. A deforming one that cannot be built is an error of the scene,
// reported here and not in the middle of a run.
static firn_result pose_colliders(check* c)
{
    const firn_scene_data* s = c->scene;
    c->colliders = firn_alloc((size_t)s->collider_count + 1, sizeof *c->colliders);
    if (c->colliders == NULL) return FIRN_BROKEN_MEMORY;
    for (firn_local i = 0; i < s->collider_count; i++) {
        posed_collider* posed = &c->colliders[i];
        FIRN_TRY(firn_collider_copy(&s->colliders[i], &posed->collider));
        firn_error error = {0};
        const firn_result moved = firn_collider_move(&posed->collider, &s->shapes, 0, &error);
        if (moved == FIRN_BROKEN_MEMORY) return moved;
        posed->is_posed = moved == FIRN_OK;
        if (posed->is_posed) continue;
        char key[64];
        snprintf(key, sizeof key, "colliders.%d.animation", (int)i);
        ERROR(c, key, "%s", error.text);
    }
    return FIRN_OK;
}

static void release_colliders(check* c)
{
    for (firn_local i = 0; c->colliders != NULL && i < c->scene->collider_count; i++)
        firn_collider_destroy(&c->colliders[i].collider);
    firn_free(c->colliders);
}

firn_result firn_scene_data_check(const firn_scene_data* scene, firn_diagnostics* diagnostics)
{
    const double solids = (double)scene->snow_count + (double)scene->collider_count;
    check c = {.scene = scene,
               .diagnostics = diagnostics,
               .work_per_point = 1 + 2 * (double)scene->shapes.node_count / fmax(solids, 1)};
    c.cell = find_cell(scene, &c.grid);
    const double g = speed(scene->gravity);
    if (scene->snow_count == 0 && scene->emitter_count == 0)
        ERROR(&c, "snow",
              "the scene has no snow: add an item to 'snow', such as "
              "{shape: {sphere: {center: [0, 1, 0], radius: 0.1}}}, or snowfall to 'emitters'");
    if (g > 100) WARN(&c, "gravity", "gravity is %.3g m/s^2, ten times the Earth's or more", g);
    const bool has_snow = scene->snow_count > 0 || scene->emitter_count > 0;
    if (g > 0 && has_snow && scene->collider_count == 0 && !scene->cull.active)
        WARN(&c, "colliders", "there is no collider: the snow falls for ever");
    for (firn_local i = 0; i < scene->material_count; i++) check_material(&c, i);
    for (firn_local i = 0; i < scene->emitter_count; i++) check_emitter(&c, i);
    check_air(&c);
    const firn_result posed = pose_colliders(&c);
    if (posed == FIRN_OK) {
        for (firn_local i = 0; i < scene->snow_count; i++) check_snow(&c, i);
        for (firn_local i = 0; i < scene->collider_count; i++) check_collider(&c, i);
        check_camera(&c);
    } else {
        ERROR(&c, "colliders", "out of memory");
    }
    release_colliders(&c);
    return posed;
}
