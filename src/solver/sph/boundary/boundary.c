// SPDX-License-Identifier: MIT
// The boundary particles of all colliders in one set of arrays.
//
//     tiles of a rigid collider ──(new ones)──► own, own_volume ──(every pose)──► position,
//     velocity, samples of a deforming one ──────────────────────────────(every pose)──► volume
//
// An update first does everything that can fail, per collider, and then writes the arrays.
#include "solver/sph/boundary/boundary.h"

#include <math.h>
#include <string.h>

#include "core/memory.h"
#include "core/threads/atomics.h"
#include "core/threads/team.h"
#include "geometry/collider/collider.h"
#include "geometry/deform/deform_sample.h"
#include "solver/sph/boundary/boundary_deforming.h"
#include "solver/sph/boundary/boundary_tiles.h"
#include "solver/sph/boundary/boundary_volume.h"
#include "solver/sph/laws/boundary_pose.h"
#include "solver/sph/laws/sampled_scale.h"

typedef struct firn_boundary_body {
    firn_tiles tiles;
    firn_deforming_samples samples;  // of deforming colliders
    double scale;                    // for which the tiles were sampled; 0: none yet
    bool near;                       // deforming: snow is near, so it has particles
    bool stale;                      // tiles or samples have changed since the arrays were written
    firn_local first, count;         // range in the arrays
    firn_pose pose;                  // of the positions in the arrays
    double time[2];                  // [s] animation time of the keys used for the arrays
    firn_real gamma;
} body;

firn_result firn_boundary_create(firn_local collider_count, double spacing, double volume_factor,
                                 double depth, firn_boundary* out_boundary, firn_error* error)
{
    *out_boundary = (firn_boundary){0};
    if (!(spacing >= FIRN_SHAPE_LENGTH_MIN) || !(spacing <= FIRN_SHAPE_LENGTH_MAX) ||
        !(volume_factor > 0) || !isfinite(volume_factor))
        return firn_fail(
            error, FIRN_REFUSED_ARGUMENT,
            "boundary particles %g m apart with volume factor %g: the distance must be "
            "from %g to %g m, the factor above 0",
            spacing, volume_factor, FIRN_SHAPE_LENGTH_MIN, FIRN_SHAPE_LENGTH_MAX);
    firn_boundary b = {.spacing = spacing,
                       .factor = volume_factor,
                       .depth = depth > 0 ? depth : 0,
                       .body_count = collider_count};
    b.bodies = firn_alloc((size_t)collider_count, sizeof *b.bodies);
    if (b.bodies == NULL)
        return firn_fail(error, FIRN_BROKEN_MEMORY, "no memory for the particles of %d bodies",
                         (int)collider_count);
    *out_boundary = b;
    return FIRN_OK;
}

firn_result firn_boundary_add(firn_boundary* boundary, firn_error* error)
{
    const size_t count = (size_t)boundary->body_count;
    body* more = firn_alloc(count + 1, sizeof *more);
    if (more == NULL)
        return firn_fail(error, FIRN_BROKEN_MEMORY, "no memory for the particles of %zu bodies",
                         count + 1);
    memcpy(more, boundary->bodies, count * sizeof *more);  // with what they own
    firn_free(boundary->bodies);
    boundary->bodies = more;
    boundary->body_count++;
    return FIRN_OK;
}

void firn_boundary_destroy(firn_boundary* boundary)
{
    for (firn_local c = 0; c < boundary->body_count; c++) {
        firn_tiles_destroy(&boundary->bodies[c].tiles);
        firn_deforming_samples_destroy(&boundary->bodies[c].samples);
    }
    firn_free(boundary->bodies);
    firn_free(boundary->position);
    firn_free(boundary->velocity);
    firn_free(boundary->volume);
    firn_free(boundary->body);
    firn_free(boundary->normal);
    firn_free(boundary->own);
    firn_free(boundary->own_normal);
    firn_free(boundary->own_volume);
    firn_key_sort_destroy(&boundary->sort);
    *boundary = (firn_boundary){0};
}

// ---- colliders near snow ------------------------------------------------------------------------

static void set_scale(const firn_boundary* b, firn_local c, double scale)
{
    body* at = &b->bodies[c];
    if (at->scale == scale) return;
    firn_tiles_clear(&at->tiles);
    at->tiles.spacing = b->spacing / scale;
    at->tiles.factor = b->factor;
    at->tiles.depth = b->depth / scale;
    at->tiles.seed = (uint64_t)c;
    at->samples.has_tiles = at->samples.ready = false;
    at->stale = at->count > 0;
    at->scale = scale;
}

typedef struct nearby {
    const firn_collider* collider;
    const firn_vec3* near;
    firn_real reach;
    int* any;  // out
} nearby;

