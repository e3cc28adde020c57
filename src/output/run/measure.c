// SPDX-License-Identifier: MIT
// Measuring frames. Pieces are found in the density volume, but weighed by the particles in them: a
// volume blurs, and what it smears below the threshold around every piece would pass for dust.
// All sums run in the order of the particles, in double: the same for any number of threads.
#include "output/run/measure.h"

#include <inttypes.h>
#include <math.h>

#include "core/memory.h"
#include "core/timer.h"
#include "math/vec3.h"
#include "output/run/cache.h"
#include "state/fragments.h"

// Particles of the frame that lie in the region; owned arrays.
typedef struct chosen {
    firn_vec3* x;
    firn_vec3* v;  // null: the frame has no velocities
    firn_real* mass;
    firn_local count;
} chosen;

static bool is_inside(const firn_measure_def* def, firn_vec3 x)
{
    const double at[3] = {(double)x.x, (double)x.y, (double)x.z};
    for (int d = 0; d < 3; d++)
        if (!(at[d] >= def->region_low[d] && at[d] <= def->region_high[d])) return false;
    return true;
}

static void destroy_chosen(chosen* c)
{
    firn_free(c->x);
    firn_free(c->v);
    firn_free(c->mass);
}

static firn_result choose(const firn_frame* frame, const firn_measure_def* def, chosen* out,
                          firn_error* error)
{
    const size_t most = (size_t)frame->count + 1;
    chosen c = {.x = firn_alloc(most, sizeof *c.x), .mass = firn_alloc(most, sizeof *c.mass)};
    const bool moves = frame->velocity != NULL;
    if (moves) c.v = firn_alloc(most, sizeof *c.v);
    if (c.x == NULL || c.mass == NULL || (moves && c.v == NULL)) {
        destroy_chosen(&c);
        return firn_fail(error, FIRN_BROKEN_MEMORY, "no memory to measure %d particles",
                         (int)frame->count);
    }
    for (firn_local p = 0; p < frame->count; p++) {
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
static void measure_bodies(const chosen* c, firn_frame_measure* row)
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

// Pieces of at least def->smallest voxels count; the rest is dust.
static void weigh_pieces(const firn_fragments* fragments, const double* weight, int64_t smallest,
                         firn_frame_measure* row)
{
    double whole = 0, squares = 0;
    for (firn_local i = 0; i < fragments->count; i++) {
        if (fragments->items[i].voxel_count < smallest) continue;
        row->fragments++;
        whole += weight[i];
        squares += weight[i] * weight[i];
        row->largest = fmax(row->largest, weight[i]);
    }
    row->mean_mass = whole > 0 ? squares / whole : 0;
    row->dust = row->mass > 0 ? fmax(1 - whole / row->mass, 0) : 0;
}

static firn_result measure_pieces(const chosen* c, double voxel, const firn_measure_def* def,
                                  int threads, firn_frame_measure* row, firn_error* error)
{
    firn_density_volume volume;
    FIRN_TRY(
        firn_density_volume_build(c->x, NULL, c->mass, c->count, voxel, threads, &volume, error));
    firn_fragments fragments = {0};
    firn_result result =
        firn_fragments_find(&volume, def->threshold, def->by_corners, &fragments, error);
    double* weight = NULL;
    if (result == FIRN_OK) {
        weight = firn_alloc((size_t)fragments.count + 1, sizeof *weight);
        if (weight == NULL)
            result = firn_fail(error, FIRN_BROKEN_MEMORY, "no memory for %d fragments",
                               (int)fragments.count);
    }
    if (result == FIRN_OK) {
        for (firn_local p = 0; p < c->count; p++) {
            const firn_local i = firn_fragments_at(&fragments, &volume, c->x[p]);
            if (i != FIRN_FRAGMENT_NONE) weight[i] += (double)c->mass[p];
        }
        weigh_pieces(&fragments, weight, def->smallest, row);
    }
    firn_free(weight);
    firn_fragments_destroy(&fragments);
    firn_density_volume_destroy(&volume);
    return result;
}

firn_result firn_measure_frame(const firn_frame* frame, const firn_measure_def* def, int threads,
                               firn_frame_measure* out_row, firn_error* error)
{
    if (frame->mass == NULL)
        return firn_fail(error, FIRN_REFUSED_ARGUMENT,
                         "frame %" PRId64
                         " has no field 'mass', without which there is nothing to measure: add it "
                         "to the fields of the scene's output",
                         frame->info.frame);
    chosen c = {0};
    FIRN_TRY(choose(frame, def, &c, error));
    firn_frame_measure row = {.frame = frame->info.frame, .time = frame->info.time};
    measure_bodies(&c, &row);
    firn_result result = FIRN_OK;
    if (c.count > 0)
        result = measure_pieces(&c, def->voxel > 0 ? def->voxel : frame->info.cell, def, threads,
                                &row, error);
    destroy_chosen(&c);
    if (result == FIRN_OK) *out_row = row;
    return result;
}

static firn_result check(const firn_measure_def* def, firn_error* error)
{
    if (!(def->threshold > 0 && isfinite(def->threshold)))
        return firn_fail(error, FIRN_REFUSED_ARGUMENT, "a threshold of %g kg/m^3, must be above 0",
                         def->threshold);
    if (!(def->voxel >= 0 && isfinite(def->voxel)))
        return firn_fail(error, FIRN_REFUSED_ARGUMENT,
                         "voxels of %g m, must be above 0, or 0 for the run's cell", def->voxel);
    for (int d = 0; d < 3 && def->use_region; d++)
        if (!(def->region_low[d] <= def->region_high[d]))
            return firn_fail(error, FIRN_REFUSED_ARGUMENT,
                             "the region goes from %g to %g m along %c: its second corner must be "
                             "the higher one",
                             def->region_low[d], def->region_high[d], "xyz"[d]);
    return FIRN_OK;
}

// ---- a run --------------------------------------------------------------------------------------

typedef struct job {
    const firn_measure_def* def;
    const firn_cache* cache;
    int64_t first, last;  // frames wanted
    int wanted, done;
    double start;  // [s]
    int threads;
    firn_frame_measure* rows;  // owned
} job;

static bool is_wanted(const job* j, const firn_manifest_entry* e)
{
    return e->kind == FIRN_ENTRY_FRAME && e->frame >= j->first && e->frame <= j->last;
}

static firn_result choose_range(job* j, firn_error* error)
{
    const firn_manifest* m = &j->cache->manifest;
    int64_t newest = -1;
    for (firn_local k = 0; k < m->count; k++)
        if (m->entries[k].kind == FIRN_ENTRY_FRAME) newest = m->entries[k].frame;
    j->first = j->def->frame_begin;
    j->last = j->def->frame_end < 0 ? newest : j->def->frame_end;
    for (firn_local k = 0; k < m->count; k++) j->wanted += is_wanted(j, &m->entries[k]);
    if (j->wanted == 0)
        return firn_fail(error, FIRN_REFUSED_NAME,
                         "'%s' has no frames %" PRId64 " to %" PRId64 "; its last one is %" PRId64,
                         j->cache->dir, j->first, j->last, newest);
    j->rows = firn_alloc((size_t)j->wanted, sizeof *j->rows);
    return j->rows != NULL
               ? FIRN_OK
               : firn_fail(error, FIRN_BROKEN_MEMORY, "no memory for %d frames", j->wanted);
}

static void tell(const job* j, const firn_frame_measure* row)
{
    if (j->def->progress == NULL) return;
    const double elapsed = firn_seconds() - j->start;
    const firn_progress progress = {
        .frame = row->frame,
        .frame_end = j->last,
        .time = row->time,
        .frame_fraction = 1,
        .particle_count = (firn_local)row->particles,
        .seconds_elapsed = elapsed,
        .seconds_left = elapsed / j->done * (j->wanted - j->done),
        .frame_done = true,
    };
    j->def->progress(j->def->user, &progress);
}

static firn_result measure_frames(job* j, firn_error* error)
{
    const firn_manifest* m = &j->cache->manifest;
    FIRN_TRY(choose_range(j, error));
    for (firn_local k = 0; k < m->count; k++) {
        if (!is_wanted(j, &m->entries[k])) continue;
        firn_frame frame;
        FIRN_TRY(firn_cache_frame(j->cache, m->entries[k].frame, &frame, error));
        const firn_result result =
            firn_measure_frame(&frame, j->def, j->threads, &j->rows[j->done], error);
        firn_frame_destroy(&frame);
        if (result != FIRN_OK) return result;
        j->done++;
        tell(j, &j->rows[j->done - 1]);
    }
    return FIRN_OK;
}

firn_result firn_measure_run(const firn_measure_def* def, int threads,
                             firn_frame_measure** out_rows, int* out_count, firn_error* error)
{
    FIRN_TRY(check(def, error));
    firn_cache cache;
    FIRN_TRY(firn_cache_open(def->input_dir, &cache, error));
    job j = {.def = def, .cache = &cache, .start = firn_seconds(), .threads = threads};
    const firn_result result = measure_frames(&j, error);
    firn_cache_close(&cache);
    if (result != FIRN_OK) {
        firn_free(j.rows);
        return result;
    }
    *out_rows = j.rows;
    *out_count = j.done;
    return FIRN_OK;
}
