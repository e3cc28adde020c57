// SPDX-License-Identifier: MIT
// Poses of colliders in frames: read back, a frame without them is unchanged, ParaView's part of
// the file does not change, and wrong ones are refused both ways.
#include "output/frame/frame_bodies.h"

#include <hdf5.h>
#include <math.h>

#include "output/run/describe.h"
#include "output/sample.h"

#define DIR FIRN_TEST_TMP "/"

static firn_frame_body some_body(firn_local index, firn_body_driver driver)
{
    const firn_real h = (firn_real)0.5;
    return (firn_frame_body){.body = index,
                             .driver = driver,
                             .pose = {.position = {(firn_real)0.1, -2, (firn_real)(1.0 / 3)},
                                      .rotation = {h, -h, h, h},
                                      .scale = (firn_real)1.7,
                                      .velocity = {(firn_real)1e-7, 3, -4},
                                      .spin = {5, (firn_real)6.1, -7}}};
}

static firn_result write_with(const char* path, firn_frame_body* bodies, firn_local count,
                              firn_error* error)
{
    firn_particles p = sample_particles(100, 3);
    firn_frame frame = sample_frame(&p);
    frame.bodies = bodies;
    frame.body_count = count;
    const firn_result r = firn_frame_write(path, &frame, 1, error);
    firn_particles_destroy(&p);
    return r;
}

static void poses_come_back(void** state)
{
    (void)state;
    firn_frame_body bodies[2] = {some_body(1, FIRN_BODY_FREE), some_body(70000, FIRN_BODY_CALLER)};
    firn_error error = {0};
    if (write_with(DIR "b.hdf", bodies, 2, &error) != FIRN_OK) fail_msg("%s", error.text);
    firn_frame f;
    if (firn_frame_read(DIR "b.hdf", &f, &error) != FIRN_OK) fail_msg("%s", error.text);
    assert_int_equal(f.body_count, 2);
    assert_int_equal(f.count, 100);
    for (int k = 0; k < 2; k++) {
        assert_int_equal(f.bodies[k].body, bodies[k].body);
        assert_int_equal(f.bodies[k].driver, bodies[k].driver);
        // doubles hold the poses of either build: not a bit is lost
        assert_memory_equal(&f.bodies[k].pose, &bodies[k].pose, sizeof bodies[k].pose);
    }
    firn_frame_destroy(&f);
    char* text = NULL;
    assert_int_equal(firn_describe_file(DIR "b.hdf", &text, &error), FIRN_OK);
    assert_contains(text, "collider 1  at (0.1, -2, 0.333333) m, dynamic\n");
    assert_contains(text, "collider 70000 at (0.1, -2, 0.333333) m, moved by the caller\n");
    firn_free(text);
}

static void none_leaves_no_trace(void** state)
{
    (void)state;
    firn_error error = {0};
    assert_int_equal(write_with(DIR "none.hdf", NULL, 0, &error), FIRN_OK);
    firn_particles p = sample_particles(100, 3);
    sample_write_frame(DIR "plain.hdf", &p, 1);
    firn_particles_destroy(&p);
    size_t bytes[2];
    char* a = sample_bytes(DIR "none.hdf", &bytes[0]);
    char* b = sample_bytes(DIR "plain.hdf", &bytes[1]);
    assert_int_equal(bytes[0], bytes[1]);
    assert_memory_equal(a, b, bytes[0]);
    firn_free(a);
    firn_free(b);
    firn_frame f;
    assert_int_equal(firn_frame_read(DIR "plain.hdf", &f, &error), FIRN_OK);
    assert_null(f.bodies);
    assert_int_equal(f.body_count, 0);
    firn_frame_destroy(&f);
}

static herr_t count_link(hid_t group, const char* name, const H5L_info_t* info, void* user)
{
    (void)group, (void)name, (void)info;
    ++*(int*)user;
    return 0;
}

