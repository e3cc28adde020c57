// SPDX-License-Identifier: MIT
// Boundary particles that move with deforming colliders.
#include "solver/sph/boundary/boundary_deforming.h"

#include "core/memory.h"
#include "geometry/collider/collider.h"
#include "geometry/collider/collider_sample.h"
#include "geometry/deform/deform_velocity.h"
#include "geometry/deform/deforming.h"
#include "mesh/spatial/triangle_tree.h"

#define STRETCH 1.4     // largest stretch of an edge since the sampled key; gaps grow as much
#define STRETCHED 0.02  // share of the surface that may be stretched more than that
#define WALKS 3  // projections to the surface; a fixed number, so that motion is smooth in time

void firn_ride_destroy(firn_ride* ride)
{
    firn_mesh_destroy(&ride->first);
    firn_mesh_destroy(&ride->a);
    firn_mesh_destroy(&ride->b);
    firn_free(ride->triangle);
    firn_free(ride->weight);
    firn_free(ride->place);
    *ride = (firn_ride){0};
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

// Would a sample of `from` have holes on `to`?
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

// The mesh to sample: null when particles do not ride on triangles between these keys.
static const firn_mesh* choose_mesh(const firn_ride* ride)
{
    if (ride->a.triangle_count == 0 || !firn_deform_same_points(&ride->a, &ride->b)) return NULL;
    const bool first = firn_deform_same_points(&ride->first, &ride->a) &&
                       !is_stretched(&ride->first, &ride->a) &&
                       !is_stretched(&ride->first, &ride->b);
    return first ? &ride->first : &ride->a;
}

// ---- positions ----------------------------------------------------------------------------------

static firn_result sample_key(firn_tiles* tiles, const firn_level_set* phi, int threads,
                              firn_error* error)
{
    const firn_surface surface = {.set = phi};
    const firn_real margin = (firn_real)tiles->spacing;
    const firn_vec3 wide = {margin, margin, margin};
    const firn_box3 box = {firn_v3_sub(phi->bounds.low, wide), firn_v3_add(phi->bounds.high, wide)};
    firn_tiles_clear(tiles);
    return firn_tiles_fill(tiles, &surface, box, threads, error);
}

// The tiles of the key at `time` [s] of the animation: the first, or the pose's a.
static firn_result fill(firn_ride* ride, firn_tiles* tiles, const firn_collider* collider,
                        double time, int threads, firn_error* error)
{
    if (ride->has_tiles && ride->sampled == time) return FIRN_OK;
    ride->has_tiles = false;
    if (collider->deform.a->time == time) {
        FIRN_TRY(sample_key(tiles, collider->deform.a->phi, threads, error));
    } else {
        firn_deform_pose pose = {0};
        const firn_deforming_def* def = firn_deforming_read_def(collider->deforming);
        FIRN_TRY(firn_deforming_move(collider->deforming, def->start, &pose, error));
        const firn_result result = sample_key(tiles, pose.a->phi, threads, error);
        firn_deform_pose_release(&pose);
        FIRN_TRY(result);
    }
    ride->has_tiles = true;
    ride->sampled = time;
    return FIRN_OK;
}

static bool reserve(firn_ride* ride, int64_t count)
{
    if (count <= ride->capacity) return true;
    firn_local none[3] = {0, 0, 0};
    void* arrays[3] = {NULL, NULL, NULL};
    const size_t sizes[3] = {sizeof *ride->triangle, sizeof *ride->weight, sizeof *ride->place};
    bool ok = count <= INT32_MAX;
    for (int i = 0; ok && i < 3; i++)
        ok = firn_reserve(&arrays[i], &none[i], (firn_local)count, sizes[i]);
    if (!ok) {
        for (int i = 0; i < 3; i++) firn_free(arrays[i]);
        return false;
    }
    firn_free(ride->triangle);
    firn_free(ride->weight);
    firn_free(ride->place);
    ride->triangle = arrays[0];
    ride->weight = arrays[1];
    ride->place = arrays[2];
    ride->capacity = (firn_local)count;
    return true;
}

static firn_result bind(firn_ride* ride, const firn_tiles* tiles, const firn_mesh* mesh,
                        int threads, firn_error* error)
{
    if (!reserve(ride, tiles->point_count))
        return firn_fail(error, FIRN_BROKEN_MEMORY, "no memory for %lld particles of a body",
                         (long long)tiles->point_count);
    ride->count = 0;
    for (firn_local k = 0; k < tiles->active_count; k++) {
        const firn_tile* tile = firn_tiles_at(tiles, tiles->active[k]);
        for (firn_local p = 0; p < tile->count; p++) ride->place[ride->count++] = tile->points[p].x;
    }
    if (mesh == NULL) return FIRN_OK;
    firn_triangle_tree* tree;
    FIRN_TRY(firn_triangle_tree_create(mesh, &tree, error));
#pragma omp parallel for schedule(static) num_threads(threads)
    for (firn_local p = 0; p < ride->count; p++) {
        const firn_nearest at =
            firn_triangle_tree_nearest(tree, ride->place[p], -1, &ride->triangle[p]);
        ride->weight[p] =
            firn_v3((firn_real)at.weight[0], (firn_real)at.weight[1], (firn_real)at.weight[2]);
    }
    firn_triangle_tree_destroy(tree);
    return FIRN_OK;
}

firn_result firn_ride_prepare(firn_ride* ride, firn_tiles* tiles, const firn_collider* collider,
                              int threads, bool* out_new, firn_error* error)
{
    const double a = collider->deform.a->time, b = collider->deform.b->time;
    *out_new = false;
    if (ride->ready && ride->time_a == a && ride->time_b == b) return FIRN_OK;
    const bool was_ready = ride->ready, was_on = ride->on_triangles;
    const bool had_tiles = ride->has_tiles;
    const double sampled = ride->sampled;
    ride->ready = false;
    FIRN_TRY(load_mesh(collider, a, &ride->a, error));
    FIRN_TRY(load_mesh(collider, b, &ride->b, error));
    if (ride->first.triangle_count == 0 && ride->a.triangle_count > 0)
        FIRN_TRY(load_mesh(collider, 0, &ride->first, error));
    const firn_mesh* mesh = choose_mesh(ride);
    ride->on_triangles = mesh != NULL;
    FIRN_TRY(fill(ride, tiles, collider, mesh == &ride->first ? 0 : a, threads, error));
    ride->time_a = a;
    ride->time_b = b;
    if (!was_ready || was_on != ride->on_triangles || !had_tiles || sampled != ride->sampled) {
        FIRN_TRY(bind(ride, tiles, mesh, threads, error));
        *out_new = true;
    }
    ride->ready = true;
    return FIRN_OK;
}

// ---- moving -------------------------------------------------------------------------------------

// On a triangle between two keys; velocity [m/s] of simulated time, both in the body's coordinates.
static firn_vec3 ride_triangle(const firn_ride* ride, const firn_deform_pose* pose, firn_local p,
                               firn_vec3* out_velocity)
{
    const int32_t* t = ride->a.triangles[ride->triangle[p]];
    const firn_vec3 w = ride->weight[p];
    const firn_real weight[3] = {w.x, w.y, w.z};
    firn_vec3 x = {0, 0, 0}, way = {0, 0, 0};
    for (int i = 0; i < 3; i++) {
        const firn_vec3 from = ride->a.vertices[t[i]];
        const firn_vec3 step = firn_v3_sub(ride->b.vertices[t[i]], from);
        x = firn_v3_madd(x, weight[i], firn_v3_madd(from, pose->gamma, step));
        way = firn_v3_madd(way, weight[i], step);
    }
    *out_velocity = pose->rate > 0 ? firn_v3_scale(way, 1 / pose->dt) : firn_v3(0, 0, 0);
    return x;
}

// From the key along its velocity, and back to the surface that is there at the time between.
static firn_vec3 ride_surface(const firn_deform_pose* pose, firn_vec3 x)
{
    if (!(pose->gamma > 0)) return x;
    x = firn_v3_madd(x, pose->gamma * pose->dt, firn_deform_velocity_at(pose, x));
    for (int walk = 0; walk < WALKS; walk++) {
        const firn_phi phi = firn_deform_sample_at(pose, x);
        x = firn_v3_madd(x, -phi.distance, phi.normal);
    }
    return x;
}

void firn_ride_place(const firn_ride* ride, const firn_collider* collider, int threads,
                     firn_vec3* out_position, firn_vec3* out_velocity)
{
    const firn_pose* pose = &collider->pose;
#pragma omp parallel for schedule(static) num_threads(threads)
    for (firn_local p = 0; p < ride->count; p++) {
        if (!ride->on_triangles) {
            const firn_vec3 own = ride_surface(&collider->deform, ride->place[p]);
            out_position[p] = firn_pose_to_world(pose, own);
            out_velocity[p] = firn_collider_velocity(collider, out_position[p]);
            continue;
        }
        firn_vec3 own_velocity;
        const firn_vec3 own = ride_triangle(ride, &collider->deform, p, &own_velocity);
        out_position[p] = firn_pose_to_world(pose, own);
        out_velocity[p] = firn_v3_madd(firn_pose_velocity(pose, out_position[p]), pose->scale,
                                       firn_m3_mul_v3(pose->rotation, own_velocity));
    }
}
