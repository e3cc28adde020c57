// SPDX-License-Identifier: MIT
// Steps for the caller out of batches of the device.
//
// clang-format off
//     caller   step   step   step   fetch       the device is ahead of what the caller knows: the kept
//     device   1 2 3 4 5 6 7 8 ...              copy comes back, and the steps that the caller has seen
//                                               are computed again: the same bits
// clang-format on
//
// A frame's end is also the end of a batch, and what is kept there is what a fetch then wants, so
// that this is for interrupted runs and for those who look at every step: for them batches become
// single steps.
#include "solver/grains/cuda/grains_gpu.h"

#include <math.h>

#include "core/memory.h"
#include "scene/data/scene.h"
#include "solver/grains/cuda/grains_cuda.h"
#include "solver/grains/cuda/grains_gpu_report.h"
#include "solver/grains/support/grains_solver.h"

struct firn_grains_gpu {
    firn_grains_cuda* cuda;                  // owned; null until there are grains
    firn_grains_body_climate* body_climate;  // owned [collider_count]
    int device, run_ahead;
    firn_local capacity;
    bool host_newer;                         // the device has not seen the host's particles yet
    bool fetched;                            // the host's particles are the state
    bool running;                            // a batch is under way
    bool looked;                             // someone fetched within this frame
    const firn_grains_cuda_record* records;  // borrowed from `cuda`
    int ready, next;              // records of the last batch; the first that has not been given
    firn_local count;             // grains now
    double frame_time, dt_scale;  // of the frame being computed
    // where the kept copy was taken
    bool kept;
    int64_t kept_step;
    int given;  // steps since then
    double kept_time;
    firn_local kept_count;
};

static firn_grains_climate climate_of(firn_grains* m)
{
    const firn_scene_data* scene = m->base.scene;
    const firn_air_block* air = &scene->air;
    firn_grains_climate c = {.air = air->active ? air->temperature : NAN, .may_heat = m->may_heat};
    if (air->active) c.key_count = air->temperature_key_count;
    for (int32_t k = 0; k < c.key_count; k++) c.key[k] = air->temperature_keys[k];
    c.heats = c.key_count > 0 || !isnan(c.air);
    for (firn_local b = 0; b < m->base.collider_count; b++) {
        const firn_collider* body = &scene->colliders[b];
        m->gpu->body_climate[b] =
            (firn_grains_body_climate){body->temperature, body->temperature_of_air};
        c.heats |= !body->temperature_of_air && !isnan(body->temperature);
    }
    return c;
}

static firn_grains_cuda_def def_of(firn_grains* m)
{
    const firn_cull_block* cull = &m->base.scene->cull;
    const double* g = m->base.scene->gravity;
    return (firn_grains_cuda_def){
        .device = m->gpu->device,
        .capacity = m->gpu->capacity,
        .constants = m->constants,
        .dt = firn_grains_dt_rules_of(m),
        .skin = m->skin,
        .gravity = firn_v3((firn_real)g[0], (firn_real)g[1], (firn_real)g[2]),
        .shapes = &m->base.scene->shapes,
        .colliders = m->base.colliders,
        .collider_count = m->base.collider_count,
        .climate = climate_of(m),
        .body_climate = m->gpu->body_climate,
        .culls = cull->active,
        .cull_start = cull->start,
        .cull_below = cull->below,
        .cull_inside = cull->inside,
        .cull_outside = cull->outside,
    };
}

// Room on the device for the host's particles.
static firn_result make_room(firn_grains* m, firn_error* error)
{
    firn_grains_gpu* g = m->gpu;
    if (g->cuda != NULL && m->base.store.count <= g->capacity) return FIRN_OK;
    firn_grains_cuda_destroy(g->cuda);
    g->cuda = NULL;
    g->kept = false;
    g->capacity = m->base.store.count;
    const firn_grains_cuda_def def = def_of(m);
    return firn_grains_cuda_create(&def, &g->cuda, error);
}

