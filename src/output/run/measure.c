// SPDX-License-Identifier: MIT
// Measuring frames. Fragments are found in the density volume, but their mass is that of the
// particles in them: the volume smooths, and the mass that it spreads below the threshold around
// each fragment would count as dust. All sums run over particles in order, in double: they do not
// depend on the number of threads.
#include "output/run/measure.h"

#include <inttypes.h>
#include <math.h>

#include "core/memory.h"
#include "core/threads/team.h"
#include "math/vec3.h"
#include "output/run/cache.h"
#include "output/run/load_means.h"
#include "state/volume/fragments.h"

// Particles of the frame in the region; owned arrays.
typedef struct selection {
    firn_vec3* x;
    firn_vec3* v;  // null: the frame has no velocities
    firn_real* mass;
    firn_local count;
} selection;

static bool is_inside(const firn_measure_def* def, firn_vec3 x)
{
    const double at[3] = {(double)x.x, (double)x.y, (double)x.z};
    for (int d = 0; d < 3; d++)
        if (!(at[d] >= def->region_low[d] && at[d] <= def->region_high[d])) return false;
    return true;
}

static void destroy_selection(selection* c)
{
    firn_free(c->x);
    firn_free(c->v);
    firn_free(c->mass);
}

static firn_result select_particles(const firn_frame* frame, const firn_measure_def* def,
                                    selection* out, firn_error* error)
{
    const size_t most = (size_t)frame->count + 1;
    selection c = {.x = firn_alloc(most, sizeof *c.x), .mass = firn_alloc(most, sizeof *c.mass)};
    const bool moves = frame->velocity != NULL;
    if (moves) c.v = firn_alloc(most, sizeof *c.v);
    if (c.x == NULL || c.mass == NULL || (moves && c.v == NULL)) {
        destroy_selection(&c);
        return firn_fail(error, FIRN_BROKEN_MEMORY, "out of memory measuring %d particles",
                         (int)frame->count);
    }
    const firn_local count = firn_frame_snow_count(frame);  // powder has no mass
    for (firn_local p = 0; p < count; p++) {
        if (def->use_region && !is_inside(def, frame->position[p])) continue;
        c.x[c.count] = frame->position[p];
        c.mass[c.count] = frame->mass[p];
        if (moves) c.v[c.count] = frame->velocity[p];
        c.count++;
    }
    *out = c;
    return FIRN_OK;
}

// Mass, centre, extent, momentum, energy.
static void measure_motion(const selection* c, firn_frame_measure* row)
{
    row->particles = c->count;
    for (int d = 0; d < 3; d++) {
        row->low[d] = INFINITY;
        row->high[d] = -INFINITY;
    }
    for (firn_local p = 0; p < c->count; p++) {
        const double m = (double)c->mass[p];
        const double x[3] = {(double)c->x[p].x, (double)c->x[p].y, (double)c->x[p].z};
        row->mass += m;
        for (int d = 0; d < 3; d++) {
            row->center[d] += m * x[d];
            row->low[d] = fmin(row->low[d], x[d]);
            row->high[d] = fmax(row->high[d], x[d]);
        }
        if (c->v == NULL) continue;
        const double v[3] = {(double)c->v[p].x, (double)c->v[p].y, (double)c->v[p].z};
        for (int d = 0; d < 3; d++) row->momentum[d] += m * v[d];
        row->kinetic += m * (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]) / 2;
    }
    for (int d = 0; d < 3; d++) {
        row->center[d] = row->mass > 0 ? row->center[d] / row->mass : NAN;
        if (c->count == 0) row->low[d] = row->high[d] = NAN;
        if (c->v == NULL) row->momentum[d] = NAN;
    }
    if (c->v == NULL) row->kinetic = NAN;
}

// Angular momentum about the centre of mass, which moves: L = sum m (x - c) × (v - v_c).
static void measure_angular(const selection* c, firn_frame_measure* row)
{
    for (firn_local p = 0; p < c->count && c->v != NULL; p++) {
        const double m = (double)c->mass[p];
        const double x[3] = {(double)c->x[p].x - row->center[0], (double)c->x[p].y - row->center[1],
                             (double)c->x[p].z - row->center[2]};
        const double v[3] = {(double)c->v[p].x - row->momentum[0] / row->mass,
                             (double)c->v[p].y - row->momentum[1] / row->mass,
                             (double)c->v[p].z - row->momentum[2] / row->mass};
        for (int d = 0; d < 3; d++) {
            const int e = (d + 1) % 3, f = (d + 2) % 3;
            row->angular[d] += m * (x[e] * v[f] - x[f] * v[e]);
        }
    }
    if (c->v != NULL && row->mass > 0) return;
    for (int d = 0; d < 3; d++) row->angular[d] = NAN;
}

