// SPDX-License-Identifier: MIT
// Bodies with triangles in pictures: meshes of the scene, animations at a time, and what happens
// where the triangles cannot be had.
#include <unistd.h>

#include "geometry/formula_body.h"
#include "geometry/level_set_ball.h"
#include "render/path/geometry_fixture.h"
#include "scene/data/scene_shapes.h"

// Tolerances: triangles are met to roundings of float (1e-5, 1e-4); where a ball has faces or
// voxels the comments say how far these are off.

static const firn_vec3 eye = {5, 5, 5};

// A ball as a mesh shape: its level set, and the text that says which file it came from.
static firn_local add_mesh_ball(firn_scene_data* scene, const char* keys)
{
    const firn_level_set* set = build_ball(ball, 0.05);
    firn_local shape = -1;
    firn_error error = {0};
    if (firn_scene_add_level_set(scene, set, firn_strdup(keys), &shape, &error) != FIRN_OK)
        fail_msg("%s", error.text);
    firn_level_set_release(set);
    return shape;
}

static void write_ball(const char* path, double scale, int around)
{
    firn_mesh mesh = mesh_ball(mesh_point(ball[0] * scale, ball[1] * scale, ball[2] * scale),
                               ball[3] * scale, around, around / 2);
    write_obj(path, &mesh);
    firn_mesh_destroy(&mesh);
}

// Rays at the ball (moved by `shift`): how far hits are from it, and normals from its radii.
static int aim(const firn_geometry* g, firn_vec3 shift, double* off, double* normal, double* face)
{
    firn_rng r = firn_rng_make(21, 1, 1);
    const firn_vec3 center = firn_v3_add(mesh_point(ball[0], ball[1], ball[2]), shift);
    int hits = 0;
    *off = *normal = *face = 0;
    for (int k = 0; k < 4000; k++) {
        firn_ray ray = random_ray(&r, 3, 0.45);
        ray.origin = firn_v3_add(ray.origin, center);
        const firn_surface_hit hit = firn_geometry_trace(g, ray, FLT_MAX);
        assert_equal(firn_geometry_blocked(g, ray, FLT_MAX), is_hit(hit));
        if (!is_hit(hit)) continue;
        hits++;
        const firn_vec3 out = firn_v3_sub(hit.x, center);
        const firn_vec3 unit = firn_v3_normalize(out, out);
        *off = fmax(*off, fabs((double)firn_v3_length(out) - ball[3]));
        *normal = fmax(*normal, 1 - (double)firn_v3_dot(unit, hit.normal));
        *face = fmax(*face, 1 - (double)firn_v3_dot(unit, hit.face));
        assert_near(firn_v3_length(firn_v3_sub(
                        hit.x, firn_v3_madd(ray.origin, (firn_real)hit.t, ray.direction))),
                    0, 1e-5);
        const firn_ray on = {firn_geometry_leave(&hit), hit.face};
        assert_false(firn_geometry_blocked(g, on, FLT_MAX));
    }
    return hits;
}

static void a_mesh_is_seen_as_its_triangles(void** state)
{
    (void)state;
    write_ball(FIRN_TEST_TMP "/ball.obj", 10, 40);
    firn_scene_data scene;
    firn_scene_data_init(&scene);
    add_collider(&scene, add_mesh_ball(&scene, "mesh: {file: \"" FIRN_TEST_TMP
                                               "/ball.obj\", voxel: 0.05, scale: 0.1, up: y}"));
    scene.colliders[0].motion.velocity = firn_v3(1, 0, 0);
    firn_geometry* g = make_geometry(&scene, 0.5, eye);
    double off, normal, face;
    const int hits = aim(g, firn_v3((firn_real)0.5, 0, 0), &off, &normal, &face);
    // faces of 9 degrees: flat ones lie up to r (1 - cos(4.5 deg)) inside twice over, their normals
    // are off by up to 6 degrees; smoothed by a tenth of that
    assert_greater(hits, 3900);
    assert_greater(off, 1e-3);
    assert_less(off, 4e-3);
    assert_greater(face, 1e-3);
    assert_less(face, 1e-2);
    assert_less(normal, face / 4);
    firn_geometry_destroy(g);
    // the file is gone: the level set stands in
    assert_int_equal(remove(FIRN_TEST_TMP "/ball.obj"), 0);
    g = make_geometry(&scene, 0.5, eye);
    assert_greater(aim(g, firn_v3((firn_real)0.5, 0, 0), &off, &normal, &face), 3900);
    assert_less(off, 2e-3);
    assert_less(normal, 2e-3);  // of voxels of 5 cm
    firn_geometry_destroy(g);
    firn_scene_data_destroy(&scene);
}