firn_result firn_grains_gpu_create(firn_grains* m, int device, int run_ahead, firn_error* error)
{
    if (m->free_count > 0)
        return firn_fail(error, FIRN_REFUSED_BACKEND,
                         "colliders.%d has a mass, and solver grains moves such bodies on the CPU "
                         "only: use backend cpu, or remove `mass`",
                         (int)m->free[0].collider);
    firn_grains_gpu* g = firn_alloc(1, sizeof *g);
    if (g == NULL) return firn_fail(error, FIRN_BROKEN_MEMORY, "out of memory");
    m->gpu = g;
    g->device = device;
    g->run_ahead =
        run_ahead > 0 && run_ahead < FIRN_GRAINS_CUDA_BATCH ? run_ahead : FIRN_GRAINS_CUDA_BATCH;
    g->host_newer = g->fetched = true;
    g->body_climate = firn_alloc((size_t)m->base.collider_count + 1, sizeof *g->body_climate);
    if (g->body_climate == NULL) return firn_fail(error, FIRN_BROKEN_MEMORY, "out of memory");
    return m->base.store.count > 0 ? make_room(m, error) : FIRN_OK;
}

void firn_grains_gpu_destroy(firn_grains_gpu* gpu)
{
    if (gpu == NULL) return;
    firn_grains_cuda_destroy(gpu->cuda);
    firn_free(gpu->body_climate);
    firn_free(gpu);
}

// Ends what is under way, whatever it gave.
static void drop_batch(firn_grains_gpu* g)
{
    firn_error ignored;
    if (g->running) (void)firn_grains_cuda_wait(g->cuda, &g->records, &g->ready, &ignored);
    g->running = false;
    g->ready = g->next = 0;
}

void firn_grains_gpu_host_changed(firn_grains* m)
{
    drop_batch(m->gpu);
    m->gpu->host_newer = m->gpu->fetched = true;
}

static firn_result upload(firn_grains* m, firn_error* error)
{
    firn_grains_gpu* g = m->gpu;
    firn_grains_refresh_pointers(m);
    FIRN_TRY(make_room(m, error));
    FIRN_TRY(firn_grains_cuda_upload(g->cuda, &m->p, error));
    g->count = m->base.store.count;
    g->host_newer = false;
    return FIRN_OK;
}

// The frame's time as the caller has it: a whole number of frames, to the last bit, because steps
// must not depend on where batches begin.
static double frame_time_of(const firn_grains* m, double time, double dt_limit)
{
    const double fps = m->base.scene->time.fps, end = time + dt_limit;
    const double whole = fps > 0 ? floor(end * fps + 0.5) / fps : end;
    return fabs(whole - end) <= 1e-12 * fmax(1, fabs(end)) ? whole : end;
}

// How many steps to launch: as many as the rest of the frame may need.
static int batch_size(const firn_grains* m, double dt_limit, double dt_scale)
{
    const firn_grains_gpu* g = m->gpu;
    // without a kept copy there is no way back to a step that the device has gone past
    if (!g->kept || g->looked || firn_grains_cuda_deforms(g->cuda)) return 1;
    const double dt =
        m->base.dt > 0 ? fmin(m->base.dt, m->dt_usual * dt_scale) : m->dt_usual * dt_scale;
    const double steps = ceil(1.1 * dt_limit / dt) + 1;
    return steps < g->run_ahead ? (int)steps : g->run_ahead;
}

static firn_result begin(firn_grains* m, double time, double dt_limit, double dt_scale,
                         firn_error* error)
{
    firn_grains_gpu* g = m->gpu;
    g->frame_time = frame_time_of(m, time, dt_limit);
    g->dt_scale = dt_scale;
    if (g->given == 0) g->kept_time = time;
    const firn_grains_cuda_batch batch = {.step = m->base.step,
                                          .time = time,
                                          .frame_time = g->frame_time,
                                          .dt_scale = dt_scale,
                                          .steps = batch_size(m, dt_limit, dt_scale)};
    FIRN_TRY(firn_grains_cuda_begin(g->cuda, &batch, error));
    g->ready = g->next = 0;
    g->running = true;
    return FIRN_OK;
}

