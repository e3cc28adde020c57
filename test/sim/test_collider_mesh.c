// SPDX-License-Identifier: MIT
// Colliders as triangles: through the public interface, of a simulation and of a replay.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "collider_at.h"
#include "core/memory.h"
#include "firn/firn.h"
#include "firn_test.h"
#include "geometry/closed_mesh.h"
#include "mesh/mesh.h"

#define DIR FIRN_TEST_TMP "/run"
#define PI 3.14159265358979323846

static const char scene_text[] =
    "firn: 1\n"
    "solver: ballistic\n"
    "time: {frames: 1, fps: 10}\n"
    "ballistic: {spacing: 0.05}\n"
    "snow:\n"
    "  - shape: {sphere: {center: [0, 5, 0], radius: 0.1}}\n"
    "colliders:\n"
    "  - shape: {plane: {point: [0, 0, 0], normal: [0, 1, 0]}}\n"
    "  - shape: {box: {center: [0.5, 0, 0], size: [1, 2, 3]}}\n"
    "    position: [7, 7, 7]\n"
    "  - shape: {cylinder: {a: [0, 0, 0], b: [0, 2, 0], radius: 0.5}}\n"
    "  - shape: {box: {center: [0, 0, 0], size: [1, 1, 1], rounding: 0.1}}\n"
    "  - shape:\n"
    "      union:\n"
    "        of:\n"
    "          - {plane: {point: [0, 0, 0], normal: [0, 1, 0]}}\n"
    "          - transform:\n"
    "              move: [0, 3, 0]\n"
    "              scale: 2\n"
    "              shape: {sphere: {center: [1, 0, 0], radius: 0.5}}\n"
    "  - shape:\n"
    "      difference:\n"
    "        - {sphere: {center: [0, 0, 0], radius: 1}}\n"
    "        - {box: {center: [1, 1, 1], size: [2, 2, 2]}}\n"
    "  - shape: {mesh: {file: cube.obj, voxel: 0.1}}\n"
    "output: {preview: false, film: false}\n";
enum { PLANE, BOX, CYLINDER, ROUNDED, UNION, CUT, MESH, BODIES };

static const char cube_text[] =
    "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1 0\nv 0 0 1\nv 1 0 1\nv 0 1 1\nv 1 1 1\n"
    "f 1 3 4 2\nf 5 6 8 7\nf 1 2 6 5\nf 3 7 8 4\nf 1 5 7 3\nf 2 4 8 6\n";

static firn_sim* sim;

static void put(const char* path, const char* text)
{
    FILE* file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(text, 1, strlen(text), file), strlen(text));
    assert_int_equal(fclose(file), 0);
}

static int make_sim(void** state)
{
    (void)state;
    put(FIRN_TEST_TMP "/cube.obj", cube_text);
    put(FIRN_TEST_TMP "/scene.yaml", scene_text);
    firn_scene* scene = NULL;
    firn_sim_def def = firn_default_sim_def();
    def.threads = 1;
    def.output_dir = DIR;
    firn_error error = {0};
    assert_int_equal(firn_scene_create(&scene), FIRN_OK);
    if (firn_scene_load(scene, FIRN_TEST_TMP "/scene.yaml", NULL) != FIRN_OK)
        puts(firn_scene_messages(scene));
    const bool good =
        firn_sim_create(scene, &def, &sim, &error) == FIRN_OK && firn_sim_run(sim) == FIRN_OK;
    if (error.code != FIRN_OK) puts(error.text);
    firn_scene_destroy(scene);
    return good ? 0 : 1;
}

static int drop_sim(void** state)
{
    (void)state;
    firn_sim_destroy(sim);
    return 0;
}

static firn_body_mesh mesh_of(int body)
{
    firn_body_mesh mesh;
    firn_error error = {0};
    if (firn_sim_body_mesh(sim, collider_at(sim, body), &mesh, &error) != FIRN_OK)
        fail_msg("%s", error.text);
    return mesh;
}

// The same triangles as the library has them inside; borrowed.
static firn_mesh as_mesh(const firn_body_mesh* m)
{
    return (firn_mesh){.vertices = m->vertices,
                       .vertex_count = (firn_local)m->vertex_count,
                       .triangles = (int32_t(*)[3])m->triangles,
                       .triangle_count = (firn_local)m->triangle_count};
}

