// SPDX-License-Identifier: MIT
// Snow of each solver in a world that changes: what the tests of world.h share. The same cases run
// on the CPU and on a device.
#pragma once
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/memory.h"
#include "device/device.h"
#include "sim/sim.h"
// after what defines bool
#include "firn_test.h"

static const char* world_backend = "cpu";

static inline bool world_on_cpu(void)
{
    return strcmp(world_backend, "cpu") == 0;
}

// The solvers that the backend has.
static inline const char* const* world_solvers(int* out_count)
{
    static const char* const all[] = {"mpm", "grains", "sph"};
    *out_count = world_on_cpu() ? 3 : 2;
    return all;
}

// A block of snow, 0.24 m wide, whose lower face is at y = 0, of some 500 to 4000 particles.
// `rest`: more lines of the scene.
static inline firn_scene* world_scene(const char* solver, const char* rest)
{
    char text[4000];
    snprintf(text, sizeof text,
             "firn: 1\nsolver: %s\ntime: {frames: 100, fps: 100}\n"
             "%s"
             "snow:\n  - shape: {box: {center: [0, 0.12, 0], size: [0.24, 0.24, 0.24]}}\n"
             "%s%s",
             solver,
             strcmp(solver, "mpm") == 0   ? "mpm: {cell: 0.04}\n"
             : strcmp(solver, "sph") == 0 ? "sph: {spacing: 0.03}\n"
                                          : "grains: {radius: 0.015, impact_speed: 2}\n",
             strcmp(solver, "mpm") == 0 ? "    particles_per_cell: 8\n" : "", rest);
    firn_scene* scene;
    assert_int_equal(firn_scene_create(&scene), FIRN_OK);
    const firn_load_def load = firn_default_load_def();
    if (firn_scene_load_text(scene, text, "test", &load) != FIRN_OK)
        fail_msg("%s", firn_scene_messages(scene));
    return scene;
}

static inline firn_sim* world_start(const char* solver, const char* rest)
{
    firn_scene* scene = world_scene(solver, rest);
    firn_sim_def def = firn_default_sim_def();
    def.threads = 2;
    def.backend = world_backend;
    firn_sim* sim = NULL;
    firn_error error;
    if (firn_sim_create(scene, &def, &sim, &error) != FIRN_OK) fail_msg("%s", error.text);
    firn_scene_destroy(scene);
    return sim;
}

#define WORLD_MUST(sim, call)                                                  \
    do {                                                                       \
        if ((call) != FIRN_OK) fail_msg("%s: %s", #call, firn_sim_error(sim)); \
    } while (0)

static inline void world_frames(firn_sim* sim, int count)
{
    for (int f = 0; f < count; f++) WORLD_MUST(sim, firn_sim_frame(sim));
}

// The id of collider `index`.
static inline firn_collider_id world_id(const firn_sim* sim, int index)
{
    firn_collider_id id;
    assert_int_equal(firn_sim_body_at(sim, index, &id), FIRN_OK);
    return id;
}

// Mean of a field of vectors, by mass.
static inline void world_mean(const firn_sim* sim, const char* name, double out_mean[3])
{
    firn_field_view v, m;
    assert_int_equal(firn_sim_field(sim, name, &v), FIRN_OK);
    const bool weighs = firn_sim_find_field(sim, "mass", &m) == FIRN_OK;
    double all = 0;
    out_mean[0] = out_mean[1] = out_mean[2] = 0;
    for (firn_local p = 0; p < v.count; p++) {
        const firn_vec3 x = ((const firn_vec3*)v.data)[p];
        const double mass = weighs ? (double)((const firn_real*)m.data)[p] : 1;
        all += mass;
        out_mean[0] += mass * (double)x.x;
        out_mean[1] += mass * (double)x.y;
        out_mean[2] += mass * (double)x.z;
    }
    for (int d = 0; d < 3; d++) out_mean[d] /= all;
}

// A device to run the cases on; skipped: there is none.
static inline bool world_use_device(void)
{
    int number;
    firn_error error = {0};
    if (firn_device_open("cuda", &number, &error) == FIRN_OK) {
        world_backend = "cuda";
        return true;
    }
    print_message("skipped: %s\n", error.text);
    return false;
}