// VTK's reader uses /VTKHDF alone and does not warn about other groups.
static void vtkhdf_is_as_before(void** state)
{
    (void)state;
    firn_frame_body body = some_body(0, FIRN_BODY_CALLER);
    firn_error error = {0};
    int links[2] = {0, 0};
    for (int k = 0; k < 2; k++) {
        assert_int_equal(write_with(DIR "v.hdf", &body, k, &error), FIRN_OK);
        const hid_t file = H5Fopen(DIR "v.hdf", H5F_ACC_RDONLY, H5P_DEFAULT);
        const hid_t group = H5Gopen2(file, "/VTKHDF", H5P_DEFAULT);
        assert_at_least(group, 0);
        H5Literate(group, H5_INDEX_NAME, H5_ITER_INC, NULL, count_link, &links[k]);
        assert_int_equal(H5Lexists(file, "/firn/bodies", H5P_DEFAULT) > 0, k);
        H5Gclose(group);
        H5Fclose(file);
    }
    assert_greater(links[0], 5);
    assert_int_equal(links[0], links[1]);
}

static void unwritable_poses_are_refused(void** state)
{
    (void)state;
    const firn_frame_body good = some_body(3, FIRN_BODY_FREE);
    firn_frame_body bad[7];
    const char* says[7] = {"not finite", "not finite",   "rotation",    "scale",
                           "driver",     "out of order", "out of order"};
    for (int k = 0; k < 7; k++) bad[k] = good;
    bad[0].pose.position.y = (firn_real)NAN;
    bad[1].pose.spin.z = (firn_real)INFINITY;
    bad[2].pose.rotation.w = 2;
    bad[3].pose.scale = 0;
    bad[4].driver = FIRN_BODY_SCENE;
    bad[5].body = -1;
    for (int k = 0; k < 7; k++) {
        firn_frame_body pair[2] = {bad[k], bad[k]};  // the last case: the same body twice
        firn_error error = {0};
        assert_int_equal(write_with(DIR "bad.hdf", pair, k == 6 ? 2 : 1, &error),
                         FIRN_REFUSED_ARGUMENT);
        if (strstr(error.text, says[k]) == NULL) fail_msg("case %d: %s", k, error.text);
        assert_false(sample_exists(DIR "bad.hdf"));
    }
}

// A file with a right checksum and rows that firn would not have written.
static void foreign_rows_are_refused(void** state)
{
    (void)state;
    double row[16] = {2, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0};
    const struct {
        int column;
        double value;
    } cases[] = {{0, 0.5}, {0, 4e9}, {1, 0}, {1, 3}, {1, NAN}, {2, 1e300}, {5, 0}, {9, -1}};
    for (int k = -1; k < (int)(sizeof cases / sizeof *cases); k++) {
        firn_h5 h5;
        firn_error error = {0};
        double mine[16];
        memcpy(mine, row, sizeof mine);
        if (k >= 0) mine[cases[k].column] = cases[k].value;
        assert_int_equal(firn_h5_create(&h5, DIR "f.hdf", FIRN_SEAL_FRAME, &error), FIRN_OK);
        assert_int_equal(firn_h5_put_group(&h5, "/firn"), FIRN_OK);
        const firn_h5_array a = {.path = "/firn/bodies",
                                 .given = FIRN_H5_F64,
                                 .stored = FIRN_H5_F64,
                                 .rows = 1,
                                 .columns = 16,
                                 .data = mine};
        assert_int_equal(firn_h5_put_array(&h5, &a), FIRN_OK);
        assert_int_equal(firn_h5_commit(&h5, FIRN_OK), FIRN_OK);
        firn_frame_body* bodies = NULL;
        firn_local count = -1;
        firn_h5_input in;
        assert_int_equal(firn_h5_open(&in, DIR "f.hdf", FIRN_SEAL_FRAME, &error), FIRN_OK);
        const firn_result r = firn_frame_bodies_get(&in, &bodies, &count);
        assert_int_equal(firn_h5_close(&in, FIRN_OK), FIRN_OK);
        assert_int_equal(r, k < 0 ? FIRN_OK : FIRN_REFUSED_DAMAGED);
        assert_int_equal(count, k < 0 ? 1 : 0);
        firn_free(bodies);
    }
}

int test_frame_bodies(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(poses_come_back),          cmocka_unit_test(none_leaves_no_trace),
        cmocka_unit_test(vtkhdf_is_as_before),      cmocka_unit_test(unwritable_poses_are_refused),
        cmocka_unit_test(foreign_rows_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
