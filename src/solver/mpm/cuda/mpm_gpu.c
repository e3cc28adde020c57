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
#include "solver/mpm/cuda/mpm_gpu.h"

#include <math.h>

#include "core/memory.h"
#include "scene/data/scene.h"
#include "solver/mpm/cuda/mpm_cuda.h"
#include "solver/mpm/cuda/mpm_gpu_report.h"
#include "solver/mpm/support/mpm_fault.h"

struct firn_mpm_gpu {
    firn_mpm_cuda* cuda;  // owned; null until there are particles
    int device, run_ahead;
    firn_local capacity;
    bool host_newer;                      // the device has not seen the host's particles yet
    bool fetched;                         // the host's particles are the state
    bool running;                         // a batch is under way
    bool looked;                          // someone fetched within this frame
    const firn_mpm_cuda_record* records;  // borrowed from `cuda`
    int ready, next;  // records of the last batch; the first that has not been given
    // now
    double speed, sound;  // [m/s]
    firn_local alive;
    double frame_time, dt_scale;  // of the frame being computed
    // where the kept copy was taken
    bool kept;
    int64_t kept_step;
    int given;  // steps since then
    double kept_time, kept_dt_factor, kept_speed, kept_sound;
    firn_local kept_alive;
};

static firn_mpm_cuda_def def_of(const firn_mpm* m, const firn_mpm_gpu* g)
{
    const firn_mpm_def* d = &m->def;
    const firn_cull_block* cull = &m->base.scene->cull;
    return (firn_mpm_cuda_def){
        .device = g->device,
        .capacity = g->capacity,
        .cell = m->grid.cell,
        .gravity = m->gravity,
        .mass_min = m->mass_min,
        .lightest = (firn_real)m->lightest,
        .spline = d->spline,
        .affine = d->transfer == FIRN_MPM_APIC,
        .varied = m->varies,
        .diagonal = d->preconditioner == FIRN_MPM_PRECONDITIONER_DIAGONAL,
        .may_solve = d->integrator != FIRN_MPM_EXPLICIT && d->beta > 0,
        .inertial = d->guess == FIRN_MPM_GUESS_INERTIAL,
        .flip = d->flip,
        .beta = d->beta,
        .dt = firn_mpm_dt_rules_of(d),
        .tolerance = d->tolerance,
        .speed_floor = d->speed_floor,
        .max_iterations = (int)d->max_iterations,
        .iterations_target = (int)d->iterations_target,
        .materials = m->materials,
        .material_count = m->material_count,
        .shapes = &m->base.scene->shapes,
        .colliders = m->base.colliders,
        .collider_count = m->base.collider_count,
        .culls = cull->active,
        .cull_start = cull->start,
        .cull_below = cull->below,
        .cull_inside = cull->inside,
        .cull_outside = cull->outside,
    };
}

// Room on the device for the host's particles.
static firn_result make_room(firn_mpm* m, firn_error* error)
{
    firn_mpm_gpu* g = m->gpu;
    if (g->cuda != NULL && m->base.store.count <= g->capacity) return FIRN_OK;
    firn_mpm_cuda_destroy(g->cuda);
    g->cuda = NULL;
    g->kept = false;
    g->capacity = m->base.store.count;
    const firn_mpm_cuda_def def = def_of(m, g);
    return firn_mpm_cuda_create(&def, &g->cuda, error);
}

firn_result firn_mpm_gpu_create(firn_mpm* m, int device, int run_ahead, firn_error* error)
{
    firn_mpm_gpu* g = firn_alloc(1, sizeof *g);
    if (g == NULL) return firn_fail(error, FIRN_BROKEN_MEMORY, "out of memory");
    m->gpu = g;
    g->device = device;
    g->run_ahead =
        run_ahead > 0 && run_ahead < FIRN_MPM_CUDA_BATCH ? run_ahead : FIRN_MPM_CUDA_BATCH;
    g->host_newer = g->fetched = true;
    return m->base.store.count > 0 ? make_room(m, error) : FIRN_OK;
}

