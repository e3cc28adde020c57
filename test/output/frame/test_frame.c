// SPDX-License-Identifier: MIT
// Frames: what is written comes back, equal contents give equal files, refusals say why.
#define _GNU_SOURCE  // mallopt
#include <hdf5.h>
#include <malloc.h>
#include <pthread.h>

#include "output/frame/frame.h"
#include "output/frame/frame_info.h"
#include "output/hdf5/h5_write.h"
#include "output/sample.h"

#define DIR FIRN_TEST_TMP "/"

static void compare_info(const firn_frame_info* a, const firn_frame_info* b)
{
    assert_int_equal(a->frame, b->frame);
    assert_int_equal(a->step, b->step);
    assert_memory_equal(&a->time, &b->time, sizeof a->time);
    assert_equal(a->fps, b->fps);
    assert_equal(a->cell, b->cell);
    assert_equal(a->scene_hash, b->scene_hash);
    assert_equal(a->state_hash, b->state_hash);
    assert_string_equal(a->scene, b->scene);
    assert_string_equal(a->solver, b->solver);
    assert_int_equal(a->real_bytes, b->real_bytes);
}

// Reals go through float32, bit for bit in the float build.
static void compare_reals(const firn_real* read, const void* written, size_t count)
{
    for (size_t k = 0; k < count; k++)
        assert_equal(read[k], (firn_real)(float)((const firn_real*)written)[k]);
}

static void round_trip(firn_local count, int compression)
{
    firn_particles p = sample_particles(count, 11);
    sample_write_frame(DIR "a.hdf", &p, compression);
    disk_no_temporary(DIR "a.hdf");
    firn_frame f = {0};
    firn_error error;
    if (firn_frame_read(DIR "a.hdf", &f, &error) != FIRN_OK) fail_msg("%s", error.text);
    const firn_frame_info info = sample_info();
    compare_info(&f.info, &info);
    assert_int_equal(f.count, count);
    const firn_frame wrote = sample_frame(&p);
    for (int k = 0; k < FIRN_FRAME_FIELD_COUNT; k++) {
        const firn_field* field = firn_particles_find(&p, firn_field_table[k].name);
        assert_int_equal(f.fields[k] != NULL, field != NULL);
        if (field == NULL || count == 0) continue;
        const size_t bytes = (size_t)count * field->size;
        if (field->type == FIRN_FIELD_U8 || field->type == FIRN_FIELD_U32)
            assert_memory_equal(f.fields[k], wrote.fields[k], bytes);
        else
            compare_reals(f.fields[k], wrote.fields[k], bytes / sizeof(firn_real));
    }
    firn_frame_info header;
    firn_local header_count = -1;
    assert_int_equal(firn_frame_read_info(DIR "a.hdf", &header, &header_count, &error), FIRN_OK);
    compare_info(&header, &info);
    assert_int_equal(header_count, count);
    firn_frame_destroy(&f);
    firn_particles_destroy(&p);
}

static void what_is_written_comes_back(void** state)
{
    (void)state;
    // around the chunk lengths of one, three and nine columns
    const firn_local counts[] = {0, 1, 2, 100, 7281, 7282, 21845, 21846, 65536, 65537};
    for (size_t k = 0; k < sizeof counts / sizeof counts[0]; k++) {
        round_trip(counts[k], 0);
        round_trip(counts[k], 1);
    }
    round_trip(3000, 9);
}

static void missing_fields_are_null(void** state)
{
    (void)state;
    firn_particles p = sample_particles(10, 3);
    const firn_frame bare = {.info = sample_info(), .count = 10, .position = p.fields[0].data};
    firn_error error;
    assert_int_equal(firn_frame_write(DIR "x.hdf", &bare, 1, &error), FIRN_OK);
    firn_frame f;
    assert_int_equal(firn_frame_read(DIR "x.hdf", &f, &error), FIRN_OK);
    assert_non_null(f.position);
    for (int k = FIRN_FRAME_POSITION + 1; k < FIRN_FRAME_FIELD_COUNT; k++) assert_null(f.fields[k]);
    firn_frame_destroy(&f);
    firn_particles_destroy(&p);
}

// The same frame written while fresh memory is full of other garbage, and a second later.
static void equal_contents_are_equal_files(void** state)
{
    (void)state;
    firn_particles p = sample_particles(30000, 5);
    for (int compression = 0; compression <= 1; compression++) {
        size_t bytes[2];
        char* data[2];
        for (int k = 0; k < 2; k++) {
            mallopt(M_PERTURB, 0x55 + 0x11 * k);
            sample_write_frame(DIR "same.hdf", &p, compression);
            data[k] = sample_bytes(DIR "same.hdf", &bytes[k]);
            if (k + compression == 0) usleep(1100000);  // time stamps would be whole seconds
        }
        mallopt(M_PERTURB, 0);
        assert_int_equal(bytes[0], bytes[1]);
        assert_memory_equal(data[0], data[1], bytes[0]);
        firn_free(data[0]);
        firn_free(data[1]);
    }
    firn_particles_destroy(&p);
}

