// SPDX-License-Identifier: MIT
// Step 3: callbacks for log and progress, cancelling, a cache on disk, resuming, reading it back.
#include <inttypes.h>
#include <stdio.h>

#include "firn/firn.h"

static const char* const yaml = "firn: 1\n"
                                "solver: mpm\n"
                                "time: {frames: 6, fps: 24}\n"
                                "mpm: {cell: 0.03}\n"
                                "materials: {packed: {preset: snow}}\n"
                                "snow:\n"
                                "  - shape: {sphere: {center: [0, 0.3, 0], radius: 0.08}}\n"
                                "    material: packed\n"
                                "colliders:\n"
                                "  - shape: {plane: {point: [0, 0, 0], normal: [0, 1, 0]}}\n"
                                "output: {preview: false, film: false}\n";

typedef struct watcher {
    firn_sim* sim;         // to cancel
    int64_t cancel_frame;  // stop here; < 0: never
} watcher;

static void on_log(void* user, firn_log_level level, const char* id, const char* text)
{
    (void)user;
    if (level >= FIRN_LOG_WARNING) printf("  log [%s] %s\n", id, text);
}

static void on_progress(void* user, const firn_progress* progress)
{
    const watcher* w = user;
    if (!progress->frame_done) return;  // called after every step; this program reports frames
    printf("  frame %d of %d is on disk, step %d\n", (int)progress->frame, (int)progress->frame_end,
           (int)progress->step);
    // Also allowed from another thread or a signal handler: the run stops after its step.
    if (progress->frame == w->cancel_frame) firn_sim_cancel(w->sim);
}

// Runs into `dir`; `resume` continues from the newest checkpoint there.
static firn_result run(const firn_scene* scene, const char* dir, bool resume, int64_t cancel_frame)
{
    watcher w = {.cancel_frame = cancel_frame};
    firn_sim_def def = firn_default_sim_def();
    def.output_dir = dir;
    def.resume = resume;
    def.overwrite = !resume;
    def.log = on_log;
    def.progress = on_progress;
    def.user = &w;
    firn_result result = firn_sim_create(scene, &def, &w.sim, NULL);
    if (result == FIRN_OK) result = firn_sim_run(w.sim);
    if (result != FIRN_OK && result != FIRN_INTERRUPTED) fprintf(stderr, "%s\n", firn_last_error());
    firn_sim_destroy(w.sim);
    return result;
}

int main(void)
{
    static const char dir[] = "step3-run";
    firn_scene* scene = NULL;
    if (firn_scene_create(&scene) != FIRN_OK) return 1;
    if (firn_scene_load_text(scene, yaml, "step3", NULL) != FIRN_OK) {
        fputs(firn_scene_messages(scene), stderr);
        firn_scene_destroy(scene);
        return 1;
    }
    puts("A run that is cancelled after frame 3:");
    firn_result result = run(scene, dir, false, 3);
    if (result == FIRN_INTERRUPTED) {
        puts("The same run, resumed:");
        result = run(scene, dir, true, -1);
    }
    firn_scene_destroy(scene);

    firn_cache_info cache;
    if (result == FIRN_OK) result = firn_cache_read(dir, true, &cache, NULL);
    if (result != FIRN_OK) {
        fprintf(stderr, "failed: %s\n", firn_last_error());
        return 1;
    }
    printf("'%s' holds %d frames of %d particles, %s, state hash %016" PRIx64 "\n", dir,
           (int)cache.frame_count, (int)cache.particles, cache.complete ? "complete" : "incomplete",
           cache.state_hash);
    return !(cache.complete && cache.damaged == 0);
}
