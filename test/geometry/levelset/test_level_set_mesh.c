// SPDX-License-Identifier: MIT
// Meshes as level sets: distances, volumes, broken meshes refused and repaired, hollows, threads.
#include "geometry/levelset/level_set_mesh.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "geometry/gallery.h"
#include "geometry/levelset/level_set_cache.h"
#include "geometry/levelset/level_set_sample.h"
#include "geometry/mesh_solids.h"
#include "team_use.h"

// Tolerances: flat faces are met to roundings of float (1e-5); where faces bend, and far inside, to
// a fraction of the voxel of 2 to 5 cm; volumes to the chords of a ball of 50 voxels across (1 %)
// or, against the mesh itself, to 0.2 to 0.5 %.

static const firn_level_set* convert(const firn_mesh* mesh, double voxel, firn_broken_mesh broken,
                                     firn_mesh_report* report)
{
    const firn_level_set* set = NULL;
    firn_error error = {0};
    const firn_mesh_level_set_args args = {(firn_real)voxel, broken, false};
    if (firn_level_set_from_mesh(mesh, &args, &set, report, &error) != FIRN_OK)
        fail_msg("%s", error.text);
    return set;
}

static double distance_at(const firn_level_set* set, double x, double y, double z)
{
    return (double)firn_level_set_distance(set, mesh_point(x, y, z));
}

static void a_cube(void** state)
{
    (void)state;
    // corners off the nodes, so that no voxel is favoured
    const double low = -0.503, high = 0.511;
    firn_mesh mesh = mesh_cuboid(mesh_point(low, low, low), mesh_point(high, high, high));
    firn_mesh_report report;
    const firn_level_set* set = convert(&mesh, 0.02, FIRN_BROKEN_MESH_REFUSE, &report);
    const double side = high - low;
    assert_near(report.volume, side * side * side, 1e-6);
    assert_near(firn_level_set_volume(set) / (side * side * side), 1, 2e-3);
    // exact at nodes, linear between: over a face and deep inside
    assert_near(distance_at(set, 0.1, 0.2, high + 0.03), 0.03, 1e-5);
    assert_near(distance_at(set, 0.13, -0.24, 0.3), 0.3 - high, 1e-5);
    assert_near(distance_at(set, 0, 0, 0), -0.503, 0.02);
    any_source r = any_start(21);
    double worst = 0;
    for (int k = 0; k < 20000; k++) {
        double x[3], d[3], out = 0, in = -INFINITY;
        for (int i = 0; i < 3; i++) {
            x[i] = any_between(&r, -0.55, 0.55);
            d[i] = fmax(low - x[i], x[i] - high);
            in = fmax(in, d[i]);
            out += d[i] > 0 ? d[i] * d[i] : 0;
        }
        const double exact = in > 0 ? sqrt(out) : in;
        worst = fmax(worst, fabs(distance_at(set, x[0], x[1], x[2]) - exact));
    }
    print_message("cube: largest error %g voxels\n", worst / 0.02);
    assert_less(worst, 0.5 * 0.02);  // at edges and where faces meet inside, phi has a ridge
    firn_level_set_release(set);
    firn_mesh_destroy(&mesh);
}

static void a_ball(void** state)
{
    (void)state;
    firn_mesh mesh = mesh_ball(mesh_point(.1, .2, .3), 0.5, 96, 48);
    const firn_level_set* set = convert(&mesh, 0.02, FIRN_BROKEN_MESH_REFUSE, NULL);
    assert_near(firn_level_set_volume(set) / (4 * PI / 3 * .125), 1, 0.01);
    assert_near(firn_level_set_volume(set) / firn_mesh_volume(&mesh), 1, 0.002);
    assert_near(distance_at(set, .1, .2, .3), -0.5, 0.02);
    any_source r = any_start(22);
    for (int k = 0; k < 20000; k++) {
        const firn_vec3 x = any_vec3(&r, 1.2);
        const double d = gallery_length(x.x - .1, x.y - .2, x.z - .3) - 0.5;
        const firn_phi phi = firn_level_set_sample(set, x);
        if (d < 0.05 && d > -0.45) assert_near(phi.distance, d, 0.002);
        assert_true(phi.distance <= d + 0.002 || d < -0.4);
        if (fabs(d) > 0.03 || d < -0.45) continue;
        const firn_vec3 n =
            firn_v3_scale(firn_v3_sub(x, mesh_point(.1, .2, .3)), (firn_real)(1 / (d + 0.5)));
        assert_greater(firn_v3_dot(n, phi.normal), 0.999);
    }
    // inside out it is the same body
    mesh_turn_all(&mesh);
    firn_mesh_report report;
    const firn_level_set* turned = convert(&mesh, 0.02, FIRN_BROKEN_MESH_REFUSE, &report);
    assert_true(report.inside_out);
    assert_near(firn_level_set_volume(turned) / firn_level_set_volume(set), 1, 1e-6);
    firn_level_set_release(turned);
    firn_level_set_release(set);
    firn_mesh_destroy(&mesh);
}

