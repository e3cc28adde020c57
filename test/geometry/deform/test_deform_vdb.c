// SPDX-License-Identifier: MIT
// Key frames from .vdb files, with velocities in them and without. Only builds with OpenVDB.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/memory.h"
#include "firn_test.h"
#include "geometry/deform/deform_sample.h"
#include "geometry/deform/deforming.h"
#include "geometry/levelset/level_set_vdb.h"
#include "geometry/levelset/velocity_vdb.h"

// Tolerances: distances to a fraction of the files' voxels; velocities are read from them,
// exact but for the rounding of floats of about 20.

#define PATTERN FIRN_TEST_TMP "/ball.%02d.vdb"

#ifdef FIRN_HAVE_VDB

typedef struct ball {
    double x, radius;
} ball;

static firn_real ball_phi(const void* context, firn_vec3 x)
{
    const ball* b = context;
    return firn_v3_length(firn_v3_sub(x, firn_v3((firn_real)b->x, 0, 0))) - (firn_real)b->radius;
}

// Key k of a ball that moves by 0.8 m and grows by 0.05 m a key.
static void write_key(int k)
{
    const ball b = {0.8 * k, 1 + 0.05 * k};
    const firn_box3 box = {{(firn_real)(b.x - 1.2), (firn_real)-1.2, (firn_real)-1.2},
                           {(firn_real)(b.x + 1.2), (firn_real)1.2, (firn_real)1.2}};
    const firn_level_set* set;
    assert_int_equal(
        firn_level_set_build(box, (firn_real)0.05, (firn_real)0.2, ball_phi, &b, &set, NULL),
        FIRN_OK);
    char path[600], message[400];
    snprintf(path, sizeof path, PATTERN, k + 1);
    const firn_vdb_write_args grid = {.name = "skin", .stretch = 1, .steepness = 1};
    assert_int_equal(firn_vdb_write_sets(path, set, &grid, 1, message, sizeof message), FIRN_OK);
    firn_level_set_release(set);
}

// Velocities of key k, in a shell around the ball only, as other programs write them.
static void write_velocity(int k, const char* name)
{
    firn_velocity_grid grid;
    const firn_box3 box = {{(firn_real)(0.8 * k - 0.9), (firn_real)-0.9, (firn_real)-0.9},
                           {(firn_real)(0.8 * k + 0.9), (firn_real)0.9, (firn_real)0.9}};
    assert_int_equal(firn_velocity_grid_create(box, (firn_real)0.1, &grid, NULL), FIRN_OK);
    for (int64_t n = 0; n < firn_velocity_grid_count(&grid); n++)
        grid.value[n] = firn_v3((firn_real)(0.8 * 24), 0, 0);
    char path[600], message[400];
    snprintf(path, sizeof path, PATTERN, k + 1);
    if (firn_vdb_add_velocities(path, name, &grid, message, sizeof message) != FIRN_OK)
        fail_msg("%s", message);
    firn_velocity_grid_destroy(&grid);
}

static firn_deforming_def ball_def(void)
{
    return (firn_deforming_def){.animation = {.file = PATTERN, .first = 1, .last = 4, .fps = 24},
                                .speed = 1,
                                .memory = (size_t)64 << 20};
}

static firn_deforming* open_good(const firn_deforming_def* def)
{
    firn_deforming* body = NULL;
    firn_error error = {0};
    if (firn_deforming_open(def, &body, &error) != FIRN_OK) fail_msg("%s", error.text);
    return body;
}

static void velocities_of_the_files(void** state)
{
    (void)state;
    for (int k = 0; k < 4; k++) {
        write_key(k);
        write_velocity(k, k == 0 ? "v" : k == 1 ? "vel" : "velocity");
    }
    const firn_deforming_def def = ball_def();
    firn_deforming* body = open_good(&def);
    firn_deform_pose pose = {0};
    firn_error error = {0};
    if (firn_deforming_move(body, 1.5 / 24, &pose, &error) != FIRN_OK) fail_msg("%s", error.text);
    // the ball is whole half way, and beyond the file's values theirs go on
    const double x = 0.8 * 1.5, r = 1 + 0.05 * 1.5;
    assert_near(firn_deform_distance_at(&pose, firn_v3((firn_real)x, 0, 0)), -r, 0.06);
    const firn_vec3 top = {(firn_real)x, (firn_real)(r + 0.1), 0};
    assert_near(firn_deform_distance_at(&pose, top), 0.1, 0.02);
    const firn_vec3 v = firn_deform_velocity_at(&pose, top);
    assert_near(v.x, 0.8 * 24, 1e-3);
    assert_near(v.y, 0, 1e-3);
    firn_deform_pose_release(&pose);
    firn_deforming_release(body);
}

