// SPDX-License-Identifier: MIT
// Cases of test_world_emitters.c and test_world_emitters_cuda.c.
#pragma once
#include "world_fixture.h"

static const char emitters[] =
    "emitters:\n  - shape: {box: {center: [0, 3, 0], size: [1, 0.2, 1]}}\n"
    "    rate: 1005\n    seed: 7\n    start: 0.05\n    stop: 0.15\n";

static firn_emitter_def flakes_def(firn_scene* prefabs)
{
    firn_emitter_def def = firn_default_emitter_def();
    const firn_vec3 middle = firn_v3(0, 3, 0), size = firn_v3(1, (firn_real)0.2, 1);
    assert_int_equal(firn_scene_box(prefabs, middle, size, 0, &def.shape), FIRN_OK);
    def.rate = 1005;
    def.seed = 7;
    return def;
}

// From 0.05 to 0.15 s at 1005 flakes per second: 100, those of the scene's emitter, bit for bit.
static void as_the_scene_of(const char* solver)
{
    firn_scene* prefabs;
    assert_int_equal(firn_scene_create(&prefabs), FIRN_OK);
    const firn_emitter_def def = flakes_def(prefabs);
    firn_sim *a = world_start(solver, emitters), *b = world_start(solver, "");
    const int64_t block = firn_sim_read(b).particle_count;
    world_frames(a, 5);
    world_frames(b, 5);
    firn_emitter_id id;
    WORLD_MUST(b, firn_sim_add_emitter(b, prefabs, &def, &id));
    firn_scene_destroy(prefabs);
    assert_int_equal(id.slot1, 1);
    assert_equal(firn_sim_hash(a), firn_sim_hash(b));
    world_frames(b, 10);
    WORLD_MUST(b, firn_sim_remove_emitter(b, id));
    world_frames(b, 5);
    world_frames(a, 15);
    assert_equal(firn_sim_read(b).particle_count, block + 100);
    assert_equal(firn_sim_hash(a), firn_sim_hash(b));
    assert_int_equal(firn_sim_remove_emitter(b, id), FIRN_REFUSED_ARGUMENT);
    assert_contains(firn_sim_error(b), "emitter 0 was removed");
    firn_sim_destroy(a);
    firn_sim_destroy(b);
}

static void as_the_scene(void** state)
{
    (void)state;
    as_the_scene_of("sph");
    as_the_scene_of("mpm");
}