static firn_result try_to_convert(const firn_mesh* mesh, double voxel, firn_error* error)
{
    const firn_level_set* set = NULL;
    const firn_mesh_level_set_args args = {(firn_real)voxel, FIRN_BROKEN_MESH_REFUSE, false};
    const firn_result result = firn_level_set_from_mesh(mesh, &args, &set, NULL, error);
    firn_level_set_release(set);
    return result;
}

static void an_open_cube(void** state)
{
    (void)state;
    firn_mesh mesh = mesh_cuboid(mesh_point(-.5, -.5, -.5), mesh_point(.5, .5, .5));
    mesh.triangle_count -= 1;  // half a face is missing
    firn_error error = {0};
    assert_int_equal(try_to_convert(&mesh, 0.02, &error), FIRN_REFUSED_SCENE);
    if (strstr(error.text, "3 open edges") == NULL) fail_msg("%s", error.text);
    firn_mesh_report report;
    const firn_level_set* set = convert(&mesh, 0.02, FIRN_BROKEN_MESH_REPAIR, &report);
    assert_int_equal(report.open_edges, 3);
    const double volume = firn_level_set_volume(set);
    print_message("open cube: volume %g\n", volume);
    assert_greater(volume, 0.93);
    assert_less(volume, 1.02);
    // away from the hole nothing has changed
    assert_near(distance_at(set, -0.3, 0.1, 0.1), -0.2, 0.004);
    assert_near(distance_at(set, -0.55, 0.1, 0.1), 0.05, 0.004);
    firn_level_set_release(set);

    // all of the face: the surface that closes it bulges in
    mesh.triangle_count -= 1;
    set = convert(&mesh, 0.02, FIRN_BROKEN_MESH_REPAIR, &report);
    assert_int_equal(report.open_edges, 4);
    assert_greater(firn_level_set_volume(set), 0.85);
    assert_less(firn_level_set_volume(set), 1.05);
    // in the middle of the hole the winding number is exactly 1/2
    assert_near(distance_at(set, 0.5, 0, 0), 0, 0.01);
    firn_vec3 n = firn_level_set_sample(set, mesh_point(0.5, 0, 0)).normal;
    assert_greater(n.x, 0.99);
    firn_level_set_release(set);
    firn_mesh_destroy(&mesh);
}

// Half of the faces inside out, or some of an open one: the body is the same.
static void turned_triangles(void** state)
{
    (void)state;
    firn_mesh mesh = mesh_cuboid(mesh_point(-.5, -.5, -.5), mesh_point(.5, .5, .5));
    for (firn_local t = 0; t < 5; t++) mesh_turn(&mesh, t);
    firn_error error = {0};
    assert_int_equal(try_to_convert(&mesh, 0.04, &error), FIRN_REFUSED_SCENE);
    firn_mesh_report report;
    const firn_level_set* set = convert(&mesh, 0.04, FIRN_BROKEN_MESH_REPAIR, &report);
    assert_greater(report.flipped_edges, 0);
    assert_near(firn_level_set_volume(set), 1, 0.005);
    firn_level_set_release(set);
    mesh.triangle_count--;
    set = convert(&mesh, 0.04, FIRN_BROKEN_MESH_REPAIR, &report);
    assert_greater(firn_level_set_volume(set), 0.93);
    assert_less(firn_level_set_volume(set), 1.02);
    firn_level_set_release(set);
    firn_mesh_destroy(&mesh);
}