// Any HDF5 program sees the VTKHDF layout: one poly-vertex cell over all points.
static void layout_is_vtkhdf(void** state)
{
    (void)state;
    firn_particles p = sample_particles(1000, 9);
    sample_write_frame(DIR "v.hdf", &p, 1);
    const hid_t file = H5Fopen(DIR "v.hdf", H5F_ACC_RDONLY, H5P_DEFAULT);
    assert_at_least(file, 0);
    int64_t ids[1000], offsets[2], counts[3];
    uint8_t type = 0;
    const char* const names[3] = {"VTKHDF/NumberOfPoints", "VTKHDF/NumberOfCells",
                                  "VTKHDF/NumberOfConnectivityIds"};
    for (int k = 0; k < 3; k++) {
        const hid_t d = H5Dopen2(file, names[k], H5P_DEFAULT);
        assert_at_least(H5Dread(d, H5T_NATIVE_INT64, H5S_ALL, H5S_ALL, H5P_DEFAULT, &counts[k]), 0);
        H5Dclose(d);
    }
    const struct {
        const char* name;
        hid_t type;
        void* data;
    } lists[3] = {{"VTKHDF/Connectivity", H5T_NATIVE_INT64, ids},
                  {"VTKHDF/Offsets", H5T_NATIVE_INT64, offsets},
                  {"VTKHDF/Types", H5T_NATIVE_UINT8, &type}};
    for (int k = 0; k < 3; k++) {
        const hid_t d = H5Dopen2(file, lists[k].name, H5P_DEFAULT);
        assert_at_least(H5Dread(d, lists[k].type, H5S_ALL, H5S_ALL, H5P_DEFAULT, lists[k].data), 0);
        H5Dclose(d);
    }
    H5Fclose(file);
    assert_int_equal(counts[0], 1000);
    assert_int_equal(counts[1], 1);
    assert_int_equal(counts[2], 1000);
    for (int k = 0; k < 1000; k++) assert_int_equal(ids[k], k);
    assert_int_equal(offsets[0], 0);
    assert_int_equal(offsets[1], 1000);
    assert_int_equal(type, 2);
    firn_particles_destroy(&p);
}

static off_t bytes_of_positions(firn_local count)
{
    firn_particles p = sample_particles(count, 9);
    const firn_frame bare = {.info = sample_info(), .count = count, .position = p.fields[0].data};
    struct stat status;
    assert_int_equal(firn_frame_write(DIR "c.hdf", &bare, 0, NULL), FIRN_OK);
    assert_int_equal(stat(DIR "c.hdf", &status), 0);
    firn_particles_destroy(&p);
    return status.st_size;
}

// Plain positions have 12 bytes each; connectivity, 8 bytes each when plain, adds less than 0.1.
static void connectivity_costs_nothing(void** state)
{
    (void)state;
    const double each = (double)(bytes_of_positions(70000) - bytes_of_positions(1000)) / 69000;
    assert_at_least(each, 12);
    assert_less(each, 12.1);
    assert_less(bytes_of_positions(0), 20000);
}

static void bad_arguments_are_refused(void** state)
{
    (void)state;
    firn_particles p = sample_particles(10, 3);
    firn_frame f = sample_frame(&p);
    firn_error error;
    const char* path = DIR "bad.hdf";
    assert_int_equal(firn_frame_write(path, &f, 10, &error), FIRN_REFUSED_ARGUMENT);
    assert_int_equal(firn_frame_write(path, &f, -1, &error), FIRN_REFUSED_ARGUMENT);
    f.position = NULL;
    assert_int_equal(firn_frame_write(path, &f, 1, &error), FIRN_REFUSED_ARGUMENT);
    assert_contains(error.text, "has no positions");
    assert_false(sample_exists(path));
    disk_no_temporary(path);
    firn_particles_destroy(&p);
}

static void errors_name_the_file(void** state)
{
    (void)state;
    firn_particles p = sample_particles(10, 3);
    const firn_frame wrote = sample_frame(&p);
    firn_error error;
    assert_int_equal(firn_frame_write(DIR "no/such/a.hdf", &wrote, 1, &error), FIRN_REFUSED_IO);
    assert_contains(error.text, DIR "no/such/a.hdf");
    assert_contains(error.text, "No such file");
    firn_frame f;
    assert_int_equal(firn_frame_read(DIR "none.hdf", &f, &error), FIRN_REFUSED_IO);
    assert_contains(error.text, DIR "none.hdf");
    assert_int_equal(firn_frame_read(FIRN_TEST_TMP, &f, &error), FIRN_REFUSED_IO);
    assert_int_equal(firn_frame_read("/dev/zero", &f, &error), FIRN_REFUSED_IO);
    firn_particles_destroy(&p);
}

