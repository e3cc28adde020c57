// SPDX-License-Identifier: MIT
// Cases of test_world_colliders.c and test_world_colliders_cuda.c.
#pragma once
#include "world_fixture.h"

static const char far_floor[] =
    "colliders:\n  - shape: {plane: {point: [0, -5, 0], normal: [0, 1, 0]}}\n";
static const char floor_below[] =
    "colliders:\n  - shape: {plane: {point: [0, -0.005, 0], normal: [0, 1, 0]}}\n";

// A store of shapes: a plane at the origin.
static firn_collider_def plane_def(firn_scene* prefabs)
{
    firn_collider_def def = firn_default_collider_def();
    assert_int_equal(firn_scene_plane(prefabs, firn_v3(0, 0, 0), firn_v3(0, 1, 0), &def.shape),
                     FIRN_OK);
    return def;
}

static firn_body_pose pose_at(double x, double y, double z)
{
    return (firn_body_pose){.position = {(firn_real)x, (firn_real)y, (firn_real)z},
                            .rotation = {1, 0, 0, 0},
                            .scale = 1};
}

static firn_scene* make_prefabs(void)
{
    firn_scene* prefabs;
    assert_int_equal(firn_scene_create(&prefabs), FIRN_OK);
    return prefabs;
}

// Added before the first step, it is the scene's: the same bits.
static void as_the_scene(void** state)
{
    (void)state;
    int count;
    const char* const* solvers = world_solvers(&count);
    firn_scene* prefabs = make_prefabs();
    firn_collider_def def = firn_default_collider_def();
    const firn_vec3 point = firn_v3(0, (firn_real)-0.005, 0);
    assert_int_equal(firn_scene_plane(prefabs, point, firn_v3(0, 1, 0), &def.shape), FIRN_OK);
    for (int s = 0; s < count; s++) {
        firn_sim *a = world_start(solvers[s], floor_below), *b = world_start(solvers[s], "");
        firn_collider_id id;
        WORLD_MUST(b, firn_sim_add_collider(b, prefabs, &def, NULL, &id));
        assert_int_equal(id.slot1, 1);
        assert_int_equal(firn_sim_body_count(b), 1);
        world_frames(a, 8);
        world_frames(b, 8);
        assert_equal(firn_sim_hash(a), firn_sim_hash(b));
        firn_body_load la, lb;
        assert_int_equal(firn_sim_body_load(a, world_id(a, 0), NULL, &la), FIRN_OK);
        assert_int_equal(firn_sim_body_load(b, world_id(b, 0), NULL, &lb), FIRN_OK);
        assert_greater(-la.force[1], 0);
        assert_equal(la.force[1], lb.force[1]);
        firn_sim_destroy(a);
        firn_sim_destroy(b);
    }
    firn_scene_destroy(prefabs);
}

// A plane that comes under falling snow changes nothing of it at that moment, catches it and
// carries its weight.
static void catches(void** state)
{
    (void)state;
    int count;
    const char* const* solvers = world_solvers(&count);
    firn_scene* prefabs = make_prefabs();
    const firn_collider_def def = plane_def(prefabs);
    for (int s = 0; s < count; s++) {
        firn_scene* scene = world_scene(solvers[s], far_floor);
        const double mass = firn_scene_snow_mass(scene, 0);
        firn_scene_destroy(scene);
        firn_sim* sim = world_start(solvers[s], far_floor);
        world_frames(sim, 2);
        WORLD_MUST(sim, firn_sim_step(sim));  // within a frame
        const uint64_t before = firn_sim_hash(sim);
        const firn_body_pose pose = pose_at(0.3, -0.01, 0);
        firn_collider_id id;
        WORLD_MUST(sim, firn_sim_add_collider(sim, prefabs, &def, &pose, &id));
        assert_equal(firn_sim_hash(sim), before);
        firn_body_info info;
        assert_int_equal(firn_sim_body(sim, world_id(sim, 1), &info), FIRN_OK);
        assert_near(info.point.y, -0.01, 1e-6);
        assert_int_equal(info.driver, FIRN_BODY_CALLER);
        world_frames(sim, 40);
        double force = 0;
        for (int f = 0; f < 20; f++) {
            firn_body_load load, none;
            world_frames(sim, 1);
            assert_int_equal(firn_sim_body_load(sim, world_id(sim, 1), NULL, &load), FIRN_OK);
            assert_int_equal(firn_sim_body_load(sim, world_id(sim, 0), NULL, &none), FIRN_OK);
            assert_equal(none.force[1], 0);
            force += load.force[1] / 20;
        }
        assert_near(-force / (9.81 * mass), 1, 0.03);
        firn_sim_destroy(sim);
    }
    firn_scene_destroy(prefabs);
}

// Snow whose floor is removed falls freely, and its id is refused from then on.
static void lets_fall(void** state)
{
    (void)state;
    int count;
    const char* const* solvers = world_solvers(&count);
    for (int s = 0; s < count; s++) {
        firn_sim* sim = world_start(
            solvers[s], "colliders:\n  - shape: {plane: {point: [0, 0, 0], normal: [0, 1, 0]}}\n"
                        "    friction: 0.2\n");
        world_frames(sim, 10);
        double v0[3], v[3];
        world_mean(sim, "velocity", v0);
        const uint64_t before = firn_sim_hash(sim);
        const firn_collider_id id = world_id(sim, 0);
        const firn_vec3 aside = firn_v3(9, 1, 0), down = firn_v3(0, -1, 0);
        firn_ray_hit hit;
        WORLD_MUST(sim, firn_sim_ray(sim, aside, down, 5, &hit));
        assert_int_equal(hit.kind, FIRN_HIT_COLLIDER);
        WORLD_MUST(sim, firn_sim_remove_collider(sim, id));
        assert_equal(firn_sim_hash(sim), before);
        WORLD_MUST(sim, firn_sim_ray(sim, aside, down, 5, &hit));
        assert_int_equal(hit.kind, FIRN_HIT_NONE);
        const double t0 = firn_sim_read(sim).time;
        world_frames(sim, 20);
        world_mean(sim, "velocity", v);
        const double t = firn_sim_read(sim).time - t0;
        // rounding of some hundred steps, whose forces are those of snow that expands
        assert_near(v[1], v0[1] - 9.81 * t, 1e-5 * 9.81 * t);
        firn_body_info info;
        assert_int_equal(firn_sim_body(sim, world_id(sim, 0), &info), FIRN_OK);
        assert_true(info.removed && info.hidden);
        const firn_body_pose pose = pose_at(0, 0, 0);
        firn_body_load load;
        assert_int_equal(firn_sim_body_move(sim, world_id(sim, 0), &pose), FIRN_REFUSED_ARGUMENT);
        assert_contains(firn_sim_error(sim), "collider 0 was removed");
        assert_int_equal(firn_sim_body_release(sim, world_id(sim, 0)), FIRN_REFUSED_ARGUMENT);
        assert_int_equal(firn_sim_body_load(sim, world_id(sim, 0), &load, NULL),
                         FIRN_REFUSED_ARGUMENT);
        assert_contains(firn_sim_error(sim), "collider 0 was removed");
        assert_int_equal(firn_sim_remove_collider(sim, id), FIRN_REFUSED_ARGUMENT);
        assert_contains(firn_sim_error(sim), "collider 0 was removed");
        firn_body_mesh mesh;
        firn_error error_text;
        assert_int_equal(firn_sim_body_mesh(sim, world_id(sim, 0), &mesh, &error_text),
                         FIRN_REFUSED_ARGUMENT);
        firn_sim_destroy(sim);
    }
}