// Two balls that overlap: no distance to the surfaces inside the other one may be left.
static void overlapping_balls(void** state)
{
    (void)state;
    const double a = 0.5, apart = 0.6;
    firn_mesh mesh = mesh_ball(mesh_point(0, 0, 0), a, 64, 32);
    firn_mesh other = mesh_ball(mesh_point(apart, 0.013, 0.007), a, 64, 32);
    assert_true(firn_mesh_append(&mesh, &other));
    firn_error error = {0};
    assert_int_equal(try_to_convert(&mesh, 0.02, &error), FIRN_REFUSED_SCENE);
    if (strstr(error.text, "cut each other") == NULL) fail_msg("%s", error.text);
    firn_mesh_report report;
    const firn_level_set* set = convert(&mesh, 0.02, FIRN_BROKEN_MESH_REPAIR, &report);
    assert_greater(report.intersections, 0);
    const double ball = 4 * PI / 3 * a * a * a;
    const double lens = PI * (4 * a + apart) * (2 * a - apart) * (2 * a - apart) / 12;
    assert_near(firn_level_set_volume(set) / (2 * ball - lens), 1, 0.01);
    // half way between the centres: the surface is at the ring where the balls meet
    const double ring = sqrt(a * a - apart * apart / 4);
    assert_near(distance_at(set, apart / 2, 0.0065, 0.0035), -ring, 0.03);
    firn_level_set_release(set);
    firn_mesh_destroy(&mesh);
    firn_mesh_destroy(&other);
}

// A ball with a hollow: sound, and not solid.
static void a_hollow_ball(void** state)
{
    (void)state;
    firn_mesh mesh = mesh_ball(mesh_point(0, 0, 0), 0.5, 64, 32);
    firn_mesh inner = mesh_ball(mesh_point(0.05, 0, 0), 0.25, 48, 24);
    mesh_turn_all(&inner);
    assert_true(firn_mesh_append(&mesh, &inner));
    const firn_level_set* set = convert(&mesh, 0.02, FIRN_BROKEN_MESH_REFUSE, NULL);
    assert_near(firn_level_set_volume(set) / firn_mesh_volume(&mesh), 1, 0.005);
    assert_greater(distance_at(set, 0.05, 0, 0), 0.05);
    assert_near(distance_at(set, -0.4, 0, 0), -0.1, 0.005);
    firn_level_set_release(set);
    firn_mesh_destroy(&mesh);
    firn_mesh_destroy(&inner);
}

static void what_is_refused(void** state)
{
    (void)state;
    firn_mesh mesh = mesh_cuboid(mesh_point(0, 0, 0), mesh_point(1, 1, .01));
    const struct {
        double voxel;
        firn_result code;
        const char* words;
    } cases[] = {{0.02, FIRN_REFUSED_SCENE, "0.01 m thick along z"},
                 {0, FIRN_REFUSED_ARGUMENT, "voxels of 0 m"},
                 {NAN, FIRN_REFUSED_ARGUMENT, "voxels of nan m"},
                 {2e-4, FIRN_REFUSED_SCENE, "use larger voxels"}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        firn_error error = {0};
        assert_int_equal(try_to_convert(&mesh, cases[k].voxel, &error), cases[k].code);
        if (strstr(error.text, cases[k].words) == NULL) fail_msg("'%s'", error.text);
    }
    firn_mesh_destroy(&mesh);
}

static void a_voxel_for_every_mesh(void** state)
{
    (void)state;
    const struct {
        double x, y, z, voxel;
    } cases[] = {{1, 1, 1, .01}, {2, 1, .5, .02}, {1, 1, .02, .005}, {1, 1, .001, .0025}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        const firn_box3 box = {mesh_point(-1, 2, 3),
                               mesh_point(-1 + cases[k].x, 2 + cases[k].y, 3 + cases[k].z)};
        assert_near((double)firn_level_set_voxel_for(box) / cases[k].voxel, 1, 1e-4);
    }
}