// Words, .vdb files and meshes in which holes were closed have no triangles to show.
static void what_is_no_mesh(void** state)
{
    (void)state;
    firn_mesh open = mesh_ball(mesh_point(ball[0], ball[1], ball[2]), ball[3], 12, 6);
    open.triangle_count -= 4;
    write_obj(FIRN_TEST_TMP "/open.obj", &open);
    firn_mesh_destroy(&open);
    static const char* const texts[] = {"level_set: {file: \"/a.vdb\"}", "text: {words: A}",
                                        "mesh: {file: \"" FIRN_TEST_TMP
                                        "/open.obj\", if_broken: mend}"};
    for (int k = 0; k < 3; k++) {
        firn_scene_data scene;
        firn_scene_data_init(&scene);
        add_collider(&scene, add_mesh_ball(&scene, texts[k]));
        firn_mesh mesh;
        assert_int_equal(firn_scene_read_mesh(&scene, 0, &mesh, NULL), FIRN_OK);
        assert_int_equal(mesh.triangle_count, 0);
        firn_geometry* g = make_geometry(&scene, 0, eye);
        double off, normal, face;
        assert_greater(aim(g, firn_v3(0, 0, 0), &off, &normal, &face), 3900);
        assert_less(off, 2e-3);
        firn_geometry_destroy(g);
        firn_scene_data_destroy(&scene);
    }
}

// Two meshes in a union, one of them turned and scaled: a box stays sharp.
static void meshes_inside_a_tree(void** state)
{
    (void)state;
    firn_mesh box = mesh_cuboid(mesh_point(-1, -1, -1), mesh_point(1, 1, 1));
    write_obj(FIRN_TEST_TMP "/box.obj", &box);
    firn_mesh_destroy(&box);
    firn_scene_data scene;
    firn_scene_data_init(&scene);
    const firn_local mesh =
        add_mesh_ball(&scene, "mesh: {file: \"" FIRN_TEST_TMP "/box.obj\", up: z}");
    const firn_quat turn = firn_q_from_euler(firn_v3(0, (firn_real)(PI / 4), 0));
    const firn_local moved = add_node(&scene, (firn_shape_node){.kind = FIRN_SHAPE_TRANSFORM,
                                                                .a = mesh,
                                                                .b = -1,
                                                                .p = {10, 0, 0, (firn_real)0.5},
                                                                .q = turn});
    add_collider(
        &scene,
        add_node(&scene, (firn_shape_node){
                             .kind = FIRN_SHAPE_UNION, .a = mesh, .b = moved, .q = {1, 0, 0, 0}}));
    firn_geometry* g = make_geometry(&scene, 0, eye);
    firn_surface_hit hit = firn_geometry_trace(
        g, (firn_ray){firn_v3((firn_real)0.9, 3, (firn_real)0.9), firn_v3(0, -1, 0)}, FLT_MAX);
    assert_true(is_hit(hit));
    assert_near(hit.t, 2, 1e-5f);
    assert_greater(hit.normal.y, (firn_real)0.99999);
    // the turned one points an edge at x: half a diagonal of 1 m
    hit = firn_geometry_trace(g, (firn_ray){firn_v3(10, 0, (firn_real)0.001), firn_v3(-1, 0, 0)},
                              FLT_MAX);
    assert_true(is_hit(hit));
    assert_near(hit.t, sqrt(0.5) - 0.001, 1e-4);
    assert_near(fabs((double)hit.normal.x), sqrt(0.5), 1e-4);  // from inside, towards us
    firn_geometry_destroy(g);
    firn_scene_data_destroy(&scene);
}

// ---- animations ---------------------------------------------------------------------------------

static firn_result formula_mesh(void* self, int64_t k, firn_mesh* out_mesh, firn_error* error)
{
    const formula_body* f = self;
    if (k == f->bad_key) return firn_fail(error, FIRN_REFUSED_IO, "key %d is gone", (int)k);
    const formula_ball b = formula_at(f, formula_time(f, k));
    const firn_mesh made = mesh_ball(b.center, (double)b.radius, 40, 20);
    if (firn_mesh_copy(&made, out_mesh) != FIRN_OK) fail();
    firn_mesh gone = made;
    firn_mesh_destroy(&gone);
    return FIRN_OK;
}