void firn_mpm_gpu_destroy(firn_mpm_gpu* gpu)
{
    if (gpu == NULL) return;
    firn_mpm_cuda_destroy(gpu->cuda);
    firn_free(gpu);
}

// Ends what is under way, whatever it gave.
static void drop_batch(firn_mpm_gpu* g)
{
    firn_error ignored;
    if (g->running) (void)firn_mpm_cuda_wait(g->cuda, &g->records, &g->ready, &ignored);
    g->running = false;
    g->ready = g->next = 0;
}

void firn_mpm_gpu_host_changed(firn_mpm* m)
{
    drop_batch(m->gpu);
    m->gpu->host_newer = m->gpu->fetched = true;
}

static firn_result upload(firn_mpm* m, firn_error* error)
{
    firn_mpm_gpu* g = m->gpu;
    firn_mpm_refresh_pointers(m);
    FIRN_TRY(make_room(m, error));
    FIRN_TRY(firn_mpm_cuda_upload(g->cuda, &m->p, m->base.step, error));
    firn_local bad;
    FIRN_TRY(firn_mpm_cuda_measure(g->cuda, &g->speed, &g->sound, &bad, error));
    g->alive = m->base.store.count;
    g->host_newer = false;
    if (bad >= m->p.count) return FIRN_OK;
    const firn_culprit culprit = firn_mpm_culprit_of(m, bad);
    return firn_mpm_fault_lost(m, &culprit, error);
}

// The frame's time as the caller has it: a whole number of frames, to the last bit, because steps
// must not depend on where batches begin.
static double frame_time_of(const firn_mpm* m, double time, double dt_limit)
{
    const double fps = m->base.scene->time.fps, end = time + dt_limit;
    const double whole = fps > 0 ? floor(end * fps + 0.5) / fps : end;
    return fabs(whole - end) <= 1e-12 * fmax(1, fabs(end)) ? whole : end;
}

// How many steps to launch: as many as the rest of the frame may need.
static int batch_size(const firn_mpm* m, double dt_limit)
{
    const firn_mpm_gpu* g = m->gpu;
    // without a kept copy there is no way back to a step that the device has gone past
    if (!g->kept || g->looked || firn_mpm_cuda_deforms(g->cuda) || !(m->base.dt > 0)) return 1;
    const double steps = ceil(1.1 * dt_limit / m->base.dt) + 1;
    return steps < g->run_ahead ? (int)steps : g->run_ahead;
}

static void choose_integrator(firn_mpm* m, double time)
{
    const firn_mpm_gpu* g = m->gpu;
    m->base.time = time;
    m->base.max_speed = g->speed;
    m->max_sound = g->sound;
    m->implicit = m->def.beta > 0 && (m->def.integrator == FIRN_MPM_SEMI_IMPLICIT ||
                                      (m->def.integrator == FIRN_MPM_AUTO && m->choice.implicit));
    if (m->def.integrator == FIRN_MPM_AUTO && m->choice.frame_begins != 0) firn_mpm_choose_now(m);
}

static firn_result begin(firn_mpm* m, double time, double dt_limit, double dt_scale,
                         firn_error* error)
{
    firn_mpm_gpu* g = m->gpu;
    choose_integrator(m, time);
    g->frame_time = frame_time_of(m, time, dt_limit);
    g->dt_scale = dt_scale;
    if (g->given == 0) g->kept_time = time;
    const firn_mpm_cuda_batch batch = {.step = m->base.step,
                                       .time = time,
                                       .frame_time = g->frame_time,
                                       .dt_scale = dt_scale,
                                       .dt_factor = m->dt_factor,
                                       .implicit = m->implicit,
                                       .steps = batch_size(m, dt_limit)};
    FIRN_TRY(firn_mpm_cuda_begin(g->cuda, &batch, error));
    g->ready = g->next = 0;
    g->running = true;
    return FIRN_OK;
}

