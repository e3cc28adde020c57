// SPDX-License-Identifier: MIT
// Cases of test_world_state.c and test_world_state_cuda.c.
#pragma once
#include <stdlib.h>

#include "firn/edit.h"
#include "world_fixture.h"

typedef struct saved {
    void* block;
    size_t size;
    uint64_t hash;
} saved;

static saved save(firn_sim* sim)
{
    saved s = {.hash = firn_sim_hash(sim)};
    WORLD_MUST(sim, firn_sim_save(sim, NULL, 0, &s.size));
    s.block = malloc(s.size);
    assert_non_null(s.block);
    WORLD_MUST(sim, firn_sim_save(sim, s.block, s.size, &s.size));
    return s;
}

static void back_to(firn_sim* sim, const saved* s)
{
    WORLD_MUST(sim, firn_sim_restore(sim, s->block, s->size));
    assert_equal(firn_sim_hash(sim), s->hash);
}

static firn_scene* plane_prefab(firn_collider_def* def)
{
    firn_scene* prefabs;
    assert_int_equal(firn_scene_create(&prefabs), FIRN_OK);
    *def = firn_default_collider_def();
    const firn_vec3 point = firn_v3(0, (firn_real)-0.01, 0);
    assert_int_equal(firn_scene_plane(prefabs, point, firn_v3(0, 1, 0), &def->shape), FIRN_OK);
    return prefabs;
}

// States from before and after a plane came: each continues as it did the first time.
static void before_and_after(void** state)
{
    (void)state;
    int count;
    const char* const* solvers = world_solvers(&count);
    firn_collider_def def;
    firn_scene* prefabs = plane_prefab(&def);
    for (int s = 0; s < count; s++) {
        firn_sim *sim = world_start(solvers[s], ""), *free_fall = world_start(solvers[s], "");
        world_frames(sim, 2);
        saved before = save(sim);
        firn_collider_id id;
        WORLD_MUST(sim, firn_sim_add_collider(sim, prefabs, &def, NULL, &id));
        world_frames(sim, 5);
        saved after = save(sim);
        world_frames(sim, 2);
        const uint64_t later = firn_sim_hash(sim);

        WORLD_MUST(sim, firn_sim_restore(sim, before.block, before.size));
        assert_int_equal(firn_sim_body_release(sim, id), FIRN_REFUSED_ARGUMENT);
        assert_contains(firn_sim_error(sim), "collider 0 was removed");
        world_frames(sim, 4);
        world_frames(free_fall, 6);
        double x[3], y[3];
        world_mean(sim, "position", x);
        world_mean(free_fall, "position", y);
        assert_true(x[1] == y[1]);  // the hashes differ by the fields that friction needs

        back_to(sim, &after);
        WORLD_MUST(sim, firn_sim_body_release(sim, id));
        world_frames(sim, 2);
        assert_equal(firn_sim_hash(sim), later);
        assert_int_equal(firn_sim_restore(free_fall, after.block, after.size), FIRN_REFUSED_SCENE);
        assert_contains(firn_sim_error(free_fall), "add those that are missing");
        free(before.block);
        free(after.block);
        firn_sim_destroy(sim);
        firn_sim_destroy(free_fall);
    }
    firn_scene_destroy(prefabs);
}

// A removed floor is there again.
static void brings_back(void** state)
{
    (void)state;
    int count;
    const char* const* solvers = world_solvers(&count);
    for (int s = 0; s < count; s++) {
        firn_sim* sim = world_start(
            solvers[s],
            "colliders:\n  - shape: {plane: {point: [0, -0.001, 0], normal: [0, 1, 0]}}\n");
        world_frames(sim, 4);
        saved with = save(sim);
        world_frames(sim, 3);
        const uint64_t later = firn_sim_hash(sim);
        const firn_collider_id id = world_id(sim, 0);
        WORLD_MUST(sim, firn_sim_remove_collider(sim, id));
        world_frames(sim, 3);
        saved without = save(sim);
        back_to(sim, &with);
        world_frames(sim, 3);
        assert_equal(firn_sim_hash(sim), later);
        back_to(sim, &without);
        assert_int_equal(firn_sim_remove_collider(sim, id), FIRN_REFUSED_ARGUMENT);
        free(with.block);
        free(without.block);
        firn_sim_destroy(sim);
    }
}