// The ball of level_set_ball.h goes along x, by triangles or by its level sets.
static void animations_at_a_time(void** state)
{
    (void)state;
    for (int with_mesh = 0; with_mesh < 2; with_mesh++) {
        formula_body f = {.center = mesh_point(ball[0], ball[1], ball[2]),
                          .velocity = firn_v3(2, 0, 0),
                          .radius = (firn_real)ball[3],
                          .interval = 0.25,
                          .key_count = 4,
                          .voxel = (firn_real)0.05,
                          .band = (firn_real)0.3,
                          .bad_key = -1};
        firn_deform_source source = formula_source(&f);
        if (with_mesh == 1) source.mesh = formula_mesh;
        const firn_deforming_def def = formula_def(FORMULA_ENOUGH);
        firn_deforming* body;
        assert_int_equal(firn_deforming_create(&def, source, &body, NULL), FIRN_OK);
        firn_scene_data scene;
        firn_scene_data_init(&scene);
        firn_collider* c = add_collider(&scene, -1);
        c->deforming = body;
        c->motion.velocity = firn_v3(0, 1, 0);
        static const double times[] = {-1, 0.25, 0.35, 0.6, 5};
        for (int k = 0; k < 5; k++) {
            const double t = times[k], played = fmin(fmax(t, 0), 0.75);
            firn_geometry* g = make_geometry(&scene, t, firn_v3(9, 9, 9));
            double off, normal, face;
            const firn_vec3 shift = mesh_point(2 * played, t, 0);
            const int hits = aim(g, shift, &off, &normal, &face);
            if (hits < 3900 || off > (with_mesh == 1 ? 4e-3 : 0.02) ||
                (with_mesh == 1 && normal > 1e-3))
                fail_msg("mesh %d time %g: %d hits, %g m off, normal %g", with_mesh, t, hits, off,
                         normal);
            firn_geometry_destroy(g);
        }
        if (with_mesh == 1) {  // a key that cannot be read is told
            f.bad_key = 3;
            firn_geometry* g;
            firn_error error = {0};
            assert_int_equal(firn_geometry_create(&scene, NULL, 0.7, firn_v3(9, 9, 9),
                                                  firn_v3(0, 0, 0), firn_v3(1, 1, 1), &g, &error),
                             FIRN_REFUSED_IO);
            assert_contains(error.text, "key 3 is gone");
        }
        firn_scene_data_destroy(&scene);
    }
}

static void without_memory(void** state)
{
    (void)state;
    write_ball(FIRN_TEST_TMP "/small.obj", 1, 8);
    firn_scene_data scene;
    firn_scene_data_init(&scene);
    add_collider(&scene, add_mesh_ball(&scene, "mesh: {file: \"" FIRN_TEST_TMP "/small.obj\"}"));
    add_collider(&scene, add_sphere(&scene, 2, 0, 0, 0.5));
    add_collider(&scene, add_plane_shape(&scene, 0, 1, 0))->motion.position = firn_v3(0, -3, 0);
    scene.render.lights[scene.render.light_count++] =
        (firn_lamp){.center = {0, 3, 0}, .edge_u = {1, 0, 0}, .edge_v = {0, 0, 1}};
    const uint64_t before = firn_memory_read().bytes;
    firn_geometry* g = NULL;
    uint64_t k = 1;
    for (;; k++) {
        firn_error error = {0};
        firn_memory_fail_at(k, k % 2 == 0);
        const firn_result result = firn_geometry_create(&scene, NULL, 0, eye, firn_v3(-1, -1, -1),
                                                        firn_v3(1, 1, 1), &g, &error);
        firn_memory_fail_at(0, false);
        if (result == FIRN_OK) break;
        assert_int_equal(result, FIRN_BROKEN_MEMORY);
        assert_not_equal(error.text[0], 0);
        assert_equal(firn_memory_read().bytes, before);
    }
    assert_greater(k, 10);
    firn_geometry_destroy(g);
    assert_equal(firn_memory_read().bytes, before);
    firn_scene_data_destroy(&scene);
}

int test_geometry_mesh(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_mesh_is_seen_as_its_triangles), cmocka_unit_test(what_is_no_mesh),
        cmocka_unit_test(meshes_inside_a_tree), cmocka_unit_test(animations_at_a_time),
        cmocka_unit_test(without_memory)};
    return cmocka_run_group_tests_name("geometry_mesh", tests, NULL, NULL);
}
