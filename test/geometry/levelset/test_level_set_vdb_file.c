// SPDX-License-Identifier: MIT
// Level sets of .vdb files: what programs write differs, and what is wrong is told.
#include <math.h>
#include <string.h>

#include "core/file.h"
#include "core/memory.h"
#include "geometry/gallery.h"
#include "geometry/levelset/level_set_mesh.h"
#include "geometry/levelset/level_set_sample.h"
#include "geometry/levelset/level_set_vdb.h"

// Tolerances: the same numbers read back (1e-6), or a ball of 25 voxels across: 1.5 % of its
// volume, a quarter of a voxel in distance.

#define PATH FIRN_TEST_TMP "/sets.vdb"

#ifdef FIRN_HAVE_VDB

static const double ball[4] = {0.3, 0.1, -0.2, 0.5}, voxel = 0.04;

static firn_real ball_phi(const void* context, firn_vec3 x)
{
    (void)context;
    return (firn_real)(gallery_length(x.x - ball[0], x.y - ball[1], x.z - ball[2]) - ball[3]);
}

static const firn_level_set* make_ball(void)
{
    const firn_level_set* set = NULL;
    const firn_real r = (firn_real)ball[3];
    const firn_vec3 c = gallery_vec3(ball);
    const firn_box3 box = {firn_v3_sub(c, firn_v3(r, r, r)), firn_v3_add(c, firn_v3(r, r, r))};
    assert_int_equal(firn_level_set_build(box, (firn_real)voxel, (firn_real)(3 * voxel), ball_phi,
                                          NULL, &set, NULL),
                     FIRN_OK);
    return set;
}

static void write_sets(const firn_vdb_write_args* grids, int count)
{
    const firn_level_set* set = make_ball();
    char message[300] = "";
    if (firn_vdb_write_sets(PATH, set, grids, count, message, sizeof message) != FIRN_OK)
        fail_msg("%s", message);
    firn_level_set_release(set);
}

static const firn_level_set* read_set(const char* grid)
{
    const firn_level_set* set = NULL;
    firn_error error = {0};
    if (firn_level_set_from_vdb(PATH, grid, &set, &error) != FIRN_OK) fail_msg("%s", error.text);
    return set;
}

static const firn_vdb_write_args plain = {.name = "surface", .stretch = 1, .steepness = 1};

static void a_filled_one_is_taken_as_it_is(void** state)
{
    (void)state;
    const firn_level_set *made = make_ball(), *read;
    write_sets(&plain, 1);
    read = read_set(NULL);
    any_source r = any_start(4);
    for (int k = 0; k < 3000; k++) {
        const firn_vec3 x = any_vec3(&r, 1);
        const double a = (double)firn_level_set_distance(made, x);
        assert_near(firn_level_set_distance(read, x), a, 1e-6);
    }
    firn_level_set_release(made);
    firn_level_set_release(read);
}

static void the_inside_of_a_narrow_one_is_filled(void** state)
{
    (void)state;
    firn_vdb_write_args narrow = plain;
    narrow.is_narrow = true;
    write_sets(&narrow, 1);
    const firn_level_set* set = read_set("surface");
    any_source r = any_start(5);
    for (int k = 0; k < 5000; k++) {
        const firn_vec3 x = any_vec3(&r, 1);
        const double d = (double)ball_phi(NULL, x);
        // the mesh of phi = 0 has chords of about a voxel
        if (d < 0 && d > -0.45) assert_near(firn_level_set_distance(set, x), d, 0.15 * voxel);
        if (d < -0.02 && d > -0.4) {
            const firn_vec3 n = firn_level_set_sample(set, x).normal;
            const firn_vec3 out = firn_v3_sub(x, gallery_vec3(ball));
            assert_greater(firn_v3_dot(n, out), 0.97 * (double)firn_v3_length(out));
        }
    }
    firn_level_set_release(set);
}

// Where the point of the ball's grid ends up: turned about y, then stretched along x.
static firn_vec3 placed(firn_vec3 x, double turn_deg, double stretch)
{
    const double a = turn_deg * PI / 180;
    const double c = cos(a), s = sin(a);
    return firn_v3((firn_real)(stretch * (c * x.x + s * x.z)), x.y,
                   (firn_real)(-s * x.x + c * x.z));
}

static void turned_and_stretched_grids(void** state)
{
    (void)state;
    firn_vdb_write_args grids[3] = {plain, plain, plain};
    grids[0].name = "turned";
    grids[0].turn_deg = 30;
    grids[1].name = "stretched";
    grids[1].stretch = 2;
    grids[2].name = "steep";
    grids[2].steepness = 3;
    write_sets(grids, 3);
    const double volume = 4 * PI / 3 * ball[3] * ball[3] * ball[3];
    for (int g = 0; g < 3; g++) {
        const firn_level_set* set = read_set(grids[g].name);
        assert_near(firn_level_set_volume(set) / (volume * grids[g].stretch), 1, 0.015);
        const firn_vec3 c = placed(gallery_vec3(ball), grids[g].turn_deg, grids[g].stretch);
        const double deep = (double)firn_level_set_distance(set, c);
        assert_near(deep, -0.5, voxel);
        // a distance, whatever it was in the file
        const firn_vec3 top = firn_v3_add(c, firn_v3(0, (firn_real)0.4, 0));
        assert_near(firn_level_set_distance(set, top), -0.1, 0.01);
        firn_level_set_release(set);
    }
}