// Vertices and normals are floats of about 1: some roundings of 1e-7, relative for volumes.
#define FLOATS 1e-5

// Closed, of this volume, with unit normals (1e-4 is enough for shading) within 45 degrees of the
// outward normals of their triangles. `tolerance`: for curved sides what inscribed facets leave
// out.
static void check_mesh(const firn_body_mesh* m, double volume, double tolerance)
{
    const firn_mesh mesh = as_mesh(m);
    assert_int_equal(closed_mesh_open_sides(&mesh), 0);
    const double found = firn_mesh_volume(&mesh);
    if (!(fabs(found / volume - 1) < tolerance)) fail_msg("%g m^3 instead of %g", found, volume);
    for (int64_t t = 0; t < m->triangle_count; t++) {
        const int32_t* c = m->triangles + 3 * t;
        for (int k = 0; k < 3; k++) {
            assert_at_least(c[k], 0);
            assert_less(c[k], m->vertex_count);
        }
        const firn_vec3 a = m->vertices[c[0]];
        const firn_vec3 face =
            firn_v3_cross(firn_v3_sub(m->vertices[c[1]], a), firn_v3_sub(m->vertices[c[2]], a));
        const double area = (double)firn_v3_length(face);
        for (int k = 0; k < 3; k++) {
            const firn_vec3 n = m->normals[c[k]];
            assert_near(firn_v3_length(n), 1, 1e-4);
            // the normal of a sliver is only rounding
            if (area > 1e-5) assert_greater(firn_v3_dot(n, face), 0.7 * area);
        }
    }
}

static void sharp_boxes(void** state)
{
    (void)state;
    firn_body_mesh m = mesh_of(BOX);
    check_mesh(&m, 6, FLOATS);
    assert_int_equal(m.triangle_count, 12);
    assert_int_equal(m.vertex_count, 24);  // each corner with three normals
    // in its own coordinates, wherever the collider is
    const firn_mesh mesh = as_mesh(&m);
    const firn_box3 box = firn_mesh_bounds(&mesh);
    assert_equal(box.low.x, 0);
    assert_equal(box.high.x, 1);
    assert_equal(box.low.y, -1);
    assert_equal(box.high.z, (firn_real)1.5);
    firn_body_mesh_free(&m);
    assert_null(m.vertices);
    firn_body_mesh_free(NULL);
}

// Normals of a cylinder are along its axis or across it, none between.
static void edges_of_cylinders(void** state)
{
    (void)state;
    firn_body_mesh m = mesh_of(CYLINDER);
    check_mesh(&m, PI * 0.25 * 2, 0.002);
    for (int64_t v = 0; v < m.vertex_count; v++) {
        const double up = fabs((double)m.normals[v].y);
        assert_true(up < FLOATS || up > 1 - FLOATS);
    }
    firn_body_mesh_free(&m);
}

// A flat side beside a rounded edge is lit flat: the vertices that both share have its normal.
static void flat_sides_stay_flat(void** state)
{
    (void)state;
    firn_body_mesh m = mesh_of(ROUNDED);
    const double a = 0.8, r = 0.1;
    check_mesh(&m, a * a * a + 6 * r * a * a + 3 * PI * r * r * a + 4 * PI / 3 * r * r * r, 0.001);
    int on_top = 0;
    for (int64_t v = 0; v < m.vertex_count; v++) {
        if (!(m.vertices[v].y > (firn_real)0.499999)) continue;
        on_top++;
        assert_greater(m.normals[v].y, (firn_real)0.9999);  // within 0.8 degrees of y
    }
    assert_at_least(on_top, 4);
    firn_body_mesh_free(&m);
}

// The plane of a union has no triangles, the ball has, where the transform puts it.
static void unions_and_planes(void** state)
{
    (void)state;
    firn_body_mesh m = mesh_of(PLANE);
    assert_int_equal(m.triangle_count, 0);
    firn_body_mesh_free(&m);
    m = mesh_of(UNION);
    check_mesh(&m, 4 * PI / 3, 0.003);
    for (int64_t v = 0; v < m.vertex_count; v++) {
        const firn_vec3 arm = firn_v3_sub(m.vertices[v], firn_v3(2, 3, 0));
        assert_near(firn_v3_length(arm), 1, FLOATS);
        assert_greater(firn_v3_dot(arm, m.normals[v]),
                       (firn_real)0.99999);  // 0.3 degrees: the ball's, not a facet's
    }
    firn_body_mesh_free(&m);
}

