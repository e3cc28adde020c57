// SPDX-License-Identifier: MIT
// Culling. Tests the AABB of all particles first: in most steps nothing is near a border.
#include "scene/run/cull.h"

#include <math.h>

#include "core/memory.h"
#include "core/threads/atomics.h"
#include "core/threads/team.h"
#include "math/vec3.h"
#include "scene/data/scene.h"

// Rules of the scene that can remove a particle in this step.
typedef struct rules {
    bool below, inside, outside;
} rules;

typedef struct box_job {
    const firn_vec3* x;
    double *low, *high;  // [3]
} box_job;

static void bound_range(const void* self, firn_local begin, firn_local end)
{
    const box_job* job = self;
    firn_vec3 low = firn_v3(INFINITY, INFINITY, INFINITY), high = firn_v3_scale(low, -1);
    for (firn_local p = begin; p < end; p++) {
        if (!firn_v3_is_finite(job->x[p])) continue;
        low = firn_v3_min(low, job->x[p]);
        high = firn_v3_max(high, job->x[p]);
    }
    const firn_real part[2][3] = {{low.x, low.y, low.z}, {high.x, high.y, high.z}};
    for (int d = 0; d < 3; d++) {
        firn_atomic_min_double(&job->low[d], (double)part[0][d]);
        firn_atomic_max_double(&job->high[d], (double)part[1][d]);
    }
}

// Bounds of the finite positions; low > high when there is none.
static firn_box3 find_box(const firn_vec3* x, firn_local count)
{
    double a[3] = {INFINITY, INFINITY, INFINITY}, b[3] = {-INFINITY, -INFINITY, -INFINITY};
    firn_share(count, 2048, bound_range, &(box_job){x, a, b});
    return (firn_box3){firn_v3((firn_real)a[0], (firn_real)a[1], (firn_real)a[2]),
                       firn_v3((firn_real)b[0], (firn_real)b[1], (firn_real)b[2])};
}

static bool boxes_meet(const firn_box3* a, const firn_box3* b)
{
    return a->low.x <= b->high.x && b->low.x <= a->high.x && a->low.y <= b->high.y &&
           b->low.y <= a->high.y && a->low.z <= b->high.z && b->low.z <= a->high.z;
}

// If phi at the centre is below minus half the diagonal, the whole box is inside, because |phi|
// never exceeds the distance to the surface.
static bool is_all_inside(const firn_shapes* shapes, firn_local shape, const firn_box3* box)
{
    const firn_real half = (firn_real)0.5;
    const firn_vec3 middle = firn_v3_madd(firn_v3_scale(box->low, half), half, box->high);
    const firn_real reach = firn_v3_length(firn_v3_sub(box->high, middle));
    return firn_shape_distance(shapes, shape, middle) < -reach;
}

static rules find_rules(const firn_scene_data* scene, const firn_box3* box)
{
    const firn_cull_block* c = &scene->cull;
    rules r = {.below = (double)box->low.y < c->below};
    if (c->inside >= 0) {
        const firn_box3 bounds = firn_shape_bounds(&scene->shapes, c->inside);
        r.inside = boxes_meet(box, &bounds);
    }
    if (c->outside >= 0) r.outside = !is_all_inside(&scene->shapes, c->outside, box);
    return r;
}

static bool is_culled(const firn_scene_data* scene, rules r, firn_vec3 x)
{
    const firn_cull_block* c = &scene->cull;
    if (!firn_v3_is_finite(x)) return false;
    return (r.below && (double)x.y < c->below) ||
           (r.inside && firn_shape_distance(&scene->shapes, c->inside, x) < 0) ||
           (r.outside && firn_shape_distance(&scene->shapes, c->outside, x) > 0);
}

typedef struct cull_job {
    const firn_scene_data* scene;
    rules r;
    const firn_vec3* x;
    firn_local* keep;
    int64_t* culled;
} cull_job;

static void judge_range(const void* self, firn_local begin, firn_local end)
{
    const cull_job* job = self;
    int64_t culled = 0;
    for (firn_local p = begin; p < end; p++) {
        job->keep[p] = !is_culled(job->scene, job->r, job->x[p]);
        culled += job->keep[p] == 0;
    }
    firn_atomic_add(job->culled, culled);
}

static firn_result make_room(firn_culler* culler, firn_local capacity, firn_error* error)
{
    if (capacity <= culler->capacity) return FIRN_OK;
    firn_local* keep = firn_alloc((size_t)capacity, sizeof *keep);
    if (keep == NULL)
        return firn_fail(error, FIRN_BROKEN_MEMORY, "out of memory for culling %d particles",
                         (int)capacity);
    firn_free(culler->keep);
    culler->keep = keep;
    culler->capacity = capacity;
    return FIRN_OK;
}

firn_result firn_cull(firn_culler* culler, const firn_scene_data* scene, firn_particles* particles,
                      double time, firn_local* out_culled, firn_error* error)
{
    *out_culled = 0;
    const firn_local count = particles->count;
    if (!scene->cull.active || time < scene->cull.start || count == 0) return FIRN_OK;
    FIRN_TRY(make_room(culler, particles->capacity, error));
    const firn_vec3* x = firn_particles_find(particles, "position")->data;
    const firn_box3 box = find_box(x, count);
    const rules r = box.low.x <= box.high.x ? find_rules(scene, &box) : (rules){0};
    if (!r.below && !r.inside && !r.outside) return FIRN_OK;
    firn_local* keep = culler->keep;
    int64_t culled = 0;
    firn_share(count, 256, judge_range, &(cull_job){scene, r, x, keep, &culled});
    if (culled == 0) return FIRN_OK;
    firn_local kept = 0;
    for (firn_local p = 0; p < count; p++)
        if (keep[p] != 0) keep[kept++] = p;  // in place: kept <= p
    firn_particles_keep(particles, keep, kept);
    *out_culled = (firn_local)culled;
    return FIRN_OK;
}

void firn_culler_destroy(firn_culler* culler)
{
    firn_free(culler->keep);
    *culler = (firn_culler){0};
}
