// SPDX-License-Identifier: MIT
// Boundary particles of deforming colliders: samples key frames and moves the particles.
#include "solver/sph/boundary/boundary_deforming.h"

#include "core/memory.h"
#include "core/threads/team.h"
#include "geometry/collider/collider.h"
#include "geometry/collider/collider_sample.h"
#include "geometry/deform/deform_velocity.h"
#include "geometry/deform/deforming.h"
#include "mesh/spatial/triangle_tree.h"
#include "solver/sph/boundary/boundary_tiles.h"
#include "solver/sph/laws/boundary_pose.h"

#define STRETCH 1.4     // of an edge relative to the sampled key: holes grow as much
#define STRETCHED 0.02  // fraction of the area that may be stretched more than that

void firn_deforming_samples_destroy(firn_deforming_samples* samples)
{
    firn_mesh_destroy(&samples->first);
    firn_mesh_destroy(&samples->a);
    firn_mesh_destroy(&samples->b);
    firn_free(samples->triangle);
    firn_free(samples->weight);
    firn_free(samples->sampled_position);
    *samples = (firn_deforming_samples){0};
}

// ---- keys ---------------------------------------------------------------------------------------

static firn_result load_mesh(const firn_collider* collider, double key_time, firn_mesh* mesh,
                             firn_error* error)
{
    const firn_deforming_def* def = firn_deforming_read_def(collider->deforming);
    firn_mesh next;
    FIRN_TRY(
        firn_deforming_mesh(collider->deforming, def->start + key_time / def->speed, &next, error));
    firn_mesh_destroy(mesh);
    *mesh = next;
    return FIRN_OK;
}

static double edge_2(const firn_mesh* mesh, const int32_t t[3], int i)
{
    const firn_vec3 e = firn_v3_sub(mesh->vertices[t[i]], mesh->vertices[t[(i + 1) % 3]]);
    return (double)firn_v3_dot(e, e);
}

static double area_of(const firn_mesh* mesh, const int32_t t[3])
{
    const firn_vec3 o = mesh->vertices[t[0]];
    return (double)firn_v3_length(firn_v3_cross(firn_v3_sub(mesh->vertices[t[1]], o),
                                                firn_v3_sub(mesh->vertices[t[2]], o))) /
           2;
}

// Would the samples of `from` have holes on `to`?
static bool is_stretched(const firn_mesh* from, const firn_mesh* to)
{
    double all = 0, stretched = 0;
    for (firn_local k = 0; k < from->triangle_count; k++) {
        const int32_t* t = from->triangles[k];
        const double area = area_of(to, t);
        bool longer = false;
        for (int i = 0; i < 3; i++)
            longer = longer || edge_2(to, t, i) > STRETCH * STRETCH * edge_2(from, t, i);
        all += area;
        if (longer) stretched += area;
    }
    return stretched > STRETCHED * all;
}

// The mesh to sample; null if particles cannot be attached to triangles between these keys.
static const firn_mesh* choose_mesh(const firn_deforming_samples* samples)
{
    if (samples->a.triangle_count == 0 || !firn_deform_same_points(&samples->a, &samples->b))
        return NULL;
    const bool first = firn_deform_same_points(&samples->first, &samples->a) &&
                       !is_stretched(&samples->first, &samples->a) &&
                       !is_stretched(&samples->first, &samples->b);
    return first ? &samples->first : &samples->a;
}

// ---- sampling -----------------------------------------------------------------------------------

static firn_result sample_key(firn_tiles* tiles, const firn_level_set* phi, firn_error* error)
{
    const firn_surface surface = {.set = phi};
    const firn_real margin = (firn_real)tiles->spacing;
    const firn_vec3 wide = {margin, margin, margin};
    const firn_box3 box = {firn_v3_sub(phi->bounds.low, wide), firn_v3_add(phi->bounds.high, wide)};
    firn_tiles_clear(tiles);
    return firn_tiles_fill(tiles, &surface, box, error);
}

// Samples the key at `time` [s] of the animation: the first key, or key a of the pose.
static firn_result fill(firn_deforming_samples* samples, firn_tiles* tiles,
                        const firn_collider* collider, double time, firn_error* error)
{
    if (samples->has_tiles && samples->sampled_time == time) return FIRN_OK;
    samples->has_tiles = false;
    if (collider->deform.a->time == time) {
        FIRN_TRY(sample_key(tiles, collider->deform.a->phi, error));
    } else {
        firn_deform_pose pose = {0};
        const firn_deforming_def* def = firn_deforming_read_def(collider->deforming);
        FIRN_TRY(firn_deforming_move(collider->deforming, def->start, &pose, error));
        const firn_result result = sample_key(tiles, pose.a->phi, error);
        firn_deform_pose_release(&pose);
        FIRN_TRY(result);
    }
    samples->has_tiles = true;
    samples->sampled_time = time;
    return FIRN_OK;
}

static bool reserve(firn_deforming_samples* samples, int64_t count)
{
    if (count <= samples->capacity) return true;
    firn_local none[3] = {0, 0, 0};
    void* arrays[3] = {NULL, NULL, NULL};
    const size_t sizes[3] = {sizeof *samples->triangle, sizeof *samples->weight,
                             sizeof *samples->sampled_position};
    bool ok = count <= INT32_MAX;
    for (int i = 0; ok && i < 3; i++)
        ok = firn_reserve(&arrays[i], &none[i], (firn_local)count, sizes[i]);
    if (!ok) {
        for (int i = 0; i < 3; i++) firn_free(arrays[i]);
        return false;
    }
    firn_free(samples->triangle);
    firn_free(samples->weight);
    firn_free(samples->sampled_position);
    samples->triangle = arrays[0];
    samples->weight = arrays[1];
    samples->sampled_position = arrays[2];
    samples->capacity = (firn_local)count;
    return true;
}