static void what_is_refused(void** state)
{
    (void)state;
    firn_vdb_write_args grids[2] = {plain, plain};
    grids[0].name = "density";
    grids[0].is_fog = true;
    grids[1].name = "body";
    write_sets(grids, 2);
    firn_level_set_release(read_set(NULL));  // the only level set
    const firn_level_set* set = NULL;
    const struct {
        const char *path, *grid;
        firn_result code;
        const char *words, *more;
    } cases[] = {
        {PATH, "density", FIRN_REFUSED_SCENE, "is a fog volume", "'body' (level set, float)"},
        {PATH, "bdy", FIRN_REFUSED_SCENE, "there is no grid 'bdy'",
         "'density' (fog volume, float)"},
        {FIRN_TEST_TMP "/none.vdb", NULL, FIRN_REFUSED_IO, "none.vdb", "cannot open"},
        {FIRN_SOURCE_DIR "/README.md", NULL, FIRN_REFUSED_DAMAGED, "README.md", "cannot use"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        firn_error error = {0};
        assert_int_equal(firn_level_set_from_vdb(cases[k].path, cases[k].grid, &set, &error),
                         cases[k].code);
        if (strstr(error.text, cases[k].words) == NULL || strstr(error.text, cases[k].more) == NULL)
            fail_msg("'%s' does not say '%s', '%s'", error.text, cases[k].words, cases[k].more);
    }
    write_sets(grids, 1);
    firn_error error = {0};
    assert_int_equal(firn_level_set_from_vdb(PATH, NULL, &set, &error), FIRN_REFUSED_SCENE);
    assert_contains(error.text, "no grid of class 'level set'");
    assert_null(set);
}

// Cut anywhere, a file is refused; so is one with any byte of its head wrong, or it still is good.
static void damaged_files(void** state)
{
    (void)state;
    write_sets(&plain, 1);
    char* good = NULL;
    size_t bytes = 0;
    assert_int_equal(firn_file_read(PATH, 1 << 28, &good, &bytes, NULL), FIRN_OK);
    char* bad = firn_alloc(bytes, 1);
    const firn_level_set* set = NULL;
    for (size_t cut = 0; cut < bytes; cut += cut < 600 ? 13 : bytes / 20) {
        assert_int_equal(firn_file_write(PATH, good, cut, NULL), FIRN_OK);
        assert_int_not_equal(firn_level_set_from_vdb(PATH, NULL, &set, NULL), FIRN_OK);
        assert_null(set);
    }
    for (size_t k = 0; k < 60; k++) {
        memcpy(bad, good, bytes);
        bad[k] = (char)(bad[k] ^ 0x11);
        assert_int_equal(firn_file_write(PATH, bad, bytes, NULL), FIRN_OK);
        if (firn_level_set_from_vdb(PATH, NULL, &set, NULL) == FIRN_OK) firn_level_set_release(set);
        set = NULL;
    }
    firn_free(bad);
    firn_free(good);
}

static void out_of_memory(void** state)
{
    (void)state;
    write_sets(&plain, 1);
    const uint64_t before = firn_memory_read().bytes;
    for (uint64_t k = 1;; k++) {
        const firn_level_set* set = NULL;
        firn_memory_fail_at(k, false);
        const firn_result result = firn_level_set_from_vdb(PATH, NULL, &set, NULL);
        firn_memory_fail_at(0, false);
        firn_level_set_release(set);
        assert_int_equal(firn_memory_read().bytes, before);
        if (result == FIRN_OK) break;
        assert_int_equal(result, FIRN_BROKEN_MEMORY);
        assert_less(k, 10);
    }
}

#else

static void refused_without_openvdb(void** state)
{
    (void)state;
    const firn_level_set* set = NULL;
    firn_error error = {0};
    assert_int_equal(firn_level_set_from_vdb(PATH, NULL, &set, &error), FIRN_REFUSED_BACKEND);
    assert_contains(error.text, "libopenvdb-dev");
}

#endif

int test_level_set_vdb_file(void)
{
    const struct CMUnitTest tests[] = {
#ifdef FIRN_HAVE_VDB
        cmocka_unit_test(a_filled_one_is_taken_as_it_is),
        cmocka_unit_test(the_inside_of_a_narrow_one_is_filled),
        cmocka_unit_test(turned_and_stretched_grids),
        cmocka_unit_test(what_is_refused),
        cmocka_unit_test(damaged_files),
        cmocka_unit_test(out_of_memory),
#else
        cmocka_unit_test(refused_without_openvdb),
#endif
    };
    return cmocka_run_group_tests_name("level_set_vdb_file", tests, NULL, NULL);
}