// Mean distance from the vertical line through the centre of mass.
static void measure_spread(const selection* c, firn_frame_measure* row)
{
    double sum = 0;
    for (firn_local p = 0; p < c->count; p++)
        sum += (double)c->mass[p] *
               hypot((double)c->x[p].x - row->center[0], (double)c->x[p].z - row->center[2]);
    row->spread = row->mass > 0 ? sum / row->mass : NAN;
}

// Means of temperature and water, where the frame has them.
static void measure_heat(const firn_frame* frame, const firn_measure_def* def,
                         firn_frame_measure* row)
{
    double heat = 0, water = 0;
    for (firn_local p = 0; p < frame->count; p++) {
        if (def->use_region && !is_inside(def, frame->position[p])) continue;
        const double m = (double)frame->mass[p];
        if (frame->temperature != NULL) heat += m * (double)frame->temperature[p];
        if (frame->water != NULL) water += m * (double)frame->water[p];
    }
    const bool some = row->mass > 0;
    row->temperature = frame->temperature != NULL && some ? heat / row->mass : NAN;
    row->water = frame->water != NULL && some ? water / row->mass : NAN;
}

// Fragments of at least def->smallest voxels count; the rest is dust.
static void measure_masses(const firn_fragments* fragments, const double* weight, int64_t smallest,
                           firn_frame_measure* row)
{
    double in_fragments = 0, squares = 0;
    for (firn_local i = 0; i < fragments->count; i++) {
        if (fragments->items[i].voxel_count < smallest) continue;
        row->fragments++;
        in_fragments += weight[i];
        squares += weight[i] * weight[i];
        row->largest = fmax(row->largest, weight[i]);
    }
    row->mean_mass = in_fragments > 0 ? squares / in_fragments : 0;
    row->dust = row->mass > 0 ? fmax(1 - in_fragments / row->mass, 0) : 0;
}

static firn_result measure_fragments(const selection* c, double voxel, const firn_measure_def* def,
                                     firn_frame_measure* row, firn_error* error)
{
    firn_density_volume volume;
    FIRN_TRY(firn_density_volume_build(c->x, NULL, c->mass, c->count, voxel, &volume, error));
    firn_fragments fragments = {0};
    firn_result result =
        firn_fragments_find(&volume, def->threshold, def->by_corners, &fragments, error);
    double* weight = NULL;
    if (result == FIRN_OK) {
        weight = firn_alloc((size_t)fragments.count + 1, sizeof *weight);
        if (weight == NULL)
            result = firn_fail(error, FIRN_BROKEN_MEMORY, "out of memory for %d fragments",
                               (int)fragments.count);
    }
    if (result == FIRN_OK) {
        for (firn_local p = 0; p < c->count; p++) {
            const firn_local i = firn_fragments_at(&fragments, &volume, c->x[p]);
            if (i != FIRN_FRAGMENT_NONE) weight[i] += (double)c->mass[p];
        }
        measure_masses(&fragments, weight, def->smallest, row);
    }
    firn_free(weight);
    firn_fragments_destroy(&fragments);
    firn_density_volume_destroy(&volume);
    return result;
}

firn_result firn_measure_frame(const firn_frame* frame, const firn_measure_def* def,
                               firn_frame_measure* out_row, firn_error* error)
{
    if (frame->mass == NULL)
        return firn_fail(
            error, FIRN_REFUSED_ARGUMENT,
            "frame %" PRId64
            " has no field 'mass', which all measures need: add it to output.fields of the "
            "scene and run it again",
            frame->info.frame);
    selection c = {0};
    FIRN_TRY(select_particles(frame, def, &c, error));
    firn_frame_measure row = {.frame = frame->info.frame, .time = frame->info.time};
    measure_motion(&c, &row);
    measure_angular(&c, &row);
    measure_spread(&c, &row);
    measure_heat(frame, def, &row);
    firn_result result = FIRN_OK;
    if (c.count > 0)
        result =
            measure_fragments(&c, def->voxel > 0 ? def->voxel : frame->info.cell, def, &row, error);
    destroy_selection(&c);
    if (result == FIRN_OK) *out_row = row;
    return result;
}