// Another body under the mesh's key proves that the second call reads what the first one kept.
static void a_kept_one_is_read(void** state)
{
    (void)state;
    setenv("FIRN_CACHE", FIRN_TEST_TMP "/cache", 1);
    firn_mesh box = mesh_cuboid(mesh_point(0, 0, 0), mesh_point(1, 1, 1));
    firn_mesh ball = mesh_ball(mesh_point(0, 0, 0), 0.5, 24, 12);
    const firn_mesh_level_set_args args = {(firn_real)0.05, FIRN_BROKEN_MESH_REFUSE, true};
    const firn_level_set *first = NULL, *second = NULL;
    firn_mesh_report report;
    assert_int_equal(firn_level_set_from_mesh(&box, &args, &first, &report, NULL), FIRN_OK);
    uint64_t key = 0;
    DIR* folder = opendir(FIRN_TEST_TMP "/cache");
    assert_non_null(folder);
    for (const struct dirent* entry; (entry = readdir(folder)) != NULL;)
        if (strstr(entry->d_name, ".firnls") != NULL) key = strtoull(entry->d_name, NULL, 16);
    closedir(folder);
    const firn_level_set* other = convert(&ball, 0.05, FIRN_BROKEN_MESH_REFUSE, NULL);
    firn_level_set_cache_write(key, other, &report);
    assert_int_equal(firn_level_set_from_mesh(&box, &args, &second, &report, NULL), FIRN_OK);
    assert_equal(firn_level_set_hash(second), firn_level_set_hash(other));
    firn_level_set_release(second);
    // another voxel has another key
    const firn_mesh_level_set_args finer = {(firn_real)0.04, FIRN_BROKEN_MESH_REFUSE, true};
    assert_int_equal(firn_level_set_from_mesh(&box, &finer, &second, &report, NULL), FIRN_OK);
    assert_near(firn_level_set_volume(second), 1, 0.01);
    firn_level_set_release(first);
    firn_level_set_release(second);
    firn_level_set_release(other);
    firn_mesh_destroy(&box);
    firn_mesh_destroy(&ball);
}

static void nothing_leaks_when_memory_is_out(void** state)
{
    (void)state;
    firn_mesh broken = mesh_cuboid(mesh_point(0, 0, 0), mesh_point(1, 1, 1));
    broken.triangle_count--;
    firn_mesh hollow = mesh_ball(mesh_point(0, 0, 0), 0.5, 12, 6);
    firn_mesh inner = mesh_ball(mesh_point(0, 0, 0), 0.25, 12, 6);
    mesh_turn_all(&inner);
    assert_true(firn_mesh_append(&hollow, &inner));
    const firn_mesh* meshes[2] = {&broken, &hollow};
    const uint64_t before = firn_memory_read().bytes;
    for (int m = 0; m < 2; m++)
        for (uint64_t k = 1;; k++) {
            const firn_level_set* set = NULL;
            const firn_mesh_level_set_args args = {(firn_real)0.1, FIRN_BROKEN_MESH_REPAIR, false};
            firn_memory_fail_at(k, false);
            const firn_result result = firn_level_set_from_mesh(meshes[m], &args, &set, NULL, NULL);
            firn_memory_fail_at(0, false);
            firn_level_set_release(set);
            assert_int_equal(firn_memory_read().bytes, before);
            if (result == FIRN_OK) break;
            assert_int_equal(result, FIRN_BROKEN_MEMORY);
        }
    firn_mesh_destroy(&broken);
    firn_mesh_destroy(&hollow);
    firn_mesh_destroy(&inner);
}

// Whatever the threads do first: sound, hollow and repaired.
static void threads_change_nothing(void** state)
{
    (void)state;
    firn_mesh meshes[2] = {mesh_ball(mesh_point(.1, .2, .3), 0.5, 48, 24),
                           mesh_ball(mesh_point(0, 0, 0), 0.5, 40, 20)};
    firn_mesh other = mesh_cuboid(mesh_point(0, 0, 0), mesh_point(.7, .6, .5));
    assert_true(firn_mesh_append(&meshes[1], &other));
    for (int m = 0; m < 2; m++) {
        uint64_t first = 0;
        for (int threads = 1; threads <= 7; threads += 2) {
            use_team(threads);
            const firn_level_set* set = convert(&meshes[m], 0.03, FIRN_BROKEN_MESH_REPAIR, NULL);
            const uint64_t hash = firn_level_set_hash(set);
            if (threads == 1) first = hash;
            assert_equal(hash, first);
            firn_level_set_release(set);
        }
        firn_mesh_destroy(&meshes[m]);
    }
    use_team(0);
    firn_mesh_destroy(&other);
}

int test_level_set_mesh(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_cube),
        cmocka_unit_test(a_ball),
        cmocka_unit_test(an_open_cube),
        cmocka_unit_test(turned_triangles),
        cmocka_unit_test(overlapping_balls),
        cmocka_unit_test(a_hollow_ball),
        cmocka_unit_test(threads_change_nothing),
        cmocka_unit_test(what_is_refused),
        cmocka_unit_test(a_voxel_for_every_mesh),
        cmocka_unit_test(a_kept_one_is_read),
        cmocka_unit_test(nothing_leaks_when_memory_is_out),
    };
    return cmocka_run_group_tests_name("level_set_mesh", tests, NULL, NULL);
}