static void look_near(const void* self, firn_local begin, firn_local end)
{
    const nearby* n = self;
    const firn_real r = n->reach;
    bool any = false;
    for (firn_local p = begin; p < end && !any; p++) {
        const firn_vec3 x = n->near[p];
        any = !firn_collider_misses_box(n->collider, firn_v3(x.x - r, x.y - r, x.z - r),
                                        firn_v3(x.x + r, x.y + r, x.z + r));
    }
    if (any) firn_atomic_or(n->any, 1);
}

static bool is_any_near(const firn_collider* collider, const firn_vec3* near, firn_local count,
                        double reach)
{
    int any = 0;
    firn_share(count, 512, look_near, &(nearby){collider, near, (firn_real)reach, &any});  // 10 ns
    return any != 0;
}

// A deforming collider has particles on its whole surface while snow is near, otherwise none: tiles
// cannot follow the deformation.
static firn_result update_samples(body* at, const firn_collider* collider, bool near,
                                  firn_error* error)
{
    if (near != at->near) at->stale = true;
    at->near = near;
    if (!near) return FIRN_OK;
    bool fresh;
    const firn_result result =
        firn_deforming_samples_prepare(&at->samples, &at->tiles, collider, &fresh, error);
    if (result != FIRN_OK || fresh) at->stale = true;
    return result;
}

static firn_result update_tiles(body* at, const firn_collider* collider, const firn_shapes* shapes,
                                const firn_vec3* near, firn_local near_count, double reach,
                                firn_error* error)
{
    const firn_surface surface = {.shapes = shapes, .shape = collider->shape};
    bool grew;
    const firn_result result =
        firn_tiles_visit(&at->tiles, &surface, collider, near, near_count, reach, &grew, error);
    if (result != FIRN_OK || grew) at->stale = true;
    return result;
}

// ---- the arrays ---------------------------------------------------------------------------------

static firn_local count_of(const body* at, const firn_collider* collider)
{
    if (collider->removed) return 0;
    if (collider->deforming != NULL) return at->near ? at->samples.count : 0;
    return at->tiles.point_count < FIRN_BOUNDARY_MAX ? (firn_local)at->tiles.point_count
                                                     : FIRN_BOUNDARY_MAX + 1;
}

static firn_result reserve(firn_boundary* b, const firn_collider* colliders, int64_t count,
                           firn_error* error)
{
    if (count > FIRN_BOUNDARY_MAX)
        return firn_fail(error, FIRN_REFUSED_ARGUMENT,
                         "more than %d boundary particles %g m apart are near the snow: larger "
                         "particles, or smaller bodies",
                         FIRN_BOUNDARY_MAX, b->spacing);
    void** const arrays[] = {(void**)&b->position, (void**)&b->velocity,  (void**)&b->volume,
                             (void**)&b->body,     (void**)&b->own,       (void**)&b->own_volume,
                             (void**)&b->normal,   (void**)&b->own_normal};
    const size_t sizes[] = {sizeof *b->position, sizeof *b->velocity,  sizeof *b->volume,
                            sizeof *b->body,     sizeof *b->own,       sizeof *b->own_volume,
                            sizeof *b->normal,   sizeof *b->own_normal};
    firn_local most = 0;
    for (firn_local c = 0; c < b->body_count; c++) {
        const firn_local own = count_of(&b->bodies[c], &colliders[c]);
        if (colliders[c].deforming != NULL && own > most) most = own;
    }
    bool ok = most == 0 || firn_key_sort_reserve(&b->sort, most, firn_team_size()) == FIRN_OK;
    for (int i = 0; i < 8; i++)
        ok = ok && firn_reserve(arrays[i], &b->array_capacity[i], (firn_local)count, sizes[i]);
    if (!ok)
        return firn_fail(error, FIRN_BROKEN_MEMORY, "no memory for %lld boundary particles",
                         (long long)count);
    return FIRN_OK;
}

// A collider and its part of the arrays.
typedef struct part {
    firn_boundary* b;
    const body* at;
    const firn_collider* collider;
    const firn_shapes* shapes;
} part;

// Copies the particles of active tiles, sorted by cell, so that the order does not depend on the
// order in which tiles were created.
static void copy_tiles(const void* self, firn_local begin, firn_local end)
{
    const part* of = self;
    firn_boundary* b = of->b;
    for (firn_local k = begin; k < end; k++) {
        const firn_tile* tile = firn_tiles_at(&of->at->tiles, of->at->tiles.active[k]);
        firn_local p = of->at->first + (firn_local)tile->first;
        for (firn_local i = 0; i < tile->count; i++, p++) {
            b->own[p] = tile->points[i].inside;
            b->own_normal[p] = tile->points[i].normal;
            b->own_volume[p] = tile->points[i].volume;
        }
    }
}

