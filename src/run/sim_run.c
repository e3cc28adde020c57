// SPDX-License-Identifier: MIT
// A whole run: computes and writes all frames, reports progress, can be interrupted.
#include "core/timer.h"
#include "run/run_folder.h"
#include "sim/entry.h"

typedef struct pace {
    double start;       // [s] wall clock
    double first_time;  // [s] simulated time at the start of this run
} pace;

static void report(firn_sim* sim, const pace* p, bool frame_done, const char* preview)
{
    if (sim->progress == NULL) return;
    const double fps = sim->scene.time.fps, end = (double)sim->frame_end / fps;
    const double elapsed = firn_seconds() - p->start, done = sim->time - p->first_time;
    const double frame_time = (double)sim->frame / fps;
    const firn_progress progress = {
        .frame = frame_done ? sim->frame : sim->frame + 1,
        .frame_end = sim->frame_end,
        .step = sim->step,
        .time = sim->time,
        .dt = sim->last.dt,
        .frame_fraction = frame_done ? 1 : (sim->time - frame_time) * fps,
        .iterations = sim->last.iterations,
        .particle_count = firn_sim_count(sim),
        .culled = sim->culled,
        .seconds_elapsed = elapsed,
        .seconds_left = done > 0 ? elapsed * (end - sim->time) / done : -1,
        .frame_done = frame_done,
        .preview_path = preview};
    sim->progress(sim->user, &progress);
}

// Ends a run that was cancelled after its last complete step.
static firn_result interrupt(firn_run_folder* folder)
{
    FIRN_TRY(firn_run_folder_checkpoint(folder));
    return firn_fail(&folder->sim->error, FIRN_INTERRUPTED,
                     "interrupted at frame %lld; continue with --resume",
                     (long long)folder->sim->frame);
}

static firn_result one_frame(firn_run_folder* folder, const pace* p)
{
    firn_sim* sim = folder->sim;
    const int64_t goal = sim->frame + 1;
    while (sim->frame < goal) {
        FIRN_TRY(firn_sim_advance(sim));
        if (sim->frame < goal) report(sim, p, false, NULL);
        if (atomic_exchange(&sim->cancelled, false)) {
            if (sim->frame == goal) FIRN_TRY(firn_run_folder_write_frame(folder));
            return interrupt(folder);
        }
    }
    FIRN_TRY(firn_run_folder_write_frame(folder));
    report(sim, p, true, folder->preview);
    return FIRN_OK;
}

static firn_result run_to_end(firn_run_folder* folder)
{
    firn_sim* sim = folder->sim;
    if (atomic_exchange(&sim->cancelled, false))  // this call has computed nothing
        return firn_fail(&sim->error, FIRN_INTERRUPTED,
                         "interrupted at frame %lld, before the first step; continue with --resume",
                         (long long)sim->frame);
    const pace p = {firn_seconds(), sim->time};
    if (firn_manifest_find(&folder->manifest, FIRN_ENTRY_FRAME, sim->frame) == NULL) {
        FIRN_TRY(firn_run_folder_write_frame(folder));
        report(sim, &p, true, folder->preview);
    }
    while (sim->frame < sim->frame_end) {
        FIRN_TRY(one_frame(folder, &p));
        // by the callback, when the frame was written: no step follows
        if (sim->frame < sim->frame_end && atomic_exchange(&sim->cancelled, false))
            return interrupt(folder);
    }
    return firn_run_folder_finish(folder);
}

static firn_result run_without_output(firn_sim* sim)
{
    const pace p = {firn_seconds(), sim->time};
    while (sim->frame < sim->frame_end) {
        FIRN_TRY(firn_sim_frame(sim));
        report(sim, &p, true, NULL);
    }
    return FIRN_OK;
}

firn_result firn_sim_run(firn_sim* sim)
{
    if (!firn_sim_begin(sim)) return firn_call_null(__func__);
    if (sim->output_dir == NULL) return run_without_output(sim);
    const firn_entry entry = firn_sim_enter(sim);
    sim->keep_rows = true;
    firn_run_folder folder;
    firn_result r = firn_run_folder_open(&folder, sim);
    if (r == FIRN_OK) r = run_to_end(&folder);
    firn_run_folder_close(&folder);
    sim->keep_rows = false;
    firn_leave(entry);
    return r;
}