static void foreign_files_are_refused(void** state)
{
    (void)state;
    firn_frame f;
    firn_error error;
    sample_put(DIR "empty.hdf", "", 0);
    assert_int_equal(firn_frame_read(DIR "empty.hdf", &f, &error), FIRN_REFUSED_DAMAGED);
    sample_put(DIR "text.hdf", "hello, world\n", 13);
    assert_int_equal(firn_frame_read(DIR "text.hdf", &f, &error), FIRN_REFUSED_DAMAGED);
    assert_contains(error.text, "not a firn frame");
    // an HDF5 file of another program
    const hid_t file = H5Fcreate(DIR "other.hdf", H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    H5Fclose(file);
    assert_int_equal(firn_frame_read(DIR "other.hdf", &f, &error), FIRN_REFUSED_DAMAGED);
    // of firn, without anything that a frame needs
    firn_h5 h5;
    assert_int_equal(firn_h5_create(&h5, DIR "hollow.hdf", FIRN_SEAL_FRAME, &error), FIRN_OK);
    assert_int_equal(firn_h5_commit(&h5, FIRN_OK), FIRN_OK);
    assert_int_equal(firn_frame_read(DIR "hollow.hdf", &f, &error), FIRN_REFUSED_DAMAGED);
    assert_contains(error.text, "is missing");
    // a checkpoint
    firn_particles p = sample_particles(10, 3);
    const firn_frame_info info = sample_info();
    assert_int_equal(firn_checkpoint_write(DIR "c.hdf", &info, &p, NULL, NULL, 0, &error), FIRN_OK);
    assert_int_equal(firn_frame_read(DIR "c.hdf", &f, &error), FIRN_REFUSED_DAMAGED);
    assert_contains(error.text, "is a firn checkpoint, not a frame");
    firn_particles_destroy(&p);
}

// Structure is checked even where the checksum is right: a frame made by another program.
static void wrong_structure_is_refused(void** state)
{
    (void)state;
    const struct {
        firn_h5_array points, mass;
        const char* says;
    } cases[] = {
        {{.given = FIRN_H5_F64, .stored = FIRN_H5_F64, .rows = 4, .columns = 3}, {0}, "type"},
        {{.given = FIRN_H5_F32, .stored = FIRN_H5_F32, .rows = 4, .columns = 2}, {0}, "shape"},
        {{.given = FIRN_H5_F32, .stored = FIRN_H5_F32, .rows = 4, .columns = 1}, {0}, "shape"},
        {{.given = FIRN_H5_F32, .stored = FIRN_H5_F32, .rows = 4, .columns = 3},
         {.given = FIRN_H5_F32, .stored = FIRN_H5_F32, .rows = 5, .columns = 1},
         "5 rows for 4 particles"},
        // a field that only a later firn writes is skipped
        {{.given = FIRN_H5_F32, .stored = FIRN_H5_F32, .rows = 4, .columns = 3},
         {.path = "/VTKHDF/PointData/of_later",
          .given = FIRN_H5_F64,
          .stored = FIRN_H5_F64,
          .rows = 4,
          .columns = 2},
         NULL},
    };
    const double zeros[16] = {0};
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        firn_h5 h5;
        firn_error error;
        const firn_frame_info info = sample_info();
        assert_int_equal(firn_h5_create(&h5, DIR "w.hdf", FIRN_SEAL_FRAME, &error), FIRN_OK);
        assert_int_equal(firn_h5_put_group(&h5, "/VTKHDF"), FIRN_OK);
        assert_int_equal(firn_h5_put_group(&h5, "/VTKHDF/PointData"), FIRN_OK);
        firn_h5_array points = cases[k].points, mass = cases[k].mass;
        points.path = "/VTKHDF/Points";
        if (mass.path == NULL) mass.path = "/VTKHDF/PointData/mass";
        points.data = mass.data = zeros;
        assert_int_equal(firn_h5_put_array(&h5, &points), FIRN_OK);
        if (mass.rows > 0) assert_int_equal(firn_h5_put_array(&h5, &mass), FIRN_OK);
        assert_int_equal(firn_frame_info_put(&h5, &info), FIRN_OK);
        assert_int_equal(firn_h5_commit(&h5, FIRN_OK), FIRN_OK);
        firn_frame f = {0};
        if (cases[k].says == NULL) {
            assert_int_equal(firn_frame_read(DIR "w.hdf", &f, &error), FIRN_OK);
            firn_frame_destroy(&f);
            continue;
        }
        assert_int_equal(firn_frame_read(DIR "w.hdf", &f, &error), FIRN_REFUSED_DAMAGED);
        if (strstr(error.text, cases[k].says) == NULL) fail_msg("case %zu: %s", k, error.text);
    }
}