static firn_result rebuild(firn_boundary* b, const firn_collider* colliders, firn_error* error)
{
    int64_t count = 0;
    for (firn_local c = 0; c < b->body_count; c++) count += count_of(&b->bodies[c], &colliders[c]);
    FIRN_TRY(reserve(b, colliders, count, error));
    b->count = 0;
    for (firn_local c = 0; c < b->body_count; c++) {
        body* at = &b->bodies[c];
        at->first = b->count;
        at->count = count_of(at, &colliders[c]);
        at->stale = false;
        b->count += at->count;
        for (firn_local p = at->first; p < b->count; p++) b->body[p] = c;
        if (colliders[c].deforming == NULL)  // a tile: some hundred particles, 1 to 2 us
            firn_share(at->tiles.active_count, 4, copy_tiles, &(part){.b = b, .at = at});
    }
    return FIRN_OK;
}

// V_b scales with the third power of lengths. While the pose's scale differs from the sampled one,
// only the area per particle changes, i.e. the second power.
static void pose_range(const void* self, firn_local begin, firn_local end)
{
    const part* of = self;
    firn_boundary* b = of->b;
    const body* at = of->at;
    const firn_pose* pose = &of->collider->pose;
    const firn_real grown = (firn_real)(at->scale * (double)pose->scale * (double)pose->scale);
    for (firn_local p = at->first + begin; p < at->first + end; p++) {
        b->position[p] = firn_pose_to_world(pose, b->own[p]);
        b->velocity[p] = firn_pose_velocity(pose, b->position[p]);
        b->normal[p] = firn_m3_mul_v3(pose->rotation, b->own_normal[p]);
        b->volume[p] = b->own_volume[p] * grown;
    }
}

// Moves the particles of a deforming collider below its surface; for rigid ones the tiles do this.
static void sink_range(const void* self, firn_local begin, firn_local end)
{
    const part* of = self;
    firn_boundary* b = of->b;
    const firn_shape_tables tables = firn_shapes_tables(of->shapes);
    for (firn_local p = of->at->first + begin; p < of->at->first + end; p++)
        b->position[p] =
            firn_sph_sink(of->collider, &tables, b->position[p], b->depth, &b->normal[p]);
}

static void pose_particles(firn_boundary* b, body* at, const firn_collider* collider,
                           const firn_shapes* shapes)
{
    const part of = {b, at, collider, shapes};
    if (collider->deforming == NULL) {
        firn_share(at->count, 256, pose_range, &of);  // 20 ns
    } else {
        firn_deforming_samples_pose(&at->samples, collider, b->position + at->first,
                                    b->velocity + at->first);
        firn_share(at->count, 16, sink_range, &of);  // 300 ns
        firn_boundary_volumes(b->position + at->first, at->count, b->spacing, b->factor, &b->sort,
                              b->volume + at->first);
        at->time[0] = collider->deform.a->time;
        at->time[1] = collider->deform.b->time;
        at->gamma = collider->deform.gamma;
    }
    at->pose = collider->pose;
}

static bool has_moved(const body* at, const firn_collider* collider)
{
    if (memcmp(&at->pose, &collider->pose, sizeof at->pose) != 0) return true;
    const firn_deform_pose* deform = &collider->deform;
    return collider->deforming != NULL &&
           (at->gamma != deform->gamma || at->time[0] != deform->a->time ||
            at->time[1] != deform->b->time);
}

firn_result firn_boundary_update(firn_boundary* boundary, const firn_collider* colliders,
                                 const firn_shapes* shapes, const firn_vec3* near,
                                 firn_local near_count, double reach, bool* out_changed,
                                 firn_error* error)
{
    bool stale = false, changed = false;
    for (firn_local c = 0; c < boundary->body_count; c++) {
        const firn_collider* collider = &colliders[c];
        body* at = &boundary->bodies[c];
        if (!collider->removed) set_scale(boundary, c, firn_sph_sampled_scale(collider));
        if (!collider->removed && collider->deforming != NULL) {
            const bool any =
                boundary->deforming_everywhere || is_any_near(collider, near, near_count, reach);
            FIRN_TRY(update_samples(at, collider, any, error));
        } else if (!collider->removed) {
            FIRN_TRY(update_tiles(at, collider, shapes, near, near_count, reach, error));
        }
        if (at->count != count_of(at, collider)) at->stale = true;  // removed, or there again
        stale = stale || at->stale;
    }
    if (stale) FIRN_TRY(rebuild(boundary, colliders, error));
    for (firn_local c = 0; c < boundary->body_count; c++) {
        body* at = &boundary->bodies[c];
        if (at->count == 0 || !(stale || has_moved(at, &colliders[c]))) continue;
        pose_particles(boundary, at, &colliders[c], shapes);
        changed = true;
    }
    *out_changed = stale || changed;
    return FIRN_OK;
}

double firn_boundary_scale(const firn_boundary* boundary, firn_local collider)
{
    return boundary->bodies[collider].scale;
}

const firn_deforming_samples* firn_boundary_deforming(const firn_boundary* boundary,
                                                      firn_local collider, firn_local* out_first)
{
    const body* at = &boundary->bodies[collider];
    if (!at->near || at->count == 0) return NULL;
    *out_first = at->first;
    return &at->samples;
}
