// SPDX-License-Identifier: MIT
// Whole simulations on the host and on a CUDA device, through the public interface, for tests that
// compare them. Before it, define device_scene (YAML), DEVICE_FRAMES (its number of frames) and
// DEVICE_SIMD (the level of the host that the device is compared with; NULL: the best).
// FIRN_TEST_DEVICE=cpu: the host stands in for the device, so that tests of the device can
// themselves be tried where there is none.
#pragma once
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "device/device.h"
#include "firn/firn.h"
// after what defines bool
#include "figure.h"

static int device_number = FIRN_DEVICE_CPU;  // after device_open

// False: there is no device; said why.
static inline bool device_open(void)
{
    const char* name = getenv("FIRN_TEST_DEVICE");
    firn_error error = {0};
    if (firn_device_open(name != NULL ? name : "cuda", &device_number, &error) != FIRN_OK) {
        print_message("skipped: %s\n", error.text);
        return false;
    }
    return true;
}

// How to run it. Zeroed: the scene of the solver on the host, all frames, no files.
typedef struct device_way {
    const char* scene;  // null: device_scene
    bool on_device;
    const char* override;  // null: none
    const char* also;      // a second one; null: none
    const char* dir;       // null: none
    int64_t frame_end;     // 0: the last
    bool resume;
    int run_ahead;
    firn_progress_fn progress;
    void* user;
} device_way;

static inline firn_result device_try(const device_way* way, firn_sim** out_sim, firn_error* error)
{
    firn_scene* scene;
    assert_int_equal(firn_scene_create(&scene), FIRN_OK);
    firn_load_def load = firn_default_load_def();
    const char* const overrides[2] = {way->override, way->also};
    load.overrides = overrides;
    load.override_count = way->override == NULL ? 0 : way->also == NULL ? 1 : 2;
    if (firn_scene_load_text(scene, way->scene != NULL ? way->scene : device_scene, "test",
                             &load) != FIRN_OK)
        fail_msg("%s", firn_scene_messages(scene));
    firn_sim_def def = firn_default_sim_def();
    def.threads = 1;
    def.simd = way->on_device ? NULL : DEVICE_SIMD;
    def.backend = way->on_device && device_number >= 0 ? "cuda" : "cpu";
    def.deterministic = true;
    def.run_ahead = way->run_ahead;
    def.output_dir = way->dir;
    def.resume = way->resume;
    def.frame_end = way->frame_end > 0 ? way->frame_end : DEVICE_FRAMES;
    def.progress = way->progress;
    def.user = way->user;
    const firn_result r = firn_sim_create(scene, &def, out_sim, error);
    firn_scene_destroy(scene);
    return r;
}

static inline firn_sim* device_sim(const device_way* way)
{
    firn_sim* sim;
    firn_error error;
    if (device_try(way, &sim, &error) != FIRN_OK) fail_msg("%s", error.text);
    return sim;
}

static inline void device_frame(firn_sim* sim)
{
    if (firn_sim_frame(sim) != FIRN_OK) fail_msg("%s", firn_sim_error(sim));
}

// Runs it to its end and gives the hash.
static inline uint64_t device_hash(const device_way* way)
{
    firn_sim* sim = device_sim(way);
    if (firn_sim_run(sim) != FIRN_OK) fail_msg("%s", firn_sim_error(sim));
    const uint64_t hash = firn_sim_hash(sim);
    assert_not_equal(hash, 0);
    firn_sim_destroy(sim);
    return hash;
}