static void memory_runs_out(void** state)
{
    (void)state;
    firn_particles p = sample_particles(50, 17);
    sample_write_frame(DIR "m.hdf", &p, 0);
    firn_particles_destroy(&p);
    const uint64_t in_use = firn_memory_read().bytes;
    firn_result r = FIRN_BROKEN_MEMORY;
    int failed = 0;
    for (uint64_t k = 1; r != FIRN_OK; k++) {
        firn_frame f = {0};
        firn_error error;
        firn_memory_fail_at(k, false);
        r = firn_frame_read(DIR "m.hdf", &f, &error);
        firn_memory_fail_at(0, false);
        assert_either(r, FIRN_OK, FIRN_BROKEN_MEMORY);
        failed += r != FIRN_OK;
        firn_frame_destroy(&f);
        assert_int_equal(firn_memory_read().bytes, in_use);
    }
    assert_at_least(failed, 7);
}

static herr_t count_prints(hid_t stack, void* user)
{
    (void)stack;
    ++*(int*)user;
    return 0;
}

// The host's own HDF5 error printing is silent during our calls and back afterwards.
static void error_printing_is_restored(void** state)
{
    (void)state;
    int prints = 0;
    H5E_auto2_t old;
    void* old_data;
    H5Eget_auto2(H5E_DEFAULT, &old, &old_data);
    H5Eset_auto2(H5E_DEFAULT, count_prints, &prints);
    firn_h5 h5;
    firn_error error;
    assert_int_equal(firn_h5_create(&h5, DIR "e.hdf", FIRN_SEAL_FRAME, &error), FIRN_OK);
    assert_int_equal(firn_h5_put_group(&h5, "/no/such/parent"), FIRN_REFUSED_IO);
    assert_int_equal(firn_h5_commit(&h5, FIRN_REFUSED_IO), FIRN_REFUSED_IO);
    assert_int_equal(prints, 0);
    assert_less(H5Fopen(DIR "none.hdf", H5F_ACC_RDONLY, H5P_DEFAULT), 0);
    assert_greater(prints, 0);
    H5Eset_auto2(H5E_DEFAULT, old, old_data);
}

static void* write_and_read(void* user)
{
    bool* good = user;
    char path[4096];
    snprintf(path, sizeof path, DIR "thread%p.hdf", user);
    firn_vec3 x[3] = {{1, 2, 3}, {4, 5, 6}, {7, 8, 9}};
    const firn_frame wrote = {.info = sample_info(), .count = 3, .position = x};
    *good = true;
    for (int k = 0; k < 20 && *good; k++) {
        firn_frame f = {0};
        *good = firn_frame_write(path, &wrote, 1, NULL) == FIRN_OK &&
                firn_frame_read(path, &f, NULL) == FIRN_OK && f.count == 3 && f.position[2].z == 9;
        firn_frame_destroy(&f);
        *good = *good && firn_frame_read(DIR "none.hdf", &f, NULL) == FIRN_REFUSED_IO;
    }
    return NULL;
}

// Two simulations of one process write at the same time.
static void threads_may_write_side_by_side(void** state)
{
    (void)state;
    pthread_t threads[4];
    bool good[4] = {0};
    for (int k = 0; k < 4; k++)
        assert_int_equal(pthread_create(&threads[k], NULL, write_and_read, &good[k]), 0);
    for (int k = 0; k < 4; k++) pthread_join(threads[k], NULL);
    for (int k = 0; k < 4; k++) assert_true(good[k]);
}

int test_frame(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_written_comes_back),
        cmocka_unit_test(missing_fields_are_null),
        cmocka_unit_test(equal_contents_are_equal_files),
        cmocka_unit_test(layout_is_vtkhdf),
        cmocka_unit_test(connectivity_costs_nothing),
        cmocka_unit_test(bad_arguments_are_refused),
        cmocka_unit_test(errors_name_the_file),
        cmocka_unit_test(foreign_files_are_refused),
        cmocka_unit_test(wrong_structure_is_refused),
        cmocka_unit_test(memory_runs_out),
        cmocka_unit_test(error_printing_is_restored),
        cmocka_unit_test(threads_may_write_side_by_side),
    };
    return cmocka_run_group_tests_name("frame", tests, NULL, NULL);
}
