// SPDX-License-Identifier: MIT
// Key frames of a deforming collider from an animation of meshes.
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "core/memory.h"
#include "geometry/deform/deform_source.h"
#include "geometry/deform/deform_velocity.h"

#define SLOTS 3        // cached meshes: a key and its two neighbours
#define SAME_KEY 0.05  // [voxels] vertices of identical keys differ by at most this

typedef struct slot {
    int64_t k;  // -1: empty
    uint64_t used;
    firn_mesh mesh;  // owned
} slot;

typedef struct meshes {
    firn_animation* animation;  // owned
    char* file;                 // owned, for messages
    firn_mesh_level_set_args args;
    pthread_mutex_t lock;  // of slots and clock
    slot slots[SLOTS];
    uint64_t clock;
} meshes;

// Adds the key to an error message.
static firn_result name_key(const meshes* s, int64_t k, firn_result result, firn_error* error)
{
    if (result == FIRN_OK || error == NULL) return result;
    firn_error about = *error;
    return firn_fail(error, result, "'%s', key frame %lld: %s", s->file, (long long)k + 1,
                     about.text);
}

// With the lock held, until SLOTS - 1 other keys have been requested.
static firn_result find_mesh(meshes* s, int64_t k, const firn_mesh** out_mesh, firn_error* error)
{
    slot* oldest = &s->slots[0];
    s->clock++;
    for (int i = 0; i < SLOTS; i++) {
        slot* at = &s->slots[i];
        if (at->k == k) {
            at->used = s->clock;
            *out_mesh = &at->mesh;
            return FIRN_OK;
        }
        if (at->used < oldest->used) oldest = at;
    }
    firn_mesh_destroy(&oldest->mesh);
    oldest->k = -1;
    FIRN_TRY(name_key(s, k, firn_animation_key(s->animation, k, &oldest->mesh, error), error));
    oldest->k = k;
    oldest->used = s->clock;
    *out_mesh = &oldest->mesh;
    return FIRN_OK;
}

// A copy of the mesh of a key, since another thread may request others meanwhile.
static firn_result copy_mesh(void* self, int64_t k, firn_mesh* out_mesh, firn_error* error)
{
    meshes* s = self;
    const firn_mesh* mesh;
    pthread_mutex_lock(&s->lock);
    firn_result result = find_mesh(s, k, &mesh, error);
    if (result == FIRN_OK && firn_mesh_copy(mesh, out_mesh) != FIRN_OK)
        result = firn_fail(error, FIRN_BROKEN_MEMORY, "no memory for a mesh of %d triangles",
                           (int)mesh->triangle_count);
    pthread_mutex_unlock(&s->lock);
    return result;
}

static double time_of(const void* self, int64_t k)
{
    return firn_animation_key_time(((const meshes*)self)->animation, k);
}

static uint64_t hash_of(const void* self, int64_t k)
{
    return firn_animation_key_hash(((const meshes*)self)->animation, k);
}

static firn_result make_phi(void* self, int64_t k, const firn_level_set** out_phi,
                            firn_error* error)
{
    meshes* s = self;
    firn_mesh mesh;
    FIRN_TRY(copy_mesh(s, k, &mesh, error));
    const firn_result result =
        name_key(s, k, firn_level_set_from_mesh(&mesh, &s->args, out_phi, NULL, error), error);
    firn_mesh_destroy(&mesh);
    return result;
}

// The meshes of a key and of those next to it; without vertices where there is none.
typedef struct neighbours {
    firn_mesh before, here, after;
} neighbours;

static firn_result find_neighbours(meshes* s, const firn_deform_stencil* stencil,
                                   neighbours* out_meshes, firn_error* error)
{
    FIRN_TRY(copy_mesh(s, stencil->here, &out_meshes->here, error));
    if (stencil->before >= 0) FIRN_TRY(copy_mesh(s, stencil->before, &out_meshes->before, error));
    if (stencil->after >= 0) FIRN_TRY(copy_mesh(s, stencil->after, &out_meshes->after, error));
    return FIRN_OK;
}