static firn_result wait(firn_mpm_gpu* g, firn_error* error)
{
    g->running = false;
    g->next = 0;
    return firn_mpm_cuda_wait(g->cuda, &g->records, &g->ready, error);
}

// The next record, of a batch that has been computed or is now.
static firn_result next_record(firn_mpm* m, double time, double dt_limit, double dt_scale,
                               const firn_mpm_cuda_record** out, firn_error* error)
{
    firn_mpm_gpu* g = m->gpu;
    if (g->host_newer) FIRN_TRY(upload(m, error));
    for (;;) {
        if (g->running) FIRN_TRY(wait(g, error));
        if (g->next < g->ready && g->records[g->next].end != FIRN_MPM_CUDA_ROOM) {
            *out = &g->records[g->next++];
            return FIRN_OK;
        }
        if (g->next < g->ready) FIRN_TRY(firn_mpm_cuda_grow(g->cuda, error));
        FIRN_TRY(begin(m, time, dt_limit, dt_scale, error));
    }
}

firn_result firn_mpm_gpu_step(firn_mpm* m, double time, double dt_limit, double dt_scale,
                              firn_step_report* out_report, firn_error* error)
{
    firn_mpm_gpu* g = m->gpu;
    const firn_mpm_cuda_record* r;
    FIRN_TRY(next_record(m, time, dt_limit, dt_scale, &r, error));
    const bool frame_ends = r->end == FIRN_MPM_CUDA_FRAME;
    m->base.time = r->time;
    m->base.dt = frame_ends ? dt_limit : r->dt;  // the caller compares the two
    m->iterations = r->iterations;
    m->residual = r->residual;
    m->base.max_speed = r->max_speed;
    m->max_sound = r->max_sound;
    g->fetched = false;
    firn_mpm_gpu_report(m, r, g->alive, out_report);
    FIRN_TRY(firn_mpm_gpu_fault(m, r, error));
    m->dt_factor = r->dt_factor;
    firn_mpm_choice_learn(&m->choice, m->iterations, m->base.dt * m->max_sound / m->def.cell,
                          frame_ends);
    m->base.step = r->step + 1;
    g->speed = r->next_speed;
    g->sound = r->next_sound;
    g->alive = r->alive;
    g->given++;
    return FIRN_OK;
}

void firn_mpm_gpu_expect(firn_mpm* m, double time, double dt_limit, double dt_scale)
{
    firn_mpm_gpu* g = m->gpu;
    firn_error ignored;
    if (g->cuda == NULL || g->host_newer || g->running || g->next < g->ready) return;
    (void)begin(m, time, dt_limit, dt_scale,
                &ignored);  // a failure is found when the step is asked for
}

// Brings the device back to the last step that was given.
static firn_result go_back(firn_mpm* m, firn_error* error)
{
    firn_mpm_gpu* g = m->gpu;
    const bool ahead = g->running || g->next < g->ready;
    drop_batch(g);
    if (!ahead) return FIRN_OK;
    if (!g->kept)
        return firn_fail(error, FIRN_BROKEN_INTERNAL, "the device is ahead, with nothing kept");
    g->looked = true;
    FIRN_TRY(firn_mpm_cuda_return(g->cuda, error));
    firn_mpm_cuda_batch batch = {.step = g->kept_step,
                                 .time = g->kept_time,
                                 .frame_time = g->frame_time,
                                 .dt_scale = g->dt_scale,
                                 .dt_factor = g->kept_dt_factor,
                                 .implicit = m->implicit};
    for (int left = g->given; left > 0;) {
        batch.steps = left < FIRN_MPM_CUDA_BATCH ? left : FIRN_MPM_CUDA_BATCH;
        if (firn_mpm_cuda_deforms(g->cuda)) batch.steps = 1;
        const firn_mpm_cuda_record* r;
        int count;
        FIRN_TRY(firn_mpm_cuda_begin(g->cuda, &batch, error));
        FIRN_TRY(firn_mpm_cuda_wait(g->cuda, &r, &count, error));
        const bool room = count > 0 && r[count - 1].end == FIRN_MPM_CUDA_ROOM;
        if (room) FIRN_TRY(firn_mpm_cuda_grow(g->cuda, error));
        if (room && --count == 0) continue;
        if (count < 1 || r[count - 1].end > FIRN_MPM_CUDA_FRAME)
            return firn_fail(error, FIRN_BROKEN_INTERNAL,
                             "steps came out otherwise the second time");
        left -= count;
        batch.step += count;
        batch.time = r[count - 1].time + r[count - 1].dt;
        batch.dt_factor = r[count - 1].dt_factor;
    }
    return FIRN_OK;
}

