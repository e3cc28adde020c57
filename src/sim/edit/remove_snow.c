// SPDX-License-Identifier: MIT
// Removes particles: those inside a shape, or by their ids.
#include <stdlib.h>
#include <string.h>

#include "core/threads/team.h"
#include "math/box3.h"
#include "math/vec3.h"
#include "sim/edit/edit.h"
#include "sim/entry.h"
#include "sim/sim_ids.h"

#define CHUNK 256  // fewest particles worth a part of a shared loop

typedef struct dig_job {
    const firn_shapes* shapes;
    firn_local shape;
    firn_box3 bounds;  // in the shape's coordinates
    const firn_edit_pose* pose;
    const firn_vec3* position;
    firn_local* goes;  // out [particles]: 1 or 0
} dig_job;

static bool is_within(const firn_box3* b, firn_vec3 x)
{
    return x.x >= b->low.x && x.y >= b->low.y && x.z >= b->low.z && x.x <= b->high.x &&
           x.y <= b->high.y && x.z <= b->high.z;
}

static void dig_range(const void* self, firn_local begin, firn_local end)
{
    const dig_job* job = self;
    for (firn_local p = begin; p < end; p++) {
        const firn_vec3 x = firn_m3_transposed_mul_v3(
            job->pose->rotation, firn_v3_sub(job->position[p], job->pose->position));
        job->goes[p] = firn_v3_is_finite(x) && is_within(&job->bounds, x) &&
                       firn_shape_distance(job->shapes, job->shape, x) <= 0;
    }
}

// Ids of particles that go are not used again.
static void keep_ids(firn_sim* sim)
{
    const uint32_t* id = firn_particles_find(sim->solver->particles(sim->self), "id")->data;
    for (firn_local p = 0; p < firn_sim_count(sim); p++)
        if (id[p] >= sim->next_id && id[p] < UINT32_MAX) sim->next_id = id[p] + 1;
}

// Removes the particles that are marked, and turns the marks into a list of those that stay.
static firn_result remove_marked(firn_sim* sim, firn_local* goes, int64_t* out_count)
{
    const firn_local count = firn_sim_count(sim);
    firn_local stay = 0;
    for (firn_local p = 0; p < count; p++)
        if (goes[p] == 0) goes[stay++] = p;  // stay <= p: the mark was read
    if (stay < count) {
        keep_ids(sim);
        FIRN_TRY(sim->solver->keep(sim->self, goes, stay, &sim->error));
        firn_sim_edited(sim);
    }
    if (out_count != NULL) *out_count = count - stay;
    return FIRN_OK;
}

static firn_local* alloc_marks(firn_sim* sim)
{
    firn_local* marks = firn_alloc((size_t)firn_sim_count(sim) + 1, sizeof *marks);
    if (marks == NULL)
        firn_fail(&sim->error, FIRN_REFUSED_ARGUMENT, "no memory for a list of the particles");
    return marks;
}

static const firn_vec3* positions_of(const firn_sim* sim)
{
    return firn_particles_find(sim->solver->particles(sim->self), "position")->data;
}

firn_result firn_sim_remove_snow(firn_sim* sim, const firn_scene* prefabs, firn_shape_id shape,
                                 const firn_placement* where, int64_t* out_count)
{
    FIRN_TRY(firn_sim_edit_begin(sim, "firn_sim_remove_snow"));
    if (prefabs == NULL)
        return firn_fail(&sim->error, FIRN_REFUSED_ARGUMENT,
                         "firn_sim_remove_snow needs the scene that the shape is of");
    firn_edit_pose pose;
    firn_local s;
    FIRN_TRY(firn_scene_shape_find(prefabs, shape, &s, &sim->error));
    FIRN_TRY(firn_edit_pose_of(where, &pose, &sim->error));
    const firn_entry entry = firn_sim_enter(sim);
    firn_local* goes = alloc_marks(sim);
    firn_result r = FIRN_REFUSED_ARGUMENT;
    if (goes != NULL) {
        const firn_shapes* shapes = &prefabs->data.shapes;
        firn_share(
            firn_sim_count(sim), CHUNK, dig_range,
            &(dig_job){shapes, s, firn_shape_bounds(shapes, s), &pose, positions_of(sim), goes});
        r = remove_marked(sim, goes, out_count);
    }
    firn_free(goes);
    firn_leave(entry);
    return r;
}

static int compare_ids(const void* a, const void* b)
{
    const uint32_t x = *(const uint32_t*)a, y = *(const uint32_t*)b;
    return (x > y) - (x < y);
}

// Marks the particles whose ids are in the list, which ascends.
static void mark_ids(const firn_sim* sim, const uint32_t* ids, size_t count, firn_local* goes)
{
    const uint32_t* id = firn_particles_find(sim->solver->particles(sim->self), "id")->data;
    for (firn_local p = 0; p < firn_sim_count(sim); p++)
        goes[p] = bsearch(&id[p], ids, count, sizeof *ids, compare_ids) != NULL;
}

firn_result firn_sim_remove_particles(firn_sim* sim, const uint32_t* ids, int64_t id_count,
                                      int64_t* out_count)
{
    FIRN_TRY(firn_sim_edit_begin(sim, "firn_sim_remove_particles"));
    if (id_count < 0 || (ids == NULL && id_count > 0))
        return firn_fail(&sim->error, FIRN_REFUSED_ARGUMENT,
                         "firn_sim_remove_particles: %lld ids, but no list of them",
                         (long long)id_count);
    const firn_entry entry = firn_sim_enter(sim);
    const size_t count = (size_t)id_count;
    uint32_t* sorted = firn_alloc(count + 1, sizeof *sorted);
    firn_local* goes = sorted != NULL ? alloc_marks(sim) : NULL;
    firn_result r = FIRN_REFUSED_ARGUMENT;
    if (sorted == NULL) firn_fail(&sim->error, r, "no memory for %lld ids", (long long)id_count);
    if (goes != NULL) {
        if (count > 0) memcpy(sorted, ids, count * sizeof *sorted);
        qsort(sorted, count, sizeof *sorted, compare_ids);
        mark_ids(sim, sorted, count, goes);
        r = remove_marked(sim, goes, out_count);
    }
    firn_free(sorted);
    firn_free(goes);
    firn_leave(entry);
    return r;
}