static void without_velocities_the_normal_motion(void** state)
{
    (void)state;
    for (int k = 0; k < 4; k++) write_key(k);
    const firn_deforming_def def = ball_def();
    firn_deforming* body = open_good(&def);
    firn_deform_pose pose = {0};
    assert_int_equal(firn_deforming_move(body, 1. / 24, &pose, NULL), FIRN_OK);
    assert_equal(pose.gamma, 0);
    // in front it goes outwards, behind inwards: along the axis both are the motion
    const firn_vec3 front = firn_deform_velocity_at(&pose, firn_v3((firn_real)(0.8 + 1.05), 0, 0));
    assert_greater(front.x, 0.5 * 0.8 * 24);
    assert_near(front.y, 0, 1);
    const firn_vec3 behind = firn_deform_velocity_at(&pose, firn_v3((firn_real)(0.8 - 1.05), 0, 0));
    assert_greater(behind.x, 0.4 * 0.8 * 24);
    firn_deform_pose_release(&pose);
    firn_deforming_release(body);
}

static void grids_by_name(void** state)
{
    (void)state;
    for (int k = 0; k < 4; k++) {
        write_key(k);
        write_velocity(k, "wind");
    }
    firn_deforming_def def = ball_def();
    def.grid = "skin";
    def.velocity_grid = "wind";
    firn_deforming* body = open_good(&def);
    firn_deform_pose pose = {0};
    firn_error error = {0};
    assert_int_equal(firn_deforming_move(body, 0.01, &pose, &error), FIRN_OK);
    assert_near(firn_deform_velocity_at(&pose, firn_v3(0, 2, 0)).x, 19.2, 1e-3);
    firn_deform_pose_release(&pose);
    firn_deforming_release(body);
    static const char* const wrong[3][3] = {
        {"bones", NULL, "bones"}, {"skin", "storm", "'storm'"}, {"skin", "skin", "type float"}};
    for (int i = 0; i < 3; i++) {
        def.grid = wrong[i][0];
        def.velocity_grid = wrong[i][1];
        body = open_good(&def);
        assert_int_equal(firn_deforming_move(body, 0, &pose, &error), FIRN_REFUSED_SCENE);
        if (strstr(error.text, wrong[i][2]) == NULL) fail_msg("%s", error.text);
        assert_contains(error.text, "ball.01.vdb");
        firn_deforming_release(body);
    }
}

// The checksum of a whole file is the key's hash: the same file at the end closes a loop.
static void a_loop_that_closes(void** state)
{
    (void)state;
    const int order[4] = {0, 1, 2, 0};
    for (int k = 0; k < 3; k++) write_key(k);
    char first[600], last[600], block[4096];
    snprintf(first, sizeof first, PATTERN, order[3] + 1);
    snprintf(last, sizeof last, PATTERN, 4);
    FILE *from = fopen(first, "rb"), *to = fopen(last, "wb");
    assert_non_null(from);
    assert_non_null(to);
    for (size_t n; (n = fread(block, 1, sizeof block, from)) > 0;) fwrite(block, 1, n, to);
    fclose(from);
    fclose(to);
    firn_deforming_def def = ball_def();
    def.loop = true;
    firn_deforming* body = open_good(&def);
    firn_deform_pose pose = {0};
    assert_int_equal(firn_deforming_move(body, 2.5 / 24, &pose, NULL), FIRN_OK);
    assert_equal(pose.a->time, 2. / 24);
    assert_equal(pose.b->time, 0);
    firn_deform_pose_release(&pose);
    firn_deforming_release(body);
}

#else

static void openvdb_is_named(void** state)
{
    (void)state;
    FILE* file = fopen(FIRN_TEST_TMP "/ball.01.vdb", "w");
    assert_non_null(file);
    fclose(file);
    const firn_deforming_def def = {
        .animation = {.file = PATTERN, .first = 1, .last = 1, .fps = 24}, .speed = 1};
    firn_deforming* body;
    firn_deform_pose pose = {0};
    firn_error error = {0};
    assert_int_equal(firn_deforming_open(&def, &body, &error), FIRN_OK);
    assert_int_equal(firn_deforming_move(body, 0, &pose, &error), FIRN_REFUSED_BACKEND);
    assert_contains(error.text, "libopenvdb-dev");
    firn_deforming_release(body);
}

#endif

int test_deform_vdb(void)
{
    const struct CMUnitTest tests[] = {
#ifdef FIRN_HAVE_VDB
        cmocka_unit_test(velocities_of_the_files),
        cmocka_unit_test(without_velocities_the_normal_motion),
        cmocka_unit_test(grids_by_name),
        cmocka_unit_test(a_loop_that_closes),
#else
        cmocka_unit_test(openvdb_is_named),
#endif
    };
    return cmocka_run_group_tests_name("deform_vdb", tests, NULL, NULL);
}