firn_result firn_mpm_gpu_fetch(firn_mpm* m, firn_error* error)
{
    firn_mpm_gpu* g = m->gpu;
    if (g->host_newer || g->fetched) return FIRN_OK;
    const bool at_kept = g->kept && g->given == 0;
    if (!at_kept) FIRN_TRY(go_back(m, error));
    if (!at_kept && g->given > 0) g->looked = true;
    firn_mpm_refresh_pointers(m);
    FIRN_TRY(firn_mpm_cuda_download(g->cuda, at_kept, &m->p, error));
    m->base.store.count = m->p.count;
    g->fetched = true;
    return FIRN_OK;
}

// Steps up to now are those of the old drivers, which the device still has: it first comes back to
// the last of them. From the kept copy on they could not be computed again with the new ones, so
// the rest of the frame goes step by step.
firn_result firn_mpm_gpu_bodies_changed(firn_mpm* m, firn_error* error)
{
    firn_mpm_gpu* g = m->gpu;
    if (g->cuda == NULL) return FIRN_OK;  // made from the colliders as they are then
    const bool single = g->looked || g->given > 0;
    if (!g->host_newer) FIRN_TRY(go_back(m, error));
    g->looked = single;
    return firn_mpm_cuda_drive(g->cuda, error);
}

firn_result firn_mpm_gpu_take(firn_mpm* m, firn_error* error)
{
    firn_mpm_gpu* g = m->gpu;
    if (g->host_newer) FIRN_TRY(upload(m, error));
    FIRN_TRY(go_back(m, error));
    FIRN_TRY(firn_mpm_cuda_keep(g->cuda, error));
    g->kept = true;
    g->kept_step = m->base.step;
    g->kept_dt_factor = m->dt_factor;
    g->kept_speed = g->speed;
    g->kept_sound = g->sound;
    g->kept_alive = g->alive;
    g->given = 0;
    g->looked = false;
    return FIRN_OK;
}

firn_result firn_mpm_gpu_restore(firn_mpm* m, firn_error* error)
{
    firn_mpm_gpu* g = m->gpu;
    drop_batch(g);
    if (!g->kept) return firn_fail(error, FIRN_BROKEN_INTERNAL, "there is no state to return to");
    FIRN_TRY(firn_mpm_cuda_return(g->cuda, error));
    g->speed = g->kept_speed;
    g->sound = g->kept_sound;
    g->alive = g->kept_alive;
    g->given = 0;
    g->host_newer = g->fetched = false;
    return FIRN_OK;
}

firn_local firn_mpm_gpu_count(const firn_mpm* m)
{
    return m->gpu->host_newer ? m->base.store.count : m->gpu->alive;
}

size_t firn_mpm_gpu_bytes(const firn_mpm* m)
{
    return m->gpu->cuda != NULL ? firn_mpm_cuda_bytes(m->gpu->cuda) : 0;
}

firn_mpm_cuda* firn_mpm_gpu_device(firn_mpm_gpu* gpu)
{
    return gpu->cuda;
}