static firn_result wait(firn_grains_gpu* g, firn_error* error)
{
    g->running = false;
    g->next = 0;
    return firn_grains_cuda_wait(g->cuda, &g->records, &g->ready, error);
}

// The next record, of a batch that has been computed or is now.
static firn_result next_record(firn_grains* m, double time, double dt_limit, double dt_scale,
                               const firn_grains_cuda_record** out, firn_error* error)
{
    firn_grains_gpu* g = m->gpu;
    if (g->host_newer) FIRN_TRY(upload(m, error));
    for (;;) {
        if (g->running) FIRN_TRY(wait(g, error));
        if (g->next < g->ready && g->records[g->next].end != FIRN_GRAINS_CUDA_ROOM) {
            *out = &g->records[g->next++];
            return FIRN_OK;
        }
        if (g->next < g->ready) FIRN_TRY(firn_grains_cuda_grow(g->cuda, error));
        FIRN_TRY(begin(m, time, dt_limit, dt_scale, error));
    }
}

// A scene without grains has nothing to send: its frames pass.
static void pass_frame(firn_grains* m, double time, double dt_limit, firn_step_report* out_report)
{
    m->base.dt = dt_limit;
    *out_report = (firn_step_report){
        .step = m->base.step++, .time = time, .dt = dt_limit, .plastic_min = 1, .plastic_max = 1};
}

firn_result firn_grains_gpu_step(firn_grains* m, double time, double dt_limit, double dt_scale,
                                 firn_step_report* out_report, firn_error* error)
{
    firn_grains_gpu* g = m->gpu;
    m->base.time = time;
    if (g->host_newer && m->base.store.count == 0) {
        pass_frame(m, time, dt_limit, out_report);
        return FIRN_OK;
    }
    const firn_grains_cuda_record* r;
    FIRN_TRY(next_record(m, time, dt_limit, dt_scale, &r, error));
    m->base.time = r->time;
    m->base.dt =
        r->end == FIRN_GRAINS_CUDA_FRAME ? dt_limit : r->dt;  // the caller compares the two
    m->base.max_speed = r->max_speed;
    g->fetched = false;
    firn_grains_gpu_report(m, r, g->count, out_report);
    FIRN_TRY(firn_grains_gpu_fault(m, r, error));
    m->heat_gained += r->heat;
    m->base.step = r->step + 1;
    g->count = r->count;
    g->given++;
    return FIRN_OK;
}

void firn_grains_gpu_expect(firn_grains* m, double time, double dt_limit, double dt_scale)
{
    firn_grains_gpu* g = m->gpu;
    firn_error ignored;
    if (g->cuda == NULL || g->host_newer || g->running || g->next < g->ready) return;
    (void)begin(m, time, dt_limit, dt_scale,
                &ignored);  // a failure is found when the step is asked for
}