typedef struct binding {
    firn_deforming_samples* samples;
    const firn_triangle_tree* tree;
} binding;

static void bind_range(const void* self, firn_local begin, firn_local end)
{
    const binding* b = self;
    firn_deforming_samples* samples = b->samples;
    for (firn_local p = begin; p < end; p++) {
        const firn_nearest at = firn_triangle_tree_nearest(b->tree, samples->sampled_position[p],
                                                           -1, &samples->triangle[p]);
        samples->weight[p] =
            firn_v3((firn_real)at.weight[0], (firn_real)at.weight[1], (firn_real)at.weight[2]);
    }
}

static firn_result bind(firn_deforming_samples* samples, const firn_tiles* tiles,
                        const firn_mesh* mesh, firn_error* error)
{
    if (!reserve(samples, tiles->point_count))
        return firn_fail(error, FIRN_BROKEN_MEMORY, "no memory for %lld particles of a body",
                         (long long)tiles->point_count);
    samples->count = 0;
    for (firn_local k = 0; k < tiles->active_count; k++) {
        const firn_tile* tile = firn_tiles_at(tiles, tiles->active[k]);
        for (firn_local p = 0; p < tile->count; p++)
            samples->sampled_position[samples->count++] = tile->points[p].x;
    }
    if (mesh == NULL) return FIRN_OK;
    firn_triangle_tree* tree;
    FIRN_TRY(firn_triangle_tree_create(mesh, &tree, error));
    firn_share(samples->count, 8, bind_range, &(binding){samples, tree});  // 1 us
    firn_triangle_tree_destroy(tree);
    return FIRN_OK;
}

firn_result firn_deforming_samples_prepare(firn_deforming_samples* samples, firn_tiles* tiles,
                                           const firn_collider* collider, bool* out_new,
                                           firn_error* error)
{
    const double a = collider->deform.a->time, b = collider->deform.b->time;
    *out_new = false;
    if (samples->ready && samples->time_a == a && samples->time_b == b) return FIRN_OK;
    const bool was_ready = samples->ready, was_on = samples->on_triangles;
    const bool had_tiles = samples->has_tiles;
    const double sampled = samples->sampled_time;
    samples->ready = false;
    FIRN_TRY(load_mesh(collider, a, &samples->a, error));
    FIRN_TRY(load_mesh(collider, b, &samples->b, error));
    if (samples->first.triangle_count == 0 && samples->a.triangle_count > 0)
        FIRN_TRY(load_mesh(collider, 0, &samples->first, error));
    const firn_mesh* mesh = choose_mesh(samples);
    samples->on_triangles = mesh != NULL;
    FIRN_TRY(fill(samples, tiles, collider, mesh == &samples->first ? 0 : a, error));
    samples->time_a = a;
    samples->time_b = b;
    if (!was_ready || was_on != samples->on_triangles || !had_tiles ||
        sampled != samples->sampled_time) {
        FIRN_TRY(bind(samples, tiles, mesh, error));
        *out_new = true;
    }
    samples->ready = true;
    return FIRN_OK;
}

// ---- moving -------------------------------------------------------------------------------------

// As firn_sph_follow_triangle, of particle p.
static firn_vec3 follow_triangle(const firn_deforming_samples* samples,
                                 const firn_deform_pose* pose, firn_local p,
                                 firn_vec3* out_velocity)
{
    const int32_t* t = samples->a.triangles[samples->triangle[p]];
    const firn_vec3 *a = samples->a.vertices, *b = samples->b.vertices;
    const firn_vec3 from[3] = {a[t[0]], a[t[1]], a[t[2]]}, to[3] = {b[t[0]], b[t[1]], b[t[2]]};
    return firn_sph_follow_triangle(from, to, samples->weight[p], pose, out_velocity);
}

typedef struct posing {
    const firn_deforming_samples* samples;
    const firn_collider* collider;
    firn_vec3 *position, *velocity;  // out
} posing;

static void pose_range(const void* self, firn_local begin, firn_local end)
{
    const posing* to = self;
    const firn_deforming_samples* samples = to->samples;
    const firn_collider* collider = to->collider;
    const firn_pose* pose = &collider->pose;
    for (firn_local p = begin; p < end; p++) {
        if (!samples->on_triangles) {
            const firn_vec3 own =
                firn_sph_follow_surface(&collider->deform, samples->sampled_position[p]);
            to->position[p] = firn_pose_to_world(pose, own);
            to->velocity[p] = firn_collider_velocity(collider, to->position[p]);
            continue;
        }
        firn_vec3 own_velocity;
        const firn_vec3 own = follow_triangle(samples, &collider->deform, p, &own_velocity);
        to->position[p] = firn_pose_to_world(pose, own);
        to->velocity[p] = firn_sph_follow_velocity(pose, to->position[p], own_velocity);
    }
}

void firn_deforming_samples_pose(const firn_deforming_samples* samples,
                                 const firn_collider* collider, firn_vec3* out_position,
                                 firn_vec3* out_velocity)
{
    const posing to = {samples, collider, out_position, out_velocity};
    firn_share(samples->count, 64, pose_range, &to);  // 50 ns on triangles, 500 ns otherwise
}