// Uses finite differences of the vertices: central if both neighbouring keys have the same
// vertices, one-sided if only one does.
static firn_result differentiate(const meshes* s, const firn_deform_stencil* stencil,
                                 const neighbours* m, firn_velocity_grid* out_grid,
                                 firn_error* error)
{
    const firn_mesh* before = stencil->before >= 0 ? &m->before : NULL;
    const firn_mesh* after = stencil->after >= 0 ? &m->after : NULL;
    const firn_box3 none = {{1, 1, 1}, {0, 0, 0}};
    const firn_box3 boxes[3] = {before != NULL ? firn_mesh_bounds(before) : none,
                                firn_mesh_bounds(&m->here),
                                after != NULL ? firn_mesh_bounds(after) : none};
    const bool alone = before == NULL && after == NULL;
    if (before != NULL && !firn_deform_same_points(before, &m->here)) before = NULL;
    if (after != NULL && !firn_deform_same_points(after, &m->here)) after = NULL;
    if (!alone && before == NULL && after == NULL)
        return firn_deform_normal_motion(stencil, out_grid, error);
    const firn_deform_weights weights = firn_deform_weigh(
        before != NULL ? stencil->length_before : 0, after != NULL ? stencil->length_after : 0);
    FIRN_TRY(firn_deform_grid(boxes, s->args.voxel, out_grid, error));
    const firn_result result =
        firn_deform_from_points(before, &m->here, after, weights, out_grid, error);
    if (result != FIRN_OK) firn_velocity_grid_destroy(out_grid);
    return result;
}

static firn_result make_velocity(void* self, const firn_deform_stencil* stencil,
                                 firn_velocity_grid* out_grid, firn_error* error)
{
    neighbours m = {0};
    firn_result result = find_neighbours(self, stencil, &m, error);
    if (result == FIRN_OK) result = differentiate(self, stencil, &m, out_grid, error);
    firn_mesh_destroy(&m.before);
    firn_mesh_destroy(&m.here);
    firn_mesh_destroy(&m.after);
    return result;
}

static firn_result find_closes(void* self, bool* out_closes, firn_error* error)
{
    meshes* s = self;
    const firn_mesh *first, *last;
    const int64_t count = firn_animation_key_count(s->animation);
    FIRN_TRY(find_mesh(s, 0, &first, error));
    FIRN_TRY(find_mesh(s, count - 1, &last, error));
    *out_closes = firn_deform_same_points(first, last);
    for (firn_local v = 0; *out_closes && v < first->vertex_count; v++)
        *out_closes = firn_v3_length(firn_v3_sub(first->vertices[v], last->vertices[v])) <=
                      (firn_real)SAME_KEY * s->args.voxel;
    return FIRN_OK;
}

static void destroy(void* self)
{
    meshes* s = self;
    for (int i = 0; i < SLOTS; i++) firn_mesh_destroy(&s->slots[i].mesh);
    firn_animation_close(s->animation);
    pthread_mutex_destroy(&s->lock);
    firn_free(s->file);
    firn_free(s);
}

firn_result firn_deform_open_meshes(const firn_deforming_def* def, firn_deform_source* out_source,
                                    firn_error* error)
{
    if (!(def->voxel > 0) || !firn_is_finite(def->voxel))
        return firn_fail(error, FIRN_REFUSED_ARGUMENT,
                         "'%s': meshes need voxels for the level sets they become: %g m, must be "
                         "above 0",
                         def->animation.file, (double)def->voxel);
    firn_animation* animation;
    FIRN_TRY(firn_animation_open(&def->animation, &animation, error));
    meshes* s = firn_alloc(1, sizeof *s);
    char* file = firn_strdup(def->animation.file);
    if (s == NULL || file == NULL) {
        firn_animation_close(animation);
        firn_free(s);
        firn_free(file);
        return firn_fail(error, FIRN_BROKEN_MEMORY, "no memory for the animation '%s'",
                         def->animation.file);
    }
    pthread_mutex_init(&s->lock, NULL);
    s->animation = animation;
    s->file = file;
    s->args = (firn_mesh_level_set_args){.voxel = def->voxel, .broken = def->broken, .keep = true};
    for (int i = 0; i < SLOTS; i++) s->slots[i].k = -1;
    *out_source = (firn_deform_source){.self = s,
                                       .key_count = firn_animation_key_count(animation),
                                       .time = time_of,
                                       .hash = hash_of,
                                       .phi = make_phi,
                                       .velocity = make_velocity,
                                       .closes = find_closes,
                                       .mesh = copy_mesh,
                                       .destroy = destroy};
    return FIRN_OK;
}