// Brings the device back to the last step that was given.
static firn_result go_back(firn_grains* m, firn_error* error)
{
    firn_grains_gpu* g = m->gpu;
    const bool ahead = g->running || g->next < g->ready;
    drop_batch(g);
    if (!ahead) return FIRN_OK;
    if (!g->kept)
        return firn_fail(error, FIRN_BROKEN_INTERNAL, "the device is ahead, with nothing kept");
    g->looked = true;
    FIRN_TRY(firn_grains_cuda_return(g->cuda, error));
    firn_grains_cuda_batch batch = {.step = g->kept_step,
                                    .time = g->kept_time,
                                    .frame_time = g->frame_time,
                                    .dt_scale = g->dt_scale};
    for (int left = g->given; left > 0;) {
        batch.steps = left < FIRN_GRAINS_CUDA_BATCH ? left : FIRN_GRAINS_CUDA_BATCH;
        if (firn_grains_cuda_deforms(g->cuda)) batch.steps = 1;
        const firn_grains_cuda_record* r;
        int count;
        FIRN_TRY(firn_grains_cuda_begin(g->cuda, &batch, error));
        FIRN_TRY(firn_grains_cuda_wait(g->cuda, &r, &count, error));
        const bool room = count > 0 && r[count - 1].end == FIRN_GRAINS_CUDA_ROOM;
        if (room) FIRN_TRY(firn_grains_cuda_grow(g->cuda, error));
        if (room && --count == 0) continue;
        if (count < 1 || r[count - 1].end > FIRN_GRAINS_CUDA_FRAME)
            return firn_fail(error, FIRN_BROKEN_INTERNAL,
                             "steps came out otherwise the second time");
        left -= count;
        batch.step += count;
        batch.time = r[count - 1].time + r[count - 1].dt;
    }
    return FIRN_OK;
}

firn_result firn_grains_gpu_fetch(firn_grains* m, firn_error* error)
{
    firn_grains_gpu* g = m->gpu;
    if (g->host_newer || g->fetched) return FIRN_OK;
    const bool at_kept = g->kept && g->given == 0;
    if (!at_kept) FIRN_TRY(go_back(m, error));
    if (!at_kept && g->given > 0) g->looked = true;
    firn_grains_refresh_pointers(m);
    FIRN_TRY(firn_grains_cuda_download(g->cuda, at_kept, &m->p, error));
    m->base.store.count = m->p.count;
    g->fetched = true;
    return FIRN_OK;
}

// Steps up to now are those of the old drivers, which the device still has: it first comes back to
// the last of them. From the kept copy on they could not be computed again with the new ones, so
// the rest of the frame goes step by step.
firn_result firn_grains_gpu_bodies_changed(firn_grains* m, firn_error* error)
{
    firn_grains_gpu* g = m->gpu;
    if (g->cuda == NULL) return FIRN_OK;  // made from the colliders as they are then
    const bool single = g->looked || g->given > 0;
    if (!g->host_newer) FIRN_TRY(go_back(m, error));
    g->looked = single;
    const firn_grains_climate climate = climate_of(m);
    return firn_grains_cuda_drive(g->cuda, &climate, g->body_climate, error);
}

firn_result firn_grains_gpu_take(firn_grains* m, firn_error* error)
{
    firn_grains_gpu* g = m->gpu;
    if (g->host_newer && m->base.store.count == 0) return FIRN_OK;
    if (g->host_newer) FIRN_TRY(upload(m, error));
    FIRN_TRY(go_back(m, error));
    FIRN_TRY(firn_grains_cuda_keep(g->cuda, error));
    g->kept = true;
    g->kept_step = m->base.step;
    g->kept_count = g->count;
    g->given = 0;
    g->looked = false;
    return FIRN_OK;
}

firn_result firn_grains_gpu_restore(firn_grains* m, firn_error* error)
{
    firn_grains_gpu* g = m->gpu;
    drop_batch(g);
    if (!g->kept) return firn_fail(error, FIRN_BROKEN_INTERNAL, "there is no state to return to");
    FIRN_TRY(firn_grains_cuda_return(g->cuda, error));
    g->count = g->kept_count;
    g->given = 0;
    g->host_newer = g->fetched = false;
    return FIRN_OK;
}

firn_local firn_grains_gpu_count(const firn_grains* m)
{
    return m->gpu->host_newer ? m->base.store.count : m->gpu->count;
}

size_t firn_grains_gpu_bytes(const firn_grains* m)
{
    return m->gpu->cuda != NULL ? firn_grains_cuda_bytes(m->gpu->cuda) : 0;
}