static firn_result check(const firn_measure_def* def, firn_error* error)
{
    if (!(def->threshold > 0 && isfinite(def->threshold)))
        return firn_fail(error, FIRN_REFUSED_ARGUMENT,
                         "the density threshold is %g kg/m^3; it must be above 0", def->threshold);
    if (!(def->voxel >= 0 && isfinite(def->voxel)))
        return firn_fail(
            error, FIRN_REFUSED_ARGUMENT,
            "the voxel size is %g m; it must be above 0, or 0 for the cell size of the run",
            def->voxel);
    for (int d = 0; d < 3 && def->use_region; d++)
        if (!(def->region_low[d] <= def->region_high[d]))
            return firn_fail(
                error, FIRN_REFUSED_ARGUMENT,
                "the region extends from %g to %g m along %c: the second corner must not be "
                "below the first",
                def->region_low[d], def->region_high[d], "xyz"[d]);
    return FIRN_OK;
}

// ---- a run --------------------------------------------------------------------------------------

typedef struct job {
    const firn_measure_def* def;
    const firn_cache* cache;
    firn_cache_job frames;
    firn_load_means loads;
    firn_frame_measure* rows;  // owned, with the loads of all of them behind
} job;

// Room for the rows and their loads in one block: firn_measure_free frees both.
static firn_result make_room(job* j, firn_error* error)
{
    const firn_cache_job* frames = &j->frames;
    FIRN_TRY(firn_load_means_read(j->cache->dir, j->cache->manifest.fps, frames->first,
                                  frames->last - frames->first + 1, &j->loads, error));
    const size_t loads = (size_t)j->loads.colliders * sizeof *j->loads.each;
    j->rows = firn_alloc((size_t)frames->wanted, sizeof *j->rows + loads);
    if (j->rows != NULL) return FIRN_OK;
    return firn_fail(error, FIRN_BROKEN_MEMORY, "out of memory for %" PRId64 " frames",
                     frames->wanted);
}

// The forces on colliders of a row, and their sum.
static void take_loads(const job* j, firn_frame_measure* row)
{
    const int count = j->loads.colliders;
    firn_collider_mean* own =
        (firn_collider_mean*)(j->rows + j->frames.wanted) + j->frames.done * count;
    for (int d = 0; d < 3; d++) row->force[d] = count > 0 ? 0 : NAN;
    for (int c = 0; c < count; c++) {
        own[c] = j->loads.each[(row->frame - j->frames.first) * count + c];
        for (int d = 0; d < 3; d++) row->force[d] += own[c].force[d];
    }
    row->colliders = count;
    row->loads = own;
}

static firn_result measure_frames(job* j, firn_error* error)
{
    const firn_manifest* m = &j->cache->manifest;
    firn_cache_job* frames = &j->frames;
    const firn_frame_choice choice = {.begin = j->def->frame_begin,
                                      .end = j->def->frame_end,
                                      .step = j->def->frame_step,
                                      .frames = j->def->frames,
                                      .count = j->def->frame_count};
    FIRN_TRY(firn_cache_job_begin(j->cache, &choice, frames, error));
    FIRN_TRY(make_room(j, error));
    for (firn_local k = 0; k < m->count; k++) {
        if (!firn_cache_job_wants(frames, &m->entries[k])) continue;
        firn_frame frame;
        FIRN_TRY(firn_cache_frame(j->cache, m->entries[k].frame, &frame, error));
        firn_frame_measure* row = &j->rows[frames->done];
        const firn_result result = firn_measure_frame(&frame, j->def, row, error);
        firn_frame_destroy(&frame);
        if (result != FIRN_OK) return result;
        take_loads(j, row);
        frames->done++;
        firn_cache_job_report(frames, row->frame, row->time, (firn_local)row->particles,
                              j->def->progress, j->def->user);
    }
    return FIRN_OK;
}

firn_result firn_measure_run(const firn_measure_def* def, firn_frame_measure** out_rows,
                             int* out_count, firn_error* error)
{
    FIRN_TRY(check(def, error));
    firn_cache cache;
    FIRN_TRY(firn_cache_open(def->input_dir, &cache, error));
    job j = {.def = def, .cache = &cache};
    const firn_result result = measure_frames(&j, error);
    firn_cache_close(&cache);
    firn_load_means_destroy(&j.loads);
    if (result != FIRN_OK) {
        firn_free(j.rows);
        return result;
    }
    *out_rows = j.rows;
    *out_count = (int)j.frames.done;
    return FIRN_OK;
}