static void other_shapes_are_contoured(void** state)
{
    (void)state;
    firn_body_mesh m = mesh_of(CUT);
    check_mesh(&m, 4 * PI / 3 * 7 / 8, 0.003);
    // "about a hundredth of the body's size"
    assert_greater(m.triangle_count, 20000);
    assert_less(m.triangle_count, 200000);
    firn_body_mesh_free(&m);
}

static void files_keep_their_triangles(void** state)
{
    (void)state;
    firn_body_mesh m = mesh_of(MESH);
    check_mesh(&m, 1, FLOATS);
    assert_int_equal(m.triangle_count, 12);
    firn_body_mesh_free(&m);
    // the file is gone: the level set is there
    assert_int_equal(rename(FIRN_TEST_TMP "/cube.obj", FIRN_TEST_TMP "/kept"), 0);
    m = mesh_of(MESH);
    check_mesh(&m, 1, 0.02);
    assert_greater(m.triangle_count, 1000);
    firn_body_mesh_free(&m);
    assert_int_equal(rename(FIRN_TEST_TMP "/kept", FIRN_TEST_TMP "/cube.obj"), 0);
}

static void replays_have_them_too(void** state)
{
    (void)state;
    firn_replay* replay = NULL;
    firn_error error = {0};
    if (firn_replay_open(DIR, &replay, &error) != FIRN_OK) fail_msg("%s", error.text);
    for (int b = 0; b < BODIES; b++) {
        firn_body_mesh a = mesh_of(b), c;
        assert_int_equal(firn_replay_body_mesh(replay, replay_collider_at(replay, b), &c, &error),
                         FIRN_OK);
        assert_int_equal(a.vertex_count, c.vertex_count);
        assert_int_equal(a.triangle_count, c.triangle_count);
        if (a.triangle_count > 0) {
            assert_memory_equal(a.vertices, c.vertices,
                                (size_t)a.vertex_count * sizeof *a.vertices);
            assert_memory_equal(a.triangles, c.triangles,
                                (size_t)a.triangle_count * 3 * sizeof *a.triangles);
        }
        firn_body_mesh_free(&a);
        firn_body_mesh_free(&c);
    }
    firn_body_mesh none;
    assert_int_equal(
        firn_replay_body_mesh(replay, replay_collider_at(replay, BODIES), &none, &error),
        FIRN_REFUSED_ARGUMENT);
    assert_contains(error.text, "there is no collider");
    assert_int_equal(firn_sim_body_mesh(sim, collider_at(sim, -1), &none, &error),
                     FIRN_REFUSED_ARGUMENT);
    firn_replay_close(replay);
}

static void memory_runs_out(void** state)
{
    (void)state;
    static const int bodies[] = {ROUNDED, CUT, BODIES - 1};
    const uint64_t in_use = firn_memory_read().bytes;
    for (int b = 0; b < 3; b++) {
        int failed = 0;
        for (uint64_t k = 1; k < 30; k += 2) {
            firn_body_mesh m = {0};
            firn_error error = {0};
            firn_memory_fail_at(k, true);
            const firn_result r = firn_sim_body_mesh(sim, collider_at(sim, bodies[b]), &m, &error);
            firn_memory_fail_at(0, false);
            assert_either(r, FIRN_OK, FIRN_BROKEN_MEMORY);
            failed += r != FIRN_OK;
            firn_body_mesh_free(&m);
            assert_int_equal(firn_memory_read().bytes, in_use);
        }
        assert_at_least(failed, 3);
    }
}

int test_collider_mesh(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sharp_boxes),
        cmocka_unit_test(edges_of_cylinders),
        cmocka_unit_test(flat_sides_stay_flat),
        cmocka_unit_test(unions_and_planes),
        cmocka_unit_test(other_shapes_are_contoured),
        cmocka_unit_test(files_keep_their_triangles),
        cmocka_unit_test(replays_have_them_too),
        cmocka_unit_test(memory_runs_out),
    };
    return cmocka_run_group_tests(tests, make_sim, drop_sim);
}
