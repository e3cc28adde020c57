// SPDX-License-Identifier: MIT
// Whole simulations of sph on the host and on a CUDA device, through the public interface.
// FIRN_TEST_DEVICE=cpu: the host stands in for the device, so that tests of the device can
// themselves be tried where there is none.
#pragma once
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/simd/simd.h"
#include "device/device.h"
#include "firn/firn.h"
// after what defines bool
#include "figure.h"

static int device_number = FIRN_DEVICE_CPU;  // after device_open

// False: there is no device, or the host has no fused multiply-add; said why.
static inline bool device_open(void)
{
    const char* name = getenv("FIRN_TEST_DEVICE");
    firn_error error = {0};
    if (!firn_simd_has(3)) {
        print_message("skipped: the CPU has no fused multiply-add, and rounds otherwise\n");
        return false;
    }
    if (firn_device_open(name != NULL ? name : "cuda", &device_number, &error) != FIRN_OK) {
        print_message("skipped: %s\n", error.text);
        return false;
    }
    return true;
}

// A ball falls on a slab in a corner, and a box ploughs through it: contact with one collider and
// with several, on resting and moving ones; packed, torn and loose snow.
static const char device_scene[] =
    "firn: 1\n"
    "solver: sph\n"
    "time: {frames: 4, fps: 50}\n"
    "sph: {spacing: 0.05}\n"
    "materials:\n"
    "  fresh: {density: 300}\n"
    "  icy: {density: 600, young: 1e6}\n"
    "snow:\n"
    "  - shape: {box: {center: [0, 0.21, 0], size: [1.2, 0.4, 1]}}\n"
    "    material: fresh\n"
    "  - shape: {sphere: {center: [-0.2, 0.75, 0.1], radius: 0.25}}\n"
    "    material: icy\n"
    "    velocity: [0.5, -3, 0.2]\n"
    "colliders:\n"
    "  - shape: {plane: {}}\n"
    "    friction: 0.5\n"
    "  - shape: {box: {center: [-1, 0.3, 0], size: [0.8, 0.5, 1.4], rounding: 0.05}}\n"
    "    velocity: [2, 0, 0]\n"
    "    spin: [0, 1, 0]\n"
    "    adhesion: 5\n"
    "  - shape: {difference: [{box: {center: [0.5, 0.1, 0.3], size: [0.5, 0.2, 0.5]}}, "
    "{sphere: {center: [0.5, 0.2, 0.3], radius: 0.15}}]}\n"
    "    sticky: true\n"
    "output: {preview: false, film: false}\n";

// How to run it. Zeroed: on the host, four frames, no files.
typedef struct device_way {
    bool on_device;
    const char* override;  // null: none
    const char* dir;       // null: none
    int64_t frame_end;     // 0: the last
    bool resume;
    int run_ahead;
} device_way;

static inline firn_result device_try(const device_way* way, firn_sim** out_sim, firn_error* error)
{
    firn_scene* scene;
    assert_int_equal(firn_scene_create(&scene), FIRN_OK);
    firn_load_def load = firn_default_load_def();
    load.overrides = &way->override;
    load.override_count = way->override != NULL ? 1 : 0;
    if (firn_scene_load_text(scene, device_scene, "test", &load) != FIRN_OK)
        fail_msg("%s", firn_scene_messages(scene));
    firn_sim_def def = firn_default_sim_def();
    def.threads = 1;
    def.backend = way->on_device && device_number >= 0 ? "cuda" : "cpu";
    def.deterministic = true;
    def.run_ahead = way->run_ahead;
    def.output_dir = way->dir;
    def.resume = way->resume;
    def.frame_end = way->frame_end > 0 ? way->frame_end : 4;
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
