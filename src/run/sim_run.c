// SPDX-License-Identifier: MIT
// A whole run: computes and writes all frames, reports progress, can be interrupted.
#include "core/timer.h"
#include "run/run_folder.h"
#include "run/run_writer.h"
#include "sim/entry.h"

typedef struct run {
    firn_sim* sim;
    firn_run_folder folder;
    firn_run_writer* writer;  // null: frames are written in place
    double start;             // [s] wall clock
    double first_time;        // [s] simulated time at the start of this run
} run;

static void report(const run* r, firn_progress progress)
{
    const firn_sim* sim = r->sim;
    if (sim->progress == NULL) return;
    const double end = (double)sim->frame_end / sim->scene.time.fps;
    const double elapsed = firn_seconds() - r->start, done = sim->time - r->first_time;
    progress.seconds_elapsed = elapsed;
    progress.seconds_left = done > 0 ? elapsed * (end - sim->time) / done : -1;
    sim->progress(sim->user, &progress);
}

static void report_step(const run* r)
{
    const firn_sim* sim = r->sim;
    const double fps = sim->scene.time.fps;
    report(r, (firn_progress){.frame = sim->frame + 1,
                              .frame_end = sim->frame_end,
                              .step = sim->step,
                              .time = sim->time,
                              .dt = sim->last.dt,
                              .frame_fraction = (sim->time - (double)sim->frame / fps) * fps,
                              .iterations = sim->last.iterations,
                              .particle_count = firn_sim_count(sim),
                              .culled = sim->culled});
}

// Reports a frame that is on disk, or its failure.
static firn_result end_frame(run* r, const firn_run_frame* frame)
{
    if (frame->result != FIRN_OK) {
        r->sim->error = frame->error;
        return frame->result;
    }
    firn_progress progress = frame->progress;
    progress.preview_path = frame->preview;
    report(r, progress);
    return FIRN_OK;
}

// Reports the frames that other threads have written. `wait`: all that were handed over.
static firn_result collect(run* r, bool wait)
{
    firn_run_frame* frame;
    while (r->writer != NULL && (frame = firn_run_writer_take(r->writer, wait)) != NULL) {
        const firn_result result = end_frame(r, frame);
        firn_run_writer_release(r->writer, frame);
        FIRN_TRY(result);
    }
    return FIRN_OK;
}

static firn_result write_in_place(run* r)
{
    firn_run_frame frame = {0};
    firn_result result = firn_run_frame_take(&r->folder, (firn_run_take){0}, &frame);
    if (result == FIRN_OK) {
        firn_run_frame_write(&frame, firn_sim_remote(r->sim));
        firn_run_folder_publish(&r->folder, (firn_run_frame*[]){&frame}, 1);
        result = end_frame(r, &frame);
    }
    firn_run_frame_destroy(&frame);
    return result;
}

// Room for a copy of the current frame, as soon as there is some. Null: it must be written in
// place.
static firn_result find_room(run* r, firn_run_frame** out_frame)
{
    *out_frame = NULL;
    while (r->writer != NULL && (*out_frame = firn_run_writer_room(r->writer)) == NULL) {
        firn_run_frame* oldest = firn_run_writer_take(r->writer, true);
        if (oldest == NULL) return FIRN_OK;
        const firn_result result = end_frame(r, oldest);
        firn_run_writer_release(r->writer, oldest);
        FIRN_TRY(result);
    }
    return FIRN_OK;
}

static firn_result write_frame(run* r)
{
    firn_run_frame* frame;
    FIRN_TRY(collect(r, false));
    FIRN_TRY(find_room(r, &frame));
    if (frame == NULL) return write_in_place(r);
    const firn_run_take how = {.copies = true, .skips = firn_run_writer_is_saving(r->writer)};
    const firn_result result = firn_run_frame_take(&r->folder, how, frame);
    if (result == FIRN_OK) {
        firn_run_writer_submit(r->writer, frame);
        return FIRN_OK;
    }
    firn_run_writer_decline(r->writer, frame);
    if (result != FIRN_BROKEN_MEMORY) return result;
    FIRN_TRY(collect(r, true));
    return write_in_place(r);
}

