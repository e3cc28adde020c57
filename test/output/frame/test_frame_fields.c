// SPDX-License-Identifier: MIT
// All of a frame: every field comes back with name, unit and type, and the first is the position.
#include "output/frame/frame_fields.h"

#include "output/frame/frame_info.h"
#include "output/sample.h"

#define DIR FIRN_TEST_TMP "/"

static size_t reals_of(firn_field_type type)
{
    return type == FIRN_FIELD_REAL ? 1 : type == FIRN_FIELD_VEC3 ? 3 : 9;
}

static void check_field(const firn_frame_fields* f, const firn_field* wrote)
{
    const firn_frame_field* read = firn_frame_fields_find(f, wrote->name);
    if (read == NULL) fail_msg("'%s' is not there", wrote->name);
    assert_string_equal(read->unit, wrote->unit);
    assert_int_equal(read->type, wrote->type);
    const size_t n = (size_t)f->count;
    if (wrote->type == FIRN_FIELD_U8 || wrote->type == FIRN_FIELD_U32) {
        if (n > 0) assert_memory_equal(read->data, wrote->data, n * wrote->size);
        return;
    }
    const firn_real* a = read->data;
    const firn_real* b = wrote->data;
    for (size_t k = 0; k < n * reals_of(wrote->type); k++)
        assert_true(a[k] == (firn_real)(float)b[k]);
}

static void every_field_comes_back(void** state)
{
    (void)state;
    const firn_local counts[] = {0, 1, 5000};
    for (int c = 0; c < 3; c++) {
        firn_particles p = sample_particles(counts[c], 17);
        sample_write_frame(DIR "all.hdf", &p, c);
        firn_frame_fields f;
        firn_error error = {0};
        if (firn_frame_fields_read(DIR "all.hdf", &f, &error) != FIRN_OK)
            fail_msg("%s", error.text);
        assert_int_equal(f.count, counts[c]);
        assert_int_equal(f.info.frame, sample_info().frame);
        assert_int_equal(f.field_count, p.field_count);
        assert_string_equal(f.fields[0].name, "position");
        for (int k = 0; k < p.field_count; k++) check_field(&f, &p.fields[k]);
        assert_null(firn_frame_fields_find(&f, "no such"));
        assert_int_equal(f.body_count, 0);
        firn_frame_fields_destroy(&f);
        assert_null(f.fields);
        firn_particles_destroy(&p);
    }
}

static void put_empty(firn_h5* h5, const char* path, firn_h5_type type, int64_t rows, int columns)
{
    static const double zeros[64];
    const firn_h5_array a = {.path = path,
                             .given = type,
                             .stored = type,
                             .rows = rows,
                             .columns = columns,
                             .data = zeros};
    assert_int_equal(firn_h5_put_array(h5, &a), FIRN_OK);
    assert_int_equal(firn_h5_put_text(h5, path, "unit", "1"), FIRN_OK);
}

// Kinds of arrays that only a later firn may write are passed over; wrong counts are not.
static void other_arrays(void** state)
{
    (void)state;
    for (int k = 0; k < 2; k++) {
        firn_h5 h5;
        firn_error error = {0};
        const firn_frame_info info = sample_info();
        assert_int_equal(firn_h5_create(&h5, DIR "o.hdf", FIRN_SEAL_FRAME, &error), FIRN_OK);
        assert_int_equal(firn_h5_put_group(&h5, "/VTKHDF"), FIRN_OK);
        assert_int_equal(firn_h5_put_group(&h5, "/VTKHDF/PointData"), FIRN_OK);
        assert_int_equal(firn_h5_put_group(&h5, "/VTKHDF/PointData/a_group"), FIRN_OK);
        put_empty(&h5, "/VTKHDF/Points", FIRN_H5_F32, 2, 3);
        put_empty(&h5, "/VTKHDF/PointData/double", FIRN_H5_F64, 2, 1);
        put_empty(&h5, "/VTKHDF/PointData/pair", FIRN_H5_F32, 2, 2);
        put_empty(&h5, "/VTKHDF/PointData/radius", FIRN_H5_F32, 2 + k, 1);
        assert_int_equal(firn_frame_info_put(&h5, &info), FIRN_OK);
        assert_int_equal(firn_h5_commit(&h5, FIRN_OK), FIRN_OK);
        firn_frame_fields f = {0};
        const uint64_t in_use = firn_memory_read().bytes;
        const firn_result r = firn_frame_fields_read(DIR "o.hdf", &f, &error);
        assert_int_equal(r, k == 0 ? FIRN_OK : FIRN_REFUSED_DAMAGED);
        if (k == 0) {
            assert_int_equal(f.field_count, 2);
            assert_non_null(firn_frame_fields_find(&f, "radius"));
        } else {
            assert_non_null(strstr(error.text, "3 rows for 2 particles"));
        }
        firn_frame_fields_destroy(&f);
        assert_int_equal(firn_memory_read().bytes, in_use);
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
        firn_frame_fields f = {0};
        firn_error error;
        firn_memory_fail_at(k, false);
        r = firn_frame_fields_read(DIR "m.hdf", &f, &error);
        firn_memory_fail_at(0, false);
        assert_true(r == FIRN_OK || r == FIRN_BROKEN_MEMORY);
        failed += r != FIRN_OK;
        firn_frame_fields_destroy(&f);
        assert_int_equal(firn_memory_read().bytes, in_use);
    }
    assert_true(failed >= 7);
}

int test_frame_fields(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_field_comes_back),
        cmocka_unit_test(other_arrays),
        cmocka_unit_test(memory_runs_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