// Ends a run that was cancelled after its last complete step.
static firn_result interrupt(run* r)
{
    FIRN_TRY(collect(r, true));
    FIRN_TRY(firn_run_folder_checkpoint(&r->folder));
    return firn_fail(&r->sim->error, FIRN_INTERRUPTED,
                     "interrupted at frame %lld; continue with --resume", (long long)r->sim->frame);
}

static firn_result one_frame(run* r)
{
    firn_sim* sim = r->sim;
    const int64_t goal = sim->frame + 1;
    while (sim->frame < goal) {
        FIRN_TRY(firn_sim_advance(sim));
        if (sim->frame < goal) report_step(r);
        FIRN_TRY(collect(r, false));
        if (atomic_exchange(&sim->cancelled, false)) {
            if (sim->frame == goal) FIRN_TRY(write_frame(r));
            return interrupt(r);
        }
    }
    return write_frame(r);
}

static firn_result run_to_end(run* r)
{
    firn_sim* sim = r->sim;
    if (atomic_exchange(&sim->cancelled, false))  // this call has computed nothing
        return firn_fail(&sim->error, FIRN_INTERRUPTED,
                         "interrupted at frame %lld, before the first step; continue with --resume",
                         (long long)sim->frame);
    r->start = firn_seconds();
    r->first_time = sim->time;
    if (firn_manifest_find(&r->folder.manifest, FIRN_ENTRY_FRAME, sim->frame) == NULL)
        FIRN_TRY(write_frame(r));
    while (sim->frame < sim->frame_end) {
        FIRN_TRY(one_frame(r));
        // by the callback, when the frame was written: no step follows
        if (sim->frame < sim->frame_end && atomic_exchange(&sim->cancelled, false))
            return interrupt(r);
    }
    FIRN_TRY(collect(r, true));
    return firn_run_folder_finish(&r->folder);
}

// What was handed over is written whatever has ended the run. A failure there was first.
static firn_result end_writer(run* r, firn_result result)
{
    if (r->writer == NULL) return result;
    firn_error why = r->sim->error;  // callbacks may read the simulation
    const firn_result written = collect(r, true);
    if (written == FIRN_OK || result == FIRN_OK) {
        r->sim->error = why;
    } else {
        result = written;
    }
    firn_run_writer_destroy(r->writer);
    r->writer = NULL;
    return result;
}

static firn_result run_without_output(run* r)
{
    firn_sim* sim = r->sim;
    r->start = firn_seconds();
    r->first_time = sim->time;
    while (sim->frame < sim->frame_end) {
        FIRN_TRY(firn_sim_frame(sim));
        report(r, firn_run_progress(sim));
    }
    return FIRN_OK;
}

static firn_result run_sim(firn_sim* sim, bool overlapped)
{
    run r = {.sim = sim};
    if (sim->output_dir == NULL) return run_without_output(&r);
    const firn_entry entry = firn_sim_enter(sim);
    sim->keep_rows = true;
    firn_result result = firn_run_folder_open(&r.folder, sim);
    if (result == FIRN_OK && overlapped) r.writer = firn_run_writer_create(&r.folder);
    if (result == FIRN_OK) result = run_to_end(&r);
    result = end_writer(&r, result);
    firn_run_folder_close(&r.folder);
    sim->keep_rows = false;
    firn_leave(entry);
    return result;
}

firn_result firn_sim_run(firn_sim* sim)
{
    if (!firn_sim_begin(sim)) return firn_call_null(__func__);
    return run_sim(sim, false);
}

firn_result firn_sim_run_overlapped(firn_sim* sim)
{
    if (!firn_sim_begin(sim)) return firn_call_null(__func__);
    return run_sim(sim, true);
}
